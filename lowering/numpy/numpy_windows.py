"""Inputs that are read beside the point, as calls of `diablo.runtime.kernels.windows`.

    ins(%A[d0 - 1, d1])         windows.cut(A, (-1, 0), (n, m))
    ins(%v[-d0 + s0])           windows.view(v, (last,), ((-1,),), (n,))
    ins(%v[(d0 - 1) mod s0])    windows.around(v, (-1,), ((1,),), (n,), (n,))

A reduction over a small window goes through its points one by one, and computes on all of the
result's elements at each:

    for di in range(3):
        for dj in range(3):
            total = np.add(total, windows.cut(M, (di, dj), (n, m)))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from diablo.dialects.access_maps import LinearIndex
from diablo.lowering.kernel_types import element_type
from diablo.lowering.numpy.expressions import Expression, dtype_of, tuple_text
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.values.affine_values import constant_value

if TYPE_CHECKING:
    from diablo.lowering.numpy.iteration_space import Space

LARGEST_WINDOW = 1 << 10
"""From how many points on a window is not gone through one by one."""


def sum_text(terms: Sequence[tuple[int, str]], constant: int) -> str:
    """A Python sum of names with factors, and a constant."""
    text = ""
    for factor, name in terms:
        size = name if abs(factor) == 1 else f"{abs(factor)} * {name}"
        if text:
            text += f" - {size}" if factor < 0 else f" + {size}"
        else:
            text = f"-{size}" if factor < 0 else size
    if not text:
        return str(constant)
    return text + (f" - {-constant}" if constant < 0 else f" + {constant}" if constant else "")


def access_view(space: Space, name: str, access: Sequence[LinearIndex]) -> Expression:
    """An input read at linear indices, lined up with the iteration space."""
    free = {d for index in access for d in index.dimensions} - set(space.fixed)
    ordered = sorted(free)
    starts = [_start(space, index) for index in access]
    extents = [space.shape(d, d + 1)[0] for d in ordered]
    factors = [[index.factor(d) for d in ordered] for index in access]
    unit = [[int(row == column) for column in range(len(ordered))] for row in range(len(ordered))]
    if any(index.period for index in access):
        rows = [tuple_text([str(f) for f in row]) if row else "()" for row in factors]
        shape = tuple_text(extents) if extents else "()"
        periods = tuple_text([period_text(space, index) for index in access])
        text = (
            f"windows.around({name}, {tuple_text(starts)}, {tuple_text(rows)}, {shape}, {periods})"
        )
    elif factors == unit and ordered:
        text = f"windows.cut({name}, {tuple_text(starts)}, {tuple_text(extents)})"
    else:
        rows = [tuple_text([str(f) for f in row]) if row else "()" for row in factors]
        shape = tuple_text(extents) if extents else "()"
        text = f"windows.view({name}, {tuple_text(starts)}, {tuple_text(rows)}, {shape})"
    if not ordered:
        return Expression(f"{text}[()]")
    subscripts = [":" if d in free else "None" for d in range(ordered[0], space.width)]
    if "None" in subscripts:
        text += f"[{', '.join(subscripts)}]"
    return Expression(text, axes=frozenset(free))


def symbol_texts(space: Space, index: LinearIndex) -> list[tuple[int, str]]:
    """The symbols of an index, each with its factor in front; none that is known to be zero."""
    symbols = [(factor, space.symbols[s]) for s, factor in index.outside.terms.items()]
    return [(f, space.scope.values[s].text) for f, s in symbols if constant_value(s) != 0]


def period_text(space: Space, index: LinearIndex) -> str:
    """Return at what an axis's index wraps around."""
    if index.period is None:
        return "None"
    symbol = index.period.alone
    if symbol is None:
        return str(index.period.constant)
    return space.scope.values[space.symbols[symbol]].text


def _start(space: Space, index: LinearIndex) -> str:
    """Return where an axis is read at the first point of the current chunk."""
    begins: list[tuple[int, str]] = []
    constant = index.constant
    for d, factor in index.inside.terms.items():
        begin = space.fixed.get(d) or space.chunked.get(d, ("0", ""))[0]
        if begin.isdigit():
            constant += factor * int(begin)
        else:
            begins.append((factor, begin))
    return sum_text([*begins, *symbol_texts(space, index)], constant)


def is_small_window(space: Space) -> bool:
    """Return whether a reduction over neighbours has few points for each element of the result."""
    if not 0 < space.parallel < space.rank or all(a is None for a in space.accesses):
        return False
    points = 1
    for extent in space.extents[space.parallel :]:
        if not extent.isdigit():
            return False
        points *= int(extent)
    return points <= LARGEST_WINDOW


def emit_window(space: Space, names: Sequence[str], monoid: str, neutral: str) -> str:
    """Write the loops over a window; return the name of the result."""
    scope, op = space.scope, space.op
    dtype = dtype_of(element_type(op.result.type))
    result = scope.name(op.result.name_hint, "result")
    shape = tuple_text(space.extents[: space.parallel])
    scope.store([result], f"np.full({shape}, {neutral}, {dtype})")

    def loop(d: int) -> None:
        if d < space.rank:
            name = scope.name(op.body.block.args[d].name_hint, "step")
            with scope.loop(f"for {name} in range({space.extents[d]}):"):
                space.fixed[d] = name
                loop(d + 1)
                del space.fixed[d]
            return
        value = space.evaluate(names)
        call = f"np.{monoid_named(monoid).ufunc}({result}, {value.text}, out={result})"
        scope.statement("", call)

    loop(space.parallel)
    return result
