// RUN: diablo-opt %s -p convert-gpu-to-nvvm --remarks --split-input-file 2>&1 | filecheck %s
// RUN: not diablo-opt %s -t ptx --split-input-file 2>&1 | filecheck %s --check-prefix=PTX

// CHECK: remark: the kernels of 'm' stay as they are: test.op is no instruction of a GPU
// PTX: refused.mlir:9:3: error: gpu.func has no PTX
// PTX: hint: the pass convert-loops-to-gpu makes kernels of loops over memrefs
// CHECK: gpu.func
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = () -> (), kernel}> ({
    "test.op"() : () -> ()
    "gpu.return"() : () -> ()
  }) {sym_name = "k"} : () -> ()
}) : () -> ()

// -----

// PTX: error: there is no kernel for a GPU in this module
func.func @k() {
  func.return
}
