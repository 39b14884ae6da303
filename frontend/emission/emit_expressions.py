"""Imports any expression: which part of the importer knows it.

A + B   ->   the emitter of whole-array operators;      a + b   ->   that of scalars
"""

from __future__ import annotations

from diablo.frontend.checking.types import ArrayType, MapType
from diablo.frontend.emission.builder import Builder
from diablo.frontend.emission.emit_arrays import emit_array_operator
from diablo.frontend.emission.emit_calls import emit_call
from diablo.frontend.emission.emit_comprehensions import (
    emit_collect,
    emit_constructor,
    emit_empty_map,
    emit_list,
    emit_reduction,
)
from diablo.frontend.emission.emit_elements import emit_element
from diablo.frontend.emission.emit_first_rows import emit_first_row
from diablo.frontend.emission.emit_region_arrays import emit_name, region_size
from diablo.frontend.emission.emit_region_elements import over_of
from diablo.frontend.emission.emit_scalars import emit_binary, emit_if, emit_literal, emit_unary
from diablo.frontend.emission.emit_values import bind, emit_field
from diablo.frontend.emission.ir_types import Value
from diablo.frontend.parsing import syntax
from diablo.frontend.parsing.builtin_reductions import FIRST


def emit_expression(build: Builder, expr: syntax.Expr) -> Value:
    """The value of an expression."""
    expr = build.resolved(expr)
    with build.at(expr.span):
        return _emit_kind(build, expr)


def _emit_kind(build: Builder, expr: syntax.Expr) -> Value:
    match expr:
        case syntax.Literal():
            return emit_literal(build, expr)
        case syntax.Name():
            return emit_name(build, expr)
        case syntax.TupleExpr():
            return tuple(build.emit(item) for item in expr.items)
        case syntax.RecordExpr():
            return tuple(build.emit(field) for _, field in expr.fields)
        case syntax.ListExpr():
            return emit_list(build, expr)
        case syntax.EmptyMap():
            type = build.type_of(expr)
            assert isinstance(type, MapType)
            return emit_empty_map(build, type)
        case syntax.Unary() | syntax.Binary():
            return _emit_operator(build, expr)
        case syntax.Reduction() if expr.monoid in FIRST:
            return emit_first_row(build, expr)
        case syntax.Reduction():
            return emit_reduction(build, expr)
        case syntax.Call():
            return _emit_call(build, expr)
        case syntax.Field():
            return _emit_field(build, expr)
        case syntax.Index():
            return emit_element(build, expr)
        case syntax.IfExpr():
            return emit_if(build, expr)
        case syntax.LetIn():
            bind(build, expr.pattern, build.emit(expr.value))
            return build.emit(expr.body)
        case syntax.Comprehension():
            return emit_collect(build, expr)
        case syntax.Constructor():
            return emit_constructor(build, expr)
        case (
            syntax.Range()
            | syntax.Lambda()
            | syntax.Wildcard()
            | syntax.RegionExpr()
            | syntax.MappedStore()
        ):
            raise AssertionError("the checker refuses these, or says what they are short for")


def _emit_operator(build: Builder, expr: syntax.Unary | syntax.Binary) -> Value:
    if isinstance(build.type_of(expr), ArrayType):
        return emit_array_operator(build, expr)
    if isinstance(expr, syntax.Unary):
        return emit_unary(build, expr)
    return emit_array_operator(build, expr) if expr.op == "@" else emit_binary(build, expr)


def _emit_call(build: Builder, expr: syntax.Call) -> Value:
    checked = build.checked
    own = (
        expr in checked.functions
        or expr in checked.applications
        or expr in checked.joins
        or expr.function == "cache"
    )
    if isinstance(build.type_of(expr), ArrayType) and not own:
        return emit_array_operator(build, expr)
    return emit_call(build, expr)


def _emit_field(build: Builder, expr: syntax.Field) -> Value:
    if expr.name in ("length", "rows", "cols") and isinstance(expr.base, syntax.Name):
        symbol, over = build.checked.symbols[expr.base], over_of(build, expr.base)
        if symbol.kind == "region" and symbol.region is not None:
            return region_size(build, expr, symbol.region, build.region_value(symbol.region))
        if over is not None:
            return region_size(build, expr, over.index_set, over.region)
    is_part = expr in build.checked.positions
    if isinstance(build.type_of(expr), ArrayType) and not is_part:
        return emit_array_operator(build, expr)
    return emit_field(build, expr)
