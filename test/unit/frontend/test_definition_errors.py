"""Every message about monoids, functions as arguments and typemaps."""

from __future__ import annotations

import pytest
from marked import check

MONOIDS = [
    (
        "monoid m(Int) = «3»;",
        "a monoid is defined by a pair of its zero and a function",
        "monoid m(Int) = (zero, (x, y) => …);",
    ),
    (
        "monoid m(Int) = «(0, 1)»;",
        "a monoid is defined by a pair of its zero and a function",
        "monoid m(Int) = (zero, (x, y) => …);",
    ),
    (
        "monoid m(Int) = (0, «x» => x);",
        "the function of a monoid takes two values of type Int",
        "monoid m(Int) = (zero, (x, y) => …);",
    ),
    ("monoid m(Int) = («0.5», (x,y) => x+y);", "the zero of `m` must be Int, not Double", None),
    (
        "monoid m((Int,Int)) = («(0,0,0)», (x,y) => x);",
        "the zero of `m` must be (Int,Int), not (Int,Int,Int)",
        None,
    ),
    (
        "input n: Int; monoid m(Int) = («n», (x,y) => x+y);",
        "the zero of a monoid must be a constant",
        "write numbers, strings, `inf`, or tuples of these",
    ),
    (
        "monoid m(Int) = («1+1», (x,y) => x+y);",
        "the zero of a monoid must be a constant",
        "write numbers, strings, `inf`, or tuples of these",
    ),
    ("monoid m(Int) = (0, (x,y) => «x+y+0.5»);", "`m` must give Int, and this is Double", None),
    (
        "input n: Int; monoid m(Int) = (0, (x,y) => x+y+«n»);",
        "a monoid cannot use the variable `n`",
        "it may use its two arguments only",
    ),
    (
        "monoid m(Int) = (0, (x,y) => «+/[ i | i <- x..y ]»);",
        "a monoid combines two values, and cannot go through a collection",
        None,
    ),
    (
        "monoid m(Double) = (0, (x,y) => «x+y+random()»);",
        "a monoid cannot draw random numbers",
        None,
    ),
    (
        "monoid m(«vector[Int]») = (0, (x,y) => x+y);",
        "a monoid combines numbers, strings or tuples of these, not vector[Int]",
        None,
    ),
    (
        "monoid m(Int) = (0, (x,y) => x+y); monoid «m»(Int) = (0, (x,y) => x*y);",
        "the monoid `m` is declared twice",
        None,
    ),
    (
        "monoid argmin(Int) = (0, (x,y) => x+y); «argmn»/[1,2]",
        "`argmn` is not declared",
        "did you mean `argmin`?",
    ),
    (
        "monoid argmin(Int) = (0, (x,y) => x+y); «argmin/[1.5,2]»",
        "`argmin` combines values of type Int, not Double",
        None,
    ),
    (
        "monoid argmin(Int) = (0, (x,y) => x+y); var x = 0; «x argmn=» 3;",
        "there is no monoid `argmn`",
        "did you mean `argmin`?",
    ),
    (
        "monoid m((Double,Int)) = ((0.0,0), (x,y) => x); var t = (1, 2); «t m=» (3, 4);",
        "`m` combines values of type (Double,Int), not (Int,Int)",
        None,
    ),
    (
        "var x = 0; «x foo=» 3;",
        "there is no monoid `foo`",
        "define it: monoid foo(Int) = (zero, (x, y) => …);",
    ),
    (
        "monoid argmin(Int) = (0, (x,y) => x+y); «argmin» + 1",
        "`argmin` is a monoid, not a value",
        "it reduces a list: argmin/e",
    ),
    (
        "monoid argmin(Int) = (0, (x,y) => x+y); «argmin(1)»",
        "`argmin` takes 2 arguments, not 1",
        None,
    ),
    (
        "monoid argmin(Int) = (0, (x,y) => x+y); argmin(1,«0.5»)",
        "`argmin` wants Int for argument 2, and this is Double",
        "convert it: toInt(…) truncates",
    ),
    (
        "«+/[(1,2)]»",
        "`+` combines numbers, not (Int,Int)",
        "define a monoid: monoid op((Int,Int)) = (zero, (x, y) => …);",
    ),
    (
        '«+/["a"]»',
        "`+` combines numbers, not String",
        "define a monoid: monoid op(String) = (zero, (x, y) => …);",
    ),
]


FUNCTIONS = [
    (
        "var f = «(x) => x»;",
        "a function can stand only where a parameter is a function",
        "give it a name: def f(x: T): U = e;",
    ),
    ("def f(x: Int): Int = x; var g = «f»;", "`f` is a function, not a value", "call it: f(…)"),
    (
        "var f: «Int -> Int» = 3;",
        "a function can be a parameter of another function only",
        "write the call, or give the function as an argument",
    ),
    (
        "def ap(f: Int -> Int, x: Int): Int = f(x); ap(«3», 4)",
        "`ap` wants Int -> Int for `f`, and this is Int",
        None,
    ),
    (
        "def ap(f: Int -> Int, x: Int): Int = f(x); ap(«(x, y)» => x, 4)",
        "this pattern has 2 parts, but it is matched with values of type Int",
        None,
    ),
    (
        "def ap(f: Int -> Int, x: Int): Int = f(x); ap(x => «x / 2.0», 4)",
        "this function should give Int, and gives Double",
        None,
    ),
    ("def ap(f: Int -> Int, x: Int): Int = «f(x, 1)»; 1", "`f` takes 1 argument, not 2", None),
    (
        'def ap(f: Int -> Int, x: Int): Int = f(«"a"»); 1',
        "`f` wants Int for argument 1, and this is String",
        "convert it: toInt(…)",
    ),
    (
        "def ap(f: Int -> Int, x: Int): Int = f(x); def add(x: Int,y: Int): Int = x; ap(«add», 4)",
        "`add` takes 2 arguments, and Int -> Int is wanted here",
        None,
    ),
    (
        "def ap(f: Int -> Int, x: Int): Int = f(x); def dbl(x: String): String = x+x; ap(«dbl», 4)",
        "Int -> Int is wanted here, and `dbl` is String -> String",
        None,
    ),
    ("def ap(f: Int -> Int, x: Int): Int = f(x); ap(«sqrt», 4)", "`sqrt` is no Int -> Int", None),
    (
        "def ap(f: Int -> Int, x: Int): Int = f(x); def incr(x: Int): Int = x + 1; ap(«inc», 4)",
        "`inc` is not declared",
        "did you mean `incr`?",
    ),
    (
        "def ap(f: Int -> Int, x: Int): «Int -> Int» = f; 1",
        "a function can be a parameter of another function only",
        "write the call, or give the function as an argument",
    ),
    (
        "def ap(f: Int -> Int, x: Int) = «f»; 1",
        "`ap` gives a function, and functions are parameters only",
        None,
    ),
    (
        "def ap(f: Int -> Int): Int = «f + 1»; 1",
        "`+` cannot be applied to Int -> Int and Int",
        None,
    ),
    (
        "def ap(f: Int -> Int): Int = 1; ap(«if (true) ((x) => x) else ((x) => x+1)»)",
        "a function cannot be chosen while the program runs",
        None,
    ),
    ("input L: list[«Int -> Int»];", "a list cannot hold functions", None),
]


HEAD = "typemap t(n: Int): vector[Int] { "
STORE = "def store(s: list[(Int,Int)]): Int = 1 } "
TYPEMAP = HEAD + "def view(s: Int): list[(Int,Int)] = [(1,s)]; " + STORE

TYPEMAPS = [
    (
        "typemap t(n: Int): «Int» { def view(s: Int): Int = s; def store(s: Int): Int = s }",
        "a typemap stores an array, not Int",
        "for example matrix[Double]",
    ),
    (
        "typemap «t»(n: Int): vector[Int] { def view(s: Int): list[(Int,Int)] = [(1,s)] }",
        "the typemap `t` needs the two functions `view` and `store`",
        None,
    ),
    (
        HEAD + "def «view»(s: Int): list[Int] = [s];" + STORE,
        "`view` must give list[(Int,Int)], not list[Int]",
        None,
    ),
    (
        HEAD + "def «view»(s: Int, u: Int): list[(Int,Int)] = [(1,s)];" + STORE,
        "`view` of a typemap takes 1 argument, not 2",
        None,
    ),
    (
        TYPEMAP + "t(«1.5») [(1,2)]",
        "`t` wants Int for `n`, and this is Double",
        None,
    ),
    (
        TYPEMAP + "«t(1,2) [(1,2)]»",
        "`t` takes 1 argument, not 2",
        None,
    ),
    (
        TYPEMAP + "t(1) «[1]»",
        "`t` stores list[(Int,Int)], not list[Int]",
        None,
    ),
    (
        TYPEMAP + "var A = t(1) [(1,2)]; «A[1]» = 2;",
        "an array that a typemap stores cannot be changed one by one",
        "store a new list of its elements",
    ),
    (
        TYPEMAP + "var A = t(1) [(1,2)]; «A[1,2]»",
        "a vector[Int] is read with 1 index, not 2",
        None,
    ),
    (
        HEAD + "«var x = 3» }",
        "a typemap holds functions only",
        "typemap t(n: Int): matrix[Double] { def view(…)… def store(…)… }",
    ),
]


@pytest.mark.parametrize(("program", "message", "hint"), MONOIDS)
def test_monoids(program: str, message: str, hint: str | None) -> None:
    check(program, message, hint)


@pytest.mark.parametrize(("program", "message", "hint"), FUNCTIONS)
def test_functions(program: str, message: str, hint: str | None) -> None:
    check(program, message, hint)


@pytest.mark.parametrize(("program", "message", "hint"), TYPEMAPS)
def test_typemaps(program: str, message: str, hint: str | None) -> None:
    check(program, message, hint)
