"""Loops in the interpreter. A bulk one: each statement over all iterations, then the next.

The iterations are a list of environments, as in a comprehension. A statement that needs a value
that is absent skips the iteration. An ordered loop is gone through index by index, each for all
iterations around it that have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects import cf, scf
from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from diablo.dialects import diablo
from diablo.dialects.bags import BagType
from diablo.passes.interpreter.interpreted_elements import (
    Environment,
    Monoid,
    OutOfRange,
    Variable,
    as_key,
    constant_value,
    generate,
    read_element,
    write_elements,
)
from diablo.passes.interpreter.interpreted_order import loop_rows
from diablo.passes.interpreter.interpreted_values import Array, Row, Value, implicit_value
from diablo.passes.interpreter.missing import Missing, is_available, missing, run_or_miss
from diablo.passes.interpreter.sparse_zeros import ordinary

if TYPE_CHECKING:
    from diablo.passes.interpreter.interpreter import Interpreter

Write = diablo.StoreOp | diablo.AccumulateOp | diablo.AccumulatePartsOp


def _writes(op: Operation) -> bool:
    return any(isinstance(inner, Write) for inner in op.walk())


def _is_private(ref: SSAValue) -> bool:
    """Return whether each iteration of a loop has a variable of its own for `ref`."""
    parent = ref.owner.parent_op() if isinstance(ref.owner, Operation) else None
    while parent is not None and not isinstance(parent, diablo.ForOp | diablo.ForeachOp):
        parent = parent.parent_op()
    return parent is not None


def run_statement(interp: Interpreter, op: Operation, rows: Sequence[Environment]) -> None:
    """Run one op of a loop's body in every iteration."""
    match op:
        case diablo.ForOp() | diablo.ForeachOp() if op.ordered is not None:
            _run_in_order(interp, op, rows)
        case diablo.ForOp() | diablo.ForeachOp():
            args = op.body.block.args
            inner = [
                {**row, **dict(zip(args, item, strict=True))}
                for row in rows
                if is_available(row, op.operands)
                for item in generate(op, row)
            ]
            run_body(interp, op.body.block, inner)
        case scf.WhileOp() | cf.AssertOp():
            # A step of an ordered loop, in which nothing is missing but what it does not need.
            needed = [operand for inner in op.walk() for operand in inner.operands]
            for row in rows:
                if not any(missing(row.get(value)) for value in needed):
                    interp.run(op, row)
        case diablo.StoreOp() | diablo.AccumulateOp() | diablo.AccumulatePartsOp():
            if isinstance(op, diablo.StoreOp) and not op.indices and _is_private(op.ref):
                # What is missing is so only for those who read the variable.
                for row in rows:
                    if isinstance(row[op.value], Missing):
                        row[op.ref].value = row[op.value]
                rows = [row for row in rows if not isinstance(row[op.value], Missing)]
            write_rows(interp, op, [row for row in rows if is_available(row, op.operands)])
        case diablo.VarOp():
            for row in rows:
                row[op.ref] = Variable(row[op.init])
        case scf.IfOp() if _writes(op):
            for row in rows:
                _miss_what_is_chosen(op, row)
            tested = [row for row in rows if is_available(row, [op.cond])]
            for region, holds in ((op.true_region, True), (op.false_region, False)):
                chosen = [row for row in tested if bool(row[op.cond]) == holds]
                if region.blocks:
                    run_body(interp, region.block, chosen)
        case _:
            for row in rows:
                run_or_miss(interp, op, row)


def _run_in_order(
    interp: Interpreter, op: diablo.ForOp | diablo.ForeachOp, rows: Sequence[Environment]
) -> None:
    """Run an ordered loop: a `for` by its index, any other by the place of the row."""
    args = op.body.block.args
    steps: dict[int, list[Environment]] = {}
    downwards = False
    for row in rows:
        if not is_available(row, op.operands):
            continue
        items = loop_rows(op, generate(op, row))
        for place, item in enumerate(items):
            at = cast(int, item[0]) if isinstance(op, diablo.ForOp) else place
            steps.setdefault(at, []).append({**row, **dict(zip(args, item, strict=True))})
        if isinstance(op, diablo.ForOp) and len(items) > 1:
            downwards |= cast(int, items[1][0]) < cast(int, items[0][0])
    for at in sorted(steps, reverse=downwards):
        run_body(interp, op.body.block, steps[at])


def run_body(interp: Interpreter, block: Block, rows: Sequence[Environment]) -> None:
    """Run the statements of a loop's or branch's body one after the other."""
    for op in block.ops:
        if not op.has_trait(IsTerminator):
            run_statement(interp, op, rows)


def _miss_what_is_chosen(op: scf.IfOp, row: Environment) -> None:
    """Miss the variables whose value a condition chooses where that is missing.

    What would be added to a variable is not added, as if it were missing itself.
    """
    condition = row.get(op.cond)
    if isinstance(condition, Missing):
        for write in op.walk():
            if isinstance(write, diablo.StoreOp) and write.ref in row and _is_private(write.ref):
                row[write.ref].value = condition


def write_rows(interp: Interpreter, op: Write, rows: Sequence[Environment]) -> None:
    """Write what each iteration has for one assignment or accumulation."""
    monoid = None
    if not isinstance(op, diablo.StoreOp):
        monoid = interp.monoid(op.monoid.data, op.value.type)
    if isinstance(op, diablo.AccumulatePartsOp):
        assert monoid is not None
        _write_tuples(op, rows, monoid)
        return
    updates: dict[Variable, list[Environment]] = {}
    for row in rows:
        updates.setdefault(row[op.ref], []).append(row)
    for variable, group in updates.items():
        values = [row[op.value] for row in group]
        old: Any = variable.value
        if isinstance(old, Missing):
            if _replaces(op):
                variable.value = ordinary(values[-1])
        elif op.leaves is not None:
            variable.value = _write_parts(op, op.leaves, old, group, monoid)
        elif op.indices:
            keys = [tuple(row[i] for i in op.indices) for row in group]
            rows_written = [(key, (value,)) for key, value in zip(keys, values, strict=True)]
            variable.value = write_elements(old, rows_written, monoid)
        elif monoid is None:
            variable.value = ordinary(values[-1])
        else:
            for value in map(ordinary, values):
                old = monoid.combine(old, value)
            variable.value = old


def _write_tuples(
    op: diablo.AccumulatePartsOp, rows: Sequence[Environment], monoid: Monoid
) -> None:
    """Combine tuples into the variables of their parts, or into one element of each."""
    found: dict[tuple[tuple[Variable, ...], Row], Row] = {}
    for row in rows:
        variables = tuple(row[ref] for ref in op.refs)
        key = tuple(row[i] for i in op.indices)
        if key and not isinstance(variables[0].value, Array):
            key = as_key(key)
        if (variables, key) not in found:
            before = _tuple_before(op, variables, key, monoid)
            if before is None:
                continue
            found[variables, key] = before
        found[variables, key] = cast(Row, monoid.combine(found[variables, key], row[op.value]))
    for (variables, key), whole in found.items():
        written_parts = zip(op.refs, variables, op.leaves, whole, strict=False)
        for ref, variable, leaf, part in written_parts:
            value = part
            if leaf is not None:
                parts = list(_element(ref, variable, key))
                parts[leaf] = part
                value = tuple(parts)
            written = write_elements(variable.value, [(key, (value,))], None) if key else value
            variable.value = written


def _tuple_before(
    op: diablo.AccumulatePartsOp, variables: Sequence[Variable], key: Row, monoid: Monoid
) -> Row | None:
    """Return what a tuple is combined with: the parts there; none if they lie outside an array."""
    if not key:
        return (*(variable.value for variable in variables), *op.starts)
    parts: list[Value] = []
    for ref, variable, leaf in zip(op.refs, variables, op.leaves, strict=True):
        try:
            whole = read_element(variable.value, key)
        except OutOfRange:
            if isinstance(variable.value, Array):
                return None
            if not parts:
                return cast(Row, monoid.identity)
            whole = _element(ref, variable, key)
        parts.append(whole if leaf is None else cast(Row, whole)[leaf])
    return (*parts, *op.starts)


def _element(ref: SSAValue, variable: Variable, key: Row) -> Any:
    """The element at a key, the implicit one where a map has none."""
    try:
        return read_element(variable.value, key)
    except OutOfRange:
        return _absent_value(ref)


def _replaces(op: Write) -> bool:
    """Whether an assignment, in no branch of its own, makes up for a value that is missing."""
    return (
        isinstance(op, diablo.StoreOp)
        and not op.indices
        and op.leaves is None
        and isinstance(op.ref.owner, Operation)
        and op.parent is op.ref.owner.parent
    )


def _write_parts(
    op: diablo.StoreOp | diablo.AccumulateOp,
    leaves: tuple[int, int],
    old: Array | Sequence[Row],
    rows: Sequence[Environment],
    monoid: Monoid | None,
) -> Array | list[Row]:
    """`old` with a part of some of its elements written; other parts stay as they are."""
    first, count = leaves
    elements: dict[Row, list[Value]] = {}
    for row in rows:
        key = tuple(row[i] for i in op.indices)
        if key not in elements:
            try:
                whole = cast(Row, read_element(old, key))
            except OutOfRange:
                if isinstance(old, Array):
                    continue
                whole = cast(Row, _absent_value(op.ref))
                if monoid is not None:
                    start = (monoid.identity,) if count == 1 else cast(Row, monoid.identity)
                    whole = (*whole[:first], *start, *whole[first + count :])
            elements[key] = list(whole)
        parts = elements[key]
        value = row[op.value]
        if monoid is not None:
            part = parts[first] if count == 1 else tuple(parts[first : first + count])
            value = monoid.combine(part, value)
        parts[first : first + count] = [value] if count == 1 else list(cast(Row, value))
    written = [(key, (tuple(parts),)) for key, parts in elements.items()]
    return write_elements(old, written, None)


def _absent_value(ref: SSAValue) -> Value:
    """The value that parts are written into where a map has none."""
    assert isinstance(ref.type, diablo.RefType)
    assert isinstance(ref.type.value, BagType)
    type, starts = ref.type.value.columns.data[-1], diablo.absent_leaves(ref)
    return constant_value(ArrayAttr(starts), type) if starts else implicit_value(type)
