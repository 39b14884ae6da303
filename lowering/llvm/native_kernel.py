"""What compiling a kernel gives: text that any process can turn into machine code."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class NativeKernel:
    """A kernel as LLVM IR.

    `signature` is the text that `diablo.runtime.kernels.compiled` reads: what the function
    takes and gives, and how threads may share its work.
    """

    name: str
    llvm_ir: str
    signature: str
