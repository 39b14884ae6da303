// Zeros in bytes %begin to %end.
func.func @clear_bytes(%to: memref<?xi8>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : i8
  scf.for %k = %begin to %end step %one {
    memref.store %zero, %to[%k] : memref<?xi8>
  }
  func.return
}
