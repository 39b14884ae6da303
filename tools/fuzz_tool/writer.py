"""Random well-typed programs, with values for their inputs.

A program declares inputs, builds arrays, lists and maps by comprehensions, declares regions and
arrays over them, changes all that in loops, branches and `while`, and returns it. It means one
thing only: an element is assigned once per statement, and numbers are multiples of 1/4, so that
sums are exact.

    write_program(7)    ->   RandomProgram(text, inputs)
"""

from __future__ import annotations

from random import Random

import numpy as np
import scipy.sparse as sparse

from diablo.tools.fuzz_tool.model import (
    FEATURES,
    MONOIDS,
    SOURCE_TYPES,
    ArrayVariable,
    Columns,
    Element,
    Function,
    ListVariable,
    RandomProgram,
    Scope,
)
from diablo.tools.fuzz_tool.region_twins import RegionTwinWriter

_PERCENT = {"regions": 40}
"""How many of 100 programs have a part of the language that is tested more than others."""

WORDS = ("a", "b", "ab", "B", "a b", "", "ba ab")


class Writer(RegionTwinWriter):
    """Writes one program."""

    def program(self) -> RandomProgram:
        """The program."""
        self.declare_inputs()
        self.declare_monoids()
        for _ in range(self.count(1, 2)):
            self.simple_array()
        if self.chance(40):
            self.scalar_variable()
        if self.uses("functions"):
            self.function()
        if self.uses("records", 60) or self.uses("tuples", 60):
            self.structured_variable()
        if self.uses("maps"):
            self.map_variable()
        if self.uses("arrays of arrays"):
            self.table()
        if self.uses("arrays of lists"):
            self.list_array()
        if self.uses("regions"):
            self.declare_regions()
            if self.chance(50):
                self.region_twins()
        for _ in range(self.pick((1, 1, 2, 2, 3))):
            self.region_statement() if self.regions and self.chance(60) else self.statement()
        results = [
            *self.twins,
            *(a.name for a in self.arrays if a.name not in self.inputs),
            *(a.name for a in self.over),
            *(r.text for r in self.regions),
            *(v.name for v in self.lists if v.name not in self.inputs),
            *(m.name for m in self.maps),
            *self.tables,
            *(a.name for a in self.list_arrays),
            *(name for name, _ in self.scalars),
            *(name for name, _ in self.pairs),
        ]
        self.lines.append(f"{self.tuple_of(results)};")
        text = "\n".join(self.lines) + "\n"
        return RandomProgram(text, self.inputs, tuple(sorted(self.features)))

    # ---- declarations ----------------------------------------------------------------------

    def declare_inputs(self) -> None:
        """Sizes, arrays and lists that the caller gives."""
        sizes = {"n": self.count(1, 5), "m": self.count(1, 4)}
        if self.chance(30):
            sizes["m"] = sizes["n"]
        for name, size in sizes.items():
            self.lines.append(f"input {name}: Int;")
            self.inputs[name] = size
        numbers = np.random.default_rng(self.count(0, 1000))
        for _ in range(self.count(0, 2)):
            self.input_array(sizes, numbers)
        for _ in range(self.count(0, 2)):
            self.input_list(numbers)
        self.globals.values["Int"] += ["n", "m"]

    def input_array(self, sizes: dict[str, int], numbers: np.random.Generator) -> None:
        """An array that the caller gives."""
        dims = tuple(self.pick(("n", "n", "m")) for _ in range(self.pick((1, 2, 2, 3))))
        shape = tuple(sizes[dim] for dim in dims)
        element, name = self.number(), self.fresh("A")
        kind = {1: "vector", 2: "matrix"}.get(len(dims), f"array{len(dims)}")
        self.lines.append(f"input {name}: {kind}[{element}];")
        data = numbers.integers(-4, 5, shape)
        values = data if element == "Int" else data * 0.25
        if len(dims) == 2 and self.chance(40):
            values = sparse.csr_array(values * (numbers.random(shape) < 0.5))
        self.inputs[name] = values
        self.arrays.append(ArrayVariable(name, dims, element))

    def input_list(self, numbers: np.random.Generator) -> None:
        """A list that the caller gives."""
        kinds: tuple[Columns, ...] = (
            ("Int", "Double"),
            ("Int", "Int"),
            ("Int", "Int", "Double"),
            ("Int",),
        )
        if "strings" in self.features:
            kinds = (*kinds[:2], ("String", "Int"), ("String",), ("Int", "String", "Double"))
        columns, name = self.pick(kinds), self.fresh("L")
        self.lines.append(f"input {name}: list[{self.tuple_of(list(columns))}];")

        def cell(column: Element) -> int | float | str:
            if column == "String":
                return WORDS[int(numbers.integers(len(WORDS)))]
            if column == "Int":
                return int(numbers.integers(-1, 5))
            return float(numbers.integers(-4, 5)) * 0.25

        rows = [tuple(cell(column) for column in columns) for _ in range(self.count(0, 7))]
        self.inputs[name] = rows if len(columns) > 1 else [row[0] for row in rows]
        self.lists.append(ListVariable(name, columns))

    def declare_monoids(self) -> None:
        """One or two monoids of the program's own."""
        if not self.uses("monoids"):
            return
        usable = [m for m in MONOIDS if m.type in ("Pair", "Int", "Double")]
        usable += [m for m in MONOIDS if m.type == "String" and "strings" in self.features]
        usable += [m for m in MONOIDS if m.type == "Boolean" and "booleans" in self.features]
        self.monoids = self.shuffled(usable)[: self.count(1, 2)]
        for monoid in self.monoids:
            type = SOURCE_TYPES[monoid.type]
            self.lines.append(f"monoid {monoid.name}({type}) = {monoid.definition};")

    def scalar_variable(self) -> None:
        """A scalar with a constant in it."""
        name, element = self.fresh("s"), self.element()
        first = {"Int": "1", "Double": "0.5", "Boolean": "true", "String": '"a"'}[element]
        self.declare(name, first)
        self.scalars.append((name, element))
        self.globals.values[element].append(name)

    def structured_variable(self) -> None:
        """A tuple or a record of numbers."""
        name = self.fresh("p")
        parts = self.scalar(Scope(), "Int", 1), self.scalar(Scope(), "Double", 1)
        if "records" in self.features and ("tuples" not in self.features or self.chance(50)):
            self.declare(name, f"<a = ({parts[0]}), b = ({parts[1]})>")
            fields = (f"{name}.a", f"{name}.b")
        else:
            self.declare(name, f"({parts[0]}, {parts[1]})")
            fields = (f"{name}._1", self.pick((f"{name}._2", f"{name}#2")))
        self.globals.values["Int"].append(fields[0])
        self.globals.values["Double"].append(fields[1])
        # Its parts are assigned to like variables.
        self.scalars.append((fields[0], "Int"))
        self.scalars.append((fields[1], "Double"))

    def function(self) -> None:
        """A function of scalars."""
        if self.chance(30):
            name = self.fresh("twice")
            self.lines.append(
                f"def {name}(f: Double -> Double, x: Double): Double = f(f(x)) - f(0.5);"
            )
            self.functions.append(Function(name, ("Double",), "Double"))
            return
        name, result = self.fresh("f"), self.element()
        columns: Columns = tuple(self.element() for _ in range(self.count(1, 2)))
        scope, names = Scope(), [self.fresh("p") for _ in columns]
        for parameter, column in zip(names, columns, strict=True):
            scope.values[column].append(parameter)
        given = ", ".join(f"{p}: {c}" for p, c in zip(names, columns, strict=True))
        body = self.scalar(scope, result)
        self.lines.append(f"def {name}({given}): {result} = {body};")
        self.functions.append(Function(name, columns, result))

    # ---- statements ------------------------------------------------------------------------

    def statement(self) -> None:
        """One statement at the top of the program."""
        kind = self.count(1, 100)
        if self.uses("slices", 25):
            self.slice()
        elif self.uses("maps", 15):
            self.map_variable()
        elif kind <= 30:
            self.array_variable()
        elif kind <= 44:
            self.list_variable()
        elif kind <= 54:
            self.total()
        elif kind <= 60:
            self.whole_arrays()
        elif kind <= 84:
            self.lines.append(self.loop())
        elif kind <= 92:
            self.repeat()
        else:
            condition = self.condition(self.globals.copy())
            otherwise = f" else {{ {self.step()} }}" if self.chance(50) else ""
            self.lines.append(f"if ({condition}) {{ {self.step()} }}{otherwise};")

    def repeat(self) -> None:
        """A loop whose steps follow each other."""
        counter, times = self.fresh("k"), self.count(1, 3)
        ordered = self.uses("ordered loops", 60)
        if not ordered:
            self.lines.append(f"var {counter} = 0;")
        self.globals.values["Int"].append(counter)
        body = " ".join(self.step() for _ in range(self.count(1, 2)))
        if ordered:
            self.globals.values["Int"].remove(counter)
            bounds = self.pick((f"1, {times}", f"{times}, 1, -1", "0, n-1", "1, m, 2"))
            self.lines.append(f"for {counter} = {bounds} do {{ {body} }};")
        else:
            self.lines.append(f"while ({counter} < {times}) {{ {counter} += 1; {body} }};")

    def step(self) -> str:
        """A statement that declares nothing."""
        kind = self.count(1, 100)
        if kind <= 70 or not self.arrays:
            return self.loop()
        if kind <= 85 and self.scalars:
            name, element = self.pick(self.scalars)
            return f"{name} = {self.scalar(self.globals.copy(), element)};"
        owned = [
            a for a in self.arrays if a.name not in self.inputs and set(a.dims) <= {"n", "m", "4"}
        ]
        if not owned:
            return self.loop()
        array = self.pick(owned)
        return f"{array.name} = {self.array_of(array.dims, array.element)};"


def write_program(seed: int) -> RandomProgram:
    """The program of a seed: the same one each time."""
    random = Random(seed)
    features: list[str] = []
    if random.randrange(100) < 75:
        features = [f for f in FEATURES if random.randrange(100) < _PERCENT.get(f, 20)]
    return Writer(random, features).program()
