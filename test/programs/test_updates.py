"""Updates written as assignments, against the same loops run one iteration after the other."""

from __future__ import annotations

import operator
from collections.abc import Callable, MutableMapping
from functools import reduce
from typing import Any

import numpy as np
import pytest

import diablo

BLOCKS = [None, 2]
V = np.array([3.0, -1.0, 4.0, -1.0, 5.0, 4.0])
W = np.array([2, 0, 1, 2, 2, 5])
M = np.array([[1.0, 2.0, 0.0], [-3.0, 0.5, 4.0], [2.0, 1.0, -2.0]])
L = ["b", "a", "b", "c", "b"]

BEGIN = """
    input V: vector[Double];
    input W: vector[Int];
    input M: matrix[Double];
    input L: list[String];
    monoid least((Double,Int)) = ((inf,-1), (x,y) =>
        if (y._1 < x._1 || y._1 == x._1 && y._2 < x._2) y else x);
    var n = V.length; var m = M.rows;
    var d = 1.0; var k = 7; var holds = true; var found = false; var best = (inf,-1);
    var t = (1.0, 2); var r = <a = 1.0, b = 2.0>;
    var A = tensor*(n)[ (i, 1.0*i) | i <- 0..n-1 ];
    var P = tensor*(n)[ (i, (1.0*i,i)) | i <- 0..n-1 ];
    var R = tensor*(m,m)[ ((i,j), 1.0) | i <- 0..m-1, j <- 0..m-1 ];
    var S = tensor*()(m,m)[ ((i,i), 2.0) | i <- 0..m-1 ];
    var B = tensor*(n)[ (i,i) | i <- 0..n-1 ]; var word = "~";
    var counts: map[String,Int] = map();
    var E: map[Int,Double] = map(); var F: map[Int,Int] = map();
    var T: map[Int,(Int,Double)] = map();
"""
Variables = MutableMapping[str, Any]
Loop = Callable[[Variables], None]


def over(values: Any, step: Callable[[Variables, Any, Any], None]) -> Loop:
    """Run `step` for each index and element, in order."""

    def run(v: Variables) -> None:
        for index, value in np.ndenumerate(values):
            step(v, index if len(index) > 1 else index[0], value)

    return run


def scalar(name: str, function: Callable[[Any, Any, Any], Any]) -> Loop:
    """`name = function(name, i, v)` for each element v of V."""

    def step(v: Variables, i: int, value: float) -> None:
        v[name] = function(v[name], i, value)

    return over(V, step)


def element(name: str, place: Callable[[int], Any], function: Callable[[Any, int], Any]) -> Loop:
    """`name[place(i)] = function(name[place(i)], i)` for each index of V."""

    def step(v: Variables, i: int, value: float) -> None:
        v[name][place(i)] = function(v[name][place(i)], i)

    return over(V, step)


def product(v: Variables) -> None:
    for i, j, k in np.ndindex(3, 3, 3):
        v["R"][i, j] = v["R"][i, j] + M[i, k] * M[k, j]


def into_sparse(v: Variables) -> None:
    for i, j, k in np.ndindex(3, 3, 3):
        if i != j:
            v["S"][i, j] = v["S"][i, j] + M[i, k] * M[k, j]


def words(v: Variables) -> None:
    for word in L:
        v["counts"][word] = v["counts"].get(word, 0) + 1


def rows(v: Variables) -> None:
    for i in range(3):
        total = 0.0
        for j in range(3):
            total = total + M[i, j]
        v["A"][i] = v["A"][i] + total


def first_backwards(v: Variables) -> None:
    for i in range(3):
        for j in reversed(range(3)):
            if M[i, j] ** 2 > v["d"]:
                v["d"] = M[i, j] ** 2
                v["t"] = (v["t"][0], 3 * i + j)


def least_of_groups(v: Variables) -> None:
    for i in range(6):
        if v["A"][W[i]] > V[i]:
            v["A"][W[i]] = V[i]
            v["B"][W[i]] = i


def least_of_keys(v: Variables) -> None:
    for i in range(6):
        if V[i] <= v["E"].get(W[i], np.inf):
            v["E"][int(W[i])], v["F"][int(W[i])] = V[i], i


def greatest_pairs_of_keys(v: Variables) -> None:
    for i in range(6):
        if V[i] > v["T"].get(W[i], (0, -np.inf))[1]:
            v["T"][int(W[i])] = (i, V[i])


def greatest_parts(v: Variables) -> None:
    for i in range(6):
        if V[i] > v["P"][W[i]][0] and i != 4:
            v["P"][W[i]] = (V[i], 10 * i)


def least_of_columns(v: Variables) -> None:
    for i in range(3):
        least, at = float("inf"), 0
        for j in range(3):
            if M[j, i] <= least:
                at, least = j, M[j, i]
        v["A"][i], v["B"][i] = least, at


FOR = "for (i,v) in V do"
PROGRAMS: dict[str, tuple[str, Loop]] = {
    "a sum": (f"{FOR} d = d + v;", scalar("d", lambda d, i, v: d + v)),
    "from the left": (f"{FOR} d = v + d;", scalar("d", lambda d, i, v: v + d)),
    "a difference": (f"{FOR} d = d - v*v;", scalar("d", lambda d, i, v: d - v * v)),
    "a chain": (f"{FOR} d = v + (d - i) - 2;", scalar("d", lambda d, i, v: v + (d - i) - 2)),
    "subtracted twice": (f"{FOR} d = i - (v - d);", scalar("d", lambda d, i, v: i - (v - d))),
    "integers": (f"{FOR} k = 3*i + k - 1;", scalar("k", lambda k, i, v: 3 * i + k - 1)),
    "a product": (f"{FOR} d = d * v * 2;", scalar("d", lambda d, i, v: d * v * 2)),
    "a minimum": (f"{FOR} d = min(v, d);", scalar("d", lambda d, i, v: min(v, d))),
    "a maximum of three": (
        f"{FOR} d = max(max(v, d), i);",
        scalar("d", lambda d, i, v: max(v, d, float(i))),
    ),
    "all": (
        f"{FOR} holds = holds && v > 0.0 && i < 5;",
        scalar("holds", lambda h, i, v: bool(h and v > 0 and i < 5)),
    ),
    "any": (
        f"{FOR} found = v > 4.5 || found;",
        scalar("found", lambda f, i, v: bool(v > 4.5 or f)),
    ),
    "a monoid of the program": (
        f"{FOR} best = least((v,i), best);",
        scalar("best", lambda b, i, v: min(b, (v, i))),
    ),
    "under a test": (
        f"{FOR} if (v > 0.0) d = d + v;",
        scalar("d", lambda d, i, v: d + v if v > 0 else d),
    ),
    "the least": (
        f"{FOR} if (v < d) d = v;",
        scalar("d", lambda d, i, v: v if v < d else d),
    ),
    "the greatest under a test": (
        f"{FOR} if (i != 4 && d <= v && i < 5) {{ d = v; }}",
        scalar("d", lambda d, i, v: v if i != 4 and d <= v and i < 5 else d),
    ),
    "the least of integers": (
        "for (i,w) in W do if (k > w) k = w;",
        over(W, lambda v, i, w: v.update(k=min(v["k"], int(w)))),
    ),
    "a choice": (
        f"{FOR} d = if (v > 0.0) d + v else d - 1.0;",
        scalar("d", lambda d, i, v: d + v if v > 0 else d - 1.0),
    ),
    "a choice to leave it": (
        f"{FOR} d = if (v > 0.0 || i < 2) d else v * d;",
        scalar("d", lambda d, i, v: d if v > 0 or i < 2 else v * d),
    ),
    "a choice of the least": (
        f"{FOR} d = if (v < d) v else d;",
        scalar("d", lambda d, i, v: v if v < d else d),
    ),
    "flags": (
        f"{FOR} {{ if (v == 4.0) found = true; if (v < 0.0) holds = false; }}",
        lambda v: v.update(found=True, holds=False),
    ),
    "the least of groups": (
        "for i = 0, n-1 do if (V[i] < A[W[i]]) A[W[i]] = V[i];",
        element("A", lambda i: W[i], lambda a, i: min(a, V[i])),
    ),
    "the least and its place": (
        f"{FOR} if (v < d) {{ d = v; k = i; }}",
        over(V, lambda v, i, x: v.update(d=x, k=i) if x < v["d"] else None),
    ),
    "the last of the greatest": (
        f"{FOR} if (d <= v && i < 5) {{ t = (v,i); k = i; d = v; }}",
        over(V, lambda v, i, x: v.update(d=x, k=i, t=(x, i)) if v["d"] <= x and i < 5 else None),
    ),
    "the first of a matrix, backwards": (
        "for i = 0, m-1 do for j = m-1, 0, -1 do if (M[i,j]*M[i,j] > d) "
        "{ d = M[i,j]*M[i,j]; t#2 = m*i + j; }",
        first_backwards,
    ),
    "the least of words": (
        "for w in L do if (w < word) { word = w; k = w.length; }",
        over(np.array(L), lambda v, i, w: v.update(word=str(w), k=1) if w < v["word"] else None),
    ),
    "places of the least of groups": (
        "for i = 0, n-1 do if (A[W[i]] > V[i]) { A[W[i]] = V[i]; B[W[i]] = i; }",
        least_of_groups,
    ),
    "places of the least of keys": (
        "for i = 0, n-1 do if (V[i] <= E[W[i]]) { F[W[i]] = i; E[W[i]] = V[i]; }",
        least_of_keys,
    ),
    "pairs with the greatest of keys": (
        "for i = 0, n-1 do if (T[W[i]]#2 < V[i]) T[W[i]] = (i, V[i]);",
        greatest_pairs_of_keys,
    ),
    "parts of pairs with the greatest": (
        "for i = 0, n-1 do if (V[i] > P[W[i]]#1 && i != 4) { P[W[i]]#2 = 10*i; P[W[i]]#1 = V[i]; }",
        greatest_parts,
    ),
    "pairs with the greatest": (
        "for i = 0, n-1 do if (V[i] > P[W[i]]#1 && i != 4) P[W[i]] = (V[i], 10*i);",
        greatest_parts,
    ),
    "a pair with the least": (
        f"{FOR} if (v < t#1) t = (v,i);",
        scalar("t", lambda t, i, v: (v, i) if v < t[0] else t),
    ),
    "a record with the greatest": (
        f"{FOR} if (v >= r.a) r = <a = v, b = 2.0*i>;",
        scalar("r", lambda r, i, v: (v, 2.0 * i) if v >= r[0] else r),
    ),
    "the least of each iteration": (
        "for i = 0, m-1 do { var least = inf; var at = 0;"
        " for j = 0, m-1 do if (M[j,i] <= least) { at = j; least = M[j,i]; };"
        " A[i] = least; B[i] = at; };",
        least_of_columns,
    ),
    "other operators": (
        f"d := 8.0; d /= 2.0; k %= 4; {FOR} d -= v; for i := 0, n-1 do A[i] /= 4.0;",
        lambda v: v.update(d=4 - V.sum(), k=3, A=np.arange(6.0) / 4),
    ),
    "a part of a tuple": (
        f"{FOR} {{ t#1 = t#1 + v; t#2 = t#2 + 1; }}",
        scalar("t", lambda t, i, v: (t[0] + v, t[1] + 1)),
    ),
    "a part from another": (
        f"{FOR} r.a = r.a + r.b*v;",
        scalar("r", lambda r, i, v: (r[0] + r[1] * v, r[1])),
    ),
    "elements": (
        "for i = 0, n-1 do A[W[i]] = A[W[i]] + V[i];",
        element("A", lambda i: W[i], lambda a, i: a + V[i]),
    ),
    "each element once": (
        "for i = 0, n-1 do A[i] = A[i]*2.0;",
        element("A", lambda i: i, lambda a, i: a * 2.0),
    ),
    "one element": (
        "for i = 0, n-1 do A[2] = max(A[2], V[i]);",
        element("A", lambda i: 2, lambda a, i: max(a, V[i])),
    ),
    "a part of an element": (
        "for i = 0, n-1 do P[W[i]]#2 = i + P[W[i]]#2;",
        element("P", lambda i: W[i], lambda p, i: (p[0], i + p[1])),
    ),
    "a matrix product": (
        "for i = 0, m-1 do for j = 0, m-1 do for k = 0, m-1 do R[i,j] = R[i,j] + M[i,k]*M[k,j];",
        product,
    ),
    "into a sparse matrix": (
        "for i = 0, m-1 do for j = 0, m-1 do if (i != j) for k = 0, m-1 do"
        " S[i,j] = S[i,j] + M[i,k]*M[k,j];",
        into_sparse,
    ),
    "counts of words": ("for w in L do counts[w] = counts[w] + 1;", words),
    "a variable of the iteration": (
        "for i = 0, m-1 do { var s = 0.0; for j = 0, m-1 do s = s + M[i,j]; A[i] = A[i] + s; };",
        rows,
    ),
}
RESULT = "(d, k, holds, found, best, t, (r.a, r.b), A, P, R, S, counts, B, word, E, F, T)"


def plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    for name in ("to_dict", "to_list", "to_numpy"):
        if hasattr(value, name):
            return plain(getattr(value, name)())
    return value.tolist() if isinstance(value, np.ndarray) else value


def sequential(loop: Loop) -> Any:
    """Return what the variables hold after the loop."""
    state: Variables = {
        "d": 1.0,
        "k": 7,
        "holds": True,
        "found": False,
        "best": (float("inf"), -1),
        "t": (1.0, 2),
        "r": (1.0, 2.0),
        "A": np.arange(6.0),
        "P": [(1.0 * i, i) for i in range(6)],
        "R": np.ones((3, 3)),
        "S": 2.0 * np.eye(3),
        "counts": {},
        "B": np.arange(6),
        "word": "~",
        "E": {},
        "F": {},
        "T": {},
    }
    loop(state)
    return tuple(plain(value) for value in state.values())


@pytest.mark.sampled(64)
@pytest.mark.parametrize("block_size", BLOCKS)
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.filterwarnings("error")
def test_updates(name: str, block_size: int | None) -> None:
    text, loop = PROGRAMS[name]
    expected = sequential(loop)
    program = diablo.compile(BEGIN + text + RESULT, block_size=block_size)
    found = plain(program(V=V, W=W, M=M, L=L))
    for variable, (ours, theirs) in enumerate(zip(found, expected, strict=True)):
        if isinstance(theirs, list) and not isinstance(theirs[0], tuple):
            np.testing.assert_allclose(ours, theirs, err_msg=str(variable))
        elif isinstance(theirs, float):
            assert ours == pytest.approx(theirs)
        else:
            assert ours == theirs


@pytest.mark.filterwarnings("ignore:.*this writes d, written by a later iteration")
def test_branches_of_two_monoids() -> None:
    # Neither is the other's: the loop runs in order.
    program = diablo.compile(BEGIN + f"{FOR} if (v > 0.0) d = d + v else d = d * 2.0; d")
    expected = 1.0
    for v in V:
        expected = expected + v if v > 0 else expected * 2
    assert program(V=V, W=W, M=M, L=L) == pytest.approx(expected)


@pytest.mark.parametrize("block_size", BLOCKS)
def test_rounds_once_outside_of_loops(block_size: int | None) -> None:
    text = "input x: Double; var d = 0.1; d = d + x - 0.3; d = x*d*x; d"
    expected = 0.2 * (0.1 + 0.2 - 0.3) * 0.2
    assert diablo.compile(text, block_size=block_size)(x=0.2) == expected


def test_a_map_is_updated_where_it_has_no_value() -> None:
    text = "var M: map[Int,Int] = map(); M[1] = M[1] + 2; M[1] = M[1] * 5; M"
    assert dict(diablo.compile(text)().to_dict()) == {1: 10}


def test_many_updates_of_one_variable() -> None:
    # A tree of partial sums, whatever the number of rows.
    values = np.random.default_rng(0).integers(0, 9, 100_000)
    text = "input V: vector[Int]; var s = 1; for (i,v) in V do s = s + v; s"
    assert diablo.compile(text)(V=values) == reduce(operator.add, values.tolist(), 1)


@pytest.mark.parametrize("block_size", BLOCKS)
def test_what_is_no_number_is_never_less(block_size: int | None) -> None:
    text = "input V: vector[Double]; var d = 2.0; for (i,v) in V do if (v < d) d = v; d"
    program = diablo.compile(text, block_size=block_size)
    assert program(V=np.array([3.0, np.nan, 1.0, np.nan])) == 1.0
    assert program(V=np.array([np.nan, 3.0])) == 2.0
