"""Ranges whose bounds are known when a program runs, of more elements than 64 bits count."""

import pytest

import diablo
from diablo.diagnostics import RunError

GIVEN = "input n: Int; input m: Int;\n"
COMPUTED = "input n: Int; input L: list[Int];\nvar m = +/[ x | x <- L ];\n"
FOLDS = ["+/[ 1 | i <- m..n ];", "+/[ i | i <- m..n ];", "var s = 0; for i = m, n do s += i; s;"]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("block_size", [None, 3])
@pytest.mark.parametrize("fold", FOLDS)
def test_their_folds_are_errors(fold: str, block_size: int | None):
    program = diablo.compile(GIVEN + fold, block_size=block_size)
    with pytest.raises(RunError, match=r"2:\d+: error: a range .* has 18446744073709551616 elem"):
        program(m=-(2**63), n=2**63 - 1)
    assert program(m=4, n=3) == 0
    assert program(m=-2, n=2) == (5 if "1 |" in fold else 0)


def test_computed_bounds_are_looked_at_when_they_are_known():
    program = diablo.compile(COMPUTED + FOLDS[0])
    assert program(n=5, L=[1, 2]) == 3
    assert "extent(6 - m, 0" in program.ir("pyspark")
    with pytest.raises(RunError, match="has 9223372036854775812 elements"):
        program(n=2**63 - 1, L=[-5, 1])


def test_what_surely_is_counted_is_not_looked_at():
    program = diablo.compile("input V: vector[Double]; +/[ V[i] | i <- 1..V.length-1 ];")
    assert program(V=[1.0, 2.0, 4.0]) == 6.0
    assert "extent(" not in program.ir("pyspark")
