"""The kernels that calls of the driver run."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.traits import SymbolTable


def kernel_called(call: func.CallOp) -> func.FuncOp | None:
    """Return the function of one block that a call runs, if the module has it."""
    kernel = SymbolTable.lookup_symbol(call, call.callee)
    if not isinstance(kernel, func.FuncOp) or len(kernel.body.blocks) != 1:
        return None
    return kernel
