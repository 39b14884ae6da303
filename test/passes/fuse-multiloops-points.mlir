// Loops that take turns at the same points of dense arrays become one with the generators of all.
// RUN: diablo-opt %s -p fuse-multiloops --split-input-file | filecheck %s
// RUN: diablo-opt %s -p fuse-multiloops --split-input-file --remarks -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: diablo-opt %s -p "fuse-multiloops{plain=true}" --split-input-file | filecheck %s --check-prefix=PLAIN

// What one makes the next takes as it comes; an array that nothing else reads is never there.
// CHECK-LABEL: func.func @passing(
// CHECK-NEXT:    %[[Z:.*]], %[[S:.*]], %[[N:.*]] = multiloop.loop points(d0 < %n, d1 < %m) ins(%A[d0, d1] : tensor<?x?xf64>, %v[d1] : tensor<?xf64>, %B[d0, d1] : tensor<?x?xf64>) -> tensor<?x?xf64>, f64, f64 {
// CHECK-NEXT:    ^{{.*}}(%i: index, %j: index, %a: f64, %b: f64, %c: f64, %all: !multiloop.place<f64, 2>, %sum: !multiloop.reduce<add : f64>, %most_1: !multiloop.reduce<max : f64>):
// CHECK-NEXT:      %d = arith.subf %a, %b : f64
// CHECK-NEXT:      %e = arith.mulf %d, %c : f64
// CHECK-NEXT:      multiloop.emit %all[%i, %j : index, index](%e : f64)
// CHECK-NEXT:      %f = arith.addf %e, %d : f64
// CHECK-NEXT:      multiloop.emit %sum(%f : f64)
// CHECK-NEXT:      multiloop.emit %most_1(%d : f64)
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %[[Z]], %[[S]], %[[N]]
// REMARK: remark: a loop is merged with one before it over the same points
func.func @passing(%n: index, %m: index, %A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %v: tensor<?xf64>)
    -> (tensor<?x?xf64>, f64, f64) {
  %y = multiloop.loop points(d0 < %n, d1 < %m)
      ins(%A[d0, d1] : tensor<?x?xf64>, %v[d1] : tensor<?xf64>) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64, %all: !multiloop.place<f64, 2>):
    %d = arith.subf %a, %b : f64
    multiloop.emit %all[%i, %j : index, index](%d : f64)
  }
  %z = multiloop.loop points(d0 < %n, d1 < %m)
      ins(%y[d0, d1] : tensor<?x?xf64>, %B[d0, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %d: f64, %c: f64, %all: !multiloop.place<f64, 2>):
    %e = arith.mulf %d, %c : f64
    multiloop.emit %all[%i, %j : index, index](%e : f64)
  }
  %s = multiloop.loop points(d0 < %n, d1 < %m)
      ins(%z[d0, d1] : tensor<?x?xf64>, %y[d0, d1] : tensor<?x?xf64>) -> f64 {
  ^bb0(%i: index, %j: index, %e: f64, %d: f64, %sum: !multiloop.reduce<add : f64>):
    %f = arith.addf %e, %d : f64
    multiloop.emit %sum(%f : f64)
  }
  %most = multiloop.loop points(d0 < %n, d1 < %m) ins(%y[d0, d1] : tensor<?x?xf64>) -> f64 {
  ^bb0(%i: index, %j: index, %d: f64, %most: !multiloop.reduce<max : f64>):
    multiloop.emit %most(%d : f64)
  }
  func.return %z, %s, %most : tensor<?x?xf64>, f64, f64
}

// -----

// What both read at the same points is read once; what is computed between moves up.
// CHECK-LABEL: func.func @inputs(
// CHECK-NEXT:    %three = arith.constant 3.0{{.*}} : f64
// CHECK-NEXT:    %t = arith.mulf %w, %three : f64
// CHECK-NEXT:    %y, %z = multiloop.loop points(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64>, tensor<?xf64> {
// CHECK-NEXT:    ^{{.*}}(%i: index, %a: f64, %all: !multiloop.place<f64>, %all_1: !multiloop.place<f64>):
func.func @inputs(%n: index, %w: f64, %x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %y = multiloop.loop points(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %a: f64, %all: !multiloop.place<f64>):
    %b = arith.addf %a, %a : f64
    multiloop.emit %all[%i : index](%b : f64)
  }
  %three = arith.constant 3.0 : f64
  %t = arith.mulf %w, %three : f64
  %z = multiloop.loop points(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %a: f64, %all: !multiloop.place<f64>):
    %b = arith.mulf %a, %t : f64
    multiloop.emit %all[%i : index](%b : f64)
  }
  func.return %y, %z : tensor<?xf64>, tensor<?xf64>
}

// -----

// Held back: elements beside the point, other points, and what is known only at the end.
// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-4: multiloop.loop points
// REMARK-COUNT-3: a loop over points is not merged with one before it: they do not take turns at the same points
func.func @apart(%n: index, %m: index, %x: tensor<?xf64>, %v: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64) {
  %y, %s = multiloop.loop points(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64>, f64 {
  ^bb0(%i: index, %a: f64, %all: !multiloop.place<f64>, %sum: !multiloop.reduce<add : f64>):
    %b = arith.addf %a, %a : f64
    multiloop.emit %all[%i : index](%b : f64)
    multiloop.emit %sum(%b : f64)
  }
  %beside = multiloop.loop points(d0 < %n) ins(%y[d0 - 1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %a: f64, %all: !multiloop.place<f64>):
    multiloop.emit %all[%i : index](%a : f64)
  }
  %other = multiloop.loop points(d0 < %m) ins(%v[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %a: f64, %all: !multiloop.place<f64>):
    %b = arith.subf %a, %a : f64
    multiloop.emit %all[%i : index](%b : f64)
  }
  %scaled = multiloop.loop points(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %a: f64, %sum: !multiloop.reduce<add : f64>):
    %b = arith.divf %a, %s : f64
    multiloop.emit %sum(%b : f64)
  }
  func.return %beside, %other, %y, %scaled : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64
}

// -----

// What is scattered from the same points is one loop, whatever tables it goes to.
// CHECK-LABEL: func.func @tables(
// CHECK-NEXT:    %one = arith.constant 1 : i64
// CHECK-NEXT:    %sums, %counts = multiloop.loop points(d0 < %n) into(%k, %k) ins(%at[d0] : tensor<?xindex>, %x[d0] : tensor<?xf64>) -> tensor<?xf64>, tensor<?xi64> {
// CHECK-NEXT:    ^{{.*}}(%i: index, %key: index, %a: f64, %sum: !multiloop.table<add : f64>, %count: !multiloop.table<add : i64>):
// CHECK-NEXT:      multiloop.emit %sum[%key : index](%a : f64)
// CHECK-NEXT:      multiloop.emit %count[%key : index](%one : i64)
func.func @tables(%n: index, %k: index, %at: tensor<?xindex>, %x: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xi64>) {
  %one = arith.constant 1 : i64
  %sums = multiloop.loop points(d0 < %n) into(%k)
      ins(%at[d0] : tensor<?xindex>, %x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %key: index, %a: f64, %sum: !multiloop.table<add : f64>):
    multiloop.emit %sum[%key : index](%a : f64)
  }
  %counts = multiloop.loop points(d0 < %n) into(%k) ins(%at[d0] : tensor<?xindex>)
      -> tensor<?xi64> {
  ^bb0(%i: index, %key: index, %count: !multiloop.table<add : i64>):
    multiloop.emit %count[%key : index](%one : i64)
  }
  func.return %sums, %counts : tensor<?xf64>, tensor<?xi64>
}

// -----

// A fold by a monoid of the program's own runs in lanes, where nothing is stored beside it: it is
// with what folds, and not with what makes arrays, unless loops are plain.
// CHECK-LABEL: func.func @lanes(
// CHECK:         %z, %dot = multiloop.loop points
// CHECK-SAME:      -> tensor<?xf64>, f64 {
// CHECK:         %last, %sum = multiloop.loop points
// CHECK-SAME:      -> f64, f64 {
// REMARK: a loop over points is not merged with one before it: one folds by a monoid of its own, in lanes, and one makes an array
// PLAIN-LABEL: func.func @lanes(
// PLAIN-COUNT-1: multiloop.loop points
// PLAIN-NOT:     multiloop.loop points
comprehension.monoid @last : f64 identity 0.0 : f64 {
^bb0(%x: f64, %y: f64):
  %zero = arith.constant 0.0 : f64
  %none = arith.cmpf oeq, %y, %zero : f64
  %r = arith.select %none, %x, %y : f64
  comprehension.yield %r
}
func.func @lanes(%n: index, %x: tensor<?xf64>, %y: tensor<?xf64>)
    -> (tensor<?xf64>, f64, f64, f64) {
  %z = multiloop.loop points(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %a: f64, %all: !multiloop.place<f64>):
    %b = math.exp %a : f64
    multiloop.emit %all[%i : index](%b : f64)
  }
  %dot = multiloop.loop points(d0 < %n) ins(%x[d0] : tensor<?xf64>, %y[d0] : tensor<?xf64>)
      -> f64 {
  ^bb0(%i: index, %a: f64, %b: f64, %dot: !multiloop.reduce<add : f64>):
    %p = arith.mulf %a, %b : f64
    multiloop.emit %dot(%p : f64)
  }
  %last = multiloop.loop points(d0 < %n) ins(%z[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %a: f64, %last: !multiloop.reduce<@last : f64>):
    multiloop.emit %last(%a : f64)
  }
  %sum = multiloop.loop points(d0 < %n) ins(%y[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %a: f64, %sum: !multiloop.reduce<add : f64>):
    multiloop.emit %sum(%a : f64)
  }
  func.return %z, %dot, %last, %sum : tensor<?xf64>, f64, f64, f64
}
