"""Parses a program: a hand-written recursive-descent parser that recovers at statements.

for i = 0, n-1 do V[i] += 1;   ->   For(i, 0, n-1, Assign(V[i], 1, monoid +))
"""

from __future__ import annotations

from difflib import get_close_matches

from diablo.diagnostics import CompileError, Diagnostic, first_of
from diablo.frontend.parsing import statements, syntax, type_syntax
from diablo.frontend.parsing.builtin_reductions import REDUCTIONS
from diablo.frontend.parsing.idioms import STATEMENTS
from diablo.frontend.parsing.lexer import divided_comments, tokenize
from diablo.frontend.parsing.parse_expressions import (
    parse_clauses,
    parse_condition,
    parse_expression,
    parse_primary,
    parse_region,
)
from diablo.frontend.parsing.parse_types import parse_type, pattern_of
from diablo.frontend.parsing.token_stream import MAX_STATEMENT_NESTING, SyntaxFailure, TokenStream
from diablo.frontend.parsing.tokens import Source, Token
from diablo.monoid_table import monoid_symbols

_STATEMENT_WORDS = ("var", "def", "for", "while")
_DECLARATIONS = ("input", "region", "monoid", "typemap")
_FIRST_WORDS = (*_STATEMENT_WORDS, "if", *_DECLARATIONS)
_DECLARING = ("var", "let", "for", "def", "monoid", "input", "region", "typemap")
_LOOPS = "loops are written `for i = 0, n-1 do …` or `for x in e do …`"
_ASSIGNMENTS = {"+=": "+", "*=": "*", "&&=": "&&", "||=": "||"}


def parse(source: Source) -> statements.Program:
    """Parse a program; raise `CompileError` with every syntax error."""
    tokens, diagnostics = tokenize(source)
    stream = _stream_of(source, tokens)
    program = _parse_program(stream)
    # Text that is no token makes the rest of its statement unreadable as well.
    if not diagnostics:
        diagnostics = stream.diagnostics
    if diagnostics:
        # What has become a comment may be what is missing.
        found = [*divided_comments(source), *first_of(diagnostics)]
        raise CompileError(found, {source.file: source.text})
    return program


def parse_expression_text(text: str) -> syntax.Expr:
    """Parse an expression that the compiler itself writes."""
    source = Source(text, "")
    tokens, _ = tokenize(source)
    return parse_expression(_stream_of(source, tokens))


def _stream_of(source: Source, tokens: list[Token]) -> TokenStream:
    names = REDUCTIONS.keys() - _declared(tokens)
    return TokenStream(source, tokens, {*monoid_symbols(), *names})


def _declared(tokens: list[Token]) -> set[str]:
    """The names of built-in reductions that a program gives to something of its own.

    There `count/x` is a quotient. Such a name stands somewhere in another way than those of the
    reductions do: `count/e`, `count(e)`.
    """
    names: set[str] = set()
    for number, token in enumerate(tokens):
        if token.kind == "name" and token.text in REDUCTIONS:
            before = tokens[number - 1] if number else None
            member = before is not None and before.is_op(".", "#")
            declares = before is not None and before.is_name(*_DECLARING)
            if declares or not (member or tokens[number + 1].is_op("/", "(")):
                names.add(token.text)
    return names


def _parse_program(stream: TokenStream) -> statements.Program:
    """Parse statements up to the end."""
    parsed: list[statements.Statement] = []
    while stream.token.kind != "end":
        parsed += _parse_recovering(stream)
        stray = stream.accept("}")
        if stray is not None:
            _report(stream, SyntaxFailure(_stray(stream, stray)))
    return statements.Program(parsed)


def _stray(stream: TokenStream, token: Token) -> Diagnostic:
    return Diagnostic("error", "this `}` closes no block", stream.source.span(token))


# --- Recovery --------------------------------------------------------------------------


def _parse_recovering(stream: TokenStream) -> list[statements.Statement]:
    """Parse statements up to `}` or the end; after an error go on with the next one."""
    parsed: list[statements.Statement] = []
    nesting = stream.nesting
    while stream.token.kind != "end" and not stream.token.is_op("}"):
        if stream.accept(";"):
            continue
        start = stream.position
        try:
            parsed.append(_parse_statement(stream))
            _expect_separator(stream, start)
        except SyntaxFailure as failure:
            _report(stream, failure)
            stream.nesting, stream.brackets = nesting, 0
            _skip_statement(stream, start)
    return parsed


def _expect_separator(stream: TokenStream, start: int) -> None:
    """Check that a statement ends where the next one begins."""
    token = stream.token
    if token.kind == "end" or token.is_op(";", "}") or stream.previous.is_op("}"):
        return
    if token.line == stream.previous.line and not token.is_name(*_FIRST_WORDS):
        message = f"expected `;` or a new line after this statement, found {stream.describe()}"
        # `inptu n: Int` reads as the statement `inptu`, and another one.
        alone = stream.previous if stream.position == start + 1 else token
        meant = get_close_matches(alone.text, _FIRST_WORDS, n=1, cutoff=0.6)
        if meant and alone is not token and token.kind == "name":
            stream.fail(message, alone, f"did you mean `{meant[0]}`?")
        stream.fail(message, hint=STATEMENTS.get(token.text) or STATEMENTS.get(alone.text))


def _report(stream: TokenStream, failure: SyntaxFailure) -> None:
    stream.diagnostics.append(failure.diagnostic)


def _skip_statement(stream: TokenStream, start: int) -> None:
    """Go to where the next statement probably begins."""
    if stream.position == start:
        stream.take()
    blocks = 0
    while stream.token.kind != "end":
        if blocks == 0 and (stream.previous.is_op(";") or stream.token.is_op("}")):
            return
        if stream.token.is_op("{"):
            blocks += 1
        elif stream.token.is_op("}"):
            blocks -= 1
            if blocks == 0:
                stream.take()
                return
        first_of_line = stream.token.line != stream.previous.line
        if first_of_line and stream.token.is_name(*_FIRST_WORDS):
            return
        stream.take()


# --- Statements ------------------------------------------------------------------------


def _parse_statement(stream: TokenStream) -> statements.Statement:
    """Parse one statement."""
    stream.enter(MAX_STATEMENT_NESTING)
    first = stream.token
    statement: statements.Statement
    if first.is_op("{"):
        statement = _parse_block(stream)
    elif first.is_name(*_DECLARATIONS) and stream.peek().kind == "name":
        statement = _parse_declaration(stream, first)
    elif first.is_name("var"):
        statement = _parse_var(stream)
    elif first.is_name("def"):
        statement = _parse_def(stream)
    elif first.is_name("for"):
        statement = _parse_for(stream)
    elif first.is_name("while"):
        stream.take()
        condition = parse_condition(stream, "while")
        body = _parse_statement(stream)
        statement = statements.While(stream.source.span(first), condition, body)
    elif first.is_name("if"):
        statement = _parse_if(stream)
    else:
        statement = _parse_assignment(stream)
    stream.nesting -= 1
    return statement


def _parse_block(stream: TokenStream) -> statements.Statement:
    first = stream.take()
    body = _parse_recovering(stream)
    if not stream.accept("}"):
        stream.fail("this block is never closed with `}`", first)
    return statements.Block(stream.source.span(first), body)


def _parse_if(stream: TokenStream) -> statements.Statement:
    first = stream.take()
    condition = parse_condition(stream, "if")
    then = _parse_statement(stream)
    if stream.token.is_op(";") and stream.peek().is_name("else"):
        stream.take()
    otherwise = _parse_statement(stream) if stream.accept("else") else None
    if isinstance(then, statements.ExprStatement) and isinstance(
        otherwise, statements.ExprStatement
    ):
        span = stream.span_from(first)
        value = syntax.IfExpr(span, condition, then.value, otherwise.value)
        return statements.ExprStatement(span, value)
    return statements.If(stream.source.span(first), condition, then, otherwise)


def _parse_for(stream: TokenStream) -> statements.Statement:
    first = stream.take()
    pattern = pattern_of(stream, parse_primary(stream))
    if stream.accept("in"):
        source = parse_region(stream)
        span = stream.span_from(first)
        stream.expect("do", "before the body of this `for`", _LOOPS)
        return statements.ForIn(span, pattern, source, _parse_statement(stream))
    if not stream.token.is_op("="):
        stream.fail(
            f"expected `=` or `in` after `for`, found {stream.describe()}",
            hint=_LOOPS,
        )
    stream.take()
    if not isinstance(pattern, syntax.NamePattern):
        stream.fail_at(pattern.span, "a `for` over a range has one variable")
    lower = parse_expression(stream)
    stream.expect(",", "between the bounds of this `for`", _LOOPS)
    upper = parse_expression(stream)
    step = parse_expression(stream) if stream.accept(",") else None
    span = stream.span_from(first)
    stream.expect("do", "before the body of this `for`", _LOOPS)
    return statements.For(span, pattern, lower, upper, step, _parse_statement(stream))


def _parse_assignment(stream: TokenStream) -> statements.Statement:
    first = stream.token
    value = parse_expression(stream)
    op = stream.token
    if op.is_op("="):
        monoid = None
    elif op.kind == "op" and op.text in _ASSIGNMENTS:
        monoid = _ASSIGNMENTS[op.text]
    elif op.is_op("-=", "/=", "%="):
        monoid = None
    elif op.kind == "name" and stream.peek().is_op("=") and stream.adjacent():
        monoid = stream.take().text
    else:
        if op.is_op(")", "]", ",", ":", "|"):
            hint = "assignments are written `=`" if stream.peek().is_op("=") else None
            stream.fail(f"expected the end of the statement, found {stream.describe()}", hint=hint)
        return statements.ExprStatement(stream.span_from(first), value)
    op = stream.take()
    if not isinstance(value, syntax.Name | syntax.Index | syntax.Field):
        hint = "comparisons are written `==`" if monoid is None else None
        if isinstance(value, syntax.TupleExpr):
            hint = "assign each part by itself"
        message = "only a variable or an array element can be assigned"
        stream.fail_at(value.span, message, hint)
    span, operand = stream.source.span(first, op), parse_expression(stream)
    if op.is_op("-=", "/=", "%="):
        # No monoids: `d -= e` is `d = d - e`.
        operand = syntax.Binary(span, op.text[0], value, operand)
    return statements.Assign(span, value, operand, monoid)


# --- Declarations ----------------------------------------------------------------------


def _parse_declaration(stream: TokenStream, first: Token) -> statements.Statement:
    stream.take()
    name = stream.parse_new_name(f"this {first.text}")
    if first.text == "input":
        stream.expect(":", f"after `input {name.name}`", f"input {name.name}: Int = 10;")
        type = parse_type(stream)
        default = parse_expression(stream) if stream.accept("=") else None
        return statements.Input(stream.span_from(first), name, type, default)
    if first.text == "monoid":
        stream.monoids.add(name.name)
        hint = f"monoid {name.name}(Int) = (zero, (x, y) => …);"
        stream.expect("(", f"after `monoid {name.name}`", hint)
        type = parse_type(stream)
        stream.expect(")", "after the type of this monoid")
        stream.expect("=", "before the definition of this monoid")
        definition = parse_expression(stream)
        return statements.MonoidDef(stream.span_from(first), name, type, definition)
    if first.text == "typemap":
        return _parse_typemap(stream, first, name)
    stream.expect("=", "before the definition of this region")
    base = parse_expression(stream)
    clauses = parse_clauses(stream)
    return statements.RegionDef(stream.span_from(first), name, base, clauses)


def _parse_typemap(
    stream: TokenStream, first: Token, name: syntax.NamePattern
) -> statements.Statement:
    stream.typemaps.add(name.name)
    hint = "typemap t(n: Int): matrix[Double] { def view(…)… def store(…)… }"
    stream.expect("(", f"after `typemap {name.name}`", hint)
    parameters = stream.parse_items(")", "after the parameters", _parse_parameter)
    stream.expect(":", "before the type of this typemap", hint)
    type = parse_type(stream)
    first_of_body = stream.expect("{", "before the functions of this typemap", hint)
    functions: list[statements.Def] = []
    for statement in _parse_recovering(stream):
        if not isinstance(statement, statements.Def):
            message = "a typemap holds functions only"
            stream.diagnostics.append(Diagnostic("error", message, statement.span, hint))
        else:
            functions.append(statement)
    if not stream.accept("}"):
        stream.fail("this typemap is never closed with `}`", first_of_body)
    return statements.Typemap(stream.span_from(first), name, parameters, type, functions)


def _parse_var(stream: TokenStream) -> statements.Statement:
    first = stream.take()
    name = stream.parse_new_name("a variable")
    type = parse_type(stream) if stream.accept(":") else None
    region = fill = init = None
    if type is not None and stream.accept("over"):
        region = parse_region(stream)
        fill = parse_expression(stream) if stream.accept("fill") else None
    if region is None or stream.token.is_op("="):
        hint = "a variable needs a first value: var x = 0;"
        stream.expect("=", f"after `var {name.name}`", hint)
        init = parse_expression(stream)
    return statements.Var(stream.span_from(first), name, type, init, region, fill)


def _parse_def(stream: TokenStream) -> statements.Def:
    first = stream.take()
    name = stream.parse_new_name("a function")
    stream.expect("(", f"after `def {name.name}`")
    parameters = stream.parse_items(")", "after the parameters", _parse_parameter)
    result = parse_type(stream) if stream.accept(":") else None
    hint = "functions are defined by an expression: def f(x: T): U = e;"
    stream.expect("=", "before the body of this function", hint)
    body = parse_expression(stream)
    return statements.Def(stream.span_from(first), name, parameters, result, body)


def _parse_parameter(stream: TokenStream) -> tuple[syntax.NamePattern, type_syntax.TypeSyntax]:
    name = stream.parse_new_name("a parameter")
    stream.expect(":", f"after the parameter `{name.name}`", "parameters have types: def f(x: T)")
    return name, parse_type(stream)
