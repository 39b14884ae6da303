# Products of matrices: as NumPy and SciPy have them, and never larger than memory allows.
import numpy as np
import pytest
import scipy.sparse as sparse

from diablo.diagnostics import OutOfMemory
from diablo.runtime.arrays import memory
from diablo.runtime.kernels.matrix_products import dense_product, product
from diablo.runtime.memory_limit import limited


def random_matrix(rows: int, columns: int, seed: int, form: str = "csr") -> sparse.csr_array:
    numbers = np.random.default_rng(seed)
    return sparse.random_array((rows, columns), density=0.1, rng=numbers, format=form)


@pytest.mark.parametrize("forms", [("csr", "csr"), ("csc", "csc"), ("csr", "csc"), ("csc", "csr")])
def test_sparse(forms: tuple[str, str]):
    a, b = random_matrix(30, 50, 1, forms[0]), random_matrix(50, 20, 2, forms[1])
    made = product(a, b)
    assert sparse.issparse(made)
    assert made.has_canonical_format
    np.testing.assert_array_equal(made.toarray(), (a @ b).toarray())
    np.testing.assert_array_equal(dense_product(a, b), (a @ b).toarray())


@pytest.mark.parametrize("which", ["dense", "left", "right"])
def test_dense(which: str):
    a, b = random_matrix(30, 50, 1), random_matrix(50, 20, 2)
    left = a if which == "left" else a.toarray()
    right = b if which == "right" else b.toarray()
    np.testing.assert_allclose(product(left, right), a.toarray() @ b.toarray())


def test_empty():
    a, b = sparse.csr_array((3, 4)), sparse.csr_array((4, 5))
    with limited(1 << 20):
        assert product(a, b).shape == (3, 5)
        assert product(a[:0], b).shape == (0, 5)


def test_outer_products_are_refused_without_being_tried():
    column = sparse.csr_array(np.ones((3_000_000, 1)))
    with limited(1 << 28), pytest.raises(OutOfMemory, match="9000000000000 entries"):
        product(column, column.T.tocsr())
    with limited(1 << 28), pytest.raises(OutOfMemory, match="an array of 3000000 x 3000000"):
        product(column, np.ones((1, 3_000_000)))
    with limited(1 << 28), pytest.raises(OutOfMemory, match="an array of 3000000 x 3000000"):
        dense_product(column[:, :0], column.T.tocsr()[:0])


def test_entries_that_fall_together_are_counted_once():
    # 6000 terms meet in each row, but only in 40 columns: the sum of them would be too much.
    a = sparse.csr_array(np.ones((4000, 300)))
    b = sparse.hstack([np.ones((300, 20)), sparse.csr_array((300, 4_000_000))]).tocsr()
    with limited(1 << 24):
        assert product(a, b).nnz == 4000 * 20


def test_what_is_between_the_two_bounds_is_counted():
    rows, numbers = 100_000, np.random.default_rng(0)
    places = np.arange(rows)[:, None] + numbers.integers(0, 32, (rows, 16))
    places = np.sort(np.minimum(places, rows - 1), axis=1).astype(np.int32)
    arrays = np.ones(rows * 16), places.ravel(), np.arange(0, rows * 16 + 1, 16, np.int32)
    a = sparse.csr_array(arrays, (rows, rows))
    a.sum_duplicates()
    entries = (a @ a).nnz
    assert rows * 16 < entries < rows * 100
    with limited(12 * entries + (12 << 20)):
        assert product(a, a).nnz == entries
    with limited(12 * entries // 2), pytest.raises(OutOfMemory, match=f"{entries} entries"):
        product(a, a)


def test_dense_products_take_memory_that_has_died_and_no_other():
    a, b = np.ones((300, 20)), np.ones((20, 300))
    before = memory.statistics().reused
    first = product(a, b)
    second = product(2 * a, b)
    assert memory.statistics().reused == before
    assert (first == 20).all()
    assert (second == 40).all()
    del first
    assert (product(3 * a, b) == 60).all()
    assert memory.statistics().reused == before + 1
    assert (second == 40).all()


def test_a_product_is_never_what_a_kernel_may_write_to():
    # The array that `into` offers is read after the product, in the same kernel.
    taken, a, b = np.full((300, 300), 5.0), np.ones((300, 20)), np.ones((20, 300))
    assert (memory.into(taken, lambda: taken - product(a, b)) == -15).all()


@pytest.mark.parametrize("dtype", ["f8", "f4", "c16", "i8", "u1"])
def test_types_and_layouts_of_dense_products(dtype: str):
    a = np.arange(12).reshape(3, 4).astype(dtype)
    for left, right in (
        (a, a.T),
        (a.T, a),
        (a[:, ::2], a[:, ::2].T),
        (a[:0], a.T),
        (a[:, :0], a[:, :0].T),
    ):
        found = product(left, right)
        assert found.dtype == left.dtype
        assert found.flags.c_contiguous
        np.testing.assert_array_equal(found, left @ right)
