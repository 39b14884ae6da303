"""In which order the rows of products are gone through: short ones by length.

A processor guesses where a row ends, and guesses wrong where rows are short and of many lengths,
as those of graphs are: that takes longer than the products. Within windows of 256 rows the rows
are gone through by length; the entries stay where they are, and one byte for each row says which
is next. Meanwhile the entries of the next window are fetched, without which a matrix that does not
stay in the cache is gone through more slowly than in order. Cf. the sorting windows of
SELL-C-sigma: M. Kreutzer et al., A unified sparse matrix data format for efficient general sparse
matrix-vector multiplication on modern processors with wide SIMD units, SIAM J. Sci. Comput. 2014,
which pads rows as well.
"""

from __future__ import annotations

import numpy as np

from diablo.runtime.kernels.signature import Array

WINDOW = 256
"""How many rows are sorted together; what they read then still comes from nearby."""
LONG_ROW = 8
"""Rows with more entries than this on average are long, and gone through as they are."""


def are_long(starts: Array) -> bool:
    """Return whether rows that begin at `starts` are long on average."""
    return int(starts[-1]) > LONG_ROW * (len(starts) - 1)


def row_order(starts: Array) -> Array:
    """The uint8 number within its window of each row to take."""
    rows = len(starts) - 1
    places = np.arange(rows)
    window = places // WINDOW
    lengths = np.diff(starts)
    key = window * (int(lengths.max(initial=0)) + 1) + lengths
    order = np.argsort(key, kind="stable")
    return (order - window * WINDOW).astype(np.uint8)
