"""Imports statements about regions: declarations, loops, assignments to a whole.

for (i,j) in Tri do W[i] += A[i,j];
->
diablo.foreach %i, %j, %in in %Tri { diablo.accumulate add %A[%i, %j], %W[%i] }
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, SSAValue

from diablo.dialects.bags import element_types
from diablo.dialects.diablo import ForeachOp, ForOp, RefType, StoreOp, VarOp
from diablo.frontend.checking.constants import constant_of
from diablo.frontend.checking.index_sets import Box, Combined, IndexSet
from diablo.frontend.checking.scope import Symbol
from diablo.frontend.checking.types import ArrayType
from diablo.frontend.emission.branches import in_statement
from diablo.frontend.emission.builder import Builder
from diablo.frontend.emission.emission_scope import Key
from diablo.frontend.emission.emit_comprehensions import row_of
from diablo.frontend.emission.emit_region_arrays import array_over, region_row
from diablo.frontend.emission.emit_region_elements import index_at, indices_at
from diablo.frontend.emission.emit_region_indices import follow, region_steps
from diablo.frontend.emission.emit_region_patterns import stored
from diablo.frontend.emission.emit_regions import pattern_in
from diablo.frontend.emission.emit_scalars import emit_value
from diablo.frontend.emission.emit_values import as_element, bind, load
from diablo.frontend.emission.ir_types import ir_type, set_name
from diablo.frontend.emission.loop_order import LoopOrder, loop_body, loop_order, pattern_names
from diablo.frontend.emission.region_values import Dimension, Over, RegionValue
from diablo.frontend.parsing import statements, syntax


def emit_region(build: Builder, statement: statements.RegionDef) -> None:
    """`region R = …`: its bounds are computed, and the pattern of a sparse one."""
    symbol = build.checked.symbols[statement.name]
    region = symbol.region
    assert region is not None
    _declare_bases(build, region)
    value = build.region_value(region)
    if value.pattern is not None and region.is_open:
        ref = build.add(VarOp(symbol.name, value.pattern)).ref
        set_name(ref, symbol.name)
        value = RegionValue(value.dims, ref)
    elif value.pattern is not None and value.pattern.name_hint is None:
        # The pattern of a translated region is that of another one.
        set_name(value.pattern, symbol.name)
    build.scope.regions[region] = value
    if value.pattern is not None:
        build.scope.values[symbol] = value.pattern
        build.scope.over.setdefault(value.pattern, Over(region, value))


def _declare_bases(build: Builder, region: IndexSet) -> None:
    """Compute the bounds of the dense regions without a name that a region is made of."""
    made = region.made
    if region in build.scope.regions or isinstance(made, Box):
        return
    bases = [made.lhs, made.rhs] if isinstance(made, Combined) else [made.base]
    for base in bases:
        _declare_bases(build, base)
        if not base.sparse and base not in build.scope.regions:
            build.scope.regions[base] = build.region_value(base)


def emit_region_array(build: Builder, statement: statements.Var, symbol: Symbol) -> None:
    """`var A: T over R fill v = e`."""
    region, type = symbol.region, symbol.type
    assert region is not None
    assert statement.region is not None
    assert isinstance(type, ArrayType)
    # A failed variable still has a value, so that its uses can be imported.
    placeholder = Block(arg_types=[RefType(ir_type(type))])
    build.scope.values[symbol] = placeholder.args[0]
    if region not in build.scope.regions:
        _declare_bases(build, region)
    value = build.region_value(region)
    if value.pattern is not None:
        # The array keeps the pattern that an open region has here.
        pattern = load(build, value.pattern)
        assert isinstance(pattern, SSAValue)
        value = RegionValue(value.dims, pattern)
    fill = None
    if statement.fill is not None and constant_of(statement.fill) != 0:
        fill = as_element(build, emit_value(build, statement.fill, type.element), type.element)
    over = Over(region, value, fill)
    array = array_over(build, type, over, statement.init)
    ref = build.add(VarOp(symbol.name, array)).ref
    set_name(ref, symbol.name)
    build.scope.values[symbol], build.scope.over[ref] = ref, over


def emit_region_loop(build: Builder, statement: statements.ForIn, region: IndexSet) -> None:
    """`for (i,j) in R do …`."""
    root, steps = region_steps(build, region)
    value = build.region_value(root)
    names = pattern_names(statement.pattern)

    def body(indices: list[SSAValue]) -> None:
        build.scope.keys = [*build.scope.keys, *map(Key, indices)]
        with in_statement(build):
            found = follow(build, indices, root, steps, region)
            bind(build, statement.pattern, found[0] if len(found) == 1 else tuple(found))
            build.emit_statement(statement.body)

    if value.pattern is None:
        apart = len(names) == len(value.stored)
        orders = [
            loop_order(statement, [names[d]] if apart else names, build.checked)
            for d in range(len(value.stored))
        ]
        _nest(build, value.stored, orders, [], body)
        return
    pattern = load(build, value.pattern)
    assert isinstance(pattern, SSAValue)
    block = Block(arg_types=element_types(pattern.type))
    order = loop_order(statement, names, build.checked)
    with loop_body(build, block, order):
        body(indices_at(build, block.args[:-1], value))
    build.add(ForeachOp(pattern, block, ordered=order.ordered))


def _nest(
    build: Builder,
    dims: list[Dimension],
    orders: list[LoopOrder],
    indices: list[SSAValue],
    body: Callable[[list[SSAValue]], None],
) -> None:
    """Loops over dimensions, one inside the other, each with its order."""
    if not dims:
        body(indices)
        return
    (dim, *rest), (order, *inner) = dims, orders
    block = Block(arg_types=[IndexType()])
    if dim.step == 1:
        lower, upper = build.number(dim.lower), build.number(dim.upper)
    else:
        lower = build.index_constant(0)
        upper = build.number(build.plus(dim.extent, 1, -1))
    with loop_body(build, block, order):
        index = block.args[0] if dim.step == 1 else index_at(build, block.args[0], dim)
        _nest(build, rest, inner, [*indices, index], body)
    build.add(ForOp(lower, upper, block, ordered=order.ordered))


def emit_region_rows(build: Builder, statement: statements.ForIn, over: Over) -> None:
    """`for ((i,j),a) in A do …` with A over a region."""
    source = statement.source
    collection = stored(build, source)
    if over.region.pattern is not None:
        pattern = load(build, over.region.pattern)
        assert isinstance(pattern, SSAValue)
        collection = pattern
    block = Block(arg_types=element_types(collection.type))
    order = loop_order(statement, pattern_names(statement.pattern), build.checked)
    with loop_body(build, block, order):
        row = row_of(build, source, region_row(build, source, over, block.args))
        bind(build, statement.pattern, row)
        build.emit_statement(statement.body)
    build.add(ForeachOp(collection, block, ordered=order.ordered))


def emit_region_assignment(build: Builder, statement: statements.Assign) -> bool:
    """An assignment to all of a region or of an array over one; false if it is none."""
    target = statement.target
    if statement.monoid is not None or not isinstance(target, syntax.Name):
        return False
    symbol = build.checked.symbols[target]
    ref = build.scope.values.get(symbol)
    if symbol.region is None or not isinstance(ref, SSAValue):
        return False
    if symbol.kind == "region":
        chosen = build.checked.regions[statement.value]
        box = build.scope.regions[symbol.region].stored
        build.add(StoreOp(pattern_in(build, box, chosen), ref))
        return True
    type = symbol.type
    assert isinstance(type, ArrayType)
    build.add(StoreOp(array_over(build, type, build.scope.over[ref], statement.value), ref))
    return True
