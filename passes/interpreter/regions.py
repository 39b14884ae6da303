"""What the interpreter does with the `sparse_storage` level, and with the loops below it.

A region is a dictionary from indices to positions; what the ops mean is said in one or two
lines each. Buffers are lists of elements, so that loops over the buffers of a layout can be run
too, and compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from xdsl.dialects import bufferization, math, memref, scf
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from diablo.dialects import multiloop, sparse_storage
from diablo.dialects.encodings import array_type, dense_rank
from diablo.dialects.sparse_storage import iteration_order, region_type
from diablo.passes.interpreter.interpreted_elements import Environment, OutOfRange
from diablo.passes.interpreter.interpreted_values import (
    Array,
    Index,
    IndexSet,
    Value,
    implicit_value,
)
from diablo.passes.interpreter.scalar_evaluation import width_of

if TYPE_CHECKING:
    from diablo.passes.interpreter.interpreter import Interpreter

Rule = Callable[["Interpreter", Any, Environment], Sequence[Any]]


def numbered(dims: Index, indices: Iterable[Index], order: Sequence[int]) -> IndexSet:
    """The region of some indices, whose positions ascend in an order."""
    ordered = sorted(indices, key=lambda index: [index[d] for d in order])
    return IndexSet(dims, {index: position for position, index in enumerate(ordered)})


@dataclass
class Buffer:
    """What a memref refers to: elements that can be replaced, in row-major order."""

    dims: Index
    elements: list[Value]

    def place(self, index: Index) -> int:
        """Return where the element at an index is; raises `OutOfRange` outside the buffer."""
        if len(index) != len(self.dims) or not all(
            0 <= i < extent for i, extent in zip(index, self.dims, strict=True)
        ):
            raise OutOfRange(f"index {index} is outside a buffer of dimensions {self.dims}")
        place = 0
        for i, extent in zip(index, self.dims, strict=True):
            place = place * extent + i
        return place


# Arrays


def _unpack(_: Interpreter, op: sparse_storage.UnpackOp, env: Environment) -> Sequence[Any]:
    array: Array = env[op.array]
    region = numbered(array.dims, array.stored(), iteration_order(region_type(op.region)))
    if op.values is None:
        return [region]
    values = [array.at(index) for index in region.positions]
    return [region, Buffer((len(values),), values)]


def _pack(_: Interpreter, op: sparse_storage.PackOp, env: Environment) -> Sequence[Any]:
    region: IndexSet = env[op.region]
    type = array_type(op.array)
    values = [True] * len(region.positions) if op.values is None else env[op.values].elements
    entries = {index: values[position] for index, position in region.positions.items()}
    return [Array(region.dims, dense_rank(type), type.get_element_type(), entries)]


def _implicit(_: Interpreter, op: sparse_storage.ImplicitOp, env: Environment) -> Sequence[Any]:
    return [implicit_value(op.value.type)]


# Regions


def _box(_: Interpreter, op: sparse_storage.BoxOp, env: Environment) -> Sequence[Any]:
    dims = tuple(env[extent] for extent in op.extents)
    return [numbered(dims, product(*map(range, dims)), range(len(dims)))]


def _region_where(
    interpreter: Interpreter, op: sparse_storage.RegionWhereOp, env: Environment
) -> Sequence[Any]:
    base: IndexSet = env[op.base]
    block = op.body.block
    indices = [
        index
        for index, position in base.positions.items()
        if interpreter.with_arguments(block, [*index, position], env)[0]
    ]
    return [numbered(base.dims, indices, iteration_order(region_type(op.region)))]


def _slice(_: Interpreter, op: sparse_storage.SliceOp, env: Environment) -> Sequence[Any]:
    base: IndexSet = env[op.base]
    fixed = {d: env[index] for d, index in op.fixed.items()}

    def rest(index: Index) -> Index:
        return tuple(i for d, i in enumerate(index) if d not in fixed)

    positions = {
        rest(index): position
        for index, position in base.positions.items()
        if all(index[d] == i for d, i in fixed.items())
    }
    return [IndexSet(rest(base.dims), positions)]


def _size(_: Interpreter, op: sparse_storage.SizeOp, env: Environment) -> Sequence[Any]:
    return [len(env[op.region].positions)]


# Positions


def _lookup(_: Interpreter, op: sparse_storage.LookupOp, env: Environment) -> Sequence[Any]:
    position = env[op.region].positions.get(tuple(env[index] for index in op.indices))
    return [-1 if position is None else position, position is not None]


def _step(_: Interpreter, op: sparse_storage.StepOp, env: Environment) -> Sequence[Any]:
    region: IndexSet = env[op.region]
    d, start = op.dimension.value.data, env[op.start]
    (here,) = (index for index, position in region.positions.items() if position == start)
    sign = 1 if op.backwards is None else -1
    ahead = [
        index
        for index in region.positions
        if index[:d] + index[d + 1 :] == here[:d] + here[d + 1 :]
        and sign * (index[d] - here[d]) > 0
    ]
    if not ahead:
        return [start, False]
    return [region.positions[min(ahead, key=lambda index: sign * index[d])], True]


def _value(_: Interpreter, op: sparse_storage.ValueOp, env: Environment) -> Sequence[Any]:
    buffer: Buffer = env[op.values]
    return [buffer.elements[buffer.place((env[op.position],))]]


def _read_index(_: Interpreter, op: sparse_storage.ReadIndexOp, env: Environment) -> Sequence[Any]:
    buffer: Buffer = env[op.indices]
    assert isa(op.indices.type, MemRefType[Attribute])
    word = buffer.elements[buffer.place((env[op.place],))]
    assert isinstance(word, int)
    width = width_of(op.indices.type.element_type)
    return [word if width == 64 else word & ((1 << width) - 1)]


def _read_word(_: Interpreter, op: multiloop.ReadWordOp, env: Environment) -> Sequence[Any]:
    buffer: Buffer = env[op.data]
    first: int = env[op.place]
    word = 0
    for k in range(8):
        byte = buffer.elements[buffer.place((first + k,))]
        assert isinstance(byte, int)
        word |= (byte & 255) << (8 * k)
    return [word - (1 << 64) if word >> 63 else word]


def _prefetch(_: Interpreter, op: multiloop.PrefetchOp, env: Environment) -> Sequence[Any]:
    buffer: Buffer = env[op.vector]
    buffer.place((env[op.place],))  # Which has to be one.
    return []


# Loops


def _for(interpreter: Interpreter, op: scf.ForOp, env: Environment) -> Sequence[Any]:
    carried: Sequence[Any] = [env[value] for value in op.iter_args]
    for index in range(env[op.lb], env[op.ub], env[op.step]):
        carried = interpreter.with_arguments(op.body.block, [index, *carried], env)
    return carried


# Buffers


def _alloc(_: Interpreter, op: memref.AllocOp | memref.AllocaOp, env: Environment) -> Sequence[Any]:
    type = op.memref.type
    dynamic = iter([env[size] for size in op.dynamic_sizes])
    dims = tuple(next(dynamic) if extent < 0 else extent for extent in type.get_shape())
    return [Buffer(dims, [implicit_value(type.get_element_type())] * prod(dims))]


def _load(_: Interpreter, op: memref.LoadOp, env: Environment) -> Sequence[Any]:
    buffer: Buffer = env[op.memref]
    return [buffer.elements[buffer.place(tuple(env[index] for index in op.indices))]]


def _store(_: Interpreter, op: memref.StoreOp, env: Environment) -> Sequence[Any]:
    buffer: Buffer = env[op.memref]
    buffer.elements[buffer.place(tuple(env[index] for index in op.indices))] = env[op.value]
    return []


def _extent(_: Interpreter, op: memref.DimOp, env: Environment) -> Sequence[Any]:
    return [env[op.source].dims[env[op.index]]]


def _to_buffer(_: Interpreter, op: bufferization.ToBufferOp, env: Environment) -> Sequence[Any]:
    array: Array = env[op.tensor]
    return [Buffer(array.dims, [array.at(index) for index in array.indices()])]


def _to_tensor(_: Interpreter, op: bufferization.ToTensorOp, env: Environment) -> Sequence[Any]:
    buffer: Buffer = env[op.memref]
    type = array_type(op.tensor)
    entries = dict(zip(product(*map(range, buffer.dims)), buffer.elements, strict=True))
    return [Array(buffer.dims, len(buffer.dims), type.get_element_type(), entries)]


def _count_bits(_: Interpreter, op: math.CtPopOp, env: Environment) -> Sequence[Any]:
    word = env[op.operand] & ((1 << width_of(op.operand.type)) - 1)
    return [word.bit_count()]


def _trailing_zeros(
    _: Interpreter, op: math.CountTrailingZerosOp, env: Environment
) -> Sequence[Any]:
    width = width_of(op.operand.type)
    word = env[op.operand] & ((1 << width) - 1)
    return [(word & -word).bit_length() - 1 if word else width]


RULES: dict[type[Any], Rule] = {
    sparse_storage.UnpackOp: _unpack,
    sparse_storage.PackOp: _pack,
    sparse_storage.ImplicitOp: _implicit,
    sparse_storage.BoxOp: _box,
    sparse_storage.RegionWhereOp: _region_where,
    sparse_storage.SliceOp: _slice,
    sparse_storage.SizeOp: _size,
    sparse_storage.LookupOp: _lookup,
    sparse_storage.StepOp: _step,
    sparse_storage.ValueOp: _value,
    sparse_storage.ReadIndexOp: _read_index,
    multiloop.ReadWordOp: _read_word,
    multiloop.PrefetchOp: _prefetch,
    scf.ForOp: _for,
    memref.AllocOp: _alloc,
    memref.AllocaOp: _alloc,
    memref.LoadOp: _load,
    memref.StoreOp: _store,
    memref.DimOp: _extent,
    bufferization.ToBufferOp: _to_buffer,
    bufferization.ToTensorOp: _to_tensor,
    math.CtPopOp: _count_bits,
    math.CountTrailingZerosOp: _trailing_zeros,
}
