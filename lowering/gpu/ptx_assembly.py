"""What a GPU's assembler makes of PTX: registers, shared memory, and what does not fit.

The assembler `ptxas` is part of CUDA, and of the wheel `nvidia-cuda-nvcc-cu12`; it needs no GPU.
Who runs kernels does without it, since a driver has one of its own.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from diablo.diagnostics import CompileError, Diagnostic, InputError, Span, source_lines

PROCESSORS = ("sm_70", "sm_80", "sm_90")
"""Volta, Ampere and Hopper."""
_SECONDS = 120
_KERNEL = re.compile(r"Compiling entry function '(\w+)'")
_STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_REGISTERS = re.compile(r"Used (\d+) registers")
_SHARED = re.compile(r"(\d+) bytes smem")
_UNKNOWN = "is not defined for option 'gpu-name'"
_WRONG = re.compile(r"^ptxas (?:\S+, line (\d+); )?(?:error|fatal) *: (.*)$", re.MULTILINE)
_END = "Ptx assembly aborted due to errors"
_FILE = re.compile(r"file '/\S+_stdin'")
_NAME = re.compile(r"'(\S+)'$")
_HINT = "diablo-opt -t ptx writes kernels as PTX"


class UnknownProcessorError(InputError):
    """The assembler does not know a processor: newer ones leave old ones out."""


@dataclass(frozen=True)
class KernelUse:
    """What a kernel needs of a processor: registers for each thread, bytes for the rest."""

    kernel: str
    processor: str
    registers: int
    shared: int
    stack: int
    spilled: int
    """What does not fit into registers, and is stored and loaded again."""


def find_assembler() -> Path | None:
    """Return where `ptxas` is, if it is installed: that of the wheel before another one."""
    spec = find_spec("nvidia")
    for folder in spec.submodule_search_locations or () if spec is not None else ():
        path = Path(folder) / "cuda_nvcc" / "bin" / "ptxas"
        if os.access(path, os.X_OK):
            return path
    found = shutil.which("ptxas")
    return Path(found) if found is not None else None


def assemble(ptx: str, processor: str, name: str = "<kernels>") -> list[KernelUse]:
    """Assemble kernels for a processor; return what each of them needs.

    Parameters
    ----------
    name : what the text is called where it is wrong

    Raises
    ------
    UnknownProcessorError
        If the assembler does not know the processor.
    CompileError
        If it does not take the text.
    InputError
        If there is no assembler.
    """
    assembler = find_assembler()
    if assembler is None:
        raise InputError("there is no ptxas: install the package nvidia-cuda-nvcc-cu12")
    command = [str(assembler), "-v", f"-arch={processor}", "-o", os.devnull, "-"]
    done = subprocess.run(
        command, input=ptx, capture_output=True, text=True, timeout=_SECONDS, check=False
    )
    if done.returncode and _UNKNOWN in done.stderr:
        raise UnknownProcessorError(f"this ptxas does not know {processor}")
    if done.returncode:
        raise CompileError(_errors(done.stderr, ptx, name), {name: ptx})
    return list(_uses(done.stderr + done.stdout, processor))


def _errors(report: str, ptx: str, name: str) -> list[Diagnostic]:
    """Return what the assembler finds wrong, at the lines of the text rather than of its own file.

    It reads on as a kernel what is none, so that all but the first says little where nothing is.
    """
    lines = source_lines(ptx)
    found: list[Diagnostic] = []
    for line, message in _WRONG.findall(report):
        if message == _END:
            continue
        number, said = int(line or 0), _FILE.sub("the file", message.strip())
        span = _span(name, number, lines[number - 1], said) if 0 < number <= len(lines) else None
        found.append(Diagnostic("error", f"ptxas: {said}", span))
    if not found:
        found.append(Diagnostic("error", "ptxas does not take the kernels, and does not say why"))
    hint = None if ".version" in ptx else _HINT
    return [replace(found[0], hint=hint), *found[1:]]


def _span(name: str, number: int, line: str, message: str) -> Span:
    """The place in a line of what a message names last, else of all that stands there."""
    named = _NAME.search(message)
    at = -1 if named is None else line.find(named[1])
    if named is not None and at >= 0:
        return Span(name, number, at + 1, at + len(named[1]) + 1)
    column = len(line) - len(line.lstrip()) + 1
    return Span(name, number, column, max(column, len(line.rstrip())) + 1)


def _uses(report: str, processor: str) -> Iterator[KernelUse]:
    """Return what the assembler says of each kernel."""
    _, *parts = _KERNEL.split(report)
    for kernel, text in zip(parts[::2], parts[1::2], strict=True):
        stack = _STACK.search(text)
        registers = _REGISTERS.search(text)
        shared = _SHARED.search(text)
        assert stack is not None
        assert registers is not None
        yield KernelUse(
            kernel,
            processor,
            int(registers[1]),
            int(shared[1]) if shared is not None else 0,
            int(stack[1]),
            int(stack[2]) + int(stack[3]),
        )
