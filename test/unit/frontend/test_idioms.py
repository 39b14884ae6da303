"""Every hint for what is written otherwise in other languages."""

from __future__ import annotations

import pytest
from marked import check

IDIOMS = [
    ("var L = [1,2,3]; «average(L)»", "there is no function `average`", "write mean(e)"),
    ("var L = [1,2,3]; «L.sum»", "list[Int] has no field `sum`", "write sum(e)"),
    ("var L = [1,2,3]; «sum»", "`sum` is a function, not a value", "call it: sum(…)"),
    (
        "«let» x = 3;",
        "expected an expression, found `let`",
        "variables are declared with `var`: var x = 0;",
    ),
    ("«val» x = 3;", "`val` is not declared", "did you mean `var`?"),
    ("x «:» = 3;", "expected the end of the statement, found `:`", "assignments are written `=`"),
    (
        "for i = 0 «to» 10 do { }",
        "expected `,` between the bounds of this `for`, found `to`",
        "loops are written `for i = 0, n-1 do …` or `for x in e do …`",
    ),
    (
        "input A: «array[Double]»;",
        "there is no type `array`",
        "write vector[T], matrix[T], array3[T]",
    ),
    (
        "var n = 3; for i = 0, n do «print(i)»;",
        "there is no function `print`",
        "the value of the last expression is the program's result",
    ),
    (
        "def f(x: Int): Int «{» x }",
        "expected `=` before the body of this function, found `{`",
        "functions are defined by an expression: def f(x: T): U = e;",
    ),
    (
        "def f(x: Int): Int = «{» x }",
        "expected an expression, found `{`",
        "braces group statements, they are no value",
    ),
    (
        "[ x «for» x in L ]",
        "expected `]` to close this bracket, found `for`",
        "comprehensions are written [ e | p <- L, … ]",
    ),
    (
        "var x = 3 «and» 4;",
        "expected `;` or a new line after this statement, found `and`",
        "write `&&`",
    ),
    ("var x = 2 *«*» 3;", "expected an expression, found `*`", "powers are written pow(x,y)"),
    ("var x = 2 «^» 3;", "unexpected character '^'", "powers are written pow(x,y)"),
    (
        "var t = (1,2); «t[0]»",
        "only arrays, lists, maps and strings have indices, and this is (Int,Int)",
        "the parts of a tuple are read t._1, t._2",
    ),
    (
        "input L: list[(Int,Int)]; [ i | (i,j) <- L, j «=» 3 ]",
        "expected `]` at the end of the comprehension, found `=`",
        "comparisons are written `==`",
    ),
    (
        "input L: list[(Int,Int)]; [ i | (i,j) «in» L ]",
        "expected `]` at the end of the comprehension, found `in`",
        "generators are written p <- e",
    ),
    (
        "input L: list[(Int,Int)]; [ (i, «size(j)») | (i,j) <- L, group by i ]",
        "there is no function `size`",
        "write e.length",
    ),
    (
        "input L: list[(Int,Int)]; [ (i, j) | (i,j) <- L, sort «by» i ]",
        "expected `]` at the end of the comprehension, found `by`",
        "the clauses with `by` are group by k and order by k",
    ),
    (
        "input L: list[(Int,Int)]; [ (i, j) | (i,j) <- L, order by i «descending» ]",
        "expected `]` at the end of the comprehension, found `descending`",
        "rows descend by a key that is followed by desc: order by k desc",
    ),
    ("input A: matrix[Double]; «transpose(A)»", "there is no function `transpose`", "write A.t"),
    ("input A: matrix[Double]; «A.T»", "matrix[Double] has no field `T`", "did you mean `t`?"),
    (
        "input A: matrix[Double]; «A > 0.5»",
        "`>` cannot be applied to matrix[Double] and Double",
        "arrays are compared cell by cell, in a comprehension",
    ),
    (
        'var M: map[String,Int] = map(); «M.get("a")»',
        "map[String,Int] has no method `get`",
        "write M[k]",
    ),
    (
        "monoid m «=» (0, (x,y) => x+y);",
        "expected `(` after `monoid m`, found `=`",
        "monoid m(Int) = (zero, (x, y) => …);",
    ),
    (
        "return «3»;",
        "expected `;` or a new line after this statement, found `3`",
        "the value of the last expression is the program's result",
    ),
    (
        "var x = «null»;",
        "`null` is not declared",
        "every variable has a value; what an array does not store is zero",
    ),
    (
        "var x = true «?» 3 : 4;",
        "expected `;` or a new line after this statement, found `?`",
        "write if (c) a else b",
    ),
    (
        "«(a, b)» = (1, 2);",
        "only a variable or an array element can be assigned",
        "assign each part by itself",
    ),
    (
        "var f = «x => x + 1»; f(3)",
        "a function can stand only where a parameter is a function",
        "give it a name: def f(x: T): U = e;",
    ),
    (
        "var x = 1.«;»",
        "expected the name of a field, found `;`",
        "a number has a digit after its point: 1.0",
    ),
    (
        "var V = «vector(3)»;",
        "the type of the elements of this array is not known",
        "declare it with type and sizes: var V: vector[Double] = vector(n);",
    ),
    (
        "var V: matrix[Int] = «matrix(3)»;",
        "`matrix` takes 2 sizes, not 1",
        "declare it with type and sizes: var V: matrix[Double] = matrix(n,m);",
    ),
    (
        "var V: array4[Int] = «array4()»; var k = 0; while (k < 3) { V[k,0,0,0] = k; k += 1; };",
        "the extents of this array are not known where it is declared",
        "declare it with its type, and with sizes if a `while` writes it:"
        " var V: array4[Double] = array4(…);",
    ),
    (
        "input V: vector[Double]; «+/[ v | v <- V ]»",
        "`+` combines numbers, not (Int,Double)",
        "an array is gone through as pairs of index and element: (i,v) <- V",
    ),
    (
        "input m: map[String,Int]; m[«'a'»]",
        "the key of this map is String, not Char",
        "a string is written with double quotes",
    ),
    (
        'input m: map[String,Int]; «m["a","b"]»',
        "the key of this map is String, and this has 2 parts",
        "the values are read as m[String]",
    ),
    (
        "input V: vector[Double]; var m = 0.0; for (i,v) in V do «m mean=» v",
        "there is no monoid `mean`",
        "`mean` reduces rows, as in mean/e; it updates no variable",
    ),
    ("var n = 3; n+«+»; n", "expected an expression, found `+`", "write n += 1, or n -= 1"),
    ("var n = 3; n--«;» n", "expected an expression, found `;`", "write n += 1, or n -= 1"),
    ("var n = 3; «+»+n;", "expected an expression, found `+`", "write n += 1, or n -= 1"),
    (
        "input V: vector[Double]; «V.t»",
        "vector[Double] has no field `t`",
        "a vector is neither a row nor a column: v @ w and A @ v take it as it is",
    ),
    (
        "input L: list[<a: Int, b: Double>]; «L.a»",
        "list[<a: Int, b: Double>] has no field `a`",
        "its rows have this field: [ x.a | x <- … ]",
    ),
    (
        "input L: list[<a: Int, b: Double>]; «L.foo»",
        "list[<a: Int, b: Double>] has no field `foo`",
        "its rows have the fields `a`, `b`",
    ),
    (
        "var V = tensor(3)[ (i,<a=i,b=2>) | i <- 0..2 ]; «V.a»",
        "vector[<a: Int, b: Int>] has no field `a`",
        "its elements have this field: V[i].a",
    ),
    (
        "tensor*(3) «[]»",
        "the elements of this array have no type",
        "declare the array's type: var V: vector[Double] = …;",
    ),
    ("var x: «bool» = true;", "there is no type `bool`", "did you mean `Boolean`?"),
]


@pytest.mark.parametrize("text", ["", "  ", "// nothing\n"])
def test_nothing(text: str) -> None:
    check(f"«»{text}", "the program is empty", "the value of its last expression is its result")


@pytest.mark.parametrize(("program", "message", "hint"), IDIOMS)
def test_idioms(program: str, message: str, hint: str) -> None:
    check(program, message, hint)
