"""Equalities between what generators bind and what is known: the keys of joins.

Reads the `comprehension` level, writes filters for what no join has enforced.

    %ii, %c = each %C                       join or lookup on %i, which is then %ii
    %eq = arith.cmpi eq, %ii, %i       ==>
    guard %eq
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from diablo.dialects import comprehension
from diablo.lowering.tensor_block.query.query import Generator
from diablo.lowering.tensor_block.rows.row_table import RowTable
from diablo.passes.analyses.values.affine_values import underlying
from diablo.passes.analyses.values.index_equalities import equal_sides
from diablo.passes.analyses.values.speculation import can_trap


class Ties:
    """The equalities of a stretch that no join or filter has enforced yet."""

    def __init__(self, table: RowTable):
        self.table = table
        self.pending: list[tuple[SSAValue, SSAValue]] = []
        self.protected: list[tuple[comprehension.GuardOp, tuple[SSAValue, SSAValue]]] = []
        """Those that may trap, until all is done that stands before what may."""

    def read(self, guards: list[comprehension.GuardOp], variables: set[SSAValue]) -> None:
        """Take the equalities that tie one of `variables` out of `guards`.

        They may be applied before other guards, unless computing the other side could trap
        where an earlier guard protects it.
        """
        for guard in list(guards):
            pair = equal_sides(guard.condition)
            if pair is None:
                continue
            pair = self._bound(pair[0], variables), self._bound(pair[1], variables)
            if variables.isdisjoint(pair):
                continue
            if any(map(can_trap, self.table.slice(pair).ops)):
                self.protected.append((guard, pair))
            else:
                self.pending.append(pair)
                guards.remove(guard)

    def release(self, guards: list[comprehension.GuardOp], generators: Sequence[Generator]) -> None:
        """Take those equalities out of `guards` too of which nothing left protects a side.

        A side may be computed for the rows that reach the ops that may trap: `V[i % n]` fails
        where n is 0, whether or not V has elements.
        """
        for guard, pair in list(self.protected):
            traps = [op for op in self.table.slice(pair).ops if can_trap(op)]
            left = [op for op in (*generators, *guards) if op is not guard]
            if guard not in guards:
                self.protected.remove((guard, pair))
            elif not any(op.is_before_in_block(trap) for op in left for trap in traps):
                self.protected.remove((guard, pair))
                self.pending.append(pair)
                guards.remove(guard)

    def _bound(self, value: SSAValue, variables: set[SSAValue]) -> SSAValue:
        """The variable or column of which `value` is a cast; else `value`."""
        source = underlying(value)
        return source if source in variables or source in self.table.columns else value

    def known(self, variable: SSAValue) -> SSAValue | None:
        """A value that can be computed from the rows so far and that `variable` must equal."""
        if self.table.bag is None:
            return None
        for left, right in self.pending:
            for one, other in ((left, right), (right, left)):
                if one is variable and other is not variable and self.table.available(other):
                    return other
        return None

    def tie(self, variable: SSAValue) -> SSAValue | None:
        """`known`, for a join that enforces the equality."""
        known = self.known(variable)
        self.pending = [
            (left, right)
            for left, right in self.pending
            if (left, right) != (variable, known) and (left, right) != (known, variable)
        ]
        return known

    def filter(self) -> None:
        """Filter by what no join has enforced (`A[i, 0]`, `A[i, i]`), once both sides are there."""
        waiting: list[tuple[SSAValue, SSAValue]] = []
        for left, right in self.pending:
            if self.table.available(left) and self.table.available(right):
                self.table.filter_equal(left, right)
            else:
                waiting.append((left, right))
        self.pending = waiting
