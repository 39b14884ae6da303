"""What every part of the importer shares: where ops go, their locations, casts, constants."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import NoReturn, TypeVar

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FileLineColLoc,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    NoneAttr,
    StringAttr,
    TensorType,
    f32,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from diablo.diagnostics import Diagnostic, Span
from diablo.dialects.bags import BagType
from diablo.dialects.encodings import TilesAttr
from diablo.frontend.checking.types import (
    BOOLEAN,
    DOUBLE,
    FLOAT,
    INT,
    ArrayType,
    ListType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
)

Value = SSAValue | tuple["Value", ...]
"""A value of the source: one SSA value, or a tuple's parts."""

OperationT = TypeVar("OperationT", bound=Operation)

_SCALARS: dict[ScalarType, Attribute] = {INT: i64, DOUBLE: f64, FLOAT: f32, BOOLEAN: i1}


class ImportFailure(Exception):
    """Carries an error from where it is found to the statement that recovers."""

    def __init__(self, diagnostic: Diagnostic):
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def ir_type(type: Type) -> Attribute:
    """The IR's type for a scalar, a list, or an array that is stored densely in tiles."""
    match type:
        case ScalarType():
            return _SCALARS[type]
        case ListType():
            return BagType(column_types(type.element))
        case ArrayType():
            return TensorType(
                ir_type(type.element), [DYNAMIC_INDEX] * type.rank, TilesAttr(type.rank)
            )
        case TupleType() | UnknownType():
            raise AssertionError(f"{type} is no type of one value")


def column_types(row: Type) -> list[Attribute]:
    """The types of the columns that hold values of type `row`."""
    if isinstance(row, TupleType):
        return [column for item in row.items for column in column_types(item)]
    return [ir_type(row)]


def flatten(value: Value) -> list[SSAValue]:
    """The parts of a value, in order."""
    if isinstance(value, SSAValue):
        return [value]
    return [part for item in value for part in flatten(item)]


def unflatten(parts: Sequence[SSAValue], type: Type) -> Value:
    """The value of `type` whose parts are `parts`."""
    if not isinstance(type, TupleType):
        return parts[0]
    values: list[Value] = []
    for item in type.items:
        width = len(column_types(item))
        values.append(unflatten(parts[:width], item))
        parts = parts[width:]
    return tuple(values)


def set_name(value: SSAValue, name: str) -> None:
    """Name an SSA value after a variable, where the IR can spell it."""
    if name != "_" and SSAValue.is_valid_name(name):
        value.name_hint = name


class Emitter:
    """Appends ops to `block`, with the location of the construct that is being imported."""

    def __init__(self) -> None:
        self.block = Block()
        self._span: Span | None = None

    @contextmanager
    def at(self, span: Span) -> Generator[None]:
        """Give ops the location `span`."""
        outer, self._span = self._span, span
        try:
            yield
        finally:
            self._span = outer

    @contextmanager
    def into(self, block: Block) -> Generator[None]:
        """Append ops to `block`."""
        outer, self.block = self.block, block
        try:
            yield
        finally:
            self.block = outer

    @property
    def location(self) -> FileLineColLoc | None:
        """The location of the construct that is being imported."""
        span = self._span
        if span is None:
            return None
        return FileLineColLoc(StringAttr(span.file), IntAttr(span.line), IntAttr(span.column))

    def add(self, op: OperationT) -> OperationT:
        """Append an op."""
        location = self.location
        if location is not None:
            op.location = location
        self.block.add_op(op)
        return op

    def unsupported(self, span: Span, what: str, hint: str | None = None) -> NoReturn:
        """Fail because the compiler cannot do something yet."""
        raise ImportFailure(Diagnostic("error", f"{what} not supported yet", span, hint))

    # --- Constants and casts ---------------------------------------------------------------

    def constant(self, value: bool | int | float, type: Attribute) -> SSAValue:
        """A number or truth value of the IR's `type`."""
        return self.add(arith.ConstantOp(number_attribute(value, type))).result

    def as_index(self, value: SSAValue) -> SSAValue:
        """An Int as an `index`."""
        if isinstance(value.type, IndexType):
            return value
        cast = self.add(arith.IndexCastOp(value, IndexType())).result
        cast.name_hint = value.name_hint
        return cast

    def as_type(self, value: Value, type: Type) -> Value:
        """A value as `type`, to which it can be promoted; an `index` becomes an `i64`."""
        if isinstance(value, tuple):
            assert isinstance(type, TupleType)
            return tuple(map(self.as_type, value, type.items))
        return self.as_scalar(value, type) if isinstance(type, ScalarType) else value

    def as_scalar(self, value: SSAValue, type: Type) -> SSAValue:
        """A scalar as the scalar `type`, to which it can be promoted."""
        wanted = ir_type(type)
        name = value.name_hint
        if isinstance(value.type, IndexType):
            value = self.add(arith.IndexCastOp(value, i64)).result
        if value.type == i64 and isinstance(wanted, Float32Type | Float64Type):
            value = self.add(arith.SIToFPOp(value, wanted)).result
        if value.type == f32 and wanted == f64:
            value = self.add(arith.ExtFOp(value, f64)).result
        assert value.type == wanted, f"{value.type} is no {wanted}"
        if value.name_hint is None:
            value.name_hint = name
        return value


def tensor_type(element: Attribute, rank: int, encoding: Attribute | None) -> TensorType[Attribute]:
    """An array's type, with all dimensions unknown."""
    return TensorType(element, [DYNAMIC_INDEX] * rank, encoding or NoneAttr())


def number_attribute(
    value: bool | int | float, type: Attribute
) -> IntegerAttr[IntegerType | IndexType] | FloatAttr[Float32Type | Float64Type]:
    """A number or truth value as an attribute of the IR's `type`."""
    if isinstance(type, Float32Type):
        return FloatAttr(float(value), f32)
    if isinstance(type, Float64Type):
        return FloatAttr(float(value), f64)
    if isinstance(type, IndexType):
        return IntegerAttr(int(value), IndexType())
    return IntegerAttr(int(value), i1 if type == i1 else i64)
