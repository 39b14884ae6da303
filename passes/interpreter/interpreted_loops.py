"""What the interpreter does with the `multiloop` level: each iteration, one after the other.

    %s = multiloop.loop rows(%L) -> f64 { … multiloop.emit %total(%x) }

A generator is bound to the list of what was emitted to it, which its result is made of after the
last iteration; a scan to what that is combined to so far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, cast

from xdsl.ir import Attribute

from diablo.dialects import multiloop
from diablo.dialects.monoids import ANY
from diablo.dialects.sparse_storage import iteration_order, region_type
from diablo.passes.interpreter.interpreted_elements import Environment, as_key
from diablo.passes.interpreter.interpreted_values import Array, Index, IndexSet, Row, Value

if TYPE_CHECKING:
    from diablo.passes.interpreter.interpreter import Interpreter

Rule = Callable[["Interpreter", Any, Environment], Sequence[Any]]
Emitted = list[tuple[Row, Row]]
"""The keys and the values of each emit to one generator, in order."""


def _iterations(op: multiloop.LoopOp, env: Environment) -> Iterable[Row]:
    if op.source.data == "rows":
        return env[op.inputs[0]]
    if op.source.data == "matches":
        rows, *key = (env[value] for value in op.inputs)
        # NaN equals nothing, which it is to do here.
        return [
            row
            for row in rows
            if all(row[column] == part for column, part in zip(op.matched, key, strict=True))
        ]
    if op.is_over_points:
        return _points(op, env)
    if op.is_over_regions:
        return _stored(op, env)
    lower, upper = (env[end] for end in op.inputs)
    indices = range(lower, upper)
    return [(index,) for index in (indices if op.reverse is None else reversed(indices))]


def _points(op: multiloop.LoopOp, env: Environment) -> Iterator[Row]:
    """The indices of each point, and what is read there; outside of an array it is zero."""
    symbols = [env[symbol] for symbol in op.symbols]
    offsets = _offsets(op, env)
    maps = [map.data for map in op.indexing_maps or ()]
    for point in product(*(range(env[extent]) for extent in op.extents)):
        seen = (index + offset for index, offset in zip(point, offsets, strict=True))
        elements = (
            env[array].at(tuple(map.eval(list(point), symbols)))
            for array, map in zip(op.inputs, maps, strict=True)
        )
        yield (*seen, *elements)


def _stored(op: multiloop.LoopOp, env: Environment) -> Iterator[Row]:
    """The indices of a region with their positions; of several also which of these have each."""
    regions: list[IndexSet] = [env[region] for region in op.inputs]
    if op.source.data == "stored":
        (region,) = regions
        order = op.order.get_values() if op.order else iteration_order(region_type(op.inputs[0]))
        indices = region.ordered(order)
        for index in indices if op.reverse is None else reversed(indices):
            yield (*index, region.positions[index])
        return
    for index in sorted({index for region in regions for index in region.positions}):
        present = [index in region.positions for region in regions]
        if op.source.data == "union" or all(present):
            yield (*index, *(region.positions.get(index, -1) for region in regions), *present)


def _offsets(op: multiloop.LoopOp, env: Environment) -> list[int]:
    return [env[offset] for offset in op.offsets] or [0] * len(op.extents)


def _loop(interpreter: Interpreter, op: multiloop.LoopOp, env: Environment) -> Sequence[Any]:
    emitted: list[Emitted] = [[] for _ in op.generators]
    for row in _iterations(op, env):
        scope = {**env, **dict(zip(op.body.block.args, (*row, *emitted), strict=True))}
        interpreter.block(op.body.block, scope)
    into = [env[size] for size in op.into]
    made: list[Value] = []
    for generator, rows in zip(op.generators, emitted, strict=True):
        if isinstance(table := generator.type, multiloop.TableType):
            dims = tuple(into[: table.rank.data])
            del into[: table.rank.data]
            made.append(_table(interpreter, table, dims, rows))
        elif isinstance(place := generator.type, multiloop.PlaceType) and op.is_over_points:
            dims = tuple(env[extent] for extent in op.extents)
            origin = _offsets(op, env)
            made.append(_placed(place, dims, origin, rows))
        else:
            made.append(_made(interpreter, generator.type, rows))
    return made


def _emit(interpreter: Interpreter, op: multiloop.EmitOp, env: Environment) -> Sequence[Any]:
    key, values = (tuple(env[value] for value in part) for part in (op.keys, op.values))
    emitted: Emitted = env[op.generator]
    if isinstance(scan := op.generator.type, multiloop.ScanType):
        before = [emitted[-1][1][0]] if emitted else []
        values = (interpreter.monoid(scan.monoid.data, scan.element).fold([*before, *values]),)
    emitted.append((key, values))
    return values if op.given else []


def _made(interpreter: Interpreter, generator: Attribute, rows: Emitted) -> Value:
    """The result of a generator."""
    match generator:
        case multiloop.CollectType():
            return [values for _, values in rows]
        case multiloop.ReduceType(monoid=name, element=type):
            return interpreter.monoid(name.data, type).fold([value for _, (value,) in rows])
        case multiloop.ScanType(monoid=name, element=type):
            return rows[-1][1][0] if rows else interpreter.monoid(name.data, type).identity
        case multiloop.BucketReduceType():
            return _buckets(interpreter, generator, rows)
        case multiloop.BucketCollectType():
            return _lists(generator, rows)
        case multiloop.PlaceType(element=type):
            places = {cast("Index", key): value for key, (value,) in rows}
            return Array((len(rows),), 1, type, places)
        case _:
            raise AssertionError(f"{generator} is no generator")


def _table(
    interpreter: Interpreter, table: multiloop.TableType, dims: Index, rows: Emitted
) -> Array:
    """What values of each index are combined to; those of other indices are dropped."""
    held: dict[Index, list[Value]] = {index: [] for index in product(*map(range, dims))}
    for key, (value,) in rows:
        held.get(cast("Index", key), []).append(value)
    monoid = interpreter.monoid(table.monoid.data, table.element)
    entries = {index: monoid.fold(values) for index, values in held.items()}
    return Array(dims, len(dims), table.element, entries)


def _placed(place: multiloop.PlaceType, dims: Index, origin: Sequence[int], rows: Emitted) -> Array:
    """An array with each value at its index, counted from where those of the source begin."""
    entries = {
        tuple(index - first for index, first in zip(cast("Index", key), origin, strict=True)): value
        for key, (value,) in rows
    }
    return Array(dims, len(dims), place.element, entries)


def _buckets(
    interpreter: Interpreter, generator: multiloop.BucketReduceType, rows: Emitted
) -> list[Row]:
    """A row for each key: of the values that were emitted with it, combined column by column."""
    buckets: dict[Row, list[Row]] = {}
    for key, values in rows:
        buckets.setdefault(as_key(key), []).append(values)

    names = [monoid.data for monoid in generator.monoids]

    def combined(column: Sequence[Value], name: str, type: Attribute) -> Value:
        return column[-1] if name == ANY else interpreter.monoid(name, type).fold(column)

    made: list[Row] = []
    for key, members in buckets.items():
        columns = zip(zip(*members, strict=True), names, generator.elements, strict=True)
        made.append((*key, *(combined(column, name, type) for column, name, type in columns)))
    return made


def _lists(generator: multiloop.BucketCollectType, rows: Emitted) -> list[Row]:
    """A row for each key: the lists of the values that were emitted with it."""
    buckets: dict[Row, list[Row]] = {}
    for key, values in rows:
        buckets.setdefault(as_key(key), []).append(values)
    made: list[Row] = []
    for key, members in buckets.items():
        lists: list[Value] = []
        first = 0
        for width in generator.widths:
            lists.append([values[first : first + width] for values in members])
            first += width
        made.append((*key, *lists))
    return made


RULES: dict[type[Any], Rule] = {multiloop.LoopOp: _loop, multiloop.EmitOp: _emit}
"""How each op of the level is interpreted."""
