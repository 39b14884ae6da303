// Announced diagnostics: every spelling of the place. Chunks without an error are printed.
// RUN: diablo-opt %s --verify-diagnostics --split-input-file | filecheck %s

func.func @offset(%n: i64) -> i64 {
  // expected-error @+1 {{'arith.addi' op operand #0 (%x) does not dominate this use}}
  %y = arith.addi %x, %n : i64
  // expected-note @+1 {{operand defined here}}
  %x = arith.addi %n, %n : i64
  func.return %y : i64
}

// -----

func.func @below(%n: i64) -> i64 {
  // expected-error @below {{does not dominate}}
  // expected-note @+2 {{defined}}
  %y = arith.addi %x, %n : i64
  %x = arith.addi %n, %n : i64
  func.return %y : i64
}

// -----

func.func @above(%n: i64) -> i64 {
  %y = arith.addi %x, %n : i64
  // expected-error @above {{does not dominate}}
  %x = arith.addi %n, %n : i64
  func.return %y : i64
}

// -----

// CHECK-LABEL: func.func @fine
// CHECK-NOT:   // -----
func.func @fine() {
  func.return
}

// -----

func.func @same_line(%n: i64) -> i64 {
  %y = arith.addi %n, %n : i32 // expected-error-re {{type i(16|32), .* i(64)$}}
  func.return %y : i64
}

// -----

func.func @unknown_op() {
  "test.unknown"() : () -> () // expected-error {{test.unknown}}
  func.return
}

// -----

// A syntax error.
// expected-error @+1 {{expect symbol name}}
func.func %f() {
}
