"""Writes the qualifiers of random comprehensions: generators, guards, lets, group-bys."""

from __future__ import annotations

from fuzzing.draft import Draft
from fuzzing.model import (
    ArrayVariable,
    Bag,
    Bound,
    Columns,
    Element,
    ListArray,
    ListVariable,
    Scope,
)
from fuzzing.scalars import affine, leaf, number_type, scalar, value_type


def inner_scope(draft: Draft) -> Scope:
    """Return what a comprehension or loop at the top of the program starts with."""
    scope = draft.globals.copy()
    scope.nesting = 1
    return scope


def draw_qualifiers(draft: Draft, outer: Scope | None = None) -> tuple[list[str], Scope, Bound]:
    """Generators with guards and lets, and what they bind."""
    if outer is None:
        scope = inner_scope(draft)
    else:
        scope = outer.copy()
        scope.nesting += 1
        scope.free = []
    bound, result = Bound(), list[str]()
    counts = (1, 1, 2, 2, 2, 3) if scope.nesting == 1 else (1, 1, 1, 2)
    for position in range(draft.pick(counts)):
        joined = position > 0 or scope.nesting > 1
        result += draft.generator(scope, bound, joined=joined)
        if draft.chance(25):
            result.append(draft.condition(scope))
        if draft.chance(25):
            result.append(let(draft, scope, bound))
        if draft.chance(12):
            result += division(draft, scope)
    return result, scope, bound


def division(draft: Draft, scope: Scope) -> list[str]:
    """Make a division available, nearly always behind a guard."""
    divisor = draft.pick(scope.values["Int"] or ["n"])
    text = f"({leaf(draft, scope, 'Int')} {draft.pick(('/', '%'))} {divisor})"
    scope.values["Int"].append(text)
    return [] if draft.chance(8) else [f"{divisor} != 0"]


def bind(scope: Scope, bound: Bound, name: str, element: Element) -> None:
    """Note a variable that holds a scalar."""
    scope.values[element].append(name)
    bound.append((name, (element,)))


# ---- lets ------------------------------------------------------------------------------


def let(draft: Draft, scope: Scope, bound: Bound) -> str:
    """`let x = e`, where `e` may be a tuple, a record, a list or an array."""
    name = draft.fresh("t")
    if draft.uses("inner lists", 35):
        columns, text = inner_list(draft, scope)
        scope.bags.append(Bag(name, columns))
        return f"let {name} = {text}"
    if draft.uses("inner arrays", 35):
        element, dim = number_type(draft), draft.pick(("n", "m"))
        inner = scope.copy()
        index = draft.fresh("j")
        inner.indices.append(index)
        inner.values["Int"].append(index)
        inner.nesting += 1
        value = scalar(draft, inner, element)
        scope.arrays.append(ArrayVariable(name, (dim,), element))
        return f"let {name} = tensor({dim})[ ({index},{value}) | {index} <- 0..{dim}-1 ]"
    if draft.chance(20):
        other = draft.fresh("t")
        value = f"({scalar(draft, scope, 'Int')}, {scalar(draft, scope, 'Double')})"
        bind(scope, bound, name, "Int")
        bind(scope, bound, other, "Double")
        return f"let ({name},{other}) = {value}"
    if draft.uses("tuples", 40) or draft.uses("records", 40):
        record = "records" in draft.features and (
            "tuples" not in draft.features or draft.chance(50)
        )
        columns = (value_type(draft), number_type(draft))
        parts = [scalar(draft, scope, column) for column in columns]
        fields = ("a", "b") if record else ("_1", "_2")
        for column, part in zip(columns, fields, strict=True):
            scope.values[column].append(f"{name}.{part}")
        if record:
            # A comparison ends a record, so that only parentheses may hold one.
            return f"let {name} = <a = ({parts[0]}), b = ({parts[1]})>"
        bound.append((name, columns))
        return f"let {name} = ({parts[0]}, {parts[1]})"
    element = value_type(draft)
    text = f"let {name} = {scalar(draft, scope, element)}"
    bind(scope, bound, name, element)
    return text


def inner_list(draft: Draft, scope: Scope) -> tuple[Columns, str]:
    """A list computed for each row."""
    qualifiers, inner, _ = draw_qualifiers(draft, scope)
    qualifiers += order(draft, inner, 60)
    columns: Columns = tuple(value_type(draft) for _ in range(draft.count(1, 2)))
    values = [scalar(draft, inner, column, 1) for column in columns]
    return columns, f"[ {tuple_of(values)} | {', '.join(qualifiers)} ]"


def order(draft: Draft, scope: Scope, percent: int) -> list[str]:
    """The order of the rows, and how many are kept; perhaps nothing.

    Keys are not rounded, so that rows stand in one order however sums are added up.
    """
    if scope.ties or not draft.uses("sorted rows", percent):
        return []
    limit = [f"limit {draft.pick(('0', '1', '2', '3', 'n', 'm-1'))}"] if draft.chance(50) else []
    keys: list[str] = []
    for _ in range(draft.count(0 if limit else 1, 2)):
        number = leaf(draft, scope, "Int")
        kinds = [number, f"{number} % 2", f"{number} > 1", f"({number} % 3, {number})"]
        kinds.append(f"(if ({number} % 3 == 1) 0.0/0.0 else -0.5*({number} % 4))")
        if scope.values["String"]:
            kinds += [draft.pick(scope.values["String"])] * 2
        keys.append(draft.pick(kinds) + draft.pick(("", "", " desc", " asc")))
    return [*([f"order by {', '.join(keys)}"] if keys else []), *limit]


def tuple_of(parts: list[str]) -> str:
    """The parts as a tuple, if there are several."""
    return parts[0] if len(parts) == 1 else f"({','.join(parts)})"


# ---- generators ------------------------------------------------------------------------


def generator(draft: Draft, scope: Scope, bound: Bound, joined: bool) -> list[str]:
    """A generator; if `joined`, perhaps with guards that tie it to what is bound already."""
    kind = draft.count(1, 100)
    if scope.bags and draft.chance(35):
        bag = draft.pick(scope.bags)
        return rows_of(draft, scope, bound, bag.text, bag.columns)
    if draft.maps and draft.chance(30):
        chosen = draft.pick(draft.maps)
        return map_generator(draft, scope, bound, chosen.name, chosen.key, chosen.value)
    if draft.list_arrays and draft.chance(30):
        return list_array_generator(draft, scope, bound, draft.pick(draft.list_arrays))
    if scope.values["String"] and draft.uses("strings", 10):
        name = draft.fresh("w")
        source = f'{draft.pick(scope.values["String"])}.split(" ")'
        bind(scope, bound, name, "String")
        scope.from_list = True
        return [f"{name} <- {source}"]
    if draft.uses("list literals", 12):
        literal = f"[{', '.join(leaf(draft, scope, 'Int') for _ in range(draft.count(1, 3)))}]"
        return rows_of(draft, scope, bound, literal, ("Int",))
    if kind <= 65 and draft.arrays:
        return array_generator(draft, scope, bound, draft.pick(draft.arrays), joined=joined)
    if kind <= 80 and draft.lists:
        return list_generator(draft, scope, bound, draft.pick(draft.lists))
    name = draft.fresh("i")
    source = f"{name} <- {bounds(draft, scope, '..')}"
    scope.free.append(name)
    scope.indices.append(name)
    bind(scope, bound, name, "Int")
    return [source]


def bounds(draft: Draft, scope: Scope, between: str) -> str:
    """The first and the last index of a range."""
    upper = draft.pick(("n-1", "n-1", "m-1", "n", "2"))
    lower = draft.pick(("0", "0", "0", "1"))
    if scope.indices and draft.chance(15):
        lower, upper = draft.pick(
            ((lower, draft.pick(scope.indices)), (draft.pick(scope.indices), upper))
        )
    return f"{lower}{between}{upper}"


def array_generator(
    draft: Draft, scope: Scope, bound: Bound, array: ArrayVariable, *, joined: bool
) -> list[str]:
    """The entries of an array, stored or all."""
    indices = [draft.fresh("i") for _ in array.dims]
    value = draft.fresh("v")
    arrow = "<=" if draft.chance(25) else "<-"
    result = [f"({tuple_of(indices)},{value}) {arrow} {array.name}"]
    known = Scope(indices=list(scope.indices))
    for index in indices:
        if joined and known.indices and draft.chance(70):
            other = affine(draft, known)
            sides = (index, other) if draft.chance(70) else (other, index)
            result.append(f"{sides[0]} == {sides[1]}")
        elif draft.chance(5):
            result.append(f"{index} == {draft.pick(('0', '1', indices[0]))}")
            scope.free.append(index)
        else:
            scope.free.append(index)
        scope.indices.append(index)
        bind(scope, bound, index, "Int")
    if array.element == "Pair":
        scope.values["Double"].append(f"{value}._1")
        scope.values["Int"].append(f"{value}._2")
        bound.append((value, ("Double", "Int")))
    else:
        bind(scope, bound, value, array.element)
    return result


def list_array_generator(draft: Draft, scope: Scope, bound: Bound, array: ListArray) -> list[str]:
    """The entries of an array of lists, which may be gone through later."""
    indices, rows = [draft.fresh("i") for _ in range(array.rank)], draft.fresh("b")
    scope.free += indices
    scope.indices += indices
    for index in indices:
        bind(scope, bound, index, "Int")
    scope.bags.append(Bag(rows, array.columns))
    return [f"({tuple_of(indices)},{rows}) {draft.pick(('<-', '<='))} {array.name}"]


def list_generator(draft: Draft, scope: Scope, bound: Bound, variable: ListVariable) -> list[str]:
    """The rows of a list; columns that are lists may be gone through later."""
    names = [draft.fresh("x") for _ in variable.columns]
    result = [f"{tuple_of(names)} <- {variable.name}"]
    for name, column in zip(names, variable.columns, strict=True):
        if isinstance(column, tuple):
            scope.bags.append(Bag(name, column))
            scope.ties = True
        else:
            bind_column(draft, scope, bound, result, name, column)
    scope.from_list = True
    return result


def rows_of(draft: Draft, scope: Scope, bound: Bound, source: str, columns: Columns) -> list[str]:
    """The rows of an expression that is a list."""
    names = [draft.fresh("x") for _ in columns]
    result = [f"{tuple_of(names)} <- {source}"]
    for name, column in zip(names, columns, strict=True):
        bind_column(draft, scope, bound, result, name, column)
    scope.from_list = True
    return result


def bind_column(
    draft: Draft, scope: Scope, bound: Bound, result: list[str], name: str, column: Element
) -> None:
    """Note a column of a list, perhaps with a guard that ties it to an index."""
    if column == "Int":
        if scope.indices and draft.chance(50):
            result.append(f"{name} == {affine(draft, Scope(indices=list(scope.indices)))}")
        scope.indices.append(name)
    elif column == "String" and scope.values["String"] and draft.chance(40):
        result.append(f"{name} == {draft.pick(scope.values['String'])}")
    bind(scope, bound, name, column)


def map_generator(
    draft: Draft, scope: Scope, bound: Bound, name: str, key: Element, value: Element
) -> list[str]:
    """The entries of a map."""
    names = draft.fresh("k"), draft.fresh("v")
    result = [f"({names[0]},{names[1]}) <- {name}"]
    bind_column(draft, scope, bound, result, names[0], key)
    bind(scope, bound, names[1], value)
    scope.from_list = True
    return result
