// SSA dominance in blocks, in nested regions and between blocks.
// RUN: diablo-opt %s --verify-diagnostics --split-input-file | filecheck %s

// A value of a region is not visible after it.
func.func @after_region(%c: i1, %n: i64) -> i64 {
  scf.if %c {
    %inner = arith.addi %n, %n : i64
  }
  // expected-error @+1 {{value %inner is used but not defined}}
  func.return %inner : i64
}

// -----

// A value of the block around is visible only where it is defined already.
func.func @in_region(%c: i1, %n: i64) {
  scf.if %c {
    // expected-error @+1 {{operand #0 (%late) does not dominate this use}}
    %inner = arith.addi %late, %n : i64
  }
  %late = arith.addi %n, %n : i64
  func.return
}

// -----

// An op cannot use its own result.
func.func @itself(%n: i64) {
  // expected-error @+1 {{operand #1 (%x) does not dominate this use}}
  %x = arith.addi %n, %x : i64
  func.return
}

// -----

// Neither side of a diamond dominates its end.
func.func @diamond(%c: i1, %n: i64) -> i64 {
  cf.cond_br %c, ^left, ^right
^left:
  %x = arith.addi %n, %n : i64
  cf.br ^end
^right:
  cf.br ^end
^end:
  // expected-error @+1 {{operand #0 (%x) does not dominate this use}}
  func.return %x : i64
}

// -----

// CHECK-LABEL: func.func @loop
// The first block dominates all, whatever the order of the others in the text.
func.func @loop(%c: i1, %n: i64) -> i64 {
  %x = arith.addi %n, %n : i64
  cf.br ^head
^body:
  %z = arith.addi %y, %x : i64
  cf.br ^head
^head:
  %y = arith.addi %x, %n : i64
  cf.cond_br %c, ^body, ^end
^end:
  func.return %y : i64
}

// -----

// CHECK-LABEL: func.func @unreachable
// What is never executed is not looked at.
func.func @unreachable(%n: i64) -> i64 {
  func.return %n : i64
^dead:
  %y = arith.addi %x, %n : i64
  %x = arith.addi %y, %n : i64
  func.return %y : i64
}
