"""Scoping in a comprehension: where its ops stand, and what may be used below a `group_by`.

Above a `group_by` a value may differ from row to row; below it there is one row per group. So
only its results and values that are the same for every row may be used there: values from
outside, and what is computed from nothing else.
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.traits import HasParent, IsTerminator, OpTrait
from xdsl.utils.exceptions import VerifyException


def in_a_comprehension() -> tuple[OpTrait, ...]:
    """The trait of ops that stand directly in the block of a root."""
    from diablo.dialects.comprehension.comprehension_roots import (
        AggregateOp,
        BuildOp,
        CollectOp,
        MergeOp,
    )

    return (HasParent(BuildOp, MergeOp, CollectOp, AggregateOp),)


def ends_a_comprehension() -> tuple[OpTrait, ...]:
    """The traits of the op that ends the body of a root, or of a monoid."""
    from diablo.dialects.comprehension.comprehension_monoids import MonoidOp
    from diablo.dialects.comprehension.comprehension_roots import (
        AggregateOp,
        BuildOp,
        CollectOp,
        MergeOp,
    )

    return (IsTerminator(), HasParent(BuildOp, MergeOp, CollectOp, AggregateOp, MonoidOp))


def verify_scope(group_by: Operation) -> None:
    """Raise a `VerifyException` if an op below `group_by` uses a value of a row above it."""
    block = group_by.parent
    if block is None:
        return
    of_rows: set[SSAValue] = set()
    below = False
    for op in block.ops:
        used = [operand for inner in op.walk() for operand in inner.operands]
        if below:
            for value in used:
                if value in of_rows:
                    name = f"%{value.name_hint}" if value.name_hint else "a value"
                    raise VerifyException(
                        f"{name} differs between the rows of a group, so '{op.name}' cannot use "
                        "it after the group_by"
                    )
        elif op is group_by:
            below = True
        elif _is_bound_by_rows(op) or not of_rows.isdisjoint(used):
            of_rows.update(op.results)


def _is_bound_by_rows(op: Operation) -> bool:
    return op.name in ("comprehension.each", "comprehension.range", "comprehension.group_by")
