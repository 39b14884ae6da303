"""Layouts of sparse arrays in emitted programs.

E = with_layout(E, "form = auto, orders = [[1, 0]]")
V = V.mapValues(laid_out("form = auto, directory = array"))
"""

from __future__ import annotations

from diablo.runtime.arrays.patterns import with_layout
from diablo.runtime.arrays.tiles import Tile

__all__ = ["laid_out", "with_layout"]


class laid_out:
    """The function that stores a tile in a layout."""

    def __init__(self, layout: str):
        self.layout = layout

    def __call__(self, tile: Tile) -> Tile:
        """The tile in the layout."""
        return with_layout(tile, self.layout)
