"""Arithmetic of indices on the driver, worked out here where the values are known.

  low of %A[d0 - 1], %A[d0 + 1]
==>
  %c = arith.constant -1 : index        instead of    %c = arith.minsi %minus_one, %one
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Operation, SSAValue

from diablo.lowering.spark.conversion import Conversion
from diablo.passes.analyses.values.affine_values import constant_value


@dataclass(frozen=True)
class DriverIndices:
    """Writes ops on indices to the driver, in the place of `op`."""

    conversion: Conversion
    op: Operation

    def index(self, value: int) -> SSAValue:
        """A constant."""
        constant = arith.ConstantOp(IntegerAttr(value, IndexType()))
        return self.conversion.add(constant, self.op)

    def _constants(self, *values: SSAValue) -> list[int] | None:
        known = [constant_value(value) for value in values]
        numbers = [value for value in known if isinstance(value, int)]
        return numbers if len(numbers) == len(values) else None

    def plus(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """The sum of two indices."""
        if (known := self._constants(left, right)) is not None:
            return self.index(sum(known))
        if self._constants(right) == [0]:
            return left
        if self._constants(left) == [0]:
            return right
        return self.conversion.add(arith.AddiOp(left, right), self.op)

    def times(self, value: SSAValue, factor: int) -> SSAValue:
        """A multiple of an index."""
        if (known := self._constants(value)) is not None:
            return self.index(known[0] * factor)
        if factor == 1:
            return value
        return self.conversion.add(arith.MuliOp(value, self.index(factor)), self.op)

    def least(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """The smaller of two indices."""
        if (known := self._constants(left, right)) is not None:
            return self.index(min(known))
        if left is right:
            return left
        return self.conversion.add(arith.MinSIOp(left, right), self.op)

    def greatest(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """The greater of two indices."""
        if (known := self._constants(left, right)) is not None:
            return self.index(max(known))
        if left is right:
            return left
        return self.conversion.add(arith.MaxSIOp(left, right), self.op)
