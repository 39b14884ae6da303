"""What the interpreter does with the `tensor_block` level: every op point by point, row by row.

It says what the ops mean, one Python loop per dimension; tiles, offsets of tiles apart, are of
no concern here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import ceil, floor, nan
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation

from diablo.dialects import tensor_block
from diablo.dialects.bags import BagType, bag_columns
from diablo.dialects.monoids import ANY, PLACE
from diablo.dialects.range_steps import step_of
from diablo.dialects.tensor_block import YieldOp
from diablo.passes.interpreter.interpreted_elements import (
    Environment,
    as_key,
    constant_value,
    in_range,
    write_elements,
)
from diablo.passes.interpreter.interpreted_order import in_order, sorted_rows
from diablo.passes.interpreter.interpreted_values import Array, Index, Row, Value

if TYPE_CHECKING:
    from diablo.passes.interpreter.interpreter import Interpreter

Rule = Callable[["Interpreter", Any, Environment], Value]


def _points(op: Any, env: Environment) -> Iterator[Index]:
    """The points of the iteration space, in row-major order."""
    return product(*(range(env[extent]) for extent in op.extents))


def _seen(op: Any, point: Index, env: Environment) -> Index:
    """The indices that the body sees at `point`."""
    offsets = [env[offset] for offset in op.offsets] or [0] * len(point)
    return tuple(i + offset for i, offset in zip(point, offsets, strict=True))


def _elements(op: Any, point: Index, env: Environment) -> list[Value]:
    """The element of each input at `point`; outside of an input its implicit value."""
    symbols = [env[symbol] for symbol in op.symbols]
    return [
        env[array].at(tuple(map.data.eval(list(point), symbols)))
        for array, map in zip(op.inputs, op.indexing_maps, strict=True)
    ]


def _array(op: Operation, dims: Index, entries: dict[Index, Value]) -> Array:
    type = cast("TensorType[Attribute]", op.results[0].type)
    return Array(dims, tensor_block.dense_rank(type), type.get_element_type(), entries)


def _extents(op: Any, env: Environment) -> Index:
    return tuple(env[extent] for extent in op.extents)


def _map(interpreter: Interpreter, op: tensor_block.MapOp, env: Environment) -> Value:
    entries: dict[Index, Value] = {}
    for point in _points(op, env):
        arguments = [*_seen(op, point, env), *_elements(op, point, env)]
        (entries[point],) = interpreter.with_arguments(op.body.block, arguments, env)
    return _array(op, _extents(op, env), entries)


def _reduce(interpreter: Interpreter, op: tensor_block.ReduceOp, env: Environment) -> Value:
    groups: dict[Index, list[Value]] = {}
    parallel = op.parallel.value.data
    dims = _extents(op, env)[:parallel]
    for point in product(*(range(extent) for extent in dims)):
        groups[point] = []
    for point in _points(op, env):
        arguments = [*_seen(op, point, env), *_elements(op, point, env)]
        (value,) = interpreter.with_arguments(op.body.block, arguments, env)
        groups[point[:parallel]].append(value)
    element = cast("YieldOp", op.body.block.last_op).values[0].type
    monoid = interpreter.monoid(op.monoid.data, element)
    if parallel == 0:
        return monoid.fold(groups[()])
    return _array(op, dims, {key: monoid.fold(values) for key, values in groups.items()})


def _scatter_reduce(
    interpreter: Interpreter, op: tensor_block.ScatterReduceOp, env: Environment
) -> Value:
    dims = tuple(env[size] for size in op.into)
    groups: dict[Index, list[Value]] = {index: [] for index in product(*map(range, dims))}
    for point in _points(op, env):
        arguments = [*_seen(op, point, env), *_elements(op, point, env)]
        *index, value = interpreter.with_arguments(op.body.block, arguments, env)
        groups.get(tuple(index), []).append(value)
    element = cast("YieldOp", op.body.block.last_op).values[-1].type
    monoid = interpreter.monoid(op.monoid.data, element)
    return _array(op, dims, {key: monoid.fold(values) for key, values in groups.items()})


def _slice(_: Interpreter, op: tensor_block.SliceOp, env: Environment) -> Value:
    array: Array = env[op.array]
    kept, fixed = op.kept, {d: env[index] for d, index in op.fixed.items()}
    entries = {
        tuple(index[d] for d in kept): value
        for index, value in array.entries.items()
        if all(index[d] == i for d, i in fixed.items())
    }
    return _array(op, tuple(array.dims[d] for d in kept), entries)


def _scan(interpreter: Interpreter, op: tensor_block.ScanOp, env: Environment) -> Value:
    array: Array = env[op.array]
    monoid = interpreter.monoid(op.monoid.data, array.element)
    axis, entries = op.dimension.value.data, dict[Index, Value]()
    for index in array.indices():
        before = range(index[axis] + 1)
        if op.reverse is not None:
            before = range(index[axis], array.dims[axis])
        line = [array.at((*index[:axis], k, *index[axis + 1 :])) for k in before]
        entries[index] = monoid.fold(line)
    return _array(op, array.dims, entries)


def _to_bag(_: Interpreter, op: tensor_block.ToBagOp, env: Environment) -> Value:
    array: Array = env[op.input]
    offsets = [env[offset] for offset in op.offsets] or [0] * len(array.dims)
    return [
        (*(i + offset for i, offset in zip(index, offsets, strict=True)), array.at(index))
        for index in array.stored()
    ]


def _range(_: Interpreter, op: tensor_block.RangeOp, env: Environment) -> Value:
    step = step_of(op)
    return [(i,) for i in in_range(env[op.lower], env[op.upper], step)]


def _from_bag(interpreter: Interpreter, op: tensor_block.FromBagOp, env: Environment) -> Value:
    dest: Array = env[op.dest[0]] if op.dest else _array(op, _extents(op, env), {})
    offsets = [env[offset] for offset in op.offsets] or [0] * len(dest.dims)
    rows: list[tuple[Row, Row]] = []
    rank = len(dest.dims)
    given = in_order(env[op.bag], range(rank, rank + op.place_columns))
    for row in given:
        index, value = row[:rank], row[-1]
        place = tuple(i - offset for i, offset in zip(index, offsets, strict=True))
        rows.append((place, (value,)))
    if op.monoid is None:
        return write_elements(dest, rows, None)
    monoid = interpreter.monoid(op.monoid.data, dest.element)
    if op.dest:
        return write_elements(dest, rows, monoid)
    groups: dict[Row, list[Value]] = {}
    for place, (value,) in rows:
        groups.setdefault(place, []).append(value)
    totals: list[tuple[Row, Row]] = [(k, (monoid.fold(v),)) for k, v in groups.items()]
    return write_elements(dest, totals, None)


def _filter(interpreter: Interpreter, op: tensor_block.FilterOp, env: Environment) -> Value:
    block = op.body.block
    return [row for row in env[op.bag] if interpreter.with_arguments(block, row, env)[0]]


def _extend(interpreter: Interpreter, op: tensor_block.ExtendOp, env: Environment) -> Value:
    block = op.body.block
    rows = [(*row, *interpreter.with_arguments(block, row, env)) for row in env[op.bag]]
    taken = op.taken
    return rows if taken is None else [tuple(row[c] for c in taken) for row in rows]


def _expand(interpreter: Interpreter, op: tensor_block.ExpandOp, env: Environment) -> Value:
    step = step_of(op)
    block = op.body.block
    rows: list[Row] = []
    for row in env[op.bag]:
        lower, upper = interpreter.with_arguments(block, row, env)
        rows += [(*row, index) for index in in_range(lower, upper, step)]
    return rows


def _project(_: Interpreter, op: tensor_block.ProjectOp, env: Environment) -> Value:
    return [tuple(row[c] for c in op.columns.get_values()) for row in env[op.bag]]


def _lookup(_: Interpreter, op: tensor_block.LookupOp, env: Environment) -> Value:
    array: Array = env[op.array]
    offsets = [env[offset] for offset in op.offsets] or [0] * len(array.dims)
    stored = set(array.stored()) if op.stored is not None else None
    rows: list[Row] = []
    for row in env[op.bag]:
        columns = (row[c] for c in op.columns.get_values())
        index = tuple(c - offset for c, offset in zip(columns, offsets, strict=True))
        found = array.contains(index)
        if op.probe is not None:
            rows.append((*row, array.at(index) if found else array.implicit, found))
        elif found and (stored is None or index in stored):
            rows.append((*row, array.at(index)))
    return rows


def _join(_: Interpreter, op: tensor_block.JoinOp, env: Environment) -> Value:
    keys = list(zip(op.left_keys.get_values(), op.right_keys.get_values(), strict=True))
    alone: list[Row] = []
    if op.outer is not None:
        types = bag_columns(op.right)
        alone = [tuple(constant_value(c, t) for c, t in zip(op.outer, types, strict=True))]
    rows: list[Row] = []
    for left in env[op.left]:
        partners = [r for r in env[op.right] if all(left[a] == r[b] for a, b in keys)]
        rows += [(*left, *right) for right in partners or alone]
    return rows


def _grouped(rows: Sequence[Row], keys: int) -> dict[Row, list[Row]]:
    """The other columns of the rows of each key."""
    groups: dict[Row, list[Row]] = {}
    for row in rows:
        groups.setdefault(as_key(row[:keys]), []).append(row[keys:])
    return groups


def _group_reduce(
    interpreter: Interpreter, op: tensor_block.GroupReduceOp, env: Environment
) -> Value:
    keys = op.keys.value.data
    types = bag_columns(op.result)[keys:]
    monoids = [
        None if name.data in (ANY, PLACE) else interpreter.monoid(name.data, type)
        for name, type in zip(op.monoids, types, strict=True)
    ]

    def fold(members: Sequence[Row], column: int) -> Value:
        monoid, values = monoids[column], [values[column] for values in members]
        return values[-1] if monoid is None else monoid.fold(values)

    places = [keys + n for n, name in enumerate(op.monoids) if name.data == PLACE]
    rows = in_order(env[op.bag], places)

    return [
        (*key, *(fold(members, column) for column in range(len(monoids))))
        for key, members in _grouped(rows, keys).items()
    ]


def _fold(interpreter: Interpreter, op: tensor_block.FoldOp, env: Environment) -> Value:
    monoid = interpreter.monoid(op.monoid.data, op.result.type)
    return monoid.fold([row[0] for row in env[op.bag]])


def _group(_: Interpreter, op: tensor_block.GroupOp, env: Environment) -> Value:
    rows: list[Row] = []
    for key, members in _grouped(env[op.bag], op.keys.value.data).items():
        bags: list[Value] = []
        start = 0
        for width in op.widths:
            bags.append([values[start : start + width] for values in members])
            start += width
        rows.append((*key, *bags))
    return rows


def _unnest(_: Interpreter, op: tensor_block.UnnestOp, env: Environment) -> Value:
    column = op.column.value.data
    return [(*row, *inner) for row in env[op.bag] for inner in row[column]]


def _number(_: Interpreter, op: tensor_block.NumberOp, env: Environment) -> Value:
    return [(*row, number) for number, row in enumerate(env[op.bag])]


def _sort(_: Interpreter, op: tensor_block.SortOp, env: Environment) -> Value:
    rows = sorted_rows([(*row, place) for place, row in enumerate(env[op.bag])], op.by)
    if op.limit is not None:
        rows = rows[: max(env[op.limit], 0)]
    return [tuple(row[column] for column in op.kept) for row in rows]


def _quantile(interpolation: str, values: Sequence[Any], part: float) -> float:
    if any(value != value for value in values):
        return nan
    ordered = sorted(values)
    place = min(max(part, 0.0), 1.0) * (len(values) - 1)
    low, high = ordered[floor(place)], ordered[ceil(place)]
    match interpolation:
        case "lower":
            return low
        case "higher":
            return high
        case "nearest":
            return ordered[round(place)]
        case "midpoint":
            share = 0.5
        case _:
            share = place - floor(place)
    if low == high:
        return low
    apart = high - low
    return low + apart * share if share < 0.5 else high - apart * (1 - share)


def _window(interpreter: Interpreter, op: tensor_block.WindowOp, env: Environment) -> Value:
    columns, rows = bag_columns(op.bag), env[op.bag]
    groups: dict[Row, list[Row]] = {}
    for number, row in enumerate(rows):
        key = as_key(tuple(row[column] for column in op.key_columns))
        groups.setdefault(key, []).append((*row, number))
    made: dict[Value, Row] = {}
    for group in groups.values():
        members = sorted_rows(group, op.by)
        peers = [as_key(tuple(row[column] for column, _ in op.by)) for row in members]
        for place, row in enumerate(members):
            first = peers.index(peers[place])
            last = len(peers) - 1 - peers[::-1].index(peers[place])
            found: list[Value] = []
            for function, size in op.sized_functions:
                column = function.column.data
                values = [member[column] for member in members] if column >= 0 else []
                match function.function.data:
                    case "number":
                        found.append(place)
                    case "size":
                        found.append(len(members))
                    case "first_peer":
                        found.append(first)
                    case "last_peer":
                        found.append(last)
                    case "peers_before":
                        found.append(len(set(peers[:first])))
                    case "shift":
                        assert size is not None
                        source, end = place - env[size], len(members) - 1
                        found += [values[min(max(source, 0), end)], 0 <= source <= end]
                    case "first":
                        found.append(values[0])
                    case "last":
                        found.append(values[-1])
                    case "whole":
                        monoid = interpreter.monoid(function.monoid.data, columns[column])
                        found.append(monoid.fold(values))
                    case "quantile":
                        assert size is not None
                        found.append(_quantile(function.interpolation.data, values, env[size]))
                    case _:
                        monoid = interpreter.monoid(function.monoid.data, columns[column])
                        begin = 0 if size is None else max(place + 1 - env[size], 0)
                        found.append(monoid.fold(values[begin : place + 1]))
            made[row[-1]] = tuple(found)
    return [(*row, *made[number]) for number, row in enumerate(rows)]


def _concat(_: Interpreter, op: tensor_block.ConcatOp, env: Environment) -> Value:
    return [*env[op.left], *env[op.right]]


def _to_map(_: Interpreter, op: tensor_block.ToMapOp, env: Environment) -> Value:
    return env[op.bag]


def _update(interpreter: Interpreter, op: tensor_block.UpdateOp, env: Environment) -> Value:
    assert isinstance(op.result.type, BagType)
    columns, keys = bag_columns(op.result), op.result.type.keys.data
    monoid = None if op.monoid is None else interpreter.monoid(op.monoid.data, columns[-1])
    rows: list[tuple[Row, Row]] = [(row[:keys], row[keys:]) for row in env[op.rows]]
    return write_elements(env[op.dest], rows, monoid)


RULES: dict[type[Operation], Rule] = {
    tensor_block.MapOp: _map,
    tensor_block.ReduceOp: _reduce,
    tensor_block.ScatterReduceOp: _scatter_reduce,
    tensor_block.SliceOp: _slice,
    tensor_block.ScanOp: _scan,
    tensor_block.ToBagOp: _to_bag,
    tensor_block.RangeOp: _range,
    tensor_block.FromBagOp: _from_bag,
    tensor_block.FilterOp: _filter,
    tensor_block.ExtendOp: _extend,
    tensor_block.ExpandOp: _expand,
    tensor_block.ProjectOp: _project,
    tensor_block.LookupOp: _lookup,
    tensor_block.JoinOp: _join,
    tensor_block.GroupReduceOp: _group_reduce,
    tensor_block.FoldOp: _fold,
    tensor_block.GroupOp: _group,
    tensor_block.UnnestOp: _unnest,
    tensor_block.NumberOp: _number,
    tensor_block.SortOp: _sort,
    tensor_block.WindowOp: _window,
    tensor_block.ConcatOp: _concat,
    tensor_block.ToMapOp: _to_map,
    tensor_block.UpdateOp: _update,
}
"""How each op of the level is interpreted."""
