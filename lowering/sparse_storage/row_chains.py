"""Rows of a sparse array that are filtered, extended and folded, without making the rows.

%rows = tensor_block.to_bag %A
%some = tensor_block.filter %rows { … }          for (i, j, p) in R:
%sum = tensor_block.fold add %some[2]      =>      if …: acc = acc + values[p]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue

from diablo.dialects.encodings import is_sparse
from diablo.dialects.monoids import is_user_defined
from diablo.dialects.multiloop import ReduceType
from diablo.dialects.tensor_block import (
    ExtendOp,
    FilterOp,
    FoldOp,
    LookupOp,
    ProjectOp,
    ToBagOp,
)
from diablo.lowering.sparse_storage.emitter import Emitter, Values
from diablo.lowering.sparse_storage.region_loops import (
    Generators,
    emit,
    over_range,
    over_stored,
    slice_region,
)
from diablo.lowering.sparse_storage.stored_operands import Operands
from diablo.passes.analyses.refused import Refused

RowOp = FilterOp | ExtendOp | ProjectOp | LookupOp
"""What is done with rows one by one."""


def chain_of(fold: FoldOp) -> tuple[ToBagOp, list[RowOp]]:
    """The ops from the sparse array to the fold, in order; raises `Refused` if they are no loop."""
    if is_user_defined(fold.monoid.data):
        raise Refused("its monoid is the program's own")
    steps: list[RowOp] = []
    bag = fold.bag
    while True:
        owner = bag.owner
        if isinstance(owner, Operation) and owner.parent_block() is not fold.parent_block():
            raise Refused("its rows come from elsewhere")
        if len(list(bag.uses)) != 1:
            raise Refused("its rows are used more than once")
        if isinstance(owner, ToBagOp):
            if not is_sparse(owner.input.type):
                raise Refused("its rows are of no sparse array")
            return owner, steps[::-1]
        if not isinstance(owner, RowOp):
            raise Refused("its rows are made in another way")
        if isinstance(owner, LookupOp) and (
            owner.stored is not None or owner.probe is not None or is_sparse(owner.array.type)
        ):
            raise Refused("its rows are looked up in another way")
        steps.append(owner)
        bag = owner.bag


def emit_chain(
    e: Emitter,
    fold: FoldOp,
    chain: tuple[ToBagOp, list[RowOp]],
    operands: Operands,
    bounds: tuple[SSAValue, SSAValue] | None,
    outer: tuple[int, SSAValue] | None,
) -> SSAValue:
    """Append the loops and return the result of the fold.

    `outer`, if given, is the dimension of the array's lists, which is looped over, and its
    extent; the part of it within `bounds`, if those are given.
    """
    source, steps = chain
    region, values = operands.sparse(source.input)
    total = ReduceType(fold.monoid, fold.result.type)
    offsets = [operands.values[offset] for offset in source.offsets]

    def entries(
        e: Emitter, leading: Mapping[int, SSAValue], acc: SSAValue | None
    ) -> Sequence[SSAValue]:
        def at(e: Emitter, rest: list[SSAValue], position: SSAValue, own: Generators) -> None:
            indices = list(rest)
            for d, index in leading.items():
                indices.insert(d, index)
            if offsets:
                indices = [e.add(i, o) for i, o in zip(indices, offsets, strict=True)]
            row = [*indices, operands.element_at(e, values, position)]
            _row(e, own[0] if acc is None else acc, steps, row, operands)

        part = slice_region(e, region, leading)
        return over_stored(e, part, at, [total] if acc is None else [])

    if outer is None:
        return entries(e, {}, None)[0]
    dimension, extent = outer
    begin, end = bounds or (e.index(0), extent)

    def one_list(e: Emitter, index: SSAValue, own: Generators) -> None:
        entries(e, {dimension: index}, own[0])

    return over_range(e, begin, end, one_list, [total])[0]


def _row(
    e: Emitter, acc: SSAValue, steps: Sequence[RowOp], row: Values, operands: Operands
) -> None:
    """Append what is done with one more row, which the steps may drop."""
    if not steps:
        emit(e, acc, row[0])
        return
    step, rest = steps[0], steps[1:]

    def go_on(e: Emitter, row: Values) -> None:
        _row(e, acc, rest, row, operands)

    if isinstance(step, ProjectOp):
        go_on(e, [row[column] for column in step.columns.get_values()])
        return
    if isinstance(step, LookupOp):
        place = [e.as_index(row[column]) for column in step.columns.get_values()]
        if step.offsets:
            origin = [operands.values[offset] for offset in step.offsets]
            place = [e.subtract(i, o) for i, o in zip(place, origin, strict=True)]
        buffer = operands.buffers[step.array]
        inside = e.boolean(True)
        for axis, index in enumerate(place):
            size = e.value(memref.DimOp(buffer, e.index(axis)))
            within = e.both(e.compare("sge", index, e.index(0)), e.compare("slt", index, size))
            inside = within if axis == 0 else e.both(inside, within)

        def found(e: Emitter) -> None:
            element = e.value(memref.LoadOp.get(buffer, place))
            go_on(e, [*row, element])

        e.guarded([inside], found)
        return
    block = step.body.block
    inner = {**operands.values, **dict(zip(block.args, row, strict=True))}
    end = block.last_op
    assert end is not None
    for op in block.ops:
        if op is not end:
            e.block.add_op(op.clone(inner))
    yielded = [inner.get(value, value) for value in end.operands]
    if isinstance(step, FilterOp):
        e.guarded([yielded[0]], lambda e: go_on(e, row))
        return
    whole = [*row, *yielded]
    if step.taken is not None:
        whole = [whole[column] for column in step.taken]
    go_on(e, whole)
