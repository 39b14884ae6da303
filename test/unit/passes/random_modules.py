"""Random modules of the comprehension level, as text: nested, grouped, over all collections.

`write_module(seed)` is a function `@main` whose results do not depend on the order of rows:
arrays are written by folds, lists are compared as bags. No row divides by zero or makes an
infinity, so that a failure is one that a pass has introduced.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

MATRIX = "tensor<?x?xf64>"
VECTOR = "tensor<?xf64>"
SPARSE = "tensor<?xf64, #tensor_block.tiles<dense = 0>>"
STRING = "!comprehension.string"
LIST = f"!comprehension.bag<i64, f64, {STRING}>"
MAP = "!comprehension.bag<keys = 1, i64, f64>"
PAIR = "tuple<f64, i64>"

INPUTS: dict[str, Any] = {
    "A": np.array([[0.5, -1.0, 2.0], [0.0, 1.5, -0.5], [1.0, 1.0, 3.0]]),
    "V": np.array([2.0, -1.0, 0.25]),
    "S": np.array([0.0, 1.5, 0.0]),
    "T": np.array([0.0, 0.0, -2.0]),
    "L": [(0, 1.5, "a"), (2, -1.0, "b"), (1, 0.5, "a"), (2, 2.0, "c"), (2, -1.0, "b")],
    "M": [(0, 1.0), (2, 3.0), (5, -2.0)],
    "n": 3,
    "k": 2,
}

NOTHING: dict[str, Any] = {
    "A": np.zeros((0, 0)),
    "V": np.zeros(0),
    "S": np.zeros(2),
    "T": np.zeros(0),
    "L": [],
    "M": [],
    "n": 0,
    "k": 1,
}
"""The same without any rows, for folds of nothing."""

HEADER = f"""
comprehension.monoid @least : {PAIR} identity [100.0 : f64, 0 : i64] {{
^bb0(%x: {PAIR}, %y: {PAIR}):
  %a, %b = comprehension.unpack %x : {PAIR}
  %c, %d = comprehension.unpack %y : {PAIR}
  %p = arith.cmpf ole, %a, %c : f64
  %e = arith.select %p, %a, %c : f64
  %f = arith.addi %b, %d : i64
  %z = comprehension.pack %e, %f : {PAIR}
  comprehension.yield %z
}}
"""

Value = tuple[str, str]
"""A name and a type."""


def columns_of(type: str) -> list[str]:
    """The columns of a list or a map."""
    columns = type.removeprefix("!comprehension.bag<").removesuffix(">")
    return columns.removeprefix("keys = 1, ").split(", ")


class Writer:
    """Writes one function."""

    def __init__(self, seed: int):
        self.random = Random(seed)
        self.lines: list[str] = []
        self.count = 0
        self.indent = 1

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def line(self, text: str) -> None:
        self.lines.append("  " * self.indent + text)

    def let(self, text: str, type: str) -> Value:
        name = self.name()
        self.line(f"{name} = {text}")
        return name, type

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def pick(self, scope: list[Value], type: str) -> str:
        """A value of the scope, or a constant."""
        found = [name for name, t in scope if t == type]
        if found and self.chance(0.9):
            return self.random.choice(found)
        if type == STRING:
            return self.let(f'comprehension.string "{self.random.choice("ab")}"', type)[0]
        number = self.random.choice((0, 1, 2))
        text = f"{number}.0" if type == "f64" else str(number)
        return self.let(f"arith.constant {text} : {type}", type)[0]

    def index(self, scope: list[Value]) -> str:
        """An index, perhaps with an offset or a factor."""
        value = self.pick(scope, "index")
        if self.chance(0.3):
            other = self.pick([], "index")
            op = self.random.choice(("arith.addi", "arith.subi", "arith.muli"))
            return self.let(f"{op} {value}, {other} : index", "index")[0]
        return value

    def number(self, scope: list[Value]) -> str:
        value = self.pick(scope, "f64")
        for _ in range(self.random.choice((0, 0, 1, 2))):
            kind = self.random.random()
            if kind < 0.2:
                value = self.let(f"math.absf {value} : f64", "f64")[0]
            elif kind < 0.3:
                at = self.index(scope)
                seed = self.pick([], "i64")
                drawn = f"comprehension.random 0 seed({seed}) at({at})"
                other = self.let(drawn, "f64")[0]
                value = self.let(f"arith.addf {value}, {other} : f64", "f64")[0]
            elif kind < 0.4:
                test = self.test(scope)
                other = self.pick(scope, "f64")
                value = self.let(f"arith.select {test}, {value}, {other} : f64", "f64")[0]
            else:
                op = self.random.choice(("addf", "subf", "mulf", "maximumf", "minimumf"))
                other = self.pick(scope, "f64")
                value = self.let(f"arith.{op} {value}, {other} : f64", "f64")[0]
        return value

    def test(self, scope: list[Value]) -> str:
        kind = self.random.random()
        if kind < 0.5:
            predicate = self.random.choice(("eq", "eq", "ne", "slt"))
            left, right = self.index(scope), self.index(scope)
            return self.let(f"arith.cmpi {predicate}, {left}, {right} : index", "i1")[0]
        if kind < 0.7:
            predicate = self.random.choice(("eq", "sle"))
            left, right = self.pick(scope, "i64"), self.pick(scope, "i64")
            return self.let(f"arith.cmpi {predicate}, {left}, {right} : i64", "i1")[0]
        if kind < 0.8:
            a, b = self.pick(scope, STRING), self.pick(scope, STRING)
            types = f"({STRING}, {STRING}) -> i1"
            return self.let(f'comprehension.string_call "eq"({a}, {b}) : {types}', "i1")[0]
        predicate = self.random.choice(("ogt", "one"))
        left, right = self.number(scope), self.pick(scope, "f64")
        return self.let(f"arith.cmpf {predicate}, {left}, {right} : f64", "i1")[0]

    # Qualifiers

    def each(self, scope: list[Value], collection: str, type: str, types: list[str]) -> None:
        full = " full" if type.startswith("tensor") and self.chance(0.5) else ""
        bound = [(self.name(), column) for column in types]
        names = ", ".join(name for name, _ in bound)
        self.line(f"{names} = comprehension.each {collection}{full} : {type}")
        scope += bound

    def generator(self, scope: list[Value]) -> None:
        lists = [(name, t) for name, t in scope if t.startswith("!comprehension.bag<")]
        if lists and self.chance(0.3):
            name, type = self.random.choice(lists)
            self.each(scope, name, type, columns_of(type))
            return
        match self.random.randrange(7):
            case 0:
                self.each(scope, "%A", MATRIX, ["index", "index", "f64"])
            case 1:
                self.each(scope, "%V", VECTOR, ["index", "f64"])
            case 2:
                name = self.random.choice(("%S", "%T"))
                self.each(scope, name, SPARSE, ["index", "f64"])
            case 3:
                self.each(scope, "%L", LIST, ["i64", "f64", STRING])
            case 4:
                self.each(scope, "%M", MAP, ["i64", "f64"])
            case _:
                low = self.let("arith.constant 0 : index", "index")[0]
                high = self.random.choice(("%last", "%k"))
                step = self.random.choice(("", "", " step 2"))
                scope.append(self.let(f"comprehension.range {low} to {high}{step}", "index"))

    def read(self, scope: list[Value]) -> None:
        """A generator at indices that are known, as a read of an element becomes."""
        arrays = [("%A", MATRIX, 2), ("%V", VECTOR, 1), ("%S", SPARSE, 1)]
        name, type, rank = self.random.choice(arrays)
        known = [self.index(scope) for _ in range(rank)]
        bound = len(scope)
        self.each(scope, name, type, ["index"] * rank + ["f64"])
        for (index, _), other in zip(scope[bound:], known, strict=False):
            test = self.let(f"arith.cmpi eq, {index}, {other} : index", "i1")[0]
            self.line(f"comprehension.guard {test}")

    def guard(self, scope: list[Value]) -> None:
        self.line(f"comprehension.guard {self.test(scope)}")

    def division(self, scope: list[Value]) -> None:
        """A division that a guard protects."""
        left, right = self.pick(scope, "i64"), self.pick(scope, "i64")
        zero = self.let("arith.constant 0 : i64", "i64")[0]
        test = self.let(f"arith.cmpi ne, {right}, {zero} : i64", "i1")[0]
        self.line(f"comprehension.guard {test}")
        scope.append(self.let(f"arith.divsi {left}, {right} : i64", "i64"))

    def lets(self, scope: list[Value]) -> None:
        name = self.number(scope)
        scope.append((name, "f64"))
        if self.chance(0.3):
            value = self.pick(scope, "index")
            scope.append(self.let(f"arith.index_cast {value} : index to i64", "i64"))
        if self.chance(0.3):
            value = self.pick(scope, "i64")
            scope.append(self.let(f"arith.index_cast {value} : i64 to index", "index"))

    def bounded(self, value: str) -> str:
        """A number that is no infinity."""
        low = self.let("arith.constant -100.0 : f64", "f64")[0]
        high = self.let("arith.constant 100.0 : f64", "f64")[0]
        value = self.let(f"arith.maximumf {value}, {low} : f64", "f64")[0]
        return self.let(f"arith.minimumf {value}, {high} : f64", "f64")[0]

    def qualifiers(self, scope: list[Value], depth: int) -> None:
        generators = 0
        for _ in range(self.random.randint(2, 6)):
            kind = self.random.random()
            if kind < 0.4 and generators < 3 - depth:
                self.generator(scope)
                generators += 1
            elif kind < 0.5 and generators < 3:
                self.read(scope)
                generators += 1
            elif kind < 0.65:
                self.guard(scope)
            elif kind < 0.72:
                self.division(scope)
            elif kind < 0.85 and depth < 2:
                self.root(scope, depth + 1)
            else:
                self.lets(scope)

    def group(self, outer: list[Value], scope: list[Value]) -> list[Value]:
        """Group the rows; returns what is in scope then, the keys first."""
        keys = [(self.pick(scope, t), t) for t in self.random.sample(["index", "i64", STRING], 2)]
        keys = keys[: self.random.choice((1, 1, 2))]
        rows: list[list[Value]] = [[(self.number(scope), "f64")]]
        if self.chance(0.5):
            rows.append([(self.pick(scope, "f64"), "f64"), (self.pick(scope, "i64"), "i64")])
        group_keys = [(self.name(), t) for _, t in keys]
        bags = [(self.name(), f"!comprehension.bag<{', '.join(t for _, t in r)}>") for r in rows]
        results = ", ".join(name for name, _ in (*group_keys, *bags))
        values = ", ".join(name for row in rows for name, _ in row)
        types = ", ".join(t for _, t in (*group_keys, *bags))
        by = ", ".join(name for name, _ in keys)
        self.line(f"{results} = comprehension.group_by keys({by}) values({values}) : {types}")
        after = [*outer, *group_keys, *bags]
        for name, type in bags:
            if type == "!comprehension.bag<f64>" and self.chance(0.8):
                monoid = self.random.choice(("add", "max", "min"))
                after.append(self.let(f"comprehension.reduce {monoid} {name} : {type}", "f64"))
            if self.chance(0.4):
                after.append(self.let(f"comprehension.length {name} : {type}", "i64"))
        return after

    # Roots

    def body(self, scope: list[Value], depth: int) -> list[Value]:
        """The qualifiers of a body; returns what is in scope at its head."""
        inner = list(scope)
        self.qualifiers(inner, depth)
        if self.chance(0.4):
            inner = self.group(scope, inner)
            if self.chance(0.5):
                self.qualifiers(inner, 2)
        return inner

    def root(self, scope: list[Value], depth: int) -> None:
        """A comprehension, whose result is added to the scope."""
        kinds = ["aggregate", "aggregate", "count", "pair", "list"]
        if depth == 0:
            kinds += ["vector", "vector", "map", "whole", "whole", "groups"]
        result = self.name()
        match self.random.choice(kinds):
            case "aggregate":
                monoid = self.random.choice(("add", "max", "min"))
                self.open(f"{result} = comprehension.aggregate {monoid} : f64 {{")
                self.close(self.number(self.body(scope, depth)))
                scope.append((self.bounded(result), "f64"))
            case "count":
                self.open(f"{result} = comprehension.aggregate add : i64 {{")
                self.close(self.pick(self.body(scope, depth), "i64"))
                scope.append((result, "i64"))
            case "pair":
                self.open(f"{result} = comprehension.aggregate @least : {PAIR} {{")
                inner = self.body(scope, depth)
                a, b = self.pick(inner, "f64"), self.pick(inner, "i64")
                self.close(self.let(f"comprehension.pack {a}, {b} : {PAIR}", PAIR)[0])
                a, b = self.name(), self.name()
                self.line(f"{a}, {b} = comprehension.unpack {result} : {PAIR}")
                scope += [(a, "f64"), (b, "i64")]
            case "list":
                type = self.random.choice(
                    ("!comprehension.bag<f64>", "!comprehension.bag<i64, f64>")
                )
                self.open(f"{result} = comprehension.collect : {type} {{")
                inner = self.body(scope, depth)
                self.close(", ".join([self.pick(inner, column) for column in columns_of(type)]))
                scope.append((result, type))
                if self.chance(0.3):
                    scope.append(self.let(f"comprehension.length {result} : {type}", "i64"))
            case "whole":
                self.whole(result, scope)
            case "groups":
                self.groups(result, scope, depth)
            case "map":
                self.open(f"{result} = comprehension.merge add %M : {MAP} {{")
                inner = self.body(scope, depth)
                self.close(f"({self.pick(inner, 'i64')}) {self.pick(inner, 'f64')}")
                scope.append((result, MAP))
            case _:
                type = self.random.choice((VECTOR, SPARSE))
                dest = "%V" if type == VECTOR else "%S"
                monoid = self.random.choice(("add", "max"))
                self.open(f"{result} = comprehension.merge {monoid} {dest} : {type} {{")
                inner = self.body(scope, depth)
                self.close(f"({self.index(inner)}) {self.number(inner)}")
                scope.append((result, type))

    def whole(self, result: str, scope: list[Value]) -> None:
        """An array with a row for each index, and something that reads it."""
        self.open(f"{result} = comprehension.build (%n, %n) : {MATRIX} {{")
        inner = list(scope)
        low = self.let("arith.constant 0 : index", "index")[0]
        keys = [self.let(f"comprehension.range {low} to %last", "index") for _ in range(2)]
        self.random.shuffle(keys)
        inner += keys
        self.close(f"({keys[0][0]}, {keys[1][0]}) {self.number(inner)}")
        reader = self.name()
        self.open(f"{reader} = comprehension.aggregate max : f64 {{")
        inner = list(scope)
        self.each(inner, result, MATRIX, ["index", "index", "f64"])
        if self.chance(0.5):
            self.guard(inner)
        self.close(self.number(inner))
        scope.append((self.bounded(reader), "f64"))

    def groups(self, result: str, scope: list[Value], depth: int) -> None:
        """An array of the folds of groups."""
        type = self.random.choice((VECTOR, SPARSE))
        self.open(f"{result} = comprehension.build (%n) : {type} {{")
        inner = list(scope)
        self.qualifiers(inner, depth)
        value, key = self.number(inner), self.index(inner)
        if self.chance(0.5):
            value = self.let(f"math.absf {value} : f64", "f64")[0]
        bag = "!comprehension.bag<f64>"
        k, vs = self.name(), self.name()
        self.line(f"{k}, {vs} = comprehension.group_by keys({key}) values({value}) : index, {bag}")
        monoid = self.random.choice(("add", "max", "min"))
        fold = self.let(f"comprehension.reduce {monoid} {vs} : {bag}", "f64")[0]
        self.close(f"({k}) {fold}")
        scope.append((result, type))

    def open(self, text: str) -> None:
        self.line(text)
        self.indent += 1

    def close(self, head: str) -> None:
        self.line(f"comprehension.yield {head}")
        self.indent -= 1
        self.line("}")


def write_module(seed: int) -> str:
    """The module of a number."""
    writer = Writer(seed)
    scope: list[Value] = []
    for _ in range(writer.random.randint(1, 3)):
        again, state = list(scope), writer.random.getstate()
        writer.root(scope, 0)
        if writer.chance(0.3):
            # The same once more, for what shares and fuses.
            writer.random.setstate(state)
            size = len(again)
            writer.root(again, 0)
            scope += again[size:]
    results = [value for value in scope if value[1] != "index"]
    names, types = (", ".join(part[i] for part in results) for i in (0, 1))
    arguments = (
        f"%A: {MATRIX}, %V: {VECTOR}, %S: {SPARSE}, %T: {SPARSE}, %L: {LIST}, %M: {MAP}, "
        "%n: index, %k: index"
    )
    return "\n".join(
        [
            HEADER,
            f"func.func @main({arguments}) -> ({types}) {{",
            "  %one = arith.constant 1 : index",
            "  %last = arith.subi %n, %one : index",
            *writer.lines,
            f"  func.return {names} : {types}",
            "}",
        ]
    )
