"""Arrays of the driver are let go of at their last use, so that their memory can be used again.

    r = kernel_0(n, u)                  r = kernel_0(n, u)
    s = kernel_1(n, r)          =>      s = kernel_1(n, r)
                                        del r

The statements are looked at as Python has them, from the last to the first, with the variables
that are still needed: those of a loop's next iteration as well.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

_SCOPES = (
    ast.FunctionDef,
    ast.Lambda,
    ast.For,
    ast.While,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)


def released_everywhere(source: str) -> str:
    """The function of some source, which lets go of each variable where it is used last.

    One with loops or scopes of its own inside stays as it is.
    """
    nodes = list(ast.walk(ast.parse(source)))
    if sum(isinstance(node, _SCOPES) for node in nodes) > 1:
        return source
    lines = source.rstrip("\n").split("\n")
    end = next(number for number, line in enumerate(lines, start=1) if line.endswith("):"))
    header, body = lines[:end], lines[end:]
    stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return "\n".join([*header, *released(body, stored)]) + "\n"


def released(lines: Sequence[str], arrays: Collection[str]) -> list[str]:
    """The body of a function, with a `del` for each of `arrays` where it is used last."""
    if not arrays:
        return list(lines)
    function = ast.parse("\n".join(["def main():", *lines])).body[0]
    assert isinstance(function, ast.FunctionDef)
    found = _Releases(frozenset(arrays))
    found.block(function.body, frozenset(), frozenset())
    result: list[str] = []
    for number, line in enumerate(lines, start=2):
        result += found.before.get(number, [])
        result.append(line)
        result += found.after.get(number, [])
    return result


@dataclass
class _Releases:
    """Where which names are deleted: before or after a line, in a text with a line above."""

    arrays: frozenset[str]
    before: dict[int, list[str]] = field(default_factory=dict[int, list[str]])
    after: dict[int, list[str]] = field(default_factory=dict[int, list[str]])
    writes: bool = True

    def block(
        self, statements: Sequence[ast.stmt], live: frozenset[str], leaving: frozenset[str]
    ) -> frozenset[str]:
        """What is needed before the statements, if `live` is after them.

        `leaving` is what is needed after the loop around them, where `break` leads.
        """
        ends = bool(statements) and isinstance(statements[-1], ast.Return)
        for position in range(len(statements) - 1, -1, -1):
            statement = statements[position]
            needed = self._statement(statement, live, leaving)
            is_last = ends and position >= len(statements) - 2
            if not is_last and not isinstance(statement, ast.If | ast.Break | ast.With):
                # What a loop leaves alive, or a statement uses for the last time.
                bound = needed | _names(statement, ast.Store, self.arrays)
                if not isinstance(statement, ast.While):
                    self._delete_after(statement, bound - live)
                else:
                    self._delete_after(statement, needed - live)
            live = needed
        return live

    def _statement(
        self, statement: ast.stmt, live: frozenset[str], leaving: frozenset[str]
    ) -> frozenset[str]:
        match statement:
            case ast.Break():
                return leaving
            case ast.While(test=test, body=body):
                return self._loop(test, body, live)
            case ast.With(body=body):
                return self.block(body, live, leaving)
            case ast.AugAssign():
                return (
                    live
                    | _names(statement, ast.Load, self.arrays)
                    | _names(statement, ast.Store, self.arrays)
                )
            case ast.If(test=test, body=body, orelse=orelse):
                return self._branches(test, body, orelse, live, leaving)
            case _:
                stored = _names(statement, ast.Store, self.arrays)
                return (live - stored) | _names(statement, ast.Load, self.arrays)

    def _loop(
        self, test: ast.expr, body: Sequence[ast.stmt], live: frozenset[str]
    ) -> frozenset[str]:
        writes, self.writes = self.writes, False
        head = live | _names(test, ast.Load, self.arrays)
        while (more := head | self.block(body, head, live)) != head:
            head = more
        self.writes = writes
        self.block(body, head, live)
        return head

    def _branches(
        self,
        test: ast.expr,
        body: Sequence[ast.stmt],
        orelse: Sequence[ast.stmt],
        live: frozenset[str],
        leaving: frozenset[str],
    ) -> frozenset[str]:
        tested = _names(test, ast.Load, self.arrays)
        if not orelse:
            # Nothing can be let go of where the branch is not taken.
            return live | tested | self.block(body, live | _loads(body, self.arrays), leaving)
        then, otherwise = self.block(body, live, leaving), self.block(orelse, live, leaving)
        self._delete_before(body[0], (otherwise | tested) - then - live)
        self._delete_before(orelse[0], (then | tested) - otherwise - live)
        return then | otherwise | tested

    def _delete_after(self, statement: ast.stmt, names: frozenset[str]) -> None:
        if names and self.writes:
            assert statement.end_lineno is not None
            lines = self.after.setdefault(statement.end_lineno, [])
            # What ends at the same line is deeper, and was found before.
            lines.append(_deletion(statement, names))

    def _delete_before(self, statement: ast.stmt, names: frozenset[str]) -> None:
        if names and self.writes:
            self.before.setdefault(statement.lineno, []).append(_deletion(statement, names))


def _deletion(statement: ast.stmt, names: frozenset[str]) -> str:
    return f"{' ' * statement.col_offset}del {', '.join(sorted(names))}"


def _names(
    node: ast.AST, context: type[ast.expr_context], arrays: frozenset[str]
) -> frozenset[str]:
    return arrays & {
        inner.id
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, context)
    }


def _loads(statements: Sequence[ast.stmt], arrays: frozenset[str]) -> frozenset[str]:
    names = [_names(statement, ast.Load, arrays) for statement in statements]
    return frozenset[str]().union(*names)
