"""Analysis: which nested aggregates are sums over small windows of constant offsets?

```mlir
%s = comprehension.aggregate add : f64 {
  %d = comprehension.range %minus_one to %one
  %j = arith.addi %i, %d : index                // %i is from outside
  %k, %u = comprehension.each %U full : tensor<?xf64>
  %p = arith.cmpi eq, %k, %j : index
  comprehension.guard %p
  comprehension.yield %u
}
```

The window has the points -1, 0 and 1, and reads `%U` at `%j`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product

from xdsl.ir import Block, Operation, SSAValue

from diablo.dialects import comprehension, monoids
from diablo.dialects.defining_blocks import is_made_in
from diablo.dialects.encodings import as_array
from diablo.dialects.range_steps import step_of
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.sparsity.patterns import is_stored_only
from diablo.passes.analyses.values.comprehension_structure import Root
from diablo.passes.analyses.values.index_equalities import equated_integers
from diablo.passes.analyses.values.linear_forms import linear_form
from diablo.passes.analyses.values.speculation import is_pure

MOST_POINTS = 32
"""Windows with more points are not written out: the code would get long."""


@dataclass
class Window:
    """A nested aggregate taken apart."""

    nested: comprehension.AggregateOp
    ranges: list[comprehension.RangeOp] = field(default_factory=list[comprehension.RangeOp])
    reads: dict[comprehension.EachOp, list[SSAValue]] = field(
        default_factory=dict[comprehension.EachOp, list[SSAValue]]
    )
    """What is read, and the value that each index must equal."""
    tests: list[SSAValue] = field(default_factory=list[SSAValue])

    @property
    def value(self) -> SSAValue:
        """The value that is reduced."""
        head = self.nested.body.block.last_op
        assert isinstance(head, comprehension.YieldOp)
        return head.values[0]

    def points(self) -> list[tuple[int, ...]]:
        """The indices of the ranges. Raises `Refused` if they are not a few constants."""
        axes: list[range] = []
        for op in self.ranges:
            low, high = linear_form(op.lower).number, linear_form(op.upper).number
            if low is None or high is None:
                raise Refused("a range of the window is not constant")
            step = step_of(op)
            axes.append(range(low, high + (1 if step > 0 else -1), step))
        size = 1
        for axis in axes:
            size *= len(axis)
        if not 0 < size <= MOST_POINTS:
            raise Refused(f"the window has {size} points")
        return list(product(*axes))


def shifts(window: Window, around: Block) -> bool:
    """Return whether each range of a window shifts an index of the rows around it (`U[i + d]`).

    `around` is the body in which the window stands. A range that is an index by itself is one
    of a product of matrices, say. Without reads the tests may shift indices (`i + d < n`).
    """
    inner, shifted = window.nested.body.block, set[SSAValue]()
    subscripts = [value for values in window.reads.values() for value in values]
    for subscript in subscripts or window.tests:
        leaves: set[SSAValue] = set()
        pending = [subscript]
        while pending:
            value = pending.pop()
            owner = value.owner
            is_range = owner in window.ranges
            if isinstance(owner, Operation) and owner.parent is inner and not is_range:
                pending += owner.operands
            else:
                leaves.add(value)
        if any(is_made_in(leaf, around) and not is_made_in(leaf, inner) for leaf in leaves):
            shifted |= leaves
    return all(op.index in shifted for op in window.ranges)


def read_window(nested: comprehension.AggregateOp) -> Window | None:
    """Take an aggregate over constant ranges and reads of arrays apart, if it is one."""
    block, window = nested.body.block, Window(nested)
    guards: list[comprehension.GuardOp] = []
    for op in list(block.ops)[:-1]:
        match op:
            case comprehension.RangeOp():
                window.ranges.append(op)
            case comprehension.EachOp():
                is_array = as_array(op.collection.type) is not None
                if not is_array or is_stored_only(op) or is_made_in(op.collection, block):
                    return None
                window.reads[op] = []
            case comprehension.GuardOp():
                guards.append(op)
            case _ if not is_pure(op) or any(isinstance(inner, Root) for inner in op.walk()):
                return None
            case _:
                pass
    ties = dict[SSAValue, SSAValue]()
    for guard in guards:
        tie = _tie(guard, window, ties)
        if tie is None:
            window.tests.append(guard.condition)
        else:
            ties[tie[0]] = tie[1]
    for each in window.reads:
        if any(index not in ties for index in each.elements[:-1]):
            return None
        window.reads[each] = [ties[index] for index in each.elements[:-1]]
    known = window.ranges and not monoids.is_user_defined(nested.monoid.data)
    return window if known else None


def _tie(
    guard: comprehension.GuardOp, window: Window, ties: Mapping[SSAValue, SSAValue]
) -> tuple[SSAValue, SSAValue] | None:
    """The index of a read that a guard first gives a value, and that value."""
    sides = equated_integers(guard.condition)
    if sides is None:
        return None
    for index, value in (sides, reversed(sides)):
        owner = index.owner
        if not isinstance(owner, comprehension.EachOp) or owner not in window.reads:
            continue
        if index is not owner.elements[-1] and index not in ties:
            return index, value
    return None
