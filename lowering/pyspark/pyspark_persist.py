"""Where an emitted program keeps an RDD: once and for all, or until its loop is done with it.

%kept = spark.persist %A      =>      A = persisted(A_1)
                                      loop.keep(A)            # in a loop
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import scf
from xdsl.ir import SSAValue

from diablo.dialects import spark
from diablo.lowering.pyspark.pyspark_lines import Chain

if TYPE_CHECKING:
    from diablo.lowering.pyspark.driver import Driver


def write_persist(driver: Driver, op: spark.PersistOp) -> None:
    """Keep an RDD, where it is not carried to the next iteration anyway."""
    chain = driver.chain(op.input)
    carried = any(
        isinstance(use.operation, scf.YieldOp)
        and isinstance(use.operation.parent_op(), scf.WhileOp)
        and use.operation.parent is op.parent
        for use in op.result.uses
    )
    if carried and chain.is_variable:
        driver.chains[op.result] = chain
        return
    if carried:
        driver.assign(op, chain, "part")
        return
    if _meets_others(op.result):
        # Where the hash of its keys belongs once and for all, instead of each time it is read.
        chain = chain.then(".partitionBy(partitions)")
    if driver.loops:
        driver.assign(op, chain, "part")
        driver.lines.add(f"{driver.loops[-1]}.keep({driver.chain(op.result).text})")
    else:
        # On disk if memory runs short: made again, numbered rows might get other numbers.
        driver.assign(op, Chain(f"persisted({chain.text})"), "rdd")


def _meets_others(rdd: SSAValue) -> bool:
    """Return whether tiles of an RDD meet others of the same key that lie otherwise.

    It may be at once, or in a loop.
    """
    in_slices = _lies_in_slices(rdd)
    for use in rdd.uses:
        if isinstance(group := use.operation, spark.CogroupOp):
            if not in_slices or not all(map(_lies_in_slices, group.inputs)):
                return True
        elif isinstance(loop := use.operation, scf.WhileOp):
            blocks = (loop.before_region.block, loop.after_region.block)
            args = [block.args[use.index] for block in blocks if use.index < len(block.args)]
            if any(isinstance(u.operation, spark.CogroupOp) for arg in args for u in arg.uses):
                return True
    return False


def _lies_in_slices(rdd: SSAValue) -> bool:
    """Return whether tiles lie as those that Spark is given (`tile_placement.py`)."""
    match rdd.owner:
        case spark.ParallelizeOp() | spark.TilesOp():
            return isinstance(rdd.type, spark.RDDType) and bool(rdd.type.keys.data)
        case spark.PersistOp() | spark.CropOp() | spark.WithLayoutOp() as op:
            return _lies_in_slices(op.input)
        case spark.MapOp() | spark.MapGroupsOp() as op:
            return op.to_keys is None and bool(op.dims) and _lies_in_slices(op.input)
        case spark.CogroupOp() as op:
            return all(map(_lies_in_slices, op.inputs))
        case _:
            return False
