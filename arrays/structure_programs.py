"""Programs that are written of a structure, and not of text: compiled once, kept on the disk.

    program = StructureProgram("<array expression>", ("array", key), pipeline, write)
    program.run([a, b], "local", …)    ->    what its function `main` returns

What was compiled for a structure is kept, in this process and on the disk, as that of programs in
the language is (`diablo/compilations.py`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from diablo.compilations import Compilation
from diablo.diagnostics import Diagnostic, listening, report
from diablo.environment import wants_verify_each
from diablo.lowering.pipelines import PIPELINES
from diablo.runtime.collection import without_collection
from diablo.runtime.device.device_names import DeviceName
from diablo.runtime.forking import COMPILER
from diablo.runtime.program.run_main import Engine, run_main
from diablo.runtime.progress import doing
from diablo.stored_programs import StoredPlan, found

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

ON_DEVICE = "tensor-block-to-device"
"""The pipeline of programs whose kernels a device may run."""
_MOST_PROGRAMS = 256


class StructureProgram:
    """What computes all that has a structure.

    Parameters
    ----------
    file : what stands for a file in messages
    key : what tells the structure from others, in each process the same
    pipeline : the name of the one that leads to the spark level
    write : writes the module of the structure, and holds no data
    """

    def __init__(self, file: str, key: Hashable, pipeline: str, write: Callable[[], ModuleOp]):
        self.pipeline = pipeline
        self._is_for_device = pipeline == ON_DEVICE
        self._write = write
        whole = (key, PIPELINES[pipeline], wants_verify_each())
        known = None if wants_verify_each() else found(whole)
        if isinstance(known, StoredPlan):
            self._compilation = Compilation(file, self._lowered, known, whole)
        else:
            self._compilation = self._compile(file, whole)
        _ = self.main

    def _compile(self, file: str, key: Hashable) -> Compilation:
        diagnostics: list[Diagnostic] = []
        with listening(diagnostics.append):
            module = self._lowered()
        kept = None if wants_verify_each() else key
        return Compilation(file, lambda: module, StoredPlan(diagnostics), kept)

    def _lowered(self) -> ModuleOp:
        from diablo.compiler import lower

        module = self._write()
        lower(module, self.pipeline, {})
        return module

    @property
    def module(self) -> ModuleOp:
        """The module at the spark level. Nobody may change it."""
        return self._compilation.module

    @cached_property
    def main(self) -> Callable[..., Any]:
        """The program's `main` function."""
        program = self._compilation.emitted
        # The module is not registered, so that its functions travel to workers by value.
        module = ModuleType("diablo_program")
        module.__dict__["LLVM"] = dict(program.kernels)
        exec(program.code, module.__dict__)
        if self._is_for_device:
            from diablo.runtime.program.device_program import bind_device

            sources = self._compilation.device_sources()
            bind_device(module.__dict__, sources)
            for source in sources.values():
                if source.refusal:
                    message = f"'{source.name}' does not run on a GPU: {source.refusal}"
                    report(Diagnostic("remark", message, source.span))
        return module.__dict__["main"]

    @cached_property
    def _names(self) -> tuple[str, ...]:
        code = self.main.__code__
        return code.co_varnames[1 : code.co_argcount]

    def run(
        self,
        arguments: Sequence[Any],
        engine: Engine = "local",
        master: str | None = None,
        block_size: int | None = None,
        memory: int | None = None,
        device: DeviceName = "cpu",
    ) -> Any:
        """Return what the program gives for its arguments."""
        named = dict(zip(self._names, arguments, strict=True))
        run = None
        if self._is_for_device:
            from diablo.runtime.device.found_device import begin_run

            run = begin_run(device, report)
        return run_main(self.main, named, engine, master, block_size, memory, run)


P = TypeVar("P", bound=StructureProgram)


class KeptPrograms(Generic[P]):
    """The programs of a process by what they are for, those that were made last."""

    def __init__(self) -> None:
        self._programs: OrderedDict[Hashable, P] = OrderedDict()

    def __contains__(self, key: Hashable) -> bool:
        return key in self._programs

    def __len__(self) -> int:
        return len(self._programs)

    def clear(self) -> None:
        """Keep none of them."""
        self._programs.clear()

    def get(self, key: Hashable, make: Callable[[], P]) -> P:
        """Return the program for a key, made if there was none."""
        program = self._programs.get(key)
        if program is None:
            with doing("compiling"), COMPILER, without_collection():
                program = self._programs.get(key) or make()
            self._programs[key] = program
            if len(self._programs) > _MOST_PROGRAMS:
                self._programs.popitem(last=False)
        return program
