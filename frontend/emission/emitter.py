"""What every part of the importer shares: where ops go, their locations, casts, constants."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn, TypeVar

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    FileLineColLoc,
    Float32Type,
    Float64Type,
    IndexType,
    IntAttr,
    StringAttr,
    f32,
    f64,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from diablo.diagnostics import Diagnostic, Span
from diablo.frontend.checking.types import Type
from diablo.frontend.emission.ir_types import ir_type, number_attribute

OperationT = TypeVar("OperationT", bound=Operation)


class ImportFailure(Exception):
    """Carries an error from where it is found to the statement that recovers."""

    def __init__(self, diagnostic: Diagnostic):
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


@dataclass(eq=False)
class Frame:
    """A block that ops are appended to; a branch is run only where `condition` is `holds`."""

    block: Block
    condition: SSAValue | None = None
    holds: bool = True


class Emitter:
    """Appends ops to the innermost block, with the location of what is being imported."""

    def __init__(self) -> None:
        self.frames = [Frame(Block())]
        self._span: Span | None = None

    @property
    def block(self) -> Block:
        """The block that ops are appended to."""
        return self.frames[-1].block

    @contextmanager
    def at(self, span: Span) -> Generator[None]:
        """Give ops the location `span`."""
        outer, self._span = self._span, span
        try:
            yield
        finally:
            self._span = outer

    @contextmanager
    def into(self, block: Block | Frame) -> Generator[None]:
        """Append ops to `block`."""
        depth = len(self.frames)
        self.frames.append(block if isinstance(block, Frame) else Frame(block))
        try:
            yield
        finally:
            del self.frames[depth:]

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

    def index_constant(self, value: int) -> SSAValue:
        """An `index`."""
        return self.constant(value, IndexType())

    def as_index(self, value: SSAValue) -> SSAValue:
        """An Int as an `index`."""
        if isinstance(value.type, IndexType):
            return value
        cast = self.add(arith.IndexCastOp(value, IndexType())).result
        cast.name_hint = value.name_hint
        return cast

    def as_scalar(self, value: SSAValue, type: Type) -> SSAValue:
        """A scalar as the scalar `type`, to which it can be promoted; no `index` is left."""
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
