"""`Form`: how one order of a region's indices lies in buffers, and what loops over it.

A form knows a box whose dimensions are in the order that it iterates, and numbers its entries
in that order. What every form can do follows from two questions, how many entries there are and
which index entry k has; a form overrides what it does better.

    form.walk(e, [i], [zero], body)        all entries whose first index is i

becomes, for compressed rows,

    %lo = memref.load %starts[%i]
    %hi = memref.load %starts[%i + 1]
    scf.for %p = %lo to %hi iter_args(%acc = %zero) { … memref.load %indices[%p] … }
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from diablo.lowering.sparse_storage.emitter import Emitter, Values

EntryBody = Callable[[Emitter, list[SSAValue], SSAValue, Values], Values]
"""Is given the indices, the position and the values that are carried; returns the latter."""


@dataclass
class Cursor:
    """The entries with some first indices, as a range whose last index ascends.

    `key` gives the last index of an entry without a search.
    """

    begin: SSAValue
    end: SSAValue
    key: Callable[[Emitter, SSAValue], SSAValue]


@dataclass
class Form(ABC):
    """One order of the indices in the box `extents`, whose dimensions are in that order."""

    extents: Sequence[SSAValue]

    @classmethod
    def over(cls, extents: Sequence[SSAValue], list_rank: int, vectors: Values) -> Form:
        """The form over the vectors that its row of the table of formats names, in that order."""
        return cls(extents, *vectors)

    @abstractmethod
    def count(self, e: Emitter) -> SSAValue:
        """Return how many entries there are."""

    @abstractmethod
    def flat_at(self, e: Emitter, entry: SSAValue) -> SSAValue:
        """The row-major position in the box of an entry."""

    def lower_bound(self, e: Emitter, flat: SSAValue) -> SSAValue:
        """Return how many entries come before a position in the box."""
        return e.lower_bound(
            e.index(0),
            self.count(e),
            lambda e, entry: e.compare("slt", self.flat_at(e, entry), flat),
        )

    def range_of(self, e: Emitter, prefix: Values) -> tuple[SSAValue, SSAValue]:
        """The entries whose first indices are `prefix`."""
        if not prefix:
            return e.index(0), self.count(e)
        first, last = e.span(prefix, self.extents)
        return self.lower_bound(e, first), self.lower_bound(e, last)

    def walk(
        self,
        e: Emitter,
        prefix: Values,
        carried: Values,
        body: EntryBody,
        *,
        backwards: bool = False,
    ) -> Values:
        """Run `body` for each entry whose first indices are `prefix`, in order."""
        begin, end = self.range_of(e, prefix)

        def at(e: Emitter, entry: SSAValue, values: Values) -> Values:
            indices = e.unflatten(self.flat_at(e, entry), self.extents)
            return body(e, indices[len(prefix) :], entry, values)

        return e.loop(begin, end, carried, at, backwards=backwards, hint="p")

    def find(self, e: Emitter, indices: Values) -> tuple[SSAValue, SSAValue]:
        """The entry of an index in the box, and whether there is one."""
        flat = e.flatten(indices, self.extents)
        entry = self.lower_bound(e, flat)
        return entry, self.matches(
            e, entry, self.count(e), lambda e: e.compare("eq", self.flat_at(e, entry), flat)
        )

    def cursor(self, e: Emitter, prefix: Values) -> Cursor | None:
        """The entries whose indices but the last are `prefix`, if they can be merged."""
        return None

    @staticmethod
    def counted(
        e: Emitter,
        test: SSAValue,
        values: Values,
        body: Callable[[Emitter, SSAValue, Values], Values],
        one: SSAValue,
        *,
        backwards: bool,
    ) -> Values:
        """Run `body` where `test` says that an index is stored, and count the entries.

        `values` are the number of the entry and what is carried; the result is both afterwards.
        """
        entry, *others = values

        def stored(e: Emitter) -> Values:
            results = body(e, entry, others)
            following = e.subtract(entry, one) if backwards else e.add(entry, one)
            return [following, *results]

        return e.branch(test, stored, lambda _: list(values))

    @staticmethod
    def matches(
        e: Emitter, entry: SSAValue, end: SSAValue, test: Callable[[Emitter], SSAValue]
    ) -> SSAValue:
        """Return whether an entry is before `end` and passes `test`, which may read it."""
        inside = e.compare("slt", entry, end)
        return e.branch(inside, lambda e: [test(e)], lambda e: [e.boolean(False)])[0]
