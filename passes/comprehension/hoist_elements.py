"""Read an element once, before a comprehension, by which that indexes arrays.

%i, %p = comprehension.each %P full                    %p, %in = comprehension.probe %P[%k]
%q = arith.cmpi eq, %i, %k                             comprehension.merge %A {
comprehension.guard %q                           =>      comprehension.guard %in
%j = comprehension.range …                               %j = comprehension.range …
comprehension.yield (%p, %j) …                           comprehension.yield (%p, %j) …

writes row %p of %A, which is the same for all %j: an access like others, and no search for rows by
a key that is computed. What is not there drops all rows, as it did.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import comprehension
from diablo.dialects.defining_blocks import is_made_in
from diablo.dialects.encodings import as_array, dense_rank
from diablo.dialects.locations import located, named, remark
from diablo.dialects.number_constants import ConstantOps, is_arithmetic
from diablo.dialects.scalar_types import scalar_of
from diablo.passes.analyses.values.comprehension_structure import Root
from diablo.passes.analyses.values.index_equalities import equated_integers


def hoist_elements(root: Root) -> None:
    """Read what indexes arrays in a comprehension before it, if it stands in no other one."""
    if isinstance(root.parent_op(), Root):
        return
    for op in list(root.body.block.ops):
        if isinstance(op, comprehension.EachOp) and _indexes(op.elements[-1]):
            guards = _places(op, root.body.block)
            if guards is not None:
                _hoist(op, guards, root)


def _indexes(element: SSAValue) -> bool:
    """Return whether an integer of an array is made an index."""
    scalar = scalar_of(element.type)
    if scalar is None or not scalar.is_integer:
        return False
    waiting, seen = [element], {element}
    while waiting:
        for use in waiting.pop().uses:
            op = use.operation
            if isinstance(op, comprehension.GroupByOp):
                return False
            if not is_arithmetic(op) or op.regions:
                continue
            if isinstance(op, arith.IndexCastOp) and isinstance(op.result.type, IndexType):
                return True
            new = [result for result in op.results if result not in seen]
            seen |= {*new}
            waiting += new
    return False


def _places(
    op: comprehension.EachOp, block: Block
) -> list[tuple[SSAValue, comprehension.GuardOp]] | None:
    """Return at which place an array is read, and what says so, if that varies with no row."""
    array = as_array(op.collection.type)
    if array is None or op.full is None or dense_rank(array) < array.get_num_dims():
        return None
    if is_made_in(op.collection, block):
        return None
    found: list[tuple[SSAValue, comprehension.GuardOp]] = []
    for index in op.elements[:-1]:
        for use in [use for test in index.uses for r in test.operation.results for use in r.uses]:
            guard = use.operation
            if not isinstance(guard, comprehension.GuardOp) or guard.parent is not block:
                continue
            sides = equated_integers(guard.condition)
            if sides is None or index not in sides:
                continue
            place = sides[1] if sides[0] is index else sides[0]
            if _is_known(place, block):
                found.append((place, guard))
                break
        else:
            return None
    return found


def _is_known(place: SSAValue, block: Block) -> bool:
    """Return whether a place is known before the rows of a body."""
    if not isinstance(place.type, IndexType):
        return False
    return isinstance(place.owner, ConstantOps) or not is_made_in(place, block)


def _hoist(
    op: comprehension.EachOp,
    places: list[tuple[SSAValue, comprehension.GuardOp]],
    root: Root,
) -> None:
    """Read the element that a generator finds by the equalities that guards test."""
    keys: list[SSAValue] = []
    for place, _ in places:
        if isinstance(place.owner, ConstantOps):
            constant = located(place.owner.clone(), place.owner)
            Rewriter.insert_op(constant, InsertPoint.before(root))
            keys.append(constant.results[0])
        else:
            keys.append(place)
    probe = located(comprehension.ProbeOp(op.collection, keys), op)
    remark(op, "this element does not vary with the rows and is read once")
    Rewriter.insert_op(probe, InsertPoint.before(root))
    guard = located(comprehension.GuardOp(probe.found), op)
    Rewriter.insert_op(guard, InsertPoint.before(op))
    for old, new in zip(op.elements, [*keys, *probe.values], strict=True):
        named(new, old)
        old.replace_all_uses_with(new)
    for test in dict.fromkeys(guard for _, guard in places):
        condition = test.condition.owner
        Rewriter.erase_op(test)
        if isinstance(condition, Operation) and not any(r.uses for r in condition.results):
            Rewriter.erase_op(condition)
    Rewriter.erase_op(op)
