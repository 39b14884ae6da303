"""Checks a program: declarations, statements, and which variables may be assigned.

`check_program` gives every expression a type and every name a meaning, or raises all errors.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial

from diablo.diagnostics import CompileError
from diablo.frontend.checking.certain_failures import divisions_by_zero
from diablo.frontend.checking.check_assignments import AssignmentChecker, assigned_variable
from diablo.frontend.checking.check_declarations import DeclarationChecker
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.constants import constant_of
from diablo.frontend.checking.extents import INLINING_HINT, extent_of
from diablo.frontend.checking.index_sets import Bounds
from diablo.frontend.checking.suggested_types import suggested_types
from diablo.frontend.checking.types import (
    INT,
    MappedType,
    NothingType,
    Type,
    UnknownType,
    mentions,
)
from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.shown_errors import first_of
from diablo.frontend.parsing.tokens import Source
from diablo.frontend.parsing.tree_walk import walk

# Every level of an expression takes a few calls of the checker and the emitter.
_STACK = 6000


def check_program(program: statements.Program, source: Source) -> Checked:
    """Check a program; raise `CompileError` with every error."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _STACK))
    checker = Checker(assigned_names(program), source.lines)
    checker.suggest = partial(suggested_types, program)
    checker.check_statements(program.statements, top_level=True)
    if checker.errors:
        raise CompileError(first_of(checker.errors), {source.file: source.text})
    return checker.checked


def assigned_names(program: statements.Program) -> frozenset[str]:
    """The names of variables that some statement changes."""
    targets = [n.target for n in walk(program) if isinstance(n, statements.Assign)]
    bases = [assigned_variable(target) for target in targets]
    return frozenset(base.name for base in bases if base is not None)


class Checker(DeclarationChecker, AssignmentChecker):
    """The whole checker."""

    def __init__(self, assigned: frozenset[str] = frozenset(), lines: Sequence[str] = ()) -> None:
        super().__init__()
        self.assigned = assigned
        self.lines = lines

    def check_statements(self, body: Sequence[statements.Statement], *, top_level: bool) -> None:
        """Check statements that follow each other in one scope."""
        if top_level:
            named = (statements.Input, statements.Var, statements.Def, statements.RegionDef)
            self.declarations = {s.name.name: s.name.span for s in body if isinstance(s, named)}
        for number, statement in enumerate(body):
            self.top_level = top_level
            known = len(self.errors)
            if isinstance(statement, statements.ExprStatement):
                last = top_level and number == len(body) - 1
                self._check_expression_statement(statement, last)
            else:
                self.check_statement(statement)
            if top_level:
                self._check_divisions(statement)
            if len(self.errors) == known:
                self._check_extent(statement)

    def _check_divisions(self, statement: statements.Statement) -> None:
        """Check that no integer is sure to be divided by zero."""
        for division in divisions_by_zero(statement):
            if self.checked.types.get(division) == INT:
                self.error(division.span, "this divides by zero")

    def _check_extent(self, statement: statements.Statement) -> None:
        """Check that no expression of a statement becomes too large."""
        match statement:
            case statements.Var() | statements.Assign() | statements.ExprStatement():
                exprs = [statement]
            case statements.If() | statements.While():
                exprs = [statement.condition]
            case statements.For():
                exprs = [statement.lower, statement.upper, statement.step]
            case statements.ForIn():
                exprs = [statement.source]
            case _:
                return
        for expr in exprs:
            fault = extent_of(expr, self.checked).fault
            if fault is not None:
                message = f"this is {fault} once the functions that it calls are inlined"
                self.error(statement.span, message, INLINING_HINT)
                return

    def check_body(self, statement: statements.Statement) -> None:
        """Check the body of a loop, a branch or a block, in a scope of its own."""
        body = statement.body if isinstance(statement, statements.Block) else (statement,)
        with self.inner_scope():
            self.check_statements(body, top_level=False)

    def _check_expression_statement(self, statement: statements.ExprStatement, last: bool) -> None:
        type = self.check(statement.value)
        is_hint = isinstance(statement.value, syntax.Call) and statement.value.function == "cache"
        if not last and not is_hint and not isinstance(type, UnknownType):
            hint = "only the last statement of a program gives its result"
            self.error(statement.span, "the value of this expression is not used", hint)
        elif last:
            self._check_result(statement.value, type)

    def _check_result(self, expr: syntax.Expr, type: Type) -> None:
        """Check that a value can be given to the caller."""
        if isinstance(expr, syntax.TupleExpr):
            for item in expr.items:
                self._check_result(item, self.checked.types[item])
        elif isinstance(type, MappedType):
            self.view_mapped(expr, type)
        elif mentions(type, NothingType):
            message = "the elements of this empty list have no type"
            self.error(expr.span, message, "give it one in a variable: var x: list[Int] = [];")

    def check_statement(self, statement: statements.Statement) -> None:
        """Check one statement."""
        match statement:
            case statements.Input():
                self.check_input(statement)
            case statements.Var():
                self.check_var(statement)
            case statements.Def():
                self.check_def(statement)
            case statements.MonoidDef():
                self.check_monoid_definition(statement)
            case statements.Typemap():
                self.check_typemap(statement)
            case statements.RegionDef():
                self.check_region(statement)
            case statements.Assign():
                self.check_assignment(statement)
            case statements.For():
                self._check_for(statement)
            case statements.ForIn():
                with self.inner_scope():
                    rows = self.check_source(statement.source)
                    self.bind(statement.pattern, rows, "loop variable")
                    self.note_pairs(statement.pattern, statement.source, "in")
                    self.note_source(statement.pattern, statement.source)
                    self._check_loop_body(statement.body)
            case statements.While():
                self.check_condition(statement.condition, "`while`")
                self.check_body(statement.body)
            case statements.If():
                self.check_condition(statement.condition, "`if`")
                with self.where(statement.condition):
                    self.check_body(statement.then)
                if statement.otherwise is not None:
                    with self.guarded():
                        self.check_body(statement.otherwise)
                self.note_update(statement)
            case statements.Block():
                self.check_body(statement)
            case statements.Extremum():
                raise AssertionError("no source has this form")
            case statements.ExprStatement():
                self._check_expression_statement(statement, last=False)

    # --- Loops -----------------------------------------------------------------------------

    def _check_loop_body(self, body: statements.Statement) -> None:
        self.loops += 1
        self.check_body(body)
        self.loops -= 1

    def _check_for(self, statement: statements.For) -> None:
        self.check_int(statement.lower, "the first value of a loop")
        self.check_int(statement.upper, "the last value of a loop")
        if statement.step is not None:
            self.check_int(statement.step, "the step of a loop")
            if constant_of(statement.step) == 0:
                self.error(statement.step.span, "the step of a loop cannot be zero")
        with self.inner_scope():
            self.bind(statement.name, INT, "loop variable")
            if statement.step is None:
                bounds = Bounds(self.linear(statement.lower), self.linear(statement.upper))
                self.note_range(statement.name, bounds)
            self._check_loop_body(statement.body)
