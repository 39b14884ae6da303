"""Imports statements about regions: declarations, loops, assignments to a whole.

for (i,j) in Tri do W[i] += A[i,j];
->
diablo.foreach %i, %j, %in in %Tri { diablo.accumulate add %A[%i, %j], %W[%i] }
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, SSAValue

from diablo.dialects.bags import element_types
from diablo.dialects.diablo import ForeachOp, ForOp, RefType, StoreOp, VarOp
from diablo.frontend.checking.constants import constant_of
from diablo.frontend.checking.index_sets import Box, Combined, IndexSet
from diablo.frontend.checking.scope import Symbol
from diablo.frontend.checking.types import ArrayType
from diablo.frontend.emission.emit_calls import Key
from diablo.frontend.emission.emit_extrema import ExtremumEmitter
from diablo.frontend.emission.ir_types import ir_type, set_name
from diablo.frontend.emission.loop_order import BULK, LoopOrder, loop_order, pattern_names
from diablo.frontend.emission.region_values import Dimension, Over, RegionValue
from diablo.frontend.parsing import statements, syntax


class RegionStatementEmitter(ExtremumEmitter, ABC):
    """The part of the importer that knows statements about regions."""

    @abstractmethod
    def emit_statement(self, statement: statements.Statement) -> None:
        """Import one statement."""

    @abstractmethod
    def loop_body(self, block: Block, order: LoopOrder) -> AbstractContextManager[None]:
        """Append the statements of a loop's body to `block`."""

    # --- Declarations ----------------------------------------------------------------------

    def emit_region(self, statement: statements.RegionDef) -> None:
        """`region R = …`: its bounds are computed, and the pattern of a sparse one."""
        symbol = self.checked.symbols[statement.name]
        region = symbol.region
        assert region is not None
        self._declare_bases(region)
        value = self.region_value(region)
        if value.pattern is not None and region.is_open:
            ref = self.add(VarOp(symbol.name, value.pattern)).ref
            set_name(ref, symbol.name)
            value = RegionValue(value.dims, ref)
        elif value.pattern is not None and value.pattern.name_hint is None:
            # The pattern of a translated region is that of another one.
            set_name(value.pattern, symbol.name)
        self.regions[region] = value
        if value.pattern is not None:
            self.values[symbol] = value.pattern
            self.over.setdefault(value.pattern, Over(region, value))

    def _declare_bases(self, region: IndexSet) -> None:
        """Compute the bounds of the dense regions without a name that a region is made of."""
        made = region.made
        if region in self.regions or isinstance(made, Box):
            return
        bases = [made.lhs, made.rhs] if isinstance(made, Combined) else [made.base]
        for base in bases:
            self._declare_bases(base)
            if not base.sparse and base not in self.regions:
                self.regions[base] = self.region_value(base)

    def emit_region_array(self, statement: statements.Var, symbol: Symbol) -> None:
        """`var A: T over R fill v = e`."""
        region, type = symbol.region, symbol.type
        assert region is not None
        assert statement.region is not None
        assert isinstance(type, ArrayType)
        # A failed variable still has a value, so that its uses can be imported.
        placeholder = Block(arg_types=[RefType(ir_type(type))])
        self.values[symbol] = placeholder.args[0]
        if region not in self.regions:
            self._declare_bases(region)
        value = self.region_value(region)
        if value.pattern is not None:
            # The array keeps the pattern that an open region has here.
            pattern = self.load(value.pattern)
            assert isinstance(pattern, SSAValue)
            value = RegionValue(value.dims, pattern)
        fill = None
        if statement.fill is not None and constant_of(statement.fill) != 0:
            fill = self.packed(self.emit_value(statement.fill, type.element), type.element)
        over = Over(region, value, fill)
        array = self.array_over(type, over, statement.init)
        ref = self.add(VarOp(symbol.name, array)).ref
        set_name(ref, symbol.name)
        self.values[symbol], self.over[ref] = ref, over

    # --- Loops -----------------------------------------------------------------------------

    def emit_region_loop(self, statement: statements.ForIn, region: IndexSet) -> None:
        """`for (i,j) in R do …`."""
        root, steps = self.region_steps(region)
        value = self.region_value(root)
        names = pattern_names(statement.pattern)

        def body(indices: list[SSAValue]) -> None:
            self.keys = [*self.keys, *map(Key, indices)]
            with self.statement():
                found = self.follow(indices, root, steps, region)
                self.bind(statement.pattern, found[0] if len(found) == 1 else tuple(found))
                self.emit_statement(statement.body)

        if value.pattern is None:
            apart = len(names) == len(value.stored)
            orders = [
                loop_order(statement, [names[d]] if apart else names, self.checked)
                for d in range(len(value.stored))
            ]
            self._nest(value.stored, orders, [], body)
            return
        pattern = self.load(value.pattern)
        assert isinstance(pattern, SSAValue)
        block = Block(arg_types=element_types(pattern.type))
        with self.loop_body(block, BULK):
            body(self.indices_at(block.args[:-1], value))
        self.add(ForeachOp(pattern, block))

    def _nest(
        self,
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
            lower, upper = self.number(dim.lower), self.number(dim.upper)
        else:
            lower = self.index_constant(0)
            upper = self.number(self.plus(dim.extent, 1, -1))
        with self.loop_body(block, order):
            index = block.args[0] if dim.step == 1 else self.index_at(block.args[0], dim)
            self._nest(rest, inner, [*indices, index], body)
        self.add(ForOp(lower, upper, block, ordered=order.ordered))

    def emit_region_rows(self, statement: statements.ForIn, over: Over) -> None:
        """`for ((i,j),a) in A do …` with A over a region."""
        source = statement.source
        collection = self.stored(source)
        if over.region.pattern is not None:
            pattern = self.load(over.region.pattern)
            assert isinstance(pattern, SSAValue)
            collection = pattern
        block = Block(arg_types=element_types(collection.type))
        with self.loop_body(block, BULK):
            row = self.row_of(source, self.region_row(source, over, block.args))
            self.bind(statement.pattern, row)
            self.emit_statement(statement.body)
        self.add(ForeachOp(collection, block))

    # --- Assignments -----------------------------------------------------------------------

    def emit_region_assignment(self, statement: statements.Assign) -> bool:
        """An assignment to all of a region or of an array over one; false if it is none."""
        target = statement.target
        if statement.monoid is not None or not isinstance(target, syntax.Name):
            return False
        symbol = self.checked.symbols[target]
        ref = self.values.get(symbol)
        if symbol.region is None or not isinstance(ref, SSAValue):
            return False
        if symbol.kind == "region":
            chosen = self.checked.regions[statement.value]
            box = self.regions[symbol.region].stored
            self.add(StoreOp(self.pattern_in(box, chosen), ref))
            return True
        type = symbol.type
        assert isinstance(type, ArrayType)
        self.add(StoreOp(self.array_over(type, self.over[ref], statement.value), ref))
        return True
