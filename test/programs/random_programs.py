"""Random well-typed programs: hypothesis strategies for whole `.diablo` texts and their inputs.

A program declares inputs, builds arrays and lists by comprehensions, changes them in loops,
branches and `while`, and returns some of them. It means one thing only: an element is
assigned once per statement, and numbers are multiples of 1/4, so that sums are exact.

    programs()           # a strategy of `RandomProgram(text, inputs)`
    Writer(Random(7))    # the same from any source of random numbers
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, TypeVar

import numpy as np
import scipy.sparse as sparse
from hypothesis import strategies as st

Element = Literal["Int", "Double"]
Choice = TypeVar("Choice")

OPERATORS = ("+", "+", "-", "*")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


@dataclass
class RandomProgram:
    """The text of a program and a value for each of its inputs."""

    text: str
    inputs: dict[str, Any]

    def __repr__(self) -> str:
        given = "".join(f"// {name} = {_show(value)}\n" for name, value in self.inputs.items())
        return f"\n{given}{self.text}"


@dataclass(frozen=True)
class ArrayVariable:
    """A variable that holds an array."""

    name: str
    dims: tuple[str, ...]
    element: Element

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.dims)


@dataclass(frozen=True)
class ListVariable:
    """A variable that holds a list of tuples."""

    name: str
    columns: tuple[Element, ...]


@dataclass
class Scope:
    """The scalar expressions that may be used at a place, by type."""

    ints: list[str] = field(default_factory=list[str])
    doubles: list[str] = field(default_factory=list[str])
    indices: list[str] = field(default_factory=list[str])
    free: list[str] = field(default_factory=list[str])
    """The indices that together tell the iterations apart."""
    from_list: bool = False
    """Whether equal iterations may occur."""
    reads: bool = True
    """Whether elements of arrays may be read."""

    def of(self, element: Element) -> list[str]:
        """The expressions of a type."""
        return self.ints if element == "Int" else self.doubles


class Writer:
    """Writes one program."""

    def __init__(self, random: Random):
        self.random = random
        self.lines: list[str] = []
        self.inputs: dict[str, Any] = {}
        self.arrays: list[ArrayVariable] = []
        self.lists: list[ListVariable] = []
        self.globals = Scope()
        self.scalars: list[tuple[str, Element]] = []
        self.names = 0

    # ---- choices -------------------------------------------------------------------

    def pick(self, items: Sequence[Choice]) -> Choice:
        return items[self.random.randint(0, len(items) - 1)]

    def chance(self, percent: int) -> bool:
        return self.random.randint(1, 100) <= percent

    def count(self, lower: int, upper: int) -> int:
        return self.random.randint(lower, upper)

    def fresh(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    def shuffled(self, items: Sequence[Choice]) -> list[Choice]:
        rest, result = list(items), list[Choice]()
        while rest:
            result.append(rest.pop(self.random.randint(0, len(rest) - 1)))
        return result

    def element(self) -> Element:
        return "Double" if self.chance(65) else "Int"

    # ---- scalar expressions ----------------------------------------------------------

    def affine(self, scope: Scope) -> str:
        """An index expression in at most two variables."""
        if not scope.indices or self.chance(6):
            return self.pick(("0", "1", "n-1"))
        i, j = self.pick(scope.indices), self.pick(scope.indices)
        if self.chance(50):
            return i
        return self.pick(
            (f"{i}+1", f"{i}-1", f"n-1-{i}", f"2*{i}", f"{i}/2", f"{i}+{j}", f"({i}+1)%n", f"m-{i}")
        )

    def injective(self, index: str) -> str:
        """An expression that differs wherever `index` does."""
        if self.chance(65):
            return index
        return self.pick((f"n-1-{index}", f"{index}+1", f"2*{index}", f"{index}-1", f"m-1-{index}"))

    def read(self, scope: Scope, element: Element) -> str | None:
        """The element of an array."""
        arrays = [a for a in self.arrays if a.element == element]
        if not scope.reads or not arrays or not scope.indices:
            return None
        array = self.pick(arrays)
        indices = [self.affine(scope) for _ in array.dims]
        if self.chance(12):
            indices = [indices[0]] * len(indices)
        return f"{array.name}[{','.join(indices)}]"

    def leaf(self, scope: Scope, element: Element) -> str:
        if self.chance(35) and (text := self.read(scope, element)) is not None:
            return text
        known = scope.of(element)
        if known and self.chance(80):
            return self.pick(known)
        if element == "Int":
            return self.pick(("0", "1", "2", "3", "-1", "n"))
        return self.pick(("0.0", "0.5", "1.0", "-1.5", "0.25"))

    def scalar(self, scope: Scope, element: Element, depth: int = 2) -> str:
        """An expression of a type; in an `Int` there is no division but those in scope."""
        if depth == 0 or self.chance(35):
            return self.leaf(scope, element)
        kind = self.count(1, 100)
        if kind <= 70:
            left = self.scalar(scope, element, depth - 1)
            return f"({left} {self.pick(OPERATORS)} {self.scalar(scope, element, depth - 1)})"
        if kind <= 76:
            silent = self.silent(scope)
            then, otherwise = self.leaf(silent, element), self.leaf(silent, element)
            return f"(if ({self.condition(silent, 1)}) {then} else {otherwise})"
        if kind <= 82:
            inner = self.scalar(scope, element, depth - 1)
            return f"{self.pick(('min', 'max'))}({inner}, {self.leaf(scope, element)})"
        if kind <= 86:
            return f"abs({self.scalar(scope, element, depth - 1)})"
        if kind <= 90:
            return f"(-{self.leaf(scope, element)})"
        if element == "Int":
            return f"({self.leaf(scope, 'Int')} {self.pick(('%', '/'))} {self.pick(('2', '3'))})"
        if kind <= 93:
            return f"({self.leaf(scope, 'Double')} / 2.0)"
        if kind <= 95:
            return f"sqrt(abs({self.leaf(scope, 'Double')}))"
        return f"({self.leaf(scope, 'Double')} + {self.leaf(scope, 'Int')})"

    @staticmethod
    def silent(scope: Scope) -> Scope:
        """The same without reads of elements, which a branch may not have."""

        def plain(texts: Sequence[str]) -> list[str]:
            return [text for text in texts if "[" not in text]

        return Scope(plain(scope.ints), plain(scope.doubles), scope.indices, reads=False)

    def condition(self, scope: Scope, depth: int = 2) -> str:
        kind = self.count(1, 100)
        if depth > 1 and kind <= 12:
            join = self.pick(("&&", "||"))
            other = self.condition(self.silent(scope), 1)
            return f"({self.condition(scope, 1)} {join} {other})"
        if depth > 0 and kind <= 16:
            return f"!({self.condition(scope, 0)})"
        if kind <= 24 and scope.ints:
            divisor, other = self.pick(scope.ints), self.pick(self.silent(scope).ints or ["7"])
            return f"({divisor} != 0 && {other} {self.pick(('/', '%'))} {divisor} < 2)"
        if kind <= 60 and scope.indices:
            return f"{self.affine(scope)} {self.pick(COMPARISONS)} {self.affine(scope)}"
        if kind <= 75:
            element: Element = "Int"
        else:
            element = "Double"
        left, right = self.scalar(scope, element, 1), self.leaf(scope, element)
        comparisons = COMPARISONS[:4] if element == "Double" else COMPARISONS
        return f"{left} {self.pick(comparisons)} {right}"

    # ---- comprehensions ----------------------------------------------------------------

    def inner_scope(self) -> Scope:
        return Scope(list(self.globals.ints), list(self.globals.doubles))

    def qualifiers(self) -> tuple[list[str], Scope, list[tuple[str, Element]]]:
        """Generators with guards and lets; what they bind."""
        scope, bound, result = self.inner_scope(), list[tuple[str, Element]](), list[str]()
        for position in range(self.pick((1, 1, 2, 2, 2, 3))):
            result += self.generator(scope, bound, joined=position > 0)
            if self.chance(25):
                result.append(self.condition(scope))
            if self.chance(20):
                name, element = self.fresh("t"), self.element()
                result.append(f"let {name} = {self.scalar(scope, element)}")
                self.bind(scope, bound, name, element)
            if self.chance(5):
                one, two = self.fresh("t"), self.fresh("t")
                value = f"({self.scalar(scope, 'Int')}, {self.scalar(scope, 'Double')})"
                result.append(f"let ({one},{two}) = {value}")
                self.bind(scope, bound, one, "Int")
                self.bind(scope, bound, two, "Double")
            if self.chance(12):
                result += self.division(scope)
        return result, scope, bound

    def division(self, scope: Scope) -> list[str]:
        """Make a division available, nearly always behind a guard."""
        divisor = self.pick(scope.ints) if scope.ints else "n"
        scope.ints.append(f"({self.leaf(scope, 'Int')} {self.pick(('/', '%'))} {divisor})")
        return [] if self.chance(8) else [f"{divisor} != 0"]

    @staticmethod
    def bind(scope: Scope, bound: list[tuple[str, Element]], name: str, element: Element) -> None:
        scope.of(element).append(name)
        bound.append((name, element))

    def generator(
        self, scope: Scope, bound: list[tuple[str, Element]], *, joined: bool
    ) -> list[str]:
        kind = self.count(1, 100)
        if kind <= 65 and self.arrays:
            return self.array_generator(scope, bound, self.pick(self.arrays), joined=joined)
        if kind <= 80 and self.lists:
            return self.list_generator(scope, bound)
        name = self.fresh("i")
        source = f"{name} <- {self.bounds(scope, '..')}"
        scope.free.append(name)
        scope.indices.append(name)
        self.bind(scope, bound, name, "Int")
        return [source]

    def bounds(self, scope: Scope, between: str) -> str:
        upper = self.pick(("n-1", "n-1", "m-1", "n", "2"))
        lower = self.pick(("0", "0", "0", "1"))
        if scope.indices and self.chance(15):
            lower, upper = self.pick(
                ((lower, self.pick(scope.indices)), (self.pick(scope.indices), upper))
            )
        return f"{lower}{between}{upper}"

    def array_generator(
        self,
        scope: Scope,
        bound: list[tuple[str, Element]],
        array: ArrayVariable,
        *,
        joined: bool,
    ) -> list[str]:
        indices = [self.fresh("i") for _ in array.dims]
        value = self.fresh("v")
        key = indices[0] if array.rank == 1 else f"({','.join(indices)})"
        arrow = "<=" if self.chance(25) else "<-"
        result = [f"({key},{value}) {arrow} {array.name}"]
        known = Scope(indices=list(scope.indices))
        for index in indices:
            if joined and known.indices and self.chance(70):
                other = self.affine(known)
                sides = (index, other) if self.chance(70) else (other, index)
                result.append(f"{sides[0]} == {sides[1]}")
            elif self.chance(5):
                result.append(f"{index} == {self.pick(('0', '1', indices[0]))}")
                scope.free.append(index)
            else:
                scope.free.append(index)
            scope.indices.append(index)
            self.bind(scope, bound, index, "Int")
        self.bind(scope, bound, value, array.element)
        return result

    def list_generator(self, scope: Scope, bound: list[tuple[str, Element]]) -> list[str]:
        variable = self.pick(self.lists)
        names = [self.fresh("x") for _ in variable.columns]
        pattern = names[0] if len(names) == 1 else f"({','.join(names)})"
        result = [f"{pattern} <- {variable.name}"]
        ints = list(scope.indices)
        for name, element in zip(names, variable.columns, strict=True):
            if element == "Int":
                if ints and self.chance(60):
                    result.append(f"{name} == {self.affine(Scope(indices=ints))}")
                scope.indices.append(name)
            self.bind(scope, bound, name, element)
        scope.from_list = True
        return result

    def group_by(
        self, scope: Scope, bound: list[tuple[str, Element]], parts: int
    ) -> tuple[str, Scope, list[tuple[str, Element]]]:
        """A group-by of so many key parts; its keys and its bags."""
        ints = [name for name, element in bound if element == "Int"]
        outer = self.inner_scope()
        if len(set(ints)) >= parts and self.chance(65):
            keys = self.shuffled(ints)[:parts]
            text = f"group by {keys[0] if parts == 1 else '(' + ','.join(keys) + ')'}"
        else:
            keys = [self.fresh("g") for _ in range(parts)]
            values = [self.key(scope) for _ in keys]
            if parts == 1:
                text = f"group by {keys[0]}: {values[0]}"
            else:
                text = f"group by ({','.join(keys)}): ({','.join(values)})"
        bags = [item for item in bound if item[0] not in keys]
        outer.ints += keys
        outer.indices += keys
        outer.free = list(keys)
        outer.reads = self.chance(15)
        return text, outer, bags

    def key(self, scope: Scope) -> str:
        if self.chance(30) and scope.ints:
            return self.scalar(scope, "Int", 1)
        return f"{self.affine(scope)}{self.pick(('', '', '%2'))}"

    def reduction(self, scope: Scope, bags: Sequence[tuple[str, Element]], element: Element) -> str:
        """An expression of a type over the bags of a group."""
        if not bags:
            return self.scalar(scope, element, 1)
        chosen = [name for name, kind in bags if kind == element]
        if element == "Int" and (not chosen or self.chance(20)):
            return f"{self.pick(bags)[0]}.length"
        if not chosen:
            return f"({self.pick(bags)[0]}.length + 0.5)"
        bag = self.pick(chosen)
        kind = self.count(1, 100)
        if kind <= 60:
            return f"{self.pick(('+', '+', 'max', 'min'))}/{bag}"
        if kind <= 68:
            return f"+/[ x*x | x <- {bag}, x > {'0' if element == 'Int' else '0.25'} ]"
        if kind <= 73:
            one, two = ("1", "2") if element == "Int" else ("0.5", "2.0")
            return f"(if (&&/[ x > 0 | x <- {bag} ]) {one} else {two})"
        if kind <= 76 and element == "Double":
            return f"(+/{bag} / {bag}.length)"
        other = self.reduction(scope, bags, element)
        last = self.scalar(scope, element, 1) if self.chance(30) else other
        return f"(+/{bag} {self.pick(OPERATORS)} {last})"

    def array_value(self) -> tuple[str, ArrayVariable]:
        """`tensor*(…) [ … ]`."""
        rank = self.pick((1, 1, 2, 2, 2, 3))
        dims = tuple(self.pick(("n", "n", "m", "4")) for _ in range(rank))
        return self.array_of(dims, self.element())

    def array_of(self, dims: tuple[str, ...], element: Element) -> tuple[str, ArrayVariable]:
        rank = len(dims)
        qualifiers, scope, bound = self.qualifiers()
        grouped = scope.from_list or len(scope.free) > rank or self.chance(35)
        if (grouped and self.chance(90)) or scope.from_list or len(scope.free) > rank:
            text, outer, bags = self.group_by(scope, bound, rank)
            qualifiers.append(text)
            if self.chance(20):
                test: Element = self.element()
                limit = self.leaf(self.inner_scope(), test)
                qualifiers.append(f"{self.reduction(outer, bags, test)} > {limit}")
            keys = [self.injective(key) for key in self.shuffled(outer.free)]
            value = self.reduction(outer, bags, element)
        else:
            rest = [i for i in scope.indices if i not in scope.free] + ["0", "1"]
            used = [*scope.free, *self.shuffled(rest)][:rank]
            keys = [self.injective(key) for key in self.shuffled(used)]
            value = self.scalar(scope, element)
        key = keys[0] if rank == 1 else f"({','.join(keys)})"
        text = f"{self.storage(dims)}[ ({key},{value}) | {', '.join(qualifiers)} ]"
        return text, ArrayVariable(self.fresh("A"), dims, element)

    def storage(self, dims: tuple[str, ...]) -> str:
        split = self.pick((len(dims), len(dims), *range(len(dims))))
        dense, rest = ",".join(dims[:split]), dims[split:]
        tail = f"({','.join(rest)})" if rest else ""
        return f"tensor{'' if self.chance(15) else '*'}({dense}){tail}"

    def simple_array(self) -> None:
        """An array with every element set, the start of most programs."""
        rank = self.pick((1, 2, 2))
        dims = tuple(self.pick(("n", "n", "m")) for _ in range(rank))
        element = self.element()
        name = self.fresh("A")
        indices = ("i", "j", "k")[:rank]
        sources = ", ".join(f"{i} <- 0..{d}-1" for i, d in zip(indices, dims, strict=True))
        if element == "Int":
            value = self.pick(("(i*7)%5-2", "i", "2*i+1", "(3*i+1)%4"))
        else:
            value = self.pick(("random()-0.5", "0.5*i-1.0", "((i*5)%7)*0.25", "1.5"))
        guard = self.pick(("", "", ", (i+1)%2 == 0", ", i != 1"))
        key = indices[0] if rank == 1 else f"({','.join(indices)})"
        self.lines.append(
            f"var {name} = {self.storage(dims)}[ ({key},{value}) | {sources}{guard} ];"
        )
        self.arrays.append(ArrayVariable(name, dims, element))

    # ---- statements --------------------------------------------------------------------

    def declare_inputs(self) -> None:
        sizes = {"n": self.count(1, 5), "m": self.count(1, 4)}
        if self.chance(30):
            sizes["m"] = sizes["n"]
        for name, size in sizes.items():
            self.lines.append(f"input {name}: Int;")
            self.inputs[name] = size
        numbers = np.random.default_rng(self.count(0, 1000))
        for _ in range(self.count(0, 2)):
            dims = tuple(self.pick(("n", "n", "m")) for _ in range(self.pick((1, 2, 2, 3))))
            shape = tuple(sizes[dim] for dim in dims)
            element, name = self.element(), self.fresh("A")
            kind = {1: "vector", 2: "matrix"}.get(len(dims), f"array{len(dims)}")
            self.lines.append(f"input {name}: {kind}[{element}];")
            data = numbers.integers(-4, 5, shape)
            values = data if element == "Int" else data * 0.25
            if len(dims) == 2 and self.chance(40):
                values = sparse.csr_array(values * (numbers.random(shape) < 0.5))
            self.inputs[name] = values
            self.arrays.append(ArrayVariable(name, dims, element))
        for _ in range(self.count(0, 2)):
            columns: tuple[Element, ...] = self.pick(
                (("Int", "Double"), ("Int", "Int"), ("Int", "Int", "Double"), ("Int",))
            )
            name = self.fresh("L")
            kind = f"({','.join(columns)})" if len(columns) > 1 else columns[0]
            self.lines.append(f"input {name}: list[{kind}];")
            rows = [
                tuple(
                    int(numbers.integers(-1, 5))
                    if column == "Int"
                    else float(numbers.integers(-4, 5)) * 0.25
                    for column in columns
                )
                for _ in range(self.count(0, 7))
            ]
            self.inputs[name] = rows if len(columns) > 1 else [row[0] for row in rows]
            self.lists.append(ListVariable(name, columns))
        self.globals.ints += ["n", "m"]

    def statement(self) -> None:
        """One statement at the top of the program."""
        kind = self.count(1, 100)
        if kind <= 32:
            text, array = self.array_value()
            self.lines.append(f"var {array.name} = {text};")
            self.arrays.append(array)
        elif kind <= 42:
            self.list_variable()
        elif kind <= 52:
            self.total()
        elif kind <= 58:
            self.whole_arrays()
        elif kind <= 84:
            self.lines.append(self.loop())
        elif kind <= 92:
            counter = self.fresh("k")
            self.lines.append(f"var {counter} = 0;")
            self.globals.ints.append(counter)
            body = " ".join(self.step() for _ in range(self.count(1, 2)))
            times = self.count(1, 3)
            self.lines.append(f"while ({counter} < {times}) {{ {counter} += 1; {body} }};")
        else:
            condition = self.condition(self.inner_scope())
            otherwise = f" else {{ {self.step()} }}" if self.chance(50) else ""
            self.lines.append(f"if ({condition}) {{ {self.step()} }}{otherwise};")

    def step(self) -> str:
        """A statement that declares nothing."""
        kind = self.count(1, 100)
        if kind <= 70 or not self.arrays:
            return self.loop()
        if kind <= 85 and self.scalars:
            name, element = self.pick(self.scalars)
            return f"{name} = {self.scalar(self.inner_scope(), element)};"
        owned = [a for a in self.arrays if a.name not in self.inputs]
        if not owned:
            return self.loop()
        array = self.pick(owned)
        return f"{array.name} = {self.array_of(array.dims, array.element)[0]};"

    def list_variable(self) -> None:
        qualifiers, scope, bound = self.qualifiers()
        columns = tuple(self.element() for _ in range(self.count(1, 2)))
        if self.chance(35):
            text, outer, bags = self.group_by(scope, bound, self.count(1, 2))
            qualifiers.append(text)
            if self.chance(25):
                qualifiers.append(f"{self.reduction(outer, bags, 'Int')} > 1")
            values = [*outer.free, *(self.reduction(outer, bags, c) for c in columns)]
            columns = (*["Int" for _ in outer.free], *columns)
        else:
            values = [self.scalar(scope, column) for column in columns]
        head = f"({', '.join(values)})" if len(values) > 1 else values[0]
        name = self.fresh("L")
        self.lines.append(f"var {name} = [ {head} | {', '.join(qualifiers)} ];")
        self.lists.append(ListVariable(name, columns))

    def total(self) -> None:
        """A scalar: a reduction of a comprehension."""
        qualifiers, scope, bound = self.qualifiers()
        element, name = self.element(), self.fresh("s")
        value = self.scalar(scope, element)
        if self.chance(10):
            text, outer, bags = self.group_by(scope, bound, 1)
            qualifiers.append(text)
            value = self.reduction(outer, bags, element)
        monoid = self.pick(("+", "+", "+", "max", "min"))
        self.lines.append(f"var {name} = {monoid}/[ {value} | {', '.join(qualifiers)} ];")
        self.scalars.append((name, element))
        if monoid == "+":  # the others may be infinite
            self.globals.of(element).append(name)

    def whole_arrays(self) -> None:
        array = self.pick(self.arrays)
        same = [a for a in self.arrays if a.dims == array.dims]
        other = self.pick(same)
        element: Element = "Double" if "Double" in (array.element, other.element) else "Int"
        a, b, name, dims = array.name, other.name, self.fresh("A"), array.dims
        kind = self.count(1, 100)
        if kind <= 25 and array.rank == 2:
            text, element, dims = f"{a}.t", array.element, dims[::-1]
        elif kind <= 50 and array.rank == 2:
            fitting = [c for c in self.arrays if c.rank in (1, 2) and c.dims[0] == array.dims[1]]
            if not fitting:
                return
            other = self.pick(fitting)
            element = "Double" if "Double" in (array.element, other.element) else "Int"
            text, dims = f"{a} @ {other.name}", (dims[0], *other.dims[1:])
        elif kind <= 60:
            text, element = f"abs({a}) * 2", array.element
        else:
            text = f"{a} {self.pick(('+', '-', '*'))} {b}"
            if self.chance(30):
                text, element = f"{text} * 0.5", "Double"
        self.lines.append(f"var {name} = {text};")
        self.arrays.append(ArrayVariable(name, dims, element))

    def loop(self) -> str:
        """A nest of loops with one or two statements inside."""
        scope, heads = self.inner_scope(), list[str]()
        for _ in range(self.pick((1, 1, 2, 2, 3))):
            kind = self.count(1, 100)
            if kind <= 70 or heads or not self.arrays:
                name = self.fresh("i")
                step = self.pick(("", "", "", "", "", ", 2"))
                heads.append(f"for {name} = {self.bounds(scope, ', ')}{step} do")
                scope.free.append(name)
                scope.indices.append(name)
                scope.ints.append(name)
            elif kind <= 90 or not self.lists:
                array = self.pick(self.arrays)
                names, value = [self.fresh("i") for _ in array.dims], self.fresh("v")
                key = names[0] if array.rank == 1 else f"({','.join(names)})"
                heads.append(f"for ({key},{value}) in {array.name} do")
                scope.free += names
                scope.indices += names
                scope.ints += names
                scope.of(array.element).append(value)
            else:
                variable = self.pick(self.lists)
                names = [self.fresh("x") for _ in variable.columns]
                pattern = names[0] if len(names) == 1 else f"({','.join(names)})"
                heads.append(f"for {pattern} in {variable.name} do")
                for name, element in zip(names, variable.columns, strict=True):
                    scope.of(element).append(name)
                    if element == "Int":
                        scope.indices.append(name)
                scope.from_list = True
        body = " ".join(self.loop_statement(scope) for _ in range(self.count(1, 2)))
        return f"{' '.join(heads)} {{ {body} }};"

    def loop_statement(self, scope: Scope) -> str:
        kind = self.count(1, 100)
        if kind <= 20:
            return f"if ({self.condition(scope)}) {{ {self.write(scope)} }};"
        if kind <= 30:
            condition = self.condition(scope)
            return f"if ({condition}) {{ {self.write(scope)} }} else {{ {self.write(scope)} }};"
        if kind <= 36 and scope.ints:
            inner = Scope(
                list(scope.ints), scope.doubles, scope.indices, scope.free, scope.from_list
            )
            guard = self.division(inner)
            write = self.write(inner)
            return f"if ({guard[0]}) {{ {write} }};" if guard else write
        return self.write(scope)

    def write(self, scope: Scope) -> str:
        """An assignment that sets each element once, or an accumulation."""
        owned = [a for a in self.arrays if a.name not in self.inputs]
        if self.scalars and (not owned or self.chance(12)):
            name, element = self.pick(self.scalars)
            op = self.pick(("+=", "+=", "max=", "min="))
            return f"{name} {op} {self.scalar(scope, element)};"
        if not owned:
            return self.accumulate_new(scope)
        array = self.pick(owned)
        value = self.scalar(scope, array.element)
        if not scope.from_list and len(scope.free) <= array.rank and self.chance(55):
            rest = [self.affine(scope) for _ in range(array.rank - len(scope.free))]
            keys = [*(self.injective(i) for i in scope.free), *rest]
            if len(scope.free) == 1 and self.chance(15):
                keys = [scope.free[0]] * array.rank
            return f"{array.name}[{','.join(self.shuffled(keys))}] = {value};"
        keys = [self.affine(scope) for _ in range(array.rank)]
        op = self.pick(("+=", "+=", "+=", "max=", "min="))
        return f"{array.name}[{','.join(keys)}] {op} {value};"

    def accumulate_new(self, scope: Scope) -> str:
        name = self.fresh("s")
        self.lines.append(f"var {name} = 0.0;")
        self.scalars.append((name, "Double"))
        return f"{name} += {self.scalar(scope, 'Double')};"

    # ---- the whole -----------------------------------------------------------------------

    def program(self) -> RandomProgram:
        self.declare_inputs()
        for _ in range(self.count(1, 2)):
            self.simple_array()
        if self.chance(40):
            name, element = self.fresh("s"), self.element()
            self.lines.append(f"var {name} = {'1' if element == 'Int' else '0.5'};")
            self.scalars.append((name, element))
            self.globals.of(element).append(name)
        for _ in range(self.count(1, 3)):
            self.statement()
        variables = [
            *(a.name for a in self.arrays if a.name not in self.inputs),
            *(v.name for v in self.lists if v.name not in self.inputs),
            *(name for name, _ in self.scalars),
        ]
        results = ", ".join(variables)
        self.lines.append(f"({results});" if len(variables) > 1 else f"{results};")
        return RandomProgram("\n".join(self.lines) + "\n", self.inputs)


def _show(value: Any) -> str:
    if hasattr(value, "tocoo"):
        return f"sparse {value.toarray().tolist()}"
    return str(value.tolist() if isinstance(value, np.ndarray) else value)


@st.composite
def programs(draw: st.DrawFn) -> RandomProgram:
    """A whole program with its inputs."""
    return Writer(draw(st.randoms(use_true_random=False))).program()
