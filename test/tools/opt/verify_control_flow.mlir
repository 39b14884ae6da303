// RUN: diablo-opt %s --verify-diagnostics --split-input-file
// What xDSL's verifiers leave out and lowerings rely on.

func.func @one_branch(%c: i1, %x: f64) -> f64 {
  // expected-error @+1 {{'scf.if' op has results and only one branch}}
  %r = scf.if %c -> (f64) {
    scf.yield %x : f64
  }
  func.return %r : f64
}

// -----

func.func @other_types(%c: i1, %x: f64, %n: i64) -> f64 {
  // expected-error @+1 {{'scf.if' op has a region that yields other types than are wanted}}
  %r = scf.if %c -> (f64) {
    scf.yield %x : f64
  } else {
    scf.yield %n : i64
  }
  func.return %r : f64
}

// -----

func.func @other_result(%c: i1, %x: f64) -> i64 {
  // expected-error @+1 {{'scf.while' op}}
  %r = scf.while (%a = %x) : (f64) -> i64 {
    scf.condition(%c) %a : f64
  } do {
  ^bb0(%b: f64):
    scf.yield %b : f64
  }
  func.return %r : i64
}

// -----

func.func @no_such_axis(%v: tensor<?xf64>) -> index {
  %one = arith.constant 1 : index
  // expected-error @+1 {{'tensor.dim' op asks for dimension 1 of tensor<?xf64>}}
  %n = tensor.dim %v, %one : tensor<?xf64>
  func.return %n : index
}
