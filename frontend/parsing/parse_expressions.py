"""Parses expressions: operators by precedence climbing, and what stands by itself in them.

+/v * 2 + A[i,j]                  ->   Binary(+, Binary(*, Reduction(+, v), 2), Index(A, i, j))
tensor*(n)(m) [ ((i,j),v) | … ]   ->   Constructor(tensor, [n], [m], Comprehension(…))

Each holds the other, so that they are one module.
"""

from __future__ import annotations

import re
from functools import partial
from math import isinf

from diablo.diagnostics import Span
from diablo.frontend.parsing import syntax
from diablo.frontend.parsing.idioms import BUILDERS, IN_COMPREHENSIONS, STATEMENTS
from diablo.frontend.parsing.parse_types import pattern_of
from diablo.frontend.parsing.token_stream import MAX_CHAIN, TokenStream
from diablo.frontend.parsing.tokens import Token
from diablo.scalar_table import BY_NAME

_PRECEDENCE = {
    "||": 2, "&&": 3, "==": 4, "!=": 4, "<": 5, "<=": 5, ">": 5, ">=": 5,
    "+": 6, "-": 6, "*": 7, "/": 7, "%": 7, "@": 7,
}  # fmt: skip
_LEAST = str(2**63)
"""The only number that is one of 64 bits just behind a minus sign."""

_MOST = BY_NAME["UInt64"].limits[1]
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "\\": "\\", '"': '"', "'": "'"}


# --- Binary operators ------------------------------------------------------------------


def parse_expression(stream: TokenStream) -> syntax.Expr:
    """Parse a whole expression; the loosest operators are `p => e` and `a..b`."""
    stream.enter()
    first = stream.token
    value = parse_binary(stream, 2)
    if stream.accept(".."):
        upper = parse_binary(stream, 2)
        value = syntax.Range(stream.span_from(first), value, upper)
    elif stream.accept("=>"):
        parameter = pattern_of(stream, value)
        body = parse_expression(stream)
        value = syntax.Lambda(stream.span_from(first), parameter, body)
    stream.nesting -= 1
    return value


def parse_region(stream: TokenStream) -> syntax.Expr:
    """Parse what stands where a region may: an expression, with clauses or none."""
    first = stream.token
    base = parse_expression(stream)
    clauses = parse_clauses(stream)
    return syntax.RegionExpr(stream.span_from(first), base, clauses) if clauses else base


def parse_clauses(stream: TokenStream) -> list[tuple[str, syntax.Expr]]:
    """Parse `by e where e at e`, in any order."""
    clauses: list[tuple[str, syntax.Expr]] = []
    while stream.token.is_name("by", "where", "at"):
        clauses.append((stream.take().text, parse_expression(stream)))
    return clauses


def parse_binary(stream: TokenStream, loosest: int) -> syntax.Expr:
    """Parse operators that bind at least as tightly as `loosest`."""
    first = stream.token
    lhs = parse_unary(stream)
    length = 0
    while True:
        op = stream.token
        precedence = _PRECEDENCE.get(op.text, 0) if op.kind == "op" else 0
        if precedence < loosest or _starts_statement(stream, op):
            return lhs
        length += 1
        _bound_length(stream, length, op, "operators")
        stream.take()
        rhs = parse_binary(stream, precedence + 1)
        lhs = syntax.Binary(stream.span_from(first), op.text, lhs, rhs)


def _bound_length(stream: TokenStream, length: int, token: Token, what: str) -> None:
    """Check that a chain of operators or postfixes, a tree as deep as it is long, is short."""
    if length > MAX_CHAIN:
        hint = "compute parts of it in variables of their own"
        stream.fail(f"this expression has more than {MAX_CHAIN} {what}", token, hint)


def _starts_statement(stream: TokenStream, op: Token) -> bool:
    """Return whether `op` begins a reduction on a new line, and so a new statement."""
    following = stream.peek()
    return (
        not stream.adjacent()
        and op.text in stream.monoids
        and following.is_op("/")
        and following.line == op.line
        and following.column == op.end_column
    )


# --- Prefixes --------------------------------------------------------------------------


def parse_unary(stream: TokenStream) -> syntax.Expr:
    """Parse `-e`, `!e`, `op/e`, `if (c) a else b` or what binds tighter."""
    stream.enter()
    first = stream.token
    value: syntax.Expr
    if first.is_op("-", "!"):
        stream.take()
        if first.text == "-" and stream.token.text.rstrip("lL") == _LEAST:
            stream.take()
            value = syntax.Literal(stream.span_from(first), "Int", -int(_LEAST))
        else:
            operand = parse_unary(stream)
            value = syntax.Unary(stream.span_from(first), first.text, operand)
    elif _is_reduction(stream, first):
        stream.take()
        stream.take()
        operand = parse_unary(stream)
        value = syntax.Reduction(stream.span_from(first), first.text, operand)
    elif first.is_op("*", "?"):
        before = stream.previous
        stream.take()
        if first.text == "*" and not stream.token.is_op(",", ")", "]"):
            hint = "powers are written pow(x,y)" if before.is_op("*") else None
            stream.fail("expected an expression, found `*`", first, hint)
        value = syntax.Wildcard(stream.source.span(first), first.text)
    elif first.is_name("if"):
        value = _parse_if_expression(stream)
    else:
        value = parse_postfix(stream, parse_primary(stream))
    stream.nesting -= 1
    return value


def _is_reduction(stream: TokenStream, first: Token) -> bool:
    if not stream.peek().is_op("/"):
        return False
    return first.kind in ("op", "name") and first.text in stream.monoids


def _parse_if_expression(stream: TokenStream) -> syntax.Expr:
    first = stream.take()
    condition = parse_condition(stream, "if")
    then = parse_expression(stream)
    stream.expect("else", "after the first branch of this `if`", "an `if` with a value has both")
    otherwise = parse_expression(stream)
    return syntax.IfExpr(stream.span_from(first), condition, then, otherwise)


def parse_condition(stream: TokenStream, word: str) -> syntax.Expr:
    """Parse the `(c)` of `if` and `while`."""
    stream.expect("(", f"after `{word}`", "conditions are written in parentheses")
    stream.brackets += 1
    condition = parse_expression(stream)
    stream.brackets -= 1
    stream.expect(")", "after the condition")
    return condition


# --- Postfixes -------------------------------------------------------------------------


def parse_postfix(stream: TokenStream, base: syntax.Expr) -> syntax.Expr:
    """Parse any `.name`, `#name`, `[i]` after `base`."""
    start = base.span
    length = 0
    while True:
        length += 1
        _bound_length(stream, length, stream.token, "parts")
        if stream.token.is_op(".", "#"):
            stream.take()
            name = stream.token
            if name.kind not in ("name", "int"):
                hint = None
                if isinstance(base, syntax.Literal) and base.kind == "Int":
                    hint = "a number has a digit after its point: 1.0"
                stream.fail(f"expected the name of a field, found {stream.describe()}", hint=hint)
            stream.take()
            if name.kind == "name" and stream.token.is_op("(") and stream.adjacent():
                stream.take()
                rest = stream.parse_items(")", "after the arguments", parse_expression)
                span = _extend(stream, start)
                base = syntax.Call(span, name.text, [base, *rest], method=True)
            else:
                base = syntax.Field(_extend(stream, start), base, name.text)
        elif stream.token.is_op("[") and stream.adjacent():
            bracket = stream.take()
            parse = partial(_parse_index_of, base=base)
            indices = stream.parse_items("]", "after the index", parse)
            if not indices:
                stream.fail("expected an index between `[` and `]`", bracket)
            base = syntax.Index(_extend(stream, start), base, indices)
        else:
            return base


def _extend(stream: TokenStream, start: Span) -> Span:
    """From `start` to the token taken last, if that is on the same line."""
    if stream.previous.line != start.line:
        return start
    return Span(start.file, start.line, start.column, stream.previous.end_column)


def _parse_index_of(stream: TokenStream, base: syntax.Expr) -> syntax.Expr | syntax.Slice:
    index = _parse_index(stream)
    word = base.name if isinstance(base, syntax.Name) else None
    if isinstance(base, syntax.Call):
        word = base.function
    if stream.token.is_op("|") and word in BUILDERS:
        stream.fail_at(base.span, f"there is no constructor `{word}`", BUILDERS[word])
    return index


def _parse_index(stream: TokenStream) -> syntax.Expr | syntax.Slice:
    first = stream.token
    start = None if first.is_op(":") else parse_expression(stream)
    if not stream.accept(":"):
        assert start is not None
        return start
    stop = None if stream.token.is_op(":", ",", "]") else parse_expression(stream)
    step = None
    if stream.accept(":") and not stream.token.is_op(",", "]"):
        step = parse_expression(stream)
    return syntax.Slice(stream.span_from(first), start, stop, step)


def parse_primary(stream: TokenStream) -> syntax.Expr:
    """Parse a literal, a name or call, brackets, or a constructor."""
    first = stream.token
    if first.kind in ("int", "float", "imaginary", "string", "char"):
        return _parse_literal(stream)
    if first.is_name("true", "false"):
        stream.take()
        return syntax.Literal(stream.source.span(first), "Boolean", first.text == "true")
    if first.is_name("tensor", "list", "map"):
        return _parse_constructor(stream)
    if first.kind == "name":
        return _parse_name(stream)
    if first.is_op("("):
        return _parse_parentheses(stream)
    if first.is_op("["):
        return _parse_brackets(stream)
    if first.is_op("<"):
        return _parse_record(stream)
    hint = None
    if first.is_op("{"):
        hint = "braces group statements, they are no value"
    elif first.is_op("*") and stream.previous.is_op("*"):
        hint = "powers are written pow(x,y)"
    elif _counts_by_one(stream, first):
        hint = "write n += 1, or n -= 1"
    stream.fail(f"expected an expression, found {stream.describe()}", hint=hint)


def _counts_by_one(stream: TokenStream, token: Token) -> bool:
    """Return whether the program says `n++`, `n--` or `++n`."""
    if token.is_op("+"):
        return stream.previous.is_op("+") or stream.peek().is_op("+")
    before = stream.tokens[stream.position - 2] if stream.position > 1 else token
    return stream.previous.is_op("-") and before.is_op("-")


def _parse_literal(stream: TokenStream) -> syntax.Expr:
    token = stream.take()
    span = stream.source.span(token)
    if token.kind == "int":
        value = int(token.text.rstrip("lL")) if len(token.text) < 40 else _MOST + 1
        if value > _MOST:
            stream.fail_at(span, "this number does not fit in 64 bits")
        return syntax.Literal(span, "Int", value)
    if token.kind in ("float", "imaginary"):
        number = float(token.text.rstrip("fFdDj"))
        if isinf(number):
            stream.fail_at(span, "this number is too large for a Double")
        if token.kind == "imaginary":
            parts = [syntax.Literal(span, "Double", part) for part in (0.0, number)]
            return syntax.Call(span, "complex", [*parts])
        return syntax.Literal(span, "Float" if token.text[-1] in "fF" else "Double", number)
    if token.kind == "string":
        return syntax.Literal(span, "String", _unescape(stream, token))
    value = _unescape(stream, token)
    if len(value) != 1:
        stream.fail_at(span, "a character literal holds one character")
    return syntax.Literal(span, "Char", value)


def _unescape(stream: TokenStream, token: Token) -> str:
    """The text of a string or character, its escapes replaced by what they stand for."""

    def replace(match: re.Match[str]) -> str:
        escape = match[1]
        if escape[0] == "u" and len(escape) == 5:
            return chr(int(escape[1:], 16))
        if escape not in _ESCAPES:
            column = token.column + 1 + match.start()
            span = Span(stream.source.file, token.line, column, column + 2)
            stream.fail_at(
                span, f"there is no escape `\\{escape[0]}`", "a backslash is written `\\\\`"
            )
        return _ESCAPES[escape]

    text = _ESCAPE.sub(replace, token.text[1:-1])
    try:
        # Two escapes may be one character, as in Java.
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        span = Span(stream.source.file, token.line, token.column, token.end_column)
        stream.fail_at(
            span,
            "half of a surrogate pair is no character",
            "a character beyond \\uffff takes two escapes, such as \\ud83d\\ude00",
        )


def _parse_name(stream: TokenStream) -> syntax.Expr:
    token = stream.take()
    if token.text in ("for", "var", "do", "while", "else", "let", "def", "in"):
        hint = STATEMENTS.get(token.text)
        stream.fail(f"expected an expression, found `{token.text}`", token, hint)
    if stream.token.is_op("(") and stream.adjacent():
        stream.take()
        arguments = stream.parse_items(")", "after the arguments", parse_expression)
        if token.text in stream.typemaps:
            operand = _parse_operand(stream, token.text)
            return syntax.MappedStore(stream.span_from(token), token.text, arguments, operand)
        return syntax.Call(stream.span_from(token), token.text, arguments)
    return syntax.Name(stream.source.span(token), token.text)


def _parse_parentheses(stream: TokenStream) -> syntax.Expr:
    first = stream.take()
    items = stream.parse_items(")", "to close this parenthesis", parse_expression)
    if not items:
        stream.fail("expected an expression between the parentheses", first)
    return items[0] if len(items) == 1 else syntax.TupleExpr(stream.span_from(first), items)


def _parse_record(stream: TokenStream) -> syntax.Expr:
    first = stream.take()
    fields = stream.parse_items(">", "at the end of the record", _parse_record_field)
    return syntax.RecordExpr(stream.span_from(first), fields)


def _parse_record_field(stream: TokenStream) -> tuple[str, syntax.Expr]:
    name = stream.parse_new_name("a field")
    if not stream.accept("=", ":"):
        stream.fail(f"expected `=` after the field `{name.name}`, found {stream.describe()}")
    # Comparisons need parentheses here: `>` ends the record.
    return name.name, parse_binary(stream, 6)


# --- Constructors ----------------------------------------------------------------------


def _parse_constructor(stream: TokenStream) -> syntax.Expr:
    first = stream.take()
    if first.text != "tensor" and stream.token.is_op("(") and stream.peek().is_op(")"):
        stream.take()
        stream.take()
        span = stream.span_from(first)
        return syntax.ListExpr(span, []) if first.text == "list" else syntax.EmptyMap(span)
    distributed = stream.accept("*") is not None
    dense: list[syntax.Expr] = []
    sparse: list[syntax.Expr] = []
    if first.text == "tensor":
        stream.expect("(", "after `tensor`", "a tensor's dimensions come first: tensor(n,m) e")
        dense = stream.parse_items(")", "after the dense dimensions", parse_expression)
        if stream.token.is_op("("):
            stream.take()
            sparse = stream.parse_items(")", "after the sparse dimensions", parse_expression)
    if len(sparse) == 1 and _ends_operand(stream):
        # `tensor(n,m) (P @ Q)` has no sparse dimensions: it builds an array of another.
        return syntax.Constructor(
            stream.span_from(first), first.text, distributed, dense, [], sparse[0]
        )
    operand = _parse_operand(stream, first.text)
    return syntax.Constructor(
        stream.span_from(first), first.text, distributed, dense, sparse, operand
    )


def _ends_operand(stream: TokenStream) -> bool:
    return stream.token.is_op(";", ")", "]", "}", ",", "=") or stream.token.kind == "end"


def _parse_operand(stream: TokenStream, word: str) -> syntax.Expr:
    """Parse the list from which `word` builds something."""
    if _ends_operand(stream):
        example = "tensor*(n)" if word == "tensor" else f"{word}*"
        stream.fail(
            f"expected the list that this `{word}` is built from, found {stream.describe()}",
            hint=f"write it in brackets or give it a name: {example} [ (i,e) | i <- 0..n-1 ]",
        )
    operand = parse_primary(stream)
    if isinstance(operand, syntax.Name):
        operand = parse_postfix(stream, operand)
    return operand


# --- Comprehensions --------------------------------------------------------------------


def _parse_brackets(stream: TokenStream) -> syntax.Expr:
    first = stream.take()
    stream.brackets += 1
    if stream.accept("]"):
        stream.brackets -= 1
        return syntax.ListExpr(stream.span_from(first), [])
    items = [parse_expression(stream)]
    if stream.accept("|"):
        qualifiers = [_parse_qualifier(stream)]
        order: list[syntax.SortKey] = []
        limit: syntax.Expr | None = None
        while limit is None and stream.accept(","):
            if _begins_limit(stream):
                stream.take()
                limit = parse_expression(stream)
            elif order or _begins_order(stream):
                order.append(_parse_sort_key(stream, is_first=not order))
            else:
                qualifiers.append(_parse_qualifier(stream))
        stream.brackets -= 1
        hint = IN_COMPREHENSIONS.get(stream.token.text)
        if limit is not None and stream.token.is_op(","):
            hint = "`limit` stands last: it says how many of the rows are kept in the end"
        stream.expect("]", "at the end of the comprehension", hint)
        span = stream.span_from(first)
        return syntax.Comprehension(span, items[0], qualifiers, order, limit)
    while stream.accept(","):
        items.append(parse_expression(stream))
    stream.brackets -= 1
    stream.expect("]", "to close this bracket", IN_COMPREHENSIONS.get(stream.token.text))
    return syntax.ListExpr(stream.span_from(first), items)


def _parse_qualifier(stream: TokenStream) -> syntax.Qualifier:
    first = stream.token
    if first.is_name("let"):
        stream.take()
        pattern = pattern_of(stream, parse_primary(stream))
        stream.expect("=", "after the pattern of this `let`")
        value = parse_expression(stream)
        return syntax.Let(stream.span_from(first), pattern, value)
    if first.is_name("group") and stream.peek().is_name("by"):
        stream.take()
        stream.take()
        value = parse_postfix(stream, parse_primary(stream))
        if not isinstance(value, syntax.Name | syntax.TupleExpr):
            message = "a group by is by variables, or gives what it computes a name"
            stream.fail_at(value.span, message, "group by k: …")
        pattern = pattern_of(stream, value, _naming_hint(value))
        key = parse_expression(stream) if stream.accept(":") else None
        return syntax.GroupBy(stream.span_from(first), pattern, key)
    value = parse_expression(stream)
    if stream.accept("<-"):
        pattern = pattern_of(stream, value)
        source = parse_region(stream)
        return syntax.Generator(stream.span_from(first), pattern, source, full=False)
    # `(i,a) <= A` reads as a comparison until its left side turns out to be a tuple.
    if (
        isinstance(value, syntax.Binary)
        and value.op == "<="
        and isinstance(value.lhs, syntax.TupleExpr)
    ):
        pattern = pattern_of(stream, value.lhs)
        return syntax.Generator(value.span, pattern, value.rhs, full=True)
    return syntax.Guard(value.span, value)


def _begins_order(stream: TokenStream) -> bool:
    return stream.token.is_name("order") and stream.peek().is_name("by")


def _begins_limit(stream: TokenStream) -> bool:
    """Return whether `limit` is a clause here, and no variable or function of that name."""
    if not stream.token.is_name("limit"):
        return False
    following = stream.peek()
    begins_value = following.kind in ("name", "int", "float", "string", "char")
    return begins_value or (following.is_op("(") and following.column > stream.token.end_column)


def _parse_sort_key(stream: TokenStream, *, is_first: bool) -> syntax.SortKey:
    """Parse `order by e`, or a further `e`, and whether rows descend by it."""
    first = stream.token
    if is_first:
        stream.take()
        stream.take()
    elif first.is_name("let") or (first.is_name("group") and stream.peek().is_name("by")):
        stream.fail(
            f"`{first.text}` stands before `order by`",
            hint="generators, conditions, lets and groups come first, then order by and limit",
        )
    value = parse_expression(stream)
    if stream.token.is_op("<-"):
        stream.fail(
            "a generator stands before `order by`",
            hint="generators, conditions, lets and groups come first, then order by and limit",
        )
    direction = stream.token.text if stream.token.kind == "name" else ""
    if direction in ("desc", "asc"):
        stream.take()
    return syntax.SortKey(stream.span_from(first), value, direction == "desc")


def _naming_hint(key: syntax.Expr) -> str:
    """Return how a group by that computes parts of its key gives names to them."""
    parts = key.items if isinstance(key, syntax.TupleExpr) else [key]
    written = [part.name if isinstance(part, syntax.Name) else None for part in parts]
    letters = (letter for letter in "klmnopqrstuvwxyz" if letter not in written)
    names = ",".join(name or next(letters, "…") for name in written)
    values = ",".join(name or "…" for name in written)
    return f"give what it computes a name: group by ({names}): ({values})"
