"""What the NAS benchmarks compare: ways to compute one number, which take turns.

contenders = {"diablo": Contender(run), "SciPy": Contender(other)}
take_turns(contenders, check, repeats=5)
row("CG", "S", contenders, bytes)
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

HERE = Path(__file__).parent

RUNS = 2
"""How often a contender runs in its turn, behind a run that is not timed."""
Times = tuple[float, float]
"""The seconds of a run: by the clock, and of all processors."""
Run = Callable[[], tuple[float, Times]]


@dataclass
class Contender:
    """One way to compute the benchmark's number; `run` gives it and what it took."""

    run: Run
    clock: float = field(default=float("inf"))
    processors: float = field(default=float("inf"))


def timed(function: Callable[[], float]) -> tuple[float, Times]:
    """The result of a function, and its shortest times; as with C, a run before them is not timed.

    That one wakes threads and touches memory, which others had meanwhile.
    """
    result = function()
    taken: list[Times] = []
    for _ in range(RUNS):
        clock, processors = perf_counter(), process_time()
        result = function()
        taken.append((perf_counter() - clock, process_time() - processors))
    return result, (min(clock for clock, _ in taken), min(used for _, used in taken))


def take_turns(
    contenders: Mapping[str, Contender], expected: float, tolerance: float, repeats: int
) -> None:
    """Run each so often, and keep its shortest times; a wrong result ends the program."""
    for _ in range(repeats):
        for name, contender in contenders.items():
            found, (clock, processors) = contender.run()
            if not abs(found - expected) <= tolerance * abs(expected):
                raise SystemExit(f"{name} found {found:.13e}, which should be {expected:.13e}")
            contender.clock = min(contender.clock, clock)
            contender.processors = min(contender.processors, processors)


def row(
    benchmark: str, problem: str, contenders: Mapping[str, Contender], taken: Mapping[str, int]
) -> dict[str, Any]:
    """The figures of one class."""
    return {
        "benchmark": benchmark,
        "class": problem,
        "seconds": {who: c.clock for who, c in contenders.items()},
        "processor_seconds": {who: c.processors for who, c in contenders.items()},
        "bytes": dict(taken),
    }


class CompiledC:
    """The C program NAME.c beside this file, built in a folder that goes with this object."""

    def __init__(self, compiler: str, name: str):
        self._folder = tempfile.TemporaryDirectory(prefix=f"{name}_")
        self._program = Path(self._folder.name) / name
        flags = ["-O3", "-march=native", "-fopenmp"]
        source = HERE / f"{name}.c"
        subprocess.run([compiler, *flags, "-o", self._program, source, "-lm"], check=True)

    @staticmethod
    def build(name: str) -> CompiledC | None:
        """The program, if this machine has a compiler."""
        compiler = next(filter(None, map(shutil.which, ("gcc", "cc"))), None)
        return CompiledC(compiler, name) if compiler else None

    def file(self, name: str) -> Path:
        """A place for an input, in the program's folder."""
        return Path(self._folder.name) / name

    def contender(
        self, arguments: Sequence[object], environment: Mapping[str, str] | None = None
    ) -> Contender:
        """A call of the program: the first number that it prints, the last two are its times."""
        command = [str(self._program), *map(str, arguments)]
        variables = {**os.environ, **(environment or {})}

        def run() -> tuple[float, Times]:
            done = subprocess.run(
                command, check=True, capture_output=True, text=True, env=variables
            )
            found, *_, clock, processors = map(float, done.stdout.split())
            return found, (clock, processors)

        return Contender(run)
