// A loop with a condition becomes branches: what it carries are the arguments of its blocks.
// RUN: diablo-opt %s -p convert-kernel-to-llvm | filecheck %s

// CHECK-LABEL: llvm.func @search(%a: !llvm.ptr {llvm.noalias}, %size0: i64, %x: i64, %r: !llvm.ptr {llvm.noalias}
// CHECK:         llvm.br ^[[before:bb[0-9]+]](%zero, %size0 : i64, i64)
// CHECK:       ^[[before]](%low: i64, %high: i64):
// CHECK-NEXT:    %more = llvm.icmp "slt" %low, %high : i64
// CHECK-NEXT:    llvm.cond_br %more, ^[[after:bb[0-9]+]](%low, %high : i64, i64), ^[[end:bb[0-9]+]]
// CHECK:       ^[[after]](%{{.*}}: i64, %{{.*}}: i64):
// CHECK:         %element = llvm.load
// CHECK:         llvm.br ^[[before]](%{{.*}}, %{{.*}} : i64, i64)
// CHECK:       ^[[end]]:
// CHECK:         llvm.store %low,
func.func @search(%a: memref<?xi64>, %x: i64, %r: memref<index>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = memref.dim %a, %zero : memref<?xi64>
  %found, %end = scf.while (%low = %zero, %high = %n) : (index, index) -> (index, index) {
    %more = arith.cmpi slt, %low, %high : index
    scf.condition(%more) %low, %high : index, index
  } do {
  ^bb0(%l: index, %h: index):
    %sum = arith.addi %l, %h : index
    %middle = arith.shrui %sum, %one : index
    %element = memref.load %a[%middle] : memref<?xi64>
    %before = arith.cmpi slt, %element, %x : i64
    %after = arith.addi %middle, %one : index
    %next_low = arith.select %before, %after, %l : index
    %next_high = arith.select %before, %h, %middle : index
    scf.yield %next_low, %next_high : index, index
  }
  memref.store %found, %r[] : memref<index>
  func.return
}
