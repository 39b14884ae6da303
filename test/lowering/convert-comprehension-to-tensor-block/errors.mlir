// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block --verify-diagnostics --split-input-file

func.func @in_a_loop(%L: !comprehension.bag<f64>) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %x = comprehension.each %L : !comprehension.bag<f64>
    %limit = arith.constant 100.0 : f64
    %y = scf.while (%z = %x) : (f64) -> f64 {
      %small = arith.cmpf olt, %z, %limit : f64
      scf.condition(%small) %z : f64
    } do {
    ^bb0(%z: f64):
      // expected-error @+1 {{this cannot be evaluated in a loop inside a comprehension}}
      %s = comprehension.aggregate add : f64 {
        %w = comprehension.each %L : !comprehension.bag<f64>
        %p = arith.addf %w, %z : f64
        comprehension.yield %p
      }
      scf.yield %s : f64
    }
    comprehension.yield %y
  }
  func.return %r : f64
}
