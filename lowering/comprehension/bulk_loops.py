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

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from diablo.dialects import comprehension, diablo
from diablo.dialects.locations import located
from diablo.dialects.range_steps import step_of
from diablo.lowering.comprehension.bulk_statements import (
    Guard,
    Loop,
    Qualifier,
    Row,
    comprehension_body,
    needed,
    reads,
)
from diablo.lowering.comprehension.element_parts import merge_part
from diablo.lowering.comprehension.element_tuples import merge_tuples
from diablo.lowering.comprehension.monoid_values import Monoids, join, positions_before
from diablo.lowering.comprehension.private_values import Conditional
from diablo.monoid_table import extremum_monoid
from diablo.passes.analyses.values.speculation import can_trap

if TYPE_CHECKING:
    from diablo.lowering.comprehension.convert_diablo_to_comprehension import Conversion, State

_A_LOOP_EACH = (
    "a loop that runs in order, inside a `for` that does not, is not supported here",
    "the iterations of the outer loop run at the same time, and each would need an inner loop of"
    " its own; exchange the loops, or use `while` for both",
)

Write = diablo.StoreOp | diablo.AccumulateOp | diablo.AccumulatePartsOp


def written_variables(op: Write) -> list[SSAValue]:
    """The variables that `op` writes."""
    return op.variables if isinstance(op, diablo.AccumulatePartsOp) else [op.ref]


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

    before: Operation | None = None
    """The end of the root's block, if the statements stand in another one."""

    def loop(self, op: Loop, scope: Scope) -> None:
        """Translate a loop in `scope`."""
        if isinstance(op, diablo.ForOp) and op.ordered is not None:
            OrderedSteps(self, op, scope).translate()
        else:
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
                case diablo.RequireOp():
                    scope.qualifiers += self.conversion.require(op)
                case diablo.StoreOp() | diablo.AccumulateOp() | diablo.AccumulatePartsOp():
                    self.write(op, scope)
                case diablo.ForOp() | diablo.ForeachOp():
                    self.loop(op, scope)
                case scf.IfOp() if any(isinstance(inner, Write) for inner in op.walk()):
                    for region, negated in ((op.true_region, False), (op.false_region, True)):
                        if region.blocks:
                            self.body(scope.within(region.block, Guard(op.cond, negated, op)))
                case scf.WhileOp():
                    self.conversion.error(op, *_A_LOOP_EACH)
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
        lets = self._update(op, inner, old, declaring)
        if lets is None:
            return
        anchor = self.anchor(op, declaring)
        for let in lets[0]:
            if isinstance(let, Operation):
                declaring.block.insert_op_before(let, anchor)
        if declaring is not self.root:
            declaring.qualifiers += lets[0]
        for ref, value in zip(refs, lets[1], strict=True):
            self.conversion.assign(ref, value, self.state)

    def anchor(self, op: Operation, declaring: Scope) -> Operation:
        """The op before which what `op` does to variables of `declaring` is computed."""
        if declaring is self.root and self.before is not None:
            return self.before
        anchor = op
        while anchor.parent is not declaring.block:
            parent = anchor.parent_op()
            assert parent is not None
            anchor = parent
        return anchor

    def _update(
        self, op: Write, inner: Sequence[Qualifier], old: Sequence[SSAValue], declaring: Scope
    ) -> tuple[list[Qualifier], Sequence[SSAValue]] | None:
        """The ops that update variables, and their new values."""
        if not isinstance(op, diablo.AccumulatePartsOp) and op.indices:
            merge = located(merge_element(op, old[0], inner, self.conversion.monoids), op)
            return [merge], merge.results
        if isinstance(op, diablo.AccumulatePartsOp) and op.indices:
            merges = merge_tuples(op, old, inner, self.conversion.monoids)
            return [*merges], [merge.result for merge in merges]
        if isinstance(op, diablo.StoreOp):
            return self._assign(op, inner, old[0], declaring)
        monoid = op.monoid.data
        lets: list[Qualifier] = []
        value = op.value
        if inner:
            decide = [value, *(v for qualifier in inner for v in _decides(qualifier))]
            around = [*_missing_reads(declaring.since(self.root), decide), *inner]
            body = comprehension_body(around, (), [value], op)
            fold = located(comprehension.AggregateOp(monoid, body, value.type), op)
            lets.append(fold)
            value = fold.result
        elif isinstance(op, diablo.AccumulateOp) and (
            reads := _missing_reads(declaring.since(self.root), [value])
        ):

            def combine(found: SSAValue) -> tuple[list[Operation], SSAValue]:
                return join(monoid, old[0], found, self.conversion.monoids, op)

            conditional = Conditional(op)
            result = conditional.update(reads, value, old[0], combine)
            return conditional.lets, [result]
        starts = positions_before(op)
        before, whole = pack([*old, *(start.result for start in starts)], op)
        combined, result = join(monoid, whole, value, self.conversion.monoids, op)
        lets += [*starts, *before, *combined]
        if not isinstance(op, diablo.AccumulatePartsOp):
            return lets, [result]
        unpack = located(comprehension.UnpackOp(result), op)
        return [*lets, unpack], unpack.parts[: len(old)]

    def _assign(
        self, op: diablo.StoreOp, inner: Sequence[Qualifier], old: SSAValue, declaring: Scope
    ) -> tuple[list[Qualifier], Sequence[SSAValue]] | None:
        """An assignment of a whole variable; one that loops around it repeat has no meaning.

        What is read for its value alone, and may not be there, is read behind all tests.
        """
        if any(isinstance(qualifier, Loop) for qualifier in inner):
            self.conversion.error(
                op,
                f"assigning to {variable_name(op.ref)} in every iteration of a for loop is not"
                " supported here",
                "the iterations of this loop have no order; use a while loop, or accumulate"
                " with an operation such as +=",
            )
            return None
        if not inner:
            return [], [op.value]
        whole = [*declaring.since(self.root), *inner]
        tests = needed(whole, [])
        late = [read for read in _missing_reads(whole, [op.value]) if read not in tests]
        early = [qualifier for qualifier in inner if qualifier not in late]
        conditional = Conditional(op)
        value = conditional.value([*early, *late], op.value, old)
        return conditional.lets, [value]


def _decides(qualifier: Qualifier) -> Sequence[SSAValue]:
    """Return what a loop or a test is decided by."""
    if isinstance(qualifier, Guard):
        return [qualifier.condition]
    return qualifier.operands if isinstance(qualifier, Loop) else []


def _missing_reads(scope: Sequence[Qualifier], values: Sequence[SSAValue]) -> list[Qualifier]:
    """Return the reads that values need, which may find nothing, and what is computed of them."""
    found: list[Qualifier] = []
    results: set[SSAValue] = set()
    qualifiers = needed(scope, values)
    protected = {qualifier.protects for qualifier in qualifiers if isinstance(qualifier, Guard)}
    for qualifier in qualifiers:
        match qualifier:
            case Guard() if qualifier.protects is not None:
                # What uses the value comes behind the test that it is there.
                results |= {qualifier.condition, qualifier.protects}
            case tensor.ExtractOp():
                pass
            case Operation() if not protected.isdisjoint(qualifier.results):
                # A value of its own, which drops nothing by itself.
                pass
            case Operation() if not isinstance(qualifier, Loop) and reads(qualifier) & results:
                pass
            case _:
                continue
        if isinstance(qualifier, Operation):
            results.update(qualifier.results)
        found.append(qualifier)
    return found


@dataclass
class OrderedSteps:
    """An ordered loop inside bulk ones: each of its steps is done for all their iterations.

    for i … for k = 0, i do V[i] = f(V[i])
    ->
    scf.while (%k from the least to the greatest) { merge %V { for i …; guard k <= i; … } }
    """

    loops: BulkLoops
    op: diablo.ForOp
    scope: Scope

    def translate(self) -> None:
        """Write the loop, and what it does in a step."""
        op, state = self.op, self.loops.state
        writes = [inner for inner in op.walk() if isinstance(inner, Write)]
        refs = list(dict.fromkeys(ref for inner in writes for ref in written_variables(inner)))
        inside = {inner.ref for inner in op.walk() if isinstance(inner, diablo.VarOp)}
        refs = [ref for ref in refs if ref not in inside]
        is_private = any(ref in self.loops.declared for ref in refs)
        if is_private or op.by is not None:
            self.loops.conversion.error(op, *_A_LOOP_EACH)
            return
        around = self.scope.since(self.loops.root)
        types = [state[ref].type for ref in refs]
        before, after = (Block(arg_types=[IndexType(), *types]) for _ in range(2))
        for block in (before, after):
            for arg, hint in zip(block.args, [op.body.block.args[0], *refs], strict=True):
                arg.name_hint = hint.name_hint
        step = step_of(op)
        (first, early), (last, late) = (self._extreme(v, around) for v in (op.lower, op.upper))
        rises = step > 0
        tests: list[Operation] = []
        if early:
            tests += self._tests(after.args[0], step)
            step = 1 if rises else -1
        if late:
            tests.append(arith.CmpiOp(after.args[0], op.upper, "sle" if rises else "sge"))
        more = located(arith.CmpiOp(before.args[0], last, "sle" if rises else "sge"), op)
        before.add_ops([more, located(scf.ConditionOp(more.result, *before.args), op)])
        number = located(arith.ConstantOp(IntegerAttr(step, IndexType())), op)
        following = located(arith.AddiOp(after.args[0], number.result), op)
        after.add_ops([number, following])
        inner_state = {**state, **dict(zip(refs, after.args[1:], strict=True))}
        root = Scope(after)
        inner = BulkLoops(self.loops.conversion, inner_state, root, before=number)
        index = op.body.block.args[0]
        index.replace_all_uses_with(after.args[0])
        scope = Scope(self.scope.block, root, list(around))
        for test in tests:
            self.scope.block.insert_op_before(located(test, op), op)
            scope.qualifiers.append(test)
            if isinstance(test, arith.CmpiOp):
                scope.qualifiers.append(Guard(test.result, negated=False, op=op))
        inner.body(Scope(op.body.block, scope))
        after.add_op(
            located(scf.YieldOp(following.result, *(inner_state[ref] for ref in refs)), op)
        )
        loop = located(
            scf.WhileOp(
                [first, *(state[ref] for ref in refs)],
                [IndexType(), *types],
                Region(before),
                Region(after),
            ),
            op,
        )
        self._insert(loop)
        for ref, result in zip(refs, loop.results[1:], strict=True):
            self.loops.conversion.assign(ref, result, state)

    def _insert(self, op: Operation) -> SSAValue:
        """Put an op before the loop, outside of those around it."""
        anchor = self.loops.anchor(self.op, self.loops.root)
        block = anchor.parent
        assert block is not None
        block.insert_op_before(located(op, self.op), anchor)
        return op.results[0]

    def _extreme(self, value: SSAValue, around: Sequence[Qualifier]) -> tuple[SSAValue, bool]:
        """A bound of the loop; if it varies, the outermost one of all, and true."""
        chain: list[Operation] = []
        live = {value}
        for qualifier in reversed(around):
            if isinstance(qualifier, Guard | Loop) or live.isdisjoint(qualifier.results):
                continue
            chain.insert(0, qualifier)
            live |= reads(qualifier)
        loops = [q for q in around if isinstance(q, Loop)]
        varies = any(not live.isdisjoint(loop.body.block.args) for loop in loops)
        if not varies and not any(can_trap(let) for let in chain):
            mapped: dict[SSAValue, SSAValue] = {}
            for let in chain:
                self._insert(let.clone(mapped))
            return mapped.get(value, value), False
        rises = self.op.step is None or self.op.step.value.data > 0
        monoid = extremum_monoid("<" if rises == (value is self.op.lower) else ">").name

        def as_number(block: Block, _: Sequence[SSAValue], values: Sequence[SSAValue]) -> Row:
            cast = located(arith.IndexCastOp(values[0], i64), self.op)
            block.add_op(cast)
            return (), [cast.result]

        body = comprehension_body(around, (), [value], self.op, as_number)
        extreme = self._insert(comprehension.AggregateOp(monoid, body, i64))
        return self._insert(arith.IndexCastOp(extreme, IndexType())), True

    def _tests(self, index: SSAValue, step: int) -> list[Operation]:
        """Whether an index is one that the loop of an iteration reaches from its first one."""
        op = self.op
        result: list[Operation] = [arith.CmpiOp(index, op.lower, "sge" if step > 0 else "sle")]
        if abs(step) > 1:
            distance = arith.SubiOp(index, op.lower)
            number = arith.ConstantOp(IntegerAttr(step, IndexType()))
            rest = arith.RemSIOp(distance.result, number.result)
            zero = arith.ConstantOp(IntegerAttr(0, IndexType()))
            result += [distance, number, rest, zero]
            result.append(arith.CmpiOp(rest.result, zero.result, "eq"))
        return result


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
