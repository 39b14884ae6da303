# Sums of floats at computed places, of which no order shows: as close as they are said to be.
from math import fsum, inf, isnan, nan
from typing import Any

import numpy as np
import pytest
from gpu_kernels import ORDERS, Order, launched_on_cpu


def bins(type: str) -> str:
    return f"""func.func @bins(%k: memref<?xindex>, %x: memref<?x{type}>, %r: memref<?x{type}>) {{
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %n = memref.dim %k, %zero : memref<?xindex>
      %bins = memref.dim %r, %zero : memref<?x{type}>
      scf.for %i = %zero to %n step %one {{
        %place = memref.load %k[%i] : memref<?xindex>
        %e = memref.load %x[%i] : memref<?x{type}>
        %in = arith.cmpi ult, %place, %bins : index
        scf.if %in {{
          %old = memref.load %r[%place] : memref<?x{type}>
          %new = arith.addf %old, %e fastmath<reassoc,contract> : {type}
          memref.store %new, %r[%place] : memref<?x{type}>
        }}
      }}
      func.return
    }}"""


def sums(run: Any, places: Any, values: Any, count: int, begun: float = 0.0) -> Any:
    result = np.full(count, begun, values.dtype)
    run(np.asarray(places, np.int64), np.asarray(values), result)
    return result


@pytest.fixture(scope="module", params=ORDERS)
def run(request: pytest.FixtureRequest) -> Any:
    order: Order = request.param
    return launched_on_cpu(bins("f64"), order)


def wide(rng: Any, n: int) -> Any:
    """Floats of many magnitudes and both signs."""
    return np.ldexp(rng.normal(size=n), rng.integers(-60, 60, n))


@pytest.mark.sampled(16)
@pytest.mark.parametrize("n", [0, 1, 31, 32, 33, 1023, 1025])
@pytest.mark.parametrize("count", [1, 3, 1500])
def test_sums_are_as_close_as_is_said(run: Any, n: int, count: int):
    rng = np.random.default_rng((n, count))
    places, values = rng.integers(-1, count + 1, n), wide(rng, n)
    got = sums(run, places, values, count)
    for place in range(count):
        own = values[places == place]
        exact = fsum(own)
        most = float(np.abs(own).max(initial=0.0))
        bound = len(own) * most * 2.0**-63 + abs(exact) * 2.0**-52
        assert abs(got[place] - exact) <= bound, place
        # What adding one after the other allows for is more.
        assert bound <= max(len(own), 2) * 2.0**-53 * float(np.abs(own).sum()) * 2.0


def test_any_order_gives_the_same_bits(run: Any):
    rng = np.random.default_rng(1)
    places, values = rng.integers(0, 7, 3000), wide(rng, 3000)
    expected = sums(run, places, values, 7)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(3000)
        np.testing.assert_array_equal(sums(run, places[order], values[order], 7), expected)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([inf, 1e308, -1.0], inf),
        ([-inf, 1e308, 1e308], -inf),
        ([inf, -inf, 1.0], nan),
        ([nan, 1.0], nan),
        ([-nan, inf], nan),
        ([1e308, 1e308, -1e308], 1e308),
        ([1e308, 1e308], inf),
        ([1e300, 1.0, -1e300], 0.0),
        ([1e16, 1.0, -1e16], 1.0),
        ([5e-324, 5e-324, 5e-324], 1.5e-323),
        ([2.2250738585072014e-308, -5e-324], 2.225073858507201e-308),
        ([1.0, 5e-324, -1.0], 0.0),
        ([-0.0, -0.0], 0.0),
        ([0.1] * 10, 1.0),
    ],
)
def test_ends_of_the_range(run: Any, values: Any, expected: float):
    (got,) = sums(run, [0] * len(values), np.array(values), 1)
    assert isnan(got) if isnan(expected) else got == expected


def test_the_sum_is_added_to_what_is_there(run: Any):
    np.testing.assert_array_equal(sums(run, [1, 1], np.array([0.25, 0.5]), 3, 1.0), [1, 1.75, 1])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("order", ORDERS)
def test_short_floats_are_rounded_once(order: Order):
    run = launched_on_cpu(bins("f32"), order)
    rng = np.random.default_rng(3)
    values = np.ldexp(rng.normal(size=2000), rng.integers(-20, 20, 2000)).astype(np.float32)
    places = rng.integers(0, 9, 2000)
    got = sums(run, places, values, 9)
    exact = [np.float32(fsum(values[places == place].tolist())) for place in range(9)]
    np.testing.assert_array_equal(got, np.array(exact))
    assert sums(run, [0, 0], np.array([inf, 1.0], np.float32), 1)[0] == inf
