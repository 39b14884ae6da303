"""What a kernel computes before it reads windows: where they begin, and how far in an element is.

The window of `%A[d0 + 2]` that a tile from d0 = 100 gets begins at 102; what lies at index 105 of
%A is its element 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import SSAValue

from diablo.passes.analyses.affine_values import constant_value


@dataclass(frozen=True)
class Place:
    """An axis's index in terms of the key: factors, and values of the driver."""

    factors: tuple[int, ...]
    low: SSAValue
    high: SSAValue
    base: SSAValue
    """What is added to the dimensions."""


@dataclass
class WindowKernel:
    """Writes the arithmetic of places at the start of a kernel."""

    builder: Builder
    origins: Sequence[SSAValue]
    extents: Sequence[SSAValue]
    passed: dict[SSAValue, SSAValue]

    def index(self, value: int) -> SSAValue:
        """A constant."""
        return self.builder.insert(arith.ConstantOp(IntegerAttr(value, IndexType()))).result

    def scalar(self, value: SSAValue) -> SSAValue:
        """A value of the driver, as the kernel has it."""
        known = constant_value(value)
        return self.index(known) if isinstance(known, int) else self.passed[value]

    def _plus(self, left: SSAValue, right: SSAValue) -> SSAValue:
        return self.builder.insert(arith.AddiOp(left, right)).result

    def _times(self, value: SSAValue, factor: int) -> SSAValue:
        if factor == 1:
            return value
        return self.builder.insert(arith.MuliOp(value, self.index(factor))).result

    def begin(self, factors: Sequence[int], low: SSAValue) -> SSAValue:
        """Where a window begins along an axis: not before its array does."""
        total = self.scalar(low)
        for d, factor in enumerate(factors):
            if factor == 0:
                continue
            point = self.origins[d]
            if factor < 0:
                after = self._plus(point, self.extents[d])
                point = self._plus(after, self.index(-1))
            total = self._plus(total, self._times(point, factor))
        return self.builder.insert(arith.MaxSIOp(total, self.index(0))).result

    def shift(self, place: Place, begins: Sequence[SSAValue] | None, axis: int) -> SSAValue:
        """What is added to the tile's own indices to find an element in a window."""
        total = self.scalar(place.base)
        for d, factor in enumerate(place.factors):
            if factor:
                total = self._plus(total, self._times(self.origins[d], factor))
        if begins is None:
            return total
        return self.builder.insert(arith.SubiOp(total, begins[axis])).result
