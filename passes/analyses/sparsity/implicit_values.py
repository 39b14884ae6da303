"""Analysis: may a comprehension skip the elements that a sparse array does not store?

Such an element is the implicit value, zero. The body is evaluated with the element set to
zero and everything else unknown (`partial_evaluation`, with bounds from `intervals`). The row
is superfluous if a guard is then false, or if what it adds to the result is nothing: the
identity of the monoid, or the implicit value of an array that is built.

A row of a group is superfluous if each fold of the group gets the identity from it, or a zero
that cannot be the least (or greatest) unless all are; and if a group of nothing but such rows
adds nothing to the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from xdsl.dialects.builtin import i1
from xdsl.ir import Block, Operation, SSAValue

from diablo.dialects import comprehension
from diablo.dialects.functions.number_ranges import ANYTHING, Interval
from diablo.dialects.number_constants import ConstantOps
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.sparsity.patterns import is_stored_only
from diablo.passes.analyses.values.comprehension_structure import Root
from diablo.passes.analyses.values.determined_values import segments_of
from diablo.passes.analyses.values.intervals import facts_of, interval
from diablo.passes.analyses.values.monoid_identities import implicit_constant
from diablo.passes.analyses.values.partial_evaluation import (
    Fact,
    Known,
    Same,
    evaluate_op,
    fact_of,
    is_neutral,
)
from diablo.passes.analyses.values.scalar_folding import fold

Folds = dict[Operation, Fact]
"""What each fold of a group gets from a superfluous row."""


@dataclass
class _Walk:
    """The evaluation of the ops of a body, one after the other."""

    known: Known
    facts: dict[SSAValue, Interval]
    folds: Folds = field(default_factory=dict[Operation, Fact])

    def run(self, ops: Sequence[Operation]) -> bool:
        """Evaluate `ops`; false if a guard drops the row on the way."""
        for op in ops:
            match op:
                case comprehension.GuardOp():
                    if fact_of(op.condition, self.known) == 0:
                        return False
                case comprehension.GroupByOp():
                    self._group(op)
                case comprehension.EachOp() | comprehension.RangeOp():
                    pass
                case _ if op in self.folds:
                    self.known[op.results[0]] = self.folds[op]
                case _:
                    evaluate_op(op, self.known, self.facts)
        return True

    def _group(self, op: comprehension.GroupByOp) -> None:
        """Go on with a group in which all rows are superfluous.

        Raises `Refused` if a group with other rows would notice the absence of one.
        """
        after: Known = {k: v for k, v in self.known.items() if _is_constant(k)}
        for key, group_key in zip(op.keys, op.group_keys, strict=True):
            if key in self.known and not isinstance(self.known[key], Same):
                after[group_key] = self.known[key]
        for row, bag in zip(op.bag_values, op.bags, strict=True):
            for use in bag.uses:
                fold = use.operation
                if not isinstance(fold, comprehension.ReduceOp):
                    raise Refused("a group would notice the absence of a row")
                fact = self.known.get(row[0])
                if fact is None or not self._leaves_fold(fold, row[0], fact):
                    raise Refused("a group would notice the absence of a row")
                self.folds[fold] = fact
        self.known = after

    def _leaves_fold(self, fold: comprehension.ReduceOp, value: SSAValue, fact: Fact) -> bool:
        """Return whether a fold is the same without a row in which `value` is `fact`."""
        if is_neutral(fold.monoid.data, fact, fold.result.type, fold):
            return True
        if fact != 0 or isinstance(fact, str | tuple | Same):
            return False
        return _zero_changes_nothing(fold.monoid.data, interval(value, self.facts))


def _zero_changes_nothing(monoid: str, others: Interval) -> bool:
    """Return whether zero is not the least (or greatest) value unless all `others` are."""
    match monoid_named(monoid).extremum:
        case "<":
            return others.high <= 0
        case ">":
            return others.low >= 0
        case _:
            return False


def _is_constant(value: SSAValue) -> bool:
    return isinstance(value.owner, ConstantOps)


def constants_outside(block: Block) -> Known:
    """The constants that the ops of `block` use from outside."""
    known: Known = {}
    for op in block.walk():
        for operand in op.operands:
            owner = operand.owner
            if isinstance(owner, ConstantOps):
                value = fold(owner, ())
                if value is not None:
                    known[operand] = value
    return known


def _adds_nothing(root: Root, known: Known) -> str | None:
    """Why a row with the `known` values leaves the result of `root` as it is, or `None`."""
    head = root.body.block.last_op
    assert isinstance(head, comprehension.YieldOp)
    if not head.values:
        return None
    value = head.values[0]
    fact = known.get(value)
    if fact is None or isinstance(fact, Same):
        return None
    match root:
        case comprehension.BuildOp():
            if fact == implicit_constant(value.type):
                return "the value is then zero, which is implicit in the result"
        case comprehension.MergeOp() if isinstance(root.dest.type, comprehension.BagType):
            return None  # The row adds its key to the map.
        case comprehension.MergeOp() if root.monoid is not None:
            monoid = root.monoid.data
            if is_neutral(monoid, fact, value.type, root):
                return f"the value is then the identity of {monoid}"
            if fact == 0 and _zero_changes_nothing(monoid, array_interval(root.dest)):
                return f"the value is then zero, which changes no {monoid} with what was there"
        case comprehension.AggregateOp():
            if is_neutral(root.monoid.data, fact, value.type, root):
                return f"the value is then the identity of {root.monoid.data}"
        case _:
            pass
    return None


def array_interval(array: SSAValue) -> Interval:
    """Return between which numbers the elements of an array lie, implicit ones included."""
    root = array.owner
    if not isinstance(root, comprehension.BuildOp | comprehension.MergeOp):
        return ANYTHING
    head = root.body.block.last_op
    assert isinstance(head, comprehension.YieldOp)
    written = interval(head.values[0], facts_of(_conditions(root.body.block.ops)))
    if isinstance(root, comprehension.BuildOp):
        return written | Interval(0, 0)
    old = array_interval(root.dest)
    if root.monoid is None:
        return old | written
    match monoid_named(root.monoid.data).extremum:
        case "<":
            return Interval(min(old.low, written.low), old.high)
        case ">":
            return Interval(old.low, max(old.high, written.high))
        case _:
            return ANYTHING


def _conditions(ops: Iterable[Operation]) -> list[SSAValue]:
    return [op.condition for op in ops if isinstance(op, comprehension.GuardOp)]


def is_superfluous_head(root: Root, ops: Sequence[Operation], known: Known) -> bool:
    """Return whether a row in which the `known` values hold before `ops` adds nothing to `root`."""
    walk = _Walk({**constants_outside(root.body.block), **known}, {})
    try:
        return not walk.run([op for op in ops if not (op.results and op.results[0] in known)]) or (
            _adds_nothing(root, walk.known) is not None
        )
    except Refused:
        return False


@dataclass(frozen=True)
class Superfluous:
    """Why the rows with implicit elements may be skipped, and what a group gets from them."""

    reason: str
    folds: Folds = field(default_factory=dict[Operation, Fact])


def _is_over_region(op: Operation) -> TypeGuard[comprehension.EachOp]:
    """Return whether a generator runs over the stored elements of a Boolean array, all true."""
    return (
        isinstance(op, comprehension.EachOp) and is_stored_only(op) and op.elements[-1].type == i1
    )


def superfluous_when_implicit(generators: Sequence[comprehension.EachOp]) -> Superfluous | None:
    """Return whether the rows in which all `generators` have an implicit element may be skipped.

    The generators stand in one block, with no group_by between them.
    """
    first = generators[0]
    block, root = first.parent, first.parent_op()
    if block is None or not isinstance(root, Root):
        return None
    ops = list(block.ops)
    known = constants_outside(block)
    known |= {each.elements[-1]: True for each in ops if _is_over_region(each)}
    for each in generators:
        implicit = implicit_constant(each.elements[-1].type)
        if implicit is None:
            return None
        known[each.elements[-1]] = implicit
    (segment,) = [ops for ops in segments_of(block) if first in ops]
    walk = _Walk(known, facts_of(_conditions(segment)))
    try:
        if not walk.run(ops[ops.index(first) + 1 : -1]):
            return Superfluous("a guard is then false")
    except Refused:
        return None
    reason = _adds_nothing(root, walk.known)
    return None if reason is None else Superfluous(reason, walk.folds)
