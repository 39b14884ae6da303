"""Sort less: look for the first rows alone, and leave out what the places of rows say.

Works at the tensor_block level.

```mlir
%sorted = tensor_block.sort %rows by [1 desc] : !bag<i64, f64> -> !bag<i64, f64>
%some = tensor_block.project %sorted[0]
%first = tensor_block.sort %some by [] limit(%k) : !bag<i64> -> !bag<i64>
```

becomes

```mlir
%sorted = tensor_block.sort %rows by [1 desc] limit(%k) : !bag<i64, f64> -> !bag<i64, f64>
%first = tensor_block.project %sorted[0]
```

if nothing else reads the sorted rows, and no filter or join stands between: the first rows of those
that are left are others.

With `whole`, every array is one tile, whose entries come row by row. Then rows that are sorted by
something else need not be sorted by their indices last:

```mlir
%rows = tensor_block.to_bag %V : tensor<?xf64> -> !bag<index, f64>
%sorted = tensor_block.sort %rows by [1, 0]                   // by [1]
```

The index of a row of a vector is the row's place, which a sort knows: of the vector its elements
are enough, and no column of all indices is made.

```mlir
%values = tensor_block.project %rows[1]
%sorted = tensor_block.sort %values by [0] to [1, 0]          // the place, and the element
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import tensor_block
from diablo.dialects.bags import bag_columns
from diablo.dialects.encodings import array_type
from diablo.dialects.locations import located, remark
from diablo.dialects.number_constants import is_arithmetic


def _rows_in_order(bag: SSAValue) -> list[int] | None:
    """The columns by which rows ascend, one after the other, that come from a dense array."""
    match bag.owner:
        case tensor_block.ToBagOp() as op if not tensor_block.is_sparse(op.input.type):
            return list(range(array_type(op.input).get_num_dims()))
        case tensor_block.RangeOp(step=step) if step is None or step.value.data > 0:
            return [0]
        case tensor_block.FilterOp(bag=rows):
            return _rows_in_order(rows)
        case tensor_block.ExtendOp(bag=rows, columns=columns) as op:
            width = len(bag_columns(rows))
            inner = _rows_in_order(rows)
            if inner is None or columns is None:
                return inner
            return _renumbered([int(c) for c in columns.get_values()], inner, width)
        case tensor_block.ProjectOp(bag=rows, columns=columns):
            inner = _rows_in_order(rows)
            width = len(bag_columns(rows))
            kept = [int(c) for c in columns.get_values()]
            return None if inner is None else _renumbered(kept, inner, width)
        case _:
            return None


def _renumbered(kept: Sequence[int], columns: Sequence[int], width: int) -> list[int]:
    """The places of columns among those that are kept; a number beyond all if one is not."""
    return [kept.index(c) if c in kept else width + len(kept) + c for c in columns]


def _drop_ties(op: tensor_block.SortOp) -> None:
    """Leave out the last keys by which the rows ascend anyway."""
    axes = _rows_in_order(op.bag)
    if axes is None:
        return
    by = op.by
    for start in range(len(by)):
        last = by[start:]
        left = [axis for axis in axes if axis not in [column for column, _ in by[:start]]]
        ascends = not any(down for _, down in last)
        if ascends and left[: len(last)] == [column for column, _ in last]:
            if start or op.limit is not None:
                _replace(op, by[:start], op.limit)
            return


def _replace(
    op: tensor_block.SortOp, by: Sequence[tuple[int, bool]], limit: SSAValue | None
) -> None:
    """Sort by other keys, or up to a limit; columns that nothing needs any more go before."""
    kept = None if op.columns is None else op.kept
    Rewriter.replace_op(op, _sorted(op, by, limit, kept))


def _sorted(
    op: tensor_block.SortOp,
    by: Sequence[tuple[int, bool]],
    limit: SSAValue | None,
    kept: Sequence[int] | None,
) -> tensor_block.SortOp:
    """Sort the rows that `op` sorts, without columns that are not needed for that."""
    bag, place = op.bag, op.place
    read = {*(range(place) if kept is None else kept), *[column for column, _ in by]}
    needed = sorted(read - {place}) or [place - 1]
    if len(needed) < place:
        some = located(tensor_block.ProjectOp(bag, needed), op)
        Rewriter.insert_op(some, InsertPoint.before(op))
        bag = some.result
        by = [(needed.index(column), down) for column, down in by]
        assert kept is not None
        kept = [len(needed) if column == place else needed.index(column) for column in kept]
        kept = None if kept == list(range(len(needed))) else kept
    new = located(tensor_block.SortOp(bag, by, limit, kept), op)
    new.result.name_hint = op.result.name_hint
    return new


def _is_place(bag: SSAValue, column: int) -> bool:
    """Return whether a column is the place of each row in the bag."""
    match bag.owner:
        case tensor_block.ToBagOp() as op:
            is_vector = array_type(op.input).get_num_dims() == 1
            return column == 0 and is_vector and not tensor_block.is_sparse(op.input.type)
        case tensor_block.ProjectOp(bag=rows, columns=columns):
            return _is_place(rows, int(columns.get_values()[column]))
        case tensor_block.ExtendOp(bag=rows, columns=None) as op:
            width = len(bag_columns(rows))
            if column < width:
                return _is_place(rows, column)
            end = op.body.block.last_op
            assert isinstance(end, tensor_block.YieldOp)
            value = end.values[column - width]
            while isinstance(value.owner, arith.IndexCastOp):
                value = value.owner.input
            if not isinstance(value, BlockArgument) or value.block is not op.body.block:
                return False
            return _is_place(rows, value.index)
        case _:
            return False


def _take_places(op: tensor_block.SortOp) -> None:
    """Let the places of the rows stand for a column that has nothing else."""
    by, width = op.by, op.place
    read = {column for column, _ in by}
    kept = op.kept
    places = [c for c in range(len(kept)) if kept[c] not in {*read, width}]
    places = [c for c in places if _is_place(op.bag, kept[c])]
    if not by or not places:
        return
    types = bag_columns(op.result)
    new = _sorted(op, by, op.limit, [width if c in places else kept[c] for c in range(len(kept))])
    numbers = [c for c in places if types[c] != IndexType()]
    made = _with_numbers(new, numbers, types) if numbers else [new]
    for each in made:
        located(each, op)
    Rewriter.replace_op(op, made)


def _with_numbers(
    sort: tensor_block.SortOp, columns: Sequence[int], types: Sequence[Attribute]
) -> list[Operation]:
    """The rows with integers of some types in place of the indices in columns."""
    block = Block(arg_types=bag_columns(sort.result))
    casts = [arith.IndexCastOp(block.args[column], types[column]) for column in columns]
    block.add_ops([*casts, tensor_block.YieldOp(*[cast.result for cast in casts])])
    extend = tensor_block.ExtendOp(sort.result, Region(block))
    width = len(types)
    whole = [width + columns.index(c) if c in columns else c for c in range(width)]
    return [sort, extend, tensor_block.ProjectOp(extend.result, whole)]


def _sorted_before(op: tensor_block.SortOp) -> tensor_block.SortOp | None:
    """Return what sorts the rows that `op` takes the first ones of, if they are the first there."""
    bag = op.bag
    while bag.has_one_use():
        match bag.owner:
            case tensor_block.SortOp() as found:
                return found
            case tensor_block.ProjectOp(bag=rows) | tensor_block.ExtendOp(bag=rows):
                bag = rows
            case _:
                break
    if any(isinstance(made, tensor_block.SortOp) for made in _makers(op.bag)):
        remark(op, "the rows are sorted, and then cut: more than their first rows are needed")
    return None


def _makers(bag: SSAValue) -> list[Operation]:
    """The op that makes a bag, and those that make the bags of which it is made."""
    found: list[Operation] = []
    owner = bag.owner
    while isinstance(owner, Operation):
        found.append(owner)
        match owner:
            case (
                tensor_block.ProjectOp(bag=rows)
                | tensor_block.ExtendOp(bag=rows)
                | tensor_block.FilterOp(bag=rows)
            ):
                owner = rows.owner
            case _:
                break
    return found


def _computed_before(value: SSAValue, op: Operation) -> bool:
    """Move what computes a scalar before `op`; whether that can be done."""
    moved: list[Operation] = []
    waiting = [value]
    while waiting:
        owner = waiting.pop().owner
        if not isinstance(owner, Operation) or owner.parent is not op.parent or owner in moved:
            continue
        if owner.is_before_in_block(op):
            continue
        if not (is_arithmetic(owner) or isinstance(owner, arith.ConstantOp)):
            return False
        moved.append(owner)
        waiting += owner.operands
    block = op.parent
    assert block is not None
    for owner in sorted(moved, key=block.get_operation_index):
        owner.detach()
        block.insert_op_before(owner, op)
    return True


def _cut_before(op: tensor_block.SortOp) -> None:
    """Let rows that are sorted and then cut be cut where they are sorted."""
    limit = op.limit
    if op.by or limit is None:
        return
    sort = _sorted_before(op)
    if sort is None or sort.limit is not None or sort.parent is not op.parent:
        return
    if not _computed_before(limit, sort):
        remark(op, "the rows are sorted, and then cut by a number that is not known before")
        return
    remark(op, "the rows are sorted, and then cut: only the first of them are looked for")
    _replace(sort, sort.by, limit)
    if op.columns is None:
        Rewriter.replace_op(op, [], [op.bag])
    else:
        Rewriter.replace_op(op, located(tensor_block.ProjectOp(op.bag, op.kept), op))


@dataclass(frozen=True)
class SimplifySortsPass(ModulePass):
    """Look for the first rows alone where others go, and sort by what rows do not ascend by."""

    name = "simplify-sorts"

    whole: bool = False
    """Take every array for one tile, whose entries come row by row."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at every op that sorts rows."""
        for sort in [o for o in op.walk() if isinstance(o, tensor_block.SortOp)]:
            _cut_before(sort)
        if self.whole:
            for sort in [o for o in op.walk() if isinstance(o, tensor_block.SortOp)]:
                _drop_ties(sort)
            for sort in [o for o in op.walk() if isinstance(o, tensor_block.SortOp)]:
                _take_places(sort)
