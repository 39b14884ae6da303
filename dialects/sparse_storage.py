"""The `sparse_storage` dialect: iteration over the index sets of sparse arrays.

A *region* is a set of indices in a box. Each index of a region has a *position*; an array over
the region is a vector of values by position and an *implicit value* for all other indices. Any
number of arrays share the region, so that its indices are stored, and looped over, once.

This level stands inside kernels, between `tensor_block` and loops over buffers: it says in
which order regions are iterated, and not yet in which vectors their indices are kept.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from diablo.dialects.sparse_storage_layout import LayoutAttr, RegionType
from diablo.dialects.sparse_uses import UsesAttr

__all__ = ["LayoutAttr", "RegionType", "SparseStorage", "UsesAttr"]

SparseStorage = Dialect("sparse_storage", [], [RegionType, LayoutAttr, UsesAttr])
