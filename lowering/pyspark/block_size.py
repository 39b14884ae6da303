"""The choice of a block size, before anything is distributed, from all arrays of the program.

    %0 = spark.parallelize %A                 block_size = choose_block_size(
    %1 = spark.map @kernel_0 %0 …       =>        sc, block_size, dense=[A.shape, (n, n)],
    %2 = spark.map @kernel_1 … dims(%k)           later=[2], of=("A", "B"))

`dense` and `sparse` have the extents of the arrays, or sparse ones themselves, `strips` those of
arrays that are cut along one axis alone, that first, `points` those of what is iterated over;
`later` has the ranks of arrays whose extents the program has yet to compute. Arrays that meet no
others have a choice of their own (`choose-block-size`). `of` names the arrays. An array whose
extent is negative is refused: the comment above names the first that may be, `lines` has those of
others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from diablo.dialects import spark, tensor_block
from diablo.dialects.locations import span_of
from diablo.lowering.numpy.expressions import tuple_text
from diablo.lowering.pyspark.pyspark_lines import Chain
from diablo.lowering.pyspark.pyspark_scalars import is_scalar_op
from diablo.lowering.python_text import string_literal
from diablo.passes.analyses.plans.block_groups import array_names, block_groups, blocks_of
from diablo.passes.analyses.values.intervals import interval

if TYPE_CHECKING:
    from diablo.lowering.pyspark.driver import Driver

_NEVER_FAIL = (
    arith.ConstantOp,
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
    arith.MaxSIOp,
    arith.MinSIOp,
    arith.IndexCastOp,
    tensor.DimOp,
)
"""What extents are computed with, and may be before the statement that needs them."""

_SHUFFLES = (
    spark.CogroupOp,
    spark.ReduceByKeyOp,
    spark.HashRowsOp,
    spark.WindowOp,
    spark.CollectGroupsOp,
    spark.InterleaveOp,
)


def write_block_size(driver: Driver) -> None:
    """Write the choice, and how many partitions a shuffle makes if there is one."""
    ops = list(driver.function.walk())
    groups: dict[str | None, list[Operation]] = {}
    for op in ops:
        if (name := blocks_of(op)) is not None:
            groups.setdefault(name, []).append(op)
    if groups:
        for name, group in groups.items():
            # Those of arrays that the program has no name for are numbered.
            hint = None if name is not None and name.isdecimal() else f"{name}_block_size"
            variable = driver.names.unique(hint, "block_size")
            driver.block_sizes[name] = variable
            _write_choice(driver, group, variable, group)
        driver.any_block_size = next(iter(driver.block_sizes.values()))
    else:
        cut = [op for group in block_groups(driver.function) for op in group]
        _write_choice(driver, ops, driver.any_block_size, cut)
    folds = [op for op in ops if isinstance(op, spark.CollectOp) and op.monoid is not None]
    if folds or any(isinstance(op, _SHUFFLES) for op in ops):
        driver.lines.add(f"partitions = partition_count(sc, {driver.any_block_size})")


def _write_choice(
    driver: Driver, ops: Sequence[Operation], variable: str, cut: Sequence[Operation]
) -> None:
    """Write the choice for the arrays of some ops; those that some make are cut, and have names."""
    known: dict[str, list[str]] = {
        kind: [] for kind in ("dense", "sparse", "strips", "points", "later")
    }
    unsure: dict[str, tuple[Operation, set[SSAValue]]] = {}
    for op in ops:
        for kind, text in _needs(driver, op):
            if text not in known[kind]:
                known[kind].append(text)
        for _, dims in _arrays_of(op):
            negative = {d for d in dims if _may_be_negative(d)}
            if negative and all(d in driver.scalars for d in dims):
                text = tuple_text([driver.scalar(d) for d in dims])
                unsure.setdefault(text, (_located(op), negative))
    # What has the extents of an array is cut as that is.
    known["points"] = [t for t in known["points"] if t not in known["dense"] + known["sparse"]]
    arguments = [f"{kind}=[{', '.join(texts)}]" for kind, texts in known.items() if texts]
    refused = _refused([unsure.get(text) for text in known["dense"] + known["sparse"]])
    first = next(iter(refused.values()), None)
    lines = {k: span.line for k, op in refused.items() if (span := span_of(op))}
    place = None if first is None else span_of(first)
    other = [f"{k}: {line}" for k, line in lines.items() if place is None or line != place.line]
    if other:
        arguments.append(f"lines={{{', '.join(other)}}}")
    if names := list(dict.fromkeys(array_names(cut))):
        arguments.append(f"of={tuple_text([string_literal(name) for name in names])}")
    call = f"choose_block_size({', '.join(['sc', 'block_size', *arguments])})"
    if first is not None:
        driver.lines.comment(first)
    driver.lines.statement(f"{variable} = ", Chain(call))


def _refused(
    unsure: Sequence[tuple[Operation, set[SSAValue]] | None],
) -> dict[int, Operation]:
    """Return what makes the arrays that are the first with an extent that may be negative."""
    refused: dict[int, Operation] = {}
    tested: set[SSAValue] = set()
    for number, found in enumerate(unsure):
        if found is not None and not found[1] <= tested:
            refused[number] = found[0]
            tested |= found[1]
    return refused


def _located(op: Operation) -> Operation:
    """An op, or what made its first operand, if it stands for no place of the source itself."""
    while span_of(op) is None and op.operands and isinstance(op.operands[0].owner, Operation):
        op = op.operands[0].owner
    return op


def _needs(driver: Driver, op: Operation) -> Iterator[tuple[str, str]]:
    """Return what an op asks of the block size: the kind of argument, and its text."""
    if isinstance(op, spark.ParallelizeOp) and isa(op.input.type, TensorType[Attribute]):
        if op.input in driver.scalars:
            # How much of a sparse array is stored counts as well.
            name = driver.scalar(op.input)
            is_sparse = tensor_block.is_sparse(op.input.type)
            yield ("sparse", name) if is_sparse else ("dense", f"{name}.shape")
        else:
            yield "later", str(op.input.type.get_num_dims())
    if isinstance(op, spark.StripsOp):
        axis = op.axis.value.data
        dims = [op.dims[axis], *op.dims[:axis], *op.dims[axis + 1 :]]
        if all(_spelled_ahead(driver, d) for d in dims):
            yield "strips", tuple_text([driver.scalar(d) for d in dims])
        else:
            yield "later", "1"
    if isinstance(op, spark.TilesOp):
        if all(_spelled_ahead(driver, d) for d in op.dims):
            yield "points", tuple_text([driver.scalar(d) for d in op.dims])
        else:
            yield "later", str(len(op.dims))
    for type, dims in _arrays_of(op):
        if not dims:
            continue
        if all(_spelled_ahead(driver, d) for d in dims):
            kind = "sparse" if tensor_block.is_sparse(type) else "dense"
            yield kind, tuple_text([driver.scalar(d) for d in dims])
        else:
            yield "later", str(len(dims))


def _arrays_of(op: Operation) -> list[tuple[TensorType[Attribute], Sequence[SSAValue]]]:
    """The arrays that an op makes, with their dimensions."""
    if isinstance(op, spark.MapOp | spark.MapGroupsOp):
        assert isinstance(op.result.type, spark.RDDType)
        keys, values = op.result.type.keys.data, op.result.type.values.data
        dims = list(op.dims[: len(keys)])
        if op.to_keys is not None:
            dims = [op.dims[int(k)] for k in op.to_keys.get_values()]
        if keys and isa(values[0], TensorType[Attribute]):
            return [(values[0], dims)]
    if isinstance(op, spark.CollectOp) and isa(op.result.type, TensorType[Attribute]):
        return [(op.result.type, op.dims)]
    return []


def _may_be_negative(extent: SSAValue) -> bool:
    return interval(extent, {}).low < 0


def _spelled_ahead(driver: Driver, extent: SSAValue) -> bool:
    """Whether an extent is known here; if it can be computed from what is known, it is now."""
    if extent in driver.scalars:
        return True
    op = extent.owner
    if not isinstance(op, Operation) or not isinstance(op, _NEVER_FAIL):
        return False
    if not isinstance(op.parent_op(), func.FuncOp):
        return False
    if not (isinstance(op, tensor.DimOp) or is_scalar_op(op)):
        return False
    if not all(_spelled_ahead(driver, operand) for operand in op.operands):
        return False
    driver.write(op)
    return extent in driver.scalars
