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
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from diablo.diagnostics import InputError

PROCESSORS = ("sm_70", "sm_80", "sm_90")
"""Volta, Ampere and Hopper."""
_SECONDS = 120
_KERNEL = re.compile(r"Compiling entry function '(\w+)'")
_STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_REGISTERS = re.compile(r"Used (\d+) registers")
_SHARED = re.compile(r"(\d+) bytes smem")
_UNKNOWN = "is not defined for option 'gpu-name'"


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


def assemble(ptx: str, processor: str) -> list[KernelUse]:
    """Assemble kernels for a processor; return what each of them needs.

    Raises
    ------
    UnknownProcessorError
        If the assembler does not know the processor.
    InputError
        If there is no assembler, or it does not take the text.
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
        raise InputError(f"ptxas does not take the kernels: {done.stderr.strip()}")
    return list(_uses(done.stderr + done.stdout, processor))


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
