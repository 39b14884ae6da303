// Every op and type, in the custom and the generic form, comes back as it was.
// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @variables
// CHECK-SAME:      %t: !diablo.ref<!comprehension.bag<i64>>
// CHECK-NEXT:    %A = diablo.var "A" = %a : tensor<?x?xf64>
// CHECK-NEXT:    %x = diablo.var "a name" = %v : f64
// CHECK-NEXT:    %array = diablo.load %A : !diablo.ref<tensor<?x?xf64>>
// CHECK-NEXT:    %element = diablo.load %A[%i, %j] : !diablo.ref<tensor<?x?xf64>>
// CHECK-NEXT:    %number = diablo.load %x : !diablo.ref<f64>
// CHECK-NEXT:    diablo.store %array, %A : !diablo.ref<tensor<?x?xf64>>
// CHECK-NEXT:    diablo.store %number, %A[%j, %i] : !diablo.ref<tensor<?x?xf64>>
// CHECK-NEXT:    diablo.accumulate max %element, %x : !diablo.ref<f64>
// CHECK-NEXT:    diablo.accumulate add %number, %A[%i, %i] : !diablo.ref<tensor<?x?xf64>>
func.func @variables(%a: tensor<?x?xf64>, %v: f64, %i: index, %j: index, %t: !diablo.ref<!comprehension.bag<i64>>) {
  %A = diablo.var "A" = %a : tensor<?x?xf64>
  %x = diablo.var "a name" = %v : f64
  %array = diablo.load %A : !diablo.ref<tensor<?x?xf64>>
  %element = diablo.load %A[%i, %j] : !diablo.ref<tensor<?x?xf64>>
  %number = diablo.load %x : !diablo.ref<f64>
  diablo.store %array, %A : !diablo.ref<tensor<?x?xf64>>
  diablo.store %number, %A[%j, %i] : !diablo.ref<tensor<?x?xf64>>
  diablo.accumulate max %element, %x : !diablo.ref<f64>
  diablo.accumulate add %number, %A[%i, %i] : !diablo.ref<tensor<?x?xf64>>
  func.return
}
// GENERIC:      "diablo.var"(%a) <{sym_name = "A"}> : (tensor<?x?xf64>) -> !diablo.ref<tensor<?x?xf64>>
// GENERIC:      "diablo.store"(%number, %A, %j, %i) : (f64, !diablo.ref<tensor<?x?xf64>>, index, index) -> ()
// GENERIC-NEXT: "diablo.accumulate"(%element, %x) <{monoid = "max"}>

// CHECK-LABEL: func.func @loops
// CHECK-NEXT:    diablo.for %i = %lo to %hi {
// CHECK-NEXT:      diablo.for %j = %hi to %lo step -3 {
// CHECK-NEXT:        %w = arith.addf %v, %v : f64
// CHECK-NEXT:        diablo.store %w, %R[%j] : !diablo.ref<tensor<?xf64>>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    diablo.foreach %k, %l, %a in %A : tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {
// CHECK-NEXT:      diablo.accumulate add %a, %R[%k] : !diablo.ref<tensor<?xf64>>
// CHECK-NEXT:    }
// CHECK-NEXT:    diablo.foreach %p, %q in %rows : !comprehension.bag<i64, f64> {
// CHECK-NEXT:    }
// CHECK-NEXT:    diablo.for %n = %lo to %hi {
// CHECK-NEXT:    }
// CHECK-NEXT:    diablo.for ordered %s = %lo to %hi step 2 {
// CHECK-NEXT:      diablo.foreach ordered %t, %u in %rows : !comprehension.bag<i64, f64> {
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @loops(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %rows: !comprehension.bag<i64, f64>,
                 %R: !diablo.ref<tensor<?xf64>>, %lo: index, %hi: index, %v: f64) {
  diablo.for %i = %lo to %hi {
    diablo.for %j = %hi to %lo step -3 {
      %w = arith.addf %v, %v : f64
      diablo.store %w, %R[%j] : !diablo.ref<tensor<?xf64>>
    }
  }
  diablo.foreach %k, %l, %a in %A : tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {
    diablo.accumulate add %a, %R[%k] : !diablo.ref<tensor<?xf64>>
  }
  diablo.foreach %p, %q in %rows : !comprehension.bag<i64, f64> {
  }
  diablo.for %n = %lo to %hi {
  }
  diablo.for ordered %s = %lo to %hi step 2 {
    diablo.foreach ordered %t, %u in %rows : !comprehension.bag<i64, f64> {
    }
  }
  func.return
}
// GENERIC:      "diablo.for"(%lo, %hi) ({
// GENERIC-NEXT: ^bb0(%i: index):
// GENERIC-NEXT:   "diablo.for"(%hi, %lo) <{step = -3 : i64}> ({

// Attributes that no op knows stay where they are.
// CHECK-LABEL: func.func @attributes
// CHECK-NEXT:    %x = diablo.var "x" = %i {a} : index
// CHECK-NEXT:    %{{.*}} = diablo.load %x {b = 1 : i64} : !diablo.ref<index>
// CHECK-NEXT:    diablo.store %i, %x {c} : !diablo.ref<index>
// CHECK-NEXT:    diablo.accumulate add %i, %x {d} : !diablo.ref<index>
// CHECK-NEXT:    diablo.for %j = %i to %i step 2 attributes {e} {
// CHECK:         diablo.foreach %k in %r : !comprehension.bag<i64> attributes {f} {
func.func @attributes(%i: index, %r: !comprehension.bag<i64>) {
  %x = diablo.var "x" = %i {a} : index
  %y = diablo.load %x {b = 1 : i64} : !diablo.ref<index>
  diablo.store %i, %x {c} : !diablo.ref<index>
  diablo.accumulate add %i, %x {d} : !diablo.ref<index>
  diablo.for %j = %i to %i step 2 attributes {e} {
  }
  diablo.foreach %k in %r : !comprehension.bag<i64> attributes {f} {
  }
  func.return
}

// CHECK-LABEL: func.func @maps
// CHECK-NEXT:    %v = diablo.load %M[%name, %k] : !diablo.ref<!comprehension.bag<keys = 2, !comprehension.string, i64, f64>>
// CHECK-NEXT:    diablo.store %v, %M[%name, %k] : !diablo.ref<!comprehension.bag<keys = 2, !comprehension.string, i64, f64>>
// CHECK-NEXT:    diablo.accumulate max %v, %M[%name, %k] : !diablo.ref<!comprehension.bag<keys = 2, !comprehension.string, i64, f64>>
// CHECK-NEXT:    %map = diablo.load %M : !diablo.ref<!comprehension.bag<keys = 2, !comprehension.string, i64, f64>>
// CHECK-NEXT:    diablo.foreach %n, %l, %w in %map : !comprehension.bag<keys = 2, !comprehension.string, i64, f64> {
// GENERIC:      "diablo.load"(%M, %name, %k) : (!diablo.ref<!comprehension.bag<keys = 2, !comprehension.string, i64, f64>>, !comprehension.string, i64) -> f64
!map = !comprehension.bag<keys = 2, !comprehension.string, i64, f64>
func.func @maps(%M: !diablo.ref<!map>, %name: !comprehension.string, %k: i64) {
  %v = diablo.load %M[%name, %k] : !diablo.ref<!map>
  diablo.store %v, %M[%name, %k] : !diablo.ref<!map>
  diablo.accumulate max %v, %M[%name, %k] : !diablo.ref<!map>
  %map = diablo.load %M : !diablo.ref<!map>
  diablo.foreach %n, %l, %w in %map : !map {
  }
  func.return
}

// A part of an element, parts of a tuple that are variables of their own, a computed step.
// CHECK-LABEL: func.func @parts
// CHECK:         diablo.store %v, %T[%i] part 1 : !diablo.ref<tensor<?xtuple<i64, f64>>>
// CHECK-NEXT:    diablo.store %t, %T[%i] part 0 size 2 : !diablo.ref<tensor<?xtuple<i64, f64>>>
// CHECK-NEXT:    diablo.accumulate add %v, %T[%i] part 1 : !diablo.ref<tensor<?xtuple<i64, f64>>>
// CHECK-NEXT:    diablo.accumulate_parts @both %t, %k, %x : !diablo.ref<i64>, !diablo.ref<f64>
// CHECK-NEXT:    diablo.accumulate_parts @places %p, %A, %B [%i] from [-9] : !diablo.ref<tensor<?xi64>>, !diablo.ref<tensor<?xf64>>
// CHECK-NEXT:    diablo.accumulate_parts @both %t, %T part 0, %B [%i] : !diablo.ref<tensor<?xtuple<i64, f64>>>, !diablo.ref<tensor<?xf64>>
// CHECK-NEXT:    diablo.for %{{.*}} = %i to %i step %i {
// CHECK:         diablo.for %{{.*}} = %i to %i step -2 {
comprehension.monoid @both : tuple<i64, f64> identity [0, 0.0 : f64] {
^bb0(%a: tuple<i64, f64>, %b: tuple<i64, f64>):
  comprehension.yield %a
}
comprehension.monoid @places : tuple<i64, f64, i64> identity [0, 0.0 : f64, 0] {
^bb0(%a: tuple<i64, f64, i64>, %b: tuple<i64, f64, i64>):
  comprehension.yield %a
}
func.func @parts(%i: index, %v: f64, %t: tuple<i64, f64>, %T: !diablo.ref<tensor<?xtuple<i64, f64>>>,
                 %k: !diablo.ref<i64>, %x: !diablo.ref<f64>, %p: tuple<i64, f64, i64>,
                 %A: !diablo.ref<tensor<?xi64>>, %B: !diablo.ref<tensor<?xf64>>) {
  diablo.store %v, %T[%i] part 1 : !diablo.ref<tensor<?xtuple<i64, f64>>>
  diablo.store %t, %T[%i] part 0 size 2 : !diablo.ref<tensor<?xtuple<i64, f64>>>
  diablo.accumulate add %v, %T[%i] part 1 : !diablo.ref<tensor<?xtuple<i64, f64>>>
  diablo.accumulate_parts @both %t, %k, %x : !diablo.ref<i64>, !diablo.ref<f64>
  diablo.accumulate_parts @places %p, %A, %B [%i] from [-9] : !diablo.ref<tensor<?xi64>>, !diablo.ref<tensor<?xf64>>
  diablo.accumulate_parts @both %t, %T part 0, %B [%i] : !diablo.ref<tensor<?xtuple<i64, f64>>>, !diablo.ref<tensor<?xf64>>
  diablo.for %j = %i to %i step %i {
  }
  diablo.for %j = %i to %i step -2 {
  }
  func.return
}

!table = !comprehension.bag<keys = 1, i64, tuple<i64, f64>>
// CHECK-LABEL: func.func @absent
// CHECK:         diablo.var "M" = %m absent [unit, 0x7ff0000000000000 : f64] {a} : !comprehension.bag<keys = 1, i64, tuple<i64, f64>>
func.func @absent(%m: !table) {
  %M = diablo.var "M" = %m absent [unit, 0x7ff0000000000000 : f64] {a} : !table
  func.return
}

// CHECK-LABEL: func.func @required
// CHECK-NEXT:    %x = diablo.require %v if %found : f64
// CHECK-NEXT:    %y = diablo.require %t if %found {a = 1 : i64} : tensor<?xf64>
// GENERIC:      "diablo.require"(%v, %found) : (f64, i1) -> f64
func.func @required(%v: f64, %t: tensor<?xf64>, %found: i1) {
  %x = diablo.require %v if %found : f64
  %y = diablo.require %t if %found {a = 1 : i64} : tensor<?xf64>
  func.return
}
