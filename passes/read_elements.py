"""Read elements of the driver's arrays that a kernel reads at one place before it is called.

    %L2 = func.call @scale(%n, %L1, %L1, %k)         %in = 0 <= %k && %k < %size
                                                ==>  %d = scf.if %in { tensor.extract %L1[%k] } …
    where @scale is a `map` that reads               %L2 = func.call @scale(%n, %L1, %k, %d)
    %L1 at each point and at %k

The array that the kernel writes may then have the memory of the one that it reads, where the
element at `%k` could have been overwritten before it was read. Others are read where they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import FunctionType, IndexType, IntegerAttr, ModuleOp, NoneAttr
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable

from diablo.dialects import tensor_block
from diablo.dialects.access_maps import LinearIndex, linear_indices
from diablo.dialects.encodings import as_array
from diablo.dialects.locations import located, remark
from diablo.dialects.monoids import domain_of, zero_of
from diablo.dialects.number_constants import constant_op
from diablo.passes.analyses.values.linear_forms import linear_form_of, write_linear_form


@dataclass(frozen=True)
class _Read:
    """An input of a map in a kernel that is read at one place."""

    map: tensor_block.MapOp
    number: int
    array: BlockArgument
    place: Sequence[LinearIndex]


def _reads(kernel: func.FuncOp) -> list[_Read]:
    """The arrays of numbers that a kernel is given and reads at one place alone."""
    found: list[_Read] = []
    for map in [op for op in kernel.body.block.ops if isinstance(op, tensor_block.MapOp)]:
        for number, (value, access) in enumerate(zip(map.inputs, map.maps, strict=True)):
            place = linear_indices(access.data)
            if (
                isinstance(value, BlockArgument)
                and len(list(value.uses)) == 1
                and _has_numbers(value)
                and not any(index.dimensions or index.period is not None for index in place)
                and all(isinstance(symbol, BlockArgument) for symbol in map.symbols)
            ):
                found.append(_Read(map, number, value, place))
    return found


def _has_numbers(value: SSAValue) -> bool:
    """Return whether a value is an array of the driver, of numbers."""
    type = as_array(value.type)
    return (
        type is not None
        and isinstance(type.encoding, NoneAttr)
        and domain_of(type.get_element_type()) is not None
    )


class _Reader:
    """Reads an element before a call, and gives it to the kernel."""

    def __init__(self, call: func.CallOp, read: _Read):
        self.call = call
        self.read = read
        self.ops: list[Operation] = []

    def move(self) -> None:
        """Change the call and the kernel, which nothing else calls."""
        element = self._element()
        element.name_hint = self.call.arguments[self.read.array.index].name_hint
        Rewriter.insert_op(self.ops, InsertPoint.before(self.call))
        self._give(element)
        remark(self.call, "an element is read once, before what writes to its array")

    def _add(self, op: Operation) -> SSAValue:
        self.ops.append(located(op, self.call))
        return op.results[0]

    def _element(self) -> SSAValue:
        """What is at the place in the array that the call is given; zero outside of it."""
        array = self.call.arguments[self.read.array.index]
        symbols = [self._given(symbol) for symbol in self.read.map.symbols]
        inside: SSAValue | None = None
        indices: list[SSAValue] = []
        for axis, index in enumerate(self.read.place):
            form = linear_form_of(index, {}, symbols)
            indices.append(write_linear_form(form, self._add))
            position = self._add(constant_op(IntegerAttr(axis, IndexType())))
            size = self._add(tensor.DimOp(array, position))
            test = self._add(arith.CmpiOp(indices[-1], size, "ult"))
            inside = test if inside is None else self._add(arith.AndIOp(inside, test))
        assert inside is not None
        type = self._type
        extract = located(tensor.ExtractOp(array, indices, type), self.call)
        then = Block([extract, scf.YieldOp(extract.result)])
        zero = located(constant_op(zero_of(type)), self.call)
        other = Block([zero, scf.YieldOp(zero.results[0])])
        return self._add(scf.IfOp(inside, [type], Region(then), Region(other)))

    @property
    def _type(self):
        type = as_array(self.read.array.type)
        assert type is not None
        return type.get_element_type()

    def _given(self, value: SSAValue) -> SSAValue:
        assert isinstance(value, BlockArgument)
        return self.call.arguments[value.index]

    def _give(self, element: SSAValue) -> None:
        """Let the kernel take the element for the array."""
        map, number, array = self.read.map, self.read.number, self.read.array
        block = array.block
        taken = block.insert_arg(element.type, len(block.args))
        taken.name_hint = element.name_hint
        argument = map.body.block.args[len(map.extents) + number]
        argument.replace_all_uses_with(taken)
        map.body.block.erase_arg(argument)
        maps = [access.data for access in map.maps]
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
        arguments = [a for n, a in enumerate(self.call.arguments) if n != array.index]
        block.erase_arg(array)
        kernel.function_type = FunctionType.from_lists(
            [a.type for a in block.args], list(kernel.function_type.outputs)
        )
        called = located(
            func.CallOp(self.call.callee, [*arguments, element], self.call.result_types), self.call
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
            kernel = SymbolTable.lookup_symbol(call, call.callee)
            alone = names.count(call.callee.string_value()) == 1
            if not alone or not isinstance(kernel, func.FuncOp) or len(kernel.body.blocks) != 1:
                continue
            while (read := _of_written(call, kernel)) is not None:
                reader = _Reader(call, read)
                reader.move()
                call = reader.call


def _of_written(call: func.CallOp, kernel: func.FuncOp) -> _Read | None:
    """Return a read of an array that the kernel is given as another argument as well."""
    for read in _reads(kernel):
        array = call.arguments[read.array.index]
        if list(call.arguments).count(array) > 1:
            return read
    return None
