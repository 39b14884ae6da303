"""The table of built-in reductions, `mean/e` and `mean(V)`, which are made of monoids.

A row says of each fold by which monoid it is and what it makes of an element x, and what is
computed of the folds a, b, …, all in the language itself:

    "mean": BuiltinReduction((("+", "1.0*x"), ("+", "1")), "a / b", narrow=True)

A new reduction is a new row. Beside the monoids there are `<` and `>`, which take the row whose
first part is the least or greatest, and of several such rows that whose further parts are least.
"""

from __future__ import annotations

from dataclasses import dataclass

FIRST = ("<", ">")
"""What takes one of the rows."""


@dataclass(frozen=True)
class BuiltinReduction:
    """What a reduction folds, and what it makes of the folds.

    With `keyed` it is a reduction of pairs of a key and a value, which for arrays and lists are
    the elements and where they stand. With `narrow` floats and complex numbers have a result of
    their own type, though a count is wider.
    """

    folds: tuple[tuple[str, str], ...]
    finish: str = "a"
    keyed: bool = False
    narrow: bool = False


REDUCTIONS: dict[str, BuiltinReduction] = {
    "sum": BuiltinReduction((("+", "x"),)),
    "prod": BuiltinReduction((("*", "x"),)),
    "min": BuiltinReduction((("min", "x"),)),
    "max": BuiltinReduction((("max", "x"),)),
    "count": BuiltinReduction((("+", "1"),)),
    "mean": BuiltinReduction((("+", "1.0*x"), ("+", "1")), "a / b", narrow=True),
    "any": BuiltinReduction((("||", "x"),)),
    "all": BuiltinReduction((("&&", "x"),)),
    "argmin": BuiltinReduction((("<", "(x._2, x._1)"),), "a._2", keyed=True),
    "argmax": BuiltinReduction(((">", "(x._2, x._1)"),), "a._2", keyed=True),
}
