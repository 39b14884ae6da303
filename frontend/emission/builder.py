"""Where ops go, with which location, and in which scope; casts and constants.

A `Builder` is handed to every part of the importer. What is known before a comprehension (the
value of a variable, a dimension) is computed there:

[ x + V[i] | (i,x) <- A ]   ->   %v = diablo.load %V
                                 comprehension.collect { … tensor.extract %v[%i] … }
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn, TypeVar

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    AnyFloat,
    FileLineColLoc,
    IndexType,
    IntAttr,
    IntegerType,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from diablo.diagnostics import Diagnostic, Span
from diablo.dialects.complex_numbers import ToComplexOp, part_type
from diablo.dialects.defining_blocks import block_of
from diablo.dialects.monoids import number_attribute
from diablo.dialects.number_constants import constant_op
from diablo.dialects.scalar_types import is_complex, is_unsigned
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.index_sets import IndexSet
from diablo.frontend.checking.types import INT, ListType, Type
from diablo.frontend.emission.emission_scope import EmissionScope
from diablo.frontend.emission.ir_types import Value, ir_type
from diablo.frontend.emission.list_order import ListOrder
from diablo.frontend.emission.region_values import Number, RegionValue
from diablo.frontend.parsing import statements, syntax

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


@lru_cache(1 << 14)
def _location_of(span: Span) -> FileLineColLoc:
    """The start of a span; a program is imported more than once, and has several ops a place."""
    return FileLineColLoc(StringAttr(span.file), IntAttr(span.line), IntAttr(span.column))


@dataclass(frozen=True)
class Dispatch:
    """What emits the nodes of each family of syntax, whichever module knows the node."""

    expression: Callable[[Builder, syntax.Expr], Value]
    statement: Callable[[Builder, statements.Statement], None]
    region: Callable[[Builder, IndexSet], RegionValue]


class Builder:
    """Appends ops to the innermost block, with the location of what is being imported."""

    def __init__(self, checked: Checked, scope: EmissionScope, dispatch: Dispatch):
        self.checked = checked
        self.scope = scope
        self._dispatch = dispatch
        self.frames = [Frame(Block())]
        self._span: Span | None = None
        # Inside a comprehension: the number of the frame around the outermost one, and the
        # variables that were read there.
        self.rows_from: int | None = None
        self.loads: dict[SSAValue, SSAValue] = {}
        # Inside the branches of an `if` with a value, in a comprehension or loop: the number of
        # the frame around the outermost branch.
        self.branches_from: int | None = None
        # Of values that are computed before these branches, but only where they are taken: what
        # is there instead of them.
        self.lifted: dict[SSAValue, SSAValue] = {}
        self.loops = 0
        # Loops around that run in order, and none that does not: what a statement in them reads
        # outside of an array drops the statement, and is otherwise as in no loop.
        self.stepwise = 0
        # How many `while` are around.
        self.whiles = 0
        # Blocks of a loop's statement that run only where a condition holds.
        self.required: list[tuple[Block, SSAValue, Block]] = []
        self.list_order = ListOrder(checked)

    # --- Families of syntax ------------------------------------------------------------------

    def emit(self, expr: syntax.Expr) -> Value:
        """The value of an expression."""
        return self._dispatch.expression(self, expr)

    def emit_statement(self, statement: statements.Statement) -> None:
        """Emit a statement."""
        self._dispatch.statement(self, statement)

    def region_value(self, region: IndexSet) -> RegionValue:
        """The value of a region: of a declared one as it was declared."""
        return self._dispatch.region(self, region)

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
        return None if span is None else _location_of(span)

    def add(self, op: OperationT) -> OperationT:
        """Append an op."""
        location = self.location
        if location is not None:
            op.location = location
        if self.lifted:
            for number, operand in enumerate(op.operands):
                if operand in self.lifted:
                    op.operands[number] = self.current(operand)
        self.block.add_op(op)
        return op

    def current(self, value: SSAValue) -> SSAValue:
        """A value, or what is there instead of it since it was lifted."""
        while value in self.lifted:
            value = self.lifted[value]
        return value

    def unsupported(self, span: Span, what: str, hint: str | None = None) -> NoReturn:
        """Fail because the compiler cannot do something yet."""
        raise ImportFailure(Diagnostic("error", f"{what} not supported yet", span, hint))

    def constant(self, value: bool | int | float | complex, type: Attribute) -> SSAValue:
        """A number or truth value of the IR's `type`."""
        return self.add(constant_op(number_attribute(value, type))).result

    def index_constant(self, value: int) -> SSAValue:
        """An `index`."""
        return self.constant(value, IndexType())

    def as_index(self, value: SSAValue) -> SSAValue:
        """An Int as an `index`."""
        if isinstance(value.type, IndexType):
            return value
        value = self.as_scalar(value, INT)
        cast = self.add(arith.IndexCastOp(value, IndexType())).result
        cast.name_hint = value.name_hint
        return cast

    def as_scalar(self, value: SSAValue, type: Type) -> SSAValue:
        """A scalar as the scalar `type`, to which it can be promoted; no `index` is left."""
        wanted = ir_type(type)
        name = value.name_hint
        if isinstance(value.type, IndexType):
            value = self.add(arith.IndexCastOp(value, i64)).result
        if value.type != wanted:
            value = self._promoted(value, wanted)
        assert value.type == wanted, f"{value.type} is no {wanted}"
        if value.name_hint is None:
            value.name_hint = name
        return value

    def _promoted(self, value: SSAValue, wanted: Attribute) -> SSAValue:
        """A number as one of a type that holds it."""
        if is_complex(wanted):
            if isinstance(value.type, IntegerType):
                value = self._promoted(value, part_type(wanted))
            return self.add(ToComplexOp(value, wanted)).result
        if isinstance(wanted, AnyFloat):
            of_integer = arith.UIToFPOp if is_unsigned(value.type) else arith.SIToFPOp
            widen = arith.ExtFOp if isinstance(value.type, AnyFloat) else of_integer
            return self.add(widen(value, wanted)).result
        assert isa(wanted, IntegerType)
        extend = arith.ExtUIOp if is_unsigned(value.type) else arith.ExtSIOp
        return self.add(extend(value, wanted)).result

    @property
    def in_rows(self) -> bool:
        """Whether what is emitted runs once per row of a comprehension, or per iteration."""
        return self.rows_from is not None or self.loops > 0

    @contextmanager
    def comprehension(self, block: Block) -> Generator[None]:
        """Append ops to the body of a comprehension."""
        outer = self.rows_from, self.loads, self.branches_from
        if self.rows_from is None:
            self.rows_from, self.loads = len(self.frames) - 1, {}
        self.branches_from = None
        try:
            with self.into(block):
                yield
        finally:
            self.rows_from, self.loads, self.branches_from = outer

    @contextmanager
    def around(self) -> Generator[None]:
        """Append ops before the outermost comprehension, if one is being imported."""
        if self.rows_from is None:
            yield
            return
        outer = self.rows_from, self.loads, self.branches_from
        frame = self.frames[self.rows_from]
        self.rows_from, self.loads, self.branches_from = None, {}, None
        try:
            with self.into(frame):
                yield
        finally:
            self.rows_from, self.loads, self.branches_from = outer

    @contextmanager
    def beside(self, *values: SSAValue) -> Generator[None]:
        """Append ops before the outermost comprehension, if `values` are known there."""
        start = self.rows_from
        rows = set[Block]() if start is None else {f.block for f in self.frames[start + 1 :]}
        if any(block_of(value) in rows for value in values):
            yield
            return
        with self.around():
            yield

    def dimension(self, array: SSAValue, number: int) -> SSAValue:
        """One of the dimensions of an array."""
        return self.add(tensor.DimOp(array, self.index_constant(number))).result

    def is_sorted(self, source: syntax.Expr) -> bool:
        """Whether `source` is a list without an order, whose rows ascend by their columns then."""
        is_list = isinstance(self.type_of(source), ListType)
        return is_list and not self.list_order.has_order(source)

    def type_of(self, expr: syntax.Expr) -> Type:
        """The type that the checker found."""
        return self.checked.types[expr]

    def resolved(self, expr: syntax.Expr) -> syntax.Expr:
        """Return what an expression is short for."""
        while expr in self.checked.desugared:
            expr = self.checked.desugared[expr]
        return expr

    def number(self, value: Number) -> SSAValue:
        """A number as an `index`."""
        return self.index_constant(value) if isinstance(value, int) else value

    def plus(self, value: Number, other: Number, sign: int = 1) -> Number:
        """`value + other`, or with the sign -1 `value - other`."""
        if isinstance(value, int) and isinstance(other, int):
            return value + sign * other
        if other == 0:
            return value
        if isinstance(other, int) and other < 0:
            sign, other = -sign, -other
        if value == 0 and sign == 1:
            return other
        op = arith.AddiOp if sign == 1 else arith.SubiOp
        return self.add(op(self.number(value), self.number(other))).result
