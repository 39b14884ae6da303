"""What emitted programs ask of a tile's storage.

with_layout(tile, "form = compressed, orders = [[1, 0]]")   the same tile, stored by columns
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.arrays.patterns.layout import parse

if TYPE_CHECKING:
    from diablo.runtime.arrays.sparse_tile import SparseTile


def with_layout(tile: NDArray[Any] | SparseTile, layout: str) -> NDArray[Any] | SparseTile:
    """A tile in the layout that a text says; a dense one stays as it is.

    Raises
    ------
    ValueError
        If the text says no layout, or an order of another number of dimensions.
    """
    return tile if isinstance(tile, np.ndarray) else tile.with_layout(parse(layout))
