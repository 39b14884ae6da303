"""Writes random values of whole variables: arrays, lists, maps, totals."""

from __future__ import annotations

from fuzzing.draft import Draft
from fuzzing.groups import (
    group_by,
    group_by_value,
    group_key,
    list_columns,
    monoid_total,
    opened,
    reduction,
)
from fuzzing.model import (
    INT,
    SOURCE_TYPES,
    STRING,
    ArrayVariable,
    Columns,
    Element,
    ListArray,
    ListVariable,
    MapVariable,
    Pair,
    Scope,
)
from fuzzing.qualifiers import draw_qualifiers, inner_list, inner_scope, order, tuple_of
from fuzzing.scalars import injective, leaf, number_type, scalar, value_type

# ---- arrays ----------------------------------------------------------------------------


def array_variable(draft: Draft) -> None:
    """An array built by a comprehension."""
    rank = draft.pick((1, 1, 2, 2, 2, 3))
    dims = tuple(draft.pick(("n", "n", "m", "4")) for _ in range(rank))
    element = "Pair" if draft.uses("pairs in arrays", 40) else value_type(draft)
    array = ArrayVariable(draft.fresh("A"), dims, element)
    draft.declare(array.name, array_of(draft, dims, element))
    draft.arrays.append(array)


def array_of(draft: Draft, dims: tuple[str, ...], element: Element | Pair) -> str:
    """`tensor*(…) [ … ]` that sets each element once, or some of them again and again."""
    rank = len(dims)
    qualifiers, scope, bound = draw_qualifiers(draft)
    again = draft.uses("repeated indices", 60)
    many = (scope.from_list or len(scope.free) > rank) and (scope.ties or not again)
    if many or draft.chance(32):
        text, below = group_by(draft, scope, bound, rank)
        qualifiers.append(text)
        if draft.chance(20):
            test = number_type(draft)
            limit = leaf(draft, inner_scope(draft), test)
            qualifiers.append(f"{reduction(draft, below, test)} > {limit}")
        keys = [injective(draft, key) for key in draft.shuffled(below.free)]
        if again:
            keys = repeated(draft, below, rank)
        if element == "Pair":
            value = pair(reduction(draft, below, "Double"), reduction(draft, below, "Int"))
        else:
            value = reduction(draft, below, element)
    else:
        rest = [i for i in scope.indices if i not in scope.free] + ["0", "1"]
        used = [*scope.free, *draft.shuffled(rest)][:rank]
        keys = [injective(draft, key) for key in draft.shuffled(used)]
        if again and not scope.ties:
            keys = repeated(draft, scope, rank)
        if element == "Pair":
            value = pair(scalar(draft, scope, "Double"), scalar(draft, scope, "Int"))
        else:
            value = scalar(draft, scope, element)
    return f"{storage(draft, dims)}[ ({tuple_of(keys)},{value}) | {', '.join(qualifiers)} ]"


def repeated(draft: Draft, scope: Scope, parts: int) -> list[str]:
    """Integers for an index or a key that may be the same in many rows."""
    return [f"{group_key(draft, scope)}{draft.pick(('', '', '%3'))}" for _ in range(parts)]


def pair(first: str, second: str) -> str:
    """A tuple as an element."""
    return f"({first},{second})"


def storage(draft: Draft, dims: tuple[str, ...]) -> str:
    """The constructor of an array with these dimensions."""
    split = draft.pick((len(dims), len(dims), *range(len(dims))))
    dense, rest = ",".join(dims[:split]), dims[split:]
    tail = f"({','.join(rest)})" if rest else ""
    return f"tensor{'' if draft.chance(15) else '*'}({dense}){tail}"


def running_array(draft: Draft, array: ArrayVariable) -> str:
    """An array with what the elements of another one come to, along a dimension, at each index."""
    indices = [draft.fresh("i") for _ in array.dims]
    axis, j = draft.count(0, array.rank - 1), draft.fresh("j")
    index, extent = indices[axis], array.dims[axis]
    place = ",".join([*indices[:axis], j, *indices[axis + 1 :]])
    within = draft.pick((f"0..{index}", f"0..{index}", f"0..{index}-1", f"{index}..{extent}-1"))
    folded = f"{array.name}[{place}]{draft.pick(('', '', '*2', ' + 1'))} | {j} <- {within}"
    value = f"+/[ {folded} ]"
    if draft.chance(30):
        # Of no rows the largest is an infinity, or the least integer.
        monoid, bound = draft.pick((("max", "0"), ("min", "3")))
        limit = bound if array.element == "Int" else f"{bound}.0"
        value = f"{monoid}({limit}, {monoid}/[ {folded} ])"
    sources = ", ".join(f"{i} <- 0..{d}-1" for i, d in zip(indices, array.dims, strict=True))
    return f"{storage(draft, array.dims)}[ ({tuple_of(indices)},{value}) | {sources} ]"


def simple_array(draft: Draft) -> None:
    """An array with every element set, the start of most programs."""
    rank = draft.pick((1, 2, 2))
    dims = tuple(draft.pick(("n", "n", "m")) for _ in range(rank))
    element = number_type(draft)
    name = draft.fresh("A")
    indices = ["i", "j", "k"][:rank]
    sources = ", ".join(f"{i} <- 0..{d}-1" for i, d in zip(indices, dims, strict=True))
    if element == "Int":
        value = draft.pick(("(i*7)%5-2", "i", "2*i+1", "(3*i+1)%4"))
    else:
        value = draft.pick(("random()-0.5", "0.5*i-1.0", "((i*5)%7)*0.25", "1.5"))
    guard = draft.pick(("", "", ", (i+1)%2 == 0", ", i != 1"))
    draft.declare(
        name, f"{storage(draft, dims)}[ ({tuple_of(indices)},{value}) | {sources}{guard} ]"
    )
    draft.arrays.append(ArrayVariable(name, dims, element))


def table(draft: Draft) -> None:
    """A vector of vectors, one computed for each index."""
    name, (i, j) = draft.fresh("T"), (draft.fresh("i"), draft.fresh("j"))
    scope = inner_scope(draft)
    scope.nesting = 2
    scope.indices += [i, j]
    scope.values["Int"] += [i, j]
    star = draft.pick(("", "*"))
    row = f"tensor(m)[ ({j},{scalar(draft, scope, 'Double')}) | {j} <- 0..m-1 ]"
    draft.declare(name, f"tensor{star}(n)[ ({i},{row}) | {i} <- 0..n-1 ]")
    draft.tables.append(name)


def stepped_table(draft: Draft) -> None:
    """Loops that replace the vectors of a vector of vectors, each by one that its neighbour says.

    The vectors have extents of their own. Loops within a loop go down and up again, as those of a
    multigrid method.
    """
    name, k, i, j = (draft.fresh(letter) for letter in "Tkij")
    size = draft.pick(("3", "3", "4", "n"))
    first = f"tensor({draft.pick(('m', '4'))})[ ({j},{j}*0.5 - {i}) | {j} <- 0..m-1 ]"
    draft.declare(name, f"tensor({size})[ ({i},{first}) | {i} <- 0..{size}-1 ]")
    draft.lines.append(f"var {k} = 0;")
    body = f"{k} = {size}-1; {_step(draft, name, k, 1, f'{k} > 0')}"
    if draft.chance(60):
        body += f" {_step(draft, name, k, -1, f'{k} < {size}-1')}"
    if draft.chance(60):
        times = draft.fresh("k")
        draft.lines.append(f"var {times} = 0;")
        body = f"while ({times} < {draft.pick(('1', '2', 'm'))}) {{ {times} += 1; {body} }};"
    draft.lines.append(body)
    draft.tables.append(name)


def _step(draft: Draft, name: str, k: str, toward: int, more: str) -> str:
    """A loop toward one end of a vector of vectors."""
    j, extent = draft.fresh("j"), draft.pick(("m", "m", "4", "n", f"{k}+1"))
    scope = inner_scope(draft)
    scope.indices += [j]
    scope.values["Int"] += [j, k]
    place = draft.pick((j, j, f"{extent}-1-{j}", "0"))
    value = f"0.5*{name}[{k}{toward:+d}][{place}] + {scalar(draft, scope, 'Double')}"
    vector = f"tensor({extent})[ ({j},{value}) | {j} <- 0..{extent}-1 ]"
    return f"while ({more}) {{ {k} = {k}{-toward:+d}; {name}[{k}] = {vector}; }};"


def list_array(draft: Draft) -> None:
    """An array of lists: those of a group, or one computed for each index."""
    dims = tuple(draft.pick(("n", "n", "m")) for _ in range(draft.pick((1, 1, 2))))
    qualifiers, scope, bound = draw_qualifiers(draft)
    text, below = group_by(draft, scope, bound, len(dims))
    qualifiers.append(text)
    keys = tuple_of([injective(draft, key) for key in draft.shuffled(below.free)])
    if below.bags and draft.chance(60):
        bag = draft.pick(below.bags)
        columns, value = bag.columns, bag.text
    else:
        columns, value = inner_list(draft, below)
    name = draft.fresh("S")
    draft.declare(name, f"{storage(draft, dims)}[ ({keys},{value}) | {', '.join(qualifiers)} ]")
    draft.list_arrays.append(ListArray(name, len(dims), columns))


def array_slice(draft: Draft) -> None:
    """A part of an array."""
    array = draft.pick(draft.arrays)
    if array.element == "Pair":
        return
    name, parts, kept = draft.fresh("A"), list[str](), 0
    for position in range(array.rank):
        last = position == array.rank - 1 and kept == 0
        if not last and array.dims[position] in ("n", "m", "4") and draft.chance(25):
            parts.append("0")
            continue
        kept += 1
        lower, upper = draft.pick(("", "0", "1", "m-1")), draft.pick(("", "2", "n", "m", "9"))
        parts.append(f"{lower}:{upper}{draft.pick(('', '', '', ':2', ':n'))}")
    if kept > 2:
        return
    draft.declare(name, f"{array.name}[{', '.join(parts)}]")
    dims = (f"{name}.length",) if kept == 1 else (f"{name}.rows", f"{name}.cols")
    draft.arrays.append(ArrayVariable(name, dims, array.element))


def whole_arrays(draft: Draft) -> None:
    """An operation on whole arrays."""
    arrays = [a for a in draft.arrays if a.element in ("Int", "Double")]
    if not arrays:
        return
    array = draft.pick(arrays)
    if draft.uses("extreme integers"):
        arrays = [a for a in arrays if a.element == array.element]
    other = draft.pick([a for a in arrays if a.dims == array.dims])
    a, b, name, dims = array.name, other.name, draft.fresh("A"), array.dims
    element = "Double" if "Double" in (array.element, other.element) else "Int"
    kind = draft.count(1, 100)
    if kind <= 25 and array.rank == 2:
        text, element, dims = f"{a}.t", array.element, dims[::-1]
    elif kind <= 50 and array.rank == 2:
        fitting = [c for c in arrays if c.rank in (1, 2) and c.dims[0] == array.dims[1]]
        if not fitting:
            return
        other = draft.pick(fitting)
        element = "Double" if "Double" in (array.element, other.element) else "Int"
        text, dims = f"{a} @ {other.name}", (dims[0], *other.dims[1:])
    elif kind <= 60:
        text, element = f"abs({a}) * 2", array.element
    else:
        text = f"{a} {draft.pick(('+', '-', '*'))} {b}"
        if draft.chance(30) and not draft.uses("extreme integers"):
            text, element = f"{text} * 0.5", "Double"
    draft.declare(name, text)
    draft.arrays.append(ArrayVariable(name, dims, element))


# ---- collections -----------------------------------------------------------------------


def list_variable(draft: Draft) -> None:
    """A list built by a comprehension."""
    if draft.uses("list literals", 30):
        rows = [
            f"({leaf(draft, draft.globals, 'Int')},{leaf(draft, draft.globals, 'Double')})"
            for _ in range(draft.count(1, 4))
        ]
        name = draft.fresh("L")
        draft.declare(name, f"[{', '.join(rows)}]")
        draft.lists.append(ListVariable(name, ("Int", "Double")))
        position = draft.count(0, len(rows) - 1)
        draft.globals.values["Int"].append(f"{name}[{position}]._1")
        draft.globals.values["Double"].append(f"{name}[{position}]._2")
        return
    qualifiers, scope, bound = draw_qualifiers(draft)
    columns: list[Element | Columns] = [value_type(draft) for _ in range(draft.count(1, 2))]
    if draft.chance(40):
        if draft.uses("strings", 30):
            text, below, key = group_by_value(draft, scope, bound, "String")
            keys, kind = [key], STRING
        else:
            text, below = group_by(draft, scope, bound, draft.count(1, 2))
            keys, kind = below.free, INT
        qualifiers.append(text)
        if draft.chance(25):
            qualifiers.append(f"{reduction(draft, below, 'Int')} > 1")
        kept = list_columns(draft, below)
        values = [*keys, *(bag for bag, _ in kept)]
        qualifiers += opened(draft, below)
        values += [reduction(draft, below, c) for c in columns if not isinstance(c, tuple)]
        columns = [*[kind for _ in keys], *(bag for _, bag in kept), *columns]
        scope = below
    else:
        values = [scalar(draft, scope, c) for c in columns if not isinstance(c, tuple)]
    name = draft.fresh("L")
    in_order = [] if any(isinstance(c, tuple) for c in columns) else order(draft, scope, 70)
    draft.declare(name, f"[ {tuple_of(values)} | {', '.join([*qualifiers, *in_order])} ]")
    draft.lists.append(ListVariable(name, tuple(columns)))
    if in_order and columns[0] in ("Int", "Double"):
        weighed, row = draft.fresh("s"), draft.fresh("x")
        first = row if len(values) == 1 else f"{row}._1"
        draft.declare(weighed, "0.0")
        draft.lines.append(f"for {row} in {name} do {weighed} = 0.5*{weighed} + {first};")
        draft.scalars.append((weighed, "Double"))


def map_variable(draft: Draft) -> None:
    """A map: empty, or built from a comprehension, and perhaps one that the caller gives."""
    if draft.chance(40):
        input_map(draft)
    name, value = draft.fresh("M"), value_type(draft)
    if draft.chance(35):
        key: Element = "String" if draft.uses("strings", 40) else "Int"
        if draft.uses("float keys", 60):
            key = "Double"
        draft.lines.append(f"var {name}: map[{key},{SOURCE_TYPES[value]}] = map();")
    else:
        qualifiers, scope, bound = draw_qualifiers(draft)
        star = draft.pick(("", "*"))
        if not scope.ties and draft.uses("repeated indices", 60):
            key = draft.pick(("Int", "String") if "strings" in draft.features else ("Int",))
            (key_text,) = repeated(draft, scope, 1)
            if key == "String":
                key_text = scalar(draft, scope, "String", 1)
            row = f"({key_text},{scalar(draft, scope, value)})"
            draft.declare(name, f"map{star}[ {row} | {', '.join(qualifiers)} ]")
            draft.maps.append(MapVariable(name, key, value))
            return
        if draft.uses("float keys", 60):
            text, below, key_text = group_by_value(draft, scope, bound, "Double")
            key = "Double"
        elif draft.uses("strings", 40):
            text, below, key_text = group_by_value(draft, scope, bound, "String")
            key = "String"
        else:
            text, below = group_by(draft, scope, bound, 1)
            key, key_text = "Int", injective(draft, below.free[0])
        row = f"({key_text},{reduction(draft, below, value)})"
        draft.declare(name, f"map{star}[ {row} | {', '.join([*qualifiers, text])} ]")
    draft.maps.append(MapVariable(name, key, value))


def input_map(draft: Draft) -> None:
    """A map that the caller gives, of few keys."""
    name, value = draft.fresh("M"), number_type(draft)
    draft.lines.insert(0, f"input {name}: map[Int,{value}];")
    unit = 1 if value == "Int" else 0.25
    keys = draft.shuffled(range(-1, 5))[: draft.count(0, 4)]
    draft.inputs[name] = {key: (draft.count(0, 8) - 4) * unit for key in keys}
    draft.maps.append(MapVariable(name, "Int", value))


def total(draft: Draft) -> None:
    """A scalar: a reduction of a comprehension."""
    qualifiers, scope, bound = draw_qualifiers(draft)
    name, source = draft.fresh("s"), ", ".join(qualifiers)
    if draft.monoids and draft.chance(50):
        monoid = draft.pick(draft.monoids)
        draft.declare(name, monoid_total(draft, monoid, scope, source))
        if monoid.type == "Pair":
            draft.pairs.append((name, monoid.bounded))
        else:
            draft.scalars.append((name, monoid.type))
        if monoid.type == "Pair" and monoid.bounded:
            draft.globals.values["Double"].append(f"{name}._1")
            draft.globals.values["Int"].append(f"{name}._2")
        return
    ints = [a for a in draft.arrays if a.element == "Int" and len(a.dims) == 1]
    if ints and draft.uses("built-in reductions", 25):
        draft.declare(name, f"{draft.pick(('argmin', 'argmax'))}({draft.pick(ints).name})")
        draft.scalars.append((name, "Int"))
        return
    element = "Boolean" if draft.uses("booleans", 20) else number_type(draft)
    value = scalar(draft, scope, element)
    if draft.chance(10):
        text, below = group_by(draft, scope, bound, 1)
        source, value = f"{source}, {text}", reduction(draft, below, element)
    elif cut := order(draft, scope, 70):
        source = ", ".join([source, *cut])
    if element == "Double" and draft.uses("built-in reductions", 30):
        draft.declare(name, f"mean/[ {value} | {source} ]")  # NaN, of no rows
        draft.scalars.append((name, element))
        return
    monoids = ("||", "&&") if element == "Boolean" else ("+", "+", "+", "max", "min")
    monoid = draft.pick(monoids)
    draft.declare(name, f"{monoid}/[ {value} | {source} ]")
    draft.scalars.append((name, element))
    if monoid not in ("max", "min"):  # these may be infinite
        draft.globals.values[element].append(name)
