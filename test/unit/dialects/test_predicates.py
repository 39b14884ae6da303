"""The tables of predicates: each agrees with the comparison that it is about."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import product
from math import nan

import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import f64, i64
from xdsl.ir import Block

from diablo.dialects.predicates import (
    FLOAT_SYMBOLS,
    GREATER,
    LESS,
    MIRRORED,
    MIRRORED_SYMBOLS,
    OPPOSITE,
    ORDERED,
    SYMBOLS,
    sides_of,
    sum_of_order,
)
from diablo.linear_sums import LinearSum, term

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_PAIRS = list(product(range(4), repeat=2))


def _holds(predicate: str, one: float, other: float) -> bool:
    """Evaluate a predicate of numbers that are not negative, by its operator."""
    return _OPERATORS[SYMBOLS[predicate]](one, other)


@pytest.mark.parametrize("predicate", SYMBOLS)
def test_tables_of_integers(predicate: str) -> None:
    for one, other in _PAIRS:
        holds = _holds(predicate, one, other)
        assert holds is not _holds(OPPOSITE[predicate], one, other)
        assert holds is _holds(MIRRORED[predicate], other, one)
        assert holds is _OPERATORS[MIRRORED_SYMBOLS[SYMBOLS[predicate]]](other, one)


@pytest.mark.parametrize("unordered", ORDERED)
def test_an_unordered_predicate_is_the_negation_of_an_ordered_one(unordered: str) -> None:
    ordered = _OPERATORS[FLOAT_SYMBOLS[ORDERED[unordered]]]
    for one, other in [*_PAIRS, (nan, 1.0), (1.0, nan), (nan, nan)]:
        is_nan = one != one or other != other
        said = _OPERATORS[SYMBOLS[unordered]](one, other)
        assert (is_nan or said) is not ordered(one, other)


@pytest.mark.parametrize("predicate", [*LESS, *GREATER])
def test_the_sum_of_an_order_is_natural_where_it_holds(predicate: str) -> None:
    found = sum_of_order(predicate, term("a"), term("b"))
    assert found is not None
    for a, b in _PAIRS:
        number = found.replaced({"a": LinearSum[str](constant=a), "b": LinearSum[str](constant=b)})
        assert number.number is not None
        assert (number.number >= 0) is _holds(predicate, a, b)


@pytest.mark.parametrize("predicate", ["eq", "ne", "ult", "uge"])
def test_other_predicates_are_no_orders_of_integers_with_a_sign(predicate: str) -> None:
    assert sum_of_order(predicate, term("a"), term("b")) is None


@pytest.mark.parametrize(
    ("predicate", "sides"),
    [("slt", "ab"), ("sle", "ab"), ("sgt", "ba"), ("sge", "ba"), ("eq", None), ("ult", None)],
)
def test_which_side_of_integers_is_less(predicate: str, sides: str | None) -> None:
    a, b = Block(arg_types=[i64, i64]).args
    assert sides_of(arith.CmpiOp(a, b, predicate)) == (
        sides and tuple({"a": a, "b": b}[side] for side in sides)
    )


@pytest.mark.parametrize(
    ("predicate", "sides"), [("olt", "ab"), ("oge", "ba"), ("oeq", None), ("ult", None)]
)
def test_which_side_of_floats_is_less(predicate: str, sides: str | None) -> None:
    a, b = Block(arg_types=[f64, f64]).args
    assert sides_of(arith.CmpfOp(a, b, predicate)) == (
        sides and tuple({"a": a, "b": b}[side] for side in sides)
    )
