"""Compiles a kernel over sparse tiles for other layouts of these than it was emitted for.

    specialise(kernel_3, [StoredLayout("bitmap")])
        ->   "define void @kernel_3(…", f64{1;bitmap;;0}[1,2] i64 i64 -> f64[1] …

What a tile is stored as may show only while a program runs. Then the program asks for machine
code that takes just that.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.ir import Attribute

from diablo.dialects.encodings import is_sparse
from diablo.dialects.sparse_storage import LayoutAttr
from diablo.lowering.multiloop.compile_kernel import compile_kernel
from diablo.lowering.sparse_storage.argument_layouts import COMPRESSED, LAYOUT
from diablo.passes.analyses.refused import Refused
from diablo.sparse_kernel_signature import SparseSignature, StoredLayout


def specialise(
    kernel: func.FuncOp, layouts: Sequence[StoredLayout | None], *, merged: bool = False
) -> tuple[str, SparseSignature] | None:
    """LLVM IR and signature of a kernel; None if it cannot be compiled so.

    Parameters
    ----------
    kernel : a function over local tensors, which is left as it is
    layouts : of each sparse argument, in order; None for compressed rows with 32-bit indices
    merged : whether the rows of several arguments are merged into a result of its own indices
    """
    kernel = with_layouts(kernel, layouts)
    try:
        native = compile_kernel(kernel, merged=merged)
    except Refused:
        return None
    assert isinstance(native.signature, SparseSignature)
    return native.llvm_ir, native.signature


def with_layouts(kernel: func.FuncOp, layouts: Sequence[StoredLayout | None]) -> func.FuncOp:
    """Return a copy of a kernel whose sparse arguments, in their order, have these layouts."""
    kernel = kernel.clone()
    left = list(layouts)
    attributes: list[DictionaryAttr] = []
    for argument in kernel.args:
        layout: dict[str, Attribute] = {}
        if is_sparse(argument.type) and left and (stored := left.pop(0)):
            orders = [stored.order] if stored.order else []
            attribute = LayoutAttr(stored.form, orders, width=stored.width)
            layout = {} if attribute == COMPRESSED else {LAYOUT: attribute}
        attributes.append(DictionaryAttr(layout))
    kernel.arg_attrs = ArrayAttr(attributes)
    return kernel
