"""The target `numpy`: every kernel of a module as NumPy source (`diablo-opt -t numpy`).

A kernel is a function over local tensors, bags and scalars; functions that hold anything
else (the driver program) are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from diablo.diagnostics import CompileError, Diagnostic
from diablo.dialects.number_constants import is_arithmetic
from diablo.dialects.tensor_block import is_tiled
from diablo.lowering.numpy.kernel_to_numpy import EMITTERS, emit_numpy_kernel
from diablo.lowering.numpy.numpy_scalars import SPELLINGS

_HINT = "the pass pipeline diablo-to-spark makes the kernels of a program"


@dataclass(frozen=True)
class NumPyTarget(Target):
    """The kernels of a module as vectorised NumPy functions."""

    name = "numpy"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Write one function per kernel."""
        kernels = [op for op in module.ops if isinstance(op, func.FuncOp) and is_kernel(op)]
        if not kernels:
            raise CompileError([Diagnostic("error", "there are no kernels here", None, _HINT)])
        output.write("\n\n".join(emit_numpy_kernel(kernel) for kernel in kernels))


def is_kernel(function: func.FuncOp) -> bool:
    """Return whether a function computes on the values of one tile."""
    return bool(function.body.blocks) and all(
        (
            type(op) in EMITTERS
            or op.name in SPELLINGS
            or is_arithmetic(op)
            or op.name.startswith("tensor_block.")
        )
        and not any(is_tiled(type) for type in (*op.operand_types, *op.result_types))
        for op in function.body.block.ops
    )
