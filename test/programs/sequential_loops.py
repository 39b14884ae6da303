"""Random loop nests, as programs and as what runs them one iteration after the other.

A statement is `run` on the variables of a dictionary as a sequential language would; a read
outside of an array leaves out the statement. Nothing of the compiler is used.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

N, M = 5, 2
VECTORS, MATRIX, SCALARS = ("V", "W"), "A", ("s", "t")

State = dict[str, Any]
Eval = Callable[[State], Any]
MONOIDS: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "max": max,
    "min": min,
}


class Missing(Exception):
    """Something was read that is not there."""


@dataclass
class Piece:
    """A piece of a program: its text, and what it does or gives."""

    text: str
    run: Eval


@dataclass
class Scope:
    """What may be used in an expression."""

    indices: list[str] = field(default_factory=list[str])
    private: list[str] = field(default_factory=list[str])


class Nests:
    """Writes random loop nests."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.names = 0

    def nest(self) -> Piece:
        """A loop with statements in it."""
        return self.loop(Scope(), self.random.choice((1, 2, 2, 3)))

    def loop(self, scope: Scope, depth: int) -> Piece:
        """A loop over a range."""
        self.names += 1
        name = f"i{self.names}"
        outer = self.random.choice(scope.indices) if scope.indices else None
        choices = ["0, n-1", "0, n-1", "0, n-1", "1, n-2", "0, 2", "n-1, 0, -1", "0, n, 2"]
        choices += ["1, n-2, 2", "2, 1"]
        if outer is not None:
            choices += [f"{outer}+1, n-1", f"0, {outer}", f"2*{outer}, n-1", f"n-1, {outer}, -1"]
        bounds = self.random.choice(choices)
        inner = Scope([*scope.indices, name], list(scope.private))
        body = [self.statement(inner, depth - 1) for _ in range(self.random.choice((1, 1, 2)))]
        texts = " ".join(piece.text for piece in body)

        def run(state: State) -> None:
            first, last, *step = (_index(part, state) for part in bounds.split(","))
            by = step[0] if step else 1
            for index in range(first, last + (1 if by > 0 else -1), by):
                iteration = dict(state)
                iteration[name] = index
                for piece in body:
                    piece.run(iteration)

        return Piece(f"for {name} = {bounds} do {{ {texts} }};", run)

    def statement(self, scope: Scope, depth: int) -> Piece:
        """A loop, or a write with or without a test or a variable before it."""
        kind = self.random.random()
        if depth > 0 and kind < 0.75:
            return self.loop(scope, depth)
        if kind < 0.85:
            condition, write = self.condition(scope), self.write(scope)
            run = _left_out(lambda s: write.run(s) if condition.run(s) else None)
            return Piece(f"if ({condition.text}) {{ {write.text} }};", run)
        if kind < 0.95:
            self.names += 1
            name, value = f"p{self.names}", self.value(scope)
            inner = Scope(scope.indices, [*scope.private, name])
            write = self.write(inner)

            def declare(state: State) -> None:
                try:
                    state[name] = [value.run(state)]
                except Missing:
                    state[name] = [None]
                write.run(state)

            return Piece(f"var {name} = {value.text}; {write.text}", declare)
        return self.write(scope)

    def write(self, scope: Scope) -> Piece:
        """An assignment or an update."""
        target = self.random.choice((*VECTORS, *VECTORS, MATRIX, MATRIX, *SCALARS, *scope.private))
        rank = {"V": 1, "W": 1, "A": 2}.get(target, 0)
        subscripts = [self.subscript(scope) for _ in range(rank)]
        place = f"{target}[{','.join(subscripts)}]" if rank else target
        value = self.value(scope)
        op = self.random.choice(("", "", "+", "max", "min", "*"))

        def run(state: State) -> None:
            keys = tuple(_index(text, state) for text in subscripts)
            result = value.run(state)
            if any(not 0 <= key < N for key in keys):
                return
            if op:
                result = MONOIDS[op](_read(state, target, keys), result)
            if rank:
                state[target][keys] = result
            else:
                state[target][0] = result

        return Piece(f"{place} {op}= {value.text};", _left_out(run))

    def value(self, scope: Scope) -> Piece:
        """A number that does not grow much: the mean of two, or one."""
        first = self.operand(scope)
        if self.random.random() < 0.5:
            return first
        second = self.operand(scope)
        return Piece(
            f"0.5*({first.text} + {second.text})",
            lambda s: 0.5 * (first.run(s) + second.run(s)),
        )

    def operand(self, scope: Scope) -> Piece:
        """A number, a variable or an element."""
        name = self.random.choice(("V", "V", "W", "W", "A", "A", "1.5", *SCALARS, *scope.private))
        if name == "1.5":
            return Piece(name, lambda _: 1.5)
        rank = {"V": 1, "W": 1, "A": 2}.get(name, 0)
        subscripts = [self.subscript(scope) for _ in range(rank)]
        text = f"{name}[{','.join(subscripts)}]" if rank else name
        return Piece(text, lambda s: _read(s, name, tuple(_index(t, s) for t in subscripts)))

    def subscript(self, scope: Scope) -> str:
        """An index, mostly in a simple way from a loop's."""
        name = self.random.choice(scope.indices)
        other = self.random.choice(scope.indices)
        near = [name, name, name, f"{name}-1", f"{name}+1"]
        far = ["0", "2", f"n-1-{name}", f"2*{name}", f"{name}+{other}", f"{name}%2", f"{name}/2"]
        far += [f"{name}*m+{other}", f"({name}-1)*m+{other}%2"]
        return self.random.choice(near if self.random.random() < 0.75 else far)

    def condition(self, scope: Scope) -> Piece:
        """A test of indices."""
        left, right = self.random.choice(scope.indices), self.random.choice([*scope.indices, "2"])
        text = self.random.choice(
            (
                f"{left} == {right}",
                f"{left} < {right}",
                f"{left} != {right}",
                f"({left}+{right})%2 == 0",
            )
        )
        return Piece(text, lambda s: eval(text, {}, {**s, "n": N, "m": M}))


def _index(text: str, state: State) -> int:
    return int(eval(text.replace("/", "//"), {}, {**state, "n": N, "m": M}))


def _read(state: State, name: str, keys: tuple[int, ...]) -> float:
    if any(not 0 <= key < N for key in keys):
        raise Missing
    value = state[name][keys] if keys else state[name][0]
    if value is None:
        raise Missing
    return value


def _left_out(run: Eval) -> Eval:
    def statement(state: State) -> None:
        with suppress(Missing):
            run(state)

    return statement
