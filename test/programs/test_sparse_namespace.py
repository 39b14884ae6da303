# Functions of the namespace, and places, of sparse arrays against NumPy.
import tracemalloc
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import diablo.array as da
from diablo.array import deferred_products
from diablo.diagnostics import OutOfMemory

FILLS = (0.0, 1.0, np.nan)

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sort": lambda m, x, y: m.sort(x, axis=1),
    "sort0": lambda m, x, y: m.sort(x, axis=0),
    "diff": lambda m, x, y: m.diff(x, n=2, axis=0),
    "diff_beside": lambda m, x, y: m.diff(x, axis=1, prepend=y[:, :1], append=y[:, :1]),
    "repeat": lambda m, x, y: m.repeat(x, 3),
    "repeat1": lambda m, x, y: m.repeat(x, 2, axis=1),
    "tile": lambda m, x, y: m.tile(x, 2),
    "tile3": lambda m, x, y: m.tile(x, (2, 1, 3)),
    "roll": lambda m, x, y: m.roll(x, 3),
    "roll01": lambda m, x, y: m.roll(x, (1, -2), axis=(0, 1)),
    "flip": lambda m, x, y: m.flip(x, axis=0),
    "expand_dims": lambda m, x, y: m.expand_dims(x, axis=(0, 2)),
    "moveaxis": lambda m, x, y: m.moveaxis(x[None], [0, 1], [2, 0]),
    "concat": lambda m, x, y: m.concat([x, y, x], axis=1),
    "stack": lambda m, x, y: m.stack([x, y], axis=1),
    "stack2": lambda m, x, y: m.stack([x, y], axis=2),
    "diagonal": lambda m, x, y: m.diagonal(x, 1),
    "outer": lambda m, x, y: m.outer(x[0], y[1]),
    "nanmax": lambda m, x, y: m.nanmax(x, axis=0),
    "nanmin": lambda m, x, y: m.nanmin(x, axis=1, keepdims=True),
    "nansum": lambda m, x, y: m.nansum(x, axis=0),
    "nanprod": lambda m, x, y: m.nanprod(x, axis=1),
    "nanmean": lambda m, x, y: m.nanmean(x, axis=0),
    "isposinf": lambda m, x, y: m.isposinf(x / y),
    "isneginf": lambda m, x, y: m.isneginf(x / y),
    "vecdot": lambda m, x, y: m.vecdot(x, y),
    "full_like": lambda m, x, y: m.full_like(x, 3),
    "argmax": lambda m, x, y: m.argmax(x, axis=1),
    "argmin": lambda m, x, y: m.argmin(x, axis=0, keepdims=True),
}


def _draw(seed: int, fill: float, shape: Any = (4, 5)) -> Any:
    rng = np.random.default_rng(seed)
    return np.where(rng.random(shape) < 0.4, rng.integers(-3, 4, shape), fill)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_the_namespace(name: str):
    function = FUNCTIONS[name]
    for fill in FILLS:
        x, y = _draw(1, fill), _draw(2, fill)
        found = function(da, *[da.sparse(each, fill_value=fill) for each in (x, y)])
        expected = np.asarray(function(np, x, y))
        assert isinstance(found, da.SparseArray)
        assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
        np.testing.assert_allclose(found.to_numpy(), expected)
        fill_value = found.fill_value
        alike = np.isclose(expected, fill_value, equal_nan=True)
        alike &= (fill_value != 0) | (np.signbit(expected) == np.signbit(fill_value))
        assert found.nnz == np.count_nonzero(~alike)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", ["int16", "float32"])
def test_products_along_axes_that_only_one_has_are_those_of_numpy(dtype: str):
    x = np.asarray([0, 2, -1], dtype)
    a, b = da.sparse(x), da.sparse(np.asarray([0, np.inf, 0]))
    zeros = da.sparse(np.zeros(2, np.float32))
    for found, expected in (
        (np.outer(a, b), np.outer(x, [0, np.inf, 0])),
        (np.outer(x, b), np.outer(x, [0, np.inf, 0])),
        (a[:, None] * zeros, x[:, None] * np.zeros(2)),
    ):
        np.testing.assert_array_equal(found.to_numpy(), expected)
        assert found.nnz == np.count_nonzero((expected != 0) | np.signbit(expected))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("fill", FILLS)
def test_functions_that_are_numpys(fill: float):
    x = _draw(3, fill, (3, 4, 4))
    a: Any = da.sparse(x, fill_value=fill)
    same: list[Callable[..., Any]] = [
        lambda u: np.pad(u, ((1, 0), (2, 3), (0, 0)), constant_values=fill),
        lambda u: np.repeat(u, [2, 0, 1], axis=0),
        lambda u: np.sort(u, axis=None),
        lambda u: np.diagonal(u, 1, 1, 2),
        lambda u: np.trace(u),
        lambda u: np.nanvar(u, axis=1),
        lambda u: np.nanstd(u, axis=(0, 2), ddof=1),
        lambda u: np.interp(u, [-3, 0, 3], [0.0, 0.0, 1.0]),
        lambda u: np.take(u, [3, 0, 5]),
        lambda u: np.fmax.reduce(u, axis=1),
        lambda u: np.roll(u, (1, 2, 1), axis=(0, 2, 0)),
        lambda u: np.diff(u, n=0, prepend=u),
    ]
    for function in same:
        found, expected = function(a), function(x)
        assert isinstance(found, da.SparseArray)
        np.testing.assert_allclose(found.to_numpy(), expected)
    np.testing.assert_array_equal(da.argwhere(a > 1), np.argwhere(x > 1))
    infinite: Any = np.where(x == x.flat[1], np.inf, x)
    found = np.nanvar(da.sparse(infinite, fill_value=fill), axis=1)
    np.testing.assert_allclose(found.to_numpy(), np.nanvar(infinite, axis=1))
    values, counts = np.unique(a, return_counts=True)
    expected, numbers = np.unique(x, return_counts=True)
    np.testing.assert_array_equal(values, expected)
    np.testing.assert_array_equal(counts, numbers)
    counted = da.unique_counts(a)
    np.testing.assert_array_equal(counted.values.to_numpy(), np.unique_counts(x).values)
    np.testing.assert_array_equal(counted.counts.to_numpy(), np.unique_counts(x).counts)
    descending = da.sort(a, axis=0, descending=True).to_numpy()
    np.testing.assert_array_equal(descending, -np.sort(-x, axis=0))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_counterparts_of_numpys_functions():
    x, y = _draw(9, 0.0), _draw(10, 0.0)
    a: Any = da.sparse(x)
    b: Any = da.sparse(y)
    same: list[Callable[..., Any]] = [
        lambda u, v: np.hstack([u, v]),
        lambda u, v: np.hstack([u[0], v[1]]),
        lambda u, v: np.vstack([u, v[0]]),
        lambda u, v: np.append(u, v),
        lambda u, v: np.fliplr(u) - np.flipud(v),
        lambda u, v: np.inner(u, v),
        lambda u, v: np.ptp(u, axis=1),
        lambda u, v: np.isclose(u, v + 1e-12),
        lambda u, v: np.diag(u, 1) + np.diag(u[:, 2], -1)[:4, 0],
        lambda u, v: divmod(u, 2)[1],
        lambda u, v: np.linalg.norm(u, axis=1),
        lambda u, v: np.linalg.norm(u, ord=1),
        lambda u, v: np.linalg.norm(u, ord=np.inf, axis=0, keepdims=True),
    ]
    for function in same:
        found, expected = function(a, b), np.asarray(function(x, y))
        assert isinstance(found, da.SparseArray)
        np.testing.assert_allclose(found.to_numpy(), expected)
    for order in (0, 1, 3, -np.inf):
        found = da.linalg.vector_norm(a, axis=0, ord=order)
        np.testing.assert_allclose(found.to_numpy(), np.linalg.vector_norm(x, axis=0, ord=order))
    for order in ("fro", 1, -np.inf):
        found = da.linalg.matrix_norm(a, ord=order)
        np.testing.assert_allclose(found.to_numpy(), np.linalg.matrix_norm(x, ord=order))
    assert np.allclose(a, a + 1e-12)
    assert np.array_equal(a, a)
    assert not np.array_equal(a, b)
    np.testing.assert_array_equal(np.flatnonzero(a), np.flatnonzero(x))
    with pytest.raises(TypeError, match="to_dense"):
        np.linalg.norm(a, ord="nuc")


def test_products_of_stacks():
    x, y = _draw(4, 0.0, (2, 3, 4)), _draw(5, 0.0, (2, 4, 3))
    a: Any = da.sparse(x)
    b: Any = da.sparse(y)
    dense, vector = np.arange(8.0).reshape(2, 4, 1), np.arange(4.0)
    for found, expected in (
        (a @ b, x @ y),
        (a[0] @ b, x[0] @ y),
        (a @ b[0], x @ y[0]),
        (a @ dense, x @ dense),
        (dense.transpose(0, 2, 1) @ b, dense.transpose(0, 2, 1) @ y),
        (vector @ b, vector @ y),
        (a @ vector, x @ vector),
        (a @ da.asarray(y), x @ y),
        (a[:, None] @ b, x[:, None] @ y),
        (a[:1] @ y, x[:1] @ y),
        (np.einsum("ijk,ikl->ij", a[:1, :1], b), np.einsum("ijk,ikl->ij", x[:1, :1], y)),
        (da.dot(a, b), np.dot(x, y)),
        (da.dot(vector, b), np.dot(vector, y)),
        (np.kron(a, b[0]), np.kron(x, y[0])),
        (da.diagonalize(a, 1).transpose(0, 2, 1, 3)[0, 0], np.diag(x[0, :, 0])),
    ):
        np.testing.assert_allclose(found.to_numpy(), expected)
    with pytest.raises(ValueError, match="mostly 0"):
        _ = (a + 1) @ b


def test_products_are_computed_where_a_mask_has_elements(monkeypatch: pytest.MonkeyPatch):
    x, m = _draw(11, 0.0, (20, 20)), _draw(12, 0.0, (20, 20))
    a: Any = da.sparse(x)
    mask: Any = da.sparse(m)
    whole: list[Any] = []
    product_of = deferred_products.product_of

    def counted(*factors: Any) -> Any:
        whole.append(factors)
        return product_of(*factors)

    monkeypatch.setattr(deferred_products, "product_of", counted)
    np.testing.assert_allclose(((a @ a.T) * mask).to_numpy(), (x @ x.T) * m)
    np.testing.assert_allclose((mask * (a @ a)).sum(axis=0).to_numpy(), ((x @ x) * m).sum(axis=0))
    large: Any = da.sparse(x.astype(np.int64)) @ da.sparse(m.astype(np.int64))
    np.testing.assert_array_equal((large * mask).to_numpy(), (x @ m) * m)
    assert not whole
    # Where infinity meets what is not stored, there is NaN.
    wide = a * 1e200
    assert np.isnan(((wide @ wide) * mask).to_numpy()[m == 0]).any()
    assert len(whole) == 1
    squares = a @ a
    squares.compute()
    np.testing.assert_allclose((squares * mask).to_numpy(), (x @ x) * m)
    assert len(whole) == 2


def test_long_chains_do_not_recurse():
    x = np.where(_draw(13, 0.0, (6, 6)) > 0, 1.0, 0.0)
    a: Any = da.sparse(x)
    found, expected, number = a, x, a.sum()
    for _ in range(200):
        found, expected = a * ((found @ a) * 0.1 + a), x * ((expected @ x) * 0.1 + x)
        number = number * 0.5 + 1
    np.testing.assert_allclose(found.to_numpy(), expected)
    assert float(number) == pytest.approx(2.0)


def test_what_is_dense_beside_an_array_of_the_size():
    x, dense = _draw(6, 0.0), np.arange(1.0, 21.0).reshape(4, 5)
    a: Any = da.sparse(x)
    for found, expected in (
        (a + dense, x + dense),
        (dense - a, dense - x),
        (da.asarray(dense) - a, dense - x),
        (np.exp(a) * dense, np.exp(x) * dense),
        (np.where(a > 0, a, dense), np.where(x > 0, x, dense)),
    ):
        assert isinstance(found, da.Array)
        np.testing.assert_allclose(found.to_numpy(), expected)
    assert isinstance(a * dense, da.SparseArray)
    with pytest.raises(ValueError, match="dense"):
        _ = a + dense[0]


def test_functions_on_dense_arrays():
    x, y = _draw(7, 0.0, (3, 4, 4)), _draw(8, 0.0, (2, 4))
    a: Any = da.asarray(x)
    b: Any = da.asarray(y)
    for found, expected in (
        (da.argwhere(a), np.argwhere(x)),
        (da.diagonal(a, 1), np.diagonal(x, 1)),
        (da.dot(a, b.T), np.dot(x, y.T)),
        (da.dot(b, b[0]), np.dot(y, y[0])),
        (da.kron(b, a[0]), np.kron(y, x[0])),
        (da.kron(a, b[0]), np.kron(x, y[0])),
        (da.outer(b, b), np.outer(y, y)),
        (da.isposinf(1 / a), np.isposinf(1 / x)),
        (da.isneginf(-1 / a), np.isneginf(-1 / x)),
        (da.diagonalize(b[0]), np.diag(y[0])),
        (da.nanreduce(a / a, np.add, axis=0), np.nansum(x / x, axis=0)),
    ):
        np.testing.assert_allclose(np.asarray(found), expected)


def test_unsound_arguments_are_refused():
    a: Any = da.sparse(np.eye(3))
    for call, error in (
        (lambda: np.pad(a, 1, constant_values=2), ValueError),
        (lambda: np.pad(a, 1, mode="edge"), TypeError),
        (lambda: da.pad(a, -1), ValueError),
        (lambda: da.repeat(a, [1, 2], axis=0), ValueError),
        (lambda: da.repeat(a, -1), ValueError),
        (lambda: da.tensordot(a, a, axes=3), ValueError),
        (lambda: a[:1, :1].reshape(-1, -1), ValueError),
        (lambda: a.astype("S3"), TypeError),
        (lambda: da.sparse(([[]], []), shape=-3), ValueError),
        (lambda: da.tile(a, -1), ValueError),
        (lambda: da.diff(a, n=-1), ValueError),
        (lambda: da.sort(a * 1j), TypeError),
        (lambda: da.nanreduce(a, np.maximum), ValueError),
        (lambda: np.hypot.reduce(a), TypeError),
        (lambda: da.argmax(da.sparse(np.zeros((0, 3))), axis=0), ValueError),
        (lambda: da.moveaxis(a, [0, 1], [0]), ValueError),
        (lambda: a.to_device("gpu"), ValueError),
        (lambda: a.todense(), AttributeError),
    ):
        with pytest.raises(error):
            call()
    with pytest.raises(AttributeError, match="to_numpy"):
        _ = a.todense


_SHAPES = ((5,), (5, 7), (4, 3, 6), (1, 6), (6, 1), (0, 3))


def _index(rng: Any, shape: Any) -> Any:
    """Return an index of any kind of parts."""
    index: list[Any] = []
    for extent in shape:
        match int(rng.integers(8)):
            case 0 if extent:
                index.append(int(rng.integers(-extent, extent)))
            case 1:
                index.append(slice(None, None, int(rng.choice([-1, 2, -2, 3]))))
            case 2:
                index.append(slice(*rng.integers(-extent - 1, extent + 2, 2).tolist()))
            case 3 if extent:
                index.append(rng.integers(-extent, extent, int(rng.integers(4))))
            case 4:
                index.append(rng.random(extent) < 0.5)
            case 5 if extent:
                index.append(rng.integers(0, extent, (2, 2)))
            case 6 if len(index) + 1 < len(shape):
                index.append(rng.random(shape[len(index) : len(index) + 2]) < 0.5)
                return (*index, Ellipsis)
            case _:
                index.append(slice(None))
    if rng.integers(3) == 0:
        index.insert(int(rng.integers(len(index) + 1)), None)
    if rng.integers(4) == 0:
        index.insert(int(rng.integers(len(index) + 1)), Ellipsis)
    return tuple(index)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("shape", _SHAPES)
@pytest.mark.parametrize("density", [0.02, 0.4, 1.0])
def test_places(shape: Any, density: float):
    rng = np.random.default_rng(len(shape))
    x: Any = np.where(rng.random(shape) < density, rng.integers(1, 9, shape), 0)
    order = rng.permutation(len(shape))
    turned = da.sparse(np.ascontiguousarray(x.transpose(order)))
    arrays: list[Any] = [da.sparse(x), turned.transpose(np.argsort(order).tolist())]
    for a in arrays:
        for _ in range(25):
            index = _index(rng, shape)
            try:
                expected = x[index]
            except IndexError:
                with pytest.raises(IndexError):
                    a[index].to_numpy()
                continue
            found = a[index]
            if isinstance(found, da.SparseArray):
                found = found.to_numpy()
            np.testing.assert_array_equal(np.asarray(found), expected, strict=True)
        for axis in range(len(shape)):
            for join in (da.concat, da.stack):
                expected = getattr(np, join.__name__)([x, x[::-1], x], axis=axis)
                several: Any = join([a, a[::-1], a], axis=axis)
                np.testing.assert_array_equal(several.to_numpy(), expected)


def _few(shape: Any, seed: int = 0, fill: float = 0) -> Any:
    rng = np.random.default_rng(seed)
    rows = [rng.integers(0, extent, 8) for extent in shape]
    return da.sparse((rows, np.arange(1.0, 9.0)), shape=shape, fill_value=fill)


_WIDE = (10**6, 10**6)


@pytest.mark.parametrize(
    "function",
    [
        lambda s: s.var(axis=0),
        lambda s: np.nanstd(s, axis=1, keepdims=True),
        lambda s: np.nanvar(s),
        lambda s: s.argmax(axis=0),
        lambda s: s.reshape((10**4, 10**4, 10**4)).argmin(axis=1),
        lambda s: s.reshape(-1)[::-1],
        lambda s: s.reshape(-1)[5:].squeeze(),
        lambda s: s * s[3],
        lambda s: _few((10**6, 1)) * _few((1, 10**6), 1),
        lambda s: da.broadcast_arrays(s, 2)[1],
    ],
)
def test_what_takes_no_more_memory_than_what_is_stored(function: Callable[[Any], Any]):
    s = _few(_WIDE)
    tracemalloc.start()
    found = function(s).compute()
    assert tracemalloc.get_traced_memory()[1] < 1 << 26
    tracemalloc.stop()
    assert found.nnz <= 64


def test_all_elements_are_refused_where_there_is_no_memory_for_them():
    s = _few(_WIDE)
    with pytest.raises(OutOfMemory, match="elements of a sparse array of shape"):
        s.to_numpy()
    with pytest.raises(OutOfMemory, match="repeated to the shape"):
        da.sparse(np.ones((1, 1))).broadcast_to(_WIDE).compute()
    few = _few((3, 10**12))  # NumPy looks at each row before it calls.
    for function in (da.concat, da.stack, np.hstack):
        with pytest.raises(TypeError, match="as a list"):
            function(few)
    with pytest.raises(TypeError, match="not in a list"):
        da.asarray([s, s])


def test_products_along_axes_that_only_one_has():
    rng = np.random.default_rng(5)
    for shape, other in (((4, 5), (5,)), ((4, 1), (1, 5)), ((3, 4, 5), (4, 1)), ((1, 1), (4, 5))):
        x, y = [rng.integers(-2, 3, extents) * 1.0 for extents in (shape, other)]
        for first, second in ((x, y), (x.astype(int), y.astype(int)), (abs(x), abs(y))):
            product = da.sparse(first) * da.sparse(second)
            np.testing.assert_array_equal(product.to_numpy(), first * second)
            assert product.dtype == (first * second).dtype
    # Of a zero and what is not finite the product is an element.
    row = da.sparse(np.array([0, np.inf, np.nan]))
    found = (da.sparse(np.eye(2, 3)) * row).to_numpy()
    np.testing.assert_array_equal(found, [[0, np.nan, np.nan], [0, np.inf, np.nan]])


def test_variances_count_what_is_not_stored():
    rng = np.random.default_rng(6)
    x = np.where(rng.random((5, 6, 4)) < 0.3, rng.standard_normal((5, 6, 4)), 1.5)
    x[2, :, 1] = np.nan
    s = da.sparse(x, fill_value=1.5)
    for name in ("var", "std", "nanvar", "nanstd"):
        for axis in (None, 0, (0, 2)):
            found = getattr(np, name)(s, axis=axis, ddof=1, keepdims=True)
            expected = getattr(np, name)(x, axis=axis, ddof=1, keepdims=True)
            np.testing.assert_allclose(found.to_numpy(), expected, rtol=1e-12)


def test_variances_of_too_few_elements_are_those_of_numpy():
    x = np.array([[0, 0, 0, 2], [0, np.nan, 2, 2], [np.nan, 0, np.nan, 0], [np.nan] * 4])
    for fill in (0, np.nan):
        s = da.sparse(x, fill_value=fill)
        for ddof in (1, 2, 3, 4):
            for name in ("var", "std", "nanvar", "nanstd"):
                with warnings.catch_warnings(), np.errstate(all="ignore"):
                    warnings.simplefilter("ignore")
                    expected = getattr(np, name)(x, axis=1, ddof=ddof)
                found = getattr(np, name)(s, axis=1, ddof=ddof)
                np.testing.assert_array_equal(found.to_numpy(), expected, strict=True)


@pytest.mark.parametrize("fill", [complex(np.inf), complex(0, -np.inf), complex(-np.inf, 2)])
def test_sums_of_infinite_complex_numbers_are_those_of_their_parts(fill: complex):
    x = np.array([[1 + 2j, fill, fill], [fill, fill, fill], [3, 4j, 5]])
    s: Any = da.sparse(x, fill_value=fill)
    for axis in (0, 1, None):
        np.testing.assert_array_equal(s.sum(axis).to_numpy(), x.sum(axis))


@pytest.mark.parametrize("step", [10**10, -(10**10), 10**20, -(10**20)])
def test_steps_lead_out_of_an_axis_by_any_distance(step: int):
    x = np.arange(24.0).reshape(4, 6) % 5
    s: Any = da.sparse(x)
    indices: list[Any] = [
        np.s_[::step],
        np.s_[:, ::step],
        np.s_[3::step, 4::step],
        np.s_[[2, 0], 5::step],
        np.s_[4:3:step],
    ]
    for index in indices:
        np.testing.assert_array_equal(s[index].to_numpy(), x[index], strict=True)


def test_an_axis_of_nothing_is_repeated_by_no_numbers():
    s = da.sparse(np.zeros((3, 0), np.int8))
    assert da.repeat(s, [], axis=1).shape == (3, 0)


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (lambda a: a[1.5], IndexError, "not by 1.5"),
        (lambda a: a["x":], TypeError, "a slice are integers"),
        (lambda a: da.sum(a, axis="x"), TypeError, "an axis is an integer, and not 'x'"),
        (lambda a: da.sum(a, axis=0.5), TypeError, "an axis is an integer"),
        (lambda a: np.pad(a, "x"), TypeError, "padded are integers, and not 'x'"),
        (lambda a: np.pad(a, (1, 2, 3)), ValueError, "a pair for each axis"),
        (lambda a: np.roll(a, "x"), TypeError, "rolled are integers"),
        (lambda a: np.roll(a, (1, 2, 3), axis=(0, 1)), ValueError, "3 distances"),
        (lambda a: da.round(a, "x"), TypeError, "the number of digits is an integer"),
        (lambda a: da.tril(a, k=0.5), TypeError, "the number of a diagonal is an integer"),
        (lambda a: da.diagonal(a, "x"), TypeError, "an offset is an integer"),
        (lambda a: np.diff(a, "x"), TypeError, "differences are taken is an integer"),
        (lambda a: da.split(a, "x"), TypeError, "a number of parts, are integers"),
        (lambda a: da.tile(a, 1.5), TypeError, "numbers of copies are integers"),
        (lambda a: da.expand_dims(a, axis=None), TypeError, "an axis is an integer"),
        (lambda a: da.permute_dims(a, "x"), TypeError, "an order of axes"),
        (lambda a: da.reshape(a, "x"), TypeError, "a shape is a tuple"),
        (lambda a: da.reshape(a, (1.5, -1)), TypeError, "an extent is an integer"),
        (lambda a: da.broadcast_to(a, a), TypeError, "a shape is a tuple"),
        (lambda a: da.full_like(a, "x"), TypeError, "numbers or truth values"),
        (lambda a: da.full_like(a, [1, 2]), TypeError, "a fill value is one number"),
        (lambda a: da.outer(a, "x"), TypeError, "numbers or truth values"),
        (lambda a: da.nanreduce(a, "x"), TypeError, "a function of NumPy's"),
    ],
)
def test_arguments_of_other_kinds_are_named(
    function: Callable[[Any], Any], error: Any, message: str
):
    with pytest.raises(error, match=message):
        function(da.sparse(np.eye(3)))


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda a: da.sum(a, axis=0.5), "an axis is an integer"),
        (lambda a: da.argmax(a, axis=[]), "an axis is an integer"),
        (lambda a: da.pad(a, "x"), "padded are integers, and not 'x'"),
        (lambda a: da.roll(a, "x"), "rolled are integers"),
        (lambda a: da.translate(a, "x"), "moved are integers"),
        (lambda a: da.diagonal(a, "x"), "an offset is an integer"),
        (lambda a: da.tril(a, k=0.5), "the number of a diagonal is an integer"),
        (lambda a: da.split(a, "x"), "a number of parts, are integers"),
        (lambda a: da.permute_dims(a, None), "an order of axes"),
        (lambda a: da.zeros((2.5, 1)), "an extent is an integer"),
        (lambda a: da.tile(a, "x"), "numbers of copies are integers"),
        (lambda a: da.full_like(a, "x"), "numbers or truth values"),
    ],
)
def test_arguments_of_other_kinds_beside_dense_arrays(function: Callable[[Any], Any], message: str):
    with pytest.raises(TypeError, match=message):
        function(da.asarray(np.eye(3)))


def test_functions_are_named_as_they_are_called():
    with pytest.raises(TypeError, match=r"^pad\(\) missing"):
        da.pad(da.sparse(np.eye(3)))
    with pytest.raises(TypeError, match="isposinf"):
        da.isposinf(da.sparse(np.eye(3)), 1)


@pytest.mark.parametrize("types", [("f8", "f8"), ("i4", "c16"), ("?", "?"), ("f4", "i2")])
@pytest.mark.parametrize(
    "shapes", [((5, 4), (3, 7)), ((1, 6), (4, 1)), ((6,), (3, 2)), ((7,), (5,)), ((0, 3), (2, 2))]
)
def test_kronecker_products(shapes: Any, types: Any):
    rng = np.random.default_rng(3)
    x, y = (
        (rng.integers(-2, 3, shape) * rng.integers(0, 2, shape)).astype(dtype)
        for shape, dtype in zip(shapes, types, strict=True)
    )
    a, b = da.sparse(x), da.sparse(y)
    for one, other, wanted in (
        (a, b, np.kron(x, y)),
        (a.T, b, np.kron(x.T, y)),  # whose entries are in the order of columns
        (a, b.T, np.kron(x, y.T)),
        (a[:0], b, np.kron(x[:0], y)),
    ):
        found = da.kron(one, other)
        assert isinstance(found, da.SparseArray)
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found.to_numpy(), wanted)
    assert da.kron(a, b).nnz == np.count_nonzero(np.kron(x, y))


def test_kronecker_products_of_few_entries_in_many_rows():
    where = [5, 10**4], [7, 10**3]
    wide = da.sparse((where, np.array([2.0, 3.0])), shape=(10**5, 10**4))
    found = da.kron(wide, wide)
    assert found.shape == (10**10, 10**8)
    rows, columns = found.nonzero()
    np.testing.assert_array_equal(rows, [i * 10**5 + j for i in where[0] for j in where[0]])
    np.testing.assert_array_equal(columns, [i * 10**4 + j for i in where[1] for j in where[1]])
    np.testing.assert_array_equal(found[rows, columns].to_numpy(), [4, 6, 6, 9])
    with pytest.raises(ValueError, match="more than 2"):
        found = da.kron(found, wide).nnz
