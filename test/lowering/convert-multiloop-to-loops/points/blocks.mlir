// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop,convert-multiloop-to-loops | filecheck %s
// A function of several blocks is no kernel and stays as it is.

// CHECK-LABEL: func.func @several_blocks
// CHECK-NEXT:    cf.br ^{{.*}}(%n : index)
// CHECK:         func.return %m : index
func.func @several_blocks(%n: index) -> index {
  cf.br ^end(%n : index)
^end(%m: index):
  func.return %m : index
}
