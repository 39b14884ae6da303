"""Arrays of arrays: loops through them, and inner arrays that a comprehension reads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import diablo

RANDOM = np.random.default_rng(11)
WAYS = [("always", 1, None), ("always", 3, None), ("never", 1, None), ("always", 2, 2)]


@pytest.fixture(autouse=True, params=WAYS)
def options(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    mode, threads, block_size = request.param
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    monkeypatch.setenv("DIABLO_THREADS", str(threads))
    return {"engine": "local", "block_size": block_size}


LAYERS = """
    input W: array3[Double]; input x: vector[Double]; input layers: Int; input n: Int;
    var A = tensor(layers+1)[ (l, x) | l <- 0..layers ];
    var l = 0;
    while (l < layers) {
      A[l+1] = tensor(n)[ (i, max(0.0, +/[ W[l,i,j]*A[l][j] | j <- 0..n-1 ])) | i <- 0..n-1 ];
      l += 1;
    };
    A[layers]
"""


@pytest.mark.parametrize(("layers", "n"), [(1, 5), (4, 7), (20, 3)])
def test_layers(layers: int, n: int, options: dict[str, Any]):
    W, x = RANDOM.integers(-3, 4, (layers, n, n)) * 0.25, RANDOM.integers(0, 9, n) * 0.5
    expected = x
    for weights in W:
        expected = np.maximum(0.0, weights @ expected)
    found = diablo.compile(LAYERS, **options)(W=W, x=x, layers=layers, n=n)
    np.testing.assert_allclose(found.to_numpy(), expected)


PYRAMID = """
    input x: vector[Double]; input levels: Int; input n: Int;
    var none = tensor(1)[ (0, 0.0) ];
    var P = tensor(levels)[ (l, none) | l <- 0..levels-1 ];
    var step = 0; var y = x;
    while (step < 3) {
      step += 1;
      P[0] = y;
      var l = 0; var m = n;
      while (l < levels-1) {
        l = l+1; m = m/2;
        P[l] = tensor(m)[ (i, P[l-1][2*i] + P[l-1][2*i+1]) | i <- 0..m-1 ];
      };
      while (l > 0) {
        l = l-1;
        P[l] = tensor(2*m)[ (i, P[l][i] - 0.5*P[l+1][i/2]) | i <- 0..2*m-1 ];
        m = 2*m;
      };
      y = P[0];
    };
    (y, P[levels-1], P)
"""


@pytest.mark.parametrize("levels", [1, 2, 4])
def test_a_pyramid_down_and_up(levels: int, options: dict[str, Any]):
    n = 8
    x = RANDOM.integers(-9, 9, n) * 0.5
    y: Any = x
    grids: list[Any] = [np.zeros(1)] * levels
    for _ in range(3):
        grids[0] = y
        for k in range(1, levels):
            grids[k] = grids[k - 1][::2] + grids[k - 1][1::2]
        for k in range(levels - 2, -1, -1):
            grids[k] = grids[k] - 0.5 * np.repeat(grids[k + 1], 2)
        y = grids[0]
    found, coarsest, all = diablo.compile(PYRAMID, **options)(x=x, levels=levels, n=n)
    np.testing.assert_array_equal(found.to_numpy(), y)
    np.testing.assert_array_equal(coarsest.to_numpy(), grids[-1])
    for inner, expected in zip(all, grids, strict=True):
        np.testing.assert_array_equal(np.asarray(inner), expected)


OUTSIDE = """
    input x: vector[Double]; input k: Int;
    var A = tensor(3)[ (l, tensor(4)[ (i, x[i] + l) | i <- 0..3 ]) | l <- 0..2 ];
    var s = +/[ A[k][j] | j <- 0..5 ];
    var t = tensor(6)[ (i, 10.0 + A[k+1][i]) | i <- 0..5 ];
    var c = +/[ 1 | i <- 0..1, let v = A[k][i], v > 0.0 ];
    (s, t, c)
"""


@pytest.mark.parametrize("k", [-1, 0, 1, 2, 3, 2**62])
def test_what_is_outside_drops_rows(k: int, options: dict[str, Any]):
    x = np.array([1.0, 2.0, 3.0, 4.0])
    s, t, c = diablo.compile(OUTSIDE, **options)(x=x, k=k)
    inside, next_inside = 0 <= k < 3, 0 <= k + 1 < 3
    assert s == (x.sum() + 4 * k if inside else 0.0)
    assert c == (2 if inside else 0)
    expected = np.zeros(6)
    if next_inside:
        expected[:4] = 10.0 + x + (k + 1)
    np.testing.assert_array_equal(t.to_numpy(), expected)


@pytest.mark.parametrize(
    ("type", "value"), [("Int", 3), ("Boolean", True), ("Complex", 1 + 2j), ("Float", 1.5)]
)
def test_inner_arrays_of_other_numbers(type: str, value: Any, options: dict[str, Any]):
    source = f"""
        input x: vector[{type}]; input k: Int;
        var A = tensor(2)[ (l, x) | l <- 0..1 ];
        tensor(3)[ (i, A[k][2-i]) | i <- 0..2 ]
    """
    x = np.array([value, value, False if type == "Boolean" else value])[::-1].copy()
    if type == "Float":
        x = x.astype(np.float32)
    program = diablo.compile(source, **options)
    np.testing.assert_array_equal(program(x=x, k=1).to_numpy(), x[::-1])
    np.testing.assert_array_equal(program(x=x, k=2).to_numpy(), np.zeros_like(x))


def test_no_row_looks_for_its_array():
    program = diablo.compile(LAYERS, engine="local")
    program(W=np.ones((2, 3, 3)), x=np.ones(3), layers=2, n=3)
    main = program.ir("spark")
    assert "bag" not in main
    assert "scf.while" not in main.split("func.func private")[0]
