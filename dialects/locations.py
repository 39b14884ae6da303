"""Source locations of operations: from an op to a `Span`, and from op to op.

Rewrites drop locations, so whoever makes an op says what it stands for:
`located(arith.AddfOp(a, b), like=op)`.
"""

from __future__ import annotations

from typing import TypeVar, cast

from xdsl.dialects.builtin import ArrayAttr, CallSiteLoc, FileLineColLoc, FusedLoc, NameLoc
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from diablo.diagnostics import Diagnostic, Span, report

OperationT = TypeVar("OperationT", bound=Operation)


def _file_location(location: Attribute) -> FileLineColLoc | None:
    """The first place in a file that a location names."""
    match location:
        case FileLineColLoc():
            return location
        case NameLoc():
            return _file_location(location.location)
        case CallSiteLoc():
            return _file_location(location.callee)
        case FusedLoc():
            for part in cast(ArrayAttr[Attribute], location.locations):
                if (found := _file_location(part)) is not None:
                    return found
            return None
        case _:
            return None


def span_of(op: Operation) -> Span | None:
    """The place in the source that `op` stands for, or the nearest enclosing op's.

    A location marks one character; the end of the construct is not kept in the IR.
    """
    ancestor: Operation | None = op
    while ancestor is not None:
        span = _span(ancestor.location)
        if span is not None:
            return span
        ancestor = ancestor.parent_op()
    return None


def _span(location: Attribute) -> Span | None:
    """The character that a location marks."""
    found = _file_location(location)
    if found is None:
        return None
    line, column = found.line.data, found.column.data
    return Span(found.filename.data, line, column, column + 1)


def remark(place: Operation | BlockArgument, message: str) -> None:
    """Say what was decided about an op or an argument, and why, at its place."""
    span = span_of(place) if isinstance(place, Operation) else _span(place.location)
    report(Diagnostic("remark", message, span))


def located(op: OperationT, like: Operation) -> OperationT:
    """Give `op` the location of `like`, and return it."""
    op.location = like.location
    return op


def named(value: SSAValue, like: SSAValue) -> SSAValue:
    """Give `value` the name hint of `like` if it has none, and return it."""
    if value.name_hint is None:
        value.name_hint = like.name_hint
    return value
