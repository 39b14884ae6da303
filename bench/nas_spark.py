"""NAS CG and MG on Spark, on one tile and on several, next to CG written by hand in PySpark.

measure("CG", "S", 1)   ->   one dictionary for each number of tiles: seconds by contender, jobs
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import ceil
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from spark_counts import jobs_since, next_job, processor_seconds

import diablo
from diablo.runtime.engines.spark import spark_context

HERE = Path(__file__).parent
NAS = HERE.parent / "examples" / "nas"
sys.path.insert(0, str(NAS))

import make_cg  # noqa: E402
import make_mg  # noqa: E402

MASTER = "local[2]"
TILES = (1, 2, 3)
"""Along each dimension of the matrix or the cube."""
Run = Callable[[], float]


def in_pyspark(sc: Any, matrix: Any, problem: Any, tile: int, niter: int) -> float:
    """CG as one writes it in PySpark: an RDD of SciPy matrices, vectors of the driver."""
    n = matrix.shape[0]
    starts = range(0, n, tile)
    blocks = [((i, j), matrix[i : i + tile, j : j + tile]) for i in starts for j in starts]
    rows = sc.parallelize(blocks, min(len(blocks), sc.defaultParallelism)).cache()

    def times(vector: Any) -> Any:
        whole = sc.broadcast(vector)

        def product(block: Any) -> Any:
            (i, j), part = block
            return i, part @ whole.value[j : j + tile]

        found = dict(rows.map(product).reduceByKey(lambda a, b: a + b).collect())
        whole.unpersist()
        return np.concatenate([found[i] for i in starts])

    x, zeta = np.ones(n), 0.0
    for _ in range(niter):
        z, r, p = np.zeros_like(x), x.copy(), x.copy()
        rho = r @ r
        for _ in range(25):
            q = times(p)
            alpha = rho / (p @ q)
            z += alpha * p
            r -= alpha * q
            rho, before = r @ r, rho
            p *= rho / before
            p += r
        np.linalg.norm(x - times(z))
        zeta = problem.shift + 1.0 / (x @ z)
        x = z / np.sqrt(z @ z)
    rows.unpersist()
    return float(zeta)


def cg(sc: Any, name: str, tiles: int) -> tuple[dict[str, Run], dict[str, Run], float, float]:
    """The contenders, the same on one iteration, what they shall find, and how exactly."""
    problem = make_cg.CLASSES[name]
    matrix = make_cg.make_matrix(problem)
    tile = ceil(problem.n / tiles)
    program = diablo.compile(NAS / "cg.diablo", engine="spark", master=MASTER, block_size=tile)

    def contenders(niter: int) -> dict[str, Run]:
        given = {"A": matrix, "shift": problem.shift, "niter": niter}
        return {
            "diablo": lambda: program(**given)[0],
            "PySpark by hand": lambda: in_pyspark(sc, matrix, problem, tile, niter),
        }

    return contenders(problem.niter), contenders(1), problem.zeta, 1e-10


def mg(_: Any, name: str, tiles: int) -> tuple[dict[str, Run], dict[str, Run], float, float]:
    """As `cg`; by hand nobody would."""
    problem = make_mg.CLASSES[name]
    tile = ceil(problem.n / tiles)
    program = diablo.compile(NAS / "mg.diablo", engine="spark", master=MASTER, block_size=tile)

    def contenders(iterations: int) -> dict[str, Run]:
        given = {**make_mg.inputs(problem), "iterations": iterations}
        charges = make_mg.sparse_charges(problem)
        return {"diablo": lambda: program(V=charges, **given)[0]}

    return contenders(problem.iterations), contenders(1), problem.norm, 1e-8


def measure(benchmark: str, name: str, repeats: int) -> list[dict[str, Any]]:
    """Run the contenders on one, four and nine tiles (MG: one, 8 and 27), and verify each."""
    sc = spark_context(MASTER)
    rows: list[dict[str, Any]] = []
    for tiles in TILES:
        contenders, short, expected, epsilon = {"CG": cg, "MG": mg}[benchmark](sc, name, tiles)
        for warm in short.values():
            warm()
        row: dict[str, Any] = {
            "benchmark": benchmark,
            "class": name,
            "tiles": " x ".join([str(tiles)] * (2 if benchmark == "CG" else 3)),
            "seconds": {},
            "processor_seconds": {},
            "jobs": {},
            "stages": {},
            "error": {},
        }
        for _ in range(repeats):
            for who, run in contenders.items():
                _take_turn(sc, row, who, run, expected, epsilon)
        rows.append(row)
    return rows


def _take_turn(
    sc: Any, row: dict[str, Any], who: str, run: Run, expected: float, epsilon: float
) -> None:
    first = next_job(sc)
    clock, processors = perf_counter(), processor_seconds()
    found = run()
    taken = {
        "seconds": perf_counter() - clock,
        "processor_seconds": processor_seconds() - processors,
    }
    error = abs(found - expected) / expected
    if error > epsilon:
        raise SystemExit(f"{who} finds {found:.13e}, which should be {expected:.13e}")
    for what, value in taken.items():
        row[what][who] = min(value, row[what].get(who, float("inf")))
    row["jobs"][who], row["stages"][who] = jobs_since(sc, first)
    row["error"][who] = error


def show(row: dict[str, Any]) -> str:
    """A line for each contender of one class on so many tiles."""
    seconds, processors = row["seconds"], row["processor_seconds"]
    lines = [f"{row['benchmark']} {row['class']}, {row['tiles']} tiles"]
    for who in seconds:
        lines.append(
            f"  {who:<20}{seconds[who]:>8.1f} s{seconds[who] / seconds['diablo']:>8.2f}"
            f"{processors[who]:>10.1f} s{processors[who] / processors['diablo']:>8.2f}"
            f"{row['jobs'][who]:>8} jobs{row['stages'][who]:>6} stages"
            f"   verified, error {row['error'][who]:.1e}"
        )
    return "\n".join(lines)
