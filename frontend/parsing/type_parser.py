"""Parses types, and turns expressions to patterns.

list[(Int,Int)]   ->   NamedType(list, [TupleTypeSyntax([Int, Int])])
((i,j),_)         ->   TuplePattern([TuplePattern([i, j]), _])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from diablo.frontend.parsing import syntax, type_syntax
from diablo.frontend.parsing.token_stream import TokenStream
from diablo.frontend.parsing.tokens import RESERVED

Item = TypeVar("Item")


class TypeParser(TokenStream):
    """The part of the parser that knows types and patterns."""

    def parse_items(self, close: str, after: str, parse: Callable[[], Item]) -> list[Item]:
        """Parse `item, item, … close`; the opening bracket has been taken."""
        items: list[Item] = []
        self.brackets += 1
        while not self.token.is_op(close):
            items.append(parse())
            if not self.accept(","):
                break
        self.brackets -= 1
        self.expect(close, after)
        return items

    def parse_type(self) -> type_syntax.TypeSyntax:
        """Parse a type."""
        self.enter()
        first = self.token
        if self.accept("("):
            items = self.parse_items(")", "at the end of the tuple type", self.parse_type)
            if not items:
                self.fail("expected a type between the parentheses", first)
            type: type_syntax.TypeSyntax = type_syntax.TupleTypeSyntax(self.span_from(first), items)
            if len(items) == 1:
                type = items[0]
        elif self.accept("<"):
            fields = self.parse_items(">", "at the end of the record type", self._parse_field)
            type = type_syntax.RecordTypeSyntax(self.span_from(first), fields)
        elif first.kind == "name":
            self.take()
            arguments: list[type_syntax.TypeSyntax] = []
            if self.accept("["):
                arguments = self.parse_items("]", f"after `{first.text}[…`", self.parse_type)
            type = type_syntax.NamedType(self.span_from(first), first.text, arguments)
        else:
            self.fail(f"expected a type, found {self.describe()}")
        if self.accept("->"):
            result = self.parse_type()
            type = type_syntax.FunctionTypeSyntax(self.span_from(first), type, result)
        self.nesting -= 1
        return type

    def _parse_field(self) -> tuple[str, type_syntax.TypeSyntax]:
        name = self.parse_new_name("a field")
        self.expect(":", f"after the field `{name.name}`")
        return name.name, self.parse_type()

    def pattern_of(
        self,
        value: syntax.Expr,
        hint: str = "bind a name here, and compare it in a guard after the generator",
    ) -> syntax.Pattern:
        """The pattern that is written like `value`; `hint` is for what is no pattern."""
        match value:
            case syntax.Name() if value.name not in RESERVED:
                return syntax.NamePattern(value.span, value.name)
            case syntax.TupleExpr():
                parts = [self.pattern_of(part, hint) for part in value.items]
                return syntax.TuplePattern(value.span, parts)
            case _:
                self.fail_at(
                    value.span,
                    "a pattern is made of names, `_` and tuples of patterns only",
                    hint,
                )
