"""Arrays that begin as zeros: what is written into them later, on every plan."""

from __future__ import annotations

import numpy as np
import pytest

import diablo
from fuzzing.trial import Trial, Way

INPUTS = "input x: vector[Int]; input A: matrix[Double]; input n: Int;"
H, R = "var h: vector[Double] = vector(n);", "var R: matrix[Double] = matrix(n,n);"
RECIPROCALS = "tensor(n,n)[ ((i,j),1.0/r) | ((i,j),r) <- R ]"
"""Show the signs of zeros."""

PROGRAMS = [
    "var h: vector[Int] = vector(n); for i = 0, x.length-1 do h[x[i]] += 1; h",
    H + "for i = 0, x.length-1 do h[x[i]] min= 1.5*i; h",
    H + "for i = 0, x.length-1 do h[x[i]] max= -1.5; h",
    H + "for i = 0, x.length-1 do h[x[i]] *= 2.0; h",
    H + "for i = 0, x.length-1 do h[x[i]] = A[i%4,0]; h",
    H + "(+/[ a | (i,a) <- h ], max/[ a | (i,a) <- h ], [ (i,a) | (i,a) <- h, a == 0 ])",
    H + "var k = 0; while (k < 3) { for i = 0, n-1 do h[i] += A[0,0]*i; k += 1; }; h",
    H + "for i = 0, n-1 do if (x[i%6] > 1) h[i] = 1.0; else h[i] += 2.0; h",
    "var h: vector[Boolean] = vector(n); for i = 0, x.length-1 do h[x[i]] ||= i > 2; h",
    "var h: vector[Float] = vector(n); for i = 0, n-1 do h[i] += toFloat(i); h",
    R + "for i = 0, n-1 do for j = 0, n-1 do R[i,j] += A[i,j]*A[j,i]; R",
    R + "for ((i,j),a) in A do R[j,i] += a; (R," + RECIPROCALS + ")",
    R + "for ((i,j),a) in A do R[i,j] += a*0.0;" + RECIPROCALS,
    R + "for ((i,j),a) in A do R[i,j] = a*0.0;" + RECIPROCALS,
    R + "R[0,1] = 2.0; for i = 1, n-1 do R[i,0] = R[i-1,1] + A[i,0]; R",
    R + "var S: matrix[Double] = matrix(n,n);"
    "for i = 1, n-2 do for j = 1, n-2 do R[i,j] = S[i-1,j]+A[i,j];"
    "for i = 1, n-2 do for j = 1, n-2 do S[i,j] += R[i,j]; (R,S)",
    'var h: vector[String] = vector(n); h[1] = "a"; h',
    "var h: vector[(Int,Double)] = vector(n); h[1] = (2,3.0); h",
]


@pytest.mark.sampled(16)
@pytest.mark.parametrize("program", PROGRAMS)
def test_zeros_are_written(program: str) -> None:
    A = np.arange(12.0).reshape(4, 3) - 5
    A[1, 1] = -0.0
    ways = [
        Way(block_sizes=(None, 1, 2, 7), compile=mode, threads=(1, 2))
        for mode in ("auto", "always")
    ]
    for n in (8, 1, 0):
        trial = Trial(INPUTS + program, {"x": np.array([3, 1, 2, 1, 0, 7]), "A": A, "n": n})
        assert trial.run(ways).verdict in ("same", "failed alike"), n


def test_no_rows_are_made_of_zeros() -> None:
    program = diablo.compile(
        "input A: matrix[Double]; input n: Int; var R: matrix[Double] = matrix(n,n);"
        "for i = 0, n-1 do for j = 0, n-1 do for k = 0, n-1 do R[i,j] += A[i,k]*A[k,j]; R"
    )
    A = np.arange(9.0).reshape(3, 3)
    assert (program(A=A, n=3).to_numpy() == A @ A).all()
    text = program.ir("tensor_block")
    assert "tensor_block.reduce" in text
    assert "comprehension.list" not in text
    assert "tensor_block.map" not in text
