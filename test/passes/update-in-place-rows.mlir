// Arrays of the driver that rows are looked up in: they are free once the rows are collected.
// RUN: diablo-opt %s -p update-in-place | filecheck %s

!array = tensor<?x?xf64>
!indices = !spark.rdd<[], [!comprehension.bag<index, index>]>
!rows = !spark.rdd<[], [!comprehension.bag<index, index, f64>]>
!bag = !comprehension.bag<index, index, f64>

// CHECK-LABEL: func.func @main
func.func @main(%n: index, %v: !array, %r: !indices) -> (!array, !rows) {
  %a = func.call @made(%n, %v) : (index, !array) -> !array
  %b = spark.broadcast %a dims(%n, %n) : !array -> !spark.broadcast<!array>
  %x = spark.map @looked_up(%r) captures(%b : !spark.broadcast<!array>) : !indices -> !rows
  %bag = spark.collect %x : !rows -> !bag
  // CHECK: %c = func.call @put(%n, %bag, %a) {in_place = 2 : i64}
  %c = func.call @put(%n, %bag, %a) : (index, !bag, !array) -> !array

  // What else the kernel does with an array may be part of its rows.
  %d = spark.broadcast %c dims(%n, %n) : !array -> !spark.broadcast<!array>
  %y = spark.map @listed(%r) captures(%d : !spark.broadcast<!array>) : !indices -> !rows
  %bag1 = spark.collect %y : !rows -> !bag
  // CHECK: %e = func.call @put(%n, %bag1, %c) :
  %e = func.call @put(%n, %bag1, %c) : (index, !bag, !array) -> !array

  // Rows that are not collected yet may be computed again.
  %f = spark.broadcast %e dims(%n, %n) : !array -> !spark.broadcast<!array>
  %z = spark.map @looked_up(%r) captures(%f : !spark.broadcast<!array>) : !indices -> !rows
  %bag2 = spark.collect %z : !rows -> !bag
  // CHECK: %g = func.call @put(%n, %bag2, %e) :
  %g = func.call @put(%n, %bag2, %e) : (index, !bag, !array) -> !array
  func.return %g, %z : !array, !rows
}

func.func private @made(%n: index, %x: !array) -> !array {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%x[d0, d1] : !array) -> !array {
  ^bb0(%i: index, %j: index, %e: f64):
    %y = arith.mulf %e, %e : f64
    tensor_block.yield %y : f64
  }
  func.return %r : !array
}

func.func private @looked_up(%rows: !comprehension.bag<index, index>, %x: !array) -> !bag {
  %r = tensor_block.lookup %rows[0, 1] in %x : !comprehension.bag<index, index>, !array -> !bag
  func.return %r : !bag
}

func.func private @listed(%rows: !comprehension.bag<index, index>, %x: !array) -> !bag {
  %r = tensor_block.to_bag %x : !array -> !bag
  func.return %r : !bag
}

func.func private @put(%n: index, %rows: !bag, %x: !array) -> !array {
  %r = tensor_block.from_bag %rows extents(%n, %n) dest(%x : !array) : !bag -> !array
  func.return %r : !array
}
