"""Python names for the values of a driver program, from their name hints."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from diablo.lowering.reserved_names import DRIVER_NAMES
from diablo.lowering.source_names import name_of


class Names:
    """Hands out names that are not taken."""

    def __init__(self, taken: Iterable[str] = (), source: AbstractSet[str] = frozenset()):
        self._taken = {*DRIVER_NAMES, *taken}
        self._source = source

    def unique(self, hint: str | None, fallback: str) -> str:
        """Return `hint` if it is free, else with a number; a name that ends in one counts on.

        Without a hint it is `fallback`, unless the source has that name for something.
        """
        base = name_of(hint, fallback, self._source)
        base = re.sub(r"_\d+$", "", base) or base
        name, number = base, 1
        while name in self._taken:
            name = f"{base}_{number}"
            number += 1
        self._taken.add(name)
        return name
