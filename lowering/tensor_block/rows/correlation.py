"""How a nested comprehension depends on the outer rows: not at all but for equalities, or more.

Reads the `comprehension` level; writes nothing. In

    %s = comprehension.aggregate add : f64 {
      %j, %b = comprehension.each %B
      %eq = arith.cmpi eq, %j, %k : i64        // %k is the outer row's
      comprehension.guard %eq
      comprehension.yield %b
    }

the inner side of the correlation is `%j` and the outer side is `%k`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue

from diablo.dialects import comprehension
from diablo.dialects.defining_blocks import is_made_inside
from diablo.lowering.tensor_block.query.query import index_variables
from diablo.lowering.tensor_block.rows.row_table import RowTable
from diablo.lowering.tensor_block.rows.row_values import (
    inner_ops,
    is_whole,
    operands_of,
    slice_of,
)
from diablo.passes.analyses.values.affine_values import underlying
from diablo.passes.analyses.values.comprehension_structure import Qualifier, Root
from diablo.passes.analyses.values.index_equalities import equal_sides
from diablo.passes.analyses.values.speculation import can_trap


@dataclass(frozen=True)
class Correlation:
    """The equalities between inner and outer values, and the guards that demand them."""

    inner: Sequence[SSAValue]
    outer: Sequence[SSAValue]
    guards: Sequence[comprehension.GuardOp]

    def tells_rows_apart(self, root: Operation) -> bool:
        """Whether no two rows of `root` have equal outer values, all of them indices of arrays.

        What is evaluated for all keys is evaluated for no fewer than there are rows, then.
        """
        if not isinstance(root, Root):
            return False
        known = set(map(underlying, self.outer))
        ops = root.body.block.ops
        for guard in [op for op in ops if isinstance(op, comprehension.GuardOp)]:
            pair = set(map(underlying, equal_sides(guard.condition) or ()))
            known |= pair if known & pair else set()
        return not any(isinstance(op, comprehension.GroupByOp) for op in ops) and all(
            index in known
            for op in ops
            if isinstance(op, comprehension.EachOp | comprehension.RangeOp)
            for index in (index_variables(op) or op.results)
        )


def correlation_of(root: Root, table: RowTable) -> Correlation | None:
    """Return how `root` depends on the rows of `table`, if that is by equalities alone.

    `None` as well where starting from the outer rows is better or the only way: the inner
    rows are found by looking up their index, or computing them could trap where there is no
    outer row.
    """
    if isinstance(root, comprehension.MergeOp) or can_trap(root):
        return None
    inner: list[SSAValue] = []
    outer: list[SSAValue] = []
    guards: list[comprehension.GuardOp] = []
    grouped = False
    for op in root.body.block.ops:
        grouped |= isinstance(op, comprehension.GroupByOp)
        if isinstance(op, comprehension.GuardOp) and not grouped:
            tie = _tie(op, root, table)
            if tie is not None:
                inner.append(tie[0])
                outer.append(tie[1])
                guards.append(op)
                continue
        if _matters(op, root) and _outer_values(operands_of(op), root, table):
            return None
    if not guards or _is_lookup(root, inner):
        return None
    return Correlation(inner, outer, guards)


def _tie(
    guard: comprehension.GuardOp, root: Root, table: RowTable
) -> tuple[SSAValue, SSAValue] | None:
    """The inner and the outer side of an equality between the two."""
    pair = equal_sides(guard.condition)
    if pair is None:
        return None
    for one, other in (pair, pair[::-1]):
        if is_made_inside(underlying(one), root):
            one = underlying(one)
        if underlying(other) in table.columns:
            other = underlying(other)
        if _is_of_inner_rows(one, root, table) and _is_of_outer_row(other, root, table):
            return one, other
    return None


def _matters(op: Operation, root: Root) -> bool:
    """Return whether a slice does not look behind `op`."""
    return isinstance(op, Qualifier | comprehension.YieldOp) or any(
        is_whole(inner, root) for inner in inner_ops(op)
    )


def _outer_values(values: Sequence[SSAValue], root: Root, table: RowTable) -> bool:
    """Return whether `values` are computed from what differs between outer rows."""
    return any(map(table.varies, slice_of(values, (), root).outside))


def _is_of_inner_rows(value: SSAValue, root: Root, table: RowTable) -> bool:
    found = slice_of([value], (), root)
    return bool(found.missing) and not any(map(table.varies, found.outside))


def _is_of_outer_row(value: SSAValue, root: Root, table: RowTable) -> bool:
    found = slice_of([value], (), root)
    return not found.missing and any(map(table.varies, found.outside))


def _is_lookup(root: Root, inner: Sequence[SSAValue]) -> bool:
    """Return whether a generator has nothing left to run over once the equalities hold."""
    for op in root.body.block.ops:
        if isinstance(op, comprehension.RangeOp) and op.index in inner:
            return True
        if not isinstance(op, comprehension.EachOp):
            continue
        over_array = isinstance(op.collection.type, TensorType)
        if over_array and all(index in inner for index in op.elements[:-1]):
            return True
    return False
