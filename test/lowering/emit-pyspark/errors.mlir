// RUN: diablo-opt %s -t pyspark --verify-diagnostics --split-input-file

func.func @main(%x: i64) -> i64 {
  // expected-error @+1 {{math.ctpop is not supported between array operations}}
  %z = math.ctpop %x : i64
  func.return %z : i64
}

// -----

func.func @main(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{test.op cannot stand in a PySpark program}}
  %z = "test.op"(%x) : (tensor<4xf64>) -> tensor<4xf64>
  func.return %z : tensor<4xf64>
}

// -----

// expected-error @unknown {{a program has one public function, and here are 2}}
func.func @one() {
  func.return
}
func.func @two() {
  func.return
}

// -----

// expected-error @unknown {{the default value "a" is not supported}}
func.func @main(%n: i64 {diablo.name = "n", diablo.default = "a"}) -> i64 {
  func.return %n : i64
}
