// What Spark keeps is let go behind the last job that needs it, where others follow.
// RUN: diablo-opt %s -p release-kept --split-input-file | filecheck %s

!rdd = !spark.rdd<[index], [tensor<?xf64>]>

// %b is needed until the first job that reads all of %c, which keeps what is made of it; at the end
// of the call %c goes by itself.
// CHECK-LABEL: func.func @chain
// CHECK:         %b = spark.persist
// CHECK:         %c = spark.persist
// CHECK-NOT:     spark.release
// CHECK:         spark.collect %c
// CHECK-NEXT:    spark.release %b
// CHECK-NEXT:    spark.collect %c
// CHECK-NOT:     spark.release
// CHECK:         func.return
func.func @chain(%a: !rdd, %n: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %b = spark.persist %a : !rdd
  %m = spark.reduce_by_key add %b grid(%n) : !rdd
  %c = spark.persist %m : !rdd
  %r = spark.collect %c dims(%n) : !rdd -> tensor<?xf64>
  %s = spark.collect %c dims(%n) : !rdd -> tensor<?xf64>
  func.return %r, %s : tensor<?xf64>, tensor<?xf64>
}

// -----

!rdd = !spark.rdd<[index], [tensor<?xf64>]>

// What a lazy result is made of stays, and so does what only a part was computed of.
// CHECK-LABEL: func.func @lazy
// CHECK-NOT:     spark.release
// CHECK:         func.return
func.func @lazy(%a: !rdd, %n: index) -> (tensor<?xf64>, tensor<?xf64>, !rdd) {
  %b = spark.persist %a : !rdd
  %r = spark.collect %b dims(%n) : !rdd -> tensor<?xf64>
  %m = spark.reduce_by_key add %b grid(%n) : !rdd
  %c = spark.persist %m : !rdd
  %part = spark.crop %c dims(%n) : !rdd
  %s = spark.collect %part dims(%n) : !rdd -> tensor<?xf64>
  func.return %r, %s, %c : tensor<?xf64>, tensor<?xf64>, !rdd
}

// -----

!rdd = !spark.rdd<[index], [tensor<?xf64>]>

// A loop that reads it has it until its end.
// CHECK-LABEL: func.func @loop
// CHECK:         scf.while
// CHECK-NOT:     spark.release
// CHECK:         spark.collect %b
// CHECK:         }
// CHECK-NEXT:    spark.release %b
// CHECK-NEXT:    spark.collect %a
func.func @loop(%a: !rdd, %n: index) -> (index, tensor<?xf64>) {
  %b = spark.persist %a : !rdd
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %k = scf.while (%i = %zero) : (index) -> index {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %r = spark.collect %b dims(%n) : !rdd -> tensor<?xf64>
    %j = arith.addi %i, %one : index
    scf.yield %j : index
  }
  %s = spark.collect %a dims(%n) : !rdd -> tensor<?xf64>
  func.return %k, %s : index, tensor<?xf64>
}

// -----

!bag = !spark.rdd<[], [!comprehension.bag<f64>]>
!numbered = !spark.rdd<[], [!comprehension.bag<f64, i64>]>

// Rows that are computed anew might be numbered otherwise: what the numbers are of stays, also
// where something that is made of them is kept.
// CHECK-LABEL: func.func @numbered
// CHECK-NOT:     spark.release
// CHECK:         func.return
func.func @numbered(%a: !bag) -> (!comprehension.bag<f64, i64>, !comprehension.bag<f64, i64>) {
  %b = spark.persist %a : !bag
  %n = spark.number %b : !bag -> !numbered
  %p = spark.persist %n : !numbered
  %m = spark.map @kept(%p) : !numbered -> !numbered
  %c = spark.persist %m : !numbered
  %r = spark.collect %c : !numbered -> !comprehension.bag<f64, i64>
  %s = spark.collect %c : !numbered -> !comprehension.bag<f64, i64>
  func.return %r, %s : !comprehension.bag<f64, i64>, !comprehension.bag<f64, i64>
}
func.func private @kept(%rows: !comprehension.bag<f64, i64>) -> !comprehension.bag<f64, i64> {
  func.return %rows : !comprehension.bag<f64, i64>
}

// -----

!rdd = !spark.rdd<[index], [tensor<?xf64>]>

func.func private @scale(%x: tensor<?xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {
  func.return %x : tensor<?xf64>
}

// A broadcast is needed as long as what is kept may have to be made again with it: %w goes behind
// the last job on %c, and what %c is made of as soon as there is %c.
// CHECK-LABEL: func.func @broadcasts
// CHECK:         %w = spark.broadcast
// CHECK:         spark.collect %c
// CHECK-NEXT:    spark.release %b
// CHECK-NEXT:    spark.collect %c
// CHECK-NEXT:    spark.release %c
// CHECK-NEXT:    spark.release %w
// CHECK-NEXT:    spark.collect %a
// CHECK-NOT:     spark.release
// CHECK:         func.return
func.func @broadcasts(%a: !rdd, %v: tensor<?xf64>, %n: index)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %w = spark.broadcast %v : tensor<?xf64> -> !spark.broadcast<tensor<?xf64>>
  %b = spark.persist %a : !rdd
  %m = spark.map @scale(%b) captures(%w : !spark.broadcast<tensor<?xf64>>) : !rdd -> !rdd
  %c = spark.persist %m : !rdd
  %r = spark.collect %c dims(%n) : !rdd -> tensor<?xf64>
  %s = spark.collect %c dims(%n) : !rdd -> tensor<?xf64>
  %t = spark.collect %a dims(%n) : !rdd -> tensor<?xf64>
  func.return %r, %s, %t : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// -----

!rdd = !spark.rdd<[index], [tensor<?xf64>]>

func.func private @scale(%x: tensor<?xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {
  func.return %x : tensor<?xf64>
}

// A loop sends each iteration what is read by jobs of that alone (%w), and what makes the array that
// it carries (%u), which stays until the lineage is cut.
// CHECK-LABEL: func.func @iterations
// CHECK:         %w = spark.broadcast
// CHECK-NEXT:    %u = spark.broadcast
// CHECK-NOT:     spark.release
// CHECK:         spark.collect
// CHECK-NEXT:    spark.release %w
// CHECK-NOT:     spark.release
// CHECK:         func.return
func.func @iterations(%a: !rdd, %v: tensor<?xf64>, %n: index) -> !rdd {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %k, %r, %s = scf.while (%i = %zero, %b = %a, %x = %v)
      : (index, !rdd, tensor<?xf64>) -> (index, !rdd, tensor<?xf64>) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, %b, %x : index, !rdd, tensor<?xf64>
  } do {
  ^bb0(%i: index, %b: !rdd, %x: tensor<?xf64>):
    %w = spark.broadcast %x : tensor<?xf64> -> !spark.broadcast<tensor<?xf64>>
    %u = spark.broadcast %x : tensor<?xf64> -> !spark.broadcast<tensor<?xf64>>
    %m = spark.map @scale(%b) captures(%w : !spark.broadcast<tensor<?xf64>>) : !rdd -> !rdd
    %y = spark.collect %m dims(%n) : !rdd -> tensor<?xf64>
    %c = spark.map @scale(%b) captures(%u : !spark.broadcast<tensor<?xf64>>) : !rdd -> !rdd
    %j = arith.addi %i, %one : index
    scf.yield %j, %c, %y : index, !rdd, tensor<?xf64>
  }
  func.return %r : !rdd
}
