// The dot product of two vectors from element %begin to %end. The terms are added in any order.

func.func @dot(%left: memref<?xf64>, %right: memref<?xf64>, %result: memref<f64>,
               %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %nothing = arith.constant 0.0 : f64
  %total = scf.for %k = %begin to %end step %one iter_args(%sum = %nothing) -> (f64) {
    %a = memref.load %left[%k] : memref<?xf64>
    %b = memref.load %right[%k] : memref<?xf64>
    %term = arith.mulf %a, %b fastmath<reassoc,contract> : f64
    %next = arith.addf %sum, %term fastmath<reassoc,contract> : f64
    scf.yield %next : f64
  }
  memref.store %total, %result[] : memref<f64>
  func.return
}
