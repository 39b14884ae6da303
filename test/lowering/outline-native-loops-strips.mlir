// RUN: diablo-opt %s -p outline-native-loops --remarks 2>&1 | filecheck %s

// A loop whose state is saved as it runs is cut into strips, which are functions: the loop around
// them has the same test, and a strip counts its steps besides.

// CHECK: remark: the loop is machine code once it has run a while

// CHECK-LABEL: func.func @sums
// CHECK:         scf.while (%j = %zero, %u = %start)
// CHECK-NEXT:      %{{.*}} = arith.cmpi slt, %j, %n
// CHECK-NEXT:      scf.condition
// CHECK:         ^bb0(%[[J:.*]]: index, %[[U:.*]]: f64):
// CHECK-NEXT:      %[[I:.*]], %[[T:.*]] = func.call @loop_0(%[[J]], %[[U]], %{{.*}}, %n, %V)
// CHECK-NEXT:      scf.yield %[[I]], %[[T]]
// CHECK-NEXT:    } attributes {checkpoint = 3 : i64, checkpoint_steps = 65536 : i64}
func.func @sums(%V: tensor<?xf64>, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  %k, %s = scf.while (%j = %zero, %u = %start) : (index, f64) -> (index, f64) {
    %p = arith.cmpi slt, %j, %n : index
    scf.condition(%p) %j, %u : index, f64
  } do {
  ^bb0(%j: index, %u: f64):
    %v = tensor.extract %V[%j] : tensor<?xf64>
    %w = arith.addf %u, %v : f64
    %next = arith.addi %j, %one : index
    scf.yield %next, %w : index, f64
  } attributes {checkpoint = 3 : i64}
  func.return %s : f64
}

// Held back: what Python has to do stays one loop, and so does a loop whose test passes on something
// else than what it carries.
// CHECK-LABEL: func.func @strings
// CHECK:         scf.while
// CHECK-NOT:     func.call
// CHECK:         attributes {checkpoint = 4 : i64}
// CHECK-NEXT:    func.return
func.func @strings(%s: !comprehension.string, %n: index) -> !comprehension.string {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %k, %t = scf.while (%j = %zero, %u = %s) : (index, !comprehension.string) -> (index, !comprehension.string) {
    %p = arith.cmpi slt, %j, %n : index
    scf.condition(%p) %j, %u : index, !comprehension.string
  } do {
  ^bb0(%j: index, %u: !comprehension.string):
    %next = arith.addi %j, %one : index
    scf.yield %next, %s : index, !comprehension.string
  } attributes {checkpoint = 4 : i64}
  func.return %t : !comprehension.string
}

// CHECK-LABEL: func.func @computed
// CHECK:         scf.while
// CHECK:         attributes {checkpoint = 5 : i64}
// CHECK-NEXT:    func.return
func.func @computed(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %s = scf.while (%j = %zero) : (i64) -> i64 {
    %k = arith.addi %j, %j : i64
    %p = arith.cmpi slt, %j, %n : i64
    scf.condition(%p) %k : i64
  } do {
  ^bb0(%k: i64):
    scf.yield %k : i64
  } attributes {checkpoint = 5 : i64}
  func.return %s : i64
}

// CHECK-LABEL: func.func private @loop_0
// CHECK-SAME:      %step: i64
// CHECK:         %[[P:.*]] = arith.cmpi slt, %{{.*}}, %n
// CHECK-NEXT:    %[[Q:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : i64
// CHECK-NEXT:    arith.andi %[[P]], %[[Q]]
