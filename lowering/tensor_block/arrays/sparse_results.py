"""Whether an array algebra op may compute what is stored, or rows are the better plan.

A `map` over sparse arrays that gives zero wherever none of them stores an element costs as
much as they store (`passes/analyses/sparsity/stored_points.py`); any other op goes through all
indices of the result. Rows cost as much as the qualifiers enumerate, which may be far less:

    build (%n, %n) : !sparse {          %r0 = tensor_block.range %0 to %last
      %i = range %0 to %last            %r1 = tensor_block.project %r0 [0, 0] …
      yield (%i, %i) %one          =>   %A = tensor_block.from_bag %r1 extents(%n, %n)
    }

Generators over the stored elements of sparse arrays may change a dense array as well:

    merge %T {                                     tensor_block.map ins(%R[d0, d1], %T[d0, d1])
      %i, %j, %inside = each %R : !sparse    =>      %s = scf.if %inside { … } else { %t }
      …                                              yield %s

That map is kept only if its kernel need not look at other points
(`passes/analyses/sparsity/stored_updates.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.encodings import array_type
from diablo.dialects.locations import remark
from diablo.lowering.tensor_block.arrays.array_query import ArrayQuery
from diablo.lowering.tensor_block.query.query import STORED_ONLY
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.sparsity.stored_points import stored_points
from diablo.passes.analyses.sparsity.stored_updates import stored_update


class FewerRows(Refused):
    """Rows are a better plan than array algebra would be, not the only one."""


def check_sparse_result(result: SSAValue, array: ArrayQuery, *, tested: bool = False) -> None:
    """Raise `Refused` if rows are a better plan for `result`, the last op of `array`.

    `tested` says that the body asks whether sparse arrays store elements: generators go through
    these alone.
    """
    op = result.owner
    if not tensor_block.is_sparse(result.type) or not isinstance(op, Operation):
        return
    stored = stored_points(op) if isinstance(op, tensor_block.MapOp) else []
    if stored:
        assert isinstance(op, tensor_block.MapOp)
        say_where(array, op, stored, "zero")
        return
    why: Refused | None = None
    if tested:
        why = Refused(STORED_ONLY)
    elif isinstance(array.root, comprehension.MergeOp) or array.query.guards:
        why = Refused("a sparse result has entries only where the guards hold")
    elif _enumerates_less(op, array):
        why = FewerRows("the qualifiers enumerate fewer indices than the sparse result has")
    if why is not None:
        op.detach()
        op.erase()
        raise why


def say_where(
    array: ArrayQuery, op: tensor_block.MapOp, stored: Sequence[int], beside: str
) -> None:
    """Remark that `op` is computed where these inputs store elements, and what it is elsewhere."""
    names = [op.inputs[number].name_hint or "an array" for number in stored]
    listed = " or ".join(dict.fromkeys(names))
    remark(array.root, f"computed where {listed} stores elements: it is {beside} elsewhere")


def _enumerates_less(op: Operation, array: ArrayQuery) -> bool:
    """Return whether the generators make fewer rows than the result has indices."""
    rank = len(array.keys)
    conditions = array.key_conditions()
    ties = sum(c.predicate == "eq" for c in conditions)
    if ties > len(array.reduced):
        return True
    of_ranges = any(c.source is None for c in conditions)
    inputs = op.inputs if isinstance(op, tensor_block.MapOp) else ()
    read = any(array_type(value).get_num_dims() >= rank for value in inputs)
    return of_ranges and not array.reduced and not read


def check_dense_result(result: SSAValue, array: ArrayQuery) -> None:
    """Raise `Refused` unless `result` changes where sparse arrays store elements only."""
    op = result.owner
    assert isinstance(op, Operation)
    update = stored_update(op) if isinstance(op, tensor_block.MapOp) else None
    if update is None:
        op.detach()
        op.erase()
        raise Refused(STORED_ONLY)
    assert isinstance(op, tensor_block.MapOp)
    say_where(array, op, update.covering, "zero" if update.kept is None else "as before")
