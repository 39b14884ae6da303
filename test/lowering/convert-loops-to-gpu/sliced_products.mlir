// A sparse matrix in slices, by a vector of which each block keeps a window.
// RUN: diablo-opt %s -p convert-loops-to-gpu,canonicalize,cse | filecheck %s
// RUN: diablo-opt %s -p convert-loops-to-gpu -t ptx | filecheck %s --check-prefix=PTX

// CHECK-LABEL: sym_name = "multiply_kernels"
// CHECK:         %shared = memref.alloca() : memref<14080xf64, 3 : i64>
// CHECK:         scf.for %index
// CHECK:           memref.load %x
// CHECK:           memref.store %{{.*}}, %shared[%index]
// CHECK:         memref.store %{{.*}}, %shared[%{{.*}}]
// CHECK:         "gpu.barrier"
// CHECK:         scf.for %slice
// CHECK:           memref.load %starts[%block_y, %slice]
// Entries are read once, and the vector where threads share it.
// CHECK:           scf.for %pair = {{.*}} -> (f64, f64, f64, f64) {
// CHECK-COUNT-12:    memref.load %{{places|values}}[%{{.*}}] {nontemporal = true}
// CHECK-COUNT-8:     memref.load %shared
// CHECK:           memref.store %{{.*}}, %partials[
// CHECK:         sym_name = "multiply_0"
// CHECK:         scf.for %row
// CHECK:           scf.for %window
// CHECK:             memref.load %partials
// CHECK:           memref.store %{{.*}}, %y[%row]
// CHECK:         sym_name = "multiply_1"
// CHECK-LABEL: func.func @multiply(
// CHECK:         "gpu.alloc"
// CHECK:         "gpu.launch_func"(%{{.*}}, %windows, {{.*}}kernel = @multiply_kernels::@multiply_0
// CHECK:         "gpu.launch_func"({{.*}}kernel = @multiply_kernels::@multiply_1

// PTX:      .extern .shared .align 16 .b8 multiply_0_shared_0[];
// PTX:      .entry multiply_0
// PTX:      .minnctapersm 2
// PTX:      ld.global.cs.b32
// PTX:      ld.global.cs.f64
// PTX:      ld.shared.b64
func.func @multiply(%starts: memref<?x?xi32>, %rows: memref<?x?xi32>, %places: memref<?xi32>,
    %values: memref<?xf64>, %x: memref<?xf64>, %width: index, %blocks: index, %exponent: index, %y: memref<?xf64>) {
  simt.sliced_product %starts, %rows, %places, %values, %x, %y, %width, %blocks, %exponent {most = 14079}
    : memref<?x?xi32>, memref<?x?xi32>, memref<?xi32>, memref<?xf64>, memref<?xf64>, memref<?xf64>
  func.return
}
