"""Writes what regions control: loops, generators, tests, and what is written under them."""

from __future__ import annotations

from abc import ABC
from collections.abc import Collection
from random import Random

from diablo.tools.fuzz_tool.model import Element, RegionArray, Scope
from diablo.tools.fuzz_tool.qualifiers import Bound
from diablo.tools.fuzz_tool.region_arrays import RegionArrayWriter
from diablo.tools.fuzz_tool.region_model import Member


class RegionLoopWriter(RegionArrayWriter, ABC):
    """The part of the writer that goes through regions."""

    def __init__(self, random: Random, features: Collection[str]):
        super().__init__(random, features)
        self.regions = []
        self.over = []
        self.floods = []

    def declare_regions(self) -> None:
        """What a program with regions begins with."""
        for _ in range(self.count(2, 3)):
            self.declare_region()
        for _ in range(self.count(1, 2)):
            self.region_array(self.pick(self.regions))
        if self.uses("flood dimensions"):
            self.flood_array()
        self.lines.append(self.loop())

    # ---- what goes through regions ------------------------------------------------------------

    def head(self, scope: Scope, *, outermost: bool) -> str:
        """The head of a loop, perhaps over a region or an array over one."""
        if not self.regions or not self.chance(65 if outermost else 20):
            return super().head(scope, outermost=outermost)
        if self.over and self.chance(25):
            array = self.pick(self.over)
            names = [self.fresh("i") for _ in array.dims]
            value = self.fresh("v")
            text = f"for ({self.tuple_of(names)},{value}) in {array.name} do"
            region = array.region
            scope.values[array.element].append(value)
        else:
            region = self.region_here(scope)
            names = [self.fresh("i") for _ in range(region.rank)]
            text = f"for {self.tuple_of(names)} in {region.text} do"
        for name in names:
            scope.free.append(name)
            scope.indices.append(name)
            scope.values["Int"].append(name)
        scope.members.append(Member(tuple(names), region))
        return text

    def generator(self, scope: Scope, bound: Bound, *, joined: bool) -> list[str]:
        """A generator, perhaps of a region or an array over one."""
        if not self.regions or not self.chance(35):
            return super().generator(scope, bound, joined=joined)
        if self.over and self.chance(50):
            return self.array_generator(scope, bound, self.pick(self.over).plain, joined=joined)
        region = self.region_here(scope)
        names = [self.fresh("i") for _ in range(region.rank)]
        result = [f"{self.tuple_of(names)} <- {region.text}"]
        known = Scope(indices=list(scope.indices))
        for name in names:
            if joined and known.indices and self.chance(60):
                result.append(f"{name} == {self.affine(known)}")
            else:
                scope.free.append(name)
            scope.indices.append(name)
            self.bind(scope, bound, name, "Int")
        return result

    def read(self, scope: Scope, element: Element) -> str | None:
        """An element, perhaps of an array over a region."""
        arrays = [a for a in (*self.over, *self.floods) if a.element == element]
        if not arrays or not scope.reads or not scope.nesting or not self.chance(55):
            return super().read(scope, element)
        array = self.pick(arrays)
        places = [m.names for m in scope.members if len(m.names) == array.rank]
        if places and self.chance(60):
            return f"{array.name}[{','.join(self.pick(places))}]"
        if not scope.indices:
            return super().read(scope, element)
        return f"{array.name}[{','.join(self.affine(scope) for _ in array.dims)}]"

    def condition(self, scope: Scope, depth: int = 2) -> str:
        """A condition, perhaps whether an index is in a region."""
        if not self.regions or not scope.indices or not self.chance(12):
            return super().condition(scope, depth)
        region = self.pick(self.regions)
        return f"{region.text}[{','.join(self.affine(scope) for _ in range(region.rank))}]"

    # ---- what is written ---------------------------------------------------------------------

    def write(self, scope: Scope) -> str:
        """An assignment, perhaps to an array over a region."""
        if not self.over or not self.chance(60):
            return super().write(scope)
        array = self.pick(self.over)
        places = [place for m in scope.members if (place := m.place_in(array.region)) is not None]
        if places:
            return self.set_or_accumulate(scope, array, self.pick(places))
        place = tuple(self.affine(scope) for _ in array.dims)
        if scope.members and self.chance(40):
            fitting = [m.names for m in scope.members if len(m.names) == array.rank]
            place = self.pick(fitting) if fitting else place
        if self.chance(70) or array.region.sparse or any(m.names == place for m in scope.members):
            test = f"{array.region.text}[{','.join(place)}]"
            return f"if ({test}) {{ {self.set_or_accumulate(scope, array, place)} }};"
        return self.set_or_accumulate(scope, array, place)

    def set_or_accumulate(self, scope: Scope, array: RegionArray, place: tuple[str, ...]) -> str:
        """An assignment where each iteration has a place of its own, an accumulation otherwise."""
        value = self.scalar(scope, array.element)
        target = f"{array.name}[{','.join(place)}]"
        indices = [m.names for m in scope.members if m.place_in(array.region) == place]
        bound = {name for names in indices for name in names}
        own = bound or set(place) & set(scope.free)
        if not scope.from_list and set(scope.free) <= own and self.chance(60):
            return f"{target} = {value};"
        return self.update(scope, target, array.element, value)
