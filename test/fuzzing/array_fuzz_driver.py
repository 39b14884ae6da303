"""Compares many random expressions of lazy arrays with NumPy.

    python -m diablo.tools.array_fuzz --seed 7 --count 20000
    python -m diablo.tools.array_fuzz --programs --compile always --threads 2 --count 500
    python -m diablo.tools.array_fuzz --tiles --count 500
    python -m diablo.tools.array_fuzz --sparse --compile always --count 500

A difference is printed with the seed that makes it, and `--seed S --count 1` makes it again.
"""

from __future__ import annotations

import importlib
import traceback
from typing import Any

import numpy as np

from fuzzing.array_expressions import Trial, differs, draw
from fuzzing.seed_arguments import apply_options, seed_parser
from fuzzing.sparse_expressions import differences

_BLOCK_SIZES = (None, 1, 3, 16)


_MEMORY = (64, 400, 4000)
"""How many bytes tiles may take, of arrays of some hundred elements."""


class _Source:
    """An array that is read by parts, as one in a file."""

    def __init__(self, array: Any):
        self.array = array
        self.shape = array.shape
        self.dtype = array.dtype

    def read(self, ranges: Any) -> Any:
        """Return a part."""
        return self.array[tuple([slice(*each) for each in ranges])]


def _trial(seed: int, *, tiles: bool) -> tuple[Trial, np.random.Generator]:
    import diablo.array as da
    from diablo.array.stored_arrays import stored

    rng = np.random.default_rng(seed)

    def given(array: Any) -> Any:
        return da.Array(stored(_Source(array))) if tiles else da.asarray(array)

    return draw(da, lambda n: int(rng.integers(n)), given=given), rng


def failure(seed: int, *, programs: bool, tiles: bool = False) -> str:
    """Say what is wrong with the expression of a seed, or nothing."""
    import diablo.array as da

    try:
        trial, rng = _trial(seed, tiles=tiles)
        wanted = trial.twins[-int(rng.integers(1, 4)) :]
        block_size = _BLOCK_SIZES[int(rng.integers(len(_BLOCK_SIZES)))]
        lazy = [twin.lazy for twin in wanted]
        memory = _MEMORY[int(rng.integers(len(_MEMORY)))] if tiles else None
        if tiles:
            da.compute(*lazy, engine="local" if programs else None, memory=memory)
        elif programs:
            da.compute(*lazy, engine="local", block_size=block_size)
        else:
            da.compute(*lazy)
    except Exception:
        return traceback.format_exc()
    return "\n".join(text for twin in wanted if (text := differs(twin)))


def sparse_failure(seed: int) -> str:
    """Say what is wrong with the expression of sparse arrays of a seed, or nothing."""
    import diablo.array as da

    rng = np.random.default_rng(seed)
    try:
        return differences(da, lambda n: int(rng.integers(n)), _pydata())
    except Exception:
        return traceback.format_exc()


def _pydata() -> Any:
    """Return the package `sparse`; None where it is not installed, so that NumPy alone compares."""
    try:
        return importlib.import_module("sparse")
    except ImportError:
        return None


def run() -> int:
    """Compare as many expressions as the command line says; 1 if one differs."""
    parser = seed_parser("array_fuzz", "Compare random expressions of lazy arrays with NumPy.")
    parser.add_argument("--programs", action="store_true", help="compute everything by programs")
    parser.add_argument("--tiles", action="store_true", help="read arrays by parts, as files")
    parser.add_argument(
        "--sparse",
        action="store_true",
        help="compare sparse arrays, with pydata's `sparse` too if it is installed",
    )
    options = parser.parse_args()
    apply_options(options)
    wrong = 0
    for seed in range(options.seed, options.seed + options.count):
        if options.sparse:
            message = sparse_failure(seed)
        else:
            message = failure(seed, programs=options.programs, tiles=options.tiles)
        if message:
            wrong += 1
            print(f"seed {seed}: {message}", flush=True)
    print(f"{options.count} expressions, {wrong} wrong")
    return 1 if wrong else 0
