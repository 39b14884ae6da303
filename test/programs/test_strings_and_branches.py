"""NULs at the end of strings, records of one field, and branches that are not taken."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import diablo

BLOCK_SIZES = (None, 1, 3)


def run(text: str, **inputs: Any) -> list[Any]:
    """The results at several block sizes, with lists and maps as Python's."""
    return [_plain(diablo.compile(text, block_size=b)(**inputs)) for b in BLOCK_SIZES]


def _plain(value: Any) -> Any:
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(map(_plain, value))
    for method in ("to_dict", "to_list", "tolist"):
        if hasattr(value, method):
            return getattr(value, method)()
    return value.to_numpy().tolist() if hasattr(value, "to_numpy") else value


WORDS = ["a", "b", "a\0", "b"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ('w+"\\0"', [w + "\0" for w in WORDS]),
        ('"\\0"+w', ["\0" + w for w in WORDS]),
        ("w+s", [w + "a\0" for w in WORDS]),
        ('w == "a\\0"', [w == "a\0" for w in WORDS]),
        ("w == s", [w == "a\0" for w in WORDS]),
        ('w < "a\\0"', [w < "a\0" for w in WORDS]),
        ('w >= "a\\0"', [w >= "a\0" for w in WORDS]),
        ('(w+"\\0").length', [len(w) + 1 for w in WORDS]),
        ('if (w == "b") "\\0" else w', ["\0" if w == "b" else w for w in WORDS]),
        ('w.replace("a","\\0")', [w.replace("a", "\0") for w in WORDS]),
        ('[ p | p <- (w+"\\0").split("a") ]', [(w + "\0").split("a") for w in WORDS]),
    ],
)
def test_strings_keep_nuls_at_their_end(head: str, expected: list[Any]) -> None:
    text = f"input L: list[String]; input s: String; [ {head} | w <- L ]"
    for found in run(text, L=WORDS, s="a\0"):
        assert found == expected


def test_nuls_count_in_keys() -> None:
    counts = "input L: list[String]; var M: map[String,Int] = map(); for w in L do"
    for found in run(f'{counts} M[w+"\\0"] += 1; (M, M["a\\0"], M["a\\0\\0"])', L=WORDS):
        assert found == ({"a\0": 1, "a\0\0": 1, "b\0": 2}, 1, 1)
    groups = "[ (k,v.length) | v <- L, group by k: v ]"
    joined = "[ a.length | a <- L, b <- L, a == b ]"
    for grouped, lengths in run(f"input L: list[String]; ({groups}, {joined})", L=WORDS):
        assert dict(grouped) == {"a": 1, "a\0": 1, "b": 2}
        assert sorted(lengths) == [1, 1, 1, 1, 1, 2]


def test_records_of_one_field_in_maps() -> None:
    text = """input L: list[String];
    var m: map[String,<name: String>] = map*[ (w, <name = w+"1">) | w <- L ];
    var e: map[Int,<n: Int>] = map();
    e[3] = <n = 4>;
    (m, m["x"], m["y"].name, [ r | (k,r) <- m ], e, [ r.n | (k,r) <- e ])"""
    for m, x, name, rows, e, numbers in run(text, L=["x", "y"]):
        assert m == {"x": ("x1",), "y": ("y1",)}
        assert m["x"].name == x.name == "x1"
        assert name == "y1"
        assert sorted(rows) == [("x1",), ("y1",)]
        assert e == {3: (4,)}
        assert numbers == [4]


@pytest.mark.parametrize("given", [{"p": ("x",), "q": ("y",)}, [("p", ("x",)), ("q", ("y",))]])
def test_maps_with_records_of_one_field_as_inputs(given: Any) -> None:
    text = """input M: map[String,<b: String>];
    (M, M["p"], [ v.b + k | (k,v) <- M ], map*[ (v.b, <c = v.b + "1">) | (k,v) <- M, k == "p" ])"""
    for whole, p, joined, mapped in run(text, M=given):
        assert whole == {"p": ("x",), "q": ("y",)}
        assert p.b == "x"
        assert sorted(joined) == ["xp", "yq"]
        assert mapped == {"x": ("x1",)}


def test_records_of_one_field_elsewhere() -> None:
    text = """var L = [ <b = <a = i>> | i <- 0..1 ];
    var N = [ (i, [ <a = j> | j <- 0..i ]) | i <- 0..1 ];
    var V = tensor(2)[ (i,<a=i>) | i <- 0..1 ];
    (L, [ x.b | x <- L ], N, V[1], [ v | (i,v) <- V ], [ (k,r) | r <- L, group by k: 0 ])"""
    for nested, inner, lists, element, elements, groups in run(text):
        assert nested == [((0,),), ((1,),)]
        assert inner == elements == [(0,), (1,)]
        assert lists == [(0, [(0,)]), (1, [(0,), (1,)])]
        assert element == (1,)
        assert groups == [(0, [((0,),), ((1,),)])]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if (0 != 0) n/0 else 5", 5),
        ("if (true) 5 else n % 0", 5),
        ("if (n != 1) n/0 else 5", 5),
        ("if (1 == 1 || n/0 > 1) 3 else 4", 3),
        ("(false && n/0 > 1, true || n/0 > 1)", (False, True)),
        ("def f(a: Int, b: Int): Int = if (b != 0) a/b else 5; (f(n,0), f(n,n-1))", (5, 5)),
        ("def f(a: Int): Int = a/0; if (0 != 0) f(n) else 5", 5),
        ("[ if (i < 0) i/0 else i | i <- 0..3 ]", [0, 1, 2, 3]),
        ("[ if (0 != 0 && i/0 > 2) i/0 else i | i <- 0..3 ]", [0, 1, 2, 3]),
        ("[ i | i <- 0..3, 0 != 0, i/0 > 2 ]", []),
        ("[ i/0 | i <- 0..n-2 ]", []),
        ("tensor(3)[ (i, if (0 != 0) i/0 else i) | i <- 0..2 ]", [0, 1, 2]),
        ("+/[ if (0 != 0) a/0 else a | (i,a) <- A ]", 3),
        ("[ if (i >= 0) i else A[i/0] | i <- 0..3 ]", [0, 1, 2, 3]),
        ("if (0 != 0) A[99] else 5", 5),
        ("(A[0] == 0 || A[99] == 1, A[0] != 0 && A[99] == 1)", (True, False)),
        ("(if (A[0] != 0) 1/A[0] else 2, if (A[0] == 0) 3 else A[99])", (2, 3)),
        ('if (0 != 0) toInt("x") else 5', 5),
        ('[ if (0 != 0) toInt("x") else i | i <- 0..1 ]', [0, 1]),
        ("if (n == 1) 'y' else \"abc\".charAt(7)", "y"),
        ('(if (0 != 0) (1/0, "a") else (5, "b"))', (5, "b")),
        ("(if (0 != 0) A/0 else A)", [0, 1, 2]),
        ("(if (0 != 0) [ a/0 | (i,a) <- A ] else [1])", [1]),
        ("var s = 0; if (0 != 0) s = 1/0 else s = 2; s", 2),
        ("var s = 0; while (false) s = 1/0; s", 0),
        ("var s = 0; for i = 0, 3 do if (0 != 0) s += i/0 else s += 1; s", 4),
        ("var W = A; for i = 0, 2 do if (0 == 0) W[i] = 3 else W[i] = A[i]/0; W", [3, 3, 3]),
        ("[ (k, if (k < 0) (+/a)/0 else +/a) | (i,a) <- A, group by k: 0 ]", [(0, 3)]),
        # A condition that is computed before the branches it stands in, for what these read.
        (
            "var h = n+1; tensor*(3)[ (i, if (i == n) (if (h > 0 && i/h%2 == 0) A[(i+1)%3] "
            "else A[i]) else 1 + A[i]) | i <- 0..2 ]",
            [1, 2, 3],
        ),
        (
            "var h = n-1; tensor*(3)[ (i, if (i == n) (if (h != 0 && 4/h > i) A[9] "
            "else (if (h == 0 || 1/h == 2) A[2] else A[i])) else A[0]) | i <- 0..2 ]",
            [0, 2, 0],
        ),
    ],
)
def test_branches_that_are_not_taken_do_not_fail(text: str, expected: Any) -> None:
    for found in run(f"input n: Int; input A: vector[Int]; {text}", n=1, A=np.arange(3)):
        assert found == expected


@pytest.mark.parametrize("text", ["1/0", "var x = 3 % 0; 5", "if (1/0 > 2) 1 else 2", "-(1/0)"])
def test_divisions_that_are_sure_to_fail_are_errors_of_the_program(text: str) -> None:
    with pytest.raises(diablo.CompileError, match="this divides by zero"):
        diablo.compile(text)()


def test_divisions_in_rows_fail_where_there_are_rows() -> None:
    for block_size in BLOCK_SIZES:
        with pytest.raises(diablo.RunError, match="1:3: error: integer division by zero"):
            diablo.compile("[ i/0 | i <- 0..2 ]", block_size=block_size)()


def test_arrays_keep_nul_characters() -> None:
    text = "tensor*(3)[ (i,if (i == 1) '\\0' else 'a') | i <- 0..2 ]"
    assert diablo.compile(text)().to_numpy().tolist() == ["a", "\0", "a"]
