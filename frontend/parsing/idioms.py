"""What people know from other languages, and how it is written here: the hints for it.

sum(L)   ->   hint: write +/L
"""

from __future__ import annotations

_RESULT = "the value of the last expression is the program's result"
_VARIABLE = "variables are declared with `var`: var x = 0;"
_NOTHING = "every variable has a value; what an array does not store is zero"

BUILDERS: dict[str, str] = {
    "rdd": "a distributed list is written list* [ … ], a map map* [ … ]",
    "tiled": "a distributed array is written tensor*(n,m) [ … ]",
    "array": "an array is written tensor(n,m) [ … ]",
    "vector": "an array is written tensor(n) [ … ], or tensor*(n) [ … ] in blocks",
    "matrix": "an array is written tensor(n,m) [ … ], or tensor*(n,m) [ … ] in blocks",
}
"""For words before a comprehension that build nothing here."""

_INFINITE = "write inf, or -inf"
_LIMITS = "the limits of Int are written 9223372036854775807 and -9223372036854775808"

_OF_DOUBLE: dict[str, str] = {
    **dict.fromkeys(("MaxValue", "MinValue", "Infinity"), _INFINITE),
    **dict.fromkeys(("PositiveInfinity", "NegativeInfinity"), _INFINITE),
    "NaN": "write 0.0/0.0",
    "MinPositiveValue": "write 4.9e-324",
}
_OF_INT: dict[str, str] = {"MaxValue": _LIMITS, "MinValue": _LIMITS}
_OF_MATH: dict[str, str] = {
    **dict.fromkeys(("PI", "Pi", "pi"), "write 3.141592653589793"),
    **dict.fromkeys(("E", "e"), "write 2.718281828459045"),
    "tau": "write 6.283185307179586",
    "inf": "write inf",
    "nan": "write 0.0/0.0",
}

CONSTANTS: dict[str, dict[str, str]] = {
    "Double": _OF_DOUBLE,
    "Float": _OF_DOUBLE,
    "Int": _OF_INT,
    "Integer": _OF_INT,
    "Long": _OF_INT,
    **dict.fromkeys(("Math", "math", "np", "numpy"), _OF_MATH),
}
"""For the constants that other languages have in their types and modules."""

MODULES = frozenset({"math", "np", "numpy", "cmath", "scipy", "cupy", "cp", "jnp", "torch"})
"""For modules of functions that have no module here, in small letters."""

NAMES: dict[str, str] = {
    "sum": "write sum(e)",
    "product": "write prod(e)",
    "prod": "write prod(e)",
    "count": "write count(e)",
    "size": "write e.length",
    "len": "write e.length",
    "mean": "write mean(e)",
    "avg": "write mean(e)",
    "average": "write mean(e)",
    "any": "write any(e)",
    "all": "write all(e)",
    "print": _RESULT,
    "println": _RESULT,
    "show": _RESULT,
    "transpose": "write A.t",
    "dot": "write A @ B",
    "matmul": "write A @ B",
    "shape": "the dimensions of a matrix are .rows and .cols",
    "vector": "write tensor(n) e, or declare zeros: var V: vector[Double] = vector(n);",
    "matrix": "write tensor(n,m) e, or declare zeros: var M: matrix[Double] = matrix(n,m);",
    "array": "arrays are built from a list of (index, value): tensor(n) e",
    "filter": "write a comprehension with a condition: [ x | x <- e, … ]",
    "get": "write M[k]",
    "keys": "write [ k | (k,v) <- M ]",
    "values": "write [ v | (k,v) <- M ]",
    "range": "write a..b as a generator: [ i | i <- a..b ]",
    "int": "write toInt(x)",
    "float": "write toDouble(x)",
    "double": "write toDouble(x)",
    "str": "write toString(x)",
    "not": "write !e",
    "args": "what the caller sets is an input: input n: Int;",
    "argv": "what the caller sets is an input: input n: Int;",
    "rdd": BUILDERS["rdd"],
    "tiled": BUILDERS["tiled"],
    "null": _NOTHING,
    "none": _NOTHING,
    "nil": _NOTHING,
}
"""For names of functions, fields and variables that are not declared, in small letters."""

TYPES: dict[str, str] = {
    "array": "write vector[T], matrix[T], array3[T]",
    "tensor": "write vector[T], matrix[T], array3[T]",
    "dict": "write map[K,V]",
    "set": "write list[T], or map[T,Boolean]",
    "bool": "did you mean `Boolean`?",
    "str": "did you mean `String`?",
    "integer": "did you mean `Int`?",
    "real": "did you mean `Double`?",
}
"""For names of types that there are not, in small letters."""

STATEMENTS: dict[str, str] = {
    "let": _VARIABLE,
    "val": _VARIABLE,
    "const": _VARIABLE,
    "return": _RESULT,
    "function": "functions are defined with `def`: def f(x: T): U = e;",
    "fun": "functions are defined with `def`: def f(x: T): U = e;",
    "import": "a program is one file",
    "not": "write `!`",
    "and": "write `&&`",
    "or": "write `||`",
    "mod": "write `%`",
    "in": "go through it with a generator: x <- e",
    "?": "write if (c) a else b",
}
"""For words that end a statement too early, or begin it."""

IN_COMPREHENSIONS: dict[str, str] = {
    "=": "comparisons are written `==`",
    "in": "generators are written p <- e",
    "for": "comprehensions are written [ e | p <- L, … ]",
    "by": "the clauses with `by` are group by k and order by k",
    "descending": "rows descend by a key that is followed by desc: order by k desc",
    "ascending": "rows ascend by a key, unless desc follows it: order by k",
    "if": "conditions stand between the qualifiers: [ e | p <- L, c ]",
    "where": "conditions stand between the qualifiers: [ e | p <- L, c ]",
}
"""For words where a comprehension should go on or end."""
