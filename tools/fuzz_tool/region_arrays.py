"""Writes random arrays over regions, and what is computed from them as a whole."""

from __future__ import annotations

from abc import ABC

from diablo.tools.fuzz_tool.model import (
    BOOLEAN,
    SOURCE_TYPES,
    ArrayVariable,
    Element,
    RegionArray,
    Scope,
)
from diablo.tools.fuzz_tool.region_model import ARRAY_TYPES, Region
from diablo.tools.fuzz_tool.regions import RegionWriter

_FILLS: dict[Element, tuple[str, ...]] = {
    "Int": ("0", "1", "-2", "7", "n"),
    "Double": ("0.0", "0.5", "-1.5", "7.0"),
    "Boolean": ("true", "false"),
    "String": (),
}


class RegionArrayWriter(RegionWriter, ABC):
    """The part of the writer that declares arrays over regions."""

    floods: list[ArrayVariable]
    """Arrays of which a dimension is a flood dimension."""

    def region_array(self, region: Region) -> None:
        """An array over a region, with or without a fill value and a first value."""
        element = BOOLEAN if self.chance(10) else self.number()
        name = self.fresh("A")
        type = f"{ARRAY_TYPES[region.rank]}[{SOURCE_TYPES[element]}]"
        fill = self.pick(_FILLS[element]) if self.chance(50) else None
        value = self.first_value(region, element)
        value = "" if value is None else f" = {value}"
        filled = "" if fill is None else f" fill {fill}"
        self.lines.append(f"var {name}: {type} over {region.text}{filled}{value};")
        dims = region.extents or ("n",) * region.rank
        self.over.append(RegionArray(name, dims, element, region, fill))

    def first_value(self, region: Region, element: Element) -> str | None:
        """What an array over a region is declared as; nothing for the fill value."""
        kind = self.count(1, 100)
        if kind <= 20:
            return None
        if kind <= 50:
            return self.scalar(self.globals.copy(), element, 1)
        if kind <= 70:
            given = [
                array.name
                for array in self.over
                if array.region.rank == region.rank
                and array.element == element
                and array.region.text in region.within
            ]
            return self.pick(given) if given else None
        if kind <= 85 and region.extents is not None:
            given = [
                array.name
                for array in self.arrays
                if array.dims == region.extents and array.element == element
            ]
            if given and self.chance(50):
                return self.pick(given)
            return self.array_of(region.extents, element)
        return self.element_list(region.rank, element)

    def element_list(self, rank: int, element: Element) -> str:
        """A list of elements, each index once."""
        names, scope = [self.fresh("i") for _ in range(rank)], self.inner_scope()
        for name in names:
            scope.indices.append(name)
            scope.values["Int"].append(name)
        sources = [f"{name} <- {self.pick(('0..n', '-1..n-1', '1..3'))}" for name in names]
        if self.chance(40):
            sources.append(self.condition(scope))
        keys = [self.injective(name) for name in names]
        row = f"({self.tuple_of(keys)},{self.scalar(scope, element)})"
        return f"[ {row} | {', '.join(sources)} ]"

    def flood_array(self) -> None:
        """A matrix that is the same in every row or column."""
        name, element = self.fresh("P"), self.number()
        dims = self.pick(("*, 0..n-1", "0..n-1, *", "*, 1..n", "*, 0..n-1"))
        index = self.fresh("i")
        value = self.scalar(self.indexed(index), element)
        self.lines.append(
            f"var {name}: matrix[{element}] over ({dims}) = "
            f"tensor*(n)[ ({index},{value}) | {index} <- 0..n-1 ];"
        )
        self.floods.append(ArrayVariable(name, ("n", "n"), element))
        if self.chance(40):
            place = f"*,{index}" if dims.startswith("*") else f"{index},*"
            value = self.scalar(self.indexed(index), element)
            self.lines.append(f"for {index} = 1, n-1 do {name}[{place}] = {value};")
        if self.chance(40):
            copy = self.fresh("P")
            self.lines.append(f"var {copy}: matrix[{element}] over ({dims}) = {name};")
            self.floods.append(ArrayVariable(copy, ("n", "n"), element))
            if self.chance(50):
                self.lines.append(f"{name} = {copy};")

    def indexed(self, *names: str) -> Scope:
        """What may be used under indices that are bound elsewhere."""
        scope = self.inner_scope()
        scope.indices += names
        scope.values["Int"] += names
        return scope

    # ---- whole arrays ---------------------------------------------------------------------

    def whole_region_array(self) -> None:
        """A new array, or a new value, of all elements of an array over a region."""
        array = self.pick(self.over)
        name, is_number = array.name, array.element in ("Int", "Double")
        if self.chance(45):
            kept = [f"2*{name}", f"{name}*{name}", f"-{name}", f"abs({name})"] if is_number else []
            value = self.pick((self.scalar(self.globals.copy(), array.element, 1), *kept))
            self.lines.append(f"{name} = {value};")
            return
        new = self.fresh("A")
        others = [
            o.name
            for o in self.over
            if o.region.text == array.region.text and o.element == array.element
        ]
        texts = [f"{name} {self.pick(('+', '-', '*'))} {self.pick(others)}", f"{name} * 2"]
        texts = texts if is_number else []
        if array.rank == 2:
            texts += [f"{name}.t", f"{name}.t"]
            dims = (f"{new}.rows", f"{new}.cols")
            if array.region.begins_at_zero and not array.region.strided:
                texts.append(f"{name}[{self.pick((':', '1:', ':n'))}, {self.pick((':', '0:2'))}]")
        elif array.rank == 1:
            dims = (f"{new}.length",)
        else:
            return
        if texts:
            self.declare(new, self.pick(texts))
            self.arrays.append(ArrayVariable(new, dims, array.element))

    def given_to_a_function(self) -> None:
        """A function of an array, called with one over a region and perhaps one that is not."""
        numbers = [a for a in self.over if a.element in ("Int", "Double")]
        if not numbers:
            return
        array = self.pick(numbers)
        alike = [
            a
            for a in (*numbers, *self.arrays)
            if a.rank == array.rank and a.element == array.element
        ]
        name, parameter = self.fresh("f"), self.fresh("V")
        names, value = [self.fresh("i") for _ in range(array.rank)], self.fresh("v")
        scope = Scope(indices=names, values={**Scope().values, "Int": ["n", *names]})
        scope.nesting = 1
        type = f"{ARRAY_TYPES[array.rank]}[{array.element}]"
        place = f"{parameter}[{','.join(self.affine(scope) for _ in names)}]"
        if self.chance(50):
            scope.values[array.element].append(value)
            arrow = self.pick(("<-", "<-", "<="))
            rows = f"({self.tuple_of(names)},{value}) {arrow} {parameter}"
        else:
            rows = ", ".join(f"{index} <- 0..n-1" for index in names)
        body = f"+/[ {place} * {self.leaf(scope, 'Int')} | {rows} ]"
        self.lines.append(f"def {name}({parameter}: {type}): {array.element} = {body};")
        for given in (array, self.pick(alike)):
            total = self.fresh("s")
            self.declare(total, f"{name}({given.name})")
            self.scalars.append((total, array.element))
