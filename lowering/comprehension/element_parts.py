"""Updates of a part of a tuple that is an element of an array, or a value of a map.

diablo.accumulate add %x, %V[%i] part 1
->
comprehension.merge %V {
  …                                                     // the loops around
  %g, %xs = comprehension.group_by keys(%i) values(%x)  // not for a store, or without loops
  %s = comprehension.reduce add %xs
  %a, %b = comprehension.unpack (tensor.extract %V[%g])
  comprehension.yield (%g) (pack %a, %b + %s)
}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import TupleType
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
from diablo.lowering.comprehension.monoid_values import Monoids, Ops, absent_part, identity, join

OperationT = TypeVar("OperationT", bound=Operation)


def merge_part(
    op: diablo.StoreOp | diablo.AccumulateOp,
    old: SSAValue,
    scope: Sequence[Qualifier],
    own: Monoids,
) -> comprehension.MergeOp:
    """The update of a part of the elements of `old`, for every iteration of `scope`."""
    assert op.leaves is not None
    grouped = any(isinstance(qualifier, Loop) for qualifier in scope)
    finish = _Update(op, old, op.leaves, own, grouped=grouped)
    body = comprehension_body(scope, op.indices, [op.value], op, finish)
    return comprehension.MergeOp(old, body)


class _Update:
    """Computes the new elements from the old ones and the values of a part."""

    def __init__(
        self,
        op: diablo.StoreOp | diablo.AccumulateOp,
        old: SSAValue,
        leaves: tuple[int, int],
        own: Monoids,
        *,
        grouped: bool,
    ):
        self.op, self.old, self.own, self.grouped = op, old, own, grouped
        self.first, self.count = leaves
        self.monoid = op.monoid.data if isinstance(op, diablo.AccumulateOp) else None
        self.body = Block()

    def __call__(self, body: Block, keys: Sequence[SSAValue], values: Sequence[SSAValue]) -> Row:
        self.body = body
        (value,) = values
        if self.monoid is not None and self.grouped:
            group = self._add(comprehension.GroupByOp(keys, [value]))
            keys = group.group_keys
            value = self._add(comprehension.ReduceOp(self.monoid, group.bags[0])).result
        parts, found = self._read(keys)
        if self.monoid is not None:
            part = self._pack(parts[self.first : self.first + self.count])
            if found is not None:
                none = self._append(identity(self.monoid, part.type, self.own, self.op))
                part = self._add(arith.SelectOp(found, part, none)).result
            value = self._append(join(self.monoid, part, value, self.own, self.op))
        written = range(self.first, self.first + self.count)
        for leaf in range(len(parts)):
            if found is not None and leaf not in written:
                ref = self.op.ref
                parts[leaf] = self._append(absent_part(ref, leaf, parts[leaf], found, self.op))
        parts[self.first : self.first + self.count] = self._unpack(value)
        return keys, [self._pack(parts)]

    def _read(self, keys: Sequence[SSAValue]) -> tuple[list[SSAValue], SSAValue | None]:
        """The parts of the element at `keys`; of a map also whether there is one."""
        array = as_array(self.old.type)
        if array is not None:
            element = array.get_element_type()
            whole = self._add(tensor.ExtractOp(self.old, keys, element)).result
            return self._unpack(whole), None
        probe = self._add(comprehension.ProbeOp(self.old, keys))
        return self._unpack(probe.values[0]), probe.found

    def _unpack(self, value: SSAValue) -> list[SSAValue]:
        if not isinstance(value.type, TupleType):
            return [value]
        return list(self._add(comprehension.UnpackOp(value)).parts)

    def _pack(self, parts: Sequence[SSAValue]) -> SSAValue:
        if len(parts) == 1:
            return parts[0]
        return self._add(comprehension.PackOp(parts)).result

    def _append(self, made: Ops) -> SSAValue:
        self.body.add_ops(made[0])
        return made[1]

    def _add(self, op: OperationT) -> OperationT:
        self.body.add_op(located(op, self.op))
        return op
