"""What a compiled kernel over sparse tiles takes and gives, as a line of text.

    f64{1}[1,2] i64 i64 f64[2] -> f64[1] rows @0 of 1*2

It is that of `signature`, and besides:

* `f64{1}[1,2]`: a sparse tile of one dense dimension whose extents are just the index arguments
  1 and 2. It is passed as the starts of its rows, the indices and the values (none for `i1`),
  and its extents. `f64{1;bitmap;1.0;64}[1,2]`: one in another layout, here a bitmap in the order
  [1, 0] with counts of 64 bits, which is passed as its vectors (`arrays.patterns.buffers`).
* `f64{1}[1,2]~@0`: a sparse tile that shares the pattern of argument 0.
* `f64[1,2]=@3`: a dense result that begins as a copy of argument 3, `=0` as zeros.
* `f64{1}@0`: a sparse result, the values over the pattern of argument 0.
* `rows @0*3`: the call may be cut along the rows of argument 0, in parts of equally many
  entries; the work is the number of these times 3. `whole @0`: it may not.
* `of 1*2`: the NumPy function computes at every point of a space of these extents.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from diablo.format_table import form_names
from diablo.runtime.arrays.patterns.boxes import row_major
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.patterns.layout import Layout, Order
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.arrays.tile_buffers import buffers
from diablo.runtime.kernels.signature import ELEMENTS, Array, Dimension, Signature, Slot


@dataclass(frozen=True)
class SparseSlot:
    """A sparse argument, or a sparse result over the pattern of argument `over`."""

    element: str
    dense_rank: int
    dimensions: tuple[Dimension | None, ...] = ()
    over: int | None = None
    like: int | None = None
    """The argument whose pattern it shares."""
    layout: Layout | None = None
    """How tiles are passed, if not compressed by rows."""

    @property
    def order(self) -> Order:
        """The order of the dimensions in which tiles are passed."""
        rank = len(self.dimensions)
        return row_major(rank) if self.layout is None else self.layout.orders_of(rank)[0]

    def accepts(self, value: object) -> bool:
        """Whether a tile is of the kind that machine code takes, whatever its layout is."""
        return (
            isinstance(value, SparseTile)
            and value.dense_rank == self.dense_rank
            and value.ndim == len(self.dimensions)
            and value.dtype == ELEMENTS[self.element].dtype
        )

    def vectors(self, tile: SparseTile) -> list[Array] | None:
        """The vectors that machine code takes; None if the tile cannot be passed so."""
        if self.layout is not None:
            return buffers(tile, self.layout)
        if tile.indptr.dtype != np.int32 or tile.indices.dtype != np.int32:
            return None
        values = [] if ELEMENTS[self.element].dtype == np.bool_ else [tile.values]
        return [tile.indptr, tile.indices, *values]

    @staticmethod
    def parse(text: str) -> SparseSlot | None:
        """Read the text form; None if it is not that of a sparse tile."""
        match = _SLOT.fullmatch(text)
        if match is None:
            return None
        element, dense = match["element"], int(match["dense"])
        if match["over"] is not None:
            return SparseSlot(element, dense, over=int(match["over"]))
        dimensions = tuple(Dimension.parse(word) for word in match["dimensions"].split(","))
        layout = None
        if match["form"]:
            order = tuple(int(d) for d in match["order"].split(".") if d)
            orders = (order,) if order else ()
            if match["form"] not in form_names():
                raise ValueError(f"'{text}' names no form")
            layout = Layout(match["form"], orders, width=int(match["width"]))
        like = None if match["like"] is None else int(match["like"])
        return SparseSlot(element, dense, dimensions, like=like, layout=layout)


_SLOT = re.compile(
    r"(?P<element>\w+)\{(?P<dense>\d+)(;(?P<form>\w+);(?P<order>[\d.]*);(?P<width>\d+))?\}"
    r"(\[(?P<dimensions>.*)\](~@(?P<like>\d+))?|@(?P<over>\d+))"
)


def layout_text(tile: SparseTile) -> str:
    """The layout that machine code for a tile is to take; empty for rows with 32-bit indices."""
    pattern = tile.pattern
    form = pattern.form
    if (
        isinstance(form, Compressed)
        and form.indices.dtype == np.int32
        and pattern.order == row_major(tile.ndim)
    ):
        return ""
    return pattern.keep("layout in kernels", lambda: _layout_text(pattern))


def _layout_text(pattern: Pattern) -> str:
    orders = () if pattern.order == row_major(pattern.ndim) else (pattern.order,)
    form, vectors = pattern.form.format, pattern.form.vectors().items()
    wide = any(v.dtype == np.int64 for field, v in vectors if field not in form.wide_vectors)
    return str(Layout(pattern.form.name, orders, width=64 if wide else 32))


def vector_words(array: Array) -> list[int]:
    """A vector as machine code takes it."""
    return [array.__array_interface__["data"][0], len(array)]


@dataclass(frozen=True)
class SparseSignature:
    """What such a kernel takes and gives; the text form is in the module's docstring.

    The work is the entries of argument `source`, times the `factors`; that of the NumPy function
    is the product of `space`, if there is one.
    """

    arguments: tuple[Slot | SparseSlot, ...]
    outputs: tuple[Slot | SparseSlot, ...]
    beginnings: tuple[str, ...]
    """What each output begins as: `@k`, `0`, or nothing in particular."""
    source: int
    factors: tuple[Dimension, ...]
    space: tuple[Dimension, ...]
    shared: bool

    @staticmethod
    def parse(text: str) -> SparseSignature:
        """Read the text form."""
        left, _, right = text.partition("->")
        clause = re.search(r"\s(rows|whole) @(\d+)(\S*)(?: of (\S+))?$", right)
        if clause is None:
            raise ValueError(f"'{text}' does not say how much work a kernel has")
        # Constant extents are spelled with the same sign: f64[=3]=@0.
        outputs = [re.split(r"(?<=\])=", word) for word in right[: clause.start()].split()]
        return SparseSignature(
            tuple(SparseSlot.parse(word) or Slot.parse(word) for word in left.split()),
            tuple(SparseSlot.parse(word) or Slot.parse(word) for word, *_ in outputs),
            tuple("".join(beginning) for _, *beginning in outputs),
            int(clause[2]),
            _product(clause[3]),
            _product(clause[4] or ""),
            clause[1] == "rows",
        )

    @property
    def at_points(self) -> bool:
        """Whether all it does is to compute values at the entries of one argument.

        Of which extent a tile is that is read beside them is left open.
        """
        sparse = [slot for slot in self.arguments if isinstance(slot, SparseSlot)]
        return all(isinstance(slot, SparseSlot) for slot in self.outputs) and not any(
            slot.like is not None or None in slot.dimensions for slot in sparse
        )

    @cached_property
    def _dense(self) -> Signature:
        """The arguments that are not sparse, to be accepted as any kernel's."""
        slots = tuple(
            Slot(slot.element, None if slot.dimensions is None else (None,) * len(slot.dimensions))
            for slot in self.arguments
            if isinstance(slot, Slot)
        )
        return Signature(slots, (), ())

    def accept(self, arguments: Sequence[Any]) -> list[Any] | None:
        """The arguments as machine code takes them, or None if it does not.

        Sparse tiles may be in any layout.
        """
        if len(arguments) != len(self.arguments):
            return None
        pairs = list(zip(self.arguments, arguments, strict=True))
        dense = self._dense.accept([v for slot, v in pairs if isinstance(slot, Slot)])
        if dense is None:
            return None
        rest = iter(dense)
        values: list[Any] = []
        for slot, value in pairs:
            if isinstance(slot, Slot):
                values.append(next(rest))
            elif slot.accepts(value):
                values.append(value)
            else:
                return None
        return values if self._fits(values) else None

    def may_derive_rows(self, values: Sequence[Any]) -> bool:
        """Whether tiles may be passed by rows that are derived from another layout of theirs.

        Such rows take memory of their own, so only where NumPy would make tiles dense, or where
        the entries are by rows anyway. The values of a result are those over the first order.
        """
        over = [s.over for s in self.outputs if isinstance(s, SparseSlot) and s.over is not None]
        tiles = [value for value in values if isinstance(value, SparseTile)]
        needed = [values[number] for number in over] if self.space else tiles
        return all(tile.pattern.order == row_major(tile.ndim) for tile in needed)

    def passed(self, values: Sequence[Any]) -> list[Any] | None:
        """The values as they are passed, tiles as lists of vectors; None if one cannot be."""
        result: list[Any] = []
        for slot, value in zip(self.arguments, values, strict=True):
            given = slot.vectors(value) if isinstance(slot, SparseSlot) else value
            if given is None:
                return None
            result.append(given)
        return result

    def _fits(self, values: Sequence[Any]) -> bool:
        """Whether sparse tiles have the extents that are read, and others at least these.

        And whether those that have to share a pattern do.
        """
        for slot, value in zip(self.arguments, values, strict=True):
            like = slot.like if isinstance(slot, SparseSlot) else None
            if like is not None and not _is_like(value, values[like]):
                return False
            for axis, dimension in enumerate(slot.dimensions or ()):
                if dimension is None:
                    continue
                extent, wanted = value.shape[axis], dimension.of(values)
                if extent < wanted or (isinstance(slot, SparseSlot) and extent != wanted):
                    return False
        return True


def _product(text: str) -> tuple[Dimension, ...]:
    return tuple(d for word in text.split("*") if word and (d := Dimension.parse(word)))


def _is_like(tile: SparseTile, other: SparseTile) -> bool:
    """Whether two tiles store the same indices in the same order."""
    same_order = tile.pattern.order == other.pattern.order
    return same_order and tile.pattern.same_set(other.pattern)
