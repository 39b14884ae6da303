"""Imports the boxes of regions: the bounds of each dimension as indices.

(0..n-1, 1..m)   ->   Dimension(0, %n - 1, extent %n), Dimension(1, %m, extent %m)
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from diablo.frontend.checking.constants import constant_of
from diablo.frontend.checking.index_sets import (
    Alias,
    Bounds,
    Box,
    Combined,
    Filtered,
    IndexSet,
    Listed,
    Open,
    Patterned,
    Shifted,
    Sliced,
    Strided,
)
from diablo.frontend.emission.branches import require
from diablo.frontend.emission.builder import Builder
from diablo.frontend.emission.emit_scalars import emit_index
from diablo.frontend.emission.region_values import Dimension, Number, RegionValue
from diablo.frontend.parsing import syntax

Dimensions = tuple[Dimension | None, ...]


def dimensions(build: Builder, region: IndexSet) -> Dimensions:
    """The dimensions of a region's box."""
    if region in build.scope.regions:
        return build.scope.regions[region].dims
    match region.made:
        case Box(ranges):
            return tuple(None if r is None else _range(build, r) for r in ranges)
        case Strided(base, steps) if not region.sparse:
            return tuple(
                dim and _strided(build, dim, step)
                for dim, step in zip(dimensions(build, base), steps, strict=True)
            )
        case Shifted(base, offsets):
            return tuple(
                dim and _shifted(build, dim, offset)
                for dim, offset in zip(dimensions(build, base), offsets, strict=True)
            )
        case Sliced(base):
            return _sliced(build, region, base, region.made)
        case Combined():
            return _combined(build, region, region.made)
        case (
            Alias(base)
            | Strided(base)
            | Filtered(base)
            | Patterned(base)
            | Listed(base)
            | Open(base)
        ):
            dims = dimensions(build, base)
            return tuple(dim and bounding(build, dim) for dim in dims) if region.sparse else dims


def box(build: Builder, region: IndexSet) -> list[Dimension]:
    """The dimensions of a region that has no flood dimensions."""
    return RegionValue(dimensions(build, region)).stored


def integer(build: Builder, expr: syntax.Expr) -> Number:
    """An Int, which may be written out."""
    constant = constant_of(expr)
    return emit_index(build, expr) if constant is None else int(constant)


def _extent(build: Builder, lower: Number, upper: Number) -> SSAValue:
    """Return how many indices lie between two bounds, none if they are the wrong way round."""
    if isinstance(lower, int):
        count = build.plus(upper, 1 - lower)
    else:
        count = build.plus(build.plus(upper, lower, -1), 1)
    if isinstance(count, int):
        return build.number(max(count, 0))
    return build.number(count)


def _range(build: Builder, expr: syntax.Range) -> Dimension:
    with build.at(expr.span):
        lower, upper = integer(build, expr.lower), expr.upper
        match upper:
            case syntax.Binary(op="-") if lower == 0 and constant_of(upper.rhs) == 1:
                # Up to `n - 1` there are n indices.
                extent = integer(build, upper.lhs)
                return Dimension(0, build.plus(extent, 1, -1), build.number(extent))
            case _:
                pass
        last = integer(build, upper)
        return Dimension(lower, last, _extent(build, lower, last))


def bounding(build: Builder, dim: Dimension) -> Dimension:
    """All indices between the bounds."""
    if dim.step == 1:
        return dim
    return Dimension(dim.lower, dim.upper, _extent(build, dim.lower, dim.upper))


def _strided(build: Builder, dim: Dimension, by: syntax.Expr) -> Dimension:
    with build.at(by.span):
        step = integer(build, by)
        if isinstance(step, SSAValue):
            positive = build.add(arith.CmpiOp(step, build.index_constant(1), "sge")).result
            require(build, positive, "the step of a region is not positive")
        if dim.step != 1:
            both = build.number(dim.step), build.number(step)
            step = build.add(arith.MuliOp(*both)).result
        if step == 1:
            return dim
        raised = build.number(build.plus(build.plus(dim.upper, dim.lower, -1), step))
        count = build.add(arith.DivSIOp(raised, build.number(step))).result
        extent = build.add(arith.MaxSIOp(count, build.index_constant(0))).result
        return Dimension(dim.lower, dim.upper, extent, step)


def _shifted(build: Builder, dim: Dimension, by: syntax.Expr) -> Dimension:
    with build.at(by.span):
        offset = integer(build, by)
        lower, upper = build.plus(dim.lower, offset), build.plus(dim.upper, offset)
        return Dimension(lower, upper, dim.extent, dim.step)


def _sliced(build: Builder, region: IndexSet, base: IndexSet, made: Sliced) -> Dimensions:
    dims: list[Dimension | None] = []
    bounds = iter(region.bounds)
    for part, dim, known in zip(made.parts, dimensions(build, base), base.bounds, strict=True):
        if isinstance(part, syntax.Wildcard):
            dims.append(dim)
            next(bounds)
        elif isinstance(part, syntax.Slice) and dim is not None and known is not None:
            bound = next(bounds)
            assert bound is not None
            lower, upper = dim.lower, dim.upper
            if part.start is not None and bound.lower != known.lower:
                start = integer(build, part.start)
                lower = _extreme(build, lower, start, largest=True)
            if part.stop is not None and bound.upper != known.upper:
                last = build.plus(integer(build, part.stop), 1, -1)
                upper = _extreme(build, upper, last, largest=False)
            dims.append(_between(build, lower, upper))
    return tuple(dims)


def _combined(build: Builder, region: IndexSet, made: Combined) -> Dimensions:
    left, right = dimensions(build, made.lhs), dimensions(build, made.rhs)
    if made.op == "-" or (made.op == "&&" and made.lhs.sparse):
        return tuple(dim and bounding(build, dim) for dim in left)
    if made.op == "&&" and (made.rhs.sparse or region.sparse):
        dims = right if made.rhs.sparse else left
        return tuple(dim and bounding(build, dim) for dim in dims)
    return tuple(
        _both(build, bound, (made.lhs.bounds[d], left[d]), (made.rhs.bounds[d], right[d]), made)
        for d, bound in enumerate(region.bounds)
    )


def _both(
    build: Builder,
    bound: Bounds | None,
    left: tuple[Bounds | None, Dimension | None],
    right: tuple[Bounds | None, Dimension | None],
    made: Combined,
) -> Dimension:
    sides: list[tuple[Bounds, Dimension]] = []
    for known, dim in (left, right):
        assert known is not None
        assert dim is not None
        sides.append((known, bounding(build, dim)))
    assert bound is not None
    for known, dim in sides:
        if (known.lower, known.upper) == (bound.lower, bound.upper):
            return dim
    lowers = [d.lower for k, d in sides if k.lower == bound.lower]
    uppers = [d.upper for k, d in sides if k.upper == bound.upper]
    largest = made.op == "&&"
    first, second = (dim for _, dim in sides)
    lower = (lowers or [_extreme(build, first.lower, second.lower, largest=largest)])[0]
    upper = (uppers or [_extreme(build, first.upper, second.upper, largest=not largest)])[0]
    return _between(build, lower, upper)


def _between(build: Builder, lower: Number, upper: Number) -> Dimension:
    """The indices from `lower` to `upper`, of which there may be none."""
    extent = build.add(arith.MaxSIOp(_extent(build, lower, upper), build.index_constant(0)))
    return Dimension(lower, upper, extent.result)


def _extreme(build: Builder, first: Number, second: Number, *, largest: bool) -> Number:
    if isinstance(first, int) and isinstance(second, int):
        return max(first, second) if largest else min(first, second)
    op = arith.MaxSIOp if largest else arith.MinSIOp
    return build.add(op(build.number(first), build.number(second))).result


def steps_of(dims: Sequence[Dimension]) -> bool:
    """Return whether some dimension leaves indices out."""
    return any(dim.step != 1 for dim in dims)
