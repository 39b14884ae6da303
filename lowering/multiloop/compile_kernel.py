"""Compiles kernels to LLVM IR.

Those over sparse tiles go through regions, those over rows and those that scan vectors through
loops that emit, and those over dense tiles become loops as they are.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from diablo.dialects.comprehension.comprehension_monoids import monoids_used
from diablo.dialects.encodings import is_sparse
from diablo.lowering.kernel_types import has_generators, has_rows
from diablo.lowering.llvm.native_kernel import NativeKernel
from diablo.passes.analyses.refused import Refused
from diablo.passes.comprehension.expand_random import ExpandRandomPass


def compile_kernel(function: func.FuncOp, *, merged: bool = False) -> NativeKernel:
    """Return the kernel as LLVM IR.

    With `merged`, of a kernel over sparse tiles, the result is sparse and stores what it computes.

    Raises
    ------
    Refused
        If it is not compiled.
    """
    context = Context()
    monoids = monoids_used(function)
    function = function.clone()
    module = ModuleOp([function, *[monoid.clone() for monoid in monoids]])
    ExpandRandomPass().apply(context, module)
    if any(is_sparse(argument.type) for argument in function.args):
        # Most programs have no sparse kernel, and its lowering is long to load.
        from diablo.lowering.sparse_storage.compile_sparse_kernel import compile_sparse_kernel

        return compile_sparse_kernel(context, module, merged=merged)
    if has_rows(function):
        from diablo.lowering.multiloop.compile_row_kernel import compile_row_kernel

        return compile_row_kernel(context, module)
    if has_generators(function):
        from diablo.lowering.multiloop.compile_scan_kernel import compile_scan_kernel

        return compile_scan_kernel(context, module)
    from diablo.lowering.llvm.kernel_to_llvm import compile_dense_kernel

    return compile_dense_kernel(context, module)


class CompiledKernels:
    """The kernels of a module as LLVM IR, each compiled once, however many loops call it."""

    def __init__(self) -> None:
        self._found: dict[str, NativeKernel | str] = {}
        """Each kernel, or why it is none: an exception would hold what its callers have."""

    def of(self, kernel: func.FuncOp) -> NativeKernel:
        """Return a kernel, or one like it of its name; raises `Refused` as `compile_kernel`."""
        name = kernel.sym_name.data
        found = self._found.get(name)
        if found is None:
            try:
                found = compile_kernel(kernel)
            except Refused as reason:
                found = str(reason)
            self._found[name] = found
        if isinstance(found, str):
            raise Refused(found)
        return found
