"""What a program returns: arrays and lists that are collected when they are looked at."""

import numpy as np
import pytest
from scipy import sparse

from diablo.runtime.arrays.tiles import SparseTile, split
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.results import DistributedArray, Rows

MATRIX = np.arange(12.0).reshape(3, 4)


def distributed(array: np.ndarray | SparseTile, block_size: int | None = 2) -> DistributedArray:
    dense_rank = array.dense_rank if isinstance(array, SparseTile) else array.ndim
    rdd = LocalContext(1).parallelize(split(array, block_size))
    return DistributedArray(rdd, array.shape, dense_rank, array.dtype, block_size, "A")


def test_dense_array():
    result = distributed(MATRIX)
    assert (result.shape, result.ndim, result.dtype, len(result)) == ((3, 4), 2, np.float64, 3)
    np.testing.assert_array_equal(result.to_numpy(), MATRIX)
    assert result.to_numpy() is result.to_numpy()
    assert np.array_equal(result, MATRIX)
    assert np.asarray(result, dtype=np.int64).dtype == np.int64
    assert np.array(result) is not result.to_numpy()
    assert result[1, 2] == 6
    assert [row.sum() for row in result] == [6, 22, 38]
    assert (repr(result), str(result)) == (repr(MATRIX), str(MATRIX))
    assert isinstance(result.to_scipy(), sparse.csr_array)
    assert len(result.to_rdd().collect()) == 4


@pytest.mark.parametrize("dense_rank", [0, 1])
def test_sparse_array(dense_rank: int):
    dense = np.array([[0, 2.0, 0], [1.5, 0, 0]])
    result = distributed(SparseTile.from_dense(dense, dense_rank))
    assert result.is_sparse
    np.testing.assert_array_equal(result.to_numpy(), dense)
    matrix = result.to_scipy()
    assert matrix.format == "csr"
    np.testing.assert_array_equal(matrix.toarray(), dense)
    assert repr(result) == "2 x 3 sparse array, 2 entries\n  [0, 1]  2.0\n  [1, 0]  1.5"


def test_long_sparse_array_is_shortened():
    shown = str(distributed(SparseTile.from_dense(np.ones(2000), 0), None))
    assert len(shown.splitlines()) == 8
    assert "  ..." in shown


def test_sparse_vector():
    result = distributed(SparseTile.from_dense(np.array([0, 3, 0, 4]), 0))
    assert result.to_scipy().toarray().tolist() == [0, 3, 0, 4]


def test_nothing_is_collected_early():
    class Failing:
        ctx = None

        def collect(self):
            raise MemoryError

    result = DistributedArray(Failing(), (2,), 1, np.float64)
    assert result.shape == (2,)
    with pytest.raises(Exception, match="out of memory"):
        result.to_numpy()


def test_rows():
    batches = [(np.array([1, 2]), np.array([0.5, 1.5])), (np.array([3]), np.array([2.5]))]
    result = Rows(LocalContext(1).parallelize(batches), [np.int64, np.float64])
    assert len(result) == 3
    assert list(result) == [(1, 0.5), (2, 1.5), (3, 2.5)]
    assert result[2] == (3, 2.5)
    assert result[:1] == [(1, 0.5)]
    assert result == [(1, 0.5), (2, 1.5), (3, 2.5)]
    assert [c.tolist() for c in result.to_numpy()] == [[1, 2, 3], [0.5, 1.5, 2.5]]
    assert repr(result) == "[(1, 0.5), (2, 1.5), (3, 2.5)]"


def test_rows_of_one_column_are_scalars():
    result = Rows(LocalContext(1).parallelize([(np.arange(2000),)]), [np.int64])
    assert (result[0], list(result)[:2]) == (0, [0, 1])
    assert repr(result) == "[0, 1, 2, ..., 1997, 1998, 1999]"


def test_no_rows():
    result = Rows(LocalContext(1).emptyRDD(), [np.int64, np.bool_])
    assert (len(result), list(result), repr(result)) == (0, [], "[]")
    assert [c.dtype for c in result.to_numpy()] == [np.int64, np.bool_]
