"""Random functions of loops over points of dense arrays, as text: maps, folds, and what scatters.

Most loops are over the same points, and read there what earlier ones make; some read beside them,
across, or what an earlier fold gives, or are over other points, and so must stay apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

MONOIDS = ("add", "max", "min")
EXTENTS = {"%n": 3, "%m": 4}


@dataclass(frozen=True)
class Array:
    """An array with the names of its extents."""

    name: str
    extents: tuple[str, ...]


@dataclass
class RandomPoints:
    """Writes one function of `size` loops; its results are arrays, then numbers."""

    seed: int
    size: int
    lines: list[str] = field(default_factory=list[str])
    arrays: list[Array] = field(default_factory=list[Array])
    numbers: list[str] = field(default_factory=list[str])
    made: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.most = self.random.choice((("%n",), ("%n", "%m")))
        self.arrays += [Array("%x", ("%n",)), Array("%A", ("%n", "%m"))]
        self.numbers += ["%a"]
        self.given = len(self.arrays), len(self.numbers)

    def text(self) -> str:
        """The module."""
        for number in range(self.size):
            self.loop(number)
        arrays, numbers = self.arrays[self.given[0] :], self.numbers[self.given[1] :]
        kept = [a for a in arrays if self.random.random() < 0.6] or arrays[-1:]
        results = [f"tensor<{'?x' * len(a.extents)}i64>" for a in kept] + ["i64"] * len(numbers)
        returned = ", ".join([*(a.name for a in kept), *numbers])
        return "\n".join(
            [
                "func.func private @main(%n: index, %m: index, %a: i64, %x: tensor<?xi64>,",
                f"    %A: tensor<?x?xi64>) -> ({', '.join(results)}) {{",
                *[f"  {line}" for line in self.lines],
                f"  func.return {returned} : {', '.join(results)}",
                "}",
            ]
        )

    def loop(self, number: int) -> None:
        """Write one loop, whose results later ones may read."""
        draw = self.random
        extents = self.most if draw.random() < 0.85 else draw.choice((("%n",), ("%m",)))
        dimensions = [f"d{d}" for d in range(len(extents))]
        indices = ["%i", "%j"][: len(extents)]
        reads: list[tuple[str, str]] = []
        for array in draw.choices(self.arrays, k=draw.randint(1, 3)):
            if any(extent not in extents for extent in array.extents):
                continue
            at = [dimensions[extents.index(extent)] for extent in array.extents]
            if draw.random() < 0.1:
                at[-1] += " - 1"
            reads.append((f"{array.name}[{', '.join(at)}]", f"tensor<{'?x' * len(at)}i64>"))
        body, pool = list[str](), [*self.numbers]
        for k in range(len(reads)):
            pool.append(f"%e{k}")
        for d, index in enumerate(indices):
            if draw.random() < 0.3:
                body.append(f"%k{d} = arith.index_cast {index} : index to i64")
                pool.append(f"%k{d}")
        for k in range(draw.randint(0, 3)):
            op = draw.choice(("addi", "subi", "minsi", "maxsi"))
            body.append(f"%v{k} = arith.{op} {draw.choice(pool)}, {draw.choice(pool)} : i64")
            pool.append(f"%v{k}")
        value, kind = draw.choice(pool), draw.choice(("map", "map", "fold", "scatter", "rows"))
        space = ", ".join(f"{d} < {e}" for d, e in zip(dimensions, extents, strict=True))
        result, name, into = f"%r{number}", "%g", ""
        if kind == "map":
            generator, made = f"place<i64, {len(extents)}>", extents
            emit = f"[{', '.join(indices)} : {', '.join(['index'] * len(indices))}]"
        elif kind == "fold":
            generator, made, emit = f"reduce<{draw.choice(MONOIDS)} : i64>", (), ""
        elif kind == "rows" and len(extents) > 1:
            generator, made = f"table<{draw.choice(MONOIDS)} : i64>", extents[:1]
            into, emit = f" into({extents[0]})", "[%i : index]"
        else:
            generator, made, into = f"table<{draw.choice(MONOIDS)} : i64>", ("%n",), " into(%n)"
            body.append(f"%place = arith.index_cast {draw.choice(pool)} : i64 to index")
            emit = "[%place : index]"
        type = f"tensor<{'?x' * len(made)}i64>" if made else "i64"
        inputs = ", ".join(f"{read} : {type}" for read, type in reads)
        arguments = [f"{index}: index" for index in indices]
        arguments += [f"%e{k}: i64" for k in range(len(reads))] + [
            f"{name}: !multiloop.{generator}"
        ]
        self.lines += [
            f"{result} = multiloop.loop points({space}){into}"
            + (f" ins({inputs})" if inputs else "")
            + f" -> {type} {{",
            f"^bb0({', '.join(arguments)}):",
            *[f"  {line}" for line in body],
            f"  multiloop.emit {name}{emit}({value} : i64)",
            "}",
        ]
        if made:
            self.arrays.append(Array(result, tuple(made)))
        else:
            self.numbers.append(result)


def arguments(seed: int) -> list[Any]:
    """What such a function is called with."""
    draw = np.random.default_rng(seed)
    n, m = EXTENTS["%n"], EXTENTS["%m"]
    return [n, m, int(draw.integers(-3, 4)), draw.integers(-4, 5, n), draw.integers(-4, 5, (n, m))]
