"""Updates of several arrays at once, by a monoid on tuples of their elements.

diablo.accumulate_parts @least %t, %D, %C [%i] from [0]
->
comprehension.merge %D {
  …                                                     // the loops around
  %g, %ts = comprehension.group_by keys(%i) values(%t)  // not without loops
  %s = comprehension.reduce @least %ts
  %d, %c, %p = comprehension.unpack (the join of %s and of tensor.extract %D[%g], %C[%g], and 0)
  comprehension.yield (%g) %d
}
and the same with %C and %c
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.dialects import tensor
from xdsl.ir import Block, Operation, SSAValue

from diablo.dialects import comprehension, diablo
from diablo.dialects.encodings import as_array
from diablo.dialects.locations import located
from diablo.lowering.comprehension.bulk_statements import (
    Loop,
    Qualifier,
    Row,
    comprehension_body,
)
from diablo.lowering.comprehension.monoid_values import Monoids, join, positions_before

OperationT = TypeVar("OperationT", bound=Operation)


def merge_tuples(
    op: diablo.AccumulatePartsOp,
    olds: Sequence[SSAValue],
    scope: Sequence[Qualifier],
    own: Monoids,
) -> list[comprehension.MergeOp]:
    """The update of the elements of each of `olds`, for every iteration of `scope`."""
    merges: list[comprehension.MergeOp] = []
    for number, old in enumerate(olds):
        update = _Update(op, olds, number, own, any(isinstance(q, Loop) for q in scope))
        body = comprehension_body(scope, op.indices, [op.value], op, update)
        merges.append(located(comprehension.MergeOp(old, body), op))
    return merges


class _Update:
    """Computes the new elements of one array from the old ones of all."""

    def __init__(
        self,
        op: diablo.AccumulatePartsOp,
        olds: Sequence[SSAValue],
        number: int,
        own: Monoids,
        grouped: bool,
    ):
        self.op, self.olds, self.number, self.own, self.grouped = op, olds, number, own, grouped
        self.body = Block()

    def __call__(self, body: Block, keys: Sequence[SSAValue], values: Sequence[SSAValue]) -> Row:
        self.body = body
        (value,) = values
        monoid = self.op.monoid.data
        if self.grouped:
            group = self._add(comprehension.GroupByOp(keys, [value]))
            keys = group.group_keys
            value = self._add(comprehension.ReduceOp(monoid, group.bags[0])).result
        parts = [self._element(old, keys) for old in self.olds]
        for start in positions_before(self.op):
            parts.append(self._add(start).result)
        whole = self._add(comprehension.PackOp(parts)).result
        ops, joined = join(monoid, whole, value, self.own, self.op)
        self.body.add_ops(ops)
        return keys, [self._add(comprehension.UnpackOp(joined)).parts[self.number]]

    def _element(self, old: SSAValue, keys: Sequence[SSAValue]) -> SSAValue:
        array = as_array(old.type)
        assert array is not None
        return self._add(tensor.ExtractOp(old, keys, array.get_element_type())).result

    def _add(self, op: OperationT) -> OperationT:
        self.body.add_op(located(op, self.op))
        return op
