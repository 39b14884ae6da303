"""The lazy array: what users hold of a node of the graph.

    a = da.asarray(x);  b = (a + 1) / a.sum();  b.to_numpy()

Every operation makes a node and computes nothing. What is computed is kept, so it is not computed
again; what another expression needs of it is there then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import prod
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from diablo.array.closing import Closable
from diablo.array.driver_operations import (
    RESHAPED,
    Placeholder,
    assigned,
    filled,
    gathered,
)
from diablo.array.elementwise_operations import ELEMENTWISE, Elementwise, elementwise
from diablo.array.evaluation import DEFAULT, Options, compute, persist, release
from diablo.array.expression_graph import (
    LEAF,
    Node,
    broadcast,
    here,
    leaf,
    scalar,
    stays_with_spark,
)
from diablo.array.fold_operations import contracted
from diablo.array.given_arrays import array_of, of_spark
from diablo.array.python_operators import COMPARISONS, OPERATORS, comparable
from diablo.array.view_operations import indexed, permuted, too_many_indices
from diablo.diagnostics import InputError
from diablo.runtime.block_sizes import check_block_size
from diablo.runtime.device.device_names import DeviceName, check_one_device
from diablo.runtime.memory_limit import parse_size
from diablo.runtime.program.run_main import ENGINES, Engine
from diablo.runtime.results.result_types import is_large_with_spark

_NUMBERS = (bool, int, float, complex)
CPU = "cpu"


class Array:
    """An array that is computed when somebody looks at it."""

    __slots__ = ("__weakref__", "_node")

    __array_priority__ = 1000.0

    def __init__(self, node: Node):
        self._node = node

    # ---- what it is ----------------------------------------------------------------

    @property
    def node(self) -> Node:
        """The node of the graph that it stands for now."""
        return self._node

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents, computed if they depend on the data."""
        return known(self._node).shape

    @property
    def dtype(self) -> Any:
        """The type of the elements, as NumPy has it."""
        dtype = self._node.dtype
        return known(self._node).dtype if dtype is None else dtype

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    @property
    def nbytes(self) -> int:
        """How many bytes the elements take."""
        return self.size * self.dtype.itemsize

    @property
    def device(self) -> str:
        """Where it is: `"cpu"`."""
        return CPU

    @property
    def is_computed(self) -> bool:
        """Whether its elements are there."""
        return self._node.value is not None

    def to_device(self, device: str, /, *, stream: Any = None) -> Array:
        """Return it on a device, of which there is one, `"cpu"`."""
        if device != CPU:
            raise ValueError(f"there is no device {device!r}: arrays are on 'cpu'")
        return self

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of an array without dimensions")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise TypeError("iteration over an array without dimensions")
        if len(self.shape) == 1:  # A node for each number would be nobody's gain.
            for position in range(self.shape[0]):
                yield self._value()[position]
        else:
            for position in range(self.shape[0]):
                yield self[position]

    # ---- what computes -------------------------------------------------------------

    def compute(
        self,
        *,
        engine: Engine | None = None,
        master: str | None = None,
        block_size: int | None = None,
        memory: str | int | None = None,
        device: DeviceName = "cpu",
    ) -> Array:
        """Compute it and return it; see `diablo.array.compute`."""
        compute([self._node], options(engine, master, block_size, memory, device))
        return self

    def persist(
        self,
        *,
        engine: Engine | None = None,
        master: str | None = None,
        block_size: int | None = None,
        memory: str | int | None = None,
        device: DeviceName = "cpu",
    ) -> Persisted:
        """Compute it, and keep the elements until what is returned is closed.

        All expressions of it read them meanwhile, those that were written before too. The options
        are those of `diablo.array.compute`.
        """
        node = known(self._node)
        persist(node, options(engine, master, block_size, memory, device))
        return Persisted(node)

    def to_numpy(self) -> NDArray[Any]:
        """Return the elements, which nobody may write to: expressions may need them."""
        value = self._value()
        if value.flags.writeable:
            value = value.view()
            value.flags.writeable = False
        return value

    def _value(self) -> Any:
        node = self._node
        if node.value is None:
            compute([node])
        if stays_with_spark(node.value):
            node.value = here(node.value)
        return node.value

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        """Return the elements of a vector as Arrow hands arrays over; it needs pyarrow."""
        if self.ndim != 1:
            raise TypeError(f"an array of Arrow's has one dimension, and not {self.ndim}")
        from importlib import import_module

        return import_module("pyarrow").array(self.to_numpy()).__arrow_c_array__(requested_schema)

    def array_with_spark(self) -> Any:
        """Return the result that Spark has of it, computed if that is where it is; else None."""
        node = self._node
        if node.value is None:
            compute([node])
        return node.value if stays_with_spark(node.value) else None

    def to_rdd(self, *, master: str | None = None, block_size: int | None = None) -> Any:
        """Compute it on Spark and return the RDD of its blocks: pairs of a position and an array.

        They are there for as long as this array is. One of up to 2^20 elements, or that has been
        computed in this process, is sent.
        """
        from diablo.residence import rdd_of

        self.compute(engine="spark", master=master, block_size=block_size)
        there = self.array_with_spark()
        return rdd_of(self.to_numpy() if there is None else there, master, block_size)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        value = self.to_numpy()
        if dtype is not None and value.dtype != dtype:
            if copy is False:
                raise ValueError("another element type needs a copy")
            return value.astype(dtype)
        return value.copy() if copy else value

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[Any, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        value: Any = self._value()
        if not value.flags.writeable and (max_version is None or max_version < (1, 0)):
            value = value.copy()  # Nothing older says that it must not be written to.
        return value.__dlpack__(
            stream=stream, max_version=max_version, dl_device=dl_device, copy=copy
        )

    def __dlpack_device__(self) -> Any:
        return np.empty(0).__dlpack_device__()

    def item(self, *index: Any) -> Any:
        """Return the element as a number of Python's."""
        return self._value().item(*index)

    def tolist(self) -> Any:
        """Return the elements as lists of Python's numbers."""
        return self._value().tolist()

    def __bool__(self) -> bool:
        return bool(self._value())

    def __int__(self) -> int:
        return int(self._value())

    def __float__(self) -> float:
        return float(self._value())

    def __complex__(self) -> complex:
        return complex(self._value())

    def __index__(self) -> int:
        return self._value().__index__()

    def __repr__(self) -> str:
        return repr(self._value())

    def __str__(self) -> str:
        return str(self._value())

    def __format__(self, specification: str) -> str:
        return format(self._value(), specification)

    def __contains__(self, value: Any) -> bool:
        return value in self._value()

    def __reduce__(self) -> Any:
        return _restored, (self._value(),)

    def __copy__(self) -> Array:
        return Array(copied(self._node))

    def __deepcopy__(self, memo: Any) -> Array:
        return Array(copied(self._node))

    # ---- the namespaces ------------------------------------------------------------

    def __array_namespace__(self, /, *, api_version: str | None = None) -> ModuleType:
        import diablo.array as namespace

        if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12"):
            raise ValueError(f"there is no version {api_version!r} of the array API here")
        return namespace

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        from diablo.array.numpy_protocol import apply_ufunc

        return apply_ufunc(ufunc, method, inputs, options)

    def __array_function__(
        self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any
    ) -> Any:
        from diablo.array.numpy_protocol import apply_function

        return apply_function(function, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # NumPy asks for some whenever it is given an array.
            raise AttributeError(f"a lazy array has no attribute {name!r}")
        from diablo.array.numpy_protocol import method_of

        return method_of(self, name)

    # ---- parts ---------------------------------------------------------------------

    def __getitem__(self, index: Any, /) -> Array:
        node = known(self._node)
        if _is_basic(index):
            return Array(indexed(node, index))
        parts, arrays, shape = _advanced(node, index)
        return Array(gathered(node, parts, arrays, shape))

    def __setitem__(self, index: Any, value: Any, /) -> None:
        node = known(self._node)
        given = node_of(value, node.dtype)
        parts: Sequence[Any]
        arrays: list[Node]
        if _is_basic(index):
            part = indexed(node, index)
            arrays = []
            parts = cast("tuple[Any, ...]", index) if isinstance(index, tuple) else (index,)
            _check_fits(given, part.shape, parts)
        else:
            parts, arrays, shape = _advanced(node, index)
            shape = _shape_chosen(node, parts, arrays) or shape
            is_mask = len(parts) == 1 and arrays[0].dtype.kind == "b"
            if is_mask and given.ndim > 1 and arrays[0].ndim == node.ndim:
                raise TypeError("truth values choose a vector, and a vector or number is put there")
            if shape is not None:
                _check_fits(given, shape, parts)
        if given.dtype.kind == "c" and node.dtype.kind not in "cb":
            raise TypeError(f"complex numbers cannot be put into an array of {node.dtype}")
        self._node = assigned(node, parts, arrays, given, self)

    @property
    def T(self) -> Array:
        """The axes in the opposite order."""
        return Array(permuted(known(self._node), range(self.ndim)[::-1]))

    @property
    def mT(self) -> Array:
        """The matrices of the last two axes transposed."""
        rank = self.ndim
        if rank < 2:
            raise ValueError("a matrix has two dimensions")
        return Array(permuted(known(self._node), [*range(rank - 2), rank - 1, rank - 2]))

    # ---- operators -----------------------------------------------------------------

    if TYPE_CHECKING:
        # Those of two arrays are made below, of the table of functions.
        # fmt: off
        def __add__(self, other: Any) -> Any: ...
        def __radd__(self, other: Any) -> Any: ...
        def __iadd__(self, other: Any) -> Any: ...
        def __sub__(self, other: Any) -> Any: ...
        def __rsub__(self, other: Any) -> Any: ...
        def __isub__(self, other: Any) -> Any: ...
        def __mul__(self, other: Any) -> Any: ...
        def __rmul__(self, other: Any) -> Any: ...
        def __imul__(self, other: Any) -> Any: ...
        def __truediv__(self, other: Any) -> Any: ...
        def __rtruediv__(self, other: Any) -> Any: ...
        def __itruediv__(self, other: Any) -> Any: ...
        def __floordiv__(self, other: Any) -> Any: ...
        def __rfloordiv__(self, other: Any) -> Any: ...
        def __ifloordiv__(self, other: Any) -> Any: ...
        def __mod__(self, other: Any) -> Any: ...
        def __rmod__(self, other: Any) -> Any: ...
        def __imod__(self, other: Any) -> Any: ...
        def __pow__(self, other: Any) -> Any: ...
        def __rpow__(self, other: Any) -> Any: ...
        def __ipow__(self, other: Any) -> Any: ...
        def __and__(self, other: Any) -> Any: ...
        def __rand__(self, other: Any) -> Any: ...
        def __iand__(self, other: Any) -> Any: ...
        def __or__(self, other: Any) -> Any: ...
        def __ror__(self, other: Any) -> Any: ...
        def __ior__(self, other: Any) -> Any: ...
        def __xor__(self, other: Any) -> Any: ...
        def __rxor__(self, other: Any) -> Any: ...
        def __ixor__(self, other: Any) -> Any: ...
        def __lshift__(self, other: Any) -> Any: ...
        def __rlshift__(self, other: Any) -> Any: ...
        def __ilshift__(self, other: Any) -> Any: ...
        def __rshift__(self, other: Any) -> Any: ...
        def __rrshift__(self, other: Any) -> Any: ...
        def __irshift__(self, other: Any) -> Any: ...
        def __lt__(self, other: Any) -> Any: ...
        def __le__(self, other: Any) -> Any: ...
        def __gt__(self, other: Any) -> Any: ...
        def __ge__(self, other: Any) -> Any: ...
        # fmt: on

    def __neg__(self) -> Array:
        return Array(elementwise(ELEMENTWISE["negative"], known(self._node)))

    def __pos__(self) -> Array:
        return Array(elementwise(ELEMENTWISE["positive"], known(self._node)))

    def __abs__(self) -> Array:
        return Array(elementwise(ELEMENTWISE["absolute"], known(self._node)))

    def __invert__(self) -> Array:
        return Array(elementwise(ELEMENTWISE["invert"], known(self._node)))

    def __matmul__(self, other: Any) -> Any:
        return _product(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return _product(other, self)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __imatmul__(self, other: Any) -> Array:
        return self.become(_product(self, other))

    def become(self, other: Any) -> Array:
        """Let this stand for another array of its shape, as an operator with `=` does."""
        if other is NotImplemented:
            return other
        if other.shape != self.shape:
            raise ValueError(f"an array of shape {self.shape} cannot become {other.shape}")
        if not np.can_cast(other.dtype, self.dtype, "same_kind"):
            raise TypeError(f"an array of {self.dtype} cannot become one of {other.dtype}")
        from diablo.array.elementwise_operations import converted

        self._node = converted(other.node, self.dtype)
        return self

    __hash__ = None  # pyright: ignore  (arrays are compared element by element)


class Persisted(Closable, Array):
    """An array whose elements are kept until it is closed: a context manager.

        with a.persist() as kept:
            total, most = float(kept.sum()), float(kept.max())

    Closed it is the expression that it was, and is computed again if somebody looks at it. What an
    array of NumPy's was made of stays as long as that is there.
    """

    __slots__ = ("_let_go",)

    def __init__(self, node: Node):
        super().__init__(node)
        self._let_go = partial(release, node)


def _restored(value: NDArray[Any]) -> Array:
    return Array(leaf(value))


def copied(node: Node) -> Node:
    """Return a node with elements that nobody else writes to, if they are there.

    So are those of a view of elements that are. An expression is what it is: it reads the elements
    that there are once it is computed.
    """
    base = node
    while base.value is None and (base.operation.is_view or base.operation is RESHAPED):
        base = base.operands[0]
    if base.operation is not LEAF or _elements(base) is None:
        return node
    return leaf(np.array(Array(node).to_numpy()))


def _elements(node: Node) -> NDArray[Any] | None:
    """Return the elements of a node if they are there, and in this process."""
    is_here: bool = isinstance(node.value, np.ndarray)
    return node.value if is_here else None


def known(node: Node) -> Node:
    """Return a node of which shape and type are known, computed if they depend on the data."""
    if node.shape is None or node.dtype is None:
        compute([node])
    return node


def options(
    engine: Engine | None,
    master: str | None,
    block_size: int | None,
    memory: str | int | None,
    device: DeviceName = "cpu",
) -> Options:
    """Return how to compute; an `InputError` for what there is not."""
    given = (engine, master, block_size, memory)
    if device == "cpu" and all(option is None for option in given):
        return DEFAULT
    if engine is not None and engine not in ENGINES:
        raise InputError(f"there is no engine {engine!r}: it is one of {', '.join(ENGINES)}")
    if master is not None and engine is None:
        engine = "spark"
    check_one_device(device)
    if device not in ("cpu", "auto") and engine == "spark":
        raise InputError(f"device {device!r} is for the local engine, but the engine is 'spark'")
    if block_size is not None:
        check_block_size(block_size)
    limit = None if memory is None else parse_size(memory)
    return Options(engine, master, block_size, limit, device)


# ---- operands ------------------------------------------------------------------------


def is_sparse_operand(value: Any) -> bool:
    """Return whether a value is a sparse array of ours, which has functions of its own."""
    return hasattr(value, "to_dense")


def node_of(value: Any, beside: Any = None) -> Node:
    """Return the node of an operand: a lazy array, a number beside a type, or what NumPy takes.

    Raises
    ------
    TypeError
        If it is no array of numbers, or a sparse array: these are not made dense unasked.
    """
    if type(value) is Array:
        return known(value.node)
    if isinstance(value, _NUMBERS) and not isinstance(value, np.generic):
        return scalar(value, beside) if beside is not None else leaf(np.asarray(value))
    if isinstance(value, Array):
        return known(value.node)
    if is_sparse_operand(value):
        raise TypeError("a sparse array is made dense by `to_dense()`: NumPy's functions take it")
    value = of_spark(value)
    if is_large_with_spark(value):
        return leaf(value)
    return leaf(array_of(value))


def operands(first: Any, second: Any) -> tuple[Node, Node]:
    """Return the nodes of two operands, of which one may be a number of Python's."""
    if type(first) is Array:
        one = known(first.node)
        return one, known(second.node) if type(second) is Array else node_of(second, one.dtype)
    if isinstance(first, _NUMBERS) and not isinstance(first, np.generic):
        other = node_of(second)
        return scalar(first, other.dtype), other
    one = node_of(first)
    return one, node_of(second, one.dtype)


_OPERANDS = (Array, np.ndarray, np.generic, bool, int, float, complex, list, tuple)


def _is_operand(value: Any) -> bool:
    return isinstance(value, _OPERANDS)


def _product(first: Any, second: Any) -> Any:
    if not (_is_operand(first) and _is_operand(second)):
        return NotImplemented
    return Array(matrix_product(node_of(first), node_of(second)))


def matrix_product(one: Node, other: Node) -> Node:
    """Return the product of matrices in the last two axes; a vector is a row, or a column."""
    if not one.ndim or not other.ndim:
        raise ValueError("a product of matrices has no operands without dimensions")
    if one.ndim == 1 and other.ndim == 1:
        return contracted(one, other, (0,), (0,), 0)
    if other.ndim == 1:
        last = one.ndim - 1
        return contracted(one, other, range(one.ndim), (last,), last)
    if one.ndim == 1:
        rank = other.ndim - 1
        dims = [*range(rank - 1), rank, rank - 1]
        return contracted(one, other, (rank,), dims, rank)
    if one.shape[-1] != other.shape[-2]:
        message = f"arrays of shapes {one.shape} and {other.shape} cannot be multiplied"
        raise ValueError(f"{message}: {one.shape[-1]} is not {other.shape[-2]}")
    outer = broadcast(one.shape[:-2], other.shape[:-2])
    rank = len(outer) + 2
    one_dims = _outer_dims(one, outer)
    other_dims = _outer_dims(other, outer)
    # A stack of one is that matrix for all of the other's.
    left = [*one_dims, rank - 2, rank]
    right = [*other_dims, rank, rank - 1]
    return contracted(_squeezed(one, outer), _squeezed(other, outer), left, right, rank)


def _outer_dims(node: Node, outer: tuple[int, ...]) -> list[int]:
    added = len(outer) - (node.ndim - 2)
    return [
        axis + added for axis in range(node.ndim - 2) if node.shape[axis] == outer[axis + added]
    ]


def _squeezed(node: Node, outer: tuple[int, ...]) -> Node:
    added = len(outer) - (node.ndim - 2)
    index = [
        slice(None) if node.shape[axis] == outer[axis + added] else 0
        for axis in range(node.ndim - 2)
    ]
    return indexed(node, tuple(index)) if 0 in index else node


def _binary(name: str) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """Return an operator, the one with its operands in the other order, and that with `=`."""
    operation: Elementwise = ELEMENTWISE[name]

    def forward(self: Array, other: Any) -> Any:
        if type(other) is not Array and not _is_operand(other):
            return NotImplemented
        first, second = operands(self, other)
        return Array(_binary_node(operation, first, second))

    def backward(self: Array, other: Any) -> Any:
        if not _is_operand(other):
            return NotImplemented
        first, second = operands(other, self)
        return Array(_binary_node(operation, first, second))

    def inplace(self: Array, other: Any) -> Any:
        return self.become(forward(self, other))

    return forward, backward, inplace


def _binary_node(operation: Elementwise, first: Node, second: Node) -> Node:
    if operation.name == "power":
        return powered(first, second)
    return elementwise(operation, first, second)


def powered(first: Node, second: Node) -> Node:
    """Return a power; one that is a small number is a product, as in NumPy."""
    if second.value is not None and not second.shape and second.value == 2:
        dtype = ELEMENTWISE["power"].loop(first.dtype, second.dtype).output
        if dtype == first.dtype and dtype.kind != "b":
            return elementwise(ELEMENTWISE["square"], first)
    return elementwise(ELEMENTWISE["power"], first, second)


for _operator in OPERATORS:
    for _prefix, _function in zip(("", "r", "i"), _binary(_operator.ufunc), strict=True):
        _function.__name__ = f"__{_prefix}{_operator.method}__"
        setattr(Array, _function.__name__, _function)


def _comparison(name: str) -> Callable[..., Any]:
    """Return a comparison: an integer that no element can be is compared as well."""
    forward = _binary(name)[0]

    def compare(self: Array, other: Any) -> Any:
        return forward(self, comparable(other, self.dtype) if type(other) is int else other)

    return compare


for _operator in COMPARISONS:
    _function = _comparison(_operator.ufunc)
    _function.__name__ = f"__{_operator.method}__"
    setattr(Array, _function.__name__, _function)


# ---- indices -------------------------------------------------------------------------


def _is_basic(index: Any) -> bool:
    """Return whether an index is of integers, slices, `None` and `...`."""
    if isinstance(index, tuple):
        return all(map(_is_basic_part, cast("tuple[Any, ...]", index)))
    return _is_basic_part(index)


def _is_basic_part(part: Any) -> bool:
    if part is None or part is Ellipsis or isinstance(part, slice):
        return True
    return isinstance(part, int | np.integer) and not isinstance(part, bool)


def _advanced(node: Node, index: Any) -> tuple[list[Any], list[Node], tuple[int, ...] | None]:
    """Return an index with arrays: its parts, the arrays, and the shape of what it chooses.

    That of an index of truth values depends on the data.
    """
    parts: list[Any] = []
    arrays: list[Node] = []
    shapes: list[Any] = []
    depends = False
    given = cast("tuple[Any, ...]", index) if isinstance(index, tuple) else (index,)
    for part in given:
        if _is_basic_part(part):
            parts.append(part)
            shapes.append(part)
            continue
        # An empty list has no type of its own.
        array = node_of(np.zeros(np.shape(part), np.int64) if _is_empty_list(part) else part)
        if array.dtype.kind not in "biu":
            raise IndexError(f"an index is of integers or truth values, not of {array.dtype}")
        if array.dtype.kind == "b":
            depends = True
        elif isinstance(part, Array) and not array.ndim:
            number = int(part)
            parts.append(number)
            shapes.append(number)
            continue
        parts.append(Placeholder(len(arrays)))
        arrays.append(array)
        shapes.append(array.shape)
    if depends:
        _check_truths(node, parts, arrays)
        return parts, arrays, None
    return parts, arrays, _chosen_shape(node, shapes)


def _check_fits(given: Node, shape: tuple[int, ...], parts: Sequence[Any]) -> None:
    """Raise a `ValueError` unless what is assigned fits what an index chooses.

    It would be one when that is run, and at each later look at the array.
    """
    extents = given.shape
    more = len(extents) - len(shape)
    if more > 0:
        if not shape and Ellipsis not in parts:
            raise ValueError(f"an array of shape {extents} cannot be put where one element is")
        # As for NumPy extents of 1 in front do not count.
        extents = extents[more:] if extents[:more] == (1,) * more else extents
    if len(extents) > len(shape) or broadcast(extents, shape) != shape:
        raise ValueError(f"an array of shape {given.shape} cannot be put where {shape} is")


def _shape_chosen(
    node: Node, parts: Sequence[Any], arrays: Sequence[Node]
) -> tuple[int, ...] | None:
    """Return the shape of what an index with arrays chooses; None if these are not there.

    NumPy tells, of an array that takes no memory, or says what is wrong with the index.
    """
    values = [_elements(array) for array in arrays]
    if any(value is None for value in values):
        return None
    like = np.broadcast_to(np.False_, node.shape)
    return like[filled(parts, values)].shape


def _is_empty_list(part: Any) -> bool:
    return isinstance(part, list) and not np.size(cast("Any", part))


def _check_truths(node: Node, parts: list[Any], arrays: list[Node]) -> None:
    """Raise an `IndexError` unless arrays of truth values have the extents of their axes."""
    read = [_axes_read(part, arrays) for part in parts]
    rest = node.ndim - sum(read)
    if rest < 0:
        raise too_many_indices(sum(read), node.ndim)
    axis = 0
    for part, count in zip(parts, read, strict=True):
        if part is Ellipsis:
            axis += rest
        elif isinstance(part, Placeholder) and arrays[part.number].dtype.kind == "b":
            shape = arrays[part.number].shape
            extents = node.shape[axis : axis + count]
            # As for NumPy an extent of no truth values fits any.
            if any(own not in (0, extent) for own, extent in zip(shape, extents, strict=True)):
                raise IndexError(
                    f"truth values of shape {shape} choose of axes of extents {extents}"
                )
        axis += count


def _axes_read(part: Any, arrays: list[Node]) -> int:
    """Return how many axes a part of an index is for."""
    if part is None or part is Ellipsis:
        return 0
    if isinstance(part, Placeholder) and arrays[part.number].dtype.kind == "b":
        return arrays[part.number].ndim
    return 1


def _chosen_shape(node: Node, parts: list[Any]) -> tuple[int, ...]:
    """Return the shape of what an index with arrays of integers chooses, given their shapes."""
    given = sum(part is not None and part is not Ellipsis for part in parts)
    if given > node.ndim:
        raise too_many_indices(given, node.ndim)
    full = [slice(None)] * (node.ndim - given)
    place = next((k for k, part in enumerate(parts) if part is Ellipsis), len(parts))
    parts = [*parts[:place], *full, *parts[place + 1 :]]
    chosen: list[int] = []
    places: list[int] = []
    shape: tuple[int, ...] = ()
    axis = first = 0
    for position, part in enumerate(parts):
        if part is None:
            chosen.append(1)
            continue
        if isinstance(part, slice):
            chosen.append(len(range(*part.indices(node.shape[axis]))))
        else:
            if not places:
                first = len(chosen)
            places.append(position)
            if isinstance(part, tuple):
                try:
                    shape = broadcast(shape, cast("tuple[int, ...]", part))
                except ValueError as error:
                    raise IndexError(str(error)) from None
        axis += 1
    # Arrays that stand apart have their axes in front.
    apart = places[-1] - places[0] + 1 > len(places)
    first = 0 if apart else first
    return (*chosen[:first], *shape, *chosen[first:])
