"""The names that values have of the source, which what is computed for them alone must not take.

limit = n - 1               other_limit = n - 1
limit_1 = A @ b      =>     limit = A @ b           where the source calls the second one limit

It is `other_limit2` if the source has an `other_limit` as well.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from xdsl.ir import Operation

from diablo.lowering.python_text import identifier


def source_names(op: Operation) -> frozenset[str]:
    """Return the names that values in `op` ask for, without the numbers of their versions."""
    hints: set[str] = set()
    for inner in op.walk():
        hints.update(result.name_hint or "" for result in inner.results)
        for region in inner.regions:
            for block in region.blocks:
                hints.update(argument.name_hint or "" for argument in block.args)
    hints.discard("")
    return frozenset(re.sub(r"_\d+$", "", identifier(hint, "")) for hint in hints)


def name_of(hint: str | None, fallback: str, names: AbstractSet[str]) -> str:
    """Return the name that a value asks for, or `fallback` unless the source has that name."""
    if hint:
        return identifier(hint, fallback)
    if fallback not in names:
        return fallback
    other, number = f"other_{fallback}", 1
    while (name := other if number == 1 else f"{other}{number}") in names:
        number += 1
    return name
