"""NAS MG in the language, with sparse and with dense charges, and in C with OpenMP.

measure(["S", "W"])   ->   one dictionary per class: seconds by contender, bytes
"""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

import diablo
from diablo.runtime.arrays import memory
from diablo.runtime.kernels import compiled

HERE = Path(__file__).parent
NAS = HERE.parent / "examples" / "nas"
sys.path.insert(0, str(NAS))

from make_mg import (  # noqa: E402
    CLASSES,
    MGClass,
    charges,
    dense_charges,
    inputs,
    sparse_charges,
)

Times = tuple[float, float]
"""The seconds of a run: by the clock, and of all processors."""


@dataclass
class Contender:
    """One way to compute the norm of the residual; `run` gives it and what it took."""

    run: Callable[[], tuple[float, Times]]
    clock: float = field(default=float("inf"))
    processors: float = field(default=float("inf"))

    def take_turn(self, expected: float) -> None:
        """Run once; a wrong result is an error."""
        norm, (clock, processors) = self.run()
        if abs(norm - expected) > 1e-8 * expected:
            raise SystemExit(f"the norm is {norm:.13e} and should be {expected:.13e}")
        self.clock = min(self.clock, clock)
        self.processors = min(self.processors, processors)


class CompiledC:
    """The program nas_mg.c, built in a folder that goes with this object."""

    def __init__(self, compiler: str):
        self._folder = tempfile.TemporaryDirectory(prefix="nas_mg_")
        self._program = Path(self._folder.name) / "nas_mg"
        flags = ["-O3", "-march=native", "-fopenmp"]
        source = HERE / "nas_mg.c"
        subprocess.run([compiler, *flags, "-o", self._program, source, "-lm"], check=True)

    def contender(self, name: str, problem: MGClass) -> Contender:
        """The program on the charges of a class; waiting threads leave the processors alone."""
        file = Path(self._folder.name) / f"{name}.bin"
        points, values = charges(problem)
        np.column_stack([points, values.astype(np.int64)]).tofile(file)
        smoother = [repr(weight) for weight in problem.c[:3]]
        sizes = [str(problem.levels), str(problem.iterations)]
        command = [self._program, file, *sizes, *smoother, "2"]
        environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}

        def run() -> tuple[float, Times]:
            done = subprocess.run(
                command, check=True, capture_output=True, text=True, env=environment
            )
            norm, clock, processors = map(float, done.stdout.split())
            return norm, (clock, processors)

        return Contender(run)


def in_the_language(program: Any, given: dict[str, Any]) -> Contender:
    """The program on its inputs; its kernels are compiled before anything is timed."""

    def run() -> tuple[float, Times]:
        clock, processors = perf_counter(), process_time()
        norm, _ = program(**given)
        return norm, (perf_counter() - clock, process_time() - processors)

    compiled.WORTH_COMPILING = 1
    run()
    return Contender(run)


def peak_bytes(program: Any, given: dict[str, Any]) -> int:
    """What a run takes at most, beside the caller's charges."""
    gc.collect()
    memory.clear()
    tracemalloc.start()
    program(**given)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def measure(classes: Sequence[str], repeats: int = 5) -> list[dict[str, Any]]:
    """Compare the contenders on each class."""
    compiler = next(filter(None, map(shutil.which, ("gcc", "cc"))), None)
    in_c = CompiledC(compiler) if compiler else None
    rows: list[dict[str, Any]] = []
    for name in classes:
        problem = CLASSES[name]
        program = diablo.compile(NAS / "mg.diablo", engine="local")
        sparse = {**inputs(problem), "V": sparse_charges(problem)}
        dense = {**inputs(problem), "V": dense_charges(problem)}
        contenders = {
            "diablo": in_the_language(program, sparse),
            "diablo, dense charges": in_the_language(program, dense),
        }
        if in_c is not None:
            contenders["C with OpenMP"] = in_c.contender(name, problem)
        taken = {
            "sparse charges": peak_bytes(program, sparse),
            "dense charges": peak_bytes(program, dense) + dense["V"].nbytes,
        }
        for _ in range(repeats):
            for contender in contenders.values():
                contender.take_turn(problem.norm)
        rows.append(
            {
                "benchmark": "MG",
                "class": name,
                "seconds": {who: c.clock for who, c in contenders.items()},
                "processor_seconds": {who: c.processors for who, c in contenders.items()},
                "bytes": taken,
            }
        )
    return rows
