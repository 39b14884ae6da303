"""Writes random arrays over regions, and what is computed from them as a whole."""

from __future__ import annotations

from fuzzing.draft import Draft
from fuzzing.model import (
    BOOLEAN,
    SOURCE_TYPES,
    ArrayVariable,
    Element,
    RegionArray,
    Scope,
)
from fuzzing.qualifiers import inner_scope, tuple_of
from fuzzing.region_model import ARRAY_TYPES, Region
from fuzzing.scalars import affine, injective, leaf, number_type, scalar
from fuzzing.values import array_of

_FILLS: dict[Element, tuple[str, ...]] = {
    "Int": ("0", "1", "-2", "7", "n"),
    "Double": ("0.0", "0.5", "-1.5", "7.0"),
    "Boolean": ("true", "false"),
    "String": (),
}


def region_array(draft: Draft, region: Region) -> None:
    """An array over a region, with or without a fill value and a first value."""
    element = BOOLEAN if draft.chance(10) else number_type(draft)
    name = draft.fresh("A")
    type = f"{ARRAY_TYPES[region.rank]}[{SOURCE_TYPES[element]}]"
    fill = draft.pick(_FILLS[element]) if draft.chance(50) else None
    value = first_value(draft, region, element)
    value = "" if value is None else f" = {value}"
    filled = "" if fill is None else f" fill {fill}"
    draft.lines.append(f"var {name}: {type} over {region.text}{filled}{value};")
    dims = region.extents or ("n",) * region.rank
    draft.over.append(RegionArray(name, dims, element, region, fill))


def first_value(draft: Draft, region: Region, element: Element) -> str | None:
    """Return what an array over a region is declared as; nothing for the fill value."""
    kind = draft.count(1, 100)
    if kind <= 20:
        return None
    if kind <= 50:
        return scalar(draft, draft.globals.copy(), element, 1)
    if kind <= 70:
        given = [
            array.name
            for array in draft.over
            if array.region.rank == region.rank
            and array.element == element
            and array.region.text in region.within
        ]
        return draft.pick(given) if given else None
    if kind <= 85 and region.extents is not None:
        given = [
            array.name
            for array in draft.arrays
            if array.dims == region.extents and array.element == element
        ]
        if given and draft.chance(50):
            return draft.pick(given)
        return array_of(draft, region.extents, element)
    return element_list(draft, region.rank, element)


def element_list(draft: Draft, rank: int, element: Element) -> str:
    """A list of elements, each index once."""
    names, scope = [draft.fresh("i") for _ in range(rank)], inner_scope(draft)
    for name in names:
        scope.indices.append(name)
        scope.values["Int"].append(name)
    sources = [f"{name} <- {draft.pick(('0..n', '-1..n-1', '1..3'))}" for name in names]
    if draft.chance(40):
        sources.append(draft.condition(scope))
    keys = [injective(draft, name) for name in names]
    row = f"({tuple_of(keys)},{scalar(draft, scope, element)})"
    return f"[ {row} | {', '.join(sources)} ]"


def flood_array(draft: Draft) -> None:
    """A matrix that is the same in every row or column."""
    name, element = draft.fresh("P"), number_type(draft)
    dims = draft.pick(("*, 0..n-1", "0..n-1, *", "*, 1..n", "*, 0..n-1"))
    index = draft.fresh("i")
    value = scalar(draft, indexed(draft, index), element)
    draft.lines.append(
        f"var {name}: matrix[{element}] over ({dims}) = "
        f"tensor*(n)[ ({index},{value}) | {index} <- 0..n-1 ];"
    )
    draft.floods.append(ArrayVariable(name, ("n", "n"), element))
    if draft.chance(40):
        place = f"*,{index}" if dims.startswith("*") else f"{index},*"
        value = scalar(draft, indexed(draft, index), element)
        draft.lines.append(f"for {index} = 1, n-1 do {name}[{place}] = {value};")
    if draft.chance(40):
        copy = draft.fresh("P")
        draft.lines.append(f"var {copy}: matrix[{element}] over ({dims}) = {name};")
        draft.floods.append(ArrayVariable(copy, ("n", "n"), element))
        if draft.chance(50):
            draft.lines.append(f"{name} = {copy};")


def indexed(draft: Draft, *names: str) -> Scope:
    """Return what may be used under indices that are bound elsewhere."""
    scope = inner_scope(draft)
    scope.indices += names
    scope.values["Int"] += names
    return scope


# ---- whole arrays ---------------------------------------------------------------------


def whole_region_array(draft: Draft) -> None:
    """A new array, or a new value, of all elements of an array over a region."""
    array = draft.pick(draft.over)
    name, is_number = array.name, array.element in ("Int", "Double")
    if draft.chance(45):
        kept = [f"2*{name}", f"{name}*{name}", f"-{name}", f"abs({name})"] if is_number else []
        value = draft.pick((scalar(draft, draft.globals.copy(), array.element, 1), *kept))
        draft.lines.append(f"{name} = {value};")
        return
    new = draft.fresh("A")
    others = [
        o.name
        for o in draft.over
        if o.region.text == array.region.text and o.element == array.element
    ]
    texts = [f"{name} {draft.pick(('+', '-', '*'))} {draft.pick(others)}", f"{name} * 2"]
    texts = texts if is_number else []
    if array.rank == 2:
        texts += [f"{name}.t", f"{name}.t"]
        dims = (f"{new}.rows", f"{new}.cols")
        if array.region.begins_at_zero and not array.region.strided:
            texts.append(f"{name}[{draft.pick((':', '1:', ':n'))}, {draft.pick((':', '0:2'))}]")
    elif array.rank == 1:
        dims = (f"{new}.length",)
    else:
        return
    if texts:
        draft.declare(new, draft.pick(texts))
        draft.arrays.append(ArrayVariable(new, dims, array.element))


def given_to_a_function(draft: Draft) -> None:
    """A function of an array, called with one over a region and perhaps one that is not."""
    numbers = [a for a in draft.over if a.element in ("Int", "Double")]
    if not numbers:
        return
    array = draft.pick(numbers)
    alike = [
        a for a in (*numbers, *draft.arrays) if a.rank == array.rank and a.element == array.element
    ]
    name, parameter = draft.fresh("f"), draft.fresh("V")
    names, value = [draft.fresh("i") for _ in range(array.rank)], draft.fresh("v")
    scope = Scope(indices=names, values={**Scope().values, "Int": ["n", *names]})
    scope.nesting = 1
    type = f"{ARRAY_TYPES[array.rank]}[{array.element}]"
    place = f"{parameter}[{','.join(affine(draft, scope) for _ in names)}]"
    if draft.chance(50):
        scope.values[array.element].append(value)
        arrow = draft.pick(("<-", "<-", "<="))
        rows = f"({tuple_of(names)},{value}) {arrow} {parameter}"
    else:
        rows = ", ".join(f"{index} <- 0..n-1" for index in names)
    body = f"+/[ {place} * {leaf(draft, scope, 'Int')} | {rows} ]"
    draft.lines.append(f"def {name}({parameter}: {type}): {array.element} = {body};")
    for given in (array, draft.pick(alike)):
        total = draft.fresh("s")
        draft.declare(total, f"{name}({given.name})")
        draft.scalars.append((total, array.element))
