# Sparse arrays of complex numbers as machine code, on the processor and on a device.
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse
from device_programs import device, on_gpu
from test_complex_device_runs import TYPES, close, numbers, refusals

from diablo.api import Program
from diablo.diagnostics import Diagnostic
from diablo.runtime.device.stand_in import StandIn
from diablo.runtime.kernels import compiled_sparse

__all__ = ["device"]

A, D, X = "input A: matrix[T]; ", "input D: matrix[T]; ", "input x: vector[T]; "
PROGRAMS = {
    "product": (A + X + "A @ x;", lambda A, D, x: A @ x),
    "turned": (
        A + X + "tensor*(A.cols)[ (j,+/w) | ((i,j),a) <- A, let w = a*x[i], group by j ];",
        lambda A, D, x: A.T @ x,
    ),
    "matrices": (A + D + "A @ D;", lambda A, D, x: A @ D),
    "rows": (
        A + "tensor*(A.rows)[ (i,+/a) | ((i,j),a) <- A, group by i ];",
        lambda A, D, x: A.sum(axis=1),
    ),
    "columns": (
        A + "tensor*(A.cols)[ (j,+/c) | ((i,j),a) <- A, let c = conj(a), group by j ];",
        lambda A, D, x: A.sum(axis=0).conj(),
    ),
    "sum": (A + "+/[ a*exp(a) | ((i,j),a) <- A ];", lambda A, D, x: (A * np.exp(A)).sum()),
    "elements": (
        A + D + "+/[ a*d | ((i,j),a) <- A, ((k,l),d) <- D, i==k, j==l ];",
        lambda A, D, x: (A * D).sum(),
    ),
}
HERE = {
    "points": (
        A + "input s: T; tensor(A.rows)(A.cols)[ ((i,j),s*a) | ((i,j),a) <- A ];",
        lambda A, D, x: (2 - 1j) * A,
    ),
    "merged": (
        A + "input B: matrix[T]; tensor(A.rows)(A.cols)"
        "[ ((i,j),a*b) | ((i,j),a) <- A, ((k,l),b) <- B, i==k, j==l ];",
        lambda A, D, x: A * other(A),
    ),
}


def given(text: str, shape: tuple[int, int], density: float, dtype: Any) -> dict[str, Any]:
    matrix: Any = sparse.random_array(shape, density=density, format="csr", rng=3).astype(dtype)
    matrix.data = numbers(matrix.nnz, dtype, 3)
    wide = (shape[1], 3) if "A @ D" in text else shape
    x = numbers(shape[0] if "x[i]" in text else shape[1], dtype, 5)
    second = sparse.csr_array(other(matrix.toarray()))
    known = {"A": matrix, "B": second, "D": numbers(wide, dtype, 4), "x": x, "s": dtype(2 - 1j)}
    return {name: value for name, value in known.items() if f"input {name}:" in text}


def other(array: Any) -> Any:
    """Another matrix, which stores elements elsewhere."""
    return np.flip(array) * (1 + 1j)


def as_dense(value: Any) -> Any:
    return value.to_dense() if hasattr(value, "to_dense") else np.asarray(value)


def of_type(text: str, type: str) -> str:
    return text.replace("[T]", f"[{type}]").replace(": T;", f": {type};")


@pytest.mark.sampled(8)
@TYPES
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_device_computes_with_stored_elements(device: StandIn, name: str, type: str, dtype: Any):
    text, expected = PROGRAMS[name]
    for shape, density in (((1, 1), 1.0), ((33, 40), 0.1), ((5, 300), 0.9), ((40, 33), 0.0)):
        said: list[Diagnostic] = []
        inputs = given(text, shape, density, dtype)
        found = on_gpu(of_type(text, type), said)(**inputs)
        dense = inputs["A"].toarray()
        close(as_dense(found), expected(dense, inputs.get("D"), inputs.get("x")), dtype)
        assert not refusals(said)
        assert device.traffic.launches


@pytest.mark.sampled(4)
@TYPES
@pytest.mark.parametrize("name", [*PROGRAMS, *HERE])
def test_the_processor_does_as_numpy(
    monkeypatch: pytest.MonkeyPatch, name: str, type: str, dtype: Any
):
    text, expected = {**PROGRAMS, **HERE}[name]
    calls: list[Any] = []
    planned = compiled_sparse._planned  # pyright: ignore[reportPrivateUsage]

    def noted(*arguments: Any) -> Any:
        calls.append(arguments)
        return planned(*arguments)

    monkeypatch.setattr(compiled_sparse, "_planned", noted)
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    for shape, density in (((1, 1), 1.0), ((33, 40), 0.1), ((5, 300), 0.9)):
        inputs = given(text, shape, density, dtype)
        found = Program(of_type(text, type))(**inputs)
        dense = inputs["A"].toarray()
        close(as_dense(found), expected(dense, inputs.get("D"), inputs.get("x")), dtype)
    # Products have loops of the runtime.
    assert bool(calls) == (name not in ("product", "turned", "matrices"))
