// Several regions in one loop.
// RUN: diablo-opt %s -p convert-multiloop-to-loops,canonicalize,cse --split-input-file | filecheck %s

// The greatest index is the target; the other cursor moves on by one.
// CHECK-LABEL: func.func @merge(
// CHECK:         scf.for %i = %zero to %A_d0
// CHECK:           scf.while
// CHECK:             scf.condition
// CHECK:             arith.maxsi
// CHECK:             scf.if %{{.*}} -> (index, index, f64) {
// CHECK:               "test.op"(%i, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK:             } else {
// CHECK-NOT:           scf.while
// CHECK:             }
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!compressed = !sparse_storage.region<2, #sparse_storage.layout<form = compressed>>
func.func @merge(%A: !rows, %B: !rows, %z: f64) -> f64 {
  %R, %a = sparse_storage.unpack %A : !rows -> !compressed, memref<?xf64>
  %S, %b = sparse_storage.unpack %B : !rows -> !compressed, memref<?xf64>
  %r = multiloop.loop intersect merge(%R, %S : !compressed, !compressed) -> f64 {
  ^bb0(%i: index, %j: index, %p: index, %q: index, %in_r: i1, %in_s: i1, %acc: !multiloop.reduce<add : f64>):
    "test.op"(%i, %j, %p, %q) : (index, index, index, index) -> ()
    multiloop.emit %acc(%z : f64)
  }
  func.return %r : f64
}

// -----

// The other cursor jumps: its stride is doubled, then halved.
// CHECK-LABEL: func.func @gallop(
// CHECK:         scf.while
// CHECK:             } else {
// CHECK:               scf.while
// CHECK:               scf.while
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!compressed = !sparse_storage.region<2, #sparse_storage.layout<form = compressed>>
func.func @gallop(%A: !rows, %B: !rows) {
  %R, %a = sparse_storage.unpack %A : !rows -> !compressed, memref<?xf64>
  %S, %b = sparse_storage.unpack %B : !rows -> !compressed, memref<?xf64>
  multiloop.loop intersect gallop(%R, %S : !compressed, !compressed) {
  ^bb0(%i: index, %j: index, %p: index, %q: index, %in_r: i1, %in_s: i1):
    "test.op"(%i, %j, %p, %q) : (index, index, index, index) -> ()
  }
  func.return
}

// -----

// In each row the lengths tell: the one loop gallops, the other merges.
// CHECK-LABEL: func.func @auto(
// CHECK:         scf.for %i = %zero to %A_d0
// CHECK:           %[[least:.*]] = arith.minsi %[[a:.*]], %[[b:.*]] : index
// CHECK:           %[[most:.*]] = arith.maxsi %[[a]], %[[b]] : index
// CHECK:           %[[many:.*]] = arith.muli %[[least]], %{{.*}} : index
// CHECK:           %[[gallop:.*]] = arith.cmpi slt, %[[many]], %[[most]] : index
// CHECK:           scf.if %[[gallop]]
// CHECK:             scf.while
// CHECK:               "test.op"(%i, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK:               scf.while
// CHECK:               scf.while
// CHECK:           } else {
// CHECK:             scf.while
// CHECK:               "test.op"(%i, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK-NOT:           scf.while
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!compressed = !sparse_storage.region<2, #sparse_storage.layout<form = compressed>>
func.func @auto(%A: !rows, %B: !rows) {
  %R, %a = sparse_storage.unpack %A : !rows -> !compressed, memref<?xf64>
  %S, %b = sparse_storage.unpack %B : !rows -> !compressed, memref<?xf64>
  multiloop.loop intersect(%R, %S : !compressed, !compressed) {
  ^bb0(%i: index, %j: index, %p: index, %q: index, %in_r: i1, %in_s: i1):
    "test.op"(%i, %j, %p, %q) : (index, index, index, index) -> ()
  }
  func.return
}

// -----

// Each index of the first region is looked up in the second.
// CHECK-LABEL: func.func @lookup(
// CHECK:         scf.for %i
// CHECK:           scf.for %p
// CHECK:             memref.load %B_starts[%i]
// CHECK:             scf.while
// CHECK:             "test.op"(%i, %j, %p,
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!compressed = !sparse_storage.region<2, #sparse_storage.layout<form = compressed>>
func.func @lookup(%A: !rows, %B: !rows) {
  %R, %a = sparse_storage.unpack %A : !rows -> !compressed, memref<?xf64>
  %S, %b = sparse_storage.unpack %B : !rows -> !compressed, memref<?xf64>
  multiloop.loop intersect lookup(%R, %S : !compressed, !compressed) {
  ^bb0(%i: index, %j: index, %p: index, %q: index, %in_r: i1, %in_s: i1):
    "test.op"(%i, %j, %p, %q) : (index, index, index, index) -> ()
  }
  func.return
}

// -----

// The least index is the target, as long as a cursor has entries left.
// CHECK-LABEL: func.func @union(
// CHECK:         scf.while
// CHECK:           arith.ori
// CHECK:           scf.condition
// CHECK:           %[[target:.*]] = arith.minsi
// CHECK:           %[[first:.*]] = arith.cmpi eq, %{{.*}}, %[[target]] : index
// CHECK:           %[[second:.*]] = arith.cmpi eq, %{{.*}}, %[[target]] : index
// CHECK:           "test.op"(%[[target]], %[[first]], %[[second]])
!flat = tensor<?xf64, #tensor_block.storage<dense = 0>>
func.func @union(%A: !flat, %B: !flat) {
  %R, %a = sparse_storage.unpack %A : !flat -> !sparse_storage.region<1>, memref<?xf64>
  %S, %b = sparse_storage.unpack %B : !flat -> !sparse_storage.region<1>, memref<?xf64>
  multiloop.loop union(%R, %S : !sparse_storage.region<1>, !sparse_storage.region<1>) {
  ^bb0(%i: index, %p: index, %q: index, %in_r: i1, %in_s: i1):
    "test.op"(%i, %in_r, %in_s) : (index, i1, i1) -> ()
  }
  func.return
}

// -----

// As long as both have entries, what they store is read whether it is there or not, and chosen; what
// follows the end of one is read on a condition.
// CHECK-LABEL: func.func @union_without_branches(
// CHECK:         scf.while
// CHECK:           arith.andi
// CHECK:           %[[in_r:.*]] = arith.cmpi eq, %{{.*}}, %[[i:.*]] : index
// CHECK:           %[[in_s:.*]] = arith.cmpi eq, %{{.*}}, %[[i]] : index
// CHECK-NOT:       scf.if
// CHECK:           %[[a:.*]] = memref.load %A_values
// CHECK-NOT:       scf.if
// CHECK:           arith.select %[[in_r]], %[[a]], %
// CHECK-NOT:       scf.if
// CHECK:           scf.yield
// CHECK:         scf.while
// CHECK:           arith.ori
// CHECK:           scf.if
// CHECK:             memref.load %A_values
!vector = tensor<?xf64, #tensor_block.storage<dense = 0>>
!region = !sparse_storage.region<1, #sparse_storage.layout<form = compressed>>
func.func @union_without_branches(%A: !vector, %B: !vector, %z: f64) -> f64 {
  %R, %a = sparse_storage.unpack %A : !vector -> !region, memref<?xf64>
  %S, %b = sparse_storage.unpack %B : !vector -> !region, memref<?xf64>
  %r = multiloop.loop union(%R, %S : !region, !region) -> f64 {
  ^bb0(%i: index, %p: index, %q: index, %in_r: i1, %in_s: i1, %acc: !multiloop.reduce<add : f64>):
    %x = scf.if %in_r -> (f64) {
      %stored = sparse_storage.value %a[%p] : memref<?xf64>
      scf.yield %stored : f64
    } else {
      scf.yield %z : f64
    }
    "test.op"(%in_s, %x) : (i1, f64) -> ()
    multiloop.emit %acc(%x : f64)
  }
  func.return %r : f64
}

// -----

// What does more than read is branched on.
// CHECK-LABEL: func.func @union_with_branches(
// CHECK:         scf.while
// CHECK:           arith.andi
// CHECK:           scf.if
// CHECK-NEXT:        "test.op"
!vector = tensor<?xf64, #tensor_block.storage<dense = 0>>
!region = !sparse_storage.region<1, #sparse_storage.layout<form = compressed>>
func.func @union_with_branches(%A: !vector, %B: !vector, %z: f64) -> f64 {
  %R, %a = sparse_storage.unpack %A : !vector -> !region, memref<?xf64>
  %S, %b = sparse_storage.unpack %B : !vector -> !region, memref<?xf64>
  %r = multiloop.loop union(%R, %S : !region, !region) -> f64 {
  ^bb0(%i: index, %p: index, %q: index, %in_r: i1, %in_s: i1, %acc: !multiloop.reduce<add : f64>):
    %x = scf.if %in_r -> (f64) {
      %made = "test.op"() : () -> f64
      scf.yield %made : f64
    } else {
      scf.yield %z : f64
    }
    multiloop.emit %acc(%x : f64)
  }
  func.return %r : f64
}

// -----

// Zeros instead of what is not there are made by a mask, which no branch can be made of.
// CHECK-LABEL: func.func @union_of_zeros(
// CHECK:         scf.while
// CHECK:           arith.andi
// CHECK:           %[[in_r:.*]] = arith.cmpi eq, %{{.*}}, %[[i:.*]] : index
// CHECK:           %[[a:.*]] = memref.load %A_values
// CHECK:           %[[sign:.*]] = arith.shrui %{{.*}}, %{{.*}} : i64
// CHECK-NEXT:      %[[narrow:.*]] = arith.trunci %[[sign]] : i64 to i32
// CHECK-NEXT:      %[[all:.*]] = arith.extsi %[[in_r]] : i1 to i32
// CHECK-NEXT:      %[[mask:.*]] = arith.xori %[[all]], %[[narrow]] : i32
// CHECK-NEXT:      %[[bits:.*]] = arith.bitcast %[[a]] : f32 to i32
// CHECK-NEXT:      %[[kept:.*]] = arith.andi %[[bits]], %[[mask]] : i32
// CHECK-NEXT:      arith.bitcast %[[kept]] : i32 to f32
// CHECK-NOT:       arith.select
// CHECK:           scf.yield
!vector = tensor<?xf32, #tensor_block.storage<dense = 0>>
!region = !sparse_storage.region<1, #sparse_storage.layout<form = compressed>>
func.func @union_of_zeros(%A: !vector, %B: !vector) -> f32 {
  %R, %a = sparse_storage.unpack %A : !vector -> !region, memref<?xf32>
  %S, %b = sparse_storage.unpack %B : !vector -> !region, memref<?xf32>
  %z = arith.constant 0.0 : f32
  %r = multiloop.loop union(%R, %S : !region, !region) -> f32 {
  ^bb0(%i: index, %p: index, %q: index, %in_r: i1, %in_s: i1, %acc: !multiloop.reduce<add : f32>):
    %x = scf.if %in_r -> (f32) {
      %stored = sparse_storage.value %a[%p] : memref<?xf32>
      scf.yield %stored : f32
    } else {
      %zero = arith.constant 0.0 : f32
      scf.yield %zero : f32
    }
    multiloop.emit %acc(%x : f32)
  }
  func.return %r : f32
}
