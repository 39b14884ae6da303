// RUN: diablo-opt %s -t pyspark | filecheck %s
// RUN: diablo-opt %s -t "pyspark{llvm=false}" | filecheck %s --check-prefix=PLAIN

// An outlined loop counts its steps: where they do not suffice it returns what it carries.

!vector = tensor<?xf64>

func.func @main(%V: !vector {diablo.name = "V"}, %n: index {diablo.name = "n"}) -> (f64) {
  %zero = arith.constant 0 : index
  %start = arith.constant 0.0 : f64
  %s = func.call @loop_0(%zero, %start, %n, %V) : (index, f64, index, !vector) -> f64
  func.return %s : f64
}
func.func private @loop_0(%i: index, %t: f64, %n: index, %V: !vector) -> f64 {
  %one = arith.constant 1 : index
  %k, %s = scf.while (%j = %i, %u = %t) : (index, f64) -> (index, f64) {
    %p = arith.cmpi slt, %j, %n : index
    scf.condition(%p) %j, %u : index, f64
  } do {
  ^bb0(%j: index, %u: f64):
    %v = tensor.extract %V[%j] : !vector
    %w = arith.addf %u, %v : f64
    %next = arith.addi %j, %one : index
    scf.yield %next, %w : index, f64
  }
  func.return %s : f64
}
// CHECK:      from diablo.runtime.program.compiled_loops import compiled_loop
// CHECK:      def main(sc, V, n, *, block_size=None):
// CHECK:          s = loop_0(0, 0.0, n, V)
// CHECK-NEXT:     return s
// CHECK:      def loop_0(steps, i, t, n, V):
// CHECK:          while i < n:
// CHECK-NEXT:         if not steps:
// CHECK-NEXT:             return None, i, t
// CHECK-NEXT:         steps -= 1
// CHECK:              i, t = i + 1, {{.*}}
// CHECK-NEXT:     return steps, t
// CHECK:      LLVM["loop_0"] = r"""
// CHECK:      loop_0 = compiled_loop(
// CHECK:      results=(None,)
// CHECK:      failures=[("element", "native_loops.mlir:21:5", 3)]

// PLAIN:      def loop_0(i, t, n, V):
// PLAIN:          while i < n:
// PLAIN-NOT:      steps
// PLAIN:          return t
