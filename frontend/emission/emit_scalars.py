"""Imports operators on scalars: `x + 1` with x: Double becomes `arith.addf %x, 1.0`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from contextlib import contextmanager

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Block, Operation, Region, SSAValue

from diablo.frontend.checking.builtin_functions import FUNCTIONS
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.checker import constant_of
from diablo.frontend.checking.types import BOOLEAN, INT, ScalarType, Type, is_number, promote
from diablo.frontend.emission.emitter import (
    Emitter,
    Value,
    column_types,
    flatten,
    ir_type,
    unflatten,
)
from diablo.frontend.parsing import syntax
from diablo.frontend.parsing.tree_walk import walk

_INTEGER_OPS: dict[str, Callable[[SSAValue, SSAValue], Operation]] = {
    "+": arith.AddiOp,
    "-": arith.SubiOp,
    "*": arith.MuliOp,
    "/": arith.DivSIOp,
    "%": arith.RemSIOp,
}
_FLOAT_OPS: dict[str, Callable[[SSAValue, SSAValue], Operation]] = {
    "+": arith.AddfOp,
    "-": arith.SubfOp,
    "*": arith.MulfOp,
    "/": arith.DivfOp,
}
_INTEGER_COMPARISONS = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}
# A comparison with NaN is false, except `!=`.
_FLOAT_COMPARISONS = {"==": "oeq", "!=": "une", "<": "olt", "<=": "ole", ">": "ogt", ">=": "oge"}


class ScalarEmitter(Emitter, ABC):
    """The part of the importer that knows operators on scalars."""

    def __init__(self, checked: Checked):
        super().__init__()
        self.checked = checked
        # Inside the branches of an `if` with a value: the block around the outermost one.
        self.around_branches: Block | None = None

    @abstractmethod
    def emit(self, expr: syntax.Expr) -> Value:
        """The value of an expression."""

    def type_of(self, expr: syntax.Expr) -> Type:
        """The type that the checker found."""
        return self.checked.types[expr]

    # --- Values as a type ------------------------------------------------------------------

    def emit_as(self, expr: syntax.Expr, type: Type) -> SSAValue:
        """The value of a scalar expression, promoted to `type`."""
        constant = constant_of(expr)
        if constant is not None:
            with self.at(expr.span):
                return self.constant(constant, ir_type(type))
        value = self.emit(expr)
        assert isinstance(value, SSAValue)
        with self.at(expr.span):
            return self.as_scalar(value, type)

    def emit_value(self, expr: syntax.Expr, type: Type) -> Value:
        """The value of any expression, its scalars promoted to those of `type`."""
        if isinstance(type, ScalarType):
            return self.emit_as(expr, type)
        return self.as_type(self.emit(expr), type)

    def emit_index(self, expr: syntax.Expr) -> SSAValue:
        """The value of an Int expression as an `index`."""
        constant = constant_of(expr)
        if constant is not None:
            with self.at(expr.span):
                return self.constant(constant, IndexType())
        value = self.emit(expr)
        assert isinstance(value, SSAValue)
        with self.at(expr.span):
            return self.as_index(value)

    # --- Operators -------------------------------------------------------------------------

    def combine(self, op: str, lhs: SSAValue, rhs: SSAValue, type: Type) -> SSAValue:
        """`lhs op rhs` on two values of one number `type`."""
        made = (_INTEGER_OPS if type == INT else _FLOAT_OPS)[op](lhs, rhs)
        return self.add(made).results[0]

    def emit_binary(self, expr: syntax.Binary) -> SSAValue:
        """An operator on scalars."""
        if expr.op in ("&&", "||"):
            return self._emit_logical(expr)
        if expr.op in _INTEGER_COMPARISONS:
            return self._emit_comparison(expr)
        type = self.type_of(expr)
        lhs, rhs = self.emit_as(expr.lhs, type), self.emit_as(expr.rhs, type)
        with self.at(expr.span):
            return self.combine(expr.op, lhs, rhs, type)

    def _emit_comparison(self, expr: syntax.Binary) -> SSAValue:
        type = promote(self.type_of(expr.lhs), self.type_of(expr.rhs))
        assert type is not None
        if type == INT:
            lhs, rhs = self._emit_integers(expr.lhs, expr.rhs)
        else:
            lhs, rhs = self.emit_as(expr.lhs, type), self.emit_as(expr.rhs, type)
        with self.at(expr.span):
            if is_number(type) and type != INT:
                return self.add(arith.CmpfOp(lhs, rhs, _FLOAT_COMPARISONS[expr.op])).result
            return self.add(arith.CmpiOp(lhs, rhs, _INTEGER_COMPARISONS[expr.op])).result

    def _emit_integers(self, *exprs: syntax.Expr) -> list[SSAValue]:
        """Int values of one type: `index` if all are indices or constants, else `i64`."""
        values = [None if constant_of(e) is not None else self.emit(e) for e in exprs]
        found = [v for v in values if isinstance(v, SSAValue)]
        indices = bool(found) and all(isinstance(v.type, IndexType) for v in found)
        integers: list[SSAValue] = []
        for expr, value in zip(exprs, values, strict=True):
            if value is None:
                integers.append(self.emit_index(expr) if indices else self.emit_as(expr, INT))
            else:
                assert isinstance(value, SSAValue)
                with self.at(expr.span):
                    integers.append(value if indices else self.as_scalar(value, INT))
        return integers

    def emit_unary(self, expr: syntax.Unary) -> SSAValue:
        """`-e` or `!e` on a scalar."""
        type = self.type_of(expr)
        constant = constant_of(expr)
        if constant is not None:
            return self.constant(constant, ir_type(type))
        value = self.emit_as(expr.operand, type)
        if expr.op == "!":
            return self.add(arith.XOrIOp(value, self.constant(True, i1))).result
        return self.negate(value, type)

    def negate(self, value: SSAValue, type: Type) -> SSAValue:
        """`-value` of the number `type`."""
        if type == INT:
            return self.add(arith.SubiOp(self.constant(0, ir_type(INT)), value)).result
        return self.add(arith.NegfOp(value)).result

    def apply(self, function: str, arguments: list[SSAValue], type: Type) -> SSAValue:
        """A built-in function on values of the number `type`."""
        builtin = FUNCTIONS[function]
        op = builtin.integer if type == INT else builtin.floating
        assert op is not None
        return self.add(op(*arguments)).results[0]

    # --- Conditions ------------------------------------------------------------------------

    def _emit_logical(self, expr: syntax.Binary) -> SSAValue:
        lhs = self.emit_as(expr.lhs, BOOLEAN)
        if not is_partial(self.checked, expr.rhs):
            rhs = self.emit_as(expr.rhs, BOOLEAN)
            with self.at(expr.span):
                op = arith.AndIOp if expr.op == "&&" else arith.OrIOp
                return self.add(op(lhs, rhs)).result

        # The right side must not be evaluated when the left side decides.
        def decided() -> list[SSAValue]:
            return [self.constant(expr.op == "||", i1)]

        def undecided() -> list[SSAValue]:
            return [self.emit_as(expr.rhs, BOOLEAN)]

        with self.at(expr.span):
            branches = (undecided, decided) if expr.op == "&&" else (decided, undecided)
            regions = [self._branch(branch) for branch in branches]
            return self.add(scf.IfOp(lhs, [i1], regions[0], regions[1])).results[0]

    def emit_if(self, expr: syntax.IfExpr) -> Value:
        """An `if` with a value."""
        type = self.type_of(expr)
        condition = self.emit_as(expr.condition, BOOLEAN)

        def parts(branch: syntax.Expr) -> list[SSAValue]:
            return flatten(self.emit_value(branch, type))

        with self.at(expr.span):
            then = self._branch(lambda: parts(expr.then))
            otherwise = self._branch(lambda: parts(expr.otherwise))
            op = self.add(scf.IfOp(condition, column_types(type), then, otherwise))
        return unflatten(op.results, type)

    def _branch(self, emit: Callable[[], list[SSAValue]]) -> Region:
        block = Block()
        with self._in_branch(), self.into(block):
            self.add(scf.YieldOp(*emit()))
        return Region(block)

    @contextmanager
    def _in_branch(self) -> Generator[None]:
        outer = self.around_branches
        self.around_branches = outer or self.block
        try:
            yield
        finally:
            self.around_branches = outer


def is_partial(checked: Checked, expr: syntax.Expr) -> bool:
    """Whether evaluating `expr` may fail: it divides integers or reads an array's element."""
    for node in walk(expr):
        if isinstance(node, syntax.Index):
            return True
        if (
            isinstance(node, syntax.Binary)
            and node.op in ("/", "%")
            and checked.types.get(node) == INT
            and constant_of(node.rhs) is None
        ):
            return True
        if isinstance(node, syntax.Call):
            function = checked.functions.get(node)
            if function is not None and is_partial(checked, function.definition.body):
                return True
    return False


def conjuncts(condition: syntax.Expr) -> list[syntax.Expr]:
    """`a && b && c` as its parts, each of which guards those after it."""
    if isinstance(condition, syntax.Binary) and condition.op == "&&":
        return [*conjuncts(condition.lhs), *conjuncts(condition.rhs)]
    return [condition]
