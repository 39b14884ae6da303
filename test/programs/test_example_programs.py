"""Every program in `examples/` on both engines, at several block sizes, against NumPy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse

import diablo
from diablo.runtime.results import Rows

EXAMPLES = Path(__file__).parents[2] / "examples"

ENGINES = [
    pytest.param("local", None, id="local"),
    pytest.param("local", 1, id="local-1"),
    pytest.param("local", 3, id="local-3"),
    pytest.param("local", 7, id="local-7"),
    pytest.param("spark", 5, id="spark-5", marks=pytest.mark.spark),
]

Inputs = dict[str, Any]
Expected = Callable[[Inputs, Any], Any]
"""What the result should be, from the inputs and the result (whose random parts it may use)."""

CASES: dict[str, tuple[Inputs, Expected]] = {}


def case(**inputs: Any) -> Callable[[Expected], Expected]:
    """Register the expectation for the example of the function's name."""

    def register(expected: Expected) -> Expected:
        CASES[getattr(expected, "__name__")] = (inputs, expected)  # noqa: B009
        return expected

    return register


def random(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).random(shape)


def plain(value: Any) -> Any:
    """A result as NumPy arrays, Python scalars, sorted lists and dictionaries."""
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    if hasattr(value, "to_dict"):
        return {key: plain(item) for key, item in value.to_dict().items()}
    if isinstance(value, list | Rows):
        return sorted(map(plain, value))
    return value.to_numpy() if hasattr(value, "to_numpy") else value


def assert_same(found: Any, expected: Any) -> None:
    """Compare two plain values, floats to the accuracy that other orders of sums leave."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for key, value in expected.items():
            assert_same(found[key], value)
    elif isinstance(expected, tuple | list):
        assert len(found) == len(expected)
        for part, wanted in zip(found, expected, strict=True):
            assert_same(part, wanted)
    elif isinstance(expected, str | bool):
        assert found == expected
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


# --- The programs of the DIABLO project ----------------------------------------------------


@case(n=9)
def addition(inputs: Inputs, result: Any) -> Any:
    """Two matrices of random numbers: only what holds for any of them."""
    assert result.shape == (9, 9)
    assert (result > 0).all()
    assert (result < 2).all()
    assert abs(result.mean() - 1) < 0.3
    return result


@case(n=8, m=5)
def addition_dense(inputs: Inputs, result: Any) -> Any:
    assert result[0].shape == (8, 5)
    return (result[0], result[0])


PRODUCT = {"A": random(8, 7, seed=1), "B": random(7, 9, seed=2)}


@case(**PRODUCT)
def product(inputs: Inputs, result: Any) -> Any:
    return inputs["A"] @ inputs["B"]


def links(n: int, count: int) -> np.ndarray:
    edges = np.random.default_rng(7).integers(0, n, (count, 2))
    return np.unique(edges, axis=0)


def pagerank_of(matrix: np.ndarray, steps: int = 10, b: float = 0.85) -> np.ndarray:
    n = len(matrix)
    degree = np.maximum(matrix.sum(axis=1), 1)
    ranks = np.full(n, 1.0 / n)
    for _ in range(steps):
        ranks = (1 - b) / n + b * (matrix.T @ (ranks / degree))
    return ranks


@case(G=links(20, 70), N=20)
def pagerank(inputs: Inputs, result: Any) -> Any:
    matrix = np.zeros((20, 20))
    matrix[tuple(inputs["G"].T)] = 1.0
    return pagerank_of(matrix)


@case(
    E=sparse.coo_array(
        (np.ones(len(links(20, 70)), bool), tuple(links(20, 70).T)), shape=(20, 20)
    ).tocsr()
)
def pagerank_boolean(inputs: Inputs, result: Any) -> Any:
    return pagerank_of(inputs["E"].toarray().astype(float))


# --- Loops over lists ----------------------------------------------------------------------

VALUES = [float(v) for v in np.random.default_rng(3).integers(0, 200, 50)]


@case(V=VALUES, limit=100.0)
def conditional_sum(inputs: Inputs, result: Any) -> Any:
    return sum(v for v in VALUES if v < 100.0)


@case(V=VALUES)
def average(inputs: Inputs, result: Any) -> Any:
    return np.mean(VALUES)


@case(V=["a", "a", "b", "a"], x="a")
def equal(inputs: Inputs, result: Any) -> Any:
    return False


@case(words=["some", "words", "key1", "and", "key3", "key1"])
def string_match(inputs: Inputs, result: Any) -> Any:
    return (True, False, True)


LINES = ["It was the best of times", "it was the  worst of times", "", "The End"]


@case(lines=LINES)
def word_count(inputs: Inputs, result: Any) -> Any:
    words = [word for line in LINES for word in line.split(" ") if word]
    capitals = Counter(word for word in words if word[0].isupper())
    return (dict(Counter(words)), sorted(capitals.items()))


PIXELS = [tuple(int(c) for c in p) for p in np.random.default_rng(5).integers(0, 256, (60, 3))]


@case(P=PIXELS)
def histogram(inputs: Inputs, result: Any) -> Any:
    image = np.array(PIXELS)
    colours = [np.bincount(image[:, c], minlength=256) for c in range(3)]
    return (*colours, np.bincount(image.sum(axis=1) // 96, minlength=8)[:8])


@case(V=[(k % 5 - 1, k / 4) for k in range(23)])
def group_by(inputs: Inputs, result: Any) -> Any:
    sums: Counter[int] = Counter()
    for key, value in inputs["V"]:
        sums[key] += value
    return dict(sums)


POINTS = [(float(x), 3.0 * x - 2.0 + (-1) ** x * 0.25) for x in range(30)]


@case(P=POINTS)
def linear_regression(inputs: Inputs, result: Any) -> Any:
    slope, intercept = np.polyfit(*np.array(POINTS).T, 1)
    return (intercept, slope)


CLOUD = np.concatenate([random(20, 2, seed=s) + 3 * s for s in range(3)])


@case(
    P=[tuple(map(float, p)) for p in CLOUD],
    C=[(k, *map(float, CLOUD[k])) for k in range(3)],
    K=3,
    steps=6,
)
def kmeans(inputs: Inputs, result: Any) -> Any:
    centroids = CLOUD[:3].copy()
    for _ in range(6):
        distances = ((CLOUD[:, None, :] - centroids[None]) ** 2).sum(axis=2)
        nearest = distances.argmin(axis=1)
        for k in range(3):
            if (nearest == k).any():
                centroids[k] = CLOUD[nearest == k].mean(axis=0)
    return (centroids[:, 0], centroids[:, 1])


LINKS = [("a", "b"), ("c", "b"), ("a", "c"), ("b", "c"), ("d", "b")]


@case(links=LINKS)
def reverse_index(inputs: Inputs, result: Any) -> Any:
    return {"b": ["a", "c", "d"], "c": ["a", "b"]}


# --- Arrays --------------------------------------------------------------------------------


@case(X=random(12, 5, seed=4))
def covariance(inputs: Inputs, result: Any) -> Any:
    return np.cov(inputs["X"], rowvar=False)


@case(M=random(8, 10, seed=5))
def smoothing(inputs: Inputs, result: Any) -> Any:
    matrix = inputs["M"]
    n, m = matrix.shape
    windows = [
        [matrix[max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2].mean() for j in range(m)]
        for i in range(n)
    ]
    return np.array(windows)


@case(A=random(8, 10, seed=6), steps=4)
def stencil(inputs: Inputs, result: Any) -> Any:
    plate = inputs["A"].copy()
    for _ in range(4):
        old = plate.copy()
        plate[1:-1, 1:-1] = (
            old[1:-1, 1:-1] + old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:]
        ) / 5.0
    return plate


@case(M=random(8, 5, seed=7))
def rotation(inputs: Inputs, result: Any) -> Any:
    return np.roll(inputs["M"], 1, axis=0)


def road_map(n: int) -> np.ndarray:
    rng = np.random.default_rng(8)
    return np.where(rng.random((n, n)) < 0.3, rng.integers(1, 20, (n, n)) / 4, np.inf)


@case(D=road_map(9))
def shortest_paths(inputs: Inputs, result: Any) -> Any:
    lengths = inputs["D"].copy()
    np.fill_diagonal(lengths, 0.0)
    for k in range(len(lengths)):
        lengths = np.minimum(lengths, lengths[:, [k]] + lengths[[k], :])
    return lengths


@case(A=random(5, 8, seed=9), B=random(8, 4, seed=10), C=random(4, 6, seed=11))
def chain(inputs: Inputs, result: Any) -> Any:
    expected = inputs["A"] @ inputs["B"] @ inputs["C"]
    return (expected, expected)


@case(n=8, m=7, l=5, r=3)
def sparse_tensor(inputs: Inputs, result: Any) -> Any:
    tensor, vector, b, c = result[:4]
    i, j, k = np.indices(tensor.shape)
    assert ((tensor != 0) == ((3 * i + 5 * j + 7 * k) % 11 == 0)).all()
    matricized = np.einsum("ijk,jr,kr->ir", tensor, b, c)
    return (tensor, vector, b, c, tensor @ vector, matricized)


@case(A=random(6, 6, seed=12) + 6 * np.eye(6), b=random(6, seed=13), tolerance=1e-13)
def jacobi(inputs: Inputs, result: Any) -> Any:
    assert 3 < result[1] < 100
    return (np.linalg.solve(inputs["A"], inputs["b"]), result[1])


NETWORK = {
    "X": random(9, 4, seed=14),
    "Y": random(9, 2, seed=15),
    "W1": random(4, 5, seed=16) - 0.5,
    "W2": random(5, 2, seed=17) - 0.5,
}


@case(**NETWORK)
def neural_network(inputs: Inputs, result: Any) -> Any:
    x, y, w1, w2 = inputs["X"], inputs["Y"], inputs["W1"], inputs["W2"]
    hidden = np.maximum(x @ w1, 0)
    error = hidden @ w2 - y
    slopes = (error @ w2.T) * (x @ w1 > 0)
    loss = (error**2).sum() / (2 * len(x))
    return (loss, w1 - 0.1 * x.T @ slopes / len(x), w2 - 0.1 * hidden.T @ error / len(x))


# --- Running them --------------------------------------------------------------------------

ELSEWHERE = {"factorization", "matmul", "matmul_loops", "row_sums"}
"""Examples that test_programs.py compares with NumPy, since they start from random arrays."""


def test_every_example_is_tested() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.diablo")} == CASES.keys() | ELSEWHERE


@pytest.mark.sampled(24)
@pytest.mark.filterwarnings("ignore:.*")
@pytest.mark.parametrize(("engine", "block"), ENGINES)
@pytest.mark.parametrize("name", CASES)
def test_example(name: str, engine: str, block: int | None) -> None:
    inputs, expected = CASES[name]
    master = "local[2]" if engine == "spark" else None
    path = EXAMPLES / f"{name}.diablo"
    program = diablo.compile(path, engine=engine, master=master, block_size=block)
    result = plain(program(**inputs))
    wanted = expected(inputs, result)
    assert_same(result, wanted)
