"""One program specialised to the kind of its inputs: its levels, its Python text, its `main`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from inspect import Parameter, signature
from io import StringIO
from types import ModuleType
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.printer import Printer

from diablo.compilations import Compilation, compiled
from diablo.diagnostics import CompileError, Diagnostic, listening, report
from diablo.frontend.emission.bindings import Binding
from diablo.frontend.importer import import_program
from diablo.lowering.pipelines import PIPELINES
from diablo.lowering.plan_work import Work, plan_work
from diablo.pass_manager import PassFailure, PassManager, wants_verify_each
from diablo.pass_pipeline import load_passes, parse_pass_pipeline, with_fast_math
from diablo.registry import available_passes, new_context
from diablo.runtime.arrays.holdings import Holding
from diablo.runtime.progress import Step, doing
from diablo.storage import (
    note_entries,
    storage_report,
    until_layouts,
    watch_kernels,
    with_layouts,
)

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
    """Whether sums of floats are split where their terms may cancel."""
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    """The warnings and remarks of the compilation to the spark level."""

    holdings: dict[str, Holding] = field(default_factory=dict[str, Holding])
    """What sparse arrays held in the latest run, by their names."""
    imported: Imported | None = None
    """The module that was made to find the program's errors, if it is the variant's own."""
    given: Mapping[str, Binding] = field(default_factory=dict[str, Binding])
    """All that is known of the inputs in the call that the program is compiled for."""

    def lower(self, level: str) -> ModuleOp:
        """A new module at the given level."""
        pipeline = self._spark_pipeline if level == "spark" else LEVELS[level]
        # What the passes make of it is verified; so need this not be, unless it is all there is.
        verify = pipeline is None or wants_verify_each()
        module = None if verify or self.imported is None else self.imported.take()
        if module is None:
            module = import_program(self.text, self.file, self.bindings, self.outputs, verify)
        if pipeline is None:
            return module
        self._run(with_layouts(self._passes(pipeline), self.layout), module)
        return module

    @property
    def _spark_pipeline(self) -> str:
        """The pipeline that leads to the spark level."""
        return "diablo-to-local" if self.whole else "diablo-to-spark"

    def storage(self) -> str:
        """What is stored of the sparse arrays: the report of `choose-layouts`."""
        known = {**self.bindings, **self.given}
        module = import_program(self.text, self.file, known, self.outputs)
        note_entries(module, self.entries)
        self._run(until_layouts(self._passes("diablo-to-tensor-block")), module)
        return storage_report(module, self.layout, self.holdings)

    def _passes(self, pipeline: str) -> list[ModulePass]:
        passes = _passes_of(PIPELINES[pipeline])
        return with_fast_math(passes) if self.fast_math else list(passes)

    def _run(self, passes: Sequence[ModulePass], module: ModuleOp) -> None:
        progress = Step("compiling", total=len(passes))
        manager = PassManager(
            passes,
            verify_each=wants_verify_each(),
            before=[lambda step, _: progress.begin(step.name)],
        )
        try:
            with doing(progress):
                manager.run(new_context(), module)
        except PassFailure as failure:
            hint = "this is a mistake of diablo's, not of the program" if failure.internal else None
            first, *rest = failure.diagnostics
            if hint is not None:
                first = Diagnostic("error", first.message, first.span, hint, first.notes)
            raise CompileError([first, *rest], self._sources) from failure

    def ir(self, level: str) -> str:
        """The text of a level."""
        output = StringIO()
        Printer(stream=output).print_op(self.lower(level))
        return output.getvalue() + "\n"

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
            PIPELINES[self._spark_pipeline],
            wants_verify_each(),
        )
        found = compiled(key, len(self.text), self._compile)
        self.diagnostics += found.diagnostics
        return found

    def _compile(self) -> Compilation:
        diagnostics: list[Diagnostic] = []
        try:
            with listening(diagnostics.append):
                return Compilation(self.lower("spark"), diagnostics, self.file)
        except CompileError:
            self.diagnostics += diagnostics
            raise

    @cached_property
    def spark_module(self) -> ModuleOp:
        """The module at the spark level, whose diagnostics are kept. Nobody may change it."""
        module = self._compilation.module
        warnings = [d for d in self.diagnostics if d.severity == "warning"]
        if self.strict and warnings:
            raise CompileError(
                [Diagnostic("error", w.message, w.span, w.hint, w.notes) for w in warnings],
                self._sources,
            )
        return module

    @property
    def work(self) -> Work:
        """How much the plan does."""
        return plan_work(self.spark_module)

    @property
    def warnings(self) -> frozenset[str]:
        """The warnings of the compilation to the spark level."""
        return frozenset(d.message for d in self.diagnostics if d.severity == "warning")

    @cached_property
    def python(self) -> str:
        """The text of the PySpark program."""
        from diablo.lowering.pyspark.emit_pyspark import emit_pyspark

        with self._showing_sources():
            return emit_pyspark(self.spark_module, self.file)

    @cached_property
    def main(self) -> Callable[..., Any]:
        """The program's `main` function."""
        module_ir = self.spark_module
        with self._showing_sources():
            program = self._compilation.emitted
        # The module is not registered, so that its functions travel to workers by value.
        module = ModuleType("diablo_program")
        module.__dict__["LLVM"] = dict(program.kernels)
        exec(program.code, module.__dict__)
        if self.whole:
            watch_kernels(module_ir, module.__dict__, self.holdings)
        return module.__dict__["main"]

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
        return dict(zip(_input_names(self.spark_module), names[1:], strict=True))


@lru_cache
def _passes_of(pipeline: str) -> Sequence[ModulePass]:
    """The passes of the text of a pipeline."""
    return load_passes(parse_pass_pipeline(pipeline, anchored=False), available_passes(), {})


def _input_names(module: ModuleOp) -> list[str]:
    """The source names of the arguments of @main, in order."""
    for op in module.ops:
        if isinstance(op, FuncOp) and op.sym_name.data == "main":
            attributes = op.arg_attrs or ArrayAttr[DictionaryAttr]([])
            return [cast(StringAttr, a.data["diablo.name"]).data for a in attributes]
    return []
