"""The `spark` dialect: RDD operations between tiles.

The driver program is a function of these ops with `scf` control flow; kernels are
`func.func`s over local tensors and bags, named by symbol. A record of a tiled array is
(tile coordinates, tile); a record of rows is one column batch, and a map is its rows. Doubling
a matrix:

```mlir
%tiles = spark.parallelize %A : tensor<?x?xf64> -> !spark.rdd<[index, index], [tensor<?x?xf64>]>
%twice = spark.map @kernel_0(%tiles) dims(%n, %m)
    : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index, index], [tensor<?x?xf64>]>
%B = spark.collect %twice dims(%n, %m)
    : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> tensor<?x?xf64>
```
"""

from __future__ import annotations

from xdsl.ir import Dialect

from diablo.dialects.spark.spark_driver import (
    BroadcastOp,
    CollectOp,
    ExtractOp,
    ParallelizeOp,
    PersistOp,
    RangeOp,
    ReleaseOp,
    TilesOp,
)
from diablo.dialects.spark.spark_folds import FoldAllOp, FoldOp, ReduceByKeyOp
from diablo.dialects.spark.spark_interleave import InterleaveOp
from diablo.dialects.spark.spark_kernels import CollectGroupsOp, MapGroupsOp, MapOp
from diablo.dialects.spark.spark_layouts import WithLayoutOp
from diablo.dialects.spark.spark_moves import (
    CogroupOp,
    CropOp,
    HashRowsOp,
    RekeyOp,
    ReplicateOp,
    RouteOp,
)
from diablo.dialects.spark.spark_rows import NumberOp, ProbeOp, SortOp, UnionOp, WindowRowsOp
from diablo.dialects.spark.spark_scans import ScanOp
from diablo.dialects.spark.spark_slices import SliceOp
from diablo.dialects.spark.spark_strips import CollectStripsOp, StripsOp
from diablo.dialects.spark.spark_types import BroadcastType, GroupType, RDDType, plain_rows
from diablo.dialects.spark.spark_windows import SplitOp, WindowOp

__all__ = [
    "BroadcastOp",
    "BroadcastType",
    "CogroupOp",
    "CollectGroupsOp",
    "CollectOp",
    "CollectStripsOp",
    "CropOp",
    "ExtractOp",
    "FoldAllOp",
    "FoldOp",
    "GroupType",
    "HashRowsOp",
    "InterleaveOp",
    "MapGroupsOp",
    "MapOp",
    "NumberOp",
    "ParallelizeOp",
    "PersistOp",
    "ProbeOp",
    "RDDType",
    "RangeOp",
    "ReduceByKeyOp",
    "RekeyOp",
    "ReleaseOp",
    "ReplicateOp",
    "RouteOp",
    "ScanOp",
    "SliceOp",
    "SortOp",
    "Spark",
    "StripsOp",
    "TilesOp",
    "UnionOp",
    "WindowRowsOp",
    "WithLayoutOp",
    "plain_rows",
]


Spark = Dialect(
    "spark",
    [
        ParallelizeOp,
        RangeOp,
        TilesOp,
        MapOp,
        CropOp,
        SliceOp,
        ScanOp,
        RekeyOp,
        ReplicateOp,
        StripsOp,
        WindowOp,
        SplitOp,
        InterleaveOp,
        RouteOp,
        HashRowsOp,
        NumberOp,
        SortOp,
        WindowRowsOp,
        UnionOp,
        CogroupOp,
        MapGroupsOp,
        ReduceByKeyOp,
        FoldAllOp,
        FoldOp,
        ExtractOp,
        ProbeOp,
        BroadcastOp,
        PersistOp,
        ReleaseOp,
        WithLayoutOp,
        CollectOp,
        CollectGroupsOp,
        CollectStripsOp,
    ],
    [RDDType, GroupType, BroadcastType],
)
