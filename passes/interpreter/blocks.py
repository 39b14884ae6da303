"""What the interpreter does with the `tensor_block` level: every op point by point, row by row.

It says what the ops mean, one Python loop per dimension; tiles, offsets of tiles apart, are of
no concern here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, Operation

from diablo.dialects import tensor_block
from diablo.dialects.comprehension import BagType
from diablo.passes.interpreter.elements import Environment, combine, fold, in_range
from diablo.passes.interpreter.scalar_evaluation import Number
from diablo.passes.interpreter.values import Array, Index, Row, Value

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


def _body(
    interpreter: Interpreter, block: Block, arguments: Sequence[Any], env: Environment
) -> Sequence[Any]:
    scope = env.new_child(dict(zip(block.args, arguments, strict=True)))
    return interpreter.block(block, scope)


def _elements(op: Any, point: Index, env: Environment) -> list[Number]:
    """The element of each input at `point`."""
    return [
        env[array].at(tuple(map.data.eval(list(point), [])))
        for array, map in zip(op.inputs, op.maps, strict=True)
    ]


def _array(op: Operation, dims: Index, entries: dict[Index, Number]) -> Array:
    type = cast("TensorType[Attribute]", op.results[0].type)
    return Array(dims, tensor_block.dense_rank(type), type.get_element_type(), entries)


def _extents(op: Any, env: Environment) -> Index:
    return tuple(env[extent] for extent in op.extents)


def _generate(interpreter: Interpreter, op: tensor_block.GenerateOp, env: Environment) -> Value:
    entries = {
        point: _body(interpreter, op.body.block, _seen(op, point, env), env)[0]
        for point in _points(op, env)
    }
    return _array(op, _extents(op, env), entries)


def _map(interpreter: Interpreter, op: tensor_block.MapOp, env: Environment) -> Value:
    entries: dict[Index, Number] = {}
    for point in _points(op, env):
        arguments = [*_seen(op, point, env), *_elements(op, point, env)]
        (entries[point],) = _body(interpreter, op.body.block, arguments, env)
    return _array(op, _extents(op, env), entries)


def _reduce(
    interpreter: Interpreter,
    op: tensor_block.ContractOp | tensor_block.ReduceOp,
    env: Environment,
) -> Value:
    groups: dict[Index, list[Number]] = {}
    parallel = op.parallel.value.data
    dims = _extents(op, env)[:parallel]
    for point in product(*(range(extent) for extent in dims)):
        groups[point] = []
    for point in _points(op, env):
        arguments = [*_seen(op, point, env), *_elements(op, point, env)]
        (value,) = _body(interpreter, op.body.block, arguments, env)
        groups[point[:parallel]].append(value)
    monoid = op.monoid.data
    if parallel == 0:
        return fold(monoid, groups[()], op.result.type)
    element = cast("TensorType[Attribute]", op.result.type).get_element_type()
    return _array(op, dims, {key: fold(monoid, values, element) for key, values in groups.items()})


def _to_bag(_: Interpreter, op: tensor_block.ToBagOp, env: Environment) -> Value:
    array: Array = env[op.input]
    offsets = [env[offset] for offset in op.offsets] or [0] * len(array.dims)
    return [
        (*(i + offset for i, offset in zip(index, offsets, strict=True)), array.at(index))
        for index in array.stored()
    ]


def _range(_: Interpreter, op: tensor_block.RangeOp, env: Environment) -> Value:
    step = 1 if op.step is None else op.step.value.data
    return [(i,) for i in in_range(env[op.lower], env[op.upper], step)]


def _from_bag(_: Interpreter, op: tensor_block.FromBagOp, env: Environment) -> Value:
    dest: Array = env[op.dest[0]] if op.dest else _array(op, _extents(op, env), {})
    offsets = [env[offset] for offset in op.offsets] or [0] * len(dest.dims)
    entries: dict[Index, Number] = dict(dest.entries) if op.dest else {}
    for *index, value in env[op.bag]:
        place = tuple(i - offset for i, offset in zip(index, offsets, strict=True))
        if not dest.contains(place):
            continue
        old = entries.get(place, dest.implicit if op.dest else None)
        if op.monoid is not None and old is not None:
            entries[place] = combine(op.monoid.data, old, value, dest.element)
        else:
            entries[place] = value
    return dest.updated(entries)


def _filter(interpreter: Interpreter, op: tensor_block.FilterOp, env: Environment) -> Value:
    block = op.body.block
    return [row for row in env[op.bag] if _body(interpreter, block, row, env)[0]]


def _extend(interpreter: Interpreter, op: tensor_block.ExtendOp, env: Environment) -> Value:
    block = op.body.block
    return [(*row, *_body(interpreter, block, row, env)) for row in env[op.bag]]


def _expand(interpreter: Interpreter, op: tensor_block.ExpandOp, env: Environment) -> Value:
    step = 1 if op.step is None else op.step.value.data
    block = op.body.block
    rows: list[Row] = []
    for row in env[op.bag]:
        lower, upper = _body(interpreter, block, row, env)
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
        if array.contains(index) and (stored is None or index in stored):
            rows.append((*row, array.at(index)))
    return rows


def _join(_: Interpreter, op: tensor_block.JoinOp, env: Environment) -> Value:
    keys = list(zip(op.left_keys.get_values(), op.right_keys.get_values(), strict=True))
    return [
        (*left, *right)
        for left in env[op.left]
        for right in env[op.right]
        if all(left[a] == right[b] for a, b in keys)
    ]


def _group_reduce(_: Interpreter, op: tensor_block.GroupReduceOp, env: Environment) -> Value:
    keys = op.keys.value.data
    assert isinstance(op.result.type, BagType)
    types = tuple(op.result.type.columns)[keys:]
    groups: dict[Row, list[Row]] = {}
    for row in env[op.bag]:
        groups.setdefault(tuple(row[:keys]), []).append(tuple(row[keys:]))
    return [
        (
            *key,
            *(
                fold(monoid.data, [cast("Number", values[c]) for values in members], type)
                for c, (monoid, type) in enumerate(zip(op.monoids, types, strict=True))
            ),
        )
        for key, members in groups.items()
    ]


def _fold(_: Interpreter, op: tensor_block.FoldOp, env: Environment) -> Value:
    return fold(op.monoid.data, [row[0] for row in env[op.bag]], op.result.type)


RULES: dict[type[Operation], Rule] = {
    tensor_block.GenerateOp: _generate,
    tensor_block.MapOp: _map,
    tensor_block.ContractOp: _reduce,
    tensor_block.ReduceOp: _reduce,
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
}
"""How each op of the level is interpreted."""
