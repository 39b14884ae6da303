"""Imports the boxes of regions: the bounds of each dimension as indices.

(0..n-1, 1..m)   ->   Dimension(0, %n - 1, extent %n), Dimension(1, %m, extent %m)
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.constants import constant_of
from diablo.frontend.checking.index_sets import (
    Alias,
    Bounds,
    Box,
    Combined,
    Filtered,
    IndexSet,
    Listed,
    Open,
    Patterned,
    Shifted,
    Sliced,
    Strided,
)
from diablo.frontend.emission.emit_calls import CallEmitter
from diablo.frontend.emission.region_values import Dimension, Number, RegionValue
from diablo.frontend.parsing import syntax

Dimensions = tuple[Dimension | None, ...]


class RegionBoxEmitter(CallEmitter, ABC):
    """The part of the importer that knows the bounds of regions."""

    def __init__(self, checked: Checked):
        super().__init__(checked)
        # The regions that are declared.
        self.regions: dict[IndexSet, RegionValue] = {}

    def dimensions(self, region: IndexSet) -> Dimensions:
        """The dimensions of a region's box."""
        if region in self.regions:
            return self.regions[region].dims
        match region.made:
            case Box(ranges):
                return tuple(None if r is None else self._range(r) for r in ranges)
            case Strided(base, steps) if not region.sparse:
                return tuple(
                    dim and self._strided(dim, step)
                    for dim, step in zip(self.dimensions(base), steps, strict=True)
                )
            case Shifted(base, offsets):
                return tuple(
                    dim and self._shifted(dim, offset)
                    for dim, offset in zip(self.dimensions(base), offsets, strict=True)
                )
            case Sliced(base):
                return self._sliced(region, base, region.made)
            case Combined():
                return self._combined(region, region.made)
            case (
                Alias(base)
                | Strided(base)
                | Filtered(base)
                | Patterned(base)
                | Listed(base)
                | Open(base)
            ):
                dims = self.dimensions(base)
                return tuple(dim and self.bounding(dim) for dim in dims) if region.sparse else dims

    def box(self, region: IndexSet) -> list[Dimension]:
        """The dimensions of a region that has no flood dimensions."""
        return RegionValue(self.dimensions(region)).stored

    def integer(self, expr: syntax.Expr) -> Number:
        """An Int, which may be written out."""
        constant = constant_of(expr)
        return self.emit_index(expr) if constant is None else int(constant)

    def _extent(self, lower: Number, upper: Number) -> SSAValue:
        """How many indices there are between two bounds, none if they are the wrong way round."""
        if isinstance(lower, int):
            count = self.plus(upper, 1 - lower)
        else:
            count = self.plus(self.plus(upper, lower, -1), 1)
        if isinstance(count, int):
            return self.number(max(count, 0))
        return self.number(count)

    def _range(self, expr: syntax.Range) -> Dimension:
        with self.at(expr.span):
            lower, upper = self.integer(expr.lower), expr.upper
            match upper:
                case syntax.Binary(op="-") if lower == 0 and constant_of(upper.rhs) == 1:
                    # Up to `n - 1` there are n indices.
                    extent = self.integer(upper.lhs)
                    return Dimension(0, self.plus(extent, 1, -1), self.number(extent))
                case _:
                    pass
            last = self.integer(upper)
            return Dimension(lower, last, self._extent(lower, last))

    def bounding(self, dim: Dimension) -> Dimension:
        """All indices between the bounds."""
        if dim.step == 1:
            return dim
        return Dimension(dim.lower, dim.upper, self._extent(dim.lower, dim.upper))

    def _strided(self, dim: Dimension, by: syntax.Expr) -> Dimension:
        with self.at(by.span):
            step = self.integer(by)
            if isinstance(step, SSAValue):
                positive = self.add(arith.CmpiOp(step, self.index_constant(1), "sge")).result
                self.require(positive, "the step of a region is not positive")
            if dim.step != 1:
                both = self.number(dim.step), self.number(step)
                step = self.add(arith.MuliOp(*both)).result
            if step == 1:
                return dim
            raised = self.number(self.plus(self.plus(dim.upper, dim.lower, -1), step))
            count = self.add(arith.DivSIOp(raised, self.number(step))).result
            extent = self.add(arith.MaxSIOp(count, self.index_constant(0))).result
            return Dimension(dim.lower, dim.upper, extent, step)

    def _shifted(self, dim: Dimension, by: syntax.Expr) -> Dimension:
        with self.at(by.span):
            offset = self.integer(by)
            lower, upper = self.plus(dim.lower, offset), self.plus(dim.upper, offset)
            return Dimension(lower, upper, dim.extent, dim.step)

    def _sliced(self, region: IndexSet, base: IndexSet, made: Sliced) -> Dimensions:
        dims: list[Dimension | None] = []
        bounds = iter(region.bounds)
        for part, dim, known in zip(made.parts, self.dimensions(base), base.bounds, strict=True):
            if isinstance(part, syntax.Wildcard):
                dims.append(dim)
                next(bounds)
            elif isinstance(part, syntax.Slice) and dim is not None and known is not None:
                bound = next(bounds)
                assert bound is not None
                lower, upper = dim.lower, dim.upper
                if part.start is not None and bound.lower != known.lower:
                    start = self.integer(part.start)
                    lower = self._extreme(lower, start, largest=True)
                if part.stop is not None and bound.upper != known.upper:
                    last = self.plus(self.integer(part.stop), 1, -1)
                    upper = self._extreme(upper, last, largest=False)
                dims.append(self._between(lower, upper))
        return tuple(dims)

    def _combined(self, region: IndexSet, made: Combined) -> Dimensions:
        left, right = self.dimensions(made.lhs), self.dimensions(made.rhs)
        if made.op == "-" or (made.op == "&&" and made.lhs.sparse):
            return tuple(dim and self.bounding(dim) for dim in left)
        if made.op == "&&" and (made.rhs.sparse or region.sparse):
            dims = right if made.rhs.sparse else left
            return tuple(dim and self.bounding(dim) for dim in dims)
        return tuple(
            self._both(bound, (made.lhs.bounds[d], left[d]), (made.rhs.bounds[d], right[d]), made)
            for d, bound in enumerate(region.bounds)
        )

    def _both(
        self,
        bound: Bounds | None,
        left: tuple[Bounds | None, Dimension | None],
        right: tuple[Bounds | None, Dimension | None],
        made: Combined,
    ) -> Dimension:
        sides: list[tuple[Bounds, Dimension]] = []
        for known, dim in (left, right):
            assert known is not None
            assert dim is not None
            sides.append((known, self.bounding(dim)))
        assert bound is not None
        for known, dim in sides:
            if (known.lower, known.upper) == (bound.lower, bound.upper):
                return dim
        lowers = [d.lower for k, d in sides if k.lower == bound.lower]
        uppers = [d.upper for k, d in sides if k.upper == bound.upper]
        largest = made.op == "&&"
        first, second = (dim for _, dim in sides)
        lower = (lowers or [self._extreme(first.lower, second.lower, largest=largest)])[0]
        upper = (uppers or [self._extreme(first.upper, second.upper, largest=not largest)])[0]
        return self._between(lower, upper)

    def _between(self, lower: Number, upper: Number) -> Dimension:
        """The indices from `lower` to `upper`, of which there may be none."""
        extent = self.add(arith.MaxSIOp(self._extent(lower, upper), self.index_constant(0)))
        return Dimension(lower, upper, extent.result)

    def _extreme(self, first: Number, second: Number, *, largest: bool) -> Number:
        if isinstance(first, int) and isinstance(second, int):
            return max(first, second) if largest else min(first, second)
        op = arith.MaxSIOp if largest else arith.MinSIOp
        return self.add(op(self.number(first), self.number(second))).result


def steps_of(dims: Sequence[Dimension]) -> bool:
    """Whether some dimension leaves indices out."""
    return any(dim.step != 1 for dim in dims)
