"""Fold the same rows, or tiles, to several numbers in one job.

Works at the spark level.

```mlir
%0 = spark.map @kernel_0(%R)                 %0 = spark.map @kernel_0_1(%R)
%n = spark.fold add %0                       %n, %most = spark.fold_all [add, max] %0
%1 = spark.map @kernel_1(%R)           =>
%most = spark.fold max %1
```

The kernel of both goes through its rows once where it is one loop. What takes columns alone of the
rows is done again for each fold, and no job. Jobs stay apart where they are in different blocks,
where a later one takes what stands behind the first, as the mean from which it measures, or where
it can fail: what stands between may be there to protect it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import spark, tensor_block
from diablo.dialects.comprehension.comprehension_monoids import monoids_used
from diablo.dialects.defining_blocks import is_before
from diablo.dialects.locations import located, named, remark
from diablo.dialects.scalar_types import scalar_of
from diablo.dialects.spark.spark_types import RDDType, rdd_type
from diablo.passes.analyses.plans.record_kernels import kernel_of
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.speculation import can_trap


@dataclass(frozen=True)
class _Fold:
    """A fold of what a kernel makes of records, and what takes columns of these before."""

    fold: spark.FoldOp
    map: spark.MapOp
    kernel: func.FuncOp
    views: Sequence[tuple[spark.MapOp, func.FuncOp]]

    @property
    def source(self) -> SSAValue:
        """The RDD of the records."""
        return self.views[0][0].input if self.views else self.map.input

    @property
    def key(self) -> Hashable:
        """The key that folds have in common that may be one job."""
        return self.source, tuple(self.map.dims), self.map.to_keys

    @property
    def captures(self) -> Sequence[SSAValue]:
        """The values that its kernel is given beside the records."""
        return self.map.captures

    @property
    def places(self) -> int:
        """How many arguments of its kernel say where a record lies."""
        return 2 * len(self.map.dims)

    @property
    def can_fail(self) -> bool:
        """Whether it may fail, or what it combines with may."""
        return can_trap(self.kernel) or any(map(can_trap, monoids_used(self.fold)))


def _fold(fold: spark.FoldOp) -> _Fold:
    """Return a fold taken apart. Raises `Refused` if it is not made record by record."""
    map = fold.input.owner
    if not isinstance(map, spark.MapOp) or map.parent is not fold.parent:
        raise Refused("it is made in another way")
    if not fold.input.has_one_use():
        raise Refused("something else reads the numbers of the records")
    if map.crops is not None or scalar_of(fold.result.type) is None:
        raise Refused("it is no number, or its kernel is given parts of arrays")
    kernel = kernel_of(map)
    views: list[tuple[spark.MapOp, func.FuncOp]] = []
    source = map.input
    while isinstance(view := source.owner, spark.MapOp) and view.parent is map.parent:
        taken = kernel_of(view)
        steps = tensor_block.ProjectOp | func.ReturnOp
        if view.captures or view.dims or not all(isinstance(op, steps) for op in taken.body.ops):
            break
        views.insert(0, (view, taken))
        source = view.input
    return _Fold(fold, map, kernel, views)


def _groups(block: Block) -> Iterable[list[_Fold]]:
    """The folds of a block that may each be one job."""
    latest: dict[Hashable, list[_Fold]] = {}
    for op in block.ops:
        if not isinstance(op, spark.FoldOp):
            continue
        try:
            fold = _fold(op)
        except Refused:
            continue
        group = latest.get(fold.key, [])
        joins = group and not fold.can_fail
        if joins and all(is_before(value, group[0].map) for value in fold.captures):
            group.append(fold)
        else:
            yield group
            latest[fold.key] = [fold]
    yield from latest.values()


def _inlined(kernel: func.FuncOp, values: Sequence[SSAValue], into: Block) -> list[SSAValue]:
    """Write what a kernel does into a block; return what it gives."""
    known: dict[SSAValue, SSAValue] = dict(zip(kernel.body.block.args, values, strict=True))
    for op in kernel.body.block.ops:
        if isinstance(op, func.ReturnOp):
            return [known.get(value, value) for value in op.arguments]
        new = op.clone(known)
        into.add_op(new)
    raise AssertionError("a kernel returns")


def _arguments(group: Sequence[_Fold]) -> tuple[Block, dict[SSAValue, SSAValue]]:
    """The block of the kernel of several folds, and what stands there for what it captures."""
    first = group[0]
    begun = first.views[0][1] if first.views else first.kernel
    old = list(begun.body.block.args[: first.places + len(rdd_type(first.source).values)])
    captured: dict[SSAValue, SSAValue] = {}
    for fold in group:
        inner = fold.kernel.body.block.args[len(fold.kernel.body.block.args) - len(fold.captures) :]
        for value, argument in zip(fold.captures, inner, strict=True):
            captured.setdefault(value, argument)
    block = Block(arg_types=[value.type for value in (*old, *captured.values())])
    for new, like in zip(block.args, (*old, *captured.values()), strict=True):
        named(new, like)
    return block, dict(zip(captured, block.args[len(old) :], strict=True))


def _together(group: Sequence[_Fold]) -> None:
    """Replace several folds by one in the place of the first."""
    first = group[0]
    block, captured = _arguments(group)
    records = list(block.args[: len(block.args) - len(captured)])
    results: list[SSAValue] = []
    for fold in group:
        values = records[first.places :]
        for _, view in fold.views:
            values = _inlined(view, values, block)
        captures = [captured[value] for value in fold.captures]
        taken = [*records[: first.places], *values, *captures]
        results += _inlined(fold.kernel, taken, block)
    block.add_op(func.ReturnOp(*results))
    types = ([argument.type for argument in block.args], [value.type for value in results])
    numbers = [fold.kernel.sym_name.data.removeprefix("kernel_") for fold in group]
    name = f"kernel_{'_'.join(numbers)}"
    kernel = func.FuncOp(name, types, Region(block), visibility="private")
    keys = None if first.map.to_keys is None else list(first.map.to_keys.get_values())
    rdd = RDDType([], [fold.fold.result.type for fold in group])
    map = spark.MapOp(name, first.source, first.map.dims, list(captured), rdd, keys)
    folded = spark.FoldAllOp([fold.fold.monoid.data for fold in group], map.result)
    Rewriter.insert_op(located(kernel, first.kernel), InsertPoint.before(first.kernel))
    for op in (map, folded):
        Rewriter.insert_op(located(op, first.fold), InsertPoint.before(first.map))
    for fold, result in zip(group, folded.folded, strict=True):
        named(result, fold.fold.result)
        fold.fold.result.replace_all_uses_with(result)
        Rewriter.erase_op(fold.fold)
        Rewriter.erase_op(fold.map)
    for view in dict.fromkeys(view for fold in group for view, _ in reversed(fold.views)):
        if not view.result.uses:
            Rewriter.erase_op(view)
    remark(folded, f"{len(group)} folds of the same rows are one job")


@dataclass(frozen=True)
class FoldTogetherPass(ModulePass):
    """Fold the same rows, or tiles, to several numbers in one job."""

    name = "fold-together"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at the folds of every block."""
        for block in [b for inner in op.walk() for region in inner.regions for b in region.blocks]:
            for group in list(_groups(block)):
                if len(group) > 1:
                    _together(group)
