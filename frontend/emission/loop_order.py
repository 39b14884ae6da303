"""Decides which loops run in order: those whose variable does not index all that they write.

for i = 0, n-1 do V[i] = …                       bulk
for k = 0, 9 do for i = 0, n-1 do V[i] *= 2.0    ordered in k, bulk in i
for k = 0, 9 do A = A @ B                        stepwise: ordered, and what it does is done once
for i = 0, n-1 do { var j = 2*i; V[j] = … }      bulk: j is made of i

A loop that indexes some of what it writes may leave out the index in a sum `d[…] += e` into an
element that only such sums read: these add up over the whole loop. The rows of lists and maps have
no index. A loop over them is bulk if all that it writes are updates which nothing else in it reads;
were it ordered, an update `if (e < d) { d = e; p = x; }` would tell rows of equal e by their order,
which those of a bulk loop do not have.

An assignment of an element that is computed of what the element was, `V[p] = 0.5*V[p] + x`, is no
update, nor is anything that is done where that passes a test: the loop is ordered. `order-loops`
makes it a bulk one where no two iterations write one element.

So is one in which another loop assigns, step by step, a variable that each iteration has for
itself: `for i = 1, n-1 do { var u = 1.0; for j = 0, i-1 do u = 0.5*u + V[j]; V[i] = u; }`.

A variable occurs in an index if the loop's variable does, or a variable of the iteration whose
value is made of it. What is declared in a loop's body is the iteration's own, and writing it says
nothing of the loop.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.ir import Block

from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.scope import Symbol
from diablo.frontend.checking.types import ArrayType, ListType, MapType
from diablo.frontend.checking.updates import same
from diablo.frontend.emission.builder import Builder
from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.tree_walk import children, walk


@contextmanager
def loop_body(build: Builder, block: Block, order: LoopOrder) -> Generator[None]:
    """Append the statements of a loop's body to `block`."""
    outer = build.scope.keys, build.loops, build.stepwise
    if order.stepwise and not build.loops:
        build.stepwise += 1
    else:
        build.loops, build.stepwise = build.loops + 1, 0
    try:
        with build.into(block):
            yield
    finally:
        build.scope.keys, build.loops, build.stepwise = outer


Loop = statements.For | statements.ForIn


@dataclass(frozen=True)
class LoopOrder:
    """How the iterations of one loop follow each other."""

    ordered: bool
    """Whether they run one after the other."""
    stepwise: bool
    """Whether they do for a statement that has no bulk form: a whole variable, a `while`."""
    rereads: bool = False
    """Whether they do for an element that is computed of what it was, and not by an update."""


def loop_order(loop: Loop, variables: Iterable[syntax.NamePattern], checked: Checked) -> LoopOrder:
    """The order of a checked loop, with `variables` of its pattern to tell iterations apart."""
    body = loop.body
    own = {
        checked.symbols[node.name]
        for node in walk(body)
        if isinstance(node, statements.Var) and node.name in checked.symbols
    }
    derived = {checked.symbols[name] for name in variables if name in checked.symbols}
    _close(derived, own, body, checked)
    nodes = list(_meant(body, checked))
    ordered = stepwise = any(isinstance(node, statements.While) for node in nodes)
    rows = _goes_through_rows(loop, checked)
    indexes_any = rows
    seen = _outside_updates(body, checked, within=rows)
    kept = {
        assignment
        for node in nodes
        if isinstance(node, statements.Extremum)
        for assignment in node.assignments
    }
    for assignment in nodes:
        if not isinstance(assignment, statements.Assign):
            continue
        variable, indices = _destination(assignment, checked)
        if variable is None or variable in own:
            continue
        is_update = assignment.monoid is not None or assignment in kept
        stepwise |= not indices and not is_update
        if _mentions(indices, derived, checked):
            indexes_any = True
        elif not is_update or not (indices or rows) or variable in seen:
            ordered = True
    rereads = _rereads(loop, own, checked)
    ordered |= any(_assigns(node, own, checked) for node in nodes if isinstance(node, Loop))
    return LoopOrder(ordered or stepwise or rereads or not indexes_any, stepwise, rereads)


def _assigns(loop: Loop, variables: set[Symbol], checked: Checked) -> bool:
    """Return whether a loop assigns one of some variables, which are not its iterations' own."""
    found: set[Symbol] = set()
    inner: set[Symbol] = set()
    for node in _meant(loop.body, checked):
        if isinstance(node, statements.Var) and node.name in checked.symbols:
            inner.add(checked.symbols[node.name])
        elif isinstance(node, statements.Assign) and node.monoid is None:
            variable, indices = _destination(node, checked)
            if variable in variables and not indices:
                assert variable is not None
                found.add(variable)
    return not found <= inner


def _rereads(loop: Loop, own: set[Symbol], checked: Checked) -> bool:
    """Return whether an element that several iterations may write is computed of what it was."""
    told_apart = _indices_of_rows(loop, checked)
    for assignment, tests in _tested(loop.body, [], checked):
        variable, indices = _destination(assignment, checked)
        if not indices or variable is None or variable in own:
            continue
        plain = {checked.symbols.get(index) for index in indices if isinstance(index, syntax.Name)}
        if told_apart and told_apart <= plain:
            continue
        target = assignment.target
        carriers = {
            checked.symbols[node.name]
            for node in walk(loop.body)
            if isinstance(node, statements.Var) and _reads(node.init, target, checked)
        }
        # Of an update, which may come in any order, it is the tests that may ask what was there.
        used = tests if assignment.monoid is not None else [assignment.value, *tests]
        if _reads(used, target, checked) or _mentions(used, carriers, checked):
            return True
    return False


def _reads(node: object, element: syntax.Expr, checked: Checked) -> bool:
    """Return whether `node` reads just this element."""
    return any(same(element, inner, checked) for inner in walk(node))


def _indices_of_rows(loop: Loop, checked: Checked) -> set[Symbol]:
    """The variables that are another index, or another key, in each iteration."""
    if isinstance(loop, statements.For):
        return {checked.symbols[loop.name]} if loop.name in checked.symbols else set()
    if isinstance(loop.source, syntax.Range):
        names = pattern_names(loop.pattern)
        return {checked.symbols[name] for name in names if name in checked.symbols}
    if not isinstance(loop.pattern, syntax.TuplePattern):
        return set()
    if not isinstance(checked.types.get(loop.source), ArrayType | MapType):
        return set()
    names = [name for item in loop.pattern.items[:-1] for name in pattern_names(item)]
    return {checked.symbols[name] for name in names if name in checked.symbols}


def _tested(
    node: object, tests: list[syntax.Expr], checked: Checked
) -> Iterator[tuple[statements.Assign, list[syntax.Expr]]]:
    """The single assignments at and below `node`, with the conditions of the tests around."""
    if isinstance(node, statements.Statement):
        node = checked.updates.get(node, node)
    if isinstance(node, statements.Assign):
        yield node, tests
    elif isinstance(node, statements.If):
        for branch in (node.then, node.otherwise):
            yield from _tested(branch, [*tests, node.condition], checked)
    elif not isinstance(node, statements.Extremum):
        for child in children(node):
            yield from _tested(child, tests, checked)


def pattern_names(pattern: syntax.Pattern) -> list[syntax.NamePattern]:
    """The variables of a pattern, from left to right."""
    if isinstance(pattern, syntax.NamePattern):
        return [pattern]
    return [name for item in pattern.items for name in pattern_names(item)]


def _meant(node: object, checked: Checked) -> Iterator[object]:
    """The syntax nodes at and below `node`, and updates in the place of what means one."""
    if isinstance(node, statements.Statement):
        node = checked.updates.get(node, node)
    yield node
    if isinstance(node, statements.Extremum):
        # Its assignments are made together, whatever each would mean by itself.
        yield from node.assignments
        return
    for child in children(node):
        yield from _meant(child, checked)


def _goes_through_rows(loop: Loop, checked: Checked) -> bool:
    """Return whether a loop goes through the rows of a list or map, which have no index."""
    if not isinstance(loop, statements.ForIn):
        return False
    return isinstance(checked.types.get(loop.source), ListType | MapType)


def _outside_updates(body: object, checked: Checked, *, within: bool) -> set[Symbol]:
    """The variables that are mentioned elsewhere than in updates.

    With `within`, what updates combine into their destinations is elsewhere.
    """
    found: set[Symbol] = set()
    waiting = [body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, statements.Statement):
            node = checked.updates.get(node, node)
        updates: list[statements.Assign] = []
        if isinstance(node, statements.Assign) and node.monoid is not None:
            updates = [node]
        elif isinstance(node, statements.Extremum):
            updates = node.assignments
        if updates:
            for update in updates if within else []:
                waiting += [update.value, *_destination(update, checked)[1]]
            continue
        if isinstance(node, syntax.Name) and node in checked.symbols:
            found.add(checked.symbols[node])
        waiting += children(node)
    return found


def _destination(
    assignment: statements.Assign, checked: Checked
) -> tuple[Symbol | None, list[syntax.Expr | syntax.Slice]]:
    """The variable that is written, and the indices of the element, if it is one."""
    target, indices = assignment.target, list[syntax.Expr | syntax.Slice]()
    while isinstance(target, syntax.Index | syntax.Field):
        if isinstance(target, syntax.Index):
            indices += target.indices
        target = target.base
    return (checked.symbols.get(target) if isinstance(target, syntax.Name) else None), indices


def _mentions(node: object, symbols: set[Symbol], checked: Checked) -> bool:
    return any(
        isinstance(inner, syntax.Name) and checked.symbols.get(inner) in symbols
        for inner in walk(node)
    )


def _close(
    derived: set[Symbol], own: set[Symbol], body: statements.Statement, checked: Checked
) -> None:
    """Add the iteration's own variables whose values are made of those in `derived`."""
    known = -1
    while known != len(derived):
        known = len(derived)
        for node in walk(body):
            if isinstance(node, statements.Var) and _mentions(node.init, derived, checked):
                derived.add(checked.symbols[node.name])
            elif isinstance(node, statements.Assign):
                variable, _ = _destination(node, checked)
                if variable in own and _mentions(node.value, derived, checked):
                    assert variable is not None
                    derived.add(variable)
