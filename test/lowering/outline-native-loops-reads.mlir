// RUN: diablo-opt %s -p outline-native-loops --remarks 2>&1 | filecheck %s

// Machine code reads columns of lists, and elements behind a test; it has no tuples.

!list = !comprehension.bag<i64, !comprehension.string, f64>
!vector = tensor<?xf64>

// CHECK: remark: the loop is machine code once it has run a while
// CHECK: remark: the loop stays with Python: !comprehension.string has no machine code
// CHECK: remark: the loop is machine code once it has run a while
// CHECK: remark: the loop is machine code once it has run a while
// CHECK: remark: the loop stays with Python: a tuple is carried, or comes from outside
// CHECK: remark: the loop is machine code once it has run a while
// CHECK: remark: the loop stays with Python: the parts of an array's tuples are not equally wide numbers
// CHECK: remark: the loop stays with Python: a kernel takes or makes an array of tuples

// One vector for each column that is read; a string that is not read is in nobody's way.
// CHECK-LABEL: func.func @rows(
// CHECK:         %rows, %n = comprehension.sequence %L
// CHECK:         %[[K:.*]] = comprehension.column 0 of %rows
// CHECK-NEXT:    %[[X:.*]] = comprehension.column 2 of %rows
// CHECK-NEXT:    func.call @loop_0(%zero, %start, %n, %[[K]], %[[X]])
func.func @rows(%L: !list) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  %rows, %n = comprehension.sequence %L : !list
  %k, %s = scf.while (%i = %zero, %t = %start) : (index, f64) -> (index, f64) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %t : index, f64
  } do {
  ^bb0(%i: index, %t: f64):
    %key, %name, %x = comprehension.row %rows[%i] : !comprehension.sequence<i64, !comprehension.string, f64>
    %f = arith.sitofp %key : i64 to f64
    %g = arith.mulf %f, %x : f64
    %u = arith.addf %t, %g : f64
    %next = arith.addi %i, %one : index
    scf.yield %next, %u : index, f64
  }
  func.return %s : f64
}

// A string that is read keeps the loop with Python, and the rows as they are.
// CHECK-LABEL: func.func @strings(
// CHECK-NOT:     comprehension.column
// CHECK:         comprehension.row
func.func @strings(%L: !list) -> !comprehension.string {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = comprehension.string ""
  %rows, %n = comprehension.sequence %L : !list
  %k, %s = scf.while (%i = %zero, %t = %start) : (index, !comprehension.string) -> (index, !comprehension.string) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %t : index, !comprehension.string
  } do {
  ^bb0(%i: index, %t: !comprehension.string):
    %key, %name, %x = comprehension.row %rows[%i] : !comprehension.sequence<i64, !comprehension.string, f64>
    %next = arith.addi %i, %one : index
    scf.yield %next, %name : index, !comprehension.string
  }
  func.return %s : !comprehension.string
}

// CHECK-LABEL: func.func @probed(
// CHECK:         func.call @loop_1(
func.func @probed(%V: !vector, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  %k, %s = scf.while (%i = %zero, %t = %start) : (index, f64) -> (index, f64) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %t : index, f64
  } do {
  ^bb0(%i: index, %t: f64):
    %x, %found = comprehension.probe %V[%i] : !vector
    %u = arith.addf %t, %x : f64
    %chosen = arith.select %found, %u, %t : f64
    %next = arith.addi %i, %one : index
    scf.yield %next, %chosen : index, f64
  }
  func.return %s : f64
}

// What a kernel finds, a number and its place, is taken apart.
comprehension.monoid @greatest any_order : tuple<f64, i64> identity [0xfff0000000000000 : f64, 0 : i64] {
^bb0(%a: tuple<f64, i64>, %b: tuple<f64, i64>):
  %x, %i = comprehension.unpack %a : tuple<f64, i64>
  %y, %j = comprehension.unpack %b : tuple<f64, i64>
  %greater = arith.cmpf ogt, %y, %x : f64
  %c = arith.select %greater, %b, %a : tuple<f64, i64>
  comprehension.yield %c
}
func.func private @find(%n: index, %V: !vector) -> tuple<f64, i64> {
  %r = tensor_block.reduce @greatest reduced(d0 < %n) ins(%V[d0] : !vector) -> tuple<f64, i64> {
  ^bb0(%i: index, %v: f64):
    %j = arith.index_cast %i : index to i64
    %t = comprehension.pack %v, %j : tuple<f64, i64>
    tensor_block.yield %t : tuple<f64, i64>
  }
  func.return %r : tuple<f64, i64>
}
// CHECK-LABEL: func.func @tuples(
// CHECK:         func.call @loop_2(
func.func @tuples(%V: !vector, %n: index) -> i64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %k, %s = scf.while (%i = %zero, %t = %none) : (index, i64) -> (index, i64) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %t : index, i64
  } do {
  ^bb0(%i: index, %t: i64):
    %found = func.call @find(%n, %V) : (index, !vector) -> tuple<f64, i64>
    %x, %j = comprehension.unpack %found : tuple<f64, i64>
    %u = arith.addi %t, %j : i64
    %next = arith.addi %i, %one : index
    scf.yield %next, %u : index, i64
  }
  func.return %s : i64
}

// CHECK-LABEL: func.func @carried(
// CHECK:         scf.while
func.func @carried(%T: tuple<f64, i64>, %n: index) -> i64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %k, %r = scf.while (%i = %zero, %t = %T) : (index, tuple<f64, i64>) -> (index, tuple<f64, i64>) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %t : index, tuple<f64, i64>
  } do {
  ^bb0(%i: index, %t: tuple<f64, i64>):
    %next = arith.addi %i, %one : index
    scf.yield %next, %t : index, tuple<f64, i64>
  }
  %x, %j = comprehension.unpack %r : tuple<f64, i64>
  func.return %j : i64
}

// An array of tuples is one of words, where they are equally wide, and no kernel has it.
// CHECK-LABEL: func.func @arrays_of_tuples(
// CHECK:         func.call @loop_3(
func.func @arrays_of_tuples(%A: tensor<?xtuple<f64, i64>>, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  %k, %s = scf.while (%i = %zero, %t = %start) : (index, f64) -> (index, f64) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %t : index, f64
  } do {
  ^bb0(%i: index, %t: f64):
    %pair = tensor.extract %A[%i] : tensor<?xtuple<f64, i64>>
    %x, %number = comprehension.unpack %pair : tuple<f64, i64>
    %u = arith.addf %t, %x : f64
    %next = arith.addi %i, %one : index
    scf.yield %next, %u : index, f64
  }
  func.return %s : f64
}

// CHECK-LABEL: func.func @tuples_of_several_widths(
// CHECK:         scf.while
// CHECK:           tensor.extract
func.func @tuples_of_several_widths(%A: tensor<?xtuple<f64, i1>>, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  %k, %s = scf.while (%i = %zero, %t = %start) : (index, f64) -> (index, f64) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %t : index, f64
  } do {
  ^bb0(%i: index, %t: f64):
    %pair = tensor.extract %A[%i] : tensor<?xtuple<f64, i1>>
    %x, %number = comprehension.unpack %pair : tuple<f64, i1>
    %u = arith.addf %t, %x : f64
    %next = arith.addi %i, %one : index
    scf.yield %next, %u : index, f64
  }
  func.return %s : f64
}

func.func private @sum(%n: index, %A: tensor<?xtuple<f64, i64>>) -> f64 {
  %r = tensor_block.reduce add reduced(d0 < %n) ins(%A[d0] : tensor<?xtuple<f64, i64>>) -> f64 {
  ^bb0(%i: index, %pair: tuple<f64, i64>):
    %x, %number = comprehension.unpack %pair : tuple<f64, i64>
    tensor_block.yield %x : f64
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @tuples_of_a_kernel(
// CHECK:         scf.while
// CHECK:           func.call @sum
func.func @tuples_of_a_kernel(%A: tensor<?xtuple<f64, i64>>, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  %k, %s = scf.while (%i = %zero, %t = %start) : (index, f64) -> (index, f64) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %t : index, f64
  } do {
  ^bb0(%i: index, %t: f64):
    %x = func.call @sum(%i, %A) : (index, tensor<?xtuple<f64, i64>>) -> f64
    %u = arith.addf %t, %x : f64
    %next = arith.addi %i, %one : index
    scf.yield %next, %u : index, f64
  }
  func.return %s : f64
}

// CHECK-LABEL: func.func private @loop_0(
// CHECK:         %[[A:.*]] = tensor.extract %{{.*}}[%{{.*}}] : tensor<?xi64>
// CHECK-NEXT:    %[[B:.*]] = tensor.extract %{{.*}}[%{{.*}}] : tensor<?xf64>
// CHECK-NEXT:    arith.sitofp %[[A]]
// CHECK-LABEL: func.func private @loop_1(
// CHECK:         %[[D:.*]] = tensor.dim %V
// CHECK:         %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %[[D]] : index
// CHECK-NEXT:    %[[X:.*]] = scf.if %[[IN]] -> (f64) {
// CHECK-NEXT:      %[[E:.*]] = tensor.extract %V
// CHECK-NEXT:      scf.yield %[[E]] : f64
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[Z:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:      scf.yield %[[Z]] : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[U:.*]] = arith.addf %{{.*}}, %[[X]] : f64
// CHECK-NEXT:    arith.select %[[IN]], %[[U]], %{{.*}} : f64
