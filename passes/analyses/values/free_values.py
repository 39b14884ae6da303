"""Analysis: which values of what stands around them regions use."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation, Region, SSAValue


def free_values(regions: Iterable[Region]) -> list[SSAValue]:
    """The values from outside that ops in `regions` use, in order of their first use."""
    found: dict[SSAValue, None] = {}
    for region in regions:
        inside: set[SSAValue] = set()
        for op in region.walk():
            inside.update(op.results)
            for inner in op.regions:
                inside.update(arg for block in inner.blocks for arg in block.args)
        inside.update(arg for block in region.blocks for arg in block.args)
        for op in region.walk():
            found.update((o, None) for o in op.operands if o not in inside)
    return list(found)


def used_values(op: Operation) -> list[SSAValue]:
    """Return the values that `op` and the ops in its regions use and that are made outside."""
    return [*op.operands, *free_values(op.regions)]
