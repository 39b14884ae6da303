"""How many points of a window lie where the conditions hold, as a formula of the keys.

Reads the `comprehension` level; writes scalar arithmetic into bodies. In a window of three
steps w, of which those with 0 <= i + 1 - w < n count, there are

    max(0, min(3, i + 2) - max(0, i + 2 - n))

and as many points as the product of this over the window's dimensions.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, i64
from xdsl.ir import Attribute, SSAValue

from diablo.dialects import monoids
from diablo.dialects.number_ops import from_integer
from diablo.dialects.scalar_types import is_inexact
from diablo.linear_sums import LinearSum
from diablo.lowering.tensor_block.arrays.array_query import ArrayQuery
from diablo.lowering.tensor_block.query.body_emitter import BodyEmitter
from diablo.lowering.tensor_block.query.index_conditions import Condition
from diablo.lowering.tensor_block.query.linear_equations import VariableForm
from diablo.lowering.tensor_block.query.plan_sizes import outside_form
from diablo.passes.analyses.values.linear_forms import LinearForm


class WindowCounts:
    """Counts the points of the reduced dimensions of a query."""

    def __init__(self, array: ArrayQuery):
        self.array = array

    def can_count(self, conditions: Sequence[Condition]) -> bool:
        """Return whether each condition bounds one reduced dimension on one side."""
        reduced = set(self.array.reduced)
        for condition in conditions:
            own = condition.dimensions & reduced
            if condition.predicate == "eq" or len(own) != 1:
                return False
            if condition.bound is not None and self.array.query.binds(condition.bound):
                return False
            (number,) = own
            if abs(condition.index.factor(number)) != 1:
                return False
            if self.array.space.dimensions[number].shift is not None:
                return False
        return True

    def count(
        self, emitter: BodyEmitter, conditions: Sequence[Condition], type: Attribute
    ) -> SSAValue:
        """The number of points at which the conditions hold, as a number of `type`."""
        total: SSAValue | None = None
        for number in self.array.reduced:
            count = self._along(emitter, number, conditions)
            if is_inexact(type):
                count = emitter.add(arith.IndexCastOp(count, i64))
                for op in from_integer(count, type):
                    count = emitter.add(op)
            elif not isinstance(type, IndexType):
                count = emitter.add(arith.IndexCastOp(count, type))
            total = count if total is None else emitter.add(monoids.combine("mul", total, count))
        assert total is not None
        return total

    def _along(
        self, emitter: BodyEmitter, number: int, conditions: Sequence[Condition]
    ) -> SSAValue:
        """Return how many indices along one dimension the conditions leave."""
        zero = emitter.constant(IntegerAttr(0, IndexType()))
        low, high = zero, self.array.space.dimensions[number].size
        for condition in conditions:
            if number not in condition.dimensions:
                continue
            factor = condition.index.factor(number)
            rest = condition.index.without(number)
            bound = condition.bound
            limit = outside_form(bound) if bound is not None else LinearForm()
            # factor * w + rest >= limit, or it is below the limit.
            below = condition.predicate in ("slt", "sle")
            if condition.predicate == "sle":
                limit += 1
            place = (VariableForm(LinearSum(), limit) - rest) * factor
            if below == (factor > 0):  # w < place, or w <= place
                last = place if factor > 0 else place + 1
                high = emitter.add(arith.MinSIOp(high, self.array.computed(emitter, last)))
            else:  # w >= place, or w > place
                first = place if factor > 0 else place + 1
                low = emitter.add(arith.MaxSIOp(low, self.array.computed(emitter, first)))
        length = emitter.add(arith.SubiOp(high, low))
        return emitter.add(arith.MaxSIOp(length, zero))
