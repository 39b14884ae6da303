"""What the parser makes of the grammar: precedence, layout, recovery."""

from __future__ import annotations

from dataclasses import fields

import pytest

from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.lexer import tokenize
from diablo.frontend.parsing.parser import parse
from diablo.frontend.parsing.tokens import Source


def show(node: object) -> str:
    """A tree as one line: `Binary(+, Name(a), Literal(1))`."""
    if isinstance(node, list | tuple):
        return f"[{', '.join(map(show, node))}]"
    if not hasattr(node, "__dataclass_fields__"):
        return str(node)
    parts = [
        getattr(node, f.name) for f in fields(node) if f.name not in ("span", "kind", "method")
    ]
    return f"{type(node).__name__}({', '.join(map(show, parts))})"


def expression(text: str) -> str:
    (statement,) = parse(Source(text, "test.diablo")).statements
    assert isinstance(statement, statements.ExprStatement)
    return show(statement.value)


def kinds(text: str) -> list[str]:
    return [type(s).__name__ for s in parse(Source(text, "test.diablo")).statements]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", "Binary(+, Literal(1), Binary(*, Literal(2), Literal(3)))"),
        ("1 - 2 - 3", "Binary(-, Binary(-, Literal(1), Literal(2)), Literal(3))"),
        ("-a * b", "Binary(*, Unary(-, Name(a)), Name(b))"),
        (
            "a || b && !c == d",
            "Binary(||, Name(a), Binary(&&, Name(b), Binary(==, Unary(!, Name(c)), Name(d))))",
        ),
        ("a < b + 1", "Binary(<, Name(a), Binary(+, Name(b), Literal(1)))"),
        ("A @ B.t", "Binary(@, Name(A), Field(Name(B), t))"),
        ("+/v / n", "Binary(/, Reduction(+, Name(v)), Name(n))"),
        ("max/v + min(1)", "Binary(+, Reduction(max, Name(v)), Call(min, [Literal(1)]))"),
        ("&&/b", "Reduction(&&, Name(b))"),
        ("t._1 + t#2", "Binary(+, Field(Name(t), _1), Field(Name(t), 2))"),
        ("if (a) 1 else 2 + 3", "IfExpr(Name(a), Literal(1), Binary(+, Literal(2), Literal(3)))"),
        ("A[i,j+1]", "Index(Name(A), [Name(i), Binary(+, Name(j), Literal(1))])"),
        (
            "A[2:5,3:8:2,:]",
            "Index(Name(A), [Slice(Literal(2), Literal(5), None), "
            "Slice(Literal(3), Literal(8), Literal(2)), Slice(None, None, None)])",
        ),
        ("(x, y) => x + y", "Lambda(TuplePattern([NamePattern(x), NamePattern(y)]), "
         "Binary(+, Name(x), Name(y)))"),
        ("<a = 1, b: 2>", "RecordExpr([[a, Literal(1)], [b, Literal(2)]])"),
        ("tensor*(n)(m) L", "Constructor(True, [Name(n)], [Name(m)], Name(L))"),
        ("tensor(n) L", "Constructor(False, [Name(n)], [], Name(L))"),
        ("list* L", "Constructor(True, [], [], Name(L))"),
        (
            "[ i | i <- 0..n-1, i > 2 ]",
            "Comprehension(Name(i), [Generator(NamePattern(i), "
            "Range(Literal(0), Binary(-, Name(n), Literal(1))), False), "
            "Guard(Binary(>, Name(i), Literal(2)))], [], None)",
        ),
        (
            "[ i | (i,_) <= A, let (x,y) = i, group by k: x ]",
            "Comprehension(Name(i), [Generator(TuplePattern([NamePattern(i), NamePattern(_)]), "
            "Name(A), True), Let(TuplePattern([NamePattern(x), NamePattern(y)]), Name(i)), "
            "GroupBy(NamePattern(k), Name(x))], [], None)",
        ),
        ("[ x | x <- L, a <= b ]", "Comprehension(Name(x), [Generator(NamePattern(x), Name(L), "
         "False), Guard(Binary(<=, Name(a), Name(b)))], [], None)"),
        ("[ x | x <- L, order by x.a desc, x.b, limit 3 ]", "Comprehension(Name(x), "
         "[Generator(NamePattern(x), Name(L), False)], [SortKey(Field(Name(x), a), True), "
         "SortKey(Field(Name(x), b), False)], Literal(3))"),
        ("[1, 2]", "ListExpr([Literal(1), Literal(2)])"),
        ("(list(), map())", "TupleExpr([ListExpr([]), EmptyMap()])"),
        ("map* L", "Constructor(True, [], [], Name(L))"),
        ("s.split(a).length", "Field(Call(split, [Name(s), Name(a)]), length)"),
        ("f(1)[2]", "Index(Call(f, [Literal(1)]), [Literal(2)])"),
        ("x => y => x", "Lambda(NamePattern(x), Lambda(NamePattern(y), Name(x)))"),
        (
            "[ k | r <- R, group by k: r.a ]",
            "Comprehension(Name(k), [Generator(NamePattern(r), Name(R), False), "
            "GroupBy(NamePattern(k), Field(Name(r), a))], [], None)",
        ),
        ("1e3 + 2.5f + 7L", "Binary(+, Binary(+, Literal(1000.0), Literal(2.5)), Literal(7))"),
    ],
)  # fmt: skip
def test_expressions(text: str, expected: str) -> None:
    assert expression(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("var x = 1\nvar y = 2", ["Var", "Var"]),
        ("var x = a\n(P,Q)", ["Var", "ExprStatement"]),
        ("var x = a\n[ i | i <- L ]", ["Var", "ExprStatement"]),
        ("var x = a\n+/L", ["Var", "ExprStatement"]),
        ("var x = a\n  + b", ["Var"]),
        ("var x = f(a,\n b)[\n1]", ["Var"]),
        ("{ x = 1; };;\nx;", ["Block", "ExprStatement"]),
        ("for i = 0, n, 2 do { x += 1; }; for (i,a) in V do x max= a;", ["For", "ForIn"]),
        ("if (a) x = 1; else x = 2; while (b) x = 3;", ["If", "While"]),
        ("if (a) 1 else 2", ["ExprStatement"]),
        ("input n: Int = 3; def f(x: Int, y: <a: Int>): Int -> Int = x", ["Input", "Def"]),
        (
            "var M: map[Int,(Double,String)] = map(); M[1] += 2; r.a#1 = 3",
            ["Var", "Assign", "Assign"],
        ),
        ("monoid avg(Double) = (0.0, (x,y) => x+y); avg/L", ["MonoidDef", "ExprStatement"]),
        ("region R = (0..n, *) by (2,2) at (1,0) where ?", ["RegionDef"]),
        (
            "var A: matrix[Double] over R fill 0.0; var input = 3; input = 4",
            ["Var", "Var", "Assign"],
        ),
        ("/* a\n * b **/ x; // end", ["ExprStatement"]),
        ("x&&=true\ny||=false\nz*=2", ["Assign", "Assign", "Assign"]),
    ],
)
def test_statements(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r"'a'", "a"),
        (r"'\n'", "\n"),
        (r"'\u20ac'", "€"),
        (r"'\''", "'"),
        (r'"a\tb\\c\"d"', 'a\tb\\c"d'),
        ('"ä // no comment /* */"', "ä // no comment /* */"),
        ('""', ""),
    ],
)
def test_escapes(text: str, value: str) -> None:
    (statement,) = parse(Source(text, "test.diablo")).statements
    assert isinstance(statement, statements.ExprStatement)
    assert isinstance(statement.value, syntax.Literal)
    assert statement.value.value == value


def test_the_name_of_a_typemap_stands_before_what_it_stores() -> None:
    text = (
        "typemap t(n: Int): vector[Int] { def view(s: Int): Int = s; def store(s: Int): Int = s; }"
        "var x = t(3) [1]; var y = u(3) [1]"
    )
    typemap, x, y = parse(Source(text, "test.diablo")).statements
    assert isinstance(typemap, statements.Typemap)
    assert [f.name.name for f in typemap.functions] == ["view", "store"]
    assert isinstance(x, statements.Var)
    assert isinstance(y, statements.Var)
    assert show(x.init) == "MappedStore(t, [Literal(3)], ListExpr([Literal(1)]))"
    assert show(y.init) == "Index(Call(u, [Literal(3)]), [Literal(1)])"


def test_tokens_know_their_places() -> None:
    tokens, diagnostics = tokenize(Source("i <- 0..n\n\tx /* a\nb */ y", "test.diablo"))
    assert not diagnostics
    assert [(t.text, t.line, t.column) for t in tokens] == [
        ("i", 1, 1),
        ("<-", 1, 3),
        ("0", 1, 6),
        ("..", 1, 7),
        ("n", 1, 9),
        ("x", 2, 2),
        ("y", 3, 6),
        ("", 3, 7),
    ]


def test_spans_stay_on_one_line() -> None:
    (statement,) = parse(Source("[ i |\n  i <- 0..3 ]", "test.diablo")).statements
    assert isinstance(statement, statements.ExprStatement)
    span = statement.value.span
    assert (span.line, span.column, span.end_column) == (1, 1, 6)
    assert isinstance(statement.value, syntax.Comprehension)
    assert statement.value.qualifiers[0].span.line == 2
