"""Inputs for programs on a device: of every extent at which kernels do something else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import scipy.sparse as sparse

Inputs = Mapping[str, Any]
Named = tuple[str, str, Sequence[Inputs]]
"""The name of a program, its text, and what it is run on."""
EXTENTS = (0, 1, 31, 32, 33, 1023, 1025, 70_000)
SHAPES = ((0, 5), (5, 0), (1, 1025), (1025, 1), (33, 31), (513, 3), (3, 1030), (300, 300))


def random_array(*shape: int) -> Any:
    return np.random.default_rng(sum(shape)).normal(size=shape)


def vectors(type: Any = np.float64) -> list[Inputs]:
    # An integer below zero wraps around, which is not said of a float.
    through = np.int64 if np.dtype(type).kind == "u" else type
    return [{"x": (random_array(n) * 9).astype(through).astype(type)} for n in EXTENTS]


def matrices(*names: str) -> list[Inputs]:
    return [{name: random_array(*shape) for name in names} for shape in SHAPES]


def complex_numbers(dtype: Any, *shape: int) -> Any:
    parts = random_array(2, *shape)
    return (parts[0] + 1j * parts[1]).astype(dtype)


def sparse_matrices() -> list[Inputs]:
    cases: list[Inputs] = []
    for n, density in ((1, 1.0), (40, 0.0), (500, 0.01), (500, 0.2), (2000, 0.0005)):
        generator = np.random.default_rng(n)
        matrix: Any = cast(Any, sparse).random_array(
            (n, n), density=density, format="csr", rng=generator
        )
        cases.append({"A": matrix, "x": random_array(n)})
    return cases


def bins_of(m: int, n: int) -> Inputs:
    """Vectors of m numbers, and of places for them, of which there are n."""
    generator = np.random.default_rng((m, n))
    return {"k": generator.integers(-1, n + 1, m), "x": generator.normal(size=m), "n": n}


def matrix_with_long_rows(dtype: Any, columns: int = 200_000) -> Inputs:
    """A sparse matrix with some rows of all columns among many of few, and a vector."""
    generator: Any = np.random.default_rng(columns)
    counts = np.full(1000, 5)
    counts[::400] = columns
    places: list[Any] = [np.sort(generator.choice(columns, n, replace=False)) for n in counts]
    parts: Any = generator.normal(size=sum(counts)), np.concatenate(places)
    starts = np.concatenate([[0], np.cumsum(counts)])
    matrix: Any = cast(Any, sparse).csr_array((*parts, starts), shape=(len(counts), columns))
    return {"A": matrix.astype(dtype), "x": generator.normal(size=columns).astype(dtype)}
