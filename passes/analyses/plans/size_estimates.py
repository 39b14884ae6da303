"""Analysis: how large arrays and bags are, for those who decide where they lie and how they meet.

    element_count(%A)      ->  1000000, if the extents of %A are known; else None
    stored_bytes(%A)       ->  8000000; of a sparse array if rows have as many entries as often
    has_few_rows(%bag)     ->  whether a bag surely has few rows

Extents are known where they are constants, and where a program is compiled for those of its
inputs (`diablo.shape`), and so are the entries of an input (`diablo.nnz`). A map of sparse arrays
stores no more than these do together. What a loop carries is taken to be as large as what it
begins with.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from xdsl.dialects import arith, scf, tensor
from xdsl.ir import Block, BlockArgument, OpResult, SSAValue

from diablo.costs import ELEMENT_BYTES, FEW_ROWS
from diablo.dialects import comprehension, tensor_block
from diablo.dialects.access_maps import picked_dimensions
from diablo.dialects.encodings import as_array, is_sparse
from diablo.passes.analyses.plans.distribution_plan import is_permutation
from diablo.passes.analyses.values.affine_values import constant_value, known_index
from diablo.passes.analyses.values.argument_facts import known_entries
from diablo.passes.analyses.values.dimensions import dimensions, known_extents

ENTRIES_PER_ROW = 16
"""So many elements are taken to be stored for each row and column of a sparse array."""
INDEX_BYTES = 4


def extent_number(extent: SSAValue) -> int | None:
    """Return what an extent is, if that is known."""
    known = known_index(extent)
    if known is not None:
        return known
    match extent.owner:
        case tensor.DimOp(source=array, index=index):
            axis, begun = constant_value(index), _begun(array)
            extents = known_extents(array) if begun is None else extent_numbers(begun)
            return extents[axis] if isinstance(axis, int) and axis < len(extents) else None
        case arith.MinSIOp(lhs=a, rhs=b) | arith.MaxSIOp(lhs=a, rhs=b) as op:
            both = extent_number(a), extent_number(b)
            chosen = min if isinstance(op, arith.MinSIOp) else max
            return None if None in both else chosen(n for n in both if n is not None)
        case _:
            return None


def extent_numbers(array: SSAValue) -> list[int | None]:
    """Return what the extents of an array are, as far as that is known."""
    extents = known_extents(array)
    for axis, extent in enumerate(dimensions(array)):
        if extents[axis] is None and extent is not None:
            extents[axis] = extent_number(extent)
    if None not in extents:
        return extents
    begun = _begun(array)
    others = [extent_numbers(value) for value in (_ends(array) if begun is None else [begun])]
    for axis, known in enumerate(extents):
        found = {other[axis] for other in others}
        extents[axis] = found.pop() if known is None and len(found) == 1 else known
    return extents


def _begun(value: SSAValue) -> SSAValue | None:
    """Return what a value is in the first iteration of the loop that carries it, if one does."""
    block = value.owner
    loop = block.parent_op() if isinstance(block, Block) else block
    if not isinstance(loop, scf.WhileOp):
        return None
    assert isinstance(value, BlockArgument | OpResult)
    if block is loop.before_region.block:
        return loop.arguments[value.index]
    end = loop.before_region.block.last_op
    assert isinstance(end, scf.ConditionOp)
    return end.args[value.index]


def _ends(value: SSAValue) -> list[SSAValue]:
    """Return what a value may be that is chosen."""
    if not isinstance(value, OpResult) or not isinstance(value.op, scf.IfOp):
        return []
    ends = [region.block.last_op for region in value.op.regions if region.blocks]
    return [end.operands[value.index] for end in ends if end is not None]


def point_count(extents: Iterable[SSAValue]) -> int | None:
    """Return how many points an iteration space has, if that is known."""
    return _product([extent_number(extent) for extent in extents])


def element_count(array: SSAValue) -> int | None:
    """Return how many elements an array has, stored or not, if that is known."""
    return _product(extent_numbers(array))


def stored_bytes(array: SSAValue) -> int | None:
    """Return about how many bytes an array takes, if its extents are known."""
    count = element_count(array)
    if count is None:
        return None
    if not is_sparse(array.type):
        return count * ELEMENT_BYTES
    type = as_array(array.type)
    assert type is not None
    entries = entry_count(array)
    if entries is None:
        extents = [extent or 0 for extent in extent_numbers(array)]
        entries = min(count, ENTRIES_PER_ROW * sum(extents))
    return entries * (ELEMENT_BYTES + INDEX_BYTES)


def stored_share(array: SSAValue) -> float:
    """Return which share of its elements an array stores, as far as that is known."""
    count, taken = element_count(array), stored_bytes(array)
    if not count or taken is None or not is_sparse(array.type):
        return 1.0
    return min(1.0, taken / (ELEMENT_BYTES + INDEX_BYTES) / count)


def entry_count(array: SSAValue) -> int | None:
    """Return how many entries a sparse array stores at most, if that is known."""
    op = array.owner
    if not isinstance(op, tensor_block.MapOp):
        return known_entries(array)
    rank = len(op.extents)
    # Of a vector each element may be stored many times.
    read = [
        entry_count(value) if is_permutation(picked_dimensions(map.data) or (), rank) else None
        for value, map in zip(op.inputs, op.indexing_maps, strict=True)
        if is_sparse(value.type)
    ]
    return None if None in read or not read else sum(count or 0 for count in read)


def has_few_rows(bag: SSAValue) -> bool:
    """Return whether a bag surely has few rows."""
    match bag.owner:
        case comprehension.ListOp():
            return True
        case comprehension.ConstantListOp() as op:
            return op.count < FEW_ROWS
        case tensor_block.GroupReduceOp() as op:
            return op.keys.value.data == 0 or has_few_rows(op.bag)
        case tensor_block.RangeOp() as op:
            lower, upper = constant_value(op.lower), constant_value(op.upper)
            return isinstance(lower, int) and isinstance(upper, int) and upper - lower < FEW_ROWS
        case (
            tensor_block.FilterOp()
            | tensor_block.ExtendOp()
            | tensor_block.ProjectOp()
            | tensor_block.NumberOp()
            | tensor_block.WindowOp()
            | tensor_block.LookupOp()
            | tensor_block.GroupOp()
            | tensor_block.ToMapOp() as op
        ):
            return has_few_rows(op.bag)
        case _:
            return False


def _product(extents: Iterable[int | None]) -> int | None:
    found = list(extents)
    return None if None in found else prod([extent for extent in found if extent is not None])
