"""What a test of messages needs: programs with a mark, checked against what is reported.

`«…»` in a program is what the message must mark; it is no part of the program.
"""

from __future__ import annotations

import pytest

from diablo.diagnostics import CompileError, Diagnostic
from diablo.frontend.importer import import_program


def errors_of(program: str) -> list[Diagnostic]:
    """The errors of a program."""
    with pytest.raises(CompileError) as caught:
        import_program(program, "test.diablo")
    return list(caught.value.diagnostics)


def check(program: str, message: str, hint: str | None) -> None:
    """Check that a program has one error, with this text, at the marked place."""
    before, marked = program.split("«", 1)
    marked, after = marked.split("»", 1)
    (error,) = errors_of(before + marked + after)
    assert error.message == message
    assert error.severity == "error"
    assert error.hint == hint
    assert error.span is not None
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1) + 1
    assert (error.span.line, error.span.column) == (line, column)
    assert error.span.end_column == column + max(1, len(marked))
