"""What an op reads of each of its arrays: own tiles, whole arrays, or windows of tiles.

    ins(%A[d0 - 1], %A[d0 + 1], %B[d0])    =>    a window of %A from -1 to +1, %B's own tiles

Reads of one array share a window if they advance alike, and wrap around alike: where one does, an
index that stays below the same period may as well. A read at the point itself joins the
window that there is anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.ir import SSAValue

from diablo.dialects import tensor_block
from diablo.dialects.access_maps import LinearIndex
from diablo.linear_sums import LinearSum
from diablo.lowering.spark.driver_indices import DriverIndices
from diablo.passes.analyses.values.affine_values import same_value
from diablo.passes.analyses.values.index_bounds import is_at_least
from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form


@dataclass(frozen=True)
class Place:
    """An axis's index in terms of the key: factors, and values of the driver.

    `base` is what is added to the dimensions, less the index's constant. It wraps around at
    `period`, if that is given.
    """

    factors: tuple[int, ...]
    low: SSAValue
    high: SSAValue
    base: SSAValue
    period: SSAValue | None = None


@dataclass
class ArrayWindow:
    """One array's window: where it is read from and to, over all accesses that share it."""

    array: SSAValue
    factors: tuple[tuple[int, ...], ...]
    lows: list[SSAValue]
    highs: list[SSAValue]
    periods: dict[int, SSAValue]
    """At what the axes that wrap around do so."""
    inputs: list[int] = field(default_factory=list[int])


class ArrayWindows:
    """What `op` reads; tiles are named by the first `width` of its dimensions.

    `own` are the inputs whose own tiles have the key, `whole` those that every worker holds,
    `places` where the others are read.
    """

    def __init__(
        self,
        op: tensor_block.IterationOps,
        driver: DriverIndices,
        accesses: Sequence[Sequence[LinearIndex]],
        extents: Sequence[SSAValue],
        symbols: Sequence[SSAValue],
        width: int,
    ):
        self.op = op
        self.driver = driver
        self.extents = extents
        self.symbols = symbols
        self.width = width
        self.places: dict[int, list[Place]] = {}
        self.windows: list[ArrayWindow] = []
        self.own: list[int] = []
        self.whole: list[int] = []
        self._periods = self._find_periods(accesses)
        at_the_point: list[int] = []
        for number, value in enumerate(op.inputs):
            picked = [index.alone for index in accesses[number]]
            if not tensor_block.is_tiled(value.type):
                self.whole.append(number)
            elif picked == list(range(width)):
                at_the_point.append(number)
                continue
            places = self.places[number] = self._places(number, accesses[number])
            if number not in self.whole:
                self._share(number, places)
        for number in at_the_point:
            self._join(number, self._places(number, accesses[number]))

    def _find_periods(
        self, accesses: Sequence[Sequence[LinearIndex]]
    ) -> dict[tuple[SSAValue, int], SSAValue]:
        """Return at what the axes of arrays wrap around, for those that some read wraps around."""
        return {
            (array, axis): self._sum(index.period)
            for array, access in zip(self.op.inputs, accesses, strict=True)
            for axis, index in enumerate(access)
            if index.period is not None
        }

    def _places(self, number: int, access: Sequence[LinearIndex]) -> list[Place]:
        """Return where an input is read."""
        places: list[Place] = []
        for axis, index in enumerate(access):
            period = self._periods.get((self.op.inputs[number], axis))
            if period is not None and index.period is None and not self._is_within(index, period):
                period = None
            places.append(self._place(index, period))
        return places

    def _is_within(self, index: LinearIndex, period: SSAValue) -> bool:
        """Return whether an index is its own remainder by `period` at all points."""
        factors = index.inside.terms.values()
        if index.outside.terms or index.constant < 0 or min(factors, default=0) < 0:
            return False
        if (d := index.alone) is not None and same_value(self.extents[d], period):
            return True
        highest = LinearForm(constant=index.constant)
        for d, factor in index.inside.terms.items():
            highest += (linear_form(self.extents[d]) - 1) * factor
        return is_at_least(linear_form(period), highest + 1)

    def _share(self, number: int, places: Sequence[Place]) -> None:
        """Read the input in a window that its array has already, or in a new one."""
        array = self.op.inputs[number]
        factors = tuple(place.factors for place in places)
        periods = {a: p.period for a, p in enumerate(places) if p.period is not None}
        for window in self.windows:
            same = window.array is array and window.factors == factors
            if same and _same_periods(window.periods, periods):
                self._widen(window, number, places)
                return
        lows, highs = [p.low for p in places], [p.high for p in places]
        self.windows.append(ArrayWindow(array, factors, lows, highs, periods, [number]))

    def _widen(self, window: ArrayWindow, number: int, places: Sequence[Place]) -> None:
        for axis, place in enumerate(places):
            window.lows[axis] = self.driver.least(window.lows[axis], place.low)
            window.highs[axis] = self.driver.greatest(window.highs[axis], place.high)
        window.inputs.append(number)

    def _join(self, number: int, places: list[Place]) -> None:
        """Read an input at the point itself: in its array's window, if that has all points."""
        for window in self.windows:
            if window.array is not self.op.inputs[number]:
                continue
            if window.factors != tuple(place.factors for place in places):
                continue
            periods = {a: p.period for a, p in enumerate(places) if p.period is not None}
            if _same_periods(window.periods, periods):
                self.places[number] = places
                self._widen(window, number, places)
                return
        self.own.append(number)

    def _place(self, index: LinearIndex, period: SSAValue | None) -> Place:
        base = self._sum(index.without_constant.outside)
        low = high = self.driver.plus(base, self.driver.index(index.constant))
        for d, factor in index.inside.terms.items():
            if d < self.width:
                continue
            last = self.driver.plus(self.extents[d], self.driver.index(-1))
            reach = self.driver.times(last, factor)
            if factor > 0:
                high = self.driver.plus(high, reach)
            else:
                low = self.driver.plus(low, reach)
        factors = tuple(map(index.factor, range(self.width)))
        return Place(factors, low, high, base, period)

    def _sum(self, outside: LinearSum[int]) -> SSAValue:
        """A sum of symbols and a constant."""
        total = self.driver.index(outside.constant)
        for symbol, factor in outside.terms.items():
            total = self.driver.plus(total, self.driver.times(self.symbols[symbol], factor))
        return total


def _same_periods(one: dict[int, SSAValue], other: dict[int, SSAValue]) -> bool:
    return one.keys() == other.keys() and all(
        same_value(period, other[axis]) for axis, period in one.items()
    )
