"""After the conversion: unused operations go, and chains of operations become one.

  %1 = spark.map @kernel_0 (%rows) captures(%a)      // extend
  %2 = spark.map @kernel_1 (%1)                      // filter
==>
  %2 = spark.map @kernel_0 (%rows) captures(%a)      // extend, filter

  %1 = tensor_block.extend %0 { … }
  %2 = tensor_block.project %1[2, 0]
==>
  %2 = tensor_block.extend %0 to [2, 0] { … }

  %2 = spark.reduce_by_key add %1
  %3 = spark.collect %2
==>
  %3 = spark.collect %1 folded "add"
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable

from diablo.dialects import spark, tensor_block
from diablo.dialects.bags import BagType
from diablo.dialects.effects import has_no_effect
from diablo.dialects.encodings import array_type, is_tiled
from diablo.dialects.locations import located, named
from diablo.dialects.monoids import ANY, PLACE
from diablo.dialects.number_constants import ConstantOps
from diablo.lowering.kernel_types import is_number
from diablo.passes.analyses.plans.record_kernels import kernel_of

MOST_TWICE = 16
"""How many operations for each row are computed twice rather than written and read again."""
_LITTLE = tensor_block.FilterOp | tensor_block.ExtendOp | tensor_block.ProjectOp | func.ReturnOp


def remove_unused(module: ModuleOp) -> None:
    """Erase ops without an effect whose results nothing uses, uses before definitions."""
    for op in list(module.walk(reverse=True, region_first=False)):
        pure = op.name.startswith("spark.") or isinstance(op, func.CallOp)
        if (
            op.results
            and all(result.first_use is None for result in op.results)
            and (pure or has_no_effect(op))
            and not isinstance(op, scf.WhileOp)
        ):
            Rewriter.erase_op(op)


def collect_partial_results(module: ModuleOp) -> None:
    """Let the driver collect what it alone reads before that is reduced by key.

    Of small arrays it may be the one that combines them, and save a shuffle.
    """
    for op in list(module.walk()):
        if not isinstance(op, spark.CollectOp) or is_tiled(op.result.type):
            continue
        partial = op.input.owner
        if isinstance(partial, spark.ReduceByKeyOp) and op.input.has_one_use():
            whole = spark.CollectOp(partial.input, op.dims, op.result.type, partial.monoid.data)
            Rewriter.replace_op(op, located(whole, op))
            Rewriter.erase_op(partial)


def fuse_maps(module: ModuleOp, whole: bool) -> None:
    """Join every map over rows to the map that makes the rows, if nothing else reads them.

    Where batches are `whole` a map over groups stays apart: a kernel that is one loop over rows
    becomes machine code, and the groups of all rows are there before the loop over them begins.
    So does one that groups rows of which a row has made a number of its own: as long as it is not
    known how many, there may be no room for their groups. The elements of a dense tile of several
    dimensions are such rows of each index of the first: what groups them stays apart in any case.
    """
    for op in list(module.walk()):
        if isinstance(op, spark.MapOp) and not op.dims:
            first = op.input.owner
            if (
                isinstance(first, spark.MapOp | spark.MapGroupsOp)
                and op.input.has_one_use()
                and first.parent is op.parent
                and not (whole and (_makes_groups(first) or _groups_many(first, op)))
                and not _groups_elements(first, op)
                and not _scans_much(kernel_of(first), op)
            ):
                _fuse(first, op)
            elif whole:
                _fuse_with_call(op)


def _scans_much(first: func.FuncOp, second: spark.MapOp) -> bool:
    """Return whether `second` scans rows of a kernel that threads had better not compute twice.

    Or rows of a scan, which threads share once they know what their parts of it add.
    """
    if not any(isinstance(op, tensor_block.WindowOp) for op in kernel_of(second).body.block.ops):
        return False
    count = 0
    for op in first.body.block.ops:
        if not isinstance(op, _LITTLE):
            return True
        for inner in op.walk():
            if isinstance(inner, ConstantOps | tensor_block.YieldOp | _LITTLE):
                continue
            count += 1
            if not inner.name.startswith("arith."):
                return True
    return count > MOST_TWICE


def _fuse_with_call(op: spark.MapOp) -> None:
    """Let the driver's call that makes the rows of a whole array do what `op` does with them."""
    made = op.input.owner
    if not isinstance(made, spark.ParallelizeOp) or not op.input.has_one_use():
        return
    result = op.result.type
    if not isinstance(result.values.data[0], BagType):
        return
    call = made.input.owner
    if not isinstance(call, func.CallOp) or not made.input.has_one_use():
        return
    if call.parent is not op.parent or any(not is_number(value.type) for value in op.captures):
        return
    kernel = SymbolTable.lookup_symbol(op, call.callee)
    assert isinstance(kernel, func.FuncOp)
    if not isinstance(kernel.body.block.last_op, func.ReturnOp):
        return
    if _makes_groups(op) and not _folds_each_row(kernel, op):
        return
    if _scans_much(kernel, op):
        return
    last = kernel_of(op)
    _append(kernel, last)
    (bag,) = kernel.function_type.outputs.data
    merged = func.CallOp(call.callee, [*call.operands, *op.captures], [bag])
    whole = made.whole is not None
    rows = spark.ParallelizeOp(merged.res[0], op.result.type, whole=whole)
    for new in (merged, rows):
        Rewriter.insert_op(located(new, op), InsertPoint.before(op))
    rows.result.name_hint = op.result.name_hint
    op.result.replace_all_uses_with(rows.result)
    for old in (op, made, call, last):
        Rewriter.erase_op(old)


def _makes_groups(op: spark.MapOp | spark.MapGroupsOp) -> bool:
    """Return whether the kernel of `op` ends in groups of rows."""
    end = kernel_of(op).body.block.last_op
    assert isinstance(end, func.ReturnOp)
    return any(
        isinstance(value.owner, tensor_block.GroupReduceOp)
        or (isinstance(value.owner, tensor_block.GroupOp) and value.owner.keys.value.data > 0)
        for value in end.arguments
    )


def _groups_many(first: spark.MapOp | spark.MapGroupsOp, second: spark.MapOp) -> bool:
    """Return whether `second` groups rows of which `first` makes any number of each."""
    return _makes_groups(second) and any(
        isinstance(op, tensor_block.ExpandOp | tensor_block.JoinOp | tensor_block.UnnestOp)
        for op in kernel_of(first).body.block.ops
    )


def _groups_elements(first: spark.MapOp | spark.MapGroupsOp, second: spark.MapOp) -> bool:
    """Return whether `second` groups the elements of a dense tile of several dimensions."""
    return (
        _makes_groups(second)
        and any(map(_has_many_elements, kernel_of(first).body.block.ops))
        and not _folds_each_row(kernel_of(first), second)
    )


def _has_many_elements(op: Operation) -> bool:
    """Return whether `op` makes rows of the elements of a dense array of several dimensions."""
    return (
        isinstance(op, tensor_block.ToBagOp)
        and not tensor_block.is_sparse(op.input.type)
        and array_type(op.input).get_num_dims() > 1
    )


def _folds_each_row(first: func.FuncOp, second: spark.MapOp) -> bool:
    """Return whether `second` folds the elements of `first` that have the same first index.

    They are there one after the other, so that nothing is looked up (`fuse-multiloops`).
    """
    end, last = first.body.block.last_op, kernel_of(second).body.block
    assert isinstance(end, func.ReturnOp)
    assert isinstance(last.last_op, func.ReturnOp)
    groups = [value.owner for value in last.last_op.arguments]
    if len(groups) != 1 or not isinstance(op := groups[0], tensor_block.GroupReduceOp):
        return False
    if op.keys.value.data != 1 or PLACE in (kinds := {m.data for m in op.monoids}) or ANY in kinds:
        return False
    found = _column(op.bag, 0)
    if found is not None and found[0] is last.args[0]:
        found = _column(end.arguments[0], found[1])
    return found is not None and found[1] == 0 and _is_of_elements(found[0])


def _is_of_elements(bag: SSAValue) -> bool:
    return isinstance(bag.owner, Operation) and _has_many_elements(bag.owner)


def _column(bag: SSAValue, number: int) -> tuple[SSAValue, int] | None:
    """Return the bag and the column of it that a column has the numbers of; None if it is made."""
    match bag.owner:
        case tensor_block.FilterOp() as op:
            return _column(op.bag, number)
        case tensor_block.ProjectOp() as op:
            return _column(op.bag, int(op.columns.get_values()[number]))
        case tensor_block.ExtendOp() as op:
            place = number if op.taken is None else op.taken[number]
            row = op.body.block.args
            if place < len(row):
                return _column(op.bag, place)
            end = op.body.block.last_op
            assert isinstance(end, tensor_block.YieldOp)
            value = end.values[place - len(row)]
            if isinstance(value.owner, arith.IndexCastOp):
                value = value.owner.input
            if not isinstance(value, BlockArgument) or value.block is not op.body.block:
                return None
            return _column(op.bag, value.index)
        case _:
            return bag, number


def _fuse(first: spark.MapOp | spark.MapGroupsOp, second: spark.MapOp) -> None:
    """`second` takes over: its kernel runs after `first`'s in one function."""
    last = kernel_of(second)
    _append(kernel_of(first), last)
    merged = _with_captures(first, second)
    Rewriter.insert_op(merged, InsertPoint.before(second))
    merged.results[0].name_hint = second.result.name_hint
    second.result.replace_all_uses_with(merged.results[0])
    Rewriter.erase_op(second)
    Rewriter.erase_op(first)
    Rewriter.erase_op(last)


def _append(kernel: func.FuncOp, last: func.FuncOp) -> None:
    """Let `kernel` do to its result what `last` does, whose captures it gets as well."""
    block = kernel.body.block
    end = block.last_op
    assert isinstance(end, func.ReturnOp)
    captured = [block.insert_arg(arg.type, len(block.args)) for arg in last.body.block.args[1:]]
    for arg, old in zip(captured, last.body.block.args[1:], strict=True):
        arg.name_hint = old.name_hint
    mapping: dict[SSAValue, SSAValue] = dict(
        zip(last.body.block.args, [end.arguments[0], *captured], strict=True)
    )
    for inner in last.body.block.ops:
        if isinstance(inner, func.ReturnOp):
            results: Sequence[SSAValue] = [mapping[value] for value in inner.arguments]
            _replace_end(end, func.ReturnOp(*results))
        else:
            Rewriter.insert_op(inner.clone(mapping), InsertPoint.before(end))
    kernel.update_function_type()


def _replace_end(old: func.ReturnOp, new: func.ReturnOp) -> None:
    new.location = old.location
    Rewriter.insert_op(new, InsertPoint.before(old))
    Rewriter.erase_op(old)


def _with_captures(
    first: spark.MapOp | spark.MapGroupsOp, second: spark.MapOp
) -> spark.MapOp | spark.MapGroupsOp:
    """`first` with the captures and the result of `second` as well."""
    captures = [*first.captures, *second.captures]
    result_type = second.result.type
    assert isinstance(result_type, spark.RDDType)
    to_keys = None if first.to_keys is None else [int(k) for k in first.to_keys.get_values()]
    crops = [] if first.crops is None else [map.data for map in first.crops]
    kernel = first.kernel.string_value()
    new: Operation
    if isinstance(first, spark.MapOp):
        new = spark.MapOp(kernel, first.input, first.dims, captures, result_type, to_keys, crops)
    else:
        new = spark.MapGroupsOp(
            kernel,
            first.input,
            first.dims,
            captures,
            [map.data for map in first.indexing_maps],
            result_type,
            None if first.monoid is None else first.monoid.data,
            to_keys,
            crops,
        )
    new.location = second.location
    return new


def fuse_projections(module: ModuleOp) -> None:
    """Let what extends rows leave out the columns that a projection of these leaves out."""
    for op in list(module.walk()):
        if not isinstance(op, tensor_block.ProjectOp):
            continue
        source = op.bag.owner
        if isinstance(source, tensor_block.ExtendOp) and op.bag.has_one_use():
            columns = [int(column) for column in op.columns.get_values()]
            if source.taken is not None:
                columns = [source.taken[column] for column in columns]
            body = source.detach_region(source.body)
            fused = located(tensor_block.ExtendOp(source.bag, body, columns), source)
            Rewriter.insert_op(fused, InsertPoint.before(op))
            named(fused.result, op.result)
            op.result.replace_all_uses_with(fused.result)
            Rewriter.erase_op(op)
            Rewriter.erase_op(source)
