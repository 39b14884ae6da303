"""Compiles a kernel over sparse tiles for other layouts of these than it was emitted for.

    specialise(kernel_3, ["form = bitmap"])
        ->   "define void @kernel_3(…", "f64{1;bitmap;;0}[1,2] i64 i64 -> f64[1] …"

What a tile is stored as may show only while a program runs. Then the program asks for machine
code that takes just that.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.ir import Attribute
from xdsl.parser import Parser

from diablo.dialects.encodings import is_sparse
from diablo.dialects.sparse_storage import LayoutAttr, SparseStorage
from diablo.lowering.sparse_storage.argument_layouts import COMPRESSED, LAYOUT
from diablo.lowering.sparse_storage.compile_kernel import compile_kernel
from diablo.passes.analyses.refused import Refused


def specialise(kernel: func.FuncOp, layouts: Sequence[str]) -> tuple[str, str] | None:
    """LLVM IR and signature of a kernel; None if it cannot be compiled so.

    Parameters
    ----------
    kernel : a function over local tensors, which is left as it is
    layouts : of each sparse argument, in order; "" for compressed rows with 32-bit indices
    """
    context = Context()
    context.load_dialect(SparseStorage)
    kernel = kernel.clone()
    left = list(layouts)
    attributes: list[DictionaryAttr] = []
    for argument in kernel.args:
        layout: dict[str, Attribute] = {}
        if is_sparse(argument.type) and (text := left.pop(0)):
            attribute = Parser(context, f"#{LayoutAttr.name}<{text}>").parse_attribute()
            layout = {} if attribute == COMPRESSED else {LAYOUT: attribute}
        attributes.append(DictionaryAttr(layout))
    kernel.arg_attrs = ArrayAttr(attributes)
    try:
        native = compile_kernel(kernel)
    except Refused:
        return None
    return native.llvm_ir, native.signature
