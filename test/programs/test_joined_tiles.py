"""On the local engine the tiles of an array are one, whatever block size a program is given.

All that would be done for each tile is counted: calls of kernels, keys that are brought together,
bytes of large arrays. Other tests have tiles apart, as they are on Spark.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import diablo
from diablo.diagnostics import InputError, RunError
from diablo.runtime.arrays import memory
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.engines.local_rdd import LocalRDD
from diablo.runtime.engines.tile_mode import TILES
from diablo.runtime.program import tile_functions
from diablo.runtime.program.data import choose_block_size
from diablo.runtime.results import DistributedArray, Rows

PROGRAMS = {
    "sum": "input A: matrix[Double]; tensor*(40,40)[ ((i,j),2.0*a+A[j,i]) | ((i,j),a) <- A ]",
    "rows": "input A: matrix[Double]; tensor*(40)[ (i,+/a) | ((i,j),a) <- A, group by i ]",
    "columns": "input A: matrix[Double]; tensor*(40)[ (j,max/a) | ((i,j),a) <- A, group by j ]",
    "total": "input A: matrix[Double]; +/[ a*a | ((i,j),a) <- A ]",
    "product": "input A: matrix[Double]; A @ A",
    "transposed": "input A: matrix[Double]; input x: vector[Double]; A.t @ x",
    "stencil": """input A: matrix[Double];
tensor*(40,40)[ ((ii,jj),(+/a)/a.length) | ((i,j),a) <= A, ii <- i-1..i+1, jj <- j-1..j+1,
                                           group by (ii,jj) ]""",
    "wrapped": "input x: vector[Double]; tensor*(40)[ (i,x[(i+39)%40]+x[(i+1)%40]) | i <- 0..39 ]",
    "sparse sum": "input S: matrix[Double]; S + S.t",
    "sparse vector": "input S: matrix[Double]; input x: vector[Double]; S @ x",
    "sparse dense": "input S: matrix[Double]; input A: matrix[Double]; S @ A",
    "built": """input L: list[(Int,Double)];
tensor*(40)[ (k % 40,+/v) | (k,v) <- L, group by k: k % 40 ]""",
    "slice": "input A: matrix[Double]; (A[3,4], tensor*(40)[ (j,a) | ((i,j),a) <- A, i == 7 ])",
    "loop": """input A: matrix[Double]; var T = A; var k = 0;
while (k < 3) { k += 1; var S = T; for i = 1, 38 do for j = 1, 38 do T[i,j] = S[i-1,j]+S[i,j+1]; };
T""",
    "groups": "input L: list[(Int,Double)]; [ (k,+/v,v.length) | (k,v) <- L, group by k ]",
    "join": """input L: list[(Int,Double)]; input A: matrix[Double];
+/[ v*a | (k,v) <- L, ((i,j),a) <- A, i == k ]""",
}


def inputs_of(text: str) -> dict[str, Any]:
    """Return what the program takes of these."""
    random = np.random.default_rng(3)
    S = scipy.sparse.random(40, 40, 0.1, "csr", random_state=4)
    given = {
        "A": random.integers(0, 9, (40, 40)).astype(float),
        "S": scipy.sparse.csr_matrix(np.round(S.toarray() * 9)),
        "x": random.integers(0, 9, 40).astype(float),
        "L": [(int(k), float(v)) for k, v in random.integers(0, 40, (90, 2))],
    }
    return {name: value for name, value in given.items() if f"input {name}:" in text}


def plain(result: Any) -> Any:
    """A result as lists and numbers; rows in an order."""
    if isinstance(result, tuple):
        return [plain(part) for part in result]
    if isinstance(result, DistributedArray):
        return result.to_numpy().tolist()
    return sorted(result) if isinstance(result, Rows) else result


@pytest.fixture
def joined(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiles are as they are by default."""
    monkeypatch.delenv(TILES, raising=False)


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Return how many kernels are called for tiles, and how many keys are brought together."""
    counts: Counter[str] = Counter()
    run: Callable[..., Any] = tile_functions._OnPlace.run
    regrouped: Callable[..., Any] = LocalRDD._regrouped

    def counted_run(self: Any, *arguments: Any) -> Any:
        counts["kernels"] += 1
        return run(self, *arguments)

    def counted_regrouped(self: Any, records: list[Any], count: int | None) -> Any:
        counts["keys"] = max(counts["keys"], len(records))
        return regrouped(self, records, count)

    monkeypatch.setattr(tile_functions._OnPlace, "run", counted_run)
    monkeypatch.setattr(LocalRDD, "_regrouped", counted_regrouped)
    return counts


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", PROGRAMS)
def test_blocks_cost_what_the_whole_costs(
    name: str, done: Counter[str], joined: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = PROGRAMS[name]
    inputs = inputs_of(text)
    expected = plain(diablo.compile(text)(**inputs))
    done.clear()
    seen: list[Counter[str]] = []
    for block_size in (40, 7, 2):
        assert plain(diablo.compile(text, block_size=block_size)(**inputs)) == expected
        seen.append(done.copy())
        done.clear()
    # As many tiles as there would be: no more is done for it.
    assert seen[0] == seen[1] == seen[2]
    assert seen[0]["keys"] <= 1
    monkeypatch.setenv(TILES, "apart")
    assert plain(diablo.compile(text, block_size=7)(**inputs)) == expected
    apart = done.copy()
    assert apart != seen[0], "nothing is counted here"
    assert all(apart[what] >= seen[0][what] for what in apart)


def test_a_vector_and_a_sparse_matrix_are_one_tile_beside_a_dense_matrix(
    joined: None, done: Counter[str]
) -> None:
    text = """input S: matrix[Double]; input x: vector[Double]; input D: matrix[Double];
(S @ x, D @ D)"""
    n = 75_000
    diagonal = scipy.sparse.diags_array(np.ones(n)).tocsr()
    program = diablo.compile(text, block_size=20)
    product, _ = program(S=diagonal, x=np.arange(float(n)), D=np.ones((60, 60)))
    assert product.sum() == n * (n - 1) / 2
    assert done["kernels"] <= 3


def test_a_result_is_made_in_its_place(joined: None, monkeypatch: pytest.MonkeyPatch) -> None:
    n = 600
    A, B = np.ones((n, n)), np.ones((n, n))
    program = diablo.compile(
        "input A: matrix[Double]; input B: matrix[Double]; "
        "tensor*(A.rows,A.cols)[ ((i,j),a+B[i,j]) | ((i,j),a) <- A ]",
        block_size=20,
    )
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    program(A=A, B=B).to_numpy()
    memory.clear()
    before = memory.statistics().fresh
    program(A=A, B=B).to_numpy()
    assert memory.statistics().fresh - before == 1


def test_a_block_size_has_the_program_of_whole_arrays(joined: None) -> None:
    text = """input x: vector[Double]; var s = -inf; var y = x;
for i = 0, x.length-1 do { if (x[i] > s) s = x[i]; y[i] = s; }; y"""
    x = np.array([1.0, 3.0, 2.0, 5.0, 4.0])
    blocks, whole = diablo.compile(text, block_size=2), diablo.compile(text)
    assert blocks(x=x).to_numpy().tolist() == whole(x=x).to_numpy().tolist() == [1, 3, 3, 5, 5]
    assert blocks.ir("pyspark") == whole.ir("pyspark")


def test_an_input_that_is_given_back_is_not_the_callers_array(joined: None) -> None:
    A = np.ones((8, 8))
    result = diablo.compile("input A: matrix[Double]; A", block_size=3)(A=A)
    result[0, 0] = 5.0
    assert A[0, 0] == 1.0
    assert result[0, 0] == 5.0


@pytest.mark.parametrize("sparse", [False, True])
def test_who_asks_for_tiles_gets_those_of_the_block_size(sparse: bool, joined: None) -> None:
    A = np.arange(35.0).reshape(5, 7)
    given = scipy.sparse.csr_matrix(A) if sparse else A
    text = "input A: matrix[Double]; tensor*(5)(7)[ ((i,j),a) | ((i,j),a) <- A ]"
    result = diablo.compile(text, block_size=3)(A=given)
    tiles = dict(result.to_rdd().collect())
    assert sorted(tiles) == [(i, j) for i in range(2) for j in range(3)]
    assert tiles[1, 2].toarray().tolist() == A[3:, 6:].tolist()
    assert result.to_numpy().tolist() == A.tolist()
    assert len(result.to_rdd().collect()) == 6
    whole = diablo.compile(text)(A=given)
    assert [key for key, _ in whole.to_rdd().collect()] == [(0, 0)]


def test_a_run_in_blocks_keeps_to_its_memory(joined: None) -> None:
    text = """input n: Int;
var A = tensor*(n,n)[ ((i,j),1.0*i+j) | i <- 0..n-1, j <- 0..n-1 ];
tensor*(n,n)[ ((i,j),A[j,i]) | i <- 0..n-1, j <- 0..n-1 ]"""
    program = diablo.compile(text, block_size=100, memory="60m")
    with pytest.raises(RunError, match=r"would take|have been taken"):
        program(n=3000).to_numpy()


def test_the_block_size_of_a_process(monkeypatch: pytest.MonkeyPatch, joined: None) -> None:
    assert choose_block_size(LocalContext(), 3, dense=[(4, 4)]) is None
    monkeypatch.setenv(TILES, "apart")
    assert choose_block_size(LocalContext(), 3, dense=[(4, 4)]) == 3
    monkeypatch.setenv(TILES, "often")
    with pytest.raises(InputError, match="DIABLO_TILES is 'often'"):
        diablo.compile("1 + 1")()
