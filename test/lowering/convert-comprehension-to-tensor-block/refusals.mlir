// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block --remarks --verify-diagnostics

// Why a comprehension over arrays is evaluated over rows. Each remark names the first obstacle.

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
!cube = tensor<?x?x?xf64, #tensor_block.tiles<dense = 3>>
!sparse_vector = tensor<?xf64, #tensor_block.tiles<dense = 0>>

func.func @list(%v: !vector) -> !comprehension.bag<f64> {
  // expected-remark @+1 {{evaluated over rows, not as array algebra: the result is a list}}
  %r = comprehension.collect : !comprehension.bag<f64> {
    %i, %x = comprehension.each %v : !vector
    comprehension.yield %x
  }
  func.return %r : !comprehension.bag<f64>
}

func.func @step(%n: index, %v: !vector) -> f64 {
  %zero = arith.constant 0 : index
  // expected-remark @+1 {{a range with a step depends on another generator}}
  %r = comprehension.aggregate add : f64 {
    %j, %x = comprehension.each %v : !vector
    %i = comprehension.range %zero to %j step 2
    comprehension.yield %x
  }
  func.return %r : f64
}

func.func @double(%n: index, %v: !vector) -> !vector {
  // expected-remark @+1 {{a key is computed, and no monoid combines what it is given to}}
  %r = comprehension.build (%n) : !vector {
    %i, %x = comprehension.each %v : !vector
    %k = arith.addi %i, %i : index
    comprehension.yield (%k) %x
  }
  func.return %r : !vector
}

func.func @other_key(%n: index, %A: !matrix) -> !vector {
  // expected-remark @+1 {{the head's index is not the group's key}}
  %r = comprehension.build (%n) : !vector {
    %i, %j, %a = comprehension.each %A : !matrix
    %g, %h, %as = comprehension.group_by keys(%i, %j) values(%a) : index, index, !comprehension.bag<f64>
    %s = comprehension.reduce add %as : !comprehension.bag<f64>
    comprehension.yield (%g) %s
  }
  func.return %r : !vector
}

func.func @grouped_update(%n: index, %v: !vector, %A: !matrix) -> !vector {
  // expected-remark @+1 {{grouped rows update an array}}
  %r = comprehension.merge add %v : !vector {
    %i, %j, %a = comprehension.each %A : !matrix
    %g, %as = comprehension.group_by keys(%i) values(%a) : index, !comprehension.bag<f64>
    %s = comprehension.reduce add %as : !comprehension.bag<f64>
    comprehension.yield (%g) %s
  }
  func.return %r : !vector
}

func.func @last_write(%v: !vector, %A: !matrix) -> !vector {
  // expected-remark @+1 {{an element is written more than once}}
  %r = comprehension.merge %v : !vector {
    %i, %j, %a = comprehension.each %A : !matrix
    comprehension.yield (%i) %a
  }
  func.return %r : !vector
}

func.func @any_of_a_row(%n: index, %A: !matrix) -> !vector {
  // expected-remark @+1 {{an element is written more than once}}
  %r = comprehension.build (%n) : !vector {
    %i, %j, %a = comprehension.each %A : !matrix
    comprehension.yield (%i) %a
  }
  func.return %r : !vector
}

func.func @triangle(%n: index, %v: !vector) -> f64 {
  %zero = arith.constant 0 : index
  // expected-remark @+1 {{a range depends on another generator}}
  %r = comprehension.aggregate add : f64 {
    %i, %x = comprehension.each %v : !vector
    %j = comprehension.range %zero to %i
    comprehension.yield %x
  }
  func.return %r : f64
}

// Sparse arrays: only stored entries may take part, so that work is as large as they are.

func.func @sparse_result(%n: index, %v: !vector) -> !sparse_vector {
  %zero = arith.constant 0.0 : f64
  // expected-remark @+1 {{a sparse result has entries only where the guards hold}}
  %r = comprehension.build (%n) : !sparse_vector {
    %i, %x = comprehension.each %v : !vector
    %positive = arith.cmpf ogt, %x, %zero : f64
    comprehension.guard %positive
    comprehension.yield (%i) %x
  }
  func.return %r : !sparse_vector
}

func.func @diagonal(%n: index, %A: !sparse, %x: !vector) -> !vector {
  // expected-remark @+1 {{the stored entries of a sparse array are read beside the point}}
  %r = comprehension.build (%n) : !vector {
    %i, %b = comprehension.each %x full : !vector
    %j, %k, %a = comprehension.each %A : !sparse
    %e = arith.cmpi eq, %j, %i : index
    comprehension.guard %e
    %f = arith.cmpi eq, %k, %i : index
    comprehension.guard %f
    %l, %c = comprehension.each %x full : !vector
    %s = arith.addf %a, %c : f64
    %g, %vs = comprehension.group_by keys(%i) values(%s) : index, !comprehension.bag<f64>
    %m = comprehension.reduce min %vs : !comprehension.bag<f64>
    comprehension.yield (%g) %m
  }
  func.return %r : !vector
}

// For each entry (i, k) of A the entries of B with this k as their column would be searched for.
func.func @other_order(%n: index, %A: !sparse, %B: !sparse) -> !matrix {
  // expected-remark @+1 {{a sparse array is not stored in the order that joins it}}
  %r = comprehension.build (%n, %n) : !matrix {
    %i, %k, %a = comprehension.each %A : !sparse
    %j, %l, %b = comprehension.each %B : !sparse
    %e = arith.cmpi eq, %l, %k : index
    comprehension.guard %e
    %s = arith.addf %a, %b : f64
    %g, %h, %vs = comprehension.group_by keys(%i, %j) values(%s) : index, index, !comprehension.bag<f64>
    %m = comprehension.reduce min %vs : !comprehension.bag<f64>
    comprehension.yield (%g, %h) %m
  }
  func.return %r : !matrix
}

func.func @groups_of_entries(%n: index, %A: !sparse) -> !sparse_vector {
  // expected-remark @+1 {{a sparse result has entries only where rows are}}
  %r = comprehension.build (%n) : !sparse_vector {
    %i, %j, %a = comprehension.each %A : !sparse
    %g, %vs = comprehension.group_by keys(%i) values(%a) : index, !comprehension.bag<f64>
    %m = comprehension.reduce max %vs : !comprehension.bag<f64>
    comprehension.yield (%g) %m
  }
  func.return %r : !sparse_vector
}

// There is nothing to reduce, and the guard reads an element.
func.func @element_alone(%x: i64, %v: !vector) -> i64 {
  %zero = arith.constant 0 : index
  %half = arith.constant 0.5 : f64
  // expected-remark @+1 {{an element is read at one place only}}
  %r = comprehension.aggregate add : i64 {
    %j, %y = comprehension.each %v full : !vector
    %first = arith.cmpi eq, %j, %zero : index
    comprehension.guard %first
    %on = arith.cmpf ogt, %y, %half : f64
    comprehension.guard %on
    comprehension.yield %x
  }
  func.return %r : i64
}

func.func @probed_by_groups(%n: index, %v: !vector, %w: !vector) -> !vector {
  // expected-remark @+1 {{an element is read only on a condition}}
  %r = comprehension.build (%n) : !vector {
    %i, %x = comprehension.each %v : !vector
    %k, %xs = comprehension.group_by keys(%i) values(%x) : index, !comprehension.bag<f64>
    %y, %there = comprehension.probe %w[%k] : !vector
    %s = comprehension.reduce add %xs : !comprehension.bag<f64>
    %t = arith.addf %s, %y : f64
    comprehension.yield (%k) %t
  }
  func.return %r : !vector
}
