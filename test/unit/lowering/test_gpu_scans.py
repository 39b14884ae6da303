# Loops that use what they have folded so far, run by the threads of a GPU that the CPU plays.
from typing import Any

import numpy as np
import pytest
from gpu_kernels import ORDERS, launched_on_cpu, loops_on_cpu

EXTENTS = (0, 1, 33, 1023, 1025, 9001)

SUMS = """func.func @k(%a: memref<?xTYPE>, %n: index, %r: memref<?xTYPE>, %last: memref<TYPE>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = arith.constant 5 : TYPE
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %x) -> (TYPE) {
    %e = memref.load %a[%i] : memref<?xTYPE>
    %t = arith.OP %acc, %e : TYPE
    memref.store STORED, %r[%i] : memref<?xTYPE>
    scf.yield %t : TYPE
  }
  memref.store %sum, %last[] : memref<TYPE>
  func.return
}"""
COMPACTED = """func.func @k(%a: memref<?xf64>, %n: index, %r: memref<?xf64>, %last: memref<index>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = arith.constant 0.0 : f64
  %count = scf.for %i = %zero to %n step %one iter_args(%at = %zero) -> (index) {
    %e = memref.load %a[%i] : memref<?xf64>
    %p = arith.cmpf ogt, %e, %x : f64
    %t = scf.if %p -> (index) {
      memref.store %e, %r[%at] : memref<?xf64>
      %s = arith.addi %at, %one : index
      scf.yield %s : index
    } else {
      scf.yield %at : index
    }
    scf.yield %t : index
  } {simt.folds = ["add"], simt.apart}
  memref.store %count, %last[] : memref<index>
  func.return
}"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("type", "op", "fold", "order"),
    [
        ("i64", "addi", np.cumsum, "ascending"),
        ("i8", "addi", np.cumsum, "descending"),
        ("i32", "maxsi", np.maximum.accumulate, "descending"),
    ],
)
def test_folds_of_all_beginnings(type: str, op: str, fold: Any, order: Any):
    dtype = np.dtype(type.replace("i", "int"))
    text = SUMS.replace("TYPE", type).replace("OP", op)
    before = loops_on_cpu(text.replace("STORED", "%acc"), order)
    up_to = loops_on_cpu(text.replace("STORED", "%t"), order)
    for n in EXTENTS:
        a = np.random.default_rng(n).integers(-9, 9, n).astype(dtype)
        expected = fold(np.r_[dtype.type(5), a], dtype=dtype)
        last = np.zeros((), dtype)
        result = np.zeros(n, dtype)
        before(a, n, result, last)
        np.testing.assert_array_equal(result, expected[:-1])
        up_to(a, n, result, last)
        np.testing.assert_array_equal(result, expected[1:])
        assert last == expected[-1]


@pytest.mark.parametrize("order", ORDERS)
def test_what_is_kept_moves_together(order: Any):
    run = loops_on_cpu(COMPACTED, order)
    for n in EXTENTS:
        a = np.random.default_rng(n).normal(size=n)
        result, count = np.zeros(n), np.zeros((), np.int64)
        run(a, n, result, count)
        np.testing.assert_array_equal(result[: int(count)], a[a > 0])
        assert not result[int(count) :].any()


SORTED = """func.func @k(%a: memref<?xi64>, %bits: index, %r: memref<?xi64>, %q: memref<?xindex>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = memref.dim %a, %zero : memref<?xi64>
  %keys = memref.alloc(%n) : memref<?xi64>
  %places = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %zero to %n step %one {
    %e = memref.load %a[%i] : memref<?xi64>
    memref.store %e, %keys[%i] : memref<?xi64>
    memref.store %i, %places[%i] : memref<?xindex>
  }
  simt.sort %keys, %places, %bits : memref<?xi64>, memref<?xindex>
  scf.for %i = %zero to %n step %one {
    %e = memref.load %keys[%i] : memref<?xi64>
    memref.store %e, %r[%i] : memref<?xi64>
    %p = memref.load %places[%i] : memref<?xindex>
    memref.store %p, %q[%i] : memref<?xindex>
  }
  func.return
}"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("order", ORDERS)
def test_equal_keys_keep_their_order(order: Any):
    run = launched_on_cpu(SORTED, order)
    for n, bits in ((0, 8), (1, 0), (33, 3), (1025, 8), (1025, 9), (5000, 20), (5000, 63)):
        keys = np.random.default_rng((n, bits)).integers(0, 1 << bits, n, dtype=np.int64)
        result, places = np.zeros(n, np.int64), np.zeros(n, np.int64)
        run(keys, bits, result, places)
        np.testing.assert_array_equal(places, np.argsort(keys, kind="stable"))
        np.testing.assert_array_equal(result, keys[places])
