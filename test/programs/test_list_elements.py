"""Rows of lists read by their position, on both engines."""

from __future__ import annotations

from typing import Any

import pytest

import diablo
from diablo.diagnostics import RunError

ENGINES = [
    pytest.param({}, id="local"),
    pytest.param({"block_size": 1}, id="local-1"),
    pytest.param({"block_size": 3}, id="local-3"),
    pytest.param(
        {"engine": "spark", "master": "local[2]", "block_size": 2},
        id="spark",
        marks=pytest.mark.spark,
    ),
]

PAIRS = [(1, 2.0), (3, 4.0), (5, 6.0)]
NESTED = [[[1.0]], [[2.0, 3.0], []], [[4.0, 5.0, 6.0]]]

PROGRAMS: list[tuple[str, dict[str, Any], Any]] = [
    ('input s: String; s.split(",")[1]', {"s": "a,b,c"}, "b"),
    ("input L: list[(Int,Double)]; L[2]", {"L": PAIRS}, (5, 6.0)),
    ("input L: list[<a: Int, b: Double>]; L[1].b + L[0].b", {"L": PAIRS}, 6.0),
    ("input L: list[list[list[Double]]]; L[1][0][1]", {"L": NESTED}, 3.0),
    ("input L: list[list[list[Double]]]; L[1].length", {"L": NESTED}, 2),
    ("input M: map[Int,list[Double]]; M[1][0]", {"M": {1: [2.0, 3.0]}}, 2.0),
    ("[true,false][1]", {}, False),
    ("input L: list[Double]; if (L.length > 3) L[3] else 0.5", {"L": [1.0]}, 0.5),
    ("input C: list[Char]; [ C[i] | i <- 0..1 ]", {"C": ["a", "b"]}, ["a", "b"]),
    ("input L: list[Double]; [ L[i]*2.0 | i <- 1..2 ]", {"L": [1.0, 2.0, 3.0]}, [4.0, 6.0]),
    (
        "input L: list[Double]; [ if (i < L.length) L[i] else -1.0 | i <- 0..2 ]",
        {"L": [1.0, 2.0]},
        [1.0, 2.0, -1.0],
    ),
    (
        "input L: list[Double]; var s = 0.0; for i = 0, L.length-1 do s += L[i]; s",
        {"L": [1.0, 2.0, 4.0]},
        7.0,
    ),
    (
        "input L: list[Double]; var i = 0; var s = 0.0; "
        "while (i < L.length) { s = 2.0*s + L[i]; i += 1; }; s",
        {"L": [1.0, 2.0, 4.0]},
        12.0,
    ),
    (
        'input G: list[String]; [ (toInt(w[0]), w[w.length-1]) | g <- G, let w = g.split(" ") ]',
        {"G": ["1 2", "3 4 5", "6"]},
        [(1, "2"), (3, "5"), (6, "6")],
    ),
    (
        "input L: list[list[(String,Double)]]; [ v[1]._1 | v <- L, v.length > 1 ]",
        {"L": [[("a", 1.0)], [("b", 2.0), ("c", 3.0)], []]},
        ["c"],
    ),
    (
        "input L: list[list[Double]]; [ if (v.length > 1) v[1] else 0.0 | v <- L ]",
        {"L": [[1.0], [2.0, 3.0], []]},
        [0.0, 3.0, 0.0],
    ),
    (
        "input L: list[list[list[Double]]]; [ [ x | x <- v[0] ] | v <- L ]",
        {"L": NESTED},
        [[1.0], [2.0, 3.0], [4.0, 5.0, 6.0]],
    ),
]


def _plain(value: Any) -> Any:
    return value.to_list() if hasattr(value, "to_list") else value


@pytest.mark.sampled(8)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("text", "inputs", "wanted"), PROGRAMS)
def test_elements(text: str, inputs: dict[str, Any], wanted: Any, engine: dict[str, Any]) -> None:
    assert _plain(diablo.compile(text, **engine)(**inputs)) == wanted


OUTSIDE = [
    ("input L: list[Double]; L[2]", "1:24", "position 2 is outside a list of length 2"),
    ("input L: list[Double]; L[-1]", "1:24", "position -1 is outside a list of length 2"),
    ("input L: list[Double]; [ L[i] | i <- 1..2 ]", "1:26", "position 2 is outside a list"),
    ('input L: list[Double]; [ toString(x).split("x")[1] | x <- L ]', "1:26", "position 1 is"),
    ("var L: list[Int] = []; L[0]", "1:24", "position 0 is outside a list of length 0"),
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("text", "place", "message"), OUTSIDE)
def test_positions_outside(text: str, place: str, message: str, engine: dict[str, Any]) -> None:
    inputs = {"L": [1.0, 2.0]} if "input" in text else {}
    with pytest.raises(RunError) as failure:
        _plain(diablo.compile(text, **engine)(**inputs))
    assert f"<program>:{place}: " in str(failure.value)
    assert message in str(failure.value)


def test_a_guard_protects_what_it_reads() -> None:
    text = "input L: list[list[Double]]; +/[ v[i] | v <- L, i <- 0..2, i < v.length ]"
    for block in (None, 1):
        assert diablo.compile(text, block_size=block)(L=[[1.0], [], [2.0, 3.0, 4.0]]) == 10.0
