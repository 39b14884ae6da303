"""Writes random scalar expressions: numbers, Booleans, strings, and conditions."""

from __future__ import annotations

from diablo.dialects.functions.function_values import value_at
from diablo.dialects.functions.number_ranges import ANYTHING
from diablo.dialects.functions.scalar_functions import FUNCTIONS
from fuzzing.draft import Draft
from fuzzing.model import (
    COMPLEX,
    NARROW,
    ArrayVariable,
    ComplexArray,
    Element,
    NarrowArray,
    RegionArray,
    Scope,
)

OPERATORS = ("+", "+", "-", "*")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
CONSTANTS: dict[Element, tuple[str, ...]] = {
    "Int": ("0", "1", "2", "3", "-1", "n"),
    "Double": ("0.0", "0.5", "1.0", "-1.5", "0.25"),
    "Boolean": ("true", "false"),
    "String": ('""', '"a"', '"b"', '"ab"', '"a b"', '"B"'),
}

EXTREMES = (
    *("9223372036854775807", "9223372036854775806", "-9223372036854775807"),
    *("-9223372036854775808", "4611686018427387904", "3037000500", "2147483648"),
)
"""Integers whose sums and products wrap around."""


def _smooth_functions() -> list[str]:
    """Functions of the table that take any number, grow no faster than it and have no steps."""
    found: list[str] = []
    for name, function in FUNCTIONS.items():
        row = function.floating
        if row is None or row.monotone != "increasing" or row.domain != ANYTHING:
            continue
        steep = value_at(row, 1e6) > 1e6 or value_at(row, 1e-9) > 1e-6
        if not steep and value_at(row, 0.25) < value_at(row, 0.5):
            found.append(name)
    return found


SMOOTH_FUNCTIONS = _smooth_functions()
WORD_FUNCTIONS = [n for n, f in FUNCTIONS.items() if f.arity == 2 and f.floating is None]


def value_type(draft: Draft) -> Element:
    """A type that values may have."""
    if draft.uses("strings", 12):
        return "String"
    if draft.uses("booleans", 12):
        return "Boolean"
    return number_type(draft)


def number_type(draft: Draft) -> Element:
    """A type of numbers."""
    return "Double" if draft.chance(65) else "Int"


# ---- indices and reads -----------------------------------------------------------------


def affine(draft: Draft, scope: Scope) -> str:
    """An index expression in at most two variables."""
    if not scope.indices or draft.chance(6):
        return draft.pick(("0", "1", "n-1"))
    i, j = draft.pick(scope.indices), draft.pick(scope.indices)
    if draft.chance(50):
        return i
    return draft.pick(
        (f"{i}+1", f"{i}-1", f"n-1-{i}", f"2*{i}", f"{i}/2", f"{i}+{j}", f"({i}+1)%n", f"m-{i}")
    )


def injective(draft: Draft, index: str) -> str:
    """An expression that differs wherever `index` does."""
    if draft.chance(65):
        return index
    return draft.pick((f"n-1-{index}", f"{index}+1", f"2*{index}", f"{index}-1", f"m-1-{index}"))


def map_key(draft: Draft, scope: Scope, element: Element) -> str:
    """A key to look into a map with."""
    if element == "Double":
        return float_key(draft, scope)
    return affine(draft, scope) if element == "Int" else leaf(draft, scope.silent(), element)


def float_key(draft: Draft, scope: Scope) -> str:
    """A float to group by or to look for: few different ones, infinities, NaN and zeros."""
    specials = ("inf", "-inf", "(0.0/0.0)", "0.0", "-0.0", "1.5")
    chosen = [draft.pick(specials) for _ in range(2)]
    return f"(if ({draft.condition(scope)}) {chosen[0]} else {chosen[1]})"


def read(draft: Draft, scope: Scope, element: Element) -> str | None:
    """The element of an array or a map."""
    if not scope.reads or not scope.nesting:
        return None
    maps = [m for m in draft.maps if m.value == element]
    if maps and draft.chance(35):
        chosen = draft.pick(maps)
        return f"{chosen.name}[{map_key(draft, scope, chosen.key)}]"
    if draft.narrow and element in ("Int", "Double") and scope.indices and draft.chance(40):
        # Small, so that sums of Doubles stay exact.
        return f"to{element}({narrow_integer(draft, scope)} % 25)"
    if draft.complex and element == "Double" and scope.indices and draft.chance(40):
        return f"toDouble({draft.pick(('real', 'imag'))}({complex_number(draft, scope)}))"
    if draft.tables and element == "Double" and draft.chance(30):
        return f"{draft.pick(draft.tables)}[{affine(draft, scope)}][{affine(draft, scope)}]"
    arrays = [a for a in (*draft.arrays, *scope.arrays) if a.element in (element, "Pair")]
    if element not in ("Int", "Double"):
        arrays = [a for a in arrays if a.element != "Pair"]
    if not arrays or not scope.indices:
        return None
    array = draft.pick(arrays)
    indices = [affine(draft, scope) for _ in array.dims]
    if draft.chance(12):
        indices = [indices[0]] * len(indices)
    if draft.uses("computed places", 60):
        indices[draft.count(1, len(indices)) - 1] = place(draft, scope)
    part = "" if array.element != "Pair" else "._1" if element == "Double" else "._2"
    return f"{array.name}[{','.join(indices)}]{part}"


def place(draft: Draft, scope: Scope) -> str:
    """An index that an element says, if there are integers in arrays: it may lie anywhere."""
    arrays = [a for a in (*draft.arrays, *scope.arrays) if a.element == "Int"]
    if not arrays:
        return f"({affine(draft, scope)})/2"
    read = element_of(draft, scope, draft.pick(arrays))
    return read if draft.chance(60) else f"abs({read}) % 4"


def element_of(
    draft: Draft, scope: Scope, array: ArrayVariable | NarrowArray | ComplexArray | RegionArray
) -> str:
    """An element of an array, at indices that may lie anywhere."""
    return f"{array.name}[{','.join(affine(draft, scope) for _ in array.dims)}]"


def narrow_integer(draft: Draft, scope: Scope) -> str:
    """An integer of a few bits, which wraps around if the types of its operands do."""

    def element() -> str:
        return element_of(draft, scope, draft.pick(draft.narrow))

    kind = draft.count(1, 100)
    if kind <= 40:
        return f"({element()} {draft.pick(OPERATORS)} {element()})"
    if kind <= 55:
        return f"({element()} {draft.pick((*OPERATORS, '/', '%'))} {draft.pick(('2', '3', '7'))})"
    if kind <= 70:
        return f"{draft.pick(('min', 'max'))}({element()}, {element()})"
    if kind <= 80:
        return f"{draft.pick(('abs', 'sign', 'bitnot'))}({element()})"
    if kind <= 90:
        return f"to{draft.pick(NARROW).name}({element()})"
    return element()


def complex_number(draft: Draft, scope: Scope) -> str:
    """A complex number whose parts are small integers, or halves of them: all of it is exact."""

    def element() -> str:
        return element_of(draft, scope, draft.pick(draft.complex))

    kind = draft.count(1, 100)
    if kind <= 35:
        return f"({element()} {draft.pick(OPERATORS)} {element()})"
    if kind <= 50:
        return f"({element()} {draft.pick(OPERATORS)} {draft.pick(('2', '1j', '-1.5', 'n'))})"
    if kind <= 60:
        return f"({element()} / {draft.pick(('2', '2j', '-4.0'))})"
    if kind <= 75:
        return f"conj({element()})"
    if kind <= 85:
        return f"to{draft.pick(COMPLEX).name}({element()})"
    if kind <= 90:
        return f"complex(imag({element()}), {draft.pick(('0.5', '1', 'n'))})"
    return f"(-{element()})"


# ---- expressions -----------------------------------------------------------------------


def leaf(draft: Draft, scope: Scope, element: Element) -> str:
    """A constant, a variable or an element."""
    if draft.chance(35) and (text := draft.read(scope, element)) is not None:
        return text
    if element == "Int" and draft.uses("extreme integers", 20):
        return draft.pick(EXTREMES)
    known = scope.values[element]
    if known and draft.chance(80):
        return draft.pick(known)
    return draft.pick(CONSTANTS[element])


def scalar(draft: Draft, scope: Scope, element: Element, depth: int = 2) -> str:
    """An expression of a type; in an `Int` there is no division but those in scope."""
    if depth == 0 or draft.chance(35):
        return leaf(draft, scope, element)
    if draft.uses("functions", 15) and (text := call(draft, scope, element, depth)):
        return text
    if scope.nesting in (1, 2) and draft.uses("nested totals", 12):
        return draft.nested_total(scope, element)
    if draft.chance(6):
        branch = scope if draft.uses("branch reads") else scope.silent()
        then, otherwise = leaf(draft, branch, element), leaf(draft, branch, element)
        return f"(if ({draft.condition(branch, 1)}) {then} else {otherwise})"
    if element == "String":
        return string(draft, scope, depth)
    if element == "Boolean":
        return f"({draft.condition(scope, depth - 1)})"
    return arithmetic(draft, scope, element, depth)


def arithmetic(draft: Draft, scope: Scope, element: Element, depth: int) -> str:
    """An operation on numbers."""
    kind = draft.count(1, 100)
    if kind <= 70:
        left = scalar(draft, scope, element, depth - 1)
        return f"({left} {draft.pick(OPERATORS)} {scalar(draft, scope, element, depth - 1)})"
    if kind <= 78:
        inner = scalar(draft, scope, element, depth - 1)
        return f"{draft.pick(('min', 'max'))}({inner}, {leaf(draft, scope, element)})"
    if kind <= 84:
        return f"abs({scalar(draft, scope, element, depth - 1)})"
    if kind <= 89:
        return f"(-{leaf(draft, scope, element)})"
    if element == "Int":
        if scope.bags and kind <= 94:
            return f"{draft.pick(scope.bags).text}.length"
        if scope.values["String"] and kind <= 97:
            return f"{draft.pick(scope.values['String'])}.length"
        if draft.chance(30):
            bits = draft.pick(("1", "3", "7", "64"))
            return f"{draft.pick(WORD_FUNCTIONS)}({leaf(draft, scope, 'Int')}, {bits})"
        return f"({leaf(draft, scope, 'Int')} {draft.pick(('%', '/'))} {draft.pick(('2', '3'))})"
    if kind <= 93:
        return f"({leaf(draft, scope, 'Double')} / 2.0)"
    if kind <= 95:
        if draft.chance(50):
            return f"{draft.pick(SMOOTH_FUNCTIONS)}({leaf(draft, scope, 'Double')})"
        return f"sqrt(abs({leaf(draft, scope, 'Double')}))"
    # Beside a huge integer nothing would be left of a fraction to compare.
    other: Element = "Double" if draft.uses("extreme integers") else "Int"
    return f"({leaf(draft, scope, 'Double')} + {leaf(draft, scope, other)})"


def string(draft: Draft, scope: Scope, depth: int) -> str:
    """An operation that gives a string and cannot fail."""
    inner = scalar(draft, scope, "String", depth - 1)
    kind = draft.count(1, 100)
    if kind <= 35:
        return f"({inner} + {leaf(draft, scope, 'String')})"
    if kind <= 50:
        return f"({inner} + {leaf(draft, scope, 'Int')})"
    if kind <= 60:
        return f"toString({leaf(draft, scope, 'Int')})"
    if kind <= 70:
        return f"{inner}.{draft.pick(('toUpper', 'toLower', 'trim'))}()"
    if kind <= 80:
        return f'{inner}.replace("a", {leaf(draft, scope, "String")})'
    known = scope.values["String"]
    if not known:
        return inner
    text = draft.pick(known)
    return f"{text}.substring(0, min({draft.pick(('1', '2'))}, {text}.length))"


def call(draft: Draft, scope: Scope, element: Element, depth: int) -> str | None:
    """A call of one of the program's functions."""
    fitting = [f for f in draft.functions if f.result == element]
    if not fitting:
        return None
    function = draft.pick(fitting)
    arguments = [scalar(draft, scope, p, depth - 1) for p in function.parameters]
    if function.name.startswith("twice"):
        arguments.insert(0, draft.pick(("x => x * 2.0", "x => x - 0.5", "x => abs(x)")))
    return f"{function.name}({', '.join(arguments)})"


# ---- conditions ------------------------------------------------------------------------


def condition(draft: Draft, scope: Scope, depth: int = 2) -> str:
    """A Boolean expression."""
    kind = draft.count(1, 100)
    if depth > 1 and kind <= 12:
        join = draft.pick(("&&", "||"))
        other = draft.condition(scope if draft.uses("branch reads") else scope.silent(), 1)
        return f"({draft.condition(scope, 1)} {join} {other})"
    if depth > 0 and kind <= 16:
        return f"!({draft.condition(scope, 0)})"
    if kind <= 24 and scope.values["Int"]:
        divisor = draft.pick(scope.values["Int"])
        other = draft.pick(scope.silent().values["Int"] or ["7"])
        return f"({divisor} != 0 && {other} {draft.pick(('/', '%'))} {divisor} < 2)"
    if kind <= 30 and scope.values["Boolean"]:
        return draft.pick(scope.values["Boolean"])
    if kind <= 40 and scope.values["String"]:
        return string_condition(draft, scope)
    if kind <= 65 and scope.indices:
        return f"{affine(draft, scope)} {draft.pick(COMPARISONS)} {affine(draft, scope)}"
    if draft.complex and scope.nesting and scope.indices and kind <= 72:
        left, right = complex_number(draft, scope), complex_number(draft, scope)
        return f"{left} {draft.pick(('==', '!='))} {right}"
    element: Element = "Int" if kind <= 78 else "Double"
    left, right = scalar(draft, scope, element, 1), leaf(draft, scope, element)
    comparisons = COMPARISONS[:4] if element == "Double" else COMPARISONS
    return f"{left} {draft.pick(comparisons)} {right}"


def string_condition(draft: Draft, scope: Scope) -> str:
    """A comparison of strings."""
    text, other = leaf(draft, scope, "String"), leaf(draft, scope, "String")
    if draft.chance(60):
        return f"{text} {draft.pick(COMPARISONS)} {other}"
    return f"{text}.{draft.pick(('contains', 'startsWith', 'endsWith'))}({other})"
