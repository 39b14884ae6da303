"""What the ops of a kernel over sparse tiles run over, and which loop threads may share."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import func, scf, tensor
from xdsl.dialects.builtin import StringAttr, i1
from xdsl.ir import Block, BlockArgument, Operation

from diablo.dialects.encodings import dense_rank, is_sparse
from diablo.dialects.monoids import is_user_defined
from diablo.dialects.number_constants import is_arithmetic
from diablo.dialects.tensor_block import FoldOp, IterationOps, ToBagOp
from diablo.lowering.kernel_types import check_machine_code, is_tensor
from diablo.lowering.sparse_storage.argument_layouts import outer_dimension
from diablo.lowering.sparse_storage.row_chains import RowOp, chain_of
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.sparsity.driving_regions import (
    Drive,
    StoredOp,
    choose_drive,
    merged_drive,
    parallel_rank,
)

Chain = tuple[ToBagOp, list[RowOp]]
Work = Drive | Chain | None
"""What an op runs over: regions, the rows of an array, or (None) all points."""


@dataclass(frozen=True)
class KernelPlan:
    """What each op with loops runs over, and which one of them threads may share."""

    works: dict[Operation, Work]
    split: Operation | None


def plan_kernel(function: func.FuncOp, *, shared: bool = False, merged: bool = False) -> KernelPlan:
    """Return what a kernel over sparse tiles runs over; raises `Refused` if it has no such loop.

    With `shared` the plan may need several arguments to have one region. With `merged` it is that
    of one loop whose result has a region of its own, in compressed rows.
    """
    if len(function.body.blocks) != 1:
        raise Refused("it has no single block")
    block = function.body.block
    sparse = [a for a in block.args if is_tensor(a.type) and is_sparse(a.type)]
    if not sparse:
        raise Refused("no argument is sparse")
    if any(hasattr(argument.type, "columns") for argument in block.args):
        raise Refused("rows are an argument")
    check_machine_code(function)
    works: dict[Operation, Work] = {}
    chained: set[Operation] = set()
    for op in block.ops:
        try:
            if isinstance(op, IterationOps):
                works[op] = _work(op, shared, merged)
            elif isinstance(op, FoldOp):
                chain, steps = chain_of(op)
                works[op] = chain, steps
                chained |= {chain, *steps}
        except Refused as why:
            raise Refused(f"{op.name}: {why}") from None
        if op not in works:
            _check(op, works)
    if any(isinstance(op, ToBagOp | RowOp) and op not in chained for op in block.ops):
        raise Refused("rows are not folded")
    if not any(work is not None for work in works.values()):
        raise Refused("no loop runs over a sparse argument")
    plan = KernelPlan(works, _splittable(works))
    if merged:
        _check_merged(plan)
    return plan


def _check_merged(plan: KernelPlan) -> None:
    """Raise `Refused` if a result cannot be merged row by row."""
    op = plan.split
    if op is None:
        raise Refused("what is merged is not its only loop over rows")
    type = op.results[0].type
    assert is_tensor(type)
    if (type.get_num_dims(), dense_rank(type)) != (2, 1):
        raise Refused("what is merged is no matrix with dense rows")
    if type.get_element_type() == i1:
        raise Refused("an array of Booleans has no values")


def _check(op: Operation, works: dict[Operation, Work]) -> None:
    """Raise `Refused` if an op without loops has no place here."""
    if isinstance(op, func.ReturnOp):
        _check_return(op, works)
        return
    if isinstance(op, scf.IfOp) and any(is_tensor(type) for type in op.result_types):
        raise Refused("a tensor is chosen by a condition")
    known = isinstance(op, ToBagOp | RowOp | tensor.DimOp | scf.IfOp)
    if not known and not is_arithmetic(op):
        raise Refused(f"{op.name} is no loop")


def _work(op: IterationOps, shared: bool, merged: bool) -> Drive | None:
    """Return what an op over an iteration space runs over; all points, if no array is sparse."""
    monoid = op.properties.get("monoid")
    if isinstance(monoid, StringAttr) and is_user_defined(monoid.data):
        raise Refused("its monoid is the program's own")
    arrays = [value for value in (*op.operands, op.result) if is_sparse(value.type)]
    if not arrays:
        return None
    if any(value is not op.result and not isinstance(value.owner, Block) for value in arrays):
        raise Refused("a sparse array is made in the kernel")
    if not isinstance(op, StoredOp):
        raise Refused("an array is sparse")
    return merged_drive(op) if merged else choose_drive(op, shared=shared)


def _check_return(op: func.ReturnOp, works: dict[Operation, Work]) -> None:
    tensors = [value for value in op.arguments if is_tensor(value.type)]
    if any(value.owner not in works for value in tensors):
        raise Refused("an argument is returned as it is")
    if len(set(tensors)) < len(tensors):
        raise Refused("a result is returned twice")
    for made in works:
        for result in made.results:
            if (
                is_tensor(result.type)
                and is_sparse(result.type)
                and (len(list(result.uses)) != 1 or result not in tensors)
            ):
                raise Refused("a sparse array is used where it is made")


def _splittable(works: dict[Operation, Work]) -> Operation | None:
    """The only op with loops, if its first dimension can be cut."""
    if len(works) != 1:
        return None
    ((op, work),) = works.items()
    if isinstance(work, tuple):
        source = work[0].input
        assert isinstance(source, BlockArgument)
        return op if outer_dimension(source) is not None else None
    if not isinstance(work, Drive):
        return None
    assert isinstance(op, StoredOp)
    source = op.inputs[work.inputs[0]]
    assert isinstance(source, BlockArgument)
    outer = outer_dimension(source)
    if outer is None:
        return None
    # Threads must not write the same elements.
    apart = not is_tensor(op.result.type) or work.axes[outer] < parallel_rank(op)
    return op if apart else None
