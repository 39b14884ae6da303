"""Whole programs, interpreted as they are imported and as comprehensions, against Python."""

from collections.abc import Mapping
from typing import Any, cast

import pytest

from diablo.diagnostics import RunError
from diablo.frontend.importer import import_program
from diablo.passes.interpreter.interpreted_values import Array
from diablo.passes.interpreter.interpreter import interpret
from diablo.registry import available_passes, new_context

INF = float("inf")
V = [1.0, 4.0, 2.0, 3.0]
A = [[1.0, 2.0], [3.0, 4.0]]
L = [("a b", 1, 2.0), ("b", 2, 4.0), ("a b", 3, 6.0)]
PAIRS = [(0, 1.0), (1, 2.0), (0, 3.0)]

INPUTS = """
input V: vector[Double]; input A: matrix[Double]; input L: list[(String,Int,Double)];
input P: list[(Int,Double)]; input n: Int;
"""


def plain(value: Any) -> Any:
    """A result as lists; the rows of a bag in order."""
    if isinstance(value, Array):
        return [plain(value.at(index)) for index in value.indices()]
    if isinstance(value, list):
        rows = cast("list[tuple[Any, ...]]", value)
        return sorted((tuple(map(plain, row)) for row in rows), key=repr)
    if isinstance(value, tuple):
        return tuple(map(plain, cast("tuple[Any, ...]", value)))
    return value


def run(text: str, inputs: Mapping[str, Any]) -> Any:
    """The results of a program; they are the same at both levels."""
    module = import_program(INPUTS + text, "test.diablo")
    first = list(map(plain, interpret(module, inputs)))
    for name in ("order-loops", "convert-diablo-to-comprehension"):
        available_passes()[name]()().apply(new_context(), module)
    module.verify()
    assert list(map(plain, interpret(module, inputs))) == first
    return first[0] if len(first) == 1 else tuple(first)


CASES: dict[str, tuple[str, Any]] = {
    "names of which the IR keeps nothing": (
        "var x = 0.0; for _1 = 0, 1 do x += V[_1]; x",
        5.0,
    ),
    "names of a monoid's values of which the IR keeps nothing": (
        "monoid m(Double) = (0.0, (_1,_2) => _1+_2); m/[ v | (i,v) <- V ]",
        10.0,
    ),
    "private variable of a read that may miss": (
        """var s = 0.0;
        for i in [0, 3, 9, -1] do {
            var t = if (i > 0) V[i] else 1.0;
            for k = 0, 1 do t += 0.5;
            s += t;
        };
        s""",
        8.0,
    ),
    "nested list": (
        "[ (i, [ b | (k,b) <- P, k == i ]) | i <- 0..1 ]",
        [(0, [(1.0,), (3.0,)]), (1, [(2.0,)])],
    ),
    "nested reduction": (
        "[ +/[ a*V[j] | ((k,j),a) <- A, k == i ] | i <- 0..1 ]",
        [(19.0,), (9.0,)],
    ),
    "generator of a nested list": (
        '[ w | (s,c,d) <- L, w <- s.split(" "), c < 3 ]',
        [("a",), ("b",), ("b",)],
    ),
    "group of tuples": (
        "[ (k, [ c*d | (c,d) <- t ], t.length) | (s,c,d) <- L, let t = (c,d), group by k: s ]",
        [("a b", [(18.0,), (2.0,)], 2), ("b", [(8.0,)], 1)],
    ),
    "two groups": (
        "[ (m, +/k) | (k,x) <- P, group by k, let m = x.length, group by m ]",
        [(1, 1), (2, 0)],
    ),
    "array of a group": (
        "[ (k, tensor(2) [ (i, y) | y <- x, let i = 1 ]) | (k,x) <- P, k > 0, group by k ]",
        [(1, [0.0, 2.0])],
    ),
    "strings": (
        'var s = "ab" + 1 + true; (s, s[1], s.length, s.toUpper(), "b" < s, toInt("12"))',
        ("ab1true", ord("b"), 7, "AB1TRUE", False, 12),
    ),
    "tuple variable": ('var t = (1, (2.0, "x")); t._1 += 2; t._2._1 = 5; t', (3, 5.0, "x")),
    "record variable": (
        "var r = <a = 1, b = V>; r.a += 1; r.b[1] = 9.0; (r.a, r.b)",
        (2, [1.0, 9.0, 2.0, 3.0]),
    ),
    "tuple if": ("var t = if (n > 2) (1, 2.5) else (3, 4); t", (1, 2.5)),
    "list literal": ("var x = [1, 2, 3]; +/x", 6),
    "monoid": (
        "monoid least((Double,Int)) = ((inf,-1), (x, y) => if (x._1 <= y._1) x else y);"
        "least/[ (v, i) | (i,v) <- V, i > 0 ]",
        (2.0, 2),
    ),
    "monoid over a list": (
        "monoid least((Double,Int)) = ((inf,-1), (x, y) => if (x._1 <= y._1) x else y);"
        "[ (s, least/t) | (s,c,d) <- L, let t = (d,c), group by s ]",
        [("a b", 2.0, 1), ("b", 4.0, 2)],
    ),
    "monoid of a variable": (
        "monoid least((Double,Int)) = ((inf,-1), (x, y) => if (x._1 <= y._1) x else y);"
        "var b = (3.5, 7); for i = 0, 3 do b least= (V[i], i); b least= (0.5, 9); b",
        (0.5, 9),
    ),
    "monoid of elements": (
        "monoid most(Int) = (-1, (x, y) => if (x > y) x else y);"
        "var W = tensor(2) [ (i, 1) | i <- 0..1 ]; for (s,c,d) in L do W[c % 2] most= c; W",
        [2, 3],
    ),
    "map": (
        'var m: map[String,Int] = map(); for (s,c,d) in L do m[s] += c; m["z"] = 7;'
        '(m["b"], m.length, m, [ k | (k,v) <- m, v > 3 ])',
        (2, 3, [("a b", 4), ("b", 2), ("z", 7)], [("a b",), ("z",)]),
    ),
    "map of tuples": (
        'var m = map [ (s, (c,d)) | (s,c,d) <- L, c > 1 ]; m["q"]._1 += 5;'
        'm["b"]._2 = 1.5; [ (k, x, y) | (k,(x,y)) <- m ]',
        [("a b", 3, 6.0), ("b", 2, 1.5), ("q", 5, 0.0)],
    ),
    "map read in a comprehension": (
        "var m = map [ (i, v) | (i,v) <- V, i > 1 ]; [ (i, m[i]) | i <- 0..3 ]",
        [(2, 2.0), (3, 3.0)],
    ),
    "map read in a branch": (
        "var m = map [ (i, v) | (i,v) <- V, i > 1 ]; [ if (i > 2) m[i+n-3] else -1.0 | i <- 0..3 ]",
        [(-1.0,), (-1.0,), (-1.0,), (3.0,)],
    ),
    "map read in a loop": (
        "var m = map [ (i, v) | (i,v) <- V, i > 1 ]; var s = 0.0; for i = 0, 9 do s += m[i]; s",
        5.0,
    ),
    "conditional reads": (
        "[ if (i > 0) V[i-1] else 0.0 | i <- 0..4 ]",
        [(0.0,), (1.0,), (2.0,), (3.0,), (4.0,)],
    ),
    "conditional read that is missing": (
        "[ if (i > 0) V[i+1] else 0.0 | i <- 0..4 ]",
        [(0.0,), (2.0,), (3.0,)],
    ),
    "conditional reads in a loop": (
        "var W = tensor(4) [ (i, -1.0) | i <- 0..3 ];"
        "for i = 0, 3 do W[i] = if (i == 1) V[9] else V[i]; W",
        [1.0, -1.0, 2.0, 3.0],
    ),
    "reduction in a branch": (
        "[ if (i > 0) +/[ 6/i | (k,x) <- P ] else 7 | i <- 0..2 ]",
        [(18,), (7,), (9,)],
    ),
    "reduction of what a branch computes": (
        "def f(k: Int): Int = +/[ k | (i,x) <- P ];[ if (i > 0) f(6/i) else 7 | i <- 0..2 ]",
        [(18,), (7,), (9,)],
    ),
    "functions": (
        "def twice(f: Double -> Double, x: Double): Double = f(f(x)); var k = 3.0;"
        "twice(y => twice(z => z + k, y) * 2.0, 1.0)",
        40.0,
    ),
    "array of tuples": (
        "var T = tensor(4) [ (i, (v, i)) | (i,v) <- V ]; for i = 0, 7 do T[i % 4]._1 += 1.0;"
        "T[2]._2 = 8; T[3] = (0.5, 1); (T, T[1]._1)",
        ([(3.0, 0), (6.0, 1), (4.0, 8), (0.5, 1)], 6.0),
    ),
    "array of arrays": (
        "var W = tensor(2) [ (i, tensor(2) [ (j, A[i,j]) | j <- 0..1 ]) | i <- 0..1 ];"
        "(W[1][0], +/[ x | (i,w) <- W, (j,x) <- w ])",
        (3.0, 10.0),
    ),
    "slices": (
        "(V[1:3], V[::2], A[1, 0:n], A[:, 1:])",
        ([4.0, 2.0], [1.0, 2.0], [3.0, 4.0], [2.0, 4.0]),
    ),
    "slice of a sparse array": (
        "var S = tensor(4)(4) [ ((i,j), 1.0*i+j) | i <- 0..3, j <- 0..3, i != j ]; S[1:4:2, 1:3]",
        [0.0, 3.0, 4.0, 5.0],
    ),
    "product of vectors": ("V @ V", 30.0),
    "remainder": ("(7.5 % 2.0, -7.5 % 2.0)", (1.5, -1.5)),
    "cells": ("(min(V, 2.5), max(A, A.t))", ([1.0, 2.5, 2.0, 2.5], [1.0, 3.0, 3.0, 4.0])),
    "private variable": (
        "var W = tensor(2) [ (i, 0.0) | i <- 0..1 ];"
        "for i = 0, 1 do { var s = 1.0; for j = 0, 1 do s += A[i,j];"
        "  if (s > 5.0) s = s / 2.0; W[i] = s; }; W",
        [4.0, 4.0],
    ),
    "private read that is missing": (
        "var W = tensor(3) [ (i, 9.0) | i <- 0..2 ]; var k = 0;"
        "for i = 0, 2 do { var x = 0.0; if (i > 0) x = V[i+n-1]; W[i] = x; k += 1; }; (W, k)",
        ([0.0, 3.0, 9.0], 3),
    ),
    "private array": (
        "var W = tensor(3) [ (i, 0.0) | i <- 0..2 ];"
        "for i = 0, 2 do { var x = tensor(3) [ (j, 1.0) | j <- 0..2 ];"
        "  for j = 0, i do x[j] += 1.0; W[i] = +/[ v | (j,v) <- x ]; }; W",
        [4.0, 5.0, 6.0],
    ),
    "step": (
        "var W = tensor(5) [ (i, 0) | i <- 0..4 ]; var s = 2; for i = 0, 4, s do W[i] += 1;"
        "s = -3; for i = 4, 0, s do W[i] += 10; for i = 0, 4, s do W[i] += 100; W",
        [1, 10, 1, 0, 11],
    ),
    "step of each iteration": (
        "var c = 0; for i = 0, 2 do for j = 0, 4, i do c += 1; c",
        5 + 3,
    ),
    "loop over records": (
        "var R = [ <a = i, b = 2*i> | i <- 0..2 ]; var s = 0; for r in R do s += r.a*r.b; s",
        10,
    ),
    "typemap": (
        "typemap rows(m: Int): matrix[Double] {"
        " def view(v: vector[Double]): list[((Int,Int),Double)] = [ ((i/m,i%m),x) | (i,x) <- v ];"
        " def store(l: list[((Int,Int),Double)]): vector[Double] ="
        "   tensor(m*m) [ (i*m+j,x) | ((i,j),x) <- l ]; }"
        "var M = rows(2) [ ((i,j), 2.0*a) | ((i,j),a) <- A ]; (M[1,0], +/[ x | ((i,j),x) <- M ])",
        (6.0, 20.0),
    ),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", CASES)
def test_programs(name: str) -> None:
    text, expected = CASES[name]
    assert run(text, {"V": V, "A": A, "L": L, "P": PAIRS, "n": 2 if "slice" in name else 3}) == (
        expected
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("var m: map[Int,Int] = map(); m[1]", "the map has no"),
        ("var s = 0; var c = 0; for i = 0, 4, s do c += 1; c", "the step of a loop is zero"),
        ("var s = 0; V[0:3:s]", "not positive"),
        ("var s = -1; V[s:]", "the start of a slice is negative"),
        ("A[9, 0:1]", "an index of this slice is outside the array"),
    ],
)
def test_failures(text: str, message: str) -> None:
    with pytest.raises(RunError, match=message):
        run(text, {"V": V, "A": A, "L": L, "P": PAIRS, "n": 3})
