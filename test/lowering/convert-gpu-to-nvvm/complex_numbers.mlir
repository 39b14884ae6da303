// RUN: diablo-opt %s -p convert-gpu-to-nvvm | filecheck %s
// RUN: diablo-opt %s -t ptx | filecheck %s --check-prefix=PTX

// A complex number lies at a multiple of its size, so that both parts are loaded at once.
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<?xcomplex<f64>>, memref<?xcomplex<f64>>) -> (), kernel}> ({
  ^bb0(%a: memref<?xcomplex<f64>>, %r: memref<?xcomplex<f64>>):
    %i = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %z = memref.load %a[%i] : memref<?xcomplex<f64>>
    %x = complex.re %z : complex<f64>
    %y = complex.im %z : complex<f64>
    %w = complex.create %y, %x : complex<f64>
    memref.store %w, %r[%i] : memref<?xcomplex<f64>>
    "gpu.return"() : () -> ()
  }) {sym_name = "turned", gpu.known_block_size = array<i32: 32, 8, 1>} : () -> ()
}) : () -> ()
// CHECK:       llvm.func @turned
// CHECK:         llvm.getelementptr
// CHECK-SAME:        complex<f64>
// CHECK:         %x = llvm.load %{{.*}} {alignment = 16 : i64}
// CHECK-NEXT:    %y = llvm.load %{{.*}} {alignment = 8 : i64}
// CHECK:         llvm.store %y, %{{.*}} {alignment = 16 : i64}
// CHECK:         llvm.store %x, %{{.*}} {alignment = 8 : i64}
// PTX:         .visible .entry turned(
// PTX:         ld.global.nc.v2.b64
// PTX:         st.global.v2.b64
