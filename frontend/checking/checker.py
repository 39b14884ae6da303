"""Checks a program: declarations, statements, and which variables may be assigned.

`check_program` gives every expression a type and every name a meaning, or raises all errors.
"""

from __future__ import annotations

from collections.abc import Sequence

from diablo.diagnostics import CompileError
from diablo.frontend.checking.check_comprehensions import ComprehensionChecker
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.constants import constant_of
from diablo.frontend.checking.scope import Function, did_you_mean
from diablo.frontend.checking.types import (
    INT,
    UNKNOWN,
    ArrayType,
    ListType,
    TupleType,
    Type,
    UnknownType,
    fits,
    has_unknown,
    is_key,
)
from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.tokens import Source
from diablo.frontend.parsing.tree_walk import find_call


def check_program(program: statements.Program, source: Source) -> Checked:
    """Check a program; raise `CompileError` with every error."""
    checker = Checker()
    checker.check_statements(program.statements, top_level=True)
    if checker.errors:
        errors = sorted(
            checker.errors, key=lambda e: (e.span.line, e.span.column) if e.span else (0, 0)
        )
        raise CompileError(errors, {source.file: source.text})
    return checker.checked


class Checker(ComprehensionChecker):
    """The whole checker."""

    def __init__(self) -> None:
        super().__init__()
        self.top_level = True
        self.loops = 0

    def check_statements(self, body: Sequence[statements.Statement], *, top_level: bool) -> None:
        """Check statements that follow each other in one scope."""
        for number, statement in enumerate(body):
            self.top_level = top_level
            if isinstance(statement, statements.ExprStatement):
                last = top_level and number == len(body) - 1
                self._check_expression_statement(statement, last)
            else:
                self.check_statement(statement)

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

    def check_statement(self, statement: statements.Statement) -> None:
        """Check one statement."""
        match statement:
            case statements.Input():
                self._check_input(statement)
            case statements.Var():
                self._check_var(statement)
            case statements.Def():
                self._check_def(statement)
            case statements.MonoidDef():
                self.unsupported(statement.span, "monoids of the program's own are")
            case statements.Typemap():
                self.unsupported(statement.span, "typemaps are")
            case statements.RegionDef():
                self.unsupported(statement.span, "regions are")
            case statements.Assign():
                self._check_assign(statement)
            case statements.For():
                self._check_for(statement)
            case statements.ForIn():
                with self.inner_scope():
                    rows = self.check_source(statement.source)
                    self.bind(statement.pattern, rows, "loop variable")
                    self._check_loop_body(statement.body)
            case statements.While():
                if self.loops:
                    self.unsupported(statement.span, "a `while` inside a `for` is")
                self.check_condition(statement.condition, "`while`")
                self.check_body(statement.body)
            case statements.If():
                self.check_condition(statement.condition, "`if`")
                self.check_body(statement.then)
                if statement.otherwise is not None:
                    self.check_body(statement.otherwise)
            case statements.Block():
                self.check_body(statement)
            case statements.ExprStatement():
                self._check_expression_statement(statement, last=False)

    # --- Declarations ----------------------------------------------------------------------

    def _check_input(self, statement: statements.Input) -> None:
        type = self.resolve(statement.type)
        if not self.top_level:
            self.error(statement.span, "inputs are declared at the top of a program only")
        if isinstance(type, TupleType):
            hint = "declare one input for each part"
            type = self.error(statement.type.span, f"an input cannot have the type {type}", hint)
        if isinstance(type, ListType) and not is_key(type.element):
            type = self.unsupported(statement.type.span, f"inputs of type {type} are")
        if statement.default is not None:
            self._check_default(statement, statement.default, type)
        self.declare(statement.name, "input", type)

    def _check_default(self, statement: statements.Input, default: syntax.Expr, type: Type) -> None:
        name = statement.name.name
        if isinstance(type, ArrayType | ListType):
            self.error(default.span, f"an input of type {type} has no default")
        elif constant_of(default) is None:
            hint = "the default of an input is a number, `true` or `false`"
            self.error(default.span, "this default is not a constant", hint)
        elif not fits(found := self.check(default), type):
            message = f"the default of `{name}` has type {found}, and `{name}` is {type}"
            self.error(default.span, message)

    def _check_var(self, statement: statements.Var) -> None:
        type = self.resolve(statement.type) if statement.type is not None else None
        if statement.region is not None:
            self.unsupported(statement.span, "arrays over regions are")
            self.declare(statement.name, "variable", UNKNOWN)
            return
        assert statement.init is not None
        found = self.check(statement.init)
        if type is None:
            type = found
        elif not fits(found, type):
            hint = None
            if (str(found), str(type)) == ("Double", "Float"):
                hint = "a Float is written with an `f`: 1.5f"
            message = f"`{statement.name.name}` is declared {type}, and this is {found}"
            self.error(statement.init.span, message, hint)
        if isinstance(type, TupleType):
            hint = "use one variable for each part"
            type = self.unsupported(statement.init.span, f"variables of type {type} are", hint)
        if self.loops:
            hint = "declare it before the loop"
            self.unsupported(statement.span, "declaring a variable inside a `for` is", hint)
        self.declare(statement.name, "variable", type)

    def _check_def(self, statement: statements.Def) -> None:
        name = statement.name.name
        if name in self.scope.functions or name in self.scope.symbols:
            self.error(statement.name.span, f"`{name}` is declared twice")
        with self.inner_scope() as scope:
            parameters = [
                self.declare(pattern, "parameter", self.resolve(type))
                for pattern, type in statement.parameters
            ]
            calls_itself = find_call(statement.body, name)
            if calls_itself is not None:
                self.error(calls_itself.span, f"`{name}` calls itself: recursion is not allowed")
                scope.functions[name] = Function(statement, parameters, UNKNOWN)
            found = self.check(statement.body)
        result = self.resolve(statement.result) if statement.result is not None else found
        if not fits(found, result):
            message = f"`{name}` is declared to give {result}, and this is {found}"
            self.error(statement.body.span, message)
        self.scope.functions[name] = Function(statement, parameters, result)

    # --- Loops and assignments -------------------------------------------------------------

    def _check_loop_body(self, body: statements.Statement) -> None:
        self.loops += 1
        self.check_body(body)
        self.loops -= 1

    def _check_for(self, statement: statements.For) -> None:
        self.check_int(statement.lower, "the first value of a loop")
        self.check_int(statement.upper, "the last value of a loop")
        if statement.step is not None:
            self.check_int(statement.step, "the step of a loop")
            step = constant_of(statement.step)
            if step is None:
                self.unsupported(statement.step.span, "a step that is not a constant is")
            elif step == 0:
                self.error(statement.step.span, "the step of a loop cannot be zero")
        with self.inner_scope():
            self.bind(statement.name, INT, "loop variable")
            self._check_loop_body(statement.body)

    def _check_assign(self, statement: statements.Assign) -> None:
        value = self.check(statement.value)
        target, type = statement.target, self._check_target(statement.target)
        cells = type.element if isinstance(type, ArrayType) else type
        if statement.monoid is not None:
            accumulates = self.monoid_of(statement, statement.monoid, cells)
            if accumulates is None:
                return
            # `A += 1.0` adds to every cell.
            type = cells if not isinstance(value, ArrayType) else type
        if not fits(value, type):
            what = "this element" if isinstance(target, syntax.Index) else "`" + _name(target) + "`"
            self.error(
                statement.value.span,
                f"a value of type {value} cannot be assigned to {what}, which is {type}",
            )

    def _check_target(self, target: syntax.Expr) -> Type:
        base = target.base if isinstance(target, syntax.Index) else target
        if isinstance(target, syntax.Field) or not isinstance(base, syntax.Name):
            return self.unsupported(target.span, "assigning a part of a value is")
        symbol = self.scope.find(base.name)
        if symbol is None:
            if self.scope.find_function(base.name):
                return self.error(base.span, f"`{base.name}` is a function, not a variable")
            variables = [n for n in self.scope.names() if n != "_"]
            hint = did_you_mean(base.name, variables) or f"declare it: var {base.name} = …;"
            return self.error(base.span, f"`{base.name}` is not declared", hint)
        if symbol.kind != "variable" and not has_unknown(symbol.type):
            article = "an" if symbol.kind == "input" else "a"
            hint = None
            if symbol.kind == "input":
                hint = f"copy it to a variable: var {base.name}2 = {base.name};"
            message = f"`{base.name}` is {article} {symbol.kind} and cannot be assigned"
            return self.error(base.span, message, hint)
        return self.check(target)


def _name(target: syntax.Expr) -> str:
    return target.name if isinstance(target, syntax.Name | syntax.Field) else ""
