"""Tables with an element for each place at which loops combine values, and loops over these."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute, SSAValue

from diablo.lowering.gpu.computed_places import Scatter
from diablo.lowering.gpu.kernel_writer import IndexWriter

AtPlace = Callable[[IndexWriter, Sequence[SSAValue]], None]
"""Writes what is done at a place, given its indices."""


class PlaceTables:
    """Appends tables of the places of a scatter with `e`, which begins where they are made."""

    def __init__(self, e: IndexWriter, scatter: Scatter):
        self._e = e
        buffer = scatter.buffers[0]
        axes = range(len(scatter.place))
        self._sizes = [e.add(memref.DimOp(buffer, e.index(axis))) for axis in axes]

    def add(self, element: Attribute, hint: str, *beside: int) -> SSAValue:
        """Append memory for a table, which has several elements `beside` each other at a place."""
        type = MemRefType(element, [*[DYNAMIC_INDEX] * len(self._sizes), *beside])
        return self._e.add(memref.AllocOp(self._sizes, [], type), hint)

    def each_place(self, body: AtPlace) -> None:
        """Append loops over the places."""
        self._along(self._e, body, ())

    def _along(self, e: IndexWriter, body: AtPlace, place: Sequence[SSAValue]) -> list[SSAValue]:
        if len(place) == len(self._sizes):
            body(e, place)
            return []

        def inner(e: IndexWriter, index: SSAValue, _: Sequence[SSAValue]) -> list[SSAValue]:
            return self._along(e, body, [*place, index])

        e.loop(e.index(0), self._sizes[len(place)], e.index(1), [], inner, "place")
        return []
