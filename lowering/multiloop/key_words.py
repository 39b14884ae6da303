"""Keys as words of 64 bits, and their hashes, in loops over buffers.

The hash multiplies by 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming 3,
section 6.4); its high bits are the best ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    AnyFloat,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from diablo.dialects.scalar_types import is_unsigned
from diablo.lowering.multiloop.op_writer import OpWriter
from diablo.passes.analyses.refused import Refused

_WORD = 64
_GOLDEN = 0x9E3779B97F4A7C15 - (1 << 64)
_HALF = 29
"""How far a hash is shifted onto itself before the next column of a key is added."""


def check_key(type: Attribute) -> None:
    """Raise `Refused` unless a column of a key of `type` is a word."""
    is_float = isinstance(type, Float32Type | Float64Type)
    is_integer = isa(type, IntegerType) and type.bitwidth <= _WORD
    if not is_float and not is_integer and not isinstance(type, IndexType):
        raise Refused(f"there is no hash of {type}")


def hash_of(writer: OpWriter, words: Sequence[SSAValue]) -> SSAValue:
    """Append the hash of a key."""
    golden = writer.add(arith.ConstantOp(IntegerAttr(_GOLDEN, i64)))
    first, *others = words
    hash = writer.add(arith.MuliOp(first, golden), "hash")
    for word in others:
        half = writer.add(arith.ConstantOp(IntegerAttr(_HALF, i64)))
        high = writer.add(arith.ShRUIOp(hash, half))
        mixed = writer.add(arith.XOrIOp(word, writer.add(arith.XOrIOp(hash, high))))
        hash = writer.add(arith.MuliOp(mixed, golden), "hash")
    return hash


def canonical(writer: OpWriter, key: SSAValue) -> SSAValue:
    """Append the key that stands for all that are equal to it: one NaN, and 0.0 for -0.0."""
    type: Attribute = key.type
    if not isinstance(type, AnyFloat):
        return key
    zero = writer.add(arith.ConstantOp(FloatAttr(0.0, type)))
    nan = writer.add(arith.ConstantOp(FloatAttr(float("nan"), type)))
    number = writer.add(arith.AddfOp(key, zero))
    return writer.add(arith.SelectOp(writer.add(arith.CmpfOp(key, key, "uno")), nan, number))


def words_of(writer: OpWriter, keys: Sequence[SSAValue]) -> list[SSAValue]:
    """Append the words of the columns of a key, those of equal keys being the same."""
    return [word_of(writer, canonical(writer, key)) for key in keys]


def has_words(
    writer: OpWriter, columns: Sequence[SSAValue], words: Sequence[SSAValue], row: SSAValue
) -> SSAValue:
    """Append whether the key of a row, which lies in `columns`, has some words."""
    same: SSAValue | None = None
    for column, word in zip(columns, words, strict=True):
        (stored,) = words_of(writer, [writer.add(memref.LoadOp.get(column, [row]))])
        test = writer.add(arith.CmpiOp(stored, word, "eq"))
        same = test if same is None else writer.add(arith.AndIOp(same, test))
    assert same is not None
    return same


def word_of(writer: OpWriter, key: SSAValue) -> SSAValue:
    """Append the bits of a key as an integer of 64 bits; equal keys alone have equal bits."""
    match key.type:
        case Float32Type():
            return writer.add(arith.ExtUIOp(writer.add(arith.BitcastOp(key, i32)), i64))
        case Float64Type():
            return writer.add(arith.BitcastOp(key, i64))
        case IndexType():
            return writer.add(arith.IndexCastOp(key, i64))
        case IntegerType(width=width) if width.data == 64:
            return key if key.type == i64 else writer.add(arith.BitcastOp(key, i64))
        case type if type == i1 or is_unsigned(type):
            return writer.add(arith.ExtUIOp(key, i64))
        case _:
            return writer.add(arith.ExtSIOp(key, i64))
