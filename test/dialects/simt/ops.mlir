// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s

// CHECK-LABEL: func.func @shuffles
func.func @shuffles(%x: f64, %b: i1, %i: index, %u: ui8) {
  // CHECK-NEXT: %{{.*}} = simt.shuffle_xor %x, 16 : f64
  %0 = simt.shuffle_xor %x, 16 : f64
  // CHECK-NEXT: %{{.*}} = simt.shuffle_xor %b, 1 : i1
  %1 = simt.shuffle_xor %b, 1 : i1
  // CHECK-NEXT: %{{.*}} = simt.shuffle_xor %i, 31 {first} : index
  %2 = simt.shuffle_xor %i, 31 {first} : index
  // CHECK-NEXT: %{{.*}} = simt.shuffle_xor %u, 8 : ui8
  %3 = simt.shuffle_xor %u, 8 : ui8
  func.return
}

// CHECK-LABEL: func.func @atomics
func.func @atomics(%h: memref<?xi64>, %t: memref<?x?xui8>, %f: memref<i1>, %i: index, %x: i64, %u: ui8, %b: i1) {
  // CHECK-NEXT: simt.atomic add %x, %h[%i] : memref<?xi64>
  simt.atomic add %x, %h[%i] : memref<?xi64>
  // CHECK-NEXT: simt.atomic max %u, %t[%i, %i] {last} : memref<?x?xui8>
  simt.atomic max %u, %t[%i, %i] {last} : memref<?x?xui8>
  // CHECK-NEXT: simt.atomic or %b, %f[] : memref<i1>
  simt.atomic or %b, %f[] : memref<i1>
  func.return
}

// CHECK-LABEL: func.func @between_launches
func.func @between_launches(%n: index, %keys: memref<?xi64>, %places: memref<?xindex>) {
  // CHECK-NEXT: %[[KNOWN:.*]] = simt.look %n : index
  %known = simt.look %n : index
  // CHECK-NEXT: simt.sort %keys, %places, %[[KNOWN]] : memref<?xi64>, memref<?xindex>
  simt.sort %keys, %places, %known : memref<?xi64>, memref<?xindex>
  func.return
}

// CHECK-LABEL: func.func @products
func.func @products(%t: memref<?x?xi32>, %p: memref<?xi32>, %x: memref<?xf32>, %n: index) {
  // CHECK-NEXT: simt.sliced_product %t, %t, %p, %x, %x, %x, %n, %n, %n {most = 7 : i64} : memref<?x?xi32>, memref<?x?xi32>, memref<?xi32>, memref<?xf32>, memref<?xf32>, memref<?xf32>
  simt.sliced_product %t, %t, %p, %x, %x, %x, %n, %n, %n {most = 7}
    : memref<?x?xi32>, memref<?x?xi32>, memref<?xi32>, memref<?xf32>, memref<?xf32>, memref<?xf32>
  func.return
}

// CHECK-LABEL: func.func @added_as_they_come
// CHECK-SAME:  attributes {simt.fast_atomics}
func.func @added_as_they_come(%h: memref<?xf64>, %i: index, %x: f64) attributes {simt.fast_atomics} {
  // CHECK-NEXT: simt.atomic add %x, %h[%i] : memref<?xf64>
  simt.atomic add %x, %h[%i] : memref<?xf64>
  func.return
}
