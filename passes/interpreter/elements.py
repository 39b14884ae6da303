"""What the interpreter does with elements: reading, writing, combining, generating."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects import arith
from xdsl.ir import Attribute, SSAValue

from diablo.dialects import comprehension, diablo, monoids
from diablo.passes.interpreter.scalar_evaluation import Number, evaluate, to_type
from diablo.passes.interpreter.values import Array, Index, Row, Value

Environment = ChainMap[SSAValue, Any]
"""What each value is bound to; the first map is the innermost scope's."""


class OutOfRange(Exception):
    """An element outside the dimensions was read; it drops the row of a comprehension."""


class Variable:
    """What a `!diablo.ref` points to."""

    def __init__(self, value: Value):
        self.value = value


def fold(monoid: str, values: Sequence[Number], type: Attribute) -> Number:
    """The values combined with a monoid, from its identity on."""
    result = to_type(monoids.identity(monoid, type).value.data, type)
    for value in values:
        result = combine(monoid, result, value, type)
    return result


def combine(monoid: str, a: Number, b: Number, type: Attribute) -> Number:
    """Two values joined by a monoid: what the op that stands for it computes."""
    entry = monoids.MONOIDS[monoid]
    kind = entry.floating if isinstance(a, float) else entry.integer
    assert kind is not None
    left, right = (arith.ConstantOp(monoids.identity("add", type)) for _ in range(2))
    result = evaluate(kind(left.result, right.result), (a, b))
    assert result is not None
    return result


def read_element(array: Array, index: Index) -> Number:
    """The element of an array; raises `OutOfRange` outside its dimensions."""
    if not array.contains(index):
        raise OutOfRange(f"index {index} is outside the dimensions {array.dims}")
    return array.at(index)


def in_range(lower: int, upper: int, step: int) -> range:
    """The numbers of a `range` or `for`: `upper` is among them."""
    return range(lower, upper + (1 if step > 0 else -1), step)


def _step(op: comprehension.RangeOp | diablo.ForOp) -> int:
    return 1 if op.step is None else op.step.value.data


def generate(
    op: comprehension.RangeOp | comprehension.EachOp | diablo.ForOp | diablo.ForeachOp,
    env: Mapping[SSAValue, Any],
) -> list[Row]:
    """What a generator or loop binds, one row per iteration."""
    if isinstance(op, comprehension.RangeOp | diablo.ForOp):
        return [(i,) for i in in_range(env[op.lower], env[op.upper], _step(op))]
    collection = env[op.collection]
    if not isinstance(collection, Array):
        return list(collection)
    full = isinstance(op, comprehension.EachOp) and op.full is not None
    indices = collection.indices() if full else collection.stored()
    return [(*index, collection.at(index)) for index in indices]


def write_elements(dest: Array, rows: Sequence[tuple[Index, Number]], monoid: str | None) -> Array:
    """`dest` with rows written or combined into it; rows outside it are dropped."""
    entries: dict[Index, Number] = {}
    for index, value in rows:
        if not dest.contains(index):
            continue
        if monoid is None:
            entries[index] = value
        else:
            old = entries[index] if index in entries else dest.at(index)
            entries[index] = combine(monoid, old, value, dest.element)
    return dest.updated(entries)


def random_number(seed: int, occurrence: int, indices: Sequence[int]) -> float:
    """The number in [0, 1) that `comprehension.random` stands for (see `expand-random`)."""
    mask = 2**64 - 1

    def mix(z: int) -> int:
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & mask
        return z ^ (z >> 31)

    golden = 0x9E3779B97F4A7C15
    start = seed * 0xD1342543DE82EF95 + occurrence * 0xAF251AF3B0F025B5 + golden
    state = mix(start & mask)
    for index in indices:
        state = mix(state ^ (index * golden & mask))
    return (state >> 11) * 2.0**-53
