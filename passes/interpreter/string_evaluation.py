"""The meaning of the functions of strings, on Python strings.

What has no result for some arguments raises `EvaluationError`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from diablo.passes.interpreter.scalar_evaluation import COMPARISONS, EvaluationError

_INTEGER = re.compile(r"\s*[+-]?[0-9]+\s*", re.ASCII)
_FLOAT = re.compile(
    r"\s*[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?|nan)\s*",
    re.ASCII | re.IGNORECASE,
)


def _char_at(text: str, position: int) -> int:
    if not 0 <= position < len(text):
        raise EvaluationError(f"position {position} is outside a string of length {len(text)}")
    return ord(text[position])


def _substring(text: str, start: int, end: int) -> str:
    if not 0 <= start <= end <= len(text):
        raise EvaluationError(
            f"the positions {start} to {end} are outside a string of length {len(text)}"
        )
    return text[start:end]


def _split(text: str, separator: str) -> list[tuple[str]]:
    parts = text.split(separator) if separator else list(text)
    return [(part,) for part in parts]


def _to_int(text: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise EvaluationError(f"{text!r} is no integer")
    digits = text.strip().lstrip("+-0")
    value = int(text) if len(digits) < 20 else 2**63
    if not -(2**63) <= value < 2**63:
        raise EvaluationError(f"{text!r} does not fit in 64 bits")
    return value


def _to_double(text: str) -> float:
    if not _FLOAT.fullmatch(text):
        raise EvaluationError(f"{text!r} is no number")
    return float(text)


def _from_boolean(value: bool) -> str:
    return "true" if value else "false"


EVALUATORS: Mapping[str, Callable[..., Any]] = {
    **COMPARISONS,
    "concat": operator.add,
    "length": len,
    "char_at": _char_at,
    "substring": _substring,
    "contains": operator.contains,
    "starts_with": str.startswith,
    "ends_with": str.endswith,
    "index_of": str.find,
    "replace": str.replace,
    "lower": str.lower,
    "upper": str.upper,
    "trim": str.strip,
    "split": _split,
    "to_int": _to_int,
    "to_double": _to_double,
    "from_int": str,
    "from_unsigned": str,
    "from_double": repr,
    "from_complex": str,
    "from_boolean": _from_boolean,
    "from_char": chr,
}
"""From each name of `STRING_FUNCTIONS` to what computes it."""
