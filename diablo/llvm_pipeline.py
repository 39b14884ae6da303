"""LLVM's own passes over a module, for processors and GPUs alike."""

from __future__ import annotations

from typing import Any


def run_llvm_passes(module: Any, machine: Any, options: Any) -> None:
    """Run the passes of a level of optimisation over a module of llvmlite's, and free them.

    llvmlite 0.50 keeps them otherwise, 70 kB each time: its class for them inherits two ways to be
    freed, of which the first does nothing.
    """
    from llvmlite import binding
    from llvmlite.binding import newpassmanagers

    llvm: Any = binding
    managers: Any = newpassmanagers
    builder = llvm.create_pass_builder(machine, options)
    passes = builder.getModulePassManager()
    passes.run(module, builder)
    if not passes.closed:
        managers.NewPassManager._dispose(passes)
        passes.detach()
