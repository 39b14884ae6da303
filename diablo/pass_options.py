"""The options of passes, read from the source of their classes without importing it.

An option is a field of the pass, such as `report: bool = False`; the docstring below the field
says what it means.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise

from diablo.universe import Entry


@dataclass(frozen=True)
class PassOption:
    """An option: its type as written, its default as a pipeline spells it, and what it means."""

    name: str
    type: str
    default: str | None
    meaning: str

    def __str__(self) -> str:
        default = "" if self.default is None else f" = {self.default}"
        return f"{self.name}: {self.type}{default}"


def pass_options(entry: Entry) -> list[PassOption]:
    """Return the options of one of diablo's passes."""
    spec = find_spec(entry.module)
    assert spec is not None
    assert spec.origin is not None
    with open(spec.origin, encoding="utf-8") as file:
        text = file.read()
    # Parsing the fields alone takes a hundredth of what the whole file does.
    fields = text[text.index(f"\nclass {entry.attribute}(") :].partition("\n    def ")[0]
    return list(options_in(fields))


def options_in(source: str) -> Iterator[PassOption]:
    """The options of the class whose source this is."""
    (definition,) = ast.parse(source).body
    assert isinstance(definition, ast.ClassDef)
    for statement, after in pairwise([*definition.body, ast.Pass()]):
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        kind = ast.unparse(statement.annotation)
        if kind.startswith("ClassVar"):
            continue
        meaning = ""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            meaning = " ".join(str(after.value.value).split())
        yield PassOption(statement.target.id, kind, _default(statement.value), meaning)


def _default(value: ast.expr | None) -> str | None:
    """Spell a default; nothing where there is none, or where it is that nothing is given."""
    if isinstance(value, ast.Constant):
        if value.value is None:
            return None
        if isinstance(value.value, bool):
            return str(value.value).lower()
        if isinstance(value.value, str):
            return value.value
    return None if value is None else ast.unparse(value)
