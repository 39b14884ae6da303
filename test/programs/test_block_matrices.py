# Block matrices beside NumPy: the four operations, what is made of them, and what is not computed.
import json
import math
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import diablo.array as da
import diablo.blocks as blocks
from diablo.blocks import block_evaluation, block_files, block_graph
from diablo.blocks.block_files import BlockFolder
from diablo.blocks.block_graph import SourceNode, part_of, rectangles_of
from diablo.diagnostics import CompileError, InputError, RunError
from fuzzing.block_expressions import Twin, draw

Array = Any
SIZES = (1, 3, 16)


def _matrix(rows: int = 7, columns: int = 5, seed: int = 0) -> Array:
    return np.random.default_rng(seed).random((rows, columns))


def _same(found: Any, expected: Any) -> None:
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-12, atol=1e-12)


def _of(array: Array, size: int = 3) -> blocks.BlockMatrix:
    return blocks.from_numpy(array, block_size=size)


def _count(matrix: blocks.BlockMatrix) -> int:
    """Return how many elements are computed of a matrix."""
    return sum((b - a) * (d - c) for a, b, c, d in rectangles_of(matrix.node))


# ---- the four operations ----------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_operators(size: int):
    x, y, z = _matrix(), _matrix(seed=1), _matrix(5, 6)
    u, v, w = _of(x, size), _of(y, size), _of(z, size)
    _same(u + v, x + y)
    _same(u + 1, x + 1)
    _same(2 - u, 2 - x)
    _same(-u / 3 % 0.2, -x / 3 % 0.2)
    _same(u**2 // 0.1, x**2 // 0.1)
    _same((u > v) | (u < 0.1), (x > y) | (x < 0.1))
    _same(~(u > v), ~(x > y))
    _same(u @ w, x @ z)
    _same(u.T @ v, x.T @ y)
    _same(u @ z, x @ z)
    _same(x.T @ v, x.T @ y)
    _same(abs(u - v), abs(x - y))
    _same((u - 0.5).abs().sqrt().exp().log().floor().ceil(), np.floor(np.sqrt(abs(x - 0.5))))
    _same((u * 10).astype(np.int32), (x * 10).astype(np.int32))


def test_arrays_beside_a_matrix_are_globals():
    x, y = _matrix(), _matrix(seed=1)
    u = _of(x)
    for other in (y, y[0], y[:1], y[:, :1], np.float64(3), np.array(3.0), y[:1, :1], y.tolist()):
        _same(u + other, x + np.asarray(other))
        _same(other * u, np.asarray(other) * x)
        assert (u + other).globals == {}
    _same(u - da.asarray(y), x - y)
    with pytest.raises(InputError, match=r"shape \(3,\) is no operand of a 7 x 5"):
        _ = u + np.ones(3)
    with pytest.raises(InputError, match="3 dimensions"):
        _ = u + np.ones((1, 7, 5))
    with pytest.raises(TypeError):
        _ = u + "text"


def test_rows_and_columns_are_repeated():
    x = _matrix()
    u = _of(x)
    _same(u - u.sum(axis=0) / 7, x - x.mean(axis=0))
    _same(u.sum(axis=1) / 5 - u, x.mean(axis=1, keepdims=True) - x)
    _same(u[:, :1] + u[:1, :], x[:, :1] + x[:1, :])
    with pytest.raises(InputError, match="have no common shape"):
        _ = u + u[:2, :]


@pytest.mark.parametrize("size", SIZES)
def test_functions_of_elements(size: int):
    x, y, w = _matrix(), _matrix(seed=1), np.arange(5.0)
    u, v = _of(x, size), _of(y, size)
    _same(u.map(lambda e: np.exp(e) + 1), np.exp(x) + 1)
    _same(
        blocks.map(u, lambda e, i, j: np.where(i == j, 1.0, e * j)),
        np.where(np.eye(7, 5) > 0, 1.0, x * w),
    )
    _same(
        blocks.map2(u, v, lambda l, r, i: np.maximum(l, r) * i),  # noqa: E741
        np.maximum(x, y) * np.arange(7)[:, None],
    )
    _same(blocks.map(u, lambda e: 1.5), np.full((7, 5), 1.5))
    _same(blocks.map(u, lambda e, i, j: i - j), np.arange(7)[:, None] - w)
    _same(blocks.map(u, np.sqrt), np.sqrt(x))
    _same(blocks.map(u, lambda e: np.clip(e, 0.2, 0.6)), np.clip(x, 0.2, 0.6))


@pytest.mark.parametrize("size", SIZES)
def test_functions_of_globals(size: int):
    x, w, m = _matrix(), np.arange(5.0) + 2, _matrix(seed=2)
    u = _of(x, size).select_globals(w=w, c=2.5, m=m)
    _same(u.map(lambda e, i, j, g: e * g.w[j] + g.c), x * w + 2.5)
    _same(u.map(lambda e, i, j, g: e * g.w[(j + 1) % 5]), x * np.roll(w, -1))
    _same(u.map(lambda e, i, j, g: e - g.m[i, j]), x - m)
    _same(u.map(lambda e, i, j, g: g.w[0] - e)[2:, 1:], 2 - x[2:, 1:])
    _same(u[2:, 1:].map(lambda e, i, j, g: e * g.w[j]), x[2:, 1:] * w[:4])
    other = _of(x.T, size).select_globals(t=m)
    _same(blocks.map2(u.T, other, lambda l, r, i, j, g: l + g.t[j, i]), x.T + m.T)  # noqa: E741
    means = _of(x, size).sum(axis=0) / 7
    _same(
        blocks.select_globals(_of(x, size), mean=means).map(lambda e, i, j, g: e - g.mean[0, j]),
        x - x.mean(axis=0),
    )
    with pytest.raises(InputError, match="a global 'w' already"):
        u.select_globals(w=1)
    with pytest.raises(InputError, match="both matrices have a global 'w'"):
        blocks.map2(u, _of(x).select_globals(w=w), lambda l, r: l)  # noqa: E741


CONTRACTIONS: dict[str, tuple[Callable[..., Any], Callable[[Array, Array], Array]]] = {
    "a product": (lambda l, r: blocks.sum(l * r), lambda x, z: x @ z),  # noqa: E741
    "a product of functions": (
        lambda l, r: blocks.sum(np.exp(l) * (r + 1)),  # noqa: E741
        lambda x, z: np.exp(x) @ (z + 1),
    ),
    "shortest ways": (
        lambda l, r: blocks.min(l + r),  # noqa: E741
        lambda x, z: (x[:, :, None] + z).min(1),
    ),
    "a mean of distances": (
        lambda l, r: blocks.mean(abs(l - np.exp(r))),  # noqa: E741
        lambda x, z: abs(x[:, :, None] - np.exp(z)).mean(1),
    ),
    "several folds": (
        lambda l, r: blocks.sum(l * r) / (blocks.max(l) + blocks.max(r)),  # noqa: E741
        lambda x, z: (x @ z) / (x.max(1)[:, None] + z.max(0)),
    ),
    "places": (
        lambda l, r, i, j, k: blocks.sum(l * r * k + j) / (i + 1),  # noqa: E741
        lambda x, z: (
            ((x[:, :, None] * z * np.arange(5)[:, None]) + np.arange(6)).sum(1)
            / np.arange(1, 8)[:, None]
        ),
    ),
    "a count": (
        lambda l, r: blocks.sum(l < r),  # noqa: E741
        lambda x, z: (x[:, :, None] < z).sum(1),
    ),
    "a condition": (
        lambda l, r: blocks.any(l > 0.9) & blocks.all(r > 0.01),  # noqa: E741
        lambda x, z: (x > 0.9).any(1)[:, None] & (z > 0.01).all(0),
    ),
    "a number": (lambda l, r: blocks.sum(1), lambda x, z: np.full((7, 6), 5)),  # noqa: E741
    "products": (
        lambda l, r: blocks.prod(l + r),  # noqa: E741
        lambda x, z: (x[:, :, None] + z).prod(1),
    ),
}


@pytest.mark.parametrize("name", CONTRACTIONS)
def test_contractions(name: str):
    function, expected = CONTRACTIONS[name]
    x, z = _matrix(), _matrix(5, 6)
    wanted = expected(x, z)
    for size in SIZES:
        u, w = _of(x, size), _of(z, size)
        found = blocks.contract(u, w, function)
        assert found.dtype == wanted.dtype
        _same(found, wanted)
        _same(blocks.contract(u.T, w.T, function, axes=(0, 1)), wanted)
        _same(blocks.contract(u, w, function)[2:6, 1:].compute(engine="local"), wanted[2:6, 1:])


def test_a_product_is_blas():
    u = _of(_matrix(), 16)
    text = (u @ u.T).explain(level="tensor_block")
    assert text.count("tensor_block.reduce add") == 1
    assert "arith.mulf" in text
    fused = (u + 1).map(np.exp) @ u.T
    assert fused.explain(level="spark").count("spark.kernel_call") <= 2
    # Below the fold, and not before it: one loop for what no library computes.
    least = blocks.contract(u, u.T, lambda l, r: blocks.min(l + r))  # noqa: E741
    assert least.explain(level="tensor_block").count("tensor_block.map") == 0


def test_a_chain_is_one_kernel():
    x = _matrix()
    u, v = _of(x, 16), _of(x + 1, 16)
    text = ((u * 2 + v).map(np.sqrt) / (u - 3)).explain(level="tensor_block")
    assert text.count("tensor_block.map") == 1
    text = ((u * 2 + v).map(np.sqrt) / (u - 3)).sum(axis=0).explain(level="tensor_block")
    assert (text.count("tensor_block.map"), text.count("tensor_block.reduce")) == (0, 1)


def test_deep_expressions():
    u = _of(_matrix())
    for _ in range(3000):
        u = u + 1
    _same(u, _matrix() + 3000)


# ---- errors -----------------------------------------------------------------------------


def _nothing_else(value: Any) -> Any:
    return [value]


REFUSED: list[tuple[Callable[[blocks.BlockMatrix], Any], str, str]] = [
    (lambda u: u.map(lambda e: math.exp(e)), "there is no float yet", "np.exp"),
    (lambda u: u.map(lambda e: e if e > 0 else 0), "cannot branch", "np.where"),
    (lambda u: u.map(lambda e: max(e, 0)), "cannot branch", "np.maximum"),
    (lambda u: u.map(lambda e: np.sum(e)), "`sum` is no function of single", "elementwise"),
    (lambda u: u.map(lambda e: np.sort(e)), "`sort` is no function of single", "elementwise"),
    (lambda u: u.map(lambda e: np.ones(3) * e), "a ndarray", "select_globals"),
    (lambda u: u.map(lambda e: [1, 2][e]), "is no index of Python's", "select_globals"),
    (lambda u: u.map(_nothing_else), "the function gives a list", "one element"),
    (lambda u: u.map(lambda a, b, c, d: a), "takes 4 numbers, and there are 3", "globals"),
    (lambda u: u.select_globals(w=1).map(lambda e, i, j, g: e * g.v), "no global 'v'", "name it"),
    (lambda u: u.select_globals(w=[1]).map(lambda e, i, j, g: e * g.w), "is no number", "index"),
    (lambda u: blocks.contract(u, u.T, lambda l, r: l * r), "is not folded", "sum"),  # noqa: E741
    (lambda u: blocks.contract(u, u.T, lambda l, r: 1), "folds nothing", "sum"),  # noqa: E741
    (
        lambda u: blocks.contract(u, u.T, lambda l, r: blocks.sum(blocks.sum(l))),  # noqa: E741
        "folded already",
        "once",
    ),
    (lambda u: blocks.contract(u, u.T, lambda l, r: sum(l * r)), "not several", "sum"),  # noqa: E741
    (
        lambda u: blocks.contract(u, u.T, lambda l, r: blocks.min(l, r)),  # noqa: E741
        "folds one number",
        "np.minimum",
    ),
]


@pytest.mark.parametrize("case", range(len(REFUSED)))
def test_what_cannot_be_traced_is_pointed_to(case: int):
    make, message, hint = REFUSED[case]
    with pytest.raises(CompileError) as caught:
        make(_of(_matrix()))
    (diagnostic,) = caught.value.diagnostics
    assert message in diagnostic.message
    assert hint in (diagnostic.hint or "")
    assert diagnostic.span is not None
    assert diagnostic.span.file.endswith("test_block_matrices.py")
    lines = str(caught.value).split("\n")
    assert "^" in lines[2]
    text = Path(__file__).read_text().split("\n")[diagnostic.span.line - 1]
    assert lines[1].strip() == text.strip()


def test_wrong_arguments_are_refused():
    u = _of(_matrix())
    with pytest.raises(InputError, match="do not meet along axes"):
        _ = u @ u
    for make, message in (
        (lambda: u[7, 0], "rows have no index 7"),
        (lambda: u[0], "indexed by rows and columns"),
        (lambda: u[[0], :], "`filter` takes lists"),
        (lambda: u.filter_rows([0, 7]), "rows have no index 7"),
        (lambda: u.filter_cols([True]), "1 truth values choose among 5"),
        (lambda: u.filter_cols([0.5]), "integers or truth values"),
        (lambda: u.sum(axis=2), "no axis 2"),
        (lambda: u.sparsify_band(2, 1), "before it starts at 2"),
        (lambda: u.sparsify_row_intervals([0] * 7, [9] * 7), "between 0 and 5"),
        (lambda: u.sparsify_row_intervals([2] * 7, [1] * 7), "before it starts at 2"),
        (lambda: u.sparsify_row_intervals([0], [1]), "7 integers, one for each row"),
        (lambda: u.sparsify_rectangles([[0, 8, 0, 1]]), "are no rows and columns of a 7 x 5"),
        (lambda: blocks.contract(u, u, lambda l, r: blocks.sum(l), axes=(0, 2)), "no axes"),  # noqa: E741
        (lambda: blocks.from_numpy(np.ones((2, 2, 2))), "the array has 3"),
        (lambda: blocks.from_numpy(np.ones((2, 2)), block_size=0), "at least one row"),
        (lambda: u.compute(engine="fast"), "no engine 'fast'"),
        (lambda: blocks.fill(-1, 2, 0), "not negative"),
    ):
        with pytest.raises(InputError, match=message):
            make()


# ---- parts ------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_parts(size: int):
    x = _matrix()
    u = _of(x, size)
    _same(u.T, x.T)
    assert u.T.T.node is u.node
    _same(u[1:, ::2], x[1:, ::2])
    _same(u[::-1, 3], x[::-1, 3:4])
    _same(u[-2, ::-2], x[-2:-1, ::-2])
    _same(u[5:2, :], x[5:2, :])
    assert u[2, 3] == x[2, 3]
    _same(u.filter_rows([5, 1, 1]), x[[5, 1, 1]])
    _same(u.filter_cols(x[0] > 0.3), x[:, x[0] > 0.3])
    _same(u.filter([5, -1], [0, 0, 4])[::-1, 1:], x[np.ix_([6, 5], [0, 4])])
    _same(u.diagonal(), np.diag(x))
    _same(u.filter_rows([]).sum(axis=0), np.zeros((1, 5)))
    assert u.sum() == pytest.approx(x.sum())
    _same(u.sum(axis=0), x.sum(0, keepdims=True))
    _same(u.sum(axis=1).filter_rows([3, 3]), x.sum(1, keepdims=True)[[3, 3]])


def test_no_rows_and_one():
    for shape in ((0, 0), (0, 4), (4, 0), (1, 1), (1, 5), (5, 1)):
        x = np.ones(shape)
        u = _of(x)
        _same(u + 1, x + 1)
        _same(u @ u.T, x @ x.T)
        _same(u.sum(axis=0), x.sum(0, keepdims=True))
        assert u.sum() == x.sum()
        _same(u.sparsify_band(0, 1) * 2, (np.triu(x) - np.triu(x, 2)) * 2)
        assert len(u.entries().to_pandas()) == x.size


def test_what_is_not_a_number_stays():
    x = np.array([[np.nan, np.inf, -0.0], [1.0, -np.inf, 2.0]])
    u = _of(x, 1)
    _same(u + 1, x + 1)
    _same(u @ u.T, x @ x.T)
    assert np.isnan(u.sum())


# ---- blocks that are not there ----------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("bounds", [(0, 0), (-1, 2), (-9, -3), (2, 9), (5, 9), (-3, 0)])
def test_bands(size: int, bounds: tuple[int, int]):
    x, y, z = _matrix(), _matrix(seed=1), _matrix(5, 6)
    lower, upper = bounds
    m = np.triu(x, lower) - np.triu(x, upper + 1)
    v, w = _of(y, size), _of(z, size)
    b = _of(x, size).sparsify_band(lower, upper)
    _same(b, m)
    assert b.sum() == pytest.approx(m.sum())
    _same(b.sum(axis=0), m.sum(0, keepdims=True))
    _same(b.sum(axis=1), m.sum(1, keepdims=True))
    _same(b @ w, m @ z)
    _same(v.T @ b, y.T @ m)
    _same(b @ b.T, m @ m.T)
    _same(b + 1, m + 1)
    _same(b * v, m * y)
    _same(v + b, y + m)
    _same(b - b * 2, -m)
    _same(b.T / 3, m.T / 3)
    _same(b.map(np.exp), np.exp(m))
    _same(b.filter_rows([6, 0, 3]), m[[6, 0, 3]])
    _same(b[1:6:2, 1:], m[1:6:2, 1:])
    _same(b.densify(), m)
    assert not b.densify().is_sparse
    _same(b.diagonal(), np.diag(m))
    _same(b.compute()[1:, 2:] @ w[2:, :], m[1:, 2:] @ z[2:])
    assert b.blocks.sum() == _blocks_with(m, size)


def _blocks_with(m: Array, size: int) -> int:
    rows, columns = (range(0, extent, size) for extent in m.shape)
    return sum(bool(m[i : i + size, j : j + size].any()) for i in rows for j in columns)


def test_triangles_intervals_and_rectangles():
    x = _matrix(10, 10)
    u = _of(x, 4)
    _same(u.sparsify_triangle(), np.triu(x))
    _same(u.sparsify_triangle(lower=True), np.tril(x))
    whole = u.sparsify_triangle(blocks_only=True)
    _same(whole, np.where(np.kron(np.triu(np.ones((3, 3))), np.ones((4, 4)))[:10, :10] > 0, x, 0))
    starts, stops = [1, 0, 2, 2, 2, 2, 9, 9, 9, 0], [2, 0, 3, 2, 2, 10, 10, 9, 9, 10]
    at = np.arange(10)
    mask = (at >= np.array(starts)[:, None]) & (at < np.array(stops)[:, None])
    _same(u.sparsify_row_intervals(starts, stops), np.where(mask, x, 0))
    chosen = u.sparsify_rectangles([[0, 1, 0, 1], [5, 9, 4, 8]])
    assert chosen.blocks.tolist() == [
        [True, False, False],
        [False, True, False],
        [False, True, False],
    ]
    _same(
        chosen.sparsify_band(0, 9),
        np.triu(np.where(np.kron(chosen.blocks, np.ones((4, 4)))[:10, :10] > 0, x, 0)),
    )
    assert repr(chosen) == "<block matrix 10 x 10 float64, blocks of 4, 3 of 9>"


def test_missing_blocks_are_not_computed(monkeypatch: pytest.MonkeyPatch):
    computed: list[int] = []
    original = block_evaluation._compute  # pyright: ignore[reportPrivateUsage]

    def counting(arrays: list[Any], *rest: Any) -> None:
        computed.extend(array.size for array in arrays)
        original(arrays, *rest)

    monkeypatch.setattr(block_evaluation, "_compute", counting)
    x = _matrix(100, 100)
    u = _of(x, 10)
    band = u.map(np.exp).sparsify_band(-5, 5)
    _same(band, np.triu(np.exp(x), -5) - np.triu(np.exp(x), 6))
    assert sum(computed) == 28 * 100
    computed.clear()
    # A product has blocks where factors meet, and terms only there.
    read: list[int] = []
    contracted = block_graph.ContractionNode._contracted  # pyright: ignore[reportPrivateUsage]

    def counted(self: Any, rows: Any, columns: Any, places: Any) -> Any:
        read.append(len(rows) * len(columns) * len(places))
        return contracted(self, rows, columns, places)

    monkeypatch.setattr(block_graph.ContractionNode, "_contracted", counted)
    lower = u.sparsify_band(-15, -10, blocks_only=True)
    product = lower @ lower
    _same(product, lower.to_numpy() @ lower.to_numpy())
    dense = 100 * 100 * 100
    assert sum(read) < dense / 20
    assert product.is_sparse
    # Functions that keep zeros keep missing blocks; others do not.
    assert _count(band * 2 - band) == _count(band)
    assert _count(band * u) == _count(band)
    assert _count(band / u) == _count(band // u) == _count(band)
    assert _count(u % band) == 100 * 100
    assert _count(band + u) == 100 * 100
    assert _count(band + 1) == 100 * 100
    assert _count(band.map(lambda e, i, j: np.where(e > 0, e * i, 0))) == _count(band)
    known = band.select_globals(w=np.arange(100))
    assert _count(known.map(lambda e, i, j, g: e * g.w[j])) == _count(band)
    assert _count(known.map(lambda e, i, j, g: e + g.w[j])) == 100 * 100


def test_a_dense_matrix_is_one_rectangle():
    u = _of(_matrix(100, 100), 10)
    for matrix in (u, u + u, u @ u, u.T[1:, :], u.sparsify_band(-100, 100), u.densify()):
        assert len(list(rectangles_of(matrix.node))) == 1


# ---- files ------------------------------------------------------------------------------


def _source(matrix: blocks.BlockMatrix) -> BlockFolder:
    node = matrix.node
    assert isinstance(node, SourceNode)
    assert isinstance(node.source, BlockFolder)
    return node.source


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "u1", "?", "c16"])
def test_files(tmp_path: Path, dtype: str):
    x = (_matrix(10, 7) * 3).astype(dtype)
    path = tmp_path / "matrix"
    _of(x, 4).write(path)
    found = blocks.read(path)
    assert (found.shape, found.dtype, found.block_size) == ((10, 7), x.dtype, 4)
    _same(found, x)
    _same(blocks.read(path) @ np.ones((7, 2)), x @ np.ones((7, 2)))
    _same(np.load(next((path).glob("blocks-*/1_1.npy"))), x[4:8, 4:])


def test_only_blocks_that_are_needed_are_read(tmp_path: Path):
    x = _matrix(40, 40)
    path = tmp_path / "matrix"
    (_of(x, 10) + 1).write(path)

    def read(make: Callable[[blocks.BlockMatrix], Any], expected: Any) -> int:
        matrix = blocks.read(path)
        _same(make(matrix), expected)
        return len(_source(matrix).opened)

    assert read(lambda u: u[3, 5], x[3, 5] + 1) == 1
    assert read(lambda u: u[12:18, :5], x[12:18, :5] + 1) == 1
    assert read(lambda u: u.filter_rows([39, 0]), x[[39, 0]] + 1) == 8
    assert read(lambda u: u.filter([39, 0], [1, 2, 39]), x[np.ix_([39, 0], [1, 2, 39])] + 1) == 4
    assert read(lambda u: u.sparsify_band(0, 0), np.diag(np.diag(x + 1))) == 4
    assert read(lambda u: u.diagonal(), np.diag(x + 1)) == 4
    assert read(lambda u: u[:10, :] @ u[:, 10:20], (x[:10] + 1) @ (x[:, 10:20] + 1)) == 7
    assert read(lambda u: (u * 2 + u)[::25, 3], (x[::25, 3:4] + 1) * 3) == 2
    assert read(lambda u: u.sum(axis=0)[:, 5:7], (x + 1).sum(0)[None, 5:7]) == 4


def test_files_of_what_is_sparse(tmp_path: Path):
    x = _matrix(10, 10)
    path = tmp_path / "matrix"
    _of(x, 2).sparsify_band(0, 1).write(path)
    found = blocks.read(path)
    assert np.count_nonzero(found.blocks) == 9
    assert len(list(path.glob("blocks-*/*.npy"))) == 9
    _same(found, np.triu(x) - np.triu(x, 2))
    _same(found.T @ found, (np.triu(x) - np.triu(x, 2)).T @ (np.triu(x) - np.triu(x, 2)))
    _of(x, 2).sparsify_band(20, 21).write(path, overwrite=True)
    _same(blocks.read(path), np.zeros((10, 10)))


def test_what_is_larger_than_memory_is_computed_piece_by_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for module in (block_graph, block_files):
        monkeypatch.setattr(module, "MOST_AT_ONCE", 200)
    sizes: list[int] = []
    original = block_evaluation._compute  # pyright: ignore[reportPrivateUsage]

    def counting(arrays: list[Any], *rest: Any) -> None:
        sizes.extend(array.size for array in arrays)
        original(arrays, *rest)

    monkeypatch.setattr(block_evaluation, "_compute", counting)
    x = _matrix(40, 40)
    path, other = tmp_path / "one", tmp_path / "other"
    _of(x, 10).write(path)
    u = blocks.read(path)
    assert u.sum() == pytest.approx(x.sum())
    _same((u * 2).sum(axis=0), 2 * x.sum(0, keepdims=True))
    _same((u * 2).sum(axis=1), 2 * x.sum(1, keepdims=True))
    (u + 1).write(other)
    _same(blocks.read(other), x + 1)
    _same(blocks.read(other) @ u, (x + 1) @ x)
    _same(
        blocks.contract(u, u, lambda l, r: blocks.max(l + r)),  # noqa: E741
        (x[:, :, None] + x).max(1),
    )
    assert max(sizes) <= 200
    rows = sum(len(part["i"]) for part in (u * 2).entries().batches())
    assert rows == 1600


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    x = _matrix(10, 10)
    path = tmp_path / "matrix"
    failing = blocks.map(_of(x, 4).select_globals(w=np.ones(3)), lambda e, i, j, g: e * g.w[j * 3])
    with pytest.raises(IndexError):
        failing.write(path)
    assert list(tmp_path.iterdir()) == []
    _of(x, 4).write(path)
    with pytest.raises(IndexError):
        failing.write(path, overwrite=True)
    _same(blocks.read(path), x)
    assert len(list(path.iterdir())) == 2

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(np, "save", full)
        with pytest.raises(RunError, match="No space left on device"):
            _of(x + 1, 4).write(path, overwrite=True)
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        with pytest.raises(RunError, match="cannot be written"):
            _of(x + 1, 4).write(path, overwrite=True)
    _same(blocks.read(path), x)
    assert len(list(path.iterdir())) == 2
    # What is read may be written to its own place: it is there until the other is.
    (blocks.read(path) * 2).write(path, overwrite=True)
    _same(blocks.read(path), 2 * x)
    assert len(list(path.iterdir())) == 2


def test_what_is_in_the_way_stays(tmp_path: Path):
    u = _of(_matrix())
    path = tmp_path / "matrix"
    u.write(path)
    with pytest.raises(InputError, match="overwrite=True"):
        u.write(path)
    (tmp_path / "text").write_text("text")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "mine").write_text("mine")
    for name in ("text", "folder"):
        with pytest.raises(InputError, match="no block matrix"):
            u.write(tmp_path / name, overwrite=True)
    with pytest.raises(InputError, match="there is no folder"):
        u.write(tmp_path / "none" / "matrix")
    (tmp_path / "empty").mkdir()
    u.write(tmp_path / "empty")


FAULTS: dict[str, tuple[Any, str]] = {
    "format": ("other", "is no description of a matrix"),
    "version": (2, "has version 2; 1 can be read"),
    "shape": ([7], "'shape' is no list of two extents"),
    "block_size": (0, "'block_size' is no positive integer"),
    "folder": ("../other", "'folder' is no name"),
    "dtype": ("O", "'dtype' is no type of numbers"),
    "blocks": ([[0, 9]], r"'blocks' has \[0, 9\]"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_wrong_metadata_are_refused(tmp_path: Path, name: str):
    value, message = FAULTS[name]
    path = tmp_path / "matrix"
    _of(_matrix()).write(path)
    file = path / "metadata.json"
    described = json.loads(file.read_text())
    described[name] = value
    file.write_text(json.dumps(described))
    with pytest.raises(InputError, match=message):
        blocks.read(path)


def test_damaged_files_are_refused(tmp_path: Path):
    path = tmp_path / "matrix"
    with pytest.raises(InputError, match="there is no block matrix"):
        blocks.read(path)
    _of(_matrix()).write(path)
    (block,) = path.glob("blocks-*/1_0.npy")
    np.save(block, np.ones((1, 1)))
    with pytest.raises(InputError, match="has float64 elements of shape"):
        blocks.read(path).to_numpy()
    block.write_bytes(b"nothing")
    with pytest.raises(InputError, match="cannot be read"):
        blocks.read(path).to_numpy()
    shutil.rmtree(block.parent)
    assert blocks.read(path).shape == (7, 5)
    (path / "metadata.json").write_text("{")
    with pytest.raises(InputError, match="is no JSON"):
        blocks.read(path)


# ---- tables and random numbers ----------------------------------------------------------


def test_entries():
    x = _matrix(6, 6)
    u = _of(x, 2)
    table = u.entries()
    assert len(table) == 36
    frame = table.to_pandas()
    assert list(frame.columns) == ["i", "j", "entry"]
    assert frame["entry"].tolist() == x.reshape(-1).tolist()
    banded = u.sparsify_band(0, 0, blocks_only=True).entries()
    assert len(banded) == 12
    assert repr(banded) == "<entries i, j: int64, entry: float64; 12 rows>"
    found = banded.to_arrow().to_pydict()
    for i, j, entry in zip(found["i"], found["j"], found["entry"], strict=True):
        assert i // 2 == j // 2
        assert entry == x[i, j]
    assert len(u.sparsify_band(9, 9).entries().to_pandas()) == 0


def test_random_blocks_depend_on_seed_and_place():
    u = blocks.random(70, 50, seed=3, block_size=16)
    x = u.to_numpy()
    _same(blocks.random(70, 50, seed=3, block_size=16)[20:60, 5::7], x[20:60, 5::7])
    assert not np.array_equal(x, blocks.random(70, 50, seed=4, block_size=16).to_numpy())
    assert 0 <= x.min() < x.max() < 1
    assert blocks.random(70, 50, seed=3, gaussian=True).to_numpy().min() < -1


def test_one_number_takes_no_memory():
    u = blocks.fill(1_000_000, 1_000_000, 2.0)
    assert u[999_999, 5] == 2
    assert (u + u[:1, :])[5:7, 3:4].sum() == 8
    assert u.sparsify_rectangles([[0, 10, 0, 10]]).sum() == 2 * 1024 * 1024


# ---- engines ----------------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize("mode", ["always", "never"])
def test_machine_code(mode: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    x, z = _matrix(50, 30), _matrix(30, 40)
    u, w = _of(x, 16), _of(z, 16)
    _same((u * 2 + 1).map(np.exp).compute(engine="local"), np.exp(x * 2 + 1))
    _same(u.sparsify_band(-3, 3).compute(engine="local"), np.triu(x, -3) - np.triu(x, 4))
    function = lambda l, r: blocks.sum(abs(np.exp(l) - r))  # noqa: E731, E741
    wanted = abs(np.exp(x)[:, :, None] - z).sum(1)
    _same(blocks.contract(u, w, function).compute(engine="local"), wanted)
    _same((u @ w).sum(axis=0).compute(engine="local"), (x @ z).sum(0, keepdims=True))


@pytest.mark.spark
def test_on_spark_as_blocks(tmp_path: Path):
    x, z = _matrix(50, 30), _matrix(30, 40)
    u, w = _of(x, 16), _of(z, 16)
    product = (u * 2 + 1) @ w - w.sum(axis=0)
    _same(product.compute(engine="spark"), (x * 2 + 1) @ z - z.sum(0))
    band = (
        u.sparsify_band(-3, 3).select_globals(v=np.arange(30.0)).map(lambda e, i, j, g: e * g.v[j])
    )
    _same(band.compute(engine="spark"), (np.triu(x, -3) - np.triu(x, 4)) * np.arange(30.0))
    least = blocks.contract(u, w, lambda l, r: blocks.min(l + r))  # noqa: E741
    least.write(tmp_path / "least", engine="spark")
    _same(blocks.read(tmp_path / "least"), (x[:, :, None] + z).min(1))


# ---- random expressions -----------------------------------------------------------------


QUICK = settings(
    max_examples=60,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


def _check(twins: list[Twin]) -> None:
    for twin in twins[-3:]:
        differs = twin.differs()
        assert not differs, differs


@QUICK
@given(st.data())
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_random_expressions(data: Any):
    _check(draw(lambda n: data.draw(st.integers(0, n - 1)), 10))


@settings(QUICK, max_examples=15)
@given(st.data())
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_random_expressions_by_machine_code(data: Any):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DIABLO_COMPILE", "always")
        _check(draw(lambda n: data.draw(st.integers(0, n - 1)), 6))


def test_a_part_is_a_part_of_the_whole():
    u = _of(_matrix(20, 20), 3).sparsify_band(-2, 4)
    v = u @ u.T + u.map(np.cos)
    whole = v.to_numpy()
    fresh = u @ u.T + u.map(np.cos)
    rows, columns = np.array([3, 19, 4]), range(18, 2, -3)
    _same(part_of(fresh.node, rows, columns).to_numpy(), whole[rows][:, 18:2:-3])


# ---- NumPy's functions -----------------------------------------------------------------


def test_numpys_functions_are_those_of_elements():
    x = np.arange(1.0, 13.0).reshape(3, 4)
    u = blocks.from_numpy(x, block_size=2)
    found = [np.exp(u), np.add(u, 1), np.maximum(x, u), np.hypot(u, u), np.float64(2) * u]
    expected = [np.exp(x), x + 1, x, np.hypot(x, x), 2 * x]
    found += [np.matmul(x.T, u), x - u, da.asarray(x) - u, np.sum(u, axis=0)]
    expected += [x.T @ x, x - x, x - x, x.sum(axis=0)[None]]
    for one, other in zip(found, expected, strict=True):
        assert isinstance(one, blocks.BlockMatrix)
        np.testing.assert_allclose(one.to_numpy(), other)
    assert np.sum(u) == x.sum()


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda u: np.add.reduce(u), "numpy.add is no such function of block matrices"),
        (lambda u: np.add(u, 1, out=np.ones((2, 2))), "no options"),
        (lambda u: np.modf(u), "numpy.modf is no such function"),
        (lambda u: bool(u), "neither true nor false"),
        (lambda u: u.sparsify_band("a", 1), "a diagonal is an integer, and not 'a'"),
        (lambda u: blocks.from_numpy(np.eye(2), block_size=1.5), "an integer, and not 1.5"),
    ],
)
def test_what_functions_refuse(use: Any, message: str):
    with pytest.raises(InputError, match=message):
        use(blocks.from_numpy(np.eye(2)))
