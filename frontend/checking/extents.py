"""How large a function is once the functions that it calls are inlined.

def f(x: Int): Int = x + 1;          size 3
def g(x: Int): Int = f(x) + f(x);    size 3 + 2 * (2 + size of f)
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Extent:
    """The nodes of an expression and how deep they are nested, calls inlined.

    `applied` says how often each parameter of function type, by its name, is applied; what is
    given for it counts as often.
    """

    size: int = 0
    depth: int = 0
    applied: dict[str, int] = field(default_factory=dict[str, int])
