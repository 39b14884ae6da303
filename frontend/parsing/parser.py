"""Parses a program: a hand-written recursive-descent parser that recovers at statements.

for i = 0, n-1 do V[i] += 1;   ->   For(i, 0, n-1, Assign(V[i], 1, monoid +))
"""

from __future__ import annotations

from difflib import get_close_matches

from diablo.diagnostics import CompileError, Diagnostic
from diablo.frontend.parsing import statements, syntax, type_syntax
from diablo.frontend.parsing.expression_parser import ExpressionParser
from diablo.frontend.parsing.idioms import STATEMENTS
from diablo.frontend.parsing.lexer import divided_comments, tokenize
from diablo.frontend.parsing.shown_errors import first_of
from diablo.frontend.parsing.token_stream import MAX_STATEMENT_NESTING, SyntaxFailure
from diablo.frontend.parsing.tokens import Source, Token

_STATEMENT_WORDS = ("var", "def", "for", "while")
_DECLARATIONS = ("input", "region", "monoid", "typemap")
_FIRST_WORDS = (*_STATEMENT_WORDS, "if", *_DECLARATIONS)
_LOOPS = "loops are written `for i = 0, n-1 do …` or `for x in e do …`"
_ASSIGNMENTS = {"+=": "+", "*=": "*", "&&=": "&&", "||=": "||"}


def parse(source: Source) -> statements.Program:
    """Parse a program; raise `CompileError` with every syntax error."""
    tokens, diagnostics = tokenize(source)
    parser = Parser(source, tokens)
    program = parser.parse_program()
    # Text that is no token makes the rest of its statement unreadable as well.
    if not diagnostics:
        diagnostics = parser.diagnostics
    if diagnostics:
        # What has become a comment may be what is missing.
        found = [*divided_comments(source), *first_of(diagnostics)]
        raise CompileError(found, {source.file: source.text})
    return program


def parse_expression(text: str) -> syntax.Expr:
    """Parse an expression that the compiler itself writes."""
    source = Source(text, "")
    tokens, _ = tokenize(source)
    return Parser(source, tokens).parse_expression()


class Parser(ExpressionParser):
    """The whole parser; `diagnostics` holds the errors from which it recovered."""

    def __init__(self, source: Source, tokens: list[Token]):
        super().__init__(source, tokens)
        self.diagnostics: list[Diagnostic] = []

    def parse_program(self) -> statements.Program:
        """Parse statements up to the end."""
        parsed: list[statements.Statement] = []
        while self.token.kind != "end":
            parsed += self._parse_recovering()
            stray = self.accept("}")
            if stray is not None:
                self._report(SyntaxFailure(self._stray(stray)))
        return statements.Program(parsed)

    def _stray(self, token: Token) -> Diagnostic:
        return Diagnostic("error", "this `}` closes no block", self.source.span(token))

    # --- Recovery --------------------------------------------------------------------------

    def _parse_recovering(self) -> list[statements.Statement]:
        """Parse statements up to `}` or the end; after an error go on with the next one."""
        parsed: list[statements.Statement] = []
        nesting = self.nesting
        while self.token.kind != "end" and not self.token.is_op("}"):
            if self.accept(";"):
                continue
            start = self.position
            try:
                parsed.append(self.parse_statement())
                self._expect_separator(start)
            except SyntaxFailure as failure:
                self._report(failure)
                self.nesting, self.brackets = nesting, 0
                self._skip_statement(start)
        return parsed

    def _expect_separator(self, start: int) -> None:
        """Check that a statement ends where the next one begins."""
        token = self.token
        if token.kind == "end" or token.is_op(";", "}") or self.previous.is_op("}"):
            return
        if token.line == self.previous.line and not token.is_name(*_FIRST_WORDS):
            message = f"expected `;` or a new line after this statement, found {self.describe()}"
            # `inptu n: Int` reads as the statement `inptu`, and another one.
            alone = self.previous if self.position == start + 1 else token
            meant = get_close_matches(alone.text, _FIRST_WORDS, n=1, cutoff=0.6)
            if meant and alone is not token and token.kind == "name":
                self.fail(message, alone, f"did you mean `{meant[0]}`?")
            self.fail(message, hint=STATEMENTS.get(token.text) or STATEMENTS.get(alone.text))

    def _report(self, failure: SyntaxFailure) -> None:
        self.diagnostics.append(failure.diagnostic)

    def _skip_statement(self, start: int) -> None:
        """Go to where the next statement probably begins."""
        if self.position == start:
            self.take()
        blocks = 0
        while self.token.kind != "end":
            if blocks == 0 and (self.previous.is_op(";") or self.token.is_op("}")):
                return
            if self.token.is_op("{"):
                blocks += 1
            elif self.token.is_op("}"):
                blocks -= 1
                if blocks == 0:
                    self.take()
                    return
            first_of_line = self.token.line != self.previous.line
            if first_of_line and self.token.is_name(*_FIRST_WORDS):
                return
            self.take()

    # --- Statements ------------------------------------------------------------------------

    def parse_statement(self) -> statements.Statement:
        """Parse one statement."""
        self.enter(MAX_STATEMENT_NESTING)
        first = self.token
        statement: statements.Statement
        if first.is_op("{"):
            statement = self._parse_block()
        elif first.is_name(*_DECLARATIONS) and self.peek().kind == "name":
            statement = self._parse_declaration(first)
        elif first.is_name("var"):
            statement = self._parse_var()
        elif first.is_name("def"):
            statement = self._parse_def()
        elif first.is_name("for"):
            statement = self._parse_for()
        elif first.is_name("while"):
            self.take()
            condition = self.parse_condition("while")
            body = self.parse_statement()
            statement = statements.While(self.source.span(first), condition, body)
        elif first.is_name("if"):
            statement = self._parse_if()
        else:
            statement = self._parse_assignment()
        self.nesting -= 1
        return statement

    def _parse_block(self) -> statements.Statement:
        first = self.take()
        body = self._parse_recovering()
        if not self.accept("}"):
            self.fail("this block is never closed with `}`", first)
        return statements.Block(self.source.span(first), body)

    def _parse_if(self) -> statements.Statement:
        first = self.take()
        condition = self.parse_condition("if")
        then = self.parse_statement()
        if self.token.is_op(";") and self.peek().is_name("else"):
            self.take()
        otherwise = self.parse_statement() if self.accept("else") else None
        if isinstance(then, statements.ExprStatement) and isinstance(
            otherwise, statements.ExprStatement
        ):
            span = self.span_from(first)
            value = syntax.IfExpr(span, condition, then.value, otherwise.value)
            return statements.ExprStatement(span, value)
        return statements.If(self.source.span(first), condition, then, otherwise)

    def _parse_for(self) -> statements.Statement:
        first = self.take()
        pattern = self.pattern_of(self.parse_primary())
        if self.accept("in"):
            source = self.parse_region()
            span = self.span_from(first)
            self.expect("do", "before the body of this `for`", _LOOPS)
            return statements.ForIn(span, pattern, source, self.parse_statement())
        if not self.token.is_op("="):
            self.fail(
                f"expected `=` or `in` after `for`, found {self.describe()}",
                hint=_LOOPS,
            )
        self.take()
        if not isinstance(pattern, syntax.NamePattern):
            self.fail_at(pattern.span, "a `for` over a range has one variable")
        lower = self.parse_expression()
        self.expect(",", "between the bounds of this `for`", _LOOPS)
        upper = self.parse_expression()
        step = self.parse_expression() if self.accept(",") else None
        span = self.span_from(first)
        self.expect("do", "before the body of this `for`", _LOOPS)
        return statements.For(span, pattern, lower, upper, step, self.parse_statement())

    def _parse_assignment(self) -> statements.Statement:
        first = self.token
        value = self.parse_expression()
        op = self.token
        if op.is_op("="):
            monoid = None
        elif op.kind == "op" and op.text in _ASSIGNMENTS:
            monoid = _ASSIGNMENTS[op.text]
        elif op.is_op("-=", "/=", "%="):
            monoid = None
        elif op.kind == "name" and self.peek().is_op("=") and self.adjacent():
            monoid = self.take().text
        else:
            if op.is_op(")", "]", ",", ":", "|"):
                hint = "assignments are written `=`" if self.peek().is_op("=") else None
                self.fail(f"expected the end of the statement, found {self.describe()}", hint=hint)
            return statements.ExprStatement(self.span_from(first), value)
        op = self.take()
        if not isinstance(value, syntax.Name | syntax.Index | syntax.Field):
            hint = "comparisons are written `==`" if monoid is None else None
            if isinstance(value, syntax.TupleExpr):
                hint = "assign each part by itself"
            message = "only a variable or an array element can be assigned"
            self.fail_at(value.span, message, hint)
        span, operand = self.source.span(first, op), self.parse_expression()
        if op.is_op("-=", "/=", "%="):
            # No monoids: `d -= e` is `d = d - e`.
            operand = syntax.Binary(span, op.text[0], value, operand)
        return statements.Assign(span, value, operand, monoid)

    # --- Declarations ----------------------------------------------------------------------

    def _parse_declaration(self, first: Token) -> statements.Statement:
        self.take()
        name = self.parse_new_name(f"this {first.text}")
        if first.text == "input":
            self.expect(":", f"after `input {name.name}`", f"input {name.name}: Int = 10;")
            type = self.parse_type()
            default = self.parse_expression() if self.accept("=") else None
            return statements.Input(self.span_from(first), name, type, default)
        if first.text == "monoid":
            self.monoids.add(name.name)
            hint = f"monoid {name.name}(Int) = (zero, (x, y) => …);"
            self.expect("(", f"after `monoid {name.name}`", hint)
            type = self.parse_type()
            self.expect(")", "after the type of this monoid")
            self.expect("=", "before the definition of this monoid")
            definition = self.parse_expression()
            return statements.MonoidDef(self.span_from(first), name, type, definition)
        if first.text == "typemap":
            return self._parse_typemap(first, name)
        self.expect("=", "before the definition of this region")
        base = self.parse_expression()
        clauses = self.parse_clauses()
        return statements.RegionDef(self.span_from(first), name, base, clauses)

    def _parse_typemap(self, first: Token, name: syntax.NamePattern) -> statements.Statement:
        self.typemaps.add(name.name)
        hint = "typemap t(n: Int): matrix[Double] { def view(…)… def store(…)… }"
        self.expect("(", f"after `typemap {name.name}`", hint)
        parameters = self.parse_items(")", "after the parameters", self._parse_parameter)
        self.expect(":", "before the type of this typemap", hint)
        type = self.parse_type()
        first_of_body = self.expect("{", "before the functions of this typemap", hint)
        functions: list[statements.Def] = []
        for statement in self._parse_recovering():
            if not isinstance(statement, statements.Def):
                message = "a typemap holds functions only"
                self.diagnostics.append(Diagnostic("error", message, statement.span, hint))
            else:
                functions.append(statement)
        if not self.accept("}"):
            self.fail("this typemap is never closed with `}`", first_of_body)
        return statements.Typemap(self.span_from(first), name, parameters, type, functions)

    def _parse_var(self) -> statements.Statement:
        first = self.take()
        name = self.parse_new_name("a variable")
        type = self.parse_type() if self.accept(":") else None
        region = fill = init = None
        if type is not None and self.accept("over"):
            region = self.parse_region()
            fill = self.parse_expression() if self.accept("fill") else None
        if region is None or self.token.is_op("="):
            hint = "a variable needs a first value: var x = 0;"
            self.expect("=", f"after `var {name.name}`", hint)
            init = self.parse_expression()
        return statements.Var(self.span_from(first), name, type, init, region, fill)

    def _parse_def(self) -> statements.Def:
        first = self.take()
        name = self.parse_new_name("a function")
        self.expect("(", f"after `def {name.name}`")
        parameters = self.parse_items(")", "after the parameters", self._parse_parameter)
        result = self.parse_type() if self.accept(":") else None
        hint = "functions are defined by an expression: def f(x: T): U = e;"
        self.expect("=", "before the body of this function", hint)
        body = self.parse_expression()
        return statements.Def(self.span_from(first), name, parameters, result, body)

    def _parse_parameter(self) -> tuple[syntax.NamePattern, type_syntax.TypeSyntax]:
        name = self.parse_new_name("a parameter")
        self.expect(":", f"after the parameter `{name.name}`", "parameters have types: def f(x: T)")
        return name, self.parse_type()
