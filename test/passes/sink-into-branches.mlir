// RUN: diablo-opt %s -p sink-into-branches | filecheck %s

!vector = tensor<?xf64>
!tiles = !spark.rdd<[index], [!vector]>

func.func private @fill(%n: index, %x: f64) -> !vector {
  %r = tensor_block.map parallel(d0 < %n) -> !vector {
  ^bb0(%i: index):
    tensor_block.yield %x : f64
  }
  func.return %r : !vector
}
func.func private @read(%n: index, %A: !vector) -> !vector {
  %r = tensor_block.map parallel(d0 < %n) -> !vector {
  ^bb0(%i: index):
    %x = tensor.extract %A[%i] : !vector
    tensor_block.yield %x : f64
  }
  func.return %r : !vector
}

// What one arm reads is made there, and so is what is made of it alone; of two branches the inner.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT:    scf.if %c -> (tensor<?xf64>) {
// CHECK-NEXT:      scf.yield %A
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %{{.*}} = scf.if %d -> (tensor<?xf64>) {
// CHECK-NEXT:        %P = func.call @fill(%n, %x)
// CHECK-NEXT:        %Q = func.call @second(%P)
// CHECK-NEXT:        scf.yield %Q
func.func @chain(%c: i1, %d: i1, %n: index, %x: f64, %A: !vector) -> !vector {
  %P = func.call @fill(%n, %x) : (index, f64) -> !vector
  %Q = func.call @second(%P) : (!vector) -> !vector
  %r = scf.if %c -> (!vector) {
    scf.yield %A : !vector
  } else {
    %s = scf.if %d -> (!vector) {
      scf.yield %Q : !vector
    } else {
      scf.yield %A : !vector
    }
    scf.yield %s : !vector
  }
  func.return %r : !vector
}
func.func private @second(%A: !vector) -> !vector {
  func.return %A : !vector
}

// CHECK-LABEL: func.func @distributed
// CHECK-NEXT:    scf.if %c
// CHECK-NEXT:      scf.yield %T
// CHECK-NEXT:    } else {
// CHECK-NEXT:      spark.tiles
// CHECK-NEXT:      spark.map @tile
func.func @distributed(%c: i1, %n: index, %x: f64, %T: !tiles) -> !tiles {
  %0 = spark.tiles dims(%n) : !spark.rdd<[index], []>
  %P = spark.map @tile(%0) dims(%n) captures(%x : f64) : !spark.rdd<[index], []> -> !tiles
  %r = scf.if %c -> (!tiles) {
    scf.yield %T : !tiles
  } else {
    scf.yield %P : !tiles
  }
  func.return %r : !tiles
}
func.func private @tile(%origin: index, %n: index, %x: f64) -> !vector {
  %r = func.call @fill(%n, %x) : (index, f64) -> !vector
  func.return %r : !vector
}

// Held back: what both arms read, what is read behind the branch or in a loop in an arm, what may
// fail, and scalars.
// CHECK-LABEL: func.func @held
// CHECK-NEXT:    %both = func.call @fill
// CHECK-NEXT:    %after = func.call @fill
// CHECK-NEXT:    %repeated = func.call @fill
// CHECK-NEXT:    %fails = func.call @read
// CHECK-NEXT:    %y = arith.addf %x, %x
// CHECK-NEXT:    scf.if %c
func.func @held(%c: i1, %n: index, %x: f64, %A: !vector) -> (!vector, !vector) {
  %both = func.call @fill(%n, %x) : (index, f64) -> !vector
  %after = func.call @fill(%n, %x) : (index, f64) -> !vector
  %repeated = func.call @fill(%n, %x) : (index, f64) -> !vector
  %fails = func.call @read(%n, %A) : (index, !vector) -> !vector
  %y = arith.addf %x, %x : f64
  %r = scf.if %c -> (!vector) {
    "test.op"(%after, %fails, %y) : (!vector, !vector, f64) -> ()
    scf.yield %both : !vector
  } else {
    scf.while () : () -> () {
      scf.condition(%c)
    } do {
      "test.op"(%repeated) : (!vector) -> ()
      scf.yield
    }
    scf.yield %both : !vector
  }
  func.return %r, %after : !vector, !vector
}
