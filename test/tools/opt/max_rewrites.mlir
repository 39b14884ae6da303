// RUN: not diablo-opt %s -p canonicalize --max-rewrites=2 --reproducer=%t 2>&1 | filecheck %s --check-prefix=FEW
// RUN: diablo-opt %s -p canonicalize --max-rewrites=100 | filecheck %s

// FEW:   error: pass 'canonicalize' failed: more than 2 changes: its patterns seem to undo each other (--max-rewrites raises the limit)
// CHECK: func.func @f
// CHECK-NEXT: arith.constant 10 : i64
func.func @f() -> i64 {
  %one = arith.constant 1 : i64
  %two = arith.addi %one, %one : i64
  %four = arith.addi %two, %two : i64
  %five = arith.addi %four, %one : i64
  %ten = arith.addi %five, %five : i64
  func.return %ten : i64
}
