# Integer arithmetic as C and Scala have it, on arrays and scalars.
import itertools

import numpy as np
import pytest

from diablo.diagnostics import RunError
from diablo.runtime.kernels import arithmetic
from diablo.runtime.kernels.arithmetic import chunks

VALUES = [-(2**63), -(2**63) + 1, -9, -8, -1, 0, 1, 2, 7, 2**53 + 1, 2**63 - 1]


def wrap(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("quotient", truncated),
        ("remainder", lambda a, b: a - b * truncated(a, b)),
        ("floor_quotient", lambda a, b: a // b),
        ("ceiling_quotient", lambda a, b: -(-a // b)),
    ],
)
def test_divisions(name: str, meaning: object):
    assert callable(meaning)
    function = getattr(arithmetic, name)
    pairs = [(a, b) for a, b in itertools.product(VALUES, VALUES) if b]
    expected = [wrap(meaning(a, b)) for a, b in pairs]
    a, b = np.array(pairs).T
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(function(a, b), expected)
        assert [int(function(x, y)) for x, y in pairs] == expected


def test_division_by_zero_counts_only_where_it_happens():
    a, b = np.array([4, 5]), np.array([0, 2])
    np.testing.assert_array_equal(arithmetic.quotient(a, b, where=np.array([False, True]))[1:], [2])
    with pytest.raises(RunError, match=r"^p.diablo:1:2: integer division by zero$"):
        arithmetic.quotient(a, b, at="p.diablo:1:2")
    with pytest.raises(RunError, match=r"^integer division by zero$"):
        arithmetic.remainder(1, 0)
    assert arithmetic.quotient(np.array([], np.int64), 0).shape == (0,)


def test_shifts_without_a_sign():
    for value, bits in itertools.product(VALUES, [0, 1, 31, 63]):
        assert arithmetic.shift_right_unsigned(value, bits) == wrap((value % 2**64) >> bits)


def test_floats_become_integers_as_scala_has_it():
    floats = np.array([-1.9, 1.9, 1e300, -1e300, np.inf, -np.inf, np.nan, 2.0**63, -(2.0**63)])
    top, bottom = 2**63 - 1, -(2**63)
    expected = [-1, 1, top, bottom, top, bottom, 0, top, bottom]
    np.testing.assert_array_equal(arithmetic.truncate(floats), expected)
    assert arithmetic.truncate(-2.5) == -2


def test_powers_and_rounding():
    np.testing.assert_array_equal(
        arithmetic.integer_power(np.array([2, -1, -1, 1, 5]), np.array([10, -3, -2, -4, -1])),
        [1024, -1, 1, 1, 0],
    )
    np.testing.assert_array_equal(
        arithmetic.round_away(np.array([0.5, -0.5, 1.5, 0.49999999999999994, 2.4])),
        [1, -1, 2, 0, 2],
    )


def test_chunks_cover_the_range():
    for extent, elements in [(0, 1), (10, 1), (10, 10**9), (300_000, 1)]:
        pieces = list(chunks(extent, elements))
        assert [i for begin, end in pieces for i in range(begin, end)] == list(range(extent))


@pytest.mark.parametrize("seed", [0, 7, -3, 2**63 - 1])
def test_random_is_what_the_interpreter_says(seed: int):
    from diablo.passes.interpreter.interpreted_elements import random_number

    i, j = np.arange(3)[:, None], np.arange(-2, 4)
    numbers = arithmetic.random(5, seed, i, j)
    wanted = [[random_number(seed, 5, [a, b]) for b in j.tolist()] for a in range(3)]
    np.testing.assert_array_equal(numbers, wanted)
    assert arithmetic.random(2, seed) == random_number(seed, 2, [])
    assert 0.0 < arithmetic.random(0, 0, 0) < 1.0


def test_single_integers_are_divided_as_columns_are() -> None:
    values = [0, 1, -1, 2, 7, -7, 10**9, -(10**9), 2**63 - 1, -(2**63)]
    for a in values:
        for b in values:
            if b:
                columns = np.array([a]), np.array([b])
                assert arithmetic.quotient(a, b) == arithmetic.quotient(*columns)[0], (a, b)
                assert arithmetic.remainder(a, b) == arithmetic.remainder(*columns)[0], (a, b)
    with pytest.raises(RunError, match="integer division by zero"):
        arithmetic.quotient(1, 0)
