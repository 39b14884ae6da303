"""What a program needs of the compiler; imported when there is something to compile.

check("input n: Int; n + 1;", "a.diablo")       ->  its interface, warnings, and module
module = imported(…); lower(module, "diablo-to-spark", …)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from io import StringIO
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.printer import Printer

from diablo.diagnostics import CompileError, Diagnostic, listening
from diablo.environment import wants_verify_each
from diablo.frontend.checking.declarations import program_interface
from diablo.frontend.importer import import_program
from diablo.lowering.pipelines import PIPELINES
from diablo.pass_manager import PassFailure, PassManager
from diablo.pass_pipeline import (
    load_passes,
    parse_pass_pipeline,
    with_checkpoints,
    with_fast_math,
    with_tasks,
)
from diablo.registry import available_passes, new_context
from diablo.runtime.arrays.holdings import Holding
from diablo.runtime.progress import Step, doing
from diablo.storage import note_entries, storage_report, until_layouts, with_layouts
from diablo.stored_programs import CheckedProgram

__all__ = ["check", "import_program", "input_names", "lower", "module_text", "storage_of"]


def check(text: str, file: str) -> tuple[CheckedProgram, ModuleOp]:
    """Check a program for inputs of every kind, and import it; a `CompileError` if it is wrong."""
    interface = program_interface(text, file)
    diagnostics: list[Diagnostic] = []
    with listening(diagnostics.append):
        module = import_program(text, file, verify=False)
    return CheckedProgram(interface, diagnostics), module


def lower(
    module: ModuleOp,
    pipeline: str,
    sources: Mapping[str, str],
    layout: str | None = None,
    fast_math: bool = False,
    checkpoints: bool = False,
    tasks: int | None = None,
) -> None:
    """Run a named pipeline over a module.

    With `checkpoints`, its loops save their state; so many `tasks` of Spark run at a time.
    """
    passes = with_layouts(_passes(pipeline, fast_math), layout)
    if tasks is not None:
        passes = with_tasks(passes, tasks)
    _run(with_checkpoints(passes) if checkpoints else passes, module, sources)


def storage_of(
    module: ModuleOp,
    sources: Mapping[str, str],
    layout: str | None,
    fast_math: bool,
    entries: Mapping[str, int],
    holdings: Mapping[str, Holding],
) -> str:
    """Return the report of `choose-layouts` on the sparse arrays of an imported module."""
    note_entries(module, entries)
    _run(until_layouts(_passes("diablo-to-tensor-block", fast_math)), module, sources)
    return storage_report(module, layout, holdings)


def module_text(module: ModuleOp) -> str:
    """The text of a level."""
    output = StringIO()
    Printer(stream=output).print_op(module)
    return output.getvalue() + "\n"


def input_names(module: ModuleOp) -> list[str]:
    """The source names of the arguments of @main, in order."""
    for op in module.ops:
        if isinstance(op, FuncOp) and op.sym_name.data == "main":
            attributes = op.arg_attrs or ArrayAttr[DictionaryAttr]([])
            return [cast(StringAttr, a.data["diablo.name"]).data for a in attributes]
    return []


def _passes(pipeline: str, fast_math: bool) -> list[ModulePass]:
    passes = _passes_of(PIPELINES[pipeline])
    return with_fast_math(passes) if fast_math else list(passes)


@lru_cache
def _passes_of(pipeline: str) -> Sequence[ModulePass]:
    """The passes of the text of a pipeline."""
    return load_passes(parse_pass_pipeline(pipeline, anchored=False), available_passes(), {})


def _run(passes: Sequence[ModulePass], module: ModuleOp, sources: Mapping[str, str]) -> None:
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
        raise CompileError([first, *rest], dict(sources)) from failure
