"""Twins: two variables of a program that say the same in two ways, `twin1a` and `twin1b`.

The interpreter takes what the front end makes of a program for its meaning. Twins find mistakes
of the front end: a sum under a region, and one that tests each index. They are the first results.
"""

from __future__ import annotations

import re
from typing import Any

from fuzzing.comparison import difference

_RESULTS = re.compile(r"^\((.*)\);$")


def differing_twins(text: str, results: tuple[Any, ...]) -> str | None:
    """Return which twins of a program differ in its results, in one line."""
    found = _RESULTS.match((text.strip().splitlines() or [""])[-1].strip())
    names = [] if found is None else [name.strip() for name in found[1].split(",")]
    for position in range(0, len(names) - 1, 2):
        one, other = names[position : position + 2]
        if not re.fullmatch(r"twin\d+a", one) or other != f"{one[:-1]}b":
            break
        message = difference(results[position], results[position + 1])
        if message is not None:
            return f"{one} is not {other}: {message}"
    return None
