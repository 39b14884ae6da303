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

// CHECK-LABEL: func.func @orders
// CHECK:         sparse_storage.iterate %R : !sparse_storage.region<2> {
// CHECK:         sparse_storage.iterate %R order [1, 0] : !sparse_storage.region<2> {
// CHECK:         sparse_storage.iterate %C : !sparse_storage.region<2, {{.*}}> {
func.func @orders(%R: !sparse_storage.region<2>, %C: !sparse_storage.region<2, #sparse_storage.layout<form = compressed, orders = [[1, 0]]>>) {
  sparse_storage.iterate %R order [0, 1] : !sparse_storage.region<2> {
  ^bb0(%i: index, %j: index, %p: index):
    "test.op"(%p) : (index) -> ()
    sparse_storage.yield
  }
  sparse_storage.iterate %R order [1, 0] : !sparse_storage.region<2> {
  ^bb0(%i: index, %j: index, %p: index):
    "test.op"(%p) : (index) -> ()
    sparse_storage.yield
  }
  sparse_storage.iterate %C order [1, 0] : !sparse_storage.region<2, #sparse_storage.layout<form = compressed, orders = [[1, 0]]>> {
  ^bb0(%i: index, %j: index, %p: index):
    "test.op"(%p) : (index) -> ()
    sparse_storage.yield
  }
  func.return
}

// The part need not be made: each index of the base is tested.
// CHECK-LABEL: func.func @iterate_a_part
// CHECK-NEXT:    %n = sparse_storage.iterate %R init(%zero : index) : !sparse_storage.region<2> {
// CHECK-NEXT:    ^bb0(%i: index, %j: index, %p: index, %acc: index):
// CHECK-NEXT:      %equal = arith.cmpi eq, %i, %j : index
// CHECK-NEXT:      %[[next:.*]] = scf.if %equal -> (index) {
// CHECK-NEXT:        %sum = arith.addi %acc, %i : index
// CHECK-NEXT:        scf.yield %sum : index
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %acc : index
// CHECK-NEXT:      }
// CHECK-NEXT:      sparse_storage.yield %[[next]] : index
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %n
func.func @iterate_a_part(%R: !sparse_storage.region<2>, %zero: index) -> index {
  %diagonal = sparse_storage.region_where %R : !sparse_storage.region<2> -> !sparse_storage.region<2> {
  ^bb0(%i: index, %j: index, %p: index):
    %equal = arith.cmpi eq, %i, %j : index
    sparse_storage.yield %equal : i1
  }
  %n = sparse_storage.iterate %diagonal init(%zero : index) : !sparse_storage.region<2> {
  ^bb0(%i: index, %j: index, %p: index, %acc: index):
    %sum = arith.addi %acc, %i : index
    sparse_storage.yield %sum : index
  }
  func.return %n : index
}

// The positions of the part are not those of the base.
// CHECK-LABEL: func.func @positions_of_a_part
// CHECK:         sparse_storage.region_where
// CHECK:         sparse_storage.iterate %diagonal
func.func @positions_of_a_part(%R: !sparse_storage.region<2>) {
  %diagonal = sparse_storage.region_where %R : !sparse_storage.region<2> -> !sparse_storage.region<2> {
  ^bb0(%i: index, %j: index, %p: index):
    %equal = arith.cmpi eq, %i, %j : index
    sparse_storage.yield %equal : i1
  }
  sparse_storage.iterate %diagonal : !sparse_storage.region<2> {
  ^bb0(%i: index, %j: index, %p: index):
    "test.op"(%p) : (index) -> ()
    sparse_storage.yield
  }
  func.return
}

// CHECK-LABEL: func.func @alone
// CHECK-NEXT:    %[[true:.*]] = arith.constant true
// CHECK-NEXT:    sparse_storage.iterate %R : !sparse_storage.region<1> {
// CHECK-NEXT:    ^bb0(%i: index, %p: index):
// CHECK-NEXT:      "test.op"(%p, %[[true]])
func.func @alone(%R: !sparse_storage.region<1>) {
  sparse_storage.coiterate union (%R) : !sparse_storage.region<1> {
  ^bb0(%i: index, %p: index, %present: i1):
    "test.op"(%p, %present) : (index, i1) -> ()
    sparse_storage.yield
  }
  func.return
}
