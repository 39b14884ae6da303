"""Read slices of the driver's arrays before they are overwritten, for kernels that run behind.

    %A1 = func.call @row_p(%A, %p, %k)            %row = func.call @slice(%A, %k)
    %A2 = func.call @row_k(%A, %A1, %p, %k)  =>   %A1 = func.call @row_p(%A, %p, %k)
                                                  %A2 = func.call @row_k(%row, %A1, %p)

exchanges rows k and p of %A: the first kernel writes row k, and the second takes what row k was.
Of %A nothing else is read then, so that `update-in-place` lets the first kernel write its row in
the memory of %A. Otherwise each step of a loop would copy the whole array.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    ModuleOp,
    TensorType,
)
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import tensor_block
from diablo.dialects.access_maps import (
    LinearIndex,
    access_map,
    linear_indices,
    picks_dimensions,
)
from diablo.dialects.encodings import array_type
from diablo.dialects.locations import located, named, remark
from diablo.dialects.monoids import zero_of
from diablo.dialects.number_constants import constant_op
from diablo.linear_sums import term
from diablo.passes.analyses.plans.array_calls import array_call
from diablo.passes.analyses.plans.call_targets import kernel_called
from diablo.passes.analyses.values.linear_forms import linear_form_of, write_linear_form
from diablo.passes.read_elements import has_numbers


@dataclass(frozen=True)
class _Slice:
    """What an op of a kernel reads of an array that it is given: at one index of some axes."""

    call: func.CallOp
    op: tensor_block.IterationOps
    number: int

    @property
    def array(self) -> BlockArgument:
        """The array, as the kernel has it."""
        value = self.op.inputs[self.number]
        assert isinstance(value, BlockArgument)
        return value

    @property
    def place(self) -> list[LinearIndex]:
        """At which index of each axis it is read."""
        return linear_indices(self.op.indexing_maps.data[self.number].data)

    @property
    def axes(self) -> list[int]:
        """The axes along which the op reads on."""
        return [axis for axis, index in enumerate(self.place) if index.dimensions]

    @property
    def symbols(self) -> list[SSAValue]:
        """What the call gives for the op's symbols."""
        return [
            self.call.arguments[symbol.index]
            for symbol in self.op.symbols
            if isinstance(symbol, BlockArgument)
        ]

    @property
    def lengths(self) -> list[SSAValue] | None:
        """How far the op reads along each of its `axes`, if it reads a slice at the point itself.

        There the slice has to have an element for each point, where the array may have none.
        """
        kept = [self.place[axis] for axis in self.axes]
        op, rank = self.op, len(self.op.extents)
        if not picks_dimensions(access_map(kept, rank, len(op.symbols))):
            return None
        return [op.extents[index.alone] for index in kept if index.alone is not None]

    @property
    def given(self) -> list[SSAValue]:
        """What the call gives by which it is known what the slice is."""
        lengths = [length for length in self.lengths or () if isinstance(length, BlockArgument)]
        return [*self.symbols, *[self.call.arguments[length.index] for length in lengths]]


@dataclass(frozen=True)
class ReadSlicesPass(ModulePass):
    """Read slices of arrays before what writes to the arrays."""

    name = "read-slices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at each call in a loop that writes a slice of an array."""
        calls = Counter(
            inner.callee.string_value() for inner in op.walk() if isinstance(inner, func.CallOp)
        )
        for loop in [o for o in op.walk() if isinstance(o, scf.WhileOp)]:
            for call in [o for o in loop.after_region.block.ops if isinstance(o, func.CallOp)]:
                _read_before(call, calls)


def _read_before(call: func.CallOp, calls: Mapping[str, int]) -> None:
    """Read what other calls want of the array that a call writes a slice of, before that call.

    `calls` are the numbers of calls that kernels had at first. Those that are made since then, for
    the slices, have one each.
    """
    update = array_call(call)
    if update is None or update.part is None or not update.part.fixed_dimensions:
        return
    number = update.kept
    if number is None or number not in update.operands:
        return
    array = call.arguments[number]
    owner = array.owner if isinstance(array.owner, Block) else array.owner.parent
    if owner is not call.parent or not has_numbers(array):
        return
    found = _slices_behind(call, array, calls)
    if found:
        _Reading(call, array).read(found)
        remark(call, "what is read later of the slice that this writes is read before")


def _slices_behind(call: func.CallOp, array: SSAValue, calls: Mapping[str, int]) -> list[_Slice]:
    """Return what is read of an array behind a call, if it is slices that can be read before."""
    block = call.parent
    assert block is not None
    order = {op: place for place, op in enumerate(block.ops)}
    found: list[_Slice] = []
    for user in dict.fromkeys(use.operation for use in array.uses):
        if isinstance(user, tensor.DimOp) or user is call:
            continue
        outer = block.find_ancestor_op_in_block(user)
        if outer is not None and order[outer] < order[call]:
            continue
        if outer is not user:
            return []
        slices = _slices_of(user, array, calls) if isinstance(user, func.CallOp) else None
        if slices is None or any(
            isinstance(value.owner, Operation) and order.get(value.owner, -1) > order[call]
            for each in slices
            for value in each.given
        ):
            return []
        found += slices
    return found


def _slices_of(call: func.CallOp, array: SSAValue, calls: Mapping[str, int]) -> list[_Slice] | None:
    """Return the slices that a kernel reads of an array.

    None if it reads more, or has other calls.
    """
    kernel = kernel_called(call)
    if kernel is None or calls.get(kernel.sym_name.data, 1) > 1:
        return None
    found: list[_Slice] = []
    for argument, value in zip(kernel.body.block.args, call.arguments, strict=True):
        if value is not array:
            continue
        for use in argument.uses:
            op = use.operation
            if not isinstance(op, tensor_block.IterationOps) or op.parent is not kernel.body.block:
                return None
            inputs = [n for n, value in enumerate(op.inputs) if value is argument]
            if len(inputs) != sum(other is argument for other in op.operands):
                return None
            if not all(isinstance(symbol, BlockArgument) for symbol in op.symbols):
                return None
            found += [each for n in inputs if (each := _Slice(call, op, n)) not in found]
    for each in found:
        place = each.place
        if not 0 < len(each.axes) < len(place) or any(i.period is not None for i in place):
            return None
        if not all(isinstance(length, BlockArgument) for length in each.lengths or ()):
            return None
    return found


@dataclass
class _Reading:
    """Reads slices of an array before a call."""

    call: func.CallOp
    array: SSAValue
    made: dict[object, SSAValue] = field(default_factory=dict[object, SSAValue])

    def read(self, slices: Sequence[_Slice]) -> None:
        """Let the calls that want slices be given these."""
        for each in slices:
            _take(each, self._slice(each))
        for call in dict.fromkeys(each.call for each in slices):
            _drop_unused(call)

    def _add(self, op: Operation) -> SSAValue:
        Rewriter.insert_op(located(op, self.call), InsertPoint.before(self.call))
        return op.results[0]

    def _slice(self, wanted: _Slice) -> SSAValue:
        """Call a kernel that reads a slice; one that is there already is used again."""
        forms = {
            axis: linear_form_of(index, {}, wanted.symbols)
            for axis, index in enumerate(wanted.place)
            if axis not in wanted.axes
        }
        places = tuple((axis, form.constant, *form.terms.items()) for axis, form in forms.items())
        key = places, tuple(wanted.given[len(wanted.symbols) :])
        if key not in self.made:
            self.made[key] = self._called(
                wanted, {axis: write_linear_form(form, self._add) for axis, form in forms.items()}
            )
        return self.made[key]

    def _called(self, wanted: _Slice, fixed: dict[int, SSAValue]) -> SSAValue:
        inside: SSAValue | None = None
        extents: list[SSAValue] = []
        lengths = wanted.given[len(wanted.symbols) :]
        for axis in range(len(wanted.place)):
            number = self._add(arith.ConstantOp(IntegerAttr(axis, IndexType())))
            extent = self._add(tensor.DimOp(self.array, number))
            if axis not in fixed:
                extents.append(extent)
                continue
            test = self._add(arith.CmpiOp(fixed[axis], extent, "ult"))
            inside = test if inside is None else self._add(arith.AndIOp(inside, test))
        assert inside is not None
        zero = self._add(arith.ConstantOp(IntegerAttr(0, IndexType())))
        limit = self._add(arith.SelectOp(inside, extents[0], zero))
        kernel = _slicing_kernel(self.array, list(fixed), len(wanted.place))
        target = kernel_called(wanted.call)
        assert target is not None
        name = f"{target.sym_name.data}_slice_{len(self.made)}"
        kernel.properties["sym_name"] = type(kernel.sym_name)(name)
        Rewriter.insert_op(located(kernel, wanted.op), InsertPoint.before(target))
        arguments = [*(lengths or extents), self.array, *fixed.values(), limit]
        types = list(kernel.function_type.outputs)
        made = self._add(func.CallOp(name, arguments, types))
        return named(made, self.array)


def _slicing_kernel(array: SSAValue, fixed: Sequence[int], rank: int) -> func.FuncOp:
    """A kernel that reads an array at one index of some axes, up to a limit; zeros behind it.

    Without the test it could give a view of the array.
    """
    element = array_type(array).get_element_type()
    result = TensorType(element, [DYNAMIC_INDEX] * (rank - len(fixed)))
    index = IndexType()
    count = rank - len(fixed)
    block = Block(arg_types=[*[index] * count, array.type, *[index] * len(fixed), index])
    given = block.args[count]
    named(given, array)
    body = Block(arg_types=[*[index] * count, element])
    zero = constant_op(zero_of(element))
    test = arith.CmpiOp(body.args[0], block.args[-1], "slt")
    chosen = scf.IfOp(
        test.result,
        [element],
        Region(Block([scf.YieldOp(body.args[-1])])),
        Region(Block([zero, scf.YieldOp(zero.results[0])])),
    )
    body.add_ops([test, chosen, tensor_block.YieldOp(chosen.results[0])])
    free = iter(range(count))
    place = [
        LinearIndex(outside=term(list(fixed).index(axis)))
        if axis in fixed
        else LinearIndex(term(next(free)))
        for axis in range(rank)
    ]
    map = tensor_block.MapOp(
        [given],
        block.args[:count],
        [access_map(place, count, len(fixed))],
        Region(body),
        result,
        (),
        block.args[count + 1 : -1],
    )
    named(map.result, array)
    block.add_ops([map, func.ReturnOp(map.result)])
    types = [argument.type for argument in block.args], [result]
    return func.FuncOp("slice", types, Region(block), visibility="private")


def _take(wanted: _Slice, slice: SSAValue) -> None:
    """Let an op read what its kernel is given for a slice."""
    op, block, call = wanted.op, wanted.array.block, wanted.call
    place = [wanted.place[axis] for axis in wanted.axes]
    argument = block.insert_arg(slice.type, len(block.args))
    named(argument, slice)
    call.operands = [*call.operands, slice]
    maps = list(op.indexing_maps.data)
    old = maps[wanted.number].data
    maps[wanted.number] = AffineMapAttr(access_map(place, old.num_dims, old.num_symbols))
    op.properties["indexing_maps"] = ArrayAttr(maps)
    op.operands[wanted.number] = argument  # The inputs are the first operands.


def _drop_unused(call: func.CallOp) -> None:
    """Give a kernel no array any more that it does not read."""
    kernel = kernel_called(call)
    assert kernel is not None
    block = kernel.body.block
    used = [n for n, argument in enumerate(block.args) if argument.uses]
    call.operands = [call.operands[n] for n in used]
    for argument in [a for a in block.args if not a.uses]:
        block.erase_arg(argument)
    kernel.function_type = FunctionType.from_lists(
        [argument.type for argument in block.args], list(kernel.function_type.outputs)
    )
