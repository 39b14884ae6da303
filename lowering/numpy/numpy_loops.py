"""Loops in the bodies of row ops: the totals of all rows, over some iterations at a time.

    %s = multiloop.loop rows(%L) -> f64 {       total = np.full(len(batch[0]), 0.0, np.float64)
    ^bb0(%y: f64, %t: !…reduce<add : f64>):     for begin, end in arithmetic.chunks(…):
      %less = arith.cmpf olt, %y, %x                y = L[0][begin:end, None]
      scf.if %less {                      =>        less = y < x
        multiloop.emit %t(%y)                       total = rows.accumulate(total, y, "add", (…),
      }                                                 where=less)
    }

The innermost loop is evaluated at two dimensions of points, iterations and rows, as many of the
former as a chunk holds. A loop around others is one of Python's, whose element is the same for all
rows. What guards an emit is a mask, or Python's own `if` where it is the same at all points.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from xdsl.dialects import scf, tensor
from xdsl.ir import Block, Operation, Region, SSAValue

from diablo.dialects import multiloop
from diablo.dialects.monoids import identity, is_user_defined
from diablo.lowering.kernel_types import type_code
from diablo.lowering.numpy.expressions import Expression, Level, constant, dtype_of, tuple_text
from diablo.lowering.numpy.numpy_monoids import monoid_text
from diablo.lowering.numpy.numpy_pairs import PairLoop, needs_pairs
from diablo.lowering.unsupported import unsupported
from diablo.passes.analyses.values.free_values import free_values
from diablo.passes.analyses.values.speculation import can_trap

if TYPE_CHECKING:
    from diablo.lowering.numpy.numpy_scope import Scope

_ROW = frozenset([0])
_STEPS, _ROWS = frozenset([0]), frozenset([1])
"""The dimensions of the points of an innermost loop: NumPy is fast along the last one."""


def emits(op: Operation) -> bool:
    """Return whether `op` emits to a generator of a loop around it."""
    return any(
        isinstance(inner, multiloop.EmitOp) and not op.is_ancestor(inner.generator.owner)
        for inner in op.walk()
    )


def emit_loop(scope: Scope, op: multiloop.LoopOp, mask: str | None) -> None:
    """Write a loop; `mask` says which rows take part (None: all)."""
    if scope.points.rank != 1:
        raise unsupported(op, "a loop stands in no body of a row")
    if mask is not None:
        mask = scope.assign(Expression(mask), None, "live").text
    totals: list[Expression] = []
    for generator, result in zip(op.generators, op.made, strict=True):
        totals.append(_start(scope, op, generator, result))
        scope.list_depths[generator] = len(scope.list_places)
    if op.source.data == "rows" and scope.values[op.inputs[0]].axes:
        bag = op.inputs[0]
        lists = scope.assign(scope.values[bag], bag.name_hint, "lists").text
        _over_lists(scope, op, lists, mask)
    elif any(isinstance(generator.type, multiloop.CollectType) for generator in op.generators):
        ends = ", ".join(scope.values[end].text for end in op.inputs)
        lists = f"rows.range_lists({ends}, {scope.points.shape})"
        _over_lists(scope, op, scope.assign(Expression(lists), None, "lists").text, mask)
    elif any(isinstance(inner, multiloop.LoopOp) for inner in op.body.walk()):
        _one_by_one(scope, op, mask)
    elif needs_pairs(op):
        _in_pairs(scope, op, mask)
    else:
        _in_chunks(scope, op, mask)
    for total, result in zip(totals, op.made, strict=True):
        scope.hold(result, Expression(total.text, axes=_ROW))


def _start(scope: Scope, op: multiloop.LoopOp, generator: SSAValue, result: SSAValue) -> Expression:
    """Assign the neutral element to the total of each row."""
    type, count = generator.type, scope.points.shape
    if isinstance(type, multiloop.CollectType) and (
        op.source.data == "range" or scope.values[op.inputs[0]].axes
    ):
        if generator.has_more_than_one_use():
            raise unsupported(op, "a list is collected of what several emits give")
        codes = tuple_text([type_code(column) for column in type.columns])
        text = f"rows.literal_lists({count}, (), {codes})"
        return _stored(scope, generator, result, text)
    if not isinstance(type, multiloop.ReduceType):
        raise unsupported(op, f"{type} makes no column of a row")
    monoid = type.monoid.data
    if is_user_defined(monoid):
        text = f"{monoid_text(monoid)}.zeros({count})"
    else:
        neutral = constant(identity(monoid, type.element))
        text = f"np.full({count}, {neutral}, {dtype_of(type.element)})"
    return _stored(scope, generator, result, text)


def _stored(scope: Scope, generator: SSAValue, result: SSAValue, text: str) -> Expression:
    """Assign what a generator has made so far to a variable."""
    total = Expression(scope.name(result.name_hint, "total"))
    scope.store([total.text], text)
    scope.values[generator] = total
    return total


# ---- over the lists of rows --------------------------------------------------------


def _over_lists(scope: Scope, op: multiloop.LoopOp, lists: str, mask: str | None) -> None:
    """A loop over the list of each row, evaluated at the items of all lists."""
    places = scope.name(None, "places")
    scope.store([places], f"rows.list_places({lists})")
    needed = {lists, places, *[scope.values[generator].text for generator in op.generators]}
    with _taken(scope, op.body, places, needed):
        for column, element in enumerate(op.elements):
            if element.uses:
                scope.hold(element, Expression(f"{lists}.values[{column}]", axes=_ROW), "element")
        if mask is not None:
            mask = scope.assign(Expression(f"{mask}.take({places})"), None, "live").text
        scope.list_places.append(places)
        with scope.variables.keeping(set() if mask is None else {mask}):
            _body(scope, op.body.block, mask)
        scope.list_places.pop()


@contextmanager
def _taken(scope: Scope, body: Region, places: str, needed: set[str]) -> Generator[None]:
    """Write what is evaluated at some places of the points around, of which values are taken."""
    outside = {
        value: scope.values[value]
        for value in free_values([body])
        if not isinstance(value.type, multiloop.GeneratorType)
    }
    reads = {value: scope.variables.read_by([value]) for value in outside}
    for value, expression in outside.items():
        if expression.axes:
            row = scope.assign(expression, value.name_hint, "part").text
            scope.hold(value, Expression(f"{row}.take({places})", axes=_ROW), "part")
    with (
        scope.variables.keeping(needed.union(*reads.values())),
        scope.evaluated_at(1, f"len({places})", f"len({places}) > 0"),
    ):
        yield
    scope.values.update(outside)
    for value, read in reads.items():
        scope.variables.inline(value, read)


def _at_items(scope: Scope, region: Region, mask: str) -> None:
    """Write what is done for some items of lists, evaluated at these alone: it may fail."""
    kept = scope.assign(Expression(f"np.flatnonzero({mask})"), None, "kept").text
    places = scope.list_places[-1]
    own = scope.assign(Expression(f"{places}.take({kept})"), None, "places").text
    emits_to = [op.generator for op in region.walk() if isinstance(op, multiloop.EmitOp)]
    totals = [scope.values[g].text for g in emits_to if g in scope.values]
    scope.list_places[-1] = own
    with _taken(scope, region, kept, {kept, own, places, *totals}):
        _body(scope, region.block, None)
    scope.list_places[-1] = places


def _may_fail_at_items(scope: Scope, region: Region) -> bool:
    """Return whether something that may fail is done for items that a condition chooses."""
    if not scope.list_places or scope.points.rank != 1:
        return False
    to_items = all(
        scope.list_depths.get(op.generator, 0) < len(scope.list_places)
        for op in region.walk()
        if isinstance(op, multiloop.EmitOp) and not region.is_ancestor(op.generator.owner)
    )
    return to_items and any(
        can_trap(op) and not isinstance(op, tensor.ExtractOp) for op in region.block.ops
    )


def _emit_items(scope: Scope, op: multiloop.EmitOp, mask: str | None) -> None:
    """Combine what items emit into the totals of their rows, or collect it in lists of these."""
    if scope.points.rank != 1:
        raise unsupported(op, "an item of a list emits in another loop than one over a list")
    first, *others = scope.list_places[scope.list_depths[op.generator] :]
    places = first + "".join(f".take({inner})" for inner in others)
    total, type = scope.values[op.generator].text, op.generator.type
    values = [scope.values[value].text for value in op.values]
    where = "" if mask is None else f", where={mask}"
    if isinstance(type, multiloop.ReduceType):
        arguments = f"{total}, {values[0]}, {monoid_text(type.monoid.data)}, {places}{where}"
        scope.store([total], f"rows.accumulate_items({arguments})")
    else:
        arguments = f"{total}, {tuple_text(values)}, {places}{where}"
        scope.store([total], f"rows.collect_items({arguments})")


# ---- around other loops ------------------------------------------------------------


def _one_by_one(scope: Scope, op: multiloop.LoopOp, mask: str | None) -> None:
    """A loop of Python's own."""
    if op.source.data == "rows":
        batch = _batch(scope, op)
        place = scope.name(None, "k")
        with scope.loop(f"for {place} in range(rows.length({batch})):"):
            for column, element in enumerate(op.elements):
                if element.uses:
                    scope.hold(element, Expression(f"{batch}[{column}][{place}]"), "element")
            _body(scope, op.body.block, mask)
        return
    (index,) = op.elements
    lower, upper = (scope.values[end] for end in op.inputs)
    if not (lower.axes or upper.axes):
        name = scope.name(index.name_hint, "i")
        with scope.loop(f"for {name} in range({lower.text}, {upper.text}):"):
            scope.hold(index, Expression(name))
            _body(scope, op.body.block, mask)
        return
    lower, counts = _counts(scope, lower, upper)
    place = scope.name(None, "k")
    with scope.loop(f"for {place} in range(int(np.max({counts}, initial=0))):"):
        scope.hold(index, _sum(lower, Expression(place)), "i")
        inside = scope.assign(Expression(f"{place} < {counts}"), None, "inside").text
        _body(scope, op.body.block, _both(scope, mask, inside))


def _counts(scope: Scope, lower: Expression, upper: Expression) -> tuple[Expression, str]:
    """The first numbers of ranges of which each row has its own, and how many each has."""
    lower = scope.assign(lower, None, "lower") if lower.axes else lower
    text = f"{upper.at(Level.SUM)} - {lower.at(Level.PRODUCT)}"
    return lower, scope.assign(Expression(text), None, "counts").text


def _sum(first: Expression, place: Expression) -> Expression:
    """The number of a range at a place."""
    if first.text == "0":
        return place
    text = f"{first.at(Level.SUM)} + {place.text}"
    return Expression(text, Level.SUM, first.axes | place.axes)


def _batch(scope: Scope, op: multiloop.LoopOp) -> str:
    """The variable of a batch that is the same for all rows."""
    bag = op.inputs[0]
    return scope.assign(scope.values[bag], bag.name_hint, "batch").text


# ---- the innermost loop ------------------------------------------------------------


def _in_chunks(scope: Scope, op: multiloop.LoopOp, mask: str | None) -> None:
    """A loop over as many iterations at a time as a chunk holds."""
    outside = {value: scope.values[value] for value in free_values([op.body])}
    reads = {value: scope.variables.read_by([value]) for value in outside}
    inputs = [scope.values[value] for value in op.inputs]
    for value, expression in outside.items():
        if expression.axes:
            column = scope.assign(expression, value.name_hint, "part")
            scope.hold(value, Expression(column.text, axes=_ROWS))
    if op.source.data == "rows":
        _chunks_of_rows(scope, op, mask)
    else:
        _chunks_of_range(scope, op, inputs, mask)
    scope.values.update(outside)
    for value, read in reads.items():
        scope.variables.inline(value, read)


def _chunks_of_rows(scope: Scope, op: multiloop.LoopOp, mask: str | None) -> None:
    batch = _batch(scope, op)
    begin, end = scope.name(None, "begin"), scope.name(None, "end")
    with scope.loop(_chunks(scope, begin, end, f"rows.length({batch})")):
        for column, element in enumerate(op.elements):
            if element.uses:
                text = f"{batch}[{column}][{begin}:{end}, None]"
                scope.hold(element, Expression(text, axes=_STEPS), "element")
        _chunk(scope, op, (begin, end), mask)


def _chunks_of_range(
    scope: Scope, op: multiloop.LoopOp, inputs: Sequence[Expression], mask: str | None
) -> None:
    (index,) = op.elements
    lower, upper = inputs
    begin, end = scope.name(None, "begin"), scope.name(None, "end")
    if not (lower.axes or upper.axes):
        whole = upper.text if lower.text == "0" else f"{upper.text} - {lower.at(Level.PRODUCT)}"
        first, last = (_sum(lower, Expression(end)).text for end in (begin, end))
        with scope.loop(_chunks(scope, begin, end, whole)):
            numbers = Expression(f"np.arange({first}, {last})[:, None]", axes=_STEPS)
            scope.hold(index, numbers, "i")
            _chunk(scope, op, (begin, end), mask)
        return
    lower, counts = _counts(scope, lower, upper)
    if lower.axes:
        lower = Expression(lower.text, axes=_ROWS)
    with scope.loop(_chunks(scope, begin, end, f"int(np.max({counts}, initial=0))")):
        place = scope.assign(Expression(f"np.arange({begin}, {end})[:, None]"), None, "place").text
        scope.hold(index, _sum(lower, Expression(place, axes=_STEPS)), "i")
        inside = scope.assign(Expression(f"{place} < {counts}"), None, "inside").text
        _chunk(scope, op, (begin, end), _both(scope, mask, inside))


def _chunks(scope: Scope, begin: str, end: str, count: str) -> str:
    return f"for {begin}, {end} in arithmetic.chunks({count}, {scope.points.shape}):"


def _chunk(scope: Scope, op: multiloop.LoopOp, bounds: tuple[str, str], mask: str | None) -> None:
    begin, end = bounds
    shape = f"({end} - {begin}, {scope.points.shape})"
    with scope.evaluated_at(2, shape, scope.points.live):
        _body(scope, op.body.block, mask)


def _in_pairs(scope: Scope, op: multiloop.LoopOp, mask: str | None) -> None:
    """A loop over as many pairs of a row and an iteration at a time as a chunk holds."""
    outside = {value: scope.values[value] for value in free_values([op.body])}
    chosen = None
    if mask is not None:
        chosen = scope.assign(Expression(f"np.flatnonzero({mask})"), None, "chosen").text
    first, last = scope.name(None, "first"), scope.name(None, "last")
    begin, end = scope.name(None, "begin"), scope.name(None, "end")
    pairs = PairLoop(scope, first, last, begin, end, chosen)
    if op.source.data == "rows":
        batch = _batch(scope, op)
        count = f"rows.length({batch})"
        pairs.prepare(op, count)
        elements: dict[SSAValue, Expression] = {}
        for column, element in enumerate(op.elements):
            if element.uses:
                whole = pairs.column(element.type, f"{batch}[{column}]", element.name_hint)
                elements[element] = Expression(f"{whole}[{begin}:{end}]", axes=_ROW)
        with scope.loop(pairs.header(count)):
            pairs.write(op, elements)
    else:
        (index,) = op.elements
        lower, upper = (scope.values[value] for value in op.inputs)
        if not (lower.axes or upper.axes):
            whole = upper.text if lower.text == "0" else f"{upper.text} - {lower.at(Level.PRODUCT)}"
            bounds = [_sum(lower, Expression(name)).text for name in (begin, end)]
            numbers = Expression(f"np.arange({', '.join(bounds)})", axes=_ROW)
            pairs.prepare(op, f"({whole})")
            with scope.loop(pairs.header(whole)):
                pairs.write(op, {index: scope.assign(numbers, index.name_hint, "i")})
        else:
            lower, counts = _counts(scope, lower, upper)
            most = scope.assign(Expression(f"int(np.max({counts}, initial=0))"), None, "most").text
            pairs.prepare(op, most)
            with scope.loop(pairs.header(most)):
                pairs.write_ranges(op, lower, counts)
    scope.values.update(outside)


# ---- what is done in an iteration --------------------------------------------------


def _body(scope: Scope, block: Block, mask: str | None) -> None:
    for op in block.ops:
        if not isinstance(op, scf.YieldOp):
            scope.operation(op, mask)


def _both(scope: Scope, mask: str | None, condition: str) -> str:
    """Return where a condition holds of what is evaluated anyway."""
    if mask is None:
        return condition
    return scope.assign(Expression(f"np.logical_and({mask}, {condition})"), None, "live").text


def emit_guarded(scope: Scope, op: scf.IfOp, mask: str | None) -> None:
    """Write a conditional that emits to loops around it."""
    if op.results:
        raise unsupported(op, "a branch both emits values and has a result")
    condition = scope.values[op.cond]
    if not condition.axes:
        for region, negated in zip(op.regions, ("", "not "), strict=True):
            if region.blocks and len(region.block.ops) > 1:
                with scope.indented(f"if {negated}{condition.at(Level.NOT)}:"):
                    _body(scope, region.block, mask)
        return
    condition = scope.assign(condition, op.cond.name_hint, "live")
    chooses = bool(op.false_region.blocks) and len(op.false_region.block.ops) > 1
    if not chooses and _may_fail_at_items(scope, op.true_region):
        _at_items(scope, op.true_region, _both(scope, mask, condition.text))
        return
    _body(scope, op.true_region.block, _both(scope, mask, condition.text))
    if chooses:
        other = scope.assign(Expression(f"np.logical_not({condition.text})"), None, "other").text
        _body(scope, op.false_region.block, _both(scope, mask, other))


def emit_values(scope: Scope, op: multiloop.EmitOp, mask: str | None) -> None:
    """Combine what is emitted into the totals of the rows."""
    if len(scope.list_places) > scope.list_depths[op.generator]:
        _emit_items(scope, op, mask)
        return
    type = op.generator.type
    assert isinstance(type, multiloop.ReduceType)
    total, value = scope.values[op.generator].text, scope.values[op.values[0]]
    shape = scope.points.shape if scope.points.rank > 1 else f"({scope.points.shape},)"
    arguments = [total, value.text, monoid_text(type.monoid.data), shape]
    if mask is not None:
        arguments.append(f"where={mask}")
    scope.store([total], f"rows.accumulate({', '.join(arguments)})")
