"""Conditionals in bodies: choices between columns, and branches that only some points take.

    %0 = scf.if %c -> (f64) {                      c_rows = np.flatnonzero(c)
      %1 = comprehension.string_call               s_1 = s[c_rows]
          "to_double" (%s) : …                     other_rows = np.flatnonzero(~c)
      scf.yield %1 : f64                   =>      rows.scatter(c, rows.strings.to_double(s_1), 0.0,
    } else {                                           "f8")
      scf.yield %zero : f64
    }

Both branches are evaluated everywhere and one value is chosen, unless something in a branch
may fail: then each branch is evaluated for the rows that take it. Integer divisions need not
be torn out of a large expression for that: they are told the mask of the points that count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from xdsl.dialects import scf
from xdsl.ir import Attribute, Block, Region

from diablo.dialects import multiloop
from diablo.lowering.kernel_types import is_number, type_code
from diablo.lowering.numpy.expressions import Expression, Level, Points, dtype_of
from diablo.lowering.numpy.numpy_loops import emit_guarded, emits
from diablo.lowering.numpy.numpy_scalars import DIVISIONS
from diablo.lowering.numpy.numpy_values import can_fail
from diablo.lowering.unsupported import unsupported
from diablo.passes.analyses.values.free_values import free_values

if TYPE_CHECKING:
    from diablo.lowering.numpy.numpy_scope import Scope


def emit_if(scope: Scope, op: scf.IfOp, mask: str | None) -> None:
    """Write a conditional of a body; `mask` says where it is evaluated (None: everywhere)."""
    if emits(op):
        emit_guarded(scope, op, mask)
        return
    if not op.results:
        return
    if not any(isinstance(inner, multiloop.LoopOp) or can_fail(inner) for inner in op.walk()):
        _choose(scope, op, mask)
    elif mask is not None:
        raise unsupported(op, "what may fail stands in a branch where only some rows are")
    elif scope.values[op.cond].axes:
        _split(scope, op)
    else:
        _decide(scope, op)


def _choose(scope: Scope, op: scf.IfOp, mask: str | None) -> None:
    """Both branches everywhere, and a choice between their values."""
    condition = scope.values[op.cond]
    masks: list[str | None] = [None, None]
    if any(inner.name in DIVISIONS for inner in op.walk()):
        condition = scope.assign(condition, op.cond.name_hint, "live")
        no = f"np.logical_not({condition.text})"
        masks = [condition.text, no]
        if mask is not None:
            masks = [f"np.logical_and({mask}, {own})" for own in masks]
        for k, region in enumerate(op.regions):
            divisions = sum(inner.name in DIVISIONS for inner in region.walk())
            text = masks[k]
            if divisions > 1 and text is not None:
                masks[k] = scope.assign(Expression(text), None, "live").text
    elif len(op.results) > 1:
        condition = scope.assign(condition, op.cond.name_hint, "condition")
    bodies = [region.block for region in op.regions]
    with _before(scope, op):
        then = scope.body(bodies[0], masks[0])
    yielded = _read_by_yield(scope, bodies[0])
    with scope.variables.keeping(yielded):
        otherwise = scope.body(bodies[1], masks[1])
    reads = scope.variables.read_by([op.cond]) | yielded | _read_by_yield(scope, bodies[1])
    for result, yes, no in zip(op.results, then, otherwise, strict=True):
        axes = condition.axes | yes.axes | no.axes
        if axes and is_number(result.type):
            text = f"np.where({condition.text}, {yes.text}, {no.text})"
            chosen = Expression(text, axes=axes)
        elif axes:
            code = type_code(result.type)
            text = f"rows.where({condition.text}, {yes.text}, {no.text}, {code})"
            chosen = Expression(text, axes=axes)
        else:
            text = f"{yes.at(Level.NOT)} if {condition.at(Level.NOT)} else {no.at(Level.NOT)}"
            chosen = Expression(text, Level.CHOICE)
        if result.uses:
            scope.bind(result, chosen, reads)


def _split(scope: Scope, op: scf.IfOp) -> None:
    """Each branch for the points that take it, whose values are put together again."""
    condition = scope.values[op.cond]
    rank = scope.points.rank
    if len(condition.axes) < rank:
        condition = Expression(f"np.broadcast_to({condition.text}, {scope.points.shape})")
    condition = scope.assign(condition, op.cond.name_hint, "condition")
    with _before(scope, op):
        then, yielded = _branch(scope, op.true_region, condition.text, condition.text)
    with scope.variables.keeping(yielded | _read_after(scope, op)):
        otherwise, more = _branch(
            scope, op.false_region, f"~{condition.text}", f"other_{condition.text}"
        )
    reads = scope.variables.read_by([op.cond]) | yielded | more
    for result, yes, no in zip(op.results, then, otherwise, strict=True):
        if result.uses:
            arguments = [condition.text, yes.text, no.text, type_code(result.type)]
            text = f"rows.scatter({', '.join(arguments)})"
            scope.bind(result, Expression(text, axes=frozenset(range(rank))), reads)


def _read_after(scope: Scope, op: scf.IfOp) -> frozenset[str]:
    return scope.variables.read_by(scope.variables.live_after(op))


def _before(scope: Scope, op: scf.IfOp) -> AbstractContextManager[None]:
    """Write the first of two branches that are both gone through."""
    second = scope.variables.read_by(free_values([op.false_region]))
    return scope.variables.keeping(second | _read_after(scope, op))


def _read_by_yield(scope: Scope, block: Block) -> frozenset[str]:
    end = block.last_op
    return frozenset() if end is None else scope.variables.read_by(end.operands)


def _branch(
    scope: Scope, region: Region, condition: str, hint: str
) -> tuple[list[Expression], frozenset[str]]:
    """Write a branch for the points where `condition` holds.

    Return what it yields, and the variables that this reads.
    """
    points = scope.points
    find = "np.flatnonzero" if points.rank == 1 else "np.nonzero"
    taken = scope.assign(Expression(f"{find}({condition})"), f"{hint}_rows").text
    outside = {value: scope.values[value] for value in free_values([region])}
    reads = {value: scope.variables.read_by([value]) for value in outside}
    for value, expression in outside.items():
        if not expression.axes:
            continue
        whole = expression.at(Level.ATOM)
        if len(expression.axes) < points.rank:
            whole = f"np.broadcast_to({expression.text}, {points.shape})"
        scope.hold(value, Expression(f"{whole}[{taken}]", axes=frozenset([0])), "part")
    count = f"len({taken})" if points.rank == 1 else f"len({taken}[0])"
    with scope.evaluated_at(1, count, f"{count} > 0"):
        scope.release(scope.variables.live_at_start(region.block))
        result = scope.body(region.block)
    yielded = _read_by_yield(scope, region.block) | scope.variables.temporaries
    scope.values.update(outside)
    for value, read in reads.items():
        scope.variables.inline(value, read)
    return result, yielded


def _decide(scope: Scope, op: scf.IfOp) -> None:
    """A condition that is the same at all points: Python's own `if`."""
    names = [scope.name(result.name_hint, "chosen") for result in op.results]

    def branch(block: Block) -> Sequence[str]:
        values = scope.body(block)
        pairs = zip(values, op.results, strict=True)
        return [spread(scope.points, value, result.type) for value, result in pairs]

    axes = frozenset(range(scope.points.rank))
    write_branches(scope, op, [Expression(name, axes=axes) for name in names], branch)


def write_branches(
    scope: Scope,
    op: scf.IfOp,
    variables: Sequence[Expression],
    branch: Callable[[Block], Sequence[str]],
) -> None:
    """Write Python's own `if`, which assigns some variables.

    `branch` writes one branch and returns the values. What the one needs and the other does not
    is let go of where the other begins.
    """
    held = scope.variables
    headers = (f"if {scope.text(op.cond)}:", "else:")
    before = set(held.assigned)
    left: list[set[str]] = []
    for header, region in zip(headers, op.regions, strict=True):
        held.assigned = set(before)
        with scope.indented(header):
            scope.release(held.live_at_start(region.block))
            values = branch(region.block)
            for variable, value, result in zip(variables, values, op.results, strict=True):
                scope.store([variable.text], value)
                scope.hold(result, variable)
            scope.release(held.live_after(op))
        left.append(held.assigned)
    held.assigned = left[0] & left[1]


def spread(points: Points, value: Expression, type: Attribute) -> str:
    """`value`, of the given type, as an array over all points at which a body is evaluated."""
    if len(value.axes) == points.rank:
        return value.text
    if value.axes:
        return f"np.broadcast_to({value.text}, {points.shape})"
    if is_number(type):
        return f"np.full({points.shape}, {value.text}, {dtype_of(type)})"
    return f"rows.full({points.shape}, {value.text}, {type_code(type)})"
