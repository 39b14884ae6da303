"""Random comprehensions and loops over integers, each with its meaning in plain Python.

    query = draw(Random(7))
    diablo.compile(query.source)(**query.inputs)   ==   query.result()

Nothing of the compiler takes part in the meaning: generators are loops, one in the other, a
condition goes on or does not, and a read outside of an array drops the row. The reference
interpreter runs what the front end has made of a program, so that it does not see what is wrong
there. Here only simple things are drawn, but many a second.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
from scipy import sparse

Env = dict[str, int]
Rows = Sequence[tuple[int, ...]]

_LEAST, _GREATEST = -(2**63), 2**63 - 1
_MOST_STEPS = 200_000
"""A query that goes through more rows and conditions is drawn anew."""


class Missing(Exception):
    """An element outside of its array was read: the row is dropped."""


class TooLong(Exception):
    """Python takes too long for the query."""


def _wrapped(value: int) -> int:
    """An integer of 64 bits."""
    return (value - _LEAST) % 2**64 + _LEAST


_FOLDS: dict[str, Callable[[Sequence[int]], int]] = {
    "+": lambda values: _wrapped(sum(values)),
    "max": lambda values: max(values, default=_LEAST),
    "min": lambda values: min(values, default=_GREATEST),
    "count": len,
}
_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: _wrapped(a + b),
    "-": lambda a, b: _wrapped(a - b),
    "*": lambda a, b: _wrapped(a * b),
}
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}


@dataclass(frozen=True)
class Expr:
    """An expression: as it is written, and its value for the variables around it."""

    text: str
    value: Callable[[Env], int]


@dataclass(frozen=True)
class Qualifier:
    """A generator, condition or `let`: as it is written, and the rows it makes of a row."""

    text: str
    rows: Callable[[Env], Iterator[Env]]


@dataclass(frozen=True)
class Query:
    """A program, its inputs, and what it gives: a number, a vector, or rows in any order."""

    source: str
    inputs: dict[str, Any]
    result: Callable[[], Any]


@dataclass
class Data:
    """The inputs of a query: two vectors, a dense and a sparse matrix, a list of pairs, a map.

    A program may hold a vector and the map in variables as well, as U and N.
    """

    arrays: dict[str, Any]
    map: dict[int, int]
    pairs: list[tuple[int, int]]
    numbers: dict[str, int]

    @classmethod
    def draw(cls, random: Random) -> Data:
        """Inputs of a few elements, or of none."""
        rng = np.random.default_rng(random.getrandbits(32))
        shape = random.choice((1, 3, 4)), random.choice((2, 3, 5))
        arrays = {
            "V": rng.integers(-3, 4, random.choice((0, 1, 3, 5))),
            "W": rng.integers(0, 6, random.choice((2, 4))),
            "A": rng.integers(-3, 4, shape),
            "S": rng.integers(-3, 4, shape) * (rng.random(shape) < 0.4),
        }
        pairs = rng.integers(-2, 4, (random.choice((0, 2, 5)), 2)).tolist()
        numbers = {"n": random.choice((0, 1, 2, 3, 5)), "m": random.choice((0, 1, 3, 4))}
        keys = random.sample(range(-1, 6), random.choice((0, 2, 3, 5)))
        values = {key: random.randint(-3, 3) for key in keys}
        return cls(arrays, values, [(a, b) for a, b in pairs], numbers)

    def element(self, name: str, index: tuple[int, ...]) -> int:
        """An element of an array or a map; `Missing` is raised where there is none."""
        if name in "MN":
            if index[0] not in self.map:
                raise Missing
            return self.map[index[0]]
        array = self.arrays["V" if name == "U" else name]
        if not all(0 <= i < extent for i, extent in zip(index, array.shape, strict=True)):
            raise Missing
        return int(array[index])

    def rows(self, name: str) -> Rows:
        """The rows that a generator over an input goes through."""
        if name == "L":
            return self.pairs
        array = self.arrays[name]
        places = zip(*np.nonzero(array), strict=True) if name == "S" else np.ndindex(array.shape)
        return [(*map(int, place), int(array[place])) for place in places]


@dataclass
class Writer:
    """Draws the parts of a query."""

    random: Random
    data: Data
    names: int = 0
    steps: int = 0
    scope: list[str] = field(default_factory=list[str])

    def fresh(self, letter: str) -> str:
        """A variable that there is not yet."""
        self.names += 1
        return f"{letter}{self.names}"

    def step(self) -> None:
        """Count a step of the meaning."""
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise TooLong

    # ---- expressions ----

    def leaf(self) -> Expr:
        """A variable or a number."""
        if self.scope and self.random.random() < 0.75:
            name = self.random.choice(self.scope)
            return Expr(name, lambda env: env[name])
        if self.random.random() < 0.3:
            number = self.random.choice(("n", "m"))
            return Expr(number, lambda _: self.data.numbers[number])
        literal = self.random.choice((0, 1, 2, 3, -1))
        return Expr(f"({literal})" if literal < 0 else str(literal), lambda _: literal)

    def index(self) -> Expr:
        """A leaf, perhaps moved by a little."""
        base, shift = self.leaf(), self.random.choice((0, 0, 0, 1, -1, 2))
        text = f"{base.text}{shift:+d}" if shift else base.text
        return Expr(text, lambda env: base.value(env) + shift)

    def expression(self, depth: int = 2, *, folds: bool = True) -> Expr:
        """An integer."""
        kind = self.random.random()
        if depth == 0 or kind < 0.35:
            return self.leaf()
        if kind < 0.62:
            return self._operation(depth, folds=folds)
        if kind < 0.76:
            return self._quotient(depth, folds=folds)
        if kind < 0.84:
            one, other = (self.expression(depth - 1, folds=folds) for _ in range(2))
            name, function = self.random.choice((("min", min), ("max", max)))
            return Expr(
                f"{name}({one.text},{other.text})",
                lambda env: function(one.value(env), other.value(env)),
            )
        if kind < 0.9:
            return self._choice(depth)
        return self.fold() if folds and kind < 0.96 else self.read()

    def _operation(self, depth: int, *, folds: bool) -> Expr:
        one, other = (self.expression(depth - 1, folds=folds) for _ in range(2))
        operator = self.random.choice(("+", "+", "-", "*"))
        function = _OPERATORS[operator]
        return Expr(
            f"({one.text}{operator}{other.text})",
            lambda env: function(one.value(env), other.value(env)),
        )

    def _quotient(self, depth: int, *, folds: bool) -> Expr:
        """What is divided is not negative: Python rounds down, the language towards zero."""
        whole, divisor = self.expression(depth - 1, folds=folds), self.random.choice((2, 3, 4))
        if self.random.random() < 0.5:
            return Expr(
                f"((({whole.text})%10+10)%{divisor})",
                lambda env: _mod10(whole.value(env)) % divisor,
            )
        return Expr(
            f"((({whole.text})%10+10)/{divisor})", lambda env: _mod10(whole.value(env)) // divisor
        )

    def _choice(self, depth: int) -> Expr:
        test = self.condition(depth - 1)
        one, other = (self.expression(depth - 1, folds=False) for _ in range(2))
        return Expr(
            f"(if ({test.text}) {one.text} else {other.text})",
            lambda env: one.value(env) if test.value(env) else other.value(env),
        )

    def read(self) -> Expr:
        """An element of an array, or the value of a key."""
        name = self.random.choice(("V", "W", "U", "W", "A", "S", "M", "N"))
        indices = [self.index() for _ in range(2 if name in "AS" else 1)]
        return Expr(
            f"{name}[{','.join(index.text for index in indices)}]",
            lambda env: self.data.element(name, tuple(index.value(env) for index in indices)),
        )

    def condition(self, depth: int = 1) -> Expr:
        """A comparison, or two."""
        one, other = (self.expression(depth, folds=False) for _ in range(2))
        operator = self.random.choice(("<", "<=", "==", "==", "!=", ">="))
        compares = _COMPARISONS[operator]
        test = Expr(
            f"{one.text} {operator} {other.text}",
            lambda env: compares(one.value(env), other.value(env)),
        )
        if self.random.random() >= 0.15:
            return test
        second = self.condition(0)
        if self.random.random() < 0.5:
            return Expr(
                f"({test.text} && {second.text})",
                lambda env: test.value(env) and second.value(env),
            )
        return Expr(
            f"({test.text} || {second.text})", lambda env: test.value(env) or second.value(env)
        )

    def fold(self) -> Expr:
        """A fold of rows, which may use what is around it."""
        outer = list(self.scope)
        qualifiers = self.qualifiers(self.random.choice((1, 1, 2)), ranges=0.6)
        head, name = self.expression(1, folds=False), self.random.choice(("+", *_FOLDS))
        self.scope = outer
        text = f"({name}/[ {head.text} | {written(qualifiers)} ])"
        return Expr(text, lambda env: _FOLDS[name](list(self.heads(qualifiers, head, env))))

    # ---- qualifiers ----

    def qualifiers(self, most: int, ranges: float = 0.3) -> list[Qualifier]:
        """Some generators, and conditions that tie them together; the scope gets the variables."""
        found: list[Qualifier] = []
        for _ in range(self.random.randint(1, most)):
            before = list(self.scope)
            new, generator = self._range() if self.random.random() < ranges else self._each()
            found.append(generator)
            if before and self.random.random() < 0.7:
                found.append(self._tie(self.random.choice(new[:-1] or new)))
            self.scope = [*before, *new]
            if self.random.random() < 0.3:
                found.append(self.guard(self.condition()))
            if self.random.random() < 0.25:
                found.append(self._let())
        return found

    def _range(self) -> tuple[list[str], Qualifier]:
        name = self.fresh("k")
        low = self.index() if self.random.random() < 0.4 else self._literal((0, 0, 1, 2))
        high = self.index() if self.random.random() < 0.4 else self._end()

        def rows(env: Env) -> Iterator[Env]:
            for index in range(low.value(env), high.value(env) + 1):
                yield {**env, name: index}

        return [name], Qualifier(f"{name} <- {low.text}..{high.text}", rows)

    def loop(self) -> Qualifier:
        """A `for` over a range; its variable is in the scope then."""
        names, qualifier = self._range()
        self.scope += names
        text = qualifier.text.replace(" <- ", " = ").replace("..", ", ")
        return Qualifier(text, qualifier.rows)

    def _literal(self, choices: Sequence[int]) -> Expr:
        number = self.random.choice(choices)
        return Expr(str(number), lambda _: number)

    def _end(self) -> Expr:
        name, shift = self.random.choice((("n", -1), ("m", -1), ("n", 0)))
        if self.random.random() < 0.25:
            return self._literal((3,))
        text = f"{name}{shift:+d}" if shift else name
        return Expr(text, lambda _: self.data.numbers[name] + shift)

    def _each(self) -> tuple[list[str], Qualifier]:
        source = self.random.choice(("V", "W", "A", "S", "S", "L"))
        letters = {"V": "ix", "W": "ix", "L": "pq"}.get(source, "ija")
        names = [self.fresh(letter) for letter in letters]
        *indices, element = names
        of = f"({','.join(indices)})" if len(indices) > 1 else indices[0]

        def rows(env: Env) -> Iterator[Env]:
            for row in self.data.rows(source):
                yield {**env, **dict(zip(names, row, strict=True))}

        return names, Qualifier(f"({of},{element}) <- {source}", rows)

    def _tie(self, name: str) -> Qualifier:
        other, operator = (
            self.index(),
            self.random.choice(("==", "==", "==", "<=", "<", ">=", "!=")),
        )
        compares = _COMPARISONS[operator]
        test = Expr(
            f"{name} {operator} {other.text}",
            lambda env: compares(env[name], other.value(env)),
        )
        return self.guard(test)

    def guard(self, test: Expr) -> Qualifier:
        """A condition."""

        def rows(env: Env) -> Iterator[Env]:
            if test.value(env):
                yield env

        return Qualifier(test.text, rows)

    def _let(self) -> Qualifier:
        name, value = self.fresh("t"), self.expression(1)
        self.scope.append(name)

        def rows(env: Env) -> Iterator[Env]:
            yield {**env, name: value.value(env)}

        return Qualifier(f"let {name} = {value.text}", rows)

    # ---- what they mean ----

    def rows(self, qualifiers: Sequence[Qualifier], env: Env) -> Iterator[Env]:
        """The rows of qualifiers: those of the first, and for each of these of the others."""
        self.step()
        if not qualifiers:
            yield env
            return
        made = qualifiers[0].rows(env)
        while True:
            try:
                row = next(made)
            except (StopIteration, Missing):
                return
            yield from self.rows(qualifiers[1:], row)

    def heads(self, qualifiers: Sequence[Qualifier], head: Expr, env: Env) -> Iterator[int]:
        """The values of a head in all rows in which it has one."""
        for row in self.rows(qualifiers, env):
            try:
                value = head.value(row)
            except Missing:
                continue
            yield value


def _mod10(value: int) -> int:
    """`value%10 + 10`, where the remainder has the sign of what is divided."""
    return (abs(value) % 10) * (1 if value >= 0 else -1) + 10


def written(qualifiers: Sequence[Qualifier]) -> str:
    """Qualifiers as they are written."""
    return ", ".join(qualifier.text for qualifier in qualifiers)


# ---- queries ----------------------------------------------------------------------------


def draw(random: Random) -> Query:
    """A random query."""
    writer = Writer(random, Data.draw(random))
    kinds = (_list, _total, _groups, _groups, _vector, _indexed, _indexed, _update)
    kind = random.choice((*kinds, _iterations, _iterations))
    source, result = kind(writer)
    data, given = writer.data, dict[str, Any]()
    if random.random() < 0.4:
        head = "".join(f"var {name} = {value}; " for name, value in data.numbers.items())
    else:
        head, given = "input n: Int; input m: Int; ", dict(data.numbers)
    types = {"V": "vector", "W": "vector", "A": "matrix", "S": "matrix"}
    inputs = "".join(f"input {name}: {type}[Int]; " for name, type in types.items())
    arrays = {**data.arrays, "S": sparse.csr_array(data.arrays["S"])}
    inputs += "input L: list[(Int,Int)]; input M: map[Int,Int]; "
    held = {"U": "var U = V; ", "N": "var N = map[ (k,v) | (k,v) <- M ]; "}
    head += "".join(variable for name, variable in held.items() if f"{name}[" in source)
    return Query(
        f"{inputs}\n{head}\n{source}",
        {**arrays, "L": data.pairs, "M": data.map, **given},
        result,
    )


_Drawn = tuple[str, Callable[[], Any]]


def _list(writer: Writer) -> _Drawn:
    qualifiers = writer.qualifiers(writer.random.choice((1, 2, 2, 3)))
    one, other = writer.expression(), writer.expression()

    def result() -> list[tuple[int, ...]]:
        found: list[tuple[int, ...]] = []
        for row in writer.rows(qualifiers, {}):
            try:
                found.append((one.value(row), other.value(row)))
            except Missing:
                continue
        return sorted(found)

    return f"[ ({one.text}, {other.text}) | {written(qualifiers)} ]", result


def _total(writer: Writer) -> _Drawn:
    qualifiers = writer.qualifiers(writer.random.choice((1, 2, 2, 3)))
    head, name = writer.expression(), writer.random.choice(("+", *_FOLDS))
    text = f"{name}/[ {head.text} | {written(qualifiers)} ]"
    return text, lambda: _FOLDS[name](list(writer.heads(qualifiers, head, {})))


def _groups(writer: Writer) -> _Drawn:
    random = writer.random
    qualifiers, key = writer.qualifiers(random.choice((1, 2, 3))), writer.expression(1)
    bags = random.sample(writer.scope, min(len(writer.scope), 2))
    names = [random.choice(list(_FOLDS)) for _ in bags]
    folds = [f"{name}/{bag}" for name, bag in zip(names, bags, strict=True)]
    least = random.choice((None, 0, 1))
    having = "" if least is None else f", {folds[0]} > {least}"
    text = f"[ (g, {', '.join(folds)}) | {written(qualifiers)}, group by g: {key.text}{having} ]"

    def result() -> list[tuple[int, ...]]:
        groups = _grouped(writer, qualifiers, key, bags)
        rows = [
            (key, *[_FOLDS[name](column) for name, column in zip(names, columns, strict=True)])
            for key, columns in groups.items()
        ]
        return sorted(row for row in rows if least is None or row[1] > least)

    return text, result


def _vector(writer: Writer) -> _Drawn:
    random, size = writer.random, writer.random.choice((3, 4))
    qualifiers, of = writer.qualifiers(random.choice((1, 2, 3))), writer.expression(1)
    bag, name = random.choice(writer.scope), random.choice(list(_FOLDS))
    rows = f"{written(qualifiers)}, group by g: ((({of.text})%10+10)%{size})"
    key = Expr("", lambda env: _mod10(of.value(env)) % size)

    def result() -> list[int]:
        groups = _grouped(writer, qualifiers, key, [bag])
        return [_FOLDS[name](groups[k][0]) if k in groups else 0 for k in range(size)]

    return f"tensor*({size})[ (g, {name}/{bag}) | {rows} ]", result


def _indexed(writer: Writer) -> _Drawn:
    """A vector of whose elements each has a fold of its own."""
    size, index = writer.random.choice((3, 5, 8)), writer.fresh("i")
    writer.scope.append(index)
    head = writer.fold()
    if writer.random.random() < 0.3:
        other = writer.expression(1)
        fold, name = head, writer.random.choice(list(_OPERATORS))
        head = Expr(
            f"({fold.text} {name} {other.text})",
            lambda env: _OPERATORS[name](fold.value(env), other.value(env)),
        )

    def result() -> list[int]:
        found = [0] * size
        for k in range(size):
            with suppress(Missing):
                found[k] = head.value({index: k})
        return found

    return f"tensor*({size})[ ({index}, {head.text}) | {index} <- 0..{size - 1} ]", result


def _grouped(
    writer: Writer, qualifiers: Sequence[Qualifier], key: Expr, bags: Sequence[str]
) -> dict[int, list[list[int]]]:
    """For each key the values of some variables in its rows."""
    groups: dict[int, list[list[int]]] = {}
    for row in writer.rows(qualifiers, {}):
        try:
            found = groups.setdefault(key.value(row), [[] for _ in bags])
        except Missing:
            continue
        for column, bag in zip(found, bags, strict=True):
            column.append(row[bag])
    return groups


def _update(writer: Writer) -> _Drawn:
    """Loops that add to a vector, or look for its extrema: in any order."""
    random, size = writer.random, writer.random.choice((3, 4))
    ranges = [writer.loop() for _ in range(random.choice((1, 2, 2)))]
    tests = [writer.condition() for _ in range(random.choice((0, 1, 1, 2)))]
    place, value = writer.expression(1), writer.expression()
    name = random.choice(("+", "max", "min"))
    loops = "".join(f"for {qualifier.text} do " for qualifier in ranges)
    guards = "".join(f"if ({test.text}) " for test in tests)
    begin = f"var P = tensor*({size})[ (i,3) | i <- 0..{size - 1} ];"
    target = f"P[((({place.text})%10+10)%{size})]"
    qualifiers = [*ranges, *map(writer.guard, tests)]

    def result() -> list[int]:
        found = [3] * size
        for row in writer.rows(qualifiers, {}):
            try:
                where, new = _mod10(place.value(row)) % size, value.value(row)
            except Missing:
                continue
            found[where] = _FOLDS[name]([found[where], new])
        return found

    return f"{begin}\n{loops}{guards}{target} {name}= {value.text};\nP", result


# ---- variables of iterations ------------------------------------------------------------


@dataclass
class Iteration:
    """What an iteration knows: its variables, and which of them have no value."""

    env: Env
    gone: set[str] = field(default_factory=set[str])

    def check(self, text: str) -> None:
        """Raise `Missing` if `text` names a variable without a value, in whichever branch."""
        if not self.gone.isdisjoint(re.findall(r"[a-z]\w*", text)):
            raise Missing

    def value(self, expr: Expr) -> int:
        """The value of an expression; `Missing` is raised if it has none."""
        self.check(expr.text)
        return expr.value(self.env)


@dataclass(frozen=True)
class Statement:
    """A statement of an iteration: as it is written, what it does, and what it assigns."""

    text: str
    run: Callable[[Iteration], None]
    assigns: Sequence[str] = ()


@dataclass
class Statements:
    """Draws statements about the variables that each iteration has for itself."""

    writer: Writer
    own: list[str] = field(default_factory=list[str])

    def declare(self) -> Statement:
        """A variable of the iteration."""
        name = self.writer.fresh("t")
        statement = self._assignment(name, self.writer.expression(1), at_home=True)
        self.own.append(name)
        self.writer.scope.append(name)
        return Statement(f"var {statement.text}", statement.run)

    def change(self) -> Statement:
        """An assignment or update, perhaps under a test or in a loop."""
        random, name = self.writer.random, self.writer.random.choice(self.own)
        kind = random.random()
        if kind < 0.3:
            return self._assignment(name, self.writer.expression(), at_home=True)
        if kind < 0.45:
            return self._update(name, self.writer.expression())
        return self._loop(name) if kind < 0.6 else self._choice(name)

    def _assignment(self, name: str, value: Expr, *, at_home: bool) -> Statement:
        def run(iteration: Iteration) -> None:
            try:
                iteration.env[name] = iteration.value(value)
            except Missing:
                iteration.gone.add(name)
            else:
                if at_home:
                    iteration.gone.discard(name)

        return Statement(f"{name} = {value.text};", run, [name])

    def _update(self, name: str, value: Expr) -> Statement:
        monoid = self.writer.random.choice(("+", "+", "max", "min"))

        def run(iteration: Iteration) -> None:
            with suppress(Missing):
                iteration.check(name)
                both = [iteration.env[name], iteration.value(value)]
                iteration.env[name] = _FOLDS[monoid](both)

        return Statement(f"{name} {monoid}= {value.text};", run)

    def _loop(self, name: str) -> Statement:
        """A loop of updates that read nothing of the variable."""
        outer = list(self.writer.scope)
        self.writer.scope.remove(name)
        head = self.writer.loop()
        update = self._update(name, self.writer.expression(1))
        self.writer.scope = outer

        def run(iteration: Iteration) -> None:
            with suppress(Missing):
                iteration.check(f"{name} {head.text}")
                for row in head.rows(dict(iteration.env)):
                    inner = Iteration(row | iteration.env, iteration.gone)
                    update.run(inner)
                    iteration.env[name] = inner.env[name]

        return Statement(f"for {head.text} do {update.text}", run)

    def _choice(self, name: str) -> Statement:
        """An assignment or update under a test, which asks for nothing of the variable."""
        outer = list(self.writer.scope)
        self.writer.scope.remove(name)
        one, other = (self.writer.expression(1, folds=False) for _ in range(2))
        operator = self.writer.random.choice(list(_COMPARISONS))
        self.writer.scope = outer
        branches = [self._branch(name)]
        if self.writer.random.random() < 0.3:
            branches.append(self._branch(self.writer.random.choice(self.own)))

        def run(iteration: Iteration) -> None:
            try:
                pair = iteration.value(one), iteration.value(other)
            except Missing:
                iteration.gone.update(name for branch in branches for name in branch.assigns)
                return
            for branch in branches[:1] if _COMPARISONS[operator](*pair) else branches[1:]:
                branch.run(iteration)

        then = " else ".join(f"{{ {branch.text} }}" for branch in branches)
        return Statement(f"if ({one.text} {operator} {other.text}) {then};", run)

    def _branch(self, name: str) -> Statement:
        value = self.writer.expression(1)
        if self.writer.random.random() < 0.7:
            return self._assignment(name, value, at_home=False)
        return self._update(name, value)


def _iterations(writer: Writer) -> _Drawn:
    """A loop with variables of its iterations: in any order, or one after the other."""
    random, size = writer.random, writer.random.choice((3, 5, 8))
    index, in_order = writer.fresh("i"), writer.random.random() < 0.4
    writer.scope += [index, *(["z"] if in_order else [])]
    drawn = Statements(writer)
    body = [drawn.declare() for _ in range(random.choice((1, 1, 2)))]
    body += [drawn.change() for _ in range(random.choice((1, 2, 3)))]
    set_to, added, place, next = (writer.expression(1) for _ in range(4))
    name = random.choice(("+", "max", "min"))
    shown = random.choice(("P", "Q", "z") if in_order else ("P", "P", "Q"))
    begin = f"tensor*({size})[ (i,3) | i <- 0..{size - 1} ]"
    text = " ".join(statement.text for statement in body)
    text += f" P[{index}] = {set_to.text};"
    text += f" Q[((({place.text})%10+10)%{size})] {name}= {added.text};"
    text += f" z = (3*z+({next.text}))%10+10;" if in_order else ""

    def result() -> Any:
        found: dict[str, Any] = {"P": [3] * size, "Q": [3] * size, "z": 1}
        for k in range(size):
            writer.step()
            iteration = Iteration({index: k, "z": found["z"]})
            for statement in body:
                statement.run(iteration)
            with suppress(Missing):
                found["P"][k] = iteration.value(set_to)
            with suppress(Missing):
                where, new = _mod10(iteration.value(place)) % size, iteration.value(added)
                found["Q"][where] = _FOLDS[name]([found["Q"][where], new])
            with suppress(Missing):
                found["z"] = _mod10(_wrapped(3 * found["z"] + iteration.value(next)))
        return found[shown]

    head = f"var P = {begin}; var Q = {begin}; var z = 1;"
    return f"{head}\nfor {index} = 0, {size - 1} do {{ {text} }};\n{shown}", result
