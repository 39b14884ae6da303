"""Parses types, and turns expressions to patterns.

list[(Int,Int)]   ->   NamedType(list, [TupleTypeSyntax([Int, Int])])
((i,j),_)         ->   TuplePattern([TuplePattern([i, j]), _])
"""

from __future__ import annotations

from diablo.frontend.parsing import syntax, type_syntax
from diablo.frontend.parsing.token_stream import TokenStream
from diablo.frontend.parsing.tokens import RESERVED


def parse_type(stream: TokenStream) -> type_syntax.TypeSyntax:
    """Parse a type."""
    stream.enter()
    first = stream.token
    if stream.accept("("):
        items = stream.parse_items(")", "at the end of the tuple type", parse_type)
        if not items:
            stream.fail("expected a type between the parentheses", first)
        type: type_syntax.TypeSyntax = type_syntax.TupleTypeSyntax(stream.span_from(first), items)
        if len(items) == 1:
            type = items[0]
    elif stream.accept("<"):
        fields = stream.parse_items(">", "at the end of the record type", _parse_field)
        type = type_syntax.RecordTypeSyntax(stream.span_from(first), fields)
    elif first.kind == "name":
        stream.take()
        arguments: list[type_syntax.TypeSyntax] = []
        if stream.accept("["):
            arguments = stream.parse_items("]", f"after `{first.text}[…`", parse_type)
        type = type_syntax.NamedType(stream.span_from(first), first.text, arguments)
    else:
        stream.fail(f"expected a type, found {stream.describe()}")
    if stream.accept("->"):
        result = parse_type(stream)
        type = type_syntax.FunctionTypeSyntax(stream.span_from(first), type, result)
    stream.nesting -= 1
    return type


def _parse_field(stream: TokenStream) -> tuple[str, type_syntax.TypeSyntax]:
    name = stream.parse_new_name("a field")
    stream.expect(":", f"after the field `{name.name}`")
    return name.name, parse_type(stream)


def pattern_of(
    stream: TokenStream,
    value: syntax.Expr,
    hint: str = "bind a name here, and compare it in a guard after the generator",
) -> syntax.Pattern:
    """The pattern that is written like `value`; `hint` is for what is no pattern."""
    match value:
        case syntax.Name() if value.name not in RESERVED:
            return syntax.NamePattern(value.span, value.name)
        case syntax.TupleExpr():
            parts = [pattern_of(stream, part, hint) for part in value.items]
            return syntax.TuplePattern(value.span, parts)
        case _:
            stream.fail_at(
                value.span,
                "a pattern is made of names, `_` and tuples of patterns only",
                hint,
            )
