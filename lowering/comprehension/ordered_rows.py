"""Write ordered loops over rows as ordered loops over numbers, on the diablo level.

```mlir
%L0 = diablo.load %L : !diablo.ref<!comprehension.bag<i64, f64>>
diablo.foreach ordered %k, %v in %L0 : !comprehension.bag<i64, f64> {
  diablo.store %v, %x : !diablo.ref<f64>
}
```

becomes

```mlir
%L0 = diablo.load %L : !diablo.ref<!comprehension.bag<i64, f64>>
%rows, %n = comprehension.sequence %L0 : !comprehension.bag<i64, f64>
%last = arith.subi %n, %one : index
diablo.for ordered %place = %zero to %last {
  %k, %v = comprehension.row %rows[%place] : !comprehension.sequence<i64, f64>
  diablo.store %v, %x : !diablo.ref<f64>
}
```

A dense array is gone through by its indices, in a loop for each dimension. What a sparse one
stores becomes a list of rows, which ascend by their indices. The rows are put in order before
the loops around that do not change them.
"""

from __future__ import annotations

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, TensorType
from xdsl.ir import Block, Operation, Region, SSAValue

from diablo.dialects import comprehension, diablo
from diablo.dialects.bags import sorted_columns
from diablo.dialects.comprehension import BagType
from diablo.dialects.defining_blocks import is_made_inside
from diablo.dialects.encodings import array_type, dense_rank
from diablo.dialects.locations import located
from diablo.lowering.comprehension.bulk_loops import Loop, Write, written_variables


def number_rows(function: Operation) -> None:
    """Write all ordered loops over rows in a function as loops over numbers."""
    for op in list(function.walk()):
        if isinstance(op, diablo.ForeachOp) and op.ordered is not None:
            collection = op.collection.type
            if isinstance(collection, TensorType) and _is_dense(op.collection):
                _over_indices(op)
            else:
                _over_places(op)


def _is_dense(array: SSAValue) -> bool:
    type = array_type(array)
    return dense_rank(type) == type.get_num_dims()


def _over_indices(op: diablo.ForeachOp) -> None:
    """`for ((i,j),a) in A` of a dense array: loops over i and j, in which a is read."""
    type = array_type(op.collection)
    body = op.detach_region(op.body)
    block = body.block
    indices: list[SSAValue] = []
    outermost: Operation | None = None
    around: Block | None = None
    for axis in range(type.get_num_dims()):
        inner = Block(arg_types=[IndexType()])
        inner.args[0].name_hint = block.args[axis].name_hint
        before: list[Operation] = []
        lower = _constant(0, op, before)
        extent = _added(tensor.DimOp(op.collection, _constant(axis, op, before)), op, before)
        upper = _added(arith.SubiOp(extent, _constant(1, op, before)), op, before)
        loop = located(diablo.ForOp(lower, upper, Region(inner), ordered=True), op)
        if around is None:
            outermost = loop
            assert op.parent is not None
            op.parent.insert_ops_before([*before, loop], op)
        else:
            around.add_ops([*before, loop])
        indices.append(inner.args[0])
        around = inner
    assert around is not None
    assert outermost is not None
    read = located(tensor.ExtractOp(op.collection, indices, type.get_element_type()), op)
    _take_body(op, block, around, [read], [*indices, read.result])


def _over_places(op: diablo.ForeachOp) -> None:
    """A loop over the places of rows, each of which is read in its iteration."""
    block = op.body.block
    before: list[Operation] = []
    anchor, collection = _known_before(op, before)
    columns = list(range(len(block.args)))
    count = 0
    if isinstance(collection.type, BagType):
        count = sorted_columns(collection.type, op.sorted)
    else:
        # Only what the body uses is brought to the driver.
        count = len(columns) - 1
        columns = columns[:count] + [count] * (block.args[count].first_use is not None)
        collection = _added(_stored(op, collection, columns), op, before)
    sequence = located(comprehension.SequenceOp(collection, count), op)
    sequence.rows.name_hint = "in_order"
    before.append(sequence)
    one = _constant(1, op, before)
    last = _added(arith.SubiOp(sequence.count, one), op, before)
    lower = _constant(0, op, before)
    assert anchor.parent is not None
    anchor.parent.insert_ops_before(before, anchor)
    inner = Block(arg_types=[IndexType()])
    inner.args[0].name_hint = "place"
    loop = located(diablo.ForOp(lower, last, Region(inner), ordered=True), op)
    row = located(comprehension.RowOp(sequence.rows, inner.args[0]), op)
    assert op.parent is not None
    op.parent.insert_op_before(loop, op)
    body = op.detach_region(op.body)
    _take_body(op, body.block, inner, [row], row.values)


def _stored(op: diablo.ForeachOp, array: SSAValue, columns: list[int]) -> comprehension.CollectOp:
    """The indices and elements that an array stores, as a list of rows."""
    block = Block()
    each = located(comprehension.EachOp(array), op)
    values = [each.elements[column] for column in columns]
    block.add_ops([each, located(comprehension.YieldOp((), values), op)])
    return comprehension.CollectOp(Region(block), BagType([value.type for value in values]))


def _take_body(
    op: diablo.ForeachOp,
    body: Block,
    target: Block,
    reads: list[Operation],
    values: list[SSAValue] | tuple[SSAValue, ...],
) -> None:
    """Let `target` have the statements of a loop's body, whose variables are `values`."""
    for arg, value in zip(body.args, values, strict=False):
        if value.name_hint is None:
            value.name_hint = arg.name_hint
        arg.replace_all_uses_with(value)
    target.add_ops(reads)
    for inner in list(body.ops):
        inner.detach()
        target.add_op(inner)
    assert op.parent is not None
    op.parent.erase_op(op)


def _known_before(op: diablo.ForeachOp, before: list[Operation]) -> tuple[Operation, SSAValue]:
    """The outermost loop around that does not change what is gone through, and the rows there."""
    read = op.collection.owner
    ref = read.ref if isinstance(read, diablo.LoadOp) and not read.indices else None
    anchor: Operation = op
    while isinstance(parent := anchor.parent_op(), Loop | scf.WhileOp):
        is_known = _stands_before(op.collection, parent)
        if not is_known and (ref is None or not _keeps(parent, ref)):
            break
        anchor = parent
    if _stands_before(op.collection, anchor):
        return anchor, op.collection
    assert ref is not None
    return anchor, _added(diablo.LoadOp(ref), op, before)


def _stands_before(value: SSAValue, op: Operation) -> bool:
    """Return whether a value is known where `op` stands."""
    return value.owner is not op and not is_made_inside(value, op)


def _keeps(op: Operation, ref: SSAValue) -> bool:
    """Return whether `op` leaves a variable that it does not declare as it is."""
    return _stands_before(ref, op) and not any(
        isinstance(inner, Write) and ref in written_variables(inner) for inner in op.walk()
    )


def _added(new: Operation, like: Operation, ops: list[Operation]) -> SSAValue:
    ops.append(located(new, like))
    return new.results[0]


def _constant(value: int, like: Operation, ops: list[Operation]) -> SSAValue:
    return _added(arith.ConstantOp(IntegerAttr(value, IndexType())), like, ops)
