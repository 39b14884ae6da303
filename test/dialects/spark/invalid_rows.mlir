// RUN: diablo-opt %s --verify-diagnostics --split-input-file

!rows = !spark.rdd<[], [!comprehension.bag<i64, f64>]>

func.func @unnumbered(%R: !rows) {
  // expected-error @+1 {{the result must be !spark.rdd<[], [!comprehension.bag<i64, f64, i64>]>}}
  %N = spark.number %R : !rows -> !spark.rdd<[], [!comprehension.bag<i64, f64>]>
  func.return
}

// -----

!rows = !spark.rdd<[], [!comprehension.bag<i64, f64>]>

func.func @wrong_key(%R: !rows, %k: f64) {
  // expected-error @+1 {{the keys must be (i64), got (f64)}}
  %x, %found = spark.probe %R[%k : f64] : !rows -> f64
  func.return
}

// -----

!rows = !spark.rdd<[], [!comprehension.bag<i64, f64>]>

func.func @wrong_value(%R: !rows, %k: i64) {
  // expected-error @+1 {{the values must be (f64)}}
  %x, %found = spark.probe %R[%k : i64] : !rows -> i64
  func.return
}

// -----

func.func @no_dimensions(%v: !spark.rdd<[index], [tensor<?xf64>]>, %i: index) {
  // expected-error @+1 {{expected one dimension for each of 1 coordinates of the key, got 0}}
  %x, %found = spark.probe %v[%i : index] : !spark.rdd<[index], [tensor<?xf64>]> -> f64
  func.return
}

// -----

!rows = !spark.rdd<[], [!comprehension.bag<index, f64>]>

func.func @folded_and_kept(%R: !rows, %n: index) {
  // expected-error @+1 {{rows outside of an array are not folded}}
  %T = spark.route %R[0] dims(%n) folded "add" keep : !rows -> !spark.rdd<[index], [!comprehension.bag<index, f64>]>
  func.return
}
