"""Bulk loops: each statement of a loop nest becomes one update of what it writes.

A variable declared outside of the nest is updated before it, over the whole iteration space. One
declared in a loop's body is *private*: every iteration has its own, so an update of it stands in
the body as a value of the iteration, and an inner loop that accumulates into it becomes a nested
comprehension:

for i … { var s = 0.0; for j … do s += A[i,j]; V[i] = s; }
->
comprehension.merge %V {
  %i = comprehension.range …
  %s = comprehension.aggregate add { %j = comprehension.range …; yield %A[%i, %j] }
  comprehension.yield (%i) %s
}
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from diablo.dialects import comprehension, diablo
from diablo.dialects.locations import located
from diablo.lowering.comprehension.bulk_statements import (
    Guard,
    Loop,
    Qualifier,
    comprehension_body,
)
from diablo.lowering.comprehension.element_parts import merge_part
from diablo.lowering.comprehension.monoid_values import Monoids, join
from diablo.lowering.comprehension.private_values import Conditional

if TYPE_CHECKING:
    from diablo.lowering.comprehension.convert_diablo_to_comprehension import Conversion, State

Write = diablo.StoreOp | diablo.AccumulateOp | diablo.AccumulatePartsOp


def written_variables(op: Write) -> list[SSAValue]:
    """The variables that `op` writes."""
    return list(op.refs) if isinstance(op, diablo.AccumulatePartsOp) else [op.ref]


@dataclass(eq=False)
class Scope:
    """A block of statements, and the qualifiers in it that stand around what comes next."""

    block: Block
    outer: Scope | None = None
    qualifiers: list[Qualifier] = field(default_factory=list[Qualifier])

    def within(self, block: Block, qualifier: Qualifier) -> Scope:
        """The body of a loop or branch in this scope."""
        return Scope(block, self, [qualifier])

    def since(self, declaring: Scope) -> list[Qualifier]:
        """The qualifiers between a scope around this one and the next statement."""
        if self is declaring:
            return []
        assert self.outer is not None
        return [*self.outer.since(declaring), *self.qualifiers]


@dataclass
class BulkLoops:
    """The translation of one loop nest."""

    conversion: Conversion
    state: State
    root: Scope
    declared: dict[SSAValue, Scope] = field(default_factory=dict[SSAValue, Scope])

    def loop(self, op: Loop, scope: Scope) -> None:
        """Translate a loop in `scope`."""
        self.body(scope.within(op.body.block, op))

    def body(self, scope: Scope) -> None:
        """Translate the statements of a loop's or branch's body one after the other."""
        for op in list(scope.block.ops):
            match op:
                case diablo.VarOp():
                    self.state[op.ref] = op.init
                    self.declared[op.ref] = scope
                case diablo.LoadOp():
                    scope.qualifiers += self.conversion.load(op, self.state)
                case diablo.StoreOp() | diablo.AccumulateOp() | diablo.AccumulatePartsOp():
                    self.write(op, scope)
                case diablo.ForOp() | diablo.ForeachOp():
                    self.loop(op, scope)
                case scf.IfOp() if any(isinstance(inner, Write) for inner in op.walk()):
                    for region, negated in ((op.true_region, False), (op.false_region, True)):
                        if region.blocks:
                            self.body(scope.within(region.block, Guard(op.cond, negated, op)))
                case scf.WhileOp():
                    self.conversion.error(
                        op,
                        "a while loop inside a for loop is not supported",
                        "the iterations of a `for` run at the same time, so each would need a loop"
                        " of its own; exchange the loops, or use while for both",
                    )
                case _ if op.has_trait(IsTerminator):
                    pass
                case _:
                    self.conversion.nested_loads(op, self.state)
                    scope.qualifiers.append(op)

    def write(self, op: Write, scope: Scope) -> None:
        """One statement over the iteration space between it and what it writes."""
        refs = written_variables(op)
        declaring = self.declared.get(refs[0], self.root)
        inner = scope.since(declaring)
        old = [self.state[ref] for ref in refs]
        lets = self._update(op, inner, old)
        if lets is None:
            return
        anchor = op
        while anchor.parent is not declaring.block:
            parent = anchor.parent_op()
            assert parent is not None
            anchor = parent
        for let in lets[0]:
            if isinstance(let, Operation):
                declaring.block.insert_op_before(let, anchor)
        if declaring is not self.root:
            declaring.qualifiers += lets[0]
        for ref, value in zip(refs, lets[1], strict=True):
            self.conversion.assign(ref, value, self.state)

    def _update(
        self, op: Write, inner: Sequence[Qualifier], old: Sequence[SSAValue]
    ) -> tuple[list[Qualifier], Sequence[SSAValue]] | None:
        """The ops that update variables, and their new values."""
        if not isinstance(op, diablo.AccumulatePartsOp) and op.indices:
            merge = located(merge_element(op, old[0], inner, self.conversion.monoids), op)
            return [merge], merge.results
        if isinstance(op, diablo.StoreOp):
            return self._assign(op, inner, old[0])
        monoid = op.monoid.data
        lets: list[Qualifier] = []
        value = op.value
        if inner:
            body = comprehension_body(inner, (), [value], op)
            fold = located(comprehension.AggregateOp(monoid, body, value.type), op)
            lets.append(fold)
            value = fold.result
        before, whole = pack(old, op)
        combined, result = join(monoid, whole, value, self.conversion.monoids, op)
        lets += [*before, *combined]
        if len(old) == 1:
            return lets, [result]
        unpack = located(comprehension.UnpackOp(result), op)
        return [*lets, unpack], unpack.parts

    def _assign(
        self, op: diablo.StoreOp, inner: Sequence[Qualifier], old: SSAValue
    ) -> tuple[list[Qualifier], Sequence[SSAValue]] | None:
        """An assignment of a whole variable; one that loops around it repeat has no meaning."""
        if any(isinstance(qualifier, Loop) for qualifier in inner):
            self.conversion.error(
                op,
                f"assigning to {variable_name(op.ref)} in every iteration of a for loop is not"
                " supported",
                "the iterations of a for loop have no order; use a while loop, or accumulate"
                " with an operation such as +=",
            )
            return None
        if not inner:
            return [], [op.value]
        conditional = Conditional(op)
        value = conditional.value(inner, op.value, old)
        return conditional.lets, [value]


def merge_element(
    op: diablo.StoreOp | diablo.AccumulateOp,
    old: SSAValue,
    scope: Sequence[Qualifier],
    own: Monoids,
) -> comprehension.MergeOp:
    """The update of elements of `old`, for every iteration of `scope`."""
    if op.leaves is not None:
        return merge_part(op, old, scope, own)
    monoid = op.monoid.data if isinstance(op, diablo.AccumulateOp) else None
    body = comprehension_body(scope, op.indices, [op.value], op)
    return comprehension.MergeOp(old, body, monoid)


def pack(values: Sequence[SSAValue], like: Operation) -> tuple[list[Operation], SSAValue]:
    """The values of a tuple's parts as one value."""
    if len(values) == 1:
        return [], values[0]
    op = located(comprehension.PackOp(values), like)
    return [op], op.result


def variable_name(ref: SSAValue) -> str:
    """The name that a variable has in the source."""
    owner = ref.owner
    return owner.sym_name.data if isinstance(owner, diablo.VarOp) else "a variable"
