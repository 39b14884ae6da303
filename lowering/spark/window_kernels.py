"""What a kernel computes before it reads windows: where they begin, and how far in an element is.

The window of `%A[d0 + 2]` that a tile from d0 = 100 gets begins at 102; what lies at index 105 of
%A is its element 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.builder import Builder
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import SSAValue

from diablo.lowering.spark.array_windows import ArrayWindow, Place
from diablo.passes.analyses.values.affine_values import constant_value


@dataclass
class WindowKernel:
    """Writes the arithmetic of places at the start of a kernel."""

    builder: Builder
    origins: Sequence[SSAValue]
    extents: Sequence[SSAValue]
    passed: dict[SSAValue, SSAValue]
    _shifts: dict[tuple[object, ...], SSAValue] = field(
        default_factory=dict[tuple[object, ...], SSAValue]
    )
    _sizes: dict[tuple[SSAValue, int], SSAValue] = field(
        default_factory=dict[tuple[SSAValue, int], SSAValue]
    )

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

    def begins(self, window: ArrayWindow) -> list[SSAValue]:
        """Return where a window begins along each axis."""
        return [self._begin(window, axis) for axis in range(len(window.factors))]

    def _begin(self, window: ArrayWindow, axis: int) -> SSAValue:
        """Return where a window begins: not before its array does, unless it wraps around."""
        total = self.scalar(window.lows[axis])
        for d, factor in enumerate(window.factors[axis]):
            if factor == 0:
                continue
            point = self.origins[d]
            if factor < 0:
                after = self._plus(point, self.extents[d])
                point = self._plus(after, self.index(-1))
            total = self._plus(total, self._times(point, factor))
        zero = self.index(0)
        period = window.periods.get(axis)
        if period is None:
            return self.builder.insert(arith.MaxSIOp(total, zero)).result
        turn = self.builder.insert(
            arith.CmpiOp(self._length(window, axis), self.scalar(period), "sge")
        )
        return self.builder.insert(arith.SelectOp(turn.result, zero, total)).result

    def _length(self, window: ArrayWindow, axis: int) -> SSAValue:
        """Return how many elements are read along an axis, had it no end."""
        low, high = self.scalar(window.lows[axis]), self.scalar(window.highs[axis])
        length = self._plus(self.builder.insert(arith.SubiOp(high, low)).result, self.index(1))
        for d, factor in enumerate(window.factors[axis]):
            if factor:
                steps = self._plus(self.extents[d], self.index(-1))
                length = self._plus(length, self._times(steps, abs(factor)))
        return length

    def size(self, tile: SSAValue, axis: int) -> SSAValue:
        """The extent of a window along an axis."""
        if (tile, axis) not in self._sizes:
            size = tensor.DimOp(tile, self.index(axis))
            self._sizes[tile, axis] = self.builder.insert(size).result
        return self._sizes[tile, axis]

    def shift(self, place: Place, begins: Sequence[SSAValue] | None, axis: int) -> SSAValue:
        """Return what is added to the tile's own indices to find an element in a window.

        That is so but for the constants of the accesses, which share a shift.
        """
        known = constant_value(place.base)
        base = place.base if known is None else known
        key = (base, place.factors, None if begins is None else begins[axis])
        if key not in self._shifts:
            total = self.scalar(place.base)
            for d, factor in enumerate(place.factors):
                if factor:
                    total = self._plus(total, self._times(self.origins[d], factor))
            if begins is not None:
                total = self.builder.insert(arith.SubiOp(total, begins[axis])).result
            self._shifts[key] = total
        return self._shifts[key]
