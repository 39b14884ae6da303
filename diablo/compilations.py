"""What has been compiled, so that an equal program is not compiled again.

    diablo.compile(text)(n=3)                     # compiles
    diablo.compile(text)(n=3)                     # does not: a cell of a notebook, run again
    diablo.compile(text, block_size=64)(n=3)      # compiles for blocks
    diablo.compile(text, engine="spark")(n=3)     # which are those of Spark

This process keeps what it has compiled last, and the disk what processes have compiled: there a
program is its Python text, and of its kernels what tells them from others. The compiler, and xDSL,
are loaded when somebody wants more than that, as the IR or the code of a kernel that is not on the
disk; what the program is lowered to is then the same.

What is shared is never changed; whoever runs it makes a Python module of its own of it.
"""

from __future__ import annotations

import linecache
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import count
from types import CodeType
from typing import TYPE_CHECKING, Any
from weakref import finalize

from diablo.diagnostics import unheard
from diablo.runtime.kernels.kernel_code import (
    AnySignature,
    KernelCode,
    Layouts,
    Specialise,
    UncompiledCode,
    read_signature,
)
from diablo.sparse_kernel_signature import SparseSignature
from diablo.stored_programs import StoredKernel, StoredPlan, StoredText, found, keep

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from diablo.lowering.plan_work import Work
    from diablo.lowering.pyspark.pyspark_kernels import InProcess, UncompiledKernel, UnwrittenIR
    from diablo.runtime.device.device_code import DeviceSource

_MOST_KEPT = 16
_MOST_CHARACTERS = 20_000
"""How long the text of a program may be that is kept though nobody uses it: its IR is large."""


@dataclass(frozen=True)
class EmittedProgram:
    """The Python program of a module, to be run with what is known of its kernels."""

    text: str
    code: CodeType
    kernels: Mapping[str, KernelCode | UncompiledCode]
    inputs: Sequence[str]
    """The names of the inputs that it takes, in order."""
    sparse_results: Mapping[str, Sequence[str | None]]
    """Of kernels: the names of the sparse arrays that they make."""


class Compilation:
    """A program at the spark level, and what was reported on the way there.

    Parameters
    ----------
    file : where the program is
    lower : makes its module; called when that is first asked for
    known : what processes have found out of it
    key : under which it is on the disk; None if it is not to be there
    """

    def __init__(
        self,
        file: str,
        lower: Callable[[], ModuleOp],
        known: StoredPlan,
        key: Hashable = None,
    ):
        self.file = file
        self.diagnostics = known.diagnostics
        self._lower = lower
        self._known = known
        self._key = key
        self._device_sources: dict[bool, Mapping[str, DeviceSource]] = {}
        self._made: dict[str, UnwrittenIR | None] = {}
        """Kernels that were looked at, and of which the IR is not written yet."""

    @cached_property
    def module(self) -> ModuleOp:
        """The module at the spark level. Nobody may change it."""
        with unheard():
            return self._lower()

    @cached_property
    def work(self) -> Work:
        """How much the plan does."""
        if self._known.work is not None:
            return Counter(self._known.work)
        from diablo.lowering.plan_work import plan_work

        work = plan_work(self.module)
        self._keep(StoredPlan(self.diagnostics, work, self._known.emitted))
        return work

    @cached_property
    def emitted(self) -> EmittedProgram:
        """The program that runs in this process."""
        emitted = self._known.emitted
        if emitted is None:
            emitted = self._emit()
            self._keep(StoredPlan(self.diagnostics, self._known.work, emitted))
        kernels = {name: self._code(name, kernel) for name, kernel in emitted.kernels.items()}
        # Programs of one file have names of their own: errors find their places by these lines.
        name = f"<compiled from {self.file}, {next(_numbers)}>"
        code = compile(emitted.text, name, "exec")
        program = EmittedProgram(
            emitted.text, code, kernels, emitted.inputs, emitted.sparse_results
        )
        lines = emitted.text.splitlines(keepends=True)
        linecache.cache[name] = (len(emitted.text), None, lines, name)
        finalize(program, linecache.cache.pop, name, None)
        return program

    def _keep(self, known: StoredPlan) -> None:
        self._known = known
        if self._key is not None:
            keep(self._key, known)

    def _emit(self) -> StoredText:
        from diablo.compiler import input_names
        from diablo.storage import sparse_results

        text, kernels = self._in_process
        described = {name: _described(kernel) for name, kernel in kernels.items()}
        return StoredText(text, described, input_names(self.module), sparse_results(self.module))

    @cached_property
    def _in_process(self) -> tuple[str, InProcess]:
        """The text of the program, and what writes the code of its kernels."""
        from diablo.lowering.pyspark.emit_pyspark import emit_in_process

        return emit_in_process(self.module, self.file)

    def device_sources(self, *, fast_atomics: bool = False) -> Mapping[str, DeviceSource]:
        """Return the sources of its kernels on a device, the same ones each time.

        With `fast_atomics` floats may be added in memory in the order in which threads come.
        """
        from diablo.device_sources import device_sources

        made = self._device_sources.get(fast_atomics)
        if made is None:
            made = device_sources(lambda: self.module, self._key, fast_atomics=fast_atomics)
            self._device_sources[fast_atomics] = made
        return made

    # -- Kernels --------------------------------------------------------------------------

    def _code(self, name: str, kernel: StoredKernel) -> KernelCode | UncompiledCode:
        if kernel.signature is not None:
            return self._written(name, kernel, read_signature(kernel.signature))
        return UncompiledCode(kernel.identity, partial(self._compiled, name, kernel.identity))

    def _compiled(self, name: str, identity: str) -> KernelCode | None:
        """The code of a kernel over rows, if it has any."""
        key = ("rows", identity)
        known = found(key)
        if not isinstance(known, StoredKernel):
            made = self._unwritten(name)
            known = StoredKernel(identity, None, False) if made is None else _described(made)
            keep(key, known)
            self._made[name] = made  # Who asks mostly wants its IR next.
        if known.signature is None:
            return None
        return self._written(name, known, read_signature(known.signature))

    def _written(self, name: str, kernel: StoredKernel, signature: AnySignature) -> KernelCode:
        specialise: Specialise | None = None
        if kernel.specialises:
            specialise = partial(self._specialised, name, kernel.identity)
        write = partial(self._llvm_ir, name, kernel.identity)
        return KernelCode(kernel.identity, signature, write, specialise)

    def _llvm_ir(self, name: str, identity: str) -> str:
        """The LLVM IR of a kernel, which travels to other machines also where its code is known."""
        key = ("llvm", identity)
        known = found(key)
        if not isinstance(known, str):
            made = self._unwritten(name)
            assert made is not None
            known = made.write()
            keep(key, known)
        return known

    def _specialised(
        self, name: str, identity: str, layouts: Layouts, *, merged: bool = False
    ) -> tuple[str, SparseSignature] | None:
        """The code of a kernel for tiles in given layouts, or merging rows; and what it takes."""
        key = ("layouts", identity, "merged" if merged else tuple(layouts))
        known: Any = found(key)
        if known is None:
            kernel = self._unwritten(name)
            assert kernel is not None
            assert kernel.specialise is not None
            made = kernel.specialise(layouts, merged=merged)
            known = () if made is None else (made[0], str(made[1]))
            keep(key, known)
        if not known:
            return None
        llvm_ir, signature = known
        return llvm_ir, SparseSignature.parse(signature)

    def _unwritten(self, name: str) -> UnwrittenIR | None:
        """Return what the compiler of this process says of a kernel."""
        return self._made.pop(name, None) or _looked_at(self._in_process[1][name])


def _looked_at(kernel: UnwrittenIR | UncompiledKernel) -> UnwrittenIR | None:
    from diablo.lowering.pyspark.pyspark_kernels import UncompiledKernel

    return kernel.compile() if isinstance(kernel, UncompiledKernel) else kernel


def _described(kernel: UnwrittenIR | UncompiledKernel) -> StoredKernel:
    from diablo.lowering.pyspark.pyspark_kernels import UncompiledKernel

    if isinstance(kernel, UncompiledKernel):
        return StoredKernel(kernel.identity, None, False)
    return StoredKernel(kernel.identity, str(kernel.signature), kernel.specialise is not None)


_numbers = count()
_KEPT: OrderedDict[Hashable, Compilation] = OrderedDict()


def compiled(key: Hashable, length: int, compile_anew: Callable[[], Compilation]) -> Compilation:
    """Return what was compiled for an equal `key`, or compile it.

    `length` is that of the program's text. Callers hold the lock of the compiler.
    """
    known = _KEPT.get(key)
    if known is not None:
        _KEPT.move_to_end(key)
        return known
    made = compile_anew()
    if length <= _MOST_CHARACTERS:
        _KEPT[key] = made
        if len(_KEPT) > _MOST_KEPT:
            _KEPT.popitem(last=False)
    return made


def forget() -> None:
    """Keep nothing of what was compiled so far."""
    _KEPT.clear()
