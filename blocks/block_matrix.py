"""Block matrices: what users hold of a node of the graph, and the four operations on them.

    u = from_numpy(x, block_size=512)
    contract(u, v, lambda l, r: sum(l * r))    a fold of the pairs that meet
    map2(u, v, lambda l, r: l + r)             a function of two elements at one place
    map(u, lambda e: e + 1)                    a function of one element
    select_globals(u, w=weights)               what functions of `u` may read: g.w[j]

All other operations are made of these, and of the choice of rows, columns and blocks. Nothing is
computed before somebody looks.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

import diablo.array as da
from diablo.array.closing import Closable
from diablo.array.python_operators import COMPARISONS, OPERATORS, Operator
from diablo.blocks.aggregations import sum as folded
from diablo.blocks.block_entries import Entries
from diablo.blocks.block_evaluation import HERE, Running, assembled, compute, hold, release
from diablo.blocks.block_files import BlockFolder
from diablo.blocks.block_files import write as _write
from diablo.blocks.block_graph import (
    ArrayNode,
    BlockNode,
    BlocksNode,
    ContractionNode,
    DensifiedNode,
    IntervalsNode,
    MapNode,
    SelectedNode,
    SourceNode,
    SumNode,
    TransposedNode,
    part_of,
    rectangles_of,
)
from diablo.blocks.block_grids import Grid, block_count, indices_of
from diablo.blocks.block_intervals import Intervals, band, given
from diablo.blocks.scalar_expressions import nodes_of
from diablo.blocks.traced_scalars import Aggregate, Globals, error_in, traced
from diablo.diagnostics import InputError
from diablo.runtime.program.run_main import ENGINES, Engine

DEFAULT_BLOCK_SIZE = 1024

Function = Callable[..., Any]


class BlockMatrix:
    """A matrix in blocks that is computed when somebody looks at it."""

    __slots__ = ("_globals", "_node")

    __array_priority__ = 2000.0
    __hash__ = object.__hash__

    def __init__(self, node: BlockNode, known: Mapping[str, Any] | None = None):
        self._node = node
        self._globals: dict[str, Any] = dict(known or {})

    # ---- what it is ----------------------------------------------------------------

    @property
    def node(self) -> BlockNode:
        """The node of the graph that it stands for."""
        return self._node

    @property
    def globals(self) -> dict[str, Any]:
        """The arrays that functions of it may read, by name."""
        return dict(self._globals)

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns there are."""
        return self._node.shape

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self._node.shape[0]

    @property
    def n_cols(self) -> int:
        """How many columns there are."""
        return self._node.shape[1]

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements."""
        return self._node.dtype

    @property
    def block_size(self) -> int:
        """How many rows, and columns, a block has; those at the ends may have fewer."""
        return self._node.block_size

    @property
    def is_sparse(self) -> bool:
        """Whether there are blocks that are not there, and stand for zeros."""
        return self._node.grid is not None and bool(np.any(self._node.grid == 0))

    @property
    def blocks(self) -> NDArray[np.bool_]:
        """Which blocks are there."""
        if self._node.grid is None:
            return np.ones(self._node.grid_shape, np.bool_)
        return self._node.grid != 0

    def __bool__(self) -> bool:
        raise InputError("a block matrix is neither true nor false: look at `(u != 0).sum()`")

    def __repr__(self) -> str:
        rows, columns = self.shape
        text = f"<block matrix {rows} x {columns} {self.dtype}, blocks of {self.block_size}"
        if self.is_sparse:
            there = self.blocks
            text += f", {np.count_nonzero(there)} of {there.size}"
        return f"{text}>"

    # ---- what computes -------------------------------------------------------------

    def compute(
        self,
        *,
        engine: Engine | None = None,
        master: str | None = None,
        memory: str | int | None = None,
    ) -> BlockMatrix:
        """Compute it, keep the elements, and return it.

        Parameters
        ----------
        engine
            `"local"`, `"spark"` or `"auto"`, as for programs; on Spark by blocks of `block_size`.
        master
            Spark's master, such as `"local[4]"`.
        memory
            How much memory a program may take.
        """
        compute(self._node, _running(engine, master, memory))
        return self

    def persist(
        self,
        *,
        engine: Engine | None = None,
        master: str | None = None,
        memory: str | int | None = None,
    ) -> PersistedBlocks:
        """Compute it, and keep the elements until what is returned is closed.

        All expressions of it read them meanwhile, those that were written before too. The options
        are those of `compute`.
        """
        hold(self._node, _running(engine, master, memory))
        return PersistedBlocks(self._node, self._globals)

    def to_numpy(self) -> NDArray[Any]:
        """Return the elements, with zeros for blocks that are not there."""
        compute(self._node)
        assert self._node.stored is not None
        return assembled(self._node, self._node.stored)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        value = self.to_numpy()
        if dtype is not None and value.dtype != dtype:
            return value.astype(dtype)
        return value.copy() if copy else value

    def write(
        self,
        path: str | os.PathLike[str],
        *,
        overwrite: bool = False,
        engine: Engine | None = None,
        master: str | None = None,
    ) -> None:
        """Write it to a folder, block by block: all of it, or nothing."""
        _write(self._node, path, _running(engine, master, None), overwrite=overwrite)

    def entries(self) -> Entries:
        """Return the table of rows, columns and entries of the blocks that are there."""
        return Entries(self._node)

    def explain(self, *, level: str = "spark") -> str:
        """Return how it would be computed: its rectangles, and the program of the first.

        `level` is that of the IR, `"spark"` or `"tensor_block"`.
        """
        found = list(rectangles_of(self._node))
        lines = [f"// rows {a}:{b}, columns {c}:{d}" for a, b, c, d in found]
        if found and self._node.stored is None:
            first, last, left, right = found[0]
            lazy = part_of(self._node, range(first, last), range(left, right))
            lines.append(da.explain(lazy, level=level))
        return "\n".join(lines)

    # ---- parts ---------------------------------------------------------------------

    @property
    def T(self) -> BlockMatrix:
        """The rows as columns."""
        if isinstance(self._node, TransposedNode):
            return BlockMatrix(self._node.source, self._globals)
        return BlockMatrix(TransposedNode(self._node), self._globals)

    def __getitem__(self, index: Any, /) -> Any:
        """Return rows and columns chosen by slices and integers; of two integers, the element."""
        parts = cast("tuple[Any, ...]", index) if isinstance(index, tuple) else ()
        if len(parts) != 2:
            raise InputError("a block matrix is indexed by rows and columns: `u[2:5, :]`")
        chosen: list[Any] = []
        for part, extent, what in zip(parts, self.shape, ("rows", "columns"), strict=True):
            if _is_index(part):
                if not -extent <= part < extent:
                    raise InputError(f"{what} have no index {part}: there are {extent}")
                place = operator.index(part) % extent
                chosen.append(range(place, place + 1))
            elif isinstance(part, slice):
                chosen.append(indices_of(part, extent, what))
            else:
                raise InputError(
                    "rows and columns are chosen by slices and integers here; "
                    "`filter` takes lists of them"
                )
        if not any(isinstance(part, slice) for part in parts):
            return part_of(self._node, *chosen).to_numpy()[0, 0]
        return self._selected(*chosen)

    def _selected(self, rows: Any, columns: Any) -> BlockMatrix:
        return BlockMatrix(SelectedNode(self._node, rows, columns), self._globals)

    def filter_rows(self, rows: Any) -> BlockMatrix:
        """Return rows chosen by integers, in their order, or by truth values."""
        return self._selected(indices_of(rows, self.n_rows, "rows"), range(self.n_cols))

    def filter_cols(self, columns: Any) -> BlockMatrix:
        """Return columns chosen by integers, in their order, or by truth values."""
        return self._selected(range(self.n_rows), indices_of(columns, self.n_cols, "columns"))

    def filter(self, rows: Any, columns: Any) -> BlockMatrix:
        """Return rows and columns chosen by integers, in their order, or by truth values."""
        return self._selected(
            indices_of(rows, self.n_rows, "rows"), indices_of(columns, self.n_cols, "columns")
        )

    def diagonal(self) -> NDArray[Any]:
        """Return the elements of the main diagonal; of other blocks none are computed."""
        length, size = min(self.shape), self.block_size
        result = np.zeros(length, self.dtype)
        for first in range(0, length, size):
            places = range(first, min(first + size, length))
            result[first : first + size] = np.diagonal(part_of(self._node, places, places))
        return result

    # ---- blocks that are not there -------------------------------------------------

    def sparsify_band(
        self, lower: int = 0, upper: int = 0, *, blocks_only: bool = False
    ) -> BlockMatrix:
        """Return it with zeros outside of the diagonals from `lower` to `upper`.

        Diagonal 0 is the main one, those above have positive numbers. Blocks that have none of
        them are not there, and never computed; `blocks_only` keeps all elements of the others.
        """
        lower, upper = _integer(lower, "a diagonal"), _integer(upper, "a diagonal")
        if lower > upper:
            raise InputError(f"the band ends at diagonal {upper}, before it starts at {lower}")
        return self._within(band(*self.shape, lower, upper), blocks_only)

    def sparsify_triangle(self, *, lower: bool = False, blocks_only: bool = False) -> BlockMatrix:
        """Return it with zeros below the main diagonal, or with `lower` above it."""
        bounds = (None, 0) if lower else (0, None)
        return self._within(band(*self.shape, *bounds), blocks_only)

    def sparsify_row_intervals(
        self, starts: Any, stops: Any, *, blocks_only: bool = False
    ) -> BlockMatrix:
        """Return it with zeros in each row before a column, and from another one on."""
        return self._within(given(*self.shape, starts, stops), blocks_only)

    def _within(self, intervals: Intervals, blocks_only: bool) -> BlockMatrix:
        node = IntervalsNode(self._node, intervals, blocks_only=blocks_only)
        return BlockMatrix(node, self._globals)

    def sparsify_rectangles(self, rectangles: Sequence[Sequence[int]]) -> BlockMatrix:
        """Return the blocks that have an element of `[first, behind, left, right]` rectangles."""
        size = self.block_size
        kept: Grid = np.zeros(self._node.grid_shape, np.int64)
        for rectangle in rectangles:
            # One that has not four numbers ends before it starts.
            first, behind, left, right = rectangle if len(rectangle) == 4 else (1, 0, 1, 0)
            if not (0 <= first <= behind <= self.n_rows and 0 <= left <= right <= self.n_cols):
                raise InputError(
                    f"{list(rectangle)} are no rows and columns of a {self.n_rows} x "
                    f"{self.n_cols} matrix: first row, row behind the last, and the same of columns"
                )
            if first < behind and left < right:
                rows = slice(first // size, block_count(behind, size))
                kept[rows, left // size : block_count(right, size)] = 1
        return BlockMatrix(BlocksNode(self._node, kept), self._globals)

    def densify(self) -> BlockMatrix:
        """Return it with blocks of zeros for those that are not there."""
        if self._node.grid is None:
            return self
        return BlockMatrix(DensifiedNode(self._node), self._globals)

    # ---- operations ----------------------------------------------------------------

    def map(self, function: Function) -> BlockMatrix:
        """Return a function of each element; see `map`."""
        return map(self, function)

    def select_globals(self, **arrays: Any) -> BlockMatrix:
        """Return it with arrays that its functions may read; see `select_globals`."""
        return select_globals(self, **arrays)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """Return a function of NumPy's of each element, or of two at one place."""
        if method != "__call__" or options or ufunc.nout != 1 or ufunc.nin > 2:
            raise InputError(
                f"numpy.{ufunc.__name__} is no such function of block matrices: it takes one or "
                "two, and no options; `to_numpy()` has the elements"
            )
        if ufunc.nin == 1:
            return map(self, ufunc)
        left, right = inputs
        if ufunc is np.matmul:
            return _matmul(left, right, self.block_size)
        return _elementwise(ufunc, left, right)

    def sum(self, axis: int | None = None, *, out: None = None) -> Any:
        """Return the sum of all elements, or a matrix of the sums of columns (0) or rows (1).

        There is no `out`; `numpy.sum` names it.
        """
        if axis not in (None, 0, 1, -1, -2):
            raise InputError(f"there is no axis {axis}: a matrix has 0 and 1")
        node = SumNode(self._node, None if axis is None else axis % 2)
        if axis is None:
            compute(node)
            return BlockMatrix(node).to_numpy()[0, 0]
        return BlockMatrix(node, self._globals)

    def __matmul__(self, other: Any) -> Any:
        return _matmul(self, other, self.block_size)

    def __rmatmul__(self, other: Any) -> Any:
        return _matmul(other, self, self.block_size)

    def __neg__(self) -> BlockMatrix:
        return map(self, np.negative)

    def __pos__(self) -> BlockMatrix:
        return self

    def __abs__(self) -> BlockMatrix:
        return map(self, np.abs)

    def __invert__(self) -> BlockMatrix:
        return map(self, np.invert)

    def abs(self) -> BlockMatrix:
        """Return the absolute value of each element."""
        return map(self, np.abs)

    def sqrt(self) -> BlockMatrix:
        """Return the square root of each element."""
        return map(self, np.sqrt)

    def exp(self) -> BlockMatrix:
        """Return the exponential of each element."""
        return map(self, np.exp)

    def log(self) -> BlockMatrix:
        """Return the natural logarithm of each element."""
        return map(self, np.log)

    def floor(self) -> BlockMatrix:
        """Return the greatest integer up to each element."""
        return map(self, np.floor)

    def ceil(self) -> BlockMatrix:
        """Return the least integer from each element on."""
        return map(self, np.ceil)

    def astype(self, dtype: Any) -> BlockMatrix:
        """Return the elements as others of a type."""

        def converted(e: Any) -> Any:
            return e.astype(dtype)

        return map(self, converted)


class PersistedBlocks(Closable, BlockMatrix):
    """A block matrix whose elements are kept until it is closed: a context manager.

    Closed it is the expression that it was, and is computed again if somebody looks at it.
    """

    __slots__ = ("_let_go",)

    def __init__(self, node: BlockNode, known: Mapping[str, Any]):
        super().__init__(node, known)
        self._let_go = partial(release, node)


# ---- the four operations -------------------------------------------------------------


def select_globals(matrix: BlockMatrix, **arrays: Any) -> BlockMatrix:
    """Return a matrix whose functions may read arrays, as `g.name[i]` of their last parameter.

    The arrays are numbers, those of NumPy, lazy ones, or block matrices, which are computed. On
    Spark all workers get them.
    """
    known = dict(matrix.globals)
    for name, array in arrays.items():
        if name in known:
            raise InputError(f"there is a global '{name}' already")
        known[name] = da.asarray(array.to_numpy() if isinstance(array, BlockMatrix) else array)
    return BlockMatrix(matrix.node, known)


def map(matrix: BlockMatrix, function: Function) -> BlockMatrix:
    """Return a function of each element.

    Parameters
    ----------
    function
        is called once, with a number that stands for all elements; it may take the row and the
        column as well, and behind these the globals: `lambda e, i, j, g: e * g.w[j]`.
    """
    result, _ = traced(function, ("e", "i", "j"), _globals(matrix))
    return BlockMatrix(MapNode(result, {"e": matrix.node}, matrix.shape), matrix.globals)


def map2(left: BlockMatrix, right: BlockMatrix, function: Function) -> BlockMatrix:
    """Return a function of the elements of two matrices at one place.

    A matrix with one row, or one column, is repeated beside one with more.

    Parameters
    ----------
    function
        is called once, with numbers for the left and the right element; it may take the row, the
        column and the globals of both as well: `lambda l, r, i, j, g: …`.
    """
    shape = _both(left.shape, right.shape)
    known = _merged(left, right)
    result, _ = traced(function, ("l", "r", "i", "j"), Globals(known) if known else None)
    return BlockMatrix(MapNode(result, {"l": left.node, "r": right.node}, shape), known)


def contract(
    left: BlockMatrix,
    right: BlockMatrix,
    function: Function,
    *,
    axes: tuple[int, int] = (1, 0),
) -> BlockMatrix:
    """Return for each row and each column what is folded of the pairs of elements that meet there.

    Parameters
    ----------
    function
        is called once, with the two elements of a pair; it may take the row, the column, the place
        in both, and the globals: `lambda l, r, i, j, k, g: …`. What differs from pair to pair is
        folded by `sum`, `min`, `mean`, …; the result is computed of the folds.
    axes
        the axis of the left matrix, and that of the right one, along which elements meet
    """
    if len(axes) != 2 or any(axis not in (0, 1) for axis in axes):
        raise InputError(f"{axes} are no axes of two matrices: each is 0 or 1")
    one = left if axes[0] == 1 else left.T
    other = right if axes[1] == 0 else right.T
    if one.n_cols != other.n_rows:
        raise InputError(
            f"matrices of {left.n_rows} x {left.n_cols} and {right.n_rows} x {right.n_cols} "
            f"elements do not meet along axes {axes}: {one.n_cols} is not {other.n_rows}"
        )
    known = _merged(left, right)
    names = ("l", "r", "i", "j", "k")
    result, _ = traced(function, names, Globals(known) if known else None)
    _check_folds(result, function)
    return BlockMatrix(ContractionNode(result, one.node, other.node), known)


def _check_folds(result: Any, function: Function) -> None:
    """Raise a `CompileError` unless all that differs from pair to pair is folded, and once."""
    outer = list(nodes_of(result, stops_at_aggregates=True))
    message = ""
    for node in outer:
        if isinstance(node, Aggregate):
            inner = nodes_of(node.operands[0])
            if any(isinstance(each, Aggregate) for each in inner):
                message = f"`{node.name}` folds what is folded already"
        elif node.apply is None and node.name in ("l", "r", "k"):
            message = f"`{node.name}` differs from pair to pair, and is not folded"
    if not message and not any(isinstance(node, Aggregate) for node in outer):
        message = "the function of a contraction folds nothing"
    if message:
        hint = "fold pairs once, as in `lambda l, r: diablo.blocks.sum(l * r)`"
        raise error_in(function, message, hint)


def _globals(matrix: BlockMatrix) -> Globals | None:
    return Globals(matrix.globals) if matrix.globals else None


def _merged(left: BlockMatrix, right: BlockMatrix) -> dict[str, Any]:
    """Return the globals of two matrices."""
    one, other = left.globals, right.globals
    for name in one.keys() & other.keys():
        if one[name] is not other[name]:
            raise InputError(f"both matrices have a global '{name}', and these are two")
    return {**one, **other}


def _both(left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    shape: list[int] = []
    for one, other in zip(left, right, strict=True):
        if one != other and 1 not in (one, other):
            raise InputError(
                f"matrices of {left[0]} x {left[1]} and {right[0]} x {right[1]} elements "
                "have no common shape"
            )
        shape.append(other if one == 1 else one)
    return shape[0], shape[1]


# ---- operators -----------------------------------------------------------------------


def _elementwise(function: Function, left: Any, right: Any) -> Any:
    """Return an operator of two operands, of which one is a block matrix."""
    if isinstance(left, BlockMatrix) and isinstance(right, BlockMatrix):
        return map2(left, right, function)

    def of_left(e: Any, *other: Any) -> Any:
        return function(e, *(other or (right,)))

    def of_right(e: Any, *other: Any) -> Any:
        return function(*(other or (left,)), e)

    matrix, other, applied = (
        (left, right, of_left) if isinstance(left, BlockMatrix) else (right, left, of_right)
    )
    if not _is_number(other):
        return _beside(matrix, other, applied)

    def of_elements(e: Any) -> Any:
        return applied(e)

    return map(matrix, of_elements)


def _is_number(value: Any) -> bool:
    """Return whether a value is one number."""
    return isinstance(value, bool | int | float | complex | np.generic)


def _beside(matrix: BlockMatrix, other: Any, function: Function) -> Any:
    """Return an operator of a matrix and an array, which becomes a global of it.

    That one is no global of the result.
    """
    if not isinstance(other, da.Array | np.ndarray | list | tuple):
        return NotImplemented
    array = da.asarray(cast("Any", other))
    if array.ndim > 2:
        raise InputError(f"an array of {array.ndim} dimensions is no operand of a block matrix")
    shape = (*(1, 1)[array.ndim :], *array.shape)
    if any(mine != extent != 1 for mine, extent in zip(matrix.shape, shape, strict=True)):
        rows, columns = matrix.shape
        raise InputError(
            f"an array of shape {array.shape} is no operand of a {rows} x {columns} block matrix"
        )
    kept = [axis for axis in (0, 1) if shape[axis] != 1]
    array = da.reshape(array, tuple([shape[axis] for axis in kept]))

    def of_elements(e: Any, i: Any, j: Any, g: Any) -> Any:
        places = tuple([(i, j)[axis] for axis in kept])
        return function(e, g.other[places] if places else g.other)

    found = map(BlockMatrix(matrix.node, {"other": array}), of_elements)
    return BlockMatrix(found.node, matrix.globals)


def _matmul(left: Any, right: Any, block_size: int) -> Any:
    operands: list[BlockMatrix] = []
    for each in (left, right):
        if isinstance(each, BlockMatrix):
            operands.append(each)
        elif isinstance(each, da.Array | np.ndarray):
            operands.append(from_numpy(each, block_size=block_size))
        else:
            return NotImplemented

    def product(left: Any, right: Any) -> Any:
        return folded(left * right)

    return contract(operands[0], operands[1], product)


def _operators(operator: Operator) -> tuple[Function, Function]:
    function = operator.apply

    def forward(self: Any, other: Any) -> Any:
        return _elementwise(function, self, other)

    def backward(self: Any, other: Any) -> Any:
        return _elementwise(function, other, self)

    return forward, backward


for _operator in OPERATORS:
    for _prefix, _function in zip(("", "r"), _operators(_operator), strict=True):
        setattr(BlockMatrix, f"__{_prefix}{_operator.method}__", _function)
for _operator in COMPARISONS:
    setattr(BlockMatrix, f"__{_operator.method}__", _operators(_operator)[0])


# ---- making matrices -----------------------------------------------------------------


def _is_index(part: Any) -> bool:
    return isinstance(part, int | np.integer) and not isinstance(part, bool)


def _integer(value: Any, what: str) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise InputError(f"{what} is an integer, and not {value!r}") from None


def _size(block_size: int | None) -> int:
    if block_size is None:
        return DEFAULT_BLOCK_SIZE
    size = _integer(block_size, "the number of rows of a block")
    if size < 1:
        raise InputError(f"blocks have at least one row, and {size} are given")
    return size


def from_numpy(array: Any, *, block_size: int | None = None) -> BlockMatrix:
    """Return the block matrix of an array of two dimensions, NumPy's or lazy.

    The elements are not copied. An array of one dimension is a column.
    """
    lazy = da.asarray(array)
    if lazy.ndim == 1:
        lazy = lazy[:, None]
    if lazy.ndim != 2:
        raise InputError(f"a block matrix has 2 dimensions, and the array has {lazy.ndim}")
    return BlockMatrix(ArrayNode(lazy, _size(block_size)))


def fill(n_rows: int, n_cols: int, value: Any, *, block_size: int | None = None) -> BlockMatrix:
    """Return a matrix of one number, which takes no memory."""
    if n_rows < 0 or n_cols < 0:
        raise InputError(f"extents are not negative, and {n_rows} x {n_cols} are given")
    return BlockMatrix(ArrayNode(da.full((n_rows, n_cols), value), _size(block_size)))


class RandomBlocks:
    """Blocks of random numbers, each made of the seed and its place alone."""

    def __init__(self, shape: tuple[int, int], block_size: int, seed: int, gaussian: bool):
        self.shape = shape
        self.dtype: np.dtype[Any] = np.dtype(np.float64)
        self.block_size = block_size
        self.grid: Grid | None = None
        self._seed = seed
        self._gaussian = gaussian

    def block(self, row: int, column: int) -> NDArray[Any]:
        """Return a block."""
        size = self.block_size
        rng = np.random.default_rng([self._seed, row, column])
        shape = min(size, self.shape[0] - row * size), min(size, self.shape[1] - column * size)
        return rng.standard_normal(shape) if self._gaussian else rng.random(shape)


def random(
    n_rows: int,
    n_cols: int,
    *,
    seed: int,
    gaussian: bool = False,
    block_size: int | None = None,
) -> BlockMatrix:
    """Return a matrix of random numbers from 0 to 1, or normally distributed ones.

    A block depends on the seed and its place: no other has to be made for it.
    """
    if n_rows < 0 or n_cols < 0 or seed < 0:
        raise InputError("extents and seeds are not negative")
    return BlockMatrix(
        SourceNode(RandomBlocks((n_rows, n_cols), _size(block_size), seed, gaussian))
    )


def read(path: str | os.PathLike[str]) -> BlockMatrix:
    """Return the matrix that `write` wrote to a folder; blocks are read when they are needed."""
    return BlockMatrix(SourceNode(BlockFolder(path)))


def _running(engine: Any, master: str | None, memory: str | int | None) -> Running:
    if engine is None and master is None and memory is None:
        return HERE
    if engine is not None and engine not in ENGINES:
        raise InputError(f"there is no engine {engine!r}: it is one of {', '.join(ENGINES)}")
    return Running(engine if engine is not None or master is None else "spark", master, memory)
