"""Any comprehension as relational algebra over column batches: what always works.

Reads the `comprehension` level, writes the row ops of the `tensor_block` level.

    collect {                                   %r0 = tensor_block.lookup %G, %C columns [0]
      %i, %j = each %G                          %r1 = tensor_block.extend %r0 { 1.0 / %c }
      %ii, %c = each %C; guard %ii == %i  ==>   %r2 = tensor_block.project %r1 [0, 1, 3]
      %v = divf %one, %c
      yield (%i, %j) %v }

Generators become joins and guards filters (row_generators.py), a group-by one pass that folds
or collects (row_grouping.py), nested comprehensions joins with what they are for each row
(unnesting.py), and lets columns that are computed when something needs them (row_table.py).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from xdsl.dialects import tensor
from xdsl.ir import Operation, SSAValue

from diablo.dialects import comprehension
from diablo.lowering.tensor_block.query.body_emitter import Driver
from diablo.lowering.tensor_block.rows.lookup_reads import Read
from diablo.lowering.tensor_block.rows.row_generators import Stretch
from diablo.lowering.tensor_block.rows.row_grouping import (
    Grouping,
    following,
    scatter,
    take_lengths,
)
from diablo.lowering.tensor_block.rows.row_results import finish
from diablo.lowering.tensor_block.rows.row_table import RowTable
from diablo.lowering.tensor_block.rows.row_values import (
    inner_ops,
    is_whole,
    path_to,
)
from diablo.lowering.tensor_block.rows.unnesting import Unnesting
from diablo.passes.analyses.values.affine_values import underlying
from diablo.passes.analyses.values.comprehension_structure import Root
from diablo.passes.analyses.values.index_equalities import equal_sides
from diablo.passes.analyses.values.speculation import can_trap, is_pure


class RowPlan:
    """Plans one comprehension over rows.

    A nested one starts from the outer rows in `table`; `context` are the columns that tell
    for which of them a row is.
    """

    def __init__(
        self,
        root: Root,
        table: RowTable,
        context: Sequence[SSAValue] = (),
        ignored: Collection[Operation] = (),
    ):
        self.root = root
        self.table = table
        self.context = list(context)
        self.ignored = ignored
        self.outer = table.fork() if table.bag is not None else None

    def run(self) -> SSAValue | None:
        """Bring the rows to the head; a value, if that takes the place of the root already."""
        stretch, fails = Stretch(self.table), False
        for op in list(self.root.body.block.ops):
            if isinstance(op, comprehension.GroupByOp):
                take_lengths(op)
        for op in self.root.body.block.ops:
            if op in self.ignored:
                continue
            match op:
                case comprehension.EachOp() if _collected(op) is not None:
                    nested = _collected(op)
                    assert nested is not None
                    stretch.plan(self._used_from(op))
                    Unnesting(nested, self.table, (), plan_nested).generate(op.elements)
                    stretch = Stretch(self.table)
                case comprehension.CollectOp() if _is_run_over(op):
                    continue
                case comprehension.EachOp() | comprehension.RangeOp():
                    stretch.generators.append(op)
                    if self._fails_for_some_rows(op):
                        stretch = self._ended(stretch, op)
                case comprehension.GuardOp():
                    stretch.guards.append(op)
                    fails = fails or self._fails_for_some_rows(op)
                    if fails and not self._ties_more(op):
                        stretch, fails = self._ended(stretch, op), False
                case comprehension.GroupByOp():
                    stretch.plan(self._used_from(op))
                    value = None if self.context else scatter(op, self.root, self.table)
                    if value is not None:
                        return value
                    Grouping(op, self.table, self.context, self.outer).lower()
                    stretch = Stretch(self.table)
                case _:
                    stretch = self._add(op, stretch)
        stretch.plan(self._used_from(self.root.body.block.last_op))
        return None

    def _fails_for_some_rows(self, op: Operation) -> bool:
        """Return whether `op` fails for rows that what stands behind it could drop."""
        needed = self.table.slice(op.operands)
        return bool(needed.missing or needed.columns) and any(map(can_trap, needed.ops))

    def _ties_more(self, guard: comprehension.GuardOp) -> bool:
        """Return whether the next guard ties another index of the array of which this one ties one.

        Both are keys of one lookup, for which both are computed: neither drops rows before the
        other.
        """
        following: Operation | None = guard.next_op
        while following is not None and (
            following in self.ignored or (is_pure(following) and not can_trap(following))
        ):
            following = following.next_op
        if not isinstance(following, comprehension.GuardOp):
            return False
        return not _tied_arrays(guard).isdisjoint(_tied_arrays(following))

    def _ended(self, stretch: Stretch, last: Operation) -> Stretch:
        """Bring the rows to the end of a stretch, `last` included; the stretch that follows."""
        stretch.plan(self._used_from(last.next_op))
        return Stretch(self.table)

    def _add(self, op: Operation, stretch: Stretch) -> Stretch:
        """Evaluate what `op` cannot compute row by row; the stretch that follows."""
        for whole in [inner for inner in inner_ops(op) if is_whole(inner, self.table.root)]:
            path = path_to(whole, op)
            if isinstance(whole, comprehension.ProbeOp | tensor.ExtractOp):
                stretch.reads.append(Read(whole, path))
                continue
            assert isinstance(whole, Root)
            used = self._used_from(op)
            stretch.plan(used)
            self.table.prune(used)  # with what the stretch has read inside of `op`
            Unnesting(whole, self.table, path, plan_nested).lower()
            stretch = Stretch(self.table)
        return stretch

    def _used_from(self, op: Operation | None) -> list[SSAValue]:
        """Return what `op` and what follows need, the ops inside of them included."""
        used = list(self.context)
        for later in () if op is None else (op, *following(op)):
            nested = _collected(later)
            for inner in (later if nested is None else nested).walk():
                used += inner.operands
        return used


def _tied_arrays(guard: comprehension.GuardOp) -> set[Operation]:
    """The generators over arrays of which a guard says what an index equals."""
    sides = equal_sides(guard.condition) or ()
    owners = {underlying(value).owner for value in sides}
    return {
        owner
        for owner in owners
        if isinstance(owner, comprehension.EachOp)
        and any(underlying(value) in owner.elements[:-1] for value in sides)
    }


def _is_run_over(nested: comprehension.CollectOp) -> bool:
    """Return whether the one use of the list is a generator of the comprehension around it."""
    uses = list(nested.result.uses)
    if len(uses) != 1 or nested.result.type.is_map:
        return False
    user = uses[0].operation
    return isinstance(user, comprehension.EachOp) and user.parent is nested.parent


def _collected(each: Operation) -> comprehension.CollectOp | None:
    """The nested comprehension that `each` alone runs over."""
    if not isinstance(each, comprehension.EachOp):
        return None
    owner = each.collection.owner
    if isinstance(owner, comprehension.CollectOp) and owner.parent is each.parent:
        return owner if _is_run_over(owner) else None
    return None


def plan_nested(
    root: Root, table: RowTable, context: Sequence[SSAValue], ignored: Collection[Operation]
) -> None:
    """Bring `table`, which starts with the outer rows or with none, to the head of `root`."""
    RowPlan(root, table, context, ignored).run()


def lower_to_rows(root: Root, driver: Driver) -> SSAValue:
    """Emit the row ops that compute `root`; return its value."""
    table = RowTable(root, driver)
    value = RowPlan(root, table).run()
    return finish(root, table) if value is None else value
