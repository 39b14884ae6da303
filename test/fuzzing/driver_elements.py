"""Writes the numbers of driver loops: elements of arrays, scalars, reductions and conditions.

At a place there may be indices around, each with the dimension that it goes through.

    number(scope, KINDS["Double"], {"i": "n"})    ->   Term("(x[(i+1)%n] - a*y[i])", Amount(4, 4))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fuzzing.driver_model import KINDS, STANDARD, DriverArray, Kind, LoopScope, Term

Indices = Mapping[str, str]
"""The indices at a place, and the dimensions that they go through."""

_NARROW = {kind.name: f"to{kind.name}" for kind in KINDS.values() if kind.domain == "integer"}


def settled_functions(scope: LoopScope) -> list[str]:
    """The functions that make standard amounts of numbers.

    Where numbers are rounded anyway, they make small ones, without a step that would tell two
    roundings apart.
    """
    lines: list[str] = []
    for name in dict.fromkeys(kind.real for kind in scope.kinds if kind.is_rounded):
        f = KINDS[name].suffix
        value = f"0.5{f}*(floor(v) - 4.0{f}*floor(0.25{f}*floor(v)) - 2.0{f})"
        if scope.is_loose:
            value = f"v/(1.0{f} + abs(v))"
        lines.append(f"def settled{name}(v: {name}): {name} = {value};")
    for kind in scope.kinds:
        if kind.domain == "complex":
            to, real = f"to{kind.name}", f"settled{kind.real}"
            value = f"{to}({real}(real(v))) + {to}(1j)*{to}({real}(imag(v)))"
            lines.append(f"def settled{kind.name}(v: {kind.name}): {kind.name} = {value};")
    return lines


def settled(kind: Kind, term: Term) -> Term:
    """A number of standard amount."""
    if not kind.is_rounded or term.amount.is_standard:
        return term
    return Term(f"settled{kind.name}({term.text})")


def literal(kind: Kind, number: float) -> str:
    """A number as it is written."""
    match kind.domain:
        case "float":
            return f"{number}{kind.suffix}"
        case "complex":
            return f"to{kind.name}({number})"
        case "boolean":
            return "true" if number else "false"
        case _:
            value = str(int(4 * number))
            return value if kind.name == "Int" else f"to{kind.name}({value})"


# ---- reads ---------------------------------------------------------------------------------


def integer(scope: LoopScope) -> str:
    """A number that the loop carries."""
    return scope.draft.pick([*scope.counters, *scope.counters, *scope.scalars.get("Int", [])])


def subscript(scope: LoopScope, dim: str, indices: Indices) -> str:
    """An index that is inside of a dimension."""
    draft = scope.draft
    own = [index for index, through in indices.items() if through == dim]
    if own and draft.chance(85):
        i = draft.pick(own)
        k = draft.pick(scope.counters)
        return draft.pick((i, i, i, i, f"({i}+1)%{dim}", f"({i}+{k})%{dim}", f"{dim}-1-{i}"))
    if indices and draft.chance(40):
        return f"{draft.pick(list(indices))}%{dim}"
    k = integer(scope)
    if k not in scope.counters:
        return f"({k}%{dim}+{dim})%{dim}"
    return draft.pick(("0", f"{k}%{dim}", f"(3*{k}+1)%{dim}", f"{dim}-1"))


def read(scope: LoopScope, array: DriverArray, indices: Indices) -> Term:
    """An element of an array."""
    places = ",".join(subscript(scope, dim, indices) for dim in array.dims)
    return Term(f"{array.name}[{places}]", array.amount)


def leaf(scope: LoopScope, kind: Kind, indices: Indices) -> Term:
    """An element, a variable or a constant."""
    draft = scope.draft
    arrays = scope.some(kind)
    if draft.chance(80):  # Most loops over sparse arrays that are not just multiplied are Python's.
        arrays = [a for a in arrays if not a.is_sparse]
    which = draft.count(1, 100)
    if arrays and which <= 65:
        return read(scope, draft.pick(arrays), indices)
    if which <= 80 and scope.scalars.get(kind.name):
        return Term(draft.pick(scope.scalars[kind.name]))
    if which <= 90 and indices and kind.domain != "boolean":
        i = draft.pick(list(indices))
        return Term(f"to{kind.name}({i}%4 - 1)") if kind.name != "Int" else Term(i)
    return Term(literal(kind, draft.pick((0.5, -0.25 if kind.dtype[0] != "u" else 0.25, 1.0, 0.0))))


# ---- numbers -------------------------------------------------------------------------------


def number(scope: LoopScope, kind: Kind, indices: Indices, depth: int = 2) -> Term:
    """An expression of a kind."""
    draft = scope.draft
    if kind.domain == "boolean":
        return Term(condition(scope, indices, depth))
    if depth == 0 or draft.chance(25):
        return leaf(scope, kind, indices)
    left, right = (number(scope, kind, indices, depth - 1) for _ in range(2))
    which = draft.count(1, 100)
    if which <= 12:
        test = condition(scope, indices, 0)
        return Term(f"(if ({test}) {left.text} else {right.text})", left.amount | right.amount)
    if kind.domain == "integer" and scope.divisor and which <= 30:
        return Term(divided(scope, kind, left.text))
    if kind.domain == "complex" and which <= 24:
        return Term(f"conj({left.text})", left.amount)
    if kind.domain != "complex" and which <= 24:
        word = draft.pick(("max", "min"))
        return Term(f"{word}({left.text}, {right.text})", left.amount | right.amount)
    if kind.domain == "float" and which <= 30:
        return Term(f"abs({left.text})", left.amount)
    if kind.is_rounded and which <= 34:
        other = [k for k in scope.kinds if k.domain == "integer"]
        if other and (given := scope.some(draft.pick(other))):
            element = read(scope, draft.pick(given), indices)
            return Term(f"to{kind.name}(toInt({element.text}) % 3)", STANDARD)
    if kind.is_rounded and which <= 60:
        amount = left.amount * right.amount
        if kind.domain == "complex":
            amount += amount
        if scope.fits(kind, amount):
            return Term(f"{left.text}*{right.text}", amount)
    if kind.domain == "integer" and which <= 60:
        return Term(narrowed(kind, f"({left.text})*({right.text})"))
    amount = left.amount + right.amount
    if not scope.fits(kind, amount):
        return left
    text = f"({left.text} {draft.pick(('+', '-'))} {right.text})"
    return Term(narrowed(kind, text) if kind.domain == "integer" else text, amount)


def narrowed(kind: Kind, text: str) -> str:
    """An integer as one of its kind, whatever it was computed from."""
    return text if kind.name == "Int" else f"{_NARROW[kind.name]}({text})"


def divided(scope: LoopScope, kind: Kind, text: str) -> str:
    """An integer that is divided by what may be zero: mostly where a test says that it is not."""
    draft, h = scope.draft, scope.divisor
    quotient = narrowed(kind, f"toInt({text}) {draft.pick(('/', '%'))} {h}")
    if draft.chance(20):
        return quotient
    return f"(if ({h} != 0) {quotient} else {text})"


def reduction(scope: LoopScope, kind: Kind, indices: Indices) -> Term:
    """A sum over an array, or another fold."""
    draft = scope.draft
    array = draft.pick(scope.some(kind) or scope.arrays)
    names = [draft.fresh("q") for _ in array.dims]
    value = draft.fresh("v")
    place = names[0] if len(names) == 1 else f"({','.join(names)})"
    inner = {**indices, **dict(zip(names, array.dims, strict=True))}
    source = f"({place},{value}) <- {array.name}"
    if array.is_sparse and draft.chance(60):
        source = f"({place},{value}) <= {array.name}"
    if draft.chance(20):
        source += f", {condition(scope, inner, 0)}"
    if kind.domain == "boolean":
        test = value if array.kind == kind else condition(scope, inner, 0)
        return Term(f"{draft.pick(('&&', '||'))}/[ {test} | {source} ]")
    first = Term(value, array.amount) if array.kind == kind else leaf(scope, kind, inner)
    vectors = [a for a in scope.alike(array.dims, kind) if a.rank == 1]
    if vectors and kind.domain != "integer" and draft.chance(25):
        one, other = draft.pick(vectors), draft.pick(vectors)
        amount = (one.amount * other.amount).summed
        if scope.fits(kind, amount + amount):
            return Term(f"({one.name} @ {other.name})", amount + amount)
    if kind.domain in ("float", "integer") and draft.chance(25):
        return Term(f"{draft.pick(('max', 'min'))}/[ {first.text} | {source} ]", first.amount)
    other = leaf(scope, kind, inner) if draft.chance(50) else first
    product = first.amount * other.amount
    amount = product
    for _ in array.dims:
        amount = amount.summed
    if not scope.fits(kind, amount + amount):
        return first if not array.dims else leaf(scope, kind, indices)
    text = f"{first.text}*{other.text}"
    if kind.domain == "integer":
        text = narrowed(kind, text)
    return Term(f"+/[ {text} | {source} ]", amount + amount)


# ---- conditions ----------------------------------------------------------------------------


def condition(scope: LoopScope, indices: Indices, depth: int = 1) -> str:
    """A test of numbers that are the same in any order of computing, or of truth values."""
    draft = scope.draft
    if depth > 0 and draft.chance(25):
        left, right = (condition(scope, indices, depth - 1) for _ in range(2))
        return f"(({left}) {draft.pick(('&&', '||', '!=', '=='))} ({right}))"
    choices: list[Callable[[], str]] = [lambda: _of_integers(scope, indices)] * 2
    if scope.divisor and indices:
        choices.append(lambda: _of_quotients(scope, indices))
    if truths := scope.some(KINDS["Boolean"]):
        choices.append(lambda: _maybe_not(scope, read(scope, draft.pick(truths), indices).text))
    if names := scope.scalars.get("Boolean"):
        choices.append(lambda: _maybe_not(scope, draft.pick(names)))
    floats = [kind for kind in scope.kinds if kind.domain == "float"]
    if floats and not scope.is_loose:
        choices.append(lambda: _of_floats(scope, draft.pick(floats), indices))
    return draft.pick(choices)()


def _maybe_not(scope: LoopScope, text: str) -> str:
    return f"!{text}" if scope.draft.chance(30) else text


def _of_integers(scope: LoopScope, indices: Indices) -> str:
    draft = scope.draft
    left = draft.pick([*indices, integer(scope)])
    right = draft.pick([*indices, "1", "2", "0", integer(scope)])
    if draft.chance(40):
        return f"({left}+{right})%{draft.pick(('2', '3'))} {draft.pick(('==', '!='))} 0"
    return f"{left} {draft.pick(('<', '<=', '>', '!=', '=='))} {right}"


def _of_quotients(scope: LoopScope, indices: Indices) -> str:
    draft, h = scope.draft, scope.divisor
    test = f"{draft.pick(list(indices))}/{h}%2 == 0"
    return test if draft.chance(20) else f"({h} > 0 && {test})"


def _of_floats(scope: LoopScope, kind: Kind, indices: Indices) -> str:
    draft = scope.draft
    left = leaf(scope, kind, indices).text
    right = draft.pick((leaf(scope, kind, indices).text, literal(kind, 0.5), literal(kind, 0.0)))
    return f"{left} {draft.pick(('<', '<=', '>', '!='))} {right}"
