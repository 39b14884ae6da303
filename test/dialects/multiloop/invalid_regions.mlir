// RUN: diablo-opt %s --split-input-file --verify-diagnostics

%a = "test.op"() : () -> (!sparse_storage.region<2>)
// expected-error @+1 {{[0, 0] is no order of 2 dimensions}}
multiloop.loop stored(%a : !sparse_storage.region<2>) order [0, 0] {
^bb0(%i: index, %j: index, %p: index):
}

// -----

%a = "test.op"() : () -> (!sparse_storage.region<2>)
// expected-error @+1 {{[0] is no order of a region of rank 2}}
multiloop.loop stored(%a : !sparse_storage.region<2>) order [0] {
^bb0(%i: index, %j: index, %p: index):
}

// -----

%a = "test.op"() : () -> (!sparse_storage.region<2>)
// expected-error @+1 {{the body must begin with the arguments (index, index, index), got (index)}}
multiloop.loop stored(%a : !sparse_storage.region<2>) {
^bb0(%i: index):
}

// -----

%a = "test.op"() : () -> (!sparse_storage.region<1>)
// expected-error @+1 {{what is stored is in one region, not in 2}}
multiloop.loop stored(%a, %a : !sparse_storage.region<1>, !sparse_storage.region<1>) {
^bb0(%i: index, %p: index):
}

// -----

%a = "test.op"() : () -> (tensor<?xf64>)
// expected-error @+1 {{what is stored is in a region, not in tensor<?xf64>}}
multiloop.loop union(%a : tensor<?xf64>) {
^bb0(%i: index, %p: index, %x: i1):
}

// -----

// expected-error @+1 {{there is no region to iterate over}}
multiloop.loop union() {
^bb0:
}

// -----

%a, %b = "test.op"() : () -> (!sparse_storage.region<1>, !sparse_storage.region<2>)
// expected-error @+1 {{the regions have different ranks, 1 and 2}}
multiloop.loop union(%a, %b : !sparse_storage.region<1>, !sparse_storage.region<2>) {
^bb0(%i: index, %p: index, %q: index, %x: i1, %y: i1):
}

// -----

%a = "test.op"() : () -> (!sparse_storage.region<1>)
// expected-error @+1 {{the body must begin with the arguments (index, index, index, i1, i1), got (index, index, index)}}
multiloop.loop union(%a, %a : !sparse_storage.region<1>, !sparse_storage.region<1>) {
^bb0(%i: index, %p: index, %q: index):
}

// -----

%a = "test.op"() : () -> (!sparse_storage.region<1>)
// expected-error @+1 {{the strategy is one of merge, gallop, lookup, got 'guess'}}
"multiloop.loop"(%a) <{source = "intersect", strategy = "guess", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> ({
^bb0(%i: index, %p: index, %x: i1):
}) : (!sparse_storage.region<1>) -> ()

// -----

%a = "test.op"() : () -> (!sparse_storage.region<1>)
// expected-error @+1 {{an intersection alone has a strategy, not union}}
"multiloop.loop"(%a) <{source = "union", strategy = "merge", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> ({
^bb0(%i: index, %p: index, %x: i1):
}) : (!sparse_storage.region<1>) -> ()

// -----

%a = "test.op"() : () -> (!sparse_storage.region<2>)
// expected-error @+1 {{a region alone has an order, not union}}
multiloop.loop union(%a : !sparse_storage.region<2>) order [1, 0] {
^bb0(%i: index, %j: index, %p: index, %x: i1):
}

// -----

%a = "test.op"() : () -> (!sparse_storage.region<1>)
// expected-error @+1 {{a range and a region alone are gone through in reverse, not union}}
multiloop.loop union(%a : !sparse_storage.region<1>) reverse {
^bb0(%i: index, %p: index, %x: i1):
}
