// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop,convert-multiloop-to-loops --split-input-file | filecheck %s

// What a body reads of an array from outside is loaded, behind the test that it lies inside.
func.func private @gather(%k: tensor<?xi64>, %v: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %y = tensor_block.map parallel(d0 < %n) ins(%k[d0] : tensor<?xi64>) -> tensor<?xf64> {
  ^body(%i: index, %p: i64):
    %at = arith.index_cast %p : i64 to index
    %inside = arith.cmpi ult, %at, %m : index
    %x = scf.if %inside -> (f64) {
      %e = tensor.extract %v[%at] : tensor<?xf64>
      scf.yield %e : f64
    } else {
      scf.yield %zero : f64
    }
    tensor_block.yield %x : f64
  }
  func.return %y : tensor<?xf64>
}
// CHECK-LABEL: func.func private @gather(%k: memref<?xi64>, %v: memref<?xf64>, %n: index, %m: index, %y: memref<?xf64>)
// CHECK:         scf.for %i
// CHECK-NEXT:      %p = memref.load %k[%i]
// CHECK-NEXT:      %at = arith.index_cast %p
// CHECK:           %x = scf.if
// CHECK-NEXT:        %e = memref.load %v[%at] : memref<?xf64>
// CHECK-NEXT:        scf.yield %e
// CHECK:           memref.store %x, %y[%i]

// -----

// An array of tuples has a buffer for each part.
func.func private @pairs(%k: tensor<?xindex>, %v: tensor<?xtuple<f64, i64>>, %n: index) -> tensor<?xf64> {
  %y = tensor_block.map parallel(d0 < %n) ins(%k[d0] : tensor<?xindex>) -> tensor<?xf64> {
  ^body(%i: index, %at: index):
    %e = tensor.extract %v[%at] : tensor<?xtuple<f64, i64>>
    %a, %b = comprehension.unpack %e : tuple<f64, i64>
    %c = arith.sitofp %b : i64 to f64
    %d = arith.addf %a, %c : f64
    tensor_block.yield %d : f64
  }
  func.return %y : tensor<?xf64>
}
// CHECK-LABEL: func.func private @pairs
// CHECK-SAME:    %k: memref<?xindex>, %[[A:.*]]: memref<?xf64>, %[[B:[^ ]*]]: memref<?xi64>, %n: index
// CHECK:         %[[X:.*]] = memref.load %[[A]][%at]
// CHECK-NEXT:    %[[Y:.*]] = memref.load %[[B]][%at]
// CHECK:         arith.sitofp %[[Y]]
// CHECK-NEXT:    arith.addf %[[X]]
