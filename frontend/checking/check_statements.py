"""Checks statements, each by the module that knows its kind."""

from __future__ import annotations

from collections.abc import Sequence

from diablo.frontend.checking.certain_failures import divisions_by_zero
from diablo.frontend.checking.check_assignments import (
    assigned_variable,
    check_assignment,
    note_update,
)
from diablo.frontend.checking.check_comprehensions import check_source
from diablo.frontend.checking.check_declarations import check_def, check_input, check_var
from diablo.frontend.checking.check_monoids import check_monoid_definition
from diablo.frontend.checking.check_operators import check_condition, check_int, note_pairs
from diablo.frontend.checking.check_region_accesses import note_range, note_source, where
from diablo.frontend.checking.check_region_expressions import linear
from diablo.frontend.checking.check_regions import check_region
from diablo.frontend.checking.check_typemaps import check_typemap, show_mapped
from diablo.frontend.checking.checker import Checker
from diablo.frontend.checking.constants import constant_of
from diablo.frontend.checking.extents import INLINING_HINT, extent_of
from diablo.frontend.checking.index_sets import Bounds
from diablo.frontend.checking.types import (
    INT,
    MappedType,
    NothingType,
    Type,
    UnknownType,
    has_unknown,
    mentions,
)
from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.tree_walk import walk


def assigned_names(program: statements.Program) -> frozenset[str]:
    """The names of variables that some statement changes."""
    targets = [n.target for n in walk(program) if isinstance(n, statements.Assign)]
    bases = [assigned_variable(target) for target in targets]
    return frozenset(base.name for base in bases if base is not None)


def check_statements(
    checker: Checker, body: Sequence[statements.Statement], *, top_level: bool
) -> None:
    """Check statements that follow each other in one scope."""
    if top_level:
        named = (statements.Input, statements.Var, statements.Def, statements.RegionDef)
        checker.declarations = {s.name.name: s.name.span for s in body if isinstance(s, named)}
    for number, statement in enumerate(body):
        checker.top_level = top_level
        known = len(checker.errors)
        if isinstance(statement, statements.ExprStatement):
            last = top_level and number == len(body) - 1
            _check_expression_statement(checker, statement, last)
        else:
            check_statement(checker, statement)
        if top_level:
            _check_divisions(checker, statement)
        if len(checker.errors) == known:
            _check_extent(checker, statement)


def show_variables(checker: Checker, program: statements.Program) -> None:
    """Note what the variables that a program may give to its caller look like there."""
    for statement in program.statements:
        if not isinstance(statement, statements.Var):
            continue
        symbol = checker.checked.symbols[statement.name]
        if mentions(symbol.type, MappedType) and not has_unknown(symbol.type):
            shown = syntax.Name(statement.name.span, statement.name.name)
            checker.checked.symbols[shown] = symbol
            checker.checked.types[shown] = symbol.type
            checker.checked.shown[statement.name] = shown
            show_mapped(checker, shown, symbol.type)


def _check_divisions(checker: Checker, statement: statements.Statement) -> None:
    """Check that no integer is sure to be divided by zero."""
    for division in divisions_by_zero(statement):
        if checker.checked.types.get(division) == INT:
            hint = "a division of Double values gives inf or nan: 1.0/0.0"
            checker.error(division.span, "this divides by zero", hint)


def _check_extent(checker: Checker, statement: statements.Statement) -> None:
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
        fault = extent_of(expr, checker.checked).fault
        if fault is not None:
            message = f"this is {fault} once the functions that it calls are inlined"
            checker.error(statement.span, message, INLINING_HINT)
            return


def check_body(checker: Checker, statement: statements.Statement) -> None:
    """Check the body of a loop, a branch or a block, in a scope of its own."""
    body = statement.body if isinstance(statement, statements.Block) else (statement,)
    with checker.inner_scope():
        check_statements(checker, body, top_level=False)


def _check_expression_statement(
    checker: Checker, statement: statements.ExprStatement, last: bool
) -> None:
    type = checker.check(statement.value)
    is_hint = isinstance(statement.value, syntax.Call) and statement.value.function == "cache"
    if not last and not is_hint and not isinstance(type, UnknownType):
        hint = "only the last statement of a program gives its result"
        checker.error(statement.span, "the value of this expression is not used", hint)
    elif last:
        _check_result(checker, statement.value, type)
        show_mapped(checker, statement.value, type)


def _check_result(checker: Checker, expr: syntax.Expr, type: Type) -> None:
    """Check that a value can be given to the caller."""
    if isinstance(expr, syntax.TupleExpr):
        for item in expr.items:
            _check_result(checker, item, checker.checked.types[item])
    elif mentions(type, NothingType):
        message = "the elements of this empty list have no type"
        checker.error(expr.span, message, "give it one in a variable: var x: list[Int] = [];")


def check_statement(checker: Checker, statement: statements.Statement) -> None:
    """Check one statement."""
    match statement:
        case statements.Input():
            check_input(checker, statement)
        case statements.Var():
            check_var(checker, statement)
        case statements.Def():
            check_def(checker, statement)
        case statements.MonoidDef():
            check_monoid_definition(checker, statement)
        case statements.Typemap():
            check_typemap(checker, statement)
        case statements.RegionDef():
            check_region(checker, statement)
        case statements.Assign():
            check_assignment(checker, statement)
        case statements.For():
            _check_for(checker, statement)
        case statements.ForIn():
            with checker.inner_scope():
                rows = check_source(checker, statement.source)
                checker.bind(statement.pattern, rows, "loop variable")
                note_pairs(checker, statement.pattern, statement.source, "in")
                note_source(checker, statement.pattern, statement.source)
                _check_loop_body(checker, statement.body)
        case statements.While():
            check_condition(checker, statement.condition, "`while`")
            check_body(checker, statement.body)
        case statements.If():
            check_condition(checker, statement.condition, "`if`")
            with where(checker, statement.condition):
                check_body(checker, statement.then)
            if statement.otherwise is not None:
                with checker.guarded():
                    check_body(checker, statement.otherwise)
            note_update(checker, statement)
        case statements.Block():
            check_body(checker, statement)
        case statements.Extremum():
            raise AssertionError("no source has this form")
        case statements.ExprStatement():
            _check_expression_statement(checker, statement, last=False)


def _check_loop_body(checker: Checker, body: statements.Statement) -> None:
    checker.loops += 1
    check_body(checker, body)
    checker.loops -= 1


def _check_for(checker: Checker, statement: statements.For) -> None:
    check_int(checker, statement.lower, "the first value of a loop")
    check_int(checker, statement.upper, "the last value of a loop")
    if statement.step is not None:
        check_int(checker, statement.step, "the step of a loop")
        if constant_of(statement.step) == 0:
            checker.error(statement.step.span, "the step of a loop cannot be zero")
    with checker.inner_scope():
        checker.bind(statement.name, INT, "loop variable")
        if statement.step is None:
            bounds = Bounds(linear(checker, statement.lower), linear(checker, statement.upper))
            note_range(checker, statement.name, bounds)
        _check_loop_body(checker, statement.body)
