"""Imports statements: variables, loops and branches.

for i = 0, n-1 do V[i] += 1.0;
->
diablo.for %i = 0 to %n - 1 { diablo.accumulate add 1.0, %V[%i] }
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager, nullcontext

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import IndexType, TensorType
from xdsl.ir import Block, Region, SSAValue

from diablo.diagnostics import Diagnostic
from diablo.dialects.bags import element_types
from diablo.dialects.diablo import ForeachOp, ForOp, RefType, VarOp
from diablo.dialects.encodings import as_array, dense_rank
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.constants import constant_of
from diablo.frontend.checking.types import BOOLEAN, RecordType, Type
from diablo.frontend.emission.emit_calls import Key
from diablo.frontend.emission.emit_conditions import conjuncts, is_partial
from diablo.frontend.emission.emit_region_statements import RegionStatementEmitter
from diablo.frontend.emission.emitter import ImportFailure
from diablo.frontend.emission.ir_types import (
    flatten,
    leaf_types,
    parts_of,
    set_name,
    unflatten,
)
from diablo.frontend.emission.loop_order import BULK, LoopOrder, loop_order, pattern_names
from diablo.frontend.parsing import statements, syntax


class StatementEmitter(RegionStatementEmitter):
    """The part of the importer that knows statements; `errors` holds what it refused."""

    def __init__(self, checked: Checked):
        super().__init__(checked)
        self.errors: list[Diagnostic] = []

    def emit_statement(self, statement: statements.Statement) -> None:
        """Import one statement; after an error the next one can still be imported."""
        try:
            # What a variable's value requires is required by all that follows in its block.
            declares = isinstance(statement, statements.Var | statements.RegionDef)
            scope = nullcontext() if declares else self.statement()
            with self.at(statement.span), scope:
                self._emit_statement(statement)
        except ImportFailure as failure:
            self.errors.append(failure.diagnostic)

    def _emit_statement(self, statement: statements.Statement) -> None:
        statement = self.checked.updates.get(statement, statement)
        match statement:
            case statements.Var():
                self._emit_var(statement)
            case statements.Assign():
                self.emit_assign(statement)
            case statements.For():
                self._emit_for(statement)
            case statements.ForIn():
                self._emit_for_in(statement)
            case statements.While():
                self._emit_while(statement)
            case statements.If():
                self._emit_if(statement)
            case statements.Extremum():
                self.emit_extremum(statement)
            case statements.Block():
                for inner in statement.body:
                    self.emit_statement(inner)
            case statements.ExprStatement() if isinstance(statement.value, syntax.Call):
                # `cache(x)` is a hint that the compiler does not need.
                pass
            case statements.ExprStatement() | statements.Input():
                pass
            case statements.Def() | statements.MonoidDef() | statements.Typemap():
                # They are imported where they are used.
                pass
            case statements.RegionDef():
                self.emit_region(statement)

    # --- Variables -------------------------------------------------------------------------

    def _emit_var(self, statement: statements.Var) -> None:
        symbol = self.checked.symbols[statement.name]
        if symbol.region is not None:
            self.emit_region_array(statement, symbol)
            return
        init = statement.init
        assert init is not None
        # A failed variable still has a value, so that its uses can be imported.
        types = leaf_types(symbol.type)
        placeholder = Block(arg_types=[RefType(type) for type in types])
        self.values[symbol] = unflatten(placeholder.args, symbol.type)
        leaves = flatten(self.emit_value(init, symbol.type))
        refs: list[SSAValue] = []
        for leaf, suffix in zip(leaves, _suffixes(symbol.type), strict=True):
            ref = self.add(VarOp(symbol.name + suffix, leaf)).ref
            set_name(ref, (symbol.name + suffix).replace(".", "_"))
            refs.append(ref)
        self.values[symbol] = unflatten(refs, symbol.type)

    # --- Loops -----------------------------------------------------------------------------

    @contextmanager
    def loop_body(self, block: Block, order: LoopOrder) -> Generator[None]:
        """Append the statements of a loop's body to `block`."""
        outer = self.keys, self.loops, self.stepwise
        if order.stepwise and not self.loops:
            self.stepwise += 1
        else:
            self.loops, self.stepwise = self.loops + 1, 0
        try:
            with self.into(block):
                yield
        finally:
            self.keys, self.loops, self.stepwise = outer

    def _emit_for(self, statement: statements.For) -> None:
        lower, upper = self.emit_index(statement.lower), self.emit_index(statement.upper)
        step = 1 if statement.step is None else constant_of(statement.step)
        by = int(step) if step is not None else self._emit_step(statement.step)
        self._emit_range_loop(statement, statement.name, lower, upper, by)

    def _emit_range_loop(
        self,
        statement: statements.For | statements.ForIn,
        pattern: syntax.Pattern,
        lower: SSAValue,
        upper: SSAValue,
        step: int | SSAValue = 1,
    ) -> None:
        block = Block(arg_types=[IndexType()])
        order = loop_order(statement, pattern_names(pattern), self.checked)
        with self.loop_body(block, order):
            self.bind(pattern, block.args[0])
            sign = step if isinstance(step, SSAValue) else 1 if step > 0 else -1
            self.keys = [*self.keys, Key(block.args[0], step=sign)]
            self.emit_statement(statement.body)
        self.add(ForOp(lower, upper, block, step, ordered=order.ordered))

    def _emit_step(self, expr: syntax.Expr | None) -> SSAValue:
        """A step that is computed: one of zero is an error, or drops the iteration."""
        assert expr is not None
        step = self.emit_index(expr)
        with self.at(expr.span):
            test = self.add(arith.CmpiOp(step, self.index_constant(0), "ne")).result
            self.require(test, "the step of a loop is zero")
        return step

    def _emit_for_in(self, statement: statements.ForIn) -> None:
        source = statement.source
        if isinstance(source, syntax.Range):
            lower, upper = self.emit_index(source.lower), self.emit_index(source.upper)
            self._emit_range_loop(statement, statement.pattern, lower, upper)
            return
        region, over = self.checked.regions.get(source), self.over_of(source)
        if region is not None:
            self.emit_region_loop(statement, region)
            return
        if over is not None:
            self.emit_region_rows(statement, over)
            return
        collection = self.emit_collection(source)
        order = loop_order(statement, pattern_names(statement.pattern), self.checked)
        if order.stepwise and isinstance(collection.type, TensorType):
            self._emit_array_steps(statement, collection)
            return
        block = Block(arg_types=element_types(collection.type))
        with self.loop_body(block, BULK):
            self.bind(statement.pattern, self.row_of(source, block.args))
            self.emit_statement(statement.body)
        self.add(ForeachOp(collection, block))

    def _emit_array_steps(self, statement: statements.ForIn, array: SSAValue) -> None:
        """`for ((i,j),a) in A do x = f(x,a)`: loops in order over the indices of what is stored."""
        type = as_array(array.type)
        assert type is not None
        if dense_rank(type) < type.get_num_dims():
            hint = "go through its indices: for i = 0, n-1 do …"
            self.unsupported(
                statement.source.span, "going in order through what a sparse array stores is", hint
            )
        order = LoopOrder(ordered=True, stepwise=True)
        indices: list[SSAValue] = []
        with ExitStack() as nest:
            for axis in range(type.get_num_dims()):
                block = Block(arg_types=[IndexType()])
                lower, extent = self.index_constant(0), self.dimension(array, axis)
                upper = self.add(arith.SubiOp(extent, self.index_constant(1))).result
                self.add(ForOp(lower, upper, block, ordered=True))
                nest.enter_context(self.loop_body(block, order))
                self.keys = [*self.keys, Key(block.args[0])]
                indices.append(block.args[0])
            element = self.add(tensor.ExtractOp(array, indices, type.get_element_type())).result
            row = self.row_of(statement.source, [*indices, element])
            self.bind(statement.pattern, row)
            self.emit_statement(statement.body)

    def _emit_while(self, statement: statements.While) -> None:
        before, after = Block(), Block()
        outer, self.stepwise = self.stepwise, 0
        with self.into(before):
            condition = self.emit_as(statement.condition, BOOLEAN)
            self.add(scf.ConditionOp(condition))
        self.whiles += 1
        with self.into(after):
            self.emit_statement(statement.body)
            self.add(scf.YieldOp())
        self.stepwise = outer
        self.whiles -= 1
        self.add(scf.WhileOp([], [], Region(before), Region(after)))

    # --- Branches --------------------------------------------------------------------------

    def _emit_if(self, statement: statements.If) -> None:
        parts = [statement.condition]
        if statement.otherwise is None and is_partial(self.checked, statement.condition):
            # `a && b`: where `a` fails, `b` is not evaluated.
            parts = conjuncts(statement.condition)
        self._emit_nested_if(parts, statement)

    def _emit_nested_if(self, conditions: list[syntax.Expr], statement: statements.If) -> None:
        condition = self.emit_as(conditions[0], BOOLEAN)
        then = Block()
        with self.into(then):
            if conditions[1:]:
                with self.statement():
                    self._emit_nested_if(conditions[1:], statement)
            else:
                self.emit_statement(statement.then)
            self.add(scf.YieldOp())
        otherwise = Region()
        if statement.otherwise is not None:
            block = Block()
            with self.into(block):
                self.emit_statement(statement.otherwise)
                self.add(scf.YieldOp())
            otherwise = Region(block)
        self.add(scf.IfOp(condition, [], Region(then), otherwise))


def _suffixes(type: Type) -> list[str]:
    """What distinguishes the leaves of a tuple or record variable: `._1`, `.name`."""
    parts = parts_of(type)
    if parts is None:
        return [""]
    names = type.names if isinstance(type, RecordType) else [f"_{n + 1}" for n in range(len(parts))]
    return [
        f".{name}{rest}"
        for name, part in zip(names, parts, strict=True)
        for rest in _suffixes(part)
    ]
