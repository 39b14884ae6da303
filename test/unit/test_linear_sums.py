"""Sums of multiples of variables: the arithmetic that all layers share."""

from __future__ import annotations

import doctest
import random

import pytest

from diablo import linear_sums
from diablo.linear_sums import LinearSum, collected, term

I, J, K = (term(name) for name in "ijk")  # noqa: E741


def test_the_examples_of_the_docstrings() -> None:
    found = doctest.testmod(linear_sums)
    assert found.attempted > 3
    assert not found.failed


def test_terms_that_cancel_are_gone() -> None:
    assert I + J - I == J
    assert (I - I).terms == {}
    assert (I - I + 2).number == 2
    assert (2 * I - J * 2 + 2 * (J - I)).number == 0
    assert LinearSum() == (3 * I + 1) * 0
    assert collected([("i", 2), ("j", 1), ("i", -2)], 3) == J + 3
    assert term("i", 0) == LinearSum()


def test_equality_and_hash_know_no_order() -> None:
    one, other = I + 2 * J - 3, 2 * J + I - 3
    assert list(one.terms) != list(other.terms)
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other, one + 1, one + I, -one}) == 4
    assert {("*", one): 1}[("*", other)] == 1
    assert LinearSum() != 0


def test_numbers_stand_on_either_side() -> None:
    assert 2 * I == I * 2 == I + I
    assert 3 + I == I + 3
    assert 3 - I == -I + 3 == -(I - 3)
    assert I - 3 == I + -3
    assert sum([I, J, I], LinearSum[str]()) == 2 * I + J


def test_what_is_in_a_sum() -> None:
    total = I - 2 * J + 5
    assert list(total.variables) == ["i", "j"]
    assert (total.factor("i"), total.factor("j"), total.factor("k")) == (1, -2, 0)
    assert total.without("j") == I + 5
    assert total.without("k") == total
    assert (total.number, LinearSum(constant=5).number) == (None, 5)
    assert [each.alone for each in (I, I + 1, 2 * I, I + J, -I, LinearSum[str]())] == [
        "i",
        None,
        None,
        None,
        None,
        None,
    ]
    assert term(0).alone == 0


def test_other_sums_take_the_place_of_variables_at_once() -> None:
    assert (I + J).replaced({"i": J, "j": I}) == I + J
    assert (2 * I - J + 1).replaced({"i": K + 3}) == 2 * K - J + 7
    assert (I - J).replaced({"i": J}).number == 0
    assert list((I + J).replaced({"i": 2 * K + 1}).terms) == ["k", "j"]
    assert I.replaced({"k": J}) is I


def test_variables_get_other_names() -> None:
    assert (I - 2 * J + 1).renamed({"i": 0, "j": 1}.__getitem__) == LinearSum({0: 1, 1: -2}, 1)
    assert (I - J + 1).renamed(lambda _: "k").number == 1


def test_quotients_are_rounded_down() -> None:
    assert (6 * I - 3 * J + 7).divided(3) == 2 * I - J + 2
    assert (5 * I - 5 * J - 1).divided(3) == I - 2 * J - 1
    assert (2 * I).divided(3) == LinearSum()


def test_a_sum_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        I.constant = 1  # pyright: ignore[reportAttributeAccessIssue]


def test_sums_compute_like_the_numbers_that_they_stand_for() -> None:
    draw = random.Random(1)
    names = "ijk"

    def some() -> LinearSum[str]:
        return collected([(draw.choice(names), draw.randint(-3, 3)) for _ in range(3)], 2)

    for _ in range(200):
        point = {name: draw.randint(-9, 9) for name in names}

        def at(total: LinearSum[str], point: dict[str, int] = point) -> int:
            return total.constant + sum(f * point[v] for v, f in total.terms.items())

        a, b, c, factor = some(), some(), some(), draw.randint(-3, 3)
        assert at(a + b) == at(a) + at(b)
        assert at(a - b) == at(a) - at(b)
        assert at(factor * a) == factor * at(a)
        assert at(1 - a) == 1 - at(a)
        moved = {**point, "i": at(b), "j": at(c)}
        assert at(a.replaced({"i": b, "j": c})) == at(a, moved)
        assert all(
            f for total in (a + b, a - b, a.replaced({"i": b})) for f in total.terms.values()
        )
