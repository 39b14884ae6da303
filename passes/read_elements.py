"""Read elements of the driver's arrays that a kernel reads at one place before it is called.

    %L2 = func.call @scale(%n, %L1, %L1, %k)         %in = 0 <= %k && %k < %size
                                                ==>  %d = scf.if %in { tensor.extract %L1[%k] } …
    where @scale is a `map` that reads               %L2 = func.call @scale(%n, %L1, %k, %d)
    %L1 at each point and at %k

The array that the kernel writes may then have the memory of the one that it reads, where the
element at `%k` could have been overwritten before it was read. Others are read where they are.

A kernel that computes a part of an array alone, as column `%k`, and reads the array at `[d0, s0]`
with `%k` for `s0`, reads it at the point itself: it takes the element that it has anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import FunctionType, IndexType, IntegerAttr, ModuleOp, NoneAttr
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import tensor_block
from diablo.dialects.access_maps import LinearIndex, linear_indices
from diablo.dialects.encodings import array_type, as_array
from diablo.dialects.locations import located, remark
from diablo.dialects.monoids import domain_of, zero_of
from diablo.dialects.number_constants import constant_op
from diablo.passes.analyses.loops.kept_parts import given_at, kept_part
from diablo.passes.analyses.plans.call_targets import kernel_called
from diablo.passes.analyses.values.linear_forms import linear_form_of, write_linear_form


@dataclass(frozen=True)
class _Read:
    """An input of a map in a kernel that is read at one place."""

    map: tensor_block.MapOp
    number: int
    array: BlockArgument
    place: Sequence[LinearIndex]

    @property
    def element(self) -> BlockArgument:
        """What the map reads."""
        return self.map.body.block.args[len(self.map.extents) + self.number]

    @property
    def is_at_one_place(self) -> bool:
        """Whether every point reads the same element."""
        return not any(index.dimensions or index.period is not None for index in self.place)


def _reads(kernel: func.FuncOp) -> list[_Read]:
    """Return the reads that maps of a kernel make of the arrays of numbers that it is given."""
    found: list[_Read] = []
    for map in [op for op in kernel.body.block.ops if isinstance(op, tensor_block.MapOp)]:
        for number, (value, access) in enumerate(zip(map.inputs, map.indexing_maps, strict=True)):
            if (
                isinstance(value, BlockArgument)
                and has_numbers(value)
                and all(isinstance(symbol, BlockArgument) for symbol in map.symbols)
            ):
                found.append(_Read(map, number, value, linear_indices(access.data)))
    return found


def has_numbers(value: SSAValue) -> bool:
    """Return whether a value is an array of the driver, of numbers."""
    type = as_array(value.type)
    return (
        type is not None
        and isinstance(type.encoding, NoneAttr)
        and domain_of(type.get_element_type()) is not None
    )


def element_or_zero(
    array: SSAValue, indices: Iterable[SSAValue], add: Callable[[Operation], SSAValue]
) -> tuple[SSAValue, SSAValue]:
    """Return the element of a dense array at some indices, zero outside of it, and if it is inside.

    `add` takes the ops in order, and returns the result of each; each index is asked for as it is
    tested.
    """
    inside: SSAValue | None = None
    place: list[SSAValue] = []
    for axis, index in enumerate(indices):
        place.append(index)
        position = add(constant_op(IntegerAttr(axis, IndexType())))
        size = add(tensor.DimOp(array, position))
        test = add(arith.CmpiOp(index, size, "ult"))
        inside = test if inside is None else add(arith.AndIOp(inside, test))
    assert inside is not None
    type = array_type(array).get_element_type()
    extract, zero = tensor.ExtractOp(array, place, type), constant_op(zero_of(type))
    then = Block([extract, scf.YieldOp(extract.result)])
    other = Block([zero, scf.YieldOp(zero.results[0])])
    read = scf.IfOp(inside, [type], Region(then), Region(other))
    element = add(read)
    for op in (extract, zero):
        op.location = read.location
    return element, inside


class _Reader:
    """Lets a kernel take an element that is known at its call for an array that it reads."""

    def __init__(self, call: func.CallOp, read: _Read):
        self.call = call
        self.read = read
        self.ops: list[Operation] = []

    def move(self) -> None:
        """Change the call and the kernel, which nothing else calls."""
        element = self._element()
        element.name_hint = self.call.arguments[self.read.array.index].name_hint
        Rewriter.insert_op(self.ops, InsertPoint.before(self.call))
        block = self.read.array.block
        taken = block.insert_arg(element.type, len(block.args))
        taken.name_hint = element.name_hint
        self._replace(taken, [element])
        remark(self.call, "an element is read once, before what writes to its array")

    def join(self, own: SSAValue) -> None:
        """Let the kernel take what it reads of the array at each point as well."""
        self._replace(own, [])

    def _add(self, op: Operation) -> SSAValue:
        self.ops.append(located(op, self.call))
        return op.results[0]

    def _element(self) -> SSAValue:
        """Return the element at the place in the array that the call is given; zero outside."""
        array = self.call.arguments[self.read.array.index]
        symbols = [self._given(symbol) for symbol in self.read.map.symbols]
        indices = (
            write_linear_form(linear_form_of(index, {}, symbols), self._add)
            for index in self.read.place
        )
        return element_or_zero(array, indices, self._add)[0]

    def _given(self, value: SSAValue) -> SSAValue:
        assert isinstance(value, BlockArgument)
        return self.call.arguments[value.index]

    def _replace(self, taken: SSAValue, added: Sequence[SSAValue]) -> None:
        """Take a value of the kernel for the element, and call it with what is added for that."""
        map, number, array = self.read.map, self.read.number, self.read.array
        block = array.block
        self.read.element.replace_all_uses_with(taken)
        map.body.block.erase_arg(self.read.element)
        maps = [access.data for access in map.indexing_maps]
        inputs = list(map.inputs)
        del maps[number], inputs[number]
        made = located(
            tensor_block.MapOp(
                inputs,
                list(map.extents),
                maps,
                map.detach_region(map.body),
                map.result.type,
                list(map.offsets),
                list(map.symbols),
            ),
            map,
        )
        made.result.name_hint = map.result.name_hint
        Rewriter.replace_op(map, made)
        kernel = block.parent_op()
        assert isinstance(kernel, func.FuncOp)
        arguments = list(self.call.arguments)
        if not array.uses:
            del arguments[array.index]
            block.erase_arg(array)
        kernel.function_type = FunctionType.from_lists(
            [a.type for a in block.args], list(kernel.function_type.outputs)
        )
        called = located(
            func.CallOp(self.call.callee, [*arguments, *added], self.call.result_types), self.call
        )
        for old, new in zip(self.call.results, called.results, strict=True):
            new.name_hint = old.name_hint
        Rewriter.replace_op(self.call, called)
        self.call = called


@dataclass(frozen=True)
class ReadElementsPass(ModulePass):
    """Read elements of the driver's arrays before kernels that write to the arrays."""

    name = "read-elements"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at each call of a kernel that nothing else calls."""
        calls = [o for o in op.walk() if isinstance(o, func.CallOp)]
        names = [call.callee.string_value() for call in calls]
        for call in calls:
            kernel = kernel_called(call)
            if kernel is None or names.count(call.callee.string_value()) != 1:
                continue
            while (changed := _change(call, kernel)) is not None:
                call = changed


def _change(call: func.CallOp, kernel: func.FuncOp) -> func.CallOp | None:
    """Let a map read an array in one way less, if it reads that in several ways and may."""
    for read in _reads(kernel):
        if not _is_read_otherwise(call, read):
            continue
        reader = _Reader(call, read)
        if read.is_at_one_place:
            reader.move()
        elif (own := _own_element(call, read)) is not None:
            reader.join(own)
        else:
            continue
        return reader.call
    return None


def _is_read_otherwise(call: func.CallOp, read: _Read) -> bool:
    """Return whether the map reads the same array by another input too."""
    array = call.arguments[read.array.index]
    return any(
        isinstance(other, BlockArgument) and call.arguments[other.index] is array
        for number, other in enumerate(read.map.inputs)
        if number != read.number
    )


def _own_element(call: func.CallOp, read: _Read) -> SSAValue | None:
    """Return the element at the point itself, if that is what a map reads where it computes."""
    part = kept_part(read.map)
    if part is None or part.number == read.number or not part.is_read_within(read.element):
        return None
    kept = read.map.inputs[part.number]
    if not isinstance(kept, BlockArgument) or kept.type != read.array.type:
        return None
    if call.arguments[kept.index] is not call.arguments[read.array.index]:
        return None
    own = read.map.body.block.args[len(read.map.extents) + part.number]
    return own if part.is_own_point(read.place, given_at(call, read.array.block)) else None
