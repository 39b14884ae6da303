// RUN: diablo-opt %s -p prune-regions,dce --split-input-file | filecheck %s
// RUN: diablo-opt %s -p prune-regions --remarks --split-input-file -o %t 2>&1 | filecheck %s --check-prefix=REMARK

!dense = tensor<?xf64>
!region = tensor<?x?xi1, #tensor_block.tiles<dense = 0>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 0>>

// What is only written to at the indices of a region lies within it, whatever is written, also
// behind a loop. The region is not looked at where the stored elements of the array are.
// REMARK:        remark: A2 lies within R, which is not looked at
// CHECK-LABEL: func.func @written
// CHECK:         comprehension.aggregate
// CHECK-NEXT:      %i_{{.+}}, %j_{{.+}}, %a = comprehension.each %A2 : tensor
// CHECK-NEXT:      comprehension.yield %a
func.func @written(%R: !region, %n: index, %c: i1) -> f64 {
  %A0 = comprehension.build (%n, %n) : !sparse {
    %never = arith.constant false
    %zero = arith.constant 0.0 : f64
    %k = arith.constant 0 : index
    comprehension.guard %never
    comprehension.yield (%k, %k) %zero
  }
  %A1 = comprehension.merge %A0 : !sparse {
    %one = arith.constant 1.0 : f64
    %i, %j, %r = comprehension.each %R : !region
    comprehension.yield (%i, %j) %one
  }
  %A2 = scf.while (%A = %A1) : (!sparse) -> !sparse {
    scf.condition(%c) %A : !sparse
  } do {
  ^bb0(%B: !sparse):
    %B1 = scf.if %c -> (!sparse) {
      %B2 = comprehension.merge add %B : !sparse {
        %i, %j, %b = comprehension.each %B : !sparse
        comprehension.yield (%i, %j) %b
      }
      scf.yield %B2 : !sparse
    } else {
      scf.yield %B : !sparse
    }
    scf.yield %B1 : !sparse
  }
  %s = comprehension.aggregate add : f64 {
    %i, %j, %r = comprehension.each %R : !region
    %ii, %jj, %a = comprehension.each %A2 : !sparse
    %p = arith.cmpi eq, %ii, %i : index
    comprehension.guard %p
    %q = arith.cmpi eq, %jj, %j : index
    comprehension.guard %q
    comprehension.yield %a
  }
  func.return %s : f64
}

// -----

!region = tensor<?x?xi1, #tensor_block.tiles<dense = 0>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 0>>

// A region of a region lies within it, so that reading the larger one says `true`; what groups
// of indices give keeps within, too.
// CHECK-LABEL: func.func @nested
// CHECK:         comprehension.aggregate
// CHECK-NEXT:      %{{.+}} = comprehension.each %Diag : tensor
// CHECK-NEXT:      [[TRUE:%.+]] = arith.constant true
// CHECK-NEXT:      arith.select [[TRUE]]
// CHECK:         comprehension.aggregate
// CHECK-NEXT:      comprehension.each %Sums : tensor
// CHECK-NEXT:      comprehension.yield
func.func @nested(%Tri: !region, %n: index, %x: f64, %y: f64) -> (f64, f64) {
  %Diag = comprehension.build (%n, %n) : !region {
    %i, %j, %r = comprehension.each %Tri : !region
    %p = arith.cmpi eq, %i, %j : index
    comprehension.guard %p
    comprehension.yield (%i, %i) %r
  }
  %s = comprehension.aggregate add : f64 {
    %i, %j, %r = comprehension.each %Diag : !region
    %k, %l, %t = comprehension.each %Tri full : !region
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %q = arith.cmpi eq, %l, %j : index
    comprehension.guard %q
    %v = arith.select %t, %x, %y : f64
    comprehension.yield %v
  }
  %Sums = comprehension.build (%n, %n) : !sparse {
    %i, %j, %r = comprehension.each %Tri : !region
    %k = comprehension.range %i to %j
    %g, %h, %vs = comprehension.group_by keys(%i, %j) values(%x) : index, index, !comprehension.bag<f64>
    %v = comprehension.reduce add %vs : !comprehension.bag<f64>
    comprehension.yield (%g, %h) %v
  }
  %t = comprehension.aggregate add : f64 {
    %k, %l, %v = comprehension.each %Sums : !sparse
    %i, %j, %r = comprehension.each %Tri : !region
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %q = arith.cmpi eq, %l, %j : index
    comprehension.guard %q
    comprehension.yield %v
  }
  func.return %s, %t : f64, f64
}

// -----

!region = tensor<?x?xi1, #tensor_block.tiles<dense = 0>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 0>>

// What a region has grown by keeps in it what was in it.
// CHECK-LABEL: func.func @grown
// CHECK:         comprehension.aggregate
// CHECK-NEXT:      comprehension.each %R : tensor
// CHECK-NEXT:      comprehension.yield
func.func @grown(%R: !region, %Q: !region) -> i64 {
  %one = arith.constant 1 : i64
  %U = comprehension.merge or %R : !region {
    %i, %j, %q = comprehension.each %Q : !region
    comprehension.yield (%i, %j) %q
  }
  %s = comprehension.aggregate add : i64 {
    %i, %j, %r = comprehension.each %R : !region
    %k, %l, %u = comprehension.each %U : !region
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %q = arith.cmpi eq, %l, %j : index
    comprehension.guard %q
    comprehension.yield %one
  }
  func.return %s : i64
}

// -----

!region = tensor<?x?xi1, #tensor_block.tiles<dense = 0>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 0>>

// These hold back: an array that may be anything, one that is written to elsewhere as well, one
// of which all elements count, and the region at other indices.
// REMARK:        remark: the indices of R are tested: it is not known that A stores elements only there
// REMARK:        remark: the indices of R are tested: it is not known that B stores elements only there
// CHECK-LABEL: func.func @elsewhere
// CHECK-COUNT-5:   comprehension.each %R : tensor
func.func @elsewhere(%R: !region, %A: !sparse, %n: index) -> (f64, f64, f64, f64) {
  %B = comprehension.merge %A : !sparse {
    %i, %j, %r = comprehension.each %R : !region
    %one = arith.constant 1.0 : f64
    comprehension.yield (%i, %j) %one
  }
  %C = comprehension.build (%n, %n) : !sparse {
    %k, %l, %a = comprehension.each %A : !sparse
    %i, %j, %r = comprehension.each %R : !region
    %p = arith.cmpi eq, %i, %k : index
    comprehension.guard %p
    %q = arith.cmpi eq, %j, %l : index
    comprehension.guard %q
    comprehension.yield (%i, %j) %a
  }
  %s = comprehension.aggregate add : f64 {
    %i, %j, %r = comprehension.each %R : !region
    %k, %l, %b = comprehension.each %B : !sparse
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %q = arith.cmpi eq, %l, %j : index
    comprehension.guard %q
    comprehension.yield %b
  }
  %t = comprehension.aggregate add : f64 {
    %i, %j, %r = comprehension.each %R : !region
    %k, %l, %c = comprehension.each %C full : !sparse
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %q = arith.cmpi eq, %l, %j : index
    comprehension.guard %q
    %d = math.exp %c : f64
    comprehension.yield %d
  }
  %u = comprehension.aggregate add : f64 {
    %i, %j, %r = comprehension.each %R : !region
    %k, %l, %c = comprehension.each %C : !sparse
    %p = arith.cmpi eq, %k, %j : index
    comprehension.guard %p
    %q = arith.cmpi eq, %l, %i : index
    comprehension.guard %q
    comprehension.yield %c
  }
  func.return %s, %t, %u, %s : f64, f64, f64, f64
}

// -----

!region = tensor<?x?xi1, #tensor_block.tiles<dense = 0>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 0>>

// What lies within one side of a union lies within it, and so does a union of such arrays.
// REMARK:        remark: A lies within U, which is not looked at
// REMARK:        remark: V lies within U, which is not looked at
// CHECK-LABEL: func.func @union
// CHECK:         comprehension.aggregate
// CHECK-NEXT:      comprehension.each %A : tensor
// CHECK-NEXT:      comprehension.yield
// CHECK:         comprehension.aggregate
// CHECK-NEXT:      comprehension.each %V : tensor
// CHECK-NEXT:      comprehension.yield
func.func @union(%R: !region, %x: f64, %n: index) -> (f64, f64) {
  %Q = comprehension.build (%n, %n) : !region {
    %true = arith.constant true
    %i = arith.constant 3 : index
    comprehension.yield (%i, %i) %true
  }
  %P = comprehension.build (%n, %n) : !region {
    %i, %j, %r = comprehension.each %R : !region
    comprehension.yield (%i, %j) %r
  }
  %U = comprehension.build (%n, %n) : !region {
    %i, %j, %q = comprehension.each %Q full : !region
    %k, %l, %r = comprehension.each %P full : !region
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %s = arith.cmpi eq, %l, %j : index
    comprehension.guard %s
    %u = arith.ori %q, %r : i1
    comprehension.yield (%i, %j) %u
  }
  %A = comprehension.build (%n, %n) : !sparse {
    %i, %j, %q = comprehension.each %Q : !region
    comprehension.yield (%i, %j) %x
  }
  %V = comprehension.build (%n, %n) : !region {
    %i, %j, %q = comprehension.each %Q full : !region
    %k, %l, %r = comprehension.each %P full : !region
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %s = arith.cmpi eq, %l, %j : index
    comprehension.guard %s
    %u = arith.ori %r, %q : i1
    comprehension.yield (%k, %l) %u
  }
  %s = comprehension.aggregate add : f64 {
    %i, %j, %u = comprehension.each %U : !region
    %k, %l, %a = comprehension.each %A : !sparse
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %q = arith.cmpi eq, %l, %j : index
    comprehension.guard %q
    comprehension.yield %a
  }
  %t = comprehension.aggregate add : f64 {
    %i, %j, %u = comprehension.each %U : !region
    %k, %l, %v = comprehension.each %V : !region
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %q = arith.cmpi eq, %l, %j : index
    comprehension.guard %q
    comprehension.yield %x
  }
  func.return %s, %t : f64, f64
}

// -----

!region = tensor<?x?xi1, #tensor_block.tiles<dense = 0>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 0>>

// An array lies within the region of its elements that are not zero, if the ranges of the region
// are all of the array.
// REMARK:        remark: A lies within R, which is not looked at
// CHECK-LABEL: func.func @nonzeros
// CHECK:         comprehension.aggregate
// CHECK-NEXT:      comprehension.each %A : tensor
// CHECK-NEXT:      comprehension.yield
func.func @nonzeros(%A: !sparse {diablo.shape = array<i64: 6, 6>}) -> f64 {
  %n = arith.constant 6 : index
  %first = arith.constant 0 : index
  %last = arith.constant 5 : index
  %zero = arith.constant 0.0 : f64
  %R = comprehension.build (%n, %n) : !region {
    %i = comprehension.range %first to %last
    %k, %j, %a = comprehension.each %A : !sparse
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %there = arith.cmpf une, %a, %zero : f64
    comprehension.guard %there
    %true = arith.constant true
    comprehension.yield (%i, %j) %true
  }
  %s = comprehension.aggregate add : f64 {
    %i, %j, %r = comprehension.each %R : !region
    %k, %l, %a = comprehension.each %A : !sparse
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %q = arith.cmpi eq, %l, %j : index
    comprehension.guard %q
    comprehension.yield %a
  }
  func.return %s : f64
}

// -----

!region = tensor<?x?xi1, #tensor_block.tiles<dense = 0>>

// A region that is filled from a list without rows, and then within another one, lies within that.
// REMARK:        remark: Q lies within R, which is not looked at
// CHECK-LABEL: func.func @filled
// CHECK:         comprehension.aggregate
// CHECK-NEXT:      comprehension.each %Q : tensor
// CHECK-NEXT:      comprehension.yield
func.func @filled(%R: !region, %x: f64, %n: index) -> f64 {
  %none = comprehension.list : !comprehension.bag<index, index, i1>
  %Q0 = comprehension.build (%n, %n) : !region {
    %i, %j, %q = comprehension.each %none : !comprehension.bag<index, index, i1>
    comprehension.yield (%i, %j) %q
  }
  %Q = comprehension.merge %Q0 : !region {
    %i, %j, %r = comprehension.each %R : !region
    %p = arith.cmpi sle, %i, %j : index
    comprehension.guard %p
    comprehension.yield (%i, %j) %r
  }
  %s = comprehension.aggregate add : f64 {
    %i, %j, %q = comprehension.each %Q : !region
    %k, %l, %r = comprehension.each %R : !region
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %t = arith.cmpi eq, %l, %j : index
    comprehension.guard %t
    comprehension.yield %x
  }
  func.return %s : f64
}

// -----

!region = tensor<?x?xi1, #tensor_block.tiles<dense = 0>>

// These hold back: an intersection, a union that skips what one side alone stores, one of a
// diagonal, one of arrays that may have other extents, what is stored elsewhere or in part, and a
// region that an operator of the program's own may have taken elements from.
// REMARK:        remark: the indices of Both are tested: it is not known that A stores elements only there
// REMARK:        remark: the indices of Few are tested: it is not known that A stores elements only there
// REMARK:        remark: the indices of Diagonal are tested: it is not known that A stores elements only there
// REMARK:        remark: the indices of Small are tested: it is not known that A stores elements only there
// REMARK:        remark: the indices of Turned are tested: it is not known that A stores elements only there
// REMARK:        remark: the indices of Part are tested: it is not known that A stores elements only there
// REMARK:        remark: the indices of Less are tested: it is not known that A stores elements only there
// CHECK-LABEL: func.func @not_held
// CHECK:         comprehension.aggregate
// CHECK-NEXT:      comprehension.each %Both : tensor
// CHECK-NEXT:      comprehension.each %A : tensor
// CHECK:         comprehension.aggregate
// CHECK-NEXT:      comprehension.each %Few : tensor
// CHECK-NEXT:      comprehension.each %A : tensor
// CHECK:         comprehension.aggregate
// CHECK-NEXT:      comprehension.each %Diagonal : tensor
// CHECK-NEXT:      comprehension.each %A : tensor
// CHECK:         comprehension.aggregate
// CHECK-NEXT:      comprehension.each %Small : tensor
// CHECK-NEXT:      comprehension.each %A : tensor
// CHECK:         comprehension.aggregate
// CHECK-NEXT:      comprehension.each %Turned : tensor
// CHECK-NEXT:      comprehension.each %A : tensor
// CHECK:         comprehension.aggregate
// CHECK-NEXT:      comprehension.each %Part : tensor
// CHECK:         comprehension.aggregate
// CHECK-NEXT:      comprehension.each %Less : tensor
// CHECK-NEXT:      comprehension.each %A : tensor
comprehension.monoid @differ : i1 identity false {
^bb0(%x: i1, %y: i1):
  %z = arith.xori %x, %y : i1
  comprehension.yield %z
}
func.func @not_held(%A: !region {diablo.shape = array<i64: 6, 6>}, %B: !region {diablo.shape = array<i64: 6, 6>}, %C: !region, %x: f64) -> (f64, f64, f64, f64, f64, f64, f64) {
  %n = arith.constant 6 : index
  %one = arith.constant 1 : index
  %last = arith.constant 5 : index
  %Both = comprehension.build (%n, %n) : !region {
    %i, %j, %a = comprehension.each %A full : !region
    %k, %l, %b = comprehension.each %B full : !region
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %s = arith.cmpi eq, %l, %j : index
    comprehension.guard %s
    %u = arith.andi %a, %b : i1
    comprehension.yield (%i, %j) %u
  }
  %Few = comprehension.build (%n, %n) : !region {
    %i, %j, %a = comprehension.each %A full : !region
    %k, %l, %b = comprehension.each %B : !region
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %s = arith.cmpi eq, %l, %j : index
    comprehension.guard %s
    %u = arith.ori %a, %b : i1
    comprehension.yield (%i, %j) %u
  }
  %Diagonal = comprehension.build (%n, %n) : !region {
    %i, %j, %a = comprehension.each %A full : !region
    %k, %l, %b = comprehension.each %B full : !region
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %s = arith.cmpi eq, %l, %j : index
    comprehension.guard %s
    %d = arith.cmpi eq, %i, %j : index
    comprehension.guard %d
    %u = arith.ori %a, %b : i1
    comprehension.yield (%i, %j) %u
  }
  %Small = comprehension.build (%n, %n) : !region {
    %i, %j, %a = comprehension.each %A full : !region
    %k, %l, %b = comprehension.each %C full : !region
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %s = arith.cmpi eq, %l, %j : index
    comprehension.guard %s
    %u = arith.ori %a, %b : i1
    comprehension.yield (%i, %j) %u
  }
  %Turned = comprehension.build (%n, %n) : !region {
    %i, %j, %a = comprehension.each %A full : !region
    comprehension.yield (%j, %i) %a
  }
  %Part = comprehension.build (%n, %n) : !region {
    %i = comprehension.range %one to %last
    %k, %j, %a = comprehension.each %A full : !region
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    comprehension.yield (%i, %j) %a
  }
  %Less = comprehension.merge @differ %A : !region {
    %i, %j, %b = comprehension.each %B : !region
    %true = arith.constant true
    comprehension.yield (%i, %j) %true
  }
  %s0 = comprehension.aggregate add : f64 {
    %i, %j, %r = comprehension.each %Both : !region
    %k, %l, %a = comprehension.each %A : !region
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %q = arith.cmpi eq, %l, %j : index
    comprehension.guard %q
    comprehension.yield %x
  }
  %s1 = comprehension.aggregate add : f64 {
    %i, %j, %r = comprehension.each %Few : !region
    %k, %l, %a = comprehension.each %A : !region
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %q = arith.cmpi eq, %l, %j : index
    comprehension.guard %q
    comprehension.yield %x
  }
  %s2 = comprehension.aggregate add : f64 {
    %i, %j, %r = comprehension.each %Diagonal : !region
    %k, %l, %a = comprehension.each %A : !region
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %q = arith.cmpi eq, %l, %j : index
    comprehension.guard %q
    comprehension.yield %x
  }
  %s3 = comprehension.aggregate add : f64 {
    %i, %j, %r = comprehension.each %Small : !region
    %k, %l, %a = comprehension.each %A : !region
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %q = arith.cmpi eq, %l, %j : index
    comprehension.guard %q
    comprehension.yield %x
  }
  %s4 = comprehension.aggregate add : f64 {
    %i, %j, %r = comprehension.each %Turned : !region
    %k, %l, %a = comprehension.each %A : !region
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %q = arith.cmpi eq, %l, %j : index
    comprehension.guard %q
    comprehension.yield %x
  }
  %s5 = comprehension.aggregate add : f64 {
    %i, %j, %r = comprehension.each %Part : !region
    %k, %l, %a = comprehension.each %A : !region
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %q = arith.cmpi eq, %l, %j : index
    comprehension.guard %q
    comprehension.yield %x
  }
  %s6 = comprehension.aggregate add : f64 {
    %i, %j, %r = comprehension.each %Less : !region
    %k, %l, %a = comprehension.each %A : !region
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %q = arith.cmpi eq, %l, %j : index
    comprehension.guard %q
    comprehension.yield %x
  }
  func.return %s0, %s1, %s2, %s3, %s4, %s5, %s6 : f64, f64, f64, f64, f64, f64, f64
}
