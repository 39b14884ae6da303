"""Let the driver bring groups together that it alone reads, if they are few.

Works at the spark level.

```mlir
%h = spark.hash_rows %partial[0]
%c = spark.cogroup %h                             %r = spark.collect_groups @kernel_1(%partial[0])
%g = spark.map_groups @kernel_1(%c)        =>     %s = func.call @kernel_2(%r)
%m = spark.map @kernel_2(%g)
%s = spark.collect %m
```

where the rows of each batch were grouped and reduced before, so that no more of them come to the
driver than there are groups in each batch. How many these are is known when the program runs: many
are sent to buckets as before. A shuffle takes a stage, and the driver waits for two of them in each
iteration of a loop. A list that the program returns stays where it is until its caller asks for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import spark, tensor_block
from diablo.dialects.comprehension import BagType
from diablo.dialects.locations import located, named, remark
from diablo.passes.analyses.plans.record_kernels import kernel_of
from diablo.passes.analyses.refused import Refused


@dataclass(frozen=True)
class _Groups:
    """What brings groups together, from what was reduced in batches to what makes rows of them."""

    hashed: spark.HashRowsOp
    together: spark.CogroupOp
    reduced: spark.MapGroupsOp
    maps: list[spark.MapOp]
    """What is done with the rows of the groups, the first first."""


def _groups_before(collect: spark.CollectOp) -> _Groups:
    """Return what makes the rows that are collected. Raises `Refused` if these are no groups."""
    maps: list[spark.MapOp] = []
    value = collect.input
    while isinstance(map := _maker(value, collect), spark.MapOp):
        if map.dims or any(isinstance(type, spark.BroadcastType) for type in map.captures.types):
            raise Refused("what is done with them needs more than the rows")
        maps.insert(0, map)
        value = map.input
    reduced = _maker(value, collect)
    if not isinstance(reduced, spark.MapGroupsOp) or reduced.dims or reduced.captures:
        raise Refused("they are made in another way")
    together = _maker(reduced.input, collect)
    if not isinstance(together, spark.CogroupOp) or len(together.inputs) != 1:
        raise Refused("they are made of several lists")
    hashed = _maker(together.inputs[0], collect)
    if not isinstance(hashed, spark.HashRowsOp):
        raise Refused("they are brought together by their places")
    first = kernel_of(reduced).body.block.first_op
    partial = hashed.input.owner
    if not isinstance(first, tensor_block.GroupReduceOp) or not isinstance(partial, spark.MapOp):
        raise Refused("they are not reduced")
    end = kernel_of(partial).body.block.last_op
    made = end.operands[0].owner if isinstance(end, func.ReturnOp) else None
    if not isinstance(made, tensor_block.GroupReduceOp):
        raise Refused("they are not reduced before they are brought together")
    return _Groups(hashed, together, reduced, maps)


def _maker(value: SSAValue, collect: spark.CollectOp) -> Operation:
    """Return what makes a value for one reader alone. Raises `Refused` if there are more."""
    op = value.owner
    if not isinstance(op, Operation) or op.parent is not collect.parent:
        raise Refused("they may not be wanted where they are made")
    if not value.has_one_use():
        raise Refused("something else reads them as well")
    return op


def _collect(collect: spark.CollectOp) -> None:
    """Replace a job with a shuffle by one that need not have one. Raises `Refused`."""
    if not isinstance(collect.result.type, BagType) or collect.result.type.is_map:
        raise Refused("they are no list")
    if any(isinstance(use.operation, func.ReturnOp) for use in collect.result.uses):
        raise Refused("its caller may leave them where they are")
    groups = _groups_before(collect)
    kernel = kernel_of(groups.reduced)
    columns = [int(column) for column in groups.hashed.columns.get_values()]
    (bag,) = kernel.function_type.outputs.data
    if not isinstance(bag, BagType):
        raise Refused("they are no list")
    found: Operation = spark.CollectGroupsOp(
        kernel.sym_name.data, groups.hashed.input, columns, (), bag
    )
    remark(collect, "the driver brings the groups together if they are few: they need no shuffle")
    Rewriter.insert_op(located(found, groups.reduced), InsertPoint.before(collect))
    for map in groups.maps:
        callee = kernel_of(map)
        operands = [found.results[0], *map.captures]
        found = func.CallOp(callee.sym_name.data, operands, callee.function_type.outputs.data)
        Rewriter.insert_op(located(found, map), InsertPoint.before(collect))
    named(found.results[0], collect.result)
    collect.result.replace_all_uses_with(found.results[0])
    for op in (collect, *reversed(groups.maps), groups.reduced, groups.together, groups.hashed):
        Rewriter.erase_op(op)


@dataclass(frozen=True)
class CollectGroupsPass(ModulePass):
    """Let the driver bring groups together that it alone reads, if they are few."""

    name = "collect-groups"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at all lists that come to the driver."""
        for inner in list(op.walk()):
            if isinstance(inner, spark.CollectOp):
                try:
                    _collect(inner)
                except Refused:
                    continue
