"""What a shuffle sends of sparse blocks: the fields of their layout, measured as pickled bytes."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse

import diablo
import diablo.runtime.program
from diablo.lowering.pipelines import PIPELINES
from diablo.runtime.program import cogroup

N, BLOCK = 300, 150
PER_BLOCK = 1500
"""Bytes of a pickled block besides its vectors: names of classes, shapes, the layout's text."""
NUMBERS = """
    input A: matrix[Double]; input B: matrix[Double];
    tensor*(A.rows,B.cols)[ ((i,j),+/v) | ((i,k),a) <- A, ((kk,j),b) <- B, kk == k,
                                          let v = a*b, group by (i,j) ]
"""
FLAGS = """
    input A: matrix[Boolean]; input B: matrix[Boolean];
    tensor*(A.rows)(A.cols)[ ((i,j),a || b) | ((i,j),a) <= A, ((jj,ii),b) <= B, ii == i, jj == j ]
"""


def compressed(entries: int) -> int:
    return 4 * (BLOCK + 1) + 4 * entries


def coordinates(entries: int) -> int:
    """An index is one number, its place in the block's box."""
    return 4 * entries


def blocks(matrix: Any) -> list[int]:
    """Return how many entries each block has."""
    starts = range(0, N, BLOCK)
    return [matrix[i : i + BLOCK, j : j + BLOCK].nnz for i in starts for j in starts]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the records that a program brings together by their keys."""
    sizes: list[int] = []

    def counting(partitions: int, *rdds: Any) -> Any:
        def size(record: Any) -> int:
            return len(pickle.dumps(record, protocol=5))

        for rdd in rdds:
            sizes.extend(rdd.map(size).collect())
        return cogroup(partitions, *rdds)

    monkeypatch.setattr(diablo.runtime.program, "cogroup", counting)
    for name, text in PIPELINES.items():
        # Blocks as few as these would go to all workers.
        forced = text.replace("choose-join", "choose-join{force=replicate}")
        monkeypatch.setitem(PIPELINES, name, forced)
    return sizes


ROWS = "form = compressed, orders = [[0, 1]]"
COLUMNS = "form = compressed, orders = [[1, 0]]"
BOTH = "form = compressed, orders = [[0, 1], [1, 0]]"
COORDINATES = "form = coordinates"


CASES = {
    "chosen": (NUMBERS, None, compressed),
    "rows": (NUMBERS, ROWS, compressed),
    "columns": (NUMBERS, COLUMNS, compressed),
    # The second order's permutation is found again where it is asked for.
    "both": (NUMBERS, BOTH, compressed),
    "directory": (NUMBERS, f"{ROWS}, directory = hash", compressed),
    "coordinates": (NUMBERS, COORDINATES, coordinates),
    "Boolean": (FLAGS, COLUMNS, compressed),
    "Boolean coordinates": (FLAGS, COORDINATES, coordinates),
}
RUNS = [
    *[("local", case) for case in CASES],
    *[pytest.param("spark", case, marks=pytest.mark.spark) for case in ("both", "Boolean")],
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("engine", "case"), RUNS)
def test_only_the_fields_of_the_layout_are_sent(engine: str, case: str, sent: list[int]) -> None:
    text, layout, index_bytes = CASES[case]
    generator = np.random.default_rng(1)
    a, b = (sparse.random_array((N, N), density=0.1, format="csr", rng=generator) for _ in "ab")
    # In the product each block goes to the two that it is multiplied for.
    value, copies, expected = 8, 2, a @ b
    if text is FLAGS:
        a, b = a > 0, b > 0
        value, copies, expected = 0, 1, a + b.T
    master = "local[2]" if engine == "spark" else None
    program = diablo.compile(text, engine=engine, master=master, block_size=BLOCK, layout=layout)
    np.testing.assert_allclose(program(A=a, B=b).to_numpy(), expected.toarray(), rtol=1e-12)
    counts = copies * [*blocks(a), *blocks(b)]
    vectors = sum(index_bytes(count) + value * count for count in counts)
    assert len(sent) == len(counts)
    assert vectors <= sum(sent) <= vectors + PER_BLOCK * len(counts)
