// RUN: diablo-opt %s -p convert-tensor-block-to-spark --verify-diagnostics --split-input-file

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

func.func @dimension(%v: !vector, %k: index) -> index {
  // expected-error @+1 {{the dimension that is asked for must be a constant in range}}
  %n = tensor.dim %v, %k : !vector
  func.return %n : index
}

// -----

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

func.func @not_a_level_below(%v: !vector) -> f64 {
  // expected-error @+1 {{comprehension.aggregate cannot be distributed}}
  %s = comprehension.aggregate add : f64 {
    %i, %x = comprehension.each %v : !vector
    comprehension.yield %x
  }
  func.return %s : f64
}

// -----

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

func.func @whole(%v: !vector) -> f64 {
  // expected-error @+1 {{test.op cannot be applied to a distributed value}}
  %s = "test.op"(%v) : (!vector) -> f64
  func.return %s : f64
}

// -----

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

func.func @inside(%v: !comprehension.bag<f64>, %n: index) -> !vector {
  // expected-error @+1 {{a list is used inside the computation of an element}}
  %r = tensor_block.map parallel(d0 < %n) -> !vector {
  ^bb0(%i: index):
    %x = comprehension.reduce add %v : !comprehension.bag<f64>
    tensor_block.yield %x : f64
  }
  func.return %r : !vector
}

// -----

// expected-error @+1 {{a function of several blocks cannot be distributed}}
func.func @several_blocks(%n: index) -> index {
  cf.br ^end(%n : index)
^end(%m: index):
  func.return %m : index
}
