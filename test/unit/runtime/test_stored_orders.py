"""A tile that is stored by columns is the transposed matrix by rows, without a copy."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels.arithmetic import matrix
from diablo.runtime.program.layouts import with_layout


def tile_by_columns() -> tuple[SparseTile, np.ndarray]:
    dense = sp.random(9, 7, 0.3, random_state=0).toarray()
    tile = with_layout(SparseTile.from_dense(dense, 1), "form = compressed, orders = [[1, 0]]")
    assert isinstance(tile, SparseTile)
    return tile, dense


def test_transposed_matrix_shares_the_vectors():
    tile, dense = tile_by_columns()
    turned = matrix(tile, (1,), (0,), tile.shape)
    np.testing.assert_array_equal(turned.toarray(), dense.T)
    assert np.shares_memory(turned.data, tile.elements)
    assert turned.format == "csr"


def test_other_orders_and_parts_are_derived():
    tile, dense = tile_by_columns()
    np.testing.assert_array_equal(matrix(tile, (0,), (1,), tile.shape).toarray(), dense)
    np.testing.assert_array_equal(matrix(tile, (1,), (0,), (4, 5)).toarray(), dense[:4, :5].T)


def test_columns_of_a_layout_are_lists_that_are_made_once():
    tile, dense = tile_by_columns()
    again = with_layout(tile, "form = compressed, orders = [[1, 0]]")
    assert again is tile
    automatic = with_layout(SparseTile.from_dense(dense, 1), "form = auto, orders = [[1, 0]]")
    np.testing.assert_array_equal(np.asarray(automatic), dense)
