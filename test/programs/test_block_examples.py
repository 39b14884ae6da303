# What the documentation of Hail's BlockMatrix shows, written anew for `diablo.blocks`.
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import diablo.blocks as blocks
from diablo.diagnostics import InputError

SIZE = 2


def _small(array: Any) -> blocks.BlockMatrix:
    return blocks.from_numpy(np.asarray(array), block_size=SIZE)


def _same(found: Any, expected: Any) -> None:
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-12)


def test_a_matrix_of_numbers_is_made_computed_with_and_written(tmp_path: Path):
    x = np.array([[1.0, 3.0], [2.0, 4.0]])
    m = _small(x)
    _same(m + 1, [[2, 4], [3, 5]])
    _same(m.T @ m, x.T @ x)
    (m - m.sum(axis=0) / m.n_rows).write(tmp_path / "centred")
    _same(blocks.read(tmp_path / "centred"), x - x.mean(axis=0))
    with pytest.raises(InputError, match="is there already"):
        m.write(tmp_path / "centred")


def test_random_and_filled_matrices():
    a = blocks.random(5, 4, seed=1, block_size=SIZE)
    assert a.shape == (5, 4)
    assert (a.to_numpy() >= 0).all()
    _same(a, blocks.random(5, 4, seed=1, block_size=SIZE))
    _same(blocks.fill(2, 3, 1.5, block_size=SIZE), np.full((2, 3), 1.5))


def test_rows_and_columns_are_filtered():
    x = np.arange(1.0, 13.0).reshape(3, 4)
    m = _small(x)
    _same(m.filter_rows([0, 2]), x[[0, 2]])
    _same(m.filter_cols([1, 3]), x[:, [1, 3]])
    _same(m.filter([0, 2], [1, 3]), x[np.ix_([0, 2], [1, 3])])
    assert m[1, 2] == 7.0
    _same(m[:2, 1:3], x[:2, 1:3])
    _same(m[0, :], x[:1])
    _same(m[:, -1], x[:, -1:])
    _same(m[::2, ::3], x[::2, ::3])


def test_numbers_rows_columns_and_matrices_beside_each_other():
    x = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    m = _small(x)
    row, column = np.array([10.0, 20.0, 30.0]), np.array([[100.0], [200.0]])
    _same(m * 2 - 1, x * 2 - 1)
    _same(m + row, x + row)
    _same(m * _small(row[None, :]), x * row)
    _same(column / m, column / x)
    _same(m + _small(column), x + column)
    _same(m**2, x**2)
    _same(abs(-m), x)


def test_a_band_keeps_diagonals():
    x = np.arange(1.0, 17.0).reshape(4, 4)
    m = _small(x)
    _same(
        m.sparsify_band(lower=-1, upper=2),
        [[1, 2, 3, 0], [5, 6, 7, 8], [0, 10, 11, 12], [0, 0, 15, 16]],
    )
    # The blocks of the diagonal alone, each of which is whole.
    diagonal = m.sparsify_band(lower=0, upper=0, blocks_only=True)
    _same(diagonal, [[1, 2, 0, 0], [5, 6, 0, 0], [0, 0, 11, 12], [0, 0, 15, 16]])
    assert np.array_equal(diagonal.blocks, np.eye(2, dtype=bool))


def test_a_triangle_keeps_one_half():
    x = np.arange(1.0, 17.0).reshape(4, 4)
    m = _small(x)
    _same(m.sparsify_triangle(), np.triu(x))
    _same(m.sparsify_triangle(lower=True), np.tril(x))
    upper = m.sparsify_triangle(blocks_only=True)
    _same(upper, [[1, 2, 3, 4], [5, 6, 7, 8], [0, 0, 11, 12], [0, 0, 15, 16]])
    assert upper.is_sparse


def test_intervals_of_rows_and_rectangles():
    x = np.arange(1.0, 17.0).reshape(4, 4)
    m = _small(x)
    starts, stops = [1, 0, 2, 2], [2, 0, 3, 4]
    _same(
        m.sparsify_row_intervals(starts, stops),
        [[0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 11, 0], [0, 0, 15, 16]],
    )
    _same(
        m.sparsify_row_intervals(starts, stops, blocks_only=True),
        [[1, 2, 0, 0], [5, 6, 0, 0], [0, 0, 11, 12], [0, 0, 15, 16]],
    )
    kept = m.sparsify_rectangles([[0, 1, 0, 1], [0, 3, 0, 2], [1, 2, 0, 4]])
    _same(kept, [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 0, 0], [13, 14, 0, 0]])
    _same(kept.densify(), kept.to_numpy())


def test_entries_are_a_table():
    pandas = pytest.importorskip("pandas")
    m = _small(np.array([[5.0, 7.0], [2.0, 8.0]]))
    expected = pandas.DataFrame(
        {"i": [0, 0, 1, 1], "j": [0, 1, 0, 1], "entry": [5.0, 7.0, 2.0, 8.0]}
    )
    found = m.entries().to_pandas().sort_values(["i", "j"]).reset_index(drop=True)
    pandas.testing.assert_frame_equal(found, expected, check_dtype=False)
    # Of blocks that are there alone.
    band = _small(np.arange(16.0).reshape(4, 4)).sparsify_band(blocks_only=True)
    assert len(band.entries().to_pandas()) == 8


def test_sums_and_a_correlation_of_columns():
    x = np.random.default_rng(3).random((7, 4))
    m = _small(x)
    assert m.sum() == pytest.approx(x.sum())
    _same(m.sum(axis=0), x.sum(axis=0, keepdims=True))
    _same(m.sum(axis=1), x.sum(axis=1, keepdims=True))
    _same(m.diagonal(), np.diagonal(x))
    centred = m - m.sum(axis=0) / m.n_rows
    scaled = centred / ((centred * centred).sum(axis=0)).sqrt()
    _same(scaled.T @ scaled, np.corrcoef(x, rowvar=False))
    # A window of it: blocks outside are not computed.
    near = (scaled.T @ scaled).sparsify_band(-1, 1)
    _same(near, np.triu(np.tril(np.corrcoef(x, rowvar=False), 1), -1))
