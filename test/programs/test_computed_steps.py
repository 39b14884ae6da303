"""Loops that go by a step which a loop around them computes: they write elements in order."""

from __future__ import annotations

import numpy as np
import pytest

import diablo


@pytest.fixture(autouse=True, params=[("always", 1), ("always", 2), ("never", 1)])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    mode, threads = request.param
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    monkeypatch.setenv("DIABLO_THREADS", str(threads))
    return mode


SIEVE = """
    input n: Int;
    var S = tensor(n+1)[ (i,true) | i <- 0..n ];
    for p = 2, n do if (S[p] && p*p <= n) for q = p*p, n, p do S[q] = false;
    [ i | (i,s) <- S, s, i > 1 ]
"""


@pytest.mark.parametrize("block_size", [None, 7])
@pytest.mark.parametrize("n", [1, 2, 30, 400])
def test_sieve(n: int, block_size: int | None):
    primes = [k for k in range(2, n + 1) if all(k % d for d in range(2, int(k**0.5) + 1))]
    found = diablo.compile(SIEVE, engine="local", block_size=block_size)(n=n)
    assert found.to_list() == primes


def test_the_elements_of_a_sieve_are_written_where_they_are():
    program = diablo.compile(SIEVE, engine="local")
    program(n=30)
    main = program.ir("spark").split("func.func private")[0]
    assert "func.call @loop_0(" in main  # As one loop of machine code.


STEPS = """
    input A: vector[Int]; input first: Int; input last: Int; input step: Int;
    var B = A; var n = A.length;
    for p = 0, n-1 do if (B[p] >= 0) for q = first, last, step - p do B[q % n] += 1;
    B
"""


def counted(a: np.ndarray, first: int, last: int, step: int) -> np.ndarray:
    b, n = a.copy(), len(a)
    for p in range(n):
        by = step - p
        if b[p] >= 0 and by:
            q = first
            while q <= last if by > 0 else q >= last:
                # As the language has it: the sign of a remainder is that of the dividend.
                place = int(np.fmod(q, n))
                if place >= 0:
                    b[place] += 1
                q += by
    return b


@pytest.mark.parametrize(
    ("first", "last", "step"),
    [
        (0, 9, 5),
        (9, 0, -1),
        (0, 9, 1),
        (5, 4, 3),
        (0, 9, 2**62),
        (2**62, 2**63 - 1, 2**62),
        (2**63 - 9, 2**63 - 1, 6),
        (-(2**62), -(2**63), -(2**62)),
        (-(2**63) + 9, -(2**63), -1),
        (-9, -20, -2),
    ],
)
def test_steps_of_either_sign_end_at_their_limit(first: int, last: int, step: int):
    a = np.array([0, 3, -1, 2, 0])
    found = diablo.compile(STEPS, engine="local")(A=a, first=first, last=last, step=step)
    np.testing.assert_array_equal(found.to_numpy(), counted(a, first, last, step))
