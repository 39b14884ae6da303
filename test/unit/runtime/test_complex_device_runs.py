# Programs with complex numbers and a device: what of them it has, and that it computes.
from typing import Any

import numpy as np
import pytest
from device_programs import device, on_gpu
from scipy.special import gamma

from diablo.diagnostics import Diagnostic
from diablo.runtime.device.stand_in import StandIn

__all__ = ["device"]

TYPES = pytest.mark.parametrize(
    ("type", "dtype"), [("Complex64", np.complex64), ("Complex128", np.complex128)]
)


def numbers(shape: Any, dtype: Any, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    return (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(dtype)


def close(found: Any, expected: Any, dtype: Any) -> None:
    tolerance = 1e-4 if dtype is np.complex64 else 1e-11
    np.testing.assert_allclose(np.asarray(found), expected, rtol=tolerance, atol=tolerance)


def refusals(said: list[Diagnostic]) -> list[str]:
    return [d.message for d in said if "does not run on a GPU" in d.message]


@pytest.mark.sampled(4)
@TYPES
@pytest.mark.parametrize("n", [0, 1, 31, 33, 1025])
def test_arrays_are_copied_once_and_computed_there(device: StandIn, type: str, dtype: Any, n: int):
    text = f"""input x: vector[{type}]; input y: vector[{type}]; input a: {type};
    tensor*(x.length)[ (i, a*u/v + conj(v)) | (i,u) <- x, (j,v) <- y, i == j ];"""
    said: list[Diagnostic] = []
    x, y, a = numbers(n, dtype), numbers(n, dtype, 1), dtype(2 - 0.5j)
    result = on_gpu(text, said)(x=x, y=y, a=a)
    assert (device.traffic.copies_in, device.traffic.launches) == (2, 1)
    assert device.traffic.copies_out == 0
    assert device.live_bytes == n * np.dtype(dtype).itemsize
    close(result.to_numpy(), a * x / y + np.conj(y), dtype)
    assert result.to_numpy().dtype == dtype
    assert not refusals(said)


@pytest.mark.sampled(2)
@TYPES
def test_a_number_stays_there_for_the_next_kernel(device: StandIn, type: str, dtype: Any):
    text = f"""input x: vector[{type}]; var s = +/[ w*w | (i,w) <- x ];
    var p = */[ w/abs(w) | (i,w) <- x ];
    tensor*(x.length)[ (i, w/s + p) | (i,w) <- x ];"""
    said: list[Diagnostic] = []
    x = numbers(1000, dtype)
    program = on_gpu(text, said)
    for _ in range(3):
        before = device.traffic.copies_out
        result = program(x=x)
        assert device.traffic.copies_out == before
        product = np.prod((x / np.abs(x)).astype(np.complex128))
        close(result, x / (x * x).sum() + product, dtype)
    assert not refusals(said)


@TYPES
def test_numbers_are_results_and_decide(device: StandIn, type: str, dtype: Any):
    text = f"""input x: vector[{type}]; var v = x; var s = +/[ w | (i,w) <- v ]; var k = 0;
    while (abs(s) > 0.5 && k < 50) {{
      v = tensor*(x.length)[ (i, w*0.5) | (i,w) <- v ];
      s = +/[ w | (i,w) <- v ];
      k += 1;
    }};
    (s, k, v);"""
    x = numbers(100, dtype)
    s, k, v = on_gpu(text)(x=x)
    wanted, steps = x.sum(), 0
    while abs(wanted) > 0.5:
        wanted, steps = wanted * 0.5, steps + 1
    assert (k, isinstance(s, complex)) == (steps, True)
    close(s, wanted, dtype)
    close(v, x * 0.5**steps, dtype)


@TYPES
def test_products_are_a_librarys(device: StandIn, type: str, dtype: Any):
    A, B = numbers((7, 5), dtype), numbers((5, 9), dtype)
    text = f"input A: matrix[{type}]; input B: matrix[{type}]; A @ B;"
    said: list[Diagnostic] = []
    close(on_gpu(text, said)(A=A, B=B), A @ B, dtype)
    assert device.traffic.library_calls == 1
    assert not refusals(said)


@TYPES
def test_rows_columns_and_stencils(device: StandIn, type: str, dtype: Any):
    text = f"""input A: matrix[{type}]; var n = A.rows; var m = A.cols;
    (tensor*(n)[ (i,+/a) | ((i,j),a) <- A, group by i ],
     tensor*(m)[ (j,+/a) | ((i,j),a) <- A, group by j ],
     tensor*(n,m)[ ((i,j),A[(i+1)%n,j]*a) | ((i,j),a) <- A ]);"""
    said: list[Diagnostic] = []
    for shape in ((1, 1), (33, 31), (3, 1025)):
        A = numbers(shape, dtype)
        rows, columns, around = on_gpu(text, said)(A=A)
        close(rows, A.sum(axis=1), dtype)
        close(columns, A.sum(axis=0), dtype)
        close(around, np.roll(A, -1, axis=0) * A, dtype)
    assert not refusals(said)


@pytest.mark.sampled(4)
@TYPES
@pytest.mark.parametrize("bins", [1, 3, 3000])
def test_sums_at_computed_places(device: StandIn, type: str, dtype: Any, bins: int):
    text = f"""input x: vector[{type}]; input k: vector[Int]; input n: Int;
    tensor*(n)[ (j,+/w) | (i,j) <- k, (l,w) <- x, l == i, group by j ];"""
    said: list[Diagnostic] = []
    program = on_gpu(text, said)
    for n in (0, 1, 33, 1025):
        x, k = numbers(n, dtype), np.arange(n) * 7 % (bins + 1)
        wanted = np.zeros(bins + 1, dtype)
        np.add.at(wanted, k, x)
        close(program(x=x, k=k, n=bins), wanted[:-1], dtype)
    assert not refusals(said)


@pytest.mark.sampled(2)
@TYPES
def test_what_stays_on_the_processor_goes_on_there(device: StandIn, type: str, dtype: Any):
    text = f"""input x: vector[{type}]; input k: vector[Int];
    var y = tensor*(x.length)[ (i, w*2) | (i,w) <- x ];
    var folds = tensor*(3)[ (j,*/w) | (i,w) <- y, let j = k[i], group by j ];
    (folds, tensor*(3)[ (i, gamma(w)) | (i,w) <- folds ]);"""
    said: list[Diagnostic] = []
    x, k = numbers(60, dtype) / 3, np.arange(60) % 3
    folds, powers = on_gpu(text, said)(x=x, k=k)
    wanted = (2 * x).reshape(20, 3).prod(axis=0)
    close(folds, wanted, dtype)
    close(powers, gamma(wanted), dtype)
    reasons = " ".join(refusals(said))
    assert "complex numbers are multiplied at places that are computed" in reasons
    assert "the function gamma has no machine code" in reasons
