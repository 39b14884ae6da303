"""Equations with multiples of a stride are taken apart where that says the same, and only there."""

from __future__ import annotations

from collections.abc import Hashable

from diablo.linear_sums import term
from diablo.passes.analyses.loops.integer_systems import Sum, System
from diablo.passes.analyses.loops.strides import Multiple, is_zero, taken_apart


def variable(name: Hashable) -> Sum:
    return term(name)


ROW, J, K, M = (variable(name) for name in "ijkm")
ROWS = variable(Multiple("i", "m"))
NESTED = variable(Multiple(Multiple("i", "m"), "k"))


def within(value: Sum, stride: Sum) -> tuple[Sum, Sum]:
    """That a value lies between a stride and its negative."""
    return stride - value - 1, stride + value - 1


def test_rows_and_columns() -> None:
    small = System(natural=within(J, M))
    assert taken_apart(ROWS + J, small) == [ROW, J]
    assert taken_apart(ROWS - M + J, small) == [ROW - 1, J]
    assert taken_apart(ROWS + J, System()) == [ROWS + J]
    assert taken_apart(ROWS + J, System(natural=(M - J, M + J))) == [ROWS + J]


def test_three_dimensions() -> None:
    inner = variable(Multiple("j", "k"))
    small = System(natural=(*within(J, M), *within(variable("l"), K)))
    assert taken_apart(NESTED + inner + variable("l"), small) == [ROW, J, variable("l")]


def test_what_is_zero() -> None:
    assert is_zero(ROWS, System(zero=(ROW,)))
    assert not is_zero(ROWS, System(natural=(ROW,)))
    assert is_zero(ROWS - M + J, System(zero=(ROW - 1, J)))
