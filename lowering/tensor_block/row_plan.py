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
from diablo.lowering.tensor_block.body_emitter import Driver
from diablo.lowering.tensor_block.row_generators import Stretch
from diablo.lowering.tensor_block.row_grouping import Grouping, following, scatter
from diablo.lowering.tensor_block.row_reads import Read
from diablo.lowering.tensor_block.row_results import finish
from diablo.lowering.tensor_block.row_table import RowTable
from diablo.lowering.tensor_block.row_values import (
    inner_ops,
    is_inside,
    is_whole,
    operands_of,
    path_to,
)
from diablo.lowering.tensor_block.unnesting import Unnesting
from diablo.passes.analyses.speculation import Root


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
        stretch = Stretch(self.table)
        for op in self.root.body.block.ops:
            if op in self.ignored:
                continue
            match op:
                case comprehension.EachOp() | comprehension.RangeOp():
                    stretch.generators.append(op)
                case comprehension.GuardOp():
                    stretch.guards.append(op)
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
            self.table.prune(used)
            Unnesting(whole, self.table, path, plan_nested).lower()
            stretch = Stretch(self.table)
        return stretch

    def _used_from(self, op: Operation | None) -> list[SSAValue]:
        """What `op` and what follows need; of what is evaluated inside `op` already, all."""
        if op is None:
            return self.context
        used = [value for later in (op, *following(op)) for value in operands_of(later)]
        inner = [value for value in self.table.columns if is_inside(value, op)]
        return [*self.context, *used, *inner]


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
