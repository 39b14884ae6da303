"""Each way in which arrays can meet on Spark gives the same, and tall ones meet where they are."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import numpy as np
import pytest

import diablo
from diablo.lowering.pipelines import PIPELINES
from diablo.passes.analyses.plans.distribution_plan import JOINS

MASTER = "local[2]"
INPUTS = "input A: matrix[Double]; input B: matrix[Double];"
Array = np.ndarray[Any, np.dtype[np.float64]]


def _tall(A: Array, B: Array) -> Array:
    return A.T @ B


def _same(A: Array, _: Array) -> Array:
    return A.T @ A


def _product(A: Array, B: Array) -> Array:
    return A @ B


def _by_rows(A: Array, B: Array) -> Array:
    return A @ B.T


def _used(A: Array, B: Array) -> Array:
    return 3 * (A.T @ B)


def _least(A: Array, B: Array) -> Array:
    return (A[:, :, None] + B[:, None, :]).min(0)


PROGRAMS: dict[str, tuple[str, tuple[int, int], tuple[int, int], Callable[..., Any]]] = {
    "tall": ("A.t @ B", (23, 4), (23, 5), _tall),
    "same": ("A.t @ A", (23, 4), (1, 1), _same),
    "product": ("A @ B", (7, 9), (9, 8), _product),
    "by rows": ("A @ B.t", (7, 9), (8, 9), _by_rows),
    "used": ("2.0 * (A.t @ B) + (B.t @ A).t", (23, 4), (23, 5), _used),
    "least": (
        "tensor*(A.cols,B.cols)[ ((i,j),min/c) | ((k,i),a) <- A, ((kk,j),b) <- B, kk == k,"
        " let c = a+b, group by (i,j) ]",
        (23, 4),
        (23, 5),
        _least,
    ),
}


@pytest.fixture(params=JOINS)
def forced(request: pytest.FixtureRequest) -> Generator[str]:
    """Let arrays meet in one way wherever that is possible."""
    texts = dict(PIPELINES)
    for name, text in texts.items():
        PIPELINES[name] = text.replace("choose-join", f"choose-join{{force={request.param}}}")
    yield request.param
    PIPELINES.update(texts)


@pytest.mark.sampled(8)
@pytest.mark.spark
@pytest.mark.parametrize("block_size", [3, None])
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_way_gives_the_same(forced: str, name: str, block_size: int | None) -> None:
    text, of_a, of_b, twin = PROGRAMS[name]
    random = np.random.default_rng(1)
    given: dict[str, Any] = {"A": random.integers(-3, 4, of_a) / 4}
    inputs = "input A: matrix[Double];"
    if "B" in text:
        given["B"], inputs = random.integers(-3, 4, of_b) / 4, INPUTS
    program = diablo.compile(
        f"{inputs} {text}", engine="spark", master=MASTER, block_size=block_size
    )
    assert np.array_equal(np.asarray(program(**given)), twin(given["A"], given.get("B")))


@pytest.mark.spark
@pytest.mark.parametrize(("rows", "way"), [(40_000, "strips"), (300, "replicate")])
def test_tall_arrays_are_not_shuffled(rows: int, way: str) -> None:
    A, B = np.ones((rows, 300)), np.ones((rows, 300))
    program = diablo.compile(f"{INPUTS} A.t @ B", engine="spark", master=MASTER)
    assert np.array_equal(np.asarray(program(A=A, B=B)), A.T @ B)
    assert program.stats is not None
    assert f"{way}: about" in program.explain()
    assert (program.stats.bytes_shuffled == 0) == (way == "strips")
