// RUN: diablo-opt %s -p convert-diablo-to-comprehension --verify-diagnostics --split-input-file

func.func @no_order(%lo: index, %hi: index, %x: f64) -> f64 {
  %s = diablo.var "s" = %x : f64
  diablo.for %i = %lo to %hi {
    // expected-error @+1 {{assigning to s in every iteration of a for loop is not supported here}}
    diablo.store %x, %s : !diablo.ref<f64>
  }
  %0 = diablo.load %s : !diablo.ref<f64>
  func.return %0 : f64
}

// -----

// Every statement that cannot be converted is named.
func.func @local(%lo: index, %hi: index, %x: f64, %c: i1) {
  diablo.for %i = %lo to %hi {
    %s = diablo.var "s" = %x : f64
    diablo.for %j = %lo to %hi {
      // expected-error @+1 {{assigning to s in every iteration of a for loop is not supported here}}
      diablo.store %x, %s : !diablo.ref<f64>
    }
    // expected-error @+1 {{a loop that runs in order, inside a `for` that does not, is not supported here}}
    scf.while () : () -> () {
      scf.condition(%c)
    } do {
      scf.yield
    }
  }
  func.return
}

// -----

func.func @nested(%lo: index, %hi: index, %m: tensor<?xf64>) {
  %M = diablo.var "M" = %m : tensor<?xf64>
  diablo.for %i = %lo to %hi {
    %r = comprehension.build (%hi) : tensor<?xf64> {
      %j = comprehension.range %lo to %hi
      %x = diablo.load %M[%j] : !diablo.ref<tensor<?xf64>>
      // expected-error @+1 {{an assignment inside an expression is not supported yet}}
      diablo.store %x, %M[%i] : !diablo.ref<tensor<?xf64>>
      comprehension.yield (%j) %x
    }
  }
  func.return
}

// -----

func.func @foreign(%ref: !diablo.ref<f64>) -> f64 {
  // expected-error @+1 {{only a variable of the function itself can be converted}}
  %x = diablo.load %ref : !diablo.ref<f64>
  func.return %x : f64
}

// -----

// expected-error @+1 {{a function of several blocks cannot be converted}}
func.func @several_blocks(%x: f64) -> f64 {
  %v = diablo.var "v" = %x : f64
  cf.br ^end
^end:
  %y = diablo.load %v : !diablo.ref<f64>
  func.return %y : f64
}
