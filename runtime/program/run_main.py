"""Running a program's `main` on an engine.

`main` is what the PySpark emitter writes: `main(sc, <inputs>, *, block_size=None)`. The
Spark engine calls it with a `SparkContext`, the local engine with a `LocalContext` whose
RDDs are lists in this process.

    run_main(main, {"A": a, "n": 4}, engine="local", master=None, block_size=None)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from diablo.diagnostics import InputError, LostBlock, size_text
from diablo.runtime.available_memory import machine_memory
from diablo.runtime.block_sizes import BlockSize, SizesByName, check_block_size
from diablo.runtime.device.device_arrays import on_host
from diablo.runtime.engines.data_sizes import data_size
from diablo.runtime.engines.heap_errors import explaining_heap
from diablo.runtime.engines.job_names import naming
from diablo.runtime.engines.keeping import keeping, release_dead
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.engines.running import running
from diablo.runtime.engines.spark_errors import LOST_CHECKPOINT, as_run_errors
from diablo.runtime.engines.spark_statistics import begin_watching, end_watching
from diablo.runtime.engines.tile_mode import tile_mode
from diablo.runtime.engines.worker_counts import counting_workers
from diablo.runtime.memory_limit import limited
from diablo.runtime.native.compile_mode import held_environment
from diablo.runtime.progress import doing
from diablo.runtime.results.result_types import (
    DistributedArray,
    Rows,
    cut_when_asked,
    edges_of_held,
    held_by_spark,
    leave_to_results,
    recompute_when_lost,
    rows_of,
)
from diablo.runtime.rows.row_counts import counting
from diablo.runtime.source_lines import last_line

if TYPE_CHECKING:
    from diablo.runtime.device.device_run import DeviceRun
    from diablo.runtime.program.saved_state import SavedState

Engine = Literal["auto", "local", "spark"]
ENGINES: tuple[Engine, ...] = ("auto", "local", "spark")


def run_main(
    main: Callable[..., Any],
    inputs: Mapping[str, Any],
    engine: Engine = "auto",
    master: str | None = None,
    block_size: BlockSize = None,
    memory: int | None = None,
    device: DeviceRun | None = None,
    state: SavedState | None = None,
    inputs_stay: bool = False,
) -> Any:
    """Return what `main` returns for the inputs, which `check_argument` has checked.

    The local engine makes every array one tile, and cuts its results if they are asked for tiles;
    on Spark the program chooses a block size if none is given. The run may take `memory` bytes of
    this process, by default most of what is free. Its loops save what they carry in `state`, and go
    on from there. If nobody writes into the inputs before the results are looked at
    (`inputs_stay`), lazy results whose files are lost are computed again. A failure is a
    `RunError`, unless the mistake is diablo's own.
    """
    check_block_size(block_size)
    with held_environment(at_once=state is not None):
        tile_mode()
        if device is not None:
            if device.dealt is None:
                from diablo.runtime.program.device_program import main_on_device

                main = main_on_device(main, device)
            else:
                from diablo.runtime.program.dealt_program import main_on_devices

                main = main_on_devices(main, device.dealt)
        else:
            inputs = {name: on_host(value) for name, value in inputs.items()}
        context = engine_context(engine, master, inputs)
        if block_size is None:
            block_size = edges_of_held(inputs)
        elif isinstance(block_size, Mapping):
            block_size = SizesByName(block_size)
        if state is not None:
            state.begin(1 if context is local_context() else int(context.defaultParallelism))
        run = _Run(main, inputs, context, block_size, memory, state, inputs_stay)
        if isinstance(context, LocalContext):
            return run.here()
        try:
            return run.on_spark()
        except LostBlock as lost:
            if str(lost) != LOST_CHECKPOINT and held_by_spark(inputs.values()):
                raise
            # What Spark has of this call names files, some of which are gone, or was with an
            # executor that is: all of it is done anew, from the inputs or the state that was saved,
            # without files.
            return run.on_spark(in_files=False)


NO_STATE = nullcontext()
"""The context of a run that saves no state."""


@dataclass
class _Run:
    """One run of a program, which may be done again.

    Floats are IEEE's: 0.0/0.0 is NaN in the program, and no warning.
    """

    main: Callable[..., Any]
    inputs: Mapping[str, Any]
    context: Any
    block_size: BlockSize
    memory: int | None
    state: SavedState | None
    inputs_stay: bool

    def here(self) -> Any:
        """Return what `main` returns in this process, which keeps nothing for it."""
        context, inputs = self.context, self.inputs
        release_dead()  # Of earlier calls on Spark.
        with (
            as_run_errors(),
            np.errstate(all="ignore"),
            limited(self.memory),
            counting(sum(map(rows_of, inputs.values()))),
            doing(running(context)),
            NO_STATE if self.state is None else self.state.used(),
        ):
            result = self.main(context, **inputs, block_size=self.block_size)
        cut_when_asked(result, self.block_size)
        return result

    def on_spark(self, *, in_files: bool = True) -> Any:
        """Return what `main` returns; workers may exchange arrays in files."""
        context, inputs = self.context, self.inputs
        with (
            as_run_errors(),
            np.errstate(all="ignore"),
            limited(self.memory),
            counting(sum(map(rows_of, inputs.values()))) as counts,
            counting_workers(context, counts) as workers,
            keeping(context, in_files=in_files) as kept,
            doing(running(context)),
            NO_STATE if self.state is None else self.state.used(),
        ):
            begin_watching(context)
            for value in held_by_spark(inputs.values()):
                value.records.lend_to(kept)
            with naming(context), explaining_heap(context):
                result = self.main(context, **inputs, block_size=self.block_size)
            leave_to_results(kept, result, workers, last_line(self.main))
            stay = self.inputs_stay or all(map(_is_constant, inputs.values()))
            if in_files and stay and not held_by_spark(inputs.values()):
                recompute_when_lost(result, lambda: self.on_spark(in_files=False))
            cut_when_asked(result, self.block_size)
            if isinstance(self.block_size, SizesByName):
                self.block_size.report_unused()
            if workers is not None:
                workers.tell()
            end_watching()
            return result


def _is_constant(value: Any) -> bool:
    """Return whether nobody can write into an input."""
    return isinstance(value, bool | int | float | complex | str)


def engine_context(engine: str, master: str | None, inputs: Mapping[str, Any]) -> Any:
    """The context that runs a program on these inputs: local, or a `SparkContext`."""
    if engine not in ENGINES:
        raise InputError(f"there is no engine {engine!r}: it is one of {', '.join(ENGINES)}")
    if engine == "auto":
        engine = choose_engine(inputs, master)
    if engine == "local":
        return local_context()
    with doing("starting Spark"):
        from diablo.runtime.engines.spark import (
            spark_context,  # PySpark is slow to import, and optional
        )

        return spark_context(master)


def runs_on_spark(engine: str, master: str | None) -> bool:
    """Return whether programs run on Spark whatever their inputs are."""
    return engine == "spark" or (engine == "auto" and master is not None)


def choose_engine(inputs: Mapping[str, Any], master: str | None = None) -> Engine:
    """Local while the inputs take less than half of the memory and no cluster is named.

    Where Spark has an input already, it is Spark.
    """
    return engine_and_reason(inputs, master)[0]


def engine_and_reason(inputs: Mapping[str, Any], master: str | None = None) -> tuple[Engine, str]:
    """The engine of `choose_engine`, and why it is that, in words."""
    if master is not None:
        return "spark", f"a master is named, {master}"
    held = [name for name, value in inputs.items() if held_by_spark([value])]
    if held:
        return "spark", f"Spark has {held[0]} already"
    taken, memory = sum(map(data_size, inputs.values())), machine_memory()
    sizes = f"the inputs take {size_text(taken)}, and there are {size_text(memory)}"
    return ("local", sizes) if 2 * taken < memory else ("spark", sizes)


@cache
def local_context() -> LocalContext:
    """The local engine of this process."""
    return LocalContext()


__all__ = [
    "ENGINES",
    "DistributedArray",
    "Engine",
    "Rows",
    "choose_engine",
    "engine_and_reason",
    "engine_context",
    "local_context",
    "run_main",
    "runs_on_spark",
]
