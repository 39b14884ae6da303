// RUN: diablo-opt %s -p canonicalize | filecheck %s

// CHECK-LABEL: func.func @pack_of_unpack
// CHECK-NEXT:    func.return %A
func.func @pack_of_unpack(%A: tensor<?x?xf64, #tensor_block.storage<dense = 1>>) -> tensor<?x?xf64, #tensor_block.storage<dense = 1>> {
  %R, %a = sparse_storage.unpack %A : tensor<?x?xf64, #tensor_block.storage<dense = 1>> -> !sparse_storage.region<2>, memref<?xf64>
  %B = sparse_storage.pack %R, %a : !sparse_storage.region<2>, memref<?xf64> -> tensor<?x?xf64, #tensor_block.storage<dense = 1>>
  func.return %B : tensor<?x?xf64, #tensor_block.storage<dense = 1>>
}

// Other values make another array.
// CHECK-LABEL: func.func @pack_of_other_values
// CHECK:         sparse_storage.pack %R, %b
func.func @pack_of_other_values(%A: tensor<?x?xf64, #tensor_block.storage<dense = 1>>, %b: memref<?xf64>) -> tensor<?x?xf64, #tensor_block.storage<dense = 1>> {
  %R, %a = sparse_storage.unpack %A : tensor<?x?xf64, #tensor_block.storage<dense = 1>> -> !sparse_storage.region<2>, memref<?xf64>
  %B = sparse_storage.pack %R, %b : !sparse_storage.region<2>, memref<?xf64> -> tensor<?x?xf64, #tensor_block.storage<dense = 1>>
  func.return %B : tensor<?x?xf64, #tensor_block.storage<dense = 1>>
}

// CHECK-LABEL: func.func @slices
// CHECK-NEXT:    %line = sparse_storage.slice %R[%i, *, %k] : !sparse_storage.region<3> -> !sparse_storage.region<1>
// CHECK-NEXT:    func.return %line
func.func @slices(%R: !sparse_storage.region<3>, %i: index, %k: index) -> !sparse_storage.region<1> {
  %plane = sparse_storage.slice %R[%i, *, *] : !sparse_storage.region<3> -> !sparse_storage.region<2>
  %same = sparse_storage.slice %plane[*, *] : !sparse_storage.region<2> -> !sparse_storage.region<2>
  %line = sparse_storage.slice %same[*, %k] : !sparse_storage.region<2> -> !sparse_storage.region<1>
  func.return %line : !sparse_storage.region<1>
}

// CHECK-LABEL: func.func @size_of_box
// CHECK-NEXT:    %[[size:.*]] = arith.muli %n, %m : index
// CHECK-NEXT:    func.return %[[size]] : index
func.func @size_of_box(%n: index, %m: index) -> index {
  %R = sparse_storage.box %n, %m : !sparse_storage.region<2, #sparse_storage.layout<form = full>>
  %size = sparse_storage.size %R : !sparse_storage.region<2, #sparse_storage.layout<form = full>>
  func.return %size : index
}

// CHECK-LABEL: func.func @implicit
// CHECK-NEXT:    %zero = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:    func.return %zero : f64
func.func @implicit(%A: tensor<?x?xf64, #tensor_block.storage<dense = 1>>) -> f64 {
  %zero = sparse_storage.implicit %A : tensor<?x?xf64, #tensor_block.storage<dense = 1>> -> f64
  func.return %zero : f64
}
