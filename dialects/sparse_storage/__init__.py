"""The `sparse_storage` dialect: iteration over the index sets of sparse arrays.

A *region* is a set of indices in a box. Each index of a region has a *position*; an array over
the region is a vector of values by position and an *implicit value* for all other indices. Any
number of arrays share the region, so that its indices are stored, and looped over, once.

This level stands inside kernels, between `tensor_block` and loops over buffers: it says in
which order regions are iterated, and not yet in which vectors their indices are kept.
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
from diablo.dialects.sparse_storage.sparse_storage_coiteration import CoiterateOp
from diablo.dialects.sparse_storage.sparse_storage_iteration import (
    IterateOp,
    YieldOp,
    iteration_order,
)
from diablo.dialects.sparse_storage.sparse_storage_layout import LayoutAttr, RegionType
from diablo.dialects.sparse_storage.sparse_storage_regions import (
    BoxOp,
    RegionWhereOp,
    SizeOp,
    SliceOp,
    region_type,
)
from diablo.dialects.sparse_storage.sparse_uses import UsesAttr

__all__ = [
    "BoxOp",
    "CoiterateOp",
    "ImplicitOp",
    "IterateOp",
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
        IterateOp,
        CoiterateOp,
        YieldOp,
        LookupOp,
        StepOp,
        ValueOp,
        ReadIndexOp,
        ImplicitOp,
    ],
    [RegionType, LayoutAttr, UsesAttr],
)
