"""Python names for the values of a driver program, from their name hints."""

from __future__ import annotations

import re
from collections.abc import Iterable

from diablo.lowering.python_text import identifier
from diablo.lowering.reserved_names import DRIVER_NAMES


class Names:
    """Hands out names that are not taken."""

    def __init__(self, taken: Iterable[str] = ()):
        self._taken = {*DRIVER_NAMES, *taken}

    def unique(self, hint: str | None, fallback: str) -> str:
        """`hint` if it is free, else with a number; a name that ends in one counts on."""
        base = identifier(hint or fallback, fallback)
        base = re.sub(r"_\d+$", "", base) or base
        name, number = base, 1
        while name in self._taken:
            name = f"{base}_{number}"
            number += 1
        self._taken.add(name)
        return name
