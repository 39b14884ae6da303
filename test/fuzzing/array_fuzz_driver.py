"""Compares many random expressions of lazy arrays with NumPy.

    python -m diablo.tools.array_fuzz --seed 7 --count 20000
    python -m diablo.tools.array_fuzz --programs --compile always --threads 2 --count 500

A difference is printed with the seed that makes it, and `--seed S --count 1` makes it again.
"""

from __future__ import annotations

import os
import traceback
import warnings
from argparse import ArgumentParser

import numpy as np

from fuzzing.array_expressions import Trial, differs, draw

_BLOCK_SIZES = (None, 1, 3, 16)


def _trial(seed: int) -> tuple[Trial, np.random.Generator]:
    import diablo.array as da

    rng = np.random.default_rng(seed)
    return draw(da, lambda n: int(rng.integers(n))), rng


def failure(seed: int, *, programs: bool) -> str:
    """Say what is wrong with the expression of a seed, or nothing."""
    import diablo.array as da

    try:
        trial, rng = _trial(seed)
        wanted = trial.twins[-int(rng.integers(1, 4)) :]
        block_size = _BLOCK_SIZES[int(rng.integers(len(_BLOCK_SIZES)))]
        lazy = [twin.lazy for twin in wanted]
        if programs:
            da.compute(*lazy, engine="local", block_size=block_size)
        else:
            da.compute(*lazy)
    except Exception:
        return traceback.format_exc()
    return "\n".join(text for twin in wanted if (text := differs(twin)))


def run() -> int:
    """Compare as many expressions as the command line says; 1 if one differs."""
    parser = ArgumentParser(
        prog="python -m diablo.tools.array_fuzz",
        description="Compare random expressions of lazy arrays with NumPy.",
    )
    parser.add_argument("--seed", type=int, default=0, help="the first seed (default: 0)")
    parser.add_argument("--count", type=int, default=1000, help="how many (default: 1000)")
    parser.add_argument("--programs", action="store_true", help="compute everything by programs")
    parser.add_argument("--compile", choices=("auto", "always", "never"), default="auto")
    parser.add_argument("--threads", type=int, help="how many threads kernels have")
    options = parser.parse_args()
    os.environ["DIABLO_COMPILE"] = options.compile
    if options.threads:
        os.environ["DIABLO_THREADS"] = str(options.threads)
    warnings.simplefilter("ignore")
    wrong = 0
    for seed in range(options.seed, options.seed + options.count):
        message = failure(seed, programs=options.programs)
        if message:
            wrong += 1
            print(f"seed {seed}: {message}", flush=True)
    print(f"{options.count} expressions, {wrong} wrong")
    return 1 if wrong else 0
