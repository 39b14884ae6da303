"""Let a loop that reads what it has added up so far add that up anew.

Works at the diablo level.

```mlir
diablo.for ordered %i = %lo to %hi {           %before = diablo.load %s
  %v = tensor.extract %x[%i]                   diablo.for ordered %i = %lo to %hi {
  diablo.accumulate add %v, %s                   %v = tensor.extract %x[%i]
  %t = diablo.load %s                            diablo.accumulate add %v, %s
  diablo.store %t, %P[%i]               ==>      %sum = comprehension.aggregate add {
}                                                  %k = comprehension.range %lo to %i
                                                   %w = tensor.extract %x[%k]
                                                   comprehension.yield %w }
                                                 %t = arith.addf %before, %sum
                                                 diablo.store %t, %P[%i]
                                               }
```

The loop becomes a bulk one by that (`order-loops`), and the sums one scan (`scan-prefixes`): what
is added up must be numbers that depend on the iteration alone, and cannot fail. A loop that has to
run in order for another reason stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator

from diablo.dialects import comprehension, diablo, monoids
from diablo.dialects.encodings import as_array
from diablo.dialects.locations import located, remark
from diablo.passes.analyses.loops.loop_accesses import Write, written_refs
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.free_values import used_values
from diablo.passes.analyses.values.speculation import can_trap, is_pure
from diablo.passes.order_loops import becomes_bulk, outermost_loops

_INDEX = IndexType()


class _Running:
    """A variable that a loop adds to in one place, and reads."""

    def __init__(self, loop: diablo.ForOp, update: diablo.AccumulateOp):
        self.loop = loop
        self.update = update
        self.ref = update.ref
        uses = [use.operation for use in self.ref.uses if loop.is_ancestor(use.operation)]
        self.reads = [op for op in uses if isinstance(op, diablo.LoadOp)]
        self.is_alone = len(uses) == len(self.reads) + 1

    def check(self) -> None:
        """Raise `Refused` if what is added up cannot be a scan."""
        update, loop = self.update, self.loop
        if update.indices or update.part is not None or not self.reads or not self.is_alone:
            raise Refused("a variable is written in another way")
        if update.parent is not loop.body.block:
            raise Refused("it is added to in a branch")
        if isinstance(self.ref.owner, Operation) and loop.is_ancestor(self.ref.owner):
            raise Refused("it is another variable in each iteration")
        type = update.value.type
        if monoids.is_user_defined(update.monoid.data) or monoids.domain_of(type) is None:
            raise Refused("it is no number")

    def term(self) -> list[Operation]:
        """The ops in the loop that compute what is added, in their order.

        Raises
        ------
        Refused
            If they may fail, or depend on what the loop writes.
        """
        written = {
            ref for op in self.loop.walk() if isinstance(op, Write) for ref in written_refs(op)
        }
        found: set[Operation] = set()
        waiting: list[SSAValue] = [self.update.value]
        while waiting:
            op = waiting.pop().owner
            if not isinstance(op, Operation) or not self.loop.is_ancestor(op) or op in found:
                continue
            if op.parent is not self.loop.body.block:
                raise Refused("what is added is computed in a branch")
            if isinstance(op, diablo.LoadOp):
                if op.ref in written:
                    raise Refused("what is added depends on what the loop writes")
                type = op.ref.type
                assert isinstance(type, diablo.RefType)
                if op.indices and as_array(type.value) is None:
                    raise Refused("what is added is the value of a key")
            elif not isinstance(op, tensor.ExtractOp) and (not is_pure(op) or can_trap(op)):
                raise Refused("what is added may fail")
            found.add(op)
            waiting += used_values(op)
        return [op for op in self.loop.body.block.ops if op in found]

    def replace(self) -> Operation:
        """Read the sums of the terms up to here in place of the variable.

        Returns the op in front of the loop that reads what these are added to.
        """
        terms = self.term()
        before = located(diablo.LoadOp(self.ref), self.update)
        Rewriter.insert_op(before, InsertPoint.before(self.loop))
        for read in self.reads:
            place = self._statement(read)
            behind = self.update.is_before_in_block(place)
            total = self._total(place, terms, included=behind)
            joined = located(monoids.combine(self.update.monoid.data, before.result, total), read)
            Rewriter.insert_op(joined, InsertPoint.before(place))
            joined.results[0].name_hint = read.result.name_hint
            read.result.replace_all_uses_with(joined.results[0])
            Rewriter.erase_op(read)
        return before

    def _statement(self, read: Operation) -> Operation:
        """The op of the loop's body that a read is, or stands in."""
        while read.parent is not self.loop.body.block:
            parent = read.parent_op()
            assert parent is not None
            read = parent
        return read

    def _total(self, place: Operation, terms: list[Operation], *, included: bool) -> SSAValue:
        """Return what the iterations up to this one have added, itself `included` or not."""
        index = self.loop.body.block.args[0]
        ops: list[Operation] = []
        last: SSAValue = index
        if not included:
            one = arith.ConstantOp(IntegerAttr(1, _INDEX))
            ops += [one, arith.SubiOp(index, one.result)]
            last = ops[-1].results[0]
        body = Block()
        range = comprehension.RangeOp(self.loop.lower, last)
        body.add_op(located(range, self.update))
        copies: dict[SSAValue, SSAValue] = {index: range.index}
        for op in terms:
            if isinstance(op, diablo.LoadOp) and op.indices:
                whole = diablo.LoadOp(op.ref)
                ops.append(whole)
                at = [copies.get(i, i) for i in op.indices]
                extract = located(tensor.ExtractOp(whole.result, at, op.result.type), op)
                body.add_op(extract)
                copies[op.result] = extract.result
            elif isinstance(op, diablo.LoadOp):
                whole = op.clone()
                ops.append(whole)
                copies[op.result] = whole.result
            else:
                body.add_op(op.clone(copies))
        value = copies.get(self.update.value, self.update.value)
        body.add_op(located(comprehension.YieldOp([], [value]), self.update))
        monoid = self.update.monoid.data
        total = comprehension.AggregateOp(monoid, Region(body), value.type)
        for op in (*ops, total):
            Rewriter.insert_op(located(op, self.update), InsertPoint.before(place))
        return total.result


def _updates(loop: diablo.ForOp) -> list[diablo.AccumulateOp]:
    """The updates of variables that the loop reads as well."""
    read = {op.ref for op in loop.walk() if isinstance(op, diablo.LoadOp)}
    return [
        op
        for op in loop.body.block.ops
        if isinstance(op, diablo.AccumulateOp) and not op.indices and op.ref in read
    ]


def _scan(loop: diablo.ForOp) -> None:
    """Replace an ordered loop by one that need not be, if that is possible."""
    if loop.by is not None or loop.step is not None or not _updates(loop):
        return
    if any(isinstance(op, scf.WhileOp | diablo.ForOp | diablo.ForeachOp) for op in _inside(loop)):
        return
    copy = loop.clone()
    Rewriter.insert_op(copy, InsertPoint.before(loop))
    before: list[Operation] = []
    try:
        for update in _updates(copy):
            running = _Running(copy, update)
            running.check()
            before.append(running.replace())
        if not becomes_bulk(copy):
            raise Refused("the loop runs in order for another reason")
    except Refused as why:
        for op in (copy, *before):
            Rewriter.erase_op(op)
        remark(loop, f"what this loop adds up is no scan: {why}")
        return
    remark(loop, "what this loop adds up and reads is a scan")
    Rewriter.erase_op(loop)


def _inside(loop: diablo.ForOp) -> list[Operation]:
    return [op for op in loop.walk() if op is not loop and not op.has_trait(IsTerminator)]


@dataclass(frozen=True)
class ScanLoopsPass(ModulePass):
    """Let a loop that reads what it has added up so far add that up anew."""

    name = "scan-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Replace the ordered loops that stand in no other one."""
        for loop in outermost_loops(op):
            if isinstance(loop, diablo.ForOp) and loop.ordered is not None:
                _scan(loop)
