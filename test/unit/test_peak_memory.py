"""How much memory programs over rows take at most, besides the columns that they are given."""

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import diablo

COUNT = 400_000
PAGERANK = (Path(__file__).parents[2] / "examples" / "pagerank.diablo").read_text()
JOIN = """
input A: list[(Int,Double)]; input B: list[(Int,Double)];
[ (i,a,b) | (i,a) <- A, (j,b) <- B, i == j ];
"""
GROUPS = """
input A: list[(Int,Double)];
[ (k, a) | (k,a) <- A, group by k ];
"""
NESTED = """
input A: list[(Int,Int,Double)];
[ (k, [ (l, +/b) | (l,b) <- g, group by l ]) | (k,l,a) <- A, let g = (l,a), group by k ];
"""


def inputs(name: str, count: int) -> dict[str, Any]:
    random = np.random.default_rng(0)
    keys = [random.integers(0, count // 10, count) for _ in range(2)]
    values = random.random(count)
    match name:
        case "pagerank":
            return {"G": tuple(keys), "N": count // 10}
        case "join":
            sides = [(random.permutation(count), values) for _ in range(2)]
            return {"A": sides[0], "B": sides[1]}
        case "groups":
            return {"A": (keys[0], values)}
        case _:
            return {"A": (keys[0], keys[1] % 5, values)}


@pytest.mark.parametrize(
    ("name", "text", "most"),
    [
        ("pagerank", PAGERANK, 2.3),  # 2.0 of more rows
        ("join", JOIN, 2.0),
        ("groups", GROUPS, 2.0),
        ("nested", NESTED, 3.0),
    ],
)
def test_peaks(name: str, text: str, most: float):
    program = diablo.compile(text)
    given = inputs(name, COUNT)
    program(**{**inputs(name, 1000), **{n: v for n, v in given.items() if isinstance(v, int)}})
    size = sum(
        column.nbytes for value in given.values() if isinstance(value, tuple) for column in value
    )
    tracemalloc.start()
    try:
        program(**given)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 0.5 < peak / size < most
