"""What compiling a kernel gives: text that any process can turn into machine code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class NativeKernel:
    """A kernel as LLVM IR.

    `signature` is the text that `diablo.runtime.kernels.compiled` reads: what the function
    takes and gives, and how threads may share its work.
    """

    name: str
    signature: str
    write: Callable[[], str]
    """Writes the IR, which is most of the work and not always wanted."""

    @cached_property
    def llvm_ir(self) -> str:
        """The text of an LLVM module with this function alone."""
        return self.write()
