"""Writes updates of variables and elements in the ways that a program may say them."""

from __future__ import annotations

import re
from abc import ABC

from diablo.tools.fuzz_tool.model import ArrayVariable, Element, MapVariable, Scope
from diablo.tools.fuzz_tool.values import ValueWriter

ACCUMULATIONS: dict[Element, tuple[str, ...]] = {
    "Int": ("+=", "+=", "+=", "max=", "min="),
    "Double": ("+=", "+=", "+=", "max=", "min="),
    "Boolean": ("||=", "&&="),
    "String": (),
}
"""How a value of each type is combined into a variable."""


class UpdateWriter(ValueWriter, ABC):
    """The part of the writer that knows updates."""

    def update(self, scope: Scope, place: str, element: Element, value: str) -> str:
        """`value` combined into `place`, as an accumulation or as an assignment that is one."""
        op = self.pick(ACCUMULATIONS[element])
        return self.joined_into(scope, place, op.removesuffix("="), value)

    def joined_into(self, scope: Scope, place: str, monoid: str, value: str) -> str:
        """`value` combined into `place` with a monoid."""
        name = re.split(r"[\[#.]", place)[0]
        own = monoid not in ("+", "max", "min", "||", "&&")
        condition = self.condition(scope)
        read = re.findall(r"\w+", value + condition + place.removeprefix(name))
        plain = f"{place} {monoid}= {value};"
        if "updates" not in self.features or name in read or "random" in read:
            return plain
        value, negative = f"({value})", f"-({value})"
        if own:
            texts = (
                f"{place} = {monoid}({place}, {value});",
                f"{place} = {monoid}({value}, {place});",
            )
            return self.pick((plain, *texts))
        if monoid in ("max", "min"):
            less = "<" if monoid == "min" else ">"
            more = ">" if monoid == "min" else "<"
            return self.pick(
                (
                    plain,
                    f"{place} = {monoid}({value}, {place});",
                    f"{place} := {monoid}({place}, {value});",
                    f"if ({value} {less} {place}) {place} = {value};",
                    f"if ({condition} && {place} {more}= {value}) {{ {place} = {value}; }};",
                    f"{place} = if ({value} {less}= {place}) {value} else {place};",
                )
            )
        chosen = f"{place} = if ({condition}) {place} {monoid} {value} else {place};"
        if monoid != "+":
            constant = "true" if monoid == "||" else "false"
            flag = f"if ({condition}) {place} = {constant};"
            texts = (
                f"{place} = {place} {monoid} {value};",
                chosen,
                *([flag] if place == name else []),
            )
            return self.pick((plain, *texts))
        return self.pick(
            (
                plain,
                f"{place} = {place} + {value};",
                f"{place} = {value} + {place};",
                f"{place} = 1 + {place} - {value};",
                f"{place} = {value} - ({negative} - {place});",
                f"{place} -= {value};",
                chosen,
            )
        )

    def extremum(self, scope: Scope) -> str:
        """The least or greatest value, and what belongs to it."""
        value, other = self.scalar(scope, "Double"), self.scalar(scope, "Int")
        sign = self.pick(("<", "<=", ">", ">="))
        best, where = self.fresh("s"), self.fresh("s")
        self.lines.append(f"var {best} = {self.pick(('0.25', 'inf', '-inf'))};")
        self.lines.append(f"var {where} = -7;")
        self.scalars.append((best, "Double"))
        self.scalars.append((where, "Int"))
        test = f"({value}) {sign} {best}"
        if self.chance(30):
            test = f"{self.condition(scope)} && {test}"
        assignments = self.shuffled((f"{best} = {value};", f"{where} = {other};"))
        return f"if ({test}) {{ {' '.join(assignments)} }};"

    def extreme_elements(self, scope: Scope, array: ArrayVariable) -> str:
        """The least or greatest values of places in an array, and what belongs to them."""
        assert array.element != "Pair"
        value, other = self.scalar(scope, array.element), self.scalar(scope, array.element)
        if re.search(rf"\b{array.name}\b|random", value + other):
            return self.extremum(scope)
        companion = self.fresh("A")
        self.lines.append(f"var {companion} = {array.name};")
        self.arrays.append(ArrayVariable(companion, array.dims, array.element))
        place = f"[{','.join(self.affine(scope) for _ in range(array.rank))}]"
        sign = self.pick(("<", "<=", ">", ">="))
        assignments = (f"{array.name}{place} = {value};", f"{companion}{place} = {other};")
        test = f"({value}) {sign} {array.name}{place}"
        return f"if ({test}) {{ {' '.join(self.shuffled(assignments))} }};"

    def extreme_pairs(self, scope: Scope, array: ArrayVariable) -> str:
        """The least or greatest first parts of pairs in an array, with their second ones."""
        value, other = self.scalar(scope, "Double"), self.scalar(scope, "Int")
        place = f"{array.name}[{','.join(self.affine(scope) for _ in range(array.rank))}]"
        if re.search(rf"\b{array.name}\b|random", value + other + place.removeprefix(array.name)):
            return self.extremum(scope)
        sign = self.pick(("<", "<=", ">", ">="))
        parts = (f"{place}#1 = {value};", f"{place}#2 = {other};")
        body = self.pick((" ".join(self.shuffled(parts)), f"{place} = ({value}, {other});"))
        return f"if (({value}) {sign} {place}#1) {{ {body} }};"

    def extreme_values(self, scope: Scope, map: MapVariable) -> str:
        """The least or greatest values of keys of a map, and what belongs to them in another."""
        value, other = self.scalar(scope, map.value), self.scalar(scope, map.value)
        key = self.key(scope, map.key)
        if re.search(rf"\b{map.name}\b|random", value + other + key):
            return self.extremum(scope)
        companion = self.fresh("M")
        self.lines.append(f"var {companion}: map[{map.key},{map.value}] = {map.name};")
        self.maps.append(MapVariable(companion, map.key, map.value))
        sign = self.pick(("<", "<=", ">", ">="))
        assignments = (f"{map.name}[{key}] = {value};", f"{companion}[{key}] = {other};")
        return (
            f"if (({value}) {sign} {map.name}[{key}]) {{ {' '.join(self.shuffled(assignments))} }};"
        )
