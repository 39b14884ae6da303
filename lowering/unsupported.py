"""The error for what a lowering cannot do, at the place in the source that it stands for."""

from __future__ import annotations

from xdsl.ir import Operation

from diablo.diagnostics import CompileError, Diagnostic
from diablo.dialects.locations import span_of


def unsupported(op: Operation, message: str | None = None) -> CompileError:
    """A located error; without a message, that `op` has no place in a kernel."""
    message = message or f"{op.name} is not supported in a block kernel"
    return CompileError([Diagnostic("error", message, span_of(op))])
