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
        (ADD, {"a": np.ones(10), "b": np.ones(10)}, 130),
        (
            "input A: matrix[Double]; input x: vector[Double]; A @ x",
            {"A": sparse.eye_array(10, format="csr"), "x": np.ones(10)},
            380,
        ),
    ],
    ids=["sum", "sparse product"],
)
def test_a_small_call_enters_few_functions(
    source: str, inputs: dict[str, Any], most: int, monkeypatch: pytest.MonkeyPatch
):
    # A call that does not wait for machine code enters more functions until it is there.
    monkeypatch.setenv("DIABLO_COMPILE", "always")
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


SCALED = """
    input a: vector[Double]; input k: Int; input s: Double;
    tensor*(k)[ (i,s*a[i]) | i <- 0..k-1 ]
"""


def test_inputs_like_those_of_the_call_before_are_not_looked_at_again():
    program = diablo.compile(
        "input a: vector[Double]; input k: Int; tensor*(k)[ (i,a[i]) | i <- 0..k-1 ]"
    )
    first = program.check({"a": np.ones(3), "k": 3})
    again = program.check({"k": 3, "a": np.zeros(3)})
    assert again.bindings is first.bindings
    assert list(again.values["a"]) == [0.0] * 3
    others: list[tuple[Any, int]] = [
        (np.ones(4), 3),
        (np.ones(3), 2),
        (np.ones(3, np.float32), 3),
        ([1.0, 1.0, 1.0], 3),
    ]
    for a, k in others:
        other = program.check({"a": a, "k": k})
        assert other.bindings is not first.bindings
        assert other.values["a"].dtype == np.float64
        program.check({"a": np.ones(3), "k": 3})
    with pytest.raises(InputError, match="missing"):
        program.check({"a": np.ones(3)})
    with pytest.raises(InputError, match="no such input"):
        program.check({"a": np.ones(3), "k": 3, "x": 1})
    with pytest.raises(InputError, match="True"):
        program.check({"a": np.ones(3), "k": True})


def test_floats_text_columns_and_numbers_of_other_types_are_looked_at_in_each_call():
    program = diablo.compile(SCALED)
    for s, wanted in [(0.0, "0.0"), (-0.0, "-0.0"), (2, "2.0")]:
        for _ in range(2):
            call = program.check({"a": np.ones(2), "k": 2, "s": s})
            assert repr(call.values["s"]) == wanted
        assert list(program(a=np.ones(2), k=2, s=s)) == [s, s]
    names = diablo.compile("input V: vector[String]; V[0] + V[1]")
    assert names(V=np.array(["a", "b"], object)) == "ab"
    with pytest.raises(InputError, match="is not"):
        names(V=np.array(["a", 1], object))
    characters = diablo.compile("input V: vector[Char]; V")
    assert list(characters(V=np.array([97, 98], np.int32))) == ["a", "b"]
    with pytest.raises(InputError, match="is not a character"):
        characters(V=np.array([97, 0xD800], np.int32))
    rows = diablo.compile("input E: list[(Int,Int)]; +/[ a*b | (a,b) <- E ]")
    assert rows(E=np.ones((3, 2), int)) == 3
    with pytest.raises(InputError):
        rows(E=np.full((3, 2), 0.5))


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
