"""Built-in reductions against NumPy, on all engines and sizes of blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import diablo
from diablo.diagnostics import CompileError, RunError
from fuzzing.comparison import difference, plain
from fuzzing.trial import DEFAULT, Trial, Way

RANDOM = np.random.default_rng(7)
V = RANDOM.integers(-4, 5, 23) * 0.5
K = RANDOM.integers(0, 4, 23)
M = RANDOM.integers(-9, 9, (5, 9)) * 0.25
S = np.where(RANDOM.random((6, 8)) < 0.3, M[0, 0] + RANDOM.integers(1, 5, (6, 8)), 0.0)
INPUTS = """
input V: vector[Double]; input K: vector[Int]; input M: matrix[Double]; input S: matrix[Double];
input L: list[Double]; input P: list[(String,Double)]; input D: map[String,Int];
"""


def values() -> dict[str, Any]:
    rows = [("b", 1.0), ("a", 1.0), ("c", 3.0), ("d", 3.0)]
    counts = {"x": 3, "y": -2, "z": 3}
    given = {"V": V, "K": K, "M": M, "S": sparse.csr_array(S), "L": V.tolist()}
    return {**given, "P": rows, "D": counts}


def at(array: Any, index: Any) -> Any:
    return tuple(int(i) for i in np.unravel_index(index, array.shape))


WHOLE = """
(sum(V), prod(K), mean(K), count(M), min(M), max(S), argmin(V), argmax(V), argmin(M), argmax(M),
 argmax(S), argmin(S), mean(S), argmax(L), mean(L), any([ v > 1.5 | v <- L ]), argmin(D), sum(D))
"""
EXPECTED = (
    V.sum(), K.prod(), K.mean(), M.size, M.min(), S.max(), V.argmin(), V.argmax(),
    at(M, M.argmin()), at(M, M.argmax()), at(S, S.argmax()), at(S, S.argmin()), S.mean(),
    V.argmax(), V.mean(), bool((V > 1.5).any()), "y", 4,
)  # fmt: skip

ROWS = """
(mean/[ v | (i,v) <- V, v > 0.0 ], count/[ i | (i,v) <- V, v > 0.0 ], 2*count/L,
 any/[ v > 1.5 | (i,v) <- V ], all/[ v > 1.5 | (i,v) <- V ], argmin/P, argmax/P,
 argmax/[ ((j,i),m) | ((i,j),m) <- M ],
 [ (k, mean/v, count/v, argmax/r, any/b) | (i,v) <- V, let k = K[i], let r = (i,v),
                                           let b = v > 1.0, group by k ],
 tensor*(5)[ (i, argmin/[ (j,m) | ((ii,j),m) <- M, ii == i ]) | i <- 0..4 ],
 tensor*(5)[ (i, mean/m) | ((i,j),m) <- M, group by i ],
 tensor*(5)[ (i, argmax/[ (j,m) | ((ii,j),m) <- M, ii == i, m > 100.0 ]) | i <- 0..4 ])
"""


def test_of_whole_arrays_and_lists():
    found = diablo.compile(INPUTS + WHOLE)(**values())
    for value, expected in zip(found, EXPECTED, strict=True):
        is_number = not isinstance(expected, tuple | str)
        assert value == (pytest.approx(expected) if is_number else expected)


def test_in_comprehensions():
    found = diablo.compile(INPUTS + ROWS)(**values())
    positive = V[V > 0]
    assert found[:3] == pytest.approx((positive.mean(), positive.size, 2 * V.size))
    assert found[3:7] == (bool((V > 1.5).any()), bool((V > 1.5).all()), "a", "c")
    assert found[7] == at(M.T, M.T.argmax())
    groups = [(k, np.flatnonzero(k == K)) for k in range(4)]
    assert sorted(found[8]) == [
        (k, pytest.approx(V[g].mean()), len(g), g[V[g].argmax()], bool((V[g] > 1.0).any()))
        for k, g in groups
        if len(g)
    ]
    np.testing.assert_array_equal(found[9], M.argmin(1))
    np.testing.assert_allclose(found[10], M.mean(1))
    np.testing.assert_array_equal(found[11], np.zeros(5))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", [WHOLE, ROWS])
def test_as_the_interpreter_says(text: str):
    ways = [DEFAULT, Way(compile="always"), Way(compile="never")]
    outcome = Trial(INPUTS + text, values()).run(ways)
    assert outcome.verdict == "same", outcome


@pytest.mark.sampled(2)
@pytest.mark.spark
@pytest.mark.parametrize("text", [WHOLE, ROWS])
def test_on_spark(text: str):
    expected = Trial(INPUTS + text, values()).expected()
    run = diablo.compile(INPUTS + text, engine="spark", master="local[2]", block_size=4)
    assert difference(plain((run(**values()),)), expected) is None


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block_size", [None, 2])
def test_nan_and_infinities(block_size: int | None):
    text = "input V: vector[Double]; (argmin(V), argmax(V), min(V), max(V))"
    run = diablo.compile(text, block_size=block_size)
    for array in ([1.0, np.nan, 0.0, np.nan], [np.nan] * 3):
        low, high, *extrema = run(V=np.array(array))
        assert (low, high) == (np.argmin(array), np.argmax(array))
        assert np.isnan(extrema).all()
    assert run(V=np.array([np.inf, np.inf]))[0] == 0
    assert run(V=np.array([-np.inf, -np.inf]))[1] == 0


def test_of_nothing():
    text = "input V: vector[Double]; "
    run = diablo.compile(text + "(sum(V), count(V), mean(V), min(V), all/[ v > 0.0 | (i,v) <- V ])")
    total, count, mean, low, every = run(V=np.zeros(0))
    assert (total, count, low, every) == (0, 0, np.inf, True)
    assert np.isnan(mean)
    with pytest.raises(RunError, match="this asks for the greatest of no values"):
        diablo.compile(text + "argmax(V)")(V=np.zeros(0))


def test_random_numbers_are_drawn_once():
    # The rows that are counted are those that are added up.
    found = diablo.compile("mean/[ 1.0 | i <- 0..99, random() < 0.5 ]", seed=3)()
    assert found == 1.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("var count = 6; var n = 4; (count/2, 10*count/n)", (3, 15)),
        ("def mean(x: Int, y: Int): Int = (x+y)/2; mean(2,4)", 3),
        ("def sum(v: list[Int]): Int = 7; sum([1,2])", 7),
        ("monoid mean(Int) = (0, (x,y) => x + y); mean/[ i | i <- 1..3 ]", 6),
        ("var L = [(1,8),(2,6)]; [ count/x | (x,count) <- L ]", [8, 3]),
        ("var count = 0; for i = 1, 3 do count += i; count", 6),
        ("var r = <count = 8, n = 2>; r.count/r.n", 4),
    ],
)
def test_the_names_of_a_program_win(text: str, expected: Any):
    assert diablo.compile(text)() == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mean(1)", "`mean` reduces an array, a list or a map, and this is Int"),
        ("mean/V", "`mean` reduces a bag of values, and this is vector[Double]"),
        ("any(V)", "`any` combines Boolean values, not Double"),
        ("sum(V,V)", "`sum` takes 1 argument, not 2"),
        ("argmax/L", "`argmax` compares pairs of a key and a number or string, not Double"),
        ("mean/P", "`mean` combines numbers, not (String,Double)"),
        ('mean/[ v + "a" | (i,v) <- V ]', "`mean` combines numbers, not String"),
        ("mean/[ w | (i,v) <- V ]", "`w` is not declared"),
    ],
)
def test_errors(text: str, message: str):
    with pytest.raises(CompileError) as caught:
        diablo.compile(INPUTS + text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("type", "dtype", "expected"),
    [
        ("Float", np.float32, np.float32),
        ("Double", np.float64, np.float64),
        ("Complex64", np.complex64, np.complex64),
        ("Int8", np.int8, np.float64),
    ],
)
def test_a_mean_has_the_type_of_floats(type: str, dtype: Any, expected: Any):
    program = diablo.compile(f"input V: vector[{type}]; tensor(2)[ (i, mean(V)) | i <- 0..1 ]")
    found = program(V=np.array([1, 4], dtype)).to_numpy()
    assert found.dtype == expected
    assert list(found) == [2.5, 2.5]
