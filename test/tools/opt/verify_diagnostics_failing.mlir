// Both ways of being wrong: an error that is not announced, an announcement in vain.
// RUN: not diablo-opt %s --verify-diagnostics --split-input-file 2>&1 | filecheck %s

// CHECK:      verify_diagnostics_failing.mlir:[[# @LINE + 3]]:3: error: unexpected error: 'arith.addi' op operand #0
// CHECK-NEXT:   %y = arith.addi
func.func @not_announced(%n: i64) -> i64 {
  %y = arith.addi %x, %n : i64
  %x = arith.addi %n, %n : i64
  func.return %y : i64
}

// -----

// CHECK:      verify_diagnostics_failing.mlir:[[# @LINE + 2]]:{{[0-9]+}}: error: expected error "dominate" was not produced
func.func @in_vain(%n: i64) -> i64 {
  // expected-error @+1 {{dominate}}
  %y = arith.addi %n, %n : i64
  func.return %y : i64
}

// -----

// CHECK:      :[[# @LINE + 4]]:3: error: unexpected error: 'arith.addi' op
// CHECK:      error: expected warning "dominate" was not produced
func.func @other_severity(%n: i64) -> i64 {
  // expected-warning @+1 {{dominate}}
  %y = arith.addi %x, %n : i64
  %x = arith.addi %n, %n : i64
  func.return %y : i64
}

// -----

// CHECK:      error: wrong regular expression in a comment
// expected-error-re {{(}}
func.func @regex() {
  func.return
}
