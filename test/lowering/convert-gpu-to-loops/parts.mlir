// Threads one after the other, cut where they wait for one another.
// RUN: diablo-opt %s -p convert-gpu-to-loops,canonicalize,cse --remarks --split-input-file 2>&1 | filecheck %s
// RUN: diablo-opt %s -p 'convert-gpu-to-loops{order=descending},canonicalize,cse' --split-input-file | filecheck %s --check-prefix=DOWN

// What lives across a shuffle is kept for each thread; the buffer that threads share is filled anew
// for each block.
// CHECK-LABEL: func.func @exchange(%a: memref<?xf64>, %blocks: index, %r: memref<?xf64>) {
// CHECK-NOT:     gpu
// CHECK:         %[[SHARED:.*]] = memref.alloca() : memref<8xf64>
// CHECK:         scf.for %[[BLOCK:.*]] = %{{.*}} to %blocks step
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        memref.store %{{.*}}, %[[SHARED]][
// CHECK-NEXT:      }
// CHECK:           scf.for %[[T:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK:             %x = memref.load %a[
// CHECK:             memref.store %x, %[[KEPT:.*]][%[[T]]]
// CHECK:           scf.for %[[T:.*]] = %{{.*}} to
// CHECK-NEXT:        %[[PARTNER:.*]] = arith.xori %[[T]], %{{.*}} : index
// CHECK-NEXT:        %[[OTHER:.*]] = memref.load %[[KEPT]][%[[PARTNER]]]
// CHECK-NEXT:        memref.store %[[OTHER]], %[[GOT:.*]][%[[T]]]
// CHECK-NEXT:      }
// CHECK:           scf.for
// CHECK:             memref.load %[[KEPT]]
// CHECK:             memref.load %[[GOT]]
// CHECK:             memref.store %{{.*}}, %[[SHARED]]
// CHECK:           scf.for
// CHECK:             memref.load %[[SHARED]]
// CHECK:             memref.store %{{.*}}, %r
// CHECK:         func.return
// DOWN-LABEL: func.func @exchange
// DOWN:         scf.for %[[B:.*]] = %{{.*}} to %blocks step
// DOWN:           %[[LAST:.*]] = arith.subi %blocks, %{{.*}} : index
// DOWN-NEXT:      arith.subi %[[LAST]], %[[B]] : index
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<?xf64>, memref<?xf64>) -> (), kernel}> ({
  ^bb0(%a: memref<?xf64>, %r: memref<?xf64>):
    %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %b = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
    %d = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
    %f = arith.muli %b, %d : index
    %i = arith.addi %f, %t : index
    %x = memref.load %a[%i] : memref<?xf64>
    %y = simt.shuffle_xor %x, 1 : f64
    %z = arith.addf %x, %y : f64
    %s = memref.alloca() : memref<8xf64, 3 : i64>
    memref.store %z, %s[%t] : memref<8xf64, 3 : i64>
    "gpu.barrier"() : () -> ()
    %seven = arith.constant 7 : index
    %u = arith.subi %seven, %t : index
    %w = memref.load %s[%u] : memref<8xf64, 3 : i64>
    memref.store %w, %r[%i] : memref<?xf64>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.known_block_size = array<i32: 8, 1, 1>} : () -> ()
}) : () -> ()
func.func @exchange(%a: memref<?xf64>, %blocks: index, %r: memref<?xf64>) {
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  "gpu.launch_func"(%blocks, %one, %one, %eight, %one, %one, %a, %r) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 2, 0>}> : (index, index, index, index, index, index, memref<?xf64>, memref<?xf64>) -> ()
  func.return
}

// -----

// Atomics are what they stand for; buffers on the device are on the stack.
// CHECK-LABEL: func.func @count
// CHECK:         %[[H:.*]] = memref.alloca() : memref<i64>
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             %[[OLD:.*]] = memref.load %[[H]][]
// CHECK-NEXT:        %[[NEW:.*]] = arith.addi %[[OLD]], %{{.*}} : i64
// CHECK-NEXT:        memref.store %[[NEW]], %[[H]][]
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<i64>) -> (), kernel}> ({
  ^bb0(%h: memref<i64>):
    %c = arith.constant 1 : i64
    simt.atomic add %c, %h[] : memref<i64>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.known_block_size = array<i32: 8, 1, 1>} : () -> ()
}) : () -> ()
func.func @count(%blocks: index) {
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %h = "gpu.alloc"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> memref<i64>
  "gpu.launch_func"(%blocks, %one, %one, %eight, %one, %one, %h) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0>}> : (index, index, index, index, index, index, memref<i64>) -> ()
  func.return
}
