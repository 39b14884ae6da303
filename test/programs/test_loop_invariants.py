"""Products and sums that no iteration of a loop changes, against the interpreter and by count."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import diablo
from fuzzing.trial import Trial, Way

DECLARED = """
input A: matrix[Double]; input B: matrix[Double]; input S: matrix[Double];
input x: vector[Double]; input n: Int; input e: Double;
"""
PROGRAMS = {
    "a product and a norm": """var v = x; var k = 0; while (k < 3) { k += 1; var C = A @ B;
        var s = sqrt(+/[ a*a | (i,a) <- x ]); v = C @ v; v = v/(s+1.0) }; v""",
    "of an element": "var v = x; for k = 0, 3 do v = 0.5*v + (A @ (A @ B)) @ x; v",
    "that is changed": """var v = x; var k = 0; while (k < 3) { k += 1; var C = A @ B;
        C[0,k] += 1.0; for i = 0, 4 do C[i,0] = v[i]; v = C @ v }; v""",
    "without an iteration": """var v = x; var k = n; while (k < 3) { k += 1; v = (A @ S) @ v };
        (v, k)""",
    "until it is near": """var v = x; var change = 1.0; var k = 0; while (change > e && k < 9) {
        k += 1; var w = 0.1*(S.t @ S @ v); change = +/[ abs(w[i]-v[i]) | i <- 0..4 ]; v = w;
        v = v + 0.01*(A @ x) }; (v, k)""",
    "in each other": """var v = x; var k = 0; while (k < 2) { k += 1; var D = A @ B; var l = 0;
        while (l < 2) { l += 1; v = (D @ B) @ v + (B @ v) }; v = v/(1.0 + +/[ a | (i,a) <- x ]) };
        v""",
    "after a test": """var v = x; var k = 0; while (k < 3) { k += 1; v = v + x;
        var m = max/[ a | ((i,j),a) <- A, j <= n ]; v = v*(m + 1.0/(n+1)) }; v""",
    "of random numbers": """var v = x; var k = 0; while (k < 3) { k += 1;
        v = v + +/[ random() | i <- 0..4 ] }; v""",
}
WAYS = [
    Way(block_sizes=(None, 2), compile="always"),
    Way(block_sizes=(None, 2), compile="never"),
]


def inputs() -> dict[str, Any]:
    generator = np.random.default_rng(5)
    A, B = (generator.integers(-3, 4, (5, 5)) * 0.25 for _ in range(2))
    S = sp.csr_array(generator.integers(-1, 2, (5, 5)) * 0.5)
    return {"A": A, "B": B, "S": S, "x": generator.integers(-4, 5, 5) * 0.5, "n": 4, "e": 1e-3}


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_the_interpreter_says(name: str) -> None:
    outcome = Trial(DECLARED + PROGRAMS[name], inputs()).run(WAYS)
    assert outcome.verdict == "same", outcome


@pytest.mark.spark
def test_on_spark() -> None:
    ways = [Way(block_sizes=(3,), engine="spark", master="local[2]")]
    for name in ("a product and a norm", "that is changed", "until it is near", "in each other"):
        outcome = Trial(DECLARED + PROGRAMS[name], inputs()).run(ways)
        assert outcome.verdict == "same", (name, outcome)


@pytest.mark.parametrize("first", ["0", "n"])
def test_one_product_for_all_iterations(first: str) -> None:
    """Whether the loop has an iteration is known or not: the arrays fit together."""
    text = f"""input A: matrix[Double]; input x: vector[Double]; input n: Int = 0;
        var v = x; var k = {first}; while (k < 4) {{ k += 1; v = (A @ A) @ v; v = v/sum(v) }}; v"""
    program = diablo.compile(text)
    A = np.random.default_rng(2).random((40, 40))
    v = A[0]
    for _ in range(4):
        v = A @ A @ v
        v /= v.sum()
    np.testing.assert_allclose(program(A=A, x=A[0]), v)
    before, loop = program.ir("spark").split("scf.while", 1)
    assert before.count("call @kernel") == 1
    assert "%A" not in loop.split("func.return", 1)[0]


def test_arrays_that_do_not_fit_together_where_no_iteration_asks() -> None:
    text = """input A: matrix[Double]; input x: vector[Double]; input n: Int;
        var v = x; var k = n; while (k < 4) { k += 1; v = (A @ A) @ v }; v"""
    program = diablo.compile(text)
    np.testing.assert_array_equal(program(A=np.ones((2, 3)), x=np.ones(2), n=4), [1.0, 1.0])
    with pytest.raises(diablo.RunError, match="columns on the left"):
        program(A=np.ones((2, 3)), x=np.ones(2), n=0)
