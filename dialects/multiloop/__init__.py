"""The `multiloop` dialect: loops whose bodies emit values, and generators that say what becomes
of these.

A loop runs over the rows of a bag, over a range, or over the points of an iteration space with what
arrays have there, with one body for all that is made of them: a bag of the rows that are emitted
(`collect`), what they amount to (`reduce`), what they amount to for each key (`bucket_reduce`,
`table` where keys have bounds), lists of them for each key (`bucket_collect`), what they amount to
so far (`scan`), an array (`place`). It stands between the kernels of `tensor_block` and `scf`.

The idea is that of the generators of Delite's parallel patterns (Brown et al., "Have abstraction
and eat performance, too: optimized heterogeneous computing with parallel patterns", CGO 2016).
"""

from __future__ import annotations

from xdsl.ir import Dialect

from diablo.dialects.multiloop.multiloop_generators import (
    BucketCollectType,
    BucketReduceType,
    CollectType,
    GeneratorType,
    PlaceType,
    ReduceType,
    ScanType,
    TableType,
)
from diablo.dialects.multiloop.multiloop_loops import EmitOp, LoopOp, Source
from diablo.dialects.multiloop.multiloop_memory import PrefetchOp, ReadWordOp

__all__ = [
    "BucketCollectType",
    "BucketReduceType",
    "CollectType",
    "EmitOp",
    "GeneratorType",
    "LoopOp",
    "Multiloop",
    "PlaceType",
    "PrefetchOp",
    "ReadWordOp",
    "ReduceType",
    "ScanType",
    "Source",
    "TableType",
]

Multiloop = Dialect(
    "multiloop",
    [LoopOp, EmitOp, PrefetchOp, ReadWordOp],
    [
        CollectType,
        ReduceType,
        ScanType,
        BucketReduceType,
        BucketCollectType,
        PlaceType,
        TableType,
    ],
)
"""The dialect, as xDSL registers it."""
