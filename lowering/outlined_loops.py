"""Functions of the driver's loops, as `outline-native-loops` makes them, among its kernels.

func.func private @loop_0(%i, %s, %V) -> f64 {        %s = func.call @loop_0(…)
  %s1 = scf.while … { … }
  func.return %s1 }
"""

from __future__ import annotations

from xdsl.dialects import func, scf
from xdsl.ir import Operation
from xdsl.traits import SymbolTable


def loop_of(function: func.FuncOp) -> scf.WhileOp | None:
    """The loop that a function was outlined for, if it was."""
    if function.is_declaration or len(function.body.blocks) != 1:
        return None
    found = [op for op in function.body.block.ops if isinstance(op, scf.WhileOp)]
    private = function.sym_visibility is not None and function.sym_visibility.data == "private"
    return found[0] if private and len(found) == 1 else None


def called_loop(op: Operation) -> func.FuncOp | None:
    """The function of an inner loop that an op calls, if it calls one."""
    if not isinstance(op, func.CallOp):
        return None
    callee = SymbolTable.lookup_symbol(op, op.callee)
    outlined = isinstance(callee, func.FuncOp) and loop_of(callee) is not None
    return callee if outlined and isinstance(callee, func.FuncOp) else None
