"""Writes what is read at positions of the lists and strings that rows have.

    input R1: list[(Int,list[Double],list[(Int,Int)],String)];
    var G2 = [ (a,+/[ xs[i]*xs[xs.length-1-i] | i <- 0..xs.length-1 ]) | (a,xs,ps,s) <- R1 ];

Most positions lie inside; others fail alike everywhere. Strings have characters of one byte and of
several.
"""

from __future__ import annotations

from fuzzing.draft import Draft
from fuzzing.model import Element, ListVariable
from fuzzing.qualifiers import tuple_of

_ROW = "(a,xs,ps,s)"
_LISTS = ("xs", "ps", "s")
_TEXTS = ("", "a", "ab", "bab", "aé", "\U0001f600b", "baab", "é\0a")
_CHARACTERS = ("'a'", "'b'", "'é'")
_ENDS = ("0", "{}.length-1", "{}.length/2", "({}.length-1)/2")
"""Positions that a list has if it is not empty."""
_ASKEW = ("a", "a-1", "-1", "{}.length", "2*a", "9223372036854775807")
"""Positions that a list may have."""


def list_reads(draft: Draft) -> None:
    """A list whose rows have lists and strings, and what is read of these."""
    name = draft.fresh("R")
    draft.lines.insert(0, f"input {name}: list[(Int,list[Double],list[(Int,Int)],String)];")
    texts = _TEXTS if draft.chance(50) else _TEXTS[:4]
    draft.inputs[name] = [
        (
            draft.count(-1, 4),
            [draft.count(-8, 8) * 0.25 for _ in range(draft.count(0, 5))],
            [(draft.count(-3, 3), draft.count(0, 2)) for _ in range(draft.count(0, 4))],
            draft.pick(texts),
        )
        for _ in range(draft.pick((0, 1, 2, 20, 100)))
    ]
    for _ in range(draft.count(1, 3)):
        draft.pick((_rows, _rows, _positions, _positions, _total, _groups))(draft, name)


def _read(draft: Draft, of: str, position: str, element: Element) -> str:
    """What a list or a string has at a position, as a value of a type."""
    read = f"{of}[{position}]"
    if of == "xs":
        return {"Int": f"toInt({read})", "Double": read}.get(element, f"({read} > 0.5)")
    if of == "ps":
        part = f"{read}._{draft.count(1, 2)}"
        return {"Int": part, "Double": f"toDouble({part})"}.get(element, f"({part} == a)")
    if element == "Boolean":
        if draft.chance(40):
            return f"({read} {draft.pick(('==', '!=', '<'))} {_end(draft, of)})"
        return f"({read} {draft.pick(('==', '!=', '<'))} {draft.pick(_CHARACTERS)})"
    return f"toInt({read})" if element == "Int" else f"toDouble(toInt({read}))"


def _end(draft: Draft, of: str) -> str:
    return f"{of}[{draft.pick(_ENDS).format(of)}]"


def _element(draft: Draft) -> Element:
    elements: tuple[Element, ...] = ("Int", "Double", "Boolean")
    return draft.pick(elements)


def _value(draft: Draft, element: Element) -> str:
    """What a row has at a position that is tested, or may be outside, or what it folds."""
    of = draft.pick(_LISTS)
    if draft.chance(35):
        return _nested(draft, of, element)
    position = draft.pick(_ENDS).format(of)
    test = f"{of}.length > 0"
    if draft.chance(50):
        position = draft.pick(_ASKEW).format(of)
        test = f"{position} >= 0 && {position} < {of}.length"
    read = _read(draft, of, position, element)
    if draft.chance(3):
        return read
    otherwise: dict[Element, str] = {"Int": "7", "Double": "0.5", "Boolean": "true"}
    return f"(if ({test}) {read} else {otherwise[element]})"


def _range(draft: Draft, of: str) -> tuple[str, str]:
    """The generator of an index `i`, and a position for each."""
    if draft.chance(3):
        return f"i <- 0..{draft.pick(('a', f'{of}.length'))}", "i"
    return draft.pick(
        (
            (f"i <- 0..{of}.length-1", "i"),
            (f"i <- 0..{of}.length-1", f"{of}.length-1-i"),
            (f"i <- 1..{of}.length-1", "i-1"),
            (f"i <- 0..({of}.length-1)/2", "2*i"),
            (f"i <- -1..{of}.length, i >= 0, i < {of}.length", "i"),
            (f"i <- 0..{of}.length-1, {of}.length > a", "i"),
        )
    )


def _nested(draft: Draft, of: str, element: Element) -> str:
    """A fold of what a row has at several positions."""
    generator, position = _range(draft, of)
    value = _read(draft, of, position, element)
    if element == "Boolean":
        return f"{draft.pick(('&&', '||'))}/[ {value} | {generator} ]"
    return f"+/[ {value} | {generator} ]"


def _declare(draft: Draft, rows: str) -> None:
    made = draft.fresh("G")
    draft.declare(made, rows)
    draft.lists.append(ListVariable(made, ()))


def _qualifiers(draft: Draft, name: str) -> list[str]:
    conditions = ["a > 0", "xs.length > 1", 's != "a"', "ps.length != a"]
    return [f"{_ROW} <- {name}", *draft.shuffled(conditions)[: draft.pick((0, 0, 1, 2))]]


def _rows(draft: Draft, name: str) -> None:
    """Rows of what is read of each row, perhaps with lists of it."""
    values = ["a", *[_value(draft, _element(draft)) for _ in range(draft.count(1, 3))]]
    if draft.chance(25):
        of = draft.pick(_LISTS)
        generator, position = _range(draft, of)
        values.append(f"[ {_read(draft, of, position, 'Int')} | {generator} ]")
    if draft.chance(20):
        values.append(draft.pick(("s", "xs", "s.length")))
    _declare(draft, f"[ {tuple_of(values)} | {', '.join(_qualifiers(draft, name))} ]")


def _positions(draft: Draft, name: str) -> None:
    """Rows for each position of a list."""
    of, qualifiers = draft.pick(_LISTS), _qualifiers(draft, name)
    generator, position = _range(draft, of)
    qualifiers.append(generator)
    if draft.chance(25):
        qualifiers.append(f"j <- i..{of}.length-1, {_read(draft, of, 'j', 'Boolean')}")
    values = [_read(draft, of, position, _element(draft)), _value(draft, _element(draft))]
    _declare(draft, f"[ {tuple_of(['a', *values])} | {', '.join(qualifiers)} ]")


def _total(draft: Draft, name: str) -> None:
    """One value made of what is read of all rows."""
    qualifiers, made = _qualifiers(draft, name), draft.fresh("s")
    value = _value(draft, "Int")
    if draft.chance(50):
        of = draft.pick(_LISTS)
        generator, position = _range(draft, of)
        qualifiers.append(generator)
        value = _read(draft, of, position, "Int")
    draft.declare(made, f"+/[ {value} | {', '.join(qualifiers)} ]")
    draft.scalars.append((made, "Int"))


def _groups(draft: Draft, name: str) -> None:
    """What the sorted lists of groups have at positions, or groups by what rows have at some."""
    if draft.chance(50):
        of = draft.pick(_LISTS)
        key = _end(draft, of)
        key = {"xs": key, "ps": f"{key}._1"}.get(of, f"toInt({key})")
        source = f"{_ROW} <- {name}, {of}.length > 0, group by k: {key}"
        _declare(draft, f"[ (k, +/a) | {source} ]")
        return
    source = f"{_ROW} <- {name}, x <- xs, group by a"
    if draft.chance(50):
        source += ", let v = sort(x)"
    else:
        source += f", let v = [ y | y <- x, order by y{draft.pick(('', ' desc'))} ]"
    ends = [_end(draft, "v") for _ in range(draft.count(1, 2))]
    _declare(draft, f"[ {tuple_of(['a', *ends])} | {source} ]")
