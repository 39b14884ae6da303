// RUN: diablo-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: diablo-opt %s --print-debuginfo | filecheck %s --check-prefix=LOCATION
// RUN: diablo-opt %s -p canonicalize,cse --print-ir-after-all 2>&1 >%t.out | filecheck %s --check-prefix=AFTER-ALL
// RUN: diablo-opt %s -p canonicalize,cse --print-ir-after=cse 2>&1 >%t.out | filecheck %s --check-prefix=AFTER
// RUN: diablo-opt %s -p canonicalize,cse --print-ir-before=cse 2>&1 >%t.out | filecheck %s --check-prefix=BEFORE
// RUN: diablo-opt %s -p canonicalize,cse --print-ir-before-all 2>&1 >%t.out | filecheck %s --check-prefix=BEFORE-ALL
// RUN: diablo-opt %s -p canonicalize,cse --print-ir-after-change 2>&1 >%t.out | filecheck %s --check-prefix=CHANGE
// RUN: diablo-opt %s -p cse,canonicalize,cse --print-ir-after-change --print-ir-after=cse 2>&1 >%t.out | filecheck %s --check-prefix=NAMED
// RUN: diablo-opt %s -p canonicalize,cse --timing 2>&1 >%t.out | filecheck %s --check-prefix=TIMING

func.func @f(%a: i64) -> i64 {
  %unused = arith.constant 7 : i64
  %x = arith.addi %a, %a : i64
  func.return %x : i64
}

// GENERIC:     "func.func"()
// GENERIC:       "arith.constant"() <{value = 7 : i64}> : () -> i64

// Ops without a location of their own get their place in the text.
// LOCATION:    arith.addi %a, %a : i64 loc("{{.*}}printing.mlir":13:3)

// AFTER-ALL-NOT:   arith.constant
// AFTER-ALL:       // -----// IR Dump After canonicalize //----- //
// AFTER-ALL-NEXT:  builtin.module {
// AFTER-ALL:         arith.addi
// AFTER-ALL:       // -----// IR Dump After cse //----- //
// AFTER-ALL:         arith.addi
// AFTER-ALL-NOT:   IR Dump

// CHANGE:      // -----// IR Dump After canonicalize //----- //
// CHANGE:        arith.addi
// CHANGE-NOT:  IR Dump

// The first run of cse drops the constant, and nothing is left for the others.
// NAMED:       // -----// IR Dump After cse //----- //
// NAMED:         arith.addi
// NAMED-NOT:   IR Dump

// AFTER-NOT:   canonicalize
// AFTER:       // -----// IR Dump After cse //----- //
// AFTER:         arith.addi
// AFTER-NOT:   IR Dump

// BEFORE:      // -----// IR Dump Before cse //----- //
// BEFORE-NOT:    arith.constant
// BEFORE:        arith.addi
// BEFORE-NOT:  IR Dump

// BEFORE-ALL:      // -----// IR Dump Before canonicalize //----- //
// BEFORE-ALL:        arith.constant
// BEFORE-ALL:      // -----// IR Dump Before cse //----- //

// TIMING:      step {{ *}}ms {{ *}}share
// TIMING:      (parse)
// TIMING-NEXT: canonicalize {{ *[0-9.]+ +[0-9.]+%}}
// TIMING-NEXT: (verify)
// TIMING-NEXT: cse
// TIMING-NEXT: (verify)
// TIMING-NEXT: (output)
// TIMING-NEXT: total {{.*}}100.0%
