"""Which arrays are cut into tiles alike: those whose tiles meet, or are made of one another.

    %C = spark.map_groups @k (spark.cogroup %A, %B)       A, B and C have tiles of one size
    %w = spark.map @k (%v)                                so have v and w, which may be another

What the driver has of an array as a whole, or rows are made of, does not say how that was cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from xdsl.dialects import func, scf
from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.disjoint_set import DisjointSet

from diablo.dialects import spark
from diablo.dialects.bags import BagType
from diablo.passes.analyses.values.all_values import all_values, source_name

BLOCKS = "blocks"
"""The attribute that names the arrays with which those of an op are cut alike."""


def blocks_of(op: Operation) -> str | None:
    """Return the name of the arrays with which those of an op are cut alike, if there are others.

    That is what `choose-block-size` has found.
    """
    name = op.attributes.get(BLOCKS)
    return name.data if isinstance(name, StringAttr) else None


def block_groups(function: func.FuncOp) -> list[list[Operation]]:
    """Return the ops of each set of arrays that are cut alike, in the order of the function."""
    sets = DisjointSet[SSAValue](list(all_values(function)))
    ops = list(function.walk())
    for op in ops:
        for alike in _alike(op):
            for one, other in pairwise([value for value in alike if _has_tiles(value)]):
                sets.union_left(one, other)
    groups: dict[SSAValue, list[Operation]] = {}
    cut: set[SSAValue] = set()
    for op in ops:
        tiled = _tiled(op)
        if tiled and not isinstance(op, scf.WhileOp | scf.IfOp | scf.ConditionOp | scf.YieldOp):
            found = sets.find(tiled[0])
            groups.setdefault(found, []).append(op)
            if _cuts(op):
                cut.add(found)
    return [found for first, found in groups.items() if first in cut]


def array_names(group: Sequence[Operation]) -> Iterator[str]:
    """Yield the names that the program has for arrays of some ops."""
    for op in group:
        # What Spark is given has the name of that, of which its own hint is a shorter form.
        gives = isinstance(op, spark.ParallelizeOp | spark.StripsOp)
        is_given = gives and op.operands[0].name_hint is not None
        for value in op.operands[:1] if is_given else op.results:
            if _is_array(value) and (name := source_name(value)) is not None:
                yield name


def _has_tiles(value: SSAValue) -> bool:
    """Return whether the records of a value have coordinates of tiles, or numbers of buckets."""
    return isinstance(value.type, spark.RDDType) and len(value.type.keys) > 0


def _is_array(value: SSAValue) -> bool:
    type = value.type
    if isinstance(type, spark.RDDType):
        return any(isinstance(part, TensorType) for part in type.values)
    return isinstance(type, TensorType)


def _tiled(op: Operation) -> list[SSAValue]:
    return [value for value in (*op.operands, *op.results) if _has_tiles(value)]


def _alike(op: Operation) -> Iterator[Sequence[SSAValue]]:
    """Yield the values that are cut alike by what an op does."""
    match op:
        case scf.WhileOp():
            before, after = op.before_region.block, op.after_region.block
            end, again = before.last_op, after.last_op
            assert isinstance(end, scf.ConditionOp)
            assert isinstance(again, scf.YieldOp)
            yield from zip(op.arguments, before.args, again.operands, strict=True)
            yield from zip(end.operands[1:], after.args, op.results, strict=True)
        case scf.IfOp():
            for region in (op.true_region, op.false_region):
                end = region.block.last_op if region.blocks else None
                if isinstance(end, scf.YieldOp):
                    yield from zip(end.operands, op.results, strict=True)
        case _ if op.name.startswith("spark."):
            yield [*op.operands, *op.results]
        case _:
            pass


def _cuts(op: Operation) -> bool:
    """Return whether an op has an edge of tiles in its text: buckets have none."""
    match op:
        case spark.ParallelizeOp():
            return not isinstance(op.input.type, BagType)
        case spark.MapOp() | spark.MapGroupsOp():
            return bool(op.dims)
        case _:
            return isinstance(op, spark.TilesOp | spark.RouteOp | spark.SplitOp | spark.StripsOp)
