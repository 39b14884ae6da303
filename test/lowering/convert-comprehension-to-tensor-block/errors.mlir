// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block --verify-diagnostics --split-input-file

func.func @nested(%L: !comprehension.bag<f64>) -> f64 {
  // expected-error @+1 {{this comprehension is not supported yet: it contains another comprehension}}
  %r = comprehension.aggregate add : f64 {
    %x = comprehension.each %L : !comprehension.bag<f64>
    %s = comprehension.aggregate max : f64 {
      %y = comprehension.each %L : !comprehension.bag<f64>
      %p = arith.mulf %x, %y : f64
      comprehension.yield %p
    }
    comprehension.yield %s
  }
  func.return %r : f64
}

// -----

func.func @grouped_twice(%L: !comprehension.bag<i64, f64>) -> f64 {
  // expected-error @+1 {{a generator or a second group-by follows the group-by}}
  %r = comprehension.aggregate add : f64 {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %g, %xs = comprehension.group_by keys(%k) values(%x) : i64, !comprehension.bag<f64>
    %y = comprehension.each %xs : !comprehension.bag<f64>
    comprehension.yield %y
  }
  func.return %r : f64
}

// -----

func.func @whole_group(%L: !comprehension.bag<i64, f64>) -> i64 {
  // expected-error @+1 {{a group is used other than by a reduction}}
  %r = comprehension.aggregate add : i64 {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %g, %xs = comprehension.group_by keys(%k) values(%x) : i64, !comprehension.bag<f64>
    %n = comprehension.length %xs : !comprehension.bag<f64>
    comprehension.yield %n
  }
  func.return %r : i64
}

// -----

func.func @computed(%L: !comprehension.bag<f64>, %M: !comprehension.bag<f64>, %c: i1) -> f64 {
  // expected-error @+1 {{a generator runs over a collection computed per element}}
  %r = comprehension.aggregate add : f64 {
    %x = comprehension.each %L : !comprehension.bag<f64>
    %some = arith.select %c, %L, %M : !comprehension.bag<f64>
    %y = comprehension.each %some : !comprehension.bag<f64>
    comprehension.yield %y
  }
  func.return %r : f64
}

// -----

func.func @no_generator(%x: f64) -> !comprehension.bag<f64> {
  // expected-error @+1 {{it has no generator}}
  %r = comprehension.collect : !comprehension.bag<f64> {
    comprehension.yield %x
  }
  func.return %r : !comprehension.bag<f64>
}
