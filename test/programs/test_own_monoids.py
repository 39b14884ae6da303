"""Reductions with monoids that programs define, and of tuples: as machine code and in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import diablo
from diablo.runtime.rows import compiled_rows
from fuzzing.trial import DEFAULT, Trial, Way

RANDOM = np.random.default_rng(11)
FIRST = "monoid first((Double,Int)) = ((inf,-1), (x,y) => if (x._1 <= y._1) x else y);"
FAR = "monoid far(Double) = (0.0, (x,y) => if (abs(x) >= abs(y)) x else y);"
BOTH = "monoid both((Double,Int)) = ((0.0,0), (x,y) => (x._1 + y._1, x._2 + y._2));"
V = RANDOM.integers(-900, 900, 4001) * 0.25
W = RANDOM.integers(-900, 900, 4001) * 0.25
A = RANDOM.integers(-9, 9, (61, 67)) * 0.5
K = RANDOM.integers(-100, 100, 4001)


@pytest.fixture(autouse=True, params=[("always", 1), ("always", 2), ("always", 3), ("never", 1)])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    mode, threads = request.param
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    monkeypatch.setenv("DIABLO_THREADS", str(threads))


def at(index: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(i) for i in np.unravel_index(index, shape))


PROGRAMS: dict[str, tuple[str, dict[str, Any], Any]] = {
    "argmin": ("argmin(V)", {"V": V}, V.argmin()),
    "argmax of a matrix": ("argmax(A)", {"A": A}, at(A.argmax(), A.shape)),
    "argmax of an expression": (
        "argmax((V-W)*(V-W))",
        {"V": V, "W": W},
        ((V - W) ** 2).argmax(),
    ),
    "with a guard": (
        "argmin/[ (i,v) | (i,v) <- V, v > 0.5 ]",
        {"V": V},
        np.where(V > 0.5, V, np.inf).argmin(),
    ),
    "of each row": (
        "tensor(A.rows)[ (i, argmin/r) | ((i,j),a) <- A, let r = (j,a), group by i ]",
        {"A": A},
        A.argmin(1),
    ),
    "of each column": (
        "tensor(A.cols)[ (j, argmax/r) | ((i,j),a) <- A, let r = (i,a), group by j ]",
        {"A": A},
        A.argmax(0),
    ),
    "of each row, for an index": (
        "tensor(A.rows)[ (i, argmin/[ (j, A[i,j]) | j <- 0 .. A.cols-1 ]) | i <- 0 .. A.rows-1 ]",
        {"A": A},
        A.argmin(1),
    ),
    "of few elements of each row": (
        """tensor(A.rows)[ (i, argmax/[ (j,a) | ((ii,j),a) <- A, ii == i, a < 0.5*i - 4.5 ])
                         | i <- 0 .. A.rows-1 ]""",
        {"A": A},
        np.where(
            (below := 0.5 * np.arange(61)[:, None] - 4.5 > A).any(1),
            np.where(below, A, -np.inf).argmax(1),
            0,
        ),
    ),
    "the least of each column": (
        """tensor(A.cols)[ (j, min/[ a | ((i,jj),a) <- A, jj == j, a > 0.25*j ])
                         | j <- 0 .. A.cols-1 ]""",
        {"A": A},
        np.where(0.25 * np.arange(67) < A, A, np.inf).min(0),
    ),
    "several": (
        "(argmin(V), argmax(V), min(V), max(V), sum(V))",
        {"V": V},
        (V.argmin(), V.argmax(), V.min(), V.max(), V.sum()),
    ),
    "the program's own, of ties the first": (
        f"{FIRST} first/[ (abs(v - 1.0), i) | (i,v) <- V ]",
        {"V": V},
        (np.abs(V - 1).min(), np.abs(V - 1).argmin()),
    ),
    "of numbers": (f"{FAR} far/[ v | (i,v) <- V ]", {"V": V}, V[np.abs(V).argmax()]),
    "sums in pairs": (f"{BOTH} both/[ (v,k) | (i,v) <- V, (j,k) <- K, i == j ]",
                      {"V": V, "K": K}, (V.sum(), K.sum())),
    "in a loop": (
        f"{FIRST} var best = (3.0, -7); for (i,v) in V do best first= (v,i); best",
        {"V": V},
        (V.min(), V.argmin()),
    ),
    "kept in a loop": (
        "var best = inf; var which = -1;"
        "for i = 0, V.length-1 do if (V[i] < best) { best = V[i]; which = i; }; (best, which)",
        {"V": V},
        (V.min(), V.argmin()),
    ),
    "into an array of tuples": (
        f"""{FIRST} var D = tensor(A.rows)[ (i,(2.0*i,-i)) | i <- 0 .. A.rows-1 ];
        for ((i,j),a) in A do D[i] first= (a,j);
        (tensor(A.rows)[ (i,d._1) | (i,d) <- D ], tensor(A.rows)[ (i,d._2) | (i,d) <- D ])""",
        {"A": A},
        (
            np.minimum(2.0 * np.arange(61), A.min(1)),
            np.where(2.0 * np.arange(61) <= A.min(1), -np.arange(61), A.argmin(1)),
        ),
    ),
}  # fmt: skip
TYPES = {"V": "vector[Double]", "W": "vector[Double]", "A": "matrix[Double]", "K": "vector[Int]"}


@pytest.mark.sampled(72)
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("block_size", [None, 17])
def test_the_same_as_numpy(name: str, block_size: int | None):
    text, values, expected = PROGRAMS[name]
    inputs = "".join(f"input {name}: {TYPES[name]}; " for name in values)
    found = diablo.compile(inputs + text, block_size=block_size)(**values)
    found = found if isinstance(expected, tuple) else (found,)
    expected = expected if isinstance(expected, tuple) else (expected,)
    for value, wanted in zip(found, expected, strict=True):
        np.testing.assert_array_equal(value, wanted)


def test_nan_and_ties():
    run = diablo.compile("input V: vector[Double]; (argmin(V), argmax(V))")
    values = np.zeros(1001)
    assert run(V=values) == (0, 0)
    values[500:] = -0.0
    assert run(V=values) == (0, 0)
    values[[400, 700]] = np.nan
    values[900] = -np.inf
    assert run(V=values) == (400, 400)
    assert run(V=np.full(1001, np.inf)) == (0, 0)
    assert run(V=np.full(1001, -np.inf)) == (0, 0)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", ["Int8", "UInt8", "Int16", "Int32", "UInt64", "Int", "Float"])
def test_every_type_of_numbers(name: str):
    dtype = {"Int": "int64", "Float": "float32"}.get(name, name.lower())
    values = RANDOM.integers(3, 120, 1001).astype(dtype)
    values[[100, 200]] = values.max() + 1
    values[[777, 800]] = 0
    run = diablo.compile(f"input V: vector[{name}]; (argmin(V), argmax(V))")
    assert run(V=values) == (777, 100)


def test_of_nothing():
    text = f"input V: vector[Double]; {FIRST} {FAR} "
    text += "(first/[ (v,i) | (i,v) <- V ], far/[ v | (i,v) <- V ])"
    assert diablo.compile(text)(V=np.zeros(0)) == ((np.inf, -1), 0.0)
    rows = "input A: matrix[Double]; "
    rows += "tensor(3)[ (i, argmin/r) | ((i,j),a) <- A, let r = (j,a), group by i ]"
    np.testing.assert_array_equal(diablo.compile(rows)(A=np.zeros((3, 0))), np.zeros(3))


def test_machine_code_is_what_runs(monkeypatch: pytest.MonkeyPatch):
    from diablo.runtime.kernels.compiled import CompiledKernel
    from diablo.runtime.native.compile_mode import compile_mode

    calls: list[bool] = []
    original = CompiledKernel.__call__

    def noting(self: CompiledKernel, *arguments: Any) -> Any:
        result = original(self, *arguments)
        calls.append(self._entry is not None)
        return result

    monkeypatch.setattr(CompiledKernel, "__call__", noting)
    diablo.compile(f"input V: vector[Double]; {FIRST} first/[ (v,i) | (i,v) <- V ]")(V=V)
    assert calls == [compile_mode() == "always"]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ["argmin", "of each row", "with a guard", "sums in pairs"])
def test_as_the_interpreter_says(name: str):
    text, values, _ = PROGRAMS[name]
    inputs = "".join(f"input {name}: {TYPES[name]}; " for name in values)
    small = {key: value[:9] if value.ndim == 1 else value[:4, :5] for key, value in values.items()}
    outcome = Trial(inputs + text, small).run([DEFAULT, Way(compile="always")])
    assert outcome.verdict == "same", outcome


GROUPS = {
    "tuples": (FIRST, "[ (k, first/p) | (k,v) <- L, let p = (v,k*k), group by k: k % 7 ]"),
    "one of several": (
        BOTH,
        "[ (k, +/v, both/p, max/v) | (k,v) <- L, let p = (v,1), group by k: k % 7 ]",
    ),
    "numbers": (FAR, "[ (k, far/v) | (k,v) <- L, v != 0.5, group by k ]"),
    "keys of strings and floats": (
        FAR,
        '[ (s, x, far/v) | (k,v) <- L, group by (s,x): ("a" + (k % 3), v) ]',
    ),
    "a part": (BOTH, "[ (k, b._1/b._2) | (k,v) <- L, let p = (v,1), group by k, let b = both/p ]"),
    "no rows": (BOTH, "[ (k, both/p) | (k,v) <- L, v > 1e9, let p = (v,1), group by k ]"),
}


@pytest.mark.parametrize("name", GROUPS)
def test_groups(name: str) -> None:
    monoid, program = GROUPS[name]
    rows = [(int(k), float(v)) for k, v in zip(K[:60], V[:60], strict=True)]
    for given in ([], rows[:1], rows):
        trial = Trial(f"{monoid} input L: list[(Int,Double)]; {program}", {"L": given})
        outcome = trial.run([DEFAULT, Way(whole=True, block_sizes=(None,))])
        assert outcome.verdict == "same", (name, str(outcome))


def test_groups_of_many_rows() -> None:
    """Threads that cannot combine what they made take some of the keys each."""
    count = 400_000
    keys, values = RANDOM.integers(0, 5000, count), RANDOM.integers(0, 999, count) * 0.5
    program = diablo.compile(
        f"{FIRST} input L: list[(Int,Double)]; "
        "[ (k, n.length, f._1) "
        "| (k,v) <- L, let n = v, let p = (v,k), group by k, let f = first/p ]"
    )
    for kept in (keys, keys % 3):
        k, n, least = program(L=(kept, values)).to_numpy()
        order = np.argsort(k)
        wanted = np.full(int(kept.max()) + 1, np.inf)
        np.minimum.at(wanted, kept, values)
        np.testing.assert_array_equal(k[order], np.unique(kept))
        np.testing.assert_array_equal(n[order], np.unique(kept, return_counts=True)[1])
        np.testing.assert_array_equal(least[order], wanted[k[order]])


def test_groups_are_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    made: list[str] = []
    run = compiled_rows._run  # pyright: ignore[reportPrivateUsage]

    def recorded(signature: Any, *arguments: Any) -> Any:
        made.extend(map(str, signature.outputs))
        return run(signature, *arguments)

    monkeypatch.setattr(compiled_rows, "_run", recorded)
    program = "[ (k, both/p, max/v) | (k,v) <- L, let p = (v,1), group by k ]"
    diablo.compile(f"{BOTH} input L: list[(Int,Double)]; {program}")(L=(K, V))
    assert "groups(i64;f64&i64:own,f64:max)" in made
