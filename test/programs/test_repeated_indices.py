"""An index or key that is given several values keeps the last one, however the program runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import diablo
from fuzzing.comparison import difference, plain
from fuzzing.trial import Trial

M = np.arange(12.0).reshape(3, 4) + 1.0
LISTS = np.empty(3, object)
LISTS[:] = [[(1, 5.0), (0, 6.0), (1, 7.0)], [], [(0, 8.0)]]
INPUTS: dict[str, tuple[str, Any]] = {
    "M": ("matrix[Double]", M),
    "L": ("list[(Int,Double)]", [(2, 1.0), (0, 2.0), (2, 3.0), (9, 4.0), (0, 5.0), (2, 0.0)]),
    "W": ("vector[list[(Int,Double)]]", LISTS),
    "K": ("map[Int,Double]", {7: 1.0, 3: 2.0, 5: 3.0}),
    "P": ("vector[Int]", np.array([1, 0, 1, 3, 0])),
}

PROGRAMS: dict[str, tuple[str, Any]] = {
    "an index that is computed": ("tensor*(5)[ ((i+j)%5,a) | ((i,j),a) <- M ]", [12, 5, 9, 10, 11]),
    "an index that leaves one out": ("tensor*(3)[ (i,a) | ((i,j),a) <- M ]", [4, 8, 12]),
    "a product without its sum": (
        "tensor*(3,3)[ ((i,k),a*b) | ((i,j),a) <- M, ((k,l),b) <- M, l == j ]",
        M[:, 3:] @ M[:, 3:].T,
    ),
    "a list as it is given": ("tensor*(3)[ (k,v) | (k,v) <- L ]", [5, 0, 0]),
    "a sparse array, of which a last value is zero": (
        "tensor*()(3)[ (k,v) | (k,v) <- L ]",
        [5, 0, 0],
    ),
    "a list without an order, by its columns": (
        "var G = [ (k%2,k,+/v) | (k,v) <- L, group by k ]; tensor*(2)[ (r,v) | (r,k,v) <- G ]",
        [4, 4],
    ),
    "groups, by their keys": ("tensor*(2)[ (k%2,v.length) | (k,v) <- L, group by k ]", [3, 1]),
    "a map, by its keys": ("tensor*(2)[ (k%2,v) | (k,v) <- K ]", [0, 1]),
    "a range that goes down": (
        "var V = tensor*(2)[ (i,0) | i <- 0..1 ]; for i = 5, 0, -1 do V[i%2] = i; V",
        [0, 1],
    ),
    "the lists of an array": ("tensor*(2)[ (k,v) | (i,w) <- W, (k,v) <- w ]", [8, 7]),
    "one list of an array": ("tensor*(2)[ (k,v) | (i,w) <- W, i == 0, (k,v) <- w ]", [6, 7]),
    "elements that are lists": (
        "tensor*(2)[ (i%2,[ b | ((k,l),b) <- M, k == i ]) | i <- 0..2 ]",
        None,
    ),
    "elements that are tuples": ("tensor*(3)[ (i,(j,a)) | ((i,j),a) <- M ]", None),
    "a map of a list": ("map*[ (k,v) | (k,v) <- L ]", None),
    "a map of strings": ('map[ ("k"+(k%2),v) | (k,v) <- K ]', None),
    "an assignment": (
        "var V = tensor*(4)[ (i,9) | i <- 0..3 ]; for i = 0, P.length-1 do V[P[i]] = i; V",
        [4, 2, 9, 3],
    ),
    "an assignment to a map": (
        "var N: map[Int,Int] = map(); for i = 0, P.length-1 do N[P[i]] = i; N",
        None,
    ),
    "an assignment from a list": (
        "var V = tensor*(3)[ (i,9.0) | i <- 0..2 ]; for (k,v) in L do V[k] = v; V",
        [5, 9, 0],
    ),
    "an array in each row": (
        "[ (i,+/[ v | (k,v) <- tensor(2)[ (j%2,a) | ((h,j),a) <- M, h == i ] ]) | i <- 0..2 ]",
        None,
    ),
    "two arrays of the same rows": (
        "var A = tensor*(3)[ (k,v) | (k,v) <- L ]; var B = tensor*(3)[ (k,2.0*v) | (k,v) <- L ];"
        "A + B",
        [15, 0, 0],
    ),
}


def whole(text: str) -> tuple[str, dict[str, Any]]:
    """A program with the inputs that it uses."""
    used = {name: given for name, given in INPUTS.items() if name in text.replace("Int", "")}
    lines = [f"input {name}: {type};" for name, (type, _) in used.items()]
    return " ".join([*lines, text]), {name: value for name, (_, value) in used.items()}


def parts(result: Any) -> Any:
    return plain(result if isinstance(result, tuple) else (result,))


@pytest.mark.sampled(16)
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_last_value_is_kept(name: str) -> None:
    text, wanted = PROGRAMS[name]
    program, inputs = whole(text)
    expected = Trial(program, inputs).expected()
    if wanted is not None:
        assert difference(expected, plain((np.array(wanted),))) is None
    for block in (None, 1, 2, 7):
        found = parts(diablo.compile(program, block_size=block)(**inputs))
        assert difference(found, expected) is None, f"with blocks of {block}"


@pytest.mark.spark
@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", PROGRAMS)
def test_on_spark(name: str) -> None:
    program, inputs = whole(PROGRAMS[name][0])
    run = diablo.compile(program, block_size=2, engine="spark", master="local[2]")
    assert difference(parts(run(**inputs)), Trial(program, inputs).expected()) is None
