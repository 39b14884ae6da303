"""How large an expression is once the functions that it calls are inlined.

def f(x: Int): Int = x + 1;          size 3
def g(x: Int): Int = f(x) + f(x);    size 3 + 2 * (1 + size of f)
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from diablo.frontend.checking.types import FunctionType
from diablo.frontend.parsing import syntax
from diablo.frontend.parsing.tree_walk import children, is_node

if TYPE_CHECKING:
    from diablo.frontend.checking.checked import Checked
    from diablo.frontend.checking.scope import Function

MAX_DEPTH = 150
"""How deeply expressions may be nested. The parser allows about as much by itself."""

MAX_INLINED_DEPTH = 400
"""How deeply expressions may be nested once calls are inlined."""

MAX_INLINED_BRANCHES = 60
"""How deeply conditional expressions may be nested once calls are inlined."""

MAX_INLINED_SIZE = 20_000
"""How many operations an expression may have once calls are inlined."""


@dataclass
class Extent:
    """The nodes and conditions of an expression and how deep they are nested, calls inlined.

    `calls` counts the calls that are inlined, and `applied` says how often each parameter of
    function type, by its name, is applied; what is given for it counts as often. What is
    already `reported` as too large is no more said to be so where it is called.
    """

    size: int = 0
    depth: int = 0
    branches: int = 0
    calls: int = 0
    reported: bool = False
    applied: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def fault(self) -> str | None:
        """Why the expression is not to be compiled."""
        if self.reported or self.calls == 0:
            return None  # What is written out is compiled, however long it is.
        if self.size > MAX_INLINED_SIZE:
            return "too large"
        deep = self.depth > MAX_INLINED_DEPTH or self.branches > MAX_INLINED_BRANCHES
        return "nested too deeply" if deep else None

    def include(self, other: Extent, times: int = 1) -> None:
        """Add what stands below the expression, or is evaluated so many times."""
        self.size += times * other.size
        self.calls += times * other.calls
        self.reported |= other.reported
        self.depth = max(self.depth, other.depth + 1)
        self.branches = max(self.branches, other.branches)
        for name, count in other.applied.items():
            self.applied[name] = self.applied.get(name, 0) + times * count


def extent_of(node: object, checked: Checked) -> Extent:
    """The extent of a checked syntax tree."""
    if isinstance(node, list | tuple):
        extent = Extent()
        for item in node:  # pyright: ignore[reportUnknownVariableType]
            extent.include(extent_of(item, checked))  # pyright: ignore[reportUnknownArgumentType]
        extent.depth = max(0, extent.depth - 1)
        return extent
    if not is_node(node):
        return Extent()
    meant = checked.desugared.get(node)  # pyright: ignore[reportArgumentType, reportCallIssue]
    if meant is not None:
        return extent_of(meant, checked)
    if isinstance(node, syntax.Call):
        return _extent_of_call(node, checked)
    extent = Extent(size=1, depth=1)
    for part in children(node):
        extent.include(extent_of(part, checked))
    if isinstance(node, syntax.IfExpr):
        extent.branches += 1
    return extent


def _extent_of_call(call: syntax.Call, checked: Checked) -> Extent:
    extent = Extent(size=1)
    symbol = checked.applications.get(call)
    if symbol is not None:
        extent.applied[symbol.name] = 1
    function = checked.functions.get(call)
    join = checked.joins.get(call)
    if join is not None:
        extent.include(replace(join.extent, calls=join.extent.calls + 1))
    for number, argument in enumerate(call.arguments):
        times = 1 if function is None else _times(function, number)
        if isinstance(argument, syntax.Name) and argument not in checked.desugared:
            passed = checked.symbols.get(argument)
            # A parameter that is handed on is applied as often as the callee applies it.
            if passed is not None and isinstance(passed.type, FunctionType):
                extent.include(Extent(applied={passed.name: times}))
        extent.include(extent_of(argument, checked), max(1, times))
    if function is not None:
        callee = function.extent
        extent.include(replace(callee, calls=callee.calls + 1, applied={}))
        extent.depth += 1
    return extent


def _times(function: Function, number: int) -> int:
    """Return how often an argument is evaluated: a function as often as it is applied."""
    parameter = function.parameters[number]
    if not isinstance(parameter.type, FunctionType):
        return 1
    return function.extent.applied.get(parameter.name, 0)


INLINING_HINT = (
    f"calls are inlined, up to {MAX_INLINED_SIZE} operations: give what is computed twice "
    "as an argument, or compute it in a variable"
)
