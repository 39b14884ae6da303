// RUN: diablo-opt %s -p convert-diablo-to-comprehension | filecheck %s
// Variables become values: in straight-line code, carried by loops, as results of branches.

// CHECK-LABEL: func.func @straight
// CHECK-NEXT:    %x = arith.addf %a, %b : f64
// CHECK-NEXT:    %[[E:.*]] = tensor.extract %v[%i]
// CHECK-NEXT:    %[[V:.*]] = comprehension.merge %v : tensor<?xf64> {
// CHECK-NEXT:      comprehension.yield (%i) %x
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %b, %[[E]], %[[V]]
func.func @straight(%a: f64, %b: f64, %v: tensor<?xf64>, %i: index) -> (f64, f64, tensor<?xf64>) {
  %x = diablo.var "x" = %a : f64
  %V = diablo.var "V" = %v : tensor<?xf64>
  diablo.accumulate add %b, %x : !diablo.ref<f64>
  %0 = diablo.load %x : !diablo.ref<f64>
  diablo.store %b, %x : !diablo.ref<f64>
  %1 = diablo.load %x : !diablo.ref<f64>
  %2 = diablo.load %V[%i] : !diablo.ref<tensor<?xf64>>
  diablo.store %0, %V[%i] : !diablo.ref<tensor<?xf64>>
  %3 = diablo.load %V : !diablo.ref<tensor<?xf64>>
  func.return %1, %2, %3 : f64, f64, tensor<?xf64>
}

// Only what the loop writes is carried; a variable of its body is not.
// CHECK-LABEL: func.func @loop
// CHECK-NEXT:    %k = scf.while (%[[K:.*]] = %zero) : (i64) -> i64 {
// CHECK-NEXT:      %[[C:.*]] = arith.cmpi slt, %[[K]], %n : i64
// CHECK-NEXT:      scf.condition(%[[C]]) %[[K]] : i64
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%[[J:.*]]: i64):
// CHECK-NEXT:      %[[D:.*]] = arith.addi %[[J]], %one : i64
// CHECK-NEXT:      %[[N:.*]] = arith.addi %[[D]], %n : i64
// CHECK-NEXT:      scf.yield %[[N]] : i64
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %k, %n : i64, i64
func.func @loop(%n: i64, %zero: i64, %one: i64) -> (i64, i64) {
  %k = diablo.var "k" = %zero : i64
  %fixed = diablo.var "fixed" = %n : i64
  scf.while () : () -> () {
    %0 = diablo.load %k : !diablo.ref<i64>
    %1 = diablo.load %fixed : !diablo.ref<i64>
    %2 = arith.cmpi slt, %0, %1 : i64
    scf.condition(%2)
  } do {
    diablo.accumulate add %one, %k : !diablo.ref<i64>
    %4 = diablo.load %k : !diablo.ref<i64>
    %local = diablo.var "local" = %4 : i64
    diablo.accumulate add %n, %local : !diablo.ref<i64>
    %5 = diablo.load %local : !diablo.ref<i64>
    diablo.store %5, %k : !diablo.ref<i64>
    scf.yield
  }
  %6 = diablo.load %k : !diablo.ref<i64>
  %7 = diablo.load %fixed : !diablo.ref<i64>
  func.return %6, %7 : i64, i64
}

// CHECK-LABEL: func.func @branch
// CHECK-NEXT:    %x = scf.if %c -> (f64) {
// CHECK-NEXT:      scf.yield %b : f64
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %a : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %x : f64
func.func @branch(%a: f64, %b: f64, %c: i1) -> f64 {
  %x = diablo.var "x" = %a : f64
  scf.if %c {
    diablo.store %b, %x : !diablo.ref<f64>
  }
  %0 = diablo.load %x : !diablo.ref<f64>
  func.return %0 : f64
}

// A comprehension sees what a variable holds where it stands.
// CHECK-LABEL: func.func @read_in_comprehension
// CHECK:         comprehension.build (%n) : tensor<?xf64> {
// CHECK-NEXT:      %i = comprehension.range %zero to %n
// CHECK-NEXT:      %[[E:.*]] = tensor.extract %v[%i]
// CHECK-NEXT:      %[[Y:.*]] = arith.addf %[[E]], %b : f64
// CHECK-NEXT:      comprehension.yield (%i) %[[Y]]
func.func @read_in_comprehension(%a: f64, %b: f64, %v: tensor<?xf64>, %n: index, %zero: index) -> tensor<?xf64> {
  %x = diablo.var "x" = %a : f64
  %V = diablo.var "V" = %v : tensor<?xf64>
  diablo.store %b, %x : !diablo.ref<f64>
  %r = comprehension.build (%n) : tensor<?xf64> {
    %i = comprehension.range %zero to %n
    %0 = diablo.load %V[%i] : !diablo.ref<tensor<?xf64>>
    %1 = diablo.load %x : !diablo.ref<f64>
    %2 = arith.addf %0, %1 : f64
    comprehension.yield (%i) %2
  }
  diablo.store %a, %x : !diablo.ref<f64>
  func.return %r : tensor<?xf64>
}
