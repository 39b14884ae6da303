// RUN: diablo-opt %s -t numpy --split-input-file --verify-diagnostics

func.func @bits(%x: i64) -> i64 {
  // expected-error @+1 {{math.ctpop is not supported in a block kernel}}
  %z = math.ctpop %x : i64
  func.return %z : i64
}

// -----

func.func private @made_rows(%P: !comprehension.bag<f64>, %L: !comprehension.bag<f64>) -> !comprehension.bag<f64, !comprehension.bag<f64>> {
  %r = tensor_block.extend %P : !comprehension.bag<f64> -> !comprehension.bag<f64, !comprehension.bag<f64>> {
  ^bb0(%x: f64):
    // expected-error @+1 {{!multiloop.collect<f64> makes no column of a row}}
    %made = multiloop.loop rows(%L : !comprehension.bag<f64>) -> !comprehension.bag<f64> {
    ^bb1(%y: f64, %all: !multiloop.collect<f64>):
      multiloop.emit %all(%y : f64)
    }
    tensor_block.yield %made : !comprehension.bag<f64>
  }
  func.return %r : !comprehension.bag<f64, !comprehension.bag<f64>>
}

// -----

func.func private @items(%P: !comprehension.bag<!comprehension.bag<f64>>, %L: !comprehension.bag<f64>) -> !comprehension.bag<!comprehension.bag<f64>, f64> {
  %r = tensor_block.extend %P : !comprehension.bag<!comprehension.bag<f64>> -> !comprehension.bag<!comprehension.bag<f64>, f64> {
  ^bb0(%ys: !comprehension.bag<f64>):
    %sum = multiloop.loop rows(%ys : !comprehension.bag<f64>) -> f64 {
    ^bb1(%y: f64, %s: !multiloop.reduce<add : f64>):
      multiloop.loop rows(%L : !comprehension.bag<f64>) {
      ^bb2(%z: f64):
        // expected-error @+1 {{an item of a list emits in another loop than one over a list}}
        multiloop.emit %s(%z : f64)
      }
    }
    tensor_block.yield %sum : f64
  }
  func.return %r : !comprehension.bag<!comprehension.bag<f64>, f64>
}

// -----

func.func private @of_an_element(%n: index, %L: !comprehension.bag<f64>) -> tensor<?x?xf64> {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index):
    // expected-error @+1 {{a loop stands in no body of a row}}
    %sum = multiloop.loop rows(%L : !comprehension.bag<f64>) -> f64 {
    ^bb1(%y: f64, %s: !multiloop.reduce<add : f64>):
      multiloop.emit %s(%y : f64)
    }
    tensor_block.yield %sum : f64
  }
  func.return %r : tensor<?x?xf64>
}

// -----

func.func private @result_of_a_guard(%P: !comprehension.bag<f64>, %L: !comprehension.bag<f64>) -> !comprehension.bag<f64, f64> {
  %r = tensor_block.extend %P : !comprehension.bag<f64> -> !comprehension.bag<f64, f64> {
  ^bb0(%x: f64):
    %sum = multiloop.loop rows(%L : !comprehension.bag<f64>) -> f64 {
    ^bb1(%y: f64, %s: !multiloop.reduce<add : f64>):
      %some = arith.cmpf ogt, %y, %x : f64
      // expected-error @+1 {{a branch both emits values and has a result}}
      %t = scf.if %some -> (f64) {
        multiloop.emit %s(%y : f64)
        scf.yield %x : f64
      } else {
        scf.yield %y : f64
      }
      multiloop.emit %s(%t : f64)
    }
    tensor_block.yield %sum : f64
  }
  func.return %r : !comprehension.bag<f64, f64>
}

// -----

func.func private @conditional_read(%P: !comprehension.bag<f64>, %L: !comprehension.bag<index>, %V: tensor<?xf64>) -> !comprehension.bag<f64, f64> {
  %none = arith.constant 0.0 : f64
  %r = tensor_block.extend %P : !comprehension.bag<f64> -> !comprehension.bag<f64, f64> {
  ^bb0(%x: f64):
    %sum = multiloop.loop rows(%L : !comprehension.bag<index>) -> f64 {
    ^bb1(%i: index, %s: !multiloop.reduce<add : f64>):
      %some = arith.cmpf ogt, %x, %none : f64
      scf.if %some {
        // expected-error @+1 {{what may fail stands in a branch where only some rows are}}
        %t = scf.if %some -> (f64) {
          %e = tensor.extract %V[%i] : tensor<?xf64>
          scf.yield %e : f64
        } else {
          scf.yield %x : f64
        }
        multiloop.emit %s(%t : f64)
      }
    }
    tensor_block.yield %sum : f64
  }
  func.return %r : !comprehension.bag<f64, f64>
}

// -----

!lists = !comprehension.bag<i64, !comprehension.bag<f64>>
!more = !comprehension.bag<i64, !comprehension.bag<f64>, !comprehension.bag<f64>>
func.func private @items_twice(%L: !lists) -> !more {
  %r = tensor_block.extend %L : !lists -> !more {
  ^bb0(%k: i64, %xs: !comprehension.bag<f64>):
    // expected-error @+1 {{a list is collected of what several emits give}}
    %made = multiloop.loop rows(%xs : !comprehension.bag<f64>) -> !comprehension.bag<f64> {
    ^bb1(%x: f64, %all: !multiloop.collect<f64>):
      multiloop.emit %all(%x : f64)
      multiloop.emit %all(%x : f64)
    }
    tensor_block.yield %made : !comprehension.bag<f64>
  }
  func.return %r : !more
}
