"""Filters moved towards the tables that they are about, so that fewer rows are joined and sorted.

    Filtered(Joined(A, B), A.x > 0 & B.y > 0)
  =>  Joined(Filtered(A, x > 0), Filtered(B, y > 0))

A condition moves by steps that keep what it reads, and give the same rows in the same order: to
the sides of a join that loses no row of theirs, through the computing of other columns, through an
order without a limit, to all tables that are put together, and before a grouping by what it reads,
also one by which rows look at each other.
It stays above what several steps use.
"""

from __future__ import annotations

from collections import Counter

from diablo.table.query_plans import (
    Computed,
    Concatenated,
    Filtered,
    Grouped,
    Joined,
    Plan,
    Sorted,
    Windowed,
    in_order,
    with_inputs,
)
from diablo.table.typed_expressions import Typed, conjunction, conjuncts, moved, replaced

_FILTERS_LEFT = ("inner", "left", "semi", "anti")
_FILTERS_RIGHT = ("inner", "right")


def push_filters(root: Plan) -> Plan:
    """Return a plan that gives the same rows, with filters where they are about fewer columns."""
    order = in_order(root)
    uses = Counter(input for plan in order for input in plan.inputs)
    found: dict[Plan, Plan] = {}
    shared: set[Plan] = set()
    for plan in order:
        made = with_inputs(plan, [found[input] for input in plan.inputs])
        found[plan] = _pushed(made, shared) if isinstance(made, Filtered) else made
        if uses[plan] > 1:
            shared.add(found[plan])
    return found[root]


def _pushed(plan: Filtered, shared: set[Plan]) -> Plan:
    """Return a filter moved as far as it goes."""
    (below,) = plan.inputs
    if below in shared:
        return plan
    conditions = conjuncts(plan.condition)
    match below:
        case Filtered():
            both = Filtered(
                below.inputs[0], conjunction([*conjuncts(below.condition), *conditions])
            )
            return _pushed(both, shared)
        case Computed():
            return _below_computed(below, conditions, shared)
        case Joined():
            return _below_joined(below, conditions, shared)
        case Sorted() if below.limit is None:
            return Sorted(_filtered(below.inputs[0], conditions, shared), below.keys)
        case Concatenated():
            return Concatenated(*[_filtered(i, conditions, shared) for i in below.inputs])
        case Grouped() if below.keys:
            return _below_grouped(below, conditions, shared)
        case Windowed():
            return _below_windowed(below, conditions, shared)
        case _:
            return plan


def _filtered(plan: Plan, conditions: list[Typed], shared: set[Plan]) -> Plan:
    if not conditions:
        return plan
    # The columns of a side may hold fewer nulls than those above, of which more is asked then.
    return _pushed(Filtered(plan, conjunction(conditions)), shared)


def _split(conditions: list[Typed], moves: list[bool]) -> tuple[list[Typed], list[Typed]]:
    below = [c for c, moving in zip(conditions, moves, strict=True) if moving]
    return below, [c for c, moving in zip(conditions, moves, strict=True) if not moving]


def _above(plan: Plan, conditions: list[Typed]) -> Plan:
    return Filtered(plan, conjunction(conditions)) if conditions else plan


def _below_computed(plan: Computed, conditions: list[Typed], shared: set[Plan]) -> Plan:
    """Move conditions on columns that are as they were."""
    columns = dict(enumerate(plan.expressions))
    moves = [all(columns[k].is_read for k in c.reads) for c in conditions]
    below, above = _split([replaced(c, columns) if m else c
                           for c, m in zip(conditions, moves, strict=True)], moves)  # fmt: skip
    if not below:
        return _above(plan, above)
    input = _filtered(plan.inputs[0], below, shared)
    return _above(Computed(input, plan.names, plan.expressions), above)


def _below_joined(plan: Joined, conditions: list[Typed], shared: set[Plan]) -> Plan:
    left, right = plan.inputs
    width = len(left.schema)
    lefts: list[Typed] = []
    rights: list[Typed] = []
    above: list[Typed] = []
    for condition in conditions:
        if plan.kind in _FILTERS_LEFT and all(k < width for k in condition.reads):
            lefts.append(condition)
        elif plan.kind in _FILTERS_RIGHT and all(k >= width for k in condition.reads):
            rights.append(moved(condition, {k: k - width for k in condition.reads}))
        else:
            above.append(condition)
    if not lefts and not rights:
        return _above(plan, above)
    joined = Joined(
        _filtered(left, lefts, shared),
        _filtered(right, rights, shared),
        plan.left_keys,
        plan.right_keys,
        plan.kind,
    )
    return _above(joined, above)


def _below_grouped(plan: Grouped, conditions: list[Typed], shared: set[Plan]) -> Plan:
    """Move conditions on the keys, which are the same for all rows of a group."""
    columns = dict(enumerate(plan.keys))
    moves = [bool(c.reads) and all(k in columns for k in c.reads) for c in conditions]
    below, above = _split([replaced(c, columns) if m else c
                           for c, m in zip(conditions, moves, strict=True)], moves)  # fmt: skip
    if not below:
        return _above(plan, above)
    input = _filtered(plan.inputs[0], below, shared)
    return _above(Grouped(input, plan.names, plan.keys, plan.aggregates), above)


def _below_windowed(plan: Windowed, conditions: list[Typed], shared: set[Plan]) -> Plan:
    """Move conditions on the keys, of which groups are left whole or left out."""
    keys = {key.value for key in plan.keys if key.is_read}
    moves = [bool(c.reads) and c.reads <= keys for c in conditions]
    below, above = _split(conditions, moves)
    if not below:
        return _above(plan, above)
    input = _filtered(plan.inputs[0], below, shared)
    return _above(Windowed(input, plan.keys, plan.order, plan.functions), above)
