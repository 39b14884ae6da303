"""Random modules over regions, and arrays within them, mean the same after every pass."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from known_results import KnownResults
from test_random_modules import comparable, same
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from diablo.passes.interpreter.interpreter import interpret
from diablo.registry import available_passes, new_context

PASSES = (
    "merge-generators",
    "eliminate-ranges",
    "narrow-ranges",
    "prune-regions",
    "infer-sparsity",
    "split-sparse-terms",
    "prune-regions",
    "slice-generators",
    "drop-copies",
    "canonicalize",
    "cse",
    "dce",
)

REGION = "tensor<?x?xi1, #tensor_block.tiles<dense = 0>>"
SPARSE = "tensor<?x?xf64, #tensor_block.tiles<dense = 0>>"
DENSE = "tensor<?x?xf64, #tensor_block.tiles<dense = 2>>"

N = 4
_SOME = np.random.default_rng(7)
INPUTS: dict[str, Any] = {
    "R": np.array([[1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0], [1, 1, 0, 1]], dtype=bool),
    "Q": np.eye(N, dtype=bool),
    "V": np.array([[0, 2.0, 0, 0], [0, 0, 0, -1], [0, 0, 0, 0], [0.5, 0, 0, 0]]),
    "U": _SOME.normal(size=(N, N)).round(2),
}


class Writer:
    """Writes statements over regions."""

    def __init__(self, seed: int):
        self.random = Random(seed)
        self.lines: list[str] = []
        self.count = 0
        self.arrays = [("%R", REGION), ("%Q", REGION), ("%V", SPARSE), ("%U", DENSE)]
        self.results: list[tuple[str, str]] = []

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def let(self, text: str) -> str:
        name = self.name()
        self.lines.append(f"{name} = {text}")
        return name

    def number(self, value: str, type: str) -> str:
        """An element as a number; one of a region chooses."""
        if type != REGION:
            return value
        a, b = (self.let(f"arith.constant {x}.0 : f64") for x in self.random.sample((0, 1, 2), 2))
        return self.let(f"arith.select {value}, {a}, {b} : f64")

    def read(self, indices: tuple[str, str] | None) -> tuple[tuple[str, str], str]:
        """A generator, perhaps at known indices, and its element as a number."""
        array, type = self.random.choice(self.arrays)
        full = self.random.choice(("", " full"))
        i, j, x = self.name(), self.name(), self.name()
        self.lines.append(f"{i}, {j}, {x} = comprehension.each {array}{full} : {type}")
        if indices is not None:
            known = indices if self.random.random() < 0.8 else indices[::-1]
            for index, other in zip((i, j), known, strict=True):
                test = self.let(f"arith.cmpi eq, {index}, {other} : index")
                self.lines.append(f"comprehension.guard {test}")
        if type == REGION and self.random.random() < 0.3:
            self.lines.append(f"comprehension.guard {x}")
        return (i, j), self.number(x, type)

    def rows(self) -> tuple[tuple[str, str], str]:
        """Generators and guards; returns the keys and a value."""
        if self.random.random() < 0.3:
            zero = self.let("arith.constant 0 : index")
            i, j = (self.let(f"comprehension.range {zero} to %last") for _ in range(2))
            keys, value = (i, j), self.let("arith.constant 1.5 : f64")
        else:
            keys, value = self.read(None)
        for _ in range(self.random.choice((0, 1, 1, 2))):
            other = self.read(keys)[1]
            op = self.random.choice(("addf", "subf", "mulf", "mulf", "maximumf"))
            value = self.let(f"arith.{op} {value}, {other} : f64")
        if self.random.random() < 0.3:
            predicate = self.random.choice(("eq", "sle", "ne"))
            test = self.let(f"arith.cmpi {predicate}, {keys[0]}, {keys[1]} : index")
            self.lines.append(f"comprehension.guard {test}")
        return keys, value

    def union(self) -> tuple[tuple[str, str], str]:
        """Return where one of two regions, or of other arrays, stores an element."""
        keys: tuple[str, str] | None = None
        sides: list[str] = []
        for _ in range(2):
            array, type = self.random.choice([a for a in self.arrays if a[1] != DENSE])
            full = self.random.choice((" full", " full", " full", ""))
            i, j, x = self.name(), self.name(), self.name()
            self.lines.append(f"{i}, {j}, {x} = comprehension.each {array}{full} : {type}")
            for index, other in zip((i, j), keys or (i, j), strict=True):
                test = self.let(f"arith.cmpi eq, {index}, {other} : index")
                self.lines.append(f"comprehension.guard {test}")
            if type != REGION:
                zero = self.let("arith.constant 0.0 : f64")
                x = self.let(f"arith.cmpf une, {x}, {zero} : f64")
            sides.append(x)
            keys = keys or (i, j)
        assert keys is not None
        return keys, self.let(
            f"arith.{self.random.choice(('ori', 'ori', 'andi'))} {', '.join(sides)} : i1"
        )

    def statement(self) -> None:
        result = self.name()
        kind = self.random.choice(("build", "build", "merge", "merge", "region", "aggregate"))
        type = self.random.choice((SPARSE, SPARSE, DENSE))
        if kind == "aggregate":
            monoid = self.random.choice(("add", "max"))
            self.lines.append(f"{result} = comprehension.aggregate {monoid} : f64 {{")
            self.lines.append(f"comprehension.yield {self.rows()[1]}\n}}")
            self.results.append((result, "f64"))
            return
        if kind == "merge":
            dest, type = self.random.choice([a for a in self.arrays if a[1] != REGION])
            monoid = self.random.choice(("", "add ", "add "))
            self.lines.append(f"{result} = comprehension.merge {monoid}{dest} : {type} {{")
        else:
            type = REGION if kind == "region" else type
            self.lines.append(f"{result} = comprehension.build (%n, %n) : {type} {{")
        if kind == "region" and self.random.random() < 0.6:
            keys, value = self.union()
        else:
            keys, value = self.rows()
            if kind == "region":
                value = self.let("arith.constant true")
        self.lines.append(f"comprehension.yield ({keys[0]}, {keys[1]}) {value}\n}}")
        self.arrays.append((result, type))
        self.results.append((result, type))

    def text(self) -> str:
        for _ in range(self.random.randint(2, 5)):
            self.statement()
        names = ", ".join(name for name, _ in self.results)
        types = ", ".join(type for _, type in self.results)
        arrays = self.arrays[:4]
        known = f" {{diablo.shape = array<i64: {N}, {N}>}}" if self.random.random() < 0.7 else ""
        arguments = ", ".join(f"{name}: {type}{known}" for name, type in arrays)
        body = "\n".join(self.lines)
        return f"""
func.func @main({arguments}) -> ({types}) {{
  %n = arith.constant {N} : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  {body}
  func.return {names} : {types}
}}"""


def results(module: ModuleOp) -> list[Any]:
    return [comparable(value) for value in interpret(module, INPUTS)]


def check(context: Context, seed: int) -> None:
    module = Parser(context, Writer(seed).text()).parse_module()
    known, passes = KnownResults(results), available_passes()
    expected = known(module)
    for position, name in enumerate(PASSES):
        passes[name]()().apply(context, module)
        trail = f"module {seed} after {','.join(PASSES[: position + 1])}"
        for found, wanted in zip(known(module, trail), expected, strict=True):
            assert same(found, wanted), f"{trail}: {found} instead of {wanted}\n{module}"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("first", range(0, 54, 6))
def test_random_regions_mean_the_same_after_every_pass(first: int) -> None:
    context = new_context()
    for seed in range(first, first + 6):
        check(context, seed)
