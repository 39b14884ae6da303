"""Systems of linear equations and inequalities: a solution in a box is never denied."""

from __future__ import annotations

import random
from collections.abc import Hashable
from itertools import product

from diablo.passes.analyses.loops.integer_systems import Sum, System

X, Y, T, U = (Sum({name: 1}) for name in "xytu")


def test_proofs_that_there_is_no_solution() -> None:
    assert not System().and_zero(2 * X - 2 * Y - 1).may_hold()
    assert not System((X - Y,), (X - 5, 4 - Y)).may_hold()
    assert not System((X - 2 * T, Y - 2 * U - 1, X - Y)).may_hold()
    assert System((X - Y,), (X - 5, 5 - Y)).may_hold()


def test_no_solution_is_denied() -> None:
    draw, denied = random.Random(1), 0
    names = "abc"

    def total() -> Sum:
        terms: dict[Hashable, int] = {n: f for n in names if (f := draw.randint(-4, 4))}
        return Sum(terms, draw.randint(-5, 5))

    def value(of: Sum, point: dict[str, int]) -> int:
        return of.constant + sum(factor * point[str(n)] for n, factor in of.terms.items())

    box = [Sum({n: sign}, 3) for n in names for sign in (1, -1)]
    points = [dict(zip(names, point, strict=True)) for point in product(range(-3, 4), repeat=3)]
    for _ in range(300):
        zero = tuple(total() for _ in range(draw.randint(0, 2)))
        natural = (*(total() for _ in range(draw.randint(0, 2))), *box)
        holds = any(
            all(value(z, p) == 0 for z in zero) and all(value(n, p) >= 0 for n in natural)
            for p in points
        )
        may_hold = System(zero, natural).may_hold()
        assert may_hold or not holds
        denied += not may_hold
    assert denied > 50
