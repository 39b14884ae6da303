// Arrays whose elements are arrays: references are made and replaced, nothing inside is touched.
// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --remarks 2>&1 | filecheck %s
// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce,convert-tensor-block-to-spark,canonicalize,dce -t pyspark | filecheck %s --check-prefix PYTHON

!array = tensor<?x?xf64>
!levels = tensor<?x!array>

// CHECK:       remark: one array at every index: only references to it are made
// CHECK:       remark: an element that is an array is replaced: only a reference to it is stored
// CHECK:       func.func @main
// CHECK:         %[[R:.*]] = tensor.splat %a[%n] : tensor<?xtensor<?x?xf64>>
// CHECK:         %[[INSIDE:.*]] = arith.andi
// CHECK-NEXT:    %[[NEW:.*]] = scf.if %[[INSIDE]] -> (tensor<?xtensor<?x?xf64>>) {
// CHECK-NEXT:      %[[SET:.*]] = tensor.insert %b into %[[R]][%k] : tensor<?xtensor<?x?xf64>>
// CHECK-NEXT:      scf.yield %[[SET]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %[[R]]
// CHECK:         tensor.extract %[[NEW]][%k]
// PYTHON:        = filled((n,), a)
// PYTHON:        if k >= 0 and k < n:
// PYTHON:          = with_element({{.*}}, (k,), b)
// PYTHON:        local_element(
func.func @main(%n: index, %k: index, %a: !array, %b: !array) -> !array {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %R = comprehension.build (%n) : !levels {
    %l = comprehension.range %zero to %last
    comprehension.yield (%l) %a
  }
  %s = comprehension.merge %R : !levels {
    comprehension.yield (%k) %b
  }
  %x = tensor.extract %s[%k] : !levels
  func.return %x : !array
}
