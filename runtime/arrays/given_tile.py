"""Tiles over compressed rows that a caller gave, put in order when it would matter.

    tile = tile_as_given(csr_array(data [7.0, 0.0], indices [1, 0], indptr [0, 1, 2]))
    rows_as_given(tile)   ->  the rows with both entries
    tile.pattern          ->  that of one entry; from here on the tile is like all others

A tile stores no zero, and the indices of a row ascend. To look whether that is so of a matrix takes
a third of the time of its product with a vector. There the order makes no difference, and a stored
zero one to what is infinite, or not a number, alone. So whoever reads a tile finds it settled, and
a product may read it before. That no index leads out of the matrix has to be known by then.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from diablo.runtime.arrays.patterns.boxes import distinct_bytes
from diablo.runtime.arrays.patterns.making import of_rows
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.row_checks import are_in_order
from diablo.runtime.arrays.sparse_tile import SparseTile

Array = NDArray[Any]

_pattern, _elements = (SparseTile.__dict__[name] for name in ("pattern", "elements"))
"""Where a tile keeps its fields, whatever a class below it says of them."""


class Stored(NamedTuple):
    """A pattern, and the values of its entries.

    As a caller gave them some may be zeros, in any order in their rows, and several of one index,
    which are to be added.
    """

    pattern: Pattern
    values: Array


def tile_as_given(matrix: Any) -> SparseTile:
    """A tile over the vectors of a SciPy CSR matrix, whose indices lie within it.

    Rows of floats are settled later.
    """
    given = _GivenTile(matrix)
    if matrix.data.dtype.kind != "f":
        given.settle()
    return given


def rows_as_given(tile: SparseTile) -> Stored | None:
    """The rows of a tile that nothing has settled yet; None for any other tile."""
    kept = _pattern.__get__(tile)
    return kept if isinstance(kept, Stored) else None


def stored(tile: SparseTile) -> Stored:
    """What a tile stores: as it was given, if nothing has settled it yet."""
    return rows_as_given(tile) or Stored(tile.pattern, tile.elements)


class _GivenTile(SparseTile):
    """A tile that is settled when its entries are asked for, and is a `SparseTile` then."""

    __slots__ = ()

    def __init__(self, matrix: Any):
        rows = of_rows(matrix.indptr, matrix.indices, matrix.shape, 1)
        object.__setattr__(self, "shape", rows.shape)
        object.__setattr__(self, "dense_rank", 1)
        _pattern.__set__(self, Stored(rows, matrix.data))
        _elements.__set__(self, matrix)

    @property
    def pattern(self) -> Pattern:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The entries, none of which is zero."""
        self.settle()
        return _pattern.__get__(self)

    @property
    def elements(self) -> Array:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Their values."""
        self.settle()
        return _elements.__get__(self)

    @property
    @override
    def dtype(self) -> np.dtype[Any]:
        return stored(self).values.dtype

    @property
    @override
    def nbytes(self) -> int:
        pattern, values = stored(self)
        return distinct_bytes([*pattern.vectors(), values])

    def settle(self) -> None:
        """Look at the rows, and put them right. Of two threads each leaves what the other does."""
        matrix = _elements.__get__(self)
        if not isinstance(matrix, np.ndarray):
            # SciPy keeps this on a matrix, and does not know of what is written to its vectors.
            matrix.has_canonical_format = are_in_order(matrix.indptr, matrix.indices)
            settled = SparseTile.from_csr(matrix)
            _pattern.__set__(self, settled.pattern)
            _elements.__set__(self, settled.elements)
        object.__setattr__(self, "__class__", SparseTile)
