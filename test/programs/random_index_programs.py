"""Programs chosen at random that read and write arrays at computed indices."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from scipy import sparse

FOLDS = ("+", "max", "min", "*")


def _index(choose: random.Random, variable: str, extent: str) -> str:
    """An index of an array in terms of a variable of the result."""
    shift = choose.randint(-2, 2)
    return choose.choice(
        [
            variable,
            f"{variable}+{abs(shift)}" if shift >= 0 else f"{variable}-{-shift}",
            f"{extent}-1-{variable}",
            f"({variable}+{abs(shift)}) % {extent}",
            f"2*{variable}",
            f"2*{variable}+1",
            str(abs(shift)),
            f"{variable}+k",
        ]
    )


def _value(choose: random.Random, reads: list[str]) -> str:
    text = reads[0]
    for read in reads[1:]:
        text = f"({text} {choose.choice('+-*')} {read})"
    return choose.choice([text, f"{text}/2.0", f"{text}+1.0"])


def _arrays(choose: random.Random) -> tuple[str, dict[str, Any]]:
    rng = np.random.default_rng(choose.randint(0, 10**6))
    n, m = choose.randint(2, 6), choose.randint(2, 6)
    matrix: Any = rng.integers(-3, 4, (n, m)).astype(float)
    if choose.random() < 0.3:
        rows, columns = (max(0, extent + choose.randint(-2, 2)) for extent in (n, m))
        matrix = rng.integers(-3, 4, (rows, columns)).astype(float)
    if choose.random() < 0.3:
        matrix = sparse.csr_array(matrix * (rng.random(matrix.shape) < 0.5))
    length = n + choose.choice([0, 0, -1, 1, 2])
    inputs = {
        "A": matrix,
        "V": rng.integers(-3, 4, length).astype(float),
        "E": rng.integers(-1, n + 1, length),
        "n": n,
        "m": m,
        "k": choose.randint(0, 2),
    }
    text = (
        "input A: matrix[Double]; input V: vector[Double]; input E: vector[Int]; "
        "input n: Int; input m: Int; input k: Int;\n"
    )
    return text, inputs


def _gather(choose: random.Random) -> str:
    reads: list[str] = []
    for _ in range(choose.randint(1, 3)):
        if choose.random() < 0.6:
            reads.append(f"A[{_index(choose, 'i', 'n')},{_index(choose, 'j', 'm')}]")
        else:
            reads.append(f"V[{_index(choose, choose.choice('ij'), 'n')}]")
    guard = choose.choice(["", "", ", i > 0", ", i < n-1, j > 0", ", i != j"])
    head = f"((i,j),{_value(choose, reads)})"
    return f"tensor*(n,m)[ {head} | i <- 0..n-1, j <- 0..m-1{guard} ];"


def _loop(choose: random.Random) -> str:
    low, cut = choose.randint(0, 1), choose.randint(1, 2)
    step = choose.choice(["", "", ", 2"])
    reads = [f"V[{_index(choose, 'i', 'n')}]", f"W[{_index(choose, 'i', 'n')}]"]
    update = choose.choice(["W[i] = ", "W[i] += ", "W[i+1] = ", "W[n-1-i] += ", "W[E[i]] += "])
    value = _value(choose, reads[: choose.randint(1, 2)])
    return (
        "var W: vector[Double] = tensor*(n)[ (i,1.0) | i <- 0..n-1 ];\n"
        f"for i = {low}, n-{cut}{step} do {update}{value};\nW;"
    )


def _window(choose: random.Random) -> str:
    fold = choose.choice(FOLDS)
    low, high = choose.randint(-1, 1), choose.randint(0, 2)
    ends = f"i{low:+d}..i{high:+d}"
    if choose.random() < 0.5:
        head = choose.choice([f"{fold}/v", "(+/v)/v.length"])
        return f"tensor*(n)[ (ii,{head}) | (i,v) <- V, ii <- {ends}, group by ii ];"
    columns = choose.choice(["jj <- j..j", "jj <- j-1..j+1", "jj <- 0..m-1, jj == j"])
    head = choose.choice([f"{fold}/a", "(+/a)/a.length"])
    return (
        f"tensor*(n,m)[ ((ii,jj),{head}) | ((i,j),a) <- A, ii <- {ends}, {columns}, "
        "group by (ii,jj) ];"
    )


def _test(choose: random.Random, reads: str) -> str:
    """Return what may be asked before neighbours are read, or instead of that."""
    return choose.choice(
        [
            "i+u >= 0 && i+u < n",
            "i+u >= 0 && i+u < n && j+w >= 0 && j+w < m",
            "i+u > 0 || j+w > 0",
            f"{reads} > 0.0",
            "u != w",
            "i > 0",
        ]
    )


def _neighbours(choose: random.Random) -> str:
    """Sums over the neighbours of an element that are there, or that a test chooses."""
    read = choose.choice(["A[i+u,j+w]", "A[i-u,j+2*w]", "V[i+u]", "A[i+u,j]"])
    low, high = choose.randint(-2, 0), choose.randint(0, 1)
    fold = choose.choice(FOLDS)
    test = _test(choose, read)
    points = f"u <- {low}..{high}, w <- 0..1"
    if choose.random() < 0.4:
        guard = choose.choice(["", f", {test}", f", {test.replace(' && ', ', ')}"])
        value = choose.choice([read, f"{read}*A[u+2,w+1]", f"{read}/2.0", "1.0"])
        total = f"{fold}/[ {value} | {points}{guard} ]"
        head = f"((i,j),{choose.choice([total, f'{total}-A[i,j]', f'{total}+V[i]'])})"
        return f"tensor*(n,m)[ {head} | i <- 0..n-1, j <- 0..m-1 ];"
    if choose.random() < 0.5:
        u, w = choose.randint(-2, 2), choose.randint(-1, 1)
        shifted = read.replace("u", f"({u})").replace("w", f"({w})")
        place = test.replace("u", f"({u})").replace("w", f"({w})")
        chosen = f"(if ({place}) {shifted} else {choose.choice(['0.0', 'V[i]', 'A[i,j]'])})"
        head = choose.choice([chosen, f"{chosen}+A[i,j]"])
        return f"tensor*(n,m)[ ((i,j),{head}) | i <- 0..n-1, j <- 0..m-1 ];"
    return (
        "var R: matrix[Double] = tensor*(n,m)[ ((i,j),1.0) | i <- 0..n-1, j <- 0..m-1 ];\n"
        "for i = 0, n-1 do for j = 0, m-1 do {\n"
        "    var s = 0.0; var c = 0;\n"
        f"    for u = {low}, {high} do for w = 0, 1 do if ({test}) {{ s += {read}; c += 1; }};\n"
        "    R[i,j] = s+c;\n"
        "};\nR;"
    )


def _scatter(choose: random.Random) -> str:
    key = choose.choice(["E[i]", "i % 3", "i / 2", "(i+E[i]) % n", "i+j"])
    fold = choose.choice(FOLDS)
    guard = choose.choice(["", "v > 0.0, ", "E[i] >= 0, "])
    head = choose.choice([f"{fold}/v", "(+/v)/v.length", f"({fold}/v)+1.0"])
    if key == "i+j":
        return f"tensor*(n+m)[ (q,{fold}/a) | ((i,j),a) <- A, group by q: i+j ];"
    return f"tensor*(n)[ (q,{head}) | (i,v) <- V, {guard}group by q: {key} ];"


def _total(choose: random.Random) -> str:
    reads = [f"A[{_index(choose, 'i', 'n')},{_index(choose, 'j', 'm')}]", "A[i,j]"]
    fold = choose.choice(FOLDS)
    return f"{fold}/[ {_value(choose, reads)} | i <- 0..n-1, j <- 0..m-1 ];"


def random_index_program(seed: int) -> tuple[str, dict[str, Any]]:
    """The text of a program, and its inputs."""
    choose = random.Random(seed)
    declarations, inputs = _arrays(choose)
    write = choose.choice([_gather, _gather, _loop, _loop, _window, _scatter, _total, _neighbours])
    return declarations + write(choose), inputs
