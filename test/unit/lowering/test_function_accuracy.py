# Functions that are written out as machine code are within a unit in the last place.
from collections import defaultdict
from fractions import Fraction
from math import inf, nan, ulp
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kernel_oracle import load_numpy, parse_kernel
from test_kernel_to_llvm import compile_at_once, elementwise, machine

from diablo.dialects.functions.scalar_functions import FUNCTIONS

_ = compile_at_once

VALUES: dict[str, list[tuple[list[float], Fraction]]] = defaultdict(list)
for line in (Path(__file__).parent / "function_values.txt").read_text().splitlines()[1:]:
    name, *arguments, value = line.split()
    VALUES[name].append(([float.fromhex(x) for x in arguments], Fraction(value)))

SPECIAL = [0.0, -0.0, inf, -inf, nan, 1.0, -1.0, 0.5, -2.0, 5e-324, -1e-310, 1e308, -1e308]


def kernel(name: str) -> str:
    """A map that applies a function to the elements of one or two vectors."""
    function = FUNCTIONS[name]
    assert function.floating is not None
    operation, names = function.floating.operation, ["%x", "%y"][: function.arity]
    if operation is not None:
        body = f"%v = {operation.name} {', '.join(names)} : f64"
    else:
        types = ", ".join(["f64"] * function.arity)
        body = f'%v = comprehension.number_call "{name}" ({", ".join(names)}) : ({types}) -> f64'
    return elementwise(body, "%v", "f64", function.arity)


def test_every_function_that_is_written_out_is_measured():
    written = {
        name
        for name, function in FUNCTIONS.items()
        if (f := function.floating) is not None and f.expansion is not None and f.gives == "same"
    }
    assert written - {"sign"} == set(VALUES)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", VALUES)
def test_values_are_within_a_unit_in_the_last_place(name: str):
    columns = np.array([arguments for arguments, _ in VALUES[name]]).T
    found = machine(kernel(name))(*map(np.ascontiguousarray, columns), columns.shape[1])
    for (arguments, exact), value in zip(VALUES[name], found.tolist(), strict=True):
        error = abs(Fraction(value) - exact) / Fraction(ulp(float(exact)))
        assert error < 1, f"{name}{tuple(arguments)} is {value!r}, {float(error):.2f} ulp away"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", [*VALUES, "sign"])
def test_special_values_are_those_of_numpy(name: str):
    arity = FUNCTIONS[name].arity
    grid: list[Any] = [g.ravel().copy() for g in np.meshgrid(*[SPECIAL] * arity)]
    text = kernel(name)
    found = machine(text)(*grid, len(grid[0]))
    expected = load_numpy(parse_kernel(text))(*grid, len(grid[0]))
    np.testing.assert_allclose(found, expected, rtol=4e-16, atol=5e-324)
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(expected[numbers]))


def test_single_precision_is_rounded_from_double():
    run = machine(elementwise("%v = math.tanh %x : f32", "%v", "f32"))
    x = np.linspace(-10, 10, 1001, dtype=np.float32)
    exact = np.tanh(x.astype(np.float64))
    np.testing.assert_allclose(run(x, len(x)), exact.astype(np.float32), rtol=1.2e-7)
