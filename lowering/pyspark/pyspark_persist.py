"""Where an emitted program keeps an RDD: once and for all, or until its loop is done with it.

%kept = spark.persist %A      =>      A = persisted(A_1)
                                      loop.keep(A)            # in a loop
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from diablo.dialects import spark
from diablo.lowering.pyspark.collecting import grid_text
from diablo.lowering.pyspark.pyspark_lines import Chain
from diablo.passes.analyses.plans.tile_grids import is_carried

if TYPE_CHECKING:
    from diablo.lowering.pyspark.driver import Driver


def write_persist(driver: Driver, op: spark.PersistOp) -> None:
    """Keep an RDD, where it is not carried to the next iteration anyway."""
    chain = driver.chain(op.input)
    carried = is_carried(op)
    if carried and chain.is_variable:
        driver.chains[op.result] = chain
        return
    if carried:
        driver.assign(op, chain, "part")
        return
    if op.grid:
        chain = chain.then(f".partitionBy(*{grid_text(driver, op)})")
    elif op.buckets is not None:
        chain = chain.then(".partitionBy(*by_bucket(partitions))")
    if driver.loops:
        driver.assign(op, chain, "part")
        driver.lines.add(f"{driver.loops[-1]}.keep({driver.chain(op.result).text})")
    else:
        # On disk if memory runs short: made again, numbered rows might get other numbers.
        driver.assign(op, Chain(f"persisted({chain.text})"), "rdd")
