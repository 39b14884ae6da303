"""Fold what an entry of a sparse array is updated by before the update.

Works at the comprehension level.

```mlir
comprehension.merge add %R {                   comprehension.merge add %R {
  %i, %j, %s = comprehension.each %S             %i, %j, %s = comprehension.each %S
  %k = comprehension.range %zero to %last        %t = comprehension.aggregate add : f64 {
  // A[i,k] * B[j,k]                      ==>      %k = comprehension.range %zero to %last
  comprehension.yield (%i, %j) %product            // A[i,k] * B[j,k]
}                                                  comprehension.yield %product
                                                 }
                                                 comprehension.yield (%i, %j) %t
                                               }
```

A sum for each entry is what the loop says then, as `+/[ A[i,k]*B[j,k] | k <- … ]` does in a
comprehension, and not a row for each entry and k. That is for the entries of one sparse array, of
which each updates the element of a sparse array at its own index, and for sums over ranges that
read dense arrays. Updates of dense arrays are array algebra as they are.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region
from xdsl.passes import ModulePass

from diablo.dialects import comprehension, monoids
from diablo.dialects.encodings import as_array, is_sparse
from diablo.dialects.locations import located, remark
from diablo.passes.analyses.values.comprehension_structure import Qualifier, is_of_a_row, roots_in


def _entries(root: comprehension.MergeOp) -> comprehension.EachOp | None:
    """Return what goes through the entries that are updated by sums over ranges, if that is so."""
    head = root.body.block.last_op
    assert isinstance(head, comprehension.YieldOp)
    if root.monoid is None or monoids.is_user_defined(root.monoid.data) or len(head.values) != 1:
        return None
    ops = [op for op in root.body.block.ops if isinstance(op, Qualifier)]
    entries = ops[0] if ops else None
    if not isinstance(entries, comprehension.EachOp) or not is_sparse(entries.collection.type):
        return None
    others = [op for op in ops[1:] if not isinstance(op, comprehension.GuardOp)]
    if entries.full is not None or list(head.keys) != list(entries.elements)[:-1]:
        return None
    if not any(isinstance(op, comprehension.RangeOp) for op in others):
        return None
    return entries if all(map(_is_of_dense_array, others)) else None


def _is_of_dense_array(op: Operation) -> bool:
    """Return whether a generator is a range or goes through a dense array."""
    if isinstance(op, comprehension.EachOp):
        array = as_array(op.collection.type)
        return array is not None and not is_sparse(array)
    return isinstance(op, comprehension.RangeOp)


def _nest(root: comprehension.MergeOp, entries: comprehension.EachOp) -> None:
    """Fold all that follows a generator for each of its rows."""
    block, head, monoid = root.body.block, root.body.block.last_op, root.monoid
    assert isinstance(head, comprehension.YieldOp)
    assert monoid is not None
    ops = list(block.ops)
    body = Block()
    for op in ops[ops.index(entries) + 1 : -1]:
        op.detach()
        body.add_op(op)
    value = head.values[0]
    body.add_op(located(comprehension.YieldOp([], [value]), head))
    nested = located(comprehension.AggregateOp(monoid.data, Region(body), value.type), head)
    new = located(comprehension.YieldOp(list(head.keys), [nested.result]), head)
    block.insert_ops_before([nested, new], head)
    block.erase_op(head)
    remark(nested, "what an entry is updated by is folded for each entry")


@dataclass(frozen=True)
class NestUpdatesPass(ModulePass):
    """Fold what an entry of a sparse array is updated by before the update."""

    name = "nest-updates"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at the updates of sparse arrays that stand in no comprehension."""
        for root in list(roots_in(op)):
            if not isinstance(root, comprehension.MergeOp) or is_of_a_row(root.result):
                continue
            entries = _entries(root) if is_sparse(root.dest.type) else None
            if entries is not None:
                _nest(root, entries)
