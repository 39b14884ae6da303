// How distributed values that one op reads come together; a forced way is taken where it is possible.
// RUN: diablo-opt %s -p choose-join --remarks 2>&1 | filecheck %s
// RUN: diablo-opt %s -p "choose-join{force=broadcast}" | filecheck %s --check-prefix=BROADCAST
// RUN: diablo-opt %s -p "choose-join{force=reduce}" | filecheck %s --check-prefix=REDUCE
// RUN: diablo-opt %s -p "choose-join{force=reduce},convert-tensor-block-to-spark" | filecheck %s --check-prefix=PARTS
// RUN: diablo-opt %s -p "choose-join{force=broadcast},convert-tensor-block-to-spark" | filecheck %s --check-prefix=SENT
// RUN: diablo-opt %s -p "choose-join{force=strips},convert-tensor-block-to-spark" | filecheck %s --check-prefix=STRIPS
// RUN: diablo-opt %s -p "choose-join{tasks=1}" --remarks 2>&1 | filecheck %s --check-prefix=ALONE
// RUN: not diablo-opt %s -p "choose-join{force=merge}" 2>&1 | filecheck %s --check-prefix=ERROR

// ERROR: there is no join 'merge': it is one of broadcast, replicate, reduce, strips

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
!thin = tensor<?xf64, #tensor_block.tiles<dense = 0>>

// Each way has its time, its tasks and its bytes; the arithmetic is the same.
// CHECK: remark: replicate: about {{.*}} s with 8 of 8 tasks at a time (128 Gflop, 977 MiB moved); it would be broadcast {{.*}} s (8 tasks, 732 MiB), reduce {{.*}} s (8 tasks, 1.43 GiB){{$}}
// CHECK: remark: broadcast: about {{.*}} ms with 8 of 8 tasks at a time (10 kflop, 117 KiB moved); it would be reduce
// CHECK: remark: strips: about {{.*}} ms with 8 of 8 tasks at a time (2.88 Gflop, 253 KiB moved); it would be reduce {{.*}} ms (8 tasks, 366 MiB), broadcast {{.*}} s (8 tasks, 366 MiB), replicate {{.*}} s (1 task, 366 MiB)
// CHECK: remark: strips: about {{.*}} ms
// CHECK: remark: sizes unknown: ways broadcast, replicate, reduce; replicate is taken
// CHECK: remark: replicate: about {{.*}} ms with 8 of 8 tasks at a time ({{.*}}); it would be broadcast
// CHECK: remark: broadcast: about {{.*}} ms with 8 of 8 tasks at a time ({{.*}}); it would be reduce
// CHECK: remark: broadcast: about {{.*}} ms with 8 of 8 tasks at a time ({{.*}}); it would be reduce
// CHECK: remark: sizes unknown: ways broadcast of the right side or broadcast of the left side, hash of both; the program sends a side that it finds short
// CHECK: remark: broadcast of the left side: it has few rows; it could be hash of both
// CHECK-LABEL: func.func @products
func.func @products(%A: !matrix {diablo.shape = array<i64: 4000, 4000>},
                    %B: !matrix {diablo.shape = array<i64: 4000, 4000>},
                    %S: !sparse {diablo.shape = array<i64: 4000, 4000>, diablo.nnz = 5000 : i64})
    -> (!matrix, f64, !matrix) {
  %n = arith.constant 4000 : index
  // Two of one size meet where the result is, none of which every worker need have.
  // CHECK:      tensor_block.reduce add
  // CHECK-SAME:   tensor_block.join = "replicate"
  // BROADCAST:      tensor_block.reduce add
  // BROADCAST-SAME:   tensor_block.join = "broadcast", tensor_block.stays = 0
  // REDUCE:      tensor_block.reduce add
  // REDUCE-SAME:   tensor_block.join = "reduce"
  // PARTS-LABEL: func.func @products
  // PARTS:         spark.rekey %A{{.*}}[0, -1, 1]
  // PARTS:         spark.rekey %B{{.*}}[-1, 1, 0]
  // PARTS:         spark.reduce_by_key add
  // SENT-LABEL:  func.func @products
  // SENT:          %[[B:.*]] = spark.broadcast %B
  // SENT-NOT:      spark.cogroup
  // SENT:          spark.replicate
  // SENT-NEXT:     spark.map @kernel_0{{.*}} captures(%[[B]]
  // SENT-NEXT:     spark.reduce_by_key add
  %P = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n) ins(%A[d0, d2] : !matrix, %B[d2, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  // What is far smaller is sent, as the result is one number.
  // CHECK:      tensor_block.reduce add
  // CHECK-SAME:   tensor_block.join = "broadcast", tensor_block.stays = 0
  %s = tensor_block.reduce add reduced(d0 < %n, d1 < %n) ins(%A[d0, d1] : !matrix, %S[d1, d0] : !sparse) -> f64 {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  // Tiles that lie alike need not be moved, whatever is forced.
  // CHECK:         tensor_block.map
  // CHECK-NOT:     tensor_block.join
  // BROADCAST:     tensor_block.map
  // BROADCAST-NOT: tensor_block.join
  // CHECK:         func.return
  // BROADCAST:     func.return
  %T = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%A[d0, d1] : !matrix, %B[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  func.return %P, %s, %T : !matrix, f64, !matrix
}

// Tall arrays that are read along a reduced dimension are cut into strips along that: the tasks have
// parts of the small result, and no tile moves. Of one array alone there are strips as well.
// CHECK-LABEL: func.func @tall
// CHECK:       tensor_block.reduce add
// CHECK-SAME:    tensor_block.join = "strips", tensor_block.strips = array<i64: 0, 2>
// CHECK:       tensor_block.reduce add
// CHECK-SAME:    tensor_block.join = "strips", tensor_block.strips = array<i64: 1, 2>
// STRIPS-LABEL: func.func @tall
// STRIPS:        %[[A:.*]] = spark.strips %A along 0
// STRIPS:        %[[B:.*]] = spark.strips %B along 0
// STRIPS-NEXT:   spark.cogroup %[[A]], %[[B]]
// STRIPS-NEXT:   spark.map_groups
// STRIPS-NEXT:   spark.collect_strips {{.*}} folded [add]
// STRIPS:        %[[C:.*]] = spark.strips %A along 0
// STRIPS-NEXT:   spark.map @{{.*}}(%[[C]])
// STRIPS-NEXT:   spark.collect_strips {{.*}} folded [add]
// One task at a time has nothing of strips but what they save: the shuffle.
// ALONE: remark: strips: about {{.*}} ms with 1 of 1 tasks at a time
func.func @tall(%A: !matrix {diablo.shape = array<i64: 400000, 60>},
                %B: !matrix {diablo.shape = array<i64: 400000, 60>}) -> (!matrix, !matrix) {
  %n = arith.constant 60 : index
  %m = arith.constant 400000 : index
  %P = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %m) ins(%A[d2, d0] : !matrix, %B[d2, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  %G = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %m) ins(%A[d2, d0] : !matrix, %A[d2, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  func.return %P, %G : !matrix, !matrix
}

// Nothing is known of these, and an array that is longer than the iteration is not cut.
// CHECK-LABEL: func.func @unknown
// CHECK-NOT:   tensor_block.join
// STRIPS-LABEL: func.func @unknown
// STRIPS-NOT:  spark.strips
// STRIPS:      func.return
func.func @unknown(%A: !matrix, %B: !matrix, %n: index) -> !matrix {
  %P = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n) ins(%A[d2, d0] : !matrix, %B[d2, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  func.return %P : !matrix
}

// A map of sparse arrays stores no more than these together: 10,000 entries. Of a vector each element
// may be stored in a whole row: nothing is known then but the extents.
// CHECK-LABEL: func.func @maps
// CHECK:       tensor_block.reduce add
// CHECK-SAME:    tensor_block.join = "broadcast"
func.func @maps(%A: !matrix {diablo.shape = array<i64: 4000, 4000>},
                %S: !sparse {diablo.shape = array<i64: 4000, 4000>, diablo.nnz = 5000 : i64},
                %x: !thin {diablo.shape = array<i64: 4000>, diablo.nnz = 10 : i64}) -> (f64, f64) {
  %n = arith.constant 4000 : index
  %T = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%S[d0, d1] : !sparse, %S[d1, d0] : !sparse) -> !sparse {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    tensor_block.yield %c : f64
  }
  %s = tensor_block.reduce add reduced(d0 < %n, d1 < %n) ins(%A[d0, d1] : !matrix, %T[d1, d0] : !sparse) -> f64 {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  %X = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%x[d0] : !thin) -> !sparse {
  ^bb0(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  %t = tensor_block.reduce add reduced(d0 < %n, d1 < %n) ins(%A[d0, d1] : !matrix, %X[d1, d0] : !sparse) -> f64 {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  func.return %s, %t : f64, f64
}

!bag = !comprehension.bag<i64, f64>
!pairs = !comprehension.bag<i64, f64, i64, f64>

// CHECK-LABEL: func.func @bags
func.func @bags(%G: !bag, %H: !bag, %n: index) -> (!pairs, !comprehension.bag<index, i64, f64>) {
  // Nothing is known of these.
  // CHECK-NEXT:    tensor_block.join %G[0], %H[0] : !comprehension.bag<i64, f64>, !comprehension.bag<i64, f64>
  // BROADCAST-LABEL: func.func @bags
  // BROADCAST-NEXT:  tensor_block.join {{.*}}tensor_block.join = "broadcast"
  // SENT-LABEL:    func.func @bags
  // SENT:            %[[H:.*]] = spark.broadcast %H
  // SENT:            spark.map @{{.*}} captures(%[[H]]
  %P = tensor_block.join %G[0], %H[0] : !bag, !bag -> !pairs
  %zero = arith.constant 0 : index
  %three = arith.constant 3 : index
  %few = tensor_block.range %zero to %three : !comprehension.bag<index>
  // CHECK:      tensor_block.join %few[], %G[]
  // CHECK-SAME:   tensor_block.join = "broadcast", tensor_block.stays = 1
  %Q = tensor_block.join %few[], %G[] : !comprehension.bag<index>, !bag -> !comprehension.bag<index, i64, f64>
  func.return %P, %Q : !pairs, !comprehension.bag<index, i64, f64>
}

// No strips are made of vectors that do not go along the dimension that is folded.
// STRIPS-LABEL: func.func @apart
// STRIPS-NOT:     collect_strips
// STRIPS:         func.return
func.func @apart(%x: tensor<?xf64, #tensor_block.tiles<dense = 1>> {diablo.shape = array<i64: 7>},
                 %y: tensor<?xf64, #tensor_block.tiles<dense = 1>> {diablo.shape = array<i64: 7>})
    -> tensor<?xf64, #tensor_block.tiles<dense = 1>> {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %n = tensor.dim %x, %zero : tensor<?xf64, #tensor_block.tiles<dense = 1>>
  %m = tensor.dim %y, %zero : tensor<?xf64, #tensor_block.tiles<dense = 1>>
  %r = tensor_block.reduce min parallel(d0 < %n, d1 < %m) reduced(d2 < %two)
      ins(%x[d0] : tensor<?xf64, #tensor_block.tiles<dense = 1>>, %y[d1] : tensor<?xf64, #tensor_block.tiles<dense = 1>>)
      -> tensor<?x?xf64, #tensor_block.tiles<dense = 2>> {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %v = arith.addf %a, %b : f64
    tensor_block.yield %v : f64
  }
  %s = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%r[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 2>>)
      -> tensor<?xf64, #tensor_block.tiles<dense = 1>> {
  ^bb0(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %s : tensor<?xf64, #tensor_block.tiles<dense = 1>>
}
