"""What `diablo-opt` does: parse each chunk, run the passes, print; report every error."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import StringIO
from time import perf_counter

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer
from xdsl.utils.target import Target

from diablo.anchors import Step
from diablo.diagnostics import CompileError, Diagnostic, InputError, listening, source_text
from diablo.pass_manager import DEFAULT_REWRITE_LIMIT, PassFailure, PassManager
from diablo.pass_pipeline import PipelineError, check_pass_name, load_steps, parse_pass_pipeline
from diablo.registry import available_passes, available_targets, new_context
from diablo.runtime.io.standard_output import OutputError, print_whole
from diablo.source_text import read_source
from diablo.tools.opt_tool.opt_arguments import OptArguments, parse_arguments
from diablo.tools.opt_tool.opt_input import (
    SEPARATOR,
    Source,
    language_of,
    parse_source,
    split_chunks,
)
from diablo.verification import verify_module


class UsageError(Exception):
    """The command line cannot be followed: exit code 2."""


def run(argv: Sequence[str]) -> int:
    """Run the command and return its exit code."""
    arguments = parse_arguments(argv, DEFAULT_REWRITE_LIMIT)
    try:
        if arguments.list_passes:
            from diablo.tools.opt_tool.pass_list import pass_list

            print_whole(pass_list())
            return 0
        if arguments.run_reproducer:
            arguments = _reproduced(arguments, argv)
        return _Driver(arguments, argv).run()
    except UsageError as error:
        print(f"diablo-opt: error: {error}", file=sys.stderr)
        return 2
    except OutputError as error:
        print(f"diablo-opt: error: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 1  # The reader has gone, as after `| head`.
    except KeyboardInterrupt:
        return 130


def _reproduced(arguments: OptArguments, argv: Sequence[str]) -> OptArguments:
    """The arguments of a reproducer's own command, and those of this command after them."""
    from diablo.tools.opt_tool.reproduced_command import ReproducerError, read_command
    from diablo.tools.opt_tool.reproducer import check_command

    path = arguments.input_file
    if path == "-":
        raise UsageError("--run-reproducer needs a file")
    if arguments.passes is not None or arguments.pass_pipeline is not None:
        raise UsageError("--run-reproducer runs the passes that the file names, and no others")
    try:
        command = read_command(read_source(path)[1], "diablo-opt")
        check_command(parse_arguments(command.arguments, DEFAULT_REWRITE_LIMIT))
    except OSError as error:
        raise UsageError(f"cannot read '{path}': {error.strerror}") from None
    except (ReproducerError, CompileError) as error:
        raise UsageError(f"'{path}' is no reproducer: {error}") from None
    os.environ.update(command.environment)
    return parse_arguments([*command.arguments, *argv], DEFAULT_REWRITE_LIMIT)


@dataclass
class _Driver:
    """One run of the command."""

    arguments: OptArguments
    argv: Sequence[str]
    seconds: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])

    def run(self) -> int:
        arguments = self.arguments
        target = _load_target(arguments)
        passes = _load_passes(arguments)
        try:
            sources = self._sources()
        except CompileError as error:
            print(error, file=sys.stderr)
            return 1
        outputs: list[str] = []
        failed = False
        for source in sources:
            chunk = _Chunk(arguments, self.argv, source, passes, target, self.seconds)
            failed |= not chunk.run()
            if chunk.output is not None:
                outputs.append(chunk.output)
        self._write(f"{SEPARATOR}\n".join(outputs), failed)
        if arguments.timing:
            from diablo.tools.opt_tool.timing import timing_table

            print(timing_table(self.seconds), end="", file=sys.stderr)
        return 1 if failed else 0

    def _sources(self) -> list[Source]:
        path = self.arguments.input_file
        try:
            name, text = read_source(path)
        except OSError as error:
            raise UsageError(f"cannot read '{path}': {error.strerror}") from None
        language = self.arguments.frontend or language_of(path)
        chunks = split_chunks(text) if self.arguments.split_input_file else [text]
        return [Source(name, chunk, language) for chunk in chunks]

    def _write(self, text: str, failed: bool) -> None:
        """Print `text`, or write it to a file, which after an error stays what it was."""
        path = self.arguments.output_file
        if path is None or path == "-":
            print_whole(text)
            return
        if failed:
            return
        try:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise UsageError(f"cannot write '{path}': {error.strerror}") from None


@dataclass
class _Chunk:
    """One input on its way through the passes."""

    arguments: OptArguments
    argv: Sequence[str]
    source: Source
    passes: Sequence[Step]
    target: Target
    seconds: list[tuple[str, float]]
    output: str | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    sources: dict[str, str] = field(default_factory=dict[str, str])

    def run(self) -> bool:
        """Return whether all went as it should."""
        self.sources[self.source.name] = self.source.text
        with listening(self._listen):
            self._process()
        if not self.arguments.verify_diagnostics:
            return not any(d.severity == "error" for d in self.diagnostics)
        from diablo.tools.opt_tool.expected_diagnostics import find_expectations, unmet_expectations

        try:
            expectations = find_expectations(self.source.text, self.source.name)
        except re.error as error:
            self._print(Diagnostic("error", f"wrong regular expression in a comment: {error}"))
            return False
        unmet = unmet_expectations(expectations, self.diagnostics, remarks=self.arguments.remarks)
        for diagnostic in unmet:
            self._print(diagnostic)
        return not unmet

    def _process(self) -> None:
        """Parse, verify, run the passes and print; every error becomes a diagnostic."""
        stage = "reading the input"
        ctx = new_context(allow_unregistered=self.arguments.allow_unregistered_dialect)
        try:
            started = perf_counter()
            module = parse_source(self.source, ctx)
            self.seconds.append(("(parse)", perf_counter() - started))
            if not self.arguments.disable_verify and (wrong := verify_module(module)):
                self._listen(wrong)
                return
            self._manager().run(ctx, module)
            stage = f"emitting '{self.arguments.target}'"
            started = perf_counter()
            self.output = self._emit(ctx, module)
            self.seconds.append(("(output)", perf_counter() - started))
        except CompileError as error:
            self.sources = {**error.sources, **self.sources}
            for diagnostic in error.diagnostics:
                self._listen(diagnostic)
        except PassFailure as failure:
            self._report_pass_failure(failure)
        except InputError as error:
            self._listen(Diagnostic("error", str(error)))
        except RecursionError:
            self._listen(Diagnostic("error", f"too deeply nested: gave up while {stage}"))
        except Exception as error:
            self._report_internal_error(error, stage, len(self.passes))

    def _manager(self) -> PassManager:
        arguments = self.arguments
        changes, named = arguments.print_ir_after_change, arguments.print_ir_after
        all_after = arguments.print_ir_after_all or (changes and not named)
        unchanged = ""

        def dump(when: str, module_pass: Step, text: str) -> None:
            name = module_pass.name
            sys.stderr.write(f"// -----// IR Dump {when} {name} //----- //\n{text}\n")

        def is_dumped_after(module_pass: Step) -> bool:
            return all_after or module_pass.name in named

        def before(module_pass: Step, module: ModuleOp) -> None:
            nonlocal unchanged
            if changes and is_dumped_after(module_pass):
                unchanged = self._print_ir(module)
            if arguments.print_ir_before_all or module_pass.name in arguments.print_ir_before:
                dump("Before", module_pass, self._print_ir(module))

        def after(module_pass: Step, module: ModuleOp) -> None:
            if not is_dumped_after(module_pass):
                return
            text = self._print_ir(module)
            if not (changes and text == unchanged):
                dump("After", module_pass, text)

        return PassManager(
            self.passes,
            verify=not arguments.disable_verify,
            max_rewrites=arguments.max_rewrites,
            before=(before,),
            after=(after,),
            seconds=self.seconds,
        )

    def _print_ir(self, module: ModuleOp) -> str:
        output = StringIO()
        Printer(
            stream=output,
            print_generic_format=self.arguments.print_op_generic,
            print_debuginfo=self.arguments.print_debuginfo,
        ).print_op(module)
        return output.getvalue() + "\n"

    def _emit(self, ctx: Context, module: ModuleOp) -> str:
        if self.arguments.target == "mlir":
            return self._print_ir(module)
        output = StringIO()
        self.target.emit(ctx, module, output)
        return output.getvalue()

    def _report_pass_failure(self, failure: PassFailure) -> None:
        if failure.internal and failure.__cause__ is not None:
            self._report_internal_error(
                failure.__cause__, f"running pass '{failure.name}'", failure.index
            )
            return
        for diagnostic in failure.diagnostics:
            self._listen(diagnostic)
        if not self.arguments.verify_diagnostics:
            self._write_reproducer(failure.index)

    def _report_internal_error(self, error: BaseException, stage: str, index: int) -> None:
        if os.environ.get("DIABLO_DEBUG") == "1":
            import traceback

            traceback.print_exception(error, file=sys.stderr)
        what = " ".join(f"{type(error).__name__}: {error}".split())
        self._listen(Diagnostic("error", f"internal error while {stage}: {what}"))
        if not self.arguments.verify_diagnostics:
            self._write_reproducer(index)

    def _write_reproducer(self, index: int) -> None:
        if self.arguments.run_reproducer and self.arguments.reproducer is None:
            return
        from diablo.tools.opt_tool.reproducer import write_reproducer

        try:
            path = write_reproducer(self.arguments, self.argv, self.source, self.passes, index)
        except OSError as error:
            self._print(Diagnostic("note", f"no reproducer could be written: {error}"))
            return
        self._print(Diagnostic("note", f"to see it again: diablo-opt --run-reproducer {path}"))

    def _listen(self, diagnostic: Diagnostic) -> None:
        self.diagnostics.append(diagnostic)
        if self.arguments.verify_diagnostics:
            return
        if diagnostic.severity != "remark" or self.arguments.remarks:
            self._print(diagnostic)

    def _print(self, diagnostic: Diagnostic) -> None:
        spans = [d.span for d in (diagnostic, *diagnostic.notes) if d.span is not None]
        for span in spans:
            if span.file not in self.sources:
                self.sources[span.file] = source_text(span.file)
        print(diagnostic.render(self.sources), file=sys.stderr)


def _load_passes(arguments: OptArguments) -> list[Step]:
    from diablo.lowering.pipelines import PIPELINES

    try:
        if arguments.pass_pipeline is not None:
            elements = parse_pass_pipeline(arguments.pass_pipeline, anchored=True)
        else:
            elements = parse_pass_pipeline(arguments.passes or "", anchored=False)
        available = available_passes()
        for name in (*arguments.print_ir_before, *arguments.print_ir_after):
            if name in PIPELINES:
                raise UsageError(f"'{name}' is a pipeline: name one of its passes to see the IR")
            check_pass_name(name, available, PIPELINES)
        return load_steps(elements, available, PIPELINES)
    except PipelineError as error:
        raise UsageError(str(error)) from None


def _load_target(arguments: OptArguments) -> Target:
    from xdsl.utils.arg_spec import parse_spec
    from xdsl.utils.exceptions import ArgSpecParseError

    targets = available_targets()
    try:
        spec = parse_spec(arguments.target)
    except ArgSpecParseError as error:
        raise UsageError(f"the target '{arguments.target}' cannot be read: {error}") from None
    if spec.name not in targets:
        raise UsageError(f"there is no target '{spec.name}'; there are {', '.join(targets)}")
    try:
        return targets[spec.name]().from_spec(spec)
    except ImportError as error:
        raise UsageError(f"target '{spec.name}' cannot be loaded: {error}") from None
    except ValueError as error:
        raise UsageError(f"wrong options for target '{spec.name}': {error}") from None
