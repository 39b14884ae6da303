"""Updates of dense arrays in bands: at the band's indices alone, in the array's own memory."""

from __future__ import annotations

import numpy as np
import pytest

import diablo

N = 8
BLOCKS = [None, 1, 3, 7]
BEGIN = """
    input n: Int; input D: matrix[Double]; input v: vector[Double];
    region R = (0..n-1, 0..n-1);
    region Band = R where (i,j) => abs(i-j) < 2;
    var E = 0.5*D;
"""
D = np.arange(1.0, N * N + 1).reshape(N, N)
V = np.linspace(1.0, 2.0, N)
ROWS, COLUMNS = np.indices((N, N))
BAND, UPPER = abs(ROWS - COLUMNS) < 2, ROWS <= COLUMNS


def compiled(body: str, block: int | None = None) -> tuple[diablo.Program, np.ndarray]:
    program = diablo.compile(BEGIN + body + "\nE", block_size=block)
    return program, program(n=N, D=2.0 * D, v=V).to_numpy()


UPDATES = {
    "region": ("for (i,j) in Band do E[i,j] = 2.0*E[i,j] + v[j];", BAND),
    "ranges": ("for i = 0, n-1 do for j = i-1, i+1 do E[i,j] = 2.0*E[i,j] + v[j];", BAND),
    "triangle": ("for i = 0, n-1 do for j = i, n-1 do E[i,j] = 2.0*E[i,j] + v[j];", UPPER),
    "several": ("for i = 0, n-1 do for j = i, n-1 do { E[i,j] *= 2.0; E[i,j] += v[j]; };", UPPER),
}


@pytest.mark.sampled(8)
@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("name", UPDATES)
def test_updates_in_bands(name: str, block: int | None) -> None:
    statement, where = UPDATES[name]
    _, once = compiled(statement, block)
    np.testing.assert_allclose(once, np.where(where, 2.0 * D + V, D))
    loop = f"var k = 0; while (k < 3) {{ k += 1; {statement} }};"
    _, often = compiled(loop, block)
    np.testing.assert_allclose(often, np.where(where, 8.0 * D + 7.0 * V, D))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["region", "ranges"])
def test_the_band_alone_is_visited(name: str) -> None:
    """No list of all elements of E is made, and E is not copied."""
    program, _ = compiled(f"var k = 0; while (k < 3) {{ k += 1; {UPDATES[name][0]} }};")
    assert "tensor_block.to_bag %E" not in program.ir("spark")
    plan = program.explain()
    assert "computed in the memory of E: it dies here" in plan
    how = "computed where Band stores elements" if name == "region" else "tensor_block.lookup"
    assert how in plan


def test_an_array_that_is_read_later_is_copied() -> None:
    _, found = compiled("var F = E; for (i,j) in Band do E[i,j] += 1.0; E = E + F;")
    np.testing.assert_allclose(found, 2.0 * D + BAND)
