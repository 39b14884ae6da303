"""NAS MG in the language, with sparse and with dense charges, and in C with OpenMP.

measure(["S", "W"])   ->   one dictionary per class: seconds by contender, bytes
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from contenders import RUNS, CompiledC, Contender, Times, row, take_turns, timed

import diablo
from diablo.runtime.arrays import memory
from diablo.runtime.native import work_seen

NAS = Path(__file__).parent.parent / "examples" / "nas"
sys.path.insert(0, str(NAS))

from make_mg import (  # noqa: E402
    CLASSES,
    MGClass,
    charges,
    dense_charges,
    inputs,
    sparse_charges,
)


def in_c(program: CompiledC, name: str, problem: MGClass) -> Contender:
    """The program nas_mg.c on the charges of a class; waiting threads leave processors alone."""
    file = program.file(f"{name}.bin")
    points, values = charges(problem)
    np.column_stack([points, values.astype(np.int64)]).tofile(file)
    smoother = [repr(weight) for weight in problem.c[:3]]
    arguments = [file, problem.levels, problem.iterations, *smoother, RUNS]
    return program.contender(arguments, {"OMP_WAIT_POLICY": "passive"})


def in_the_language(program: Any, given: dict[str, Any]) -> Contender:
    """The program on its inputs; its kernels are compiled before anything is timed."""

    def run() -> tuple[float, Times]:
        return timed(lambda: program(**given)[0])

    work_seen.WORTH_COMPILING = 1
    run()
    return Contender(run)


def peak_bytes(program: Any, given: dict[str, Any]) -> int:
    """Return what a run takes at most, beside the caller's charges."""
    gc.collect()
    memory.clear()
    tracemalloc.start()
    program(**given)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def measure(classes: Sequence[str], repeats: int = 5) -> list[dict[str, Any]]:
    """Compare the contenders on each class."""
    c_program = CompiledC.build("nas_mg")
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
        if c_program is not None:
            contenders["C with OpenMP"] = in_c(c_program, name, problem)
        taken = {
            "sparse charges": peak_bytes(program, sparse),
            "dense charges": peak_bytes(program, dense) + dense["V"].nbytes,
        }
        take_turns(contenders, problem.norm, 1e-8, repeats)
        rows.append(row("MG", name, contenders, taken))
    return rows
