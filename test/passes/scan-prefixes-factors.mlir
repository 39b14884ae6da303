// RUN: diablo-opt %s -p scan-prefixes --remarks 2>&1 | filecheck %s

// CHECK: remark: a factor of all terms is taken out of this sum
// CHECK: remark: {{.*}}scan
// CHECK-NOT: remark: a factor
// CHECK: remark: this is folded anew for each row

// An element at the index of the row: zero where there is none, and so is the sum.
func.func @integers(%n: index, %x: tensor<?xi64>) -> tensor<?xi64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %r = comprehension.build (%n) : tensor<?xi64> {
    %i = comprehension.range %zero to %last
    %s = comprehension.aggregate add : i64 {
      %j = comprehension.range %zero to %i
      %k, %a = comprehension.each %x full : tensor<?xi64>
      %p = arith.cmpi eq, %k, %i : index
      comprehension.guard %p
      %l, %b = comprehension.each %x full : tensor<?xi64>
      %q = arith.cmpi eq, %l, %j : index
      comprehension.guard %q
      %c = arith.muli %a, %b : i64
      comprehension.yield %c
    }
    comprehension.yield (%i) %s
  }
  func.return %r : tensor<?xi64>
}
// CHECK-LABEL: func.func @integers
// CHECK:         tensor_block.scan add
// CHECK:         comprehension.build
// CHECK:           %[[A:.*]], %{{.*}} = comprehension.probe %x[%
// CHECK:           arith.muli %{{.*}}, %[[A]] : i64

// Held back: a float would be rounded otherwise.
func.func @floats(%n: index, %x: tensor<?xf64>, %f: f64) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %r = comprehension.build (%n) : tensor<?xf64> {
    %i = comprehension.range %zero to %last
    %s = comprehension.aggregate add : f64 {
      %j = comprehension.range %zero to %i
      %k, %a = comprehension.each %x full : tensor<?xf64>
      %p = arith.cmpi eq, %k, %i : index
      comprehension.guard %p
      %l, %b = comprehension.each %x full : tensor<?xf64>
      %q = arith.cmpi eq, %l, %j : index
      comprehension.guard %q
      %c = arith.mulf %a, %b : f64
      comprehension.yield %c
    }
    comprehension.yield (%i) %s
  }
  func.return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @floats
// CHECK-NOT:     tensor_block.scan
// CHECK:         arith.mulf
