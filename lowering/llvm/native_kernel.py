"""What compiling a kernel gives: what it takes, and what writes its LLVM IR."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from diablo.kernel_signature import Signature
from diablo.row_kernel_signature import RowSignature
from diablo.sparse_kernel_signature import SparseSignature


@dataclass(frozen=True)
class NativeKernel:
    """A kernel as LLVM IR.

    `signature` is what the function takes and gives, and how threads may share its work.
    """

    name: str
    signature: Signature | SparseSignature | RowSignature
    write: Callable[[], str]
    """Writes the IR, which is most of the work and not always wanted."""

    @cached_property
    def llvm_ir(self) -> str:
        """The text of an LLVM module with this function alone."""
        return self.write()
