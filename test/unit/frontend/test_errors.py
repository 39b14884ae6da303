"""Every message about the meaning of a wrong program: its text, what it marks, and its hint.

`«…»` in a program is what the message must mark; it is no part of the program.
"""

from __future__ import annotations

import pytest
from marked import check, errors_of

from diablo.diagnostics import Diagnostic, listening
from diablo.frontend.importer import import_program

HABITS = [
    ("var x = «rdd»[ (i,i) | i <- 0..3 ];", "there is no constructor `rdd`", "a distributed list"),
    (
        "var x = «tiled(3,4)»[ ((i,j),1.0) | i <- 0..2, j <- 0..3 ];",
        "there is no constructor `tiled`",
        "a distributed array is written tensor*(n,m) [ … ]",
    ),
    ("var n = «args(0)».toInt;", "there is no function `args`", "is an input: input n: Int;"),
    ("var x = «Double.MaxValue»;", "there is no constant `Double.MaxValue`", "write inf"),
    ("var x = «Int.MinValue»;", "there is no constant `Int.MinValue`", "-9223372036854775808"),
    ("var x = if (1 > 0 «and» 2 > 1) 1 else 2;", "expected `)` after the condition", "write `&&`"),
    ("var x = if (1 > 0 «or» 2 > 1) 1 else 2;", "expected `)` after the condition", "write `||`"),
    (
        "var x = if (1 «=» 2) 1 else 2;",
        "expected `)` after the condition",
        "comparisons are written",
    ),
    ("var x = [ i | i <- 1..3, i «=» 2 ];", "expected `]` at the end", "comparisons are written"),
    ("var x = if (not «1» > 2) 1 else 2;", "expected `)` after the condition", "write `!`"),
    ("var x = «not(true)»;", "there is no function `not`", "write !e"),
    ("«Math.sqrt(2.0)»;", "there is no function `Math.sqrt`", "write sqrt(…)"),
    ("«np.sum([1,2])»;", "there is no function `np.sum`", "write sum(…)"),
    ("«numpy.maximum(1,2)»;", "there is no function `numpy.maximum`", "did you mean `max`?"),
    ("«math.pi»;", "there is no constant `math.pi`", "write 3.14159"),
    ('var x = 3; x = «"a"»;', "String cannot be assigned to `x`, which is Int", "keeps its type"),
    ("input v: vector[Double]; «lenght(v)»", "there is no function `lenght`", "mean `length`?"),
    (
        "input V: vector[Double]; var s = 0.0; for v in V do s += «v»;",
        "a value of type (Int,Double) cannot be assigned to `s`",
        "an array is gone through as pairs of index and element: (i,v) in V",
    ),
    (
        "input M: matrix[Double]; [ «v*2» | v <- M ]",
        "`*` cannot be applied to ((Int,Int),Double) and Int",
        "an array is gone through as pairs of index and element: ((i,j),v) <- M",
    ),
]


@pytest.mark.parametrize(("program", "message", "hint"), HABITS)
def test_habits_from_other_languages(program: str, message: str, hint: str) -> None:
    before, rest = program.split("«")
    marked, after = rest.split("»")
    (error,) = errors_of(before + marked + after)
    assert message in error.message
    assert error.hint is not None
    assert hint in error.hint
    assert error.span is not None
    assert error.span.column == len(before) + 1


TEXTS = "list[String]"


@pytest.mark.parametrize(
    ("program", "types"),
    [
        ("var x = m * 2; var y = m + 1; m", {"m": "Int"}),
        ("for i = 0, n-1 do V[i] += W[i,n] * a;", {"n": "Int", "W": "matrix[Double]"}),
        ("var x = if (b || c) 1 else 2;", {"b": "Boolean", "c": "Boolean"}),
        ("var x = [ a+i | ((i,j),a) <- A ];", {"A": "matrix[Double]"}),
        ("var x = tensor*(n,m)[ ((i,i),1.0) | i <- 0..3 ];", {"n": "Int", "m": "Int"}),
        ("var x = A @ B;", {"A": "matrix[Double]", "B": "matrix[Double]"}),
        ('var x = s + "!"; var y = +/L;', {"s": "String", "L": "list[Double]"}),
        ("var x = a * b;", {"a": "Double", "b": "Double"}),
        ("var x = y;", {"y": "…"}),
        ('var x = [ w | w <- L, w.startsWith("a") ];', {"L": "list[String]"}),
        ('var c = 0; for w in L do c += w.split(" ").length;', {"L": "list[String]"}),
        ("var x = [ w | w <- L, w.length > 3, w[0] != '#' ];", {"L": "list[String]"}),
        (
            'var x = [ w + "x" | w <- L ]; var y = [ w == "a" | w <- M ];',
            dict.fromkeys("LM", TEXTS),
        ),
        ("input m: map[String,Int]; var x = [ m[w] | w <- L ];", {"L": "list[String]"}),
        ("var c = 0; for x in L do c += x;", {"L": "list[Int]"}),
        ("var s = 0.0; for p in L do s += p.age;", {"L": "list[<age: Double>]"}),
        ('var x = [ p.at.x | p <- L, p.is == "a" ];', {"L": "list[<at: <x: Double>, is: String>]"}),
        ("var s = 0; for p in L do s += p._2;", {"L": "list[(Double, Int)]"}),
        ('var x = [ v | (k,v) <- L, k != "" ];', {"L": "list[(String, Double)]"}),
    ],
)
def test_a_name_is_reported_once_with_the_type_of_its_uses(
    program: str, types: dict[str, str]
) -> None:
    errors = errors_of(program)
    names = [e.message.split("`")[1] for e in errors]
    assert len(names) == len(set(names))
    hints = dict(zip(names, (e.hint for e in errors), strict=True))
    for name, type in types.items():
        assert hints[name] == f"declare it: input {name}: {type};"


@pytest.mark.parametrize(
    ("program", "hints"),
    [
        ("m[k] += 1;", {"m": "var m: map[…,Int] = map();", "k": "input k: …;"}),
        (
            "for w in L do m[w] += 1.5;",
            {"m": "var m: map[…,Double] = map();", "L": "input L: list[String];"},
        ),
        ("input k: String; m[k] += k.length;", {"m": "var m: map[String,…] = map();"}),
        ("input k: String; var v = 2; m[k] = v;", {"m": "var m: map[String,Int] = map();"}),
        ("input i: Int; V[i] = 2;", {"V": "var V = …;"}),
        ("M[i,j] += 2;", {"M": "var M = …;", "i": "input i: Int;", "j": "input j: Int;"}),
    ],
)
def test_a_variable_that_is_not_declared_may_be_a_map(program: str, hints: dict[str, str]) -> None:
    found = {e.message.split("`")[1]: e.hint for e in errors_of(program)}
    assert found == {name: f"declare it: {hint}" for name, hint in hints.items()}


def test_modules_may_be_variables() -> None:
    import_program('input math: String; math.split(" ")', "math.diablo")


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("var x = 7//2", 10),
        ("var n = 7; var x = n//2; // half", 21),
        ("var a = 7; var x = (a+1)//a", 25),
        ("var a = [7]; var x = a[0]//(1)", 26),
        ("var x = 7; x = x // 2", None),
        ("var x = 7  //2", None),
        ("var x = 7// 2", None),
        ("var x = 7;//2", None),
        ("var x = abs(7) // n//2", None),
        ("var x = if (1 > 2) 1 else//2\n 3", None),
        ('var x = "7//2" /* 7//2 */', None),
    ],
)
def test_a_comment_that_looks_like_a_division_is_warned_of(text: str, column: int | None) -> None:
    found: list[Diagnostic] = []
    with listening(found.append):
        import_program(text, "half.diablo")
    assert [d.span and d.span.column for d in found] == ([] if column is None else [column])
    assert all(d.severity == "warning" and "begins a comment" in d.message for d in found)


def test_a_comment_may_be_what_hides_a_parenthesis() -> None:
    warning, error = errors_of("var x = (7//2);")
    assert (warning.severity, error.severity) == ("warning", "error")


NAMES = [
    (
        'var x = «read("x")»;',
        "`read` stands in regions only",
        'use an input; a region reads its pattern: R where read("pattern.mtx")',
    ),
    (
        "«f(3)»; def f(x: Int): Int = x",
        "`f` is not declared yet",
        "it is declared further down, in line 1",
    ),
    ("«y» = 3;\nvar y = 4;", "`y` is not declared yet", "it is declared further down, in line 2"),
    (
        "var z = «y»; var y = 4;",
        "`y` is not declared yet",
        "it is declared further down, in line 1",
    ),
    ("def f(x: Int): Int = x; var «f» = 3;", "`f` is declared twice", None),
    ("«vra» x = 3;", "`vra` is not declared", "did you mean `var`?"),
    ("def f(x: Int): Int = x; «f» = 3;", "`f` is a function, not a variable", None),
    ("«x» = 3;", "`x` is not declared", "declare it: var x = …;"),
    ("var nodes = 3; var y = «node» + 1;", "`node` is not declared", "did you mean `nodes`?"),
    ("var nodes = 3; «node» = 1;", "`node` is not declared", "did you mean `nodes`?"),
    ("var y = «G»;", "`G` is not declared", "declare it: input G: …;"),
    ("var s = 0; s += «k»;", "`k` is not declared", "declare it: input k: Int;"),
    ('var s = ""; s = «w»;', "`w` is not declared", "declare it: input w: String;"),
    ("{ var x = 1; } «x»;", "`x` is not declared", "declare it: input x: …;"),
    ("«sqroot(2.0)»;", "there is no function `sqroot`", "did you mean `sqrt`?"),
    ("«sqrt» + 1;", "`sqrt` is a function, not a value", "call it: sqrt(…)"),
    ("var V = 3; «V(2)»;", "`V` is no function", "elements are read with brackets: V[i]"),
    ("var x = 3; var «x» = 4;", "`x` is declared twice", None),
    ("for i = 0, 9 do «i» = 3;", "`i` is a loop variable and cannot be assigned", None),
    (
        "input L: list[(Int,Int)]; [ i | (i,j) <- L, («i»,k) <- L ];",
        "`i` is already bound in this comprehension",
        "bind another name and compare: ii == i",
    ),
    (
        "input «seed»: Int; random();",
        "`seed` is the input that seeds random(), and cannot be declared",
        "choose another name",
    ),
]


DECLARATIONS = [
    (
        "input n: Int = «n + 1»;",
        "this default is not a constant",
        "the default of an input is a number, a string, `true` or `false`",
    ),
    ("input n: Int = «2.5»;", "the default of `n` has type Double, and `n` is Int", None),
    ("input A: vector[Int] = «3»;", "an input of type vector[Int] has no default", None),
    (
        "input t: «(Int,Int)»;",
        "an input cannot have the type (Int,Int)",
        "declare one input for each part",
    ),
    ("input A: «matrix»;", "`matrix` takes 1 type argument", "write for example matrix[Double]"),
    ("input A: «Int[Int]»;", "`Int` takes no type arguments", "write just Int"),
    ("input A: «matrx[Double]»;", "there is no type `matrx`", "did you mean `matrix`?"),
    ("{ «input n: Int»; }", "inputs are declared at the top of a program only", None),
    (
        "var y = 1.5; var x: Float = «y»;",
        "`x` is declared Float, and this is Double",
        "convert it: toFloat(…) rounds",
    ),
    (
        "var x: Int = «2.5»;",
        "`x` is declared Int, and this is Double",
        "convert it: toInt(…) truncates",
    ),
    ("def f(x: Int): Int = «f(x)»;", "`f` calls itself: recursion is not allowed", None),
    (
        "def f(x: Int): Int = «x * 2.5»;",
        "`f` is declared to give Int, and this is Double",
        "convert it: toInt(…) truncates",
    ),
    (
        "def f(x: Int): Int = x; f(«2.5»);",
        "`f` wants Int for `x`, and this is Double",
        "convert it: toInt(…) truncates",
    ),
    ("def f(x: Int): Int = x; «f(2, 3)»;", "`f` takes 1 argument, not 2", None),
    (
        "var x = 3; «x»; x = 4;",
        "the value of this expression is not used",
        "only the last statement of a program gives its result",
    ),
]


TYPES = [
    ("var x = «1 + true»;", "`+` cannot be applied to Int and Boolean", None),
    (
        "var x = «1 < 2 < 3»;",
        "comparisons cannot be chained",
        "join two comparisons with `&&`",
    ),
    (
        "var x = «!3»;",
        "`!` needs a Boolean, not Int",
        "a number is no truth value: compare it, as in … == 0",
    ),
    (
        "var z = 0.5; var x = «!z»;",
        "`!` needs a Boolean, not Double",
        "a number is no truth value: compare it, as in z == 0",
    ),
    ('var s = ""; var x = «!s»;', "`!` needs a Boolean, not String", None),
    ("var x = «-true»;", "`-` needs a number, not Boolean", None),
    (
        "var x = «7 / 0»;",
        "this divides by zero",
        "a division of Double values gives inf or nan: 1.0/0.0",
    ),
    (
        "var x = 3; x = «2.5»;",
        "a value of type Double cannot be assigned to `x`, which is Int",
        "convert it: toInt(…) truncates",
    ),
    (
        "var V = tensor(3)[ (i,1) | i <- 0..2 ]; V[0] += «2.5»;",
        "a value of type Double cannot be assigned to this element, which is Int",
        "convert it: toInt(…) truncates",
    ),
    ("var x = 0; «x &&=» true;", "`&&` combines Boolean values, not Int", None),
    (
        "var x = if («1») 2 else 3;",
        "the condition of `if` must be Boolean, not Int",
        "a number is no truth value: compare it, as in … != 0",
    ),
    (
        "var x = 0; while («x») x += 1;",
        "the condition of `while` must be Boolean, not Int",
        "a number is no truth value: compare it, as in x != 0",
    ),
    (
        "var d = 1.0; var f: Float = «d/3.0»;",
        "`f` is declared Float, and this is Double",
        "convert it: toFloat(…) rounds",
    ),
    (
        "var f: Float = «1/3»;",
        "`f` is declared Float, and this is Int",
        "convert it: toFloat(…) rounds",
    ),
    (
        "var x = «if (true) 2 else false»;",
        "the branches of this `if` have types Int and Boolean",
        None,
    ),
    (
        "for i = 0, «2.5» do { }",
        "the last value of a loop must be Int, not Double",
        "convert it: toInt(…) truncates",
    ),
    ("for i = 0, 5, «0» do { }", "the step of a loop cannot be zero", None),
    ("«sqrt(true)»;", "`sqrt` needs numbers, not Boolean", None),
    ("«sqrt(1,2)»;", "`sqrt` takes 1 argument, not 2", None),
    ("«random(3)»;", "`random` takes no arguments, not 1", None),
    ("«(1,2)._3»;", "(Int,Int) has no part `_3`", "its parts are `_1` to `_2`"),
    (
        "«0..3»;",
        "a range is no value by itself",
        "use it as a generator: [ i | i <- a..b ]",
    ),
]


ARRAYS = [
    ("var x = list* «3»;", "`list*` distributes a list, not Int", None),
    (
        "input A: matrix[Double]; «A[1]»;",
        "a matrix[Double] is read with 2 indices, not 1",
        "write the indices in one bracket: A[i,j]",
    ),
    (
        "input A: matrix[Double]; A[1,«2.0»];",
        "an index must be Int, not Double",
        "convert it: toInt(…) truncates",
    ),
    (
        "var x = 3; «x[1]»;",
        "only arrays, lists, maps and strings have indices, and this is Int",
        None,
    ),
    (
        "input A: matrix[Double]; «A.row»;",
        "matrix[Double] has no field `row`",
        "did you mean `rows`?",
    ),
    (
        "input A: matrix[Double]; input v: vector[Double]; «A + v»;",
        "`+` cannot be applied to matrix[Double] and vector[Double]",
        None,
    ),
    (
        "input v: vector[Double]; «v @ 2.0»;",
        "`@` cannot be applied to vector[Double] and Double",
        "`@` multiplies matrices and vectors of numbers",
    ),
    (
        "tensor*(5,5)[ («i»,1.0) | i <- 0..4 ];",
        "this tensor has 2 dimensions, and its elements have 1 index",
        "with 2 dimensions the list's elements are ((i,j),value)",
    ),
    (
        "tensor*(5)[ («(i,i)»,1.0) | i <- 0..4 ];",
        "this tensor has 1 dimension, and its elements have 2 indices",
        "with 1 dimension the list's elements are (i,value)",
    ),
    (
        "tensor*(5)[ («1.5»,1.0) | i <- 0..4 ];",
        "an index must be Int, not Double",
        "convert it: toInt(…) truncates",
    ),
    (
        "tensor*(5)[ «1.0» | i <- 0..4 ];",
        "a tensor is built from pairs of an index and a value, not from Double",
        "with 1 dimension the list's elements are (i,value)",
    ),
    (
        "tensor*(«2.5»)[ (i,1.0) | i <- 0..4 ];",
        "a dimension must be Int, not Double",
        "convert it: toInt(…) truncates",
    ),
    ("tensor*(5) «5»;", "a tensor is built from a list of (index, value), not from Int", None),
    ("«tensor*() [ (i,1.0) | i <- 0..4 ]»;", "a tensor needs at least one dimension", None),
]


COMPREHENSIONS = [
    (
        "input A: matrix[Double];\n[ 1 | i <- 0..2, let p = A, group by «p» ]",
        "matrix[Double] cannot be the key of a group by",
        None,
    ),
    (
        "[ i | i <- «5» ];",
        "a generator goes through an array, a list, a map or a range, not Int",
        "to count, write a range: i <- 0..n-1",
    ),
    (
        "[ 1 | «(i,j)» <- 0..5 ];",
        "this pattern has 2 parts, but it is matched with values of type Int",
        None,
    ),
    (
        "input A: matrix[Double]; [ a | «(i,j,a)» <- A ];",
        "this pattern has 3 parts, but it is matched with values of type ((Int,Int),Double)",
        "the indices of an array's element are a tuple: ((i,j),a)",
    ),
    (
        "input L: list[(Int,Int)]; [ i | (i,j) <= «L» ];",
        "`<=` goes through every index of an array, and this is list[(Int,Int)]",
        "use `<-`",
    ),
    (
        "[ i | i <- 0..3, «i» ];",
        "the condition of a guard must be Boolean, not Int",
        "a number is no truth value: compare it, as in i != 0",
    ),
    (
        "input L: list[(Int,Int)]; [ k | (i,j) <- L, group by «k» ];",
        "`k` is not bound before this group by",
        None,
    ),
    (
        "input n: Int; [ n | i <- 0..n, group by «n» ];",
        "`n` is not bound before this group by",
        "group by its value: group by k: n",
    ),
    (
        "input L: list[(Int,Int)]; [ «j + 1» | (i,j) <- L, group by i ];",
        "`+` cannot be applied to list[Int] and Int",
        "after the group by `j` is the bag of its values: write +/j",
    ),
    (
        "input L: list[(Int,Int)]; [ (i,j) | (i,j) <- L, group by i, «j» ];",
        "the condition of a guard must be Boolean, not list[Int]",
        "to group by j as well, write group by (i, j)",
    ),
    (
        "input L: list[(Int,Int)]; [ i | (i,j) <- L, group by i, +/j > 1, «j» ];",
        "the condition of a guard must be Boolean, not list[Int]",
        "after the group by `j` is the bag of its values: write +/j",
    ),
    (
        "input L: list[(Int,Int)]; [ «+/i» | (i,j) <- L, group by i ];",
        "`+/` reduces a bag of values, and this is Int",
        "a variable is a bag only after a `group by` of something else",
    ),
    (
        "input L: list[(Int,Int)]; [ 1 | (i,j) <- L, group by i, group by «j» ];",
        "`j` is a bag since the group by before and cannot be a key",
        None,
    ),
    ("«+/3»;", "`+/` reduces a bag of values, and this is Int", None),
    (
        "input A: matrix[Double]; «+/A»;",
        "`+/` reduces a bag of values, and this is matrix[Double]",
        "reduce its elements: +/[ a | ((i,j),a) <- … ]",
    ),
    ("«&&/[ i | i <- 0..3 ]»;", "`&&` combines Boolean values, not Int", None),
    ("«+/[ i > 2 | i <- 0..3 ]»;", "`+` combines numbers, not Boolean", None),
]


UNSUPPORTED = [
    (
        "input L: «list[(Int,vector[Double])]»;",
        "inputs of type list[(Int,vector[Double])] are",
        None,
    ),
    ("input A: «vector[vector[Int]]»;", "inputs of type vector[vector[Int]] are", None),
]


@pytest.mark.parametrize(("program", "message", "hint"), NAMES)
def test_names(program: str, message: str, hint: str | None) -> None:
    check(program, message, hint)


@pytest.mark.parametrize(("program", "message", "hint"), DECLARATIONS)
def test_declarations(program: str, message: str, hint: str | None) -> None:
    check(program, message, hint)


@pytest.mark.parametrize(("program", "message", "hint"), TYPES)
def test_types(program: str, message: str, hint: str | None) -> None:
    check(program, message, hint)


@pytest.mark.parametrize(("program", "message", "hint"), ARRAYS)
def test_arrays(program: str, message: str, hint: str | None) -> None:
    check(program, message, hint)


@pytest.mark.parametrize(("program", "message", "hint"), COMPREHENSIONS)
def test_comprehensions(program: str, message: str, hint: str | None) -> None:
    check(program, message, hint)


@pytest.mark.parametrize(("program", "what", "hint"), UNSUPPORTED)
def test_not_supported_yet(program: str, what: str, hint: str | None) -> None:
    check(program, f"{what} not supported yet", hint)
