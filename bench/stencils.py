"""The stencils of a multigrid cycle against NumPy slices by hand, in one run.

    python bench/stencils.py [--sizes 64 128 256] [--repeats 7] [--kernels] [-o JSON] [NAME …]

`resid` is v - A u and `psinv` u + S r, each with one coefficient per distance of 27 points;
`rprj3` takes every other point from 27 around it. All are periodic. The bandwidth is that of
what must move at least (each array once), as a fraction of what `triad`, a + s * b, moves.
With `--kernels` the time is that of the machine code alone, on arrays that are there already.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import diablo
from diablo.runtime.kernels import compiled
from diablo.runtime.native import work_seen

Array = np.ndarray[Any, np.dtype[np.float64]]
A = [-8.0 / 3.0, 0.0, 1.0 / 6.0, 1.0 / 12.0]
S = [-3.0 / 8.0, 1.0 / 32.0, -1.0 / 64.0, 0.0]
P = [0.5, 0.25, 0.125, 0.0625]
OFFSETS = list(product((-1, 0, 1), repeat=3))
INPUTS = "input n: Int;\ninput U: array3[Double];\ninput V: array3[Double];\n" + "".join(
    f"input a{k}: Double;\n" for k in range(4)
)


def _stencil(array: str, place: Callable[[str, int], str]) -> str:
    """The text of 27 elements, grouped by their distance."""
    groups: list[str] = []
    for distance in range(4):
        reads = [
            f"{array}[{','.join(place(x, d) for x, d in zip('ijk', offset, strict=True))}]"
            for offset in OFFSETS
            if sum(map(abs, offset)) == distance
        ]
        groups.append(f"a{distance}*({' + '.join(reads)})")
    return " + ".join(groups)


def _beside(name: str, offset: int) -> str:
    return {0: name, 1: f"({name}+1)%n", -1: f"({name}+n-1)%n"}[offset]


def _around(name: str, offset: int) -> str:
    return f"(2*{name}+{1 + offset})%n"


_ALL = "tensor*(n,n,n)[ ((i,j,k), {}) | i <- 0..n-1, j <- 0..n-1, k <- 0..n-1 ]"
_HALF = "tensor*(n/2,n/2,n/2)[ ((i,j,k), {}) | i <- 0..n/2-1, j <- 0..n/2-1, k <- 0..n/2-1 ]"
PROGRAMS = {
    "triad": INPUTS + _ALL.format("V[i,j,k] + a0*U[i,j,k]"),
    "resid": INPUTS + _ALL.format(f"V[i,j,k] - ({_stencil('U', _beside)})"),
    "psinv": INPUTS + _ALL.format(f"V[i,j,k] + ({_stencil('U', _beside)})"),
    "rprj3": INPUTS + _HALF.format(_stencil("U", _around)),
}
COEFFICIENTS = {"triad": A, "resid": A, "psinv": S, "rprj3": P}


def _sums(u: Array, rows: slice, columns: slice) -> tuple[list[Array], ...]:
    """The point itself, the four beside it and the four across it, along the last axis."""

    def moved(s: slice, by: int) -> slice:
        return slice((s.start or 0) + by, (s.stop or 0) + by, s.step)

    def part(di: int, dj: int) -> Array:
        return u[moved(rows, di), moved(columns, dj)]

    beside = part(-1, 0) + part(1, 0) + part(0, -1) + part(0, 1)
    across = part(-1, -1) + part(-1, 1) + part(1, -1) + part(1, 1)
    return [part(0, 0)], [beside], [across]


def by_hand(name: str, u: Array, v: Array) -> Array:
    """The same in NumPy: ghost cells around the array, sums over two axes used three times."""
    c = COEFFICIENTS[name]
    if name == "triad":
        return v + c[0] * u
    n = len(u)
    ghosts = np.pad(u, 1, mode="wrap")
    if name == "rprj3":
        every = slice(2, n + 1, 2)
        ((x0,), (x1,), (x2,)) = _sums(ghosts, every, every)
        low, mid, high = slice(1, n, 2), slice(2, n + 1, 2), slice(3, n + 2, 2)
    else:
        inner = slice(1, n + 1)
        ((x0,), (x1,), (x2,)) = _sums(ghosts, inner, inner)
        low, mid, high = slice(0, n), slice(1, n + 1), slice(2, n + 2)
    total = c[0] * x0[..., mid] + c[1] * (x0[..., low] + x0[..., high] + x1[..., mid])
    total += c[2] * (x2[..., mid] + x1[..., low] + x1[..., high])
    total += c[3] * (x2[..., low] + x2[..., high])
    if name == "rprj3":
        return total
    return v - total if name == "resid" else v + total


def _shortest(calls: list[Callable[[], Any]], repeats: int) -> list[float]:
    """The shortest time of each call, in milliseconds; they take turns."""
    times = [float("inf")] * len(calls)
    for _ in range(repeats):
        for k, call in enumerate(calls):
            start = perf_counter()
            call()
            times[k] = min(times[k], 1000 * (perf_counter() - start))
    return times


def _bytes_moved(name: str, n: int) -> int:
    """Return what must be read and written at least."""
    return 8 * (n**3 + (n // 2) ** 3) if name == "rprj3" else 3 * 8 * n**3


def _kernel_call(name: str, inputs: dict[str, Any]) -> Callable[[], Any]:
    """A call of the program's machine code alone, into an array that is there already."""
    calls: list[Callable[[], Any]] = []
    original = compiled.share

    def record(pieces: Any) -> None:
        if not calls:
            calls.append(lambda: original(pieces))
        original(pieces)

    compiled.share = record
    try:
        kept = diablo.compile(PROGRAMS[name])(**inputs)
    finally:
        compiled.share = original
    return lambda kept=kept: calls[0]()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--sizes", type=int, nargs="+", default=[64, 128, 256])
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--kernels", action="store_true")
    parser.add_argument("-o", dest="output", type=Path)
    options = parser.parse_args()
    work_seen.WORTH_COMPILING = 0
    wanted = options.names or [name for name in PROGRAMS if name != "triad"]
    programs = {name: diablo.compile(PROGRAMS[name]) for name in ("triad", *wanted)}
    rows: list[dict[str, Any]] = []
    print("stencil    size   program ms   by hand ms   ratio   of triad")
    for n in options.sizes:
        u, v = np.random.default_rng(n).random((2, n, n, n))
        speed = 0.0
        for name in ("triad", *wanted):
            inputs = {"n": n, "U": u, "V": v}
            inputs |= {f"a{k}": c for k, c in enumerate(COEFFICIENTS[name])}
            given = dict(inputs)
            result = programs[name](**given).to_numpy()
            np.testing.assert_allclose(result, by_hand(name, u, v), rtol=1e-9, atol=1e-11)
            del result
            call = (
                _kernel_call(name, given)
                if options.kernels
                else lambda given=given, name=name: programs[name](**given)
            )
            ours, numpys = _shortest(
                [call, lambda name=name, u=u, v=v: by_hand(name, u, v)], options.repeats
            )
            moved = _bytes_moved(name, n) / ours
            speed = speed or moved
            print(
                f"{name:10} {n:4} {ours:12.2f} {numpys:12.2f} {numpys / ours:7.1f} "
                f"{moved / speed:9.0%}",
                flush=True,
            )
            rows.append(
                {
                    "stencil": name,
                    "size": n,
                    "program_ms": ours,
                    "by_hand_ms": numpys,
                    "ratio": numpys / ours,
                    "of_triad": moved / speed,
                }
            )
    if options.output is not None:
        options.output.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
