"""Whether the tiles of an array are one in this process: a variable of the environment.

    DIABLO_TILES=joined     neighbouring tiles are one, and so are all of an array (the default)
    DIABLO_TILES=apart      each is on its own, in partitions, as they are on Spark

With `apart` a program takes the ways in this process that it takes on Spark, which is how these
are tested without Spark.
"""

from __future__ import annotations

from typing import Literal, get_args

from diablo.diagnostics import InputError
from diablo.runtime.variables import variable

TileMode = Literal["joined", "apart"]
TILES = "DIABLO_TILES"
_MODES = frozenset(get_args(TileMode))


def tile_mode() -> TileMode:
    """The value of `DIABLO_TILES`; an `InputError` if it is none of the two."""
    mode = variable(TILES) or "joined"
    if mode not in _MODES:
        raise InputError(f"{TILES} is {mode!r}, and must be joined or apart")
    return "joined" if mode == "joined" else "apart"
