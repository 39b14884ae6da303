"""The form of a matrix that has whole diagonals: their ascending offsets alone.

Diagonal o has the elements (i, i + o). Those of a row are entries one after the other; how many
come before a row is computed from the offsets.
"""

from __future__ import annotations

from dataclasses import dataclass

from typing_extensions import override
from xdsl.ir import SSAValue

from diablo.lowering.sparse_storage.emitter import Emitter, Values
from diablo.lowering.sparse_storage.kernel_form import EntryBody, Form


@dataclass
class Band(Form):
    """All (i, j) in the box with j - i among the `offsets`."""

    offsets: SSAValue

    def before(self, e: Emitter, row: SSAValue) -> SSAValue:
        """Return how many entries the rows above `row` have, diagonal by diagonal."""
        rows, columns = self.extents
        zero = e.index(0)

        def diagonal(e: Emitter, k: SSAValue, values: Values) -> Values:
            offset = e.load(self.offsets, k)
            first = e.minimum(e.maximum(e.subtract(zero, offset), zero), rows)
            last = e.maximum(e.minimum(e.subtract(columns, offset), rows), first)
            reached = e.minimum(e.maximum(row, first), last)
            return [e.add(values[0], e.subtract(reached, first))]

        return e.loop(zero, e.length(self.offsets), [zero], diagonal)[0]

    @override
    def count(self, e: Emitter) -> SSAValue:
        return self.before(e, self.extents[0])

    def _first(self, e: Emitter, row: SSAValue) -> SSAValue:
        """The number of the first diagonal that `row` has an element of."""
        least = e.subtract(e.index(0), row)
        return e.lower_bound(
            e.index(0),
            e.length(self.offsets),
            lambda e, k: e.compare("slt", e.load(self.offsets, k), least),
        )

    @override
    def range_of(self, e: Emitter, prefix: Values) -> tuple[SSAValue, SSAValue]:
        if len(prefix) == 1:
            return self.before(e, prefix[0]), self.before(e, e.add(prefix[0], e.index(1)))
        if len(prefix) == 2:
            entry, found = self.find(e, prefix)
            return entry, e.select(found, e.add(entry, e.index(1)), entry)
        return super().range_of(e, prefix)

    @override
    def flat_at(self, e: Emitter, entry: SSAValue) -> SSAValue:
        """The row is found by halving."""
        one = e.index(1)
        row = e.lower_bound(
            e.index(0),
            self.extents[0],
            lambda e, row: e.compare("sle", self.before(e, e.add(row, one)), entry),
        )
        rest = e.subtract(entry, self.before(e, row))
        offset = e.load(self.offsets, e.add(self._first(e, row), rest))
        return e.add(e.multiply(row, self.extents[1]), e.add(row, offset))

    @override
    def walk(
        self,
        e: Emitter,
        prefix: Values,
        carried: Values,
        body: EntryBody,
        *,
        backwards: bool = False,
    ) -> Values:
        """The diagonals within the rows; the entries are counted on the way."""
        if len(prefix) == 2:
            return super().walk(e, prefix, carried, body, backwards=backwards)
        zero, one, columns = e.index(0), e.index(1), self.extents[1]
        begin, end = self.range_of(e, prefix)
        start = e.subtract(end, one) if backwards else begin

        def row_at(e: Emitter, rest: list[SSAValue], values: Values) -> Values:
            (row,) = [*prefix, *rest]

            def diagonal(e: Emitter, k: SSAValue, values: Values) -> Values:
                column = e.add(row, e.load(self.offsets, k), "j")
                inside = e.both(e.compare("sge", column, zero), e.compare("slt", column, columns))
                return self.counted(
                    e,
                    inside,
                    values,
                    lambda e, entry, others: body(e, [*rest, column], entry, others),
                    one,
                    backwards=backwards,
                )

            return e.loop(zero, e.length(self.offsets), values, diagonal, backwards=backwards)

        rows = self.extents[: 1 - len(prefix)]
        _, *results = e.nest(rows, [start, *carried], row_at, backwards=backwards)
        return results

    @override
    def find(self, e: Emitter, indices: Values) -> tuple[SSAValue, SSAValue]:
        """A search among the diagonals."""
        row, column = indices
        offset = e.subtract(column, row)
        length = e.length(self.offsets)
        k = e.lower_bound(
            e.index(0), length, lambda e, k: e.compare("slt", e.load(self.offsets, k), offset)
        )
        found = self.matches(
            e, k, length, lambda e: e.compare("eq", e.load(self.offsets, k), offset)
        )
        entry = e.add(self.before(e, row), e.subtract(k, self._first(e, row)))
        return entry, found
