"""The names of scalars that have none in the source: what is done with them.

r + %a * p                                 %a is a factor
i <= %n                                    %n is a limit
spark.map @kernel_3(%A) captures(%n)       %n is what the kernel's argument is
"""

from __future__ import annotations

from xdsl.dialects import arith, complex, func
from xdsl.dialects.builtin import IndexType, SymbolRefAttr, i1
from xdsl.ir import Operation, SSAValue, Use
from xdsl.traits import SymbolTable

from diablo.dialects import spark
from diablo.dialects.number_ops import Difference, Product, Sum
from diablo.dialects.predicates import sides_of
from diablo.lowering.kernel_types import is_number

_Quotient = (
    arith.DivfOp
    | arith.DivSIOp
    | arith.DivUIOp
    | arith.FloorDivSIOp
    | arith.CeilDivSIOp
    | arith.RemSIOp
    | arith.RemUIOp
    | complex.DivOp
)
_Cast = (
    arith.IndexCastOp
    | arith.ExtFOp
    | arith.ExtSIOp
    | arith.ExtUIOp
    | arith.SIToFPOp
    | arith.UIToFPOp
)
_Call = spark.MapOp | spark.MapGroupsOp | spark.CollectGroupsOp


def role_of(value: SSAValue) -> str:
    """Return what a scalar is called: `factor`, `limit`, …, if all its uses agree on that."""
    if value.type == i1:
        return "condition"
    if not is_number(value.type):
        return "value"
    roles = _roles(value)
    if len(roles) == 1:
        return roles.pop()
    if roles == {"size", "limit"}:
        return "limit"
    return "number"


def _roles(value: SSAValue) -> set[str]:
    return {role for use in value.uses for role in _roles_in(use)}


def _roles_in(use: Use) -> set[str]:
    """Return what a use makes of its operand, or all that a cast or a kernel makes of it."""
    op, position = use.operation, use.index
    is_index = isinstance(op.operands[position].type, IndexType)
    if isinstance(op, arith.CmpiOp | arith.CmpfOp):
        return {"number" if sides_of(op) is None else "limit"}
    if isinstance(op, Product):
        return {"factor"}
    if isinstance(op, Sum | Difference):
        return {"offset" if is_index else "term"}
    if isinstance(op, _Quotient):
        return {"divisor" if position == 1 else "number"}
    if isinstance(op, _Cast):
        return _roles(op.results[0])
    if isinstance(op, func.CallOp):
        return _roles_in_kernel(op, op.callee, position)
    if isinstance(op, _Call) and position >= len(op.operands) - len(op.captures):
        return _roles_in_kernel(op, op.kernel, position - len(op.operands))
    return {"size" if is_index else "number"}


def _roles_in_kernel(op: Operation, callee: SymbolRefAttr, position: int) -> set[str]:
    """Return what a kernel makes of an argument, counted from the end if that is negative."""
    kernel = SymbolTable.lookup_symbol(op, callee)
    return _roles(kernel.args[position]) if isinstance(kernel, func.FuncOp) else {"number"}
