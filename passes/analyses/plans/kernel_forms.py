"""Analysis: what a kernel is apart from its names and the numbers in it.

    func.func private @kernel_0(%n, %x) {        func.func private @kernel_1(%m, %y) {
      map d0 < %n, %x[(d0 + 1) mod 6] {            map d0 < %m, %y[(d0 + 1) mod 12] {
        0.5 * %e                                     0.25 * %e

are of one form, with the numbers 6, 0.5 and 12, 0.25. What shapes the machine code stays in the
form: the offset of a neighbour, divisors, factors that vanish. Of ops that can fail it has
their place in the source, which their errors name.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from math import isfinite

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.utils.hints import isa

from diablo.dialects.access_maps import access_map, linear_indices
from diablo.dialects.tensor_block import IterationOps
from diablo.linear_sums import LinearSum
from diablo.passes.analyses.values.speculation import can_trap

_FOLDED = (0.0, 1.0, -1.0)
"""What a sum or a product with it is need not be computed."""

_SCALED = (arith.AddfOp, arith.SubfOp, arith.MulfOp)
"""The ops that take no longer for a number that is given than for one that is known."""

NumberAttr = IntegerAttr[IndexType] | FloatAttr
"""The attribute of a number."""


@dataclass(frozen=True)
class Constant:
    """A number that a constant gives: a factor in a body, or a limit before all loops."""

    op: arith.ConstantOp

    @property
    def value(self) -> NumberAttr:
        """The number."""
        value = self.op.value
        assert isa(value, NumberAttr)
        return value


@dataclass(frozen=True)
class Period:
    """A number at which an index wraps around: of an axis of an input."""

    op: IterationOps
    input: int
    axis: int
    value: IntegerAttr[IndexType]


Number = Constant | Period
"""A number in a kernel that may as well be an argument."""


@dataclass
class KernelForm:
    """The form of a kernel: kernels with equal keys differ in `numbers` alone."""

    key: Hashable
    numbers: list[Number]


def kernel_form(kernel: func.FuncOp) -> KernelForm:
    """The form of a kernel of one block."""
    form = _Form()
    named = {n: p for n, p in kernel.properties.items() if n != "sym_name"}
    properties = frozenset(named.items()), frozenset(kernel.attributes.items())
    blocks = tuple(form.block(block) for block in kernel.body.blocks)
    return KernelForm((properties, blocks), form.numbers)


@dataclass
class _Form:
    """A form as it is being made; values are numbered where they are defined."""

    numbers: list[Number] = field(default_factory=list[Number])
    _values: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])

    def _define(self, value: SSAValue) -> Attribute:
        self._values[value] = len(self._values)
        return value.type

    def block(self, block: Block) -> Hashable:
        """The form of a block."""
        arguments = tuple(self._define(argument) for argument in block.args)
        return arguments, tuple(self._op(op) for op in block.ops)

    def _op(self, op: Operation) -> Hashable:
        properties: dict[str, Attribute | tuple[AffineMap, ...]] = dict(op.properties)
        if isinstance(op, arith.ConstantOp) and (_is_coefficient(op) or _is_limit(op)):
            self.numbers.append(Constant(op))
            del properties["value"]
        if isinstance(op, IterationOps):
            properties["indexing_maps"] = self._maps(op)
        return (
            op.name,
            frozenset(properties.items()),
            frozenset(op.attributes.items()),
            tuple(self._values[operand] for operand in op.operands),
            op.location if can_trap(op) else None,
            tuple(self.block(block) for region in op.regions for block in region.blocks),
            tuple(self._define(result) for result in op.results),
        )

    def _maps(self, op: IterationOps) -> tuple[AffineMap, ...]:
        """Return where an op reads its inputs, with one period for all that are numbers."""
        kept: list[AffineMap] = []
        for number, map in enumerate(op.indexing_maps):
            indices = linear_indices(map.data)
            for axis, index in enumerate(indices):
                if index.period is not None and index.period.constant:
                    value = IntegerAttr(index.period.constant, IndexType())
                    self.numbers.append(Period(op, number, axis, value))
                    indices[axis] = replace(index, period=LinearSum(constant=1))
            kept.append(access_map(indices, map.data.num_dims, map.data.num_symbols))
        return tuple(kept)


def _is_coefficient(op: arith.ConstantOp) -> bool:
    """Return whether a constant is a float that sums and products do not fold."""
    if not isa(op.value, FloatAttr):
        return False
    value = op.value.value.data
    if value in _FOLDED or not isfinite(value):
        return False
    return all(isinstance(use.operation, _SCALED) for use in op.result.uses)


def _is_limit(op: arith.ConstantOp) -> bool:
    """Whether a constant is an index that is compared with others once per call of the kernel."""
    if not isinstance(op.result.type, IndexType) or not isinstance(op.parent_op(), func.FuncOp):
        return False
    return all(
        isinstance(use.operation, arith.CmpiOp) and use.operation.parent is op.parent
        for use in op.result.uses
    )
