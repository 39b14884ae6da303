// RUN: diablo-opt %s -t "pyspark{llvm=false}" | filecheck %s

// One element of an array of the driver is written: into a copy, or into what dies there.

!vector = tensor<?xf64>

func.func @main(%V: !vector {diablo.name = "V"}, %i: index {diablo.name = "i"}, %s: f64 {diablo.name = "s"}) -> (f64) {
  %own = bufferization.alloc_tensor() copy(%V) : !vector
  %a = tensor.insert %s into %V[%i] : !vector
  %b = tensor.insert %s into %own[%i] {in_place = 1 : i64} : !vector
  %x = tensor.extract %a[%i] : !vector
  %y = tensor.extract %b[%i] : !vector
  %z = arith.addf %x, %y : f64
  func.return %z : f64
}
// CHECK:      def main(sc, V, i, s, *, block_size=None):
// CHECK:          own = copied(V)
// CHECK:          a = with_element(V, (i,), s)
// CHECK:          b = into(own, with_element, own, (i,), s)
