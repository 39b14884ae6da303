// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @loops
// CHECK-NEXT:    multiloop.loop stored(%R : !sparse_storage.region<2>) {
// CHECK-NEXT:    ^bb0(%i: index, %j: index, %p: index):
// CHECK-NEXT:      %e = sparse_storage.value %a[%p] : memref<?xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    %s, %c = multiloop.loop stored(%R : !sparse_storage.region<2>) order [1, 0] reverse -> f64, index {
// CHECK-NEXT:    ^bb{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %sum: !multiloop.reduce<add : f64>, %count: !multiloop.scan<add : index>):
// CHECK:         %u = multiloop.loop union(%S, %T : !sparse_storage.region<1>, !sparse_storage.region<1>) -> f64 {
// CHECK-NEXT:    ^bb{{.*}}(%i{{.*}}: index, %p{{.*}}: index, %q: index, %in_s: i1, %in_t: i1, %greatest: !multiloop.reduce<max : f64>):
// CHECK:         multiloop.loop intersect gallop(%S, %T : !sparse_storage.region<1>, !sparse_storage.region<1>) {
// CHECK:         multiloop.loop intersect(%S, %T : !sparse_storage.region<1>, !sparse_storage.region<1>) {
// GENERIC:       "multiloop.loop"(%R) <{source = "stored", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> ({
// GENERIC:       "multiloop.loop"(%R) <{source = "stored", order = array<i64: 1, 0>, reverse, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> ({
// GENERIC:       "multiloop.loop"(%S, %T) <{source = "intersect", strategy = "gallop", operandSegmentSizes = array<i32: 2, 0, 0, 0, 0>}> ({
func.func @loops(%R: !sparse_storage.region<2>, %S: !sparse_storage.region<1>, %T: !sparse_storage.region<1>, %a: memref<?xf64>, %one: index) {
  multiloop.loop stored(%R : !sparse_storage.region<2>) {
  ^bb0(%i: index, %j: index, %p: index):
    %e = sparse_storage.value %a[%p] : memref<?xf64>
  }
  %s, %c = multiloop.loop stored(%R : !sparse_storage.region<2>) order [1, 0] reverse -> f64, index {
  ^bb0(%i: index, %j: index, %p: index, %sum: !multiloop.reduce<add : f64>, %count: !multiloop.scan<add : index>):
    %number = multiloop.emit %count(%one : index)
    %e = sparse_storage.value %a[%p] : memref<?xf64>
    multiloop.emit %sum(%e : f64)
  }
  %u = multiloop.loop union(%S, %T : !sparse_storage.region<1>, !sparse_storage.region<1>) -> f64 {
  ^bb0(%i: index, %p: index, %q: index, %in_s: i1, %in_t: i1, %greatest: !multiloop.reduce<max : f64>):
    scf.if %in_s {
      %e = sparse_storage.value %a[%p] : memref<?xf64>
      multiloop.emit %greatest(%e : f64)
    }
  }
  multiloop.loop intersect gallop(%S, %T : !sparse_storage.region<1>, !sparse_storage.region<1>) {
  ^bb0(%i: index, %p: index, %q: index, %in_s: i1, %in_t: i1):
  }
  multiloop.loop intersect(%S, %T : !sparse_storage.region<1>, !sparse_storage.region<1>) {
  ^bb0(%i: index, %p: index, %q: index, %in_s: i1, %in_t: i1):
  }
  func.return
}
