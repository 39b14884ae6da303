"""Hints for values of one type where another one is wanted: `toInt(…)`, quotes."""

from __future__ import annotations

from diablo.frontend.checking.types import Type


def conversion_hint(found: Type, wanted: Type) -> str | None:
    """How a value of type `found` is made one of type `wanted`."""
    match str(found), str(wanted):
        case "Double", "Float":
            return "a Float is written with an `f`: 1.5f"
        case "Char", "String":
            return "a string is written with double quotes"
        case "String", "Char":
            return "a character is written with single quotes"
        case "String", "Int" | "Double":
            return f"convert it: to{wanted}(…)"
        case "Double", "Int":
            return "convert it: toInt(…) truncates"
        case _:
            return None
