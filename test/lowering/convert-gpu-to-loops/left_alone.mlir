// Kernels that cannot be run one thread after the other, and why.
// RUN: diablo-opt %s -p convert-gpu-to-loops --remarks --split-input-file 2>&1 | filecheck %s

// CHECK: 'run' is left as it is: threads that are held up in a loop do not run it equally often
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (index) -> (), kernel}> ({
  ^bb0(%n: index):
    %one = arith.constant 1 : index
    %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    scf.for %i = %t to %n step %one {
      "gpu.barrier"() : () -> ()
    }
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.known_block_size = array<i32: 8, 1, 1>} : () -> ()
}) : () -> ()
func.func @run(%n: index) {
  %one = arith.constant 1 : index
  "gpu.launch_func"(%one, %one, %one, %one, %one, %one, %n) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0>}> : (index, index, index, index, index, index, index) -> ()
  func.return
}

// -----

// CHECK: 'run' is left as it is: a loop in which threads are held up carries values
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (index) -> (), kernel}> ({
  ^bb0(%n: index):
    %one = arith.constant 1 : index
    %s = scf.for %i = %one to %n step %one iter_args(%x = %n) -> (index) {
      %y = simt.shuffle_xor %x, 1 : index
      scf.yield %y : index
    }
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.known_block_size = array<i32: 8, 1, 1>} : () -> ()
}) : () -> ()
func.func @run(%n: index) {
  %one = arith.constant 1 : index
  "gpu.launch_func"(%one, %one, %one, %one, %one, %one, %n) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0>}> : (index, index, index, index, index, index, index) -> ()
  func.return
}

// -----

// CHECK: 'run' is left as it is: threads are held up in scf.if
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (i1) -> (), kernel}> ({
  ^bb0(%p: i1):
    scf.if %p {
      "gpu.barrier"() : () -> ()
    }
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.known_block_size = array<i32: 8, 1, 1>} : () -> ()
}) : () -> ()
func.func @run(%p: i1) {
  %one = arith.constant 1 : index
  "gpu.launch_func"(%one, %one, %one, %one, %one, %one, %p) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0>}> : (index, index, index, index, index, index, i1) -> ()
  func.return
}

// -----

// CHECK: 'run' is left as it is: a kernel does not say how many threads a block has
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = () -> (), kernel}> ({
    "gpu.return"() : () -> ()
  }) {sym_name = "k"} : () -> ()
}) : () -> ()
func.func @run() {
  %one = arith.constant 1 : index
  "gpu.launch_func"(%one, %one, %one, %one, %one, %one) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0>}> : (index, index, index, index, index, index) -> ()
  func.return
}

// -----

// CHECK: 'run' is left as it is: there is no kernel @m::@k
func.func @run() {
  %one = arith.constant 1 : index
  "gpu.launch_func"(%one, %one, %one, %one, %one, %one) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0>}> : (index, index, index, index, index, index) -> ()
  func.return
}

// -----

// CHECK: 'run' is left as it is: a buffer of one thread lives while threads are held up
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (f64) -> (), kernel}> ({
  ^bb0(%x: f64):
    %zero = arith.constant 0 : index
    %s = memref.alloca() : memref<1xf64>
    memref.store %x, %s[%zero] : memref<1xf64>
    "gpu.barrier"() : () -> ()
    %y = memref.load %s[%zero] : memref<1xf64>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.known_block_size = array<i32: 8, 1, 1>} : () -> ()
}) : () -> ()
func.func @run(%x: f64) {
  %one = arith.constant 1 : index
  "gpu.launch_func"(%one, %one, %one, %one, %one, %one, %x) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0>}> : (index, index, index, index, index, index, f64) -> ()
  func.return
}

// -----

// CHECK: 'run' is left as it is: how much memory it takes shows when it runs
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<?xf64>) -> (), kernel}> ({
  ^bb0(%x: memref<?xf64>):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.known_block_size = array<i32: 8, 1, 1>} : () -> ()
}) : () -> ()
func.func @run(%n: index) {
  %one = arith.constant 1 : index
  %x = "gpu.alloc"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0>}> : (index) -> memref<?xf64>
  "gpu.launch_func"(%one, %one, %one, %one, %one, %one, %x) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0>}> : (index, index, index, index, index, index, memref<?xf64>) -> ()
  func.return
}
// CHECK-COUNT-7: gpu.launch_func
