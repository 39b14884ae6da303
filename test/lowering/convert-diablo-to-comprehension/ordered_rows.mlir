// RUN: diablo-opt %s -p convert-diablo-to-comprehension | filecheck %s

// The rows of a list are read at their places, in the order that they have.
// CHECK-LABEL: func.func @list
// CHECK-NEXT:    %[[ROWS:.*]], %[[N:.*]] = comprehension.sequence %L : !comprehension.bag<i64, f64>
// CHECK:         %[[LAST:.*]] = arith.subi %[[N]], %{{.*}} : index
// CHECK:         scf.while (%[[K:.*]] = %{{.*}}, %{{.*}} = %x)
// CHECK-NEXT:      arith.cmpi sle, %[[K]], %[[LAST]]
// CHECK:         ^{{.*}}(%[[K:.*]]: index, %{{.*}}: f64):
// CHECK-NEXT:      %{{.*}}, %[[V:.*]] = comprehension.row %[[ROWS]][%[[K]]]
// CHECK-NOT:       scf.if
// CHECK:           scf.yield %{{.*}}, %[[V]] : index, f64
func.func @list(%L: !comprehension.bag<i64, f64>, %x: f64) -> f64 {
  %s = diablo.var "s" = %x : f64
  diablo.foreach ordered %k, %v in %L : !comprehension.bag<i64, f64> {
    diablo.store %v, %s : !diablo.ref<f64>
  }
  %0 = diablo.load %s : !diablo.ref<f64>
  func.return %0 : f64
}

// A map is gone through by its keys, a list that has no order by its columns.
// CHECK-LABEL: func.func @sorted
// CHECK:         comprehension.sequence %M sorted 1
// CHECK:         comprehension.sequence %L sorted 2
func.func @sorted(%M: !comprehension.bag<keys = 1, i64, f64>, %L: !comprehension.bag<i64, f64>,
                  %x: f64) -> f64 {
  %s = diablo.var "s" = %x : f64
  diablo.foreach ordered %k, %v in %M : !comprehension.bag<keys = 1, i64, f64> {
    diablo.store %v, %s : !diablo.ref<f64>
  }
  diablo.foreach ordered sorted %k, %v in %L : !comprehension.bag<i64, f64> {
    diablo.store %v, %s : !diablo.ref<f64>
  }
  %0 = diablo.load %s : !diablo.ref<f64>
  func.return %0 : f64
}

// Of a sparse array come the indices, and the elements if they are read.
// CHECK-LABEL: func.func @sparse
// CHECK:         %[[I:.*]] = comprehension.collect : !comprehension.bag<index> {
// CHECK-NEXT:      %[[J:.*]], %{{.*}} = comprehension.each %A
// CHECK-NEXT:      comprehension.yield %[[J]]
// CHECK:         comprehension.sequence %[[I]] sorted 1
// CHECK:         %[[E:.*]] = comprehension.collect : !comprehension.bag<index, f64>
// CHECK:         comprehension.sequence %[[E]] sorted 1
func.func @sparse(%A: tensor<?xf64, #tensor_block.storage<dense = 0>>, %x: f64, %i: index) -> index {
  %s = diablo.var "s" = %x : f64
  %last = diablo.var "last" = %i : index
  diablo.foreach ordered %k, %v in %A : tensor<?xf64, #tensor_block.storage<dense = 0>> {
    diablo.store %k, %last : !diablo.ref<index>
  }
  diablo.foreach ordered %k, %v in %A : tensor<?xf64, #tensor_block.storage<dense = 0>> {
    diablo.store %k, %last : !diablo.ref<index>
    diablo.store %v, %s : !diablo.ref<f64>
  }
  %0 = diablo.load %last : !diablo.ref<index>
  func.return %0 : index
}

// A dense array is gone through by its indices.
// CHECK-LABEL: func.func @dense
// CHECK-NOT:     comprehension.sequence
// CHECK:         scf.while
// CHECK:           scf.while
// CHECK:             tensor.extract %A[%{{.*}}, %{{.*}}]
func.func @dense(%A: tensor<?x?xf64>, %x: f64) -> f64 {
  %s = diablo.var "s" = %x : f64
  diablo.foreach ordered %i, %j, %v in %A : tensor<?x?xf64> {
    diablo.store %v, %s : !diablo.ref<f64>
  }
  %0 = diablo.load %s : !diablo.ref<f64>
  func.return %0 : f64
}

// What the loops around leave as it is comes to the driver once; what they change each time.
// CHECK-LABEL: func.func @repeated
// CHECK-NEXT:    comprehension.sequence %L
// CHECK:         scf.while
// CHECK:           comprehension.row
// CHECK:         scf.while
// CHECK:           comprehension.sequence
// CHECK:           comprehension.row
func.func @repeated(%L: !comprehension.bag<f64>, %x: f64, %lo: index, %hi: index) -> f64 {
  %s = diablo.var "s" = %x : f64
  %same = diablo.var "same" = %L : !comprehension.bag<f64>
  %other = diablo.var "other" = %L : !comprehension.bag<f64>
  diablo.for ordered %k = %lo to %hi {
    %rows = diablo.load %same : !diablo.ref<!comprehension.bag<f64>>
    diablo.foreach ordered %v in %rows : !comprehension.bag<f64> {
      diablo.store %v, %s : !diablo.ref<f64>
    }
  }
  diablo.for ordered %k = %lo to %hi {
    %rows = diablo.load %other : !diablo.ref<!comprehension.bag<f64>>
    diablo.foreach ordered %v in %rows : !comprehension.bag<f64> {
      diablo.store %v, %s : !diablo.ref<f64>
    }
    %old = diablo.load %s : !diablo.ref<f64>
    %one = comprehension.list (%old) : !comprehension.bag<f64>
    diablo.store %one, %other : !diablo.ref<!comprehension.bag<f64>>
  }
  %0 = diablo.load %s : !diablo.ref<f64>
  func.return %0 : f64
}
