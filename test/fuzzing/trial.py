"""One program run in several ways: interpreted, and on an engine at several block sizes.

Trial(text, inputs).run([Way(), Way("fuse-elementwise", (3,))])
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import cycle
from typing import Any, Literal

from xdsl.dialects.builtin import ModuleOp

import diablo
from diablo.api import CompileWarning
from diablo.call import Call, Inputs
from diablo.diagnostics import CompileError, RunError, listening
from diablo.environment import VERIFY_EACH
from diablo.frontend.checking.declarations import program_inputs, program_interface
from diablo.frontend.checking.program_interface import SEED
from diablo.kinds import kind_of_type
from diablo.lowering.pipelines import PIPELINES
from diablo.openings import Bindings, Decision, class_of, opened, values_of
from diablo.pass_pipeline import load_passes
from diablo.passes.interpreter.interpreter import interpret
from diablo.registry import available_passes, new_context
from diablo.runtime.arrays import memory
from diablo.runtime.device.dealt_devices import DealtDevices
from diablo.runtime.device.device import DEVICE
from diablo.runtime.device.device_names import named_devices
from diablo.runtime.device.device_run import DeviceRun
from diablo.runtime.device.found_device import find_devices
from diablo.runtime.device.stand_in import StandIn
from diablo.runtime.engines.tile_mode import TILES
from diablo.runtime.native.compile_mode import COMPILE, THREADS, CompileMode
from diablo.runtime.program.run_main import Engine, run_main
from diablo.runtime.results.shaped_results import shaped_results
from diablo.runtime.value_kinds import Kind
from diablo.variant import Variant
from fuzzing.comparison import copied_results, difference, difference_of_results, plain
from fuzzing.inputs import changed_input, copied_inputs, longer_inputs, relates_others
from fuzzing.interruptions import run_twice, short_strips
from fuzzing.leaving_out import join_forced, pipelines_without
from fuzzing.time_limit import TooSlow, time_limit
from fuzzing.twins import differing_twins

FILE = "random.diablo"

_WITHOUT_UNUSED = [
    "diablo-to-comprehension",
    "prune-columns",
    "resolve-dimensions",
    "prune-control-flow",
    "canonicalize",
    "dce",
]
"""Passes that drop what nothing uses, and do little else."""

Size = int | Literal["each"] | None
"""A block size, or that each array of the program has one."""
Verdict = Literal["same", "failed alike", "refused", "rejected", "wrong", "crash"]
"""How a program went; `rejected` is a compile error that the compiler should not have given."""


@dataclass(frozen=True)
class Way:
    """A way to compile a program, and the block sizes to run it with."""

    without: str | None = None
    """A pass to leave out."""
    block_sizes: Sequence[Size] = (None, 1, 3, 7)
    """Edges of blocks; `"each"` is one for each array of the program, 1, 3 and 7 in turn."""
    engine: Engine = "local"
    master: str | None = None
    layout: str | None = None
    """How sparse arrays are stored, if it is not chosen for each."""
    compile: CompileMode | None = None
    """When machine code is used, if the environment is not to say it."""
    threads: Sequence[int | None] = (None,)
    """How many threads compute, with each block size the next number in turn."""
    whole: bool = False
    """Whether arrays stay with the driver, as they do in one process without a block size."""
    device: str | None = None
    """The GPUs that run the kernels, or what stands in for them unless the environment names
    others. Where it is one, arrays stay with the driver."""
    interrupted: int = 0
    """After how many saves of its state a run ends, and another one goes on with it; 0: never."""
    open: Decision = "bound"
    """What is known of the values of inputs and of the extents of arrays."""
    join: str | None = None
    """How distributed arrays come together wherever that is possible, if it is not chosen."""
    again: int = 0
    """So many times as long are the arrays of more calls, of one program that is called as from a
    library; 0: it is called once."""
    verified: bool = False
    """Whether the IR is verified after each pass, and not after the last one only."""

    def one(self, block_size: Size, threads: int | None) -> Way:
        """This way with a single block size and number of threads."""
        return replace(self, block_sizes=(block_size,), threads=(threads,))

    def each(self) -> list[Way]:
        """This way with each of its block sizes, and the number of threads that comes with it."""
        pairs = zip(self.block_sizes, cycle(self.threads), strict=False)
        return [self.one(size, threads) for size, threads in pairs]

    def __str__(self) -> str:
        parts = [] if self.engine == "local" else [f"on {self.engine}"]
        if self.whole:
            parts.append("whole")
        if self.device:
            parts.append(f"device {self.device}")
        if self.again:
            parts.append(f"again {self.again}")
        if self.interrupted:
            parts.append(f"interrupted {self.interrupted}")
        if self.open != "bound":
            parts.append(f"inputs {self.open}")
        if self.join is not None:
            parts.append(f"join {self.join}")
        if self.compile is not None:
            parts.append(f"compile {self.compile}")
        parts += [f"threads {number}" for number in self.threads if number is not None]
        if self.without is not None:
            parts.append(f"without {self.without}")
        if self.layout is not None:
            parts.append(f"layout {self.layout}")
        if self.verified:
            parts.append("verified after each pass")
        parts += [f"block size {size}" for size in self.block_sizes if size is not None]
        return ", ".join(parts)


DEFAULT = Way()


@contextmanager
def machine_code(mode: CompileMode | None, threads: int | None) -> Generator[None]:
    """When machine code is used inside, and on how many threads; tiles are apart as on Spark.

    Where it always is, small arrays take memory that was used before, as large ones do.
    """
    given = {COMPILE: mode, TILES: "apart"}  # Without a block size they are joined.
    if threads is not None:
        given[THREADS] = str(threads)
    smallest = memory.SMALLEST
    try:
        with _environment({name: value for name, value in given.items() if value}):
            if mode == "always":
                memory.SMALLEST = 1
            yield
    finally:
        memory.SMALLEST = smallest


def _verified_each(ways: Sequence[Way]) -> AbstractContextManager[None]:
    """Verify after each pass inside, if one of the ways wants that."""
    return _environment({VERIFY_EACH: "1"} if any(way.verified for way in ways) else {})


@contextmanager
def _environment(values: Mapping[str, str]) -> Generator[None]:
    """What the environment holds inside, beside what it holds outside."""
    before = {name: os.environ.get(name) for name in values}
    try:
        _set_environment(values)
        yield
    finally:
        _set_environment(before)


def _set_environment(values: Mapping[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


@dataclass(frozen=True)
class Outcome:
    """How a program went, what to say of it, and the way in which it did not go well."""

    verdict: Verdict
    message: str = ""
    way: Way | None = None

    @property
    def is_failure(self) -> bool:
        """Whether somebody has to look at it."""
        return self.verdict in ("rejected", "wrong", "crash")

    def __str__(self) -> str:
        way = "" if self.way is None else str(self.way)
        return f"{self.verdict}: {self.message}{f' ({way})' if way else ''}"


def _all_opened(bindings: Bindings, decision: Decision) -> Bindings:
    """Bindings of which everything that may be is `decision`."""
    places = [p for p, value in values_of(bindings).items() if class_of(value) is not None]
    return opened(bindings, dict.fromkeys(places, decision))


class Trial:
    """The runs of one program on its inputs."""

    def __init__(self, text: str, inputs: Mapping[str, Any]):
        self.text = text
        self.inputs = inputs
        self._set_aside: list[RunError] = []
        self._plans: set[tuple[str, Sequence[Size]]] = set()
        """What was run on Spark already, and in which sizes."""
        self.runs: list[Way] = []
        """The ways in which it was run, each with one block size."""

    @cached_property
    def call(self) -> Call:
        """The checked inputs."""
        return Inputs(program_inputs(self.text, FILE)).check(self.inputs)

    @cached_property
    def kinds(self) -> list[Kind]:
        """What kind of value each result is."""
        return list(map(kind_of_type, program_interface(self.text, FILE).results()))

    def variant(self, way: Way = DEFAULT) -> Variant:
        """The program, to be compiled anew for its inputs."""
        bindings = _all_opened(self.call.bindings, way.open)
        are_several = way.device is not None and named_devices(way.device).are_several
        return Variant(
            self.text,
            FILE,
            bindings,
            whole=way.whole or (way.device is not None and not are_several),
            layout=way.layout,
            device=way.device or "cpu",
            dealt=are_several,
            checkpoints=way.interrupted > 0,
        )

    def run(self, ways: Sequence[Way], seconds: float = 60.0) -> Outcome:
        """Interpret the program, run it in each way, and compare; the first failure counts."""
        try:
            with time_limit(seconds), _verified_each(ways):
                return self._run_all(ways)
        except TooSlow:
            return Outcome("crash", f"no end after {seconds:g} seconds")

    def _run_all(self, ways: Sequence[Way]) -> Outcome:
        with listening(lambda _: None):
            try:
                expected = self.expected()
            except Exception as error:
                return _of_exception(error)
            message = None
            if not isinstance(expected, RunError):
                message = differing_twins(self.text, expected)
            if message is not None:
                return Outcome("wrong", message)
            outcome = Outcome("failed alike" if isinstance(expected, RunError) else "same")
            for way in ways:
                found = self._call(way, expected) if way.again else self._run(way, expected)
                if found is None:
                    continue
                if found.is_failure or way.without is None:
                    return found
        return outcome

    def expected(self) -> Any:
        """Return what the interpreter gives at the source level; a `RunError` if it fails.

        What nothing needs may fail or not, by the language: a program that fails is interpreted
        once more without such values, and failures that the interpreter sets aside are allowed.
        """
        module = self.variant().lower("diablo")
        found = self._interpret(module)
        if not isinstance(found, RunError):
            return found
        context = new_context()
        for module_pass in load_passes(_WITHOUT_UNUSED, available_passes(), PIPELINES):
            module_pass.apply(context, module)
        return self._interpret(module)

    def _interpret(self, module: ModuleOp) -> Any:
        try:
            inputs = {SEED: 0, **self.inputs}
            return plain(tuple(interpret(module, inputs, set_aside=self._set_aside)))
        except RunError as error:
            return error

    def _run(self, way: Way, expected: Any) -> Outcome | None:
        """Return what is not as expected in one way; nothing if all is."""
        variant, values = self.variant(way), {SEED: 0, **self.call.values}
        try:
            with (
                nullcontext() if way.without is None else pipelines_without(way.without),
                nullcontext() if way.join is None else join_forced(way.join),
                short_strips() if way.interrupted else nullcontext(),
            ):
                names = variant.parameters.items()
                if way.join is not None and self._is_known(variant.plan, way):
                    return None
        except Exception as error:
            return _of_exception(error, replace(way, block_sizes=()))
        arguments = {parameter: values[name] for name, parameter in names}
        for one in way.each():
            (size,), (threads,) = one.block_sizes, one.threads
            self.runs.append(one)
            try:
                with warnings.catch_warnings(), machine_code(way.compile, threads):
                    warnings.simplefilter("error")  # nothing for a user to see
                    run = partial(
                        run_main,
                        variant.main,
                        arguments,
                        way.engine,
                        way.master,
                        self._each() if size == "each" else size,
                        None,
                        None if way.device is None else _device_run(way.device),
                    )
                    result = run_twice(run, way.interrupted) if way.interrupted else run()
                found: Any = plain(tuple(shaped_results(result, self.kinds)))
            except RunError as error:
                found = error
            except Exception as error:
                return _of_exception(error, one)
            message = None if self._may_fail(found) else _compare(found, expected)
            if message is not None:
                return Outcome("wrong", message, one)
        return None

    def _call(self, way: Way, expected: Any) -> Outcome | None:
        """Call the program with the inputs, with longer ones, and with the inputs once more.

        With longer ones it is to give what it gives without machine code of its loops and kernels.
        None of the calls may change what it is given, nor what another one has given.
        """
        longer = [longer_inputs(self.inputs, way.again, seed) for seed in (1, 2)]
        given = [self.inputs, longer[0], longer[1], longer[0], self.inputs]
        try:
            call = self._callable(way)
            wanted: list[Any] = [expected, *(_results(call, i, "never") for i in longer)]
        except Exception as error:
            return _of_exception(error, replace(way, block_sizes=()))
        wanted += [wanted[1], expected]
        for one in way.each():
            self.runs.append(one)
            (threads,), kept = one.threads, list[tuple[Any, Any]]()
            for inputs, right in zip(given, wanted, strict=True):
                before = copied_inputs(inputs)
                try:
                    found = _results(call, inputs, way.compile, threads)
                except Exception as error:
                    return _of_exception(error, one)
                message = self._wrong_in_call(found, right, is_plain=right is expected)
                if message is None and (name := changed_input(before, inputs)) is not None:
                    message = f"the call has written to its argument {name}"
                if message is not None:
                    return Outcome("wrong", message, one)
                if not isinstance(found, RunError):
                    kept.append((found, copied_results(found)))
            for found, before in kept:
                if (message := difference_of_results(found, before)) is not None:
                    return Outcome("wrong", f"written by a later call: {message}", one)
        return None

    def _callable(self, way: Way) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
        """What calls the program: as from a library, or one variant for inputs of any extents."""
        if way.open == "bound" or relates_others(self.inputs):
            program = diablo.compile(self.text, engine="local", layout=way.layout)
            is_single = len(self.kinds) == 1
            return lambda inputs: (program(**inputs),) if is_single else tuple(program(**inputs))
        variant = self.variant(way)
        main, names, checked = variant.main, variant.parameters, self.call
        declared = Inputs(program_inputs(self.text, FILE))

        def call(inputs: Mapping[str, Any]) -> Any:
            given = checked if inputs is self.inputs else declared.check(inputs)
            values = {SEED: 0, **given.values}
            arguments = {parameter: values[name] for name, parameter in names.items()}
            results = run_main(main, arguments, "local", None, None, None)
            return tuple(shaped_results(results, self.kinds))

        return call

    def _wrong_in_call(self, found: Any, right: Any, *, is_plain: bool) -> str | None:
        """What is wrong with what a call has given, or with its failure.

        Where a value that nothing needs has failed in the interpreter, another one may.
        """
        failed = [isinstance(one, RunError) for one in (found, right)]
        if any(failed) and (self._set_aside or self._may_fail(found)):
            return None
        if any(failed):
            return _compare(found, right)
        if is_plain:
            return difference(plain(found), right)
        return difference_of_results(found, right)

    def _is_known(self, plan: str, way: Way) -> bool:
        """Return whether the same plan was run already: it has nothing that a join is forced on."""
        key = plan, tuple(way.block_sizes)
        if key in self._plans:
            return True
        self._plans.add(key)
        return False

    def _each(self) -> dict[str, int]:
        """Return a block size for each array that the program names."""
        variables = program_interface(self.text, FILE).variables
        return dict(zip([*self.inputs, *variables], cycle((1, 3, 7))))

    def _may_fail(self, found: Any) -> bool:
        """Whether `found` is the failure of a value that nothing needed in the interpreter."""
        allowed = map(_first_line, self._set_aside)
        return isinstance(found, RunError) and _first_line(found) in allowed


def _results(
    call: Callable[[Mapping[str, Any]], Any],
    inputs: Mapping[str, Any],
    mode: CompileMode | None,
    threads: int | None = None,
) -> Any:
    """The results of a call; a `RunError` if it fails."""
    with warnings.catch_warnings(), machine_code(mode, threads):
        warnings.simplefilter("error")  # nothing for a user to see, but how much work it is
        warnings.simplefilter("ignore", CompileWarning)
        try:
            return call(inputs)
        except RunError as error:
            return error


def _device_run(name: str) -> DeviceRun:
    numbers = named_devices(name).numbers or (0, 1)
    devices = find_devices(name) if os.environ.get(DEVICE) else [StandIn() for _ in numbers]
    return DealtDevices(devices).runs[0] if len(numbers) > 1 else DeviceRun(devices[0])


def _compare(found: Any, expected: Any) -> str | None:
    if isinstance(expected, RunError):
        if isinstance(found, RunError):
            return None
        return f"no failure, but the interpreter fails: {_first_line(expected)}"
    if isinstance(found, RunError):
        return f"a failure: {_first_line(found)}"
    return difference(found, expected)


def _of_exception(error: Exception, way: Way | None = None) -> Outcome:
    """A program that is not compiled or run: refused with a reason, or by mistake."""
    if not isinstance(error, CompileError):
        return Outcome("crash", f"{type(error).__name__}: {_first_line(error)}", way)
    first = error.diagnostics[0]
    message = (first.message.splitlines() or [""])[0]
    if is_internal(error):
        return Outcome("crash", f"internal error: {message}", way)
    refused = "not supported" in message and first.span is not None
    return Outcome("refused" if refused else "rejected", message, way)


def is_internal(error: CompileError) -> bool:
    """Whether the compiler says that it is at fault itself."""
    hints = [diagnostic.hint or "" for diagnostic in error.diagnostics]
    return "internal error" in str(error) or any("mistake of diablo's" in hint for hint in hints)


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [""])[0]
