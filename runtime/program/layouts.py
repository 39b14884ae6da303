"""Layouts of sparse arrays in emitted programs.

E = with_layout(E, "form = auto, orders = [[1, 0]]")
V = V.mapValues(laid_out("form = auto, directory = array"))
"""

from __future__ import annotations

from diablo.runtime.arrays.patterns.layout import parse
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.arrays.tiles import Tile


def with_layout(tile: Tile, layout: str) -> Tile:
    """A tile in the layout that a text says; a dense one stays as it is.

    Raises
    ------
    ValueError
        If the text says no layout, or an order of another number of dimensions.
    """
    return tile.with_layout(parse(layout)) if isinstance(tile, SparseTile) else tile


class laid_out:
    """The function that stores a tile in a layout."""

    def __init__(self, layout: str):
        self.layout = layout

    def __call__(self, tile: Tile) -> Tile:
        """The tile in the layout."""
        return with_layout(tile, self.layout)
