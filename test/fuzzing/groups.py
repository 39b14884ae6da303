"""Writes random group-bys, and what is computed from the bags of a group."""

from __future__ import annotations

from fuzzing.draft import Draft
from fuzzing.model import Bag, Bound, Columns, Element, Monoid, Scope
from fuzzing.qualifiers import draw_qualifiers, inner_scope, rows_of, tuple_of
from fuzzing.scalars import OPERATORS, affine, float_key, leaf, scalar


def group_by(draft: Draft, scope: Scope, bound: Bound, parts: int) -> tuple[str, Scope]:
    """A group-by of so many integer keys; what is in scope below it."""
    ints = [name for name, columns in bound if columns == ("Int",)]
    below = inner_scope(draft)
    if len(set(ints)) >= parts and draft.chance(65):
        keys = draft.shuffled(ints)[:parts]
        text = f"group by {tuple_of(keys)}"
    else:
        keys = [draft.fresh("g") for _ in range(parts)]
        values = [group_key(draft, scope) for _ in keys]
        text = f"group by {tuple_of(keys)}: {tuple_of(values)}"
    below.values["Int"] += keys
    below.indices += keys
    below.free = list(keys)
    below.reads = draft.chance(30)
    below.bags = [Bag(name, columns) for name, columns in bound if name not in keys]
    return text, below


def group_by_value(
    draft: Draft, scope: Scope, bound: Bound, element: Element
) -> tuple[str, Scope, str]:
    """A group-by of one string or float, for maps and lists; its key is the last result."""
    key = draft.fresh("g")
    below = inner_scope(draft)
    below.values[element].append(key)
    below.bags = [Bag(name, columns) for name, columns in bound]
    value = float_key(draft, scope) if element == "Double" else scalar(draft, scope, element, 1)
    return f"group by {key}: {value}", below, key


def group_key(draft: Draft, scope: Scope) -> str:
    """An integer to group by."""
    if draft.chance(30) and scope.values["Int"]:
        return scalar(draft, scope, "Int", 1)
    return f"{affine(draft, scope)}{draft.pick(('', '', '%2'))}"


def reduction(draft: Draft, scope: Scope, element: Element) -> str:
    """An expression of a type over the bags of a group."""
    if not scope.bags:
        return scalar(draft, scope, element, 1)
    if element == "Boolean":
        bag = draft.pick(scope.bags)
        return f"({bag.text}.length > {draft.count(1, 3)})"
    if element == "String":
        return string_reduction(draft, scope)
    return number_reduction(draft, scope, element)


def string_reduction(draft: Draft, scope: Scope) -> str:
    """A string that says something about the bags of a group."""
    strings = [b for b in scope.bags if b.columns == ("String",)]
    last = next((m for m in draft.monoids if m.name == "last"), None)
    if strings and last is not None:
        return f"last/{draft.pick(strings).text}"
    return f"({draft.pick(scope.bags).text}.length + {leaf(draft, scope, 'String')})"


def number_reduction(draft: Draft, scope: Scope, element: Element) -> str:
    """A number computed from the bags of a group."""
    chosen = [bag for bag in scope.bags if bag.columns == (element,)]
    if element == "Int" and (not chosen or draft.chance(20)):
        return f"{draft.pick(scope.bags).text}.length"
    if draft.chance(15) and (text := reduced_rows(draft, scope, element)):
        return text
    if not chosen:
        return f"({draft.pick(scope.bags).text}.length + 0.5)"
    bag = draft.pick(chosen).text
    kind = draft.count(1, 100)
    if kind <= 60:
        own = [m.name for m in draft.monoids if m.type == element]
        return f"{draft.pick(('+', '+', 'max', 'min', *own))}/{bag}"
    if kind <= 68:
        return f"+/[ x*x | x <- {bag}, x > {'0' if element == 'Int' else '0.25'} ]"
    if kind <= 73:
        one, two = ("1", "2") if element == "Int" else ("0.5", "2.0")
        return f"(if (&&/[ x > 0 | x <- {bag} ]) {one} else {two})"
    if kind <= 76 and element == "Double":
        return f"(+/{bag} / {bag}.length)"
    other = number_reduction(draft, scope, element)
    last = scalar(draft, scope, element, 1) if draft.chance(30) else other
    return f"(+/{bag} {draft.pick(OPERATORS)} {last})"


def reduced_rows(draft: Draft, scope: Scope, element: Element) -> str | None:
    """A sum over the rows of one bag, whose parts it multiplies."""
    wide = [bag for bag in scope.bags if len(bag.columns) > 1 and element in bag.columns]
    if not wide:
        return None
    bag = draft.pick(wide)
    inner = scope.silent()
    inner.nesting += 2
    source = rows_of(draft, inner, [], bag.text, bag.columns)
    return f"+/[ {scalar(draft, inner, element, 1)} | {', '.join(source)} ]"


def opened(draft: Draft, scope: Scope) -> list[str]:
    """Go through the rows of some bag below a group-by, now and then."""
    if not scope.bags or not draft.uses("list columns", 30):
        return []
    bag = draft.pick(scope.bags)
    return rows_of(draft, scope, [], bag.text, bag.columns)


# ---- totals ----------------------------------------------------------------------------


def nested_total(draft: Draft, scope: Scope, element: Element) -> str:
    """A reduction of a comprehension that may use what is in scope; it is finite."""
    if scope.indices and draft.uses("running totals", 40):
        qualifiers, inner = up_to_an_index(draft, scope)
    else:
        qualifiers, inner, _ = draw_qualifiers(draft, scope)
    inner.nesting = max(inner.nesting, 3)  # no deeper
    source = ", ".join(qualifiers)
    if element == "Boolean":
        monoid = draft.pick(("||", "&&", "any", "all"))
        return f"({monoid}/[ {draft.condition(inner, 1)} | {source} ])"
    if element == "String":
        return f"toString(+/[ {scalar(draft, inner, 'Int', 1)} | {source} ])"
    own = [m for m in draft.monoids if m.type in (element, "Pair")]
    if own and draft.chance(40):
        return own_total(draft, draft.pick(own), inner, element, source)
    value = scalar(draft, inner, element, 1)
    if element == "Int" and draft.uses("built-in reductions", 40):
        # Of floats that differ by how they are rounded it would be one or the other.
        name = draft.pick(("argmin", "argmax", "count", "sum"))
        pair = f"({scalar(draft, inner, 'Int', 1)}, {value})"
        return f"{name}/[ {pair if name.startswith('arg') else value} | {source} ]"
    own = [m for m in draft.monoids if m.type == element and m.bounded]
    pairs = [m for m in draft.monoids if m.type == "Pair" and m.bounded]
    if own and draft.chance(30):
        return f"({monoid_total(draft, draft.pick(own), inner, source)})"
    if pairs and draft.chance(15):
        part = "_1" if element == "Double" else "_2"
        return f"({monoid_total(draft, draft.pick(pairs), inner, source)}).{part}"
    if draft.chance(70):
        return f"(+/[ {value} | {source} ])"
    # Of no rows the largest is an infinity, or the least integer.
    monoid, bound = draft.pick((("max", "0"), ("min", "3")))
    limit = bound if element == "Int" else f"{bound}.0"
    return f"{monoid}({limit}, {monoid}/[ {value} | {source} ])"


def up_to_an_index(draft: Draft, scope: Scope) -> tuple[list[str], Scope]:
    """A range that ends or begins at an index around it, on which nothing else depends."""
    inner, index = inner_scope(draft), draft.fresh("j")
    bound = f"{draft.pick(scope.indices)}{draft.pick(('', '', '-1', '+1'))}"
    inner.indices.append(index)
    inner.values["Int"].append(index)
    qualifiers = [draft.pick((f"{index} <- 0..{bound}", f"{index} <- {bound}..n-1"))]
    if draft.chance(40):
        # The range may end before the indices around it do, and begin behind them.
        ends = draft.pick(("0", "0", "1", "2", "-1")), draft.pick(("n-1", "n-1", "m-1", "2", "n-2"))
        test = f"{index} {draft.pick(('<=', '<', '>', '>='))} {bound}"
        qualifiers = [f"{index} <- {ends[0]}..{ends[1]}", test]
    if draft.chance(25):
        qualifiers.append(draft.condition(inner, 1))
    return qualifiers, inner


def own_total(draft: Draft, monoid: Monoid, scope: Scope, element: Element, source: str) -> str:
    """A number that a monoid of the program's own makes of a comprehension; it is finite."""
    text = monoid_total(draft, monoid, scope, source)
    if monoid.type == "Pair":
        text = f"({text})#{1 if element == 'Double' else 2}"
    return text if monoid.bounded else f"min({'3' if element == 'Int' else '3.0'}, {text})"


def monoid_total(draft: Draft, monoid: Monoid, scope: Scope, source: str) -> str:
    """`op/[ … ]` with a monoid of the program's own."""
    if monoid.type == "Pair":
        value = f"({scalar(draft, scope, 'Double', 1)}, {scalar(draft, scope, 'Int', 1)})"
    else:
        value = scalar(draft, scope, monoid.type, 1)
    return f"{monoid.name}/[ {value} | {source} ]"


def list_columns(draft: Draft, scope: Scope) -> list[tuple[str, Columns]]:
    """Bags of a group to be kept as they are."""
    if not scope.bags or not draft.uses("list columns", 50):
        return []
    return [(bag.text, bag.columns) for bag in draft.shuffled(scope.bags)[:1]]
