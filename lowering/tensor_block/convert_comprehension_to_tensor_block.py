"""Say comprehensions as operations on whole arrays, or on rows where that is not possible.

Reads the `comprehension` level (normalised), writes the `tensor_block` level. A comprehension
over arrays whose indices are aligned, or sums of each other, becomes `map` and `reduce`
(aligned_arrays.py), one with computed keys `scatter_reduce` (scattered_arrays.py); whatever
is not recognised becomes row algebra over column batches (row_plan.py), with a remark that
names what prevented the better form. Where array algebra is right only if extents agree that
are not known yet, arrays are widened where they do not (uncovered_arrays.py), or both forms
are emitted, and an `scf.if` on the extents chooses while the program runs.

```mlir
%r = comprehension.build (%n) : tensor<?xf64> {     %r = tensor_block.map parallel(d0 < %n)
  %i, %a = comprehension.each %A : tensor<?xf64>        ins(%A[d0] : tensor<?xf64>) … {
  %v = arith.mulf %a, %a : f64                  ==>   ^bb0(%i: index, %a: f64):
  comprehension.yield (%i) %v                           %v = arith.mulf %a, %a : f64
}                                                       tensor_block.yield %v : f64 }
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, scf
from xdsl.dialects.builtin import IntegerAttr, TensorType, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.bags import bag_columns
from diablo.dialects.locations import remark
from diablo.lowering.tensor_block.arrays.aligned_arrays import AlignedArrays
from diablo.lowering.tensor_block.arrays.gathered_reads import GatheredReads
from diablo.lowering.tensor_block.arrays.interleaved_keys import InterleavedKeys
from diablo.lowering.tensor_block.arrays.rotations import Rotations, has_wrapped_keys
from diablo.lowering.tensor_block.arrays.scattered_arrays import ScatteredArrays
from diablo.lowering.tensor_block.arrays.sparse_results import FewerRows
from diablo.lowering.tensor_block.arrays.stored_tests import note_what_holds_dest
from diablo.lowering.tensor_block.arrays.uncovered_arrays import UncoveredArrays
from diablo.lowering.tensor_block.arrays.whole_elements import lower_whole_elements
from diablo.lowering.tensor_block.query.body_emitter import Driver, scalar_body
from diablo.lowering.tensor_block.query.query import ComputedKey, read_query
from diablo.lowering.tensor_block.query.query_results import check_numbers, result_keys
from diablo.lowering.tensor_block.rows.row_hoisting import hoist_comprehensions
from diablo.lowering.tensor_block.rows.row_plan import lower_to_rows
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.comprehension_structure import Root
from diablo.passes.analyses.values.dimensions import read_argument_dimensions


def _over_arrays(root: Root) -> bool:
    return any(
        isinstance(g, comprehension.EachOp) and isinstance(g.collection.type, TensorType)
        for g in root.body.block.ops
    )


def _nested(root: Root) -> bool:
    parent = root.parent_op()
    while parent is not None:
        if isinstance(parent, Root):
            return True
        parent = parent.parent_op()
    return False


def _in_two_versions(
    root: Root,
    driver: Driver,
    value: SSAValue,
    assumptions: Sequence[tuple[SSAValue, SSAValue]],
) -> SSAValue:
    """Guard the array algebra that `driver` inserted by its assumptions; rows otherwise."""
    algebra: list[Operation] = []
    for op in driver.inserted:
        if op.parent is None:
            continue  # replaced while planning
        of_arrays = op.name.startswith(tensor_block.TensorBlock.name)
        used = {operand.owner for inner in op.walk() for operand in inner.operands}
        if of_arrays or not used.isdisjoint(algebra):
            algebra.append(op)
    condition: SSAValue | None = None
    for extent, least in assumptions:
        test = driver.insert(arith.CmpiOp(extent, least, "sge"))
        condition = test if condition is None else driver.insert(arith.AndIOp(condition, test))
    assert condition is not None
    then, otherwise = Block(), Block()
    branch = scf.IfOp(condition, [value.type], Region(then), Region(otherwise))
    chosen = driver.insert(branch)
    for op in algebra:
        op.detach()
        then.add_op(op)
    then.add_op(scf.YieldOp(value))
    copy = root.clone()
    otherwise.add_op(copy)
    otherwise.add_op(scf.YieldOp(lower_to_rows(copy, Driver(copy, whole=driver.whole))))
    Rewriter.erase_op(copy, safe_erase=False)
    message = "two versions: array algebra if the arrays cover the result, else rows"
    remark(root, message)
    return chosen


@dataclass(frozen=True)
class Options:
    """What is decided for all comprehensions of a program."""

    fast_math: bool = False
    whole: bool = False


def lower_root(root: Root, options: Options) -> SSAValue:
    """Emit the `tensor_block` form of one comprehension before it; return its value."""
    for op in hoist_comprehensions(root):
        if isinstance(op, Root):
            remark(op, "nested: does not depend on the outer rows, evaluated once before them")
            _replace(op, options)
    driver = Driver(root, whole=options.whole)
    value = lower_whole_elements(root, driver)
    if value is not None:
        return value
    value = _lower_interleaved(root, driver, options)
    if value is not None:
        return value
    if has_wrapped_keys(root):
        value = _lower_rotated(root, driver, options.fast_math)
        if value is not None:
            return value
    try:
        value, assumptions, plan = _array_algebra(root, driver, options.fast_math)
    except Refused as why:
        value = _lower_gathered(root, driver, options.fast_math)
        if value is not None:
            return value
        if _over_arrays(root) or isinstance(why, FewerRows):
            message = f"evaluated over rows, not as array algebra: {why}"
            remark(root, message)
        return lower_to_rows(root, driver)
    return _where_it_holds(root, driver, value, assumptions, plan)


def _where_it_holds(
    root: Root,
    driver: Driver,
    value: SSAValue,
    assumptions: Sequence[tuple[SSAValue, SSAValue]],
    plan: AlignedArrays | None,
) -> SSAValue:
    """The array algebra, and what else is needed where its assumptions do not hold."""
    if not assumptions:
        return value
    whole = None if plan is None else UncoveredArrays(plan, value, assumptions).lower()
    return _in_two_versions(root, driver, value, assumptions) if whole is None else whole


def _array_algebra(
    root: Root, driver: Driver, fast_math: bool
) -> tuple[SSAValue, Sequence[tuple[SSAValue, SSAValue]], AlignedArrays | None]:
    """The array algebra of a comprehension, what it takes for granted, and its plan."""
    query = read_query(root)
    check_numbers(query)
    try:
        plan = AlignedArrays(query, driver, fast_math)
    except ComputedKey:
        scattered = ScatteredArrays(query, driver, result_keys(query))
        return scattered.lower(), scattered.array.space.assumptions, None
    value = plan.lower()
    return value, plan.array.space.assumptions, plan


def _lower_gathered(root: Root, driver: Driver, fast_math: bool) -> SSAValue | None:
    """The array algebra of a comprehension that reads arrays at computed indices, if it is one."""
    copy = root.clone()
    Rewriter.insert_op(copy, InsertPoint.before(root))
    try:
        if not GatheredReads(copy, driver).apply():
            return None
        value, assumptions, plan = _array_algebra(copy, driver, fast_math)
        value = _where_it_holds(root, driver, value, assumptions, plan)
    except Refused as why:
        remark(root, f"an array is not read at computed indices in array algebra: {why}")
        return None
    finally:
        Rewriter.erase_op(copy, safe_erase=False)
    remark(root, "reads an array at computed indices: array algebra whose body reads it")
    return value


def _lower_rotated(root: Root, driver: Driver, fast_math: bool) -> SSAValue | None:
    """The array algebra of a comprehension with indices that wrap around, if there is such."""
    copy = root.clone()
    Rewriter.insert_op(copy, InsertPoint.before(root))
    rotations = Rotations(copy, driver)
    try:
        rotations.apply()
        if not rotations.found:
            return None
        value, assumptions, _ = _array_algebra(copy, driver, fast_math)
    except Refused:
        return None
    finally:
        Rewriter.erase_op(copy, safe_erase=False)
    remark(root, "its indices wrap around: the array is rotated as a whole")
    assumptions = [*rotations.assumptions, *assumptions]
    return _in_two_versions(root, driver, value, assumptions) if assumptions else value


def _lower_interleaved(root: Root, driver: Driver, options: Options) -> SSAValue | None:
    """A comprehension whose keys interleave indices, if it is one."""
    if not isinstance(root, comprehension.BuildOp):
        return None
    keys = InterleavedKeys(root, driver)
    copy = keys.expanded()
    if copy is None:
        return None
    value = lower_root(copy, options)
    Rewriter.erase_op(copy, safe_erase=False)
    return keys.collapsed(value)


def _replace(root: Root, options: Options) -> None:
    value = lower_root(root, options)
    hint = root.results[0].name_hint
    if hint is not None and value.name_hint is None:
        value.name_hint = hint
    root.results[0].replace_all_uses_with(value)
    Rewriter.erase_op(root)


def _fold_whole_bag(op: comprehension.ReduceOp | comprehension.LengthOp) -> None:
    """The fold of a bag that is no row's: what `comprehension-normalize` leaves of them."""
    driver = Driver(op)
    if isinstance(op, comprehension.ReduceOp):
        value = driver.insert(tensor_block.FoldOp(op.monoid.data, op.bag))
    else:
        one = scalar_body(
            bag_columns(op.bag), op.location, lambda e, _: [e.constant(IntegerAttr(1, i64))]
        )
        counted = driver.insert(tensor_block.ExtendOp(op.bag, one))
        ones = driver.insert(tensor_block.ProjectOp(counted, [len(bag_columns(counted)) - 1]))
        value = driver.insert(tensor_block.FoldOp("add", ones))
    op.result.replace_all_uses_with(value)
    Rewriter.erase_op(op)


def _in_a_body(op: Operation) -> bool:
    """Return whether `op` stands in the body of a `tensor_block` op, or of a monoid."""
    parent = op.parent_op()
    while parent is not None:
        if parent.name.startswith(tensor_block.TensorBlock.name):
            return True
        if isinstance(parent, comprehension.MonoidOp):
            return True
        parent = parent.parent_op()
    return False


@dataclass(frozen=True)
class ConvertComprehensionToTensorBlockPass(ModulePass):
    """Lower every comprehension to array algebra, or to row algebra where it is not aligned.

    With `fast-math`, sums of products become products of matrices also where their terms may
    cancel, as those of (x-c)*(x-c) do. With `whole`, the program runs in one process, where every
    array is one tile: what is computed for a row may read all of it.
    """

    name = "convert-comprehension-to-tensor-block"

    fast_math: bool = False
    """Split sums of products whose terms may cancel, too."""

    whole: bool = False
    """Take every array for one tile."""

    def apply(self, ctx: Context, op: builtin.ModuleOp) -> None:
        """Lower the outermost comprehensions in program order."""
        for function in [o for o in op.walk() if isinstance(o, func.FuncOp) and o.body.blocks]:
            read_argument_dimensions(function)
        note_what_holds_dest(op)
        for root in [o for o in op.walk() if isinstance(o, Root) and not _nested(o)]:
            _replace(root, Options(self.fast_math, self.whole))
        for fold in list(op.walk()):
            is_fold = isinstance(fold, comprehension.ReduceOp | comprehension.LengthOp)
            if is_fold and not _in_a_body(fold):
                _fold_whole_bag(fold)
