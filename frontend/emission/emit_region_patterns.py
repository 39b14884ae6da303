"""Imports a region as an array: of what is stored, and of a Boolean where its indices are.

region Tri = (1..n, 1..n) where …;   … V + Tri …   ->   the Boolean array over Tri's box
"""

from __future__ import annotations

from functools import partial

from xdsl.dialects.builtin import i1
from xdsl.ir import Block, Region, SSAValue

from diablo.dialects.comprehension import BuildOp, RangeOp, YieldOp
from diablo.frontend.checking.index_sets import IndexSet
from diablo.frontend.emission.branches import once
from diablo.frontend.emission.builder import Builder
from diablo.frontend.emission.emit_region_elements import over_of
from diablo.frontend.emission.emit_values import emit_collection, load
from diablo.frontend.emission.region_values import Dimension, Over, dense_type
from diablo.frontend.parsing import syntax


def stored(build: Builder, expr: syntax.Expr) -> SSAValue:
    """Return what an array over a region stores."""
    expr = build.resolved(expr)
    assert isinstance(expr, syntax.Name)
    symbol = build.checked.symbols[expr]
    if symbol.kind == "region" and symbol.region is not None:
        return region_array(build, symbol.region)
    value = load(build, build.scope.values[symbol])
    assert isinstance(value, SSAValue)
    return value


def all_positions(build: Builder, dim: Dimension) -> SSAValue:
    """Go through the positions of a dimension."""
    last = build.number(build.plus(dim.extent, 1, -1))
    return build.add(RangeOp(build.index_constant(0), last)).index


def pattern_array(build: Builder, array: syntax.Expr) -> SSAValue:
    """The Boolean array of a pattern, or of the file that one is read from."""
    if over_of(build, array) is not None:
        return stored(build, array)
    if isinstance(array, syntax.Call) and array.function == "read":
        path = array.arguments[0]
        assert isinstance(path, syntax.Literal)
        return build.scope.files[str(path.value)]
    return emit_collection(build, array)


def region_array(build: Builder, region: IndexSet) -> SSAValue:
    """A region as a Boolean array over its box."""
    value = build.region_value(region)
    if value.pattern is not None:
        array = load(build, value.pattern)
        assert isinstance(array, SSAValue)
        return array

    def emit() -> SSAValue:
        block = Block()
        with build.comprehension(block):
            positions = list(map(partial(all_positions, build), value.stored))
            build.add(YieldOp(positions, [build.constant(True, i1)]))
        type = dense_type(i1, len(value.stored))
        return build.add(BuildOp([d.extent for d in value.stored], Region(block), type)).result

    array = once(build, emit)
    build.scope.over[array] = Over(region, value)
    return array
