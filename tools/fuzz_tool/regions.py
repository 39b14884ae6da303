"""Writes random regions: their declarations, and what stands for one without a name."""

from __future__ import annotations

from abc import ABC
from dataclasses import replace

import numpy as np
import scipy.sparse as sparse

from diablo.tools.fuzz_tool.loops import LoopWriter
from diablo.tools.fuzz_tool.model import BOOLEAN, INT, ArrayVariable, RegionArray, Scope
from diablo.tools.fuzz_tool.region_definitions import combination, filtered, moved, sliced
from diablo.tools.fuzz_tool.region_model import ARRAY_TYPES, RANGES, Region


class RegionWriter(LoopWriter, ABC):
    """The part of the writer that declares regions."""

    regions: list[Region]
    over: list[RegionArray]
    """The arrays over regions."""

    def declare_region(self) -> Region:
        """A region of the program: a box, or one made of others."""
        if not self.regions or self.chance(12):
            region = self.named(self.box())
        elif self.chance(15):
            region = self.open_region(self.pick(self.regions))
        else:
            base = self.pick(self.regions)
            region = self.named(self.chosen(base) if self.chance(60) else self.derived(base))
        self.regions.append(region)
        self.globals.values["Int"].append(f"{region.text}.length")
        return region

    def named(self, region: Region) -> Region:
        """Declare a region that is an expression so far."""
        name = self.fresh("R")
        self.lines.append(f"region {name} = {region.text};")
        extents = region.extents
        if extents is None and region.rank == 2:
            extents = (f"{name}.rows", f"{name}.cols")
        is_box = not region.sparse and not region.strided
        return replace(
            region,
            text=name,
            within=region.within | {name},
            extents=extents,
            box=name if is_box else region.box,
        )

    def box(self) -> Region:
        """Ranges of indices, perhaps with steps."""
        rank = self.pick((1, 2, 2, 2, 3))
        ranges = [self.pick(RANGES[:3] if self.chance(50) else RANGES) for _ in range(rank)]
        extents = tuple(extent for _, extent in ranges if extent is not None)
        region = Region(
            f"({', '.join(text for text, _ in ranges)})",
            rank,
            sparse=False,
            within=frozenset(),
            extents=extents if len(extents) == rank else None,
            begins_at_zero=all(text.startswith("0") for text, _ in ranges),
        )
        return self.strided(region) if self.chance(15) else region

    # ---- regions made of others -----------------------------------------------------------

    def derived(self, base: Region) -> Region:
        """A region with steps, moved, a slice, or a set operation."""
        kind = self.count(1, 100)
        if kind <= 20:
            return self.strided(base)
        if kind <= 40:
            amounts = tuple(self.count(-1, 2) for _ in range(base.rank))
            text = f"{base.text} at {self.tuple_of([str(a) for a in amounts])}"
            return Region(
                text,
                base.rank,
                base.sparse,
                frozenset(),
                base.extents,
                strided=base.strided,
                moved=(base.text, amounts),
                moves=base.moves + 1,
                definition=moved(base, amounts),
            )
        if kind <= 55 and not base.strided:
            return self.sliced(base)
        return self.combined(base)

    def strided(self, base: Region) -> Region:
        """Every so many indices of a region."""
        steps = [self.pick(("1", "2", "2", "3")) for _ in range(base.rank)]
        return Region(
            f"{base.text} by {self.tuple_of(steps)}",
            base.rank,
            base.sparse,
            base.within,
            base.extents if base.sparse else None,
            base.begins_at_zero,
            strided=base.strided or not base.sparse,
            moves=base.moves,
        )

    def sliced(self, base: Region) -> Region:
        """A slice that keeps all dimensions, perhaps with steps."""
        parts = [self.pick(("*", "*", "0:n", "1:3", "1:n", "0:2")) for _ in range(base.rank)]
        stepped = [f"{part}:{self.pick((2, 3))}" if part != "*" else part for part in parts]
        steps = stepped != parts and self.chance(30)
        return Region(
            f"{base.text}[{', '.join(stepped if steps else parts)}]",
            base.rank,
            base.sparse,
            base.within,
            strided=steps and not base.sparse,
            moves=base.moves,
            definition=None if steps else sliced(base, parts),
        )

    def other(self, base: Region) -> Region:
        """Another region of the same rank, if there is one."""
        regions = [region for region in self.regions if region.rank == base.rank]
        return self.pick([region for region in regions if region != base] or regions)

    def combined(self, base: Region) -> Region:
        """A union, an intersection or a difference."""
        other = self.other(base)
        if self.chance(40):
            return self.both(base, other, "&&")
        op = self.pick(("||", "-"))
        return Region(
            f"{base.text} {op} {other.text}",
            base.rank,
            # A union of boxes is sparse unless one is known to contain the other.
            sparse=True,
            within=base.within if op == "-" else base.within & other.within,
            extents=base.extents if op == "-" else None,
            box=base.box if op == "-" else None,
            strided=base.strided or other.strided,
            moves=max(base.moves, other.moves),
            definition=combination("&& !" if op == "-" else op, base, other),
        )

    @staticmethod
    def both(base: Region, other: Region, op: str) -> Region:
        """An intersection, written with `&&` or `where`; of regions with steps it is sparse."""
        strided = base.strided or other.strided
        return Region(
            f"{base.text} {op} {other.text}",
            base.rank,
            base.sparse or other.sparse or strided,
            base.within | other.within,
            strided=strided,
            moves=max(base.moves, other.moves),
            definition=combination("&&", base, other),
        )

    # ---- sparse regions -------------------------------------------------------------------

    def chosen(self, base: Region) -> Region:
        """The indices of a region that a predicate, an array or a list chooses."""
        names = [self.fresh("i") for _ in range(base.rank)]
        kind, definition = self.count(1, 100), None
        if kind <= 50:
            predicate = self.affine_predicate(names)
            pattern = f"{self.tuple_of(names)} => {predicate}"
            definition = filtered(base, predicate, names)
        elif kind <= 70:
            scope = self.inner_scope()
            scope.indices += names
            scope.values["Int"] += names
            pattern = f"{self.tuple_of(names)} => {self.condition(scope)}"
        elif kind <= 85 and base.extents is not None and not base.strided:
            pattern = self.boolean_array(base.extents)
        elif kind <= 95:
            pattern = self.index_list(base.rank)
        else:
            return self.both(base, self.other(base), "where")
        return Region(
            f"{base.text} where {pattern}",
            base.rank,
            sparse=True,
            within=base.within,
            extents=None if base.strided else base.extents,
            begins_at_zero=base.begins_at_zero,
            box=base.box,
            moves=base.moves,
            definition=definition,
        )

    def affine_predicate(self, names: list[str]) -> str:
        """A band, a triangle, a diagonal, or several of these."""
        i, j = self.pick(names), self.pick(names)
        text = self.pick(
            (
                f"abs({i}-{j}) < {self.pick(('1', '2', '2', '3'))}",
                f"{i} <= {j}",
                f"{i} < {j}",
                f"{i} == {j}",
                f"{i} == {j}+1",
                f"{i}+{j} == n",
                f"2*{i}+{j} < 2*n",
                f"({i}+{j})%2 == 0",
                f"{i} != 1",
                f"{i} > m",
            )
        )
        if self.chance(25):
            return f"{text} {self.pick(('&&', '||'))} {self.affine_predicate(names)}"
        return text

    def boolean_array(self, extents: tuple[str, ...]) -> str:
        """A Boolean array, from the caller or computed."""
        name = self.fresh("B")
        if set(extents) <= {"n", "m"} and self.chance(50):
            numbers = np.random.default_rng(self.count(0, 1000))
            values = numbers.random([self.inputs[extent] for extent in extents]) < 0.5
            self.lines.append(f"input {name}: {ARRAY_TYPES[len(extents)]}[Boolean];")
            is_sparse = len(extents) == 2 and self.chance(50)
            self.inputs[name] = sparse.csr_array(values) if is_sparse else values
            return name
        names, scope = [self.fresh("i") for _ in extents], self.inner_scope()
        scope.indices += names
        scope.values["Int"] += names
        sources = ", ".join(f"{i} <- 0..{d}-1" for i, d in zip(names, extents, strict=True))
        row = f"({self.tuple_of(names)},{self.condition(scope)})"
        self.declare(name, f"{self.storage(extents)}[ {row} | {sources} ]")
        self.arrays.append(ArrayVariable(name, extents, BOOLEAN))
        return name

    def index_list(self, rank: int) -> str:
        """A list of indices, some of them outside and some twice."""
        known = [v.name for v in self.lists if v.columns == (INT,) * rank]
        if known and self.chance(50):
            return self.pick(known)
        qualifiers, scope, _ = self.qualifiers()
        row = self.tuple_of([self.affine(scope) for _ in range(rank)])
        return f"[ {row} | {', '.join(qualifiers)} ]"

    def open_region(self, base: Region) -> Region:
        """A region that the program fills."""
        region = self.named(
            replace(
                base,
                text=f"{base.text} where ?",
                sparse=True,
                moved=None,
                definition=None,
                strided=False,
                extents=None if base.strided else base.extents,
            )
        )
        if self.chance(25):
            self.lines.append(f"{region.text} = {self.index_list(base.rank)};")
        for _ in range(self.pick((1, 1, 2))):
            self.lines.append(self.filling(region, base))
        return region

    def filling(self, region: Region, base: Region) -> str:
        """A loop that adds indices to an open region, or takes some away."""
        names, scope = [self.fresh("i") for _ in range(base.rank)], self.inner_scope()
        scope.indices += names
        scope.values["Int"] += names
        value = self.pick(("true", "true", "true", "false"))
        if self.chance(25):
            value = self.condition(scope)
        place = f"{region.text}[{','.join(names)}] = {value};"
        if self.chance(60):
            place = f"if ({self.condition(scope)}) {{ {place} }}"
        return f"for {self.tuple_of(names)} in {base.text} do {{ {place} }};"

    # ---- use --------------------------------------------------------------------------------

    def region_here(self, scope: Scope) -> Region:
        """A region to go through: a declared one, or an expression for one."""
        region = self.pick(self.regions)
        if self.chance(75):
            return region
        if region.rank > 1 and not region.strided and scope.nesting and scope.indices:
            kept = self.count(0, region.rank - 1)
            parts = ["*"] * region.rank
            parts[kept - 1] = self.affine(Scope(indices=list(scope.indices)))
            text = f"{region.text}[{','.join(parts)}]"
            return Region(text, region.rank - 1, region.sparse, frozenset())
        if self.chance(70):
            return self.derived(region)
        names = [self.fresh("i") for _ in range(region.rank)]
        pattern = f"{self.tuple_of(names)} => {self.affine_predicate(names)}"
        return Region(
            f"{region.text} where {pattern}", region.rank, sparse=True, within=region.within
        )
