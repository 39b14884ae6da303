# Products of a sparse matrix that a run makes again and again: when they are made in slices.
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse
from device_programs import counted, device, on_cpu, on_gpu, since

from diablo.runtime.device import sliced_matrices
from diablo.runtime.device.stand_in import StandIn

__all__ = ["device"]

STEPS = (
    "input A: matrix[Double]; input x: vector[Double]; input steps: Int; var v = x; var k = 0;"
    "while (k < steps) { v = A @ v; k += 1; }; v;"
)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let small matrices be worth it."""
    monkeypatch.setattr(sliced_matrices, "LEAST_ENTRIES", 1)
    monkeypatch.setattr(sliced_matrices, "LEAST_IN_WINDOW", 0)
    monkeypatch.setattr(sliced_matrices, "LATER", 3)


def matrix_of(n: int, each: int) -> Any:
    generator = np.random.default_rng(n)
    columns = np.sort(generator.integers(0, n, (n, each)), axis=1).ravel()
    rows = np.repeat(np.arange(n), each)
    matrix: Any = sparse.coo_array((np.full(n * each, 1 / each), (rows, columns)), shape=(n, n))
    return matrix.tocsr()


def launches_of(device: StandIn, text: str, **inputs: Any) -> tuple[Any, dict[str, int]]:
    program = on_gpu(text)
    before = counted(device)
    result = program(**inputs).to_numpy()
    return result, since(device, before)


def test_what_is_multiplied_often_is_put_into_slices(device: StandIn) -> None:
    n = 20_000  # Which is two windows.
    matrix, x = matrix_of(n, 5), np.random.default_rng(1).random(n)
    few, done = launches_of(device, STEPS, A=matrix, x=x, steps=3)
    assert done["launches"] == 3
    assert done["library_calls"] == 0
    np.testing.assert_allclose(few, matrix @ (matrix @ (matrix @ x)), rtol=1e-12)
    many, done = launches_of(device, STEPS, A=matrix, x=x, steps=8)
    assert done["launches"] == 3 + 2 * 5, "two kernels each"
    assert done["library_calls"] == 5
    np.testing.assert_allclose(many, on_cpu(STEPS)(A=matrix, x=x, steps=8).to_numpy(), rtol=1e-12)


def test_equal_runs_give_equal_bits(device: StandIn) -> None:
    matrix, x = matrix_of(500, 20), np.random.default_rng(1).random(500)
    program = on_gpu(STEPS)
    first, second = (program(A=matrix, x=x, steps=8).to_numpy() for _ in range(2))
    assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize(
    ("limit", "value"), [("LONGEST", 3), ("FULLEST", 0.5), ("LEAST_IN_WINDOW", 100)]
)
def test_it_holds_back_where_others_would_wait(
    device: StandIn, monkeypatch: pytest.MonkeyPatch, limit: str, value: float
) -> None:
    monkeypatch.setattr(sliced_matrices, limit, value)
    matrix, x = matrix_of(500, 20), np.ones(500)
    result, done = launches_of(device, STEPS, A=matrix, x=x, steps=8)
    assert done["launches"] == 8
    np.testing.assert_allclose(result, 1, rtol=1e-12)


def test_values_of_the_same_pattern_are_spread_alone(device: StandIn) -> None:
    text = (
        "input A: matrix[Double]; input x: vector[Double]; input steps: Int; var v = x;"
        "var B = 0.5 * A; var k = 0; while (k < steps) { v = A @ (B @ v); k += 1; }; v;"
    )
    matrix, x = matrix_of(300, 10), np.ones(300)
    result, done = launches_of(device, text, A=matrix, x=x, steps=6)
    np.testing.assert_allclose(result, 0.5**6, rtol=1e-12)
    assert done["library_calls"] == 4 + 2, "a pattern, and the values of two matrices"


def test_a_matrix_that_changes_stays_in_rows(device: StandIn) -> None:
    text = (
        "input A: matrix[Double]; input x: vector[Double]; input steps: Int; var v = x;"
        "var B = A; var k = 0; while (k < steps) { B = 0.5 * B; v = B @ v; k += 1; }; v;"
    )
    matrix, x = matrix_of(300, 10), np.ones(300)
    result, done = launches_of(device, text, A=matrix, x=x, steps=6)
    np.testing.assert_allclose(result, 0.5**21, rtol=1e-12)
    assert not done["library_calls"]


def test_without_memory_the_kernel_multiplies(device: StandIn) -> None:
    matrix, x = matrix_of(2000, 20), np.ones(2000)
    size = matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes
    device.limit = device.used + size + 6 * x.nbytes
    result, done = launches_of(device, STEPS, A=matrix, x=x, steps=8)
    assert done["launches"] == 8
    np.testing.assert_allclose(result, 1, rtol=1e-12)


def test_another_kernel_than_a_product_is_left_alone(device: StandIn) -> None:
    greatest = "tensor*(A.rows)[ (i,max/b) | ((i,j),a) <- A, let b = a*v[j], group by i ]"
    text = STEPS.replace("A @ v", greatest)
    matrix, x = matrix_of(100, 20), np.ones(100)
    _, done = launches_of(device, text, A=matrix, x=x, steps=8)
    assert not done["library_calls"]
