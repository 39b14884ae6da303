"""Every message about a text that is no program: what it says, what it marks, and its hint.

`«…»` in a program is what the message must mark; it is no part of the program.
"""

from __future__ import annotations

import pytest
from marked import check

SYNTAX = [
    ("var x = 1 +«;»", "expected an expression, found `;`", None),
    ("var x = (1, 2«;»", "expected `)` to close this parenthesis, found `;`", None),
    ("var «=» 3;", "expected the name of a variable, found `=`", None),
    ("var «for» = 3;", "`for` is a word of the language and cannot name a variable", None),
    ("var «min» = 3;", "`min` is a word of the language and cannot name a variable", None),
    (
        "var x «3»;",
        "expected `=` after `var x`, found `3`",
        "a variable needs a first value: var x = 0;",
    ),
    ("input n «=» 3;", "expected `:` after `input n`, found `=`", "input n: Int = 10;"),
    ("var x = 3 «4»;", "expected `;` or a new line after this statement, found `4`", None),
    (
        "«inptu» n: Int;",
        "expected `;` or a new line after this statement, found `n`",
        "did you mean `input`?",
    ),
    ("var x = 3; «}»", "this `}` closes no block", None),
    ("while (true) «{» ", "this block is never closed with `}`", None),
    (
        "while «true» { }",
        "expected `(` after `while`, found `true`",
        "conditions are written in parentheses",
    ),
    (
        "for i «0», 5 do { }",
        "expected `=` or `in` after `for`, found `0`",
        "loops are written `for i = 0, n-1 do …` or `for x in e do …`",
    ),
    ("for «(i,j)» = 0, 5 do { }", "a `for` over a range has one variable", None),
    (
        "for i = 0, 5 «{» }",
        "expected `do` before the body of this `for`, found `{`",
        "loops are written `for i = 0, n-1 do …` or `for x in e do …`",
    ),
    (
        "var x = if (true) 2«;»",
        "expected `else` after the first branch of this `if`, found `;`",
        "an `if` with a value has both",
    ),
    (
        "«3» = 4;",
        "only a variable or an array element can be assigned",
        "comparisons are written `==`",
    ),
    (
        "[ 1 | («i+1»,j) <- 0..4 ];",
        "a pattern is made of names, `_` and tuples of patterns only",
        "bind a name here, and compare it in a guard after the generator",
    ),
    (
        "tensor*(3)«;»",
        "expected the list that this `tensor` is built from, found `;`",
        "write it in brackets or give it a name: tensor*(n) [ (i,e) | i <- 0..n-1 ]",
    ),
    ("var x = «99999999999999999999»;", "this number does not fit in 64 bits", None),
    ("var x = «1e999»;", "this number is too large for a Double", None),
    ("var x = 3 «$» 4;", "unexpected character '$'", None),
    ("var x = 3 «$~$» 4;", "unexpected characters '$~$'", None),
    (
        "var «größe» = 3; größe",
        "a name is made of the letters A to Z, digits and `_`",
        None,
    ),
    (
        "var x = «'ab'»;",
        "a character literal holds one character",
        "strings are written with double quotes",
    ),
    ("var x = «'a;»", "this character is never closed", None),
    ('var x = "a«\\q»b";', "there is no escape `\\q`", "a backslash is written `\\\\`"),
    ("input x: «(»);", "expected a type between the parentheses", None),
    (
        "[ k | r <- R, group by «r.a» ]",
        "a group by is by variables, or gives what it computes a name",
        "group by k: …",
    ),
    (
        "[ +/i | (i,v) <- V, group by («real(v)»,imag(v)) ]",
        "a pattern is made of names, `_` and tuples of patterns only",
        "give what it computes a name: group by (k,l): (…,…)",
    ),
    (
        "[ +/i | (i,k,v) <- V, group by (k,«v%2») ]",
        "a pattern is made of names, `_` and tuples of patterns only",
        "give what it computes a name: group by (k,l): (k,…)",
    ),
    (
        "var M = map* «;»",
        "expected the list that this `map` is built from, found `;`",
        "write it in brackets or give it a name: map* [ (i,e) | i <- 0..n-1 ]",
    ),
    ("«/* open»", "this comment is never closed", None),
    ('var x = «"open;»', "this string is never closed", None),
]


@pytest.mark.parametrize(("program", "message", "hint"), SYNTAX)
def test_syntax(program: str, message: str, hint: str | None) -> None:
    check(program, message, hint)
