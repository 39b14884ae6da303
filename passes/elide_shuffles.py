"""Let tiles that lie alike meet where they are, and move those that do not once and for all.

Works at the spark level, behind `persist-reused`.

```mlir
%c = spark.cogroup %A, %B grid(%n)             %c = spark.cogroup %A, %B grid(%n) zipped
%P = spark.persist %p                     =>   %P = spark.persist %p grid(%n)
scf.while … {                                  scf.while … {
  spark.cogroup %E, %P grid(%n)                  spark.cogroup %E, %P grid(%n)
```

where %A and %B have one tile for each place of the grid, and %E may have several, as what
`spark.rekey` has copied. The grid of an array deals its tiles out to partitions in one way, whether
Spark was given them, as those of %A, or has shuffled them, as what `spark.reduce_by_key` combines
(`passes/analyses/plans/tile_grids.py`). So tiles of one grid are zipped. Where others have to be
shuffled, tiles that Spark was given would be shuffled with them, since it does not know where they
lie; those that are kept for a loop are moved before it, and not in each iteration. Hashed rows that
are kept are moved to the partitions of their buckets.

What the driver carries through a loop stays as it is: the loop keeps it.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from diablo.dialects import spark
from diablo.dialects.locations import located, named, remark
from diablo.passes.analyses.plans.tile_grids import is_carried, lies_by_grid, own_grid, was_given


@dataclass(frozen=True)
class ElideShufflesPass(ModulePass):
    """Let tiles that lie alike meet where they are, and move others once."""

    name = "elide-shuffles"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Zip what lies alike, then place what is kept and meets others."""
        groups = [inner for inner in op.walk() if isinstance(inner, spark.CogroupOp)]
        for group in groups:
            _zip(group)
        for inner in list(op.walk()):
            if isinstance(inner, spark.PersistOp) and not is_carried(inner):
                _place(inner)


def _zip(group: spark.CogroupOp) -> None:
    if not group.grid:
        return
    moved = [value for value in group.inputs if not lies_by_grid(value)]
    if moved:
        shuffled = sum(not _spark_knows(value) for value in group.inputs)
        remark(
            group,
            f"{shuffled} of {len(group.inputs)} inputs are shuffled to where the grid of the"
            " result deals its tiles out",
        )
    elif len(group.inputs) > 1:
        group.zipped = UnitAttr()
        remark(group, "tiles of one grid lie alike: they meet without a shuffle")


def _spark_knows(rdd: SSAValue) -> bool:
    """Return whether an RDD stays where it is in a shuffle by its grid."""
    return lies_by_grid(rdd) and not was_given(rdd)


def _place(kept: spark.PersistOp) -> None:
    """Move what is kept where it meets others, if it would be moved there more often."""
    for group in _meetings(kept.result):
        if not _moves(kept, group):
            continue
        grid = _grid_at(kept, group) if group.grid else ()
        if grid is not None:
            placed = located(spark.PersistOp(kept.input, grid, buckets=not grid), kept)
            named(placed.result, kept.result)
            Rewriter.replace_op(kept, placed)
            remark(placed, "this is kept where it meets others, so that it is shuffled once")
            return


def _meetings(rdd: SSAValue) -> Generator[spark.CogroupOp]:
    """Yield what brings an RDD together with others, also as what a loop begins with."""
    for use in rdd.uses:
        match use.operation:
            case spark.CogroupOp() as group:
                yield group
            case scf.WhileOp() as loop:
                for block in (loop.before_region.block, loop.after_region.block):
                    if use.index < len(block.args):
                        for inner in block.args[use.index].uses:
                            if isinstance(inner.operation, spark.CogroupOp):
                                yield inner.operation
            case _:
                pass


def _moves(kept: spark.PersistOp, group: spark.CogroupOp) -> bool:
    """Return whether records that are kept would be shuffled each time that they meet others.

    In a loop also tiles that are zipped move once, if they meet what Spark knows the place of: the
    result has a place as well then, and need not be moved where it meets others.
    """
    if group.zipped is None:
        return True
    in_loop = group.parent is not kept.parent
    return in_loop and not all(map(was_given, group.inputs))


def _grid_at(kept: spark.PersistOp, group: spark.CogroupOp) -> Sequence[SSAValue] | None:
    """Return the grid by which an RDD is placed, of dimensions that are known where it is kept."""
    own = own_grid(kept.input)
    if own is not None:
        return own
    return group.grid if all(_is_known(dim, kept) for dim in group.grid) else None


def _is_known(value: SSAValue, at: Operation) -> bool:
    """Return whether a value is defined before an op, in its block or around it."""
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent
    here: Operation | None = at
    while here is not None and here.parent is not block:
        here = here.parent_op()
    if here is None:
        return False
    return isinstance(value.owner, Block) or value.owner.is_before_in_block(here)
