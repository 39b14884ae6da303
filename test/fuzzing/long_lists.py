"""Writes what is asked of lists with up to some hundred rows, whose kernels go row by row.

    input T1: list[(Int,Int,UInt8,Double,Boolean)];
    var G2 = [ (g3,g4,+/v,max/w) | (a,b,c,d,p) <- T1, d >= 0.0 || p, let v = a*b, let w = d*d,
               group by (g3,g4): (c,a%3) ];

Keys are of every type that machine code has, and of several columns; NaN and -0.0 are among them.
"""

from __future__ import annotations

from fuzzing.draft import Draft
from fuzzing.model import NARROW, Element, ListVariable
from fuzzing.qualifiers import tuple_of

_ROW = "(a,b,c,d,p)"
_VALUES: dict[Element, tuple[str, ...]] = {
    "Int": ("a", "b", "a*b", "a+2*b", "toInt(c)", "(if (p) a else 3)"),
    "Double": ("d", "d*d", "d+a", "(if (p) d else 0.5)", "max(d,0.25)"),
    "Boolean": ("p", "a > b", "(p && d > 0.0)"),
}
_FOLDS: dict[Element, tuple[str, ...]] = {
    "Int": ("+", "+", "max", "min", "*"),
    "Double": ("+", "+", "max", "min"),
    "Boolean": ("&&", "||"),
}
_CONDITIONS = ("a > 2", "d < 1.0", "p", "a != b", "a%3 == 1", "d >= 0.0 || p", "a < 0", "a < 99")
_KEYS = ("a", "a", "b", "c", "c", "d", "p", "a%3", "(if (a > 5) (0.0/0.0) else d)")


def long_list(draft: Draft) -> None:
    """A list that the caller gives, and what is made of its rows."""
    name, narrow = draft.fresh("T"), draft.pick(NARROW)
    draft.lines.insert(0, f"input {name}: list[(Int,Int,{narrow.name},Double,Boolean)];")
    low, high = draft.pick((narrow.limits, (0, 5)))
    # The second column is nearly always of few values, or each row has its own.
    spread = draft.pick((4, 4, 2**40))
    draft.inputs[name] = [
        (
            draft.count(0, 9),
            draft.count(-spread, spread),
            draft.count(low, high),
            draft.pick((-0.0, draft.count(-8, 8) * 0.25)),
            draft.chance(50),
        )
        for _ in range(draft.pick((0, 1, 2, 20, 100, 300)))
    ]
    for _ in range(draft.count(1, 3)):
        draft.pick((_groups, _groups, _groups, _rows, _total, _total, _map))(draft, name)


def _qualifiers(draft: Draft, name: str) -> list[str]:
    """The rows of the list, of which some may be kept, and made several of."""
    chosen = [f"{_ROW} <- {name}"]
    vectors = [array.name for array in draft.arrays if array.rank == 1]
    if vectors and draft.chance(15):
        chosen.append(f"(i,x) <- {draft.pick(vectors)}, i == a")
    elif draft.chance(15):
        chosen.append(draft.pick(("j <- 0..a", "j <- a..3", "j <- [1,2,3]", "j <- 0..2")))
    return chosen + [draft.pick(_CONDITIONS) for _ in range(draft.pick((0, 1, 1, 2)))]


def _value(draft: Draft, element: Element, qualifiers: list[str]) -> str:
    """Something computed of a row."""
    if element == "Int" and qualifiers[1:] and qualifiers[1].startswith("j ") and draft.chance(60):
        return draft.pick(("j", "a*j"))
    return draft.pick(_VALUES[element])


def _element(draft: Draft) -> Element:
    elements: tuple[Element, ...] = ("Int", "Int", "Double", "Double", "Boolean")
    return draft.pick(elements)


def _groups(draft: Draft, name: str) -> None:
    """A group-by with several monoids."""
    qualifiers = _qualifiers(draft, name)
    keys = [draft.fresh("g") for _ in range(draft.pick((1, 1, 2, 3)))]
    values: list[str] = []
    for _ in range(draft.count(1, 3)):
        element, value = _element(draft), draft.fresh("v")
        qualifiers.append(f"let {value} = {_value(draft, element, qualifiers)}")
        fold = draft.pick(_FOLDS[element])
        values.append(f"{value}.length" if draft.chance(15) else f"{fold}/{value}")
    by = tuple_of([draft.pick(_KEYS) for _ in keys])
    qualifiers.append(f"group by {tuple_of(keys)}: {by}")
    _declare(draft, f"[ {tuple_of([*keys, *values])} | {', '.join(qualifiers)} ]")


def _rows(draft: Draft, name: str) -> None:
    """Rows made of rows."""
    qualifiers = _qualifiers(draft, name)
    values = [_value(draft, _element(draft), qualifiers) for _ in range(draft.count(1, 3))]
    _declare(draft, f"[ {tuple_of(values)} | {', '.join(qualifiers)} ]")


def _declare(draft: Draft, rows: str) -> None:
    made = draft.fresh("G")
    draft.declare(made, rows)
    draft.lists.append(ListVariable(made, ()))


def _total(draft: Draft, name: str) -> None:
    """One value made of all rows."""
    qualifiers, element, made = _qualifiers(draft, name), _element(draft), draft.fresh("s")
    value, fold = _value(draft, element, qualifiers), draft.pick(_FOLDS[element])
    draft.declare(made, f"{fold}/[ {value} | {', '.join(qualifiers)} ]")
    draft.scalars.append((made, element))


def _map(draft: Draft, name: str) -> None:
    """A map that a loop over the rows adds to."""
    made, value = draft.fresh("M"), draft.pick(_VALUES["Int"])
    draft.lines.append(f"var {made}: map[Int,Int] = map();")
    condition = f"if ({draft.pick(_CONDITIONS)}) " if draft.chance(60) else ""
    key = draft.pick(("a", "b", "a%3"))
    draft.lines.append(f"for {_ROW} in {name} do {condition}{made}[{key}] += {value};")
    # What is read of it here is all that is: no other statement comes.
    _declare(draft, f"[ (k,v) | (k,v) <- {made} ]")
