"""Array algebra over arrays that may turn out smaller than what is read of them.

Reads the `comprehension` level, writes the `tensor_block` level. In

    %j, %a = each %A; guard %j == (%i + 1) rem n

an iteration counts only where %A has an element. If that %A has n elements shows only when the
program runs, it is widened by zeros there if it has fewer, and what these made is taken back:

    %c = %A's extent >= n
    %W = scf.if %c { yield %A } else { yield from_bag (to_bag %A) extents(n) }
    %M = tensor_block.map ins(%W[(d0 + 1) mod s0]) …
    %r = scf.if %c { yield %M } else { yield map ins(%M[d0]) { 0 unless (d0 + 1) mod n < extent } }

Arrays that are probed are just widened. The large body stands there once, and the rest, which
hardly ever runs, is small. That takes a `map` that computes each element of a new array from
dense ones, and cannot fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.ir import Block, Operation, Region, SSAValue

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.locations import remark
from diablo.lowering.tensor_block.arrays.aligned_arrays import AlignedArrays
from diablo.lowering.tensor_block.arrays.array_operands import Operand, picked
from diablo.lowering.tensor_block.query.body_emitter import BodyEmitter
from diablo.lowering.tensor_block.query.linear_equations import VariableForm
from diablo.lowering.tensor_block.query.plan_sizes import driver_dimensions, driver_value
from diablo.lowering.tensor_block.query.query import tensor_type
from diablo.passes.analyses.values.affine_values import same_value
from diablo.passes.analyses.values.linear_forms import linear_form, write_remainder
from diablo.passes.analyses.values.speculation import can_trap

Assumption = tuple[SSAValue, SSAValue]

_WIDEST = 8
"""How many times as long as the result a widened array may be."""
_FEW = 1 << 16
"""How many elements more it may have."""


@dataclass(frozen=True)
class _Limit:
    """The index `place` of an array has to be below `extent`."""

    place: VariableForm
    extent: SSAValue

    def is_among(self, others: Sequence[_Limit]) -> bool:
        """Return whether one of `others` says the same."""
        return any(o.place == self.place and same_value(o.extent, self.extent) for o in others)


class UncoveredArrays:
    """Rewrites the `map` that a plan made under assumptions about extents."""

    def __init__(self, plan: AlignedArrays, value: SSAValue, assumptions: Sequence[Assumption]):
        self.array = plan.array
        self.driver = plan.array.driver
        self.value = value
        self.assumptions = assumptions

    def lower(self) -> SSAValue | None:
        """The value that is right whether or not the assumptions hold; None if there is none."""
        map = self.value.owner
        if not isinstance(map, tensor_block.MapOp) or not self._is_simple(map):
            return None
        map.detach()
        covered = self._all_hold()
        arrays = list(map.inputs)
        widened = {array: self._widened(array, covered) for array in dict.fromkeys(arrays)}
        for position, array in enumerate(arrays):  # They are the first operands.
            map.operands[position] = widened[array]
        self.driver.insert(map)
        result = self.value
        if limits := self._limits():
            masked = self._masked(limits).owner
            assert isinstance(masked, Operation)
            result = self._choice(covered, self.value, [masked])
        remark(
            self.array.root,
            "its arrays may not cover the result: then they are widened by zeros before",
        )
        return result

    # ---- whether it can be done ----------------------------------------------------

    def _is_simple(self, map: tensor_block.MapOp) -> bool:
        """Whether a map of arrays is all there is, and missing elements can be made up for."""
        root, space = self.array.root, self.array.space
        arrays = list(space.array_of.values())
        return (
            isinstance(root, comprehension.BuildOp)
            and root.result.type == map.result.type
            and bool(map.inputs)
            and not map.result.uses
            and not self.array.reduced
            and space.assumes_only_extents
            and not any(tensor_block.is_sparse(a.type) for a in (root.result, *arrays))
            and not any(can_trap(op) for op in map.body.block.ops)
            and all(self._is_in_proportion(least) for _, least in self.assumptions)
        )

    def _is_in_proportion(self, size: SSAValue) -> bool:
        """Return whether an array of this size is not much longer than the result."""
        assert isinstance(self.array.root, comprehension.BuildOp)
        form = linear_form(size)
        return any(
            (excess := (form - dim * factor).number) is not None and excess <= _FEW
            for dim in map(linear_form, self.array.root.dims)
            for factor in range(_WIDEST + 1)
        )

    # ---- what is emitted -----------------------------------------------------------

    def _all_hold(self) -> SSAValue:
        condition: SSAValue | None = None
        for extent, least in self.assumptions:
            test = self.driver.insert(arith.CmpiOp(extent, least, "sge"))
            both = None if condition is None else arith.AndIOp(condition, test)
            condition = test if both is None else self.driver.insert(both)
        assert condition is not None
        return condition

    def _choice(
        self, condition: SSAValue, value: SSAValue, otherwise: Sequence[Operation]
    ) -> SSAValue:
        """`value`, or what the last of the ops `otherwise` makes, which are moved there."""
        for op in otherwise:
            op.detach()
        blocks = (
            Block([scf.YieldOp(value)]),
            Block([*otherwise, scf.YieldOp(otherwise[-1].results[0])]),
        )
        regions = [Region(block) for block in blocks]
        return self.driver.insert(scf.IfOp(condition, [value.type], regions[0], regions[1]))

    def _widened(self, array: SSAValue, covered: SSAValue) -> SSAValue:
        """The array, with as many more zeros as are read of it, if the assumptions fail."""
        extents = driver_dimensions(array, self.driver)
        wide = [self._extent(extent) for extent in extents]
        if wide == extents:
            return array
        rows = tensor_block.ToBagOp(array)
        filled = tensor_block.FromBagOp(rows.result, wide, array.type)
        for op in (rows, filled):
            self.driver.insert(op)
        return self._choice(covered, array, [rows, filled])

    def _extent(self, extent: SSAValue) -> SSAValue:
        """The greatest of an extent and of all that it is assumed to reach."""
        for other, least in self.assumptions:
            if same_value(other, extent):
                extent = self.driver.insert(arith.MaxSIOp(extent, least))
        return extent

    def _limits(self) -> list[_Limit]:
        """Return what the indices of the arrays have to be below, where that is not known.

        An iteration counts also where an array that is probed has no element.
        """
        limits: list[_Limit] = []
        for element, generator in self.array.space.generator_of.items():
            access, array = self.array.space.accesses[element], generator.collection
            for place, extent in zip(access, driver_dimensions(array, self.driver), strict=True):
                limit = _Limit(place, extent)
                uncertain = any(same_value(extent, other) for other, _ in self.assumptions)
                if uncertain and not limit.is_among(limits):
                    limits.append(limit)
        return limits

    def _masked(self, limits: Sequence[_Limit]) -> SSAValue:
        """The result of the map, with zeros where an array has no element."""
        type = self.array.root.results[0].type
        element = tensor_type(self.value).get_element_type()

        def fill(emitter: BodyEmitter, elements: Sequence[SSAValue]) -> SSAValue:
            condition: SSAValue | None = None
            for limit in limits:
                index = self._index(emitter, limit.place)
                test = emitter.add(arith.CmpiOp(index, limit.extent, "slt"))
                both = None if condition is None else arith.AndIOp(condition, test)
                condition = test if both is None else emitter.add(both)
            assert condition is not None
            (kept,) = emitter.when(
                condition, lambda _: [elements[0]], lambda e: [e.zero(element)], [element]
            )
            return kept

        keys = self.array.keys
        return self.array.map([Operand(self.value, picked(keys))], keys, type, fill)

    def _index(self, emitter: BodyEmitter, place: VariableForm) -> SSAValue:
        """Return where an array is read: a sum, or the remainder of one, which is not negative."""
        index = self.array.computed(emitter, place.sum)
        if place.period is None:
            return index
        period = driver_value(self.driver, place.period)
        # Multiples of the period may have been taken off the sum, so that it may be negative.
        return write_remainder(index, period, emitter.add)
