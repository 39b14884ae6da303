"""Loops of the driver as machine code do what Python does: results, failures, interruptions."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

import diablo
from diablo.diagnostics import RunError
from diablo.runtime.kernels.compiled import CompiledKernel
from diablo.runtime.native import work_seen
from fuzzing.draft import Draft
from fuzzing.qualifiers import tuple_of
from fuzzing.sequences import sequence
from fuzzing.trial import Trial, Way
from fuzzing.writer import FAMILIES

NATIVE = Way(None, (None,), compile="always", whole=True)


def program(seed: int) -> tuple[str, dict[str, Any]]:
    """A program that is a loop or two over numbers and elements, and its inputs."""
    features = ["extreme integers"] if seed % 4 == 0 else []
    draft = Draft(Random(seed), features, FAMILIES)
    draft.lines.append("input n: Int;")
    draft.inputs["n"] = 3
    sequence(draft)
    results = [each.name for each in (*draft.arrays, *draft.maps)]
    results += [name for name, _ in draft.scalars]
    draft.lines.append(f"{tuple_of(results)};")
    return "\n".join(draft.lines) + "\n", draft.inputs


@pytest.mark.sampled(2)
@pytest.mark.parametrize("first", range(0, 12, 3))
def test_random_loops_mean_the_same_as_machine_code(first: int) -> None:
    outcomes: Counter[str] = Counter()
    for seed in range(first, first + 3):
        text, inputs = program(seed)
        outcome = Trial(text, inputs).run([NATIVE])
        assert not outcome.is_failure, f"program {seed}: {outcome}\n{text}"
        outcomes[outcome.verdict] += 1
    assert outcomes["same"] > 1, outcomes


def rows_program(seed: int) -> tuple[str, dict[str, Any]]:
    """A program that goes through rows of a list, each of which says rows of arrays to go through.

    Elements are quarters, so that sums are the same in any order.
    """
    random, numbers = Random(seed), np.random.default_rng(seed)

    def element(k: str, *, written: bool = False) -> str:
        array, beside = random.choice("PQPQV"), random.choice(["", "", "", "", "+1", "-1"])
        index = k if written else k + beside
        if array == "V":
            return f"V[{index}]"
        return f"{array}[{random.choice('ijijx')},{index}]"

    def value(k: str) -> str:
        terms = [element(k), *random.choice([[], [element(k)]])]
        text = " - ".join(terms) + random.choice([" + r", " + 0.25*e", ""])
        return f"(if ({k} < x) {text} else r)" if random.random() < 0.2 else text

    def statement(k: str, number: int) -> str:
        to, also = element(k, written=True), element(k, written=True)
        return random.choice(
            [
                f"{to} = {value(k)};",
                f"{to} += {value(k)};",
                f"e -= {value(k)}*{element(k)};",
                f"var p{number} = {value(k)}; {to} = p{number}; {also} += 0.5*p{number};",
                f"if ({element(k)} > r) {to} = {value(k)};",
            ]
        )

    loops: list[str] = []
    for number in range(random.choice([1, 2, 2, 3])):
        k = f"k{number}"
        body = " ".join(statement(k, place) for place in range(random.choice([1, 1, 2])))
        last = random.choice(["l-1", "l-1", "l-1", "l-2", "l", "x"])
        loops.append(
            f"for {k} = {random.choice(['0', '0', '0', '1', 'x'])}, {last} do {{ {body} }};"
        )
    text = f"""input P0: matrix[Double]; input Q0: matrix[Double]; input V0: vector[Double];
        input R: list[(Int,Int,Double)]; input l: Int;
        var P = P0; var Q = Q0; var V = V0; var x = 1;
        for (i,j,r) in R do {{ var e = r; {" ".join(loops)} x = (2*x + i) % 3; }};
        (P, Q, V, x);
    """

    def quarters(*shape: int) -> Any:
        return numbers.integers(-8, 9, shape) / 4

    n, length = random.choice([1, 3, 4]), random.choice([1, 3, 4])
    inputs = {
        "P0": quarters(n, length + random.choice([0, 0, 0, 1])),
        "Q0": quarters(n + random.choice([0, 0, 1]), length + random.choice([0, 0, 0, 1])),
        "V0": quarters(length + random.choice([0, 0, 1])),
        "R": [
            (random.randint(-1, n), random.randrange(n), random.randint(-4, 4) / 2)
            for _ in range(random.randint(0, 4))
        ],
        "l": length,
    }
    return text, inputs


@pytest.mark.sampled(4)
@pytest.mark.filterwarnings("ignore::diablo.CompileWarning")
@pytest.mark.parametrize("first", range(0, 12, 3))
def test_random_loops_through_rows_mean_the_same_as_machine_code(first: int) -> None:
    outcomes: Counter[str] = Counter()
    for seed in range(first, first + 3):
        text, inputs = rows_program(seed)
        outcome = Trial(text, inputs).run([NATIVE])
        assert not outcome.is_failure, f"program {seed}: {outcome}\n{text}"
        outcomes[outcome.verdict] += 1
    assert outcomes["same"] > 1, outcomes


@pytest.mark.sampled(4)
@pytest.mark.parametrize("size", range(4))
@pytest.mark.parametrize("n", range(3))
def test_a_loop_within_a_while_within_a_loop_leaves_out_what_is_not_there(
    n: int, size: int
) -> None:
    text = """
        input V0: vector[Double]; input n: Int; var V = V0; var k = 0;
        for c = -1, 0 do { while (k < 2) { for j = 0, n-1 do V[c] = V[k]; k += 1; }; };
        (V, k);
    """
    outcome = Trial(text, {"V0": np.arange(1.0, size + 1), "n": n}).run([NATIVE])
    assert outcome.verdict == "same", outcome


def modes(monkeypatch: pytest.MonkeyPatch, text: str, **inputs: Any) -> list[Any]:
    """Return what a program gives as Python, with machine code that takes over, and as such."""
    found: list[Any] = []
    for mode, enough in (("never", 1 << 22), ("auto", 3000), ("always", 1 << 22)):
        monkeypatch.setenv("DIABLO_COMPILE", mode)
        monkeypatch.setattr(work_seen, "WORTH_COMPILING", enough)
        monkeypatch.setattr("diablo.runtime.program.compiled_loops.WORTH_COMPILING", enough)
        work_seen._points_seen.clear()  # pyright: ignore[reportPrivateUsage]
        try:
            found.append(diablo.compile(text)(**inputs))
        except RunError as error:
            found.append(str(error))
    return found


PROGRAMS: dict[str, tuple[str, dict[str, Any]]] = {
    "Collatz": (
        """input n: Int; var most = 0; var best = 0;
           for k = 1, n do {
             var x = k; var c = 0;
             while (x != 1) { if (x % 2 == 0) x = x / 2; else x = 3*x + 1; c += 1; };
             if (c > most) { most = c; best = k; };
           };
           (best, most)""",
        {"n": 300},
    ),
    "the longest common subsequence": (
        """input A: vector[Long]; input B: vector[Long]; input n: Int;
           var D = tensor(n+1,n+1)[ ((i,j), 0) | i <- 0..n, j <- 0..n ];
           var i = 1;
           while (i <= n) {
             var j = 1;
             while (j <= n) {
               if (A[i-1] == B[j-1]) D[i,j] = D[i-1,j-1] + 1;
               else D[i,j] = max(D[i-1,j], D[i,j-1]);
               j += 1; };
             i += 1; };
           (D, D[n,n])""",
        {"A": np.arange(30) % 7, "B": np.arange(30) * 5 % 11, "n": 30},
    ),
    "insertion": (
        """input V: vector[Double]; input n: Int; var A = V;
           for i = 1, n-1 do {
             var j = i;
             while (j > 0 && A[j-1] > A[j]) {
               var t = A[j]; A[j] = A[j-1]; A[j-1] = t; j -= 1; }; };
           A""",
        {"V": np.random.default_rng(1).random(40), "n": 40},
    ),
    "sets that are joined": (
        """input E: vector[Long]; input F: vector[Long]; input n: Int; input m: Int;
           var P = tensor(n)[ (i, i) | i <- 0..n-1 ]; var sets = n; var e = 0;
           while (e < m) {
             var a = E[e]; var b = F[e];
             while (P[a] != a) { P[a] = P[P[a]]; a = P[a]; };
             while (P[b] != b) b = P[b];
             if (a != b) { P[a] = b; sets -= 1; };
             e += 1; };
           (P, sets)""",
        {"E": np.arange(60) * 7 % 41, "F": np.arange(60) * 3 % 40, "n": 41, "m": 60},
    ),
    "a sieve": (
        """input n: Int; var P = tensor(n+1)[ (i, true) | i <- 0..n ]; var count = 0;
           for i = 2, n do
             if (P[i]) { count += 1; var j = i*i; while (j <= n) { P[j] = false; j += i; }; };
           (P, count)""",
        {"n": 200},
    ),
    "integers that wrap around": (
        """input n: Int; var x = 12345; var k = 0; var up = 0;
           while (k < n) { x = x*6364136223846793005 + 1442695040888963407;
             if (x > 0) up += 1; k += 1; };
           (x, up, x / (0-1), x % (0-1))""",
        {"n": 1000},
    ),
    "reads outside, in order": (
        """input V: vector[Double]; input n: Int; var s = 0.0; var X = V; var last = -1;
           for i = -2, n do { s = 0.9*s + V[i+1]; X[i-1] = s; last = i; };
           (s, X, last)""",
        {"V": np.arange(9.0), "n": 20},
    ),
    "NaN and floats of 32 bits": (
        """input V: vector[Float]; input n: Int; var s = V[0]; var c = 0; var k = 0;
           while (k < n) { s = s*V[k] - V[n-1-k]; if (s != s) c += 1; k += 1; };
           (s, c)""",
        {"V": np.array([0.1, 3.0, np.nan, -1e30, 7.0], np.float32), "n": 5},
    ),
    "rows next to the least of all numbers": (
        """input M: matrix[Double]; input V: vector[Double]; input x: Int; input n: Int;
           var s = 0.0; var W = M;
           for q = x, x+3 do {
             for j = 0, n-1 do W[q-1,j] = W[q-2,j] + V[j];
             s = s*0.5 + 1.0; };
           (W, s)""",
        {"M": np.ones((3, 3)), "V": np.ones(3), "x": -(2**63), "n": 3},
    ),
    "indices in steps, downwards, and beside branches": (
        """input V: vector[Double]; input n: Int; input m: Int; var X = V; var s = 0.0; var k = 0;
           while (k < m) {
             var j = n-1;
             while (j >= 1) { X[j] = 0.5*X[j-1] + s; s = s*0.5 + X[n-1-j]; j -= 2; };
             var i = 0;
             while (i < n) { if (i > 0) s = s*0.5 + X[i-1]; if (X[i] > s) X[i] = s; i += 1; };
             k += 1; };
           (X, s)""",
        {"V": np.arange(13.0) % 5, "n": 13, "m": 3},
    ),
    "nothing": (
        "input V: vector[Double]; var s = 0.5; var k = 0;"
        " while (k < 0) { s = s*V[k]; k += 1; }; (s, k)",
        {"V": np.zeros(0)},
    ),
    "a triangular solve": (
        """input L: matrix[Double]; input B: vector[Double]; input n: Int; var X = B; var i = 0;
           while (i < n) {
             var s = B[i]; for j = 0, i-1 do s -= L[i,j]*X[j];
             X[i] = s/L[i,i]; i += 1; };
           X""",
        {"L": np.tril(np.full((9, 9), 0.25)) + np.eye(9), "B": np.arange(9.0), "n": 9},
    ),
    "relaxation until nothing changes": (
        """input V: matrix[Double]; input n: Int; var U = V; var t = 0; var d = 1.0;
           while (t < 30 && d > 0.001) {
             var W = U;
             for i = 1, n-2 do for j = 1, n-2 do
               W[i,j] = 0.25*(U[i-1,j] + U[i+1,j] + U[i,j-1] + U[i,j+1]);
             d = max/[ abs(w - U[i,j]) | ((i,j),w) <- W ];
             U = W; t += 1; };
           (U, V, d, t)""",
        {"V": np.random.default_rng(2).random((6, 6)), "n": 6},
    ),
    "shortest paths": (
        """input G: matrix[Double]; input n: Int; var D = G;
           for k = 0, n-1 do for i = 0, n-1 do for j = 0, n-1 do D[i,j] min= D[i,k] + D[k,j];
           (D, G)""",
        {"G": np.random.default_rng(3).random((7, 7)), "n": 7},
    ),
    "two arrays that each other's last values make": (
        """input V: vector[Double]; input n: Int; var X = V; var Y = V; var k = 0;
           while (k < n) {
             var Z = tensor(5)[ (i, 0.5*x + 0.25*Y[4-i]) | (i,x) <- X ];
             Y = tensor(5)[ (i, y - 0.5*X[4-i]) | (i,y) <- Y ];
             X = Z; X[k % 5] = 0.25; k += 1; };
           (X, Y, V)""",
        {"V": np.arange(5.0), "n": 9},
    ),
    "an array that becomes smaller": (
        """input V: vector[Double]; input n: Int; var X = V; var k = 0;
           while (k < n) { X = tensor(5)[ (i, 0.5*x) | (i,x) <- X ]; k += 1; };
           (X, V)""",
        {"V": np.arange(7.0), "n": 4},
    ),
    "a factorization by columns": (
        """input A: matrix[Double]; input n: Int; var L: matrix[Double] = matrix(n,n); var j = 0;
           while (j < n) {
             L[j,j] = sqrt(A[j,j] - +/[ L[j,k]*L[j,k] | k <- 0..j-1 ]);
             for i = j+1, n-1 do
               L[i,j] = (A[i,j] - +/[ L[i,k]*L[j,k] | k <- 0..j-1 ]) / L[j,j];
             j += 1; };
           (L, A)""",
        {"A": np.tril(np.ones((9, 9))) @ np.triu(np.ones((9, 9))), "n": 9},
    ),
    "columns, each by the element before it": (
        """input A: matrix[Double]; input n: Int;
           var B = tensor(n,n)[ ((i,j), a + 1.0) | ((i,j),a) <- A ]; var j = 0;
           while (j < n+2) {
             for i = j-1, n do B[i,j] = B[i,j] / B[j-1,j-1];
             for i = 2, j do B[i,2] = B[i,2] + 0.5*B[2,i];
             j += 1; };
           (B, A)""",
        {"A": np.arange(49.0).reshape(7, 7), "n": 7},
    ),
    "rows of a list": (
        """input E: list[(Int,Int32,Boolean,Float)]; input n: Int;
           var L = tensor(n)[ (i,i) | i <- 0..n-1 ]; var s = 0.5; var t = 0.0; var c = 0;
           for (a,b,p,x) in E do {
             L[a] = min(L[a], L[a-1] + toInt(b));
             if (p) s = 0.5*s + x; else c = 2*c + toInt(b);
             t = 0.5*t - x; };
           (L, s, t, c)""",
        {
            "E": [(k * 7 % 13, k % 5 - 2, k % 3 == 0, 0.5 * k) for k in range(60)],
            "n": 12,
        },
    ),
    "rows of a map, twice": (
        """input m: map[Int,Double]; input n: Int; var s = 0.5; var k = 0;
           while (k < n) { for (i,x) in m do s = 0.75*s + i*x; k += 1; };
           (s, k)""",
        {"m": {5: 0.25, -3: 2.0, 9: -1.5}, "n": 40},
    ),
    "no rows": (
        "input E: list[(Int,Double)]; var s = 1.0; for (i,x) in E do s = 0.5*s + x; s",
        {"E": []},
    ),
    "the greatest of a column, and its row": (
        """input A: matrix[Double]; input n: Int; var U = A; var k = 0; var t = 0;
           while (k < n-1) {
             var p = k; var best = -1.0;
             for i = k, n-1 do if (abs(U[i,k]) > best) { best = abs(U[i,k]); p = i; };
             for j = 0, n-1 do { var t = U[k,j]; U[k,j] = U[p,j]; U[p,j] = t; };
             for i = k+1, n-1 do U[i,k] /= U[k,k];
             for i = k+1, n-1 do for j = k+1, n-1 do U[i,j] -= U[i,k]*U[k,j];
             t = 7*t + p; k += 1; };
           (U, A, t)""",
        {"A": np.random.default_rng(4).random((9, 9)), "n": 9},
    ),
    "payments as long as there is enough": (
        """input L: list[(Int,Int,Double)]; input V: vector[Double]; var A = V; var n = 0;
           for (a,b,x) in L do if (A[a] >= x) { A[a] -= x; A[b] += x; } else n += 1;
           (A, n)""",
        {
            "L": [(k * 7 % 5, k * 3 % 6 - 1, 0.125 * (k % 9)) for k in range(80)],
            "V": np.ones(5),
        },
    ),
    "items for a sack": (
        """input I: list[(Int,Int)]; input n: Int; var B = tensor(n+1)[ (c,0) | c <- 0..n ];
           for (w,v) in I do for c = n, w, -1 do B[c] = max(B[c], B[c-w] + v);
           B""",
        {"I": [(3, 4), (5, 1), (2, 7), (0, 1), (9, 20), (40, 3)], "n": 14},
    ),
    "factors by gradients, in rows of two lengths": (
        """input P0: matrix[Double]; input Q0: matrix[Double]; input R: list[(Int,Int,Double)];
           input l: Int; var P = P0; var Q = Q0; var t = 0.0;
           for (i,j,r) in R do {
             var e = r; for k = 0, l-1 do e -= P[i,k]*Q[j,k];
             for k = 0, l-1 do {
               var p = P[i,k]; P[i,k] = p + 0.5*e*Q[j,k]; Q[j,k] = Q[j,k] + 0.5*e*p; };
             t = 0.5*t + e; };
           (P, Q, P0, t)""",
        {
            "P0": np.arange(15.0).reshape(5, 3) % 4 - 1.5,
            "Q0": np.arange(24.0).reshape(6, 4) % 5 - 2,
            "R": [(k * 7 % 7 - 1, k * 3 % 8 - 1, 0.25 * (k % 3)) for k in range(20)],
            "l": 3,
        },
    ),
    "rows that are added to each other, or to themselves": (
        """input A: matrix[Double]; input R: list[(Int,Int)]; input m: Int; var U = A; var V = A;
           for (i,j) in R do {
             for k = 0, m-1 do U[i,k] = 0.5*U[j,k] + V[i,k];
             for k = 0, m-1 do V[j,k] = U[i,k] - 0.5*V[j,k];
             for k = 0, m-2 do U[j,k] = V[j,k+1] + 0.25*U[j,k]; };
           (U, V)""",
        {
            "A": np.arange(20.0).reshape(4, 5) % 7 - 3,
            "R": [(k % 4, k * 3 % 4) for k in range(12)],
            "m": 5,
        },
    ),
    "a row that another array has not all of": (
        """input A: matrix[Double]; input B: matrix[Double]; input R: list[(Int,Int)]; input m: Int;
           var U = A; var V = B;
           for (i,j) in R do {
             for k = 0, m-1 do U[i,k] = if (k < j) V[j,k] else 0.25;
             for k = 0, m-1 do V[i,k] = U[j,k] + 1.0; };
           (U, V)""",
        {
            "A": np.zeros((4, 5)),
            "B": np.arange(12.0).reshape(4, 3),
            "R": [(3, 2), (1, 1), (0, 3), (2, 0), (2, 2), (4, 1), (1, 4)],
            "m": 5,
        },
    ),
    "a row that is read behind who writes to it, and is too short for who reads": (
        """input Q0: matrix[Double]; input V0: vector[Double]; input R: list[(Int,Int)];
           input m: Int; var Q = Q0; var V = V0; var x = 0;
           for (i,j) in R do {
             for k = 0, m-2 do V[k] = Q[x,k] - Q[i,k] + 0.5;
             for k = 0, m do { var p = Q0[i,k-1] + 2.0; Q[x,k] = p; V[k] += 0.5*p; };
             x = (2*x + j) % 3; };
           (Q, V)""",
        {
            "Q0": np.arange(15.0).reshape(3, 5),
            "V0": np.zeros(6),
            "R": [(0, 1), (2, 2), (1, 0), (3, 1)],
            "m": 5,
        },
    ),
    "pairs in order": (
        """input V: vector[(Double,Int)]; input n: Int; var A = V;
           for i = 1, n-1 do {
             var j = i;
             while (j > 0 && A[j-1]._1 > A[j]._1) {
               var t = A[j]; A[j] = A[j-1]; A[j-1] = t; j -= 1; }; };
           (A, V)""",
        {"V": [(k * 7 % 40 / 4, k) for k in range(40)], "n": 40},
    ),
    "a matrix of tuples in tuples": (
        """input M: matrix[(Int,(Double,Int))]; input n: Int; var A = M; var s = 0.5; var k = 0;
           while (k < n) {
             var i = k % 3; var t = A[i,(k+1) % 4]; var u = t._2;
             if (t._1 < u._2) s = 0.5*s + u._1;
             A[i,k % 4] = (u._2 + k, (s, t._1)); k += 1; };
           (A, s)""",
        {"M": [[(i, (j / 2, i + j)) for j in range(4)] for i in range(3)], "n": 50},
    ),
    "tuples of floats": (
        """input V: vector[(Float,Float)]; input n: Int; var A = V; var k = 1;
           while (k < n) {
             A[k] = (A[k-1]._2 + A[k]._1, A[k-1]._1 - A[k]._2); k += 1; };
           A""",
        {"V": [(k / 4, k / 8) for k in range(30)], "n": 30},
    ),
    "random numbers": (
        "input n: Int; var s = 0.0; var k = 0; while (k < n) { s = 0.5*s + random(); k += 1; }; s",
        {"n": 300},
    ),
}


@pytest.mark.sampled(16)
@pytest.mark.filterwarnings("ignore::diablo.CompileWarning")
@pytest.mark.parametrize("name", PROGRAMS)
def test_machine_code_does_what_python_does(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, inputs = PROGRAMS[name]
    monkeypatch.setenv("DIABLO_THREADS", "1")  # Several would share the kernels of small loops.
    python, *others = modes(monkeypatch, text, **inputs)
    assert not isinstance(python, str), python
    for other in others:
        np.testing.assert_equal(_plain(other), _plain(python))
        assert _types(other) == _types(python)


def _plain(results: Any) -> list[Any]:
    results = results if isinstance(results, tuple) else (results,)
    return [np.asarray(result) for result in results]


def _types(results: Any) -> list[Any]:
    return [result.dtype for result in _plain(results)]


FAILURES: dict[str, tuple[str, str]] = {
    "a division": (
        "input n: Int; var k = 9; var s = 0;\nwhile (k >= 0) { k -= 1;\n  s += n / k; }; s",
        "<program>:3:8: error: integer division by zero",
    ),
    "a read": (
        "input n: Int; var V = tensor(n)[ (i, 2*i) | i <- 0..n-1 ]; var k = 0; var s = 0;\n"
        "while (k < 99) { s += V[k];\n  k += 1; V[0] = s; }; (V, s)",
        "<program>:2:23: error: the index [50] lies outside the dimensions 50",
    ),
    "a read in the third run of a loop": (
        "input n: Int; var X = tensor(n)[ (i, 2*i) | i <- 0..n-1 ]; var k = 0; var s = 0;\n"
        "while (k < 3) { var j = 0; while (j < n-1) { X[j] = X[j+k] + s; s += X[j]; j += 1; };\n"
        "  k += 1; }; (X, s)",
        "<program>:2:53: error: the index [50] lies outside the dimensions 50",
    ),
    "a read of an array that is made in the loop": (
        "input n: Int; var U = tensor(2,2)[ ((i,j), 1.0) | i <- 0..1, j <- 0..1 ]; var k = 0;\n"
        "var s = 0.5; while (k < n) { for i = 0, k do for j = k, n do U[i,j] += U[0,j-1]*0.5;\n"
        "  s = 0.5*s + U[0,k]; k += 1; }; (U, s)",
        "<program>:3:15: error: the index [0, 2] lies outside the dimensions 2 x 2",
    ),
    "an element of an array of tuples": (
        "input n: Int; var V = tensor(n)[ (i, (i, 0.5*i)) | i <- 0..n-1 ]; var k = 0;\n"
        "var s = 0.5; while (k < 99) { s = 0.5*s + V[k]._2; V[0] = (k, s); k += 1; }; (V, s)",
        "<program>:2:43: error: the index [50] lies outside the dimensions 50",
    ),
    "a key of a map": (
        "input n: Int; var M = map[ (i, 2*i) | i <- 0..n-2 ]; var s = 0; var k = 0;\n"
        "while (k < n) { s += M[k]; M[k] = s; k += 1; }; (s, M)",
        "<program>:2:22: error: the map has no such key: 49",
    ),
    "keys of other types": (
        "input n: Int; var M: map[(Double,Boolean,Char),Int] = map(); var s = 0; var k = 0;\n"
        "while (k < n) { M[(0.5*k, true, 'c')] = k; s += M[(0.5*k, k < 9, 'c')]; k += 1; }; s",
        '<program>:2:49: error: the map has no such key: (4.5, false, "c")',
    ),
    "a remainder behind a write": (
        "input n: Int; var V = tensor(n)[ (i, 20-i) | i <- 0..n-1 ]; var k = 0;\n"
        "var s = 0; while (k < n) { V[0] -= 1; k += 1; s += 10 % V[0]; }; (V, s)",
        "<program>:2:52: error: integer division by zero",
    ),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", FAILURES)
def test_machine_code_fails_as_python_does(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, message = FAILURES[name]
    found = modes(monkeypatch, text, n=50)
    assert found[0] == found[1] == found[2]
    assert found[0].startswith(message), found[0]


def test_a_loop_is_machine_code_in_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "auto")
    program = diablo.compile("input n: Int; var x = 0; var k = 0; while (k < n) k += 1; k")
    assert program(n=3) == 3
    assert "func.call @loop_0" in program.explain()


_PAIRS = """input V: vector[(Int,FIRST)]; input n: Int; var A = V; var s = 0.5; var k = 0;
    while (k < n) { s = 0.5*s + A[k]._1; A[k] = (k, A[n-1-k]._2); k += 1; }; (A, s)"""


def test_records_that_lie_anywhere_are_pythons(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = np.array([(k, k / 2) for k in range(20)], [("f0", "i8"), ("f1", "f8")])
    text = _PAIRS.replace("FIRST", "Double")
    close, apart = np.ascontiguousarray(pairs[::2]), pairs[::2]
    for python, other in zip(
        modes(monkeypatch, text, V=close, n=10),
        modes(monkeypatch, text, V=apart, n=10),
        strict=True,
    ):
        np.testing.assert_equal(_plain(other), _plain(python))
    np.testing.assert_equal(close, apart)  # Nobody has written to what was given.


def test_tuples_of_parts_of_several_widths_stay_with_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "auto")
    for type, is_compiled in (
        ("Double", True),
        ("Int", True),
        ("Boolean", False),
        ("Float", False),
    ):
        program = diablo.compile(_PAIRS.replace("FIRST", type))
        nothing = False if type == "Boolean" else 0
        result, _ = program(V=[(1, nothing)] * 2, n=2)
        assert np.asarray(result).tolist() == [(0, nothing), (1, nothing)]
        assert ("func.call @loop_0" in program.explain()) == is_compiled


def test_a_map_is_machine_codes_in_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """From where Python has left it, with all that is there; it grows by itself."""
    text = (
        "input n: Int; var seen: map[(Int,Int),Double] = map(); var sum = 0.0; var k = 0;"
        "var x = 7; while (k < n) { x = x*1103515245 % 65537; seen[(x, k % 3)] += 0.5*k;"
        "sum += seen[(x, k % 3)]; k += 1; }; (sum, seen)"
    )
    found = modes(monkeypatch, text, n=20_000)
    assert found[0] == found[1] == found[2]
    assert len(found[0][1]) > 15_000
    program = diablo.compile(text)
    program(n=1)
    assert "func.call @loop_0" in program.explain()


def test_a_map_that_is_too_large_for_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    text = "input n: Int; var M: map[Int,Int] = map(); var k = 0;\n"
    text += "while (k < n) { M[k*7919] = k; k += 1; }; M"
    program = diablo.compile(text, memory="16m")
    assert dict(program(n=3)) == {0: 0, 7919: 1, 15838: 2}
    with pytest.raises(RunError, match=r"<program>:2:\d+: .*a hash table of \d+ keys"):
        program(n=2**22)
    assert dict(program(n=1)) == {0: 0}


def test_a_loop_without_an_end_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    check_interrupted(
        "input n: Int; var x = n; var k = 0;"
        " while (k < n) { x = 5; while (x != 0) { if (x == 4) x = 5; else x = 4; }; k += 1; }; x",
        monkeypatch,
    )


def test_a_loop_that_counts_for_long_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    check_interrupted(
        "input n: Int; var V = tensor(3)[ (i,i) | i <- 0..2 ]; var x = 0; var k = 0;"
        " while (k < n) { x = (x*3 + V[2]) % 1000; k += 1; }; x",
        monkeypatch,
    )


def check_interrupted(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    program = diablo.compile(text)
    assert program(n=0) == 0  # The machine code is there: what is interrupted is the loop.
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        program(n=2**40)
    assert time.monotonic() - begin < 20
    assert program(n=0) == 0  # What was raised is not raised again.


def compiled_loops(monkeypatch: pytest.MonkeyPatch, **inputs: int) -> list[str]:
    """Return which loops are compiled of a program that has one in another."""
    names: list[str] = []
    load = CompiledKernel._load  # pyright: ignore[reportPrivateUsage]

    def recorded(kernel: CompiledKernel) -> None:
        names.append(kernel.numpy_function.__name__)
        load(kernel)

    monkeypatch.setenv("DIABLO_COMPILE", "auto")
    monkeypatch.setattr(CompiledKernel, "_load", recorded)
    monkeypatch.setattr("diablo.runtime.program.compiled_loops.WORTH_COMPILING", 100_000)
    work_seen._points_seen.clear()  # pyright: ignore[reportPrivateUsage]
    text = """
        input n: Int; input m: Int; var s = 1; var i = 0;
        while (i < n) { var j = 0; while (j < m) { s = (s*3 + j) % 1000; j += 1; }; i += 1; };
        s"""
    found = diablo.compile(text)(**inputs)
    s = 1
    for _ in range(inputs["n"]):
        for j in range(inputs["m"]):
            s = (s * 3 + j) % 1000
    assert found == s
    return names


def test_what_inner_loops_do_counts_for_the_loop_around_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert compiled_loops(monkeypatch, n=100, m=100) == ["loop_0"]


def test_a_long_inner_loop_does_not_wait_for_the_loop_around_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert compiled_loops(monkeypatch, n=2, m=20_000) == ["loop_1"]


def test_many_calls_of_an_inner_loop_are_work_of_the_loop_around_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert compiled_loops(monkeypatch, n=40, m=20_000) == ["loop_1", "loop_0"]


def test_loops_that_do_little_stay_with_python(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compiled_loops(monkeypatch, n=10, m=10) == []
