"""Sparse arrays: elements of their own at some positions, and one value at all others.

    s = da.sparse(matrix)                       # what is not 0
    t = da.exp(s.T) - 1                         # fill_value 0 again: exp(0) - 1
    (s * t).sum(axis=0) @ dense

All of it is lazy: functions of elements, over arrays of several patterns too
(`sparse_expressions.py`), folds (`sparse_folds.py`), products (`deferred_products.py`) and elements
at other places (`sparse_selection.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.array.axis_parts import One, Part, Places, Slice
from diablo.array.closing import Closable
from diablo.array.deferred_products import product, product_at_mask
from diablo.array.driver_operations import called
from diablo.array.elementwise_operations import ELEMENTWISE, elementwise, operation_of
from diablo.array.entry_products import as_matrix, check_zero
from diablo.array.evaluation import DEFAULT, Options, persist, release
from diablo.array.evaluation import compute as compute_nodes
from diablo.array.expression_graph import Node, leaf
from diablo.array.lazy_array import Array, node_of, options
from diablo.array.manipulation_functions import axes_of, axis_of, extents_of, integer, order_of
from diablo.array.python_operators import COMPARISONS, OPERATORS, comparable
from diablo.array.sparse_entries import (
    Entries,
    is_sparse,
    number_of,
    of_given,
    with_shape,
)
from diablo.array.sparse_expressions import (
    NoFillValueError,
    deferred,
    entries_of,
    function_of,
    repeated,
    turned,
)
from diablo.array.sparse_folds import first_extreme, fold_of, variance_of
from diablo.array.sparse_joints import Content, as_type
from diablo.array.sparse_selection import (
    index_of,
    is_integer,
    is_mask,
    masked,
    selected,
    shape_of,
)
from diablo.runtime.arrays.patterns.boxes import flat_positions
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.device.device_names import DeviceName
from diablo.runtime.memory_limit import reserve
from diablo.runtime.program.run_main import Engine

FUNCTIONS: dict[Callable[..., Any], Callable[..., Any]] = {}
"""What answers NumPy's functions (`sparse_functions.py`)."""


class SparseArray:
    """An array of which most elements are `fill_value`."""

    __array_priority__ = 2000.0

    def __init__(self, content: Content):
        self._content = content

    @property
    def content(self) -> Content:
        """What it has, or how that is computed."""
        return self._content

    @property
    def entries(self) -> Entries:
        """The elements of their own, whose positions are computed if they are not there."""
        return self.entries_with(DEFAULT)

    # ---- what it is ----------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents."""
        return self._content.shape

    @property
    def dtype(self) -> Any:
        """The type of the elements."""
        return self._content.dtype

    @property
    def fill_value(self) -> Any:
        """The element at all positions that have none of their own."""
        return self._content.fill

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
        return len(self.entries.prune().pattern)

    @property
    def nbytes(self) -> int:
        """The bytes that these take, with their positions."""
        entries = self.entries.prune()
        return entries.pattern.nbytes + Array(entries.values).to_numpy().nbytes

    @property
    def density(self) -> float:
        """The part of the elements that differ from `fill_value`."""
        return self.nnz / self.size if self.size else 0.0

    @property
    def is_computed(self) -> bool:
        """Whether its elements are there."""
        content = self._content
        entries = content if isinstance(content, Entries) else content.found
        return entries is not None and entries.values.value is not None

    @property
    def coords(self) -> NDArray[np.int64]:
        """Where the elements are that differ: a row for each axis, in C order."""
        return self.entries.prune().coordinates()

    @property
    def data(self) -> NDArray[Any]:
        """Their values, in that order."""
        return self.entries.prune().in_order()

    def nonzero(self) -> tuple[NDArray[np.int64], ...]:
        """Return the index along each axis of the elements that are not 0, in C order."""
        check_zero(self.entries, "positions that are not 0")
        return tuple(self.coords)

    def __repr__(self) -> str:
        shape = "x".join(map(str, self.shape))
        return f"<sparse {shape} {self.dtype}, {self.nnz} elements, else {self.fill_value}>"

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of an array without dimensions")
        return self.shape[0]

    def __reduce__(self) -> Any:
        entries = entries_of(self._content)
        values = Array(entries.values).to_numpy()
        return _restored, (entries.pattern, values, entries.fill)

    def __copy__(self) -> SparseArray:
        return SparseArray(self._content)

    def __deepcopy__(self, memo: Any) -> SparseArray:
        return SparseArray(self._content)

    def __iter__(self) -> Iterator[Any]:
        return map(self.__getitem__, range(len(self)))

    # ---- what computes it ----------------------------------------------------------

    def compute(
        self,
        *,
        engine: Engine | None = None,
        master: str | None = None,
        block_size: int | None = None,
        memory: str | int | None = None,
        device: DeviceName = "cpu",
    ) -> SparseArray:
        """Compute the elements, and return the array.

        The options are those of `Array.compute`. Positions, and functions of arrays whose positions
        differ, are computed in this process whatever they say.
        """
        wanted = options(engine, master, block_size, memory, device)
        compute_nodes([self.entries_with(wanted).values], wanted)
        return self

    def persist(
        self,
        *,
        engine: Engine | None = None,
        master: str | None = None,
        block_size: int | None = None,
        memory: str | int | None = None,
        device: DeviceName = "cpu",
    ) -> PersistedSparse:
        """Compute it, and keep the elements until what is returned is closed.

        All expressions of it read them meanwhile, those that were written before too. The options
        are those of `compute`.
        """
        wanted = options(engine, master, block_size, memory, device)
        content = self._content
        if isinstance(content, Entries):
            values = content.values
            persist(values, wanted)
            return PersistedSparse(content, partial(release, values))
        if not content.hold():
            return PersistedSparse(content, None)
        kept = PersistedSparse(content, content.release)
        content.found = entries_of(content, wanted)
        compute_nodes([content.found.values], wanted)
        return kept

    def entries_with(self, wanted: Options) -> Entries:
        """Return the elements of their own, whose positions are computed as options say."""
        content = self._content
        if isinstance(content, Entries):
            return content
        entries = entries_of(content, wanted)
        if not content.holders:
            content.found = self._content = entries
        return entries

    def item(self) -> Any:
        """Return the only element as a number of Python's."""
        if self.size != 1:
            raise ValueError(f"an array of {self.size} elements is no number")
        return self.to_numpy().item()

    def __index__(self) -> int:
        if self.dtype.kind not in "iu":
            raise TypeError("an index is an integer")
        return int(self._number())

    def _number(self) -> Any:
        if self.ndim:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return self.item()

    def __float__(self) -> float:
        return float(self._number())

    def __int__(self) -> int:
        return int(self._number())

    def __complex__(self) -> complex:
        return complex(self._number())

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError("the truth value of an array of several elements: use any() or all()")
        return bool(self.item())

    # ---- as others -----------------------------------------------------------------

    def to_dense(self) -> Array:
        """Return it as a lazy array that has all elements."""
        return Array(called(_dense, (), self.shape, self.dtype, {"content": self._content}))

    def to_numpy(self) -> NDArray[Any]:
        """Return all elements as an array of NumPy's."""
        return self.to_dense().to_numpy()

    def to_scipy(self) -> Any:
        """Return the elements in compressed rows; a `ValueError` if most are not 0."""
        check_zero(self.entries, "SciPy's arrays")
        if self.ndim != 2:
            raise ValueError(f"SciPy's compressed rows have two dimensions, and not {self.ndim}")
        return as_matrix(self.entries).tocsr(copy=True)

    def program_tile(self) -> SparseTile:
        """Return what programs are given for it; a `ValueError` if most elements are not 0."""
        check_zero(self.entries, "sparse arrays of programs")
        entries = self.entries.prune()
        values = Array(entries.values).to_numpy()
        return SparseTile.on_pattern(entries.pattern, values, min(1, max(0, self.ndim - 1)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        raise TypeError(
            "a sparse array is made dense by its `to_dense()`, and not unasked; to its left "
            "a matrix of SciPy's has to be one as well: `da.sparse(matrix) * s`"
        )

    def __array_namespace__(self, /, *, api_version: str | None = None) -> Any:
        return Array(node_of(0)).__array_namespace__(api_version=api_version)

    @property
    def device(self) -> str:
        """Where the elements are: in this process."""
        return "cpu"

    def to_device(self, device: Any, /, *, stream: Any = None) -> SparseArray:
        """Return it: elements are nowhere else."""
        if device != "cpu" or stream is not None:
            raise ValueError(f'sparse arrays are in this process, "cpu", and not on {device!r}')
        return self

    def astype(self, dtype: Any, *, copy: bool = True) -> SparseArray:
        """Return elements of another type; a `TypeError` unless of numbers or truth values."""
        wanted = np.dtype(dtype)
        if wanted.kind not in "biufc":
            raise TypeError(f"elements are numbers or truth values, and not {wanted}")
        if self.dtype.kind == "c" and wanted.kind not in "cb":
            raise TypeError(f"complex numbers are no elements of {wanted}; use real or imag")
        return SparseArray(as_type(self._content, wanted))

    def copy(self) -> SparseArray:
        """Return the same elements: a sparse array does not change."""
        return SparseArray(self._content)

    # ---- other places --------------------------------------------------------------

    def transpose(self, *axes: Any) -> SparseArray:
        """Return the axes in another order, the opposite one if none is given."""
        given = axes[0] if len(axes) == 1 and not is_integer(axes[0]) else axes
        order = list(axes_of(order_of(given), self.ndim)) if axes else list(range(self.ndim))[::-1]
        if len(order) != self.ndim:
            raise ValueError(f"the axes {given} are no order of {self.ndim} dimensions")
        return SparseArray(turned(self._content, order))

    @property
    def T(self) -> SparseArray:
        """The axes in the opposite order."""
        return self.transpose()

    @property
    def mT(self) -> SparseArray:
        """The last two axes exchanged."""
        if self.ndim < 2:
            raise ValueError("a vector has no matrix to transpose")
        return self.swapaxes(-1, -2)

    def swapaxes(self, one: int, other: int) -> SparseArray:
        """Return two axes exchanged."""
        first, second = axes_of((one, other), self.ndim) if one != other else (0, 0)
        order = list(range(self.ndim))
        order[first], order[second] = order[second], order[first]
        return self.transpose(order)

    def reshape(self, *shape: Any) -> SparseArray:
        """Return the elements in their order with another shape, of which one may be -1."""
        given = extents_of(shape[0] if len(shape) == 1 else shape)
        wanted = list(given)
        if wanted.count(-1) == 1:
            rest = prod([extent for extent in wanted if extent != -1])
            wanted[wanted.index(-1)] = self.size // rest if rest else 0
        if prod(wanted) != self.size or any(extent < 0 for extent in wanted):
            raise ValueError(f"an array of shape {self.shape} cannot have the shape {given}")
        if tuple(wanted) == self.shape:
            return SparseArray(self._content)
        return self.moved(wanted, lambda entries: with_shape(entries, wanted))

    def flatten(self) -> SparseArray:
        """Return the elements in C order along one axis."""
        return self.reshape(-1)

    def squeeze(self, axis: Any = None) -> SparseArray:
        """Return it without axes of extent 1, all of them or those given."""
        ones = [k for k, extent in enumerate(self.shape) if extent == 1]
        gone = ones if axis is None else list(axes_of(axis, self.ndim))
        if not set(gone) <= set(ones):
            raise ValueError("only axes of extent 1 can be left out")
        parts = [One(0) if k in gone else _whole(e) for k, e in enumerate(self.shape)]
        return self.taken(parts) if len(gone) < self.ndim else self.reshape(())

    def broadcast_to(self, shape: Sequence[int]) -> SparseArray:
        """Return the elements repeated along new axes, and those of extent 1."""
        wanted = extents_of(shape)
        added = len(wanted) - self.ndim
        if added < 0 or any(
            own not in (1, extent) for own, extent in zip(self.shape, wanted[added:], strict=True)
        ):
            raise ValueError(f"an array of shape {self.shape} cannot be broadcast to {wanted}")
        return SparseArray(repeated(self._content, wanted))

    def __getitem__(self, index: Any) -> Any:
        if is_mask(index, self.shape):
            given = _of_others(index)
            mask = given.entries if isinstance(given, SparseArray) else np.asarray(given)
            return SparseArray(masked(self.entries, mask))
        if _is_mask_of_lines(index, self.shape):
            index = index.nonzero()  # No array of all truth values is made.
        parts, points, first = index_of(index, self.shape)
        if points:
            return self.taken(parts)._at_points(points, first)
        if shape_of(parts):
            return self.taken(parts)
        entries = self.entries
        entry = entries.pattern.find_one([part.place for part in parts if isinstance(part, One)])
        return entries.fill if entry < 0 else Array(entries.values).to_numpy()[entry]

    def _at_points(self, points: Mapping[int, NDArray[np.int64]], first: int) -> SparseArray:
        """Return the elements at places along several axes at once, with axes for these."""
        axes = sorted(points)
        rest = [axis for axis in range(self.ndim) if axis not in axes]
        order = [*rest[:first], *axes, *rest[first:]]
        together = np.broadcast_arrays(*[points[axis] for axis in axes])
        extents = [self.shape[axis] for axis in axes]
        flat = flat_positions([row.reshape(-1) for row in together], extents, together[0].size)
        outer, inner = [
            [self.shape[axis] for axis in part] for part in (rest[:first], rest[first:])
        ]
        lines = self.transpose(order).reshape((*outer, prod(extents), *inner))
        found = lines.taken([*map(_whole, outer), Places(flat, prod(extents)), *map(_whole, inner)])
        return found.reshape((*outer, *together[0].shape, *inner))

    def taken(self, parts: Sequence[Part]) -> SparseArray:
        """Return what parts take of the axes, or make of them."""
        if all(map(Part.is_whole, parts, self.shape)) and len(parts) == self.ndim:
            return SparseArray(self._content)
        return self.moved(shape_of(parts), lambda entries: selected(entries, parts))

    def moved(self, shape: Sequence[int], move: Callable[[Entries], Entries]) -> SparseArray:
        """Return the elements at other places, which a function finds once somebody looks."""
        dtype, fill = self.dtype, self.fill_value
        return SparseArray(deferred(shape, dtype, fill, move, self._content))

    # ---- what is computed of the elements ------------------------------------------

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        operation = operation_of(ufunc)
        if ufunc is np.matmul and method == "__call__" and not options:
            return _product(*inputs)
        if method == "reduce" and {*options} <= {"axis", "keepdims"} and ufunc.__name__ in _FOLDS:
            axis, keepdims = options.get("axis", 0), options.get("keepdims", False)
            return inputs[0].reduce(ufunc, axis=axis, keepdims=keepdims)
        if method != "__call__" or options or operation is None:
            use = f"np.{ufunc.__name__}" + (f".{method}" if method != "__call__" else "")
            with_options = f" with {', '.join(options)}" if options else ""
            raise TypeError(
                f"{use}{with_options} has no sparse arrays: use `to_dense()`, or to_numpy()"
            )
        return apply(operation.name, *inputs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        counterpart = FUNCTIONS.get(function)
        if counterpart is None:
            name = f"{function.__module__}.{function.__name__}".replace("numpy", "np", 1)
            raise TypeError(f"{name} has no sparse arrays: use `to_dense()`, or to_numpy()")
        return counterpart(*args, **kwargs)

    def __matmul__(self, other: Any) -> Any:
        return _product(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return _product(other, self)

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return apply("floor_divide", self, other), apply("remainder", self, other)

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        return apply("floor_divide", other, self), apply("remainder", other, self)

    def __neg__(self) -> SparseArray:
        return apply("negative", self)

    def __pos__(self) -> SparseArray:
        return apply("positive", self)

    def __abs__(self) -> SparseArray:
        return apply("absolute", self)

    def __invert__(self) -> SparseArray:
        return apply("invert", self)

    def isnan(self) -> SparseArray:
        """Return which elements are NaN."""
        return apply("isnan", self)

    def isinf(self) -> SparseArray:
        """Return which elements are infinite."""
        return apply("isinf", self)

    def reduce(self, method: Any, axis: Any = None, *, keepdims: bool = False) -> SparseArray:
        """Return the elements combined along axes by a function of NumPy's, as `np.add`."""
        called_so = getattr(method, "__name__", method)
        name = _FOLDS.get(called_so) if isinstance(method, np.ufunc) else None
        if name is None:
            folds = ", ".join(_FOLDS)
            raise TypeError(f"sparse arrays are not folded by {called_so}, but by {folds}")
        fold = getattr(self, name, None)
        return (
            self._folded(method, axis, keepdims) if fold is None else fold(axis, keepdims=keepdims)
        )

    def sum(self, axis: Any = None, dtype: Any = None, *, keepdims: bool = False) -> SparseArray:
        """Return the sum along axes."""
        return self._summed(np.add, axis, dtype, keepdims)

    def prod(self, axis: Any = None, dtype: Any = None, *, keepdims: bool = False) -> SparseArray:
        """Return the product along axes."""
        return self._summed(np.multiply, axis, dtype, keepdims)

    def _summed(self, ufunc: np.ufunc, axis: Any, dtype: Any, keepdims: bool) -> SparseArray:
        if dtype is None:
            return self._folded(ufunc, axis, keepdims)
        # Of short integers NumPy folds wider ones, which are the same in the end.
        return self.astype(dtype)._folded(ufunc, axis, keepdims).astype(dtype)

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

    def var(self, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> SparseArray:
        """Return the mean square of what elements differ from their mean by, along axes.

        `ddof` is taken off their number, by which the sum of squares is divided.
        """
        inexact = self if self.dtype.kind in "fc" else self.astype(np.float64)
        axes = axes_of(axis, self.ndim)
        return SparseArray(variance_of(inexact.content, axes, ddof, keepdims=keepdims))

    def std(self, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> SparseArray:
        """Return the root of the variance along axes."""
        return apply("sqrt", self.var(axis, ddof=ddof, keepdims=keepdims))

    def argmax(self, axis: int | None = None, *, keepdims: bool = False) -> Any:
        """Return where along an axis, or among all elements, the first of the greatest is."""
        return self._first(np.maximum, axis, keepdims)

    def argmin(self, axis: int | None = None, *, keepdims: bool = False) -> Any:
        """Return where along an axis, or among all elements, the first of the least is."""
        return self._first(np.minimum, axis, keepdims)

    def _first(self, ufunc: Any, axis: int | None, keepdims: bool) -> SparseArray:
        array = self.reshape(-1) if axis is None else self
        along = axis_of(0 if axis is None else axis, array.ndim)
        if not array.shape[along]:
            raise ValueError("there is no greatest or least of no elements")
        gone = range(self.ndim) if axis is None else (along,)
        shape = [
            1 if k in gone else e for k, e in enumerate(self.shape) if keepdims or k not in gone
        ]

        def found(entries: Entries) -> Entries:
            places = with_shape(first_extreme(entries, ufunc, along), shape)
            return number_of(places) if not shape else places

        return SparseArray(deferred(shape, np.int64, 0, found, array.content))

    @property
    def real(self) -> SparseArray:
        """The real parts."""
        return apply("real", self) if self.dtype.kind == "c" else self

    @property
    def imag(self) -> SparseArray:
        """The imaginary parts."""
        return apply("imag", self)

    def conj(self) -> SparseArray:
        """Return the conjugates."""
        return apply("conjugate", self) if self.dtype.kind == "c" else self

    def clip(self, min: Any = None, max: Any = None) -> SparseArray:
        """Return the elements, those below `min` or above `max` replaced by these."""
        lower = self if min is None else apply("maximum", self, min)
        return lower if max is None else apply("minimum", lower, max)

    def round(self, decimals: int = 0) -> SparseArray:
        """Return the elements rounded to so many digits behind the point."""
        decimals = integer(decimals, "the number of digits")
        if self.dtype.kind not in "fc" and decimals >= 0:
            return self
        if not decimals:
            return apply("rint", self)
        factor = 10.0 ** abs(decimals)
        there, back = ("multiply", "divide") if decimals > 0 else ("divide", "multiply")
        return apply(back, apply("rint", apply(there, self, factor)), factor).astype(self.dtype)

    def dot(self, other: Any) -> Any:
        """Return sums of products along its last axis, and the last but one of the other."""
        rank = np.ndim(_of_others(other))
        if not rank or not self.ndim:
            return self * other
        if rank <= 2:
            return self @ other
        return FUNCTIONS[np.tensordot](self, other, axes=((-1,), (rank - 2,)))

    def __getattr__(self, name: str) -> Any:
        other = _ELSEWHERE.get(name)
        hint = f": use `{other}`" if other else ""
        raise AttributeError(f"a sparse array has no attribute {name!r}{hint}")

    def _folded(self, ufunc: Any, axis: Any, keepdims: bool) -> SparseArray:
        """Return elements combined along axes, those that are `fill_value` among them."""
        axes = axes_of(axis, self.ndim)
        return SparseArray(fold_of(self._content, ufunc, axes, keepdims=keepdims))


_FOLDS = {
    "add": "sum",
    "multiply": "prod",
    "maximum": "max",
    "minimum": "min",
    "logical_or": "any",
    "logical_and": "all",
    "fmax": "",
    "fmin": "",
    "bitwise_or": "",
    "bitwise_and": "",
}
"""What functions of NumPy's fold by, and the method of that name."""

_ELSEWHERE = {
    "amax": "max",
    "amin": "min",
    "asformat": "to_scipy",
    "linear_loc": "coords",
    "maybe_densify": "to_dense",
    "round_": "round",
    "toarray": "to_numpy",
    "tocoo": "to_scipy",
    "tocsc": "to_scipy",
    "tocsr": "to_scipy",
    "todense": "to_numpy",
    "to_scipy_sparse": "to_scipy",
}
"""What SciPy's and pydata's arrays call otherwise."""


class PersistedSparse(Closable, SparseArray):
    """A sparse array whose elements are kept until it is closed: a context manager.

    Closed it is the expression that it was. What is computed of it meanwhile may have the same
    positions, and then keeps these.
    """

    def __init__(self, content: Content, let_go: Callable[[], None] | None):
        super().__init__(content)
        self._let_go = let_go


def _is_mask_of_lines(index: Any, shape: Sequence[int]) -> bool:
    """Return whether an index is a sparse array of truth values, for some axes."""
    if not isinstance(index, SparseArray) or index.dtype.kind != "b" or index.fill_value:
        return False
    return 0 < index.ndim < len(shape) and index.shape == tuple(shape[: index.ndim])


def _restored(pattern: Pattern, values: NDArray[Any], fill: Any) -> SparseArray:
    return SparseArray(Entries(pattern, leaf(values), fill))


_COMPARED = frozenset(comparison.ufunc for comparison in COMPARISONS)


def apply(name: str, *operands: Any) -> Any:
    """Return an elementwise function of operands of which at least one is sparse.

    Of `fill_value` and the elements of a dense array that are not all alike it is dense, a lazy
    array, if that array has all the elements of the result.

    Raises
    ------
    ValueError
        If it would be dense, and there is no dense array of its size.
    """
    given = [_of_others(operand) for operand in operands]
    beside = _type_beside_numbers(given[1:] if name == "where" else given)
    if name in _COMPARED and beside is not None:
        given = [comparable(operand, beside) for operand in given]
    made = [o.content if isinstance(o, SparseArray) else _computed(o, beside) for o in given]
    operation = ELEMENTWISE[name]
    if name == "multiply" and (found := product_at_mask(*made)) is not None:
        return SparseArray(found)
    try:
        return SparseArray(function_of(operation, made))
    except NoFillValueError:
        shape = np.broadcast_shapes(*[content.shape for content in made])
        if not any(isinstance(content, Node) and content.shape == shape for content in made):
            raise
        dense = [o if isinstance(o, Node) else SparseArray(o).to_dense().node for o in made]
        return Array(elementwise(operation, *dense))


def _whole(extent: int) -> Part:
    return Slice(range(extent))


def _type_beside_numbers(operands: Sequence[Any]) -> Any:
    """Return the type that numbers of Python's take; None if there are only such."""
    arrays = [o for o in operands if hasattr(o, "dtype") and not isinstance(o, np.generic)]
    arrays.sort(key=lambda o: not isinstance(o, SparseArray))
    return arrays[0].dtype if arrays else None


def _dense(content: Content) -> Any:
    """Return all elements."""
    size = prod(content.shape) * content.dtype.itemsize
    reserve(size, "the elements of a sparse array of shape {}, all of them", content.shape)
    entries = entries_of(content)
    order = entries.pattern.order
    result = np.full([entries.shape[axis] for axis in order], entries.fill, entries.dtype)
    result.reshape(-1)[entries.pattern.flat(order)] = Array(entries.values).to_numpy()
    return result.transpose(np.argsort(order))


def _computed(operand: Any, beside: Any) -> Node:
    node = node_of(operand, beside)
    if node.value is None:
        compute_nodes([node], DEFAULT)
    return node


def as_sparse_operand(operand: Any) -> Any:
    """Return sparse arrays of all libraries as ours, and what is dense as a lazy array."""
    given = _of_others(operand)
    return given if isinstance(given, SparseArray) else Array(node_of(given))


def _of_others(operand: Any) -> Any:
    """Return sparse arrays of SciPy's and pydata's as ours, all else as it is."""
    return sparse(operand) if is_sparse(operand) else operand


def _product(one: Any, other: Any) -> Any:
    """Return the product of matrices of which at least one is sparse: sparse if both are.

    A stack of matrices to the left of one vector or matrix is a matrix of all their rows; other
    stacks are multiplied matrix by matrix.
    """
    one, other = _of_others(one), _of_others(other)
    if np.ndim(one) and np.ndim(other) and max(np.ndim(one), np.ndim(other)) > 2:
        for operand in (one, other):
            if isinstance(operand, SparseArray) and operand.fill_value != 0:
                fill = operand.fill_value
                raise ValueError(f"products are of arrays that are mostly 0, not {fill}")
        if np.ndim(one) == 1 or np.ndim(other) > 2:
            left = "i" if np.ndim(one) == 1 else "...hi"
            right = "i" if np.ndim(other) == 1 else "...ij"
            result = f"...{left[-2:-1]}{right[4:]}"
            return FUNCTIONS[np.einsum](f"{left},{right}->{result}", one, other)
    if np.ndim(one) > 2 and np.ndim(other) in (1, 2):
        stack = one if isinstance(one, SparseArray) else Array(node_of(one))
        *outer, inner = stack.shape
        rows = _product(stack.reshape((prod(outer), inner)), other)
        return rows.reshape((*outer, *rows.shape[1:]))
    found = product(_factor(one), _factor(other))
    return Array(found) if isinstance(found, Node) else SparseArray(found)


def _factor(operand: Any) -> Content | Node:
    given = _of_others(operand)
    return given.content if isinstance(given, SparseArray) else node_of(given)


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


def sparse(
    x: Any, /, *, fill_value: Any = None, shape: Sequence[int] | int | None = None
) -> SparseArray:
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
    return x if isinstance(x, SparseArray) else SparseArray(of_given(x, fill_value, shape))
