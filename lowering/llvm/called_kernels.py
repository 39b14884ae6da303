"""Kernels that a loop of the driver calls, as parts of its machine code.

    %s = func.call @kernel_0(%n, %V, %i)            a fold to numbers, or a map that is computed
    %B = func.call @kernel_1(%n, %A) {in_place}     where an operand is

    %C, %t = func.call @kernel_2(%n, %A)            or a map into memory that the caller gives

Their loops are written where they are called, and no thread helps.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Operation, OpResult
from xdsl.traits import SymbolTable

from diablo.dialects.comprehension.comprehension_monoids import monoids_used
from diablo.dialects.encodings import is_sparse
from diablo.kernel_signature import Signature
from diablo.lowering.kernel_types import has_rows, is_tensor
from diablo.lowering.llvm.convert_tensor_block_to_loops import convert_function
from diablo.lowering.llvm.kernel_to_llvm import compile_dense_kernel
from diablo.lowering.outlined_loops import loop_of
from diablo.passes.analyses.refused import Refused
from diablo.passes.update_in_place import IN_PLACE


def called_kernel(op: Operation) -> func.FuncOp | None:
    """The kernel that an op calls, if it calls one."""
    if not isinstance(op, func.CallOp):
        return None
    callee = SymbolTable.lookup_symbol(op, op.callee)
    if not isinstance(callee, func.FuncOp) or callee.is_declaration or loop_of(callee) is not None:
        return None
    return callee


def overwritten(call: func.CallOp) -> int | None:
    """The number of the operand whose memory the only result of a call takes."""
    number = call.attributes.get(IN_PLACE)
    return number.value.data if isinstance(number, IntegerAttr) else None


def check_called(call: func.CallOp) -> Signature:
    """What a kernel takes that is called; raises `Refused` if it cannot be a part of a loop."""
    kernel = called_kernel(call)
    assert kernel is not None
    if has_rows(kernel) or any(is_sparse(argument.type) for argument in kernel.args):
        raise Refused("a kernel is not over dense arrays")
    if monoids_used(kernel):
        raise Refused("a kernel folds with a monoid of the program's own")
    signature = _signature(kernel)
    if any(slot.positive for slot in signature.arguments):
        raise Refused("a kernel divides by a number that may be zero")
    if any(slot.is_tuple for slot in (*signature.arguments, *signature.outputs)):
        raise Refused("a kernel is over tuples")
    if any(slot.temporary for slot in signature.outputs):
        raise Refused("a kernel makes an array on the way")
    return signature


def made_arrays(call: func.CallOp) -> list[OpResult]:
    """The arrays that a kernel makes when it is called, for which there has to be memory."""
    if called_kernel(call) is None or overwritten(call) is not None:
        return []
    return [result for result in call.results if is_tensor(result.type)]


def _signature(kernel: func.FuncOp) -> Signature:
    return compile_dense_kernel(Context(), ModuleOp([kernel.clone()])).signature  # pyright: ignore


def loops_of(kernel: func.FuncOp) -> func.FuncOp:
    """A copy of a kernel as loops over memrefs."""
    copy = kernel.clone()
    convert_function(copy, split=False)
    return copy
