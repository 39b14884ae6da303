"""Where along a loop everything that an op reads lies inside its inputs.

For `%A[d0 - 1, d1 + 1]` and a loop over d1 in row %i, that is

    all of 0 <= %i - 1 < rows(%A)  ?  max(0, -1) <= %j < min(end, columns(%A) - 1)  :  nothing

and where the body of a map tests for a box (lowering/domains.py), the box too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from diablo.dialects.access_maps import LinearIndex, linear_indices, picks_dimensions
from diablo.dialects.tensor_block import (
    ContractOp,
    GenerateOp,
    MapOp,
    ReduceOp,
    ScatterReduceOp,
)
from diablo.lowering.domains import Domain

Indices = Mapping[int, SSAValue]


def _add(block: Block, op: Operation) -> SSAValue:
    block.add_op(op)
    return op.results[0]


def _index(block: Block, value: int) -> SSAValue:
    return _add(block, arith.ConstantOp(IntegerAttr(value, IndexType())))


def _scaled(block: Block, value: SSAValue, factor: int) -> SSAValue:
    if factor == 1:
        return value
    return _add(block, arith.MuliOp(value, _index(block, factor)))


def zero_attribute(type: Attribute) -> IntegerAttr | FloatAttr:
    """What an array of `type` has outside of itself."""
    if isinstance(type, AnyFloat):
        return FloatAttr(0.0, type)
    return IntegerAttr(0, cast("IntegerType | IndexType", type))


def linear_value(
    block: Block, index: LinearIndex, indices: Indices, symbols: Sequence[SSAValue]
) -> SSAValue:
    """Compute a linear index at a point."""
    terms = [_scaled(block, indices[d], factor) for d, factor in index.dimensions]
    terms += [_scaled(block, symbols[s], factor) for s, factor in index.symbols]
    if index.constant or not terms:
        terms.append(_index(block, index.constant))
    total = terms[0]
    for term in terms[1:]:
        total = _add(block, arith.AddiOp(total, term))
    return total


def is_inside(block: Block, place: Sequence[SSAValue], array: SSAValue) -> SSAValue:
    """Whether a place lies inside an array."""
    zero = _index(block, 0)
    tests: list[SSAValue] = []
    for axis, index in enumerate(place):
        size = _add(block, memref.DimOp(array, _index(block, axis)))
        tests.append(_add(block, arith.CmpiOp(index, zero, "sge")))
        tests.append(_add(block, arith.CmpiOp(index, size, "slt")))
    return all_of(block, tests)


def all_of(block: Block, tests: Sequence[SSAValue]) -> SSAValue:
    """Whether all tests hold."""
    total = tests[0]
    for test in tests[1:]:
        total = _add(block, arith.AndIOp(total, test))
    return total


@dataclass
class InnerRange:
    """Finds the middle part of a loop of `op`; `values` and `extents` are those of its loops."""

    op: GenerateOp | MapOp | ReduceOp | ContractOp | ScatterReduceOp
    values: Mapping[SSAValue, SSAValue]
    domain: Domain | None
    extents: Sequence[SSAValue]

    def along(
        self, block: Block, d: int, indices: Indices, begin: SSAValue, end: SSAValue
    ) -> tuple[SSAValue, SSAValue, dict[int, list[SSAValue]]]:
        """Where the middle part of the loop over `d` from `begin` to `end` begins and ends.

        There, what is read lies inside its input if some tests hold that do not vary along
        the loop: those of each input by its number, those of the box under -1. Of an input in
        `rough` some elements may lie inside although its tests fail. `indices` are those of
        the loops around it; dimensions that are not among them run over all of their extent
        inside it.
        """
        tests: dict[int, list[SSAValue]] = {}
        self.rough: set[int] = set()
        self.lows: list[SSAValue] = [begin]
        self.highs: list[SSAValue] = [end]
        if not isinstance(self.op, GenerateOp):
            symbols = [self.values[s] for s in self.op.symbols]
            for number, (value, map) in enumerate(zip(self.op.inputs, self.op.maps, strict=True)):
                if picks_dimensions(map.data):
                    continue
                array = self.values[value]
                assert isinstance(array.type, MemRefType)
                self.tests, self.number = tests.setdefault(number, []), number
                for axis, index in enumerate(linear_indices(map.data)):
                    size = _add(block, memref.DimOp(array, _index(block, axis)))
                    self._require(block, d, index, indices, symbols, size)
        self.tests = tests.setdefault(-1, [])
        if self.domain is not None:
            self._require_domain(block, d, indices)
        low, high = self.lows[0], self.highs[0]
        for other in self.lows[1:]:
            low = _add(block, arith.MaxSIOp(low, other))
        low = _add(block, arith.MinSIOp(low, end))
        for other in self.highs[1:]:
            high = _add(block, arith.MinSIOp(high, other))
        return low, _add(block, arith.MaxSIOp(low, high)), tests

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
        factor = dict(index.dimensions).get(d, 0)
        inside = {dimension for dimension, _ in index.dimensions if dimension not in indices}
        if abs(factor) > 1:
            factor = 0
        elif factor:
            inside.discard(d)
        if inside and not factor:
            self.rough.add(self.number)
        least = greatest = linear_value(
            block, LinearIndex((), index.symbols, index.constant), {}, symbols
        )
        one = _index(block, 1)
        for dimension, times in index.dimensions:
            if dimension == d and factor:
                continue
            if dimension in indices:
                term = _scaled(block, indices[dimension], times)
                least = _add(block, arith.AddiOp(least, term))
                greatest = _add(block, arith.AddiOp(greatest, term))
                continue
            last = _add(block, arith.SubiOp(self.extents[dimension], one))
            term = _scaled(block, last, times)
            if times > 0:
                greatest = _add(block, arith.AddiOp(greatest, term))
            else:
                least = _add(block, arith.AddiOp(least, term))
        if factor == 1:  # 0 <= i + least, i + greatest < size
            self.lows.append(_add(block, arith.SubiOp(_index(block, 0), least)))
            self.highs.append(_add(block, arith.SubiOp(size, greatest)))
        elif factor == -1:  # 0 <= least - i, greatest - i < size
            low = _add(block, arith.SubiOp(greatest, size))
            self.lows.append(_add(block, arith.AddiOp(low, one)))
            self.highs.append(_add(block, arith.AddiOp(least, one)))
        else:
            self.tests.append(_add(block, arith.CmpiOp(least, _index(block, 0), "sge")))
            self.tests.append(_add(block, arith.CmpiOp(greatest, size, "slt")))

    def _require_domain(self, block: Block, d: int, indices: Indices) -> None:
        """Require the bounds of the box, which are on indices with the tile's origin added."""
        assert self.domain is not None
        for bound in self.domain.bounds:
            limit = _index(block, bound.shift)
            if bound.value is not None:
                value = self.values.get(bound.value, bound.value)
                if value.type != IndexType():
                    value = _add(block, arith.IndexCastOp(value, IndexType()))
                limit = _add(block, arith.AddiOp(limit, value))
            if self.op.offsets:
                origin = self.values[self.op.offsets[bound.dimension]]
                limit = _add(block, arith.SubiOp(limit, origin))
            if bound.dimension == d:
                (self.lows if bound.lower else self.highs).append(limit)
            else:
                predicate = "sge" if bound.lower else "slt"
                test = arith.CmpiOp(indices[bound.dimension], limit, predicate)
                self.tests.append(_add(block, test))
