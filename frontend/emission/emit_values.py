"""Imports variables, parts of tuples and records, lengths and dimensions.

V + 1.0   outside of a comprehension   ->   %v = diablo.load %V
t._1      of a tuple variable          ->   %a = diablo.load %t_1, the variable of that leaf
"""

from __future__ import annotations

from functools import partial

from xdsl.dialects.builtin import TupleType as PackedType
from xdsl.ir import SSAValue

from diablo.dialects.comprehension import LengthOp, UnpackOp
from diablo.dialects.diablo import LoadOp, RefType
from diablo.frontend.checking.types import STRING, ArrayType, ListType, MapType, Type
from diablo.frontend.emission.branches import lift, once
from diablo.frontend.emission.builder import Builder
from diablo.frontend.emission.emit_scalars import as_type, string_call
from diablo.frontend.emission.ir_types import Value, flatten, set_name, unflatten
from diablo.frontend.emission.stored_values import as_column, pack, pack_element
from diablo.frontend.parsing import syntax


def bind(build: Builder, pattern: syntax.Pattern, value: Value) -> None:
    """Let the variables of `pattern` stand for the parts of `value`."""
    if isinstance(pattern, syntax.TuplePattern):
        assert isinstance(value, tuple)
        for item, part in zip(pattern.items, value, strict=True):
            bind(build, item, part)
        return
    build.scope.values[build.checked.symbols[pattern]] = value
    if isinstance(value, SSAValue) and value.name_hint is None:
        set_name(value, pattern.name)


def load(build: Builder, value: Value) -> Value:
    """A value, of which the variables are read."""
    if isinstance(value, tuple):
        return tuple(map(partial(load, build), value))
    loaded = _load(build, value) if isinstance(value.type, RefType) else value
    if value in build.scope.over:
        build.scope.over[loaded] = build.scope.over[value]
    return loaded


def _load(build: Builder, ref: SSAValue) -> SSAValue:
    if build.rows_from is None:
        return _load_here(build, ref)
    # A comprehension changes no variable, so one read before it is enough.
    if ref not in build.loads:
        with build.into(build.frames[build.rows_from]):
            build.loads[ref] = _load_here(build, ref)
    return build.loads[ref]


def _load_here(build: Builder, ref: SSAValue) -> SSAValue:
    assert isinstance(ref.type, RefType)
    loaded = build.add(LoadOp.create(operands=[ref], result_types=[ref.type.value])).result
    loaded.name_hint = ref.name_hint
    return loaded


def variables_of(build: Builder, expr: syntax.Expr) -> Value | None:
    """The variables that hold the value of `expr`; none if it is computed."""
    expr = build.resolved(expr)
    if isinstance(expr, syntax.Name):
        value = build.scope.values.get(build.checked.symbols[expr], ())
        if value == ():
            return None
        variables = all(isinstance(leaf.type, RefType) for leaf in flatten(value))
        return value if variables else None
    if isinstance(expr, syntax.Field) and expr in build.checked.positions:
        base = variables_of(build, expr.base)
        return base[build.checked.positions[expr]] if isinstance(base, tuple) else None
    return None


def emit_single(build: Builder, expr: syntax.Expr) -> SSAValue:
    """The value of an expression that has one leaf."""
    value = build.emit(expr)
    assert isinstance(value, SSAValue)
    return value


def emit_collection(build: Builder, expr: syntax.Expr) -> SSAValue:
    """An array, list or map; computed once if it is the same for every row."""
    expr = build.resolved(expr)
    if variables_of(build, expr) is not None or isinstance(expr, syntax.Name):
        return emit_single(build, expr)
    return once(build, lambda: emit_single(build, expr))


def pack_value(build: Builder, value: Value, type: Type) -> SSAValue:
    """A value as one value of a map or one argument of a monoid."""
    return pack(build, map(partial(as_column, build), flatten(as_type(build, value, type))))


def as_element(build: Builder, value: Value, type: Type) -> SSAValue:
    """A value as one element of an array."""
    return pack_element(build, map(partial(as_column, build), flatten(as_type(build, value, type))))


def unpack_value(build: Builder, value: SSAValue, type: Type) -> Value:
    """The value of `type` that is packed, or held as it is."""
    if not isinstance(value.type, PackedType):
        return unflatten([value], type)
    return unflatten(build.add(UnpackOp(value)).parts, type)


def emit_field(build: Builder, expr: syntax.Field) -> Value:
    """A part of a tuple or record, a length, a dimension."""
    if expr in build.checked.positions:
        reference = variables_of(build, expr)
        if reference is not None:
            return load(build, reference)
        parts = build.emit(expr.base)
        assert isinstance(parts, tuple)
        return parts[build.checked.positions[expr]]
    type = build.type_of(expr.base)
    if type == STRING:
        return string_call(build, "length", emit_single(build, expr.base))
    if isinstance(type, ListType | MapType):
        bag = lift(build, emit_collection(build, expr.base))
        return once(build, lambda: build.add(LengthOp(bag)).result)
    assert isinstance(type, ArrayType)
    array = emit_collection(build, expr.base)
    with build.beside(array):
        return build.dimension(array, 1 if expr.name == "cols" else 0)
