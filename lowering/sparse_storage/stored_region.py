"""`StoredRegion`: a region as buffers, in one or more orders, perhaps sliced.

It answers what the ops of the dialect ask, from whichever order fits:

    region.sliced({0: i}).walk(e, (0,), [zero], body)

takes the first order [0, 1] of a region, as all entries with first index `i` lie together
there. Of a region stored by columns alone it walks the whole and tests each first index.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from diablo.lowering.sparse_storage.emitter import Emitter, Values
from diablo.lowering.sparse_storage.kernel_form import Cursor, EntryBody, Form


@dataclass(frozen=True)
class StoredOrder:
    """The indices in one order; `entries`, if any, has the position of each entry."""

    order: tuple[int, ...]
    form: Form
    entries: SSAValue | None = None

    def position(self, e: Emitter, entry: SSAValue) -> SSAValue:
        """The position of an entry of this order."""
        return entry if self.entries is None else e.load(self.entries, entry, "p")


@dataclass(frozen=True)
class StoredRegion:
    """A region of the box `extents`, with given indices in the dimensions `fixed`.

    The first of the `orders` is that of the positions.
    """

    extents: Sequence[SSAValue]
    orders: Sequence[StoredOrder]
    fixed: Mapping[int, SSAValue] = field(default_factory=dict[int, SSAValue])

    @property
    def first(self) -> StoredOrder:
        """The order of the positions."""
        return self.orders[0]

    @property
    def free(self) -> list[int]:
        """The dimensions of the box that are not fixed: those of the region."""
        return [d for d in range(len(self.extents)) if d not in self.fixed]

    def sliced(self, fixed: Mapping[int, SSAValue]) -> StoredRegion:
        """The part with these indices in dimensions of the region."""
        free = self.free
        return replace(self, fixed={**self.fixed, **{free[d]: i for d, i in fixed.items()}})

    def _prefix_order(self, wanted: Sequence[int]) -> StoredOrder | None:
        """An order in which the region lies in one piece, its dimensions as `wanted`."""
        k = len(self.fixed)
        for stored in self.orders:
            if set(stored.order[:k]) == set(self.fixed) and list(stored.order[k:]) == list(wanted):
                return stored
        return None

    def iterates(self, order: Sequence[int]) -> bool:
        """Return whether some order that is stored gives the region's indices in this one."""
        free = self.free
        wanted = [free[d] for d in order]
        return any([d for d in s.order if d in free] == wanted for s in self.orders)

    def walk(
        self,
        e: Emitter,
        order: Sequence[int],
        carried: Values,
        body: EntryBody,
        *,
        backwards: bool = False,
        counting: bool = False,
    ) -> Values:
        """Run `body` for each index in the given order of the region's dimensions.

        With `counting` the body needs no indices and is given zeros.
        """
        free = self.free
        wanted = [free[d] for d in order]
        stored = self._prefix_order(wanted)
        if stored is not None:
            prefix = [self.fixed[d] for d in stored.order[: len(self.fixed)]]
            if counting:
                return self._count(e, stored, prefix, carried, body, backwards)

            def at(e: Emitter, rest: list[SSAValue], entry: SSAValue, values: Values) -> Values:
                indices = [rest[wanted.index(d)] for d in free]
                return body(e, indices, stored.position(e, entry), values)

            return stored.form.walk(e, prefix, carried, at, backwards=backwards)
        for stored in self.orders:
            if [d for d in stored.order if d in free] == wanted:
                return self._filter(e, stored, carried, body, backwards)
        return self._search(e, wanted, carried, body, backwards)

    def _count(
        self,
        e: Emitter,
        stored: StoredOrder,
        prefix: Values,
        carried: Values,
        body: EntryBody,
        backwards: bool,
    ) -> Values:
        """A loop over positions alone."""
        zeros = [e.index(0)] * len(self.free)

        def at(e: Emitter, entry: SSAValue, values: Values) -> Values:
            return body(e, zeros, stored.position(e, entry), values)

        bounds = stored.form.range_of(e, prefix)
        return e.loop(*bounds, carried, at, backwards=backwards, hint="p")

    def _filter(
        self,
        e: Emitter,
        stored: StoredOrder,
        carried: Values,
        body: EntryBody,
        backwards: bool,
    ) -> Values:
        """All entries are visited, and those that have the fixed indices taken."""
        k = next(n for n, d in enumerate([*stored.order, -1]) if d not in self.fixed)
        prefix = [self.fixed[d] for d in stored.order[:k]]
        rest_order = stored.order[k:]

        def at(e: Emitter, rest: list[SSAValue], entry: SSAValue, values: Values) -> Values:
            found = dict(zip(rest_order, rest, strict=True))
            tests = [
                e.compare("eq", found[d], self.fixed[d]) for d in rest_order if d in self.fixed
            ]
            test = tests[0]
            for other in tests[1:]:
                test = e.both(test, other)

            def taken(e: Emitter) -> Values:
                indices = [found[d] for d in self.free]
                return body(e, indices, stored.position(e, entry), values)

            return e.branch(test, taken, lambda _: list(values))

        return stored.form.walk(e, prefix, carried, at, backwards=backwards)

    def _search(
        self,
        e: Emitter,
        wanted: Sequence[int],
        carried: Values,
        body: EntryBody,
        backwards: bool,
    ) -> Values:
        """Every index of the box is looked up: no order that is stored fits."""

        def at(e: Emitter, rest: list[SSAValue], values: Values) -> Values:
            whole = {**self.fixed, **dict(zip(wanted, rest, strict=True))}
            entry, found = self._find(e, whole)

            def taken(e: Emitter) -> Values:
                return body(e, [whole[d] for d in self.free], entry, values)

            return e.branch(found, taken, lambda _: list(values))

        return e.nest([self.extents[d] for d in wanted], carried, at, backwards=backwards)

    def _find(self, e: Emitter, whole: Mapping[int, SSAValue]) -> tuple[SSAValue, SSAValue]:
        return self.first.form.find(e, [whole[d] for d in self.first.order])

    def lookup(self, e: Emitter, indices: Sequence[SSAValue]) -> tuple[SSAValue, SSAValue]:
        """The position of an index, -1 if it is not there, and whether it is."""
        whole = {**self.fixed, **dict(zip(self.free, indices, strict=True))}
        inside = e.boolean(True)
        for d, index in whole.items():
            low, high = (
                e.compare("sge", index, e.index(0)),
                e.compare("slt", index, self.extents[d]),
            )
            inside = e.both(inside, e.both(low, high))

        def search(e: Emitter) -> Values:
            position, found = self._find(e, whole)
            return [e.select(found, position, e.index(-1)), found]

        position, found = e.branch(inside, search, lambda e: [e.index(-1), e.boolean(False)])
        return position, found

    def size(self, e: Emitter) -> SSAValue:
        """Return how many indices there are."""
        for stored in self.orders:
            k = len(self.fixed)
            if set(stored.order[:k]) == set(self.fixed):
                prefix = [self.fixed[d] for d in stored.order[:k]]
                begin, end = stored.form.range_of(e, prefix)
                return e.subtract(end, begin)
        order = [self.free.index(d) for d in self.first.order if d in self.free]
        one = e.index(1)
        (size,) = self.walk(
            e, order, [e.index(0)], lambda e, _indices, _p, values: [e.add(values[0], one)]
        )
        return size

    def step(
        self, e: Emitter, dimension: int, position: SSAValue, *, backwards: bool
    ) -> tuple[SSAValue, SSAValue]:
        """The next position along a dimension, and whether there is one.

        Index after index is looked up along the dimension, but for the last one of the order,
        in which neighbours have neighbouring positions.
        """
        along = self.free[dimension]
        form, order = self.first.form, self.first.order
        if along == order[-1]:
            return self._neighbour(e, position, backwards)
        here = e.unflatten(form.flat_at(e, position), form.extents)
        place = order.index(along)
        unit, limit = e.index(-1 if backwards else 1), self.extents[along]
        zero = e.index(0)

        def searching(e: Emitter, state: Values) -> SSAValue:
            index, _, found = state
            inside = e.both(e.compare("sge", index, zero), e.compare("slt", index, limit))
            missing = e.compare("eq", e.select(found, e.index(1), zero), zero)
            return e.both(inside, missing)

        def look(e: Emitter, state: Values) -> Values:
            index, before, _ = state
            entry, found = form.find(e, [*here[:place], index, *here[place + 1 :]])
            return [e.add(index, unit), e.select(found, entry, before), found]

        start = e.add(here[place], unit)
        _, result, found = e.repeat([start, position, e.boolean(False)], searching, look)
        return result, found

    def _neighbour(
        self, e: Emitter, position: SSAValue, backwards: bool
    ) -> tuple[SSAValue, SSAValue]:
        """The entry beside, if its other indices are the same."""
        form = self.first.form
        unit = e.index(-1 if backwards else 1)
        beside = e.add(position, unit)
        inside = e.both(
            e.compare("sge", beside, e.index(0)), e.compare("slt", beside, form.count(e))
        )

        def same_list(e: Emitter) -> Values:
            lists = [
                e.value(arith.DivUIOp(form.flat_at(e, entry), form.extents[-1]))
                for entry in (position, beside)
            ]
            return [e.compare("eq", *lists)]

        (found,) = e.branch(inside, same_list, lambda e: [e.boolean(False)])
        return e.select(found, beside, position), found

    def cursor(self, e: Emitter, order: Sequence[int]) -> tuple[StoredOrder, Cursor] | None:
        """The entries in order of their last free dimension, if they can be merged.

        All dimensions but the last one of `order` must be fixed.
        """
        free = self.free
        stored = self._prefix_order([free[d] for d in order])
        if stored is None or len(free) != 1:
            return None
        prefix = [self.fixed[d] for d in stored.order[:-1]]
        cursor = stored.form.cursor(e, prefix)
        return None if cursor is None else (stored, cursor)
