"""What this process has compiled last, so that an equal program is not compiled again.

    diablo.compile(text)(n=3)                     # compiles
    diablo.compile(text)(n=3)                     # does not: a cell of a notebook, run again
    diablo.compile(text, block_size=64)(n=3)      # compiles for blocks
    diablo.compile(text, engine="spark")(n=3)     # which are those of Spark

What is shared is never changed; whoever runs it makes a Python module of its own of it.
"""

from __future__ import annotations

import linecache
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from types import CodeType
from weakref import finalize

from xdsl.dialects.builtin import ModuleOp

from diablo.diagnostics import Diagnostic
from diablo.lowering.pyspark.pyspark_kernels import UncompiledKernel, UnwrittenIR
from diablo.runtime.kernels.kernel_code import KernelCode, UncompiledCode

_MOST_KEPT = 16
_MOST_CHARACTERS = 20_000
"""How long the text of a program may be that is kept though nobody uses it: its IR is large."""


@dataclass(frozen=True)
class EmittedProgram:
    """The Python program of a module, to be run with the LLVM IR of its kernels."""

    code: CodeType
    kernels: Mapping[str, KernelCode | UncompiledCode]


@dataclass
class Compilation:
    """The module of a program at the spark level, and what was reported on the way there."""

    module: ModuleOp
    diagnostics: Sequence[Diagnostic]
    file: str

    @cached_property
    def emitted(self) -> EmittedProgram:
        """The program that runs in this process."""
        from diablo.lowering.pyspark.emit_pyspark import emit_in_process

        text, unwritten = emit_in_process(self.module, self.file)
        kernels = {kernel: _code(ir) for kernel, ir in unwritten.items()}
        # Programs of one file have names of their own: errors find their places by these lines.
        name = f"<compiled from {self.file}, {next(_numbers)}>"
        program = EmittedProgram(compile(text, name, "exec"), kernels)
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        finalize(program, linecache.cache.pop, name, None)
        return program


def _code(ir: UnwrittenIR | UncompiledKernel) -> KernelCode | UncompiledCode:
    """What runs takes of what the compiler made."""
    if isinstance(ir, UnwrittenIR):
        return _written(ir)

    def compile_now() -> KernelCode | None:
        made = ir.compile()
        return made and _written(made)

    return UncompiledCode(ir.identity, compile_now)


def _written(ir: UnwrittenIR) -> KernelCode:
    return KernelCode(ir.identity, ir.signature, ir.write, ir.specialise)


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
