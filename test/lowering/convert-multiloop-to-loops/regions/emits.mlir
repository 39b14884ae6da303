// RUN: diablo-opt %s -p convert-multiloop-to-loops,canonicalize,cse --split-input-file | filecheck %s
// RUN: diablo-opt %s -p convert-multiloop-to-loops --split-input-file --remarks 2>&1 | filecheck %s --check-prefix=REMARK

// What inner loops and branches emit to the generator of a loop around them is carried through all.
// CHECK-LABEL: func.func @carried(
// CHECK:         %{{.*}} = scf.for %{{.*}} iter_args(%acc = %identity) -> (f64) {
// CHECK:           %[[inner:.*]] = scf.for %p = %{{.*}} iter_args(%[[held:.*]] = %acc) -> (f64) {
// CHECK:             %[[chosen:.*]] = scf.if %{{.*}} -> (f64) {
// CHECK:               %[[next:.*]] = arith.addf %[[held]], %{{.*}} fastmath<reassoc,contract> : f64
// CHECK:               scf.yield %[[next]] : f64
// CHECK:             } else {
// CHECK:               scf.yield %[[held]] : f64
// CHECK:             scf.yield %[[chosen]] : f64
// CHECK:           scf.yield %[[inner]] : f64
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!compressed = !sparse_storage.region<2, #sparse_storage.layout<form = compressed>>
func.func @carried(%A: !rows, %n: index, %x: f64) -> f64 {
  %R, %a = sparse_storage.unpack %A : !rows -> !compressed, memref<?xf64>
  %zero = arith.constant 0 : index
  %s = multiloop.loop range(%zero, %n : index, index) -> f64 {
  ^bb0(%i: index, %acc: !multiloop.reduce<add : f64>):
    %row = sparse_storage.slice %R[%i, *] : !compressed -> !sparse_storage.region<1>
    multiloop.loop stored(%row : !sparse_storage.region<1>) {
    ^bb1(%j: index, %p: index):
      %e = sparse_storage.value %a[%p] : memref<?xf64>
      %more = arith.cmpf ogt, %e, %x : f64
      scf.if %more {
        multiloop.emit %acc(%e : f64)
      }
    }
  }
  func.return %s : f64
}

// -----

// So is it through a loop that carries values of its own; a scan gives back what it has come to.
// CHECK-LABEL: func.func @scanned(
// CHECK:         scf.for %p = {{.*}} iter_args(%count = %zero) -> (index) {
// CHECK:           %{{.*}}, %{{.*}} = scf.for {{.*}} iter_args(%{{.*}} = %x, %{{.*}} = %count) -> (f64, index) {
// CHECK:             %[[so_far:.*]] = arith.addi %{{.*}}, %one : index
// CHECK:             "test.op"(%[[so_far]])
// CHECK:             scf.yield %{{.*}}, %[[so_far]] : f64, index
!vector = tensor<?xf64, #tensor_block.storage<dense = 0>>
!region = !sparse_storage.region<1, #sparse_storage.layout<form = compressed>>
func.func @scanned(%A: !vector, %n: index, %x: f64) -> index {
  %R, %a = sparse_storage.unpack %A : !vector -> !region, memref<?xf64>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %s = multiloop.loop stored(%R : !region) -> index {
  ^bb0(%i: index, %p: index, %count: !multiloop.scan<add : index>):
    %r = scf.for %k = %zero to %n step %one iter_args(%held = %x) -> (f64) {
      %so_far = multiloop.emit %count(%one : index)
      "test.op"(%so_far) : (index) -> ()
      %next = arith.addf %held, %held : f64
      scf.yield %next : f64
    }
    "test.op"(%r) : (f64) -> ()
  }
  func.return %s : index
}

// -----

// Points of dense arrays beside regions are the loops of a kernel over these.
// CHECK-LABEL: func.func @points(
// CHECK-SAME:      %v: memref<?xf64>, %sum: memref<f64>, %double: memref<?xf64>)
// CHECK:         memref.store %{{.*}}, %double[%i]
// CHECK:         scf.for %p
// CHECK:           memref.load %double[
!vector = tensor<?xf64, #tensor_block.storage<dense = 0>>
!region = !sparse_storage.region<1, #sparse_storage.layout<form = compressed>>
func.func @points(%A: !vector, %n: index, %v: tensor<?xf64>) -> f64 {
  %R, %a = sparse_storage.unpack %A : !vector -> !region, memref<?xf64>
  %double = multiloop.loop points(d0 < %n) ins(%v[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64, %all: !multiloop.place<f64>):
    %f = arith.addf %e, %e : f64
    multiloop.emit %all[%i : index](%f : f64)
  }
  %buffer = bufferization.to_buffer %double : tensor<?xf64> to memref<?xf64>
  %sum = multiloop.loop stored(%R : !region) -> f64 {
  ^bb0(%i: index, %p: index, %acc: !multiloop.reduce<add : f64>):
    %f = memref.load %buffer[%i] : memref<?xf64>
    multiloop.emit %acc(%f : f64)
  }
  func.return %sum : f64
}

// -----

// REMARK: remark: 'rows' is left as it is: a loop over a region emits to !multiloop.collect<f64>
!vector = tensor<?xf64, #tensor_block.storage<dense = 0>>
!region = !sparse_storage.region<1, #sparse_storage.layout<form = compressed>>
func.func @rows(%A: !vector) {
  %R, %a = sparse_storage.unpack %A : !vector -> !region, memref<?xf64>
  %rows = multiloop.loop stored(%R : !region) -> !comprehension.bag<f64> {
  ^bb0(%i: index, %p: index, %all: !multiloop.collect<f64>):
    %e = sparse_storage.value %a[%p] : memref<?xf64>
    multiloop.emit %all(%e : f64)
  }
  func.return
}

// -----

// REMARK: remark: 'own' is left as it is: its monoid is the program's own
comprehension.monoid @first : f64 identity 0.0 : f64 {
^bb0(%x: f64, %y: f64):
  comprehension.yield %x
}
!vector = tensor<?xf64, #tensor_block.storage<dense = 0>>
!region = !sparse_storage.region<1, #sparse_storage.layout<form = compressed>>
func.func @own(%A: !vector) -> f64 {
  %R, %a = sparse_storage.unpack %A : !vector -> !region, memref<?xf64>
  %s = multiloop.loop stored(%R : !region) -> f64 {
  ^bb0(%i: index, %p: index, %acc: !multiloop.reduce<@first : f64>):
    %e = sparse_storage.value %a[%p] : memref<?xf64>
    multiloop.emit %acc(%e : f64)
  }
  func.return %s : f64
}

// -----

// REMARK: remark: 'matched' is left as it is: there is a loop over rows
!vector = tensor<?xf64, #tensor_block.storage<dense = 0>>
!region = !sparse_storage.region<1, #sparse_storage.layout<form = compressed>>
func.func @matched(%A: !vector, %rows: !comprehension.bag<f64>) {
  %R, %a = sparse_storage.unpack %A : !vector -> !region, memref<?xf64>
  multiloop.loop rows(%rows : !comprehension.bag<f64>) {
  ^bb0(%x: f64):
    "test.op"(%x) : (f64) -> ()
  }
  func.return
}
