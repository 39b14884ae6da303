"""Forms that keep lists: of every index of the leading dimensions, or of those with entries.

Of a 3x4 matrix with entries at (0, 1), (2, 0) and (2, 3)

    compressed      starts [0, 1, 1, 3]     indices [1, 0, 3]
    hypersparse     lists [0, 2]            starts [0, 1, 3]    indices [1, 0, 3]

The leading dimensions are flattened to the number of a list, the others to `indices`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from typing_extensions import override
from xdsl.ir import SSAValue

from diablo.lowering.sparse_storage.emitter import Emitter, Values
from diablo.lowering.sparse_storage.kernel_form import Cursor, EntryBody, Form


@dataclass
class Compressed(Form):
    """Lists for all indices of the first `list_rank` dimensions."""

    list_rank: int
    starts: SSAValue
    indices: SSAValue

    @override
    @classmethod
    def over(cls, extents: Sequence[SSAValue], list_rank: int, vectors: Values) -> Compressed:
        return cls(extents, list_rank, *vectors)

    @override
    def count(self, e: Emitter) -> SSAValue:
        return e.length(self.indices)

    @override
    def flat_at(self, e: Emitter, entry: SSAValue) -> SSAValue:
        """The list is found by halving: it is the last that starts at the entry or before."""
        one = e.index(1)
        lists = e.subtract(e.length(self.starts), one)
        row = e.lower_bound(
            e.index(0),
            lists,
            lambda e, row: e.compare("sle", e.load(self.starts, e.add(row, one)), entry),
        )
        for extent in self.extents[self.list_rank :]:
            row = e.multiply(row, extent)
        return e.add(row, e.load(self.indices, entry))

    def bounds(self, e: Emitter, row: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The entries of one list."""
        after = e.add(row, e.index(1))
        return e.load(self.starts, row, "lo"), e.load(self.starts, after, "hi")

    @override
    def range_of(self, e: Emitter, prefix: Values) -> tuple[SSAValue, SSAValue]:
        if not prefix:
            return e.index(0), self.count(e)
        if len(prefix) <= self.list_rank:
            first, last = e.span(prefix, self.extents[: self.list_rank])
            return e.load(self.starts, first, "lo"), e.load(self.starts, last, "hi")
        leading = list(self.extents[: self.list_rank])
        row = e.flatten(prefix[: self.list_rank], leading)
        return self._within(e, self.bounds(e, row), prefix[self.list_rank :])

    def _within(
        self, e: Emitter, bounds: tuple[SSAValue, SSAValue], columns: Values
    ) -> tuple[SSAValue, SSAValue]:
        """The part of a list whose first indices are `columns`."""
        first, last = e.span(columns, self.extents[self.list_rank :])
        begin = self.search(e, bounds, first)
        return begin, self.search(e, (begin, bounds[1]), last)

    def search(self, e: Emitter, bounds: tuple[SSAValue, SSAValue], column: SSAValue) -> SSAValue:
        """The first entry of a list at `column` or after.

        The indices of a list ascend by one at the least. So the entry is no further from the
        first one, and from the last, than `column` is, and only as many places remain to be
        searched as indices are missing from the list.
        """
        begin, end = bounds

        def narrowed(e: Emitter) -> Values:
            final = e.subtract(end, e.index(1))
            ahead = e.subtract(column, e.load(self.indices, begin, "first"))
            behind = e.subtract(e.load(self.indices, final, "last"), column)
            low = e.maximum(begin, e.minimum(end, e.subtract(final, behind)))
            high = e.minimum(end, e.add(begin, e.maximum(e.index(0), ahead)))
            found = e.lower_bound(
                low, high, lambda e, entry: e.compare("slt", e.load(self.indices, entry), column)
            )
            return [found]

        return e.branch(e.compare("slt", begin, end), narrowed, lambda _: [end])[0]

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
        if len(prefix) > self.list_rank:
            return self._entries(e, self.range_of(e, prefix), prefix, carried, body, backwards)
        leading = self.extents[: self.list_rank]

        def list_at(e: Emitter, rest: list[SSAValue], values: Values) -> Values:
            bounds = self.bounds(e, e.flatten([*prefix, *rest], leading))
            return self._entries(
                e,
                bounds,
                [],
                values,
                lambda e, columns, entry, values: body(e, [*rest, *columns], entry, values),
                backwards,
            )

        return e.nest(leading[len(prefix) :], carried, list_at, backwards=backwards)

    def _entries(
        self,
        e: Emitter,
        bounds: tuple[SSAValue, SSAValue],
        prefix: Values,
        carried: Values,
        body: EntryBody,
        backwards: bool,
    ) -> Values:
        """Some entries of one list; of their indices those behind `prefix` are wanted."""
        trailing = self.extents[self.list_rank :]
        drop = max(0, len(prefix) - self.list_rank)

        def at(e: Emitter, entry: SSAValue, values: Values) -> Values:
            columns = e.unflatten(e.load(self.indices, entry), trailing) if trailing else []
            return body(e, columns[drop:], entry, values)

        return e.loop(*bounds, carried, at, backwards=backwards, hint="p")

    @override
    def find(self, e: Emitter, indices: Values) -> tuple[SSAValue, SSAValue]:
        """A search in one list."""
        row = e.flatten(indices[: self.list_rank], self.extents[: self.list_rank])
        return self._find_in(e, self.bounds(e, row), indices)

    def _find_in(
        self, e: Emitter, bounds: tuple[SSAValue, SSAValue], indices: Values
    ) -> tuple[SSAValue, SSAValue]:
        column = e.flatten(indices[self.list_rank :], self.extents[self.list_rank :])
        entry = self.search(e, bounds, column)
        return entry, self.matches(
            e, entry, bounds[1], lambda e: e.compare("eq", e.load(self.indices, entry), column)
        )

    @override
    def cursor(self, e: Emitter, prefix: Values) -> Cursor | None:
        """A list, or the part of one, lies in order."""
        begin, end = self.range_of(e, prefix)
        base: SSAValue | None = None
        if len(prefix) > self.list_rank:
            trailing = self.extents[self.list_rank : -1]
            base = e.multiply(e.flatten(prefix[self.list_rank :], trailing), self.extents[-1])

        def key(e: Emitter, entry: SSAValue) -> SSAValue:
            column = e.load(self.indices, entry)
            return column if base is None else e.subtract(column, base)

        return Cursor(begin, end, key)


@dataclass
class Hypersparse(Compressed):
    """The same for the lists that have entries alone, whose ascending numbers are `lists`."""

    lists: SSAValue

    @override
    @classmethod
    def over(cls, extents: Sequence[SSAValue], list_rank: int, vectors: Values) -> Hypersparse:
        lists, starts, indices = vectors
        return cls(extents, list_rank, starts, indices, lists)

    @override
    def flat_at(self, e: Emitter, entry: SSAValue) -> SSAValue:
        one = e.index(1)
        slot = e.lower_bound(
            e.index(0),
            e.length(self.lists),
            lambda e, slot: e.compare("sle", e.load(self.starts, e.add(slot, one)), entry),
        )
        row = e.load(self.lists, slot)
        for extent in self.extents[self.list_rank :]:
            row = e.multiply(row, extent)
        return e.add(row, e.load(self.indices, entry))

    def _slot(self, e: Emitter, row: SSAValue) -> SSAValue:
        """The first list with this number or a greater one."""
        return e.lower_bound(
            e.index(0),
            e.length(self.lists),
            lambda e, slot: e.compare("slt", e.load(self.lists, slot), row),
        )

    def bounds(self, e: Emitter, row: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The entries of one list, none if it is not kept."""
        slot = self._slot(e, row)
        kept = self.matches(
            e, slot, e.length(self.lists), lambda e: e.compare("eq", e.load(self.lists, slot), row)
        )
        begin = e.load(self.starts, slot, "lo")
        after = e.select(kept, e.add(slot, e.index(1)), slot)
        return begin, e.load(self.starts, after, "hi")

    def _slots(self, e: Emitter, prefix: Values) -> tuple[SSAValue, SSAValue]:
        """The lists whose first indices are `prefix`."""
        if not prefix:
            return e.index(0), e.length(self.lists)
        first, last = e.span(prefix, self.extents[: self.list_rank])
        return self._slot(e, first), self._slot(e, last)

    @override
    def range_of(self, e: Emitter, prefix: Values) -> tuple[SSAValue, SSAValue]:
        if len(prefix) > self.list_rank:
            return super().range_of(e, prefix)
        first, last = self._slots(e, prefix)
        return e.load(self.starts, first, "lo"), e.load(self.starts, last, "hi")

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
        """Lists without entries are not visited."""
        if len(prefix) > self.list_rank:
            return super().walk(e, prefix, carried, body, backwards=backwards)
        leading = self.extents[: self.list_rank]

        def list_at(e: Emitter, slot: SSAValue, values: Values) -> Values:
            rest = e.unflatten(e.load(self.lists, slot, "row"), leading)[len(prefix) :]
            begin = e.load(self.starts, slot, "lo")
            end = e.load(self.starts, e.add(slot, e.index(1)), "hi")
            return self._entries(
                e,
                (begin, end),
                [],
                values,
                lambda e, columns, entry, values: body(e, [*rest, *columns], entry, values),
                backwards,
            )

        first, last = self._slots(e, prefix)
        return e.loop(first, last, carried, list_at, backwards=backwards)
