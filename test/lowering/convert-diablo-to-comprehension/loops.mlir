// RUN: diablo-opt %s -p convert-diablo-to-comprehension | filecheck %s
// A loop nest becomes one update per statement, each over the whole iteration space.

!matrix = tensor<?x?xf64>

// The product by loops: the nest is distributed over its two statements.
// CHECK-LABEL: func.func @product
// CHECK-NEXT:    %R = comprehension.merge %r : tensor<?x?xf64> {
// CHECK-NEXT:      %[[I:.*]] = comprehension.range %lo to %hi
// CHECK-NEXT:      %[[J:.*]] = comprehension.range %lo to %hi
// CHECK-NEXT:      comprehension.yield (%[[I]], %[[J]]) %zero
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[S:.*]] = comprehension.merge add %R : tensor<?x?xf64> {
// CHECK-NEXT:      %[[I:.*]] = comprehension.range %lo to %hi
// CHECK-NEXT:      %[[J:.*]] = comprehension.range %lo to %hi
// CHECK-NEXT:      %[[K:.*]] = comprehension.range %lo to %hi step 2
// CHECK-NEXT:      %[[A:.*]] = tensor.extract %m[%[[I]], %[[K]]]
// CHECK-NEXT:      %[[B:.*]] = tensor.extract %m[%[[K]], %[[J]]]
// CHECK-NEXT:      %[[V:.*]] = arith.mulf %[[A]], %[[B]] : f64
// CHECK-NEXT:      comprehension.yield (%[[I]], %[[J]]) %[[V]]
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %[[S]]
func.func @product(%m: !matrix, %r: !matrix, %lo: index, %hi: index, %zero: f64) -> !matrix {
  %M = diablo.var "M" = %m : !matrix
  %R = diablo.var "R" = %r : !matrix
  diablo.for %i = %lo to %hi {
    diablo.for %j = %lo to %hi {
      diablo.store %zero, %R[%i, %j] : !diablo.ref<!matrix>
      diablo.for %k = %lo to %hi step 2 {
        %a = diablo.load %M[%i, %k] : !diablo.ref<!matrix>
        %b = diablo.load %M[%k, %j] : !diablo.ref<!matrix>
        %v = arith.mulf %a, %b : f64
        diablo.accumulate add %v, %R[%i, %j] : !diablo.ref<!matrix>
      }
    }
  }
  %0 = diablo.load %R : !diablo.ref<!matrix>
  func.return %0 : !matrix
}

// A statement reads what the arrays held before it: %w sees the doubled %v, %v the old one.
// A test guards the statements of its branches; what a statement does not need is left out.
// CHECK-LABEL: func.func @statements
// CHECK-NEXT:    %V = comprehension.merge %v : tensor<?xf64> {
// CHECK-NEXT:      %[[I:.*]] = comprehension.range
// CHECK-NEXT:      %[[X:.*]] = tensor.extract %v[%[[I]]]
// CHECK-NEXT:      %[[Y:.*]] = arith.addf %[[X]], %[[X]]
// CHECK-NEXT:      comprehension.yield (%[[I]]) %[[Y]]
// CHECK-NEXT:    }
// CHECK-NEXT:    %W = comprehension.merge %w : tensor<?xf64> {
// CHECK-NEXT:      %[[I:.*]] = comprehension.range
// CHECK-NEXT:      %[[X:.*]] = tensor.extract %V[%[[I]]]
// CHECK-NEXT:      %[[C:.*]] = arith.cmpf ogt, %[[X]], %zero
// CHECK-NEXT:      comprehension.guard %[[C]]
// CHECK-NEXT:      comprehension.yield (%[[I]]) %[[X]]
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[A:.*]] = comprehension.aggregate max : f64 {
// CHECK-NEXT:      %[[I:.*]] = comprehension.range
// CHECK-NEXT:      %[[X:.*]] = tensor.extract %V[%[[I]]]
// CHECK-NEXT:      %[[C:.*]] = arith.cmpf ogt, %[[X]], %zero
// CHECK-NEXT:      %[[T:.*]] = arith.constant true
// CHECK-NEXT:      %[[N:.*]] = arith.xori %[[C]], %[[T]]
// CHECK-NEXT:      comprehension.guard %[[N]]
// CHECK-NEXT:      comprehension.yield %[[X]]
// CHECK-NEXT:    }
// CHECK-NEXT:    %s = arith.maximumf %zero, %[[A]]
// CHECK-NEXT:    func.return %W, %s
func.func @statements(%v: tensor<?xf64>, %w: tensor<?xf64>, %lo: index, %hi: index, %zero: f64) -> (tensor<?xf64>, f64) {
  %V = diablo.var "V" = %v : tensor<?xf64>
  %W = diablo.var "W" = %w : tensor<?xf64>
  %s = diablo.var "s" = %zero : f64
  diablo.for %i = %lo to %hi {
    %a = diablo.load %V[%i] : !diablo.ref<tensor<?xf64>>
    %b = arith.addf %a, %a : f64
    diablo.store %b, %V[%i] : !diablo.ref<tensor<?xf64>>
    %c = diablo.load %V[%i] : !diablo.ref<tensor<?xf64>>
    %x = diablo.var "x" = %c : f64
    %d = arith.cmpf ogt, %c, %zero : f64
    scf.if %d {
      %e = diablo.load %x : !diablo.ref<f64>
      diablo.store %e, %W[%i] : !diablo.ref<tensor<?xf64>>
    } else {
      diablo.accumulate max %c, %s : !diablo.ref<f64>
    }
  }
  %0 = diablo.load %W : !diablo.ref<tensor<?xf64>>
  %1 = diablo.load %s : !diablo.ref<f64>
  func.return %0, %1 : tensor<?xf64>, f64
}

// A loop over rows is a generator.
// CHECK-LABEL: func.func @rows
// CHECK-NEXT:    %V = comprehension.merge add %v : tensor<?xf64> {
// CHECK-NEXT:      %k, %x = comprehension.each %rows : !comprehension.bag<index, f64>
// CHECK-NEXT:      comprehension.yield (%k) %x
func.func @rows(%rows: !comprehension.bag<index, f64>, %v: tensor<?xf64>) -> tensor<?xf64> {
  %V = diablo.var "V" = %v : tensor<?xf64>
  diablo.foreach %k, %x in %rows : !comprehension.bag<index, f64> {
    diablo.accumulate add %x, %V[%k] : !diablo.ref<tensor<?xf64>>
  }
  %0 = diablo.load %V : !diablo.ref<tensor<?xf64>>
  func.return %0 : tensor<?xf64>
}
