"""The functions that ops of the spark level run for each record."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.traits import SymbolTable

from diablo.dialects import spark
from diablo.passes.analyses.refused import Refused


def kernel_of(op: spark.MapOp | spark.MapGroupsOp) -> func.FuncOp:
    """Return the function that an op runs.

    Raises
    ------
    Refused
        If the module has none of that name, or it has several blocks.
    """
    kernel = SymbolTable.lookup_symbol(op, op.kernel)
    if not isinstance(kernel, func.FuncOp) or len(kernel.body.blocks) != 1:
        raise Refused("its kernel is not known")
    return kernel
