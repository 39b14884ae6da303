"""What the compiler says of a kernel that runs as machine code: which it is, its call, its IR.

Where the compiler and the program are one process, a kernel is known by the structure of its IR,
and what machine code is made of is written when the kernel is first worth compiling. Text is made
there, and when a kernel travels to another process. A program that was printed has nothing but
text: of that a kernel is made with `from_text`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from diablo.kernel_signature import Signature
from diablo.row_kernel_signature import RowSignature
from diablo.runtime.forking import COMPILER
from diablo.sparse_kernel_signature import SparseSignature, StoredLayout

AnySignature = Signature | SparseSignature | RowSignature
"""What a kernel over dense tiles, over sparse ones, or over rows takes and gives."""
Layouts = Sequence[StoredLayout | None]
"""The layout of each sparse argument; None for rows with 32-bit indices."""
Specialise = Callable[..., tuple[str, SparseSignature] | None]
"""Is given layouts, and `merged` by its name."""


class KernelCode:
    """A kernel as LLVM IR, which `write` writes, called once; pickled it has its text.

    Parameters
    ----------
    identity : tells the kernel from others: equal identities, equal machine code, also of another
        process
    signature : what it takes and gives
    write : writes the text of its LLVM IR
    specialise : the LLVM IR and the signature for tiles in given layouts, None if there is none
    """

    def __init__(
        self,
        identity: str,
        signature: AnySignature,
        write: Callable[[], str],
        specialise: Specialise | None = None,
    ):
        self.identity = identity
        self.signature = signature
        self._write = write
        self._specialise = specialise
        self._llvm_ir: str | None = None

    @staticmethod
    def from_text(llvm_ir: str, signature: str) -> KernelCode:
        """Read what a printed program has of a kernel."""
        return _from_elsewhere(llvm_ir, read_signature(signature))

    @property
    def llvm_ir(self) -> str:
        """The text of an LLVM module with one function."""
        with COMPILER:
            if self._llvm_ir is None:
                self._llvm_ir = self._write()
            return self._llvm_ir

    @property
    def can_specialise(self) -> bool:
        """Whether the compiler is here, to be asked for other layouts."""
        return self._specialise is not None

    def for_layouts(self, layouts: Layouts) -> KernelCode | None:
        """The kernel for sparse arguments in these layouts, None if there is none."""
        if self._specialise is None:
            return None
        with COMPILER:
            found = self._specialise(layouts)
        if found is None:
            return None
        llvm_ir, signature = found
        return KernelCode(_text_identity(llvm_ir), signature, lambda: llvm_ir)

    def merging(self) -> KernelCode | None:
        """The kernel that merges the rows of several arguments, None if there is none."""
        if self._specialise is None:
            return None
        with COMPILER:
            found = self._specialise((), merged=True)
        if found is None:
            return None
        llvm_ir, signature = found
        return KernelCode(_text_identity(llvm_ir), signature, lambda: llvm_ir)

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_elsewhere, (self.llvm_ir, self.signature)


class UncompiledCode:
    """A kernel that the compiler has not looked at yet.

    Parameters
    ----------
    identity : tells the kernel from others
    compile : what the compiler says of it, called once; None if it does not become machine code
    """

    def __init__(self, identity: str, compile: Callable[[], KernelCode | None]):
        self.identity = identity
        self._compile = compile

    @cached_property
    def code(self) -> KernelCode | None:
        """The code that the compiler has made of it."""
        with COMPILER:
            return self._compile()


def read_signature(signature: str) -> AnySignature:
    """A signature from its text."""
    if RowSignature.is_text(signature):
        return RowSignature.parse(signature)
    read = SparseSignature.parse if "{" in signature else Signature.parse
    return read(signature)


def _from_elsewhere(llvm_ir: str, signature: AnySignature) -> KernelCode:
    """A kernel of another process, which is known by its text."""
    return KernelCode(_text_identity(llvm_ir), signature, lambda: llvm_ir)


def _text_identity(llvm_ir: str) -> str:
    return hashlib.sha256(llvm_ir.encode()).hexdigest()
