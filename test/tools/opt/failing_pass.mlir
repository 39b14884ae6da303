// A failing pass leaves a reproducer: the IR before the pass, and the command to run it again.
// RUN: rm -rf %t && mkdir %t
// RUN: not diablo-opt %s -p 'canonicalize,mlir-opt{executable="no-such-program"},cse' --reproducer=%t/again.mlir 2>&1 | filecheck %s --check-prefix=MESSAGE
// RUN: filecheck %s --check-prefix=FILE < %t/again.mlir
// The file runs, and fails in the same way.
// RUN: not diablo-opt %t/again.mlir '--pass-pipeline=builtin.module(mlir-opt{executable="no-such-program"},cse)' --reproducer=%t/twice.mlir 2>&1 | filecheck %s --check-prefix=MESSAGE

// The file alone is enough, and leaves no other; what the command adds counts as well.
// RUN: not diablo-opt --run-reproducer %t/again.mlir 2>&1 | filecheck %s --check-prefix=AGAIN
// RUN: not diablo-opt --run-reproducer %t/again.mlir --print-ir-before-all 2>&1 | filecheck %s --check-prefix=DUMP

// Without a path of its own it is a temporary file.
// RUN: env TMPDIR=%t diablo-opt %s -p 'mlir-opt{executable="no-such-program"}' --max-rewrites=5 > %t/log 2>&1 || cat %t/diablo-*.mlir | filecheck %s --check-prefix=TEMPORARY

// A traceback comes only on demand.
// RUN: env DIABLO_DEBUG=1 %python -m diablo.tools.opt %s -p 'mlir-opt{executable="no-such-program"}' --reproducer=%t/debug.mlir > %t/log 2>&1 || filecheck %s --check-prefix=DEBUG < %t/log

// MESSAGE-NOT: Traceback
// MESSAGE:     error: internal error while running pass 'mlir-opt': ValueError: no-such-program is not available
// MESSAGE:     note: to see it again: diablo-opt --run-reproducer {{.*}}.mlir

// AGAIN:     error: internal error while running pass 'mlir-opt': ValueError: no-such-program is not available
// AGAIN-NOT: note:
// DUMP:      // -----// IR Dump Before mlir-opt //----- //
// DUMP:      error: internal error while running pass 'mlir-opt'

// FILE:      // diablo-opt {{.*}}again.mlir '--pass-pipeline=builtin.module(mlir-opt{executable="no-such-program"},cse)'
// FILE-NEXT: // made by: diablo-opt {{.*}}failing_pass.mlir -p 'canonicalize,mlir-opt
// FILE-NEXT: builtin.module {
// FILE:        func.func @f
// FILE-NOT:    arith.constant
// FILE:        arith.addi {{.*}} loc("{{.*}}failing_pass.mlir":[[# @LINE + 8]]:3)

// TEMPORARY: --max-rewrites=5
// TEMPORARY: func.func @f
// DEBUG:     Traceback

func.func @f(%a: i64) -> i64 {
  %unused = arith.constant 7 : i64
  %x = arith.addi %a, %a : i64
  func.return %x : i64
}
