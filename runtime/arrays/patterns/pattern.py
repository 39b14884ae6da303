"""`Pattern`: the sparsity pattern of tiles, the set of indices that they store, without values.

    pattern = of_coordinates([[0, 1, 1], [1, 0, 2]], (2, 3))
    pattern.lookup([[1, 1], [1, 2]])              ->  [-1, 2]
    pattern.entries((1, 0))                       ->  [1, 0, 2]      by columns
    pattern.with_layout(parse("form = bitmap"))   the same set, stored as bits

The indices are numbered in the first order of the layout; an *entry* is such a number, and the
place of its value in the vector of every array that has the pattern. Patterns are immutable, so
all these arrays share one object.

What a layout does not name is derived when it is asked for (`derived.py`), for all arrays of the
pattern, and goes with it. Nothing derived is pickled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, TypeVar

import numpy as np

from diablo.format_table import AUTO
from diablo.runtime.arrays.patterns.boxes import (
    Array,
    distinct_bytes,
    flat_positions,
    row_major,
    turned,
    unflatten,
)
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.patterns.derived import Derived
from diablo.runtime.arrays.patterns.directories import (
    HashDirectory,
    cheaper_directory,
)
from diablo.runtime.arrays.patterns.form import Form
from diablo.runtime.arrays.patterns.form_choice import best_list_rank, build
from diablo.runtime.arrays.patterns.layout import Directory, Layout, Order
from diablo.runtime.arrays.patterns.orders import Turned, turn
from diablo.runtime.arrays.patterns.statistics import Statistics, measure

T = TypeVar("T")


class Pattern:
    """A set of indices in the box `shape`.

    `form` stores them over the box in the order `order`, `list_rank` of whose dimensions
    number lists wherever lists are made. Without a `layout` nothing has been asked of it yet:
    it has lists, in row-major order. Patterns with the same `identity` are the same set.
    """

    def __init__(
        self,
        shape: Sequence[int],
        form: Form,
        list_rank: int | None = None,
        order: Order | None = None,
        layout: Layout | None = None,
        identity: object = None,
    ):
        self.shape = tuple([int(extent) for extent in shape])
        self.form = form
        self.layout = layout
        self.order = order or row_major(len(self.shape))
        self.list_rank = best_list_rank(form.shape) if list_rank is None else list_rank
        self.identity = object() if identity is None else identity
        self._derived = Derived()

    def __reduce__(self) -> tuple[Any, ...]:
        fields = (self.shape, self.form, self.list_rank, self.order, self.layout, self.identity)
        return Pattern, fields

    def __repr__(self) -> str:
        return f"Pattern(shape={self.shape}, count={self.count}, {self.stored_layout()})"

    # -- What it is -----------------------------------------------------------------------

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of indices of the box."""
        return prod(self.shape)

    @property
    def count(self) -> int:
        """The number of stored indices."""
        return self.form.count

    def __len__(self) -> int:
        return self.form.count

    def stored_layout(self) -> Layout:
        """The layout that it has, `auto` resolved."""
        layout = self.layout or Layout()
        return Layout(self.form.name, self.orders, layout.directory, layout.width)

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders that are stored; the first is that of the entries."""
        return (self.order,) if self.layout is None else self.layout.orders_of(self.ndim)

    def vectors(self) -> list[Array]:
        """The index vectors that its layout names: of each order, and of the directory."""
        result = list(self.form.vectors().values())
        for order in self.orders[1:]:
            result += self.turned(order).vectors()
        directory = self._directory()
        if isinstance(directory, HashDirectory):
            result.append(directory.table)
        elif isinstance(directory, Compressed):
            result.append(directory.starts)
        return result

    @property
    def nbytes(self) -> int:
        """The bytes that these take in memory."""
        return distinct_bytes(self.vectors())

    @property
    def derived_nbytes(self) -> int:
        """The bytes of what is kept beyond that, because it has been asked for."""
        return distinct_bytes([*self.vectors(), *self._derived.vectors()]) - self.nbytes

    def derived_vectors(self) -> list[Array]:
        """Return what has been derived so far, and is kept."""
        return list(self._derived.vectors())

    def forget(self) -> None:
        """Drop what has been derived; it will be again when it is asked for."""
        self._derived.forget()

    def same_set(self, other: Pattern) -> bool:
        """Return whether both store the same indices: the same object, or equal vectors.

        Two that have been found equal are known to be from then on.
        """
        if self.identity is other.identity:
            return True
        if self.shape != other.shape or self.count != other.count:
            return False
        if self.order == other.order:
            equal = self.form.same_as(other.form)
        else:
            equal = np.array_equal(self.positions(), other.positions())
        if equal:
            other.identity = self.identity
        return equal

    def statistics(self) -> Statistics:
        """Return what the choice of a form goes by."""
        return self.keep(
            "statistics",
            lambda: measure(self.form.positions(), self.form.shape, self.list_rank),
        )

    def keep(self, key: Any, derive: Callable[[], T]) -> T:
        """Something derived, kept with the pattern."""
        return self._derived.keep(key, derive)

    def lend(self, key: Any, derive: Callable[[], T]) -> T:
        """Something derived, kept only as long as somebody has it."""
        return self._derived.lend(key, derive)

    def note_whole(self, whole: Pattern, entries: Array) -> None:
        """Note which of the entries of another pattern, of which this one is a part, are its own.

        What is read there at these indices need not be searched for then.
        """
        self.keep(_in(whole), lambda: entries)

    def entries_in(self, whole: Pattern) -> Array | None:
        """Return which entries of another pattern are its own, in its order; None if unknown."""
        return self._derived.kept(_in(whole))

    # -- Its indices in any order ---------------------------------------------------------

    def turned(self, order: Order, list_rank: int | None = None) -> Turned:
        """The lists of another order, with the entries that stand in them."""
        rank = self.list_rank if list_rank is None else list_rank
        return self.keep(("order", order, rank), lambda: turn(self.form, self.order, order, rank))

    def has_order(self, order: Order) -> bool:
        """Return whether the entries can be gone through in `order` without deriving it."""
        return order in self.orders or ("order", order, self.list_rank) in self._derived

    def entries(self, order: Order) -> Array | None:
        """The entries in the order of their indices in `order`; None if that is their own."""
        return None if order == self.order else self.turned(order).entries()

    def flat(self, order: Order) -> Array:
        """The ascending int64 positions in the box turned to `order`."""
        return self.lend(order, lambda: self._flat(order))

    def _flat(self, order: Order) -> Array:
        form = self.form if order == self.order else self.turned(order).form
        found = form.positions().view()
        found.flags.writeable = False  # Others may be lent it too.
        return found

    def positions(self) -> Array:
        """The ascending int64 row-major positions in the box."""
        return self.flat(row_major(self.ndim))

    def coordinates(self, order: Order | None = None) -> tuple[Array, ...]:
        """The int64 indices in each dimension, in an order or in that of the entries."""
        order = self.order if order is None else order
        form = self.form if order == self.order else self.turned(order).form
        stored = [id(vector) for vector in form.vectors().values()]
        columns = [
            column.copy() if column.base is not None or id(column) in stored else column
            for column in form.coordinates()
        ]
        return turned(columns, np.argsort(order).tolist())

    def compressed(self, list_rank: int) -> Compressed:
        """Row-major compressed rows, of the first `list_rank` dimensions."""
        order = row_major(self.ndim)
        lists = self.form.as_lists(list_rank) if order == self.order else None
        if lists is not None:
            return lists
        return self.keep(
            ("rows", list_rank),
            lambda: Compressed.of_positions(self.positions(), self.shape, list_rank),
        )

    # -- Random access --------------------------------------------------------------------

    def _directory(self) -> HashDirectory | Compressed | None:
        """Return what random access goes through besides the form.

        Which one is asked for if the form is left open follows the cheaper.
        """
        if self.layout is None or self.form.format.random_access:
            return None
        wanted = self.layout.directory
        if wanted is Directory.NONE:
            return None
        if self.layout.form == AUTO:
            wanted = cheaper_directory(self.statistics())
        if wanted is Directory.HASH:
            return self.keep("hash", lambda: HashDirectory(self.form))
        return self.keep("array", self.form.with_all_lists)

    def find(self, flat: Array) -> Array:
        """The entry at each flat position in the box turned to the first order, or -1."""
        directory = self._directory()
        return self.form.find(flat) if directory is None else directory.find(flat)

    def find_one(self, index: Sequence[int]) -> int:
        """The entry at an index inside the box, or -1."""
        flat = 0
        for axis in self.order:
            flat = flat * self.shape[axis] + int(index[axis])
        if self.form.format.random_access or self.form.format.finds_lists:
            return self.form.find_one(flat)
        return int(self.find(np.array([flat]))[0])

    def lookup(self, coordinates: Sequence[Array]) -> Array:
        """The int64 entry at each index, -1 where there is none or outside the box."""
        columns = [np.asarray(c).astype(np.int64, copy=False) for c in coordinates]
        inside = np.ones(len(columns[0]) if columns else 0, np.bool_)
        for column, extent in zip(columns, self.shape, strict=True):
            inside &= (column >= 0) & (column < extent)
        whole = bool(inside.all())
        kept = columns if whole else [column[inside] for column in columns]
        flat = flat_positions(turned(kept, self.order), self.form.shape, int(inside.sum()))
        found = self.find(flat)
        if whole:
            return found
        result = np.full(len(inside), -1, np.int64)
        result[inside] = found
        return result

    def find_positions(self, flat: Array) -> Array:
        """The int64 entry at each row-major position inside the box, or -1."""
        if self.order == row_major(self.ndim):
            return self.find(flat)
        columns = turned(unflatten(flat, self.shape), self.order)
        return self.find(flat_positions(columns, self.form.shape, len(flat)))

    # -- Other storage of the same set ------------------------------------------------------

    def with_layout(self, layout: Layout, list_rank: int | None = None) -> Pattern:
        """The same set in another layout; this object if it is stored so already.

        All that ask for one layout get one object, as long as one of them has it.
        """
        rank = self.list_rank if list_rank is None else list_rank
        order = layout.orders_of(self.ndim)[0]
        shape = turned(self.shape, order)
        if not 0 < rank < self.ndim:
            rank = best_list_rank(shape)
        if layout == self.layout and rank == self.list_rank:
            return self

        def stored() -> Pattern:
            form = self.form
            if not self._holds(layout, order, rank):
                lists = self.form if order == self.order else self.turned(order, rank).form
                form = build(lambda: self.flat(order), shape, rank, layout, lists)
            return Pattern(self.shape, form, rank, order, layout, self.identity)

        return self.lend((layout, rank), stored)

    def _holds(self, layout: Layout, order: Order, rank: int) -> bool:
        """Return whether a layout's form is this one."""
        width = 0 if self.layout is None else self.layout.width
        return (
            self.form.name == layout.form
            and order == self.order
            and layout.width == width
            and self.form.list_rank in (None, rank)
        )


def _in(whole: Pattern) -> tuple[str, object, Order]:
    """The key of the entries that a part has in a pattern."""
    return "entries in", whole.identity, whole.order
