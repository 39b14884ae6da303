"""Make one kernel of those that do the same.

Works at the spark level.

```mlir
%r = func.call @kernel_0(%n, %v, %u)              %r = func.call @kernel_0(%n, %v, %u, %half)
%s = func.call @kernel_1(%m, %v, %w)              %s = func.call @kernel_0(%m, %v, %w, %third)
func.func private @kernel_0(%n, %v, %u) {    =>   func.func private @kernel_0(%n, %v, %u, %a) {
  … 0.5 * %e …                                      … %a * %e …
func.func private @kernel_1(%m, %v, %w) {
  … 0.333 * %e …
```

Calls of a function of the program are inlined, and each has kernels of its own: one kind of
arguments needs one machine code. Kernels are shared that differ in names, or in numbers that
are as good as arguments (passes/analyses/plans/kernel_forms.py): these become some. A kernel that
nothing else is like keeps its numbers. What a kernel has made of the same values before in a block
it does not make again.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    FunctionType,
    IntegerType,
    ModuleOp,
    SymbolRefAttr,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from diablo.dialects.access_maps import access_map, linear_indices
from diablo.dialects.locations import located, remark
from diablo.dialects.number_constants import constant_op
from diablo.linear_sums import term
from diablo.passes.analyses.plans.kernel_forms import (
    Constant,
    KernelForm,
    Number,
    NumberAttr,
    Period,
    kernel_form,
)


@dataclass
class _Kernel:
    """A kernel, its form, and the ops that run it; what these give it ends with scalars."""

    function: func.FuncOp
    form: KernelForm
    calls: list[Operation] = field(default_factory=list[Operation])

    @property
    def name(self) -> str:
        return self.function.sym_name.data


def _append_operand(op: Operation, value: SSAValue, group: int | None = None) -> None:
    """Append an operand to the group of that number, or to the last one."""
    end = len(op.operands)
    segments = op.properties.get("operandSegmentSizes")
    if isa(segments, DenseArrayBase[IntegerType]):
        sizes = list(segments.get_values())
        group = len(sizes) - 1 if group is None else group
        end = sum(sizes[: group + 1])
        sizes[group] += 1
        op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)
    op.operands = [*op.operands[:end], value, *op.operands[end:]]


_SYMBOLS = 3
"""The number of the group of operands that are the symbols of an op over points."""


def _replace_period(number: Period, argument: SSAValue) -> None:
    """Let an index wrap around at a symbol."""
    op = number.op
    if argument not in op.symbols:
        _append_operand(op, argument, _SYMBOLS)
    position = list(op.symbols).index(argument)
    maps: list[AffineMapAttr] = []
    for input, map in enumerate(op.indexing_maps):
        indices = linear_indices(map.data)
        if input == number.input:
            indices[number.axis] = replace(indices[number.axis], period=term(position))
        maps.append(AffineMapAttr(access_map(indices, map.data.num_dims, len(op.symbols))))
    op.indexing_maps = ArrayAttr(maps)


def _replace_number(number: Number, argument: SSAValue) -> None:
    """Let an argument stand for a number."""
    match number:
        case Constant():
            number.op.result.replace_all_uses_with(argument)
            Rewriter.erase_op(number.op)
        case Period():
            _replace_period(number, argument)


def _add_argument(kernel: func.FuncOp, type: Attribute, name: str) -> SSAValue:
    block = kernel.body.block
    argument = block.insert_arg(type, len(block.args))
    argument.name_hint = name
    types = kernel.function_type
    kernel.function_type = FunctionType.from_lists(
        [*types.inputs.data, type], list(types.outputs.data)
    )
    return argument


def _differing(kernels: Sequence[_Kernel]) -> dict[tuple[NumberAttr, ...], list[int]]:
    """The numbers that are not the same in all kernels: their values, and where they stand."""
    found: dict[tuple[NumberAttr, ...], list[int]] = {}
    for position, values in enumerate(
        zip(*([number.value for number in kernel.form.numbers] for kernel in kernels), strict=True)
    ):
        if len(set(values)) > 1:
            found.setdefault(values, []).append(position)
    return found


def _share(kernels: Sequence[_Kernel]) -> None:
    """Run the first of some kernels in the place of the others."""
    first, *others = kernels
    differing = _differing(kernels)
    numbers = {0: "", 1: ", given a number"}.get(
        len(differing), f", given {len(differing)} numbers"
    )
    for other in others:
        for call in other.calls:
            remark(call, f"{first.name} does this as well{numbers}: no kernel is added")
    for values, positions in differing.items():
        argument = _add_argument(first.function, values[0].get_type(), "number")
        for position in positions:
            _replace_number(first.form.numbers[position], argument)
        for kernel, value in zip(kernels, values, strict=True):
            for call in kernel.calls:
                constant = located(constant_op(value), call)
                Rewriter.insert_op(constant, InsertPoint.before(call))
                _append_operand(call, constant.result)
    for other in others:
        _rename(other, first.name)
        Rewriter.erase_op(other.function)


def _rename(kernel: _Kernel, name: str) -> None:
    """Let the ops that run a kernel run another one."""
    old, new = SymbolRefAttr(kernel.name), SymbolRefAttr(name)
    for call in kernel.calls:
        for key, value in list(call.properties.items()):
            if value == old:
                call.properties[key] = new


def _kernels(module: ModuleOp) -> list[_Kernel]:
    """The private functions of a module, in order."""
    found: dict[SymbolRefAttr, _Kernel] = {}
    for op in module.ops:
        if isinstance(op, func.FuncOp) and op.sym_visibility and op.body.blocks:
            kernel = _Kernel(op, kernel_form(op))
            found[SymbolRefAttr(kernel.name)] = kernel
    for op in module.walk():
        for value in op.properties.values():
            if isa(value, SymbolRefAttr) and value in found:
                found[value].calls.append(op)
    return list(found.values())


def _merge_calls(module: ModuleOp) -> None:
    """Use what a kernel has made where a later op of the block has it do the same."""
    kernels = {f.sym_name.data for f in module.ops if isinstance(f, func.FuncOp) and f.body.blocks}
    made: dict[Hashable, func.CallOp] = {}
    for op in [op for op in module.walk() if isinstance(op, func.CallOp)]:
        name = op.callee.string_value()
        if name not in kernels or not op.results:
            continue
        before = made.setdefault((op.parent, name, tuple(op.operands)), op)
        if before is not op:
            remark(op, f"{name} has made this before: it is not made again")
            Rewriter.replace_op(op, [], before.results)


@dataclass(frozen=True)
class ShareKernelsPass(ModulePass):
    """Make one kernel of those that differ in names and numbers."""

    name = "share-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Share the kernels of a module."""
        alike: dict[Hashable, list[_Kernel]] = {}
        for kernel in _kernels(op):
            alike.setdefault(kernel.form.key, []).append(kernel)
        for kernels in alike.values():
            if len(kernels) > 1:
                _share(kernels)
        _merge_calls(op)
