"""NAS CG in the language, in SciPy, and in C with OpenMP where there is a compiler.

measure(["S", "W"])   ->   one dictionary per class: seconds by contender, bytes
"""

from __future__ import annotations

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

HERE = Path(__file__).parent
NAS = HERE.parent / "examples" / "nas"
sys.path.insert(0, str(NAS))

from make_cg import CLASSES, CGClass, make_matrix  # noqa: E402

Times = tuple[float, float]
"""The seconds of a run: by the clock, and of all processors."""


@dataclass
class Contender:
    """One way to compute zeta; `run` gives it and what it took."""

    run: Callable[[], tuple[float, Times]]
    clock: float = field(default=float("inf"))
    processors: float = field(default=float("inf"))

    def take_turn(self, expected: float) -> None:
        """Run once; a wrong result is an error."""
        zeta, (clock, processors) = self.run()
        if abs(zeta - expected) > 1e-10 * expected:
            raise SystemExit(f"zeta is {zeta:.13f} and should be {expected:.13f}")
        self.clock = min(self.clock, clock)
        self.processors = min(self.processors, processors)


def timed(function: Callable[[], float]) -> tuple[float, Times]:
    """The result of a function, and its times."""
    clock, processors = perf_counter(), process_time()
    result = function()
    return result, (perf_counter() - clock, process_time() - processors)


def in_scipy(matrix: Any, problem: CGClass) -> float:
    """The benchmark as one writes it in SciPy, vectors updated in place."""
    x, zeta = np.ones(matrix.shape[0]), 0.0
    for _ in range(problem.niter):
        z, r, p = np.zeros_like(x), x.copy(), x.copy()
        rho = r @ r
        for _ in range(25):
            q = matrix @ p
            alpha = rho / (p @ q)
            z += alpha * p
            r -= alpha * q
            rho, before = r @ r, rho
            p *= rho / before
            p += r
        np.linalg.norm(x - matrix @ z)
        zeta = problem.shift + 1.0 / (x @ z)
        x = z / np.sqrt(z @ z)
    return float(zeta)


class CompiledC:
    """The program nas_cg.c, built in a folder that goes with this object."""

    def __init__(self, compiler: str):
        self._folder = tempfile.TemporaryDirectory(prefix="nas_cg_")
        self._program = Path(self._folder.name) / "nas_cg"
        flags = ["-O3", "-march=native", "-fopenmp"]
        source = HERE / "nas_cg.c"
        subprocess.run([compiler, *flags, "-o", self._program, source, "-lm"], check=True)

    def contender(self, name: str, matrix: Any, problem: CGClass) -> Contender:
        """The program on a matrix."""
        file = Path(self._folder.name) / f"{name}.bin"
        with file.open("wb") as out:
            np.array([matrix.shape[0], matrix.nnz], np.int64).tofile(out)
            for vector in (matrix.indptr, matrix.indices, matrix.data):
                vector.tofile(out)
        command = [self._program, file, str(problem.niter), str(problem.shift), "2"]

        def run() -> tuple[float, Times]:
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            zeta, _, clock, processors = map(float, done.stdout.split())
            return zeta, (clock, processors)

        return Contender(run)


def bytes_taken(program: Any, inputs: dict[str, Any]) -> dict[str, int]:
    """What the program's matrix takes, and what a run takes beside the caller's."""
    matrix = inputs["A"]
    tile = program.check(inputs).values["A"]
    inputs = {**inputs, "niter": 1}
    program(**inputs)
    tracemalloc.start()
    program(**inputs)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return {
        "CSR index": matrix.indptr.nbytes + matrix.indices.nbytes,
        "CSR values": matrix.data.nbytes,
        "index": tile.indptr.nbytes + tile.indices.nbytes,
        "values": tile.values.nbytes,
        "peak beside the matrix": peak,
    }


def measure(classes: Sequence[str], repeats: int = 5) -> list[dict[str, Any]]:
    """Compare the contenders on each class."""
    compiler = next(filter(None, map(shutil.which, ("gcc", "cc"))), None)
    in_c = CompiledC(compiler) if compiler else None
    rows: list[dict[str, Any]] = []
    for name in classes:
        problem = CLASSES[name]
        matrix = make_matrix(problem)
        program = diablo.compile(NAS / "cg.diablo", engine="local")
        inputs = {"A": matrix, "shift": problem.shift, "niter": problem.niter}
        contenders = {
            "diablo": Contender(lambda p=program, i=inputs: timed(lambda: p(**i)[0])),
            "SciPy": Contender(lambda m=matrix, c=problem: timed(lambda: in_scipy(m, c))),
        }
        if in_c is not None:
            contenders["C with OpenMP"] = in_c.contender(name, matrix, problem)
        taken = bytes_taken(program, inputs)
        for _ in range(repeats):
            for contender in contenders.values():
                contender.take_turn(problem.zeta)
        rows.append(
            {
                "benchmark": "CG",
                "class": name,
                "seconds": {who: c.clock for who, c in contenders.items()},
                "processor_seconds": {who: c.processors for who, c in contenders.items()},
                "bytes": taken,
            }
        )
    return rows
