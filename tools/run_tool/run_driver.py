"""What `diablo-run` does: read the inputs, compile and run the program, print or write."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from signal import Signals
from time import perf_counter
from typing import TYPE_CHECKING, Any, cast

from diablo.diagnostics import CompileError, Diagnostic, InputError, LocatedRunError, RunError
from diablo.runtime.collection import without_collection
from diablo.runtime.progress import doing, showing
from diablo.tools.run_tool.run_arguments import RunArguments, parse_arguments

if TYPE_CHECKING:
    from diablo.api import Program
    from diablo.call import Call
    from diablo.runtime.engines.spark_statistics import SparkStatistics


@dataclass
class Steps:
    """Times the steps of a run; says each in a line of its own with `verbose`."""

    command: str
    verbose: bool
    seconds: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])
    """What has been done so far, and how long it took."""

    @contextmanager
    def step(self, name: str) -> Generator[None]:
        """Do one step."""
        if self.verbose:
            print(f"{self.command}: {name}", file=sys.stderr)
        started, before = perf_counter(), _seconds_starting_spark()
        try:
            with doing(name):
                yield
        finally:
            took = perf_counter() - started
            # A step that needs Spark first starts it.
            if (starting := _seconds_starting_spark() - before) > 0:
                self.seconds.append(("starting Spark", starting))
            self.seconds.append((name, took - starting))


def _seconds_starting_spark() -> float:
    """How long it took to start Spark, which most runs do not: it is not imported for this."""
    spark = sys.modules.get("diablo.runtime.engines.spark")
    return 0.0 if spark is None else sum(spark.STARTS)


def run(argv: Sequence[str], own_process: bool = False) -> int:
    """Run the command and return its exit code.

    In a process of its own the system may be told to refuse it memory that is not there.
    """
    from diablo.runtime.io.standard_output import keep_logs_quiet

    arguments = parse_arguments(argv)
    keep_logs_quiet()
    try:
        if arguments.run_reproducer:
            from diablo.tools.run_tool.run_reproducer import reproduced

            arguments = reproduced(arguments, argv)
        from diablo.runtime.termination import ending_on_signals

        with ending_on_signals() if own_process else nullcontext():
            _Run(arguments, own_process).run()
        return 0
    except (CompileError, LocatedRunError) as error:
        print(error, file=sys.stderr)
        return 1
    except InputError as error:
        return _fail(str(error), 2)
    except RunError as error:
        return _fail(str(error), 1)
    except BrokenPipeError:
        return 1  # The reader has gone, as after `| head`.
    except KeyboardInterrupt:
        return _ended("SIGINT", 130)
    except SystemExit as ended:
        if not isinstance(ended.code, int) or ended.code <= 128:
            raise
        return _ended(Signals(ended.code - 128).name, ended.code)
    except MemoryError as error:
        return _fail(f"out of memory: {error}" if str(error) else "out of memory", 1)
    except Exception as error:
        from diablo.tools.run_tool.run_reproducer import report_internal_error

        return _fail(report_internal_error(error, arguments.program, argv), 1)


def _fail(message: str, code: int) -> int:
    print(f"diablo-run: error: {' '.join(message.split())}", file=sys.stderr)
    return code


def _ended(signal: str, code: int) -> int:
    with suppress(OSError):  # The terminal may be what has gone.
        _fail(f"ended by {signal}", code)
    return code


@dataclass
class _Run:
    """One run of the command."""

    arguments: RunArguments
    own_process: bool
    steps: Steps = field(init=False)
    asked: SparkStatistics | None = None
    """What was asked of Spark."""

    def __post_init__(self):
        self.steps = Steps("diablo-run", self.arguments.verbose)

    def run(self) -> None:
        """Do everything the command line asks for."""
        with showing(not self.arguments.verbose):
            result = self._computed()
        if not self.arguments.outputs:
            _print_result(result)
        if self.arguments.stats:
            from diablo.tools.opt_tool.timing import timing_table

            print(timing_table(self.steps.seconds), end="", file=sys.stderr)
            if self.asked is not None:
                print(f"\nSpark\n{self.asked.table()}", end="", file=sys.stderr)

    def _computed(self) -> Any:
        """The result, whose parts are written where the command line says."""
        arguments = self.arguments
        # What is imported stays: it would be looked at for garbage several times over.
        with self.steps.step("importing diablo"), without_collection():
            import diablo.api  # noqa: F401  # pyright: ignore[reportUnusedImport]
            from diablo.runtime.io.outputs import check_output_path, saving_together
            from diablo.runtime.memory_limit import hold_to_free_memory
        for _, path in arguments.outputs:
            check_output_path(path)
        if arguments.conf:
            from diablo.runtime.engines.spark_settings import give_settings

            if arguments.engine == "local":
                raise InputError("--conf is for Spark, but the engine is 'local'")
            give_settings(arguments.conf)
        program = self._program()
        program.times_kernels = arguments.stats
        self._check_outputs(program)
        inputs = self._inputs(program)
        with doing("checking the inputs"):
            call = program.check(inputs)
        names = [name for name, _ in arguments.outputs]
        outputs = names or None
        with self.steps.step("compiling"):
            program.variant(call, outputs)
        self._report_unused_settings(program, call)
        with self.steps.step(f"running ({program.engine_for(call)})"):
            try:
                if self.own_process and program.engine_for(call) == "local":
                    hold_to_free_memory()
                result = program.run(call, outputs)
                _collect(result, [path for _, path in arguments.outputs])
                self.asked = program.stats if arguments.stats else None
            except RunError as error:  # on Spark only now, when the result is looked at
                raise error.with_source({program.file: program.text}) from error.__cause__
        parts = zip(arguments.outputs, result if names else (), strict=True)
        with saving_together() as save:
            for (name, path), value in parts:
                with self.steps.step(f"writing {name} to {path}"):
                    save(value, path)
        program.discard_state()
        return result

    def _report_unused_settings(self, program: Program, call: Call) -> None:
        """Say that settings of Spark have no effect where `auto` takes this process, and why."""
        from diablo.runtime.program.run_main import engine_and_reason

        settings = self.arguments.conf
        if not settings or program.engine_for(call) != "local":
            return
        _, reason = engine_and_reason(call.values, program.master)
        named = ", ".join(f"--conf {name}" for name in settings)
        verb = "has" if len(settings) == 1 else "have"
        message = f"{named} {verb} no effect: the program runs in this process, as {reason}"
        hint = "--engine spark runs it on Spark"
        self._report(Diagnostic("warning", message, None, hint), {})

    def _check_outputs(self, program: Program) -> None:
        """Each output is a variable of the program, and has a file of its own."""
        written: dict[str, str] = {}
        for name, path in self.arguments.outputs:
            if name in program.inputs:
                raise InputError(f"{name}: is an input of the program; outputs are its variables")
            if name not in program.variables:
                hint = ", ".join(program.variables) or "none"
                raise InputError(f"{name}: the program has no such variable; it has {hint}")
            other = written.setdefault(os.path.realpath(path), name)
            if other != name:
                raise InputError(f"{path}: both {other} and {name} would be written there")

    def _program(self) -> Program:
        from diablo.api import Program
        from diablo.source_text import read_source

        arguments = self.arguments
        path = arguments.program
        try:
            name, text = read_source(path)
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        with self.steps.step("checking the program"):
            return Program(
                text,
                name,
                cast(Any, arguments.engine),
                arguments.master,
                cast(Any, arguments.device),
                arguments.block_size,
                arguments.seed,
                arguments.strict,
                lambda diagnostic: self._report(diagnostic, {name: text}),
                arguments.layout,
                arguments.fast_math,
                arguments.memory,
                resume=arguments.resume,
                save_every=arguments.save_every,
                fast_atomics=arguments.fast_atomics,
            )

    def _inputs(self, program: Program) -> dict[str, Any]:
        """The inputs from files and from the command line."""
        from diablo.call import unknown_input
        from diablo.runtime.io.arguments import WantedScalar, parse_scalar
        from diablo.runtime.io.inputs import load_for
        from diablo.runtime.program.run_main import runs_on_spark

        arguments = self.arguments
        on_spark = runs_on_spark(arguments.engine, arguments.master)
        wanted = program.wanted
        values: dict[str, Any] = {}
        for name in (*arguments.inputs, *arguments.settings):
            if name not in wanted:
                raise unknown_input(name, list(wanted))
        for name, text in arguments.settings.items():
            kind = wanted[name]
            if name in arguments.inputs:
                raise InputError(f"{name}: given by --input and by --set")
            if not isinstance(kind, WantedScalar):
                raise InputError(f"{name}: {kind} is wanted; give a file: --input {name}=PATH")
            values[name] = parse_scalar(text, kind, name)
        program.check_names({**values, **arguments.inputs})
        for name, path in arguments.inputs.items():
            with self.steps.step(f"reading {name} from {path}"):
                values[name] = load_for(path, wanted[name], on_spark, arguments.master)
        return values

    def _report(self, diagnostic: Diagnostic, sources: Mapping[str, str]) -> None:
        if diagnostic.severity != "remark" or self.arguments.remarks:
            print(diagnostic.render(dict(sources)), file=sys.stderr)


def _collect(result: Any, paths: Sequence[str]) -> None:
    """Bring a result here, so that whatever can fail has failed; what workers write stays there."""
    from diablo.runtime.io.outputs import is_written_by_workers

    if isinstance(result, tuple):
        for place, part in enumerate(cast("tuple[Any, ...]", result)):
            _collect(part, paths[place : place + 1])
    elif hasattr(result, "to_numpy"):
        if any(map(is_written_by_workers, paths)):
            result.compute()
        else:
            result.to_numpy()


def _print_result(result: Any) -> None:
    """Print a result as NumPy prints; the parts of a tuple one after the other."""
    from diablo.runtime.io.standard_output import print_whole

    if result is None:
        return
    # A record, which is a named tuple, is one thing.
    parts = cast("tuple[Any, ...]", result) if type(result) is tuple else (result,)
    print_whole("".join(f"{part}\n" for part in parts))
