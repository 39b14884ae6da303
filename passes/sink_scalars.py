"""Compute numbers that come of kernels in the kernels that take them, where a GPU is to run these.

    %s = func.call @dot(%p, %q)                %s = func.call @dot(%p, %q)
    %alpha = arith.divf %rho, %s         =>    %y = func.call @scaled(%rho, %x, %s)
    %y = func.call @scaled(%alpha, %x)         func.func private @scaled(%rho, %x, %s) {
                                                 %alpha = arith.divf %rho, %s …

What a kernel folds stays on the device until somebody looks at it. The driver, which would have to
wait for the kernel and copy the number to divide by it, hands it on as it is. Numbers that no
kernel has made, and those of kernels over sparse arrays, are the driver's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, func, math
from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import SymbolTable

from diablo.dialects.complex_numbers import ToComplexOp
from diablo.dialects.encodings import is_sparse
from diablo.dialects.locations import remark
from diablo.dialects.number_constants import ConstantOps
from diablo.dialects.scalar_types import is_inexact

_ARITHMETIC = (
    arith.AddfOp
    | arith.SubfOp
    | arith.MulfOp
    | arith.DivfOp
    | arith.NegfOp
    | arith.ExtFOp
    | arith.TruncFOp
    | ToComplexOp
    | math.SqrtOp
    | math.AbsFOp
)
"""What is a few instructions, which each thread may do for itself."""


@dataclass(frozen=True)
class SinkScalarsPass(ModulePass):
    """Compute numbers that come of kernels in the kernels that take them."""

    name = "sink-scalars"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at the calls of every public function."""
        for function in [o for o in op.ops if isinstance(o, func.FuncOp)]:
            if function.sym_visibility is not None or function.is_declaration:
                continue
            for call in [o for o in function.walk() if isinstance(o, func.CallOp)]:
                _sink(op, call)


def _sink(module: ModuleOp, call: func.CallOp) -> None:
    """Let a kernel compute what it is called with, if other kernels have made that."""
    kernel = _kernel_of(call)
    if kernel is None or any(is_sparse(argument.type) for argument in kernel.args):
        return
    for number, value in enumerate(call.arguments):
        ops = _computing(value)
        leaves = _leaves(ops)
        if not any(_is_left(leaf) for leaf in leaves):
            continue
        if _calls(module, kernel) > 1:
            kernel = _own_copy(module, kernel, call)
        _take_over(call, kernel, number, ops, leaves)
        name = value.name_hint or "a number"
        remark(call, f"{name} is computed in the kernel: what it is made of is on the device")
        for op in reversed(ops):
            if not any(result.first_use for result in op.results):
                Rewriter.erase_op(op)


def _kernel_of(call: func.CallOp) -> func.FuncOp | None:
    """The kernel that a call runs."""
    callee = SymbolTable.lookup_symbol(call, call.callee)
    if not isinstance(callee, func.FuncOp) or callee.is_declaration:
        return None
    private = callee.sym_visibility is not None and callee.sym_visibility.data == "private"
    return callee if private and len(callee.body.blocks) == 1 else None


def _computing(value: SSAValue) -> list[Operation]:
    """The ops that compute a value of the driver, in their order; none if it is no such value."""
    found: dict[Operation, None] = {}

    def visit(value: SSAValue) -> None:
        op = value.owner
        if not isinstance(op, _ARITHMETIC | ConstantOps) or op in found:
            return
        for operand in op.operands:
            visit(operand)
        found[op] = None

    if is_inexact(value.type) and isinstance(value.owner, _ARITHMETIC):
        visit(value)
    return list(found)


def _leaves(ops: Sequence[Operation]) -> list[SSAValue]:
    """Return what ops take that none of them computes."""
    made = {result for op in ops for result in op.results}
    return list(dict.fromkeys(v for op in ops for v in op.operands if v not in made))


def _is_left(value: SSAValue) -> bool:
    """Return whether a kernel has made a number."""
    return isinstance(value.owner, func.CallOp) and _kernel_of(value.owner) is not None


def _calls(module: ModuleOp, kernel: func.FuncOp) -> int:
    """Return how many ops name a kernel."""
    name = SymbolRefAttr(kernel.sym_name)
    return sum(name in op.properties.values() for op in module.walk())


def _own_copy(module: ModuleOp, kernel: func.FuncOp, call: func.CallOp) -> func.FuncOp:
    """A copy of a kernel that this call alone runs."""
    number = 0
    while SymbolTable.lookup_symbol(module, StringAttr(f"kernel_{number}")) is not None:
        number += 1
    copy = kernel.clone()
    copy.sym_name = StringAttr(f"kernel_{number}")
    module.body.block.insert_op_after(copy, kernel)
    call.callee = SymbolRefAttr(copy.sym_name)
    return copy


def _take_over(
    call: func.CallOp,
    kernel: func.FuncOp,
    number: int,
    ops: Sequence[Operation],
    leaves: Sequence[SSAValue],
) -> None:
    """Give a kernel the leaves for an argument, and let it begin with the ops."""
    block = kernel.body.block
    first = block.first_op
    assert first is not None
    computed = block.args[number]
    # The places of other arguments stay: one of them may be that of the result.
    taken = [block.insert_arg(leaves[0].type, number)]
    taken += [block.insert_arg(leaf.type, len(block.args)) for leaf in leaves[1:]]
    values: dict[SSAValue, SSAValue] = dict(zip(leaves, taken, strict=True))
    for leaf, argument in values.items():
        argument.name_hint = leaf.name_hint
    for op in ops:
        block.insert_op_before(op.clone(values), first)
    last = values[ops[-1].results[0]]
    last.name_hint = last.name_hint or computed.name_hint
    computed.replace_all_uses_with(last)
    block.erase_arg(computed)
    outputs = kernel.function_type.outputs.data
    kernel.function_type = FunctionType.from_lists([a.type for a in block.args], outputs)
    kernel.arg_attrs = None
    given = [*call.arguments, *leaves[1:]]
    given[number] = leaves[0]
    call.operands = given
