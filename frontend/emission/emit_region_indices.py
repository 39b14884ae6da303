"""Imports tests of whether an index is in a region, and the number of its indices.

Tri[i,j]   ->   %in, %inside = comprehension.probe %Tri[%i, %j]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Block, Region, SSAValue

from diablo.dialects.comprehension import AggregateOp, EachOp, RangeOp, YieldOp
from diablo.frontend.checking.constants import constant_of
from diablo.frontend.checking.inclusion import is_within
from diablo.frontend.checking.index_sets import (
    Alias,
    Box,
    Combined,
    Filtered,
    IndexSet,
    Patterned,
    Shifted,
    Sliced,
    Strided,
)
from diablo.frontend.checking.types import BOOLEAN
from diablo.frontend.emission.branches import negated, once, require
from diablo.frontend.emission.builder import Builder
from diablo.frontend.emission.emission_scope import Key
from diablo.frontend.emission.emit_region_boxes import bounding, box, integer
from diablo.frontend.emission.emit_region_elements import (
    in_dimension,
    in_step,
    index_at,
    indices_at,
    is_chosen,
    note_inside,
    over_of,
    position,
)
from diablo.frontend.emission.emit_region_patterns import all_positions, pattern_array
from diablo.frontend.emission.emit_scalars import conjuncts, emit_as, emit_index
from diablo.frontend.emission.emit_values import bind, load
from diablo.frontend.emission.region_values import RegionValue
from diablo.frontend.parsing import syntax


def emit_member(build: Builder, expr: syntax.Index, region: IndexSet) -> SSAValue:
    """`R[i,j]`: whether the index is in the region."""
    parts = [part for part in expr.indices if not isinstance(part, syntax.Slice)]
    indices = [emit_index(build, part) for part in parts]
    with build.at(expr.span):
        return member(build, region, indices)


def member(build: Builder, region: IndexSet, indices: Sequence[SSAValue]) -> SSAValue:
    """Return whether an index is in a region; an index outside of its box is not."""
    given = tuple(indices)
    if any(index == given and is_within(known, region) for index, known in build.scope.inside):
        return build.constant(True, i1)
    if region not in build.scope.regions:
        match region.made:
            case Alias(base):
                return member(build, base, indices)
            case Shifted(base, offsets):
                return member(build, base, moved(build, indices, offsets, -1))
            case Combined(op, lhs, rhs):
                left, right = member(build, lhs, indices), member(build, rhs, indices)
                if op == "-":
                    right = negated(build, right)
                join = arith.OrIOp if op == "||" else arith.AndIOp
                return build.add(join(left, right)).result
            case _:
                pass
    value = build.region_value(region)
    dims = value.stored
    if value.pattern is not None:
        box = IndexSet("", region.span, region.bounds, Box([]), sparse=False)
        probe = not any(i == given and is_within(known, box) for i, known in build.scope.inside)
        keys = [position(build, i, dim) for i, dim in zip(indices, dims, strict=True)]
        return is_chosen(build, value.pattern, keys, probe=probe)
    tests = [in_dimension(build, i, dim) for i, dim in zip(indices, dims, strict=True)]
    result = tests[0]
    for test in tests[1:]:
        result = build.add(arith.AndIOp(result, test)).result
    return result


def moved(
    build: Builder, indices: Sequence[SSAValue], offsets: Sequence[syntax.Expr], sign: int
) -> list[SSAValue]:
    """Indices moved by offsets, or with the sign -1 moved back."""
    pairs = zip(indices, offsets, strict=True)
    return [build.number(build.plus(i, integer(build, offset), sign)) for i, offset in pairs]


def region_length(build: Builder, region: IndexSet) -> SSAValue:
    """The number of indices."""
    value = build.region_value(region)
    if value.pattern is None:
        extents = [dim.extent for dim in value.stored]
        result = extents[0]
        for extent in extents[1:]:
            result = build.add(arith.MuliOp(result, extent)).result
        return result
    pattern = load(build, value.pattern)
    assert isinstance(pattern, SSAValue)

    def emit() -> SSAValue:
        block = Block()
        with build.comprehension(block):
            build.add(EachOp(pattern))
            build.add(YieldOp([], [build.constant(1, i64)]))
        return build.add(AggregateOp("add", Region(block), i64)).result

    return once(build, emit)


Step = Callable[[list[SSAValue]], list[SSAValue]]


def region_steps(build: Builder, region: IndexSet) -> tuple[IndexSet, list[Step]]:
    """A region whose indices are known, and what leads from there to those of `region`."""
    if region in build.scope.regions or not region.sparse:
        return region, []
    match region.made:
        case Alias(base):
            return region_steps(build, base)
        case Shifted(base, offsets):
            return _after(build, base, lambda indices: moved(build, indices, offsets, 1))
        case Strided(base, steps):
            return _after(build, base, lambda indices: _stepped(build, indices, base, steps))
        case Sliced(base):
            made = region.made
            return _after(build, base, lambda indices: _cut(build, indices, made))
        case Filtered(base, predicate):
            return _after(build, base, lambda indices: _filter(build, indices, predicate))
        case Patterned(base, array):
            return _after(build, base, lambda indices: _match(build, indices, base, array))
        case Combined("&&", lhs, rhs) if lhs.sparse or not rhs.sparse:
            return _after(build, lhs, lambda indices: keep_indices(build, indices, rhs, holds=True))
        case Combined("&&", lhs, rhs):
            return _after(build, rhs, lambda indices: keep_indices(build, indices, lhs, holds=True))
        case Combined("-", lhs, rhs):
            return _after(
                build, lhs, lambda indices: keep_indices(build, indices, rhs, holds=False)
            )
        case _:
            return region, []


def _after(build: Builder, base: IndexSet, step: Step) -> tuple[IndexSet, list[Step]]:
    root, steps = region_steps(build, base)

    def checked_step(indices: list[SSAValue]) -> list[SSAValue]:
        if base is not root:
            note_inside(build, indices, base)
        return step(indices)

    return root, [*steps, checked_step]


def region_indices(build: Builder, region: IndexSet) -> list[SSAValue]:
    """Go through the indices of a region, in the body of a comprehension."""
    root, steps = region_steps(build, region)
    indices = _all_indices(build, build.region_value(root))
    build.scope.keys = [*build.scope.keys, *map(Key, indices)]
    return follow(build, indices, root, steps, region)


def follow(
    build: Builder, indices: list[SSAValue], root: IndexSet, steps: Sequence[Step], region: IndexSet
) -> list[SSAValue]:
    """Go on from the indices of `root` to those of `region`."""
    note_inside(build, indices, root)
    for step in steps:
        indices = step(indices)
    note_inside(build, indices, region)
    return indices


def _all_indices(build: Builder, value: RegionValue) -> list[SSAValue]:
    if value.pattern is not None:
        pattern = load(build, value.pattern)
        assert isinstance(pattern, SSAValue)
        return indices_at(build, build.add(EachOp(pattern)).elements[:-1], value)
    indices: list[SSAValue] = []
    for dim in value.stored:
        if dim.step == 1:
            bounds = build.number(dim.lower), build.number(dim.upper)
            indices.append(build.add(RangeOp(*bounds)).index)
        else:
            indices.append(index_at(build, all_positions(build, dim), dim))
    return indices


def _stepped(
    build: Builder, indices: list[SSAValue], base: IndexSet, steps: Sequence[syntax.Expr]
) -> list[SSAValue]:
    for index, dim, step in zip(indices, box(build, base), steps, strict=True):
        if constant_of(step) == 1:
            continue
        taken = in_step(build, index, dim.lower, emit_index(build, step))
        require(build, taken, "the index is in no step")
    return indices


def _cut(build: Builder, indices: list[SSAValue], made: Sliced) -> list[SSAValue]:
    kept: list[SSAValue] = []
    for index, part in zip(indices, made.parts, strict=True):
        if isinstance(part, syntax.Wildcard):
            kept.append(index)
            continue
        if not isinstance(part, syntax.Slice):
            same = build.add(arith.CmpiOp(index, emit_index(build, part), "eq")).result
            require(build, same, "the index is not in the slice")
            continue
        for bound, predicate in ((part.start, "sge"), (part.stop, "slt")):
            if bound is not None:
                test = build.add(arith.CmpiOp(index, emit_index(build, bound), predicate)).result
                require(build, test, "the index is not in the slice")
        kept.append(index)
    return kept


def _filter(build: Builder, indices: list[SSAValue], predicate: syntax.Expr) -> list[SSAValue]:
    function = build.resolved(predicate)
    assert isinstance(function, syntax.Lambda)
    bind(build, function.parameter, indices[0] if len(indices) == 1 else tuple(indices))
    for condition in conjuncts(function.body):
        require(build, emit_as(build, condition, BOOLEAN), "the predicate does not hold")
    return indices


def _match(
    build: Builder, indices: list[SSAValue], base: IndexSet, array: syntax.Expr
) -> list[SSAValue]:
    over = over_of(build, array)
    dims = box(build, base) if over is None else over.region.stored
    pattern = pattern_array(build, array)
    keys = [position(build, i, bounding(build, d)) for i, d in zip(indices, dims, strict=True)]
    require(build, build.add(tensor.ExtractOp(pattern, keys, i1)).result, "the pattern is false")
    return indices


def keep_indices(
    build: Builder, indices: list[SSAValue], other: IndexSet, *, holds: bool
) -> list[SSAValue]:
    """Keep the indices that another region has (`holds`), or that it has not."""
    inside = member(build, other, indices)
    require(build, inside if holds else negated(build, inside), "the index is in no region")
    return indices
