// Kernels as functions of the llvm dialect, with the intrinsics of NVVM.
// RUN: diablo-opt %s -p convert-gpu-to-nvvm --split-input-file | filecheck %s
// RUN: diablo-opt %s -p 'convert-gpu-to-nvvm{index-bitwidth=64}' --split-input-file | filecheck %s --check-prefix=INDEX64
// RUN: diablo-opt %s -t ptx --split-input-file | filecheck %s --check-prefix=PTX

// CHECK:       "gpu.module"() <{sym_name = "m"}> ({
// CHECK-NEXT:    llvm.mlir.global internal @exchange_shared_0() {addr_space = 3 : i32} : !llvm.array<8 x f64>
// CHECK:         llvm.func @exchange(%a: !llvm.ptr {llvm.noalias}, %size0: i64, %r: !llvm.ptr {llvm.noalias}, %size0_1: i64) attributes {{.*}}nvvm.kernel{{.*}}nvvm.maxntid = array<i32: 32, 8, 1>
// CHECK-NEXT:      %[[X:.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x"() : () -> i32
// CHECK-NEXT:      %t = llvm.zext %[[X]] : i32 to i64
// CHECK-NEXT:      llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.ctaid.y"()
// CHECK:           llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.ntid.x"()
// CHECK:           llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.nctaid.x"()
// A number of 64 bits goes in two halves.
// CHECK:           %[[BITS:.*]] = llvm.bitcast %x : f64 to i64
// CHECK-NEXT:      %[[LOW:.*]] = llvm.trunc %[[BITS]] : i64 to i32
// CHECK-COUNT-2:   llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.i32"
// CHECK:           llvm.bitcast %{{.*}} : i64 to f64
// CHECK:           %[[G:.*]] = llvm.mlir.addressof @exchange_shared_0 : !llvm.ptr<3>
// CHECK-NEXT:      %s = llvm.call_intrinsic "llvm.nvvm.ptr.shared.to.gen.p0.p3.f64x8"(%[[G]])
// CHECK:           llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"
// CHECK:           llvm.return

// PTX:         .target sm_70
// PTX:         .visible .entry exchange(
// PTX:         .maxntid 32, 8, 1
// PTX-NEXT:    .minnctapersm 4
// PTX:         .shared .align 8 .b8 exchange_shared_0[64];
// PTX:         ld.global.nc.b64
// PTX-COUNT-2: shfl.sync.bfly.b32
// PTX:         st.shared.b64
// PTX:         bar.sync
// PTX:         ld.shared.b64
// PTX:         st.global.b64
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<?xf64>, memref<?xf64>) -> (), kernel}> ({
  ^bb0(%a: memref<?xf64>, %r: memref<?xf64>):
    %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %b = "gpu.block_id"() <{dimension = #gpu<dim y>}> : () -> index
    %d = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
    %g = "gpu.grid_dim"() <{dimension = #gpu<dim x>}> : () -> index
    %f = arith.muli %b, %d : index
    %h = arith.muli %f, %g : index
    %i = arith.addi %h, %t : index
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
  }) {sym_name = "exchange", gpu.known_block_size = array<i32: 32, 8, 1>} : () -> ()
}) : () -> ()

// -----

// To combine in memory is a function: it is declared here, and known to who writes PTX.
// CHECK:         llvm.func @atomic_add_i64_global(!llvm.ptr, i64)
// CHECK-NEXT:    llvm.func @atomic_umax_i32_global(!llvm.ptr, i32)
// CHECK-NEXT:    llvm.func @atomic_or_i8_global(!llvm.ptr, i8)
// CHECK-NEXT:    llvm.func @count
// CHECK:           llvm.call @atomic_add_i64_global(%h, %x) : (!llvm.ptr, i64) -> ()
// CHECK-NEXT:      llvm.call @atomic_umax_i32_global(%m, %u)
// CHECK-NEXT:      %[[BYTE:.*]] = llvm.zext %p : i1 to i8
// CHECK-NEXT:      llvm.call @atomic_or_i8_global(%b, %[[BYTE]])
// PTX:         .visible .entry count(
// PTX-DAG:     {{red|atom}}{{.*}}.add.{{[su]}}64
// PTX-DAG:     {{red|atom}}{{.*}}.max.u32
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<i64>, memref<ui32>, memref<i1>, i64, ui32, i1) -> (), kernel}> ({
  ^bb0(%h: memref<i64>, %m: memref<ui32>, %b: memref<i1>, %x: i64, %u: ui32, %p: i1):
    simt.atomic add %x, %h[] : memref<i64>
    simt.atomic max %u, %m[] : memref<ui32>
    simt.atomic or %p, %b[] : memref<i1>
    "gpu.return"() : () -> ()
  }) {sym_name = "count"} : () -> ()
}) : () -> ()

// -----

// Shorter numbers are widened, others of 32 bits go as they are.
// CHECK:         llvm.func @narrow
// CHECK:           %[[WIDE:.*]] = llvm.zext %p : i1 to i32
// CHECK:           llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.i32"(%{{.*}}, %[[WIDE]],
// CHECK:           llvm.trunc %{{.*}} : i32 to i1
// CHECK:           llvm.bitcast %x : f32 to i32
// CHECK:           llvm.bitcast %{{.*}} : i32 to f32
// PTX:         .visible .entry narrow(
// PTX-COUNT-2: shfl.sync.bfly.b32
// PTX-NOT:     shfl
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (i1, f32, memref<i1>, memref<f32>) -> (), kernel}> ({
  ^bb0(%p: i1, %x: f32, %b: memref<i1>, %r: memref<f32>):
    %q = simt.shuffle_xor %p, 2 : i1
    memref.store %q, %b[] : memref<i1>
    %y = simt.shuffle_xor %x, 4 : f32
    memref.store %y, %r[] : memref<f32>
    "gpu.return"() : () -> ()
  }) {sym_name = "narrow"} : () -> ()
}) : () -> ()

// -----

// That the index of a loop goes on by steps is hidden: no pointer is kept for each load.
// CHECK:       llvm.func @several(
// CHECK:           %[[I:.*]] = llvm.inline_asm "mov.b64 $0, $1;", "=l,l" %[[AT:.*]] : (i64) -> i64
// How far an element is from the first one is computed in 32 bits, unless more are asked for.
// CHECK-NEXT:      %[[LOW:.*]] = llvm.trunc %[[I]] : i64 to i32
// CHECK-NEXT:      %[[OFFSET:.*]] = llvm.zext %[[LOW]] : i32 to i64
// CHECK-NEXT:      llvm.getelementptr inbounds %a[%[[OFFSET]]]
// CHECK:           llvm.add %[[AT]], %{{.*}} : i64
// INDEX64:     llvm.func @several(
// INDEX64:         %[[I:.*]] = llvm.inline_asm "mov.b64 $0, $1;"
// INDEX64-NEXT:       llvm.getelementptr inbounds %a[%[[I]]]
// PTX:         .visible .entry several(
// PTX:         mov.b64 %[[I:.*]], %[[AT:.*]];
// PTX:         shl.b64 %[[BYTES:.*]], %[[I]], 3;
// PTX-NEXT:    and.b64 %[[OFFSET:.*]], %[[BYTES]], 34359738360;
// PTX-NEXT:    add.s64 %{{.*}}, %{{.*}}, %[[OFFSET]];
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<?xf64>, memref<?xf64>, index) -> (), kernel}> ({
  ^bb0(%a: memref<?xf64>, %r: memref<?xf64>, %n: index):
    %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %d = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
    scf.for %i = %t to %n step %d {
      %x = memref.load %a[%i] : memref<?xf64>
      memref.store %x, %r[%i] : memref<?xf64>
    }
    "gpu.return"() : () -> ()
  }) {sym_name = "several", gpu.known_block_size = array<i32: 32, 8, 1>} : () -> ()
}) : () -> ()
