"""NAS CG in the language, in SciPy, and in C with OpenMP where there is a compiler.

measure(["S", "W"])   ->   one dictionary per class: seconds by contender, bytes
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from contenders import RUNS, CompiledC, Contender, row, take_turns, timed

import diablo

NAS = Path(__file__).parent.parent / "examples" / "nas"
sys.path.insert(0, str(NAS))

from make_cg import CLASSES, CGClass, make_matrix  # noqa: E402


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


def in_c(program: CompiledC, name: str, matrix: Any, problem: CGClass) -> Contender:
    """The program nas_cg.c on a matrix."""
    file = program.file(f"{name}.bin")
    with file.open("wb") as out:
        np.array([matrix.shape[0], matrix.nnz], np.int64).tofile(out)
        for vector in (matrix.indptr, matrix.indices, matrix.data):
            vector.tofile(out)
    return program.contender([file, problem.niter, problem.shift, RUNS])


def bytes_taken(program: Any, inputs: dict[str, Any]) -> dict[str, int]:
    """Return what the program's matrix takes, and what a run takes beside the caller's."""
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
    c_program = CompiledC.build("nas_cg")
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
        if c_program is not None:
            contenders["C with OpenMP"] = in_c(c_program, name, matrix, problem)
        taken = bytes_taken(program, inputs)
        take_turns(contenders, problem.zeta, 1e-10, repeats)
        rows.append(row("CG", name, contenders, taken))
    return rows
