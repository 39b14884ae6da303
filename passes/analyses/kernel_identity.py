"""Analysis: what tells a kernel from all others that this process has seen.

    func.func private @kernel_0(%n, %x) {        func.func private @kernel_7(%m, %y) {
      … arith.mulf %e, %half …                     … arith.mulf %f, %c …

are one kernel if their ops, properties and types are equal, and each operand is the value with the
same number. Names of functions and values, locations and discardable attributes count for
nothing: no lowering reads them. What machine code is made of follows from the rest, and from the
monoids that the module defines: of these not the name counts but what they do.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.ir import Attribute, Block, Region, SSAValue

from diablo.dialects.comprehension.comprehension_monoids import monoids_used


@dataclass(frozen=True, eq=False)
class KernelIdentity:
    """The structure of a kernel, which is hashed once."""

    structure: Hashable
    hash: int

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, KernelIdentity)
            and self.hash == other.hash
            and self.structure == other.structure
        )


def kernel_identity(kernel: func.FuncOp) -> KernelIdentity:
    """What a kernel has in common with those alone that do the same in the same way."""
    properties = {name: value for name, value in kernel.properties.items() if name != "sym_name"}
    monoids = tuple(
        (monoid.element, monoid.identity, monoid.any_order, _region(monoid.body, {}))
        for monoid in monoids_used(kernel)
    )
    structure = _attributes(properties), _region(kernel.body, {}), monoids
    return KernelIdentity(structure, hash(structure))


def _region(region: Region, numbers: dict[SSAValue, int]) -> Hashable:
    return tuple(_block(block, numbers) for block in region.blocks)


def _block(block: Block, numbers: dict[SSAValue, int]) -> Hashable:
    """The arguments' types and the ops; values are numbered where they are defined."""

    def define(value: SSAValue) -> Attribute:
        numbers[value] = len(numbers)
        return value.type

    arguments = tuple(define(argument) for argument in block.args)
    ops: list[Hashable] = []
    for op in block.ops:
        operands = tuple(numbers[operand] for operand in op.operands)
        regions = tuple(_region(region, numbers) for region in op.regions)
        results = tuple(define(result) for result in op.results)
        ops.append((op.name, operands, _attributes(op.properties), regions, results))
    return arguments, tuple(ops)


def _attributes(properties: dict[str, Attribute]) -> Hashable:
    return tuple((name, properties[name]) for name in sorted(properties))
