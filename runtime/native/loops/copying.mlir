// Bytes %begin to %end of %from, into the same places of %to, which is other memory.
func.func @copy_bytes(%from: memref<?xi8>, %to: memref<?xi8>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  scf.for %k = %begin to %end step %one {
    %byte = memref.load %from[%k] : memref<?xi8>
    memref.store %byte, %to[%k] : memref<?xi8>
  }
  func.return
}
