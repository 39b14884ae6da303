"""Python names for the values of a driver program, from their name hints."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable

PROGRAM_NAMES = (
    *("Iterations", "batch", "choose_block_size", "cogroup", "combine", "distribute"),
    *("distribute_rows", "element", "gather", "gather_rows", "hash_rows", "here", "index_rows"),
    *("inside", "keys", "local_element", "moved", "on_groups", "on_rows", "on_tiles"),
    *("partition_count", "rekey", "require", "route", "run_as_script", "tiles", "wrap"),
)
"""What emitted programs call of `diablo.runtime.program`."""

RESERVED = frozenset(
    [
        *keyword.kwlist,
        *keyword.softkwlist,
        # What an emitted program imports, defines or gets.
        *("np", "sp", "sc", "rows", "arithmetic", "sparse_products"),
        *("main", "compiled", "LLVM"),
        *("block_size", "partitions", "loop", "SparseTile", "DistributedArray", "Rows"),
        *("WantedArray", "WantedRows", "WantedScalar"),
        *PROGRAM_NAMES,
        # Built-in functions that expressions use.
        *("abs", "bool", "float", "int", "max", "min", "round", "print"),
    ]
)


class Names:
    """Hands out names that are not taken."""

    def __init__(self, taken: Iterable[str] = ()):
        self._taken = {*RESERVED, *taken}

    def unique(self, hint: str | None, fallback: str) -> str:
        """`hint` if it is free, else with a number; a name that ends in one counts on."""
        base = re.sub(r"\W", "_", hint or fallback, flags=re.ASCII)
        if not base.isidentifier():
            base = f"{fallback}_{base}"
        base = re.sub(r"_\d+$", "", base) or base
        name, number = base, 1
        while name in self._taken:
            name = f"{base}_{number}"
            number += 1
        self._taken.add(name)
        return name
