"""What the interpreter does with elements: reading, writing, combining, generating, hashing."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    TupleType,
)
from xdsl.dialects.complex import ComplexNumberAttr
from xdsl.ir import Attribute, SSAValue

from diablo.dialects import comprehension, diablo, monoids
from diablo.dialects.bags import BagType, sorted_columns
from diablo.dialects.number_constants import constant_op
from diablo.dialects.range_steps import step_of
from diablo.dialects.string_functions import character
from diablo.passes.interpreter.interpreted_order import in_order
from diablo.passes.interpreter.interpreted_values import Array, Index, Row, Value, implicit_value
from diablo.passes.interpreter.scalar_evaluation import AnyNumber, evaluate, to_type
from diablo.passes.interpreter.sparse_zeros import (
    element_of,
    evaluate_in_row,
    ordinary,
    ordinary_row,
)

Environment = dict[SSAValue, Any]
"""What each value is bound to in a scope; an inner scope is a copy with more in it."""


class OutOfRange(Exception):
    """What was read is not there; it drops the row of a comprehension."""


class Variable:
    """What a `!diablo.ref` points to."""

    def __init__(self, value: Any):
        self.value = value


@dataclass(frozen=True)
class Monoid:
    """A monoid on values of one type."""

    identity: Value
    combine: Callable[[Any, Any], Value]

    def fold(self, values: Sequence[Value]) -> Value:
        """The values combined, from the identity on."""
        result = self.identity
        for value in values:
            result = self.combine(result, value)
        return result


@lru_cache(maxsize=256)
def built_in_monoid(name: str, type: Attribute) -> Monoid:
    """A built-in monoid: two values are joined as the op that stands for it computes."""
    zero = constant_op(monoids.zero_of(type)).result
    op = monoids.combine(name, zero, zero)

    def combine(a: AnyNumber, b: AnyNumber) -> Value:
        result = evaluate_in_row(op, (a, b))
        assert result is not None
        return result

    identity = evaluate(constant_op(monoids.identity(name, type)), ())
    assert identity is not None
    return Monoid(identity, combine)


def constant_value(constant: Attribute, type: Attribute) -> Value:
    """The value of `type` that an attribute stands for; any other is the implicit one."""
    match constant:
        case IntegerAttr() | FloatAttr():
            return to_type(constant.value.data, type)
        case ComplexNumberAttr():
            return to_type(complex(constant.real.data, constant.imag.data), type)
        case StringAttr():
            return constant.data
        case ArrayAttr():
            assert isinstance(type, TupleType)
            parts = zip(constant, type.types, strict=True)
            return tuple(constant_value(part, part_type) for part, part_type in parts)
        case _:
            return implicit_value(type)


_NAN = float("nan")


def as_key(key: Row) -> Row:
    """A key as groups and maps have it: 0.0 for -0.0, and one NaN, which Python finds by `is`."""
    return tuple(map(_as_key, key))


def _as_key(part: Value) -> Value:
    if isinstance(part, tuple):
        return as_key(part)
    if isinstance(part, float):
        return _NAN if part != part else part + 0.0
    return part


def _is_equal(left: Value, right: Value) -> bool:
    """Equality of the language: NaN equals nothing, also as a part of a tuple."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return all(map(_is_equal, left, right))
    return left == right


def find_row(rows: Sequence[Row], key: Row) -> Row | None:
    """Return what a map holds for a key."""
    keys = len(key)
    return next((row[keys:] for row in rows if _is_equal(row[:keys], key)), None)


def read_element(
    collection: Array | Sequence[Row], key: Row, types: Sequence[Attribute] = ()
) -> Value:
    """The element of an array or the one value of a map; raises `OutOfRange` if there is none.

    `types` are those of the key, for what the error says.
    """
    if isinstance(collection, Array):
        index = cast(Index, key)
        if not collection.contains(index):
            raise OutOfRange(f"index {index} is outside the dimensions {collection.dims}")
        return element_of(collection, collection.at(index))
    row = find_row(collection, key)
    if row is None:
        raise OutOfRange(f"the map has no such key: {key_text(key, types)}")
    return row[0]


def key_text(key: Row, types: Sequence[Attribute] = ()) -> str:
    """The key of a map, or the index of an element, as a program writes it.

    Characters, which are held as numbers, are known by `types`.
    """

    def written(part: Value, type: Attribute | None) -> str:
        if isinstance(part, bool):
            return "true" if part else "false"
        if type == character and isinstance(part, int):
            part = chr(part)
        return f'"{part}"' if isinstance(part, str) else str(part)

    parts = [written(part, type) for part, type in zip_longest(key, types)]
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def in_range(lower: int, upper: int, step: int) -> range:
    """The numbers of a `range` or `for`: `upper` is among them."""
    return range(lower, upper + (1 if step > 0 else -1), step)


def _step(op: comprehension.RangeOp | diablo.ForOp, env: Mapping[SSAValue, Any]) -> int:
    if isinstance(op, diablo.ForOp) and op.by is not None:
        return env[op.by]
    return step_of(op)


def generate(
    op: comprehension.RangeOp | comprehension.EachOp | diablo.ForOp | diablo.ForeachOp,
    env: Mapping[SSAValue, Any],
) -> list[Row]:
    """Return what a generator or loop binds, one row per iteration."""
    if isinstance(op, comprehension.RangeOp | diablo.ForOp):
        return [(i,) for i in in_range(env[op.lower], env[op.upper], _step(op, env))]
    collection = env[op.collection]
    if not isinstance(collection, Array):
        type = op.collection.type
        assert isinstance(type, BagType)
        sorted = None if isinstance(op, diablo.ForeachOp) and op.ordered is not None else op.sorted
        return list(in_order(collection, range(sorted_columns(type, sorted))))
    full = isinstance(op, comprehension.EachOp) and op.full is not None
    indices = collection.indices() if full else collection.stored()
    return [(*index, element_of(collection, collection.at(index))) for index in indices]


def write_elements(
    dest: Array | Sequence[Row], rows: Sequence[tuple[Row, Row]], monoid: Monoid | None
) -> Array | list[Row]:
    """`dest`, an array or a map, with rows (key, values) written or combined into it.

    Rows outside an array are dropped.
    """
    if not isinstance(dest, Array):
        return _write_map(dest, [(ordinary_row(k), ordinary_row(v)) for k, v in rows], monoid)
    entries: dict[Index, Value] = {}
    for key, (value,) in rows:
        index = cast(Index, key)
        if not dest.contains(index):
            continue
        if monoid is None:
            entries[index] = ordinary(value)
        else:
            old = element_of(dest, entries[index] if index in entries else dest.at(index))
            entries[index] = ordinary(monoid.combine(old, value))
    return dest.updated(entries)


def _write_map(
    dest: Sequence[Row], rows: Sequence[tuple[Row, Row]], monoid: Monoid | None
) -> list[Row]:
    keys = len(rows[0][0]) if rows else 0
    entries = {as_key(row[:keys]): row[keys:] for row in dest} if rows else {}
    for written, values in rows:
        key = as_key(written)
        if monoid is not None:
            (old,) = entries.get(key, (monoid.identity,))
            values = (monoid.combine(old, values[0]),)
        entries[key] = values
    return [(*key, *values) for key, values in entries.items()] if rows else list(dest)


def hash_value(value: AnyNumber | str) -> int:
    """The index that `comprehension.hash` gives for a number or a string.

    Integers and Booleans are their own hash. That of a float is the bits of `value + 0.0` as a
    double, those of one NaN for every NaN, that of a string the 64-bit FNV-1a hash of its UTF-8
    bytes (offset basis 0xCBF29CE484222325, prime 0x100000001B3), both read as signed.
    """
    if isinstance(value, float):
        return struct.unpack("<q", struct.pack("<d", _NAN if value != value else value + 0.0))[0]
    if isinstance(value, str):
        state = 0xCBF29CE484222325
        for byte in value.encode():
            state = (state ^ byte) * 0x100000001B3 & (2**64 - 1)
        return int(to_type(state, IndexType()))
    return int(cast("int", value))


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
