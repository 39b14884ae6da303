"""Aggregates over strings in a row's value: pairs of strings some at a time, and no table of all.

[ (q, +/[ 1 | w <- W, w.startsWith(q.substring(0,2)) ]) | q <- Q ]
"""

from __future__ import annotations

from typing import Any

import pytest
from result_numbers import numbers, plain

import diablo
from diablo.diagnostics import Diagnostic, RunError, listening
from diablo.frontend.importer import import_program
from diablo.passes.interpreter import interpret
from diablo.runtime.rows import row_totals

INPUTS = """
input Q: list[(Int,String)];
input W: list[(String,Int)];
input V: vector[Double];
input n: Int;
monoid longest((Int,String)) = ((0,""), (x,y) =>
    if (x._1 > y._1 || (x._1 == y._1 && x._2 >= y._2)) x else y);
"""

PROGRAMS = {
    "prefix": "[ (q, +/[ 1 | (w,c) <- W, w.startsWith(q.substring(0,1)) ]) | (k,q) <- Q ]",
    "suffix": "[ (q, +/[ c | (w,c) <- W, q.endsWith(w) ]) | (k,q) <- Q ]",
    "contains": "[ (q, ||/[ w.contains(q) | (w,c) <- W, c != k ]) | (k,q) <- Q ]",
    "order": "[ (q, max/[ c | (w,c) <- W, w < q ], min/[ c | (w,c) <- W, w >= q ]) | (k,q) <- Q ]",
    "difference": "[ (q, +/[ c | (w,c) <- W, w != q, c > k ]) | (k,q) <- Q ]",
    "length": "[ (q, +/[ w.length*k | (w,c) <- W, w.length > q.length ]) | (k,q) <- Q ]",
    "made": '[ (q, +/[ (w+q).length + (q+w).indexOf("b") | (w,c) <- W ]) | (k,q) <- Q ]',
    "case": "[ (q, &&/[ w.toLower() <= q.toUpper() | (w,c) <- W, c*k != 2 ]) | (k,q) <- Q ]",
    "characters": '[ (q, +/[ 1 | (w,c) <- W, w != "", q != "", w.charAt(0) == q.charAt(0) ])'
    " | (k,q) <- Q ]",
    "greatest": "[ (q, max/[ w | (w,c) <- W, w < q ], min/[ w+q | (w,c) <- W ]) | (k,q) <- Q ]",
    "of the program": "[ (q, longest/[ (c, w) | (w,c) <- W, !q.contains(w) ]) | (k,q) <- Q ]",
    "branch": "[ (q, +/[ if (w < q) 1.5 else if (c > 1) V[c % 3] else 0.5 | (w,c) <- W ]) "
    "| (k,q) <- Q ]",
    "nested": "[ (q, +/[ c * max/[ d | (v,d) <- W, v + w > q ] | (w,c) <- W, w < q ]) "
    "| (k,q) <- Q ]",
    "ranges": '[ (q, +/[ i | i <- 0..k, (q + "x").length > i ]) | (k,q) <- Q ]',
    "one range": "[ (q, +/[ i*k | i <- 1..n, q.length != i ]) | (k,q) <- Q ]",
    "two lists": "[ (q, +/[ c | (w,c) <- W, (j,p) <- Q, w < p, p <= q ]) | (k,q) <- Q ]",
    "constant": '[ (q, +/[ c | (w,c) <- W, q.startsWith("a"), w.contains("b") ]) | (k,q) <- Q ]',
    "in a guard": "[ (k,q) | (k,q) <- Q, +/[ 1 | (w,c) <- W, q.contains(w) ] > 1 ]",
    "of a row": "[ (i, +/[ c | (w,c) <- W, w > toString(i) ]) | (i,v) <- V ]",
    "values": "[ (q, +/[ if (w <= q) c else k | (w,c) <- W ], ||/[ w == q | (w,c) <- W ], "
    "&&/[ q.startsWith(w) || w.endsWith(q) || w > q | (w,c) <- W ]) | (k,q) <- Q ]",
    "places": "[ (q, +/[ w.indexOf(q) + 3*q.indexOf(w) | (w,c) <- W ]) | (k,q) <- Q ]",
    "in a branch": "[ (q, if (k > 1) +/[ c | (w,c) <- W, w < q ] else 7) | (k,q) <- Q ]",
}

_Q = [(1, "ab"), (3, "b"), (0, "äb"), (2, "abc"), (2, ""), (4, "zz\0")]
_W = [("abc", 2), ("b", 1), ("äbä", 3), ("", 5), ("a", 1), ("bab", -4), ("zz", 0)]
CASES: dict[str, dict[str, Any]] = {
    "some": {"Q": [q for q in _Q if q[1]], "W": _W},
    "no inner rows": {"Q": _Q, "W": []},
    "no outer rows": {"Q": [], "W": _W},
}


# What differs on Spark is that rows are sent to workers.
@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("options", "case", "mode", "chunk"),
    [
        *[({}, case, mode, 3) for case in CASES for mode in ("always", "never")],
        ({}, "some", "auto", 1 << 17),
        ({"block_size": 2}, "some", "always", 1 << 17),
        pytest.param(
            {"engine": "spark", "master": "local[2]", "block_size": 2},
            "some",
            "auto",
            1 << 17,
            marks=pytest.mark.spark,
        ),
    ],
)
def test_aggregates_are_those_of_the_interpreter(
    options: dict[str, Any], case: str, mode: str, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    monkeypatch.setattr(row_totals, "CHUNK_ELEMENTS", chunk)
    text = f"{INPUTS}({', '.join(PROGRAMS.values())})"
    inputs = {**CASES[case], "V": [0.5, 1.25, -2.0], "n": 40}
    wanted = interpret(import_program(text, "program.diablo"), inputs)
    found = diablo.compile(text, **options)(**inputs)
    for name, want, got in zip(PROGRAMS, wanted, found, strict=True):
        assert list(numbers(plain(got))) == list(numbers(plain(want))), name


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_table_of_pairs_is_made(name: str) -> None:
    said: list[Diagnostic] = []
    with listening(said.append):
        diablo.compile(f"{INPUTS}{PROGRAMS[name]}")(**CASES["some"], V=[0.5, 1.25, -2.0], n=40)
    nested = [d.message for d in said if d.message.startswith("nested: ")]
    assert nested
    assert set(nested) == {"nested: computed in loops for each row, without pairs of rows"}


def test_a_string_that_is_too_short_fails_where_there_is_a_pair() -> None:
    text = INPUTS + PROGRAMS["prefix"]
    program = diablo.compile(text)
    with pytest.raises(RunError, match="substring"):
        program(Q=_Q, W=_W, V=[0.0], n=0)
    assert [count for _, count in program(Q=_Q, W=[], V=[0.0], n=0)] == [0] * len(_Q)


def test_what_may_fail_in_a_loop_within_another_one_starts_from_rows() -> None:
    text = (
        "[ (q, +/[ 1 | (w,c) <- W, (v,d) <- W, c < d, w.substring(0,c) == q.substring(0,d) ])"
        " | (k,q) <- Q ]"
    )
    said: list[Diagnostic] = []
    with listening(said.append):
        diablo.compile(INPUTS + text)(Q=[(1, "abc")], W=[("a", 0), ("b", 1)], V=[0.0], n=0)
    why = "a function of strings, or what reads a list, may fail in inner loops"
    assert any(d.message.endswith(why) for d in said)
