"""Inputs that a program assigns: the caller's data never changes."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import diablo

V = np.arange(4.0)


def dense(value: Any) -> Any:
    """A result as Python's lists, dictionaries and numbers."""
    for method in ("to_dict", "to_list"):
        if hasattr(value, method):
            return getattr(value, method)()
    for method in ("toarray", "to_numpy"):
        if hasattr(value, method):
            return dense(getattr(value, method)())
    return value.tolist() if hasattr(value, "tolist") else value


@pytest.mark.sampled(4)
@pytest.mark.parametrize("block_size", [None, 1, 3])
@pytest.mark.parametrize(
    ("text", "inputs", "expected"),
    [
        ("input n: Int; n = n + 1; n", {"n": 3}, 4),
        ("input n: Int = 3; for i = 0, 2 do n += i; n", {}, 6),
        ('input s: String; s = s + "!"; s', {"s": "a"}, "a!"),
        ("input c: Char; c = 'z'; c", {"c": "a"}, "z"),
        ("input V: vector[Double]; V[1] = 7.0; V", {"V": V}, [0, 7, 2, 3]),
        ("input V: vector[Double]; for i = 0, 3 do V[i] *= 2.0; V", {"V": V}, [0, 2, 4, 6]),
        ("input V: vector[Double]; V = V + 1.0; V[0] += 1.0; V", {"V": V}, [2, 2, 3, 4]),
        (
            "input V: vector[Double]; var k = 0; "
            "while (k < 3) { for i = 0, 3 do V[i] += 1.0; k += 1; }; V",
            {"V": V},
            [3, 4, 5, 6],
        ),
        (
            "input A: matrix[Double]; for ((i,j),a) in A do A[i,j] *= 3.0; A",
            {"A": sp.csr_array(np.eye(2))},
            [[3, 0], [0, 3]],
        ),
        ('input M: map[String,Int]; M["y"] += 2; M', {"M": {"x": 1}}, {"x": 1, "y": 2}),
        ("input L: list[Int]; L = [ x+1 | x <- L ]; L", {"L": [1, 2]}, [2, 3]),
        ("input n: Int; var x = n; n = 5; def f(a: Int): Int = a+n; x*10 + f(1)", {"n": 1}, 16),
        ("input V: vector[Double]; for i = 0, 3 do V[i] = 1.0", {"V": V}, [1, 1, 1, 1]),
    ],
)
def test_assigned_inputs(
    text: str, inputs: dict[str, Any], expected: Any, block_size: int | None
) -> None:
    program = diablo.compile(text, block_size=block_size)
    before = copy.deepcopy(inputs)
    for _ in range(2):
        assert dense(program(**inputs)) == expected
    for name, value in inputs.items():
        assert dense(value) == dense(before[name])


def test_results_of_several_variables() -> None:
    found = diablo.compile("input n: Int; var x = n; n = 7;")(n=1)
    assert sorted(found) == [1, 7]


@pytest.mark.parametrize("block_size", [None, 1])
def test_length_arrays_as_sources_and_names_bound_again(block_size: int | None) -> None:
    P = np.arange(4.0).reshape(2, 2)
    run = diablo.compile
    text = 'input V: vector[Double]; length(V) + length([1,2]) + length("abc")'
    assert run(text, block_size=block_size)(V=V) == 9
    text = "input n: Int; input P: matrix[Double]; tensor*(n,n) (P @ P)"
    assert dense(run(text, block_size=block_size)(n=2, P=P)) == (P @ P).tolist()
    text = "[ v | (i,v) <- [(1,2),(2,3)], let v = v*10, v > 20, let (v,w) = (v+i,v), w > v-3 ]"
    assert dense(run(text, block_size=block_size)()) == [32]
