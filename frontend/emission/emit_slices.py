"""Imports slices of arrays, as comprehensions over ranges.

A[2:n, j]   ->   comprehension.build (min(n, rows of A) - 2) {
                   %t = comprehension.range 0 to …
                   %a = tensor.extract %A[%t + 2, %j];  yield (%t) %a
                 }

Of a sparse array only the stored entries are gone through.
"""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Attribute, Block, Region, SSAValue

from diablo.dialects.comprehension import BuildOp, EachOp, GuardOp, RangeOp, YieldOp
from diablo.dialects.encodings import StorageAttr, TilesAttr, array_type, dense_rank, is_tiled
from diablo.frontend.checking.constants import constant_of
from diablo.frontend.emission.emit_monoids import MonoidEmitter
from diablo.frontend.emission.ir_types import tensor_type
from diablo.frontend.parsing import syntax


@dataclass(frozen=True)
class Axis:
    """What a slice takes of one dimension: `count` indices from `start`, or `start` alone."""

    start: SSAValue
    step: SSAValue | None = None
    count: SSAValue | None = None


class SliceEmitter(MonoidEmitter, ABC):
    """The part of the importer that knows slices."""

    def emit_slice(self, expr: syntax.Index) -> SSAValue:
        """`A[a:b:c, i]`: a slice in some dimensions, an index in the others."""
        over = self.over_of(expr.base)
        if over is not None and not all(dim.counts_from_zero for dim in over.region.stored):
            hint = "write a comprehension over its region"
            self.unsupported(
                expr.span, "slices of arrays whose indices do not start at 0 are", hint
            )
        array = self.emit_collection(expr.base)

        def emit() -> SSAValue:
            axes = [self._axis(array, d, index) for d, index in enumerate(expr.indices)]
            sparse = dense_rank(array_type(array)) < len(axes)
            block = Block()
            with self.comprehension(block):
                keys, value = (self._stored if sparse else self._computed)(array, axes)
                self.add(YieldOp(keys, [value]))
            dims = [axis.count for axis in axes if axis.count is not None]
            type = array_type(array)
            dense = sum(axis.count is not None for axis in axes[: dense_rank(type)])
            if sparse:
                # A column of a sparse matrix has few entries, as a row has.
                dense = min(dense, max(0, len(dims) - 1))
            encoding: Attribute | None = StorageAttr(dense) if dense < len(dims) else None
            if is_tiled(type):
                encoding = TilesAttr(dense)
            result = tensor_type(type.get_element_type(), len(dims), encoding)
            return self.add(BuildOp(dims, Region(block), result)).result

        with self.at(expr.span):
            return self.once(emit)

    def _axis(self, array: SSAValue, number: int, index: syntax.Expr | syntax.Slice) -> Axis:
        extent = self.dimension(array, number)
        if not isinstance(index, syntax.Slice):
            start = self.emit_index(index)
            if not self.in_rows:
                inside = self.add(arith.CmpiOp(start, extent, "ult")).result
                self.require(inside, "an index of this slice is outside the array")
            return Axis(start)
        start = self._bound(index.start, "start") or self.index_constant(0)
        stop = self._bound(index.stop, "stop")
        end = extent if stop is None else self.add(arith.MinSIOp(stop, extent)).result
        step = self._step(index.step)
        length = end
        if _constant(start) != 0:
            length = self.add(arith.SubiOp(end, start)).result
        if _constant(step) != 1:
            one = self.index_constant(1)
            raised = self.add(arith.AddiOp(length, self.add(arith.SubiOp(step, one)).result))
            length = self.add(arith.DivSIOp(raised.result, step)).result
        zero = self.index_constant(0)
        return Axis(start, step, self.add(arith.MaxSIOp(length, zero)).result)

    def _bound(self, expr: syntax.Expr | None, what: str) -> SSAValue | None:
        if expr is None:
            return None
        value = self.emit_index(expr)
        if constant_of(expr) is None and not self.in_rows:
            test = self.add(arith.CmpiOp(value, self.index_constant(0), "sge")).result
            self.require(test, f"the {what} of a slice is negative")
        return value

    def _step(self, expr: syntax.Expr | None) -> SSAValue:
        if expr is None:
            return self.index_constant(1)
        value = self.emit_index(expr)
        if constant_of(expr) is not None:
            return value
        one = self.index_constant(1)
        if not self.in_rows:
            test = self.add(arith.CmpiOp(value, one, "sge")).result
            self.require(test, "the step of a slice is not positive")
        return self.add(arith.MaxSIOp(value, one)).result

    def _computed(self, array: SSAValue, axes: list[Axis]) -> tuple[list[SSAValue], SSAValue]:
        """The rows of a slice of a dense array: an element for each index of the slice."""
        keys: list[SSAValue] = []
        indices: list[SSAValue] = []
        for axis in axes:
            index = axis.start
            if axis.count is not None and axis.step is not None:
                zero, one = self.index_constant(0), self.index_constant(1)
                last = self.add(arith.SubiOp(axis.count, one)).result
                key = index = self.add(RangeOp(zero, last)).index
                keys.append(key)
                if _constant(axis.step) != 1:
                    index = self.add(arith.MuliOp(key, axis.step)).result
                if _constant(axis.start) != 0:
                    index = self.add(arith.AddiOp(index, axis.start)).result
            indices.append(index)
        element = array_type(array).get_element_type()
        return keys, self.add(tensor.ExtractOp(array, indices, element)).result

    def _stored(self, array: SSAValue, axes: list[Axis]) -> tuple[list[SSAValue], SSAValue]:
        """The rows of a slice of a sparse array: the stored entries that lie in it."""
        *indices, value = self.add(EachOp(array)).elements
        keys: list[SSAValue] = []
        for axis, index in zip(axes, indices, strict=True):
            if axis.count is None or axis.step is None:
                self.add(GuardOp(self.add(arith.CmpiOp(index, axis.start, "eq")).result))
                continue
            key = self.add(arith.SubiOp(index, axis.start)).result
            zero = self.index_constant(0)
            self.add(GuardOp(self.add(arith.CmpiOp(key, zero, "sge")).result))
            if _constant(axis.step) != 1:
                rest = self.add(arith.RemSIOp(key, axis.step)).result
                self.add(GuardOp(self.add(arith.CmpiOp(rest, zero, "eq")).result))
                key = self.add(arith.DivSIOp(key, axis.step)).result
            self.add(GuardOp(self.add(arith.CmpiOp(key, axis.count, "slt")).result))
            keys.append(key)
        return keys, value


def _constant(value: SSAValue) -> int | None:
    """The number that an `index` constant holds."""
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(value.type, IndexType):
        assert isinstance(owner.value, IntegerAttr)
        return owner.value.value.data
    return None
