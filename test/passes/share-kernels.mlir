// RUN: diablo-opt %s -p share-kernels --split-input-file | filecheck %s
// RUN: diablo-opt %s -p share-kernels --split-input-file --remarks 2>&1 | filecheck %s --check-prefix=REMARK

// Kernels that differ in names are one; what is given to them stays as it is.
func.func @names(%n: index, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %s = func.call @kernel_0(%n, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
  %t = func.call @kernel_1(%n, %s) : (index, tensor<?xf64>) -> tensor<?xf64>
  func.return %t : tensor<?xf64>
}
func.func private @kernel_0(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %a = arith.constant 0.5 : f64
    %f = arith.mulf %a, %e : f64
    tensor_block.yield %f : f64
  }
  func.return %s : tensor<?xf64>
}
func.func private @kernel_1(%m: index, %y: tensor<?xf64>) -> tensor<?xf64> {
  %t = tensor_block.map parallel(d0 < %m) ins(%y[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%j: index, %g: f64):
    %b = arith.constant 0.5 : f64
    %h = arith.mulf %b, %g : f64
    tensor_block.yield %h : f64
  }
  func.return %t : tensor<?xf64>
}
// CHECK-LABEL: func.func @names
// CHECK-NEXT:    %s = func.call @kernel_0(%n, %x)
// CHECK-NEXT:    %t = func.call @kernel_0(%n, %s)
// CHECK:       func.func private @kernel_0(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
// CHECK:           %a = arith.constant 5.000000e-01 : f64
// CHECK-NOT:   func.func
// REMARK: remark: kernel_0 does this as well: no kernel is added

// -----

// Coefficients and periods that differ become arguments, one for those that are always equal.
func.func @numbers(%n: index, %x: tensor<?x?xf64>, %m: index, %y: tensor<?x?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %s = func.call @kernel_0(%n, %x) : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  %t = func.call @kernel_1(%m, %y) : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  func.return %s, %t : tensor<?x?xf64>, tensor<?x?xf64>
}
func.func private @kernel_0(%n: index, %x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %s = tensor_block.map parallel(d0 < %n, d1 < %n)
      ins(%x[(d0 + 1) mod 6, d1] : tensor<?x?xf64>, %x[d0, (d1 - 1) mod 6] : tensor<?x?xf64>)
      -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %e: f64, %f: f64):
    %a = arith.constant 0.5 : f64
    %b = arith.constant 0.1 : f64
    %g = arith.mulf %a, %e : f64
    %h = arith.mulf %b, %f : f64
    %k = arith.addf %g, %h : f64
    tensor_block.yield %k : f64
  }
  func.return %s : tensor<?x?xf64>
}
func.func private @kernel_1(%n: index, %x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %s = tensor_block.map parallel(d0 < %n, d1 < %n)
      ins(%x[(d0 + 1) mod 12, d1] : tensor<?x?xf64>, %x[d0, (d1 - 1) mod 12] : tensor<?x?xf64>)
      -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %e: f64, %f: f64):
    %a = arith.constant 0.25 : f64
    %b = arith.constant 0.1 : f64
    %g = arith.mulf %a, %e : f64
    %h = arith.mulf %b, %f : f64
    %k = arith.addf %g, %h : f64
    tensor_block.yield %k : f64
  }
  func.return %s : tensor<?x?xf64>
}
// CHECK-LABEL: func.func @numbers
// CHECK:         %[[SIX:.*]] = arith.constant 6 : index
// CHECK:         %[[HALF:.*]] = arith.constant 5.000000e-01 : f64
// CHECK:         %s = func.call @kernel_0(%n, %x, %[[SIX]], %[[HALF]])
// CHECK:         %[[TWELVE:.*]] = arith.constant 12 : index
// CHECK:         %[[QUARTER:.*]] = arith.constant 2.500000e-01 : f64
// CHECK:         %t = func.call @kernel_0(%m, %y, %[[TWELVE]], %[[QUARTER]])
// CHECK:       func.func private @kernel_0(%n: index, %x: tensor<?x?xf64>, %number: index, %number_1: f64)
// CHECK-NEXT:    %s = tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%number)
// CHECK-SAME:      ins(%x[(d0 + 1) mod s0, d1] : tensor<?x?xf64>, %x[d0, (d1 - 1) mod s0]
// CHECK:           %b = arith.constant 1.000000e-01 : f64
// CHECK-NEXT:      %g = arith.mulf %number_1, %e : f64
// CHECK-NOT:   func.func
// REMARK: remark: kernel_0 does this as well, given 2 numbers: no kernel is added

// -----

// On tiles, numbers are captured.
func.func @tiles(%n: index, %x: !spark.rdd<[index], [tensor<?xf64>]>)
    -> !spark.rdd<[index], [tensor<?xf64>]> {
  %s = spark.map @kernel_0(%x) dims(%n)
      : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>
  %t = spark.map @kernel_1(%s) dims(%n)
      : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>
  func.return %t : !spark.rdd<[index], [tensor<?xf64>]>
}
func.func private @kernel_0(%o: index, %n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %a = arith.constant 0.5 : f64
    %f = arith.mulf %a, %e : f64
    tensor_block.yield %f : f64
  }
  func.return %s : tensor<?xf64>
}
func.func private @kernel_1(%o: index, %n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %a = arith.constant 0.25 : f64
    %f = arith.mulf %a, %e : f64
    tensor_block.yield %f : f64
  }
  func.return %s : tensor<?xf64>
}
// CHECK-LABEL: func.func @tiles
// CHECK-NEXT:    %[[HALF:.*]] = arith.constant 5.000000e-01 : f64
// CHECK-NEXT:    %s = spark.map @kernel_0(%x) dims(%n) captures(%[[HALF]] : f64)
// CHECK-NEXT:    %[[QUARTER:.*]] = arith.constant 2.500000e-01 : f64
// CHECK-NEXT:    %t = spark.map @kernel_0(%s) dims(%n) captures(%[[QUARTER]] : f64)
// CHECK-NOT:   @kernel_1
// REMARK: remark: kernel_0 does this as well, given a number: no kernel is added

// -----

// Left apart: other offsets, factors that vanish, divisors, other operations.
func.func @apart(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %a = func.call @kernel_0(%n, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
  %b = func.call @kernel_1(%n, %a) : (index, tensor<?xf64>) -> tensor<?xf64>
  %c = func.call @kernel_2(%n, %b) : (index, tensor<?xf64>) -> tensor<?xf64>
  %d = func.call @kernel_3(%n, %c) : (index, tensor<?xf64>) -> tensor<?xf64>
  %e = func.call @kernel_4(%n, %d) : (index, tensor<?xf64>) -> tensor<?xf64>
  func.return %e : tensor<?xf64>
}
func.func private @kernel_0(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %n) ins(%x[d0 + 1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %a = arith.constant 0.5 : f64
    %f = arith.mulf %a, %e : f64
    tensor_block.yield %f : f64
  }
  func.return %s : tensor<?xf64>
}
func.func private @kernel_1(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %n) ins(%x[d0 - 1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %a = arith.constant 0.5 : f64
    %f = arith.mulf %a, %e : f64
    tensor_block.yield %f : f64
  }
  func.return %s : tensor<?xf64>
}
func.func private @kernel_2(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %n) ins(%x[d0 - 1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %a = arith.constant 0.0 : f64
    %f = arith.mulf %a, %e : f64
    tensor_block.yield %f : f64
  }
  func.return %s : tensor<?xf64>
}
func.func private @kernel_3(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %n) ins(%x[d0 - 1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %a = arith.constant 2.0 : f64
    %f = arith.divf %e, %a : f64
    tensor_block.yield %f : f64
  }
  func.return %s : tensor<?xf64>
}
func.func private @kernel_4(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %n) ins(%x[d0 - 1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %a = arith.constant 3.0 : f64
    %f = arith.divf %e, %a : f64
    tensor_block.yield %f : f64
  }
  func.return %s : tensor<?xf64>
}
// CHECK-LABEL: func.func @apart
// CHECK-NEXT:    %a = func.call @kernel_0
// CHECK-NEXT:    %b = func.call @kernel_1
// CHECK-NEXT:    %c = func.call @kernel_2
// CHECK-NEXT:    %d = func.call @kernel_3
// CHECK-NEXT:    %e = func.call @kernel_4
// REMARK-NOT: no kernel is added

// -----

// Errors name the place where they happen: an op that can fail is like those of its place alone.
func.func @places(%n: index, %x: tensor<?xi64>) -> tensor<?xi64> {
  %a = func.call @kernel_0(%n, %x) : (index, tensor<?xi64>) -> tensor<?xi64>
  %b = func.call @kernel_1(%n, %a) : (index, tensor<?xi64>) -> tensor<?xi64>
  func.return %b : tensor<?xi64>
}
func.func private @kernel_0(%n: index, %x: tensor<?xi64>) -> tensor<?xi64> {
  %s = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xi64>) -> tensor<?xi64> {
  ^bb0(%i: index, %e: i64):
    %f = arith.divsi %e, %e : i64
    tensor_block.yield %f : i64
  }
  func.return %s : tensor<?xi64>
}
func.func private @kernel_1(%n: index, %x: tensor<?xi64>) -> tensor<?xi64> {
  %s = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xi64>) -> tensor<?xi64> {
  ^bb0(%i: index, %e: i64):
    %f = arith.divsi %e, %e : i64
    tensor_block.yield %f : i64
  }
  func.return %s : tensor<?xi64>
}
// CHECK-LABEL: func.func @places
// CHECK-NEXT:    %a = func.call @kernel_0
// CHECK-NEXT:    %b = func.call @kernel_1
