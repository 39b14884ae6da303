// RUN: diablo-opt %s -p convert-kernel-to-llvm | filecheck %s

// What does not hold ends the call; a function that is declared is called with numbers.
// CHECK-LABEL: llvm.func @check(%a: !llvm.ptr {llvm.noalias}, %p: i1)
// CHECK-NEXT:    llvm.cond_br %p, ^[[HOLDS:bb[0-9]+]], ^[[END:bb[0-9]+]]
// CHECK-NEXT:  ^[[HOLDS]]:
// CHECK-NEXT:    %n = llvm.call @ask() : () -> i64
// CHECK-NEXT:    llvm.store %n, %a
// CHECK-NEXT:    llvm.return
// CHECK-NEXT:  ^[[END]]:
// CHECK-NEXT:    llvm.return
func.func @check(%a: memref<i64>, %p: i1) {
  cf.assert %p, "the call ends"
  %n = func.call @ask() : () -> i64
  memref.store %n, %a[] : memref<i64>
  func.return
}

// CHECK: llvm.func @ask() -> i64
func.func private @ask() -> i64

// Of a memref it is given the pointer.
// CHECK-LABEL: llvm.func @hand_over(%v: !llvm.ptr {llvm.noalias}, %size0: i64, %k: i64)
// CHECK-NEXT:    llvm.call @take(%k, %v) : (i64, !llvm.ptr) -> ()
func.func @hand_over(%v: memref<?xf64>, %k: i64) {
  func.call @take(%k, %v) : (i64, memref<?xf64>) -> ()
  func.return
}

// CHECK: llvm.func @take(i64, !llvm.ptr)
func.func private @take(i64, memref<?xf64>)
