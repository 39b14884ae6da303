"""What a compiled kernel over sparse tiles takes and gives, as a line of text.

    f64{1}[1,2] i64 i64 f64[2] -> f64[1] rows @0 of 1*2

It is that of `signature`, and besides:

* `f64{1}[1,2]`: a sparse tile of one dense dimension whose extents are just the index arguments
  1 and 2. It is passed as the starts of its rows, the indices and the values (none for `i1`),
  and its extents.
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
from typing import Any, cast

import numpy as np

from diablo.runtime.arrays.sparse_tile import SparseTile
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

    def accepts(self, value: object, *, in_any_order: bool) -> bool:
        """Whether a tile is one that machine code takes; `in_any_order` if it need not be by rows.

        Rows that are derived take memory of their own.
        """
        return (
            isinstance(value, SparseTile)
            and value.dense_rank == self.dense_rank
            and value.ndim == len(self.dimensions)
            and value.dtype == ELEMENTS[self.element].dtype
            and (in_any_order or _is_by_rows(value))
            and value.indptr.dtype == value.indices.dtype == np.int32
        )

    def vectors(self, tile: SparseTile) -> list[Array]:
        """What machine code reads of the tile; new ones if its entries are in another order."""
        vectors = [tile.indptr, tile.indices]
        if self.element != "i1":
            vectors.append(tile.values)
        return vectors

    @staticmethod
    def parse(text: str) -> SparseSlot | None:
        """Read the text form; None if it is not that of a sparse tile."""
        match = re.fullmatch(r"(\w+)\{(\d+)\}(\[(.*)\](?:~@(\d+))?|@(\d+))", text)
        if match is None:
            return None
        if match[6] is not None:
            return SparseSlot(match[1], int(match[2]), over=int(match[6]))
        dimensions = tuple(Dimension.parse(word) for word in match[4].split(","))
        like = None if match[5] is None else int(match[5])
        return SparseSlot(match[1], int(match[2]), dimensions, like=like)


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
        """Whether all it does is to compute values at the entries of one argument."""
        sparse = [slot for slot in self.arguments if isinstance(slot, SparseSlot)]
        return all(isinstance(slot, SparseSlot) for slot in self.outputs) and not any(
            slot.like is not None for slot in sparse
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
        """The arguments as machine code takes them, or None if it does not."""
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
            elif slot.accepts(value, in_any_order=bool(self.space)):
                values.append(value)
            else:
                return None
        return values if self._fits(values) else None

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
        # The values of a result are passed in the order of the entries.
        return all(
            _is_by_rows(cast("SparseTile", values[slot.over]))
            for slot in self.outputs
            if isinstance(slot, SparseSlot) and slot.over is not None
        )


def _product(text: str) -> tuple[Dimension, ...]:
    return tuple(d for word in text.split("*") if word and (d := Dimension.parse(word)))


def _is_like(tile: SparseTile, other: SparseTile) -> bool:
    """Whether two tiles store the same indices in the same order."""
    same_order = tile.pattern.order == other.pattern.order
    return same_order and tile.pattern.same_set(other.pattern)


def _is_by_rows(tile: SparseTile) -> bool:
    return tile.pattern.order == tuple(range(tile.ndim))
