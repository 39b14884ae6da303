"""Ordered loops that write single rows of maps and arrays do it in constant time, and rightly."""

from __future__ import annotations

import os
from typing import Any
from unittest import mock

import numpy as np
import pytest
from scipy import sparse

import diablo
from diablo.frontend.importer import import_program
from diablo.passes.interpreter.interpreter import interpret

WORDS = ["b", "a", "b", "", "c", "a", "b"]
NUMBERS = [3, -1, 3, 0, 7, -1, 3, 2]
FLOATS = [1.5, float("nan"), -0.0, 0.0, float("nan"), 1.5, float("inf")]

MAPS: list[tuple[str, dict[str, Any]]] = [
    (
        "input w: list[String]; var m: map[String,Int]=map(); var i=0;"
        " for s in w do { i+=1; m[s]=i; }; m",
        {"w": WORDS},
    ),
    (
        "input w: list[String]; var m: map[String,Int]=map(); var i=0;"
        " for s in w do { i=i*2+1; m[s]+=i; if (i>5) m[s]=m[s]-1; }; (i,m)",
        {"w": WORDS},
    ),
    (
        "input L: list[Int]; var m: map[Int,Int]=map(); var i=1;"
        " var c: map[(Int,Boolean),Int]=map();"
        " for x in L do { i=(i*x+1)%11; m[x] max= i; c[x,i>3]+=m[x]; }; (m,c,i)",
        {"L": NUMBERS},
    ),
    (
        "input L: list[Double]; var m: map[Double,Int]=map(); var i=0; var hits=0;"
        " for x in L do { i=2*i+1; m[x]+=i; if (m[x]>0) hits+=i; }; (m,i,hits)",
        {"L": FLOATS},
    ),
    (
        "input L: list[Int]; var m: map[Int,(Int,Double)]=map(); var i=0;"
        " for x in L do { i=2*i+1; m[x]=(i,0.5*x); }; m",
        {"L": NUMBERS},
    ),
    (
        "monoid far((Int,Int)) = ((-9,0), (a,b) => if (a._1 > b._1) a else b);"
        " input L: list[Int]; var m: map[Int,(Int,Int)]=map(); var i=0;"
        " for x in L do { i=(3*i+1)%7; m[x%3] far= (i,x); }; m",
        {"L": NUMBERS},
    ),
    (
        "input L: list[Int]; var m: map[Int,Int]=map(); var i=0;"
        " for x in L do { var k=x; while (k>0) { m[k]+=i; k=k/2; i=i+k; }; }; (m,i,m.length)",
        {"L": NUMBERS},
    ),
    (
        "input g: map[Int,Int]; var i=0; var m=g; var k=0;"
        " while (k<5 && m.length<9) { i=g[i]; m[i*10]=k; k+=1; }; (i,m,g)",
        {"g": {0: 2, 2: 1, 1: 3, 3: 0}},
    ),
]
ARRAYS: list[tuple[str, dict[str, Any]]] = [
    (
        "input n: Int; var P=tensor()(n,n)[ ((i,i),1.0) | i<-0..n-1 ]; var s=0.0; var i=0;"
        " while (i<n) { P[i,(i*2)%(n+1)]=s+i; s=s+P[i,i]; P[i,0]+=s; i+=1; }; (P,s)",
        {"n": 5},
    ),
    (
        'input n: Int; var P=tensor*(n)[ (i,"") | i<-0..n-1 ]; var i=0; var last="";'
        " while (i<n) { P[i+1]=last+i; last=P[i]+'-'; i+=1; }; (P,last)",
        {"n": 4},
    ),
    (
        "input n: Int; var P=tensor*(n)[ (i,(0,0.0)) | i<-0..n-1 ]; var i=0; var t=1;"
        " while (i<n) { P[i+1]=(t,0.5*i); t=t+P[i]._1; i+=1; }; (P,t)",
        {"n": 4},
    ),
    (
        "input n: Int; input x: vector[Int]; var y=x; var s=0; var i=0;"
        " while (i<n) { s=s*2+y[i]; y[(i*3)%n]+=s; y[i+1]=s; i+=1; }; (y,s)",
        {"n": 6, "x": np.array([3, 1, 4, 1, 5, 9])},
    ),
    (
        "input n: Int; var P=tensor()(n)[ (i,1) | i<-0..n-1 ]; var i=0;"
        " while (i<n) { P[i]=0; i+=1; }; (P,i)",
        {"n": 0},
    ),
]


def plain(value: Any) -> Any:
    """A result, of the interpreter or of a program, as numbers, strings and lists."""
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    if hasattr(value, "to_dict"):
        value = [(*(k if isinstance(k, tuple) else (k,)), v) for k, v in value.to_dict().items()]
    if isinstance(value, list):
        return sorted(repr([plain(part) for part in row]) for row in value)
    if hasattr(value, "to_numpy"):
        value = value.to_numpy()
    if sparse.issparse(value) or isinstance(value, sparse.sparray):
        value = value.toarray()
    if isinstance(value, np.ndarray):
        return [list(part) if isinstance(part, tuple) else part for part in value.tolist()]
    return value.item() if isinstance(value, np.generic) else value


def wanted(text: str, inputs: dict[str, Any]) -> Any:
    """Return what the interpreter makes of a program."""
    rows = {
        name: [(k, v) for k, v in value.items()]
        if isinstance(value, dict)
        else [(part,) for part in value]
        if isinstance(value, list)
        else value
        for name, value in inputs.items()
    }
    results = interpret(import_program(text, "test.diablo"), rows)
    return plain(tuple(results) if len(results) > 1 else results[0])


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("text", "inputs"), [*MAPS, *ARRAYS])
def test_tables_hold_what_loops_write(text: str, inputs: dict[str, Any]) -> None:
    expected = wanted(text, inputs)
    for block in (None, 3):
        program = diablo.compile(text, block_size=block)
        assert repr(plain(program(**inputs))) == repr(expected), (block, text)
    is_map = (text, inputs) in MAPS
    assert not is_map or " = table(" in diablo.compile(text).ir("pyspark")


@pytest.mark.parametrize("compile", ["always", "never"])
def test_either_mode_gives_the_same(compile: str) -> None:
    with mock.patch.dict(os.environ, DIABLO_COMPILE=compile):
        for text, inputs in (MAPS[2], ARRAYS[0], ARRAYS[2]):
            assert repr(plain(diablo.compile(text)(**inputs))) == repr(wanted(text, inputs))


HELD_BACK = [
    "input L: list[Int]; var m: map[Int,Int]=map(); var i=0;"
    " for x in L do { var o=m; m[x]=i; i=i+o.length+m.length; }; (m,i)",
    "input L: list[Int]; var m: map[Int,Int]=map(); var s=0;"
    " for x in L do { m[x]=s; s=s+(+/[ v | (k,v) <- m ])+1; }; (m,s)",
]


@pytest.mark.parametrize("text", HELD_BACK)
def test_maps_that_are_values_stay_values(text: str) -> None:
    inputs = {"L": NUMBERS}
    program = diablo.compile(text)
    assert repr(plain(program(**inputs))) == repr(wanted(text, inputs))
    assert " = table(" not in program.ir("pyspark")


def test_results_do_not_change_with_the_inputs() -> None:
    program = diablo.compile(
        "input g: map[Int,Int]; var m=g; var i=0; while (i<3) { m[i]=i+m.length; i+=1; }; m"
    )
    given = {5: 5}
    first = program(g=given)
    second = program(g=first)
    assert first.to_dict() == {5: 5, 0: 1, 1: 3, 2: 5}
    assert second.to_dict() == {5: 5, 0: 4, 1: 5, 2: 6}
    assert given == {5: 5}


def test_a_missing_key_is_named() -> None:
    text = 'input g: map[String,Int]; var k="a"; var i=0; while (i<3) { i=g[k]; k=k+"b"; }; i'
    assert diablo.compile(text)(g={"a": 2, "ab": 5}) == 5
    hint = 'input g: map[String,Int]; var i=0; while (g["c"]+i<3) { i+=1; }; i'
    with pytest.raises(diablo.RunError, match='the map has no such key: "c"'):
        diablo.compile(hint)(g={"a": 2})
