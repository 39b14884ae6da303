// RUN: diablo-opt %s -p comprehension-normalize | filecheck %s
// No bag is made only to be read once.

// CHECK-LABEL: func.func @flattened
// CHECK-NEXT:    %r = comprehension.aggregate add : f64 {
// CHECK-NEXT:      %i = comprehension.range %lo to %hi
// CHECK-NEXT:      %k, %a = comprehension.each %A : tensor<?xf64>
// CHECK-NEXT:      %p = arith.cmpi ne, %k, %lo : index
// CHECK-NEXT:      comprehension.guard %p
// CHECK-NEXT:      comprehension.yield %a
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func @flattened(%A: tensor<?xf64>, %lo: index, %hi: index) -> f64 {
  %rows = comprehension.collect : !comprehension.bag<index, f64> {
    %k, %a = comprehension.each %A : tensor<?xf64>
    %p = arith.cmpi ne, %k, %lo : index
    comprehension.guard %p
    comprehension.yield (%k) %a
  }
  %r = comprehension.aggregate add : f64 {
    %i = comprehension.range %lo to %hi
    %k, %x = comprehension.each %rows : !comprehension.bag<index, f64>
    comprehension.yield %x
  }
  func.return %r : f64
}

// A grouping collection is only taken in if it comes first.
// CHECK-LABEL: func.func @grouping
// CHECK-NEXT:    %first = comprehension.aggregate add : f64 {
// CHECK-NEXT:      %i, %x = comprehension.each %A
// CHECK-NEXT:      %g, %xs = comprehension.group_by keys(%i) values(%x)
// CHECK-NEXT:      %s = comprehension.reduce add %xs
// CHECK-NEXT:      %h = comprehension.range %lo to %hi
// CHECK-NEXT:      comprehension.yield %s
// CHECK-NEXT:    }
// CHECK-NEXT:    %later = comprehension.collect
// CHECK:           comprehension.range
// CHECK-NEXT:      comprehension.each %later
func.func @grouping(%A: tensor<?xf64>, %lo: index, %hi: index) -> (f64, f64) {
  %sums = comprehension.collect : !comprehension.bag<f64> {
    %i, %x = comprehension.each %A : tensor<?xf64>
    %g, %xs = comprehension.group_by keys(%i) values(%x) : index, !comprehension.bag<f64>
    %s = comprehension.reduce add %xs : !comprehension.bag<f64>
    comprehension.yield %s
  }
  %first = comprehension.aggregate add : f64 {
    %s = comprehension.each %sums : !comprehension.bag<f64>
    %h = comprehension.range %lo to %hi
    comprehension.yield %s
  }
  %later = comprehension.collect : !comprehension.bag<f64> {
    %i, %x = comprehension.each %A : tensor<?xf64>
    %g, %xs = comprehension.group_by keys(%i) values(%x) : index, !comprehension.bag<f64>
    %s = comprehension.reduce max %xs : !comprehension.bag<f64>
    comprehension.yield %s
  }
  %second = comprehension.aggregate add : f64 {
    %h = comprehension.range %lo to %hi
    %s = comprehension.each %later : !comprehension.bag<f64>
    comprehension.yield %s
  }
  func.return %first, %second : f64, f64
}

// A bag that two comprehensions read is made once, and one that a while loop reads is not
// made anew in every iteration.
// CHECK-LABEL: func.func @kept
// CHECK-NEXT:    %twice = comprehension.collect
// CHECK:         comprehension.each %twice
// CHECK:         comprehension.each %twice
// CHECK:         %loop = comprehension.collect
// CHECK:         scf.while
// CHECK:           comprehension.each %loop
func.func @kept(%A: tensor<?xf64>, %limit: f64) -> (f64, f64, f64) {
  %twice = comprehension.collect : !comprehension.bag<f64> {
    %i, %x = comprehension.each %A : tensor<?xf64>
    comprehension.yield %x
  }
  %a = comprehension.aggregate add : f64 {
    %x = comprehension.each %twice : !comprehension.bag<f64>
    comprehension.yield %x
  }
  %b = comprehension.aggregate max : f64 {
    %x = comprehension.each %twice : !comprehension.bag<f64>
    comprehension.yield %x
  }
  %loop = comprehension.collect : !comprehension.bag<f64> {
    %i, %x = comprehension.each %A : tensor<?xf64>
    comprehension.yield %x
  }
  %c = scf.while (%s = %limit) : (f64) -> f64 {
    %p = arith.cmpf olt, %s, %limit : f64
    scf.condition(%p) %s : f64
  } do {
  ^bb0(%s: f64):
    %t = comprehension.aggregate add : f64 {
      %x = comprehension.each %loop : !comprehension.bag<f64>
      comprehension.yield %x
    }
    scf.yield %t : f64
  }
  func.return %a, %b, %c : f64, f64, f64
}

// Folding and counting what is not a group.
// CHECK-LABEL: func.func @folded
// CHECK-NEXT:    %s = comprehension.aggregate max : f64 {
// CHECK-NEXT:      %i, %x = comprehension.each %A
// CHECK-NEXT:      comprehension.yield %x
// CHECK-NEXT:    }
// CHECK-NEXT:    %n = comprehension.aggregate add : i64 {
// CHECK-NEXT:      %{{.*}}, %{{.*}} = comprehension.each %rows
// CHECK-NEXT:      %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-NEXT:      comprehension.yield %[[ONE]]
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %s, %n
func.func @folded(%A: tensor<?xf64>, %rows: !comprehension.bag<i64, f64>) -> (f64, i64) {
  %xs = comprehension.collect : !comprehension.bag<f64> {
    %i, %x = comprehension.each %A : tensor<?xf64>
    comprehension.yield %x
  }
  %s = comprehension.reduce max %xs : !comprehension.bag<f64>
  %n = comprehension.length %rows : !comprehension.bag<i64, f64>
  func.return %s, %n : f64, i64
}
