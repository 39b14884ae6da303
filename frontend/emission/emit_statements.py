"""Imports statements: variables, assignments, loops and branches.

for i = 0, n-1 do V[i] += 1.0;
->
diablo.for %i = 0 to %n - 1 { diablo.accumulate add 1.0, %V[%i] }
"""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Region, SSAValue

from diablo.diagnostics import Diagnostic
from diablo.dialects.bags import element_types
from diablo.dialects.diablo import AccumulateOp, ForeachOp, ForOp, RefType, StoreOp, VarOp
from diablo.dialects.encodings import array_type, as_array
from diablo.dialects.monoids import BY_SYMBOL
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.checker import constant_of
from diablo.frontend.checking.types import BOOLEAN, ArrayType, Type
from diablo.frontend.emission.emit_arrays import ArrayEmitter
from diablo.frontend.emission.emit_scalars import conjuncts, is_partial
from diablo.frontend.emission.emitter import ImportFailure, ir_type, set_name
from diablo.frontend.parsing import statements, syntax


class StatementEmitter(ArrayEmitter):
    """The part of the importer that knows statements; `errors` holds what it refused."""

    def __init__(self, checked: Checked):
        super().__init__(checked)
        self.errors: list[Diagnostic] = []

    def emit_statement(self, statement: statements.Statement) -> None:
        """Import one statement; after an error the next one can still be imported."""
        try:
            with self.at(statement.span):
                self._emit_statement(statement)
        except ImportFailure as failure:
            self.errors.append(failure.diagnostic)

    def _emit_statement(self, statement: statements.Statement) -> None:
        match statement:
            case statements.Var():
                self._emit_var(statement)
            case statements.Assign():
                self._emit_assign(statement)
            case statements.For():
                self._emit_for(statement)
            case statements.ForIn():
                self._emit_for_in(statement)
            case statements.While():
                self._emit_while(statement)
            case statements.If():
                self._emit_if(statement)
            case statements.Block():
                for inner in statement.body:
                    self.emit_statement(inner)
            case statements.ExprStatement() if isinstance(statement.value, syntax.Call):
                # `cache(x)` is a hint that the compiler does not need.
                pass
            case statements.ExprStatement() | statements.Input() | statements.Def():
                pass
            case statements.MonoidDef() | statements.RegionDef():
                raise AssertionError("the checker refuses these")

    # --- Variables -------------------------------------------------------------------------

    def _emit_single(self, expr: syntax.Expr, type: Type) -> SSAValue:
        """The value of an expression that is no tuple, as `type`."""
        value = self.emit_value(expr, type)
        assert isinstance(value, SSAValue)
        return value

    def _emit_var(self, statement: statements.Var) -> None:
        symbol = self.checked.symbols[statement.name]
        init = statement.init
        assert init is not None
        # A failed variable still has a value, so that its uses can be imported.
        placeholder = Block(arg_types=[RefType(ir_type(symbol.type))])
        self.values[symbol] = placeholder.args[0]
        ref = self.add(VarOp(symbol.name, self._emit_single(init, symbol.type))).ref
        set_name(ref, symbol.name)
        self.values[symbol] = ref

    def _emit_assign(self, statement: statements.Assign) -> None:
        target = statement.target
        base = target.base if isinstance(target, syntax.Index) else target
        assert isinstance(base, syntax.Name)
        ref = self.values[self.checked.symbols[base]]
        assert isinstance(ref, SSAValue)
        type = self.type_of(target)
        value = self._emit_single(statement.value, type)
        monoid = BY_SYMBOL[statement.monoid].name if statement.monoid else None
        if isinstance(type, ArrayType):
            if monoid is not None:
                old = self.emit_name(base)
                assert isinstance(old, SSAValue)
                value = self.accumulate_array(monoid, old, value, type.element)
            self.add(StoreOp(self._as_stored(value, ref), ref))
            return
        indices: list[SSAValue] = []
        if isinstance(target, syntax.Index):
            for index in target.indices:
                assert not isinstance(index, syntax.Slice)
                indices.append(self.emit_index(index))
        if monoid is None:
            self.add(StoreOp(value, ref, indices))
        else:
            self.add(AccumulateOp(monoid, value, ref, indices))

    def _as_stored(self, array: SSAValue, ref: SSAValue) -> SSAValue:
        """An array, stored as the variable `ref` stores its arrays."""
        assert isinstance(ref.type, RefType)
        wanted = as_array(ref.type.value)
        found = array_type(array)
        assert wanted is not None
        if found == wanted:
            return array
        rank = found.get_num_dims()
        dims = [self.dimension(array, d) for d in range(rank)]
        return self.rebuild(array, dims, wanted)

    # --- Loops -----------------------------------------------------------------------------

    def _emit_body(self, block: Block, body: statements.Statement) -> None:
        with self.into(block):
            self.emit_statement(body)

    def _emit_for(self, statement: statements.For) -> None:
        lower, upper = self.emit_index(statement.lower), self.emit_index(statement.upper)
        step = 1 if statement.step is None else constant_of(statement.step)
        block = Block(arg_types=[IndexType()])
        self.bind_loop(statement.name, block.args[0])
        outer, self.indices = self.indices, [*self.indices, block.args[0]]
        self._emit_body(block, statement.body)
        self.indices = outer
        self.add(ForOp(lower, upper, block, int(step or 1)))

    def _emit_for_in(self, statement: statements.ForIn) -> None:
        source = statement.source
        outer = self.indices, self.rows_without_index
        if isinstance(source, syntax.Range):
            lower, upper = self.emit_index(source.lower), self.emit_index(source.upper)
            block = Block(arg_types=[IndexType()])
            self.bind_loop(statement.pattern, block.args[0])
            self.indices = [*self.indices, block.args[0]]
            loop: ForOp | ForeachOp = ForOp(lower, upper, block)
        else:
            collection = self.emit_source(source)
            block = Block(arg_types=element_types(collection.type))
            self.bind_loop(statement.pattern, self.row_of(source, block.args))
            loop = ForeachOp(collection, block)
        self._emit_body(block, statement.body)
        self.indices, self.rows_without_index = outer
        self.add(loop)

    def _emit_while(self, statement: statements.While) -> None:
        before, after = Block(), Block()
        with self.into(before):
            condition = self.emit_as(statement.condition, BOOLEAN)
            self.add(scf.ConditionOp(condition))
        with self.into(after):
            self.emit_statement(statement.body)
            self.add(scf.YieldOp())
        self.add(scf.WhileOp([], [], Region(before), Region(after)))

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
