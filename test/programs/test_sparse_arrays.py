# Sparse arrays with a value for all other elements, against NumPy and against pydata's `sparse`.
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import diablo.array as da
from diablo.array.expression_graph import pending

OPERATORS: list[Callable[..., Any]] = [
    operator.add,
    operator.mul,
    operator.sub,
    operator.truediv,
    operator.gt,
    operator.eq,
    np.maximum,
]
FOLDS = ("sum", "max", "min", "prod", "any", "all", "mean")


def _draw(rng: Any, shape: Any, dtype: str, fill: int) -> Any:
    made = np.where(rng.random(shape) < 0.3, rng.integers(-3, 4, shape), fill)
    return np.asarray(made, dtype)


def _agrees(found: Any, expected: Any, peer: Any = None) -> None:
    assert isinstance(found, da.SparseArray)
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(found.to_numpy(), expected, rtol=1e-6)
    if peer is not None:
        np.testing.assert_array_equal(found.fill_value, peer.fill_value)
        np.testing.assert_array_equal(found.coords, peer.coords)
        np.testing.assert_allclose(found.data, peer.data)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("fill", [0, 1, 2])
@pytest.mark.parametrize("dtype", ["float64", "int64", "float32"])
@pytest.mark.parametrize("with_peer", [False, True])
def test_elements_and_fill_values(dtype: str, fill: int, with_peer: bool):
    pydata: Any = pytest.importorskip("sparse") if with_peer else None
    rng = np.random.default_rng(fill)
    for shape, other in (((4, 6), (4, 6)), ((4, 6), (1, 6)), ((3, 1, 4), (2, 4)), ((5,), (5,))):
        value = np.asarray(fill, dtype)[()]
        arrays = [_draw(rng, extents, dtype, fill) for extents in (shape, other)]
        x, y = arrays
        a, b = (da.sparse(array, fill_value=value) for array in arrays)
        p = q = None
        if pydata is not None:
            p, q = (pydata.COO.from_numpy(array, fill_value=value) for array in arrays)
        for function in (np.exp, np.abs, np.square):
            _agrees(function(a), function(x), None if p is None else function(p))
        for apply in OPERATORS:
            _agrees(apply(a, b), apply(x, y), None if p is None else apply(p, q))
            if dtype != "float32":
                _agrees(apply(3, a), apply(3, x), None if p is None else apply(3, p))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", FOLDS)
@pytest.mark.parametrize("fill", [0, 2])
def test_folds(name: str, fill: int):
    x = _draw(np.random.default_rng(3), (4, 5, 3), "float64", fill)
    a = da.sparse(x, fill_value=float(fill))
    for axis in (None, 0, -1, (0, 2)):
        for keepdims in (False, True):
            found = getattr(a, name)(axis=axis, keepdims=keepdims)
            expected = np.asarray(getattr(x, name)(axis=axis, keepdims=keepdims))
            assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
            np.testing.assert_allclose(found.to_numpy(), expected)


def test_places_and_products():
    x = _draw(np.random.default_rng(4), (6, 5), "float64", 0)
    a = da.sparse(x)
    for found, expected in (
        (a.T, x.T),
        (a.reshape(-1, 3), x.reshape(-1, 3)),
        (a[::-2, 1:], x[::-2, 1:]),
        (a[2], x[2]),
        (a[..., None, -1], x[..., None, -1]),
        (a @ a.T, x @ x.T),
    ):
        _agrees(found, expected)
    dense = np.random.default_rng(5).random((5, 2))
    np.testing.assert_allclose((a @ dense).to_numpy(), x @ dense)
    np.testing.assert_allclose((dense.T @ a.T).to_numpy(), dense.T @ x.T)
    _agrees(a * dense[:, 0], x * dense[:, 0])
    assert a[0, 0] == x[0, 0]


def _step(rng: Any, a: Any, x: Any) -> tuple[Any, Any]:
    """Return what some operation makes of a sparse array, and of the same as NumPy has it."""
    match int(rng.integers(9)):
        case 0:
            axes = rng.permutation(x.ndim).tolist()
            return a.transpose(axes), x.transpose(axes)
        case 1:
            return a.reshape(-1, x.shape[-1]), x.reshape(-1, x.shape[-1])
        case 2:
            return a[1:], x[1:]
        case 3 if x.ndim > 1:
            return a[..., ::-1, :], x[..., ::-1, :]
        case 4 if x.ndim == 2:
            return a @ a.T, x @ x.T
        case 5:
            y = _draw(rng, x.shape, "float64", 0)
            return a - da.sparse(y), x - y
        case 6:
            y = _draw(rng, x.shape[::-1], "float64", 0)
            return np.maximum(da.sparse(y).T, a), np.maximum(y.T, x)
        case 7:
            y = rng.integers(1, 4, x.shape[-1:]) * 0.5
            return a * y, x * y
        case _:
            axis = int(rng.integers(x.ndim))
            return a + a.sum(axis=axis, keepdims=True), x + x.sum(axis=axis, keepdims=True)


@pytest.mark.parametrize("mode", ["always", "never"])
@pytest.mark.parametrize("seed", range(12))
def test_what_is_made_one_of_another(mode: str, seed: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    rng = np.random.default_rng(seed)
    x = _draw(rng, rng.integers(2, 6, rng.integers(1, 4)), "float64", 0)
    a = da.sparse(x)
    for _ in range(5):
        a, x = _step(rng, a, x)
        _agrees(a, x)
        assert a.nnz == np.count_nonzero(x)
        np.testing.assert_array_equal(a.coords, np.nonzero(x))
        np.testing.assert_allclose(a.data, x[np.nonzero(x)])


def test_products_of_matrices_that_are_mostly_empty():
    rng = np.random.default_rng(8)
    places, extent = rng.integers(0, 1 << 31, 6), 1 << 31
    small = [rng.integers(0, 6, (2, 9)) for _ in "ab"]
    values = rng.integers(1, 4, 9) * 1.0
    one, other = (da.sparse((places[at], values), shape=(extent, extent)) for at in small)
    product = one @ other
    expected = [np.zeros((6, 6)) for _ in small]
    for matrix, at in zip(expected, small, strict=True):
        np.add.at(matrix, tuple(at), values)
    found = np.nonzero(expected[0] @ expected[1])
    order = np.lexsort((places[found[1]], places[found[0]]))
    assert product.shape == (extent, extent)
    assert product.coords.tolist() == [places[at][order].tolist() for at in found]
    assert product.data.tolist() == (expected[0] @ expected[1])[found][order].tolist()


def test_a_chain_of_functions_is_computed_at_once():
    x = _draw(np.random.default_rng(6), (30, 30), "float64", 0)
    a = da.sparse(x)
    values = ((np.exp(a) - 1) * 3 + np.sin(a * 2))._values  # pyright: ignore[reportPrivateUsage]
    assert len(pending([values])) == 6  # Nothing is computed, and nothing aligned.
    assert values.size == a.nnz


def test_sources():
    import scipy.sparse

    x = _draw(np.random.default_rng(7), (6, 5), "float64", 0)
    for form in ("csr", "coo", "csc"):
        np.testing.assert_array_equal(
            da.sparse(scipy.sparse.coo_array(x).asformat(form)).to_numpy(), x
        )
    np.testing.assert_array_equal(da.sparse(x).to_scipy().toarray(), x)
    summed = da.sparse(([[0, 0, 2], [1, 1, 0]], [1.0, 2, 3]), shape=(3, 3), fill_value=-1)
    assert summed.to_numpy().tolist() == [[-1, 3, -1], [-1, -1, -1], [3, -1, -1]]
    assert (summed.nnz, summed.density) == (2, 2 / 9)
    assert "2 elements, else -1.0" in repr(summed)
    assert da.sparse(np.zeros((0, 3))).nnz == 0


def test_what_would_be_dense_is_refused():
    a = da.sparse(np.eye(3))
    for call, error in (
        (lambda: a + np.arange(9.0).reshape(3, 3), ValueError),
        (lambda: np.exp(a) @ a, ValueError),
        (lambda: np.asarray(a), TypeError),
        (lambda: a[[0, 1]], TypeError),
        (lambda: a[5], IndexError),
        (lambda: a.reshape(2, 2), ValueError),
        (lambda: da.sparse(([[5], [0]], [1]), shape=(3, 3)), IndexError),
        (lambda: np.exp(a).to_scipy(), ValueError),
    ):
        with pytest.raises(error):
            call()
