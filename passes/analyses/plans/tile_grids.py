"""How the tiles of an RDD lie: as their grid deals them out, or somewhere else.

    lies_by_grid(%C)      whether %C has one tile for each place of a grid, where that says
    was_given(%C)         whether Spark, which was given such tiles, does not know where they lie
    own_grid(%C)          the dimensions of the array by whose grid the records of %C are keyed

`tile_placement.py` of the runtime is the other side of this. An array may turn out to lie otherwise
when the program runs, as one that another program left with Spark: the runtime looks before it
zips.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from diablo.dialects import spark


def lies_by_grid(rdd: SSAValue) -> bool:
    """Return whether an RDD has one tile for each place of its grid, where the grid says."""
    return _holds(rdd, _made_by_grid, set())


def was_given(rdd: SSAValue) -> bool:
    """Return whether tiles lie where Spark was given them, without that it knows of a grid."""
    return _holds(rdd, _made_of_given, set())


def own_grid(rdd: SSAValue) -> Sequence[SSAValue] | None:
    """Return the dimensions of the grid that the keys of an RDD are places of, if known."""
    match rdd.owner:
        case spark.PersistOp() | spark.WithLayoutOp() as op:
            return own_grid(op.input)
        case spark.TilesOp() | spark.CropOp() | spark.RekeyOp() | spark.RouteOp() as op:
            return op.dims
        case spark.WindowOp() as op:
            return op.over
        case spark.ReduceByKeyOp() as op:
            return op.grid
        case spark.StripsOp() as op:
            return [op.dims[op.axis.value.data]]
        case spark.MapOp() | spark.MapGroupsOp() as op if op.dims:
            assert isinstance(rdd.type, spark.RDDType)
            places = range(len(rdd.type.keys)) if op.to_keys is None else op.to_keys.get_values()
            return [op.dims[place] for place in places]
        case _:
            return None


def is_carried(op: spark.PersistOp) -> bool:
    """Return whether an RDD is kept by the loop that carries it to its next iteration."""
    return any(
        isinstance(use.operation, scf.YieldOp)
        and isinstance(use.operation.parent_op(), scf.WhileOp)
        and use.operation.parent is op.parent
        for use in op.result.uses
    )


_Holds = Callable[[SSAValue], bool]
_Made = Callable[[Operation, _Holds], bool]


def _holds(rdd: SSAValue, made: _Made, assumed: set[SSAValue]) -> bool:
    """Return whether `made` holds of all ops that an RDD may come from.

    Of what a loop carries it holds if it holds of what the loop begins with, and of what an
    iteration makes of what it holds of.
    """
    if rdd in assumed:
        return True
    assumed.add(rdd)

    def holds(value: SSAValue) -> bool:
        return _holds(value, made, assumed)

    owner = rdd.owner
    if isinstance(owner, Block):
        loop = owner.parent_op()
        if not isinstance(loop, scf.WhileOp):
            return False
        number = next(k for k, arg in enumerate(owner.args) if arg is rdd)
        if owner is loop.after_region.block:
            return holds(_condition(loop).args[number])
        return holds(loop.arguments[number]) and holds(_yielded(loop.after_region.block)[number])
    number = next(k for k, result in enumerate(owner.results) if result is rdd)
    if isinstance(owner, scf.WhileOp):
        return holds(_condition(owner).args[number])
    if isinstance(owner, scf.IfOp):
        return all(holds(_yielded(region.block)[number]) for region in owner.regions)
    return made(owner, holds)


def _condition(loop: scf.WhileOp) -> scf.ConditionOp:
    last = loop.before_region.block.last_op
    assert isinstance(last, scf.ConditionOp)
    return last


def _yielded(block: Block) -> Sequence[SSAValue]:
    last = block.last_op
    assert isinstance(last, scf.YieldOp)
    return last.operands


def _made_by_grid(op: Operation, holds: _Holds) -> bool:
    match op:
        case spark.ParallelizeOp():
            return bool(op.result.type.keys.data)
        case spark.TilesOp() | spark.ReduceByKeyOp() | spark.WindowOp() | spark.StripsOp():
            return True
        case spark.PersistOp() | spark.CropOp() | spark.WithLayoutOp():
            return holds(op.input)
        case spark.MapOp() | spark.MapGroupsOp():
            return op.to_keys is None and bool(op.dims) and holds(op.input)
        case spark.CogroupOp():
            return bool(op.grid)
        case _:
            return False


def _made_of_given(op: Operation, holds: _Holds) -> bool:
    match op:
        case spark.ReduceByKeyOp() | spark.WindowOp():
            return False
        case spark.StripsOp():
            return not isinstance(op.input.type, spark.RDDType)
        case spark.PersistOp():
            return not op.grid and holds(op.input)
        case spark.CogroupOp():
            return op.zipped is not None and any(map(holds, op.inputs))
        case _:
            return _made_by_grid(op, holds)
