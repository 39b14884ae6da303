"""Bring columns that are computed of the same rows to the driver in one job.

Works at the spark level.

```mlir
%a = spark.map @kernel_0(%R)                      %a = spark.map @kernel_0_1(%R)
%x = spark.collect %a                             %b = spark.collect %a
                                            =>    %x = func.call @kernel_0_1_columns_0(%b)
%b = spark.map @kernel_1(%R)                      %y = func.call @kernel_0_1_columns_1(%b)
%y = spark.collect %b
```

where each kernel makes one row of each row, by `project` and `extend`. A column that both of them
compute travels once. The jobs stay apart where they are in different blocks, where a kernel needs
more than its rows, makes fewer or more of them, or is a later one that can fail: what stands
between may be there to protect it. A list that the program returns is no job at all: it stays where
it is until its caller asks for it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import spark, tensor_block
from diablo.dialects.comprehension import BagType
from diablo.dialects.effects import has_no_effect
from diablo.dialects.locations import located, named, remark
from diablo.dialects.number_constants import ConstantOps
from diablo.passes.analyses.plans.record_kernels import kernel_of
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.speculation import can_trap


@dataclass(frozen=True)
class _Gathering:
    """Rows that are brought to the driver, and the kernel that makes them of `source`."""

    collect: spark.CollectOp
    map: spark.MapOp
    kernel: func.FuncOp

    @property
    def source(self) -> SSAValue:
        return self.map.input


def _gathering(collect: spark.CollectOp) -> _Gathering:
    """Return what is collected, taken apart. Raises `Refused` if it is not made row by row."""
    map = collect.input.owner
    if not isinstance(map, spark.MapOp) or not isinstance(collect.result.type, BagType):
        raise Refused("it is made in another way")
    if any(isinstance(use.operation, func.ReturnOp) for use in collect.result.uses):
        raise Refused("its caller may leave it where it is")
    if map.parent is not collect.parent:
        raise Refused("it may not be wanted where its kernel stands")
    if not collect.input.has_one_use():
        raise Refused("something else reads it as well")
    return _Gathering(collect, map, _row_kernel(map))


def _row_kernel(map: spark.MapOp) -> func.FuncOp:
    """The kernel of a map. Raises `Refused` if it does not make one row of each, of that alone."""
    if map.captures or map.dims:
        raise Refused("its kernel needs more than the rows")
    kernel = kernel_of(map)
    steps = tensor_block.ProjectOp | tensor_block.ExtendOp | ConstantOps | func.ReturnOp
    if not all(isinstance(op, steps) for op in kernel.body.block.ops):
        raise Refused("a row may give none, or several")
    return kernel


def _maps_before(group: Sequence[_Gathering]) -> list[tuple[spark.MapOp, func.FuncOp]]:
    """The maps that make the rows for these jobs alone, row by row, with their kernels."""
    found: list[tuple[spark.MapOp, func.FuncOp]] = []
    source = group[0].source
    readers = set[Operation](gathering.map for gathering in group)
    while isinstance(map := source.owner, spark.MapOp):
        if map.parent is not group[0].map.parent:
            break
        if any(use.operation not in readers for use in source.uses):
            break
        try:
            found.append((map, _row_kernel(map)))
        except Refused:
            break
        source, readers = map.input, set[Operation]([map])
    return list(reversed(found))


@dataclass
class _Rows:
    """The body that computes, of one row, the columns of several kernels."""

    body: Block
    made: dict[Hashable, Operation] = field(default_factory=dict[Hashable, Operation])

    def columns(self, kernel: func.FuncOp, given: Sequence[SSAValue]) -> list[SSAValue]:
        """Compute what a kernel returns for a row; what was computed before is used again."""
        rows: dict[SSAValue, Sequence[SSAValue]] = {kernel.body.block.args[0]: given}
        values: dict[SSAValue, SSAValue] = {}
        for op in kernel.body.block.ops:
            match op:
                case tensor_block.ProjectOp():
                    row = rows[op.bag]
                    rows[op.result] = [row[int(column)] for column in op.columns.get_values()]
                case tensor_block.ExtendOp():
                    row = rows[op.bag]
                    whole = [*row, *self._computed(op.body.block, row, values)]
                    taken = range(len(whole)) if op.taken is None else op.taken
                    rows[op.result] = [whole[column] for column in taken]
                case func.ReturnOp():
                    return list(rows[op.arguments[0]])
                case _:
                    self._add(op, values)
        raise AssertionError("a kernel returns")

    def _computed(
        self, block: Block, row: Sequence[SSAValue], values: dict[SSAValue, SSAValue]
    ) -> list[SSAValue]:
        values.update(zip(block.args, row, strict=True))
        for op in block.ops:
            if isinstance(op, tensor_block.YieldOp):
                return [values.get(value, value) for value in op.values]
            self._add(op, values)
        raise AssertionError("a body yields")

    def _add(self, op: Operation, values: dict[SSAValue, SSAValue]) -> None:
        operands = tuple(values.get(operand, operand) for operand in op.operands)
        key = (op.name, operands, *op.properties.items(), *op.attributes.items(), *op.result_types)
        known = None if op.regions else self.made.get(key)
        if known is None:
            known = self.made[key] = op.clone(values)
            self.body.add_op(known)
        values.update(zip(op.results, known.results, strict=True))


def _drop_unused(body: Block, wanted: Sequence[SSAValue]) -> None:
    """Erase what is computed of a row for columns that nobody wants."""
    for op in reversed(list(body.ops)):
        read = any(result in wanted or result.uses for result in op.results)
        if op.results and not read and has_no_effect(op):
            Rewriter.erase_op(op)


def _projection(name: str, bag: BagType, columns: Sequence[int]) -> func.FuncOp:
    """A kernel that takes some columns of a bag."""
    block = Block(arg_types=[bag])
    project = tensor_block.ProjectOp(block.args[0], columns)
    block.add_ops([project, func.ReturnOp(project.result)])
    types = ([bag], [project.result.type])
    return func.FuncOp(name, types, Region(block), visibility="private")


def _together(group: Sequence[_Gathering]) -> None:
    """Replace several jobs by one in the place of the first, and kernels of the driver."""
    first = group[0]
    before = _maps_before(group)
    source, bag_value = first.source, first.kernel.body.block.args[0]
    if before:
        source, bag_value = before[0][0].input, before[0][1].body.block.args[0]
    bag = bag_value.type
    assert isinstance(bag, BagType)
    rows = _Rows(Block(arg_types=list(bag.columns.data)))
    row: Sequence[SSAValue] = rows.body.args
    for _, kernel in before:
        row = rows.columns(kernel, row)
    parts = [rows.columns(gathering.kernel, row) for gathering in group]
    columns = list(dict.fromkeys(value for part in parts for value in part))
    _drop_unused(rows.body, columns)
    given = list(rows.body.args)
    yielded = [value for value in columns if value not in given]
    rows.body.add_op(tensor_block.YieldOp(*yielded))
    whole = [*given, *yielded]

    block = Block(arg_types=[bag])
    block.args[0].name_hint = bag_value.name_hint
    taken = [whole.index(value) for value in columns]
    if yielded:
        made = tensor_block.ExtendOp(block.args[0], Region(rows.body), taken)
    else:
        made = tensor_block.ProjectOp(block.args[0], taken)
    block.add_ops([located(made, first.map), func.ReturnOp(made.result)])
    numbers = [g.kernel.sym_name.data.removeprefix("kernel_") for g in group]
    name = f"kernel_{'_'.join(numbers)}"
    result = made.result.type
    kernel = func.FuncOp(name, ([bag], [result]), Region(block), visibility="private")
    map = spark.MapOp(name, source, (), (), spark.RDDType([], [result]))
    collect = spark.CollectOp(map.result, (), result)
    Rewriter.insert_op(located(kernel, first.kernel), InsertPoint.before(first.kernel))
    for op in (map, collect):
        Rewriter.insert_op(located(op, first.collect), InsertPoint.before(first.collect))
    for number, (gathering, part) in enumerate(zip(group, parts, strict=True)):
        own = _projection(f"{name}_columns_{number}", result, [columns.index(v) for v in part])
        Rewriter.insert_op(located(own, gathering.kernel), InsertPoint.before(first.kernel))
        call = func.CallOp(own.sym_name.data, [collect.result], [gathering.collect.result.type])
        named(call.results[0], gathering.collect.result)
        Rewriter.replace_op(gathering.collect, located(call, gathering.collect))
        Rewriter.erase_op(gathering.map)
    for map, _ in reversed(before):
        Rewriter.erase_op(map)
    remark(collect, f"the columns of {len(group)} lists are brought to the driver by one job")


def _collect_block(block: Block) -> None:
    groups: dict[SSAValue, list[_Gathering]] = {}
    for op in list(block.ops):
        if not isinstance(op, spark.CollectOp):
            continue
        try:
            gathering = _gathering(op)
        except Refused:
            continue
        group = groups.setdefault(gathering.source, [])
        if not group or not can_trap(gathering.kernel):
            group.append(gathering)
    for group in groups.values():
        if len(group) > 1:
            _together(group)


@dataclass(frozen=True)
class CollectTogetherPass(ModulePass):
    """Bring columns that are computed of the same rows to the driver in one job."""

    name = "collect-together"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at the jobs of every block."""
        blocks = [
            block for inner in op.walk() for region in inner.regions for block in region.blocks
        ]
        for block in blocks:
            if any(isinstance(inner, spark.CollectOp) for inner in block.ops):
                _collect_block(block)
