"""Rule of `comprehension-normalize` about element reads: `A[i]` is a generator and guards.

A read outside the array's dimensions then drops the iteration, as the language defines. An
array that a row holds (an array of arrays, a nested `build`) is looked into by a `probe`, for
a generator would run over one array per row. Whether a probe finds an element of any other array
is a test of its index.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, TensorType, i1
from xdsl.ir import Block, Operation, SSAValue

from diablo.diagnostics import CompileError, Diagnostic
from diablo.dialects import comprehension
from diablo.dialects.locations import located, span_of
from diablo.passes.analyses.values.affine_values import same_value
from diablo.passes.analyses.values.comprehension_structure import Root, is_of_a_row


@dataclass(frozen=True)
class Read:
    """An element that is bound already: `array[indices]` is `value`."""

    array: SSAValue
    indices: Sequence[SSAValue]
    value: SSAValue

    def binds(self, array: SSAValue, indices: Sequence[SSAValue]) -> bool:
        """Return whether it is the element of an array at some indices."""
        return (
            self.array is array
            and len(self.indices) == len(indices)
            and all(same_value(a, b) for a, b in zip(self.indices, indices, strict=True))
        )


def _refuse_nested_reads(block: Block) -> None:
    """Raise if an element is read in a branch: a generator cannot stand there."""
    refused: list[Diagnostic] = []
    for op in block.walk():
        if not isinstance(op, tensor.ExtractOp) or op.parent is block:
            continue
        parent = op.parent_op()
        while parent is not None and not isinstance(parent, Root):
            parent = parent.parent_op()
        if parent is not None and parent.body.block is block:
            refused.append(
                Diagnostic(
                    "error",
                    "reading an array element in one branch of a conditional expression inside"
                    " a loop or comprehension is not supported yet",
                    span_of(op),
                    "bind the element by a generator, or test in an if statement or a guard",
                )
            )
    if refused:
        raise CompileError(refused)


def _expand(op: tensor.ExtractOp, block: Block) -> Read:
    """Replace one read by a generator over the whole array and an equality per index."""
    each = located(comprehension.EachOp(op.tensor, full=True), op)
    block.insert_op_before(each, op)
    *indices, value = each.elements
    for index, subscript in zip(indices, op.indices, strict=True):
        index.name_hint = subscript.name_hint
        equal = arith.CmpiOp(index, subscript, "eq")
        for new_op in (equal, comprehension.GuardOp(equal.result)):
            block.insert_op_before(located(new_op, op), op)
    return Read(op.tensor, tuple(op.indices), value)


def _probe(op: tensor.ExtractOp, block: Block) -> Read:
    """Replace one read of a row's array by a probe and a guard that it has the element."""
    probe = located(comprehension.ProbeOp(op.tensor, list(op.indices)), op)
    guard = located(comprehension.GuardOp(probe.found), op)
    block.insert_ops_before([probe, guard], op)
    return Read(op.tensor, tuple(op.indices), probe.values[0])


def _take(read: Read, op: comprehension.ProbeOp, block: Block) -> None:
    """Replace a probe for an element that is there, and bound already."""
    there = located(arith.ConstantOp(IntegerAttr(1, i1)), op)
    block.insert_op_before(there, op)
    op.values[0].replace_all_uses_with(read.value)
    op.found.replace_all_uses_with(there.result)
    block.erase_op(op)


def _is_tested(op: comprehension.ProbeOp) -> bool:
    """Return whether it is asked if a probe finds an element, and an index tells."""
    if op.found.first_use is None or not op.keys or is_of_a_row(op.collection):
        return False
    return isinstance(op.collection.type, TensorType)


def _test(op: comprehension.ProbeOp, block: Block) -> None:
    """Let comparisons of its index say whether a probe finds an element of an array."""

    def add(new: Operation) -> SSAValue:
        block.insert_op_before(located(new, op), op)
        return new.results[0]

    zero = add(arith.ConstantOp(IntegerAttr(0, IndexType())))
    tests: list[SSAValue] = []
    for axis, key in enumerate(op.keys):
        size = add(
            tensor.DimOp(op.collection, add(arith.ConstantOp.from_int_and_width(axis, IndexType())))
        )
        tests.append(add(arith.CmpiOp(key, zero, "sge")))
        tests.append(add(arith.CmpiOp(key, size, "slt")))
    inside = tests[0]
    for test in tests[1:]:
        inside = add(arith.AndIOp(inside, test))
    op.found.replace_all_uses_with(inside)


def expand_reads(block: Block) -> bool:
    """`%v = tensor.extract %A[%i]` → `%i2, %v = each %A full; guard %i2 == %i`.

    An element that a generator or an earlier read binds is not read again, nor looked for where a
    condition holds.
    """
    _refuse_nested_reads(block)
    changed = False
    reads: list[Read] = []
    for op in list(block.ops):
        match op:
            case comprehension.GroupByOp():
                reads = []
            case comprehension.EachOp() if not isinstance(
                op.collection.type, comprehension.BagType
            ):
                reads.append(Read(op.collection, tuple(op.elements[:-1]), op.elements[-1]))
            case tensor.ExtractOp():
                read = next((read for read in reads if read.binds(op.tensor, op.indices)), None)
                if read is None:
                    expand = _probe if is_of_a_row(op.tensor) else _expand
                    read = expand(op, block)
                    reads.append(read)
                hint = read.value.name_hint or op.result.name_hint
                op.result.replace_all_uses_with(read.value)
                read.value.name_hint = hint
                block.erase_op(op)
                changed = True
            case comprehension.ProbeOp():
                read = next((r for r in reads if r.binds(op.collection, op.keys)), None)
                if read is not None:
                    _take(read, op, block)
                    changed = True
                elif _is_tested(op):
                    _test(op, block)
                    changed = True
            case _:
                pass
    return changed
