"""Give kernels once what all calls give them twice.

Works at the spark level.

```mlir
%r = func.call @kernel_0(%n, %B, %B, %n)           %r = func.call @kernel_0(%n, %B)
func.func private @kernel_0(%i, %B, %B_1, %m) {    func.func private @kernel_0(%i, %B) {
  … ins(%B[d0], %B_1[(d0 + 1) mod %m])       =>      … ins(%B[d0], %B[(d0 + 1) mod %i])
```

What a kernel does not know to be one array it loads twice, and holds the address, the sizes and
the strides of each. It is for a GPU, whose threads are as many as the registers of each are few. A
kernel is left as it is that folds, since products are known by their two arrays, that is not called
alone, or whose call updates an array in place.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp, SymbolRefAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.utils.hints import isa

from diablo.dialects.locations import remark
from diablo.dialects.tensor_block import ReduceOp


def _merge(kernel: func.FuncOp, calls: list[func.CallOp]) -> None:
    """Replace arguments of a kernel by earlier ones that have the same value in all calls."""
    block = kernel.body.block
    first: dict[tuple[object, ...], int] = {}
    dropped: list[int] = []
    for number, argument in enumerate(block.args):
        given = argument.type, *(call.operands[number] for call in calls)
        if first.setdefault(given, number) != number:
            argument.replace_all_uses_with(block.args[first[given]])
            dropped.append(number)
    if not dropped:
        return
    for number in reversed(dropped):
        block.erase_arg(block.args[number])
    for call in calls:
        kept = [value for number, value in enumerate(call.operands) if number not in dropped]
        call.operands = kept
        remark(call, f"{kernel.sym_name.data} is given once what it took {len(dropped)} times more")
    outputs = list(kernel.function_type.outputs)
    kernel.function_type = FunctionType.from_lists([a.type for a in block.args], outputs)


@dataclass(frozen=True)
class MergeArgumentsPass(ModulePass):
    """Gives kernels once what all their calls give them twice."""

    name = "merge-arguments"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Merge the arguments of every kernel that is called, and nothing else."""
        uses: dict[SymbolRefAttr, list[Operation]] = {}
        for user in op.walk():
            for value in user.properties.values():
                if isa(value, SymbolRefAttr):
                    uses.setdefault(value, []).append(user)
        for kernel in op.ops:
            if not isinstance(kernel, func.FuncOp) or not kernel.sym_visibility:
                continue
            users = uses.get(SymbolRefAttr(kernel.sym_name), [])
            calls = [user for user in users if isinstance(user, func.CallOp)]
            is_plain = kernel.arg_attrs is None and not any(call.attributes for call in calls)
            folds = any(isinstance(inner, ReduceOp) for inner in kernel.walk())
            if kernel.body.blocks and is_plain and not folds and 0 < len(calls) == len(users):
                _merge(kernel, calls)
