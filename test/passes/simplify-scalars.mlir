// RUN: diablo-opt %s -p simplify-scalars | filecheck %s

// CHECK-LABEL: @sizes
// CHECK-SAME:    %A: tensor<?x?xf64>
func.func @sizes(%A: tensor<?x?xf64>, %B: tensor<?xf64>) -> (index, index, index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  // CHECK:      %n = tensor.dim %A
  // CHECK-NEXT: %[[M:.*]] = tensor.dim %A
  // CHECK-NEXT: %[[LEAST:.*]] = arith.minsi %n, %[[M]]
  // CHECK-NEXT: return %n, %[[LEAST]], %n
  %2 = tensor.dim %A, %0 : tensor<?x?xf64>
  %3 = tensor.dim %A, %1 : tensor<?x?xf64>
  %4 = arith.index_cast %2 : index to i64
  %n = arith.index_cast %4 : i64 to index
  %5 = arith.minsi %n, %2 : index
  %6 = arith.minsi %2, %3 : index
  %7 = arith.maxsi %6, %0 : index
  %8 = arith.cmpi eq, %2, %n : index
  cf.assert %8, "never said"
  %9 = arith.constant -1 : index
  %10 = arith.maxsi %9, %2 : index
  func.return %5, %7, %10 : index, index, index
}

// CHECK-LABEL: @logic
// CHECK-SAME:    (%a: i1, %n: i64)
func.func @logic(%a: i1, %n: i64) -> (i1, i1, i1, i1) {
  // CHECK:      %[[FALSE:.*]] = arith.constant false
  // CHECK:      cf.assert %a, "said if it is not so"
  // CHECK-NEXT: return %a, %{{true|.*}}, %[[FALSE]], %a
  %true = arith.constant true
  %false = arith.constant false
  %0 = arith.andi %true, %a : i1
  %1 = arith.ori %a, %true : i1
  %2 = arith.andi %a, %false : i1
  %3 = arith.ori %a, %a : i1
  %4 = arith.cmpi sle, %n, %n : i64
  %5 = arith.andi %a, %4 : i1
  cf.assert %5, "said if it is not so"
  func.return %0, %1, %2, %3 : i1, i1, i1, i1
}

// What is not known stays: a number of the caller may be negative, and 32 bits are cut off.
// CHECK-LABEL: @kept
func.func @kept(%n: i64, %m: i64, %k: index) -> (i64, index, i64, i64) {
  // CHECK:      arith.maxsi %n, %{{.*}} : i64
  // CHECK-NEXT: arith.index_cast %k : index to i32
  // CHECK-NEXT: arith.index_cast %{{.*}} : i32 to index
  // CHECK:      arith.andi %n, %{{.*}} : i64
  // CHECK-NEXT: arith.minsi %n, %m : i64
  // CHECK-NEXT: arith.cmpi slt, %n, %m
  // CHECK-NEXT: cf.assert
  %0 = arith.constant 0 : i64
  %1 = arith.maxsi %n, %0 : i64
  %2 = arith.index_cast %k : index to i32
  %3 = arith.index_cast %2 : i32 to index
  %4 = arith.constant 1 : i64
  %5 = arith.andi %n, %4 : i64
  %6 = arith.minsi %n, %m : i64
  %7 = arith.cmpi slt, %n, %m : i64
  cf.assert %7, "n is less than m"
  func.return %1, %3, %5, %6 : i64, index, i64, i64
}

// Bounds of a type tell what is the least and the greatest without a sign; ops that read none
// of signless numbers stay, of which the bounds have a sign.
// CHECK-LABEL: @unsigned
// CHECK-SAME:    (%a: ui8, %b: i8)
func.func @unsigned(%a: ui8, %b: i8) -> (ui8, ui8, i8) {
  // CHECK:      %[[ZERO:.*]] = comprehension.unsigned 0 : ui8
  // CHECK:      %[[SIGNLESS:.*]] = arith.maxui %{{.*}}, %b : i8
  // CHECK-NEXT: return %a, %[[ZERO]], %[[SIGNLESS]]
  %zero = comprehension.unsigned 0 : ui8
  %most = arith.constant -128 : i8
  %0 = arith.maxui %zero, %a : ui8
  %1 = arith.minui %zero, %a : ui8
  %2 = arith.maxui %most, %b : i8
  func.return %0, %1, %2 : ui8, ui8, i8
}
