// RUN: diablo-opt %s -p comprehension-normalize --verify-diagnostics

func.func @branch(%A: tensor<?xf64>, %n: index, %c: i1, %x: f64) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %i = comprehension.range %n to %n
    %v = scf.if %c -> (f64) {
      // expected-error @+1 {{reading an array element in one branch of a conditional expression}}
      %b = tensor.extract %A[%i] : tensor<?xf64>
      scf.yield %b : f64
    } else {
      scf.yield %x : f64
    }
    comprehension.yield %v
  }
  func.return %r : f64
}
