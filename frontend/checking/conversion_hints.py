"""Hints for values of one type where another one is wanted: `toInt(…)`, quotes."""

from __future__ import annotations

from diablo.frontend.checking.types import Type, is_complex, is_floating, is_integer, is_number


def key_hint(key: Type) -> str | None:
    """Return what to write for a complex number that cannot be a key of a map."""
    if is_complex(key):
        return "complex numbers have no order: take (real(z), imag(z)) for the key"
    return None


def group_hint(key: Type, key_text: str = "z") -> str | None:
    """Return what to write for a complex number by which no groups can be made."""
    if is_complex(key):
        parts = f"(real({key_text}), imag({key_text}))"
        return f"complex numbers have no order: group by (r,i): {parts}"
    return None


def conversion_hint(found: Type, wanted: Type) -> str | None:
    """Return how a value of type `found` is made one of type `wanted`."""
    match str(found), str(wanted):
        case "Char", "String":
            return "a string is written with double quotes"
        case "String", "Char":
            return "a character is written with single quotes"
        case "String", "Int" | "Double":
            return f"convert it: to{wanted}(…)"
        case _ if is_complex(found) and is_number(wanted) and not is_complex(wanted):
            return "take a part of it, real(…) or imag(…), or abs(…)"
        case _ if is_complex(found) and is_complex(wanted):
            return f"convert it: to{wanted}(…) rounds"
        case _ if is_floating(found) and is_integer(wanted):
            return f"convert it: to{wanted}(…) truncates"
        case _ if is_integer(found) and is_integer(wanted):
            return f"convert it: to{wanted}(…) keeps the lowest bits"
        case _ if is_number(found) and (is_floating(wanted) or is_complex(wanted)):
            return f"convert it: to{wanted}(…) rounds"
        case _:
            return None
