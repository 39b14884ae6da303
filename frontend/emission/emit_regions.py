"""Imports regions: bounds as indices, and the patterns of sparse ones as Boolean arrays.

region Tri = R where (i,j) => abs(i-j) < 2
->
%Tri = comprehension.build (%n, %n) {
  %i = comprehension.range …;  %j = comprehension.range …;  comprehension.guard |%i - %j| < 2
  comprehension.yield (%i, %j) true
}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from xdsl.dialects import arith, cf
from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Block, Region, SSAValue

from diablo.dialects.bags import BagType
from diablo.dialects.comprehension import BuildOp, EachOp, GuardOp, ListOp, YieldOp
from diablo.dialects.encodings import array_type, dense_rank
from diablo.frontend.checking.index_sets import (
    Alias,
    Combined,
    IndexSet,
    Listed,
    Open,
    Patterned,
    Shifted,
)
from diablo.frontend.emission.branches import once
from diablo.frontend.emission.builder import Builder
from diablo.frontend.emission.emit_region_boxes import bounding, box, dimensions, steps_of
from diablo.frontend.emission.emit_region_elements import index_at, over_of, position
from diablo.frontend.emission.emit_region_indices import keep_indices, region_indices
from diablo.frontend.emission.emit_region_patterns import pattern_array
from diablo.frontend.emission.emit_values import emit_collection, load
from diablo.frontend.emission.region_values import Dimension, RegionValue, sparse_type
from diablo.frontend.emission.stored_values import rebuild
from diablo.frontend.parsing import syntax


def region_value(build: Builder, region: IndexSet) -> RegionValue:
    """The value of a region: of a declared one as it was declared."""
    if region in build.scope.regions:
        return build.scope.regions[region]
    match region.made:
        case Alias(base):
            return build.region_value(base)
        case Shifted(base):
            return RegionValue(dimensions(build, region), build.region_value(base).pattern)
        case _ if not region.sparse:
            return RegionValue(dimensions(build, region))
        case _:
            dims = dimensions(build, region)
            box = RegionValue(dims).stored
            return RegionValue(dims, once(build, lambda: pattern_in(build, box, region)))


def pattern_in(build: Builder, box: Sequence[Dimension], region: IndexSet) -> SSAValue:
    """The indices of a region as a Boolean array over the positions of `box`."""
    if isinstance(region.made, Patterned):
        _require_fit(build, region.made)
    match region.made:
        case Open():
            columns = [*[IndexType()] * len(box), i1]
            rows = build.add(ListOp([], BagType(columns))).result
            return rebuild(build, rows, [d.extent for d in box], sparse_type(i1, len(box)))
        case Combined("||", lhs, rhs):
            return _union(build, box, lhs, rhs)
        case Listed(base, rows):
            collection = emit_collection(build, rows)
            return _build(build, box, lambda: _listed(build, collection, base))
        case Patterned(base, array) if _goes_through(build, base, array):
            pattern = pattern_array(build, array)
            return _build(build, box, lambda: _pattern_indices(build, pattern, base, array))
        case _:
            return _build(build, box, lambda: region_indices(build, region))


def _build(
    build: Builder, box: Sequence[Dimension], indices: Callable[[], list[SSAValue]]
) -> SSAValue:
    block, keys = Block(), build.scope.keys
    with build.comprehension(block):
        found = indices()
        positions = [position(build, i, dim) for i, dim in zip(found, box, strict=True)]
        build.add(YieldOp(positions, [build.constant(True, i1)]))
    build.scope.keys = keys
    type = sparse_type(i1, len(box))
    return build.add(BuildOp([dim.extent for dim in box], Region(block), type)).result


def _listed(build: Builder, rows: SSAValue, base: IndexSet) -> list[SSAValue]:
    indices = [build.as_index(element) for element in build.add(EachOp(rows)).elements]
    if base.sparse or steps_of(box(build, base)):
        return keep_indices(build, indices, base, holds=True)
    return indices


def _require_fit(build: Builder, made: Patterned) -> None:
    """A pattern is as large as the box of the region from which it chooses."""
    if over_of(build, made.array) is None:
        pattern = pattern_array(build, made.array)
        with build.at(made.array.span):
            dims = list(map(partial(bounding, build), box(build, made.base)))
            message = f"the pattern is not as large as the region `{made.base.name}`"
            require_shape(build, pattern, dims, message)


def _goes_through(build: Builder, base: IndexSet, array: syntax.Expr) -> bool:
    """Return whether what a pattern stores is gone through, and not the indices of its base."""
    type = array_type(pattern_array(build, array))
    over = over_of(build, array)
    filled = over is not None and over.fill is not None
    return not base.sparse and not filled and dense_rank(type) < type.get_num_dims()


def _pattern_indices(
    build: Builder, pattern: SSAValue, base: IndexSet, array: syntax.Expr
) -> list[SSAValue]:
    over = over_of(build, array)
    dims = list(
        map(partial(bounding, build), box(build, base) if over is None else over.region.stored)
    )
    positions = build.add(EachOp(pattern)).elements[:-1]
    indices = [index_at(build, p, dim) for p, dim in zip(positions, dims, strict=True)]
    if steps_of(box(build, base)):
        return keep_indices(build, indices, base, holds=True)
    return indices


def _union(build: Builder, box: Sequence[Dimension], lhs: IndexSet, rhs: IndexSet) -> SSAValue:
    sides = [_in_box(build, box, side) for side in (lhs, rhs)]
    block = Block()
    with build.comprehension(block):
        rows = [build.add(EachOp(side, full=True)).elements for side in sides]
        (*keys, left), (*others, right) = rows
        for key, other in zip(keys, others, strict=True):
            build.add(GuardOp(build.add(arith.CmpiOp(other, key, "eq")).result))
        build.add(YieldOp(keys, [build.add(arith.OrIOp(left, right)).result]))
    type = sparse_type(i1, len(box))
    return build.add(BuildOp([dim.extent for dim in box], Region(block), type)).result


def _in_box(build: Builder, box: Sequence[Dimension], region: IndexSet) -> SSAValue:
    value = build.region_value(region)
    if value.pattern is not None and value.stored == list(box):
        pattern = load(build, value.pattern)
        assert isinstance(pattern, SSAValue)
        return pattern
    return _build(build, box, lambda: region_indices(build, region))


def require_shape(build: Builder, array: SSAValue, dims: Sequence[Dimension], message: str) -> None:
    """The program fails with `message` while it runs unless an array is as large as a box."""
    if build.in_rows:
        return
    for number, dim in enumerate(dims):
        test = arith.CmpiOp(build.dimension(array, number), dim.extent, "eq")
        build.add(cf.AssertOp(build.add(test).result, message))
