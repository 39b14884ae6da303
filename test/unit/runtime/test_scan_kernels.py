"""Scans of arrays of all shapes, in machine code and in NumPy, against loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from diablo.runtime.kernels.scans import planned_scan, scan
from diablo.runtime.monoid_ufuncs import UserMonoid, combine_values

SHAPES = [(0,), (1,), (7,), (300,), (3, 0), (0, 3), (5, 7), (2, 90), (40, 3), (3, 40), (2, 3, 37)]
LEAST = UserMonoid("least", np.inf, lambda x, y: np.where(x <= y, x, y), "f8")


def by_loops(array: Any, monoid: Any, axis: int, reverse: bool, carry: Any) -> Any:
    lines = np.moveaxis(array, axis, 0)[:: -1 if reverse else 1]
    result = [] if carry is None or not len(lines) else [combine_values(monoid, carry, lines[0])]
    for line in lines[len(result) :]:
        result.append(combine_values(monoid, result[-1], line) if result else line)
    whole = np.array(result, array.dtype).reshape(lines.shape)
    return np.moveaxis(whole[:: -1 if reverse else 1], 0, axis)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("mode", ["always", "never"])
def test_scans_are_those_of_loops(mode: str, threads: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    monkeypatch.setenv("DIABLO_THREADS", threads)
    rng = np.random.default_rng(3)
    for shape in SHAPES:
        for dtype, monoids in (
            (np.float64, ("add", "min", "mul", LEAST)),
            (np.int64, ("add", "max")),
            (np.int8, ("add",)),
            (np.bool_, ("and", "or")),
        ):
            array = rng.integers(-2, 3, shape).astype(dtype)
            for monoid in monoids:
                for axis in range(len(shape)):
                    for reverse in (False, True):
                        rest = shape[:axis] + shape[axis + 1 :]
                        carry = rng.integers(0, 2, rest).astype(dtype) if reverse else None
                        found = scan(array, monoid, axis, reverse=reverse, carry=carry)
                        wanted = by_loops(array, monoid, axis, reverse, carry)
                        assert found.dtype == array.dtype
                        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("threads", ["1", "3"])
def test_scans_of_whole_lines_are_planned(threads: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setenv("DIABLO_THREADS", threads)
    rng = np.random.default_rng(4)
    for shape in SHAPES:
        for dtype, monoid in ((np.float64, "add"), (np.int64, "max")):
            array = rng.integers(-2, 3, shape).astype(dtype)
            for axis in range(len(shape)):
                for reverse in (False, True):
                    planned = planned_scan(array, monoid, axis, reverse, np.empty)
                    assert planned is not None
                    for call in planned.calls:
                        planned.entry(*call)
                    wanted = by_loops(array, monoid, axis, reverse, None)
                    np.testing.assert_array_equal(planned.outputs[0][0], wanted)
    assert planned_scan(np.ones((3, 4)).T, "add", 0, False, np.empty) is None
    assert planned_scan(np.ones((3, 4), np.float16), "add", 0, False, np.empty) is None


def test_what_is_not_a_number_stays_so():
    array = np.array([1.0, np.nan, -np.inf, 2.0])
    np.testing.assert_array_equal(scan(array, "min", 0), [1.0, np.nan, np.nan, np.nan])
    np.testing.assert_array_equal(scan(array, "add", 0, reverse=True), [np.nan, np.nan, -np.inf, 2])
