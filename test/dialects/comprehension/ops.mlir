// Every op and type, in the custom and the generic form, comes back as it was.
// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

!dense = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!rows = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>

// CHECK-LABEL: func.func @product
// CHECK-SAME:      %A: tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
// CHECK-NEXT:    %C = comprehension.build (%n, %m) : tensor<?x?xf64, #tensor_block.tiles<dense = 2>> {
// CHECK-NEXT:      %i, %k, %a = comprehension.each %A : tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
// CHECK-NEXT:      %kk, %j, %b = comprehension.each %B full : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
// CHECK-NEXT:      %eq = arith.cmpi eq, %kk, %k : index
// CHECK-NEXT:      comprehension.guard %eq
// CHECK-NEXT:      %v = arith.mulf %a, %b : f64
// CHECK-NEXT:      %gi, %gj, %vs = comprehension.group_by keys(%i, %j) values(%v) : index, index, !comprehension.bag<f64>
// CHECK-NEXT:      %s = comprehension.reduce add %vs : !comprehension.bag<f64>
// CHECK-NEXT:      comprehension.yield (%gi, %gj) %s
// CHECK-NEXT:    }
func.func @product(%A: !dense, %B: !rows, %n: index, %m: index) -> !dense {
  %C = comprehension.build (%n, %m) : !dense {
    %i, %k, %a = comprehension.each %A : !dense
    %kk, %j, %b = comprehension.each %B full : !rows
    %eq = arith.cmpi eq, %kk, %k : index
    comprehension.guard %eq
    %v = arith.mulf %a, %b : f64
    %gi, %gj, %vs = comprehension.group_by keys(%i, %j) values(%v) : index, index, !comprehension.bag<f64>
    %s = comprehension.reduce add %vs : !comprehension.bag<f64>
    comprehension.yield (%gi, %gj) %s
  }
  func.return %C : !dense
}

// GENERIC:      "comprehension.build"(%n, %m) ({
// GENERIC-NEXT:   %i, %k, %a = "comprehension.each"(%A) : (tensor<?x?xf64, #tensor_block.tiles<dense = 2>>) -> (index, index, f64)
// GENERIC-NEXT:   %kk, %j, %b = "comprehension.each"(%B) <{full}>
// GENERIC:        "comprehension.guard"(%eq) : (i1) -> ()
// GENERIC:        "comprehension.group_by"(%i, %j, %v) <{operandSegmentSizes = array<i32: 2, 1>, resultSegmentSizes = array<i32: 2, 1>}> : (index, index, f64) -> (index, index, !comprehension.bag<f64>)
// GENERIC-NEXT:   "comprehension.reduce"(%vs) <{monoid = "add"}> : (!comprehension.bag<f64>) -> f64
// GENERIC-NEXT:   "comprehension.yield"(%gi, %gj, %s) <{operandSegmentSizes = array<i32: 2, 1>}> : (index, index, f64) -> ()
// GENERIC-NEXT: }) : (index, index) -> tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// CHECK-LABEL: func.func @ranges
// CHECK:         comprehension.merge %R : tensor<?xf64> {
// CHECK-NEXT:      %i = comprehension.range %lo to %hi
// CHECK-NEXT:      %j = comprehension.range %hi to %lo step -2
// CHECK-NEXT:      %x = comprehension.random 3 seed(%seed) at(%i, %j)
// CHECK-NEXT:      comprehension.yield (%j) %x
// CHECK-NEXT:    }
// CHECK-NEXT:    comprehension.merge max %S : tensor<?xf64> {
// CHECK-NEXT:      %k = comprehension.range %lo to %hi
// CHECK-NEXT:      %y = comprehension.random 0 seed(%seed) at()
// CHECK-NEXT:      comprehension.yield (%k) %y
// CHECK-NEXT:    }
func.func @ranges(%R: tensor<?xf64>, %lo: index, %hi: index, %seed: i64) -> tensor<?xf64> {
  %S = comprehension.merge %R : tensor<?xf64> {
    %i = comprehension.range %lo to %hi
    %j = comprehension.range %hi to %lo step -2
    %x = comprehension.random 3 seed(%seed) at(%i, %j)
    comprehension.yield (%j) %x
  }
  %T = comprehension.merge max %S : tensor<?xf64> {
    %k = comprehension.range %lo to %hi
    %y = comprehension.random 0 seed(%seed) at()
    comprehension.yield (%k) %y
  }
  func.return %T : tensor<?xf64>
}

// CHECK-LABEL: func.func @bags
// CHECK-NEXT:    %groups = comprehension.collect : !comprehension.bag<i64, f64, i64> {
// CHECK-NEXT:      %k, %v = comprehension.each %rows : !comprehension.bag<i64, f64>
// CHECK-NEXT:      %g, %vs = comprehension.group_by keys(%k) values(%v) : i64, !comprehension.bag<f64>
// CHECK-NEXT:      %m = comprehension.reduce max %vs : !comprehension.bag<f64>
// CHECK-NEXT:      %l = comprehension.length %vs : !comprehension.bag<f64>
// CHECK-NEXT:      comprehension.yield (%g) %m, %l
// CHECK-NEXT:    }
// CHECK-NEXT:    %none = comprehension.collect : !comprehension.bag<> {
// CHECK-NEXT:      comprehension.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    %any = comprehension.aggregate or : i1 {
// CHECK-NEXT:      %p, %q = comprehension.each %rows : !comprehension.bag<i64, f64>
// CHECK-NEXT:      %equal = arith.cmpi eq, %p, %one : i64
// CHECK-NEXT:      comprehension.yield %equal
// CHECK-NEXT:    }
func.func @bags(%rows: !comprehension.bag<i64, f64>, %one: i64) -> i1 {
  %groups = comprehension.collect : !comprehension.bag<i64, f64, i64> {
    %k, %v = comprehension.each %rows : !comprehension.bag<i64, f64>
    %g, %vs = comprehension.group_by keys(%k) values(%v) : i64, !comprehension.bag<f64>
    %m = comprehension.reduce max %vs : !comprehension.bag<f64>
    %l = comprehension.length %vs : !comprehension.bag<f64>
    comprehension.yield (%g) %m, %l
  }
  %none = comprehension.collect : !comprehension.bag<> {
    comprehension.yield
  }
  %any = comprehension.aggregate or : i1 {
    %p, %q = comprehension.each %rows : !comprehension.bag<i64, f64>
    %equal = arith.cmpi eq, %p, %one : i64
    comprehension.yield %equal
  }
  func.return %any : i1
}

// A group without keys is everything; one without values has nothing to fold.
// CHECK-LABEL: func.func @groups
// CHECK:           %vs = comprehension.group_by keys() values(%v) : !comprehension.bag<f64>
// CHECK:           comprehension.group_by keys(%k{{.*}}) : i64
func.func @groups(%rows: !comprehension.bag<i64, f64>) -> !comprehension.bag<i64> {
  %sum = comprehension.aggregate add : f64 {
    %k, %v = comprehension.each %rows : !comprehension.bag<i64, f64>
    %vs = comprehension.group_by keys() values(%v) : !comprehension.bag<f64>
    %s = comprehension.reduce add %vs : !comprehension.bag<f64>
    comprehension.yield %s
  }
  %keys = comprehension.collect : !comprehension.bag<i64> {
    %k, %v = comprehension.each %rows : !comprehension.bag<i64, f64>
    %g = comprehension.group_by keys(%k) : i64
    comprehension.yield (%g)
  }
  func.return %keys : !comprehension.bag<i64>
}

// After a group_by: its results, values from outside, and what depends on no row.
// CHECK-LABEL: func.func @scope
// CHECK:         comprehension.group_by
func.func @scope(%A: !dense, %n: index, %scale: f64) -> tensor<?xf64> {
  %sums = comprehension.build (%n) : tensor<?xf64> {
    %two = arith.constant 2.0 : f64
    %twice = arith.mulf %two, %scale : f64
    %i, %j, %a = comprehension.each %A : !dense
    %g, %as = comprehension.group_by keys(%i) values(%a) : index, !comprehension.bag<f64>
    %b = comprehension.each %as : !comprehension.bag<f64>
    %c = arith.mulf %b, %twice : f64
    %h, %cs = comprehension.group_by keys(%g) values(%c) : index, !comprehension.bag<f64>
    %s = comprehension.reduce add %cs : !comprehension.bag<f64>
    comprehension.yield (%h) %s
  }
  func.return %sums : tensor<?xf64>
}

// Attributes that no op knows stay where they are.
// CHECK-LABEL: func.func @attributes
// CHECK-NEXT:    comprehension.build (%n) : tensor<?xi64> attributes {a = 1 : i64} {
// CHECK-NEXT:      comprehension.each %A full {b} : tensor<?xi64>
// CHECK-NEXT:      comprehension.range %n to %n step 2 {c}
// CHECK-NEXT:      comprehension.guard %t {d}
// CHECK-NEXT:      comprehension.group_by keys(%i) values(%a) {e} : index, !comprehension.bag<i64>
// CHECK-NEXT:      comprehension.reduce add %as {f} : !comprehension.bag<i64>
// CHECK-NEXT:      comprehension.length %as {g} : !comprehension.bag<i64>
// CHECK-NEXT:      comprehension.random 0 seed(%l) at(%n) {h}
// CHECK-NEXT:      comprehension.yield (%gi) %s {i}
// CHECK-NEXT:    }
// CHECK-NEXT:    comprehension.merge add %B : tensor<?xi64> attributes {j} {
// CHECK:         comprehension.collect : !comprehension.bag<i64> attributes {k} {
// CHECK:         comprehension.aggregate add : i64 attributes {l} {
func.func @attributes(%A: tensor<?xi64>, %n: index, %t: i1) -> i64 {
  %B = comprehension.build (%n) : tensor<?xi64> attributes {a = 1 : i64} {
    %i, %a = comprehension.each %A full {b} : tensor<?xi64>
    %j = comprehension.range %n to %n step 2 {c}
    comprehension.guard %t {d}
    %gi, %as = comprehension.group_by keys(%i) values(%a) {e} : index, !comprehension.bag<i64>
    %s = comprehension.reduce add %as {f} : !comprehension.bag<i64>
    %l = comprehension.length %as {g} : !comprehension.bag<i64>
    %x = comprehension.random 0 seed(%l) at(%n) {h}
    comprehension.yield (%gi) %s {i}
  }
  %C = comprehension.merge add %B : tensor<?xi64> attributes {j} {
    %i, %a = comprehension.each %A : tensor<?xi64>
    comprehension.yield (%i) %a
  }
  %D = comprehension.collect : !comprehension.bag<i64> attributes {k} {
    %i, %a = comprehension.each %A : tensor<?xi64>
    comprehension.yield %a
  }
  %S = comprehension.aggregate add : i64 attributes {l} {
    %i, %a = comprehension.each %A : tensor<?xi64>
    comprehension.yield %a
  }
  func.return %S : i64
}

// GENERIC:      "comprehension.monoid"() <{sym_name = "odd", {{.*}}any_order
// GENERIC:      "comprehension.monoid"() <{sym_name = "argmin", element = tuple<f64, i64>, identity = [0x7ff0000000000000 : f64, -1 : i64]}> ({
// GENERIC-NEXT: ^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
// GENERIC-NEXT:   %dx, %kx = "comprehension.unpack"(%x) : (tuple<f64, i64>) -> (f64, i64)

// CHECK-LABEL: comprehension.monoid @odd any_order : i1 identity false {
// CHECK-LABEL: comprehension.monoid @argmin : tuple<f64, i64> identity [0x7ff0000000000000 : f64, -1 : i64] {
// CHECK-NEXT:  ^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
// CHECK-NEXT:    %dx, %kx = comprehension.unpack %x : tuple<f64, i64>
// CHECK:         comprehension.yield %least
comprehension.monoid @odd any_order : i1 identity false {
^bb0(%x: i1, %y: i1):
  %either = arith.xori %x, %y : i1
  comprehension.yield %either
}
comprehension.monoid @argmin : tuple<f64, i64> identity [0x7FF0000000000000 : f64, -1 : i64] {
^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
  %dx, %kx = comprehension.unpack %x : tuple<f64, i64>
  %dy, %ky = comprehension.unpack %y : tuple<f64, i64>
  %less = arith.cmpf ole, %dx, %dy : f64
  %least = arith.select %less, %x, %y : tuple<f64, i64>
  comprehension.yield %least
}

// CHECK-LABEL: func.func @values
// CHECK-NEXT:    %t = comprehension.pack %d, %k : tuple<f64, i64>
// CHECK-NEXT:    %key = comprehension.hash %d : f64
// CHECK-NEXT:    %name = comprehension.string "al\22ice"
// CHECK-NEXT:    %same = comprehension.string_call "eq"(%name, %s) : (!comprehension.string, !comprehension.string) -> i1
// CHECK-NEXT:    %rows = comprehension.list (%d, %s), (%d, %name) : !comprehension.bag<f64, !comprehension.string>
// CHECK-NEXT:    %none = comprehension.list : !comprehension.bag<f64>
// CHECK-NEXT:    %a, %inside = comprehension.probe %A[%i, %i] : tensor<?x?xf64>
// CHECK-NEXT:    %m, %found = comprehension.probe %M[%s] : !comprehension.bag<keys = 1, !comprehension.string, i64>
// GENERIC:      "comprehension.pack"(%d, %k) : (f64, i64) -> tuple<f64, i64>
// GENERIC-NEXT: "comprehension.hash"(%d) : (f64) -> index
// GENERIC-NEXT: "comprehension.string"() <{value = "al\22ice"}> : () -> !comprehension.string
// GENERIC-NEXT: "comprehension.string_call"(%name, %s) <{function = "eq"}> : (!comprehension.string, !comprehension.string) -> i1
// GENERIC-NEXT: "comprehension.list"(%d, %s, %d, %name) : (f64, !comprehension.string, f64, !comprehension.string) -> !comprehension.bag<f64, !comprehension.string>
// GENERIC-NEXT: "comprehension.list"() : () -> !comprehension.bag<f64>
// GENERIC-NEXT: "comprehension.probe"(%A, %i, %i) : (tensor<?x?xf64>, index, index) -> (f64, i1)
// GENERIC-NEXT: "comprehension.probe"(%M, %s) : (!comprehension.bag<keys = 1, !comprehension.string, i64>, !comprehension.string) -> (i64, i1)
func.func @values(%d: f64, %k: i64, %s: !comprehension.string, %A: tensor<?x?xf64>, %i: index,
                  %M: !comprehension.bag<keys = 1, !comprehension.string, i64>) {
  %t = comprehension.pack %d, %k : tuple<f64, i64>
  %key = comprehension.hash %d : f64
  %name = comprehension.string "al\"ice"
  %same = comprehension.string_call "eq"(%name, %s)
      : (!comprehension.string, !comprehension.string) -> i1
  %rows = comprehension.list (%d, %s), (%d, %name) : !comprehension.bag<f64, !comprehension.string>
  %none = comprehension.list : !comprehension.bag<f64>
  %a, %inside = comprehension.probe %A[%i, %i] : tensor<?x?xf64>
  %m, %found = comprehension.probe %M[%s] : !comprehension.bag<keys = 1, !comprehension.string, i64>
  func.return
}

// A comprehension may stand in another one, and reads what that binds.
// CHECK-LABEL: func.func @nested
// CHECK:           %k, %v = comprehension.each %L : !comprehension.bag<i64, f64>
// CHECK-NEXT:      %inner = comprehension.collect : !comprehension.bag<f64> {
// CHECK-NEXT:        %l, %w = comprehension.each %L : !comprehension.bag<i64, f64>
// CHECK-NEXT:        %same = arith.cmpi eq, %k, %l : i64
// CHECK-NEXT:        comprehension.guard %same
// CHECK-NEXT:        comprehension.yield %w
// CHECK-NEXT:      }
// CHECK-NEXT:      comprehension.yield (%k) %inner
func.func @nested(%L: !comprehension.bag<i64, f64>)
    -> !comprehension.bag<i64, !comprehension.bag<f64>> {
  %rows = comprehension.collect : !comprehension.bag<i64, !comprehension.bag<f64>> {
    %k, %v = comprehension.each %L : !comprehension.bag<i64, f64>
    %inner = comprehension.collect : !comprehension.bag<f64> {
      %l, %w = comprehension.each %L : !comprehension.bag<i64, f64>
      %same = arith.cmpi eq, %k, %l : i64
      comprehension.guard %same
      comprehension.yield %w
    }
    comprehension.yield (%k) %inner
  }
  func.return %rows : !comprehension.bag<i64, !comprehension.bag<f64>>
}

// CHECK-LABEL: func.func @value_attributes
// CHECK-NEXT:    %t = comprehension.pack %d, %k {a} : tuple<f64, i64>
// CHECK-NEXT:    comprehension.unpack %t {b} : tuple<f64, i64>
// CHECK-NEXT:    comprehension.hash %d {c} : f64
// CHECK-NEXT:    %s = comprehension.string "" {d}
// CHECK-NEXT:    comprehension.string_call "length"(%s) {e} : (!comprehension.string) -> i64
// CHECK-NEXT:    comprehension.list (%d), (%d) {f} : !comprehension.bag<f64>
// CHECK-NEXT:    comprehension.probe %A[%i] {g} : tensor<?xf64>
func.func @value_attributes(%d: f64, %k: i64, %A: tensor<?xf64>, %i: index) {
  %t = comprehension.pack %d, %k {a} : tuple<f64, i64>
  %x, %y = comprehension.unpack %t {b} : tuple<f64, i64>
  %h = comprehension.hash %d {c} : f64
  %s = comprehension.string "" {d}
  %n = comprehension.string_call "length"(%s) {e} : (!comprehension.string) -> i64
  %l = comprehension.list (%d), (%d) {f} : !comprehension.bag<f64>
  %v, %found = comprehension.probe %A[%i] {g} : tensor<?xf64>
  func.return
}

// CHECK-LABEL: func.func @nested_groups
// CHECK:         %g, %pairs, %ks = comprehension.group_by keys(%k) values(%d, %k, %k) : i64, !comprehension.bag<f64, i64>, !comprehension.bag<i64>
// CHECK:         comprehension.merge add %M : !comprehension.bag<keys = 1, i64, f64> {
// CHECK:         comprehension.merge @argmin %T : tensor<?xtuple<f64, i64>> {
// CHECK:         comprehension.aggregate @argmin : tuple<f64, i64> {
func.func @nested_groups(%L: !comprehension.bag<f64, i64>, %M: !comprehension.bag<keys = 1, i64, f64>,
                  %T: tensor<?xtuple<f64, i64>>, %i: index) {
  %groups = comprehension.collect : !comprehension.bag<i64, !comprehension.bag<f64, i64>> {
    %d, %k = comprehension.each %L : !comprehension.bag<f64, i64>
    %g, %pairs, %ks = comprehension.group_by keys(%k) values(%d, %k, %k)
        : i64, !comprehension.bag<f64, i64>, !comprehension.bag<i64>
    comprehension.yield (%g) %pairs
  }
  %sums = comprehension.merge add %M : !comprehension.bag<keys = 1, i64, f64> {
    %d, %k = comprehension.each %L : !comprehension.bag<f64, i64>
    comprehension.yield (%k) %d
  }
  %least = comprehension.merge @argmin %T : tensor<?xtuple<f64, i64>> {
    %d, %k = comprehension.each %L : !comprehension.bag<f64, i64>
    %t = comprehension.pack %d, %k : tuple<f64, i64>
    comprehension.yield (%i) %t
  }
  %one = comprehension.aggregate @argmin : tuple<f64, i64> {
    %d, %k = comprehension.each %L : !comprehension.bag<f64, i64>
    %t = comprehension.pack %d, %k : tuple<f64, i64>
    comprehension.yield %t
  }
  func.return
}

// CHECK-LABEL: func.func @unsigned
// CHECK-NEXT:    %x = comprehension.unsigned 200 : ui8
func.func @unsigned() -> ui8 {
  %x = comprehension.unsigned 200 : ui8
  func.return %x : ui8
}

// CHECK-LABEL: func.func @remainder
// CHECK-NEXT:    %r = comprehension.remainder %a, %b : f64
func.func @remainder(%a: f64, %b: f64) -> f64 {
  %r = comprehension.remainder %a, %b : f64
  func.return %r : f64
}

// CHECK-LABEL: func.func @complex_numbers
// CHECK-NEXT:    comprehension.complex_constant #complex.number<:f64 0.000000e+00, 1.000000e+00> : complex<f64> {a}
// CHECK-NEXT:    %z = comprehension.to_complex %x : f64 -> complex<f64>
// CHECK-NEXT:    %v = comprehension.to_complex %w : complex<f32> -> complex<f64>
// CHECK-NEXT:    comprehension.number_call "sinh"(%z) : (complex<f64>) -> complex<f64>
// GENERIC:       "comprehension.complex_constant"() <{value = #complex.number
func.func @complex_numbers(%x: f64, %w: complex<f32>) -> complex<f64> {
  %i = comprehension.complex_constant #complex.number<:f64 0.0, 1.0> : complex<f64> {a}
  %z = comprehension.to_complex %x : f64 -> complex<f64>
  %v = comprehension.to_complex %w : complex<f32> -> complex<f64>
  %s = comprehension.number_call "sinh"(%z) : (complex<f64>) -> complex<f64>
  func.return %s : complex<f64>
}

// CHECK-LABEL: func.func @element
// CHECK-NEXT:    %k, %v = comprehension.element %rows[%i] : !comprehension.bag<i64, f64>
// CHECK-NEXT:    %w = comprehension.element %words[%i] {g} : !comprehension.bag<!comprehension.string>
func.func @element(%rows: !comprehension.bag<i64, f64>, %words: !comprehension.bag<!comprehension.string>, %i: i64) {
  %k, %v = comprehension.element %rows[%i] : !comprehension.bag<i64, f64>
  %w = comprehension.element %words[%i] {g} : !comprehension.bag<!comprehension.string>
  func.return
}

// Which row comes last, and in which order the rows of a list come.
// CHECK-LABEL: func.func @order
// CHECK:           comprehension.each %rows sorted : !comprehension.bag<i64, f64>
// CHECK:           %a, %b = comprehension.last %vs by 1 {n} : !comprehension.bag<i64, f64, i64>
// CHECK:           comprehension.last %vs by 0 : !comprehension.bag<i64, f64, i64>
// GENERIC:         "comprehension.last"(%vs) <{places = 1 : i64}>
func.func @order(%rows: !comprehension.bag<i64, f64>) -> !comprehension.bag<keys = 1, f64, f64, i64> {
  %M = comprehension.collect : !comprehension.bag<keys = 1, f64, f64, i64> {
    %k, %v = comprehension.each %rows sorted : !comprehension.bag<i64, f64>
    %g, %vs = comprehension.group_by keys(%v) values(%k, %v, %k) : f64, !comprehension.bag<i64, f64, i64>
    %a, %b = comprehension.last %vs by 1 {n} : !comprehension.bag<i64, f64, i64>
    %x, %y, %z = comprehension.last %vs by 0 : !comprehension.bag<i64, f64, i64>
    comprehension.yield (%g) %a, %b
  }
  func.return %M : !comprehension.bag<keys = 1, f64, f64, i64>
}
