// RUN: diablo-opt %s -p convert-kernel-to-llvm | filecheck %s

// A memref is a bare pointer, its sizes and its open strides; an index is an i64.
func.func private @copy(%a: memref<?x?xf64, strided<[?, 1]>>, %i: index, %j: index, %r: memref<f64>) {
  %x = memref.load %a[%i, %j] : memref<?x?xf64, strided<[?, 1]>>
  memref.store %x, %r[] : memref<f64>
  func.return
}
// CHECK-LABEL: llvm.func @copy(%a: !llvm.ptr {llvm.noalias}, %size0: i64, %size1: i64, %stride0: i64, %i: i64, %j: i64, %r: !llvm.ptr {llvm.noalias})
// CHECK-NEXT:    %[[ROW:.*]] = llvm.mul %i, %stride0 overflow<nsw> : i64
// CHECK-NEXT:    %[[AT:.*]] = llvm.add %[[ROW]], %j overflow<nsw> : i64
// CHECK-NEXT:    %[[P:.*]] = llvm.getelementptr inbounds %a[%[[AT]]] : (!llvm.ptr, i64) -> !llvm.ptr, f64
// CHECK-NEXT:    %[[X:.*]] = llvm.load %[[P]] : !llvm.ptr -> f64
// CHECK-NEXT:    llvm.store %[[X]], %r : f64, !llvm.ptr
// CHECK-NEXT:    llvm.return

// Booleans are bytes in memory.
func.func private @flags(%a: memref<?xi1>, %i: index) {
  %x = memref.load %a[%i] : memref<?xi1>
  memref.store %x, %a[%i] : memref<?xi1>
  func.return
}
// CHECK-LABEL: llvm.func @flags
// CHECK:         %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK-NEXT:    %[[BIT:.*]] = llvm.trunc %[[BYTE]] : i8 to i1
// CHECK-NEXT:    %[[WIDE:.*]] = llvm.zext %[[BIT]] : i1 to i8
// CHECK:         llvm.store %[[WIDE]]

// Structured control flow becomes branches; fast-math flags are kept where they are.
func.func private @sum(%a: memref<?xf64>, %n: index, %r: memref<f64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %f = arith.constant 0.0 : f64
  %s = scf.for %i = %zero to %n step %one iter_args(%acc = %f) -> (f64) {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = arith.mulf %x, %x : f64
    %t = arith.addf %acc, %y fastmath<reassoc,contract> : f64
    scf.yield %t : f64
  }
  memref.store %s, %r[] : memref<f64>
  func.return
}
// CHECK-LABEL: llvm.func @sum
// CHECK:         llvm.br ^[[HEAD:.*]](%zero, %f : i64, f64)
// CHECK:         llvm.cond_br
// CHECK:         llvm.fmul %{{.*}}, %{{.*}} : f64
// CHECK-NEXT:    llvm.fadd {{.*}} {fastmathFlags = #llvm.fastmath<reassoc,contract>} : f64
// CHECK:         llvm.br ^[[HEAD]]

func.func private @scalars(%p: i64, %q: i64, %v: f64, %c: i1, %ri: memref<i64>, %rf: memref<f64>) {
  %0 = arith.maxsi %p, %q : i64
  %1 = arith.fptosi %v : f64 to i64
  %2 = arith.addi %0, %1 : i64
  memref.store %2, %ri[] : memref<i64>
  %3 = arith.uitofp %c : i1 to f64
  %4 = arith.minimumf %3, %v : f64
  %5 = math.sqrt %4 : f64
  memref.store %5, %rf[] : memref<f64>
  %6 = math.ctpop %p : i64
  memref.store %6, %ri[] : memref<i64>
  %7 = math.cttz %q : i64
  memref.store %7, %ri[] : memref<i64>
  func.return
}
// CHECK-LABEL: llvm.func @scalars
// CHECK:         llvm.call_intrinsic "llvm.smax.i64"(%p, %q)
// CHECK-NEXT:    llvm.call_intrinsic "llvm.fptosi.sat.i64.f64"(%v)
// CHECK-NEXT:    llvm.add
// CHECK:         llvm.zext %c : i1 to i64
// CHECK-NEXT:    llvm.sitofp
// CHECK-NEXT:    llvm.call_intrinsic "llvm.minimum.f64"
// CHECK-NEXT:    llvm.call_intrinsic "llvm.sqrt.f64"
// CHECK:         llvm.call_intrinsic "llvm.ctpop.i64"(%p)
// The zeros below the lowest bit; of 0 there are 64.
// CHECK:         %[[NO:.*]] = llvm.mlir.constant(false) : i1
// CHECK-NEXT:    llvm.call_intrinsic "llvm.cttz.i64"(%q, %[[NO]])

// An op without a conversion leaves its function as it is.
func.func private @unknown(%a: memref<?xf64>, %i: index) {
  %x = memref.load %a[%i] : memref<?xf64>
  %y = math.erf %x : f64
  memref.store %y, %a[%i] : memref<?xf64>
  func.return
}
// CHECK-LABEL: func.func private @unknown

// A shift by as many bits as a word has, or more, shifts all bits out; LLVM says nothing of that.
func.func private @shifts(%x: i64, %n: i64, %r: memref<i64>) {
  %c = arith.constant 3 : i64
  %0 = arith.shli %x, %n : i64
  %1 = arith.shrsi %0, %n : i64
  %2 = arith.shrui %1, %c : i64
  memref.store %2, %r[] : memref<i64>
  func.return
}
// CHECK-LABEL: llvm.func @shifts
// CHECK:         %[[IN:.*]] = llvm.icmp "ule" %{{.*}}
// CHECK-NEXT:    %[[LEFT:.*]] = llvm.shl %{{.*}}, %{{.*}} : i64
// CHECK:         llvm.select %[[IN]], %[[LEFT]]
// CHECK:         %[[MOST:[0-9]+]] = llvm.select %{{.*}}
// CHECK-NEXT:    llvm.ashr %{{.*}}, %[[MOST]] : i64
// CHECK:         llvm.lshr %{{.*}}, %{{c.*}} : i64
// CHECK-NEXT:    llvm.store

// A word may lie at any of a vector's bytes.
func.func private @word(%bytes: memref<?xi8>, %place: index, %word: memref<i64>) {
  %x = multiloop.read_word %bytes[%place] : memref<?xi8>
  memref.store %x, %word[] : memref<i64>
  func.return
}
// CHECK-LABEL: llvm.func @word(
// CHECK-NEXT:    %[[P:.*]] = llvm.getelementptr inbounds %bytes[%place] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT:    %[[X:.*]] = llvm.load %[[P]] {alignment = 1 : i64} : !llvm.ptr -> i64
// CHECK-NEXT:    llvm.store %[[X]], %word : i64, !llvm.ptr
