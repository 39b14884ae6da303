"""Calls on small arrays: what they cost besides the work, and what they must not skip."""

from __future__ import annotations

import sys
from math import nan
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import diablo
from diablo.diagnostics import InputError
from diablo.frontend.emission.bindings import ArrayBinding, RowsBinding, ScalarBinding, key_of
from diablo.runtime.arrays import memory

ADD = "input a: vector[Double]; input b: vector[Double]; a + b"


def events(call: Any) -> int:
    """Return how many functions of Python a call enters, generators that go on included.

    Several calls are counted and the least is returned: what earlier tests left behind may be
    finalized within any one of them.
    """
    return min(events_of_one(call) for _ in range(5))


def events_of_one(call: Any) -> int:
    count = 0

    def enter(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(enter)
    try:
        call()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    ("source", "inputs", "most"),
    [
        (ADD, {"a": np.ones(10), "b": np.ones(10)}, 220),
        (
            "input A: matrix[Double]; input x: vector[Double]; A @ x",
            {"A": sparse.eye_array(10, format="csr"), "x": np.ones(10)},
            380,
        ),
    ],
    ids=["sum", "sparse product"],
)
def test_a_small_call_enters_few_functions(source: str, inputs: dict[str, Any], most: int):
    program = diablo.compile(source)
    for _ in range(10):
        program(**inputs).to_numpy()
    assert events(lambda: program(**inputs).to_numpy()) <= most


def test_arrays_that_are_as_wanted_are_taken_as_they_are_and_others_are_looked_at():
    program = diablo.compile(ADD)
    a = np.arange(6.0)
    assert list(program(a=a, b=a[::-1])) == [5.0] * 6
    assert list(program(a=a, b=a.astype(">f8"))) == list(2 * a)
    assert list(program(a=a, b=a.astype(np.float32))) == list(2 * a)
    read_only = a.copy()
    read_only.flags.writeable = False
    assert list(program(a=read_only, b=[0] * 6)) == list(a)
    assert list(program(a=np.ma.masked_array(a), b=a)) == list(2 * a)
    with pytest.raises(InputError, match="masked"):
        program(a=np.ma.masked_array(a, mask=[1, 0, 0, 0, 0, 0]), b=a)
    with pytest.raises(InputError, match="vector"):
        program(a=a.reshape(2, 3), b=a)
    with pytest.raises(InputError, match="no such input"):
        program(a=a, b=a, c=a)
    with pytest.raises(InputError, match="missing"):
        program(a=a)


def test_a_result_is_no_memory_of_the_callers_and_the_same_at_each_look():
    a = np.arange(5.0)
    result = diablo.compile("input a: vector[Double]; a")(a=a)
    whole = result.to_numpy()
    whole[0] = 7.0
    assert a[0] == 0.0
    assert result.to_numpy() is whole


PROGRAMS = {
    "sum": "input A: matrix[Double]; input B: matrix[Double]; A + B",
    "product": "input A: matrix[Double]; input B: matrix[Double]; A @ B",
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("mode", ["always", "never"])
def test_a_call_writes_where_results_have_died_and_nowhere_else(
    name: str, mode: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    program = diablo.compile(PROGRAMS[name])
    a = np.random.default_rng(1).random((300, 300))
    wanted = a + a if name == "sum" else a @ a
    held = program(A=a, B=a).to_numpy()
    row = program(A=a, B=a).to_numpy()[7]
    program(A=2 * a, B=a)
    reused = memory.statistics().reused
    program(A=3 * a, B=a)
    if mode == "always" or name == "product":  # Else NumPy makes the array.
        assert memory.statistics().reused == reused + 1
    np.testing.assert_allclose(held, wanted)
    np.testing.assert_allclose(row, wanted[7])


def test_bindings_that_differ_have_keys_that_differ():
    scalars = [ScalarBinding(v) for v in (1, 1.0, True, 0.0, -0.0, "1", "True")]
    arrays = [ArrayBinding(2, 2, "f64", (3, 3)), ArrayBinding(2, 1, "f64", (3, 3))]
    arrays += [ArrayBinding(2, 1, "i64", (3, 3)), ArrayBinding(2, 1, RowsBinding(("i64",)), (3, 3))]
    keys = [key_of(binding) for binding in (*scalars, *arrays)]
    assert len(set(keys)) == len(keys)
    assert key_of(ScalarBinding(nan)) == key_of(ScalarBinding(float("nan")))
