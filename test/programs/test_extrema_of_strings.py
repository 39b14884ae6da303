"""The least and the greatest of strings, wherever `min` and `max` may stand."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import pytest

import diablo
from diablo.diagnostics import RunError

ROWS = [(1, "b"), (2, "zz"), (1, "a"), (1, "c"), (2, ""), (3, "Ä"), (3, "z")]
GROUPS = {k: [s for _, s in g] for k, g in groupby(sorted(ROWS), lambda row: row[0])}
TEXTS = [text for _, text in ROWS]
BLOCKS = [None, 2]


def run(text: str, block_size: int | None = None, **inputs: Any) -> Any:
    """Return what a program gives for its inputs."""
    return diablo.compile(text, block_size=block_size)(**inputs)


@pytest.mark.parametrize("block_size", BLOCKS)
def test_accumulations(block_size: int | None) -> None:
    text = """
    input L: list[(Int,String)];
    var d = "m"; var e = "m"; var p = (1, "m"); var V: vector[String] = vector(4);
    for (k,s) in L do { d max= s; e min= s; p._2 min= s; V[k] max= s; };
    (d, e, p, V)
    """
    d, e, p, array = run(text, block_size, L=ROWS)
    assert (d, e, p) == (max(TEXTS), min(TEXTS), (1, min(TEXTS)))
    assert list(array) == ["", *(max(texts) for texts in GROUPS.values())]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block_size", BLOCKS)
def test_maps_begin_with_the_first_value(block_size: int | None) -> None:
    text = """
    input L: list[(Int,String)];
    var least: map[Int,String] = map(); var most: map[Int,String] = map();
    for (k,s) in L do { least[k] min= s; most[k] max= s; };
    least[9] min= "x"; least[9] min= "w"; least[9] max= "wa";
    (least, most)
    """
    least, most = run(text, block_size, L=ROWS)
    assert dict(least.to_dict()) == {k: min(t) for k, t in GROUPS.items()} | {9: "wa"}
    assert dict(most.to_dict()) == {k: max(t) for k, t in GROUPS.items()}


@pytest.mark.parametrize("block_size", BLOCKS)
def test_reductions(block_size: int | None) -> None:
    text = """
    input L: list[(Int,String)]; input m: map[Int,String]; input T: list[String];
    (max/[ s | (k,s) <- L ], min/[ s | (k,s) <- L, k == 1 ], min/T, max(T), min(m),
     [ (k, max/s, min/s) | (k,s) <- L, group by k ])
    """
    *found, groups = run(text, block_size, L=ROWS, T=TEXTS, m={1: "x", 2: "w"})
    assert found == [max(TEXTS), "a", min(TEXTS), max(TEXTS), "w"]
    assert sorted(groups) == [(k, max(t), min(t)) for k, t in GROUPS.items()]


@pytest.mark.parametrize("monoid", ["min", "max"])
def test_none_is_an_error(monoid: str) -> None:
    with pytest.raises(RunError, match=r"1:24: error: this asks for the (least|greatest) of no"):
        run(f"input T: list[String]; {monoid}/T", T=[])


def test_a_value_that_reads_the_variable() -> None:
    text = 'var d = "b"; for i = 1, 3 do d max= d.substring(0,1) + "a"; d'
    assert run(text) == "ba"


def test_other_types_are_refused() -> None:
    with pytest.raises(diablo.CompileError, match="type Int cannot be assigned to `d`"):
        run('var d = "a"; d max= 3; d')
