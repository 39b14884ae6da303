"""Rule of `unroll-windows`: an update under loops over a window is a sum over the window.

Works at the comprehension level.

```mlir
comprehension.merge add %R {               comprehension.merge add %R {
  %i = comprehension.range %one to %last     %i = comprehension.range %one to %last
  %d = comprehension.range %m to %one  ==>   %s = comprehension.aggregate add : f64 {
  // U[i + d]                                  %d = comprehension.range %m to %one
  comprehension.yield (%i) %u                  // U[i + d]
}                                              comprehension.yield %u
                                             }
                                             comprehension.yield (%i) %s
                                           }
```
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, Region, SSAValue

from diablo.dialects import comprehension, monoids
from diablo.dialects.bags import BagType
from diablo.dialects.locations import located
from diablo.passes.analyses.sparsity.constant_windows import MOST_POINTS
from diablo.passes.analyses.values.comprehension_structure import Generator
from diablo.passes.analyses.values.free_values import used_values
from diablo.passes.analyses.values.linear_forms import linear_form


def _window(root: comprehension.MergeOp) -> list[comprehension.RangeOp]:
    """The short constant ranges whose indices are no keys."""
    head = root.body.block.last_op
    assert isinstance(head, comprehension.YieldOp)
    of_keys = {value for key in head.keys for value in linear_form(key).terms}
    found: list[comprehension.RangeOp] = []
    for op in root.body.block.ops:
        if isinstance(op, comprehension.RangeOp) and op.index not in of_keys:
            low, high = linear_form(op.lower).number, linear_form(op.upper).number
            if low is not None and high is not None and abs(high - low) < MOST_POINTS:
                found.append(op)
    return found


def _dependents(block: Block, ranges: list[comprehension.RangeOp]) -> list[Operation]:
    """The ops that depend on a window: what it computes, what it reads, and what reads that."""
    inside: set[Operation] = set(ranges)
    values: set[SSAValue] = {op.index for op in ranges}
    changed = True
    while changed:
        changed = False
        for op in list(block.ops)[:-1]:
            if op in inside or values.isdisjoint(used_values(op)):
                continue
            # A test ties the indices of an array to those of the window.
            reads = [op]
            if isinstance(op, comprehension.GuardOp) and isinstance(op.condition.owner, Operation):
                owners = [value.owner for value in used_values(op.condition.owner)]
                reads += [owner for owner in owners if isinstance(owner, comprehension.EachOp)]
            for new in reads:
                inside.add(new)
                values.update(new.results)
            changed = True
    return [op for op in block.ops if op in inside]


def nest_window(root: comprehension.MergeOp) -> comprehension.AggregateOp | None:
    """Make what `root` adds up over a window one value of its rows, if that is possible.

    Changes `root` in place; what fails leaves it as it was.
    """
    if root.monoid is None or monoids.is_user_defined(root.monoid.data):
        return None
    ranges = _window(root)
    return nest_update(root, ranges) if ranges else None


def nest_update(
    root: comprehension.MergeOp, ranges: list[comprehension.RangeOp]
) -> comprehension.AggregateOp | None:
    """Make what `root` folds over some ranges one value of its rows, if that is possible.

    Changes `root` in place; what fails leaves it as it was.
    """
    block, monoid = root.body.block, root.monoid
    head = block.last_op
    assert isinstance(head, comprehension.YieldOp)
    if isinstance(root.dest.type, BagType):
        return None  # A map would get keys of windows of which no point counts.
    if monoid is None or len(head.values) != 1:
        return None
    if any(isinstance(op, comprehension.GroupByOp) for op in block.ops):
        return None
    inside = _dependents(block, ranges)
    made = {result for op in inside for result in op.results}
    outside = [op for op in block.ops if op not in inside and op is not head]
    if any(isinstance(op, comprehension.RangeOp) and op not in ranges for op in inside):
        return None
    if head.values[0] not in made or any(key in made for key in head.keys):
        return None
    if not any(isinstance(op, Generator) for op in outside):
        return None
    body = Block()
    for op in inside:
        op.detach()
        body.add_op(op)
    body.add_op(located(comprehension.YieldOp([], [head.values[0]]), head))
    nested = located(
        comprehension.AggregateOp(monoid.data, Region(body), head.values[0].type), head
    )
    new = located(comprehension.YieldOp(list(head.keys), [nested.result]), head)
    block.insert_ops_before([nested, new], head)
    block.erase_op(head)
    return nested
