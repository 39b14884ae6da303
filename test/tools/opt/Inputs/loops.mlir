func.func @square(%a: memref<?xf64>, %x: f64) {
  %zero = arith.constant 0 : index
  %y = arith.mulf %x, %x fastmath<reassoc,nnan,contract> : f64
  memref.store %y, %a[%zero] : memref<?xf64>
  func.return
}
