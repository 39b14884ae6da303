"""Writes the whole arrays that driver loops compute: products, windows, maps, sums, groups.

array_value(scope, ("n",), KINDS["Double"])    ->   Term("a*(A.t @ x) - 0.5*y", Amount(10, 5))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from fuzzing.driver_elements import (
    condition,
    literal,
    narrowed,
    number,
    read,
    reduction,
    settled,
    subscript,
)
from fuzzing.driver_model import STANDARD, Amount, DriverArray, Kind, LoopScope, Term

Dims = tuple[str, ...]


def array_value(scope: LoopScope, dims: Dims, kind: Kind) -> Term:
    """An array of a kind with these dimensions."""
    draft = scope.draft
    ways: list[Callable[[], Term | None]] = [
        partial(mapped, scope, dims, kind),
        partial(mapped, scope, dims, kind),
        partial(combined, scope, dims, kind),
    ]
    if len(dims) <= 2 and kind.domain != "boolean":
        # Matrices of integers are not multiplied by BLAS, and keep their loop with Python.
        ways += [partial(product, scope, dims, kind)] * (
            5 if kind.is_rounded or len(dims) == 1 else 1
        )
        ways += [partial(windowed, scope, dims, kind), partial(summed, scope, dims, kind)]
    if len(dims) == 1 and kind.domain != "boolean":
        ways.append(partial(grouped, scope, dims, kind))
    if len(dims) == 2:
        ways.append(partial(transposed, scope, dims, kind))
    if len(dims) == 4:
        ways += [partial(channels, scope, dims, kind)] * 3
    for way in draft.shuffled(ways):
        found = way()
        if found is not None:
            return found
    return mapped(scope, dims, kind)


def tensor(dims: Sequence[str], names: Sequence[str], value: str, guard: str = "") -> str:
    """An array by a comprehension."""
    place = names[0] if len(names) == 1 else f"({','.join(names)})"
    sources = ", ".join(f"{i} <- 0..{dim}-1" for i, dim in zip(names, dims, strict=True))
    return f"tensor*({','.join(dims)})[ ({place}, {value}) | {sources}{guard} ]"


def _names(scope: LoopScope, dims: Dims) -> list[str]:
    return [scope.draft.fresh("i") for _ in dims]


def settled_array(scope: LoopScope, array: DriverArray) -> str:
    """An array with its numbers as a loop may carry them."""
    names = _names(scope, array.dims)
    element = Term(f"{array.name}[{','.join(names)}]", array.amount)
    return tensor(array.dims, names, settled(array.kind, element).text)


# ---- element by element --------------------------------------------------------------------


def mapped(scope: LoopScope, dims: Dims, kind: Kind) -> Term:
    """A number at each place."""
    draft, names = scope.draft, _names(scope, dims)
    value = number(scope, kind, dict(zip(names, dims, strict=True)))
    if draft.chance(30) or scope.is_loose:
        value = settled(kind, value)
    guard = ""
    if draft.chance(12):
        guard = f", {condition(scope, dict(zip(names, dims, strict=True)), 0)}"
    return Term(tensor(dims, names, value.text, guard), value.amount)


def factor(scope: LoopScope, kind: Kind) -> str:
    """A number that multiplies an array, which may be zero in some iteration."""
    draft = scope.draft
    names = scope.scalars.get(kind.real if draft.chance(60) else kind.name)
    if names and draft.chance(65):
        name = draft.pick(names)
        return f"-{name}" if kind.domain == "float" and draft.chance(15) else name
    if kind.domain == "integer":
        return literal(kind, draft.pick((0.25, 0.5, 0.75)))
    return f"{draft.pick((0.5, 0.25, -0.5))}{kind.suffix}"


def combined(scope: LoopScope, dims: Dims, kind: Kind) -> Term | None:
    """Whole arrays, added, multiplied or scaled."""
    draft, alike = scope.draft, scope.alike(dims, kind)
    if not alike or kind.domain == "boolean":
        return None
    one, other = draft.pick(alike), draft.pick(alike)
    if draft.chance(20):
        return one.term
    if kind.domain == "integer":
        # Of narrow integers a whole expression is one of these as well.
        return Term(f"{one.name} {draft.pick(('+', '-', '*'))} {other.name}")
    which = draft.count(1, 4)
    if which == 1 and not scope.is_loose:
        amount = one.amount * other.amount
        text = f"{one.name}*{other.name}"
        amount = amount + amount if kind.domain == "complex" else amount
    elif which <= 2:
        amount = _scaled(kind, one)
        text = f"{factor(scope, kind)}*{one.name}"
    else:
        amount = _scaled(kind, one) + _scaled(kind, other)
        text = f"{factor(scope, kind)}*{one.name} {draft.pick(('+', '-'))} "
        text += f"{factor(scope, kind)}*{other.name}" if which == 3 else other.name
    return Term(text, amount) if scope.fits(kind, amount) else None


def _scaled(kind: Kind, array: DriverArray | Term) -> Amount:
    amount = STANDARD * array.amount
    return amount + amount if kind.domain == "complex" else amount


def transposed(scope: LoopScope, dims: Dims, kind: Kind) -> Term | None:
    """A matrix with its rows as columns."""
    found = scope.alike(dims[::-1], kind)
    if not found:
        return None
    one = scope.draft.pick(found)
    return Term(f"{one.name}.t", one.amount)


# ---- products ------------------------------------------------------------------------------


def _sides(scope: LoopScope, kind: Kind) -> list[tuple[str, Dims, DriverArray]]:
    """Each matrix as it is and turned: its text and its dimensions then."""
    found: list[tuple[str, Dims, DriverArray]] = []
    for array in scope.some(kind, 2):
        name = array.name
        if kind.domain == "complex" and not array.is_sparse and scope.draft.chance(25):
            name = f"conj({name})"
        found.append((name, array.dims, array))
        found.append((f"{name}.t", array.dims[::-1], array))
    return found


def product(scope: LoopScope, dims: Dims, kind: Kind) -> Term | None:
    """A product, perhaps scaled, and perhaps with something added."""
    draft = scope.draft
    sides = _sides(scope, kind)
    found: list[tuple[str, DriverArray, DriverArray]] = []
    for text, shape, left in sides:
        if len(dims) == 1:
            vectors = list(scope.some(kind, 1))
            found += [(f"{text} @ {v.name}", left, v) for v in vectors if shape == (*dims, *v.dims)]
            found += [(f"{v.name} @ {text}", v, left) for v in vectors if shape == (*v.dims, *dims)]
        elif shape[0] == dims[0]:
            found += [
                (f"{text} @ {other}", left, right)
                for other, outer, right in sides
                if outer == (shape[1], dims[1]) and not (left.is_sparse and right.is_sparse)
            ]
    sparse = [one for one in found if one[1].is_sparse or one[2].is_sparse]
    if sparse and draft.chance(30):
        found = sparse
    if not found:
        return None
    text, left, right = draft.pick(found)
    amount = (left.amount * right.amount).summed
    if kind.domain == "complex":
        amount = amount + amount
    if not scope.fits(kind, amount):
        return None
    if scope.is_loose and kind.is_rounded:
        text = f"(0.5{kind.suffix}/{left.dims[0]})*({text})"
        return _added(scope, dims, kind, Term(text, amount)) if draft.chance(40) else Term(text)
    if draft.chance(30):
        return Term(text, amount)
    with_factor = Term(f"{factor(scope, kind)}*({text})", _scaled(kind, Term(text, amount)))
    if kind.domain == "integer" or not scope.fits(kind, with_factor.amount):
        return Term(text, amount)
    one = with_factor if draft.chance(65) else Term(f"({text})", amount)
    return _added(scope, dims, kind, one) if draft.chance(65) else one


def _added(scope: LoopScope, dims: Dims, kind: Kind, one: Term) -> Term:
    """A product and an array, of which the one is added to the other or taken from it."""
    draft, alike = scope.draft, scope.alike(dims, kind)
    if not alike:
        return one
    array = draft.pick(alike)
    other = array.term
    if draft.chance(65):
        other = Term(f"{factor(scope, kind)}*{array.name}", _scaled(kind, array))
    if not scope.fits(kind, one.amount + other.amount):
        return one
    first, second = (one, other) if draft.chance(50) else (other, one)
    return Term(f"{first.text} {draft.pick(('+', '-'))} {second.text}", one.amount + other.amount)


def summed(scope: LoopScope, dims: Dims, kind: Kind) -> Term | None:
    """Sums of products along a dimension, written out: perhaps of a sparse matrix's columns."""
    draft, names = scope.draft, _names(scope, dims)
    if not scope.some(kind):
        return None
    around = dict(zip(names, dims, strict=True))
    matrices = [a for a in scope.some(kind, 2) if dims[0] in a.dims]
    if not matrices or draft.chance(25):
        value = settled(kind, reduction(scope, kind, around))
        return Term(tensor(dims, names, value.text), value.amount)
    matrix, q = draft.pick(matrices), draft.fresh("q")
    axis = draft.pick([k for k in range(2) if matrix.dims[k] == dims[0]])
    through = matrix.dims[1 - axis]
    places = [names[0], q] if axis == 0 else [q, names[0]]
    others = [a for a in scope.some(kind) if not a.is_sparse and a.rank in (1, len(dims))]
    first = Term(f"{matrix.name}[{','.join(places)}]", matrix.amount)
    if others:
        other = draft.pick(others)
        inner = {q: through, **dict(zip(names[1:], dims[1:], strict=True))}
        second = read(scope, other, inner)
    else:
        second = Term(literal(kind, 1.0))
    amount = (first.amount * second.amount).summed
    if kind.domain == "complex":
        amount = amount + amount
    if not scope.fits(kind, amount):
        return None
    guard = f", {condition(scope, {**around, q: through}, 0)}" if draft.chance(20) else ""
    text = f"{first.text}*{second.text}"
    if kind.domain == "integer":
        text = narrowed(kind, text)
    total = f"+/[ {text} | {q} <- 0..{through}-1{guard} ]"
    if scope.is_loose and kind.is_rounded:
        total = f"(0.5{kind.suffix}/{through})*({total})"
    return Term(tensor(dims, names, total), amount)


# ---- windows and groups --------------------------------------------------------------------

_KERNEL = 3
"""How wide windows are."""


def windowed(scope: LoopScope, dims: Dims, kind: Kind) -> Term | None:
    """A sum over a window at each place; what is outside of the array counts for nothing."""
    draft, names = scope.draft, _names(scope, dims)
    sources = scope.alike(dims, kind)
    weights = [a for a in scope.some(kind) if a.dims == (str(_KERNEL),) * len(dims)]
    if not sources:
        return None
    source, over = draft.pick(sources), [draft.fresh("p") for _ in dims]
    offsets = [
        draft.pick((f"{i}+{p}-1", f"{i}+{p}", f"{i}-{p}")) for i, p in zip(names, over, strict=True)
    ]
    amount = source.amount
    text = f"{source.name}[{','.join(offsets)}]"
    if weights and draft.chance(80):
        weight = draft.pick(weights)
        text += f"*{weight.name}[{','.join(over)}]"
        amount *= weight.amount
    amount = amount.summed
    if kind.domain == "complex":
        amount = amount + amount
    if not scope.fits(kind, amount):
        return None
    inside = {p: str(_KERNEL) for p in over} | dict(zip(names, dims, strict=True))
    guard = f", {condition(scope, inside, 0)}" if draft.chance(35) else ""
    if kind.domain == "integer":
        text = narrowed(kind, text)
    ranges = ", ".join(f"{p} <- 0..{_KERNEL - 1}" for p in over)
    total = f"+/[ {text} | {ranges}{guard} ]"
    if scope.is_loose and kind.is_rounded:
        total = f"0.125{kind.suffix}*({total})"
    return Term(tensor(dims, names, total), amount)


def channels(scope: LoopScope, dims: Dims, kind: Kind) -> Term | None:
    """A convolution with channels: `dims` are images, channels, rows and columns."""
    draft, (s, o, i, j) = scope.draft, _names(scope, dims)
    sources = scope.alike(dims, kind)
    weights = [a for a in scope.some(kind, 4) if a.dims[2:] == (str(_KERNEL), "2")]
    if not sources or not weights:
        return None
    source, weight = draft.pick(sources), draft.pick(weights)
    amount = (source.amount * weight.amount).summed
    if kind.domain == "complex":
        amount = amount + amount
    if not scope.fits(kind, amount):
        return None
    q, p, r = (draft.fresh("q") for _ in range(3))
    rows = draft.pick((f"{i}+{p}-1", f"{i}+{p}-1", f"{i}+{p}", f"2*{i}+{p}-1"))
    columns = draft.pick((f"{j}+{r}", f"{j}+{r}-1"))
    ranges = [f"{q} <- 0..1", f"{p} <- 0..{_KERNEL - 1}", f"{r} <- 0..1"]
    inside = {i: dims[2], j: dims[3], p: str(_KERNEL)}
    guard = f", {condition(scope, inside, 0)}" if draft.chance(25) else ""
    text = f"{source.name}[{s},{q},{rows},{columns}]*{weight.name}[{o},{q},{p},{r}]"
    if kind.domain == "integer":
        text = narrowed(kind, text)
    total = f"+/[ {text} | {', '.join(ranges)}{guard} ]"
    if scope.is_loose and kind.is_rounded:
        total = f"0.125{kind.suffix}*({total})"
    return Term(tensor(dims, [s, o, i, j], total), amount)


def grouped(scope: LoopScope, dims: Dims, kind: Kind) -> Term | None:
    """Sums of the elements that are given one place."""
    draft, (dim,) = scope.draft, dims
    vectors = scope.some(kind, 1)
    if not vectors:
        return None
    vector = draft.pick(vectors)
    i, g, v = (draft.fresh(name) for name in "igv")
    monoid = draft.pick(("+", "+", "max")) if kind.domain != "complex" else "+"
    amount = vector.amount.summed if monoid == "+" else vector.amount
    if not scope.fits(kind, amount):
        return None
    if scope.is_loose and kind.is_rounded:
        return None
    k = draft.pick(scope.counters)
    key = draft.pick((f"(3*{i}+{k})%{dim}", f"({i}*{i})%{dim}", subscript(scope, dim, {i: dim})))
    text = (
        f"tensor*({dim})[ ({g}, {monoid}/{v}) | ({i},{v}) <- {vector.name}, group by {g}: {key} ]"
    )
    return Term(text, amount)
