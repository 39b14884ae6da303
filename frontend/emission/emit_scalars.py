"""Imports operators on numbers, truth values, characters and strings.

x + 1      with x: Double   ->   arith.addf %x, 1.0
s + "!"    with s: String   ->   comprehension.string_call "concat"(%s, "!")
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, i1, i32
from xdsl.ir import Operation, SSAValue

from diablo.dialects.comprehension import RemainderOp, StringCallOp, StringOp
from diablo.frontend.checking.builtin_functions import FUNCTIONS
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.constants import constant_of
from diablo.frontend.checking.types import (
    BOOLEAN,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    STRING,
    ScalarType,
    Type,
    is_number,
    promote,
)
from diablo.frontend.emission.branches import BranchEmitter
from diablo.frontend.emission.ir_types import Value, ir_type, parts_of
from diablo.frontend.parsing import syntax

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
_STRING_COMPARISONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_TO_STRING = {INT: "from_int", DOUBLE: "from_double", BOOLEAN: "from_boolean", CHAR: "from_char"}

COMPARISONS = frozenset(_INTEGER_COMPARISONS)


class ScalarEmitter(BranchEmitter, ABC):
    """The part of the importer that knows operators on scalars."""

    def __init__(self, checked: Checked):
        super().__init__()
        self.checked = checked

    @abstractmethod
    def emit(self, expr: syntax.Expr) -> Value:
        """The value of an expression."""

    @abstractmethod
    def emit_logical(self, expr: syntax.Binary) -> SSAValue:
        """`a && b` or `a || b`."""

    def type_of(self, expr: syntax.Expr) -> Type:
        """The type that the checker found."""
        return self.checked.types[expr]

    def resolved(self, expr: syntax.Expr) -> syntax.Expr:
        """What an expression is short for."""
        while expr in self.checked.desugared:
            expr = self.checked.desugared[expr]
        return expr

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

    def as_type(self, value: Value, type: Type) -> Value:
        """A value as `type`, to which it can be promoted; an `index` becomes an `i64`."""
        parts = parts_of(type)
        if isinstance(value, tuple):
            assert parts is not None
            return tuple(map(self.as_type, value, parts))
        return self.as_scalar(value, type) if isinstance(type, ScalarType) else value

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

    def emit_literal(self, expr: syntax.Literal) -> SSAValue:
        """A constant that is written out."""
        type = self.type_of(expr)
        if not isinstance(expr.value, str):
            return self.constant(expr.value, ir_type(type))
        if type == CHAR:
            return self.constant(ord(expr.value), i32)
        return self.add(StringOp(expr.value)).result

    # --- Operators -------------------------------------------------------------------------

    def combine(self, op: str, lhs: SSAValue, rhs: SSAValue, type: Type) -> SSAValue:
        """`lhs op rhs` on two values of one number `type`."""
        if op == "%" and type != INT:
            return self.add(RemainderOp(lhs, rhs)).result
        made = (_INTEGER_OPS if type == INT else _FLOAT_OPS)[op](lhs, rhs)
        return self.add(made).results[0]

    def emit_binary(self, expr: syntax.Binary) -> SSAValue:
        """An operator on scalars, strings or tuples."""
        if expr.op in ("&&", "||"):
            return self.emit_logical(expr)
        if expr.op in _INTEGER_COMPARISONS:
            return self._emit_comparison(expr)
        type = self.type_of(expr)
        if type == STRING:
            lhs, rhs = (self.to_string(e) for e in (expr.lhs, expr.rhs))
            with self.at(expr.span):
                return self.string_call("concat", lhs, rhs)
        lhs, rhs = self.emit_as(expr.lhs, type), self.emit_as(expr.rhs, type)
        with self.at(expr.span):
            return self.combine(expr.op, lhs, rhs, type)

    def string_call(self, function: str, *arguments: SSAValue) -> SSAValue:
        """A function of strings."""
        return self.add(StringCallOp(function, arguments)).result

    def to_string(self, expr: syntax.Expr) -> SSAValue:
        """The value of a scalar expression, written as a string."""
        type = self.type_of(expr)
        if type == STRING:
            return self.emit_as(expr, STRING)
        written = DOUBLE if type == FLOAT else type
        assert isinstance(written, ScalarType)
        value = self.emit_as(expr, written)
        with self.at(expr.span):
            return self.string_call(_TO_STRING[written], value)

    def _emit_comparison(self, expr: syntax.Binary) -> SSAValue:
        type = promote(self.type_of(expr.lhs), self.type_of(expr.rhs))
        assert type is not None
        if type == INT:
            lhs, rhs = self._emit_integers(expr.lhs, expr.rhs)
            with self.at(expr.span):
                return self.compare(expr.op, lhs, rhs, type)
        left, right = self.emit_value(expr.lhs, type), self.emit_value(expr.rhs, type)
        with self.at(expr.span):
            return self._compare_values(expr.op, left, right, type)

    def compare(self, op: str, lhs: SSAValue, rhs: SSAValue, type: Type) -> SSAValue:
        """`lhs op rhs` on two scalars of `type`."""
        if type == STRING:
            return self.string_call(_STRING_COMPARISONS[op], lhs, rhs)
        if is_number(type) and type != INT:
            return self.add(arith.CmpfOp(lhs, rhs, _FLOAT_COMPARISONS[op])).result
        return self.add(arith.CmpiOp(lhs, rhs, _INTEGER_COMPARISONS[op])).result

    def _compare_values(self, op: str, lhs: Value, rhs: Value, type: Type) -> SSAValue:
        """`lhs op rhs`; tuples are compared part by part, an earlier part decides first."""
        parts = parts_of(type)
        if parts is None:
            assert isinstance(lhs, SSAValue)
            assert isinstance(rhs, SSAValue)
            return self.compare(op, lhs, rhs, type)
        assert isinstance(lhs, tuple)
        assert isinstance(rhs, tuple)
        if not parts:
            return self.constant(op in ("==", "<=", ">="), i1)
        rows = list(zip(lhs, rhs, parts, strict=True))
        if op in ("==", "!="):
            join = arith.AndIOp if op == "==" else arith.OrIOp
            tests = [self._compare_values(op, *row) for row in rows]
            result = tests[0]
            for test in tests[1:]:
                result = self.add(join(result, test)).result
            return result
        result = self._compare_values(op, *rows[-1])
        strict = op[0]
        for row in reversed(rows[:-1]):
            decided = self._compare_values(strict, *row)
            equal = self._compare_values("==", *row)
            rest = self.add(arith.AndIOp(equal, result)).result
            result = self.add(arith.OrIOp(decided, rest)).result
        return result

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
        return self.negated(value) if expr.op == "!" else self.negate(value, type)

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
