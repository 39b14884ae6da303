"""The `tensor_block` dialect: whole-array algebra over blocked tensors and column bags.

Arrays are builtin tensors with an encoding. `#tensor_block.tiles` marks an array that is
distributed in tiles, `#tensor_block.storage` a local sparse one; a tensor without encoding
is local and dense. The same ops work on both: on tiled tensors they are the program, on
local tensors they are the kernel of one tile.

`map`, `reduce` and `scatter_reduce` compute an array (or a scalar) point by point over an
iteration space, `slice` is a part of one, `scan` folds
every beginning of its lines; the others move between arrays and bags of rows,
and from bags to bags.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from diablo.dialects.encodings import (
    StorageAttr,
    TilesAttr,
    dense_rank,
    is_sparse,
    is_tiled,
    local_type,
    tiled_type,
)
from diablo.dialects.tensor_block.tensor_block_arrays import MapOp, ReduceOp
from diablo.dialects.tensor_block.tensor_block_bags import FromBagOp, RangeOp, ToBagOp
from diablo.dialects.tensor_block.tensor_block_folds import FoldOp, GroupReduceOp
from diablo.dialects.tensor_block.tensor_block_iteration import IterationOp, YieldOp
from diablo.dialects.tensor_block.tensor_block_joins import JoinOp, LookupOp
from diablo.dialects.tensor_block.tensor_block_lists import (
    ConcatOp,
    GroupOp,
    NumberOp,
    ToMapOp,
    UnnestOp,
    UpdateOp,
)
from diablo.dialects.tensor_block.tensor_block_order import SortOp, WindowOp
from diablo.dialects.tensor_block.tensor_block_rows import ExpandOp, ExtendOp, FilterOp, ProjectOp
from diablo.dialects.tensor_block.tensor_block_scans import ScanOp
from diablo.dialects.tensor_block.tensor_block_scatter import ScatterReduceOp
from diablo.dialects.tensor_block.tensor_block_slices import SliceOp
from diablo.dialects.window_ops import WindowFunctionAttr

__all__ = [
    "ConcatOp",
    "ExpandOp",
    "ExtendOp",
    "FilterOp",
    "FoldOp",
    "FromBagOp",
    "GroupOp",
    "GroupReduceOp",
    "IterationOp",
    "IterationOps",
    "JoinOp",
    "LookupOp",
    "MapOp",
    "NumberOp",
    "ProjectOp",
    "RangeOp",
    "ReduceOp",
    "ScanOp",
    "ScatterReduceOp",
    "SliceOp",
    "SortOp",
    "StorageAttr",
    "TensorBlock",
    "TilesAttr",
    "ToBagOp",
    "ToMapOp",
    "UnnestOp",
    "UpdateOp",
    "WindowFunctionAttr",
    "WindowOp",
    "YieldOp",
    "dense_rank",
    "is_sparse",
    "is_tiled",
    "local_type",
    "tiled_type",
]

IterationOps = MapOp | ReduceOp | ScatterReduceOp
"""The ops over an iteration space."""

TensorBlock = Dialect(
    "tensor_block",
    [
        YieldOp,
        MapOp,
        ReduceOp,
        ScatterReduceOp,
        SliceOp,
        ScanOp,
        ToBagOp,
        RangeOp,
        FromBagOp,
        FilterOp,
        ExtendOp,
        ExpandOp,
        ProjectOp,
        LookupOp,
        JoinOp,
        GroupReduceOp,
        FoldOp,
        GroupOp,
        UnnestOp,
        NumberOp,
        SortOp,
        WindowOp,
        ConcatOp,
        ToMapOp,
        UpdateOp,
    ],
    [TilesAttr, StorageAttr, WindowFunctionAttr],
)
