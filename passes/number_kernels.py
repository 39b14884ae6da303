"""Number the kernels of a program in the order of their first use.

Works at the spark level.

```mlir
%r = func.call @kernel_3(%n, %v)                  %r = func.call @kernel_0(%n, %v)
%s = func.call @kernel_1_2(%n, %r)        =>      %s = func.call @kernel_1(%n, %r)
func.func private @kernel_1_2(…)                  func.func private @kernel_0(…)
func.func private @kernel_3(…)                    func.func private @kernel_1(…)
```

What was made of several kernels, or stands for them, is one more in the row for who reads the
program from above. Kernels that nothing runs go away.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

_REFERENCES = ("kernel", "callee")
"""The properties of ops that name the kernel they run."""


def _calls(module: ModuleOp) -> Generator[tuple[Operation, str, str]]:
    """The ops that run a function, with the property that says which one, and its name."""
    for op in module.walk():
        for key in _REFERENCES:
            reference = op.properties.get(key)
            if isinstance(reference, SymbolRefAttr):
                yield op, key, reference.string_value()


def number_kernels(module: ModuleOp) -> None:
    """Give the private functions consecutive numbers and this order; unused ones go."""
    private = {
        op.sym_name.data: op
        for op in module.ops
        if isinstance(op, func.FuncOp)
        and op.sym_visibility is not None
        and op.sym_visibility.data == "private"
        and not op.is_declaration
    }
    calls = [call for call in _calls(module) if call[2] in private]
    used = dict.fromkeys(name for _, _, name in calls)
    names = {name: f"kernel_{number}" for number, name in enumerate(used)}
    for op, key, name in calls:
        op.properties[key] = SymbolRefAttr(names[name])
    for name, kernel in private.items():
        if name not in used:
            Rewriter.erase_op(kernel)
    for name in used:
        kernel = private[name]
        kernel.properties["sym_name"] = StringAttr(names[name])
        kernel.detach()
        module.body.block.add_op(kernel)


@dataclass(frozen=True)
class NumberKernelsPass(ModulePass):
    """Number the kernels of a program in the order of their first use."""

    name = "number-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rename the kernels of a module."""
        number_kernels(op)
