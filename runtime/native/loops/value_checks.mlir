// Whether a value is zero: its bits, shifted left by one, so that the sign of a float counts for
// nothing.

!bits = i64  // or i32

func.func @any_zero(%values: memref<?x!bits>, %found: memref<1xi64>, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %no = arith.constant false
  %nothing = arith.constant 0 : !bits
  %sign = arith.constant 1 : !bits
  %any = scf.for %k = %begin to %end step %one iter_args(%so_far = %no) -> (i1) {
    %value = memref.load %values[%k] : memref<?x!bits>
    %rest = arith.shli %value, %sign : !bits
    %is_zero = arith.cmpi eq, %rest, %nothing : !bits
    %next = arith.ori %so_far, %is_zero : i1
    scf.yield %next : i1
  }
  %wide = arith.extui %any : i1 to i64
  memref.store %wide, %found[%zero] : memref<1xi64>
  func.return
}
