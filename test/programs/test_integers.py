"""Integers have 64 bits and wrap around, wherever they are computed, without a warning."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import diablo

MOST, LEAST = 2**63 - 1, -(2**63)
BLOCK_SIZES = (None, 1, 3)


def wrapped(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def quotient(a: int, b: int) -> int:
    found = abs(a) // abs(b)
    return wrapped(found if (a < 0) == (b < 0) else -found)


def results(text: str, **inputs: Any) -> list[Any]:
    """Return what a program gives at several block sizes; a warning is an error."""
    found: list[Any] = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for block_size in BLOCK_SIZES:
            found.append(diablo.compile(text, block_size=block_size)(**inputs))
    return found


def check(text: str, expected: Any, **inputs: Any) -> None:
    for found in results(text, **inputs):
        if isinstance(expected, tuple):
            assert found == expected
            assert all(type(value) in (int, bool, float, str) for value in found)
        else:
            assert np.asarray(found).tolist() == expected


@pytest.mark.sampled(3)
@pytest.mark.parametrize("a", [MOST, LEAST, LEAST + 1, 2**62, 3037000500, -7])
@pytest.mark.parametrize("b", [-1, 2, MOST, LEAST])
def test_scalars_of_the_driver_wrap_around(a: int, b: int) -> None:
    expected = (
        *(wrapped(a + b), wrapped(a - b), wrapped(a * b), wrapped(-a), wrapped(abs(a))),
        *(quotient(a, b), wrapped(a - quotient(a, b) * b), wrapped(a * b + a - b)),
        *(wrapped(a + 1) > a, str(wrapped(a * 2)), float(wrapped(a + b)), min(a, wrapped(b + 1))),
        *(wrapped(wrapped(a + b) * 3) // 8 if wrapped((a + b) * 3) >= 0 else 0,),
    )
    text = (
        "(a+b, a-b, a*b, -a, abs(a), a/b, a%b, a*b+a-b, a+1 > a, toString(a*2), toDouble(a+b), "
        "min(a,b+1), if ((a+b)*3 >= 0) ((a+b)*3)/8 else 0)"
    )
    check(f"input a: Int; input b: Int; {text}", expected, a=a, b=b)
    # What the compiler cannot know.
    read = "input V: vector[Int]; var a = V[0]; var b = V[1];"
    check(f"{read} {text}", expected, V=np.array([a, b]))


def test_elements_wrap_around_as_scalars_do() -> None:
    values = [MOST, 5, LEAST, -1, 3037000500]
    V = np.array(values)
    check("input V: vector[Int]; V*V", [wrapped(v * v) for v in values], V=V)
    check("input V: vector[Int]; -V", [wrapped(-v) for v in values], V=V)
    check("input V: vector[Int]; abs(V)+1", [wrapped(abs(v) + 1) for v in values], V=V)
    for divisor in (-1, 3, LEAST):
        program = "input d: Int; input V: vector[Int];"
        expected = [quotient(v, divisor) for v in values]
        check(f"{program} [ v/d | (i,v) <- V ]", expected, d=divisor, V=V)
        check(f"{program} V/d", expected, d=divisor, V=V)
        rests = [wrapped(v - quotient(v, divisor) * divisor) for v in values]
        check(f"{program} var W = V; for i = 0, 4 do W[i] = V[i] % d; W", rests, d=divisor, V=V)
    # The divisor varies: there is no machine code that -1 could break.
    check(
        "input V: vector[Int]; tensor(5)[ (i,v/(i-3)) | (i,v) <- V, i != 3 ]",
        [quotient(v, i - 3) if i != 3 else 0 for i, v in enumerate(values)],
        V=V,
    )


def test_reductions_wrap_around() -> None:
    values = [MOST, MOST, 3, LEAST]
    total, product = wrapped(sum(values)), wrapped(MOST * MOST * 3 * LEAST)
    expected = (total, product, wrapped(MOST * 4), wrapped(LEAST * 3))
    totals = "(+/L, */L, max/[ x | x <- L ]*4, min/L*3)"
    check(f"input L: list[Int]; {totals}", expected, L=values)
    check(
        "input V: vector[Int]; (+/[v|(i,v)<-V], */[v|(i,v)<-V], max/[v|(i,v)<-V]*4,"
        " min/[v|(i,v)<-V]*3)",
        expected,
        V=np.array(values),
    )
    check(
        "monoid plus(Int) = (0, (x,y) => x+y); input L: list[Int]; (plus/L, 0)",
        (total, 0),
        L=values,
    )
    check("input M: matrix[Int]; M @ M", [[7, -2], [-3, 6]], M=np.array([[MOST, 2], [3, LEAST]]))


def test_loops_wrap_around() -> None:
    check(
        "var s = 1; var k = 0; while (k < 100) { s *= 3; k += 1; }; (s,k)", (wrapped(3**100), 100)
    )
    check("input a: Int; var s = a; while (s > 0) s += s; (s, 0)", (-2, 0), a=MOST)
    check(
        "input a: Int; var s = 0; for i = 0, 9 do s += i*a; (s, 0)", (wrapped(45 * MOST), 0), a=MOST
    )
    check(
        "input V: vector[Int]; var s = 0; for i = V[0], V[1], 5 do s += i; (s, 0)",
        (wrapped(2 * MOST - 13), 0),
        V=np.array([MOST - 9, MOST]),
    )


def test_literals_reach_from_the_least_to_the_greatest() -> None:
    check("(9223372036854775807+1, -9223372036854775808-1)", (LEAST, MOST))
    check("(-(-9223372036854775808), abs(-9223372036854775808))", (LEAST, LEAST))
    for text in ("9223372036854775808", "-9223372036854775809", "1-9223372036854775808"):
        with pytest.raises(diablo.CompileError, match=f"{text[-19:]} does not fit in Int, which"):
            diablo.compile(text)()
    with pytest.raises(diablo.CompileError, match="this number does not fit in 64 bits"):
        diablo.compile("18446744073709551616")()


def test_doubles_become_the_nearest_integer() -> None:
    values = [1e300, -1e300, float("nan"), float("inf"), float("-inf"), 2.0**63, -(2.0**63), -2.9]
    expected = [MOST, LEAST, 0, MOST, LEAST, MOST, LEAST, -2]
    check("input V: vector[Double]; [ toInt(v) | (i,v) <- V ]", expected, V=np.array(values))
    for value, integer in zip(values, expected, strict=True):
        check("input x: Double; (toInt(x), 0)", (integer, 0), x=value)


@pytest.mark.parametrize("value", [2**63, LEAST - 1, 10**30])
def test_numbers_beyond_64_bits_are_wrong_input(value: int) -> None:
    inputs: dict[str, Any] = {
        "input a: Int; a": {"a": value},
        "input a: list[Int]; a": {"a": [1, value]},
        "input a: vector[Int]; a": {"a": [value]},
    }
    for text, given in inputs.items():
        with pytest.raises(diablo.InputError, match="64"):
            diablo.compile(text)(**given)
    with pytest.raises(diablo.RunError, match="does not fit in 64 bits"):
        diablo.compile("input s: String; toInt(s)")(s=str(value))


def index_condition(text: str, i: int, n: int) -> bool:
    """A comparison of `i` and `n`, with numbers that wrap around."""

    class Word(int):
        def __add__(self, other: int) -> Word:
            return Word(wrapped(int(self) + int(other)))

        def __sub__(self, other: int) -> Word:
            return Word(wrapped(int(self) - int(other)))

        def __mul__(self, other: int) -> Word:
            return Word(wrapped(int(self) * int(other)))

        def __abs__(self) -> Word:
            return Word(wrapped(abs(int(self))))

    return bool(eval(text, {}, {"i": Word(i), "n": Word(n)}))


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    "condition",
    [
        *("i+n > 0", "i-n < 0", "i < n+2", "n-1 > i", "i*n < 5", "n-i > 0", "i+n < n"),
        *("abs(i-n) < 3", "n <= i", "i*2+n > 0", "i*4611686018427387904 < 0"),
    ],
)
def test_bounds_of_indices_are_not_narrowed_beyond_64_bits(condition: str) -> None:
    sources = ("i <- 0..9", "(i,v) <- V")
    for n in (MOST, LEAST, MOST - 3, LEAST + 3):
        expected = [i for i in range(10) if index_condition(condition, i, n)]
        for source in sources:
            text = f"input n: Int; input V: vector[Int]; [ i | {source}, {condition} ]"
            for block_size in (None, 3):
                program = diablo.compile(text, block_size=block_size)
                found = np.asarray(program(n=n, V=np.arange(10))).tolist()
                assert found == expected, (text, n)


def test_sparse_arrays_keep_what_wraps_below_zero() -> None:
    # 3037000500 squared is negative: nothing may be concluded from a square.
    V = np.array([3037000500, 0, 3, MOST])
    check(
        "input V: vector[Int]; tensor()(4)[ (i,max(v*v,0)) | (i,v) <- V ]",
        [0, 0, 9, 1],
        V=V,
    )
    check(
        "input V: vector[Int]; [ (if (abs(v) >= 0) 1 else 2) | (i,v) <- V ]",
        [2, 1],
        V=np.array([LEAST, LEAST + 1]),
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("mode", ["never", "always"])
@pytest.mark.parametrize("limit", ["9223372036854775807", "V[0]", "m"])
def test_a_loop_ends_at_the_greatest_number(
    mode: str, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    program = f"""
        input V: vector[Int]; input m: Int;
        var s = 0; var end = {limit};
        for k = end-2, end do s = 3*s + k % 10 + V[1];
        for k = end-5, end, 4 do s = 2*s + k % 10;
        for k = -end+1, -end-1, -1 do s = 2*s + k % 10;
        s
    """
    most = 2**63 - 1
    expected = 0
    for k in range(most - 2, most + 1):
        expected = 3 * expected + k % 10 + 1
    for k in range(most - 5, most + 1, 4):
        expected = 2 * expected + k % 10
    for k in range(-most + 1, -most - 2, -1):
        expected = 2 * expected - -k % 10
    assert diablo.compile(program)(V=np.array([most, 1]), m=most) == expected
