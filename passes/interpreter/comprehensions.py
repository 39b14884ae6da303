"""Comprehensions in the interpreter, and the other ops of that level.

A comprehension is a list of environments, one per row: a generator makes each row several, a
guard drops rows, `group_by` makes one row of each group, in the order of their keys; any other op,
another comprehension among them, is evaluated in every row. One that fails there fails the program
where a qualifier or the yield needs its result. Rows of a list that nothing but generators goes
through may hold values that failed: these fail the program where something behind a generator
needs them, since it may go through the rows without having made a list.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects import bufferization, tensor
from xdsl.ir import Block, Operation, SSAValue

from diablo.dialects import comprehension
from diablo.dialects.bags import bag_columns
from diablo.dialects.tensor_block import dense_rank
from diablo.passes.interpreter.interpreted_elements import (
    Environment,
    as_key,
    find_row,
    generate,
    hash_value,
    random_number,
    read_element,
    write_elements,
)
from diablo.passes.interpreter.interpreted_order import ascending, in_order
from diablo.passes.interpreter.interpreted_values import Array, Index, Row, Value, implicit_value
from diablo.passes.interpreter.missing import is_available, missing, run_or_miss
from diablo.passes.interpreter.scalar_evaluation import EvaluationError
from diablo.passes.interpreter.sparse_zeros import element_of, ordinary_row
from diablo.passes.interpreter.string_evaluation import EVALUATORS

if TYPE_CHECKING:
    from diablo.passes.interpreter.interpreter import Interpreter

Rule = Callable[["Interpreter", Any, Environment], Sequence[Any]]


def run_rows(interp: Interpreter, block: Block, env: Environment) -> list[tuple[Row, Row]]:
    """The keys and values that the body of a comprehension yields."""
    rows = [dict(env)]
    invariant: set[SSAValue] = set()
    for op in block.ops:
        match op:
            case comprehension.EachOp() | comprehension.RangeOp():
                rows = [
                    {**row, **dict(zip(op.results, item, strict=True))}
                    for row in _having(rows, op)
                    for item in generate(op, row)
                ]
            case comprehension.GuardOp():
                rows = [row for row in _having(rows, op) if row[op.condition]]
            case comprehension.GroupByOp():
                rows = [row for row in rows if is_available(row, op.keys)]
                rows = _groups(op, rows, invariant, env)
            case comprehension.YieldOp():
                partial = _is_gone_through(block.parent_op())
                return [
                    (
                        ordinary_row(tuple(row[k] for k in op.keys)),
                        ordinary_row(tuple(row[v] for v in op.values)),
                    )
                    for row in rows
                    if (partial and _has_parts(row, op.operands)) or is_available(row, op.operands)
                ]
            case _:
                if _is_invariant(op, block, invariant):
                    invariant.update(op.results)
                rows = [row for row in rows if _run_in_row(interp, op, row)]
    raise AssertionError("a comprehension's body ends with a yield")


def _having(rows: Sequence[Environment], op: Operation) -> Sequence[Environment]:
    """The rows, each of which has what `op` needs; raises the error of a value that failed."""
    return [row for row in rows if is_available(row, op.operands)]


def _run_in_row(interp: Interpreter, op: Operation, row: Environment) -> bool:
    """Run `op`; false if it reads outside an array, so that the row is dropped."""
    if isinstance(op, comprehension.ListOp) and _is_gone_through(op) and _has_parts(row, op.parts):
        interp.run(op, row)
        return True
    found = run_or_miss(interp, op, row)
    if found is None:
        return True
    if found.error is not None and not op.results:
        raise found.error
    return found.error is not None


def _is_gone_through(op: Operation | None) -> bool:
    """Return whether `op` makes a list, and nothing but generators that keep its order reads it."""
    if not isinstance(op, comprehension.ListOp | comprehension.CollectOp):
        return False
    return not op.result.type.is_map and all(
        isinstance(use.operation, comprehension.EachOp) and use.operation.sorted is None
        for use in op.result.uses
    )


def _has_parts(row: Environment, values: Sequence[SSAValue]) -> bool:
    """Return whether each value is there or has failed, so that none was read outside an array."""
    found = (missing(row.get(value)) for value in values)
    return all(part is None or part.error is not None for part in found)


def _is_invariant(op: Operation, block: Block, invariant: set[SSAValue]) -> bool:
    """Return whether `op` uses nothing that a generator of `block` binds."""
    return all(
        operand in invariant
        or not isinstance(operand.owner, Operation)
        or operand.owner.parent is not block
        for inner in op.walk()
        for operand in inner.operands
    )


def _groups(
    op: comprehension.GroupByOp,
    rows: Sequence[Environment],
    invariant: set[SSAValue],
    env: Environment,
) -> list[Environment]:
    groups: dict[Row, list[Environment]] = {}
    for row in rows:
        groups.setdefault(as_key(tuple(row[key] for key in op.keys)), []).append(row)
    result: list[Environment] = []
    for keys in in_order(list(groups), range(len(op.keys))):
        members = groups[keys]
        first = members[0]
        scope = {**env, **{value: first[value] for value in invariant}}
        scope.update(zip(op.group_keys, keys, strict=True))
        for values, bag in zip(op.bag_values, op.bags, strict=True):
            found = (missing(member[value]) for member in members for value in values)
            scope[bag] = next(filter(None, found), None) or [
                ordinary_row(tuple(member[value] for value in values)) for member in members
            ]
        result.append(scope)
    return result


def _build(interp: Interpreter, op: comprehension.BuildOp, env: Environment) -> Sequence[Value]:
    type = op.result.type
    dims = tuple(env[dim] for dim in op.dims)
    empty = Array(dims, dense_rank(type), type.get_element_type())
    return [write_elements(empty, run_rows(interp, op.body.block, env), None)]


def _merge(interp: Interpreter, op: comprehension.MergeOp, env: Environment) -> Sequence[Value]:
    rows = run_rows(interp, op.body.block, env)
    monoid = None
    if op.monoid is not None:
        (value,) = cast(comprehension.YieldOp, op.body.block.last_op).values
        monoid = interp.monoid(op.monoid.data, value.type)
    return [write_elements(env[op.dest], rows, monoid)]


def _collect(interp: Interpreter, op: comprehension.CollectOp, env: Environment) -> Sequence[Value]:
    rows = [(*keys, *values) for keys, values in run_rows(interp, op.body.block, env)]
    if (count := op.result.type.keys.data) > 0:
        found = {as_key(row[:count]): row[count:] for row in rows}
        rows = [(*key, *values) for key, values in found.items()]
    return [rows]


def _aggregate(
    interp: Interpreter, op: comprehension.AggregateOp, env: Environment
) -> Sequence[Value]:
    values = [values[0] for _, values in run_rows(interp, op.body.block, env)]
    return [interp.monoid(op.monoid.data, op.result.type).fold(values)]


def _reduce(interp: Interpreter, op: comprehension.ReduceOp, env: Environment) -> Sequence[Value]:
    monoid = interp.monoid(op.monoid.data, op.result.type)
    return [monoid.fold([row[0] for row in env[op.bag]])]


def _last(_: Interpreter, op: comprehension.LastOp, env: Environment) -> Sequence[Value]:
    places = op.places.value.data
    return in_order(env[op.bag], range(places))[-1][places:]


def _element(_: Interpreter, op: comprehension.ElementOp, env: Environment) -> Sequence[Value]:
    rows, position = env[op.bag], env[op.position]
    if not 0 <= position < len(rows):
        raise EvaluationError(f"position {position} is outside a list of length {len(rows)}")
    return rows[position]


def _list(_: Interpreter, op: comprehension.ListOp, env: Environment) -> Sequence[Value]:
    return [[tuple(env[part] for part in row) for row in op.rows]]


def _string_call(
    _: Interpreter, op: comprehension.StringCallOp, env: Environment
) -> Sequence[Value]:
    arguments = [env[argument] for argument in op.arguments]
    return [EVALUATORS[op.function.data](*arguments)]


def _probe(_: Interpreter, op: comprehension.ProbeOp, env: Environment) -> Sequence[Value]:
    collection, key = env[op.collection], tuple(env[key] for key in op.keys)
    if isinstance(collection, Array):
        index = cast(Index, key)
        inside = collection.contains(index)
        value = collection.at(index) if inside else collection.implicit
        return [element_of(collection, value), inside]
    found = find_row(collection, key)
    if found is None:
        return [*(implicit_value(value.type) for value in op.values), False]
    return [*found, True]


def _sequence(_: Interpreter, op: comprehension.SequenceOp, env: Environment) -> Sequence[Any]:
    rows = ascending(env[op.bag], bag_columns(op.bag), op.sorted_columns)
    return [rows, len(rows)]


def _column(_: Interpreter, op: comprehension.ColumnOp, env: Environment) -> Sequence[Any]:
    rows, number = env[op.rows], op.number.value.data
    entries = {(place,): row[number] for place, row in enumerate(rows)}
    return [Array((len(rows),), 1, op.values.type.get_element_type(), entries)]


def _table(_: Interpreter, op: comprehension.TableOp, env: Environment) -> Sequence[Any]:
    keys = op.table.type.keys.data
    return [{as_key(row[:keys]): row for row in env[op.rows]}]


def _find(_: Interpreter, op: comprehension.FindOp, env: Environment) -> Sequence[Value]:
    key = tuple(env[key] for key in op.keys)
    table = env[op.table]
    row = table.get(as_key(key))
    if row is None or (op.grouped is None and find_row([row], key) is None):
        return [*(implicit_value(value.type) for value in op.values), False]
    return [*row[len(key) :], True]


def _put(_: Interpreter, op: comprehension.PutOp, env: Environment) -> Sequence[Value]:
    key = as_key(tuple(env[key] for key in op.keys))
    env[op.table][key] = (*key, *(env[value] for value in op.values))
    return []


def _entries(_: Interpreter, op: comprehension.EntriesOp, env: Environment) -> Sequence[Any]:
    return [list(env[op.table].values())]


def _random(_: Interpreter, op: comprehension.RandomOp, env: Environment) -> Sequence[Value]:
    return [random_number(env[op.seed], op.occurrence.value.data, [env[i] for i in op.indices])]


def _extract(_: Interpreter, op: tensor.ExtractOp, env: Environment) -> Sequence[Value]:
    return [read_element(env[op.tensor], tuple(env[index] for index in op.indices))]


def _splat(_: Interpreter, op: tensor.SplatOp, env: Environment) -> Sequence[Value]:
    dims = tuple(env[size] for size in op.dynamicSizes)
    element: Value = env[op.input]
    entries = dict.fromkeys(product(*map(range, dims)), element)
    return [Array(dims, len(dims), op.input.type, entries)]


def _insert(_: Interpreter, op: tensor.InsertOp, env: Environment) -> Sequence[Value]:
    index = tuple(env[i] for i in op.indices)
    return [env[op.dest].updated({index: env[op.scalar]})]


def _collapse(_: Interpreter, op: tensor.CollapseShapeOp, env: Environment) -> Sequence[Value]:
    source = env[op.src]
    groups = [[axis.value.data for axis in group] for group in cast("Any", op.reassociation)]

    def joined(index: Index, axes: Sequence[int]) -> int:
        total = 0
        for axis in axes:
            total = total * source.dims[axis] + index[axis]
        return total

    dims = tuple(prod(source.dims[axis] for axis in axes) for axes in groups)
    entries = {
        tuple(joined(index, axes) for axes in groups): source.at(index)
        for index in source.indices()
    }
    return [Array(dims, len(dims), source.element, entries)]


RULES: dict[type[Operation], Rule] = {
    comprehension.BuildOp: _build,
    comprehension.MergeOp: _merge,
    comprehension.CollectOp: _collect,
    comprehension.AggregateOp: _aggregate,
    comprehension.ReduceOp: _reduce,
    comprehension.LengthOp: lambda _, op, env: [len(env[op.bag])],
    comprehension.LastOp: _last,
    comprehension.ElementOp: _element,
    comprehension.RandomOp: _random,
    comprehension.ListOp: _list,
    comprehension.ConstantListOp: lambda _, op, env: [op.rows],
    comprehension.PackOp: lambda _, op, env: [tuple(env[part] for part in op.parts)],
    comprehension.UnpackOp: lambda _, op, env: env[op.tuple],
    comprehension.StringOp: lambda _, op, env: [op.value.data],
    comprehension.StringCallOp: _string_call,
    comprehension.ProbeOp: _probe,
    comprehension.PlaceOp: lambda _, op, env: [env[op.array]],
    comprehension.SequenceOp: _sequence,
    comprehension.RowOp: lambda _, op, env: env[op.rows][env[op.place]],
    comprehension.ColumnOp: _column,
    comprehension.TableOp: _table,
    comprehension.FindOp: _find,
    comprehension.PutOp: _put,
    comprehension.SizeOp: lambda _, op, env: [len(env[op.table])],
    comprehension.EntriesOp: _entries,
    comprehension.HashOp: lambda _, op, env: [hash_value(env[op.value])],
    tensor.ExtractOp: _extract,
    tensor.CollapseShapeOp: _collapse,
    tensor.SplatOp: _splat,
    tensor.InsertOp: _insert,
    bufferization.AllocTensorOp: lambda _, op, env: [env[op.copy]],
    tensor.DimOp: lambda _, op, env: [env[op.source].dims[env[op.index]]],
}
"""How each op of the level that is no qualifier is interpreted."""
