"""LLVM IR text to a callable address, once per process.

Compiled for the machine that runs, at the highest level, with loop and superword
vectorisation. Calls go through ctypes and so release the interpreter lock.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from typing import Any

Entry = Callable[..., None]

_compiled: dict[str, tuple[Any, int]] = {}
_lock = threading.Lock()


def machine_code(key: str, llvm_ir: str, argument_types: Sequence[Any]) -> Entry | None:
    """The only function defined in `llvm_ir`, compiled; None if llvmlite is not installed.

    Parameters
    ----------
    key : tells this text from others, a digest of it
    llvm_ir : the text of an LLVM module; its target is replaced by this machine
    argument_types : the ctypes types of the function's arguments; it returns nothing
    """
    with _lock:
        if key not in _compiled:
            try:
                _compiled[key] = _compile(llvm_ir)
            except ImportError:
                return None
        _, address = _compiled[key]
    return ctypes.CFUNCTYPE(None, *argument_types)(address)


def _compile(llvm_ir: str) -> tuple[Any, int]:
    """Optimise and link a module; return its engine, which owns the code, and the address."""
    import llvmlite.binding as binding

    llvm: Any = binding
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(llvm_ir)
    module.triple = llvm.get_process_triple()
    machine = llvm.Target.from_triple(module.triple).create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3
    )
    module.data_layout = str(machine.target_data)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = True
    options.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    name = next(f.name for f in module.functions if not f.is_declaration)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return engine, engine.get_function_address(name)
