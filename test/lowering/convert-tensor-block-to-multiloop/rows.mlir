// Ops over rows become loops with one generator, whose bodies emit rows to it.
// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop | filecheck %s

!pairs = !comprehension.bag<i64, f64>
!indices = !comprehension.bag<index, index>

// A row is emitted under the condition.
// CHECK-LABEL: func.func @filter(
// CHECK-NEXT:    %big = multiloop.loop rows(%rows : !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64> {
// CHECK-NEXT:    ^bb{{.*}}(%k: i64, %x: f64, %all: !multiloop.collect<i64, f64>):
// CHECK-NEXT:      %keep = arith.cmpf ogt, %x, %zero : f64
// CHECK-NEXT:      scf.if %keep {
// CHECK-NEXT:        multiloop.emit %all(%k, %x : i64, f64)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %big : !comprehension.bag<i64, f64>
func.func @filter(%rows: !pairs, %zero: f64) -> !pairs {
  %big = tensor_block.filter %rows : !pairs {
  ^bb0(%k: i64, %x: f64):
    %keep = arith.cmpf ogt, %x, %zero : f64
    tensor_block.yield %keep : i1
  }
  func.return %big : !pairs
}

// What is computed is appended; a body may have constants of its own.
// CHECK-LABEL: func.func @extend(
// CHECK-NEXT:    %more = multiloop.loop rows(%rows : !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64, f64, i64> {
// CHECK-NEXT:    ^bb{{.*}}(%k: i64, %x: f64, %all: !multiloop.collect<i64, f64, f64, i64>):
// CHECK-NEXT:      %two = arith.constant 2.000000e+00 : f64
// CHECK-NEXT:      %y = arith.mulf %x, %two : f64
// CHECK-NEXT:      multiloop.emit %all(%k, %x, %y, %k : i64, f64, f64, i64)
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %more : !comprehension.bag<i64, f64, f64, i64>
func.func @extend(%rows: !pairs) -> !comprehension.bag<i64, f64, f64, i64> {
  %more = tensor_block.extend %rows : !pairs -> !comprehension.bag<i64, f64, f64, i64> {
  ^bb0(%k: i64, %x: f64):
    %two = arith.constant 2.0 : f64
    %y = arith.mulf %x, %two : f64
    tensor_block.yield %y, %k : f64, i64
  }
  func.return %more : !comprehension.bag<i64, f64, f64, i64>
}

// Of these columns some are taken, in an order of their own.
// CHECK-LABEL: func.func @extend_to(
// CHECK-NEXT:    %more = multiloop.loop rows(%rows : !comprehension.bag<i64, f64>) -> !comprehension.bag<f64, i64, f64> {
// CHECK-NEXT:    ^bb{{.*}}(%k: i64, %x: f64, %all: !multiloop.collect<f64, i64, f64>):
// CHECK-NEXT:      %y = math.sqrt %x : f64
// CHECK-NEXT:      multiloop.emit %all(%y, %k, %y : f64, i64, f64)
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %more : !comprehension.bag<f64, i64, f64>
func.func @extend_to(%rows: !pairs) -> !comprehension.bag<f64, i64, f64> {
  %more = tensor_block.extend %rows to [2, 0, 2] : !pairs -> !comprehension.bag<f64, i64, f64> {
  ^bb0(%k: i64, %x: f64):
    %y = math.sqrt %x : f64
    tensor_block.yield %y : f64
  }
  func.return %more : !comprehension.bag<f64, i64, f64>
}

// CHECK-LABEL: func.func @project(
// CHECK-NEXT:    %swapped = multiloop.loop rows(%rows : !comprehension.bag<i64, f64>) -> !comprehension.bag<f64, i64, f64> {
// CHECK-NEXT:    ^bb{{.*}}(%0: i64, %1: f64, %all: !multiloop.collect<f64, i64, f64>):
// CHECK-NEXT:      multiloop.emit %all(%1, %0, %1 : f64, i64, f64)
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %swapped : !comprehension.bag<f64, i64, f64>
func.func @project(%rows: !pairs) -> !comprehension.bag<f64, i64, f64> {
  %swapped = tensor_block.project %rows[1, 0, 1] : !pairs -> !comprehension.bag<f64, i64, f64>
  func.return %swapped : !comprehension.bag<f64, i64, f64>
}

// A loop within the loop, over the range of the row: both of its ends belong to it.
// CHECK-LABEL: func.func @expand(
// CHECK-NEXT:    %triangle = multiloop.loop rows(%rows : !comprehension.bag<index>) -> !comprehension.bag<index, index> {
// CHECK-NEXT:    ^bb{{.*}}(%i: index, %all: !multiloop.collect<index, index>):
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %1 = arith.subi %i, %one : index
// CHECK-NEXT:      %2 = arith.constant 1 : index
// CHECK-NEXT:      %3 = arith.addi %1, %2 : index
// CHECK-NEXT:      %4 = arith.constant 0 : index
// CHECK-NEXT:      %5 = arith.maxsi %3, %4 : index
// CHECK-NEXT:      multiloop.loop range(%0, %5 : index, index) {
// CHECK-NEXT:      ^bb{{.*}}(%6: index):
// CHECK-NEXT:        %index = arith.addi %one, %6 : index
// CHECK-NEXT:        multiloop.emit %all(%i, %index : index, index)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %triangle : !comprehension.bag<index, index>
func.func @expand(%rows: !comprehension.bag<index>) -> !indices {
  %triangle = tensor_block.expand %rows : !comprehension.bag<index> -> !indices {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    tensor_block.yield %one, %i : index, index
  }
  func.return %triangle : !indices
}

// CHECK-LABEL: func.func @expand_in_steps(
// CHECK-NEXT:    %each = multiloop.loop rows(%rows : !comprehension.bag<index, index>) -> !comprehension.bag<index, index, index> {
// CHECK-NEXT:    ^bb{{.*}}(%i: index, %j: index, %all: !multiloop.collect<index, index, index>):
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %1 = arith.subi %j, %i : index
// CHECK-NEXT:      %2 = arith.constant 3 : index
// CHECK-NEXT:      %3 = arith.addi %1, %2 : index
// CHECK-NEXT:      %4 = arith.constant 0 : index
// CHECK-NEXT:      %5 = arith.maxsi %3, %4 : index
// CHECK-NEXT:      %6 = arith.constant 3 : index
// CHECK-NEXT:      %7 = arith.divsi %5, %6 : index
// CHECK-NEXT:      multiloop.loop range(%0, %7 : index, index) {
// CHECK-NEXT:      ^bb{{.*}}(%8: index):
// CHECK-NEXT:        %9 = arith.constant 3 : index
// CHECK-NEXT:        %10 = arith.muli %8, %9 : index
// CHECK-NEXT:        %index = arith.addi %i, %10 : index
// CHECK-NEXT:        multiloop.emit %all(%i, %j, %index : index, index, index)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %each : !comprehension.bag<index, index, index>
func.func @expand_in_steps(%rows: !indices) -> !comprehension.bag<index, index, index> {
  %each = tensor_block.expand %rows step 3 : !indices -> !comprehension.bag<index, index, index> {
  ^bb0(%i: index, %j: index):
    tensor_block.yield %i, %j : index, index
  }
  func.return %each : !comprehension.bag<index, index, index>
}

// Down from the first end to the second.
// CHECK-LABEL: func.func @expand_down(
// CHECK-NEXT:    %each = multiloop.loop rows(%rows : !comprehension.bag<index, index>) -> !comprehension.bag<index, index, index> {
// CHECK-NEXT:    ^bb{{.*}}(%i: index, %j: index, %all: !multiloop.collect<index, index, index>):
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %1 = arith.subi %i, %j : index
// CHECK-NEXT:      %2 = arith.constant 2 : index
// CHECK-NEXT:      %3 = arith.addi %1, %2 : index
// CHECK-NEXT:      %4 = arith.constant 0 : index
// CHECK-NEXT:      %5 = arith.maxsi %3, %4 : index
// CHECK-NEXT:      %6 = arith.constant 2 : index
// CHECK-NEXT:      %7 = arith.divsi %5, %6 : index
// CHECK-NEXT:      multiloop.loop range(%0, %7 : index, index) {
// CHECK-NEXT:      ^bb{{.*}}(%8: index):
// CHECK-NEXT:        %9 = arith.constant -2 : index
// CHECK-NEXT:        %10 = arith.muli %8, %9 : index
// CHECK-NEXT:        %index = arith.addi %i, %10 : index
// CHECK-NEXT:        multiloop.emit %all(%i, %j, %index : index, index, index)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %each : !comprehension.bag<index, index, index>
func.func @expand_down(%rows: !indices) -> !comprehension.bag<index, index, index> {
  %each = tensor_block.expand %rows step -2 : !indices -> !comprehension.bag<index, index, index> {
  ^bb0(%i: index, %j: index):
    tensor_block.yield %i, %j : index, index
  }
  func.return %each : !comprehension.bag<index, index, index>
}

// CHECK-LABEL: func.func @range(
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = arith.subi %m, %n : index
// CHECK-NEXT:    %2 = arith.constant 1 : index
// CHECK-NEXT:    %3 = arith.addi %1, %2 : index
// CHECK-NEXT:    %4 = arith.constant 0 : index
// CHECK-NEXT:    %5 = arith.maxsi %3, %4 : index
// CHECK-NEXT:    %all = multiloop.loop range(%0, %5 : index, index) -> !comprehension.bag<index> {
// CHECK-NEXT:    ^bb{{.*}}(%6: index, %all_1: !multiloop.collect<index>):
// CHECK-NEXT:      %index = arith.addi %n, %6 : index
// CHECK-NEXT:      multiloop.emit %all_1(%index : index)
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %all : !comprehension.bag<index>
func.func @range(%n: index, %m: index) -> !comprehension.bag<index> {
  %all = tensor_block.range %n to %m : !comprehension.bag<index>
  func.return %all : !comprehension.bag<index>
}

// CHECK-LABEL: func.func @range_down(
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = arith.subi %n, %m : index
// CHECK-NEXT:    %2 = arith.constant 1 : index
// CHECK-NEXT:    %3 = arith.addi %1, %2 : index
// CHECK-NEXT:    %4 = arith.constant 0 : index
// CHECK-NEXT:    %5 = arith.maxsi %3, %4 : index
// CHECK-NEXT:    %all = multiloop.loop range(%0, %5 : index, index) -> !comprehension.bag<index> {
// CHECK-NEXT:    ^bb{{.*}}(%6: index, %all_1: !multiloop.collect<index>):
// CHECK-NEXT:      %7 = arith.constant -1 : index
// CHECK-NEXT:      %8 = arith.muli %6, %7 : index
// CHECK-NEXT:      %index = arith.addi %n, %8 : index
// CHECK-NEXT:      multiloop.emit %all_1(%index : index)
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %all : !comprehension.bag<index>
func.func @range_down(%n: index, %m: index) -> !comprehension.bag<index> {
  %all = tensor_block.range %n to %m step -1 : !comprehension.bag<index>
  func.return %all : !comprehension.bag<index>
}

// A loop for each dimension.
// CHECK-LABEL: func.func @vector_to_bag(
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = arith.constant 0 : index
// CHECK-NEXT:    %2 = tensor.dim %v, %0 : tensor<?xf64>
// CHECK-NEXT:    %rows = multiloop.loop range(%1, %2 : index, index) -> !comprehension.bag<index, f64> {
// CHECK-NEXT:    ^bb{{.*}}(%3: index, %all: !multiloop.collect<index, f64>):
// CHECK-NEXT:      %4 = tensor.extract %v[%3] : tensor<?xf64>
// CHECK-NEXT:      multiloop.emit %all(%3, %4 : index, f64)
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %rows : !comprehension.bag<index, f64>
func.func @vector_to_bag(%v: tensor<?xf64>) -> !comprehension.bag<index, f64> {
  %rows = tensor_block.to_bag %v : tensor<?xf64> -> !comprehension.bag<index, f64>
  func.return %rows : !comprehension.bag<index, f64>
}

// CHECK-LABEL: func.func @matrix_to_bag(
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = arith.constant 0 : index
// CHECK-NEXT:    %2 = tensor.dim %m, %0 : tensor<?x?xf64>
// CHECK-NEXT:    %rows = multiloop.loop range(%1, %2 : index, index) -> !comprehension.bag<index, index, f64> {
// CHECK-NEXT:    ^bb{{.*}}(%3: index, %all: !multiloop.collect<index, index, f64>):
// CHECK-NEXT:      %4 = arith.constant 1 : index
// CHECK-NEXT:      %5 = arith.constant 0 : index
// CHECK-NEXT:      %6 = tensor.dim %m, %4 : tensor<?x?xf64>
// CHECK-NEXT:      multiloop.loop range(%5, %6 : index, index) {
// CHECK-NEXT:      ^bb{{.*}}(%7: index):
// CHECK-NEXT:        %8 = tensor.extract %m[%3, %7] : tensor<?x?xf64>
// CHECK-NEXT:        %9 = arith.addi %3, %i : index
// CHECK-NEXT:        %10 = arith.addi %7, %j : index
// CHECK-NEXT:        multiloop.emit %all(%9, %10, %8 : index, index, f64)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %rows : !comprehension.bag<index, index, f64>
func.func @matrix_to_bag(%m: tensor<?x?xf64>, %i: index, %j: index) -> !comprehension.bag<index, index, f64> {
  %rows = tensor_block.to_bag %m offsets(%i, %j) : tensor<?x?xf64> -> !comprehension.bag<index, index, f64>
  func.return %rows : !comprehension.bag<index, index, f64>
}

// A row is emitted with the element if its index lies inside.
// CHECK-LABEL: func.func @lookup(
// CHECK-NEXT:    %found = multiloop.loop rows(%rows : !comprehension.bag<index, f64>) -> !comprehension.bag<index, f64, f64> {
// CHECK-NEXT:    ^bb{{.*}}(%0: index, %1: f64, %all: !multiloop.collect<index, f64, f64>):
// CHECK-NEXT:      %2 = arith.constant 0 : index
// CHECK-NEXT:      %3 = tensor.dim %v, %2 : tensor<?xf64>
// CHECK-NEXT:      %4 = arith.cmpi ult, %0, %3 : index
// CHECK-NEXT:      scf.if %4 {
// CHECK-NEXT:        %5 = tensor.extract %v[%0] : tensor<?xf64>
// CHECK-NEXT:        multiloop.emit %all(%0, %1, %5 : index, f64, f64)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %found : !comprehension.bag<index, f64, f64>
func.func @lookup(%rows: !comprehension.bag<index, f64>, %v: tensor<?xf64>) -> !comprehension.bag<index, f64, f64> {
  %found = tensor_block.lookup %rows[0] in %v : !comprehension.bag<index, f64>, tensor<?xf64> -> !comprehension.bag<index, f64, f64>
  func.return %found : !comprehension.bag<index, f64, f64>
}

// Columns may be those of a matrix the other way around, from an origin on.
// CHECK-LABEL: func.func @lookup_in_matrix(
// CHECK-NEXT:    %found = multiloop.loop rows(%rows : !comprehension.bag<index, index>) -> !comprehension.bag<index, index, i32> {
// CHECK-NEXT:    ^bb{{.*}}(%0: index, %1: index, %all: !multiloop.collect<index, index, i32>):
// CHECK-NEXT:      %2 = arith.subi %1, %i : index
// CHECK-NEXT:      %3 = arith.subi %0, %j : index
// CHECK-NEXT:      %4 = arith.constant 0 : index
// CHECK-NEXT:      %5 = tensor.dim %m, %4 : tensor<?x?xi32>
// CHECK-NEXT:      %6 = arith.cmpi ult, %2, %5 : index
// CHECK-NEXT:      %7 = arith.constant 1 : index
// CHECK-NEXT:      %8 = tensor.dim %m, %7 : tensor<?x?xi32>
// CHECK-NEXT:      %9 = arith.cmpi ult, %3, %8 : index
// CHECK-NEXT:      %10 = arith.andi %6, %9 : i1
// CHECK-NEXT:      scf.if %10 {
// CHECK-NEXT:        %11 = tensor.extract %m[%2, %3] : tensor<?x?xi32>
// CHECK-NEXT:        multiloop.emit %all(%0, %1, %11 : index, index, i32)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %found : !comprehension.bag<index, index, i32>
func.func @lookup_in_matrix(%rows: !indices, %m: tensor<?x?xi32>, %i: index, %j: index) -> !comprehension.bag<index, index, i32> {
  %found = tensor_block.lookup %rows[1, 0] in %m offsets(%i, %j) : !indices, tensor<?x?xi32> -> !comprehension.bag<index, index, i32>
  func.return %found : !comprehension.bag<index, index, i32>
}

// With a probe every row is, with zero outside and whether the index lies inside.
// CHECK-LABEL: func.func @probe(
// CHECK-NEXT:    %found = multiloop.loop rows(%rows : !comprehension.bag<index>) -> !comprehension.bag<index, f64, i1> {
// CHECK-NEXT:    ^bb{{.*}}(%0: index, %all: !multiloop.collect<index, f64, i1>):
// CHECK-NEXT:      %1 = arith.constant 0 : index
// CHECK-NEXT:      %2 = tensor.dim %v, %1 : tensor<?xf64>
// CHECK-NEXT:      %3 = arith.cmpi ult, %0, %2 : index
// CHECK-NEXT:      %4 = scf.if %3 -> (f64) {
// CHECK-NEXT:        %5 = tensor.extract %v[%0] : tensor<?xf64>
// CHECK-NEXT:        scf.yield %5 : f64
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %6 = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:        scf.yield %6 : f64
// CHECK-NEXT:      }
// CHECK-NEXT:      multiloop.emit %all(%0, %4, %3 : index, f64, i1)
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %found : !comprehension.bag<index, f64, i1>
func.func @probe(%rows: !comprehension.bag<index>, %v: tensor<?xf64>) -> !comprehension.bag<index, f64, i1> {
  %found = tensor_block.lookup %rows[0] in %v probe : !comprehension.bag<index>, tensor<?xf64> -> !comprehension.bag<index, f64, i1>
  func.return %found : !comprehension.bag<index, f64, i1>
}

// CHECK-LABEL: func.func @pairs(
// CHECK-NEXT:    %all = multiloop.loop rows(%left : !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64, f64> {
// CHECK-NEXT:    ^bb{{.*}}(%0: i64, %1: f64, %all_1: !multiloop.collect<i64, f64, f64>):
// CHECK-NEXT:      multiloop.loop rows(%right : !comprehension.bag<f64>) {
// CHECK-NEXT:      ^bb{{.*}}(%2: f64):
// CHECK-NEXT:        multiloop.emit %all_1(%0, %1, %2 : i64, f64, f64)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %all : !comprehension.bag<i64, f64, f64>
func.func @pairs(%left: !pairs, %right: !comprehension.bag<f64>) -> !comprehension.bag<i64, f64, f64> {
  %all = tensor_block.join %left[], %right[] : !pairs, !comprehension.bag<f64> -> !comprehension.bag<i64, f64, f64>
  func.return %all : !comprehension.bag<i64, f64, f64>
}

// CHECK-LABEL: func.func @groups(
// CHECK-NEXT:    %sums = multiloop.loop rows(%rows : !comprehension.bag<i64, i32, f64, f64>) -> !comprehension.bag<i64, i32, f64, f64> {
// CHECK-NEXT:    ^bb{{.*}}(%0: i64, %1: i32, %2: f64, %3: f64, %all: !multiloop.bucket_reduce<[i64, i32], add : f64, any : f64>):
// CHECK-NEXT:      multiloop.emit %all[%0, %1 : i64, i32](%2, %3 : f64, f64)
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %sums : !comprehension.bag<i64, i32, f64, f64>
func.func @groups(%rows: !comprehension.bag<i64, i32, f64, f64>) -> !comprehension.bag<i64, i32, f64, f64> {
  %sums = tensor_block.group_reduce %rows keys 2 monoids(add, any) : !comprehension.bag<i64, i32, f64, f64>
  func.return %sums : !comprehension.bag<i64, i32, f64, f64>
}

// Keys alone are those that are distinct.
// CHECK-LABEL: func.func @distinct(
// CHECK-NEXT:    %keys = multiloop.loop rows(%rows : !comprehension.bag<i64>) -> !comprehension.bag<i64> {
// CHECK-NEXT:    ^bb{{.*}}(%0: i64, %all: !multiloop.bucket_reduce<[i64]>):
// CHECK-NEXT:      multiloop.emit %all[%0 : i64]()
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %keys : !comprehension.bag<i64>
func.func @distinct(%rows: !comprehension.bag<i64>) -> !comprehension.bag<i64> {
  %keys = tensor_block.group_reduce %rows keys 1 monoids() : !comprehension.bag<i64>
  func.return %keys : !comprehension.bag<i64>
}

// CHECK-LABEL: func.func @fold(
// CHECK-NEXT:    %sum = multiloop.loop rows(%rows : !comprehension.bag<f64>) -> f64 {
// CHECK-NEXT:    ^bb{{.*}}(%0: f64, %all: !multiloop.reduce<add : f64>):
// CHECK-NEXT:      multiloop.emit %all(%0 : f64)
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %sum : f64
func.func @fold(%rows: !comprehension.bag<f64>) -> f64 {
  %sum = tensor_block.fold add %rows : !comprehension.bag<f64>
  func.return %sum : f64
}

// There is one for each row.
// CHECK-LABEL: func.func @length(
// CHECK-NEXT:    %n = multiloop.loop rows(%rows : !comprehension.bag<i64, f64>) -> i64 {
// CHECK-NEXT:    ^bb{{.*}}(%0: i64, %1: f64, %all: !multiloop.reduce<add : i64>):
// CHECK-NEXT:      %one = arith.constant 1 : i64
// CHECK-NEXT:      multiloop.emit %all(%one : i64)
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %n : i64
func.func @length(%rows: !pairs) -> i64 {
  %n = comprehension.length %rows : !pairs
  func.return %n : i64
}
