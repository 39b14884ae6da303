# Sparse arrays with a value for all other elements, against NumPy and against pydata's `sparse`.
import copy
import operator
import pickle
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import diablo.array as da
from diablo.array import moved_patterns, sparse_folds
from diablo.array.expression_graph import pending
from fuzzing.sparse_expressions import differences

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


@pytest.mark.parametrize("fill", [0, 2])
def test_folds_of_nothing_are_identities(fill: int):
    x = np.zeros((0, 3))
    a = da.sparse(x, fill_value=fill)
    for name in ("sum", "prod", "any", "all"):
        _agrees(getattr(a, name)(axis=0), getattr(x, name)(axis=0))


def test_types_of_numbers_beside_sparse_arrays():
    x = np.asarray([[1, 0, 2]], np.float32)
    a = da.sparse(x)
    for condition, one, other, dense in (
        (a > 0, a, 5, np.where(x > 0, x, np.float32(5))),
        (a > 1, x, 5, np.where(x > 1, x, np.float32(5))),
        (a > 0, 1, 0, np.where(x > 0, 1, 0)),
    ):
        _agrees(da.where(condition, one, other), dense)
    small = np.asarray([[100, 100]], np.int8)
    _agrees(da.vecdot(da.sparse(small), small), np.vecdot(small, small))
    _agrees(+a, +x)


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


@pytest.mark.sampled(2)
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
    values = ((np.exp(a) - 1) * 3 + np.sin(a * 2)).entries.values
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
    assert da.sparse(([0, 2], [5, 6]), shape=(3,)).to_numpy().tolist() == [5, 0, 6]
    assert da.sparse(([], [7]), shape=()).to_numpy() == 7


def test_what_would_be_dense_is_refused():
    a = da.sparse(np.eye(3))
    for call, error in (
        (lambda: a + np.arange(3.0), ValueError),
        (lambda: np.exp(a) @ a, ValueError),
        (lambda: np.asarray(a), TypeError),
        (lambda: a["0"], IndexError),
        (lambda: a[[0.5]], IndexError),
        (lambda: a[True], IndexError),
        (lambda: a[[0, 7]], IndexError),
        (lambda: a[[0, 1], [0, 1, 2]], IndexError),
        (lambda: a[0, [True, False]], IndexError),
        (lambda: a[..., 0, ...], IndexError),
        (lambda: a[5], IndexError),
        (lambda: a.reshape(2, 2), ValueError),
        (lambda: da.sparse(([[5], [0]], [1]), shape=(3, 3)), IndexError),
        (lambda: da.sparse(([[0, 1], [0, 0.5]], [1, 2]), shape=(3, 3)), TypeError),
        (lambda: da.sparse(np.eye(3), shape=(3, 3)), TypeError),
        (
            lambda: da.sparse(([[0, 0], [0, 1], [1, 1], [2, 2]], [1, 2, 3, 4]), shape=(3, 3)),
            ValueError,
        ),
        (lambda: da.sparse(([[0, 1], [0]], [1, 2]), shape=(3, 3)), ValueError),
        (lambda: da.sparse(([[0, 1], [0, 1]], [1, 2, 3]), shape=(3, 3)), ValueError),
        (lambda: da.sparse(([[0, 1], [0, 1]], [1.0, 2.0, 3.0])), ValueError),
        (lambda: np.exp(a).to_scipy(), ValueError),
    ):
        with pytest.raises(error):
            call()


def _of_pieces(rng: Any, shape: Any) -> tuple[Any, Any, Any]:
    """Return a sparse array of ours, the same of NumPy's and of pydata's, of any type and fill."""
    import sparse

    kind = ["f8", "f8", "f4", "i8", "i4", "u1", "?"][int(rng.integers(7))]
    fill = np.asarray([0, 0, 1, 2][int(rng.integers(4))], kind)[()]
    if kind[0] == "f" and rng.random() < 0.2:
        fill = np.asarray([-0.0, np.nan][int(rng.integers(2))], kind)[()]
    extents = tuple([1 if rng.random() < 0.08 else extent for extent in shape])
    stored = rng.random(extents) < rng.choice([0.1, 0.4, 0.9])
    x = np.where(stored, rng.integers(0 if kind in ("u1", "?") else -3, 4, extents), fill)
    x = np.asarray(x.astype(kind))
    if kind[0] == "f" and rng.random() < 0.2:
        x.flat[0] = rng.choice([np.inf, np.nan, -0.0])
    a = da.sparse(x, fill_value=fill)
    if rng.random() < 0.2:
        order = rng.permutation(len(shape))
        a = da.sparse(np.ascontiguousarray(x.transpose(order)), fill_value=fill)
        a = a.transpose(np.argsort(order).tolist())
    return a, x, sparse.COO.from_numpy(x, fill_value=fill)


_FUNCTIONS: list[Callable[..., Any]] = [np.negative, np.square, np.sin, lambda x: 3 - x * 2]


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("mode", ["always", "never"])
@pytest.mark.parametrize("seed", range(0, 24, 8))
def test_functions_of_several_patterns(mode: str, seed: int, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("sparse")
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    for rng in map(np.random.default_rng, range(seed, seed + 8)):
        shape = tuple(rng.integers(1, 7, rng.integers(1, 4)))
        pool = [_of_pieces(rng, shape) for _ in range(3)]
        for _ in range(5):
            one, other = [pool[int(rng.integers(len(pool)))] for _ in "ab"]
            if rng.random() < 0.3:
                made = map(_FUNCTIONS[int(rng.integers(len(_FUNCTIONS)))], one)
            else:
                made = map(OPERATORS[int(rng.integers(len(OPERATORS)))], one, other)
            try:
                pool.append(tuple(made))  # pyright: ignore[reportArgumentType]
            except TypeError:
                continue  # Truth values are not subtracted.
        a, x, peer = pool[-1]
        if x.dtype != np.float16:
            _agrees(a, x)
            assert (np.signbit(a.to_numpy()) == np.signbit(x)).all() or x.dtype.kind != "f"
            assert a.nnz == peer.nnz


def test_an_expression_of_several_patterns_is_one_program(monkeypatch: pytest.MonkeyPatch):
    from diablo.array import sparse_expressions
    from diablo.array.sparse_joints import Joint
    from diablo.array.sparse_structure import called

    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setattr(sparse_expressions, "by_patterns", None)  # It is not called.
    rng = np.random.default_rng(9)
    x, y, z = (_draw(rng, (9, 8), "float64", 0) for _ in "xyz")
    a, b, c = map(da.sparse, (x, y, z))
    expression = np.exp(a + 2 * b - c * a) - 1
    joint = expression.content
    assert isinstance(joint, Joint)  # Nothing is computed.
    call = called(joint)
    assert call is not None
    # `2 * b` makes no vector, and what is 0 where b is needs no test whether it is there.
    names = [step.name for step in call.structure.steps]
    assert len(call.tiles) == 3
    assert names.count("multiply") == 2
    assert "choose" not in names
    _agrees(expression, np.exp(x + 2 * y - z * x) - 1)
    others = b - (1 - a)
    assert isinstance(others.content, Joint)
    call = called(others.content)
    assert call is not None
    assert "choose" in [step.name for step in call.structure.steps]
    _agrees(others, y - (1 - x))
    operands = ((a, b, c, 2), (b, c, a, 7))
    calls: list[Any] = [called((u + n * v - w * u).content) for u, v, w, n in operands]
    assert calls[0].structure == calls[1].structure


def test_what_has_no_program_is_computed_by_patterns(monkeypatch: pytest.MonkeyPatch):
    from diablo.array.evaluation import DEFAULT
    from diablo.array.sparse_expressions import ready
    from diablo.array.sparse_joints import Joint
    from diablo.array.sparse_structure import called

    monkeypatch.setenv("DIABLO_COMPILE", "always")
    rng = np.random.default_rng(10)
    x, y = (_draw(rng, (5, 4), "float64", 0) for _ in "xy")
    dense = rng.random((3, 5, 4))
    wide = da.sparse(x).reshape(1, 5, 4), da.sparse(y).reshape(1, 5, 4)
    cases = [
        (da.sparse(x * 1j) + da.sparse(y), x * 1j + y),
        (da.sparse(x.astype("f2")) + da.sparse(y.astype("f2")), (x + y).astype("f2")),
        ((wide[0] + wide[1]) * dense[:1], (x + y) * dense[:1]),
    ]
    for found, expected in cases:
        assert isinstance(found.content, Joint)
        assert called(ready(found.content, DEFAULT)) is None
        _agrees(found, expected)


def test_places_that_are_chosen():
    x = _draw(np.random.default_rng(11), (6, 5, 4), "float64", 1)
    a = da.sparse(x, fill_value=1.0)
    for index in (
        [2, 0, 2],
        (slice(None), [True, False, True, True, False]),
        (np.array([-1, 1]), slice(1, 3), 2),
        (..., da.asarray([3, 3])),
        (None, [0], ..., None),
    ):
        wanted = tuple(index) if isinstance(index, tuple) else (index,)
        _agrees(
            a[index], x[tuple([np.asarray(p) if isinstance(p, da.Array) else p for p in wanted])]
        )


@pytest.mark.parametrize("density", [0.05, 0.5, 1])
def test_places_in_rows(density: float, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    made: list[bool] = []
    for name in ("left", "copied"):
        loop = getattr(moved_patterns, name)

        def noted(*given: Any, loop: Any = loop, **options: Any) -> Any:
            found = loop(*given, **options)
            made.append(found is not None)
            return found

        monkeypatch.setattr(moved_patterns, name, noted)
    rng, n = np.random.default_rng(1), 20
    x = rng.integers(1, 9, (n, n)) * (rng.random((n, n)) < density) * 1.0
    places = (rng.integers(-n, n, 5), rng.integers(0, n, 3 * n), rng.permutation(n))
    parts = (*places, rng.random(n) < 0.5, slice(None, None, -2), slice(5, 2, -1), 2, slice(1, 6))
    for s, y in ((da.sparse(x), x), (da.sparse(x).T, x.T)):
        for part in parts:
            for index in (
                (slice(None), part),
                (slice(1, None, 2), part),
                (part, slice(None, None, -1)),
            ):
                np.testing.assert_array_equal(s[index].to_numpy(), y[index])
    assert made
    assert all(made)
    # Long lists are sorted as a whole, and not one by one.
    wide = da.sparse(np.ones((2, 300)))
    assert (wide[:, ::-1].to_numpy() == 1).all()
    made.clear()
    assert (wide[:, rng.permutation(300)].to_numpy() == 1).all()
    assert made == [False]


def test_sums_over_lists_are_a_product(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    made: list[Any] = []
    product = sparse_folds.sums_of_places

    def noted(*given: Any) -> Any:
        made.append(product(*given))
        return made[-1]

    monkeypatch.setattr(sparse_folds, "sums_of_places", noted)
    x = np.random.default_rng(2).integers(0, 3, (40, 30)) * 1.0
    np.testing.assert_array_equal(da.sparse(x).sum(axis=0).to_numpy(), x.sum(axis=0))
    assert len(made) == 1
    assert made[0] is not None
    # There is no loop for floats of 32 bits.
    small = x.astype(np.float32)
    np.testing.assert_array_equal(da.sparse(small).sum(axis=0).to_numpy(), small.sum(axis=0))
    assert made[1] is None


def test_functions_of_numpy():
    x, y = (_draw(np.random.default_rng(seed), (6, 5), "float64", 0) for seed in (12, 13))
    a, b = da.sparse(x), da.sparse(y)
    same: list[Callable[..., Any]] = [
        lambda u, v: np.concatenate([u, v]),
        lambda u, v: np.concatenate([u, v], axis=-1),
        lambda u, v: np.stack([u, v], axis=1),
        lambda u, v: np.where(u > 0, u, v),
        lambda u, v: np.tensordot(u, v, ([1], [1])),
        lambda u, v: np.sum(u, axis=0) + np.max(v, axis=0),
        lambda u, v: np.std(u, axis=1, ddof=1),
        lambda u, v: np.var(u) * v,
        lambda u, v: np.moveaxis(np.expand_dims(u, 0), 0, -1),
        lambda u, v: np.broadcast_to(u[:1], (3, 6, 5)[1:]),
        lambda u, v: np.clip(u, -1, 2) + v.clip(0),
        lambda u, v: np.round(u / 7, 2),
        lambda u, v: np.transpose(u).swapaxes(0, 1).flatten(),
        lambda u, v: np.add.reduce(u, axis=1),
    ]
    for function in same:
        _agrees(function(a, b), np.asarray(function(x, y)))
    for axis in (None, 0, 1):
        for name in ("argmax", "argmin"):
            found, expected = (getattr(np, name)(each, axis=axis) for each in (a, x))
            np.testing.assert_array_equal(found.to_numpy(), expected)
    assert np.arange(30)[a.argmax()] == x.argmax()
    assert np.count_nonzero(a) == np.count_nonzero(x)
    assert float(a.sum()) == pytest.approx(x.sum())
    assert bool(a.any())
    assert [row.nnz for row in a] == np.count_nonzero(x, axis=1).tolist()
    with pytest.raises(TypeError, match="has no sparse arrays"):
        np.linalg.inv(a)


def test_programs_and_lazy_arrays_beside_sparse_ones():
    import scipy.sparse

    import diablo

    x = _draw(np.random.default_rng(14), (6, 5), "float64", 0)
    a, dense = da.sparse(x), da.asarray(np.arange(1.0, 6.0))
    program = diablo.compile(
        "input A: matrix[Double]; tensor*()(A.cols,A.rows)[ ((j,i),2*a) | ((i,j),a) <- A ]"
    )
    result = program(A=a.T)
    assert result.is_sparse
    _agrees(da.sparse(result), 2 * x)
    assert diablo.query("+/[ a | ((i,j),a) <- A ]", A=a) == pytest.approx(x.sum())
    _agrees(da.multiply(a, dense), x * np.arange(1.0, 6.0))
    _agrees(dense * a, x * np.arange(1.0, 6.0))
    _agrees(da.floor(da.exp(a)), np.floor(np.exp(x)))
    _agrees(a + scipy.sparse.csr_array(x), 2 * x)
    total, both = da.compute(dense.sum(), a + da.sparse(x[::-1]))
    assert total.is_computed
    assert both.is_computed
    for call in (
        lambda: da.argsort(a),
        lambda: da.compute(x),
        lambda: diablo.query("A[0,0]", A=1 + a),
    ):
        with pytest.raises((TypeError, diablo.InputError)):
            call()


def _elementary(monkeypatch: pytest.MonkeyPatch) -> tuple[Any, ...]:
    """Return two sparse arrays and the same of NumPy's; functions of them make no sparse array."""
    from diablo.array import sparse_expressions

    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setattr(sparse_expressions, "by_patterns", None)  # They are not called.
    monkeypatch.setattr(sparse_expressions, "by_program", None)
    rng = np.random.default_rng(15)
    x, y = (_draw(rng, (9, 8), "float64", 0) for _ in "xy")
    return da.sparse(x), da.sparse(y), x, y


def test_folds_of_expressions_make_no_sparse_array(monkeypatch: pytest.MonkeyPatch):
    a, b, x, y = _elementary(monkeypatch)
    _agrees((a * b).sum(axis=1), (x * y).sum(axis=1))
    _agrees((a * b).sum(axis=0), (x * y).sum(axis=0))
    _agrees((a - b).T.max(axis=0), (x - y).T.max(axis=0))
    _agrees((a + 1 - b).min(), np.asarray((x + 1 - y).min()))
    _agrees((a != b).any(axis=1, keepdims=True), (x != y).any(axis=1, keepdims=True))
    _agrees(np.einsum("ij,ij,j->i", a, b, np.arange(8)), (x * y) @ np.arange(8.0))


def test_products_with_dense_arrays_make_no_sparse_array(monkeypatch: pytest.MonkeyPatch):
    a, b, x, y = _elementary(monkeypatch)
    v, w = np.arange(8.0) - 3, np.arange(24.0).reshape(8, 3)
    made = a * b + 2 * a
    expected = x * y + 2 * x
    for found, wanted in (
        (made @ v, expected @ v),
        (made @ w, expected @ w),
        (made.T @ (v[:1] * np.ones(9)), expected.T @ (v[:1] * np.ones(9))),
        (v @ made.T, v @ expected.T),
        (w.T @ made.T, w.T @ expected.T),
        (made @ da.asarray(w)[::-1, 1:], expected @ w[::-1, 1:]),
    ):
        assert not found.is_computed
        np.testing.assert_allclose(found.to_numpy(), wanted)


def test_folds_that_have_no_program(monkeypatch: pytest.MonkeyPatch):
    from diablo.array.evaluation import DEFAULT
    from diablo.array.sparse_joints import joint_of
    from diablo.array.sparse_programs import fold_by_program, product_by_program

    monkeypatch.setenv("DIABLO_COMPILE", "always")
    x = _draw(np.random.default_rng(16), (5, 4), "float64", 0)
    wide = da.sparse(([[0, 2], [7, 1 << 20]], [1.0, 2.0]), shape=(3, 1 << 21))
    for array, kept in ((da.sparse(x * 1j), (0,)), (wide, (1,))):
        joint = joint_of(array.content)
        dtype = array.dtype
        assert fold_by_program(joint, "add", dtype, kept, DEFAULT, is_counted=False) is None
        dense = np.ones(array.shape[1 - kept[0]])
        assert product_by_program(joint, kept[0], dense, dtype, DEFAULT) is None
    _agrees((da.sparse(x * 1j) + da.sparse(x)).sum(axis=0), (x * (1 + 1j)).sum(axis=0))
    assert wide.sum(axis=0).coords.tolist() == [[7, 1 << 20]]


def test_a_number_beside_a_sparse_array_keeps_its_pattern():
    x = _draw(np.random.default_rng(17), (6, 5), "float64", 0)
    a = da.sparse(x)
    shifted = a - a.max()
    assert (shifted.fill_value, shifted.nnz) == (-x.max(), a.nnz)
    _agrees(shifted / a.std(), (x - x.max()) / x.std())
    assert (a.sum().nnz, a.sum().fill_value) == (0, x.sum())
    row = np.asarray([1.0, -2, 3, -1, 2])
    _agrees(a * row, x * row)  # Zeros of either sign are one fill value.
    assert (a * row).nnz == a.nnz


_SUBSCRIPTS = (
    "ij,kj->ik",
    "ij->ji",
    "ij->",
    "ii->i",
    "ii",
    "ij,ij->i",
    "ij,ij",
    "i,ij->j",
    "ij,jk,kl->il",
    "ij,kl->kl",
    "bij,bjk->bik",
    "...ij,jk->...ik",
    "bij,bkj->kb",
)


@pytest.mark.parametrize("subscripts", _SUBSCRIPTS)
@pytest.mark.parametrize("dense", [None, 0, 1])
def test_sums_of_products(subscripts: str, dense: int | None):
    rng = np.random.default_rng(18)
    terms = subscripts.split("->")[0].replace("...", "b").split(",")
    arrays = [_draw(rng, (4,) * len(term), "float64", 0) for term in terms]
    given = [array if k == dense else da.sparse(array) for k, array in enumerate(arrays)]
    if any(isinstance(array, da.SparseArray) for array in given):
        expected = np.einsum(subscripts, *arrays)
        for einsum in (np.einsum, da.einsum):
            np.testing.assert_allclose(einsum(subscripts, *given).to_numpy(), expected)


@pytest.mark.parametrize("fill", [0, 2])
def test_masks(fill: int):
    rng = np.random.default_rng(19)
    for shape in ((7,), (4, 5), (3, 4, 2)):
        x = _draw(rng, shape, "float64", fill)
        a = da.sparse(x, fill_value=float(fill))
        mask = rng.random(shape) < 0.4
        masks = (mask, da.asarray(mask), da.sparse(mask), da.sparse(mask, fill_value=True))
        for each in masks:
            _agrees(a[each], x[mask])
        _agrees(a[a > 0], x[x > 0])
        _agrees(a[a < 2], x[x < 2])


_NAMESPACE: list[Callable[[Any, Any, Any], Any]] = [
    lambda xp, x, s: xp.sum(x, axis=0),
    lambda xp, x, s: xp.count_nonzero(x, axis=1),
    lambda xp, x, s: xp.argmax(x, axis=1),
    lambda xp, x, s: xp.std(x, axis=0, **{"ddof" if xp is np else "correction": 1}),
    lambda xp, x, s: xp.permute_dims(x, (1, 0)),
    lambda xp, x, s: xp.matrix_transpose(x),
    lambda xp, x, s: xp.concat([x, s], axis=1),
    lambda xp, x, s: xp.stack([x, s], axis=-1),
    lambda xp, x, s: xp.flip(x, axis=1),
    lambda xp, x, s: xp.roll(x, 2),
    lambda xp, x, s: xp.roll(x, (1, -2), axis=(0, 1)),
    lambda xp, x, s: xp.take(x, [2, 0, 0], axis=0),
    lambda xp, x, s: xp.unstack(x, axis=1)[3],
    lambda xp, x, s: xp.tril(x, k=1),
    lambda xp, x, s: xp.triu(x),
    lambda xp, x, s: xp.where(x > 0, x, s),
    lambda xp, x, s: xp.tensordot(x, xp.matrix_transpose(s), axes=1),
    lambda xp, x, s: xp.matmul(x, xp.matrix_transpose(s)),
    lambda xp, x, s: xp.vecdot(x, s),
    lambda xp, x, s: xp.linalg.diagonal(x, offset=1),
    lambda xp, x, s: xp.linalg.trace(x),
    lambda xp, x, s: xp.linalg.outer(x[0], s[1]),
    lambda xp, x, s: xp.nansum(xp.where(s > 0, xp.asarray(np.nan), x), axis=0),
    lambda xp, x, s: xp.zeros_like(x),
    lambda xp, x, s: xp.broadcast_to(x[0], (3, 5)),
    lambda xp, x, s: xp.broadcast_arrays(x, s[:1])[1],
    lambda xp, x, s: xp.expand_dims(x, axis=1),
    lambda xp, x, s: xp.moveaxis(x, 0, -1),
    lambda xp, x, s: xp.reshape(x, (-1, 2)),
    lambda xp, x, s: xp.clip(x, -1, 1),
    lambda xp, x, s: xp.split(x, 2)[1],
    lambda xp, x, s: xp.pow(x, 2),
    lambda xp, x, s: xp.reshape(x, (2, 2, 5)) @ s[0],
    lambda xp, x, s: xp.reshape(x, (2, 1, 2, 5)) @ xp.matrix_transpose(s),
    lambda xp, x, s: xp.pow(2, x) - 1,
]


@pytest.mark.parametrize("function", _NAMESPACE)
def test_functions_of_the_namespace(function: Callable[[Any, Any, Any], Any]):
    rng = np.random.default_rng(20)
    x, y = (_draw(rng, (4, 5), "float64", 0) for _ in "xy")
    found = function(da, da.sparse(x), da.sparse(y))
    expected = np.asarray(function(np, x, y))
    dense = found if isinstance(found, np.ndarray) else found.to_numpy()
    assert (dense.shape, dense.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(dense, expected)


@pytest.mark.parametrize("mode", ["always", "never"])
def test_random_expressions(mode: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    for seed in range(1 if mode == "always" else 30):
        rng = np.random.default_rng(seed)
        assert differences(da, lambda n: int(rng.integers(n))) == "", seed  # noqa: B023


@pytest.mark.spark
def test_sparse_arrays_beside_spark():
    x = _draw(np.random.default_rng(21), (6, 5), "float64", 0)
    a, b = da.sparse(x), da.sparse(x[::-1])
    options: Any = {"engine": "spark", "master": "local[2]"}
    chain, both = da.compute(np.exp(a) - 1, a + 2 * b, **options)
    _agrees(chain, np.exp(x) - 1)
    _agrees(both, x + 2 * x[::-1])
    total = ((a * b) @ da.asarray(np.arange(5.0))).sum().compute(**options)
    assert float(total) == pytest.approx(((x * x[::-1]) @ np.arange(5.0)).sum())
    with (a * b).persist(**options) as kept:
        _agrees(kept.sum(axis=0), (x * x[::-1]).sum(axis=0))


def test_integers_that_no_element_can_be_are_compared():
    x = np.array([[0, 3, 0], [7, 0, 255]])
    for dtype, number in [("u1", 300), ("u1", -1), ("i8", 10**30), ("i8", -(10**30))]:
        given, s = x.astype(dtype), da.sparse(x.astype(dtype))
        for compare in (operator.lt, operator.ge, operator.eq, operator.ne):
            np.testing.assert_array_equal(compare(s, number).to_dense(), compare(given, number))


def test_stacks_to_the_left_of_a_sparse_matrix():
    rng = np.random.default_rng(0)
    x = rng.random((3, 4)) * (rng.random((3, 4)) < 0.5)
    for stack in (rng.random((2, 5, 3)), rng.random((2, 1, 5, 3))):
        for given in (stack, da.asarray(stack), da.sparse(stack)):
            np.testing.assert_allclose(_dense(given @ da.sparse(x)), stack @ x)
            np.testing.assert_allclose(_dense(given @ da.sparse(x[:, 0])), stack @ x[:, 0])


def test_sums_have_the_type_that_is_asked_for():
    x = np.array([[100, 0, 100], [0, 100, 0]], np.int8)
    for dtype in ("i1", "u1", "i4", "f4", "c8"):
        for name in ("sum", "prod"):
            found = getattr(da.sparse(x), name)(axis=0, dtype=dtype)
            expected = getattr(x, name)(axis=0, dtype=dtype)
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(found.to_dense(), expected)


def test_complex_numbers_are_not_cut():
    with pytest.raises(TypeError, match="use real or imag"):
        da.sparse(np.eye(2) * 1j).astype("f8")


def _dense(value: Any) -> Any:
    return np.asarray(value.to_dense() if hasattr(value, "to_dense") else value)


def test_zeros_of_complex_numbers_have_signs():
    x = np.array([complex(-0.0, 0), complex(0, -0.0), 0, 1])
    s = da.sparse(x)
    assert s.nnz == 1 + sum(np.signbit(x.real) | np.signbit(x.imag))
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(np.log(s).to_numpy(), np.log(x))


PICKLED: dict[str, Callable[[Any, Any], Any]] = {
    "a product": lambda s, t: s @ t,
    "several patterns": lambda s, t: s * t + s,
    "a fold": lambda s, t: (s @ t).sum(axis=0),
    "rows": lambda s, t: s[[1, 2]],
    "a deviation": lambda s, t: da.std(s, axis=0),
    "another fill value": lambda s, t: da.exp(s.T),
    "one number": lambda s, t: s.max(),
}


@pytest.mark.parametrize("name", PICKLED)
def test_sparse_arrays_are_pickled_with_their_elements(name: str):
    s = da.sparse(np.diag([1.0, 0, 3]))
    found = PICKLED[name](s, da.sparse(np.eye(3)[::-1].copy()))
    again = pickle.loads(pickle.dumps(found))
    assert (again.shape, again.dtype, again.fill_value) == (
        found.shape,
        found.dtype,
        found.fill_value,
    )
    np.testing.assert_array_equal(again.to_numpy(), found.to_numpy())
    for copied in (copy.copy(found), copy.deepcopy(found)):
        np.testing.assert_array_equal(copied.to_numpy(), found.to_numpy())


def test_rows_chosen_by_a_sparse_mask():
    rows = da.sparse(([[3, 10**8]], [True, True]), shape=(10**9,))
    s = da.sparse(([[3, 10**8, 5], [0, 1, 2]], [1.0, 2.0, 3.0]), shape=(10**9, 3))
    tracemalloc.start()
    found = s[rows]
    assert found.shape == (2, 3)
    assert found.to_numpy().tolist() == [[1, 0, 0], [0, 2, 0]]
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()
    x = np.arange(12.0).reshape(2, 3, 2)
    mask = np.array([[True, False, True], [False, False, True]])
    np.testing.assert_array_equal(da.sparse(x)[da.sparse(mask)].to_numpy(), x[mask])
    with pytest.raises(IndexError):
        da.sparse(x)[da.sparse(mask[:, :2])]


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda s: np.exp(s, dtype=np.float32), "np.exp with dtype has no sparse arrays"),
        (lambda s: np.modf(s), "np.modf has no sparse arrays"),
        (lambda s: np.multiply.outer(s, s), "np.multiply.outer has no sparse arrays"),
        (lambda s: np.add(s, s, out=np.zeros(3)), "np.add with out has no sparse arrays"),
    ],
)
def test_what_ufuncs_do_not_know_of_sparse_arrays(use: Callable[[Any], Any], message: str):
    with pytest.raises(TypeError, match=message):
        use(da.sparse(np.eye(3)))
