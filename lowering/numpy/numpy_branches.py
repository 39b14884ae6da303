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

from typing import TYPE_CHECKING

from xdsl.dialects import scf
from xdsl.ir import Attribute, Block, Region, SSAValue

from diablo.lowering.kernel_types import is_number, type_code
from diablo.lowering.numpy.expressions import Expression, Level, Points, dtype_of
from diablo.lowering.numpy.numpy_scalars import DIVISIONS
from diablo.lowering.numpy.numpy_values import can_fail

if TYPE_CHECKING:
    from diablo.lowering.numpy.numpy_scope import Scope


def emit_if(scope: Scope, op: scf.IfOp, mask: str | None) -> None:
    """Write a conditional of a body; `mask` says where it is evaluated (None: everywhere)."""
    if not op.results:
        return
    if not any(can_fail(inner) for inner in op.walk()):
        _choose(scope, op, mask)
    elif scope.values[op.cond].axes:
        _split(scope, op)
    else:
        _decide(scope, op)


def _choose(scope: Scope, op: scf.IfOp, mask: str | None) -> None:
    """Both branches everywhere, and a choice between their values."""
    condition = scope.values[op.cond]
    masks: list[str | None] = [None, None]
    if any(inner.name in DIVISIONS for inner in op.walk()):
        condition = scope.assign(condition, op.cond.name_hint or "live")
        no = f"np.logical_not({condition.text})"
        masks = [condition.text, no]
        if mask is not None:
            masks = [f"np.logical_and({mask}, {own})" for own in masks]
        for k, region in enumerate(op.regions):
            divisions = sum(inner.name in DIVISIONS for inner in region.walk())
            text = masks[k]
            if divisions > 1 and text is not None:
                masks[k] = scope.assign(Expression(text), "live").text
    elif len(op.results) > 1:
        condition = scope.assign(condition, op.cond.name_hint or "condition")
    then = scope.body(op.true_region.block, masks[0])
    otherwise = scope.body(op.false_region.block, masks[1])
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
            scope.bind(result, chosen)


def _split(scope: Scope, op: scf.IfOp) -> None:
    """Each branch for the points that take it, whose values are put together again."""
    condition = scope.values[op.cond]
    rank = scope.points.rank
    if len(condition.axes) < rank:
        condition = Expression(f"np.broadcast_to({condition.text}, {scope.points.shape})")
    condition = scope.assign(condition, op.cond.name_hint or "condition")
    branches = [
        _branch(scope, op.true_region, condition.text, condition.text),
        _branch(scope, op.false_region, f"~{condition.text}", f"other_{condition.text}"),
    ]
    for result, yes, no in zip(op.results, *branches, strict=True):
        if result.uses:
            arguments = [condition.text, yes.text, no.text, type_code(result.type)]
            text = f"rows.scatter({', '.join(arguments)})"
            scope.bind(result, Expression(text, axes=frozenset(range(rank))))


def _branch(scope: Scope, region: Region, condition: str, hint: str) -> list[Expression]:
    """Write a branch for the points where `condition` holds; return what it yields."""
    points = scope.points
    find = "np.flatnonzero" if points.rank == 1 else "np.nonzero"
    taken = scope.assign(Expression(f"{find}({condition})"), f"{hint}_rows").text
    outside = {value: scope.values[value] for value in _free_values(region)}
    for value, expression in outside.items():
        if not expression.axes:
            continue
        whole = expression.at(Level.ATOM)
        if len(expression.axes) < points.rank:
            whole = f"np.broadcast_to({expression.text}, {points.shape})"
        part = scope.assign(Expression(f"{whole}[{taken}]"), value.name_hint or "part")
        scope.values[value] = Expression(part.text, axes=frozenset([0]))
    count = f"len({taken})" if points.rank == 1 else f"len({taken}[0])"
    with scope.evaluated_at(1, count, f"{count} > 0"):
        result = scope.body(region.block)
    scope.values.update(outside)
    return result


def _free_values(region: Region) -> list[SSAValue]:
    """The values from outside that a branch uses, in order of their first use."""
    inside: set[SSAValue] = set()
    free: dict[SSAValue, None] = {}
    for op in region.walk():
        inside.update(op.results)
        inside.update(arg for inner in op.regions for block in inner.blocks for arg in block.args)
        free.update((operand, None) for operand in op.operands if operand not in inside)
    return list(free)


def _decide(scope: Scope, op: scf.IfOp) -> None:
    """A condition that is the same at all points: Python's own `if`."""
    names = [scope.name(result.name_hint or "chosen") for result in op.results]

    def branch(block: Block) -> None:
        values = scope.body(block)
        for name, value, result in zip(names, values, op.results, strict=True):
            scope.statement(f"{name} = ", spread(scope.points, value, result.type))

    with scope.indented(f"if {scope.text(op.cond)}:"):
        branch(op.true_region.block)
    with scope.indented("else:"):
        branch(op.false_region.block)
    for result, name in zip(op.results, names, strict=True):
        scope.values[result] = Expression(name, axes=frozenset(range(scope.points.rank)))


def spread(points: Points, value: Expression, type: Attribute) -> str:
    """`value`, of the given type, as an array over all points at which a body is evaluated."""
    if len(value.axes) == points.rank:
        return value.text
    if value.axes:
        return f"np.broadcast_to({value.text}, {points.shape})"
    if is_number(type):
        return f"np.full({points.shape}, {value.text}, {dtype_of(type)})"
    return f"rows.full({points.shape}, {value.text}, {type_code(type)})"
