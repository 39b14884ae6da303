// RUN: diablo-opt %s -p convert-native-loops | filecheck %s

!pairs = tensor<?xtuple<i64, tuple<f64, i64>>>

// An array of tuples is one of words: what an index of a word is, is known to be inside.
func.func private @loop_0(%D: !pairs, %k: index, %m: index) -> !pairs {
  %one = arith.constant 1 : index
  %i, %E = scf.while (%j = %k, %A = %D) : (index, !pairs) -> (index, !pairs) {
    %p = arith.cmpi slt, %j, %m : index
    scf.condition(%p) %j, %A : index, !pairs
  } do {
  ^bb0(%j: index, %A: !pairs):
    %row = tensor.extract %A[%j] : !pairs
    %a, %inner = comprehension.unpack %row : tuple<i64, tuple<f64, i64>>
    %x, %b = comprehension.unpack %inner : tuple<f64, i64>
    %y = arith.addf %x, %x : f64
    %turned = comprehension.pack %y, %a : tuple<f64, i64>
    %whole = comprehension.pack %b, %turned : tuple<i64, tuple<f64, i64>>
    %B = tensor.insert %whole into %A[%j] {in_place = 1 : i64} : !pairs
    %next = arith.addi %j, %one : index
    scf.yield %next, %B : index, !pairs
  }
  func.return %E : !pairs
}

// CHECK-LABEL: func.func private @loop_0(
// CHECK-SAME:      %D: memref<?x?xi64, strided<[?, 1]>>
// CHECK:         scf.while
// CHECK:           %[[A:.*]] = memref.load %D[%[[J:.*]], %{{.*}}]
// CHECK:           %[[WORD:.*]] = memref.load %D[%[[J]], %{{.*}}]
// CHECK-NEXT:      %[[X:.*]] = arith.bitcast %[[WORD]] : i64 to f64
// CHECK:           %[[B:.*]] = memref.load %D[%[[J]], %{{.*}}]
// CHECK-NEXT:      %[[Y:.*]] = arith.addf %[[X]], %[[X]] : f64
// CHECK:           memref.store %[[B]], %D[%[[J]], %{{.*}}]
// CHECK:           %[[BITS:.*]] = arith.bitcast %[[Y]] : f64 to i64
// CHECK:           memref.store %[[BITS]], %D[%[[J]], %{{.*}}]
// CHECK:           memref.store %[[A]], %D[%[[J]], %{{.*}}]
