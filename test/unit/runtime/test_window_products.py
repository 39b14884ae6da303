"""Sums of products over windows, against their terms one by one."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

from diablo.runtime.kernels import window_products
from diablo.runtime.kernels.window_products import product
from diablo.runtime.native import work_seen
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.thread_team import share

# Extents, how many of them are of the result, axes of the data, dimensions of the weights.
CASES: dict[str, tuple[Any, ...]] = {
    "images": (
        (2, 3, 5, 4, 2, 3, 2),
        4,
        (({0: 1}, 0), ({4: 1}, 0), ({2: 1, 5: 1}, 0), ({3: 1, 6: 1}, 0)),
        (1, 4, 5, 6),
    ),
    "with zeros around": (
        (2, 3, 6, 5, 2, 3, 3),
        4,
        (({0: 1}, 0), ({4: 1}, 0), ({2: 1, 5: 1}, -1), ({3: 1, 6: 1}, -1)),
        (1, 4, 5, 6),
    ),
    "channels last": (
        (2, 5, 4, 3, 3, 3, 2),
        4,
        (({0: 1}, 0), ({1: 1, 4: 1}, 0), ({2: 1, 5: 1}, -1), ({6: 1}, 0)),
        (4, 5, 6, 3),
    ),
    "strides and holes": (
        (3, 4, 4, 2, 2, 2),
        3,
        (({3: 1}, 0), ({1: 2, 4: 3}, 0), ({2: 3, 5: 2}, -2)),
        (0, 3, 4, 5),
    ),
    "mirrored": (
        (2, 5, 2, 3),
        2,
        (({2: 1}, 0), ({1: 1, 3: -1}, 1)),
        (0, 2, 3),
    ),
    "a line": ((2, 300, 3), 2, (({1: 1, 2: 1}, 0),), (0, 2)),
    "places backwards": ((2, 20, 3), 2, (({1: -1, 2: 1}, 19),), (2, 0)),
    "two numbers of channels": (
        (2, 2, 3, 6, 3, 2),
        4,
        (({0: 1}, 0), ({3: 1, 4: 1}, 0), ({5: 1}, 0)),
        (2, 4, 1, 5),
    ),
    "rooms": (
        (2, 3, 4, 3, 2, 2, 2),
        4,
        (({1: 1, 4: 1}, 0), ({2: 1, 5: 1}, 0), ({3: 1, 6: 1}, -1)),
        (0, 4, 5, 6),
    ),
    "one place": ((2, 1, 3), 2, (({1: 1, 2: 1}, 0),), (0, 2)),
    "nothing": ((2, 0, 3), 2, (({1: 1, 2: 1}, 0),), (0, 2)),
}


def terms(
    data: Any, weights: Any, extents: Any, parallel: int, axes: Any, dimensions: Any, limits: Any
) -> Any:
    """The sums, term by term."""
    made = np.zeros(extents[:parallel], data.dtype)
    for point in np.ndindex(*extents):
        place = [number + sum(f * point[d] for d, f in parts.items()) for parts, number in axes]
        if any(
            (least is not None and place[axis] < least) or (end is not None and place[axis] >= end)
            for axis, least, end in limits
        ):
            continue
        inside = all(0 <= p < extent for p, extent in zip(place, data.shape, strict=True))
        value = data[tuple(place)] if inside else data.dtype.type(0)
        made[point[:parallel]] += value * weights[tuple(point[d] for d in dimensions)]
    return made


@pytest.fixture(params=["always", "never"], autouse=True)
def mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", request.param)
    monkeypatch.setenv("DIABLO_THREADS", "3")
    monkeypatch.setattr(work_seen, "_points_seen", OrderedDict())


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("strip", [1, 1 << 9, 1 << 18])
@pytest.mark.parametrize("name", CASES)
def test_sums_are_those_of_their_terms(
    name: str, strip: int, dtype: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window_products, "STRIP", strip)
    monkeypatch.setattr(window_products, "LEAST_PLACES", 7)
    monkeypatch.setattr(window_products, "_LONG_STRIP", strip)
    extents, parallel, axes, dimensions = CASES[name]
    generator = np.random.default_rng(1)
    shape = [
        1 + max(0, number + sum(max(0, f * (extents[d] - 1)) for d, f in parts.items()))
        for parts, number in axes
    ]
    weights = generator.integers(-9, 9, [extents[d] + 1 for d in dimensions]).astype(dtype)
    for larger in (0, 2):
        data = generator.integers(-9, 9, [s + larger for s in shape]).astype(dtype)
        for given in (data, np.asfortranarray(data), np.repeat(data, 2, axis=-1)[..., ::2]):
            arguments = given, weights, extents, parallel, axes, dimensions
            made = product(*arguments)
            # Sums of small integers are exact in any order.
            np.testing.assert_array_equal(made, terms(*arguments, ()))
            assert made.dtype == dtype
            limits = [(len(shape) - 1, 1, None), (len(shape) - 1, None, shape[-1] - 1)]
            made = product(*arguments, limits)
            np.testing.assert_array_equal(made, terms(*arguments, limits))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("strip", [1, 1 << 18])
@pytest.mark.parametrize("name", CASES)
def test_plans_are_for_other_arrays_as_well(
    name: str, strip: int, dtype: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setattr(window_products, "STRIP", strip)
    monkeypatch.setattr(window_products, "LEAST_PLACES", 7)
    extents, parallel, axes, dimensions = CASES[name]
    generator = np.random.default_rng(2)
    shape = [
        2 + max(0, number + sum(max(0, f * (extents[d] - 1)) for d, f in parts.items()))
        for parts, number in axes
    ]

    def drawn(shape: Any) -> Any:
        made = np.empty(shape)
        made[...] = generator.integers(-9, 9, shape)
        return made.astype(np.dtype(dtype))

    for limits in ((), [(len(shape) - 1, 1, None), (len(shape) - 1, None, shape[-1] - 1)]):
        data, weights = drawn(shape), drawn([extents[d] + 1 for d in dimensions])
        plans = window_products.planned(
            data, weights, extents, parallel, axes, dimensions, limits, np.empty
        )
        if plans is None:
            assert not np.prod(extents) or window_products.blas_functions("d") is None
            continue
        for _ in range(2):
            made = np.full(extents[:parallel], np.nan, dtype)
            for call, array in zip(plans, (data, weights, made), strict=True):
                (own,) = (*call.argument_words, *call.output_words)
                for words in call.calls:
                    words[own] = address_of(array)
                share(call.entry, call.calls, call.points)
            wanted = terms(data, weights, extents, parallel, axes, dimensions, limits)
            np.testing.assert_array_equal(made, wanted)
            data, weights = drawn(shape), drawn([extents[d] + 1 for d in dimensions])


def test_what_is_left_out_is_multiplied_by_nothing() -> None:
    data, weights = np.ones((4, 5)), np.ones((2, 4, 3))
    weights[1, 2, 0] = np.inf
    arguments = data, weights, (2, 5, 4, 3), 2, (({2: 1}, 0), ({1: 1, 3: 1}, -1)), (0, 2, 3)
    with np.errstate(invalid="ignore"):
        padded = product(*arguments)
    assert np.isnan(padded[1, 0])  # A zero beside the data, times infinity.
    limits = [(1, 0, None), (1, None, 5)]
    made = product(*arguments, limits)
    np.testing.assert_array_equal(made, terms(*arguments, limits))
    assert made[1].tolist() == [8, np.inf, np.inf, np.inf, np.inf]


def test_no_matrix_of_all_windows_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is copied at a time is no more for larger images."""
    by_blas = window_products.blas_for(np.ones((9, 9)), np.ones((9, 9)), 1 << 20) is not None
    strip, pieces = (window_products.STRIP, 3) if by_blas else (1 << 20, 1)
    monkeypatch.setattr(window_products, "_LONG_STRIP", strip)
    reserved: list[int] = []
    monkeypatch.setattr(window_products, "reserve", lambda size, *_: reserved.append(size))
    for n in (64, 256):
        data, weights = np.ones((1, 8, n, n)), np.ones((8, 8, 3, 3))
        axes = (({0: 1}, 0), ({4: 1}, 0), ({2: 1, 5: 1}, 0), ({3: 1, 6: 1}, 0))
        made = product(data, weights, (1, 8, n - 2, n - 2, 8, 3, 3), 4, axes, (1, 4, 5, 6))
        assert (made == 72).all()
    assert len(reserved) == 2
    assert max(reserved) <= pieces * 2 * strip
