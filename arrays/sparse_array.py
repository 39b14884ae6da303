"""Sparse arrays: elements of their own at some positions, and one value at all others.

    s = da.sparse(matrix)                       # what is not 0
    t = da.exp(s.T) - 1                         # fill_value 0 again: exp(0) - 1
    (s * t).sum(axis=0) @ dense

The values are a lazy vector. A function of the elements is that function of the values, and of the
value at all other positions, so that a chain of them over one pattern is one kernel. Patterns are
computed on the driver, at once, and products by compressed rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from diablo.array.concatenation import concatenated
from diablo.array.elementwise_operations import ELEMENTWISE, converted, elementwise, operation_of
from diablo.array.expression_graph import Node, leaf
from diablo.array.lazy_array import Array, node_of
from diablo.array.manipulation_functions import axes_of
from diablo.array.python_operators import COMPARISONS, OPERATORS
from diablo.array.sparse_pattern import Pattern, broadcast, found_in, from_coordinates, united

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
        return self._pruned()._pattern.coordinates

    @property
    def data(self) -> NDArray[Any]:
        """Their values, in that order."""
        return Array(self._pruned()._values).to_numpy()

    def _pruned(self) -> SparseArray:
        """Return this without elements that are `fill_value`."""
        if not self._is_pruned:
            values = Array(self._values).to_numpy()
            kept = ~_same(values, self.fill_value)
            if not kept.all():
                self._pattern, self._values = self._pattern.chosen(kept), leaf(values[kept])
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
        values, pattern, fill = Array(self._values).to_numpy(), self._pattern, self.fill_value
        result = np.full(self.shape, fill, self.dtype)
        result.reshape(-1)[pattern.places] = values
        return Array(leaf(result))

    def to_numpy(self) -> NDArray[Any]:
        """Return all elements as an array of NumPy's."""
        return self.to_dense().to_numpy()

    def to_scipy(self) -> Any:
        """Return the elements in compressed rows; a `ValueError` if most are not 0."""
        self._check_zero("SciPy's arrays")
        if self.ndim != 2:
            raise ValueError(f"SciPy's compressed rows have two dimensions, and not {self.ndim}")
        from scipy.sparse import csr_array

        rows: Any = self._pattern.row_starts
        columns = self._pattern.coordinates[1]
        return csr_array((Array(self._values).to_numpy(), columns, rows), shape=self.shape)

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
        shape = tuple([self.shape[axis] for axis in order])
        return self._moved(shape, self._pattern.coordinates[order])

    @property
    def T(self) -> SparseArray:
        """The axes in the opposite order."""
        return self.transpose()

    def _moved(self, shape: tuple[int, ...], coordinates: Any) -> SparseArray:
        """Return the elements at other positions."""
        pattern, order, _ = from_coordinates(shape, coordinates)
        return SparseArray(pattern, _taken(self._values, order), self.fill_value)

    def reshape(self, *shape: Any) -> SparseArray:
        """Return the elements in their order with another shape, of which one may be -1."""
        given = cast("Any", shape[0]) if len(shape) == 1 and np.iterable(shape[0]) else shape
        wanted = list(map(int, given))
        if wanted.count(-1) == 1:
            rest = prod([extent for extent in wanted if extent != -1])
            wanted[wanted.index(-1)] = self.size // rest if rest else 0
        if prod(wanted) != self.size:
            raise ValueError(f"an array of shape {self.shape} cannot have the shape {given}")
        pattern = Pattern(tuple(wanted), self._pattern.places)
        return SparseArray(pattern, self._values, self.fill_value)

    def __getitem__(self, index: Any) -> Any:
        parts = cast("tuple[Any, ...]", index) if isinstance(index, tuple) else (index,)
        given = sum(part is not None and part is not Ellipsis for part in parts)
        if given > self.ndim:
            raise IndexError(f"{given} indices for an array of {self.ndim} dimensions")
        full = [slice(None)] * (self.ndim - given)
        place = next((k for k, part in enumerate(parts) if part is Ellipsis), len(parts))
        coordinates = self._pattern.coordinates
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
        chosen_rows = np.asarray([row[at] for row in rows])
        pattern, order, _ = from_coordinates(tuple(shape), chosen_rows)
        return SparseArray(pattern, _taken(self._values, at[order]), self.fill_value)

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
        shape = tuple([self.shape[k] for k in kept])
        count = prod([self.shape[k] for k in axes])
        pattern, order, first = from_coordinates(shape, self._pattern.coordinates[kept])
        values = Array(self._values).to_numpy()[order]
        made = ufunc.reduceat(values, first) if len(first) else values[:0]
        like: Any = ufunc.reduce(np.full(1, self.fill_value, self.dtype))
        made = made.astype(np.result_type(like))
        left = count - np.diff(np.concatenate([first, [len(values)]]))
        with np.errstate(all="ignore"):
            made = np.where(left > 0, ufunc(made, self._repeated(ufunc, left)), made)
            fill = self._repeated(ufunc, np.asarray([count]))[0]
        if keepdims:
            full = tuple([1 if k in axes else e for k, e in enumerate(self.shape)])
            pattern = Pattern(full, pattern.places)
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
    """Return the values at places, without a copy if these are all in order."""
    if len(places) == values.size and np.array_equal(places, np.arange(len(places))):
        return values
    return leaf(Array(values).to_numpy()[places])


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
    pattern = united([each for _, each, _ in made])
    aligned = iter(made)
    first = made[0][0].dtype
    nodes: list[Node] = []
    fills: list[Any] = []
    for operand in operands:
        if isinstance(operand, SparseArray):
            nodes.append(_aligned(*next(aligned), pattern))
            fills.append(np.asarray(operand.fill_value, operand.dtype))
        else:
            node = node_of(operand, first)
            if not node.shape:
                nodes.append(node)
                fills.append(np.asarray(Array(node)))
            else:
                whole = np.broadcast_to(np.asarray(Array(node)), shape)
                nodes.append(leaf(whole.reshape(-1)[pattern.places]))
                fills.append(whole)
    with np.errstate(all="ignore"):
        fill = np.asarray(Array(elementwise(operation, *map(leaf, fills))))
    if fill.ndim and fill.size:
        if not _same(fill, fill.reshape(-1)[0]).all():
            raise ValueError(f"{name} of a sparse and a dense array is dense here: use `to_dense`")
        fill = fill.reshape(-1)[0]
    elif fill.ndim:
        fill = np.zeros((), fill.dtype)
    result = elementwise(operation, *nodes)
    if result.shape != pattern.places.shape:
        result = leaf(np.broadcast_to(np.asarray(Array(result)), pattern.places.shape))
    return SparseArray(pattern, result, fill)


def _shaped(value: Any) -> Any:
    return np.empty(0).reshape(0)[:0] if value is None else _Shaped(value)


class _Shaped:
    """What NumPy asks for a shape alone."""

    def __init__(self, value: Any):
        self.shape = value.shape if hasattr(value, "shape") else np.shape(value)


def _aligned(array: SparseArray, own: Pattern, source: Any, pattern: Pattern) -> Node:
    """Return the values of an array, broadcast to a pattern of its own, at another's positions."""
    values = array._values  # pyright: ignore[reportPrivateUsage]
    if source is None and own is pattern:
        return values
    at = found_in(own, pattern)
    missing = at == len(own)
    if source is not None:
        at = np.concatenate([source, [0]])[at]
    fill = leaf(np.full(1, array.fill_value, array.dtype))
    padded = np.asarray(Array(concatenated([values, fill], 0, array.dtype)))
    return leaf(padded[np.where(missing, len(padded) - 1, at)])


def _product(one: Any, other: Any) -> Any:
    """Return the product of matrices of which at least one is sparse: sparse if both are."""
    for operand in (one, other):
        if isinstance(operand, SparseArray):
            operand._check_zero("products")  # pyright: ignore[reportPrivateUsage]
    left, right = (
        o.to_scipy() if isinstance(o, SparseArray) else np.asarray(Array(node_of(o)))
        for o in (one, other)
    )
    found: Any = left @ right
    if isinstance(one, SparseArray) and isinstance(other, SparseArray):
        return sparse(found)
    return Array(leaf(np.asarray(found)))


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
    if hasattr(x, "tocoo"):
        entries = x.tocoo()
        coordinates = getattr(entries, "coords", None) or (entries.row, entries.col)
        return _of_coordinates(tuple(x.shape), coordinates, entries.data, fill_value)
    array = Array(node_of(x)).to_numpy()
    fill = np.zeros((), array.dtype)[()] if fill_value is None else fill_value
    places: Any = np.flatnonzero(~_same(array, fill))
    values = leaf(array.reshape(-1)[places])
    return SparseArray(Pattern(array.shape, places), values, fill)


def _of_coordinates(
    shape: tuple[int, ...], coordinates: Any, values: Any, fill_value: Any
) -> SparseArray:
    given = np.asarray(values)
    rows = np.asarray([np.asarray(row) for row in coordinates]).reshape(len(shape), -1)
    given = np.broadcast_to(given, rows.shape[1:])
    pattern, order, first = from_coordinates(shape, rows)
    summed = given[order]
    if len(first) < len(summed):
        summed = np.add.reduceat(summed, first)
    fill = np.zeros((), summed.dtype)[()] if fill_value is None else fill_value
    return SparseArray(pattern, leaf(np.asarray(summed, given.dtype)), fill)
