// RUN: diablo-opt %s -p canonicalize | filecheck %s

// An order that is the layout's own need not be said.
// CHECK-LABEL: func.func @orders
// CHECK:         multiloop.loop stored(%R : !sparse_storage.region<2>) {
// CHECK:         multiloop.loop stored(%R : !sparse_storage.region<2>) order [1, 0] {
// CHECK:         multiloop.loop stored(%C : !sparse_storage.region<2, {{.*}}>) {
func.func @orders(%R: !sparse_storage.region<2>, %C: !sparse_storage.region<2, #sparse_storage.layout<form = compressed, orders = [[1, 0]]>>) {
  multiloop.loop stored(%R : !sparse_storage.region<2>) order [0, 1] {
  ^bb0(%i: index, %j: index, %p: index):
    "test.op"(%p) : (index) -> ()
  }
  multiloop.loop stored(%R : !sparse_storage.region<2>) order [1, 0] {
  ^bb0(%i: index, %j: index, %p: index):
    "test.op"(%p) : (index) -> ()
  }
  multiloop.loop stored(%C : !sparse_storage.region<2, #sparse_storage.layout<form = compressed, orders = [[1, 0]]>>) order [1, 0] {
  ^bb0(%i: index, %j: index, %p: index):
    "test.op"(%p) : (index) -> ()
  }
  func.return
}

// The part need not be made: each index of the base is tested.
// CHECK-LABEL: func.func @a_part
// CHECK-NEXT:    %n = multiloop.loop stored(%R : !sparse_storage.region<2>) reverse -> index {
// CHECK-NEXT:    ^bb0(%i: index, %j: index, %p: index, %sum: !multiloop.reduce<add : index>):
// CHECK-NEXT:      %equal = arith.cmpi eq, %i, %j : index
// CHECK-NEXT:      scf.if %equal {
// CHECK-NEXT:        multiloop.emit %sum(%i : index)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %n
func.func @a_part(%R: !sparse_storage.region<2>) -> index {
  %diagonal = sparse_storage.region_where %R : !sparse_storage.region<2> -> !sparse_storage.region<2> {
  ^bb0(%i: index, %j: index, %p: index):
    %equal = arith.cmpi eq, %i, %j : index
    sparse_storage.yield %equal : i1
  }
  %n = multiloop.loop stored(%diagonal : !sparse_storage.region<2>) reverse -> index {
  ^bb0(%i: index, %j: index, %p: index, %sum: !multiloop.reduce<add : index>):
    multiloop.emit %sum(%i : index)
  }
  func.return %n : index
}

// The base has another order, so that of the part is said.
// CHECK-LABEL: func.func @a_part_by_columns
// CHECK-NEXT:    multiloop.loop stored(%R : !sparse_storage.region<2>) order [1, 0] {
func.func @a_part_by_columns(%R: !sparse_storage.region<2>) {
  %diagonal = sparse_storage.region_where %R : !sparse_storage.region<2>
      -> !sparse_storage.region<2, #sparse_storage.layout<form = compressed, orders = [[1, 0]]>> {
  ^bb0(%i: index, %j: index, %p: index):
    %equal = arith.cmpi eq, %i, %j : index
    sparse_storage.yield %equal : i1
  }
  multiloop.loop stored(%diagonal : !sparse_storage.region<2, #sparse_storage.layout<form = compressed, orders = [[1, 0]]>>) {
  ^bb0(%i: index, %j: index, %p: index):
    "test.op"(%i) : (index) -> ()
  }
  func.return
}

// The positions of the part are not those of the base.
// CHECK-LABEL: func.func @positions_of_a_part
// CHECK:         sparse_storage.region_where
// CHECK:         multiloop.loop stored(%diagonal
func.func @positions_of_a_part(%R: !sparse_storage.region<2>) {
  %diagonal = sparse_storage.region_where %R : !sparse_storage.region<2> -> !sparse_storage.region<2> {
  ^bb0(%i: index, %j: index, %p: index):
    %equal = arith.cmpi eq, %i, %j : index
    sparse_storage.yield %equal : i1
  }
  multiloop.loop stored(%diagonal : !sparse_storage.region<2>) {
  ^bb0(%i: index, %j: index, %p: index):
    "test.op"(%p) : (index) -> ()
  }
  func.return
}

// CHECK-LABEL: func.func @alone
// CHECK-NEXT:    %[[true:.*]] = arith.constant true
// CHECK-NEXT:    multiloop.loop stored(%R : !sparse_storage.region<1>) {
// CHECK-NEXT:    ^bb0(%i: index, %p: index):
// CHECK-NEXT:      "test.op"(%p, %[[true]])
// CHECK:         multiloop.loop stored(%C : {{.*}}) order [0, 1] {
func.func @alone(%R: !sparse_storage.region<1>, %C: !sparse_storage.region<2, #sparse_storage.layout<form = compressed, orders = [[1, 0]]>>) {
  multiloop.loop union(%R : !sparse_storage.region<1>) {
  ^bb0(%i: index, %p: index, %present: i1):
    "test.op"(%p, %present) : (index, i1) -> ()
  }
  multiloop.loop intersect gallop(%C : !sparse_storage.region<2, #sparse_storage.layout<form = compressed, orders = [[1, 0]]>>) {
  ^bb0(%i: index, %j: index, %p: index, %present: i1):
    "test.op"(%p, %present) : (index, i1) -> ()
  }
  func.return
}
