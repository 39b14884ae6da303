"""Every function of the table, on scalars and arrays: as the interpreter, NumPy and SciPy say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import diablo
from diablo.dialects.functions.function_values import value_at
from diablo.dialects.functions.scalar_functions import FUNCTIONS
from fuzzing.trial import Trial, Way

WAYS = [Way(block_sizes=(None, 3)), Way(compile="always", block_sizes=(None,))]
FLOATS = np.array([0.0, 0.25, -0.5, 1.0, 1.5, -2.5, 40.0, 1e-9])
INTEGERS = np.array([0, 1, -1, 5, -8, 63, 64, 2**62 + 3, -(2**63)])
ON_DOUBLES = [name for name, function in FUNCTIONS.items() if function.floating is not None]
ON_INTEGERS = [name for name, function in FUNCTIONS.items() if function.integer is not None]


def call(name: str, first: str, second: str) -> str:
    return f"{name}({first},{second})" if FUNCTIONS[name].arity == 2 else f"{name}({first})"


def check(text: str, inputs: dict[str, Any]) -> None:
    outcome = Trial(text, inputs).run(WAYS)
    assert outcome.verdict == "same", outcome


@pytest.mark.sampled(8)
@pytest.mark.parametrize("first", range(0, len(ON_DOUBLES), 10))
def test_functions_on_doubles(first: int) -> None:
    names = ON_DOUBLES[first : first + 10]
    parts = [f"{call(name, 'v', '0.5')}, {call(name, 'x', 'x')}" for name in names]
    text = f"input v: vector[Double]; input x: Double; ({', '.join(parts)})"
    inputs = {"v": FLOATS, "x": 0.75}
    check(text, inputs)
    found = diablo.compile(text)(**inputs)
    for name, values, value in zip(names, found[::2], found[1::2], strict=True):
        overload, arity = FUNCTIONS[name].floating, FUNCTIONS[name].arity
        assert overload is not None
        exact = [value_at(overload, x, *[0.5][: arity - 1]) for x in FLOATS.tolist()]
        np.testing.assert_allclose(values, exact, rtol=1e-13, err_msg=name)
        np.testing.assert_allclose(value, value_at(overload, *[0.75] * arity), rtol=1e-13)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("number", [3, 64, 2**63 - 1])
def test_functions_on_integers(number: int) -> None:
    parts = [
        f"{call(name, 'v', 'w')}, {call(name, 'v', '3')}, {call(name, 'n', '70')},"
        f" {call(name, 'n', '-n')}, {call(name, '-n', 'n')}"
        for name in ON_INTEGERS
    ]
    text = f"input v: vector[Int]; input w: vector[Int]; input n: Int; ({', '.join(parts)})"
    check(text, {"v": INTEGERS, "w": INTEGERS[::-1].copy(), "n": number})


def test_bits_are_those_of_words() -> None:
    text = """
    input a: Int; input n: Int;
    (bitand(a, 12), bitor(a, 3), bitxor(a, -1), bitnot(a), shl(a, n), shr(-a, n), ushr(-a, n),
     shl(1, 63), shl(1, 64), shr(-1, 64), ushr(-1, 60), shl(a, -1), sign(-a), isnan(0.0/0.0))
    """
    assert diablo.compile(text)(a=10, n=2) == (
        *(8, 11, -11, -11, 40, -3, 2**62 - 3),
        *(-(2**63), 0, -1, 15, 0, -1, True),
    )


def test_what_is_zero_at_zero_stays_sparse() -> None:
    names = ["tan", "asin", "atan", "sinh", "cbrt", "trunc", "erf", "log1p", "asinh", "sign"]
    dense = np.where(np.arange(48).reshape(6, 8) % 5 == 1, 1.0, 0.0)
    text = f"input S: matrix[Double]; ({', '.join(f'{name}(S)' for name in names)})"
    for name, found in zip(names, diablo.compile(text)(S=sparse.csr_array(dense)), strict=True):
        assert "6 x 8 sparse array, 10 entries" in repr(found)
        overload = FUNCTIONS[name].floating
        assert overload is not None
        exact = [[value_at(overload, x) for x in row] for row in dense.tolist()]
        np.testing.assert_allclose(np.asarray(found), exact, rtol=1e-14, err_msg=name)


def test_zeros_are_computed() -> None:
    kept = ["hypot(S,S)", "atan2(S,S)", "pow(S,2)", "max(S,S)", "isnan(S)"]
    lost = ["pow(S,0)", "pow(S,x)", "hypot(S,1.0)", "erfc(S)", "gamma(S)"]
    text = f"input S: matrix[Double]; input x: Double; ({', '.join([*kept, *lost])})"
    found = diablo.compile(text)(S=sparse.csr_array(np.eye(3)), x=2.0)
    assert ["sparse array" in repr(array) for array in found] == [True] * 5 + [False] * 5


def test_a_negative_power_of_a_whole_array():
    assert list(diablo.compile("input V: vector[Double]; pow(V,-1)")(V=np.array([2.0, 4.0]))) == [
        0.5,
        0.25,
    ]
