"""Take apart equations of indices that count through an array of several dimensions.

i*m + j = i'*m + j'     with 0 <= j, j' < m     =>     i = i', j = j'

A product of an index with a number that does not vary in the loops, a *stride*, is a variable of
its own, `Multiple`. An equation m*a + b = 0, where a and b are sums, is a = 0 and b = 0 if b lies
between -m and m: the multiple of m nearest to 0 that is not 0 is m itself (Maslov,
Delinearization, 1992).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from diablo.linear_sums import term
from diablo.passes.analyses.loops.integer_systems import Sum, System


@dataclass(frozen=True)
class Multiple:
    """A variable times a stride, which is another one."""

    of: Hashable
    stride: Hashable


def taken_apart(equation: Sum, known: System) -> list[Sum]:
    """The equations that say what one says, if `known` is true."""
    for stride in _strides(equation):
        outer, inner = _parts(equation, stride)
        if _is_less(inner, stride, known):
            return [*taken_apart(outer, known), *taken_apart(inner, known)]
    return [equation]


def is_zero(total: Sum, known: System) -> bool:
    """Return whether a sum is zero, if `known` is true."""
    if not any(known.and_natural(total * sign - 1).may_hold() for sign in (1, -1)):
        return True
    parts = (_parts(total, stride) for stride in _strides(total))
    return any(is_zero(outer, known) and is_zero(inner, known) for outer, inner in parts)


def _strides(equation: Sum) -> Iterator[Hashable]:
    """The strides that occur, each once."""
    found = [each.stride for each in equation.terms if isinstance(each, Multiple)]
    yield from dict.fromkeys(found)


def _parts(equation: Sum, stride: Hashable) -> tuple[Sum, Sum]:
    """Return what is multiplied by a stride, and what is not."""
    outer, inner = Sum(), Sum(constant=equation.constant)
    for variable, factor in equation.terms.items():
        if isinstance(variable, Multiple) and variable.stride == stride:
            outer += term(variable.of, factor)
        elif variable == stride:
            outer += factor
        else:
            inner += term(variable, factor)
    return outer, inner


def _is_less(total: Sum, stride: Hashable, known: System) -> bool:
    """Return whether a sum lies between a stride and its negative."""
    bound = term(stride)
    beyond = (total - bound, -total - bound)
    return not any(known.and_natural(more).may_hold() for more in beyond)
