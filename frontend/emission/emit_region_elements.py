"""Imports reads of arrays over regions: indices become positions, and nothing stored the fill.

A[i,j]   with A over Tri from (1,1) fill 7.0
->
%a = diablo.load %A[%i - 1, %j - 1];   %in = … %Tri[%i - 1, %j - 1];   arith.select %in, %a, 7.0
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from diablo.dialects.comprehension import ProbeOp
from diablo.frontend.checking.inclusion import is_within
from diablo.frontend.checking.index_sets import IndexSet
from diablo.frontend.emission.builder import Builder
from diablo.frontend.emission.emit_scalars import emit_index
from diablo.frontend.emission.emit_values import load
from diablo.frontend.emission.region_values import Dimension, Number, Over, RegionValue
from diablo.frontend.parsing import syntax


def over_of(build: Builder, expr: syntax.Expr) -> Over | None:
    """Return what the array that a name stands for is over."""
    expr = build.resolved(expr)
    if not isinstance(expr, syntax.Name):
        return None
    symbol = build.checked.symbols[expr]
    if symbol in build.scope.given_over:
        return build.scope.given_over[symbol]
    if symbol.kind == "region" and symbol.region is not None:
        return Over(symbol.region, build.region_value(symbol.region))
    value = build.scope.values.get(symbol)
    return build.scope.over.get(value) if isinstance(value, SSAValue) else None


def position(build: Builder, index: SSAValue, dim: Dimension) -> SSAValue:
    """The position of an index; one outside of the dimension has none in its extent."""
    known = build.scope.positions.get(index)
    if known is not None and (known[0].lower, known[0].step) == (dim.lower, dim.step):
        return known[1]
    moved = build.number(build.plus(index, dim.lower, -1))
    if dim.step == 1:
        return moved
    fits = in_step(build, index, dim.lower, dim.step)
    divided = build.add(arith.DivSIOp(moved, build.number(dim.step))).result
    outside = build.index_constant(-1)
    return build.add(arith.SelectOp(fits, divided, outside)).result


def index_at(build: Builder, position: SSAValue, dim: Dimension) -> SSAValue:
    """The index at a position."""
    if dim.counts_from_zero:
        return position
    index: Number = position
    if dim.step != 1:
        index = build.add(arith.MuliOp(position, build.number(dim.step))).result
    index = build.number(build.plus(index, dim.lower))
    build.scope.positions[index] = dim, position
    return index


def positions_of(build: Builder, expr: syntax.Index, region: RegionValue) -> list[SSAValue]:
    """The positions of the element of an array over a region."""
    keys: list[SSAValue] = []
    for part, dim in zip(expr.indices, region.dims, strict=True):
        if dim is not None:
            assert not isinstance(part, syntax.Slice)
            index = emit_index(build, part)
            with build.at(expr.span):
                keys.append(position(build, index, dim))
    return keys


def indices_at(
    build: Builder, positions: Sequence[SSAValue], region: RegionValue
) -> list[SSAValue]:
    """The indices at positions."""
    dims = zip(positions, region.stored, strict=True)
    return [index_at(build, position, dim) for position, dim in dims]


def note_inside(build: Builder, indices: Sequence[SSAValue], region: IndexSet) -> None:
    """Note that an index is in a region."""
    build.scope.inside.append((tuple(indices), region))


def known_inside(build: Builder, expr: syntax.Index, region: IndexSet) -> bool:
    """Return whether a read is controlled by a region within `region`."""
    names = [part for part in expr.indices if isinstance(part, syntax.Name)]
    if len(names) != len(expr.indices):
        return False
    values = tuple(build.scope.values.get(build.checked.symbols[name]) for name in names)
    return any(index == values and is_within(s, region) for index, s in build.scope.inside)


def filled(
    build: Builder, value: SSAValue, positions: Sequence[SSAValue], over: Over, *, inside: bool
) -> SSAValue:
    """Return what an array has at `positions`, where it stores `value`."""
    pattern = over.region.pattern
    if over.fill is None or pattern is None or inside:
        return value
    chosen = is_chosen(build, pattern, positions, probe=False)
    return build.add(arith.SelectOp(chosen, value, over.fill)).result


def is_chosen(
    build: Builder, pattern: SSAValue, positions: Sequence[SSAValue], *, probe: bool
) -> SSAValue:
    """Return whether a pattern has `positions`; `probe` if they may be outside of its box."""
    loaded = load(build, pattern)
    assert isinstance(loaded, SSAValue)
    if probe or build.branches_from is not None:
        return build.add(ProbeOp(loaded, positions)).values[0]
    return build.add(tensor.ExtractOp(loaded, positions, i1)).result


def in_dimension(build: Builder, index: SSAValue, dim: Dimension) -> SSAValue:
    """Return whether an index is one of a dimension."""
    first = build.add(arith.CmpiOp(index, build.number(dim.lower), "sge")).result
    last = build.add(arith.CmpiOp(index, build.number(dim.upper), "sle")).result
    inside = build.add(arith.AndIOp(first, last)).result
    if dim.step == 1:
        return inside
    return build.add(arith.AndIOp(inside, in_step(build, index, dim.lower, dim.step))).result


def in_step(build: Builder, index: SSAValue, first: Number, step: Number) -> SSAValue:
    """Return whether an index is some steps from the first one."""
    moved = build.number(build.plus(index, first, -1))
    rest = build.add(arith.RemSIOp(moved, build.number(step))).result
    return build.add(arith.CmpiOp(rest, build.index_constant(0), "eq")).result
