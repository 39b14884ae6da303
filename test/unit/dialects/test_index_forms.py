"""Indices as sums of dimensions and symbols, and as affine expressions."""

from __future__ import annotations

import pytest
from xdsl.ir.affine import AffineExpr, AffineMap

from diablo.dialects.access_maps import (
    LinearIndex,
    access_map,
    composed,
    index_expression,
    linear_index,
    picked_dimensions,
    picks_dimensions,
)
from diablo.linear_sums import LinearSum, term

D0, D1 = LinearIndex.of(0), LinearIndex.of(1)
S0 = LinearIndex(outside=term(0))


def test_dimensions_and_symbols_are_added_apart() -> None:
    index = D0 * 2 - D1 + S0 + 3
    assert index == LinearIndex(LinearSum({1: -1, 0: 2}), LinearSum({0: 1}, 3))
    assert hash(index) == hash(S0 + 3 - D1 + D0 * 2)
    assert list(index.dimensions) == [0, 1]
    assert (index.factor(0), index.factor(1), index.factor(2)) == (2, -1, 0)
    assert index.without_constant == D0 * 2 - D1 + S0
    assert index - index == LinearIndex()


def test_a_dimension_alone() -> None:
    assert (D0.alone, (D0 + 0).alone) == (0, 0)
    for other in (D0 + 1, D0 + S0, D0 * 2, D0 + D1, S0, D0.wrapped(term(0))):
        assert other.alone is None


def test_what_a_dimension_is_takes_its_place_under_a_period_too() -> None:
    index = (D0 * 2 + S0).wrapped(term(1))
    assert index.replaced({0: D1 + S0 - 1}) == (D1 * 2 + S0 * 3 + -2).wrapped(term(1))
    assert index.sum.replaced({1: D0}) == index.sum
    assert index.renamed("ij".__getitem__, "mn".__getitem__).period == term("n")


def test_affine_expressions_are_read_and_always_written_in_the_same_way() -> None:
    d0, d1, s0 = AffineExpr.dimension(0), AffineExpr.dimension(1), AffineExpr.symbol(0)
    for index in (D0, D1 * 2 - D0 + S0 - 4, LinearIndex(), S0 + 1, (D0 - 1).wrapped(term(0))):
        assert linear_index(index_expression(index)) == index
    assert linear_index(d1 + 3 + s0 + d0 * -2) == D1 + S0 - D0 * 2 + 3
    assert str(index_expression(S0 + D1 - D0)) == str(index_expression(D1 - D0 + S0))
    for other in (d0 // 2, d0 % -2, (d0 % 2) + 1):
        assert linear_index(other) is None


def test_maps_that_pick_dimensions() -> None:
    assert picked_dimensions(access_map([D1, D0, D1], 2)) == [1, 0, 1]
    assert picked_dimensions(access_map([D0 + 1], 1)) is None
    assert picks_dimensions(access_map([D1, D0], 2))
    assert not picks_dimensions(access_map([D1, D1], 2))
    assert not picks_dimensions(access_map([D0 * 2], 1))


def test_a_map_of_the_results_of_another() -> None:
    inner = access_map([D0 + S0, (D1 - D0).wrapped(term(0))], 2, 1)
    outer = access_map([D1 + 1, D0 * 2], 2)
    expected = access_map(
        [D1 + LinearIndex(outside=term(3)) + 1, (D0 * 2 - D1 + -1).wrapped(term(3))], 2, 4
    )
    assert composed(inner, outer, {0: 3}) == expected
    assert composed(AffineMap.identity(2), outer, {}) == outer


def test_nothing_is_added_to_a_remainder() -> None:
    with pytest.raises(AssertionError):
        _ = D0.wrapped(term(0)) + 1
