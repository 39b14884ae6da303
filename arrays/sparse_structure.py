"""The structure of a function of the elements of several sparse arrays, and its arguments.

    structure, arguments = called(joint)

A sparse array of the compiler's stores no zeros, and has zero everywhere else. One that has another
value there, or a zero of its own, is made one of these by its bits: elements are words, those of a
number exclusive or those of the fill value, which are zero just where it is the fill value. So a
zero with a sign and NaN are told apart as pydata's `sparse` does. Arrays of any rank are matrices:
the lists of their patterns, and the places in these.

What a vector of values is computed of is part of the body where it is one array without zeros, so
that `2 * b` makes no vector of its own.

    call = called(joint, kept=(1,))    the matrices' rows are the places along axis 1
    call.fold("add", dtype)            sums over the other axes

A fold gives the fold of what is stored, and how much that is: an array without gaps for the axes
that are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablo.array.elementwise_operations import Elementwise
from diablo.array.expression_graph import Node, leaf, pending
from diablo.array.lazy_array import Array
from diablo.array.scalar_code import scalar_row
from diablo.array.sparse_entries import ELEMENT, Entries
from diablo.array.sparse_joints import Deferred, Joint, substituted
from diablo.runtime.arrays.gathering import gathered
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.patterns.layout import Order
from diablo.runtime.arrays.patterns.making import of_positions
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.row_checks import has_no_zero
from diablo.runtime.arrays.sparse_tile import SparseTile

_CHEAP = frozenset(
    {
        "absolute",
        "add",
        "astype",
        "divide",
        "maximum",
        "minimum",
        "multiply",
        "negative",
        "square",
        "subtract",
    }
)
"""What takes no longer beside a search for the next position than by itself."""


class Step(NamedTuple):
    """A value of the body: what makes it, of which others, and its type.

    `stored` k is the element of sparse array k, and `decoded` k that of one whose fill value is not
    zero; `dense` k that of a dense one; `number` k an argument. `choose` k is its first operand
    where array k stores something, and the second elsewhere. Others are elementwise operations.
    """

    name: str
    operands: tuple[int, ...]
    dtype: str


class Folded(NamedTuple):
    """What elements are combined to, over the dimensions of the matrices that are not kept."""

    monoid: str
    dtype: str
    """The type in which they are combined."""
    kept: tuple[int, ...]
    """The dimensions of the result: of the matrices, or `COLUMN`."""
    is_counted: bool
    """Whether it is counted how many elements are combined to each."""


COLUMN = 2
"""The dimension of a product that the matrices do not have: the columns of a dense factor."""


class Structure(NamedTuple):
    """All that a program is compiled for."""

    steps: tuple[Step, ...]
    result: int
    """The step that an element of the result is."""
    tiles: tuple[str, ...]
    """The types of the words of the sparse arrays."""
    dense: tuple[tuple[str, tuple[int, ...]], ...]
    """The types of the elements of the dense ones, and the dimensions along which they are read."""
    has_fill: bool
    """Whether the fill value of the result has bits, which are an argument then."""
    fold: Folded | None = None
    """What becomes of the elements, if they are no sparse array."""

    @property
    def rank(self) -> int:
        """The number of dimensions that are gone through."""
        return 3 if self.fold is not None and COLUMN in self.fold.kept else 2


@dataclass
class Call:
    """The structure of a joint, and what its program is given.

    Parameters
    ----------
    joint : what is computed
    order, list_rank : of the patterns of all sparse arrays; these are passed in this order
    shape : of the matrices that they are then
    """

    joint: Joint
    order: Order
    list_rank: int
    shape: tuple[int, int]
    result: int = -1
    steps: dict[Step, int] = field(default_factory=dict[Step, int])
    tiles: list[SparseTile] = field(default_factory=list[SparseTile])
    dense: list[NDArray[Any]] = field(default_factory=list[NDArray[Any]])
    dims: list[tuple[int, ...]] = field(default_factory=list[tuple[int, ...]])
    numbers: list[Any] = field(default_factory=list[Any])
    patterns: list[tuple[Pattern, Pattern]] = field(default_factory=list[tuple[Pattern, Pattern]])
    """The patterns of matrices, and those that these are made of."""
    folded: Folded | None = None
    columns: int | None = None
    """The extent of `COLUMN`, if there is that."""

    @property
    def fill(self) -> Any:
        """The bits of the fill value of the result; none of what is folded."""
        if self.folded is not None:
            return 0
        return bits_of(np.asarray(self.joint.fill, self.joint.dtype).reshape(1))[0]

    @property
    def structure(self) -> Structure:
        """What the program is compiled for."""
        dense = [(d.dtype.name, dims) for d, dims in zip(self.dense, self.dims, strict=True)]
        tiles = [tile.dtype.name for tile in self.tiles]
        steps, filled = tuple(self.steps), bool(self.fill)
        return Structure(steps, self.result, tuple(tiles), tuple(dense), filled, self.folded)

    @property
    def arguments(self) -> list[Any]:
        """What the program is given: arrays, numbers, the fill value's bits, and extents."""
        numbers = [*self.numbers, self.fill] if self.fill else self.numbers
        extents = self.shape if self.columns is None else (*self.shape, self.columns)
        return [*self.tiles, *self.dense, *map(_passed, numbers), *extents]

    def entries(self, found: SparseTile) -> Entries:
        """Return the entries that the result of the program stands for."""
        joint, fill = self.joint, self.fill
        words = found.elements ^ fill if fill else found.elements
        # A program that finds two patterns to be alike gives both one identity.
        identity = found.pattern.identity
        alike = (own for matrix, own in self.patterns if matrix.identity is identity)
        pattern = next(alike, None)
        if pattern is None:
            pattern = _unfolded(found.pattern, joint.shape, self.order, self.list_rank)
        values = np.ascontiguousarray(words).view(joint.dtype)
        return Entries(pattern, leaf(values), joint.fill)

    def fold(self, monoid: str, dtype: Any, kept: Sequence[int], *, is_counted: bool) -> None:
        """Let the elements be combined over the dimensions that are not kept."""
        self.folded = Folded(monoid, np.dtype(dtype).name, tuple(kept), is_counted)

    def multiply(self, dense: NDArray[Any], dims: Sequence[int], dtype: Any) -> None:
        """Let each element be multiplied with that of a dense array, read at some dimensions."""
        self.dense.append(np.ascontiguousarray(dense))
        self.dims.append(tuple(dims))
        if COLUMN in dims:
            self.columns = dense.shape[dims.index(COLUMN)]
        factor = self.add("dense", (len(self.dense) - 1,), dense.dtype)
        self.result = self.add("multiply", (self.result, factor), np.dtype(dtype))

    def add(self, name: str, operands: Sequence[int], dtype: np.dtype[Any]) -> int:
        """Return the number of a step, which is a new one if there was none like it."""
        return self.steps.setdefault(Step(name, tuple(operands), dtype.name), len(self.steps))

    def number(self, value: Any, dtype: np.dtype[Any]) -> int:
        """Return the step that is a single number, which is an argument."""
        self.numbers.append(np.asarray(value, dtype)[()])
        return self.add("number", (len(self.numbers) - 1,), dtype)


def called(joint: Joint, kept: Sequence[int] | None = None) -> Call | None:
    """Return how a program is called for a joint, None if there can be none.

    If it is folded, the rows of the matrices number the axes that are kept, if there are any: each
    element of the result is made of neighbours. The lists of a pattern for that are derived once.
    """
    given = [(p, o) for p, o in joint.places.items() if isinstance(o, Entries)]
    first = given[0][1].pattern
    if not isinstance(first.form, Compressed) or not _has_bits(joint.dtype) or not joint.shape:
        return None
    order, rank = first.order, first.form.list_rank
    if kept and {*kept} != {*order[:rank]}:
        gone = [axis for axis in range(len(joint.shape)) if axis not in kept]
        order, rank = (*kept, *gone), len(kept)
    box = [joint.shape[axis] for axis in order]
    call = Call(joint, order, rank, (prod(box[:rank]), prod(box[rank:])))
    known: dict[Node, int] = {}
    for place, operand in joint.places.items():
        if isinstance(operand, Deferred):
            return None
        if isinstance(operand, Entries):
            found = _add_entries(call, operand)
        else:
            found = _add_dense(call, operand)
        if found is None:
            return None
        known[place] = found
    if not _add_graph(call, joint.element, known):
        return None
    call.result = known[joint.element]
    return call


def _add_graph(call: Call, root: Node, known: dict[Node, int]) -> bool:
    """Add the steps of a graph over single elements; False if there is no code for one."""
    order = pending([root])
    for node in order:
        if node in known:
            continue
        operation = node.operation
        if not isinstance(operation, Elementwise) or not operation.in_programs(node):
            return False
        for operand in node.operands:
            if operand not in known:
                if operand.value is None or operand.shape:
                    return False
                known[operand] = call.number(operand.value, operand.dtype)
        operands = [known[operand] for operand in node.operands]
        known[node] = call.add(operation.name, operands, node.dtype)
    return root in known


def _add_entries(call: Call, entries: Entries) -> int | None:
    """Add a sparse array, or what its values are computed of; None if programs do not take it."""
    if not _has_bits(entries.dtype):
        return None
    number = len(call.tiles)
    source = _source_of(entries)
    if source is not None:
        values, place, element = source
        if not _add_tile(call, entries.pattern, bits_of(values)):
            return None
        known = {place: call.add("stored", (number,), values.dtype)}
        if not _add_graph(call, element, known):
            return None
        fill = bits_of(np.asarray(entries.fill, entries.dtype).reshape(1))[0]
        if not fill and not _value_at_zero(element, place):
            return known[element]
        chosen = call.number(entries.fill, entries.dtype)
        return call.add("choose", (number, known[element], chosen), entries.dtype)
    words = bits_of(Array(entries.values).to_numpy())
    fill = bits_of(np.asarray(entries.fill, entries.dtype).reshape(1))[0]
    if not _add_tile(call, entries.pattern, words ^ fill if fill else words):
        return None
    if not fill:
        return call.add("stored", (number,), entries.dtype)
    return call.add("decoded", (number, call.number(fill, fill.dtype)), entries.dtype)


def _source_of(entries: Entries) -> tuple[NDArray[Any], Node, Node] | None:
    """Return the vector that values are computed of, and the function of its elements.

    None if they are there, or computed of several vectors, or at length, which is better done for
    several at a time; and if the vector has zeros, which no sparse array of the compiler stores.
    """
    order = pending([entries.values])
    vectors: dict[int, Node] = {}
    for node in order:
        if not isinstance(node.operation, Elementwise) or node.operation.name not in _CHEAP:
            return None
        for operand in node.operands:
            if operand.value is not None and operand.shape:
                vectors[id(operand.value)] = operand
    if len(vectors) != 1:
        return None
    (vector,) = vectors.values()
    values = Array(vector).to_numpy()
    if values.shape != (len(entries.pattern),) or not _has_bits(values.dtype):
        return None
    if not has_no_zero(bits_of(values)):
        return None
    place = Node(ELEMENT, (), None, (), values.dtype)
    leaves = {o: place for node in order for o in node.operands if o.value is vector.value}
    return values, place, substituted(entries.values, leaves)


def _value_at_zero(element: Node, place: Node) -> Any:
    """Return the bits of what a function of elements gives for 0."""
    zero = leaf(np.zeros(1, place.dtype))
    with np.errstate(all="ignore"):
        return bits_of(Array(substituted(element, {place: zero})).to_numpy().reshape(1))[0]


def _add_tile(call: Call, pattern: Pattern, words: NDArray[Any]) -> bool:
    """Add the words at the entries of a pattern; False if it has no lists of 32 bits."""
    order, rank = call.order, call.list_rank
    rows, entries = pattern.form.as_lists(rank) if pattern.order == order else None, None
    if rows is None:
        turned = pattern.turned(order, rank)
        rows, entries = turned.form.as_lists(rank), turned.entries()
    if rows is None:
        return False
    lists = rows.in_one_type()
    if lists.indices.dtype != np.int32:
        return False
    matrix = pattern.keep(("matrix", order, rank), lambda: _folded(lists, call.shape))
    if entries is None:
        call.patterns.append((matrix, pattern))
    else:
        words = gathered(words, entries)
    call.tiles.append(SparseTile.on_pattern(matrix, words, 1))
    return True


def _folded(form: Compressed, shape: tuple[int, int]) -> Pattern:
    """Return the pattern of a matrix that has the lists of a form as its rows."""
    return Pattern(shape, Compressed(shape, 1, form.starts, form.indices), 1)


def _unfolded(matrix: Pattern, shape: tuple[int, ...], order: Order, list_rank: int) -> Pattern:
    """Return the pattern of which a matrix has the lists as its rows."""
    rows = matrix.form.as_lists(1)
    if matrix.order == (0, 1) and rows is not None:
        box = tuple([shape[axis] for axis in order])
        lists = Compressed(box, list_rank, rows.starts, rows.indices)
        return Pattern(shape, lists, list_rank, order)
    return of_positions(matrix.positions(), shape, list_rank, order=order)


def _add_dense(call: Call, operand: Node) -> int | None:
    """Add a dense array that is read at the position; None if it is not along dimensions."""
    shape = call.joint.shape
    if scalar_row(operand.dtype) is None or len(shape) > 2 or call.list_rank != len(shape) - 1:
        return None
    first = len(shape) - operand.ndim
    axes = [axis for axis in range(first, len(shape)) if operand.shape[axis - first] != 1]
    values = Array(operand).to_numpy()
    if not axes:
        return call.number(values.reshape(())[()], operand.dtype)
    # An axis is the dimension of the matrix that it is in the order of the call.
    dims = tuple([2 - len(shape) + call.order.index(axis) for axis in axes])
    call.dense.append(np.ascontiguousarray(values.reshape([shape[axis] for axis in axes])))
    call.dims.append(dims)
    return call.add("dense", (len(call.dense) - 1,), operand.dtype)


def _has_bits(dtype: np.dtype[Any]) -> bool:
    """Return whether programs compute with a type of elements, and have words of its size."""
    return scalar_row(dtype) is not None and dtype.kind in "biuf" and dtype.itemsize <= 8


def bits_of(values: NDArray[Any]) -> NDArray[Any]:
    """Return numbers as words with a sign, over the same memory if it has no gaps."""
    return np.ascontiguousarray(values).view(f"i{values.itemsize}")


def _passed(number: Any) -> Any:
    """Return a number as programs take it."""
    return number.item() if number.dtype.name in ("bool", "int64", "float64") else number
