"""How much memory programs over rows take at most, besides the columns that they are given.

Each is measured in a process of its own, in which nothing else allocates.
"""

import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import diablo

COUNT = 200_000
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
PROGRAMS = {"pagerank": PAGERANK, "join": JOIN, "groups": GROUPS, "nested": NESTED}


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


def peak(name: str) -> float:
    """The most that a call takes, as a multiple of its columns."""
    program = diablo.compile(PROGRAMS[name])
    given = inputs(name, COUNT)
    program(**{**inputs(name, 1000), **{n: v for n, v in given.items() if isinstance(v, int)}})
    size = sum(
        column.nbytes for value in given.values() if isinstance(value, tuple) for column in value
    )
    tracemalloc.start()
    program(**given)
    return tracemalloc.get_traced_memory()[1] / size


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("pagerank", 2.6),  # 2.0 of more rows
        ("join", 2.0),
        ("groups", 2.0),
        ("nested", 3.0),
    ],
)
def test_peaks(name: str, most: float):
    command = [sys.executable, __file__, name]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert 0.5 < float(done.stdout) < most


if __name__ == "__main__":
    print(peak(sys.argv[1]))
