"""Parses what stands by itself in an expression: literals, brackets, constructors.

tensor*(n)(m) [ ((i,j),v) | … ]   ->   Constructor(tensor, [n], [m], Comprehension(…))
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from math import isinf

from diablo.diagnostics import Span
from diablo.frontend.parsing import syntax
from diablo.frontend.parsing.idioms import IN_COMPREHENSIONS, STATEMENTS
from diablo.frontend.parsing.tokens import Source, Token
from diablo.frontend.parsing.type_parser import TypeParser
from diablo.scalar_table import BY_NAME

_MOST = BY_NAME["UInt64"].limits[1]
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "\\": "\\", '"': '"', "'": "'"}


class PrimaryParser(TypeParser, ABC):
    """The part of the parser that knows primary expressions."""

    def __init__(self, source: Source, tokens: list[Token]):
        super().__init__(source, tokens)
        # The names that stand before a list that they store: `name(n) [ … ]`.
        self.typemaps: set[str] = set()

    @abstractmethod
    def parse_expression(self) -> syntax.Expr:
        """Parse a whole expression."""

    @abstractmethod
    def parse_region(self) -> syntax.Expr:
        """Parse what stands where a region may."""

    @abstractmethod
    def parse_binary(self, loosest: int) -> syntax.Expr:
        """Parse operators that bind at least as tightly as `loosest`."""

    @abstractmethod
    def parse_postfix(self, base: syntax.Expr) -> syntax.Expr:
        """Parse any `.name`, `#name`, `[i]` after `base`."""

    def parse_primary(self) -> syntax.Expr:
        """Parse a literal, a name or call, brackets, or a constructor."""
        first = self.token
        if first.kind in ("int", "float", "imaginary", "string", "char"):
            return self._parse_literal()
        if first.is_name("true", "false"):
            self.take()
            return syntax.Literal(self.source.span(first), "Boolean", first.text == "true")
        if first.is_name("tensor", "list", "map"):
            return self._parse_constructor()
        if first.kind == "name":
            return self._parse_name()
        if first.is_op("("):
            return self._parse_parentheses()
        if first.is_op("["):
            return self._parse_brackets()
        if first.is_op("<"):
            return self._parse_record()
        hint = None
        if first.is_op("{"):
            hint = "braces group statements, they are no value"
        elif first.is_op("*") and self.previous.is_op("*"):
            hint = "powers are written pow(x,y)"
        elif self._counts_by_one(first):
            hint = "write n += 1, or n -= 1"
        self.fail(f"expected an expression, found {self.describe()}", hint=hint)

    def _counts_by_one(self, token: Token) -> bool:
        """Whether the program says `n++`, `n--` or `++n`."""
        if token.is_op("+"):
            return self.previous.is_op("+") or self.peek().is_op("+")
        before = self.tokens[self.position - 2] if self.position > 1 else token
        return self.previous.is_op("-") and before.is_op("-")

    def _parse_literal(self) -> syntax.Expr:
        token = self.take()
        span = self.source.span(token)
        if token.kind == "int":
            value = int(token.text.rstrip("lL")) if len(token.text) < 40 else _MOST + 1
            if value > _MOST:
                self.fail_at(span, "this number does not fit in 64 bits")
            return syntax.Literal(span, "Int", value)
        if token.kind in ("float", "imaginary"):
            number = float(token.text.rstrip("fFdDj"))
            if isinf(number):
                self.fail_at(span, "this number is too large for a Double")
            if token.kind == "imaginary":
                parts = [syntax.Literal(span, "Double", part) for part in (0.0, number)]
                return syntax.Call(span, "complex", [*parts])
            return syntax.Literal(span, "Float" if token.text[-1] in "fF" else "Double", number)
        if token.kind == "string":
            return syntax.Literal(span, "String", self._unescape(token))
        value = self._unescape(token)
        if len(value) != 1:
            self.fail_at(span, "a character literal holds one character")
        return syntax.Literal(span, "Char", value)

    def _unescape(self, token: Token) -> str:
        """The text of a string or character, its escapes replaced by what they stand for."""

        def replace(match: re.Match[str]) -> str:
            escape = match[1]
            if escape[0] == "u" and len(escape) == 5:
                return chr(int(escape[1:], 16))
            if escape not in _ESCAPES:
                column = token.column + 1 + match.start()
                span = Span(self.source.file, token.line, column, column + 2)
                self.fail_at(
                    span, f"there is no escape `\\{escape[0]}`", "a backslash is written `\\\\`"
                )
            return _ESCAPES[escape]

        text = _ESCAPE.sub(replace, token.text[1:-1])
        try:
            # Two escapes may be one character, as in Java.
            return text.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            span = Span(self.source.file, token.line, token.column, token.end_column)
            self.fail_at(
                span,
                "half of a surrogate pair is no character",
                "a character beyond \\uffff takes two escapes, such as \\ud83d\\ude00",
            )

    def _parse_name(self) -> syntax.Expr:
        token = self.take()
        if token.text in ("for", "var", "do", "while", "else", "let", "def", "in"):
            hint = STATEMENTS.get(token.text)
            self.fail(f"expected an expression, found `{token.text}`", token, hint)
        if self.token.is_op("(") and self.adjacent():
            self.take()
            arguments = self.parse_items(")", "after the arguments", self.parse_expression)
            if token.text in self.typemaps:
                operand = self._parse_operand(token.text)
                return syntax.MappedStore(self.span_from(token), token.text, arguments, operand)
            return syntax.Call(self.span_from(token), token.text, arguments)
        return syntax.Name(self.source.span(token), token.text)

    def _parse_parentheses(self) -> syntax.Expr:
        first = self.take()
        items = self.parse_items(")", "to close this parenthesis", self.parse_expression)
        if not items:
            self.fail("expected an expression between the parentheses", first)
        return items[0] if len(items) == 1 else syntax.TupleExpr(self.span_from(first), items)

    def _parse_record(self) -> syntax.Expr:
        first = self.take()
        fields = self.parse_items(">", "at the end of the record", self._parse_record_field)
        return syntax.RecordExpr(self.span_from(first), fields)

    def _parse_record_field(self) -> tuple[str, syntax.Expr]:
        name = self.parse_new_name("a field")
        if not self.accept("=", ":"):
            self.fail(f"expected `=` after the field `{name.name}`, found {self.describe()}")
        # Comparisons need parentheses here: `>` ends the record.
        return name.name, self.parse_binary(6)

    # --- Constructors ----------------------------------------------------------------------

    def _parse_constructor(self) -> syntax.Expr:
        first = self.take()
        if first.text != "tensor" and self.token.is_op("(") and self.peek().is_op(")"):
            self.take()
            self.take()
            span = self.span_from(first)
            return syntax.ListExpr(span, []) if first.text == "list" else syntax.EmptyMap(span)
        distributed = self.accept("*") is not None
        dense: list[syntax.Expr] = []
        sparse: list[syntax.Expr] = []
        if first.text == "tensor":
            self.expect("(", "after `tensor`", "a tensor's dimensions come first: tensor(n,m) e")
            dense = self.parse_items(")", "after the dense dimensions", self.parse_expression)
            if self.token.is_op("("):
                self.take()
                sparse = self.parse_items(")", "after the sparse dimensions", self.parse_expression)
        if len(sparse) == 1 and self._ends_operand():
            # `tensor(n,m) (P @ Q)` has no sparse dimensions: it builds an array of another.
            return syntax.Constructor(
                self.span_from(first), first.text, distributed, dense, [], sparse[0]
            )
        operand = self._parse_operand(first.text)
        return syntax.Constructor(
            self.span_from(first), first.text, distributed, dense, sparse, operand
        )

    def _ends_operand(self) -> bool:
        return self.token.is_op(";", ")", "]", "}", ",", "=") or self.token.kind == "end"

    def _parse_operand(self, word: str) -> syntax.Expr:
        """Parse the list from which `word` builds something."""
        if self._ends_operand():
            example = "tensor*(n)" if word == "tensor" else f"{word}*"
            self.fail(
                f"expected the list that this `{word}` is built from, found {self.describe()}",
                hint=f"write it in brackets or give it a name: {example} [ (i,e) | i <- 0..n-1 ]",
            )
        operand = self.parse_primary()
        if isinstance(operand, syntax.Name):
            operand = self.parse_postfix(operand)
        return operand

    # --- Comprehensions --------------------------------------------------------------------

    def _parse_brackets(self) -> syntax.Expr:
        first = self.take()
        self.brackets += 1
        if self.accept("]"):
            self.brackets -= 1
            return syntax.ListExpr(self.span_from(first), [])
        items = [self.parse_expression()]
        if self.accept("|"):
            qualifiers = [self._parse_qualifier()]
            order: list[syntax.SortKey] = []
            limit: syntax.Expr | None = None
            while limit is None and self.accept(","):
                if self._begins_limit():
                    self.take()
                    limit = self.parse_expression()
                elif order or self._begins_order():
                    order.append(self._parse_sort_key(is_first=not order))
                else:
                    qualifiers.append(self._parse_qualifier())
            self.brackets -= 1
            hint = IN_COMPREHENSIONS.get(self.token.text)
            if limit is not None and self.token.is_op(","):
                hint = "`limit` stands last: it says how many of the rows are kept in the end"
            self.expect("]", "at the end of the comprehension", hint)
            return syntax.Comprehension(self.span_from(first), items[0], qualifiers, order, limit)
        while self.accept(","):
            items.append(self.parse_expression())
        self.brackets -= 1
        self.expect("]", "to close this bracket", IN_COMPREHENSIONS.get(self.token.text))
        return syntax.ListExpr(self.span_from(first), items)

    def _parse_qualifier(self) -> syntax.Qualifier:
        first = self.token
        if first.is_name("let"):
            self.take()
            pattern = self.pattern_of(self.parse_primary())
            self.expect("=", "after the pattern of this `let`")
            value = self.parse_expression()
            return syntax.Let(self.span_from(first), pattern, value)
        if first.is_name("group") and self.peek().is_name("by"):
            self.take()
            self.take()
            value = self.parse_postfix(self.parse_primary())
            if not isinstance(value, syntax.Name | syntax.TupleExpr):
                message = "a group by is by variables, or gives what it computes a name"
                self.fail_at(value.span, message, "group by k: …")
            pattern = self.pattern_of(value, _naming_hint(value))
            key = self.parse_expression() if self.accept(":") else None
            return syntax.GroupBy(self.span_from(first), pattern, key)
        value = self.parse_expression()
        if self.accept("<-"):
            pattern = self.pattern_of(value)
            source = self.parse_region()
            return syntax.Generator(self.span_from(first), pattern, source, full=False)
        # `(i,a) <= A` reads as a comparison until its left side turns out to be a tuple.
        if (
            isinstance(value, syntax.Binary)
            and value.op == "<="
            and isinstance(value.lhs, syntax.TupleExpr)
        ):
            pattern = self.pattern_of(value.lhs)
            return syntax.Generator(value.span, pattern, value.rhs, full=True)
        return syntax.Guard(value.span, value)

    def _begins_order(self) -> bool:
        return self.token.is_name("order") and self.peek().is_name("by")

    def _begins_limit(self) -> bool:
        """Whether `limit` is a clause here, and no variable or function of that name."""
        if not self.token.is_name("limit"):
            return False
        following = self.peek()
        begins_value = following.kind in ("name", "int", "float", "string", "char")
        return begins_value or (following.is_op("(") and following.column > self.token.end_column)

    def _parse_sort_key(self, *, is_first: bool) -> syntax.SortKey:
        """Parse `order by e`, or a further `e`, and whether rows descend by it."""
        first = self.token
        if is_first:
            self.take()
            self.take()
        elif first.is_name("let") or (first.is_name("group") and self.peek().is_name("by")):
            self.fail(
                f"`{first.text}` stands before `order by`",
                hint="generators, conditions, lets and groups come first, then order by and limit",
            )
        value = self.parse_expression()
        if self.token.is_op("<-"):
            self.fail(
                "a generator stands before `order by`",
                hint="generators, conditions, lets and groups come first, then order by and limit",
            )
        direction = self.token.text if self.token.kind == "name" else ""
        if direction in ("desc", "asc"):
            self.take()
        return syntax.SortKey(self.span_from(first), value, direction == "desc")


def _naming_hint(key: syntax.Expr) -> str:
    """How a group by gives names to what it computes, for one that computes parts of its key."""
    parts = key.items if isinstance(key, syntax.TupleExpr) else [key]
    written = [part.name if isinstance(part, syntax.Name) else None for part in parts]
    letters = (letter for letter in "klmnopqrstuvwxyz" if letter not in written)
    names = ",".join(name or next(letters, "…") for name in written)
    values = ",".join(name or "…" for name in written)
    return f"give what it computes a name: group by ({names}): ({values})"
