"""Writes updates of variables and elements in the ways that a program may say them."""

from __future__ import annotations

import re

from fuzzing.draft import Draft
from fuzzing.model import ArrayVariable, Element, MapVariable, Scope
from fuzzing.scalars import affine, map_key, scalar

ACCUMULATIONS: dict[Element, tuple[str, ...]] = {
    "Int": ("+=", "+=", "+=", "max=", "min="),
    "Double": ("+=", "+=", "+=", "max=", "min="),
    "Boolean": ("||=", "&&="),
    "String": (),
}
"""How a value of each type is combined into a variable."""


def write_update(draft: Draft, scope: Scope, place: str, element: Element, value: str) -> str:
    """`value` combined into `place`, as an accumulation or as an assignment that is one."""
    op = draft.pick(ACCUMULATIONS[element])
    return joined_into(draft, scope, place, op.removesuffix("="), value)


def joined_into(draft: Draft, scope: Scope, place: str, monoid: str, value: str) -> str:
    """`value` combined into `place` with a monoid."""
    name = re.split(r"[\[#.]", place)[0]
    own = monoid not in ("+", "max", "min", "||", "&&")
    condition = draft.condition(scope)
    read = re.findall(r"\w+", value + condition + place.removeprefix(name))
    plain = f"{place} {monoid}= {value};"
    if "updates" not in draft.features or name in read or "random" in read:
        return plain
    value, negative = f"({value})", f"-({value})"
    if own:
        texts = (
            f"{place} = {monoid}({place}, {value});",
            f"{place} = {monoid}({value}, {place});",
        )
        return draft.pick((plain, *texts))
    if monoid in ("max", "min"):
        less = "<" if monoid == "min" else ">"
        more = ">" if monoid == "min" else "<"
        return draft.pick(
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
        return draft.pick((plain, *texts))
    return draft.pick(
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


def extremum(draft: Draft, scope: Scope) -> str:
    """The least or greatest value, and what belongs to it."""
    value, other = scalar(draft, scope, "Double"), scalar(draft, scope, "Int")
    sign = draft.pick(("<", "<=", ">", ">="))
    best, where = draft.fresh("s"), draft.fresh("s")
    draft.lines.append(f"var {best} = {draft.pick(('0.25', 'inf', '-inf'))};")
    draft.lines.append(f"var {where} = -7;")
    draft.scalars.append((best, "Double"))
    draft.scalars.append((where, "Int"))
    test = f"({value}) {sign} {best}"
    if draft.chance(30):
        test = f"{draft.condition(scope)} && {test}"
    assignments = draft.shuffled((f"{best} = {value};", f"{where} = {other};"))
    return f"if ({test}) {{ {' '.join(assignments)} }};"


def extreme_elements(draft: Draft, scope: Scope, array: ArrayVariable) -> str:
    """The least or greatest values of places in an array, and what belongs to them."""
    assert array.element != "Pair"
    value, other = scalar(draft, scope, array.element), scalar(draft, scope, array.element)
    if re.search(rf"\b{array.name}\b|random", value + other):
        return extremum(draft, scope)
    companion = draft.fresh("A")
    draft.lines.append(f"var {companion} = {array.name};")
    draft.arrays.append(ArrayVariable(companion, array.dims, array.element))
    place = f"[{','.join(affine(draft, scope) for _ in range(array.rank))}]"
    sign = draft.pick(("<", "<=", ">", ">="))
    assignments = (f"{array.name}{place} = {value};", f"{companion}{place} = {other};")
    test = f"({value}) {sign} {array.name}{place}"
    return f"if ({test}) {{ {' '.join(draft.shuffled(assignments))} }};"


def extreme_pairs(draft: Draft, scope: Scope, array: ArrayVariable) -> str:
    """The least or greatest first parts of pairs in an array, with their second ones."""
    value, other = scalar(draft, scope, "Double"), scalar(draft, scope, "Int")
    place = f"{array.name}[{','.join(affine(draft, scope) for _ in range(array.rank))}]"
    if re.search(rf"\b{array.name}\b|random", value + other + place.removeprefix(array.name)):
        return extremum(draft, scope)
    sign = draft.pick(("<", "<=", ">", ">="))
    parts = (f"{place}#1 = {value};", f"{place}#2 = {other};")
    body = draft.pick((" ".join(draft.shuffled(parts)), f"{place} = ({value}, {other});"))
    return f"if (({value}) {sign} {place}#1) {{ {body} }};"


def extreme_values(draft: Draft, scope: Scope, map: MapVariable) -> str:
    """The least or greatest values of keys of a map, and what belongs to them in another."""
    value, other = scalar(draft, scope, map.value), scalar(draft, scope, map.value)
    key = map_key(draft, scope, map.key)
    if re.search(rf"\b{map.name}\b|random", value + other + key):
        return extremum(draft, scope)
    companion = draft.fresh("M")
    draft.lines.append(f"var {companion}: map[{map.key},{map.value}] = {map.name};")
    draft.maps.append(MapVariable(companion, map.key, map.value))
    sign = draft.pick(("<", "<=", ">", ">="))
    assignments = (f"{map.name}[{key}] = {value};", f"{companion}[{key}] = {other};")
    return f"if (({value}) {sign} {map.name}[{key}]) {{ {' '.join(draft.shuffled(assignments))} }};"
