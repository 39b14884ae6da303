// RUN: diablo-opt %s -p 'convert-kernel-to-llvm{bare-pointers=true}' | filecheck %s

// Callers that know the size of an array pass its address alone; indices in memory have 64 bits.
// CHECK-LABEL: llvm.func @numbers(%a: !llvm.ptr {llvm.noalias}, %i: i64, %r: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias})
// CHECK-NEXT:    %[[A:.*]] = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
// CHECK-NEXT:    %j = llvm.load %[[A]] : !llvm.ptr -> i64
// CHECK-NEXT:    %[[TWO:.*]] = llvm.mlir.constant(2) : i64
// CHECK-NEXT:    %[[ROW:.*]] = llvm.mul %j, %[[TWO]] overflow<nsw> : i64
// CHECK-NEXT:    %[[AT:.*]] = llvm.add %[[ROW]], %i overflow<nsw> : i64
// CHECK-NEXT:    llvm.getelementptr inbounds %b[%[[AT]]] : (!llvm.ptr, i64) -> !llvm.ptr, f64
func.func @numbers(%a: memref<?xindex>, %i: index, %r: memref<f64>,
                   %b: memref<?x2xf64, strided<[2, 1]>>) {
  %j = memref.load %a[%i] : memref<?xindex>
  %x = memref.load %b[%j, %i] : memref<?x2xf64, strided<[2, 1]>>
  memref.store %x, %r[] : memref<f64>
  func.return
}

// A function that asks for a size, or has a stride that shows only at run time, stays as it is.
// CHECK-LABEL: func.func @size
func.func @size(%a: memref<?xf64>, %r: memref<index>) {
  %zero = arith.constant 0 : index
  %n = memref.dim %a, %zero : memref<?xf64>
  memref.store %n, %r[] : memref<index>
  func.return
}

// CHECK-LABEL: func.func @stride
func.func @stride(%a: memref<?x?xf64>, %i: index, %r: memref<f64>) {
  %x = memref.load %a[%i, %i] : memref<?x?xf64>
  memref.store %x, %r[] : memref<f64>
  func.return
}
