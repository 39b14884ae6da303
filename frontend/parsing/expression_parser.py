"""Parses operators by precedence climbing.

+/v * 2 + A[i,j]   ->   Binary(+, Binary(*, Reduction(+, v), 2), Index(A, i, j))
"""

from __future__ import annotations

from functools import partial

from diablo.diagnostics import Span
from diablo.frontend.parsing import syntax
from diablo.frontend.parsing.builtin_reductions import REDUCTIONS
from diablo.frontend.parsing.idioms import BUILDERS
from diablo.frontend.parsing.primary_parser import PrimaryParser
from diablo.frontend.parsing.token_stream import MAX_CHAIN
from diablo.frontend.parsing.tokens import Source, Token
from diablo.monoid_table import monoid_symbols

_PRECEDENCE = {
    "||": 2, "&&": 3, "==": 4, "!=": 4, "<": 5, "<=": 5, ">": 5, ">=": 5,
    "+": 6, "-": 6, "*": 7, "/": 7, "%": 7, "@": 7,
}  # fmt: skip
_LEAST = str(2**63)
"""The only number that is one of 64 bits just behind a minus sign."""


_DECLARING = ("var", "let", "for", "def", "monoid", "input", "region", "typemap")


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


class ExpressionParser(PrimaryParser):
    """The part of the parser that knows operators."""

    def __init__(self, source: Source, tokens: list[Token]):
        super().__init__(source, tokens)
        self.monoids = {*monoid_symbols(), *(REDUCTIONS.keys() - _declared(tokens))}

    # --- Binary operators ------------------------------------------------------------------

    def parse_expression(self) -> syntax.Expr:
        """Parse a whole expression; the loosest operators are `p => e` and `a..b`."""
        self.enter()
        first = self.token
        value = self.parse_binary(2)
        if self.accept(".."):
            upper = self.parse_binary(2)
            value = syntax.Range(self.span_from(first), value, upper)
        elif self.accept("=>"):
            parameter = self.pattern_of(value)
            body = self.parse_expression()
            value = syntax.Lambda(self.span_from(first), parameter, body)
        self.nesting -= 1
        return value

    def parse_region(self) -> syntax.Expr:
        """Parse what stands where a region may: an expression, with clauses or none."""
        first = self.token
        base = self.parse_expression()
        clauses = self.parse_clauses()
        return syntax.RegionExpr(self.span_from(first), base, clauses) if clauses else base

    def parse_clauses(self) -> list[tuple[str, syntax.Expr]]:
        """Parse `by e where e at e`, in any order."""
        clauses: list[tuple[str, syntax.Expr]] = []
        while self.token.is_name("by", "where", "at"):
            clauses.append((self.take().text, self.parse_expression()))
        return clauses

    def parse_binary(self, loosest: int) -> syntax.Expr:
        """Parse operators that bind at least as tightly as `loosest`."""
        first = self.token
        lhs = self.parse_unary()
        length = 0
        while True:
            op = self.token
            precedence = _PRECEDENCE.get(op.text, 0) if op.kind == "op" else 0
            if precedence < loosest or self._starts_statement(op):
                return lhs
            length += 1
            self._bound_length(length, op, "operators")
            self.take()
            rhs = self.parse_binary(precedence + 1)
            lhs = syntax.Binary(self.span_from(first), op.text, lhs, rhs)

    def _bound_length(self, length: int, token: Token, what: str) -> None:
        """Check that a chain of operators or postfixes, a tree as deep as it is long, is short."""
        if length > MAX_CHAIN:
            hint = "compute parts of it in variables of their own"
            self.fail(f"this expression has more than {MAX_CHAIN} {what}", token, hint)

    def _starts_statement(self, op: Token) -> bool:
        """Whether `op` begins a reduction on a new line, and so a new statement."""
        following = self.peek()
        return (
            not self.adjacent()
            and op.text in self.monoids
            and following.is_op("/")
            and following.line == op.line
            and following.column == op.end_column
        )

    # --- Prefixes --------------------------------------------------------------------------

    def parse_unary(self) -> syntax.Expr:
        """Parse `-e`, `!e`, `op/e`, `if (c) a else b` or what binds tighter."""
        self.enter()
        first = self.token
        value: syntax.Expr
        if first.is_op("-", "!"):
            self.take()
            if first.text == "-" and self.token.text.rstrip("lL") == _LEAST:
                self.take()
                value = syntax.Literal(self.span_from(first), "Int", -int(_LEAST))
            else:
                operand = self.parse_unary()
                value = syntax.Unary(self.span_from(first), first.text, operand)
        elif self._is_reduction(first):
            self.take()
            self.take()
            operand = self.parse_unary()
            value = syntax.Reduction(self.span_from(first), first.text, operand)
        elif first.is_op("*", "?"):
            before = self.previous
            self.take()
            if first.text == "*" and not self.token.is_op(",", ")", "]"):
                hint = "powers are written pow(x,y)" if before.is_op("*") else None
                self.fail("expected an expression, found `*`", first, hint)
            value = syntax.Wildcard(self.source.span(first), first.text)
        elif first.is_name("if"):
            value = self._parse_if_expression()
        else:
            value = self.parse_postfix(self.parse_primary())
        self.nesting -= 1
        return value

    def _is_reduction(self, first: Token) -> bool:
        if not self.peek().is_op("/"):
            return False
        return first.kind in ("op", "name") and first.text in self.monoids

    def _parse_if_expression(self) -> syntax.Expr:
        first = self.take()
        condition = self.parse_condition("if")
        then = self.parse_expression()
        self.expect("else", "after the first branch of this `if`", "an `if` with a value has both")
        otherwise = self.parse_expression()
        return syntax.IfExpr(self.span_from(first), condition, then, otherwise)

    def parse_condition(self, word: str) -> syntax.Expr:
        """Parse the `(c)` of `if` and `while`."""
        self.expect("(", f"after `{word}`", "conditions are written in parentheses")
        self.brackets += 1
        condition = self.parse_expression()
        self.brackets -= 1
        self.expect(")", "after the condition")
        return condition

    # --- Postfixes -------------------------------------------------------------------------

    def parse_postfix(self, base: syntax.Expr) -> syntax.Expr:
        """Parse any `.name`, `#name`, `[i]` after `base`."""
        start = base.span
        length = 0
        while True:
            length += 1
            self._bound_length(length, self.token, "parts")
            if self.token.is_op(".", "#"):
                self.take()
                name = self.token
                if name.kind not in ("name", "int"):
                    hint = None
                    if isinstance(base, syntax.Literal) and base.kind == "Int":
                        hint = "a number has a digit after its point: 1.0"
                    self.fail(f"expected the name of a field, found {self.describe()}", hint=hint)
                self.take()
                if name.kind == "name" and self.token.is_op("(") and self.adjacent():
                    self.take()
                    rest = self.parse_items(")", "after the arguments", self.parse_expression)
                    span = self._extend(start)
                    base = syntax.Call(span, name.text, [base, *rest], method=True)
                else:
                    base = syntax.Field(self._extend(start), base, name.text)
            elif self.token.is_op("[") and self.adjacent():
                bracket = self.take()
                parse = partial(self._parse_index_of, base)
                indices = self.parse_items("]", "after the index", parse)
                if not indices:
                    self.fail("expected an index between `[` and `]`", bracket)
                base = syntax.Index(self._extend(start), base, indices)
            else:
                return base

    def _extend(self, start: Span) -> Span:
        """From `start` to the token taken last, if that is on the same line."""
        if self.previous.line != start.line:
            return start
        return Span(start.file, start.line, start.column, self.previous.end_column)

    def _parse_index_of(self, base: syntax.Expr) -> syntax.Expr | syntax.Slice:
        index = self._parse_index()
        word = base.name if isinstance(base, syntax.Name) else None
        if isinstance(base, syntax.Call):
            word = base.function
        if self.token.is_op("|") and word in BUILDERS:
            self.fail_at(base.span, f"there is no constructor `{word}`", BUILDERS[word])
        return index

    def _parse_index(self) -> syntax.Expr | syntax.Slice:
        first = self.token
        start = None if first.is_op(":") else self.parse_expression()
        if not self.accept(":"):
            assert start is not None
            return start
        stop = None if self.token.is_op(":", ",", "]") else self.parse_expression()
        step = None
        if self.accept(":") and not self.token.is_op(",", "]"):
            step = self.parse_expression()
        return syntax.Slice(self.span_from(first), start, stop, step)
