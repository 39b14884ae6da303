"""Where along a loop everything that an op reads lies inside its inputs.

For `%A[d0 - 1, d1 + 1]` and a loop over d1 in row %i, that is

    all of 0 <= %i - 1 < rows(%A)  ?  max(0, -1) <= %j < min(end, columns(%A) - 1)  :  nothing

and where the body tests for bounds (passes/analyses/loops/body_domains.py), what is within them
too. Indices that wrap around (wrapped_places.py) lie inside where they do not leave the turn that
they begin in.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    IndexType,
    MemRefType,
)
from xdsl.ir import Block, SSAValue

from diablo.dialects.access_maps import LinearIndex, linear_indices, picks_dimensions
from diablo.linear_sums import term
from diablo.lowering.llvm.wrapped_places import (
    Indices,
    Read,
    WrappedPlaces,
    add,
    constant,
    linear_value,
    scaled,
)
from diablo.passes.analyses.loops.body_domains import Bound, Domain, Hole
from diablo.passes.analyses.loops.iterations import Iteration
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.linear_forms import LinearForm, write_linear_form

_FARTHEST = 1 << 62
"""What is farther away than this is farther than all sums of indices."""


def is_inside(
    block: Block, place: Sequence[SSAValue], array: SSAValue, axes: Sequence[int] | None = None
) -> SSAValue:
    """Return whether a place lies inside an array, along some axes or all."""
    zero = constant(block, 0)
    tests: list[SSAValue] = []
    for axis, index in enumerate(place):
        if axes is not None and axis not in axes:
            continue
        size = add(block, memref.DimOp(array, constant(block, axis)))
        tests.append(add(block, arith.CmpiOp(index, zero, "sge")))
        tests.append(add(block, arith.CmpiOp(index, size, "slt")))
    return all_of(block, tests)


def all_of(block: Block, tests: Sequence[SSAValue]) -> SSAValue:
    """Return whether all tests hold."""
    total = tests[0]
    for test in tests[1:]:
        total = add(block, arith.AndIOp(total, test))
    return total


def _divided(block: Block, value: SSAValue, by: SSAValue) -> SSAValue:
    if constant_value(by) == 1:
        return value
    return add(block, arith.DivSIOp(value, by))


def _from(block: Block, factor: int, limit: SSAValue) -> tuple[SSAValue, bool]:
    """Return where `factor * i >= limit` begins to hold, or ends, and whether it ends there.

    Before 0 it does not matter where that is: all loops begin there or later.
    """
    size = constant(block, abs(factor))
    if factor > 0:  # i >= limit / factor, rounded up
        if factor == 1:
            return limit, False
        room = constant(block, factor - 1)
        return _divided(block, add(block, arith.AddiOp(limit, room)), size), False
    # i < (size - limit) / size, rounded down
    return _divided(block, add(block, arith.SubiOp(size, limit)), size), True


@dataclass
class InnerRange:
    """Finds the middle part of a loop of `op`; `values` and `extents` are those of its loops."""

    op: Iteration
    wrapped: WrappedPlaces
    values: Mapping[SSAValue, SSAValue]
    domain: Domain | None
    extents: Sequence[SSAValue]
    settled: Collection[int] = ()
    """The dimensions that are at the only place that the domain has of them."""

    def only(self, block: Block, d: int) -> SSAValue | None:
        """Return the place of a dimension that the domain bounds to one, if it does so.

        It is that where the part of the loop is not empty that `of_domain` gives.
        """
        bounds = [b for b in self.domain.bounds if b.dimension == d] if self.domain else []
        ends = [(b.value, b.shift) for b in bounds if not b.lower]
        for bound in bounds:
            if bound.lower and (bound.value, bound.shift + 1) in ends and not self.op.offsets:
                return None if bound.value is None else self._settled_value(block, bound)
        return None

    def along(
        self,
        block: Block,
        d: int,
        indices: Indices,
        begin: SSAValue,
        end: SSAValue,
        turning: bool = False,
    ) -> tuple[SSAValue, SSAValue, dict[int, list[SSAValue]]]:
        """Return where the middle part of the loop over `d` from `begin` to `end` begins and ends.

        There, what is read lies inside its input if some tests hold that do not vary along
        the loop: those of each input by its number, those of the box under -1. Of an input in
        `rough` some elements may lie inside although its tests fail. `indices` are those of
        the loops around it; dimensions that are not among them run over all of their extent
        inside it. If `turning`, indices along the loop may wrap around in the middle part too.
        """
        self.turning = turning
        tests: dict[int, list[SSAValue]] = {}
        self.rough: set[int] = set()
        self.turns: set[tuple[LinearIndex, SSAValue]] = set()
        self.lows: list[SSAValue] = [begin]
        self.highs: list[SSAValue] = [end]
        symbols = [self.values[s] for s in self.op.symbols]
        for number, (value, map) in enumerate(
            zip(self.op.inputs, self.op.indexing_maps, strict=True)
        ):
            if picks_dimensions(map.data):
                continue
            array = self.values[value]
            assert isinstance(array.type, MemRefType)
            self.tests, self.number = tests.setdefault(number, []), number
            for axis, index in enumerate(linear_indices(map.data)):
                if index.period is not None:
                    self._require_turn(block, d, (number, axis), indices)
                    continue
                size = add(block, memref.DimOp(array, constant(block, axis)))
                self._require(block, d, index, indices, symbols, size)
        self.tests = tests.setdefault(-1, [])
        if self.domain is not None:
            self._require_domain(block, d, indices)
        low, high = self._ends(block)
        return low, high, tests

    def of_domain(
        self, block: Block, d: int, indices: Indices, begin: SSAValue, end: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        """Return between which places of the loop over `d` the points of the domain lie.

        By the bounds that the loops around it and it settle: those inside have further ones.
        """
        self.lows, self.highs = [begin], [end]
        for bound in self.domain.bounds if self.domain is not None else ():
            factor = bound.form.factor(d)
            if factor and bound.dimensions <= {*indices, d}:
                limit = self._settled(block, d, bound, indices)
                self._limit(block, factor, limit, bound.lower)
        return self._ends(block)

    def _ends(self, block: Block) -> tuple[SSAValue, SSAValue]:
        """Return the last of the lower limits and the first of the upper ones, in this order."""
        low, high, end = self.lows[0], self.highs[0], self.highs[0]
        for other in self.lows[1:]:
            low = add(block, arith.MaxSIOp(low, other))
        low = add(block, arith.MinSIOp(low, end))
        for other in self.highs[1:]:
            high = add(block, arith.MinSIOp(high, other))
        return low, add(block, arith.MaxSIOp(low, high))

    def _require(
        self,
        block: Block,
        d: int,
        index: LinearIndex,
        indices: Indices,
        symbols: Sequence[SSAValue],
        size: SSAValue,
    ) -> None:
        """Require 0 <= index < size."""
        factor = index.factor(d)
        inside = {dimension for dimension in index.dimensions if dimension not in indices}
        if factor:
            inside.discard(d)
        if inside and not factor:
            self.rough.add(self.number)
        settled = index.sum.without(d) if factor else index.sum
        for dimension in inside:
            settled = settled.without(dimension)
        least = greatest = linear_value(block, settled, indices, symbols)
        one = constant(block, 1)
        for dimension, times in index.inside.terms.items():
            if dimension not in inside:
                continue
            last = add(block, arith.SubiOp(self.extents[dimension], one))
            term = scaled(block, last, times)
            if times > 0:
                greatest = add(block, arith.AddiOp(greatest, term))
            else:
                least = add(block, arith.AddiOp(least, term))
        if factor == 1:  # 0 <= i + least, i + greatest < size
            self.lows.append(add(block, arith.SubiOp(constant(block, 0), least)))
            self.highs.append(add(block, arith.SubiOp(size, greatest)))
        elif factor == -1:  # 0 <= least - i, greatest - i < size
            low = add(block, arith.SubiOp(greatest, size))
            self.lows.append(add(block, arith.AddiOp(low, one)))
            self.highs.append(add(block, arith.AddiOp(least, one)))
        elif factor:  # factor * i >= -least, factor * i < size - greatest
            self._limit(block, factor, add(block, arith.SubiOp(constant(block, 0), least)), True)
            self._limit(block, factor, add(block, arith.SubiOp(size, greatest)), False)
        elif least is greatest:  # Without a sign, what is below 0 is behind the end.
            self.tests.append(add(block, arith.CmpiOp(least, size, "ult")))
        else:
            self.tests.append(add(block, arith.CmpiOp(least, constant(block, 0), "sge")))
            self.tests.append(add(block, arith.CmpiOp(greatest, size, "slt")))

    def _limit(self, block: Block, factor: int, limit: SSAValue, lower: bool) -> None:
        """Require `factor * i >= limit` (lower) or `factor * i < limit` of the loop's index."""
        place, ends = _from(block, factor, limit)
        (self.highs if ends == lower else self.lows).append(place)

    def _require_turn(self, block: Block, d: int, read: Read, indices: Indices) -> None:
        """Require 0 <= index < period, where the index is known before the loop."""
        base = self.wrapped.base(block, read, d, indices)
        if base is None or not self._is_new(read):
            return
        if self.turning:
            if self.wrapped.reads[read].sum.without_constant.alone == d:
                # What is read at the index itself does not wrap around.
                self.highs.append(self.wrapped.period(read))
            return
        index, period = self.wrapped.reads[read], self.wrapped.period(read)
        factor = index.factor(d)
        size = constant(block, abs(factor))
        start = add(block, arith.AddiOp(base, constant(block, index.constant)))
        past = add(block, arith.SubiOp(start, period))
        # Before 0 it does not matter what the bounds are: all loops begin there or later.
        if factor > 0:  # 0 <= factor * i + start, factor * i + past < 0
            room = constant(block, factor - 1)
            self.lows.append(_divided(block, add(block, arith.SubiOp(room, start)), size))
            self.highs.append(_divided(block, add(block, arith.SubiOp(room, past)), size))
        else:  # past - size * i < 0, 0 <= start - size * i
            self.lows.append(_divided(block, add(block, arith.AddiOp(past, size)), size))
            self.highs.append(_divided(block, add(block, arith.AddiOp(start, size)), size))

    def _is_new(self, read: Read) -> bool:
        """Return whether another read has not brought the same bounds already."""
        key = self.wrapped.reads[read], self.wrapped.period(read)
        new = key not in self.turns
        self.turns.add(key)
        return new

    def _require_domain(self, block: Block, d: int, indices: Indices) -> None:
        """Require the bounds, which are on indices with the tile's origin added."""
        assert self.domain is not None
        for bound in self.domain.bounds:
            if bound.dimension in self.settled and bound.dimension != d:
                continue
            factor, limit = bound.form.factor(d), self._settled(block, d, bound, indices)
            if factor:
                self._limit(block, factor, limit, bound.lower)
                continue
            around = bound.form
            for dimension in bound.dimensions - set(indices):
                around = around.without(dimension)
            form = write_linear_form(around.renamed(indices.__getitem__), block.add_op)
            predicate = "sge" if bound.lower else "slt"
            self.tests.append(add(block, arith.CmpiOp(form, limit, predicate)))

    def _settled_value(self, block: Block, bound: Bound) -> SSAValue:
        """Return what a bound says that a dimension is."""
        assert bound.value is not None
        value = self.values.get(bound.value, bound.value)
        if value.type != IndexType():
            value = add(block, arith.IndexCastOp(value, IndexType()))
        return write_linear_form(term(value) + bound.shift, block.add_op)

    def holes(self, block: Block, d: int, indices: Indices) -> list[SSAValue]:
        """Return where along the loop over `d` nothing is to be done."""
        found: list[SSAValue] = []
        for hole in self.domain.holes if self.domain is not None else ():
            place = self._settled(block, d, hole, indices)
            if hole.form.factor(d) < 0:
                place = add(block, arith.SubiOp(constant(block, 0), place))
            found.append(place)
        return found

    def _settled(self, block: Block, d: int, bound: Bound | Hole, indices: Indices) -> SSAValue:
        """Return what the term of `d` in a bound is compared with; of none, the sum of the terms of
        the loops around it. Wherever the loops inside it are, the bound holds then."""
        limit = LinearForm(constant=bound.shift)
        if bound.value is not None:
            value = self.values.get(bound.value, bound.value)
            if value.type != IndexType():
                value = add(block, arith.IndexCastOp(value, IndexType()))
            if bound.shift or bound.form.alone is None:  # A sum may wrap around.
                value = add(block, arith.MinSIOp(value, constant(block, _FARTHEST)))
                value = add(block, arith.MaxSIOp(value, constant(block, -_FARTHEST)))
            limit += term(value)
        for dimension, factor in bound.form.terms.items():
            if self.op.offsets:
                limit -= term(self.values[self.op.offsets[dimension]], factor)
            if dimension == d:
                continue
            if dimension in indices:
                if bound.form.factor(d):
                    limit -= term(indices[dimension], factor)
            elif isinstance(bound, Bound) and bound.lower == (factor < 0):
                limit -= term(self.extents[dimension], factor)
                limit += factor
        return write_linear_form(limit, block.add_op)
