// A kernel that scans a vector is loops over its points, which become one.
// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop | filecheck %s
// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop,fuse-multiloops,cse | filecheck %s --check-prefix=FUSED

// CHECK-LABEL: func.func @scaled(%n: index, %x: tensor<?xf64>, %a: f64) -> (tensor<?xf64>, f64) {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %y = multiloop.loop range(%0, %n : index, index) -> tensor<?xf64> {
// CHECK-NEXT:    ^bb{{.*}}(%i: index, %1: !multiloop.place<f64>):
// CHECK-NEXT:      %e = tensor.extract %x[%i] : tensor<?xf64>
// CHECK-NEXT:      %f = arith.mulf %e, %a : f64
// CHECK-NEXT:      multiloop.emit %1[%i : index](%f : f64)
// CHECK-NEXT:    }
// CHECK-NEXT:    %2 = arith.constant 0 : index
// CHECK-NEXT:    %3, %s = multiloop.loop range(%2, %n : index, index) -> f64, tensor<?xf64> {
// CHECK-NEXT:    ^bb{{.*}}(%i_1: index, %4: !multiloop.scan<add : f64>, %5: !multiloop.place<f64>):
// CHECK-NEXT:      %6 = tensor.extract %y[%i_1] : tensor<?xf64>
// CHECK-NEXT:      %7 = multiloop.emit %4(%6 : f64)
// CHECK-NEXT:      multiloop.emit %5[%i_1 : index](%7 : f64)
// CHECK-NEXT:    }
// CHECK:         %m = multiloop.loop range(%{{.*}}, %n : index, index) -> f64 {
// CHECK-NEXT:    ^bb{{.*}}(%i_2: index, %{{.*}}: !multiloop.reduce<max : f64>):
// FUSED-LABEL: func.func @scaled
// FUSED:         %[[S:.*]], %[[M:.*]], %{{.*}} = multiloop.loop range(%{{.*}}, %n : index, index) -> tensor<?xf64>, f64, f64 {
// FUSED-NEXT:    ^bb{{.*}}(%i: index, %[[VECTOR:.*]]: !multiloop.place<f64>, %[[MOST:.*]]: !multiloop.reduce<max : f64>, %[[SUM:.*]]: !multiloop.scan<add : f64>):
// FUSED-NEXT:      %e = tensor.extract %x[%i] : tensor<?xf64>
// FUSED-NEXT:      %f = arith.mulf %e, %a : f64
// FUSED-NEXT:      %[[SO_FAR:.*]] = multiloop.emit %[[SUM]](%f : f64)
// FUSED-NEXT:      multiloop.emit %[[VECTOR]][%i : index](%[[SO_FAR]] : f64)
// FUSED-NEXT:      multiloop.emit %[[MOST]](%[[SO_FAR]] : f64)
// FUSED-NEXT:    }
// FUSED-NEXT:    func.return %[[S]], %[[M]] : tensor<?xf64>, f64
func.func @scaled(%n: index, %x: tensor<?xf64>, %a: f64) -> (tensor<?xf64>, f64) {
  %y = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %f = arith.mulf %e, %a : f64
    tensor_block.yield %f : f64
  }
  %s = tensor_block.scan add %y along 0 dims(%n) : tensor<?xf64>
  %m = tensor_block.reduce max reduced(d0 < %n) ins(%s[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %e: f64):
    tensor_block.yield %e : f64
  }
  func.return %s, %m : tensor<?xf64>, f64
}

// From the end all of a kernel goes in reverse.
// CHECK-LABEL: func.func @from_the_end
// CHECK:         multiloop.loop range(%{{.*}}, %n : index, index) reverse -> f64, tensor<?xf64> {
// CHECK:         multiloop.loop range(%{{.*}}, %n : index, index) reverse -> tensor<?xf64> {
// FUSED-LABEL: func.func @from_the_end
// FUSED:         multiloop.loop
// FUSED-NOT:     multiloop.loop
// FUSED:         func.return
func.func @from_the_end(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.scan add %x along 0 reverse dims(%n) : tensor<?xf64>
  %y = tensor_block.map parallel(d0 < %n) ins(%s[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %f = arith.addf %e, %e : f64
    tensor_block.yield %f : f64
  }
  func.return %y : tensor<?xf64>
}

// Where nothing is scanned, or matrices, ops over arrays stay as they are.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     multiloop
func.func @others(%n: index, %x: tensor<?xf64>, %A: tensor<?x?xf64>)
    -> (tensor<?xf64>, tensor<?x?xf64>) {
  %y = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    tensor_block.yield %e : f64
  }
  %S = tensor_block.scan add %A along 1 dims(%n, %n) : tensor<?x?xf64>
  func.return %y, %S : tensor<?xf64>, tensor<?x?xf64>
}

// Places and running folds of all rows are scans.
// CHECK-LABEL: func.func @rows
// CHECK-NEXT:    %{{.*}}, %{{.*}}, %r = multiloop.loop rows(%rows : !comprehension.bag<f64>) -> i64, f64, !comprehension.bag<f64, i64, f64> {
// CHECK-NEXT:    ^bb{{.*}}(%[[X:.*]]: f64, %[[COUNT:.*]]: !multiloop.scan<add : i64>, %[[MAX:.*]]: !multiloop.scan<max : f64>, %[[ALL:.*]]: !multiloop.collect<f64, i64, f64>):
// CHECK-NEXT:      %one = arith.constant 1 : i64
// CHECK-NEXT:      %[[K:.*]] = multiloop.emit %[[COUNT]](%one : i64)
// CHECK-NEXT:      %number = arith.subi %[[K]], %one : i64
// CHECK-NEXT:      %[[M:.*]] = multiloop.emit %[[MAX]](%[[X]] : f64)
// CHECK-NEXT:      multiloop.emit %[[ALL]](%[[X]], %number, %[[M]] : f64, i64, f64)
// CHECK-NEXT:    }
// CHECK-NEXT:    tensor_block.window %rows keys [0]
func.func @rows(%rows: !comprehension.bag<f64>)
    -> (!comprehension.bag<f64, i64, f64>, !comprehension.bag<f64, i64>) {
  %r = tensor_block.window %rows keys [] by [] functions [number, scan max 0]
      : !comprehension.bag<f64> -> !comprehension.bag<f64, i64, f64>
  %g = tensor_block.window %rows keys [0] by [] functions [number]
      : !comprehension.bag<f64> -> !comprehension.bag<f64, i64>
  func.return %r, %g : !comprehension.bag<f64, i64, f64>, !comprehension.bag<f64, i64>
}
