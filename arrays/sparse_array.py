"""Sparse arrays: elements of their own at some positions, and one value at all others.

    s = da.sparse(matrix)                       # what is not 0
    t = da.exp(s.T) - 1                         # fill_value 0 again: exp(0) - 1
    (s * t).sum(axis=0) @ dense

The values are a lazy vector. A function of the elements is that function of the values, and of the
value at all other positions, so that a chain of them over one pattern is one kernel. Patterns are
those of the runtime, computed at once: united, sorted and transposed by its machine code, in the
form that takes least, and products are its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from diablo.array.elementwise_operations import ELEMENTWISE, converted, elementwise, operation_of
from diablo.array.expression_graph import Node, leaf
from diablo.array.lazy_array import Array, node_of
from diablo.array.manipulation_functions import axes_of
from diablo.array.python_operators import COMPARISONS, OPERATORS
from diablo.array.sparse_pattern import (
    broadcast,
    coordinates_of,
    followed,
    from_coordinates,
    grouped,
    in_c_order,
    united,
)
from diablo.runtime.arrays.gathering import gathered
from diablo.runtime.arrays.patterns.making import of_positions, of_rows
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.patterns.selection import some_of
from diablo.runtime.arrays.patterns.variants import transposed
from diablo.runtime.arrays.row_checks import has_no_zero
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels.arithmetic import matrix
from diablo.runtime.kernels.matrix_products import product

_NUMBERS = (bool, int, float, complex)


class SparseArray:
    """An array of which most elements are `fill_value`."""

    __array_priority__ = 2000.0

    def __init__(self, pattern: Pattern, values: Node, fill_value: Any):
        self._pattern = pattern
        self._values = values
        self.fill_value: Any = np.asarray(fill_value, values.dtype)[()]
        self._is_pruned = False

    # ---- what it is ----------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents."""
        return self._pattern.shape

    @property
    def dtype(self) -> Any:
        """The type of the elements."""
        return self._values.dtype

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements, of their own or not."""
        return prod(self.shape)

    @property
    def nnz(self) -> int:
        """How many elements differ from `fill_value`, for which they are computed."""
        return len(self._pruned()._pattern)

    @property
    def density(self) -> float:
        """The part of the elements that differ from `fill_value`."""
        return self.nnz / self.size if self.size else 0.0

    @property
    def coords(self) -> NDArray[np.int64]:
        """Where these are: a row for each axis, in C order."""
        return coordinates_of(self._pruned()._pattern, ordered=True)

    @property
    def data(self) -> NDArray[Any]:
        """Their values, in that order."""
        pruned = self._pruned()
        return Array(_taken(pruned._values, in_c_order(pruned._pattern))).to_numpy()

    def _pruned(self) -> SparseArray:
        """Return this without elements that are `fill_value`."""
        if not self._is_pruned:
            values = Array(self._values).to_numpy()
            full = self.fill_value == 0 and has_no_zero(values)
            kept = None if full else ~_same(values, self.fill_value)
            if kept is not None and not kept.all():
                self._pattern = some_of(self._pattern, np.flatnonzero(kept))
                self._values = leaf(values[kept])
            self._is_pruned = True
        return self

    def __repr__(self) -> str:
        shape = "x".join(map(str, self.shape))
        return f"<sparse {shape} {self.dtype}, {self.nnz} elements, else {self.fill_value}>"

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of an array without dimensions")
        return self.shape[0]

    # ---- as others -----------------------------------------------------------------

    def to_dense(self) -> Array:
        """Return it as a lazy array that has all elements."""
        order = self._pattern.order
        result = np.full([self.shape[axis] for axis in order], self.fill_value, self.dtype)
        result.reshape(-1)[self._pattern.flat(order)] = Array(self._values).to_numpy()
        return Array(leaf(result.transpose(np.argsort(order))))

    def to_numpy(self) -> NDArray[Any]:
        """Return all elements as an array of NumPy's."""
        return self.to_dense().to_numpy()

    def to_scipy(self) -> Any:
        """Return the elements in compressed rows; a `ValueError` if most are not 0."""
        self._check_zero("SciPy's arrays")
        if self.ndim != 2:
            raise ValueError(f"SciPy's compressed rows have two dimensions, and not {self.ndim}")
        return self._matrix().tocsr(copy=True)

    def _matrix(self) -> Any:
        """Return SciPy's compressed rows or columns, whichever there are, over the same memory."""
        pruned = self._pruned()
        values = Array(pruned._values).to_numpy()
        tile = SparseTile(self.shape, 1, pruned._pattern, values)
        return matrix(tile, (0,), (1,), self.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        raise TypeError("a sparse array is made dense by its `to_dense()`, and not unasked")

    def astype(self, dtype: Any) -> SparseArray:
        """Return elements of another type."""
        fill = np.asarray(self.fill_value).astype(dtype)
        return SparseArray(self._pattern, converted(self._values, np.dtype(dtype)), fill)

    def _check_zero(self, what: str) -> None:
        if self.fill_value != 0:
            raise ValueError(f"{what} are of arrays that are mostly 0, not {self.fill_value}")

    # ---- other places --------------------------------------------------------------

    def transpose(self, axes: Sequence[int] | None = None) -> SparseArray:
        """Return the axes in another order, the opposite one if none is given."""
        order = list(range(self.ndim))[::-1] if axes is None else list(axes_of(axes, self.ndim))
        return SparseArray(transposed(self._pattern, order), self._values, self.fill_value)

    @property
    def T(self) -> SparseArray:
        """The axes in the opposite order."""
        return self.transpose()

    def reshape(self, *shape: Any) -> SparseArray:
        """Return the elements in their order with another shape, of which one may be -1."""
        given = cast("Any", shape[0]) if len(shape) == 1 and np.iterable(shape[0]) else shape
        wanted = list(map(int, given))
        if wanted.count(-1) == 1:
            rest = prod([extent for extent in wanted if extent != -1])
            wanted[wanted.index(-1)] = self.size // rest if rest else 0
        if prod(wanted) != self.size:
            raise ValueError(f"an array of shape {self.shape} cannot have the shape {given}")
        values = _taken(self._values, in_c_order(self._pattern))
        return SparseArray(of_positions(self._pattern.positions(), wanted), values, self.fill_value)

    def __getitem__(self, index: Any) -> Any:
        parts = cast("tuple[Any, ...]", index) if isinstance(index, tuple) else (index,)
        given = sum(part is not None and part is not Ellipsis for part in parts)
        if given > self.ndim:
            raise IndexError(f"{given} indices for an array of {self.ndim} dimensions")
        full = [slice(None)] * (self.ndim - given)
        place = next((k for k, part in enumerate(parts) if part is Ellipsis), len(parts))
        coordinates = coordinates_of(self._pattern)
        kept = np.ones(len(self._pattern), bool)
        shape: list[int] = []
        rows: list[Any] = []
        axis = 0
        for part in (*parts[:place], *full, *parts[place + 1 :]):
            if part is None:
                shape.append(1)
                rows.append(np.zeros(len(self._pattern), np.int64))
                continue
            extent, row = self.shape[axis], coordinates[axis]
            axis += 1
            if isinstance(part, slice):
                chosen = range(*part.indices(extent))
                steps, rest = np.divmod(row - chosen.start, chosen.step)
                kept &= (rest == 0) & (steps >= 0) & (steps < len(chosen))
                shape.append(len(chosen))
                rows.append(steps)
            elif isinstance(part, int | np.integer):
                if not -extent <= part < extent:
                    raise IndexError(f"index {part} is out of bounds for an extent of {extent}")
                kept &= row == part % extent
            else:
                raise TypeError("a sparse array is indexed by integers, slices, `None` and `...`")
        at = np.flatnonzero(kept)
        if not shape:
            return Array(self._values).to_numpy()[at[0]] if len(at) else self.fill_value
        pattern, order, _ = from_coordinates(tuple(shape), np.asarray([row[at] for row in rows]))
        values = _taken(self._values, followed(at, order))
        return SparseArray(pattern, values, self.fill_value)

    # ---- what is computed of the elements ------------------------------------------

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        operation = operation_of(ufunc)
        if ufunc is np.matmul and method == "__call__":
            return _product(*inputs)
        if method != "__call__" or options or operation is None:
            return NotImplemented
        return apply(operation.name, *inputs)

    def __matmul__(self, other: Any) -> Any:
        return _product(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return _product(other, self)

    def __neg__(self) -> SparseArray:
        return apply("negative", self)

    def __abs__(self) -> SparseArray:
        return apply("absolute", self)

    def __invert__(self) -> SparseArray:
        return apply("invert", self)

    def sum(self, axis: Any = None, *, keepdims: bool = False) -> SparseArray:
        """Return the sum along axes."""
        return self._folded(np.add, axis, keepdims)

    def prod(self, axis: Any = None, *, keepdims: bool = False) -> SparseArray:
        """Return the product along axes."""
        return self._folded(np.multiply, axis, keepdims)

    def max(self, axis: Any = None, *, keepdims: bool = False) -> SparseArray:
        """Return the greatest element along axes."""
        return self._folded(np.maximum, axis, keepdims)

    def min(self, axis: Any = None, *, keepdims: bool = False) -> SparseArray:
        """Return the least element along axes."""
        return self._folded(np.minimum, axis, keepdims)

    def any(self, axis: Any = None, *, keepdims: bool = False) -> SparseArray:
        """Return whether an element along axes is not 0."""
        return self.astype(np.bool_)._folded(np.logical_or, axis, keepdims)

    def all(self, axis: Any = None, *, keepdims: bool = False) -> SparseArray:
        """Return whether no element along axes is 0."""
        return self.astype(np.bool_)._folded(np.logical_and, axis, keepdims)

    def mean(self, axis: Any = None, *, keepdims: bool = False) -> SparseArray:
        """Return the mean along axes."""
        count = prod([self.shape[k] for k in axes_of(axis, self.ndim)])
        floats = self if self.dtype.kind in "fc" else self.astype(np.float64)
        return apply("divide", floats._folded(np.add, axis, keepdims), count)

    def _folded(self, ufunc: Any, axis: Any, keepdims: bool) -> SparseArray:
        """Return elements combined along axes, those that are `fill_value` among them."""
        axes = axes_of(axis, self.ndim)
        kept = [k for k in range(self.ndim) if k not in axes]
        count = prod([self.shape[k] for k in axes])
        pattern, order, first = grouped(self._pattern, kept)
        values = Array(_taken(self._values, order)).to_numpy()
        made = ufunc.reduceat(values, first) if len(first) else values[:0]
        like: Any = ufunc.reduce(np.full(1, self.fill_value, self.dtype))
        made = made.astype(np.result_type(like))
        left = count - np.diff(np.concatenate([first, [len(values)]]))
        with np.errstate(all="ignore"):
            made = np.where(left > 0, ufunc(made, self._repeated(ufunc, left)), made)
            fill = self._repeated(ufunc, np.asarray([count]))[0]
        if keepdims:
            full = tuple([1 if k in axes else e for k, e in enumerate(self.shape)])
            pattern = of_positions(pattern.positions(), full)
        return SparseArray(pattern, leaf(np.asarray(made, np.result_type(like))), fill)

    def _repeated(self, ufunc: Any, times: NDArray[Any]) -> Any:
        """Return the fold of so many elements that are `fill_value`."""
        numpy: Any = np
        if ufunc is np.add:
            return numpy.where(times == 0, self.fill_value * 0, self.fill_value * times)
        if ufunc is np.multiply:
            return numpy.power(self.fill_value, times)
        return numpy.broadcast_to(self.fill_value, times.shape)


def _same(values: Any, fill: Any) -> Any:
    """Return which values are a fill value: equal, zeros of one sign, or both NaN."""
    equal = values == fill
    if np.asarray(values).dtype.kind == "f":
        equal &= np.signbit(values) == np.signbit(fill)
    return equal | ((values != values) & (fill != fill))


def _taken(values: Node, places: Any) -> Node:
    """Return the values at places, all of which there are; None stands for all in order."""
    return values if places is None else leaf(gathered(Array(values).to_numpy(), places))


def apply(name: str, *operands: Any) -> SparseArray:
    """Return an elementwise function of operands of which at least one is sparse.

    Raises
    ------
    ValueError
        If it is no sparse array: a function of `fill_value` and the elements of a dense array that
        are not all alike.
    """
    operation = ELEMENTWISE[name]
    shapes = [() if isinstance(o, _NUMBERS) else tuple(np.shape(_shaped(o))) for o in operands]
    shape = np.broadcast_shapes(*shapes)
    made: list[tuple[SparseArray, Pattern, Any]] = []
    for operand in operands:
        if isinstance(operand, SparseArray):
            pattern, source = broadcast(operand._pattern, shape)  # pyright: ignore[reportPrivateUsage]
            made.append((operand, pattern, source))
    pattern, entries = united([each for _, each, _ in made])
    aligned = iter(zip(made, entries, strict=True))
    first = made[0][0].dtype
    nodes: list[Node] = []
    fills: list[Any] = []
    for operand in operands:
        if isinstance(operand, SparseArray):
            (_, _, source), at = next(aligned)
            nodes.append(_aligned(operand, followed(source, at)))
            fills.append(np.asarray(operand.fill_value, operand.dtype))
        else:
            node = node_of(operand, first)
            if not node.shape:
                nodes.append(node)
                fills.append(np.asarray(Array(node)))
            else:
                dense = np.asarray(Array(node))
                nodes.append(leaf(np.broadcast_to(dense, shape)[tuple(coordinates_of(pattern))]))
                fills.append(dense)
    with np.errstate(all="ignore"):
        fill = np.asarray(Array(elementwise(operation, *map(leaf, fills))))
    if fill.ndim and fill.size:
        if not _same(fill, fill.reshape(-1)[0]).all():
            raise ValueError(f"{name} of a sparse and a dense array is dense here: use `to_dense`")
        fill = fill.reshape(-1)[0]
    elif fill.ndim:
        fill = np.zeros((), fill.dtype)
    result = elementwise(operation, *nodes)
    if result.shape != (len(pattern),):
        result = leaf(np.broadcast_to(np.asarray(Array(result)), (len(pattern),)))
    return SparseArray(pattern, result, fill)


def _shaped(value: Any) -> Any:
    return np.empty(0).reshape(0)[:0] if value is None else _Shaped(value)


class _Shaped:
    """What NumPy asks for a shape alone."""

    def __init__(self, value: Any):
        self.shape = value.shape if hasattr(value, "shape") else np.shape(value)


def _aligned(array: SparseArray, entries: Any) -> Node:
    """Return the values of an array at entries, its fill value where these are -1."""
    values = array._values  # pyright: ignore[reportPrivateUsage]
    if entries is None:
        return values
    fill = np.full(1, array.fill_value, array.dtype)
    if _same(fill, np.zeros(1, array.dtype)).all():
        return leaf(gathered(Array(values).to_numpy(), entries))
    return leaf(np.concatenate([Array(values).to_numpy(), fill]).take(entries))


def _product(one: Any, other: Any) -> Any:
    """Return the product of matrices of which at least one is sparse: sparse if both are."""
    for operand in (one, other):
        if isinstance(operand, SparseArray):
            operand._check_zero("products")  # pyright: ignore[reportPrivateUsage]
    if (
        isinstance(one, SparseArray)
        and isinstance(other, SparseArray)
        and one.ndim == other.ndim == 2
        and _is_mostly_empty(one, other)
    ):
        return _product_of_few(one, other)
    left, right = map(_side, (one, other))
    if left.ndim != 2 or right.ndim != 2:
        found: Any = left @ right
    elif left.shape[1] != right.shape[0]:
        raise ValueError(f"a product of arrays of shapes {left.shape} and {right.shape}")
    else:
        found = product(left, right)
    if isinstance(one, SparseArray) and isinstance(other, SparseArray):
        return _of_rows(found.tocsr(), 0)
    return Array(leaf(np.asarray(found)))


_LISTS = 1 << 24
"""Matrices with more rows or columns may have far fewer elements, and be better off without."""


def _is_mostly_empty(*matrices: SparseArray) -> bool:
    """Return whether most rows or columns have no elements, and would take much memory."""
    lists = max(extent for matrix in matrices for extent in matrix.shape)
    return lists > max(_LISTS, 8 * sum(matrix._values.size for matrix in matrices))  # pyright: ignore[reportPrivateUsage]


def _product_of_few(one: SparseArray, other: SparseArray) -> SparseArray:
    """Return a product by the rows and columns that have elements, numbered without gaps."""
    if one.shape[1] != other.shape[0]:
        raise ValueError(f"a product of arrays of shapes {one.shape} and {other.shape}")
    (rows, inner), (between, columns) = one.coords, other.coords
    terms = np.unique(np.concatenate([inner, between]))
    kept_rows, kept_columns = np.unique(rows), np.unique(columns)
    left: Any = (np.searchsorted(kept_rows, rows), np.searchsorted(terms, inner)), one.data
    right: Any = (
        (np.searchsorted(terms, between), np.searchsorted(kept_columns, columns)),
        other.data,
    )
    small = _product(
        sparse(left, shape=(len(kept_rows), len(terms))),
        sparse(right, shape=(len(terms), len(kept_columns))),
    )
    at, along = small.coords
    found = from_coordinates(
        (one.shape[0], other.shape[1]), np.asarray([kept_rows[at], kept_columns[along]])
    )
    return SparseArray(found.pattern, leaf(small.data), small.fill_value)


def _side(operand: Any) -> Any:
    """Return an operand of a product as SciPy or NumPy has it."""
    if not isinstance(operand, SparseArray):
        return np.asarray(Array(node_of(operand)))
    if operand.ndim != 2:
        raise ValueError(f"sparse products are of matrices, not of {operand.ndim} dimensions")
    return operand._matrix()  # pyright: ignore[reportPrivateUsage]


def _operator(name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    def forward(self: SparseArray, other: Any) -> Any:
        return apply(name, self, other)

    def backward(self: SparseArray, other: Any) -> Any:
        return apply(name, other, self)

    return forward, backward


for _each in OPERATORS:
    for _prefix, _made in zip(("", "r"), _operator(_each.ufunc), strict=True):
        setattr(SparseArray, f"__{_prefix}{_each.method}__", _made)
for _each in COMPARISONS:
    setattr(SparseArray, f"__{_each.method}__", _operator(_each.ufunc)[0])


def sparse(x: Any, /, *, fill_value: Any = None, shape: Sequence[int] | None = None) -> SparseArray:
    """Return the sparse array of what is given.

    Parameters
    ----------
    x
        A sparse array of SciPy's or of pydata's, an array of which the elements that are not
        `fill_value` are taken, or, with a `shape`, a pair of coordinates, a row for each axis, and
        values, of which those at one place are added.
    fill_value
        The value of all other elements, by default 0, and that of an array of pydata's.

    Raises
    ------
    IndexError
        If a coordinate lies outside of the shape.
    """
    if isinstance(x, SparseArray):
        return x
    if shape is not None:
        coordinates, values = x
        return _of_coordinates(tuple(map(int, shape)), coordinates, values, fill_value)
    if hasattr(x, "coords") and hasattr(x, "fill_value"):
        fill = x.fill_value if fill_value is None else fill_value
        return _of_coordinates(tuple(x.shape), x.coords, x.data, fill)
    if hasattr(x, "tocsr") and len(x.shape) == 2:
        return _of_rows(_checked_rows(x), fill_value)
    if hasattr(x, "tocoo"):
        entries = x.tocoo()
        coordinates = getattr(entries, "coords", None) or (entries.row, entries.col)
        return _of_coordinates(tuple(x.shape), coordinates, entries.data, fill_value)
    array = Array(node_of(x)).to_numpy()
    fill = np.zeros((), array.dtype)[()] if fill_value is None else fill_value
    places: Any = np.flatnonzero(~_same(array, fill))
    values = leaf(array.reshape(-1)[places])
    return SparseArray(of_positions(places, array.shape), values, fill)


def _checked_rows(matrix: Any) -> Any:
    """Return a matrix of SciPy's in order, with indices of its own: patterns do not change."""
    rows = matrix.tocsr(copy=True)
    try:
        rows.check_format(full_check=True)
    except ValueError as error:
        raise IndexError(f"the indices of the matrix: {error}") from None
    rows.sum_duplicates()
    return rows


def _of_rows(rows: Any, fill_value: Any) -> SparseArray:
    """Return a matrix of SciPy's whose rows are in order, and that nobody else has."""
    pattern = of_rows(rows.indptr, rows.indices, rows.shape, 1)
    fill = np.zeros((), rows.dtype)[()] if fill_value is None else fill_value
    return SparseArray(pattern, leaf(rows.data), fill)


def _of_coordinates(
    shape: tuple[int, ...], coordinates: Any, values: Any, fill_value: Any
) -> SparseArray:
    given = np.asarray(values)
    rows = np.asarray([np.asarray(row) for row in coordinates]).reshape(len(shape), -1)
    given = np.broadcast_to(given, rows.shape[1:])
    pattern, order, first = from_coordinates(shape, rows)
    summed = np.array(given) if order is None else given[order]
    if len(first) < len(summed):
        summed = np.add.reduceat(summed, first)
    fill = np.zeros((), summed.dtype)[()] if fill_value is None else fill_value
    return SparseArray(pattern, leaf(np.asarray(summed, given.dtype)), fill)
