// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block | filecheck %s

// A convolution: each array has an index of its own, of which one is a sum of the others. Those that
// are counted are the three of the window, not the 32 at which the data may be read. All of these lie
// within the data: the last is at 29 + 2.
// CHECK-LABEL: func.func @short_window
// CHECK:         %[[COUNT:.+]] = tensor.dim %W,
// CHECK:         tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %[[COUNT]])
// CHECK-SAME:      ins(%W[d1] : tensor<?xf64>, %X[d0 + d1] : tensor<?xf64>)
// CHECK-NEXT:    ^bb{{[0-9]+}}(%i: index, %b: index, %w: f64, %x: f64):
// CHECK-NEXT:      arith.mulf %w, %x : f64
func.func @short_window(%X: tensor<?xf64> {diablo.shape = array<i64: 32>},
    %W: tensor<?xf64> {diablo.shape = array<i64: 3>}) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %last = arith.constant 29 : index
  %n = arith.constant 30 : index
  %R = comprehension.build (%n) : tensor<?xf64> {
    %i = comprehension.range %zero to %last
    %j, %x = comprehension.each %X : tensor<?xf64>
    %b, %w = comprehension.each %W : tensor<?xf64>
    %sum = arith.addi %i, %b : index
    %same = arith.cmpi eq, %j, %sum : index
    comprehension.guard %same
    %product = arith.mulf %x, %w : f64
    %k, %products = comprehension.group_by keys(%i) values(%product)
        : index, !comprehension.bag<f64>
    %total = comprehension.reduce add %products : !comprehension.bag<f64>
    comprehension.yield (%k) %total
  }
  func.return %R : tensor<?xf64>
}

// Of a window that is longer than the data the data are counted.
// CHECK-LABEL: func.func @long_window
// CHECK:         %[[COUNT:.+]] = tensor.dim %X,
// CHECK:         tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %[[COUNT]])
// CHECK-SAME:      ins(%X[d1] : tensor<?xf64>, %W[-d0 + d1] : tensor<?xf64>)
func.func @long_window(%X: tensor<?xf64> {diablo.shape = array<i64: 3>},
    %W: tensor<?xf64> {diablo.shape = array<i64: 32>}) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %last = arith.constant 29 : index
  %n = arith.constant 30 : index
  %R = comprehension.build (%n) : tensor<?xf64> {
    %i = comprehension.range %zero to %last
    %j, %x = comprehension.each %X : tensor<?xf64>
    %b, %w = comprehension.each %W : tensor<?xf64>
    %sum = arith.addi %i, %b : index
    %same = arith.cmpi eq, %j, %sum : index
    comprehension.guard %same
    %product = arith.mulf %x, %w : f64
    %k, %products = comprehension.group_by keys(%i) values(%product)
        : index, !comprehension.bag<f64>
    %total = comprehension.reduce add %products : !comprehension.bag<f64>
    comprehension.yield (%k) %total
  }
  func.return %R : tensor<?xf64>
}

// Where it is not known how many there are, the index goes that is a sum of the others. A term whose
// place is outside of the data is none: it would be zero times a weight that may be infinite.
// CHECK-LABEL: func.func @no_shapes
// CHECK:         %[[EXTENT:.+]] = tensor.dim %X,
// CHECK:         %[[COUNT:.+]] = tensor.dim %W,
// CHECK:         tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %[[COUNT]])
// CHECK-SAME:      %X[d0 + d1]
// CHECK:           %[[PLACE:.+]] = arith.addi %i, %b : index
// CHECK-NEXT:      %[[INSIDE:.+]] = arith.cmpi slt, %[[PLACE]], %[[EXTENT]] : index
// CHECK-NEXT:      scf.if %[[INSIDE]] -> (f64) {
// CHECK-NEXT:        arith.mulf
func.func @no_shapes(%X: tensor<?xf64>,
    %W: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %last = arith.constant 29 : index
  %n = arith.constant 30 : index
  %R = comprehension.build (%n) : tensor<?xf64> {
    %i = comprehension.range %zero to %last
    %j, %x = comprehension.each %X : tensor<?xf64>
    %b, %w = comprehension.each %W : tensor<?xf64>
    %sum = arith.addi %i, %b : index
    %same = arith.cmpi eq, %j, %sum : index
    comprehension.guard %same
    %product = arith.mulf %x, %w : f64
    %k, %products = comprehension.group_by keys(%i) values(%product)
        : index, !comprehension.bag<f64>
    %total = comprehension.reduce add %products : !comprehension.bag<f64>
    comprehension.yield (%k) %total
  }
  func.return %R : tensor<?xf64>
}
