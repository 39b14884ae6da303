"""Stencils whose indices wrap around, at every block size and with every kernel.

`R[i,j,k] = Σ c * U[(i+a) % n, (j+b) % n, (k+c) % n]` is compared with `np.roll`.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import diablo
from diablo.runtime.native import thread_team, work_seen

NAMES = "ijk"
SIZES = [1, 2, 3, 4, 8]
BLOCKS: dict[str, list[int | None]] = {"numpy": [None, 1, 7], "machine": [None, 3]}
"""Block sizes by what the kernels are."""
FEW = {None: [1, 3, 8], 1: [2], 3: [4], 7: [8]}
"""Sizes by block size, for cubes: the work grows with their volume, divided by the blocks'."""
Offsets = tuple[int, ...]


@pytest.fixture(params=["numpy", "machine"])
def kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Kernels in NumPy, or machine code from the first call on."""
    points = 0 if request.param == "machine" else 1 << 60
    monkeypatch.setattr(work_seen, "WORTH_COMPILING", points)
    monkeypatch.setattr(thread_team, "WORTH_SHARING", 1 if points == 0 else 1 << 18)
    return request.param


def sizes(rank: int, block: int | None) -> list[int]:
    if rank == 3:
        return FEW[block]
    return [1, 3] if rank == 2 and block == 1 else SIZES


def place(name: str, offset: int, size: str = "n", factor: int = 1) -> str:
    """The text of an index that wraps around."""
    variable = name if factor == 1 else f"{factor}*{name}"
    if offset == 0 and factor == 1:
        return name
    if offset < 0:
        return f"({variable}+{size}-{-offset})%{size}"
    return f"({variable}+{offset})%{size}"


def reads(offsets: list[Offsets], coefficients: list[str]) -> str:
    """The text of a sum of elements of `U`, each with a coefficient."""
    terms = [
        f"{c}*U[{','.join(place(NAMES[d], o) for d, o in enumerate(offset))}]"
        for offset, c in zip(offsets, coefficients, strict=True)
    ]
    return " + ".join(terms)


def rolled(array: Any, offset: Offsets) -> Any:
    """`array[(i + offset) % n]`, in all dimensions."""
    return np.roll(array, [-o for o in offset], tuple(range(array.ndim)))


def inputs(rank: int, size: str = "input n: Int;") -> str:
    kind = {1: "vector", 2: "matrix", 3: "array3"}[rank]
    arrays = "".join(f"input {name}: {kind}[Double];\n" for name in "UV")
    return f"{size}\n{arrays}" + "".join(f"input a{k}: Double;\n" for k in range(4))


COEFFICIENTS = {"a0": -8 / 3, "a1": 0.25, "a2": 1 / 6, "a3": 1 / 12}


def comprehension(rank: int, body: str) -> str:
    """A comprehension over all points."""
    names = ",".join(NAMES[:rank])
    ranges = ", ".join(f"{name} <- 0..n-1" for name in NAMES[:rank])
    return f"tensor*({','.join('n' * rank)})[ (({names}), {body}) | {ranges} ]"


def loops(rank: int, body: str) -> str:
    """The same by nested loops."""
    names = ",".join(NAMES[:rank])
    nest = " ".join(f"for {name} = 0, n-1 do" for name in NAMES[:rank])
    zero = f"[ (({names}), 0.0) | {', '.join(f'{x} <- 0..n-1' for x in NAMES[:rank])} ]"
    return f"var R = tensor*({','.join('n' * rank)}){zero};\n{nest} R[{names}] = {body};\nR"


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("form", "rank"),
    [(comprehension, 1), (comprehension, 2), (comprehension, 3), (loops, 1), (loops, 2)],
)
def test_symmetric_stencils(kernels: str, rank: int, form: Any) -> None:
    offsets = list(product((-1, 0, 1), repeat=rank))
    names = [f"a{sum(map(abs, offset))}" for offset in offsets]
    centre = ",".join(NAMES[:rank])
    text = inputs(rank) + form(rank, f"V[{centre}] - ({reads(offsets, names)})")
    rng = np.random.default_rng(rank)
    for block in BLOCKS[kernels]:
        program = diablo.compile(text, block_size=block)
        for n in sizes(rank, block):
            u, v = rng.random((2, *[n] * rank))
            expected = v - sum(
                COEFFICIENTS[c] * rolled(u, offset)
                for c, offset in zip(names, offsets, strict=True)
            )
            result = program(n=n, U=u, V=v, **COEFFICIENTS).to_numpy()
            np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-13)


@pytest.mark.sampled(16)
@pytest.mark.parametrize("n", SIZES)
def test_constant_sizes(kernels: str, n: int) -> None:
    offsets = [(-1, 0), (0, 1), (1, -1), (0, 0), (2, -3), (-2, 2)]
    size = f"var n: Int = {n};"
    coefficients = ["a0", "a1", "a2", "2.0", "a3", "0.5"]
    values = [COEFFICIENTS.get(c) or float(c) for c in coefficients]
    text = inputs(2, size) + comprehension(2, f"V[i,j] + {reads(offsets, coefficients)}")
    u, v = np.random.default_rng(n).random((2, n, n))
    expected = v + sum(c * rolled(u, o) for c, o in zip(values, offsets, strict=True))
    for block in BLOCKS[kernels]:
        result = diablo.compile(text, block_size=block)(U=u, V=v, **COEFFICIENTS).to_numpy()
        if n > 2:  # (i + n - 3) % n is negative for smaller n
            np.testing.assert_allclose(result, expected, rtol=1e-12)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("rank", [1, 2, 3])
def test_restrictions(kernels: str, rank: int) -> None:
    """Every other point, from 27 around it."""
    offsets = list(product((-1, 0, 1), repeat=rank))
    terms = [
        f"a{sum(map(abs, o))}*U[{','.join(f'(2*{NAMES[d]}+{1 + x})%n' for d, x in enumerate(o))}]"
        for o in offsets
    ]
    names = ",".join(NAMES[:rank])
    ranges = ", ".join(f"{name} <- 0..n/2-1" for name in NAMES[:rank])
    dims = ",".join(["n/2"] * rank)
    text = inputs(rank) + f"tensor*({dims})[ (({names}), {' + '.join(terms)}) | {ranges} ]"
    rng = np.random.default_rng(rank)
    for block in BLOCKS[kernels]:
        program = diablo.compile(text, block_size=block)
        for n in sizes(rank, block):
            u = rng.random([n] * rank)
            whole = sum(COEFFICIENTS[f"a{sum(map(abs, o))}"] * rolled(u, o) for o in offsets)
            half = np.asarray(whole)[tuple([slice(1, 2 * (n // 2), 2)] * rank)]
            result = program(n=n, U=u, V=u, **COEFFICIENTS).to_numpy()
            np.testing.assert_allclose(result, half, rtol=1e-12, atol=1e-13)


def test_arrays_larger_than_the_period(kernels: str) -> None:
    text = inputs(2) + comprehension(2, reads([(-1, 1), (1, 0)], ["a0", "a1"]))
    u = np.random.default_rng(0).random((9, 11))
    for block in BLOCKS[kernels]:
        result = diablo.compile(text, block_size=block)(n=5, U=u, V=u, **COEFFICIENTS).to_numpy()
        part = u[:5, :5]
        expected = COEFFICIENTS["a0"] * rolled(part, (-1, 1))
        expected = expected + COEFFICIENTS["a1"] * rolled(part, (1, 0))
        np.testing.assert_allclose(result, expected, rtol=1e-12)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("block", [None, 1, 3, 7])
def test_arrays_smaller_than_the_period(kernels: str, block: int | None) -> None:
    """Where an element is missing nothing is computed, and the result has a zero."""
    offsets = [(1, 0), (-1, -1)]
    program = diablo.compile(
        inputs(2) + comprehension(2, "V[i,j] + " + reads(offsets, ["a0", "a1"])), block_size=block
    )
    n, rng = 5, np.random.default_rng(0)
    for shape, other in [((4, 5), (5, 5)), ((5, 3), (4, 6)), ((7, 2), (5, 5)), ((5, 5), (3, 3))]:
        u, v = rng.random(shape), rng.random(other)
        wide = [np.full((max(n, *a.shape),) * 2, np.nan) for a in (u, v)]
        for array, given in zip(wide, (u, v), strict=True):
            array[: given.shape[0], : given.shape[1]] = given
        part = wide[0][:n, :n]
        expected = wide[1][:n, :n] + COEFFICIENTS["a0"] * rolled(part, offsets[0])
        expected = expected + COEFFICIENTS["a1"] * rolled(part, offsets[1])
        result = program(n=n, U=u, V=v, **COEFFICIENTS).to_numpy()
        np.testing.assert_allclose(result, np.nan_to_num(expected), rtol=1e-12)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("shift", [0, 1, 4, 5, 12])
def test_shifts_known_when_it_runs(kernels: str, shift: int) -> None:
    text = inputs(1) + "input s: Int;\n" + comprehension(1, "U[(i+s)%n] + U[(i+n-1)%n]")
    u = np.random.default_rng(0).random(5)
    for block in BLOCKS[kernels]:
        program = diablo.compile(text, block_size=block)
        result = program(n=5, U=u, V=u, s=shift, **COEFFICIENTS).to_numpy()
        np.testing.assert_allclose(result, np.roll(u, -shift) + np.roll(u, 1), rtol=1e-12)


def test_rows_longer_than_a_strip(kernels: str) -> None:
    """Sums over rows are kept for part of a row at a time."""
    offsets = list(product((-2, -1, 0, 1, 2), repeat=2))
    text = inputs(2) + comprehension(2, f"a1*({reads(offsets, ['1.0'] * len(offsets))})")
    u = np.random.default_rng(0).random((1100, 1100))
    expected = COEFFICIENTS["a1"] * sum(rolled(u, offset) for offset in offsets)
    result = diablo.compile(text)(n=1100, U=u, V=u, **COEFFICIENTS).to_numpy()
    np.testing.assert_allclose(result, expected, rtol=1e-12)


def test_neighbours_inside_ghost_cells(kernels: str) -> None:
    """The same sums without wrapping around: the outermost elements are left alone."""
    offsets = list(product((-1, 0, 1), repeat=2))
    terms = [f"U[i+{1 + a}-1,j+{1 + b}-1]" for a, b in offsets]
    text = inputs(2) + (
        "var R = tensor*(n,n)[ ((i,j), V[i,j]) | i <- 0..n-1, j <- 0..n-1 ];\n"
        f"for i = 1, n-2 do for j = 1, n-2 do R[i,j] = a0*({' + '.join(terms)});\nR"
    )
    for block in BLOCKS[kernels]:
        for n in (3, 8):
            u, v = np.random.default_rng(n).random((2, n, n))
            expected = v.copy()
            total = sum(rolled(u, offset) for offset in offsets)
            expected[1:-1, 1:-1] = COEFFICIENTS["a0"] * np.asarray(total)[1:-1, 1:-1]
            result = diablo.compile(text, block_size=block)(n=n, U=u, V=v, **COEFFICIENTS)
            np.testing.assert_allclose(result.to_numpy(), expected, rtol=1e-12)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("n", [1, 3, 8])
@pytest.mark.parametrize("block_size", [None, 2])
def test_an_element_beside_those_that_wrap_around(n: int, block_size: int | None) -> None:
    text = (
        "input n: Int; input A: matrix[Double]; var s = 0.5; for q = 0, 2 do"
        " s = 0.5*s - (+/[ 1.0*i | i <- 1..5, A[0,0] > A[i,(i+1)%n] ]); s"
    )
    given = np.random.default_rng(0).random((n, n))
    given[0, 0] = 0.6
    total = sum(i for i in range(1, min(n, 6)) if given[i, (i + 1) % n] < 0.6)
    expected = 0.5
    for _ in range(3):
        expected = 0.5 * expected - total
    assert diablo.compile(text, block_size=block_size)(n=n, A=given) == pytest.approx(expected)


WINDOW = "p <- -r..r, q <- -r..r"
AROUND = "A[(i+p+n)%n,(j+q+n)%n]"


@pytest.mark.parametrize("radius", [1, 3], ids=["written out", "loops or lookups"])
@pytest.mark.parametrize("block_size", [None, 3])
def test_windows_whose_points_count_on_a_condition(
    kernels: str, radius: int, block_size: int | None
) -> None:
    """As in the game of life: neither rows for all pairs of cells, nor a check of the index."""
    n = 7
    a = np.random.default_rng(radius).random((n, n))
    offsets = [(p, q) for p in range(-radius, radius + 1) for q in range(-radius, radius + 1)]
    shifted = np.stack([rolled(a, offset) for offset in offsets])
    others = [offset != (0, 0) for offset in offsets]
    ends = WINDOW.replace("r..", f"{radius}..").replace("..r", f"..{radius}")
    text = (
        "input A: matrix[Double]; var n = A.rows;"
        f"(tensor*(n,n)[ ((i,j), +/[ 1 | {ends}, p != 0 || q != 0, {AROUND} > 0.5 ])"
        " | i <- 0..n-1, j <- 0..n-1 ],"
        f" tensor*(n,n)[ ((i,j), max/[ {AROUND} | {ends}, {AROUND} < 0.6 ])"
        " | i <- 0..n-1, j <- 0..n-1 ]);"
    )
    counts, largest = diablo.compile(text, block_size=block_size)(A=a)
    np.testing.assert_array_equal(counts.to_numpy(), (shifted[others] > 0.5).sum(axis=0))
    expected = np.where(shifted < 0.6, shifted, -np.inf).max(axis=0)
    np.testing.assert_array_equal(largest.to_numpy(), expected)
