"""One program specialised to the kind of its inputs: its levels, its Python text, its `main`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from inspect import Parameter, signature
from types import ModuleType
from typing import TYPE_CHECKING, Any

from diablo.compilations import Compilation, compiled
from diablo.diagnostics import CompileError, Diagnostic, listening, report
from diablo.environment import wants_verify_each
from diablo.frontend.emission.bindings import Binding
from diablo.held_entries import watch_kernels
from diablo.lowering.pipelines import PIPELINES
from diablo.runtime.arrays.holdings import Holding
from diablo.runtime.program.run_identity import digest
from diablo.stored_programs import StoredPlan, found

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from diablo.lowering.plan_work import Work
    from diablo.runtime.device.device_code import DeviceSource
    from diablo.runtime.device.device_names import DeviceName

LEVELS: dict[str, str | None] = {
    "diablo": None,
    "comprehension": "diablo-to-comprehension",
    "tensor_block": "diablo-to-tensor-block",
    "spark": "diablo-to-spark",
}
"""The levels of the IR from the source down, and the pipeline that leads to each."""


@dataclass
class Imported:
    """A module of the source's level, for one to lower, and what was reported of the program."""

    module: ModuleOp | None
    diagnostics: Sequence[Diagnostic]

    def take(self) -> ModuleOp | None:
        """The module, for the first who asks."""
        taken, self.module = self.module, None
        if taken is not None:
            for diagnostic in self.diagnostics:
                report(diagnostic)
        return taken


@dataclass
class Variant:
    """A program and what is known of its inputs.

    `outputs` are the variables to return instead of the last expression. With `strict`,
    warnings are errors. With `whole`, every array is one tile of this process.
    """

    text: str
    file: str
    bindings: Mapping[str, Binding]
    outputs: Sequence[str] | None = None
    strict: bool = False
    whole: bool = False
    layout: str | None = None
    """How sparse arrays are stored, if it is not chosen for each."""
    entries: Mapping[str, int] = field(default_factory=dict[str, int])
    """How many entries sparse inputs store in the call that the program is compiled for."""
    fast_math: bool = False
    fast_atomics: bool = False
    """Whether sums of floats are split where their terms may cancel."""
    checkpoints: bool = False
    """Whether loops save their state as they run."""
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    """The warnings and remarks of the compilation to the spark level."""

    holdings: dict[str, Holding] = field(default_factory=dict[str, Holding])
    """What sparse arrays held in the latest run, by their names."""
    imported: Imported | None = None
    """The module that was made to find the program's errors, if it is the variant's own."""
    given: Mapping[str, Binding] = field(default_factory=dict[str, Binding])
    """All that is known of the inputs in the call that the program is compiled for."""
    device: DeviceName = "cpu"
    """Which devices may run the kernels: that of this process, in which every array is one tile
    then as well, several of this process, or those of Spark's workers."""
    dealt: bool = False
    """Whether they are several of this process."""
    tasks: int | None = None
    """How many tasks of Spark run at a time, if that is known."""

    def lower(self, level: str) -> ModuleOp:
        """A new module at the given level."""
        from diablo import compiler

        pipeline = self._spark_pipeline if level == "spark" else LEVELS[level]
        # What the passes make of it is verified; so need this not be, unless it is all there is.
        verify = pipeline is None or wants_verify_each()
        module = None if verify or self.imported is None else self.imported.take()
        if module is None:
            module = compiler.import_program(
                self.text, self.file, self.bindings, self.outputs, verify
            )
        if pipeline is not None:
            checkpoints = self.checkpoints and level == "spark"
            compiler.lower(
                module,
                pipeline,
                self._sources,
                self.layout,
                self.fast_math,
                checkpoints,
                None if self.whole else self.tasks,
            )
        return module

    @property
    def _spark_pipeline(self) -> str:
        """The pipeline that leads to the spark level."""
        if not self.whole:
            return "diablo-to-spark"
        return "diablo-to-local" if self.device == "cpu" else "diablo-to-device"

    def storage(self) -> str:
        """Return what is stored of the sparse arrays: the report of `choose-layouts`."""
        from diablo import compiler

        known = {**self.bindings, **self.given}
        return compiler.storage_of(
            compiler.import_program(self.text, self.file, known, self.outputs),
            self._sources,
            self.layout,
            self.fast_math,
            self.entries,
            self.holdings,
        )

    def ir(self, level: str) -> str:
        """The text of a level."""
        from diablo.compiler import module_text

        return module_text(self.lower(level))

    @property
    def _sources(self) -> dict[str, str]:
        return {self.file: self.text}

    @cached_property
    def _compilation(self) -> Compilation:
        key = (
            self.text,
            self.file,
            repr(sorted(self.bindings.items())),
            None if self.outputs is None else tuple(self.outputs),
            self.layout,
            self.fast_math,
            self.checkpoints,
            None if self.whole else self.tasks,
            PIPELINES[self._spark_pipeline],
            wants_verify_each(),
        )
        made = compiled(key, len(self.text), lambda: self._found(key) or self._compile(key))
        self.diagnostics += made.diagnostics
        return made

    @property
    def _accepted(self) -> Compilation:
        """The compilation; a `CompileError` with its warnings if these are errors."""
        made = self._compilation
        warnings = [d for d in self.diagnostics if d.severity == "warning"]
        if self.strict and warnings:
            raise CompileError(
                [Diagnostic("error", w.message, w.span, w.hint, w.notes) for w in warnings],
                self._sources,
            )
        return made

    def _found(self, key: Hashable) -> Compilation | None:
        """Return what another process has compiled."""
        known = None if wants_verify_each() else found(key)
        if not isinstance(known, StoredPlan):
            return None
        other = replace(self, diagnostics=[], holdings={})  # What is kept lets go of this one.
        return Compilation(self.file, other._lowered, known, key)

    def _compile(self, key: Hashable) -> Compilation:
        diagnostics: list[Diagnostic] = []
        try:
            with listening(diagnostics.append):
                module = self._lowered()
        except CompileError:
            self.diagnostics += diagnostics
            raise
        known = StoredPlan(diagnostics)
        return Compilation(self.file, lambda: module, known, None if wants_verify_each() else key)

    def _lowered(self) -> ModuleOp:
        return self.lower("spark")

    @property
    def spark_module(self) -> ModuleOp:
        """The module at the spark level, whose diagnostics are kept. Nobody may change it."""
        with self._showing_sources():
            return self._accepted.module

    @property
    def work(self) -> Work:
        """How much the plan does."""
        return self._accepted.work

    @property
    def warnings(self) -> frozenset[str]:
        """The warnings of the compilation to the spark level."""
        _ = self._accepted
        return frozenset(d.message for d in self.diagnostics if d.severity == "warning")

    @cached_property
    def python(self) -> str:
        """The text of the PySpark program."""
        from diablo.lowering.pyspark.emit_pyspark import emit_pyspark

        with self._showing_sources():
            return emit_pyspark(self.spark_module, self.file)

    @cached_property
    def plan(self) -> str:
        """The digest of what the program was compiled to."""
        program = self._accepted.emitted
        kernels = sorted((name, code.identity) for name, code in program.kernels.items())
        return digest((program.text, kernels))

    @cached_property
    def main(self) -> Callable[..., Any]:
        """The program's `main` function."""
        compilation = self._accepted
        with self._showing_sources():
            program = compilation.emitted
        # The module is not registered, so that its functions travel to workers by value.
        module = ModuleType("diablo_program")
        module.__dict__["LLVM"] = dict(program.kernels)
        exec(program.code, module.__dict__)
        if self.whole:
            watch_kernels(program.sparse_results, module.__dict__, self.holdings)
        if self.device != "cpu":
            self._bind_device(module.__dict__)
        return module.__dict__["main"]

    def _bind_device(self, names: dict[str, Any]) -> None:
        """Let the kernels of a program run on devices: in this process, or in tasks."""
        if self.whole:
            from diablo.runtime.program.device_program import bind_device

            bind_device(names, self.device_sources)
        elif self.dealt:
            from diablo.runtime.program.dealt_program import bind_dealt

            bind_dealt(names, self.device_sources)
        else:
            from diablo.runtime.device.worker_kernels import bind_workers

            mode = "auto" if self.device == "auto" else "gpu"
            bind_workers(names, self.device_sources, mode)

    @cached_property
    def device_sources(self) -> Mapping[str, DeviceSource]:
        """The sources of the kernels on a device; why some stay here is said."""
        sources = self._accepted.device_sources(fast_atomics=self.fast_atomics)
        for source in sources.values():
            if source.refusal:
                message = f"'{source.name}' does not run on a GPU: {source.refusal}"
                self.diagnostics.append(Diagnostic("remark", message, source.span))
        return sources

    @contextmanager
    def _showing_sources(self) -> Generator[None]:
        """Let errors know the program's text."""
        try:
            yield
        except CompileError as error:
            raise CompileError(error.diagnostics, {**self._sources, **error.sources}) from error

    @cached_property
    def parameters(self) -> dict[str, str]:
        """From each input that `main` takes to the name of its parameter there."""
        names = [
            p.name
            for p in signature(self.main).parameters.values()
            if p.kind is Parameter.POSITIONAL_OR_KEYWORD
        ]
        return dict(zip(self._compilation.emitted.inputs, names[1:], strict=True))
