"""What a loop of the driver reads of lists and arrays, as reads of single elements.

    %a, %b = comprehension.row %rows[%k]           %x = comprehension.column 0 of %rows
                                                   while …
                                             =>      %a = tensor.extract %x[%k]
    %v, %in = comprehension.probe %A[%i]           %in = arith.cmpi ult, %i, %extent
                                                   %v = scf.if %in { tensor.extract %A[%i] }
                                                        else { 0 }

Python reads a row as the tuple that it is; machine code has no tuples, but reads columns.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.dialects import scf, tensor
from xdsl.dialects.builtin import NoneAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects.comprehension import ColumnOp, ProbeOp, RowOp, is_vector_column
from diablo.dialects.defining_blocks import block_of
from diablo.dialects.locations import located, named
from diablo.lowering.kernel_types import is_tensor
from diablo.passes.read_elements import element_or_zero


def with_element_reads(loop: scf.WhileOp) -> tuple[list[Operation], scf.WhileOp] | None:
    """Return a copy of a loop that reads elements alone, and what has to stand before it.

    None if nothing can be replaced.
    """
    copy = loop.clone()
    reads = _Reads(copy)
    for op in list(copy.walk()):
        if isinstance(op, RowOp):
            reads.read_columns(op)
        elif isinstance(op, ProbeOp):
            reads.read_within(op)
    if reads.is_changed:
        return [*reads.columns.values()], copy
    Rewriter.erase_op(copy)
    return None


@dataclass
class _Reads:
    loop: scf.WhileOp
    columns: dict[tuple[SSAValue, int], ColumnOp] = field(
        default_factory=dict[tuple[SSAValue, int], ColumnOp]
    )
    is_changed: bool = False

    def read_columns(self, op: RowOp) -> None:
        """Read the columns of a list that is known before the loop, if they are vectors."""
        used = [number for number, value in enumerate(op.values) if value.first_use is not None]
        if not all(is_vector_column(op.values[number].type) for number in used):
            return
        block = block_of(op.rows)
        if block is None or self.loop.is_ancestor(block):
            return
        for number in used:
            value = op.values[number]
            column = self.columns.get((op.rows, number))
            if column is None:
                column = located(ColumnOp(op.rows, number), op)
                named(column.values, value)
                self.columns[op.rows, number] = column
            read = located(tensor.ExtractOp(column.values, [op.place], value.type), op)
            Rewriter.insert_op(read, InsertPoint.before(op))
            _replace(value, read.result)
        Rewriter.erase_op(op)
        self.is_changed = True

    def read_within(self, op: ProbeOp) -> None:
        """Read an element of a dense array behind a test whether it is there."""
        type = op.collection.type
        if not is_tensor(type) or not isinstance(type.encoding, NoneAttr) or not op.keys:
            return
        (value,) = op.values
        if not is_vector_column(value.type):
            return

        def add(new: Operation) -> SSAValue:
            Rewriter.insert_op(located(new, op), InsertPoint.before(op))
            return new.results[0]

        element, found = element_or_zero(op.collection, op.keys, add)
        _replace(value, element)
        _replace(op.found, found)
        Rewriter.erase_op(op)
        self.is_changed = True


def _replace(old: SSAValue, new: SSAValue) -> None:
    named(new, old)
    old.replace_all_uses_with(new)
