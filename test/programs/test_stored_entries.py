"""Folds of the stored entries of sparse arrays, by row, by column and in all, against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse
from numpy.typing import NDArray

import diablo
from diablo.runtime.native import thread_team, work_seen

BLOCKS = [None, 1, 3, 7]
ROWS, COLUMNS = 8, 5

HEAD = """
    input S: matrix[Double]; input T: matrix[Double]; input P: matrix[Boolean];
    input v: vector[Double]; input w: vector[Double]; input D: matrix[Double];
    var n = S.rows; var m = S.cols;
"""


@pytest.fixture(params=[1 << 22, 0], ids=["NumPy", "compiled"])
def at_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile kernels never, or when they are first called, and cut them for threads."""
    monkeypatch.setattr(work_seen, "WORTH_COMPILING", request.param)
    if request.param == 0:
        monkeypatch.setattr(thread_team, "WORTH_SHARING", 1)


def arrays() -> dict[str, Any]:
    """Sparse arrays with an empty row, an empty column and an infinity, and dense ones."""
    rng = np.random.default_rng(5)

    def stored(rows: int, columns: int, empty: int) -> NDArray[np.float64]:
        array = rng.normal(size=(rows, columns)) * (rng.random((rows, columns)) < 0.5)
        array[empty] = 0
        array[:, empty] = 0
        return array

    s, t = stored(ROWS, COLUMNS, 2), stored(COLUMNS, ROWS, 1)
    s[5] = 0
    s[5, 3] = np.inf
    return {
        "S": s,
        "T": t,
        "P": stored(ROWS, COLUMNS, 3) != 0,
        "v": rng.normal(size=COLUMNS),
        "w": rng.normal(size=ROWS),
        "D": rng.normal(size=(COLUMNS, 4)),
    }


def run(program: str, block: int | None) -> list[Any]:
    """The results of a program, as dense arrays and numbers."""
    given = arrays()
    for name in "STP":
        given[name] = sparse.csr_array(given[name])
    results = diablo.compile(HEAD + program, block_size=block)(**given)
    results = results if isinstance(results, tuple) else (results,)
    return [r.to_numpy() if hasattr(r, "to_numpy") else r for r in results]


def along(
    axis: int, fold: Callable[[NDArray[Any]], Any], kept: NDArray[np.bool_], of: NDArray[Any]
) -> NDArray[np.float64]:
    """The folds of the elements that are kept, zero where there are none."""
    kept, of = (kept.T, of.T) if axis == 0 else (kept, of)
    return np.array([fold(e[k]) if k.any() else 0 for k, e in zip(kept, of, strict=True)], float)


@pytest.mark.sampled(4)
@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("block", BLOCKS)
def test_folds_of_rows_and_columns(block: int | None) -> None:
    given = arrays()
    s, v, w = given["S"], given["v"], given["w"]
    program = """
        (tensor*(n)[ (i,min/a) | ((i,j),a) <- S, group by i ],
         tensor*(m)[ (j,max/a) | ((i,j),a) <- S, group by j ],
         tensor*(n)[ (i,+/a) | ((i,j),a) <- S, group by i ],
         tensor*(n)[ (i,*/a) | ((i,j),a) <- S, a < 9.0, group by i ],
         tensor*(n)[ (i,a.length) | ((i,j),a) <- S, group by i ],
         tensor*(n)[ (i,(+/a)/a.length) | ((i,j),a) <- S, a < 9.0, group by i ],
         tensor*(n)[ (i,2.0 - min/a) | ((i,j),a) <- S, a > 0.1, i != j, group by i ],
         tensor*(n)[ (i,min/d) | ((i,j),a) <- S, (jj,x) <- v, jj == j, let d = a+x, group by i ],
         tensor*(m)[ (j,max/d) | ((i,j),a) <- S, (ii,x) <- w, ii == i, let d = a+x, group by j ])
    """
    there = s != 0
    i, j = np.indices(s.shape)
    small, chosen = there & (s < 9), (s > 0.1) & (i != j)
    expected = [
        along(1, np.min, there, s),
        along(0, np.max, there, s),
        along(1, np.sum, there, s),
        along(1, np.prod, small, s),
        there.sum(axis=1),
        along(1, np.mean, small, s),
        np.where(chosen.any(axis=1), 2 - along(1, np.min, chosen, s), 0),
        along(1, np.min, there, s + v),
        along(0, np.max, there, s + w[:, None]),
    ]
    for result, wanted in zip(run(program, block), expected, strict=True):
        np.testing.assert_allclose(result, wanted, rtol=1e-13)


@pytest.mark.sampled(4)
@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("block", BLOCKS)
def test_folds_of_booleans(block: int | None) -> None:
    given = arrays()
    p, v = given["P"], given["v"]
    program = """
        (tensor*(n)[ (i,||/b) | ((i,j),a) <- P, (jj,x) <- v, jj == j, let b = x > 0.0, group by i ],
         tensor*(n)[ (i,&&/b) | ((i,j),a) <- P, (jj,x) <- v, jj == j, let b = x > 0.0, group by i ],
         tensor*(m)[ (j,a.length) | ((i,j),a) <- P, group by j ],
         tensor*(n)[ (i,max/x) | ((i,j),a) <- P, (jj,x) <- v, jj == j, group by i ])
    """
    wide = np.broadcast_to(v, p.shape)
    expected = [
        (p & (v > 0)).any(axis=1),
        p.any(axis=1) & (~p | (v > 0)).all(axis=1),
        p.sum(axis=0),
        along(1, np.max, p, wide),
    ]
    for result, wanted in zip(run(program, block), expected, strict=True):
        np.testing.assert_allclose(result.astype(float), wanted)


@pytest.mark.sampled(8)
@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("block", BLOCKS)
def test_products_of_minima(block: int | None) -> None:
    given = arrays()
    s, t, d = given["S"], given["T"], given["D"]
    program = """
        (tensor*(n,n)[ ((i,j),min/d) | ((i,k),a) <- S, ((kk,j),b) <- T, kk == k, let d = a+b,
                                       group by (i,j) ],
         tensor*(n,4)[ ((i,j),min/d) | ((i,k),a) <- S, ((kk,j),b) <- D, kk == k, let d = a+b,
                                       group by (i,j) ],
         tensor*(n)[ (i,min/d) | ((i,k),a) <- S, ((kk,j),b) <- T, kk == k, let d = a*b,
                                 group by i ],
         max/[ a+b | ((i,k),a) <- S, ((kk,j),b) <- T, kk == k, a < 9.0 ])
    """
    pairs = (s != 0)[:, :, None] & (t != 0)
    sums = s[:, :, None] + t
    with_dense = np.where((s != 0)[:, :, None], s[:, :, None] + d, np.inf).min(axis=1)
    products = np.where(pairs, np.where(pairs, s[:, :, None], 1) * t, np.inf).min(axis=(1, 2))
    expected = [
        np.where(pairs.any(axis=1), np.where(pairs, sums, np.inf).min(axis=1), 0),
        np.where((s != 0).any(axis=1)[:, None], with_dense, 0),
        np.where(pairs.any(axis=(1, 2)), products, 0),
        sums[pairs & (s < 9)[:, :, None]].max(),
    ]
    for result, wanted in zip(run(program, block), expected, strict=True):
        np.testing.assert_allclose(result, wanted, rtol=1e-13)


@pytest.mark.sampled(8)
@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("block", BLOCKS)
def test_updates_by_entries(block: int | None) -> None:
    given = arrays()
    s, v, w = given["S"], given["v"], given["w"]
    program = """
        var A = w; for ((i,j),a) in S do A[i] min= a + v[j];
        var B = v; for ((i,j),a) in S do B[j] max= a + w[i];
        var C = w; for ((i,j),a) in S do if (a > 0.0) C[i] += 1.0;
        var total = 0.0; var count = 0; var most = 0.0;
        for ((i,j),a) in S do if (a < 9.0 && a > 0.2) { total += a; count += 1; most max= a; };
        (A, B, C, total, count, most)
    """
    there = s != 0
    chosen = s[(s < 9) & (s > 0.2)]
    expected = [
        np.minimum(w, np.where(there, s + v, np.inf).min(axis=1)),
        np.maximum(v, np.where(there, s + w[:, None], -np.inf).max(axis=0)),
        w + (s > 0).sum(axis=1),
        chosen.sum(),
        len(chosen),
        chosen.max(),
    ]
    for result, wanted in zip(run(program, block), expected, strict=True):
        np.testing.assert_allclose(result, wanted, rtol=1e-13)


@pytest.mark.sampled(2)
@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("block", BLOCKS)
def test_results_of_other_extents(block: int | None) -> None:
    s = arrays()["S"]
    program = """
        (tensor*(n+2)[ (i,min/a) | ((i,j),a) <- S, group by i ],
         tensor*(n-3)[ (i,min/a) | ((i,j),a) <- S, group by i ],
         tensor*(m-2)[ (j,max/a) | ((i,j),a) <- S, group by j ])
    """
    rows, columns = along(1, np.min, s != 0, s), along(0, np.max, s != 0, s)
    expected = [np.append(rows, [0, 0]), rows[:-3], columns[:-2]]
    for result, wanted in zip(run(program, block), expected, strict=True):
        np.testing.assert_allclose(result, wanted)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("storage", ["(n)(m)", "()(n,m)"])
@pytest.mark.parametrize("block", BLOCKS)
def test_any_number_of_sparse_dimensions(block: int | None, storage: str) -> None:
    s = arrays()["S"]
    program = f"""
        var A = tensor*{storage} S;
        (tensor*(n)[ (i,min/a) | ((i,j),a) <- A, group by i ],
         tensor*(m)[ (j,max/a) | ((i,j),a) <- A, group by j ],
         tensor*(n,n)[ ((i,j),min/d) | ((i,k),a) <- A, ((kk,j),b) <- T, kk == k, let d = a+b,
                                       group by (i,j) ])
    """
    t = arrays()["T"]
    pairs = (s != 0)[:, :, None] & (t != 0)
    least = np.where(pairs, s[:, :, None] + t, np.inf).min(axis=1)
    expected = [
        along(1, np.min, s != 0, s),
        along(0, np.max, s != 0, s),
        np.where(pairs.any(axis=1), least, 0),
    ]
    for result, wanted in zip(run(program, block), expected, strict=True):
        np.testing.assert_allclose(result, wanted)
