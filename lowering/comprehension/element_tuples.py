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

A leaf of a tuple is taken from the element, and put back with the other leaves as they were. Where
the map of the first part has no value, the identity of the monoid is what %s is joined with.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.dialects import arith, tensor
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
from diablo.lowering.comprehension.monoid_values import (
    Monoids,
    Ops,
    absent_part,
    identity,
    join,
    positions_before,
)

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
    """Computes the new elements of one array or map from the old ones of all."""

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
        elements, founds = self._read(keys)
        variables = self.op.variables
        parts: list[SSAValue] = []
        for ref, leaf in zip(self.op.refs, self.op.leaves, strict=True):
            element = elements[variables.index(ref)]
            parts.append(element if leaf is None else self._unpack(element)[leaf])
        for start in positions_before(self.op):
            parts.append(self._add(start).result)
        whole = self._add(comprehension.PackOp(parts)).result
        if (found := founds[0]) is not None:
            none = self._append(identity(monoid, whole.type, self.own, self.op))
            whole = self._add(arith.SelectOp(found, whole, none)).result
        joined = self._unpack(self._append(join(monoid, whole, value, self.own, self.op)))
        return keys, [self._written(elements[self.number], founds[self.number], joined)]

    def _written(
        self, element: SSAValue, found: SSAValue | None, joined: Sequence[SSAValue]
    ) -> SSAValue:
        """The element of the one array or map, with its parts of the tuple."""
        leaves: list[SSAValue] = []
        for ref, leaf, part in zip(self.op.refs, self.op.leaves, joined, strict=False):
            if ref is not self.op.variables[self.number]:
                continue
            if leaf is None:
                return part
            leaves = leaves or self._parts(ref, element, found)
            leaves[leaf] = part
        return self._add(comprehension.PackOp(leaves)).result

    def _parts(self, ref: SSAValue, element: SSAValue, found: SSAValue | None) -> list[SSAValue]:
        """The parts of an element, or what they start at where a map has none."""
        parts = self._unpack(element)
        if found is None:
            return parts
        return [
            self._append(absent_part(ref, leaf, part, found, self.op))
            for leaf, part in enumerate(parts)
        ]

    def _read(self, keys: Sequence[SSAValue]) -> tuple[list[SSAValue], list[SSAValue | None]]:
        """The elements of all at the keys; of maps also whether they have a value."""
        elements: list[SSAValue] = []
        founds: list[SSAValue | None] = []
        for old in self.olds:
            array = as_array(old.type)
            if array is None:
                probe = self._add(comprehension.ProbeOp(old, keys))
                elements.append(probe.values[0])
                founds.append(probe.found)
            else:
                element = array.get_element_type()
                elements.append(self._add(tensor.ExtractOp(old, keys, element)).result)
                founds.append(None)
        return elements, founds

    def _unpack(self, value: SSAValue) -> list[SSAValue]:
        return list(self._add(comprehension.UnpackOp(value)).parts)

    def _append(self, made: Ops) -> SSAValue:
        self.body.add_ops(made[0])
        return made[1]

    def _add(self, op: OperationT) -> OperationT:
        self.body.add_op(located(op, self.op))
        return op
