"""Every message about strings, tuples, records, maps, lists and slices."""

from __future__ import annotations

import pytest
from marked import check

from diablo.frontend.importer import import_program

_NO_ORDER = "complex numbers have no order: "
_COMPLEX = "input V: vector[Complex128]; "
COMPLEX = [
    (
        _COMPLEX + "[ +/i | (i,v) <- V, group by «v» ]",
        "Complex128 cannot be the key of a group by",
        _NO_ORDER + "group by (r,i): (real(v), imag(v))",
    ),
    (
        _COMPLEX + "[ +/i | (i,v) <- V, group by k: «v*v» ]",
        "Complex128 cannot be the key of a group by",
        _NO_ORDER + "group by (r,i): (real(z), imag(z))",
    ),
    (
        _COMPLEX + "map[ («v»,i) | (i,v) <- V ]",
        "Complex128 cannot be the key of a map",
        _NO_ORDER + "take (real(z), imag(z)) for the key",
    ),
    (_COMPLEX + "«bitand(V[0],V[1])»", "`bitand` needs Ints, not Complex128 and Complex128", None),
    (_COMPLEX + "«bitnot(V[0])»", "`bitnot` needs Ints, not Complex128", None),
    (
        _COMPLEX + "«floor(V[0])»",
        "`floor` needs real numbers, not Complex128",
        "apply it to the parts: floor(real(z))",
    ),
    (
        _COMPLEX + "«atan2(V[0],V[1])»",
        "`atan2` needs real numbers, not Complex128 and Complex128",
        "apply it to the parts: atan2(real(z),real(w))",
    ),
    (
        _COMPLEX + "«hypot(2.0,V[1])»",
        "`hypot` needs real numbers, not Double and Complex128",
        "apply it to the parts: hypot(…,real(w))",
    ),
]


@pytest.mark.parametrize(("program", "message", "hint"), COMPLEX)
def test_complex_numbers(program: str, message: str, hint: str | None) -> None:
    check(program, message, hint)


def test_what_the_hint_for_a_group_by_says_is_a_program() -> None:
    text = _COMPLEX + "[ (r,i,+/j) | (j,v) <- V, group by (r,i): (real(v), imag(v)) ]"
    import_program(text, "test.diablo")


_INTS = "which holds -9223372036854775808 to 9223372036854775807"


def _wide(program: str, hint: bool = True) -> tuple[str, str, str | None]:
    """A program with a number that is no Int, where it would have to be one."""
    number = program.split("«")[1].split("»")[0]
    wanted = f"write toUInt64({number}), or declare it UInt64" if hint else None
    return program, f"{number} does not fit in Int, {_INTS}", wanted


WIDE = [
    _wide("var a = «18446744073709551615»; a"),
    _wide("var a: Int = «9223372036854775808»; a"),
    _wide("input n: Int = «9223372036854775808»; n"),
    _wide("input n: Int; n + «9223372036854775808»"),
    _wide("input n: Int; [n, «9223372036854775808»]"),
    _wide("for i = 0, «9223372036854775808» do { }"),
    _wide("input V: vector[Int]; V[«9223372036854775808»]"),
    _wide("1 - «9223372036854775808»"),
    _wide("-«9223372036854775809»", hint=False),
    _wide("toUInt64(«-18446744073709551615»)", hint=False),
    (
        "var b: UInt8 = «18446744073709551615»; b",
        "18446744073709551615 does not fit in UInt8, which holds 0 to 255",
        "toUInt8(18446744073709551615) keeps its lowest 8 bits",
    ),
    ("var u: UInt64 = «18446744073709551616»;", "this number does not fit in 64 bits", None),
    # What is beside it has a fault of its own, and might have given it a type.
    ("«asb» + 18446744073709551615", "`asb` is not declared", "did you mean `abs`?"),
]


@pytest.mark.parametrize(("program", "message", "hint"), WIDE)
def test_integers_that_are_no_int(program: str, message: str, hint: str | None) -> None:
    check(program, message, hint)


STRINGS = [
    (
        "input A: array3[Int]; «A[1]»",
        "an array3[Int] is read with 3 indices, not 1",
        "write the indices in one bracket: A[i,j]",
    ),
    ('var s = "abc"; «s.toUper()»', "String has no method `toUper`", "did you mean `toUpper`?"),
    ('var s = "abc"; «s.splt(" ")»', "String has no method `splt`", "did you mean `split`?"),
    ('var s = "abc"; «s.split»', "`split` needs arguments", "call it: .split(…)"),
    (
        'var s = "abc"; s.split(«1»)',
        "`split` wants String, and this is Int",
        "write a string with double quotes, or convert it: x.toString()",
    ),
    (
        "var s = \"abc\"; s.split(«'c'»)",
        "`split` wants String, and this is Char",
        "write a string with double quotes, or convert it: x.toString()",
    ),
    ('var s = "abc"; «s.split(" ", 1)»', "`split` takes 1 argument, not 2", None),
    (
        'var s = "abc"; «s.length()»',
        "String has no method `length`",
        "write it without brackets: .length",
    ),
    ("var x = 3; «x.sqrt()»", "Int has no method `sqrt`", "write it as a function: sqrt(…)"),
    (
        'var s = "abc"; «s - 1»',
        "`-` cannot be applied to String and Int",
        "convert the string: s.toInt, s.toDouble",
    ),
    (
        'var s = "abc"; «s * 2»',
        "`*` cannot be applied to String and Int",
        "convert the string: s.toInt, s.toDouble",
    ),
    (
        'var s = "abc"; if («s») s = "b";',
        "the condition of `if` must be Boolean, not String",
        "compare it with something: s == …",
    ),
    (
        "var s = \"abc\"; «s[1]» = 'c'",
        "the characters of a string cannot be assigned",
        "make a new string: s = s.replace(a,b)",
    ),
    ('var s = "abc"; «s[1,2]»', "a String is read with 1 index, not 2", None),
    ('var s = "abc"; s[«"a"»]', "an index must be Int, not String", "convert it: toInt(…)"),
    (
        'var s = "abc"; «s[1:2]»',
        "only arrays have slices, and this is String",
        "write substring(s,i,j)",
    ),
    (
        "var s = «'a' == \"a\"»;",
        "`==` cannot be applied to Char and String",
        "a string is written with double quotes, a character with single ones",
    ),
    (
        'var c: Char = «"a"»;',
        "`c` is declared Char, and this is String",
        "a character is written with single quotes",
    ),
    (
        "var s: String = «'a'»;",
        "`s` is declared String, and this is Char",
        "a string is written with double quotes",
    ),
    ("var t = «true.toInt()»;", "`toInt` cannot convert Boolean", None),
    ('var t = «toInt("1", 2)»;', "`toInt` takes 1 argument, not 2", None),
    ("var t = «toInt([1])»;", "`toInt` cannot convert list[Int]", None),
    (
        '[ c | c <- «"abc"» ]',
        "a generator goes through an array, a list, a map or a range, not String",
        'split it: c <- s.split("")',
    ),
    (
        '[1, «"a"»]',
        "this element is String, and those before it are Int",
        "the elements of a list have one type",
    ),
    ("input s: «Strng»;", "there is no type `Strng`", "did you mean `String`?"),
    ('input n: Int = «"a"»;', "the default of `n` has type String, and `n` is Int", None),
    (
        "var x = «''»;",
        "a character literal holds one character",
        "strings are written with double quotes",
    ),
    (
        "var x = «'ab'»;",
        "a character literal holds one character",
        "strings are written with double quotes",
    ),
    ('var x = "a«\\q»";', "there is no escape `\\q`", "a backslash is written `\\\\`"),
    ('var s = "abc"; s.toInt + «tru»', "`tru` is not declared", "did you mean `true`?"),
    ('«sqrt("a")»', "`sqrt` needs numbers, not String", None),
]


TUPLES_AND_RECORDS = [
    (
        "input r: list[<a: Int, bc: String>]; [ «x.bd» | x <- r ]",
        "<a: Int, bc: String> has no field `bd`",
        "its fields are `a`, `bc`",
    ),
    (
        "var r = <a = 1, b = 2>; «r.c»",
        "<a: Int, b: Int> has no field `c`",
        "its fields are `a`, `b`",
    ),
    ("var r = «<a = 1, a = 2>»; r.a", "this record has two fields `a`", None),
    ("var x: «<a: Int, a: Int>» = 3;", "this record has two fields `a`", None),
    ("var t = (1,2); «t#3» = 4;", "(Int,Int) has no part `3`", "its parts are `_1` to `_2`"),
    (
        'var t = (1,2); t#1 = «"a"»;',
        "a value of type String cannot be assigned to this part, which is Int",
        "convert it: toInt(…)",
    ),
    (
        "var t = (1,2); «t < (3,4)»",
        "`<` cannot be applied to (Int,Int) and (Int,Int)",
        "tuples have no order: compare their parts",
    ),
    ('var t = (1,2); «t == (3,"a")»', "`==` cannot be applied to (Int,Int) and (Int,String)", None),
    (
        "input L: list[<a: Int, b: Int>]; [ a | «(a,b)» <- L ]",
        "this pattern has 2 parts, but it is matched with values of type <a: Int, b: Int>",
        "a record is bound to one name, its fields are read as r.a",
    ),
    (
        "input L: list[<a: Int, b: Int>]; [ «x.a» + 1 | x <- L, group by k: x.b ]",
        "list[<a: Int, b: Int>] has no field `a`",
        "after the group by `x` is the bag of its values: write [ … | xx <- x ]",
    ),
    ("var x: «<>» = 3;", "a record needs at least one field", None),
    ("var t = (1, 2); «t.a»", "(Int,Int) has no part `a`", "its parts are `_1` to `_2`"),
]


MAPS = [
    (
        'var M: map[Int,Int] = map(); M[«"a"»]',
        "the key of this map is Int, not String",
        "convert it: toInt(…)",
    ),
    (
        "var M: map[Int,Int] = map(); «M[1,2]»",
        "the key of this map is Int, and this has 2 parts",
        "the values are read as m[Int]",
    ),
    (
        "var M: map[(Int,Int),Int] = map(); «M[1,2,3]»",
        "the key of this map is (Int,Int), and this has 3 parts",
        "the values are read as m[Int, Int]",
    ),
    (
        "var M: map[Int,Int] = map(); «M[1:2]»",
        "only arrays have slices, and this is map[Int,Int]",
        None,
    ),
    (
        "var M: map[Int,Int] = map(); M[1] = «2.5»",
        "a value of type Double cannot be assigned to this element, which is Int",
        "convert it: toInt(…) truncates",
    ),
    (
        'var M: map[Int,Int] = map(); M[1] += «"a"»',
        "a value of type String cannot be assigned to this element, which is Int",
        "convert it: toInt(…)",
    ),
    (
        "var M = «map()»;",
        "the elements of this empty map have no type",
        "declare its type: var M: map[Int,Double] = …;",
    ),
    (
        "var M: map[«list[Int]»,Int] = map();",
        "list[Int] cannot be the key of a map",
        "keys are numbers, strings and tuples of these",
    ),
    (
        "var M: «map[Int]» = map();",
        "`map` takes 2 type arguments",
        "write for example map[Int,Double]",
    ),
    (
        "map* [ «1» | i <- 0..3 ]",
        "a map is built from pairs of a key and a value, not from Int",
        "the elements of the list are pairs: (key, value)",
    ),
    ("map* «3»", "a map is built from a list of (key, value), not from Int", None),
    (
        "map* [ («x», 1) | i <- 0..3, let x = [i] ]",
        "list[Int] cannot be the key of a map",
        "keys are numbers, strings and tuples of these",
    ),
    (
        "var M: map[Int,Int] = «[ (1,2) ]»;",
        "`M` is declared map[Int,Int], and this is list[(Int,Int)]",
        None,
    ),
    (
        "var M: map[Int,Int] = map(); «+/M»",
        "`+/` reduces a bag of values, and this is map[Int,Int]",
        "reduce its values: +/[ v | (k,v) <- … ]",
    ),
    (
        "input w: list[String]; var c: map[String,Int] = map(); for x in w do c[«x.length»] += 1;",
        "the key of this map is String, not Int",
        None,
    ),
    (
        "input M: «map[Int,vector[Double]]»;",
        "inputs of type map[Int,vector[Double]] are not supported yet",
        None,
    ),
    (
        "var M: map[Int,Int] = map(); for «(k,v,w)» in M do M[k] = v;",
        "this pattern has 3 parts, but it is matched with values of type (Int,Int)",
        None,
    ),
]


LISTS_AND_ARRAYS = [
    ("var x = 3; «x.foo»", "Int has no field `foo`", None),
    (
        "var L = «[]»;",
        "the elements of this empty list have no type",
        "declare its type: var L: list[Int] = …;",
    ),
    (
        "«[]»",
        "the elements of this empty list have no type",
        "give it one in a variable: var x: list[Int] = [];",
    ),
    ("«+/[]»", "the elements of this empty list have no type", None),
    (
        "[1, «(2,3)»]",
        "this element is (Int,Int), and those before it are Int",
        "the elements of a list have one type",
    ),
    (
        "var L = [1,2]; «L[0,1]»",
        "a list[Int] is read with 1 index, not 2",
        None,
    ),
    (
        "var L = [1,2]; L[«1.5»]",
        "an index must be Int, not Double",
        "convert it: toInt(…) truncates",
    ),
    (
        "var L = [1,2]; «L[0:1]»",
        "only arrays have slices, and this is list[Int]",
        None,
    ),
    (
        "var L = [1,2]; «L[0]» = 3;",
        "the rows of a list cannot be assigned",
        "make a new list: L = [ … | x <- L ]",
    ),
    ("var L = [1,2]; «L +=» 3;", "`+` combines numbers, not list[Int]", None),
    (
        "var V = tensor(3)[ (i,i) | i <- 0..2 ]; «V.length» = 3;",
        "`length` of vector[Int] cannot be assigned",
        None,
    ),
    (
        "var V = tensor(3)[ (i,i) | i <- 0..2 ]; «V[0:2]» = V;",
        "a slice cannot be assigned",
        "write a loop over its indices",
    ),
    (
        "var V = «tensor(3)[ (i,(i,[])) | i <- 0..2 ]»;",
        "the elements of this empty list have no type",
        "declare its type: var V: vector[(Int,list[Int])] = …;",
    ),
    (
        "input V: vector[list[Int]]; «V[0][0]» = 1;",
        "the rows of a list cannot be assigned",
        "make a new list: L = [ … | x <- L ]",
    ),
    (
        "input V: vector[list[Int]]; «V + V»",
        "`+` cannot be applied to vector[list[Int]] and vector[list[Int]]",
        None,
    ),
    (
        "input A: matrix[Double]; A[«-1»:2,0]",
        "the bound of a slice cannot be negative",
        "count from the end with the dimension: A.length - 1",
    ),
    ("input A: matrix[Double]; A[1:2:«0»,0]", "the step of a slice must be positive", None),
    (
        "input A: matrix[Double]; «A[1:2]»",
        "a matrix[Double] is read with 2 indices, not 1",
        "write the indices in one bracket: A[i,j]",
    ),
    (
        "input A: matrix[Double]; A[1:«2.5»,0]",
        "the bound of a slice must be Int, not Double",
        "convert it: toInt(…) truncates",
    ),
    (
        "input A: matrix[Double]; input v: vector[Double]; «min(A, v)»",
        "`min` goes cell by cell, and cannot be applied to matrix[Double] and vector[Double]",
        None,
    ),
    (
        "input v: vector[String]; «max(v, 1)»",
        "`max` needs numbers, not vector[String] and Int",
        None,
    ),
    ("«max(1)»", "`max` reduces an array, a list or a map, and this is Int", None),
    ("def f(x: Int): Int = «y»; f(1)", "`y` is not declared", "declare it: input y: …;"),
    (
        "[ i | «(i, i2)» <- [1,2] ]",
        "this pattern has 2 parts, but it is matched with values of type Int",
        None,
    ),
    (
        "input A: matrix[Double]; var x = 1; x = «A»;",
        "a value of type matrix[Double] cannot be assigned to `x`, which is Int",
        None,
    ),
    (
        "input L: list[(Int,Int)]; [ (i, «j.lenght») | (i,j) <- L, group by i ]",
        "list[Int] has no field `lenght`",
        "did you mean `length`?",
    ),
    (
        "input A: matrix[Double]; «A.length»",
        "matrix[Double] has no field `length`",
        "its dimensions are .rows and .cols",
    ),
]


@pytest.mark.parametrize(("program", "message", "hint"), STRINGS)
def test_strings(program: str, message: str, hint: str | None) -> None:
    check(program, message, hint)


@pytest.mark.parametrize(("program", "message", "hint"), TUPLES_AND_RECORDS)
def test_tuples_and_records(program: str, message: str, hint: str | None) -> None:
    check(program, message, hint)


@pytest.mark.parametrize(("program", "message", "hint"), MAPS)
def test_maps(program: str, message: str, hint: str | None) -> None:
    check(program, message, hint)


@pytest.mark.parametrize(("program", "message", "hint"), LISTS_AND_ARRAYS)
def test_lists_and_arrays(program: str, message: str, hint: str | None) -> None:
    check(program, message, hint)
