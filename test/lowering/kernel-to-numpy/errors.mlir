// RUN: diablo-opt %s -t numpy --verify-diagnostics

func.func @bits(%x: i64) -> i64 {
  // expected-error @+1 {{math.ctpop is not supported in a block kernel}}
  %z = math.ctpop %x : i64
  func.return %z : i64
}
