"""Checks a program: `check_program` gives every expression a type and every name a meaning."""

from __future__ import annotations

import sys
from functools import partial

from diablo.diagnostics import CompileError, Diagnostic, Span, first_of
from diablo.frontend.checking.check_expressions import check_expression
from diablo.frontend.checking.check_regions import region_of
from diablo.frontend.checking.check_statements import (
    assigned_names,
    check_statements,
    show_variables,
)
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.checker import Checker, Dispatch
from diablo.frontend.checking.literals import check_integers
from diablo.frontend.checking.suggested_types import suggested_types
from diablo.frontend.parsing import statements
from diablo.frontend.parsing.tokens import Source

# Every level of an expression takes a few calls of the checker and the emitter.
_STACK = 6000


def check_program(program: statements.Program, source: Source) -> Checked:
    """Check a program; raise `CompileError` with every error."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _STACK))
    suggest = partial(suggested_types, program)
    dispatch = Dispatch(check_expression, region_of)
    checker = Checker(dispatch, assigned_names(program), source.lines, suggest)
    if not program.statements:
        message, hint = "the program is empty", "the value of its last expression is its result"
        empty = Diagnostic("error", message, Span(source.file, 1, 1, 2), hint)
        raise CompileError([empty], {source.file: source.text})
    check_statements(checker, program.statements, top_level=True)
    if not checker.errors:
        show_variables(checker, program)
        # Beside what is wrong they may have been given no type.
        check_integers(checker)
    if checker.errors:
        raise CompileError(first_of(checker.errors), {source.file: source.text})
    return checker.checked
