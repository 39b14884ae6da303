"""Floats of 16 bits, by one row of the table: `python half_floats.py` runs programs with them.

The tables of IR, language and columns are made of the rows when they are loaded, so that the row
is there before them, in a process of its own.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from diablo import scalar_table

ROW = scalar_table.Scalar("Half", "f16", "f2", "float16", "floating", "a number", ("Float16",))

scalar_table.SCALARS += (ROW,)
scalar_table.BY_ELEMENT[ROW.element] = ROW
scalar_table.BY_NAME.update(dict.fromkeys((ROW.name, *ROW.aliases), ROW))

import numpy as np  # noqa: E402
import pytest  # noqa: E402

import diablo  # noqa: E402
from diablo.diagnostics import CompileError  # noqa: E402
from diablo.runtime.io.inputs import load  # noqa: E402
from diablo.runtime.io.outputs import save  # noqa: E402
from diablo.runtime.io.wanted import WantedArray  # noqa: E402
from diablo.scalar_table import SCALARS, promoted  # noqa: E402
from fuzzing.trial import Trial, Way  # noqa: E402

M = np.arange(20, dtype=np.float16).reshape(4, 5)
INPUTS: dict[str, Any] = {
    "k": 1.5,
    "V": np.array([0.5, 1.5, -2.0, 3.0, 100, 0.25, 7], np.float16),
    "M": M,
    "F": np.ones(7, np.float32) / 3,
    "B": np.arange(7, dtype=np.int8),
    "n": 7,
}
DECLARED = """
input k: Half; input V: vector[Float16]; input M: matrix[Half]; input n: Int;
input F: vector[Float]; input B: vector[Int8];
"""
PROGRAMS = [
    "(k, k*3, k-1, -k, k/3, abs(k), min(k,2), max(k,V[1]), k+1.5, k+n, k*1e9, sqrt(k), exp(V))",
    "(V+V, V*2, V-k, -V, V/3, M @ M.t, V+F, V+B, B*k, V*1j, [ toHalf(f) | (i,f) <- F ])",
    """(+/[ v | (i,v) <- V ], */[ v | (i,v) <- V ], min/[ v | (i,v) <- V ], max(M), mean(V),
        argmin(V), +/[ toDouble(v) | (i,v) <- V ])""",
    """var s: Half = 0; for (i,v) in V do s += v; var W = V;
       for i = 1, n-2 do W[i] = V[i-1] + V[i+1]; (s, W)""",
    """var m: map[Half,Int] = map(); for (i,v) in V do m[v] += 1;
       (m, m[V[2]], [ (k, +/v, max/v) | (i,k) <- V, let v = V[i], group by k ])""",
    """var A = tensor*(4,5)[ ((i,j), M[i,j] + V[i]*2) | i <- 0..3, j <- 0..4 ];
       for i = 0,3 do for j = 0,4 do A[i,j] *= M[i,j];
       (A, tensor*(5)[ (j, +/m) | ((i,j),m) <- M, group by j ])""",
    """var i = 0; var x: Half = k; while (i < 5) { x = x*x + 1; i += 1 };
       (x, toInt(x), toDouble(x), toString(x), toHalf(1e9), toHalf(n), toHalf(0.1))""",
    """var A = tensor()(4,5)[ ((i,j), m) | ((i,j),m) <- M, m > 7 ];
       (A, A+A, A @ M.t, A @ A.t, A @ tensor(5)[ (j, k) | j <- 0..4 ])""",
    """var A = tensor*()(5)[ (j, +/m) | ((i,j),m) <- M, m > 7, group by j ];
       monoid two(Half) = (0, (x,y) => x + y); (A, two/[ v | (i,v) <- V ])""",
    "[ toDouble(toHalf(i*0.1)) | i <- 0..n ]",
]
WAYS = [
    Way(block_sizes=(None, 3), compile="always"),
    Way(block_sizes=(None, 3), compile="never"),
    Way(block_sizes=(None,), compile="always", whole=True),
]


def check_programs() -> None:
    """All programs give what the interpreter does, and those with an array also what NumPy does."""
    for program in PROGRAMS:
        outcome = Trial(DECLARED + program, INPUTS).run(WAYS)
        assert outcome.verdict == "same", (program, outcome)
    V = INPUTS["V"]
    for result, wanted in zip(
        diablo.compile(DECLARED + "(V + V, V / 3, V + F, V + B)")(**INPUTS),
        (V + V, V / np.float16(3), V + INPUTS["F"], V + INPUTS["B"]),
        strict=True,
    ):
        assert result.dtype == wanted.dtype
        np.testing.assert_array_equal(np.asarray(result), wanted)


def check_promotion() -> None:
    """It is promoted as by NumPy, beside every other type of numbers."""
    for row in SCALARS:
        if row.is_number:
            for one, other in ((row, ROW), (ROW, row)):
                assert promoted(one, other).dtype == np.promote_types(one.dtype, other.dtype).name


def check_errors() -> None:
    """A wider number does not fit."""
    with pytest.raises(CompileError, match="Half"):
        diablo.compile("input d: Double; var h: Half = d; h")


def check_kernels() -> None:
    """There is no machine code with it, and there is beside it."""
    text = "input V: vector[Half]; input W: vector[{}]; ([ toHalf(w) + 1 | (i,w) <- W ], W*W)"
    python = Trial(text.format("Double"), {"V": INPUTS["V"], "W": np.ones(8)}).variant().python
    assert "half" not in python
    assert "fmul double" in python


def check_files(folder: Path) -> None:
    """Arrays of it are written, and read again."""
    for suffix in ("npy", "npz", "csv", "json", "mtx"):
        path = str(folder / f"m.{suffix}")
        save(diablo.compile("input M: matrix[Half]; M")(M=M), path)
        again = load(path, WantedArray(2, ROW.element))
        assert again.dtype == M.dtype
        np.testing.assert_array_equal(np.asarray(again), M)


if __name__ == "__main__":
    check_promotion()
    check_errors()
    check_kernels()
    check_programs()
    check_files(Path(sys.argv[1]))
