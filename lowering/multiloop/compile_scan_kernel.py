"""Compiles kernels that scan vectors: from `tensor_block` ops on these to LLVM IR text.

    compile_scan_kernel(…)    =>    NativeKernel("kernel_0", "define void @kernel_0(...",
                                                 "i64 f64[0] -> f64[0] ~f64(add) rows 0")

The ops become loops that emit, which are fused to one, as those over rows do. But what that makes
is known by its extents before, so that such a kernel is called like those over dense arrays.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import Rewriter

from diablo.dialects.comprehension import MonoidOp
from diablo.kernel_signature import Signature, Slot
from diablo.lowering.llvm.kernel_to_llvm import native_text
from diablo.lowering.llvm.native_kernel import NativeKernel
from diablo.lowering.multiloop.compile_row_kernel import find_row_loop
from diablo.lowering.multiloop.convert_multiloop_to_loops import convert_function, only_loop
from diablo.lowering.multiloop.vector_scans import has_pieces, scans_vectors
from diablo.passes.analyses.refused import Refused
from diablo.row_kernel_signature import Output, RowSignature

_SCAN = 4
"""What a scan costs NumPy at a point, in simple ones: it waits for the point before."""
_OPERATIONS = 8
"""How many operations are a simple point more."""


def compile_scan_kernel(context: Context, module: ModuleOp) -> NativeKernel:
    """Return the only function of `module`, which scans vectors, as LLVM IR.

    Raises
    ------
    Refused
        If it is not compiled.
    """
    function, signature = find_scans(context, module, split=True)
    convert_function(function, split=True)
    for monoid in [op for op in module.ops if isinstance(op, MonoidOp)]:
        Rewriter.erase_op(monoid)  # Its body is in the loops.
    return NativeKernel(
        function.sym_name.data, signature, lambda: native_text(context, module.clone())
    )


def find_scans(context: Context, module: ModuleOp, *, split: bool) -> tuple[func.FuncOp, Signature]:
    """Make the only function of `module` one loop; return it, and what it takes and gives.

    With `split`, it is called for pieces of its points, if it can be.

    Raises
    ------
    Refused
        If there is no machine code for it.
    """
    function, signature = find_row_loop(context, module)
    loop = only_loop(function)
    if not scans_vectors(function, loop):
        raise Refused("it does not just scan vectors, but makes something else")
    return function, _signature(signature, split=split and has_pieces(loop))


def _signature(rows: RowSignature, *, split: bool) -> Signature:
    """Return what such a kernel takes and gives, of what one over rows would."""
    arguments = [slot for slot in rows.arguments if isinstance(slot, Slot)]
    return Signature(
        tuple(arguments),
        tuple(_outputs(rows, split=split)),
        (rows.source,),
        split,
        _SCAN + _OPERATIONS * (rows.weight - 1),
    )


def _outputs(rows: RowSignature, *, split: bool) -> Iterator[Slot]:
    """Return the vectors and numbers that are made, and where the parts of scans are left."""
    for output in rows.outputs:
        element = _element(output)
        if output.kind == "vector":
            yield Slot(element, (rows.source,))
        elif output.kind == "reduce":
            yield Slot(element, monoid="".join(output.monoids) if split else "")
    if split:
        for output in rows.outputs:
            if output.kind == "scan":
                yield Slot(_element(output), temporary=True, monoid="".join(output.monoids))


def _element(output: Output) -> str:
    """The elements of a vector, or the type of a number: a tuple of several."""
    if len(output.values) == 1:
        return output.values[0]
    return f"({','.join(output.values)})"
