"""The `sparse_storage` dialect: the index sets of sparse arrays.

A *region* is a set of indices in a box. Each index of a region has a *position*; an array over
the region is a vector of values by position and an *implicit value* for all other indices. Any
number of arrays share the region, so that its indices are stored, and looped over, once.

This level stands inside kernels, between `tensor_block` and loops over buffers: it says which
regions there are, which loops of `multiloop` go through, and not yet in which vectors their indices
are kept.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from diablo.dialects.sparse_storage.sparse_storage_access import (
    LookupOp,
    ReadIndexOp,
    StepOp,
    ValueOp,
)
from diablo.dialects.sparse_storage.sparse_storage_arrays import ImplicitOp, PackOp, UnpackOp
from diablo.dialects.sparse_storage.sparse_storage_layout import LayoutAttr, RegionType
from diablo.dialects.sparse_storage.sparse_storage_regions import (
    BoxOp,
    RegionWhereOp,
    SizeOp,
    SliceOp,
    YieldOp,
    iteration_order,
    region_type,
)
from diablo.dialects.sparse_storage.sparse_uses import UsesAttr

__all__ = [
    "BoxOp",
    "ImplicitOp",
    "LayoutAttr",
    "LookupOp",
    "PackOp",
    "ReadIndexOp",
    "RegionType",
    "RegionWhereOp",
    "SizeOp",
    "SliceOp",
    "SparseStorage",
    "StepOp",
    "UnpackOp",
    "UsesAttr",
    "ValueOp",
    "YieldOp",
    "iteration_order",
    "region_type",
]

SparseStorage = Dialect(
    "sparse_storage",
    [
        UnpackOp,
        PackOp,
        BoxOp,
        RegionWhereOp,
        SliceOp,
        SizeOp,
        YieldOp,
        LookupOp,
        StepOp,
        ValueOp,
        ReadIndexOp,
        ImplicitOp,
    ],
    [RegionType, LayoutAttr, UsesAttr],
)
