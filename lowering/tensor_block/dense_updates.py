"""Generators over the stored elements of sparse arrays that change a dense array.

    merge %T {                                     tensor_block.map ins(%R[d0, d1], %T[d0, d1])
      %i, %j, %inside = each %R : !sparse    =>      %s = scf.if %inside { … } else { %t }
      …                                              yield %s

The map is kept only if its kernel need not look at other points
(passes/analyses/stored_updates.py).
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from diablo.dialects import tensor_block
from diablo.lowering.tensor_block.array_query import ArrayQuery
from diablo.lowering.tensor_block.query import STORED_ONLY
from diablo.lowering.tensor_block.sparse_results import say_where
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.stored_updates import stored_update


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
