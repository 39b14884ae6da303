"""What an op over an iteration space reads at the point, and how it was chosen to be joined.

    array_reads(op)                     ->  [(%A, (0, 2)), (%B, (2, 1))]: each array once
    chosen_join(op)                     ->  ("broadcast", 0), from the attributes of the op

`choose-join` writes the attributes, of joins of bags as well.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import Operation, SSAValue

from diablo.dialects import tensor_block
from diablo.dialects.access_maps import picked_dimensions
from diablo.passes.analyses.plans.distribution_plan import Reads

JOIN, STAYS = "tensor_block.join", "tensor_block.stays"
"""The attributes: the name of the way, and the number of the read that is left where it is."""

ArrayRead = tuple[SSAValue, tuple[int, ...]]


def array_reads(op: tensor_block.IterationOps) -> list[ArrayRead]:
    """The arrays that an op reads at dimensions alone, with these, each once."""
    reads = [
        (array, tuple(picked_dimensions(map.data) or ()))
        for array, map in zip(op.inputs, op.indexing_maps, strict=True)
    ]
    return list(dict.fromkeys(reads))


def reads_of(op: tensor_block.IterationOps, arrays: Sequence[ArrayRead]) -> Reads:
    """Return what the plans of an op are made of."""
    rank, result = len(op.extents), op.result.type
    parallel, folds = rank, True
    match op:
        case tensor_block.ReduceOp():
            parallel = op.parallel.value.data
            folds = parallel < rank
        case tensor_block.ScatterReduceOp():
            parallel = 0
        case _:
            folds = False
    # What is sparse is less than a dense result; where the driver combines, nothing moves.
    sparse = any(tensor_block.is_sparse(array.type) for array, _ in arrays)
    return Reads(
        rank,
        parallel,
        tuple([dims for _, dims in arrays]),
        tuple([not tensor_block.is_tiled(array.type) for array, _ in arrays]),
        folds and (not tensor_block.is_tiled(result) or not sparse),
    )


def chosen_join(op: Operation) -> tuple[str | None, int | None]:
    """The way that was chosen for an op, and the number of what stays in a broadcast."""
    join, stays = op.attributes.get(JOIN), op.attributes.get(STAYS)
    return (
        join.data if isinstance(join, StringAttr) else None,
        stays.value.data if isinstance(stays, IntegerAttr) else None,
    )
