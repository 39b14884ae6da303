"""Joins of which a test of strings leaves pairs: these are tested some at a time, and none is made.

[ (w,p) | w <- W, p <- P, w.startsWith(p) ]
"""

from __future__ import annotations

from typing import Any

import pytest
from result_numbers import numbers, plain

import diablo
from diablo.diagnostics import RunError
from diablo.frontend.importer import import_program
from diablo.passes.interpreter import interpret
from diablo.runtime.rows import row_totals

INPUTS = """
input W: list[(Int,String)];
input P: list[(String,Double)];
input L: list[(String,list[Int])];
input n: Int;
"""

PROGRAMS = {
    "prefix": "[ (w,p) | (k,w) <- W, (p,x) <- P, w.startsWith(p) ]",
    "prefix of the other": "[ (k,x) | (k,w) <- W, (p,x) <- P, p.startsWith(w) ]",
    "suffix": "[ (w,p,k,x) | (k,w) <- W, (p,x) <- P, w.endsWith(p) ]",
    "contains": "[ (w,x) | (k,w) <- W, (p,x) <- P, w.contains(p) ]",
    "order": "[ (w,p) | (k,w) <- W, (p,x) <- P, w < p ]",
    "order of the other": "[ (k,p) | (p,x) <- P, (k,w) <- W, p >= w ]",
    "difference": "[ (w,p) | (k,w) <- W, (p,x) <- P, w != p ]",
    "not": "[ (w,p) | (k,w) <- W, (p,x) <- P, !w.startsWith(p) ]",
    "either": "[ (w,p) | (k,w) <- W, (p,x) <- P, w.startsWith(p) || w.endsWith(p) || k > 2 ]",
    "with numbers": "[ (w,p) | (k,w) <- W, (p,x) <- P, w.contains(p), x*k > 1.0 ]",
    "lengths": "[ (w,p) | (k,w) <- W, (p,x) <- P, w.length == p.length + n ]",
    "made": '[ (w,p) | (k,w) <- W, (p,x) <- P, (w+p).contains("ba") ]',
    "cases": "[ (w,p) | (k,w) <- W, (p,x) <- P, w.toUpper() <= p.toLower() ]",
    "characters": '[ (w,p) | (k,w) <- W, (p,x) <- P, w != "" && p != "" && '
    "w.charAt(0) == p.charAt(p.length-1) ]",
    "branch": "[ (w,p) | (k,w) <- W, (p,x) <- P, if (k > 1) w < p else p.contains(w) ]",
    "three": "[ (w,p,v) | (k,w) <- W, (p,x) <- P, w.startsWith(p), (j,v) <- W, v.endsWith(p) ]",
    "lists": "[ (w,v,l) | (k,w) <- W, (v,l) <- L, w.startsWith(v) ]",
    "lengths of lists": "[ (w,v) | (k,w) <- W, (v,l) <- L, w.startsWith(v) && l.length > 1 ]",
    "group": "[ (p, +/k, count/w) | (k,w) <- W, (p,x) <- P, w.startsWith(p), group by p ]",
    "sum": "+/[ k*x | (k,w) <- W, (p,x) <- P, w.startsWith(p) ]",
    "itself": "[ (w,v) | (k,w) <- W, (j,v) <- W, w <= v ]",
    "ranges": "[ (w,i) | (k,w) <- W, i <- 0..n+3, w.length > i ]",
    "first": "[ w | (k,w) <- W, (p,x) <- P, w.startsWith(p) ]",
    "any": "||/[ w == p.toUpper() | (k,w) <- W, (p,x) <- P ]",
}
ALL_PAIRS = {"prefix", "contains", "order", "difference", "with numbers", "made", "lists", "itself"}
_W = [(1, "ab"), (3, "b"), (0, "äb"), (2, "abc"), (2, ""), (4, "zz\0"), (5, "bäab"), (1, "ab")]
_P = [("ab", 0.5), ("", 1.0), ("ä", 2.5), ("b", -1.0), ("zz", 3.0), ("\0", 1.5), ("abcabcabc", 1.0)]
_L: list[tuple[str, list[int]]] = [("a", [1, 2]), ("b", []), ("", [3])]
CASES: dict[str, dict[str, Any]] = {
    "some": {"W": _W, "P": _P, "L": _L},
    "ascii": {"W": [(k, f"a{k}bb") for k in range(9)], "P": [("a", 1.0), ("a3", 2.0)], "L": []},
    "no left rows": {"W": [], "P": _P, "L": _L},
    "no right rows": {"W": _W, "P": [], "L": []},
    "none passes": {"W": [(0, "x")], "P": [("y", 1.0)], "L": _L},
}


# What differs on Spark is that rows are sent to workers.
@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("options", "case", "mode", "chunk"),
    [
        *[({}, case, mode, 3) for case in CASES for mode in ("always", "never")],
        ({}, "some", "auto", 1 << 17),
        ({"block_size": 2}, "some", "always", 1 << 17),
        ({"block_size": 3}, "ascii", "never", 2),
        pytest.param(
            {"engine": "spark", "master": "local[2]", "block_size": 2},
            "some",
            "auto",
            1 << 17,
            marks=pytest.mark.spark,
        ),
    ],
)
def test_joins_are_those_of_the_interpreter(
    options: dict[str, Any], case: str, mode: str, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    monkeypatch.setattr(row_totals, "CHUNK_ELEMENTS", chunk)
    text = f"{INPUTS}({', '.join(PROGRAMS.values())})"
    inputs = {**CASES[case], "n": 1}
    wanted = interpret(import_program(text, "program.diablo"), inputs)
    found = diablo.compile(text, **options)(**inputs)
    for name, want, got in zip(PROGRAMS, wanted, found, strict=True):
        assert list(numbers(plain(got))) == list(numbers(plain(want))), name


@pytest.mark.parametrize("name", sorted(ALL_PAIRS))
def test_pairs_are_tested_before_they_are_rows(name: str) -> None:
    program = diablo.compile(INPUTS + PROGRAMS[name])
    program(**CASES["some"], n=1)
    python = program.ir("pyspark")
    assert "rows.ChosenPairs(" in python
    assert "rows.join(" not in python


@pytest.mark.parametrize(
    "text",
    [
        "[ (k,x) | (k,w) <- W, (p,x) <- P, 1.0*k < x ]",
        "[ (k,x) | (k,w) <- W, (p,x) <- P, w == p ]",
        "[ (k,w,p) | (k,w) <- W, (p,x) <- P ]",
    ],
)
def test_other_joins_stay(text: str) -> None:
    program = diablo.compile(INPUTS + text)
    program(**CASES["some"], n=1)
    assert "rows.ChosenPairs(" not in program.ir("pyspark")


def test_rows_keep_their_order_where_one_has_more_partners_than_a_block(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(row_totals, "CHUNK_ELEMENTS", 4)
    words = [(k, f"{k % 3}{k}") for k in range(7)]
    parts = [(str(k % 10), float(k)) for k in range(23)]
    program = diablo.compile(INPUTS + "[ (k,x) | (k,w) <- W, (p,x) <- P, w.contains(p) ]")
    found = program(W=words, P=parts, L=[], n=0).to_list()
    assert found == [(k, x) for k, w in words for p, x in parts if p in w]


def test_what_fails_fails_where_there_is_a_pair() -> None:
    text = INPUTS + "[ (w,p) | (k,w) <- W, (p,x) <- P, w.substring(0,2) > p ]"
    program = diablo.compile(text)
    with pytest.raises(RunError, match="substring"):
        program(W=_W, P=_P, L=[], n=0)
    assert program(W=_W, P=[], L=[], n=0).to_list() == []


def test_memory_of_the_pairs_is_asked_for() -> None:
    text = INPUTS + "[ (k,p) | (k,w) <- W, (p,x) <- P, w != p ]"
    words = [(k, "w") for k in range(30_000)]
    parts = [("p", 0.0)] * 100
    program = diablo.compile(text, memory="20m")
    with pytest.raises(RunError, match="a join of 30000 with 100 rows"):
        program(W=words, P=parts, L=[], n=0)
