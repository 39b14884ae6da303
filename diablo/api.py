"""The Python interface: compile a program, call it with its inputs.

program = diablo.compile("pagerank.diablo")
ranks = program(G=edges, N=5000).to_numpy()
"""

from __future__ import annotations

import inspect
import os
import warnings
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, cast

from diablo.call import Call, Inputs, check_names, wanted
from diablo.diagnostics import (
    Diagnostic,
    InputError,
    LocatedRunError,
    RunError,
    emitted_name,
    listening,
)
from diablo.frontend.checking.program_interface import SEED, ProgramInterface
from diablo.frontend.checking.types import ArrayType
from diablo.frontend.emission.bindings import Binding, key_of
from diablo.held_entries import note_inputs, stored_entries
from diablo.kinds import kind_of_type
from diablo.openings import Openings, openings_of
from diablo.repeated_calls import RepeatedCall, options_of
from diablo.residence import Held, with_blocks
from diablo.runtime.block_sizes import BlockSize, check_block_size
from diablo.runtime.collection import without_collection
from diablo.runtime.device.device_names import DeviceName, named_devices
from diablo.runtime.engines.spark_statistics import SparkStatistics, Watch, watching
from diablo.runtime.engines.tile_mode import tile_mode
from diablo.runtime.forking import COMPILER
from diablo.runtime.io.arguments import Wanted
from diablo.runtime.memory_limit import parse_size, results_limited
from diablo.runtime.native.compile_mode import held_environment
from diablo.runtime.program.given_blocks import is_rdd
from diablo.runtime.program.run_main import (
    ENGINES,
    NO_STATE,
    Engine,
    choose_engine,
    engine_and_reason,
    run_main,
    runs_on_spark,
)
from diablo.runtime.progress import doing, hidden, showing
from diablo.runtime.results.aliases import detach
from diablo.runtime.results.result_types import show_sources
from diablo.runtime.results.shaped_results import shaped_results
from diablo.runtime.value_kinds import Kind
from diablo.source_text import decode
from diablo.stored_programs import CheckedProgram, found, keep
from diablo.variant import LEVELS, Imported, Variant

if TYPE_CHECKING:
    from diablo.runtime.device.device_run import DeviceRun
    from diablo.runtime.program.saved_state import SavedState

Level = Literal["diablo", "comprehension", "tensor_block", "spark", "pyspark"]

_MOST_VARIANTS = 64
_MOST_CALLS = 1024
"""Of how many calls with different inputs it is known what they run."""
_MOST_RECEIVED = 32


class CompileWarning(UserWarning):
    """Something in a program that is probably not meant."""


def compile(
    source: str | os.PathLike[str],
    engine: Engine = "local",
    master: str | None = None,
    device: DeviceName = "cpu",
    block_size: BlockSize = None,
    seed: int = 0,
    strict: bool = False,
    layout: str | None = None,
    fast_math: bool = False,
    memory: str | int | None = None,
    progress: bool = False,
    resume: str | os.PathLike[str] | None = None,
    save_every: int | None = None,
    fast_atomics: bool = False,
) -> Program:
    """Compile a DIABLO program.

    Parameters
    ----------
    source
        The text of a program, or the path of a `.diablo` file.
    engine
        `"local"` runs in this process, `"spark"` on Spark, `"auto"` on Spark when `master` is
        given or the inputs do not fit in memory.
    master
        Spark's master, such as `"local[4]"`.
    device
        What runs the kernels of the local engine: `"cpu"`; `"gpu"`, a GPU by CuPy, an `InputError`
        where there is none; or `"auto"`, a GPU where its speed repays the copies. Arrays that
        kernels make stay on the GPU until they are looked at. `"gpu:1"` is the second GPU;
        `"gpu:0,1"` and `"gpu:all"` are several, to which the blocks of arrays are dealt out.
    block_size
        The edge of a block in every dimension on Spark (default: the engine's choice, for arrays
        that never meet apart), or a dictionary with that of some inputs and variables: those whose
        blocks meet have that of the first of them that is named. The local engine runs the same
        program with each array as one block, and cuts a result whose tiles are asked for.
    seed
        The seed of `random()`.
    strict
        Treat warnings as errors.
    layout
        How sparse arrays are stored, instead of what is chosen for each: the text of a layout,
        such as `"CSC"` or `"form = compressed, orders = [[1, 0]]"`, for all arrays, or
        `"E: …; …"` for those of region `E` and for all others. Results do not depend on it.
    fast_math
        Compute sums of products as products of matrices also where their terms may cancel:
        `+/((x-c)*(x-c))` as x*x - 2*x*c + c*c. That may be faster, and where x is near c and
        both are large, it is wrong.
    fast_atomics
        On a GPU, add floats at computed places, and by keys, in the order in which threads come.
        That may be faster where there are many places, and equal runs may differ in the last bits.
    memory
        How much memory a call may take besides what this process has: bytes, or a text such as
        `"2g"` or `"500m"` (default: 80 % of what is free). A call that would take more is a
        `RunError`.
    progress
        Show on a terminal, on stderr, what calls do that take longer than a second: which pass
        or line is at work, and on Spark how many tasks are done. Nothing is left of it at the
        end.
    resume
        A folder in which a call saves the state of the program's outermost loops as they run, and
        from which a call with the same inputs goes on if an earlier one has not come to its end.
        It is removed at the end of a call. With the state of another program, of other inputs or
        options, it is an `InputError`.
    save_every
        After how many iterations state is saved (default: now and then, so that it takes little
        of the time).

    Raises
    ------
    CompileError
        The program is wrong; the message shows every place.
    InputError
        An option is wrong, or there is no such file.

    Examples
    --------
    >>> program = compile("input n: Int; var s = +/[ i*i | i <- 1..n ]; s;")
    >>> program(n=10)
    385
    """
    text, file = _read(source)
    return Program(
        text,
        file,
        engine,
        master,
        device,
        block_size,
        seed,
        strict,
        layout=layout,
        fast_math=fast_math,
        memory=memory,
        progress=progress,
        resume=resume,
        save_every=save_every,
        fast_atomics=fast_atomics,
    )


class Program:
    """A compiled program; calling it with its inputs as keyword arguments runs it.

    The first call with inputs of a new kind (types, storage) compiles the program for that kind
    and the values of its scalars and extents; the result is kept for later calls. Values that
    vary from then on and decide nothing are compiled for once, whatever they are.
    """

    def __init__(
        self,
        text: str,
        file: str = "<program>",
        engine: Engine = "local",
        master: str | None = None,
        device: DeviceName = "cpu",
        block_size: BlockSize = None,
        seed: int = 0,
        strict: bool = False,
        listener: Callable[[Diagnostic], None] | None = None,
        layout: str | None = None,
        fast_math: bool = False,
        memory: str | int | None = None,
        progress: bool = False,
        resume: str | os.PathLike[str] | None = None,
        save_every: int | None = None,
        fast_atomics: bool = False,
    ):
        _check_options(engine, master, device, block_size, seed)
        _check_saving(resume, save_every)
        if named_devices(device).mode == "gpu" and engine != "spark":
            from diablo.runtime.device.found_device import find_devices

            find_devices(device)
        if layout is not None:
            from diablo.storage import check_layout

            check_layout(layout)
        self.text = text
        self.file = file
        self.engine: Engine = engine
        self.master = master
        self.device: DeviceName = device
        self.block_size = block_size
        self.seed = seed
        self.strict = strict
        self.layout = layout
        self.fast_math = fast_math
        self.fast_atomics = fast_atomics
        self.memory = None if memory is None else parse_size(memory)
        self.progress = progress
        self.resume = None if resume is None else os.fspath(resume)
        self.save_every = save_every
        self._state: SavedState | None = None
        """What the latest call has saved."""
        self._listener = listener
        self._variants: OrderedDict[str, Variant] = OrderedDict()
        self._names: OrderedDict[Hashable, str] = OrderedDict()
        self._held: Held | None = None
        """What a session keeps."""
        self._watch: Watch | None = None
        self.times_kernels = False
        """Whether `stats` has the seconds of kernels on Spark, which every task then reports."""
        self._compiling = 0.0
        """What it took to compile since the last call."""
        self._kinds: dict[tuple[str, ...] | None, Sequence[Kind]] = {}
        self._repeated: RepeatedCall | None = None
        self._reported: set[Diagnostic] = set()
        with (
            showing(progress),
            doing("checking the program"),
            COMPILER,
            without_collection(),
        ):
            checked, self._imported = _checked(text, file)
        self._interface = checked.interface
        if isinstance(block_size, Mapping):
            inputs = {d.name: d.type for d in checked.interface.inputs}
            types = {**inputs, **checked.interface.variables}
            for name in block_size:
                if not isinstance(types.get(name), ArrayType):
                    raise InputError(f"block size: the program has no array {name}")
        for diagnostic in checked.diagnostics:
            self._report_warning(diagnostic)
        if fast_atomics and named_devices(device).mode == "cpu":
            self._warn_of_fast_atomics()
        self._latest = self._uncompiled()
        self._last_known: tuple[Mapping[str, Binding], Hashable] = {}, ()
        self._deciding: Mapping[str, str] = {}

    def _warn_of_fast_atomics(self) -> None:
        """Say that no kernel runs where these are: with `strict`, that is an error."""
        message = "fast atomics have no effect: they are a GPU's, and the device is 'cpu'"
        if self.strict:
            raise InputError(message)
        self._report(Diagnostic("warning", message, None, "choose the device 'gpu' or 'auto'"))

    def _uncompiled(self) -> Variant:
        return Variant(
            self.text,
            self.file,
            {},
            strict=self.strict,
            layout=self.layout,
            fast_math=self.fast_math,
            checkpoints=self.resume is not None,
            tasks=self._known_tasks(),
        )

    def _known_tasks(self) -> int | None:
        """Return how many tasks of Spark run at a time, if it is known and there may be any."""
        if self.engine == "local":
            return None
        from diablo.runtime.engines.spark import known_tasks  # Late: most programs need no Spark.

        return known_tasks(self.master)

    def __getstate__(self) -> dict[str, Any]:
        """Return what travels to another process: text and options, not what was compiled."""
        return {k: v for k, v in self.__dict__.items() if not k.startswith("_")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._listener = None
        self._imported = None
        self._held = None
        self._watch = None
        self._state = None
        self._compiling = 0.0
        self._kinds = {}
        self._repeated = None
        self._names = OrderedDict()
        with COMPILER:
            common = _received(repr(sorted(state.items())), self.text, self.file)
        self._variants, self._interface, self._reported = common
        self._latest = self._uncompiled()
        self._last_known = {}, ()
        self._deciding = {}

    def __repr__(self) -> str:
        inputs = ", ".join(f"{name}: {type}" for name, type in self.inputs.items())
        return f"<diablo program {self.file}({inputs})>"

    @property
    def inputs(self) -> dict[str, str]:
        """The program's inputs and their types."""
        return {d.name: str(d.type) for d in self._interface.inputs}

    def __call__(self, /, **inputs: Any) -> Any:
        """Run the program and return the value of its last expression.

        An input may be a Python or NumPy scalar, a nested list, a NumPy array, a SciPy sparse
        array, a dictionary (for a map); where the program wants a list of k-tuples, also an
        array of k columns. A record is given as a dictionary or a tuple.

        Returns
        -------
        A Python scalar, a tuple (named, for a record), an array with `to_numpy()` and
        `to_scipy()`, a list of rows with `to_list()` that can be iterated over, or a map with
        `to_dict()` that can be read as a dictionary is.

        Raises
        ------
        InputError
            An input is unknown, missing, or of a wrong type or shape.
        CompileError
            The program cannot be compiled for these inputs.
        RunError
            The program failed while it ran.
        """
        repeated = self._repeated
        if repeated is not None and repeated.is_like(inputs, options_of(self)):
            self._latest, self._watch = repeated.variant, None
            try:
                return repeated.run(inputs, self._report_while_running)
            except RunError as error:
                raise error.with_source({self.file: self.text}) from error.__cause__
        with showing(self.progress), held_environment(at_once=self.resume is not None):
            with doing("checking the inputs"):
                call = self.check(inputs)
            result = self._run(call, None)
            if self.resume is not None:
                _compute(result)
                self.discard_state()
            return result

    def session(self) -> AbstractContextManager[Program]:
        """Keep the arrays and lists that calls on Spark are given, for calls that get them again.

        What is given in a session must not be changed before its end. A result that is looked at
        later keeps what it is made of. Where calls may run in this process they are as they are
        without one. A session within another one is a part of that, and one that has ended may be
        entered again.
        """
        return _Session(self, self._hold, self._let_go)

    def _hold(self) -> bool:
        """Keep what calls are given from now on, and return whether that is new."""
        if not runs_on_spark(self.engine, self.master) or self._held is not None:
            return False
        self._held = Held(self.master, self.block_size)
        return True

    def _let_go(self) -> None:
        """Keep nothing any more."""
        if self._held is not None:
            self._held.close()
            self._held = None

    @property
    def variables(self) -> list[str]:
        """The names of the program's variables, which can be written as outputs."""
        return list(self._interface.variables)

    @property
    def stats(self) -> SparkStatistics | None:
        """The jobs, tasks, bytes and seconds that the last call has asked of Spark so far.

        Results that are lazy add to it when they are looked at. None, if it ran in this process.
        """
        return None if self._watch is None else self._watch.statistics()

    @property
    def wanted(self) -> dict[str, Wanted]:
        """The value that a caller must give for each input."""
        return {d.name: wanted(d.type) for d in self._interface.inputs}

    def check_names(self, given: Iterable[str]) -> None:
        """Check that there is no unknown and no missing input."""
        check_names(self._interface.inputs, given)

    def check(self, inputs: Mapping[str, Any]) -> Call:
        """Check the inputs of a call without running it."""
        if self.seed != 0 and any(d.name == SEED for d in self._interface.inputs):
            inputs = {SEED: self.seed, **inputs}
        if self._held is not None:
            inputs = self._held.inputs(inputs, self.wanted)
        if any(map(is_rdd, inputs.values())):
            inputs = with_blocks(inputs, self.wanted, self.master, self.block_size)
        return self._inputs.check(inputs, self.engine != "local")

    def run(self, call: Call, outputs: Sequence[str] | None = None) -> Any:
        """Run on checked inputs; with `outputs`, return these variables as a tuple.

        The inputs must not be written into before the results are looked at. The state that was
        saved on the way is there until `discard_state` is called.
        """
        with showing(self.progress):
            return self._run(call, outputs, inputs_stay=True)

    @cached_property
    def _inputs(self) -> Inputs:
        return Inputs(self._interface.inputs)

    def discard_state(self) -> None:
        """Remove what the latest call has saved: its results are where they belong."""
        if self._state is not None:
            self._state.discard()
            self._state = None

    def _new_state(
        self,
        call: Call,
        outputs: Sequence[str] | None,
        variant: Variant,
        arguments: Mapping[str, Any],
    ) -> SavedState | None:
        """Return where a call saves the state of its loops, if it does."""
        if self.resume is None:
            return None
        from diablo.runtime.program.run_identity import RunIdentity, digest
        from diablo.runtime.program.saved_state import SavedState

        options = {
            "engine": self.engine_for(call),
            "device": self.device,
            "block size": str(self.block_size),
            "layout": str(self.layout),
            "option fast-math": str(self.fast_math),
            "list of outputs": ", ".join(outputs or ["the last expression"]),
        }
        inputs = {name: digest(value) for name, value in arguments.items()}
        identity = RunIdentity(digest((self.text, self.file)), variant.plan, options, inputs)
        return SavedState(self.resume, self.save_every, identity)

    def _run(self, call: Call, outputs: Sequence[str] | None, *, inputs_stay: bool = False) -> Any:
        variant = self.variant(call, outputs)
        run = self._device_run(call) if variant.device != "cpu" else None
        values = {"seed": self.seed, **call.values}
        arguments = {parameter: values[name] for name, parameter in variant.parameters.items()}
        state = self._new_state(call, outputs, variant, arguments)
        try:
            with (
                listening(self._report_while_running),
                watching(self.times_kernels) as watch,
                NO_STATE if state is None else state.held(),
            ):
                self._watch = watch
                watch.seconds_compiling, self._compiling = self._compiling, 0.0
                result = run_main(
                    variant.main,
                    arguments,
                    self.engine,
                    self.master,
                    self.block_size,
                    self.memory,
                    run,
                    state,
                    inputs_stay,
                )
        except RunError as error:
            raise error.with_source({self.file: self.text}) from error.__cause__
        self._state = state
        if self.engine != "local":
            show_sources(result, {self.file: self.text})
        for diagnostic in run.remarks.values() if run is not None else ():
            self._report(diagnostic)
        note_inputs(call.values, variant.holdings)
        with results_limited(self.memory):
            parts = shaped_results(detach(result, arguments), self._result_kinds(outputs))
        self._repeated = None if outputs is not None else self._repeated_by(call, variant)
        if outputs is None:
            return parts[0] if len(parts) == 1 else tuple(parts)
        # The last expression's value comes first, if there is one.
        return tuple(parts[len(parts) - len(outputs) :])

    def _repeated_by(self, call: Call, variant: Variant) -> RepeatedCall | None:
        """Return what calls like one that was just made do, if nothing about them differs."""
        inspected = self._inputs.inspected
        if inspected is None or inspected.bindings is not call.bindings or not variant.whole:
            return None
        is_plain = self.device == "cpu" and self.block_size is None and not self.progress
        if not is_plain or self.resume is not None or variant.parameters.keys() - call.values:
            return None  # What is no input is the seed of this program, if it has one.
        kinds = self._result_kinds(None)
        return RepeatedCall(call, inspected, variant, kinds, options_of(self), self.memory)

    def _result_kinds(self, outputs: Sequence[str] | None) -> Sequence[Kind]:
        """Return what kind of value each result is."""
        key = None if outputs is None else tuple(outputs)
        kinds = self._kinds.get(key)
        if kinds is None:
            types = self._interface.results(outputs)
            kinds = self._kinds[key] = [kind_of_type(type) for type in types]
        return kinds

    def engine_for(self, call: Call) -> Engine:
        """Return where a call runs."""
        if self.engine != "auto":
            return self.engine
        return choose_engine(call.values, self.master)

    def _device_run(self, call: Call) -> DeviceRun | None:
        """Return what a run of a call does with a device, if it has one.

        Raises
        ------
        NoDeviceError
            If there is no device, but one is wanted.
        """
        if self.device == "cpu" or self.engine_for(call) != "local":
            return None
        from diablo.runtime.device.found_device import begin_run

        return begin_run(self.device, self._report)

    def variant(self, call: Call, outputs: Sequence[str] | None = None) -> Variant:
        """The program compiled for the inputs of a call."""
        local = self.engine_for(call) == "local"
        device = self._device_run(call) is not None if local else self.device != "cpu"
        joined = self.block_size is None or tile_mode() == "joined"
        dealt = device and local and named_devices(self.device).are_several
        whole = local and not dealt and (device or joined)
        key = self._known_of(call), None if outputs is None else tuple(outputs), whole, device
        variant = self._known(key)
        if variant is None:
            with showing(self.progress), doing("compiling"), COMPILER, without_collection():
                # Another thread may have compiled it meanwhile.
                started = perf_counter()
                variant = self._known(key) or self._chosen(key, call, outputs, whole, device)
                self._compiling = perf_counter() - started
            self._report_engine(call)
        self._latest = variant
        return variant

    def _known_of(self, call: Call) -> Hashable:
        """Return what the inputs of a call tell the compiler; like those before, they are equal."""
        bindings, known = self._last_known
        if call.bindings is not bindings:
            known = tuple([(name, key_of(binding)) for name, binding in call.bindings.items()])
            self._last_known = call.bindings, known
        return known

    def _report_engine(self, call: Call) -> None:
        """Say which engine was chosen for a call, and why, unless its caller has chosen it."""
        if self.engine == "auto":
            engine, reason = engine_and_reason(call.values, self.master)
            where = "in this process" if engine == "local" else "on Spark"
            self._report(Diagnostic("remark", f"the program runs {where}: {reason}", None))

    def _known(self, key: Hashable) -> Variant | None:
        """The variant that calls of a key run, if it is kept."""
        name = self._names.get(key)
        variant = None if name is None else self._variants.get(name)
        if name is not None and variant is not None:
            try:
                self._names.move_to_end(key)
                self._variants.move_to_end(name)
            except KeyError:  # Another thread may have let them go.
                pass
        return variant

    def _chosen(
        self, key: Hashable, call: Call, outputs: Sequence[str] | None, whole: bool, device: bool
    ) -> Variant:
        """The variant for a call whose key is new, which may be one that is kept."""
        tried: dict[str, Variant] = {}

        def name_of(bindings: Mapping[str, Binding]) -> str:
            return repr((sorted(bindings.items()), outputs, whole, device))

        def variant_for(bindings: Mapping[str, Binding]) -> Variant:
            name = name_of(bindings)
            found = self._variants.get(name) or tried.get(name)
            if found is None:
                found = tried[name] = self._new_variant(bindings, call, outputs, whole, device)
            return found

        options = (self.text, self.file, self.layout, self.fast_math, repr(outputs), whole, device)
        openings = openings_of(options, call.bindings)
        bindings = call.bindings
        if self.resume is None:  # Or the program would be another one for a second call.
            bindings = openings.bindings(call.bindings, variant_for)
        self._deciding = openings.reasons
        self._report_decisions(openings)
        name, variant = name_of(bindings), variant_for(bindings)
        if name not in self._variants:
            try:
                variant.parameters  # noqa: B018  (compiles all)
            finally:
                for diagnostic in variant.diagnostics:
                    self._report(diagnostic)
            self._variants[name] = variant
            if len(self._variants) > _MOST_VARIANTS:
                self._variants.popitem(last=False)  # The one that has not been used for longest.
        self._names[key] = name
        if len(self._names) > _MOST_CALLS:
            self._names.popitem(last=False)
        return variant

    def _new_variant(
        self,
        bindings: Mapping[str, Binding],
        call: Call,
        outputs: Sequence[str] | None,
        whole: bool,
        device: bool,
    ) -> Variant:
        return Variant(
            self.text,
            self.file,
            bindings,
            outputs,
            self.strict,
            whole,
            self.layout,
            stored_entries(call.values),
            self.fast_math,
            fast_atomics=self.fast_atomics,
            imported=self._imported if outputs is None else None,
            given=call.bindings,
            device=self.device if device else "cpu",
            dealt=device and not whole and self.engine_for(call) == "local",
            checkpoints=self.resume is not None,
            tasks=None if whole else self._known_tasks(),
        )

    def _report_decisions(self, openings: Openings) -> None:
        """Say which inputs each value of is compiled for, and why."""
        spans = {d.name: d.span for d in self._interface.inputs}
        for place, reason in openings.reasons.items():
            span = spans.get(place.partition(".")[0])
            message = f"each value of {place} is compiled for: {reason}"
            self._report(Diagnostic("remark", message, span))

    def ir(self, level: Level = "tensor_block") -> str:
        """The program's text at a level, for the inputs of the latest call if there was one.

        The levels are `"diablo"`, `"comprehension"`, `"tensor_block"`, `"spark"`, and
        `"pyspark"`, the Python program that runs.
        """
        if level == "pyspark":
            with showing(self.progress), doing("compiling"), COMPILER:
                return self._latest.python
        if level not in LEVELS:
            names = ", ".join([*LEVELS, "pyspark"])
            raise InputError(f"there is no level {level!r}; there are {names}")
        with showing(self.progress), doing("compiling"), COMPILER:
            return self._latest.ir(level)

    def explain(self) -> str:
        """The plan for the inputs of the latest call, with what the compiler decided and why."""
        from diablo.plan import explain

        with showing(self.progress), doing("compiling"), COMPILER:
            return explain(self._latest, self._deciding)

    def _report(self, diagnostic: Diagnostic) -> None:
        """Pass on what was not said before; with `strict`, warnings are in the error."""
        if self.strict and diagnostic.severity == "warning":
            return
        if diagnostic not in self._reported:
            self._reported.add(diagnostic)
            with hidden():
                (self._listener or self._warn)(diagnostic)

    def _report_warning(self, diagnostic: Diagnostic) -> None:
        """Pass on what is so for inputs of every kind."""
        if diagnostic.severity != "remark":
            self._report(diagnostic)

    def _report_while_running(self, diagnostic: Diagnostic) -> None:
        """Pass on a warning of a run, which ends there with `strict`."""
        if diagnostic.severity == "remark":
            return
        if diagnostic.span is not None and diagnostic.span.file == emitted_name(self.file):
            from diablo.frontend.parsing.qualifier_spans import qualifier_span

            span = qualifier_span(self.text, replace(diagnostic.span, file=self.file))
            diagnostic = replace(diagnostic, span=span)
        if self.strict:
            error = replace(diagnostic, severity="error")
            raise LocatedRunError(error.render({self.file: self.text}))
        self._report(diagnostic)

    def _warn(self, diagnostic: Diagnostic) -> None:
        if diagnostic.severity == "warning":
            text = diagnostic.render({self.file: self.text})
            warnings.warn(text, CompileWarning, stacklevel=_level_of_caller())


class _Session(AbstractContextManager[Program]):
    def __init__(self, program: Program, hold: Callable[[], bool], let_go: Callable[[], None]):
        self._program, self._hold, self._let_go = program, hold, let_go
        self._is_new: list[bool] = []
        """Of each time it was entered, and not yet left, whether it keeps anything of its own."""

    def __enter__(self) -> Program:
        self._is_new.append(self._hold())
        return self._program

    def __exit__(self, *_: object) -> None:
        if self._is_new.pop():
            self._let_go()


def _level_of_caller() -> int:
    """Return how far up the stack, from who asks, the code is that called this module."""
    frame, level, found = inspect.currentframe(), 0, 1
    while frame is not None:
        if frame.f_code.co_filename == __file__:
            found = level
        frame, level = frame.f_back, level + 1
    return found + 1


@lru_cache(_MOST_RECEIVED)
def _checked(text: str, file: str) -> tuple[CheckedProgram, Imported | None]:
    """Return what holds of a program for inputs of every kind; a `CompileError` if it is wrong.

    Without inputs, it is this module that is compiled; with inputs another, that knows of them.
    """
    key = (text, file)
    known = found(key)
    if isinstance(known, CheckedProgram):
        return known, None
    from diablo.compiler import check

    checked, module = check(text, file)
    keep(key, checked)
    imported = None if checked.interface.inputs else Imported(module, checked.diagnostics)
    return checked, imported


@lru_cache(_MOST_RECEIVED)
def _received(
    options: str, text: str, file: str
) -> tuple[OrderedDict[str, Variant], ProgramInterface, set[Diagnostic]]:
    """Return what the programs of a text that were sent to this process have in common.

    A worker gets a program with every task, and is to compile it once.
    """
    return OrderedDict(), _checked(text, file)[0].interface, set()


def _read(source: str | os.PathLike[str]) -> tuple[str, str]:
    """The text of a program and the name of its file."""
    if isinstance(source, str) and ("\n" in source or not source.endswith(".diablo")):
        return source, "<program>"
    if not isinstance(source, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"a program is given as its text or its path, not as {source!r}")
    path = Path(source)
    try:
        return decode(path.read_bytes(), str(path)), str(path)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _check_options(
    engine: str, master: str | None, device: str, block_size: BlockSize, seed: int
) -> None:
    if engine not in ENGINES:
        raise InputError(f"there is no engine {engine!r}; there are {', '.join(ENGINES)}")
    if master is not None and engine == "local":
        raise InputError(f"master {master!r} is for Spark, but the engine is 'local'")
    if named_devices(device).mode == "gpu" and device != "gpu" and engine == "spark":
        raise InputError(
            f"device {device!r} names GPUs of this machine, but the engine is 'spark': "
            "device 'gpu' is those of its workers"
        )
    check_block_size(block_size)
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        raise InputError(f"the seed is {seed!r}, and must be an integer")
    if not -(2**63) <= seed < 2**63:
        raise InputError(f"the seed {seed} does not fit in 64 bits")


def _check_saving(resume: object, save_every: int | None) -> None:
    if save_every is None:
        return
    if resume is None:
        raise InputError("state is saved every so many iterations where `resume` names a folder")
    if isinstance(save_every, bool) or not hasattr(save_every, "__index__"):
        raise InputError(f"save_every is {save_every!r}, and must be an integer")
    if save_every < 1:
        raise InputError(f"save_every is {save_every}, and must be at least 1")


def _compute(result: Any) -> None:
    """Have Spark compute what a result is made of: what that is read from is about to go."""
    if isinstance(result, tuple):
        for part in cast("tuple[Any, ...]", result):
            _compute(part)
    elif hasattr(result, "compute"):
        result.compute()
