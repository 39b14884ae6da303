"""The types that the checker finds, and what it leaves for the emission to look up."""

from __future__ import annotations

from math import inf

import pytest

from diablo.frontend.checking.check_program import check_program
from diablo.frontend.checking.checked import Checked
from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.parser import parse
from diablo.frontend.parsing.tokens import Source
from diablo.frontend.parsing.tree_walk import walk

DECLARATIONS = """
input n: Int; input x: Double; input b: Boolean; input s: String; input c: Char;
input A: matrix[Double]; input V: vector[Double]; input T: array3[Int];
input L: list[(Int,Double)]; input R: list[<a: Int, b: (Double,String)>];
input N: list[list[Int]]; input M: map[String,Int]; input W: map[(Int,Int),list[Double]];
monoid argmin((Double,Int)) = ((inf,-1), (x,y) => if (x._1 <= y._1) x else y);
monoid longest(String) = ("", (x,y) => if (x.length < y.length) y else x);
def twice(f: Double -> Double, x: Double): Double = f(f(x));
def fold(f: (Double,Double) -> Double, x: Double): Double = f(x, 1);
def square(x: Double): Double = x*x;
def first(r: <a: Int, b: (Double,String)>): Double = r.b._1;
typemap diagonal(n: Int): matrix[Double] {
  def view(s: vector[Double]): list[((Int,Int),Double)] = [ ((i,i),v) | (i,v) <- s ];
  def store(L: list[((Int,Int),Double)]): vector[Double] = tensor(n)[ (i,v) | ((i,j),v) <- L ];
}
"""


def check(text: str) -> tuple[statements.Program, Checked]:
    source = Source(text, "test.diablo")
    program = parse(source)
    return program, check_program(program, source)


def type_of_last(text: str) -> str:
    program, checked = check(text)
    last = program.statements[-1]
    assert isinstance(last, statements.ExprStatement)
    return str(checked.types[last.value])


@pytest.mark.parametrize(
    ("expression", "type"),
    [
        # strings and characters
        ('s + 1 + c + b + 2.5', "String"),
        ("s[0]", "Char"),
        ("s.length + s.split(\",\").length", "Int"),
        ("s.trim", "String"),
        ("s.trim().toUpper()", "String"),
        ("split(s, \" \")", "list[String]"),
        ("s.substring(0,2) < s && c >= 'a'", "Boolean"),
        ("(s.toInt, c.toInt, x.toInt, n.toDouble, b.toString)", "(Int,Int,Int,Double,String)"),
        # tuples and records
        ("<a = 1, b = <c = 2.5>>.b.c", "Double"),
        ("<a = 1, b = s>", "<a: Int, b: String>"),
        ("(1, (2.5, s))._2#1", "Double"),
        ("(1, s) == (2, \"a\")", "Boolean"),
        ("first(<b = (1, s), a = 2>)", "Double"),
        ("[ r.b._2 | r <- R, r.a > 2 ]", "list[String]"),
        # lists and maps
        ("[1, 2.5]", "list[Double]"),
        ("[(1,[]), (2,[s])]", "list[(Int,list[String])]"),
        ("if (b) [] else [1]", "list[Int]"),
        ("[ +/x | x <- N, x.length > 1 ]", "list[Int]"),
        ("(M[s], W[1,2], W[(1,2)], M.length)", "(Int,list[Double],list[Double],Int)"),
        ("[ (k,v) | (k,v) <- M ]", "list[(String,Int)]"),
        ("[ p._2 | p <- M ]", "list[Int]"),
        ("map*[ (s,i) | i <- 0..n ]", "map[String,Int]"),
        ("map L", "map[Int,Double]"),
        ("list* M", "list[(String,Int)]"),
        # arrays
        ("(A[1:3,0], A[:,::2], A[1,2], T[0,:,:])",
         "(vector[Double],matrix[Double],Double,matrix[Int])"),
        ("(V @ V, A @ V, V % 2, 7 % 2.5)", "(Double,vector[Double],vector[Double],Double)"),
        ("(max(V, 0), pow(A, 2), atan2(V, V))", "(vector[Double],matrix[Double],vector[Double])"),
        ("if (b) A else A.t", "matrix[Double]"),
        ("tensor(n)[ (i, tensor(n)[ (j, i*j) | j <- 0..n-1 ]) | i <- 0..n-1 ]",
         "vector[vector[Int]]"),
        ("tensor(n)[ (i, (i, <a = x>)) | i <- 0..n-1 ]", "vector[(Int,<a: Double>)]"),
        # groups
        ("[ (i, w) | (i,v) <- L, let w = (i,v), group by i ]", "list[(Int,list[(Int,Double)])]"),
        ("[ (k, [ y.b | y <- r ], r.length) | r <- R, group by k: r.a ]",
         "list[(Int,list[(Double,String)],Int)]"),
        ("[ (i, tensor(n) w) | (i,v) <- L, let w = (i,v), group by i ]",
         "list[(Int,vector[Double])]"),
        ("[ (k, v) | (i,v) <- L, group by i, group by k: i % 2 ]",
         "list[(Int,list[list[Double]])]"),
        ("[ (k, [ (m, +/u) | u <- v, group by m: toInt(u) ]) | (k,v) <- L, group by k ]",
         "list[(Int,list[(Int,Double)])]"),
        # monoids, functions, typemaps
        ("argmin/[ (v,i) | (i,v) <- V ]", "(Double,Int)"),
        ("argmin/[ (i,i) | i <- 0..n ]", "(Double,Int)"),
        ("longest/s.split(\" \")", "String"),
        ("(inf, -inf)", "(Double,Double)"),
        ("twice(y => y + n, 1)", "Double"),
        ("twice(square, 2) + twice(sqrt, 2)", "Double"),
        ("fold((a,b) => a*b, 2) + fold(max, 2) + fold(p => p._1, 2)", "Double"),
        ("twice((y) => twice(square, y), 2)", "Double"),
        ("+/[ v | ((i,j),v) <- diagonal(n)[ ((i,i),x) | i <- 0..n ] ]", "Double"),
        ("tensor*(n,n) diagonal(n) [ ((i,i),x) | i <- 0..n ]", "matrix[Double]"),
        ("diagonal(n) A", "list[((Int,Int),Double)]"),
        # conditional reads
        ("[ if (i > 0 && V[i-1] > 0) V[i-1] else 0 | i <- 0..n ]", "list[Double]"),
    ],
)  # fmt: skip
def test_types(expression: str, type: str) -> None:
    assert type_of_last(DECLARATIONS + expression) == type


@pytest.mark.parametrize(
    "text",
    [
        "var t = (1, (2.5, s)); t._2 = (3, s); t#2#1 += 1; t",
        "var r = <a = 1, b = <c = x>>; r.b.c *= 2; r.b = <c = 1>; r",
        "var K = M; K[s] += 1; K[s] = 2; for (k,v) in K do K[k] max= v; K",
        "var K: map[(Int,Int),Double] = map(); K[1,2] = 3; K[(1,2)] += 1; K",
        "var P = tensor(n)[ (i, (i,x)) | i <- 0..n-1 ]; for i = 0, n-1 do P[i]#2 += i; P",
        "var P = tensor(n)[ (i, V) | i <- 0..n-1 ]; for i = 0, n-1 do P[i][0] += 1; P",
        "var best = (inf, -1); for (i,v) in V do best argmin= (v,i); best",
        "for i = 0, n, n/2 do { var y = 0.0; for j = 0, i do y += V[j]; if (y > 1) y = 0; }",
        "var E: list[(Int,String)] = []; E = list(); var D: list[Double] = [1, 2]; (E, D)",
        "var K: map[String,list[Int]] = map(); K = map(); K",
        "var q: Long = 3L; var f: Float = 1.5f; var d: Double = f * q; (q, d)",
        "var d = diagonal(n)[ ((i,i),x) | i <- 0..n-1 ]; var y = d[0,1]; d = diagonal(2) d; y",
    ],
)
def test_statements_are_accepted(text: str) -> None:
    check(DECLARATIONS + text)


def test_monoids_keep_their_identity_as_constants() -> None:
    program, checked = check(DECLARATIONS + "argmin/[ (v,i) | (i,v) <- V ]")
    (monoid,) = checked.monoids.values()
    assert (monoid.name, str(monoid.type), monoid.identity) == ("argmin", "(Double,Int)", (inf, -1))
    (reduction,) = [n for n in walk(program.statements[-1]) if isinstance(n, syntax.Reduction)]
    assert checked.monoids[reduction] is monoid


def test_a_named_function_as_an_argument_is_a_lambda() -> None:
    program, checked = check(DECLARATIONS + "twice(square, 2)")
    last = program.statements[-1]
    assert isinstance(last, statements.ExprStatement)
    assert isinstance(last.value, syntax.Call)
    given = checked.desugared[last.value.arguments[0]]
    assert isinstance(given, syntax.Lambda)
    assert isinstance(given.body, syntax.Call)
    assert checked.functions[given.body].definition.name.name == "square"
    reached = [n for n in checked.evaluated(last) if isinstance(n, syntax.Binary)]
    assert [n.op for n in reached] == ["*"]


def test_empty_lists_have_the_type_that_is_wanted() -> None:
    program, checked = check("var x: (list[Int],map[Int,String]) = (if (true) [] else [1], map());")
    types = {
        type(n): str(checked.types[n]) for n in walk(program) if isinstance(n, syntax.ListExpr)
    }
    assert types == {syntax.ListExpr: "list[Int]"}
    (empty,) = [n for n in walk(program) if isinstance(n, syntax.EmptyMap)]
    assert str(checked.types[empty]) == "map[Int,String]"


def test_fields_of_records_in_another_order_are_brought_to_order() -> None:
    program, checked = check('var x: <a: Int, b: String> = <b = "s", a = 1>; x.b')
    (record,) = [n for n in walk(program) if isinstance(n, syntax.RecordExpr)]
    ordered = checked.desugared[record]
    assert isinstance(ordered, syntax.RecordExpr)
    assert [name for name, _ in ordered.fields] == ["a", "b"]
    assert list(checked.positions.values()) == [1]


def test_a_bag_of_bags_uses_both_groups() -> None:
    program, checked = check(DECLARATIONS + "[ v | (i,v) <- L, group by i, group by k: i % 2 ]")
    groups = [n for n in walk(program.statements[-1]) if isinstance(n, syntax.GroupBy)]
    used = [[b.used for _, b in checked.groupings[g].bags if b.name == "v"] for g in groups]
    assert used == [[True], [True]]
