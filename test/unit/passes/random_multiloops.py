"""Random modules of the multiloop level, as text: loops over rows, ranges and what loops make.

`write_module(seed)` is a function `@main` whose results have an order that passes must keep.
It divides only behind a test of the divisor, so that a division by zero is one that a pass has
moved out of its guard.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

INPUTS: list[dict[str, Any]] = [
    {"L": [(1,), (-2,), (0,)], "P": [(1, 2), (3, 0)], "a": 2, "n": 3},
    {"L": [], "P": [(0, 0)], "a": 0, "n": 1},
]

MONOIDS = ("add", "max", "min")


def bag(width: int) -> str:
    return f"!comprehension.bag<{_types(width)}>"


def _types(width: int) -> str:
    return ", ".join(["i64"] * width)


def groups(key: int, widths: Sequence[int]) -> str:
    """The type of rows of a key with lists."""
    return f"!comprehension.bag<{', '.join(['i64'] * key + [bag(width) for width in widths])}>"


@dataclass(frozen=True)
class Generator:
    """A generator with the number of columns of its key and of its values.

    `widths` are those of the lists that it makes for each key.
    """

    name: str
    type: str
    result: str
    key: int
    values: int
    widths: tuple[int, ...] = ()


@dataclass
class Scope:
    """The names that a block may use: numbers, lists with their widths, bounds, generators,
    vectors with the bounds of the loops that make them, and groups with the widths of their keys
    and lists."""

    numbers: list[str]
    lists: list[tuple[str, int]]
    bounds: list[str]
    generators: list[Generator] = field(default_factory=list[Generator])
    vectors: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    depth: int = 0
    groups: list[tuple[str, int, tuple[int, ...]]] = field(
        default_factory=list[tuple[str, int, tuple[int, ...]]]
    )

    def inner(self, numbers: Sequence[str], generators: Sequence[Generator]) -> Scope:
        """The scope of a block in this one."""
        return Scope(
            [*self.numbers, *numbers],
            [*self.lists],
            self.bounds,
            [*self.generators, *generators],
            [*self.vectors],
            self.depth + 1,
            [*self.groups],
        )


class Writer:
    """Writes one function."""

    def __init__(self, seed: int):
        self.random = Random(seed)
        self.lines: list[str] = []
        self.count = 0

    def name(self, letter: str = "v") -> str:
        self.count += 1
        return f"%{letter}{self.count}"

    def statements(self, scope: Scope, most: int) -> None:
        """Write some statements of a block, whose results are added to its scope."""
        for _ in range(self.random.randint(1, most)):
            choices = [self.arithmetic]
            if scope.depth < 3:
                choices += [self.loop] * (3 - scope.depth)
            if scope.generators:
                choices += [self.branch, self.division, self.emit, self.emit]
            self.random.choice(choices)(scope)

    def arithmetic(self, scope: Scope) -> None:
        name, op = self.name(), self.random.choice(("addi", "subi", "minsi", "maxsi"))
        left, right = self.random.choice(scope.numbers), self.random.choice(scope.numbers)
        self.lines.append(f"{name} = arith.{op} {left}, {right} : i64")
        scope.numbers.append(name)

    def branch(self, scope: Scope) -> None:
        left, right = self.random.choice(scope.numbers), self.random.choice(scope.numbers)
        test, name = self.random.choice(("slt", "sge", "eq")), self.name("p")
        self.lines += [f"{name} = arith.cmpi {test}, {left}, {right} : i64", f"scf.if {name} {{"]
        self.statements(scope.inner([], []), 2)
        if self.random.random() < 0.3:
            self.lines.append("} else {")
            self.statements(scope.inner([], []), 2)
        self.lines.append("}")

    def division(self, scope: Scope) -> None:
        """Emit a quotient, where the divisor is not zero."""
        left, right = self.random.choice(scope.numbers), self.random.choice(scope.numbers)
        test, name = self.name("p"), self.name()
        self.lines += [f"{test} = arith.cmpi ne, {right}, %zero : i64", f"scf.if {test} {{"]
        self.lines.append(f"{name} = arith.divsi {left}, {right} : i64")
        self.emit(scope.inner([name] * 3, []))
        self.lines.append("}")

    def emit(self, scope: Scope) -> None:
        self.emit_to(self.random.choice(scope.generators), scope)

    def emit_to(self, generator: Generator, scope: Scope) -> None:
        key = self.random.choices(scope.numbers, k=generator.key)
        values = self.random.choices(scope.numbers, k=generator.values)
        keys = f"[{', '.join(key)} : {_types(len(key))}]" if key else ""
        handed = f"{', '.join(values)} : {_types(len(values))}" if values else ""
        given = ""
        if generator.type.startswith("scan"):
            scope.numbers.append(self.name("s"))
            given = f"{scope.numbers[-1]} = "
        self.lines.append(f"{given}multiloop.emit {generator.name}{keys}({handed})")

    def generator(self) -> Generator:
        name, kind = self.name("g"), self.random.random()
        if kind < 0.6:
            width = self.random.randint(1, 2)
            return Generator(name, f"collect<{_types(width)}>", bag(width), 0, width)
        if kind < 0.8:
            fold = self.random.choice(("reduce", "scan"))
            return Generator(name, f"{fold}<{self.random.choice(MONOIDS)} : i64>", "i64", 0, 1)
        if kind < 0.88:
            key, widths = self.random.randint(1, 2), self.random.choice(((1,), (2,), (1, 2)))
            lists = ", ".join("i64" if width == 1 else f"({_types(width)})" for width in widths)
            type = f"bucket_collect<[{_types(key)}], {lists}>"
            return Generator(name, type, groups(key, widths), key, sum(widths), widths)
        key, values = self.random.randint(1, 2), self.random.randint(0, 2)
        folds = "".join(f", {self.random.choice((*MONOIDS, 'any'))} : i64" for _ in range(values))
        type = f"bucket_reduce<[{_types(key)}]{folds}>"
        return Generator(name, type, bag(key + values), key, values)

    def loop(self, scope: Scope) -> None:
        least = 0 if scope.generators else 1
        own = [self.generator() for _ in range(self.random.randint(least, 2))]
        made = [(self.name("r"), generator) for generator in own]
        results = ", ".join(name for name, _ in made) + " = " if made else ""
        arrow = " -> " + ", ".join(g.result for g in own) if own else ""
        arguments = [f"{g.name}: !multiloop.{g.type}" for g in own]
        vector, index, low, high = None, "", "", ""
        lists: list[tuple[str, int]] = []
        if scope.groups and self.random.random() < 0.6:
            source, key, widths = self.random.choice(scope.groups)
            numbers = [self.name("e") for _ in range(key)]
            lists = [(self.name("l"), width) for width in widths]
            given = [f"{e}: i64" for e in numbers] + [f"{n}: {bag(width)}" for n, width in lists]
            self.lines.append(
                f"{results}multiloop.loop rows({source} : {groups(key, widths)}){arrow} {{"
            )
            self.lines.append(f"^bb0({', '.join(given + arguments)}):")
        elif self.random.random() < 0.75:
            source, width = self.random.choice(scope.lists[-4:])
            numbers = [self.name("e") for _ in range(width)]
            self.lines.append(f"{results}multiloop.loop rows({source} : {bag(width)}){arrow} {{")
            self.lines.append(f"^bb0({', '.join([f'{e}: i64' for e in numbers] + arguments)}):")
        else:
            index, numbers = self.name("i"), [self.name()]
            low, high = self.random.choice(scope.bounds), self.random.choice(scope.bounds)
            if scope.vectors and self.random.random() < 0.7:
                _, low, high = self.random.choice(scope.vectors)
            if low == "%first" and self.random.random() < 0.7:
                vector = self.name("V")
                place = Generator(vector, "place<i64>", "tensor<?xi64>", 1, 1)
                made.append((self.name("w"), place))
                results = ", ".join(name for name, _ in made) + " = "
                arrow = " -> " + ", ".join(g.result for _, g in made)
                arguments.append(f"{vector}: !multiloop.place<i64>")
            self.lines.append(
                f"{results}multiloop.loop range({low}, {high} : index, index){arrow} {{"
            )
            self.lines.append(f"^bb0({', '.join([f'{index}: index', *arguments])}):")
            self.lines.append(f"{numbers[0]} = arith.index_cast {index} : index to i64")
            for name in [v for v, *bounds in scope.vectors if bounds == [low, high]]:
                numbers.append(self.name("x"))
                place = index if self.random.random() < 0.8 else low
                self.lines.append(f"{numbers[-1]} = tensor.extract {name}[{place}] : tensor<?xi64>")
        inner = scope.inner(numbers * 2, own * 3)
        inner.lists += lists
        self.statements(inner, 3)
        if vector:
            last = inner.numbers[-1]
            self.lines.append(f"multiloop.emit {vector}[{index} : index]({last} : i64)")
        for generator in own:
            if self.random.random() < 0.7:
                self.emit_to(generator, inner)
        self.lines.append("}")
        for name, generator in made:
            if generator.name == vector:
                scope.vectors.append((name, low, high))
            elif generator.result == "i64":
                scope.numbers.append(name)
            elif generator.widths:
                scope.groups.append((name, generator.key, generator.widths))
            else:
                scope.lists.append((name, generator.key + generator.values))


def write_module(seed: int) -> str:
    """Write the module of a number."""
    writer = Writer(seed)
    scope = Scope(["%a", "%zero"], [("%L", 1), ("%P", 2)], ["%first", "%third", "%n"])
    writer.statements(scope, 9)
    made = [(name, "i64") for name in scope.numbers[2:]]
    made += [(name, bag(width)) for name, width in scope.lists[2:]]
    made += [(name, groups(key, widths)) for name, key, widths in scope.groups]
    results = [result for result in made if writer.random.random() < 0.5] or [("%a", "i64")]
    types = ", ".join(type for _, type in results)
    return "\n".join(
        [
            f'func.func @main(%L: {bag(1)} {{diablo.name = "L"}},',
            f'    %P: {bag(2)} {{diablo.name = "P"}}, %a: i64 {{diablo.name = "a"}},',
            f'    %n: index {{diablo.name = "n"}}) -> ({types}) {{',
            "%zero = arith.constant 0 : i64",
            "%first = arith.constant 0 : index",
            "%third = arith.constant 2 : index",
            *writer.lines,
            f"func.return {', '.join(name for name, _ in results)} : {types}",
            "}",
        ]
    )
