"""Gives arrays without sizes the extents of what is first written to them.

var R: matrix[Double] = matrix();
for i = 0, n-1 do for j = 0, m-1 do R[i,j] = f(i,j);
->
var R: matrix[Double] = tensor*(0,0) [];
R = tensor*(max(0,n-1+1), max(0,m-1+1)) [];
for i = 0, n-1 do for j = 0, m-1 do R[i,j] = f(i,j);

Where all of R is assigned first, nothing is added. Where the extents are not known before the
statement, since a `while` changes them, the declaration stays as it is.
"""

from __future__ import annotations

import re
from copy import deepcopy

from diablo.diagnostics import Span
from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.tree_walk import children, walk

_RANKS = {"vector": 1, "matrix": 2}


def rank_of(call: syntax.Expr | None) -> int | None:
    """The number of dimensions of the array that `matrix()`, `vector()`, `array3()` is."""
    if not isinstance(call, syntax.Call) or call.method:
        return None
    numbered = re.fullmatch(r"array([1-9][0-9]?)", call.function)
    return int(numbered[1]) if numbered else _RANKS.get(call.function)


def size_arrays(program: statements.Program) -> None:
    """Give the arrays of a program the sizes that they are declared without."""
    defined = {s.name.name for s in program.statements if isinstance(s, statements.Def)}
    blocks = [inner for inner in walk(program.statements) if isinstance(inner, statements.Block)]
    for block in blocks:
        block.body = _with_sizes(block.body, defined)
    program.statements = _with_sizes(program.statements, defined)


def _with_sizes(body: list[statements.Statement], defined: set[str]) -> list[statements.Statement]:
    """The statements, with the sizes of the arrays that they declare."""
    result: list[statements.Statement] = []
    unsized: dict[str, statements.Var] = {}
    for statement in body:
        for name, declaration in list(unsized.items()):
            rank = rank_of(declaration.init)
            assert rank is not None
            writes = _Writes(name, rank)
            writes.find(statement, [])
            if not writes.found:
                continue
            del unsized[name]
            span = declaration.span
            if writes.known:
                declaration.init = _zeros([_number(0, span) for _ in range(rank)], span)
            if writes.known and writes.extents:
                target, value = syntax.Name(span, name), _zeros(writes.largest(), span)
                result.append(statements.Assign(span, target, value, None))
        result.append(statement)
        if isinstance(statement, statements.Var) and statement.type is not None:
            call, name = statement.init, statement.name.name
            unsized.pop(name, None)
            rank = rank_of(call)
            if isinstance(call, syntax.Call) and call.function not in defined:
                if not call.arguments:
                    unsized |= {name: statement} if rank is not None else {}
                elif len(call.arguments) == rank:
                    statement.init = _zeros(call.arguments, call.span)
    for declaration in unsized.values():
        rank, span = rank_of(declaration.init), declaration.span
        assert rank is not None
        declaration.init = _zeros([_number(0, span) for _ in range(rank)], span)
    return result


class _Writes:
    """What a statement writes to one array."""

    def __init__(self, name: str, rank: int):
        self.name, self.rank = name, rank
        self.found = False
        self.known = True
        self.extents: list[list[syntax.Expr]] = []
        self.changing: set[str] = set()
        """The variables that a `while` around changes."""

    def find(self, node: object, around: list[syntax.Qualifier]) -> None:
        """Note the writes in a statement that is run for all rows of the qualifiers around it."""
        match node:
            case statements.Assign():
                self._note(node, around)
            case statements.For():
                generators, step = _counted(node)
                self.find(node.body, [*around, *generators, *step])
            case statements.ForIn():
                self.find(node.body, [*around, _generator(node)])
            case statements.If():
                guards = [] if self._is_read(node.condition) else [_guard(node.condition)]
                self.find(node.then, [*around, *guards])
                self.find(node.otherwise, around)
            case statements.While():
                outer = self.changing
                self.changing = outer | {
                    name for n in walk(node.body) if (name := _assigned_name(n)) is not None
                }
                self.find(node.body, around)
                self.changing = outer
            case statements.Block():
                lets: list[syntax.Qualifier] = []
                for inner in node.body:
                    self.find(inner, [*around, *lets])
                    if isinstance(inner, statements.Var) and inner.init is not None:
                        lets.append(syntax.Let(inner.span, inner.name, inner.init))
            case _:
                for child in children(node):
                    self.find(child, around)

    def largest(self) -> list[syntax.Expr]:
        """The extents that all writes lie in."""
        result = list(self.extents[0])
        for other in self.extents[1:]:
            for axis, (a, b) in enumerate(zip(result, other, strict=True)):
                result[axis] = syntax.Call(a.span, "max", [a, b])
        return result

    def _note(self, assignment: statements.Assign, around: list[syntax.Qualifier]) -> None:
        target, element = assignment.target, None
        while isinstance(target, syntax.Index | syntax.Field):
            element = target if isinstance(target, syntax.Index) else element
            target = target.base
        if not isinstance(target, syntax.Name) or target.name != self.name:
            return
        if element is None and not self.found:
            # All of it is assigned first.
            self.found = True
        elif element is not None and (self.extents or not self.found):
            self.found = True
            indices = [index for index in element.indices if not isinstance(index, syntax.Slice)]
            extents = [_extent(index, around) for index in indices]
            own = {name for qualifier in around for name in _bound(qualifier)}
            self.known &= len(indices) == self.rank and not self._is_read(extents)
            self.known &= not (_names(extents) - own) & self.changing
            self.extents.append(extents)

    def _is_read(self, node: object) -> bool:
        return any(isinstance(n, syntax.Name) and n.name == self.name for n in walk(node))


def _assigned_name(node: object) -> str | None:
    """The variable that a statement assigns all of."""
    target = node.target if isinstance(node, statements.Assign) else None
    return target.name if isinstance(target, syntax.Name) else None


def _extent(index: syntax.Expr, around: list[syntax.Qualifier]) -> syntax.Expr:
    """One more than the greatest value of an index, at least 0."""
    span = index.span
    needed = _needed(index, around)
    last = index
    if len(needed) == 1 and isinstance(index, syntax.Name):
        (generator,) = needed
        if isinstance(generator, syntax.Generator) and isinstance(generator.source, syntax.Range):
            last, needed = generator.source.upper, []
    if needed:
        rows = syntax.Comprehension(span, deepcopy(last), deepcopy(needed))
        last = syntax.Reduction(span, "max", rows)
    count = syntax.Binary(span, "+", deepcopy(last), _number(1, span))
    return syntax.Call(span, "max", [_number(0, span), count])


def _needed(index: syntax.Expr, around: list[syntax.Qualifier]) -> list[syntax.Qualifier]:
    """The qualifiers that bear on the values of an index."""
    names = _names(index)
    if not any(names & _bound(qualifier) for qualifier in around):
        return []
    found: list[syntax.Qualifier] = []
    for qualifier in reversed(around):
        bound = _bound(qualifier)
        if names & bound or (isinstance(qualifier, syntax.Guard) and names & _names(qualifier)):
            names |= _names(qualifier)
            found.insert(0, qualifier)
    return found


def _names(node: object) -> set[str]:
    return {n.name for n in walk(node) if isinstance(n, syntax.Name)}


def _bound(qualifier: syntax.Qualifier) -> set[str]:
    if not isinstance(qualifier, syntax.Generator | syntax.Let):
        return set()
    return {n.name for n in walk(qualifier.pattern) if isinstance(n, syntax.NamePattern)}


def _counted(loop: statements.For) -> tuple[list[syntax.Qualifier], list[syntax.Qualifier]]:
    """A loop over numbers as a generator, and the test that a step makes of it."""
    span, step, lower, upper = loop.name.span, loop.step, loop.lower, loop.upper
    falls = isinstance(step, syntax.Unary) and step.op == "-"
    first, last = (upper, lower) if falls else (lower, upper)
    numbers: list[syntax.Qualifier] = [
        syntax.Generator(span, loop.name, syntax.Range(span, first, last), False)
    ]
    if step is None:
        return numbers, []
    name = syntax.Name(span, loop.name.name)
    distance = syntax.Binary(span, "-", name, lower)
    rest = syntax.Binary(span, "%", distance, step)
    return numbers, [_guard(syntax.Binary(span, "==", rest, _number(0, span)))]


def _generator(loop: statements.ForIn) -> syntax.Generator:
    return syntax.Generator(loop.span, loop.pattern, loop.source, False)


def _guard(condition: syntax.Expr) -> syntax.Guard:
    return syntax.Guard(condition.span, condition)


def _number(value: int, span: Span) -> syntax.Literal:
    return syntax.Literal(span, "Int", value)


def _zeros(dims: list[syntax.Expr], span: Span) -> syntax.Constructor:
    return syntax.Constructor(span, "tensor", True, dims, [], syntax.ListExpr(span, []))
