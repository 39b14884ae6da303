"""Writes twins: what a region controls, and the same by tests of each index."""

from __future__ import annotations

from abc import ABC
from collections.abc import Collection
from random import Random

from diablo.tools.fuzz_tool.model import INT
from diablo.tools.fuzz_tool.region_loops import RegionLoopWriter
from diablo.tools.fuzz_tool.region_model import Region, indices_around


class RegionTwinWriter(RegionLoopWriter, ABC):
    """The part of the writer that says the same twice."""

    def __init__(self, random: Random, features: Collection[str]):
        super().__init__(random, features)
        self.twins: list[str] = []

    def region_statement(self) -> None:
        """A statement at the top of the program that has to do with regions."""
        kind = self.count(1, 100)
        if kind <= 20:
            self.declare_region()
        elif kind <= 40:
            self.region_array(self.pick(self.regions))
        elif kind <= 55:
            self.whole_region_array()
        elif kind <= 65:
            self.given_to_a_function()
        elif kind <= 80:
            self.region_twins()
        else:
            self.lines.append(self.loop())

    def region_twins(self) -> None:
        """Two variables that are the same if regions are what the language says."""
        kind = self.count(1, 100)
        if kind <= 35:
            self.defined_twins()
        elif kind <= 60 and self.over:
            self.array_twins()
        elif kind <= 80:
            self.total_twins()
        else:
            self.loop_twins()

    def declare_twins(self, one: str, other: str) -> tuple[str, str]:
        """Declare the two, with a value for each."""
        name = self.fresh("twin")
        self.declare(f"{name}a", one)
        self.declare(f"{name}b", other)
        self.twins += [f"{name}a", f"{name}b"]
        return f"{name}a", f"{name}b"

    @staticmethod
    def around(region: Region, names: list[str]) -> str:
        """Generators of all indices of a region and around it."""
        return ", ".join(f"{name} <- {indices_around(region)}" for name in names)

    def fresh_index(self, rank: int) -> list[str]:
        """Names for an index."""
        return [self.fresh("i") for _ in range(rank)]

    @staticmethod
    def weight(names: list[str]) -> str:
        """A number that hardly any other index has."""
        return " + ".join(["1", *(f"{7 ** (k + 1)}*{name}" for k, name in enumerate(names))])

    def defined_twins(self) -> None:
        """The indices of a region, and those for which its definition holds."""
        regions = [region for region in self.regions if region.definition is not None]
        region = self.pick(regions or self.regions)
        names = self.fresh_index(region.rank)
        value, pattern = self.weight(names), self.tuple_of(names)
        test = f"{region.text}[{','.join(names)}]"
        if region.definition is not None:
            test = self.pick((region.definition(names), region.definition(names), test))
        counted = f"+/[ {value} | {self.around(region, names)}, {test} ]"
        self.declare_twins(f"+/[ {value} | {pattern} <- {region.text} ]", counted)

    def array_twins(self) -> None:
        """The stored elements of an array over a region, and those at the indices of it."""
        array = self.pick(self.over)
        names, value = self.fresh_index(array.rank), self.fresh("v")
        place, weight = f"{array.name}[{','.join(names)}]", self.weight(names)
        around, test = self.around(array.region, names), f"{array.region.text}[{','.join(names)}]"
        row = {"Boolean": "(if ({}) 1 else 0)", "Int": "{}", "Double": "toInt(4*{})"}
        shown = row[array.element].format
        box = array.region.box
        if array.fill is not None and array.region.sparse and box is not None and self.chance(40):
            around = f"{self.tuple_of(names)} <- {box}"
            self.declare_twins(
                f"+/[ {shown(place)} | {around}, !{test} ]",
                f"+/[ {shown(array.fill)} | {around}, !{test} ]",
            )
            return
        self.declare_twins(
            f"+/[ ({weight})*{shown(value)} | ({self.tuple_of(names)},{value}) <- {array.name} ]",
            f"+/[ ({weight})*{shown(place)} | {around}, {test} ]",
        )

    def total_twins(self) -> None:
        """A total over the indices of a region."""
        region = self.pick(self.regions)
        names = self.fresh_index(region.rank)
        value = self.scalar(self.indexed(*names), INT)
        test = f"{region.text}[{','.join(names)}]"
        self.declare_twins(
            f"+/[ {value} | {self.tuple_of(names)} <- {region.text} ]",
            f"+/[ {value} | {self.around(region, names)}, {test} ]",
        )

    def loop_twins(self) -> None:
        """A loop over a region, and loops around it with a test."""
        region = self.pick([region for region in self.regions if region.rank < 3] or self.regions)
        names = self.fresh_index(region.rank)
        scope = self.indexed(*names)
        rank = self.count(1, 2)
        zeros = f"tensor*({','.join('n' * rank)})[ "
        indices = self.fresh_index(rank)
        zeros += f"({self.tuple_of(indices)},0) | "
        zeros += ", ".join(f"{name} <- 0..n-1" for name in indices) + " ]"
        one, other = self.declare_twins(zeros, zeros)
        place = ",".join(self.affine(scope) for _ in range(rank))
        value = self.scalar(scope, INT)
        body = f"[{place}] += {value};"
        if self.chance(40):
            body = f"[{place}] {self.pick(('max=', 'min='))} {value};"
        self.lines.append(f"for {self.tuple_of(names)} in {region.text} do {one}{body}")
        around = indices_around(region).replace("..", ", ")
        heads = " ".join(f"for {name} = {around} do" for name in names)
        self.lines.append(f"{heads} if ({region.text}[{','.join(names)}]) {other}{body}")
