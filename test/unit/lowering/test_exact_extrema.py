# The greatest and the least float at computed places, as integers that compare alike.
from math import inf, nan
from typing import Any

import numpy as np
import pytest
from gpu_kernels import ORDERS, Order, launched_on_cpu

BINS = """func.func @bins(%k: memref<?xindex>, %x: memref<?xTYPE>, %r: memref<?xTYPE>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = memref.dim %k, %zero : memref<?xindex>
  %bins = memref.dim %r, %zero : memref<?xTYPE>
  scf.for %i = %zero to %n step %one {
    %place = memref.load %k[%i] : memref<?xindex>
    %e = memref.load %x[%i] : memref<?xTYPE>
    %in = arith.cmpi ult, %place, %bins : index
    scf.if %in {
      %old = memref.load %r[%place] : memref<?xTYPE>
      %new = arith.OP %old, %e : TYPE
      memref.store %new, %r[%place] : memref<?xTYPE>
    }
  }
  func.return
}"""
SPECIAL = (inf, -inf, nan, -nan, 0.0, -0.0, 5e-324, -5e-324, 1e308, -1e308)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("type", ["f64", "f32"])
@pytest.mark.parametrize(
    ("op", "fold", "neutral"),
    [("maximumf", np.fmax, -inf), ("minimumf", np.fmin, inf)],
)
def test_ends_are_those_of_floats(order: Order, type: str, op: str, fold: Any, neutral: float):
    run = launched_on_cpu(BINS.replace("TYPE", type).replace("OP", op), order)
    dtype = np.float64 if type == "f64" else np.float32
    for n, count in ((0, 3), (1, 1), (31, 5), (33, 40), (1025, 4), (1025, 9000)):
        rng = np.random.default_rng((n, count))
        places = rng.integers(-1, count + 1, n)
        with np.errstate(over="ignore"):
            values = np.where(rng.random(n) < 0.3, rng.choice(SPECIAL, n), rng.normal(size=n))
            values = values.astype(dtype)
        result = np.full(count, neutral, dtype)
        run(places, values, result)
        for place in range(count):
            own = values[places == place]
            expected = fold.reduce(own, initial=dtype(neutral))
            if np.isnan(own).any():
                expected = dtype(nan)
            np.testing.assert_array_equal(result[place], expected)


def test_zeros_have_signs_and_elements_count(request: pytest.FixtureRequest):
    run = launched_on_cpu(BINS.replace("TYPE", "f64").replace("OP", "maximumf"))
    result = np.array([-1.0, 7.0, -0.0])
    run(np.array([0, 0, 1]), np.array([-0.0, 0.0, 3.0]), result)
    np.testing.assert_array_equal(result, [0.0, 7.0, 0.0])
    assert not np.signbit(result[0])
    assert np.signbit(result[2])
