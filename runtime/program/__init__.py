"""What emitted programs call, gathered under one name.

    from diablo.runtime.program import choose_block_size, distribute, on_tiles, rekey

Which module has which function is said by the table of `diablo/program_names.py`; one is loaded
when the first of its functions is asked for. The parts are `data` (to and from the workers),
`tile_functions` and `row_functions` (functions for RDD operations), `windows` (tiles with the
borders of others), `shuffle`, `combining` and `folding`, `sequences` (rows that a loop goes through
in order), `tables` (what such a loop writes to), `loop` (what loops keep), `saved_state` (what they
leave on the disk) and `script` (the command line of a program).
"""

from importlib import import_module
from typing import Any

from diablo.program_names import MODULE_OF


def __getattr__(name: str) -> Any:
    """Return what programs call by a name."""
    if name not in MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(MODULE_OF[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *MODULE_OF])
