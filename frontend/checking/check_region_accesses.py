"""Checks what is read and written of arrays over regions: only what they have storage for.

for (i,j) in R do A[i,j] = 0.0   with A over Tri = R where …   ->   an error that names R and Tri
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from diablo.diagnostics import Span
from diablo.frontend.checking.check_regions import RegionChecker
from diablo.frontend.checking.inclusion import bounds_outside, is_within
from diablo.frontend.checking.index_sets import Bounds, IndexSet, Open
from diablo.frontend.checking.linear import Linear
from diablo.frontend.checking.quantities import quantity
from diablo.frontend.checking.scope import Symbol
from diablo.frontend.checking.types import INT, UNKNOWN, Type, UnknownType
from diablo.frontend.parsing import syntax


@dataclass(frozen=True)
class Membership:
    """An index that is known to be in a region."""

    index: tuple[Linear, ...]
    region: IndexSet


class RegionAccessChecker(RegionChecker, ABC):
    """The part of the checker that knows which indices are in which region."""

    def __init__(self) -> None:
        super().__init__()
        self.members: list[Membership] = []
        self.ranges: dict[object, Bounds] = {}
        # How many conditions protect what is checked: an index that is wrong may not occur.
        self.guards = 0
        # Expressions of which only a part is read.
        self.parted: set[syntax.Expr] = set()

    # --- What is known of indices ----------------------------------------------------------

    def note_range(self, pattern: syntax.Pattern, bounds: Bounds) -> None:
        """Note which indices a variable goes through."""
        if isinstance(pattern, syntax.NamePattern):
            self.ranges[self.checked.symbols[pattern]] = bounds

    def note_indices(self, pattern: syntax.Pattern, region: IndexSet) -> None:
        """Note that the variables of `pattern` go through the indices of a region."""
        items = [pattern] if region.rank == 1 else getattr(pattern, "items", [])
        names = [item for item in items if isinstance(item, syntax.NamePattern)]
        if len(names) != region.rank:
            return
        for name, bounds in zip(names, region.bounds, strict=True):
            if bounds is not None:
                self.note_range(name, bounds)
        index = tuple(Linear.unknown(self.checked.symbols[name]) for name in names)
        self.members.append(Membership(index, region))

    def note_source(self, pattern: syntax.Pattern, source: syntax.Expr) -> None:
        """Note what a generator says of the variables that it binds."""
        if isinstance(source, syntax.Range):
            bounds = Bounds(self.linear(source.lower), self.linear(source.upper))
            self.note_range(pattern, bounds)
            return
        region = self.checked.regions.get(source)
        if region is not None:
            self.note_indices(pattern, region)
        elif isinstance(source, syntax.Name) and isinstance(pattern, syntax.TuplePattern):
            symbol = self.checked.symbols.get(source)
            if symbol is not None and symbol.region is not None:
                self.note_indices(pattern.items[0], symbol.region)

    @contextmanager
    def guarded(self) -> Generator[None]:
        """What stands behind a condition."""
        self.guards += 1
        yield
        self.guards -= 1

    @contextmanager
    def where(self, condition: syntax.Expr) -> Generator[None]:
        """What is known where `condition` holds: `R[i,j]` says that (i,j) is in R."""
        known = len(self.members)
        waiting = [condition]
        while waiting:
            part = waiting.pop()
            if isinstance(part, syntax.Binary) and part.op == "&&":
                waiting += [part.lhs, part.rhs]
            elif isinstance(part, syntax.Index) and isinstance(part.base, syntax.Name):
                symbol = self.checked.symbols.get(part.base)
                if symbol is not None and symbol.kind == "region" and symbol.region is not None:
                    self.members.append(Membership(self._index(part), symbol.region))
        with self.guarded():
            yield
        del self.members[known:]

    def _index(self, expr: syntax.Index) -> tuple[Linear, ...]:
        return tuple(
            Linear.unknown() if isinstance(i, syntax.Slice) else self.linear(i)
            for i in expr.indices
        )

    # --- Values ----------------------------------------------------------------------------

    def check_base(self, expr: syntax.Expr) -> Type:
        """The type of an expression of which a part is read: an array may have flood dimensions."""
        self.parted.add(expr)
        return self.check(expr)

    def region_behind(self, expr: syntax.Expr) -> IndexSet | None:
        """The region that a variable is, or that the array of a variable is over."""
        symbol = self.checked.symbols.get(expr) if isinstance(expr, syntax.Name) else None
        return None if symbol is None else symbol.region

    def check_whole(self, expr: syntax.Name, symbol: Symbol) -> None:
        """Check that the value of a variable can be used as a whole."""
        region = symbol.region
        if region is not None and region.has_flood and expr not in self.parted:
            what = "a region" if symbol.kind == "region" else "an array over a region"
            message = f"`{expr.name}` is {what} with a flood dimension, and no value as a whole"
            self.error(expr.span, message, "read its elements")

    def check_region_size(self, expr: syntax.Field, type: Type, region: IndexSet) -> Type:
        """The type of `R.length`, the number of indices, and of `R.rows`, `R.cols`."""
        symbol = self.checked.symbols[expr.base] if isinstance(expr.base, syntax.Name) else None
        if region.has_flood:
            self.refuse_flood(expr.span, region)
            return UNKNOWN
        is_region = symbol is not None and symbol.kind == "region"
        fields = {1: ["length"], 2: ["rows", "cols"]}.get(region.rank, [])
        fields = [*fields, *(["length"] if is_region else [])]
        if expr.name in fields:
            return INT
        hint = f"it has {', '.join(f'.{f}' for f in dict.fromkeys(fields))}" if fields else None
        what = f"a region of {quantity(region.rank, 'dimension')}" if is_region else str(type)
        message = f"{what} has no field `{expr.name}`"
        return self.error(expr.span, message, hint)

    # --- Accesses --------------------------------------------------------------------------

    def check_region_index(self, expr: syntax.Index, symbol: Symbol, region: IndexSet) -> None:
        """Check the index of an element of an array over a region, read or written."""
        for number, (index, bounds) in enumerate(zip(expr.indices, region.bounds, strict=False)):
            if isinstance(index, syntax.Slice) or bounds is None:
                continue
            if isinstance(index, syntax.Wildcard):
                message = f"dimension {number + 1} of `{symbol.name}` is no flood dimension"
                self.error(index.span, message, "`*` stands where the region has `*`")
                continue
            found = self._range_of(index)
            if (
                self.guards == 0
                and bounds.is_flat
                and found is not None
                and bounds_outside(found, bounds)
            ):
                what = "index" if found.is_flat else "indices"
                message = (
                    f"`{symbol.name}` is over {region}, which has one index in dimension "
                    f"{number + 1}, and is used here at other {what}"
                )
                hint = "to repeat the values for all indices, make it a flood dimension: *"
                self.error(expr.span, message, hint, note=_declared(symbol))

    def check_region_write(self, target: syntax.Index, symbol: Symbol) -> None:
        """Check that an array over a region has storage for an element that is written."""
        region = symbol.region
        assert region is not None
        if symbol.kind == "region" and isinstance(region.made, Open):
            region = region.made.base
        for number, (index, bounds) in enumerate(zip(target.indices, region.bounds, strict=False)):
            if bounds is None and not isinstance(index, syntax.Wildcard):
                message = (
                    f"`{symbol.name}` has one value for all indices of its dimension "
                    f"{number + 1}, and this writes it for one of them"
                )
                marks = ["*" if b is None else "ijklmn"[d] for d, b in enumerate(region.bounds)]
                hint = f"write it for all of them: {symbol.name}[{','.join(marks)}] = …"
                self.error(target.span, message, hint, note=_declared(symbol))
                return
        if region.has_flood:
            return
        written = self._index(target)
        for member in self.members:
            if len(member.index) == len(written):
                pairs = zip(written, member.index, strict=True)
                if is_within(member.region, region, [w - i for w, i in pairs]):
                    return
        if region.sparse:
            self._refuse_write(target, symbol, region)
            return
        under = self._controlling(written)
        if self.guards or under is None or under.sparse:
            return  # An index outside of the array drops the iteration while the program runs.
        controlled = any(m.region is under and m.index == written for m in self.members)
        pairs = zip(under.bounds, region.bounds, strict=False)
        if controlled and any(a and b and bounds_outside(a, b) for a, b in pairs):
            self._refuse_write(target, symbol, region)

    def _range_of(self, index: syntax.Expr) -> Bounds | None:
        """The values that an index takes, if it is a number or a loop variable and a number."""
        value = self.linear(index)
        ranged = [(what, count) for what, count in value.terms if what in self.ranges]
        if not ranged:
            return Bounds(value, value)
        if len(ranged) > 1 or ranged[0][1] != 1:
            return None
        what, _ = ranged[0]
        return self.ranges[what].shifted(value - Linear.unknown(what))

    def _refuse_write(self, target: syntax.Index, symbol: Symbol, region: IndexSet) -> None:
        parts = [part for part in target.indices if not isinstance(part, syntax.Slice)]
        if any(isinstance(self.checked.types.get(part), UnknownType) for part in parts):
            return  # What binds the index is wrong already.
        under = self._controlling(self._index(target))
        name = symbol.name
        owner = f"`{name}` is {'made of' if symbol.kind == 'region' else 'over'} {region}"
        indices = ",".join(self.text_of(index.span) for index in target.indices)
        test = f"where the index is in it: if ({region.name}[{indices}]) …"
        if not region.named:
            test = "where the index is in it, which takes a name: region S = …"
        letters = ",".join("ijklmn"[: region.rank])
        pattern = f"({letters})" if region.rank > 1 else letters
        hint = f"write it under its own region: for {pattern} in {region.name} do …, or {test}"
        if under is None:
            message = f"{owner}, and this writes it where no region controls the indices"
        elif is_within(under, region):
            message = f"{owner}, and this writes it beside the index that `{under.name}` controls"
            hint = f"write it {test}"
        else:
            message = f"{owner}, and this writes it under {under}"
        self.error(target.span, message, hint, note=_declared(symbol))

    def _controlling(self, index: tuple[Linear, ...]) -> IndexSet | None:
        """The innermost region that binds a variable of `index`."""
        used = {what for value in index for what, _ in value.terms}
        for member in reversed(self.members):
            if any(what in used for value in member.index for what, _ in value.terms):
                return member.region
        return None


def _declared(symbol: Symbol) -> tuple[str, Span]:
    return f"`{symbol.name}` is declared here", symbol.span
