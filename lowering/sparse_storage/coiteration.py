"""Several regions in one loop: merging, galloping and looking up.

All but the last dimension are looped over; along the last, each region has a *cursor*. At every
turn of an intersection the greatest index under a cursor is the target:

    while every cursor is before its end:
      target = the greatest index under a cursor
      if all are at it: run the body, move every cursor on by one
      else: move those before it, by one (merge) or to it by halving (gallop)

Where nothing is said of how, the lengths of the lists tell: if one has much fewer entries than
another, most turns of a merge would move the other, and halving takes fewer steps.

A union goes by the least index, and the body is told which cursors are at it. As long as all have
entries, each can be read whether it is at the index or not, and nothing is branched on: which
cursor is next cannot be foretold. Regions that cannot be merged (bitmaps, diagonals) are looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import (
    AnyFloat,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerAttr,
    IntegerType,
    i64,
)
from xdsl.ir import Operation, SSAValue

from diablo.dialects.number_constants import UnsignedOp
from diablo.lowering.sparse_storage.emitter import Emitter, Values
from diablo.lowering.sparse_storage.kernel_form import Cursor
from diablo.lowering.sparse_storage.stored_region import StoredOrder, StoredRegion
from diablo.passes.analyses.values.affine_values import constant_value

JointBody = Callable[[Emitter, list[SSAValue], list[SSAValue], list[SSAValue], Values], Values]
"""Is given indices, positions, presences and carried values; returns the latter."""

_READS = (memref.LoadOp, arith.ConstantOp, UnsignedOp, arith.ExtUIOp, arith.IndexCastOp)
"""What may be done on both sides of a branch."""
FAR = 2**63 - 1
"""Where a cursor that has no entries left is."""
FAR_LONGER = 8
"""From which ratio of lengths on galloping beats merging: it takes two halvings for a stride."""


def coiterate(
    e: Emitter,
    kind: str,
    strategy: str,
    regions: Sequence[StoredRegion],
    carried: Values,
    body: JointBody,
) -> Values:
    """Run `body` for the indices that some region has, or that all have."""
    rank = len(regions[0].free)
    if kind == "intersect" and (strategy == "lookup" or rank == 0):
        return _look_up(e, regions, carried, body)

    def along_the_last(e: Emitter, leading: list[SSAValue], values: Values) -> Values:
        rows = [region.sliced(dict(enumerate(leading))) for region in regions]
        cursors = [row.cursor(e, (0,)) for row in rows]
        found = [cursor for cursor in cursors if cursor is not None]

        def whole(
            e: Emitter,
            last: list[SSAValue],
            positions: list[SSAValue],
            present: list[SSAValue],
            values: Values,
        ) -> Values:
            return body(e, [*leading, *last], positions, present, values)

        if len(found) < len(rows):
            if kind == "intersect":
                return _look_up(e, rows, values, whole)
            return _try_all(e, rows, values, whole)
        if kind == "union":
            return _unite(e, found, values, whole, rows[0].extents[-1])
        if strategy != "auto":
            return _intersect(e, found, values, whole, gallop=strategy == "gallop")
        return e.branch(
            _differ_much(e, [cursor for _, cursor in found]),
            lambda e: _intersect(e, found, values, whole, gallop=True),
            lambda e: _intersect(e, found, values, whole, gallop=False),
        )

    if rank == 0:
        return _try_all(e, regions, carried, body)
    leading = [regions[0].extents[d] for d in regions[0].free[:-1]]
    return e.nest(leading, carried, along_the_last)


def _look_up(
    e: Emitter, regions: Sequence[StoredRegion], carried: Values, body: JointBody
) -> Values:
    """Each index of the first region is looked up in the others."""
    first, *others = regions

    def at(e: Emitter, indices: list[SSAValue], position: SSAValue, values: Values) -> Values:
        def among(e: Emitter, left: Sequence[StoredRegion], positions: list[SSAValue]) -> Values:
            if not left:
                return body(e, indices, positions, [e.boolean(True)] * len(regions), values)
            place, found = left[0].lookup(e, indices)
            return e.branch(
                found, lambda e: among(e, left[1:], [*positions, place]), lambda _: list(values)
            )

        return among(e, others, [position])

    return first.walk(e, range(len(first.free)), carried, at)


def _try_all(
    e: Emitter, regions: Sequence[StoredRegion], carried: Values, body: JointBody
) -> Values:
    """Every index of the box is looked up in every region."""

    def at(e: Emitter, indices: list[SSAValue], values: Values) -> Values:
        found = [region.lookup(e, indices) for region in regions]
        some = found[0][1]
        for _, present in found[1:]:
            some = e.either(some, present)

        def run(e: Emitter) -> Values:
            return body(e, indices, [p for p, _ in found], [t for _, t in found], values)

        return e.branch(some, run, lambda _: list(values))

    first = regions[0]
    return e.nest([first.extents[d] for d in first.free], carried, at)


def _differ_much(e: Emitter, cursors: Sequence[Cursor]) -> SSAValue:
    """Return whether the longest list is longer than the shortest by the factor `FAR_LONGER`."""
    lengths = [e.subtract(cursor.end, cursor.begin) for cursor in cursors]
    shortest, longest = _fold(e.minimum, lengths), _fold(e.maximum, lengths)
    return e.compare("slt", e.multiply(shortest, e.index(FAR_LONGER)), longest)


def _tests_of_ends(
    e: Emitter, places: Values, cursors: Sequence[tuple[StoredOrder, Cursor]]
) -> list[SSAValue]:
    """Append of each cursor whether it has entries left."""
    return [
        e.compare("slt", place, cursor.end)
        for place, (_, cursor) in zip(places, cursors, strict=True)
    ]


def _intersect(
    e: Emitter,
    cursors: Sequence[tuple[StoredOrder, Cursor]],
    carried: Values,
    body: JointBody,
    *,
    gallop: bool,
) -> Values:
    count = len(cursors)
    begins = [cursor.begin for _, cursor in cursors]

    def before_the_end(e: Emitter, state: Values) -> SSAValue:
        return _fold(e.both, _tests_of_ends(e, state[:count], cursors))

    def turn(e: Emitter, state: Values) -> Values:
        places, values = list(state[:count]), state[count:]
        keys = [cursor.key(e, place) for place, (_, cursor) in zip(places, cursors, strict=True)]
        target = _fold(e.maximum, keys)
        hits = [e.compare("eq", key, target) for key in keys]
        every = _fold(e.both, hits)

        def run(e: Emitter) -> Values:
            positions = [
                stored.position(e, place)
                for place, (stored, _) in zip(places, cursors, strict=True)
            ]
            present = [e.boolean(True)] * count
            results = body(e, [target], positions, present, values)
            return [*[e.add(place, e.index(1)) for place in places], *results]

        def move(e: Emitter) -> Values:
            moved = [
                _reach(e, cursor, place, target)
                if gallop
                else e.select(hit, place, e.add(place, e.index(1)))
                for hit, place, (_, cursor) in zip(hits, places, cursors, strict=True)
            ]
            return [*moved, *values]

        return e.branch(every, run, move)

    return e.repeat([*begins, *carried], before_the_end, turn)[count:]


def _reach(e: Emitter, cursor: Cursor, place: SSAValue, target: SSAValue) -> SSAValue:
    """The first place from `place` on that is not before the target.

    Strides are doubled until one goes beyond it, and the last one is halved (Bentley and Yao,
    An almost optimal algorithm for unbounded searching, 1976).
    """

    def short(e: Emitter, state: Values) -> SSAValue:
        _, far = state
        inside = e.compare("slt", far, cursor.end)
        return e.branch(
            inside,
            lambda e: [e.compare("slt", cursor.key(e, far), target)],
            lambda e: [e.boolean(False)],
        )[0]

    def double(e: Emitter, state: Values) -> Values:
        near, far = state
        stride = e.add(e.subtract(far, near), e.index(1))
        return [e.add(far, e.index(1)), e.add(far, e.add(stride, stride))]

    near, far = e.repeat([place, place], short, double)
    return e.lower_bound(
        near,
        e.minimum(far, cursor.end),
        lambda e, place: e.compare("slt", cursor.key(e, place), target),
    )


def _unite(
    e: Emitter,
    cursors: Sequence[tuple[StoredOrder, Cursor]],
    carried: Values,
    body: JointBody,
    extent: SSAValue,
) -> Values:
    count = len(cursors)

    def all_left(e: Emitter, state: Values) -> SSAValue:
        return _fold(e.both, _tests_of_ends(e, state[:count], cursors))

    def turn_of_all(e: Emitter, state: Values) -> Values:
        places, values = list(state[:count]), state[count:]
        keys = [cursor.key(e, place) for place, (_, cursor) in zip(places, cursors, strict=True)]
        target = _fold(e.minimum, keys)
        present = [e.compare("eq", key, target) for key in keys]
        positions = [
            stored.position(e, place) for place, (stored, _) in zip(places, cursors, strict=True)
        ]
        results = body(e, [target], positions, present, values)
        results = _without_branches(e, present, results, extent)
        steps = [
            e.value(arith.IndexCastOp(e.value(arith.ExtUIOp(there, i64)), IndexType()))
            for there in present
        ]
        return [*map(e.add, places, steps), *results]

    def some_left(e: Emitter, state: Values) -> SSAValue:
        return _fold(e.either, _tests_of_ends(e, state[:count], cursors))

    def turn(e: Emitter, state: Values) -> Values:
        places, values = list(state[:count]), state[count:]
        keys: list[SSAValue] = []
        left = _tests_of_ends(e, places, cursors)
        for place, inside, (_, cursor) in zip(places, left, cursors, strict=True):
            keys += e.branch(
                inside,
                lambda e, cursor=cursor, place=place: [cursor.key(e, place)],
                lambda e: [e.index(FAR)],
            )
        target = _fold(e.minimum, keys)
        present = [e.compare("eq", key, target) for key in keys]
        positions = [
            place
            if stored.entries is None
            else e.branch(
                there,
                lambda e, stored=stored, place=place: [stored.position(e, place)],
                lambda e: [e.index(-1)],
            )[0]
            for place, there, (stored, _) in zip(places, present, cursors, strict=True)
        ]
        results = body(e, [target], positions, present, values)
        moved = [
            e.select(there, e.add(place, e.index(1)), place)
            for place, there in zip(places, present, strict=True)
        ]
        return [*moved, *results]

    begins = [cursor.begin for _, cursor in cursors]
    middle = e.repeat([*begins, *carried], all_left, turn_of_all)
    return e.repeat(middle, some_left, turn)[count:]


def _without_branches(
    e: Emitter, tests: Collection[SSAValue], results: Values, extent: SSAValue
) -> list[SSAValue]:
    """Compute both sides of what is branched on in the block by one of `tests`, and choose.

    Only where they read and convert; what is read has to be there. Returns `results`, of which
    some may have been those of a branch. An `extent` is what LLVM does not know to be positive.
    """
    chosen: dict[SSAValue, SSAValue] = {}
    for op in list(e.block.ops):
        if not isinstance(op, scf.IfOp) or op.cond not in tests or not op.results:
            continue
        sides = [op.true_region.block, op.false_region.block]
        inner = [list(side.ops) for side in sides]
        if not all(isinstance(read, _READS) for ops in inner for read in ops[:-1]):
            continue
        for *reads, _ in inner:
            for read in reads:
                read.detach()
                e.block.insert_op_before(read, op)
        then, otherwise = (ops[-1].operands for ops in inner)
        for result, one, other in zip(op.results, then, otherwise, strict=True):
            select, ops = _choice(op.cond, one, other, extent, is_float=_is_float(result))
            select.name_hint = result.name_hint
            e.block.insert_ops_before(ops, op)
            result.replace_all_uses_with(select)
            chosen[result] = select
        op.detach()
        op.erase()
    return [chosen.get(result, result) for result in results]


def _is_float(value: SSAValue) -> bool:
    """Return whether a value is a float, or the bits of one."""
    return isinstance(value.type, AnyFloat) or any(
        isinstance(use.operation, arith.BitcastOp)
        and isinstance(use.operation.result.type, AnyFloat)
        for use in value.uses
    )


def _choice(
    test: SSAValue, one: SSAValue, other: SSAValue, extent: SSAValue, *, is_float: bool
) -> tuple[SSAValue, list[Operation]]:
    """Return what is chosen, and the ops that choose.

    LLVM makes a branch of a choice of floats on a condition of integers, and of one of words where
    one of them is read for it alone. Whether a cursor is at an index cannot be foretold, so zeros
    are made by a mask, which LLVM must not know to be of all bits or none: it is exclusive or with
    the sign of an extent, which is 0.
    """
    value_type = type = one.type
    ops: list[Operation] = []

    def add(op: Operation) -> SSAValue:
        ops.append(op)
        return op.results[0]

    is_masked = is_float and constant_value(other) == 0
    if not is_masked or not isinstance(type, Float32Type | Float64Type | IntegerType):
        return add(arith.SelectOp(test, one, other)), ops
    word = IntegerType(type.bitwidth)
    last = add(arith.ConstantOp(IntegerAttr(63, i64)))
    sign = add(arith.ShRUIOp(add(arith.IndexCastOp(extent, i64)), last))
    if word != i64:
        sign = add(arith.TruncIOp(sign, word))
    mask = add(arith.XOrIOp(add(arith.ExtSIOp(test, word)), sign))
    if word == type:
        return add(arith.AndIOp(one, mask)), ops
    kept = add(arith.AndIOp(add(arith.BitcastOp(one, word)), mask))
    return add(arith.BitcastOp(kept, value_type)), ops


def _fold(join: Callable[[SSAValue, SSAValue], SSAValue], values: Sequence[SSAValue]) -> SSAValue:
    total = values[0]
    for value in values[1:]:
        total = join(total, value)
    return total
