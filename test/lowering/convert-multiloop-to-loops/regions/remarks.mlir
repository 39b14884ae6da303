// Functions that stay as they are, and loops that have to look every index up.
// RUN: diablo-opt %s -p convert-multiloop-to-loops --split-input-file --verify-diagnostics | filecheck %s

// CHECK-LABEL: func.func @argument(%R: !sparse_storage.region<1>)
// expected-remark @+1 {{'argument' is left as it is: a region is an argument}}
func.func @argument(%R: !sparse_storage.region<1>) {
  %n = sparse_storage.size %R : !sparse_storage.region<1>
  func.return
}

// -----

!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
// CHECK-LABEL: func.func @two_layouts
// CHECK:         sparse_storage.unpack
// expected-remark @+1 {{'two_layouts' is left as it is: an argument is unpacked as form = compressed and as form = coordinates}}
func.func @two_layouts(%A: !rows) {
  %R, %a = sparse_storage.unpack %A : !rows -> !sparse_storage.region<2, #sparse_storage.layout<form = compressed>>, memref<?xf64>
  %S, %b = sparse_storage.unpack %A : !rows -> !sparse_storage.region<2, #sparse_storage.layout<form = coordinates>>, memref<?xf64>
  func.return
}

// -----

// CHECK-LABEL: func.func @band_of_a_vector
// expected-remark @+1 {{'band_of_a_vector' is left as it is: only a matrix is stored as a band}}
func.func @band_of_a_vector(%A: tensor<?xf64, #tensor_block.storage<dense = 0>>) {
  %R, %a = sparse_storage.unpack %A : tensor<?xf64, #tensor_block.storage<dense = 0>> -> !sparse_storage.region<1, #sparse_storage.layout<form = band>>, memref<?xf64>
  func.return
}

// -----

// CHECK-LABEL: func.func @part
// expected-remark @+1 {{'part' is left as it is: a part of a region cannot be laid out as form = bitmap}}
func.func @part(%n: index) {
  %all = sparse_storage.box %n : !sparse_storage.region<1, #sparse_storage.layout<form = full>>
  %T = sparse_storage.region_where %all : !sparse_storage.region<1, #sparse_storage.layout<form = full>> -> !sparse_storage.region<1, #sparse_storage.layout<form = bitmap>> {
  ^bb0(%i: index, %p: index):
    %keep = arith.cmpi sge, %i, %p : index
    sparse_storage.yield %keep : i1
  }
  func.return
}

// -----

!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!compressed = !sparse_storage.region<2, #sparse_storage.layout<form = compressed>>
// CHECK-LABEL: func.func @by_columns
// CHECK-NOT:     sparse_storage
func.func @by_columns(%A: !rows) {
  %R, %a = sparse_storage.unpack %A : !rows -> !compressed, memref<?xf64>
  // expected-remark @+1 {{every index of the box is looked up: no order [1, 0] is stored}}
  multiloop.loop stored(%R : !compressed) order [1, 0] {
  ^bb0(%i: index, %j: index, %p: index):
    "test.op"(%i, %j, %p) : (index, index, index) -> ()
  }
  func.return
}
