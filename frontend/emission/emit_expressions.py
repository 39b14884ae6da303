"""Imports any expression: which part of the importer knows it.

A + B   ->   the emitter of whole-array operators;      a + b   ->   that of scalars
"""

from __future__ import annotations

from diablo.frontend.checking.types import ArrayType, MapType
from diablo.frontend.emission.emit_arrays import ArrayEmitter
from diablo.frontend.emission.ir_types import Value
from diablo.frontend.parsing import syntax


class ExpressionEmitter(ArrayEmitter):
    """The part of the importer that knows all expressions."""

    def emit(self, expr: syntax.Expr) -> Value:
        """The value of an expression."""
        expr = self.resolved(expr)
        with self.at(expr.span):
            return self._emit(expr)

    def _emit(self, expr: syntax.Expr) -> Value:
        match expr:
            case syntax.Literal():
                return self.emit_literal(expr)
            case syntax.Name():
                return self.emit_name(expr)
            case syntax.TupleExpr():
                return tuple(self.emit(item) for item in expr.items)
            case syntax.RecordExpr():
                return tuple(self.emit(field) for _, field in expr.fields)
            case syntax.ListExpr():
                return self.emit_list(expr)
            case syntax.EmptyMap():
                type = self.type_of(expr)
                assert isinstance(type, MapType)
                return self.emit_empty_map(type)
            case syntax.Unary() | syntax.Binary():
                return self._emit_operator(expr)
            case syntax.Reduction():
                return self.emit_reduction(expr)
            case syntax.Call():
                return self._emit_call(expr)
            case syntax.Field():
                return self._emit_field(expr)
            case syntax.Index():
                return self.emit_element(expr)
            case syntax.IfExpr():
                return self.emit_if(expr)
            case syntax.LetIn():
                self.bind(expr.pattern, self.emit(expr.value))
                return self.emit(expr.body)
            case syntax.Comprehension():
                return self.emit_collect(expr)
            case syntax.Constructor():
                return self.emit_constructor(expr)
            case (
                syntax.Range()
                | syntax.Lambda()
                | syntax.Wildcard()
                | syntax.RegionExpr()
                | syntax.MappedStore()
            ):
                raise AssertionError("the checker refuses these, or says what they are short for")

    def _emit_operator(self, expr: syntax.Unary | syntax.Binary) -> Value:
        if isinstance(self.type_of(expr), ArrayType):
            return self.emit_array_operator(expr)
        if isinstance(expr, syntax.Unary):
            return self.emit_unary(expr)
        return self.emit_array_operator(expr) if expr.op == "@" else self.emit_binary(expr)

    def _emit_call(self, expr: syntax.Call) -> Value:
        checked = self.checked
        own = (
            expr in checked.functions
            or expr in checked.applications
            or expr in checked.joins
            or expr.function == "cache"
        )
        if isinstance(self.type_of(expr), ArrayType) and not own:
            return self.emit_array_operator(expr)
        return self.emit_call(expr)

    def _emit_field(self, expr: syntax.Field) -> Value:
        if expr.name in ("length", "rows", "cols") and isinstance(expr.base, syntax.Name):
            symbol, over = self.checked.symbols[expr.base], self.over_of(expr.base)
            if symbol.kind == "region" and symbol.region is not None:
                return self.region_size(expr, symbol.region, self.region_value(symbol.region))
            if over is not None:
                return self.region_size(expr, over.index_set, over.region)
        is_part = expr in self.checked.positions
        if isinstance(self.type_of(expr), ArrayType) and not is_part:
            return self.emit_array_operator(expr)
        return self.emit_field(expr)
