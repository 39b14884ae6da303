"""Which groups there are: one without rows is absent, and leaves the implicit value.

Reads the `comprehension` level, writes the reductions of the `tensor_block` level that tell it.

    group_by keys(%i) values(%a)        %any = tensor_block.reduce or … { %a > 0.5 }
    reduce min %as, where %a > 0.5  ==>  %least = tensor_block.reduce min …
                                        %r = tensor_block.map { %any ? %least : 0.0 }
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IndexType, i1
from xdsl.ir import SSAValue

from diablo.dialects import comprehension
from diablo.lowering.tensor_block.arrays.array_query import ArrayQuery
from diablo.lowering.tensor_block.arrays.array_reductions import Compute, Reductions
from diablo.lowering.tensor_block.query.body_emitter import BodyEmitter


class GroupPresence:
    """Plans whether a key of one query has any row."""

    def __init__(self, array: ArrayQuery, reductions: Reductions):
        self.array = array
        self.reductions = reductions

    def plan(self, group: comprehension.GroupByOp, count: Compute | None) -> Compute:
        """Return how the final map finds it out; `count`, if given, is how many rows a key has."""
        inside = any(self.array.guards_inside(v) for v in group.values)
        conditions = self.array.reduced_conditions()
        counts = self.reductions.counts
        stored = bool(self.reductions.stored)
        if conditions and not inside and not stored and counts.can_count(conditions):
            return _is_positive(lambda emitter: counts.count(emitter, conditions, IndexType()))
        if not inside and not conditions and not stored:
            return self._any_index()
        if count is not None:
            return _is_positive(count)
        true = self.array.driver.insert(arith.ConstantOp.from_int_and_width(1, i1))
        return self.reductions.general_reduction("or", true)

    def _any_index(self) -> Compute:
        """Every key has as many rows as the reduced dimensions have indices."""
        driver = self.array.driver
        zero = driver.index(0)
        result: SSAValue | None = None
        for number in self.array.reduced:
            size = self.array.space.dimensions[number].size
            test = driver.insert(arith.CmpiOp(size, zero, "sgt"))
            result = test if result is None else driver.insert(arith.AndIOp(result, test))
        if result is None:
            result = driver.insert(arith.ConstantOp.from_int_and_width(1, i1))
        return lambda emitter: result


def _is_positive(count: Compute) -> Compute:
    """Return whether a number of rows is not zero."""

    def present(emitter: BodyEmitter) -> SSAValue:
        number = count(emitter)
        if isinstance(number.type, AnyFloat):
            return emitter.add(arith.CmpfOp(number, emitter.zero(number.type), "ogt"))
        zero = emitter.zero(number.type)
        return emitter.add(arith.CmpiOp(number, zero, "sgt"))

    return present
