// The arrays of a loop that takes and changes elements one after the other are the driver's.
// RUN: diablo-opt %s --split-input-file -p place-loops --remarks 2>&1 | filecheck %s

// CHECK:       remark: the driver runs this loop, and has P and R: it takes and changes elements
// CHECK:       remark: the driver runs this loop, and has P: it takes and changes elements
// CHECK:       remark: the driver is not brought the arrays of this loop: it goes through all of A
// CHECK:       remark: the driver is not brought the arrays of this loop: its arrays have 100000000 elements, P0 alone 100000000, and the driver takes 67108864 at most
// CHECK:       remark: the driver runs this loop, and has P: it takes and changes elements
// CHECK:       remark: the driver runs this loop, and has P and A: it takes and changes elements
// CHECK:       remark: the driver is not brought the arrays of this loop: it makes all of M in each iteration
// CHECK:       remark: the driver runs this loop, and has V: it takes and changes elements
// CHECK-NOT:   remark

!tiles = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// What is given for the loop alone is the driver's from the start, also what it only reads.
// CHECK-LABEL: func.func @steps(%P0: tensor<?xf64>, %R: tensor<?xf64>, %n: index) -> tensor<?xf64> {
// CHECK-NOT:     comprehension.place
// CHECK:         scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %P0) : (index, tensor<?xf64>)
// CHECK:         tensor.extract %R[%{{.*}}] : tensor<?xf64>
// CHECK:         comprehension.merge add %{{.*}} : tensor<?xf64>
func.func @steps(%P0: !tiles, %R: !tiles, %n: index) -> !tiles {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last, %S = scf.while (%k = %zero, %P = %P0) : (index, !tiles) -> (index, !tiles) {
    %p = arith.cmpi slt, %k, %n : index
    scf.condition(%p) %k, %P : index, !tiles
  } do {
  ^bb0(%k: index, %P: !tiles):
    %x = tensor.extract %R[%k] : !tiles
    %Q = comprehension.merge add %P : !tiles {
      comprehension.yield (%k) %x
    }
    %next = arith.addi %k, %one : index
    scf.yield %next, %Q : index, !tiles
  }
  func.return %S : !tiles
}

// -----

!tiles = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// What is read elsewhere is brought to the driver before the loop, and distributed behind it.
// CHECK-LABEL: func.func @around(%A: tensor<?xf64, #tensor_block.tiles<dense = 1>>
// CHECK:         %[[HERE:.*]] = comprehension.place %A : tensor<?xf64, #tensor_block.tiles<dense = 1>> -> tensor<?xf64>
// CHECK:         scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %[[HERE]]) : (index, tensor<?xf64>)
// CHECK:         %[[TILES:.*]] = comprehension.place %{{.*}} : tensor<?xf64> -> tensor<?xf64, #tensor_block.tiles<dense = 1>>
// CHECK:         comprehension.each %[[TILES]]
// CHECK:         comprehension.each %A
func.func @around(%A: !tiles, %n: index) -> (f64, f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = arith.constant 2.0 : f64
  %last, %S = scf.while (%k = %zero, %P = %A) : (index, !tiles) -> (index, !tiles) {
    %p = arith.cmpi slt, %k, %n : index
    scf.condition(%p) %k, %P : index, !tiles
  } do {
  ^bb0(%k: index, %P: !tiles):
    %Q = comprehension.merge %P : !tiles {
      comprehension.yield (%k) %x
    }
    %next = arith.addi %k, %one : index
    scf.yield %next, %Q : index, !tiles
  }
  %s = comprehension.aggregate add : f64 {
    %i, %v = comprehension.each %S : !tiles
    comprehension.yield %v
  }
  %t = comprehension.aggregate add : f64 {
    %i, %v = comprehension.each %A : !tiles
    comprehension.yield %v
  }
  func.return %s, %t : f64, f64
}

// -----

!tiles = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// Held back: each iteration makes a whole array, and the element that it changes is the same always.
// CHECK-LABEL: func.func @bulk
// CHECK-NOT:     comprehension.place
// CHECK:         scf.while ({{.*}}) : (index, tensor<?xf64, #tensor_block.tiles<dense = 1>>)
func.func @bulk(%P0: !tiles, %n: index) -> !tiles {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = arith.constant 2.0 : f64
  %last, %S = scf.while (%k = %zero, %P = %P0) : (index, !tiles) -> (index, !tiles) {
    %p = arith.cmpi slt, %k, %n : index
    scf.condition(%p) %k, %P : index, !tiles
  } do {
  ^bb0(%k: index, %P: !tiles):
    %Q = comprehension.build (%n) : !tiles {
      %i, %v = comprehension.each %P : !tiles
      %w = arith.mulf %v, %x : f64
      comprehension.yield (%i) %w
    }
    %R = comprehension.merge %Q : !tiles {
      comprehension.yield (%zero) %x
    }
    %next = arith.addi %k, %one : index
    scf.yield %next, %R : index, !tiles
  }
  func.return %S : !tiles
}

// -----

!tiles = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// Held back: all of an array from outside is gone through in each iteration.
// CHECK-LABEL: func.func @sums
// CHECK-NOT:     comprehension.place
func.func @sums(%P0: !tiles, %A: !tiles, %n: index) -> !tiles {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last, %S = scf.while (%k = %zero, %P = %P0) : (index, !tiles) -> (index, !tiles) {
    %p = arith.cmpi slt, %k, %n : index
    scf.condition(%p) %k, %P : index, !tiles
  } do {
  ^bb0(%k: index, %P: !tiles):
    %x = comprehension.aggregate add : f64 {
      %i, %v = comprehension.each %A : !tiles
      comprehension.yield %v
    }
    %Q = comprehension.merge %P : !tiles {
      comprehension.yield (%k) %x
    }
    %next = arith.addi %k, %one : index
    scf.yield %next, %Q : index, !tiles
  }
  func.return %S : !tiles
}

// -----

!tiles = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// Held back: the driver would have to hold too much.
// CHECK-LABEL: func.func @large
// CHECK-NOT:     comprehension.place
func.func @large(%P0: !tiles {diablo.shape = array<i64: 100000000>}, %n: index) -> !tiles {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = arith.constant 2.0 : f64
  %last, %S = scf.while (%k = %zero, %P = %P0) : (index, !tiles) -> (index, !tiles) {
    %p = arith.cmpi slt, %k, %n : index
    scf.condition(%p) %k, %P : index, !tiles
  } do {
  ^bb0(%k: index, %P: !tiles):
    %Q = comprehension.merge %P : !tiles {
      comprehension.yield (%k) %x
    }
    %next = arith.addi %k, %one : index
    scf.yield %next, %Q : index, !tiles
  }
  func.return %S : !tiles
}

// -----

!tiles = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// However small it is, the result of a branch is in tiles where that of the other one is.
// CHECK-LABEL: func.func @chosen
// CHECK:         scf.if
// CHECK:           %[[HERE:.*]] = comprehension.place %P0
// CHECK:           scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %[[HERE]])
// CHECK:           %[[TILES:.*]] = comprehension.place
// CHECK:           scf.yield %[[TILES]]
// CHECK:           scf.yield %P0
func.func @chosen(%P0: !tiles {diablo.shape = array<i64: 10>}, %n: index, %c: i1) -> !tiles {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = arith.constant 2.0 : f64
  %R = scf.if %c -> (!tiles) {
    %last, %S = scf.while (%k = %zero, %P = %P0) : (index, !tiles) -> (index, !tiles) {
      %p = arith.cmpi slt, %k, %n : index
      scf.condition(%p) %k, %P : index, !tiles
    } do {
    ^bb0(%k: index, %P: !tiles):
      %Q = comprehension.merge %P : !tiles {
        comprehension.yield (%k) %x
      }
      %next = arith.addi %k, %one : index
      scf.yield %next, %Q : index, !tiles
    }
    scf.yield %S : !tiles
  } else {
    scf.yield %P0 : !tiles
  }
  func.return %R : !tiles
}

// -----

!tiles = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// A guard says which row is read, of the index as an integer.
// CHECK-LABEL: func.func @rows(%A: tensor<?x?xf64>, %P0: tensor<?xf64>, %n: i64)
func.func @rows(%A: !matrix, %P0: !tiles, %n: i64) -> !tiles {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %last, %S = scf.while (%k = %zero, %P = %P0) : (i64, !tiles) -> (i64, !tiles) {
    %p = arith.cmpi slt, %k, %n : i64
    scf.condition(%p) %k, %P : i64, !tiles
  } do {
  ^bb0(%k: i64, %P: !tiles):
    %x = comprehension.aggregate add : f64 {
      %i, %j, %a = comprehension.each %A : !matrix
      %row = arith.index_cast %i : index to i64
      %p = arith.cmpi eq, %row, %k : i64
      comprehension.guard %p
      comprehension.yield %a
    }
    %place = arith.index_cast %k : i64 to index
    %Q = comprehension.merge %P : !tiles {
      comprehension.yield (%place) %x
    }
    %next = arith.addi %k, %one : i64
    scf.yield %next, %Q : i64, !tiles
  }
  func.return %S : !tiles
}

// -----

!tiles = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// What is as large as a matrix and made in each iteration is work for all.
// CHECK-LABEL: func.func @makes(%P0: tensor<?xf64, #tensor_block.tiles<dense = 1>>, %n: index)
// CHECK-NOT:     comprehension.place
func.func @makes(%P0: !tiles, %n: index) -> !tiles {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last, %S = scf.while (%k = %zero, %P = %P0) : (index, !tiles) -> (index, !tiles) {
    %p = arith.cmpi slt, %k, %n : index
    scf.condition(%p) %k, %P : index, !tiles
  } do {
  ^bb0(%k: index, %P: !tiles):
    %M = comprehension.build (%n, %n) : !matrix {
      %i = comprehension.range %zero to %k
      %number = arith.index_cast %i : index to i64
      %x = arith.sitofp %number : i64 to f64
      comprehension.yield (%i, %i) %x
    }
    %y = tensor.extract %M[%k, %k] : !matrix
    %Q = comprehension.merge %P : !tiles {
      comprehension.yield (%k) %y
    }
    %next = arith.addi %k, %one : index
    scf.yield %next, %Q : index, !tiles
  }
  func.return %S : !tiles
}

// -----

!tiles = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// A vector that it makes and takes one element of may be all that there is.
// CHECK-LABEL: func.func @takes(%n: index) -> f64 {
// CHECK:         comprehension.build (%{{.*}}) : tensor<?xf64> {
// CHECK:         tensor.extract %{{.*}}[%{{.*}}] : tensor<?xf64>
func.func @takes(%n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f64
  %last, %S = scf.while (%k = %zero, %s = %none) : (index, f64) -> (index, f64) {
    %p = arith.cmpi slt, %k, %n : index
    scf.condition(%p) %k, %s : index, f64
  } do {
  ^bb0(%k: index, %s: f64):
    %V = comprehension.build (%n) : !tiles {
      %i = comprehension.range %zero to %k
      %number = arith.index_cast %i : index to i64
      %x = arith.sitofp %number : i64 to f64
      comprehension.yield (%i) %x
    }
    %y = tensor.extract %V[%k] : !tiles
    %t = arith.addf %s, %y : f64
    %next = arith.addi %k, %one : index
    scf.yield %next, %t : index, f64
  }
  func.return %S : f64
}
