"""Writes the qualifiers of random comprehensions: generators, guards, lets, group-bys."""

from __future__ import annotations

from abc import ABC

from diablo.tools.fuzz_tool.model import (
    ArrayVariable,
    Bag,
    Columns,
    Element,
    ListArray,
    ListVariable,
    Scope,
)
from diablo.tools.fuzz_tool.scalars import ScalarWriter

Bound = list[tuple[str, Columns]]
"""The variables of a comprehension, with the parts of their values."""


class QualifierWriter(ScalarWriter, ABC):
    """The part of the writer that knows qualifiers."""

    def inner_scope(self) -> Scope:
        """What a comprehension or loop at the top of the program starts with."""
        scope = self.globals.copy()
        scope.nesting = 1
        return scope

    def qualifiers(self, outer: Scope | None = None) -> tuple[list[str], Scope, Bound]:
        """Generators with guards and lets, and what they bind."""
        if outer is None:
            scope = self.inner_scope()
        else:
            scope = outer.copy()
            scope.nesting += 1
            scope.free = []
        bound, result = Bound(), list[str]()
        counts = (1, 1, 2, 2, 2, 3) if scope.nesting == 1 else (1, 1, 1, 2)
        for position in range(self.pick(counts)):
            joined = position > 0 or scope.nesting > 1
            result += self.generator(scope, bound, joined=joined)
            if self.chance(25):
                result.append(self.condition(scope))
            if self.chance(25):
                result.append(self.let(scope, bound))
            if self.chance(12):
                result += self.division(scope)
        return result, scope, bound

    def division(self, scope: Scope) -> list[str]:
        """Make a division available, nearly always behind a guard."""
        divisor = self.pick(scope.values["Int"] or ["n"])
        text = f"({self.leaf(scope, 'Int')} {self.pick(('/', '%'))} {divisor})"
        scope.values["Int"].append(text)
        return [] if self.chance(8) else [f"{divisor} != 0"]

    @staticmethod
    def bind(scope: Scope, bound: Bound, name: str, element: Element) -> None:
        """Note a variable that holds a scalar."""
        scope.values[element].append(name)
        bound.append((name, (element,)))

    # ---- lets ------------------------------------------------------------------------------

    def let(self, scope: Scope, bound: Bound) -> str:
        """`let x = e`, where `e` may be a tuple, a record, a list or an array."""
        name = self.fresh("t")
        if self.uses("inner lists", 35):
            columns, text = self.inner_list(scope)
            scope.bags.append(Bag(name, columns))
            return f"let {name} = {text}"
        if self.uses("inner arrays", 35):
            element, dim = self.number(), self.pick(("n", "m"))
            inner = scope.copy()
            index = self.fresh("j")
            inner.indices.append(index)
            inner.values["Int"].append(index)
            inner.nesting += 1
            value = self.scalar(inner, element)
            scope.arrays.append(ArrayVariable(name, (dim,), element))
            return f"let {name} = tensor({dim})[ ({index},{value}) | {index} <- 0..{dim}-1 ]"
        if self.chance(20):
            other = self.fresh("t")
            value = f"({self.scalar(scope, 'Int')}, {self.scalar(scope, 'Double')})"
            self.bind(scope, bound, name, "Int")
            self.bind(scope, bound, other, "Double")
            return f"let ({name},{other}) = {value}"
        if self.uses("tuples", 40) or self.uses("records", 40):
            record = "records" in self.features and (
                "tuples" not in self.features or self.chance(50)
            )
            columns = (self.element(), self.number())
            parts = [self.scalar(scope, column) for column in columns]
            fields = ("a", "b") if record else ("_1", "_2")
            for column, part in zip(columns, fields, strict=True):
                scope.values[column].append(f"{name}.{part}")
            if record:
                # A comparison ends a record, so that only parentheses may hold one.
                return f"let {name} = <a = ({parts[0]}), b = ({parts[1]})>"
            bound.append((name, columns))
            return f"let {name} = ({parts[0]}, {parts[1]})"
        element = self.element()
        text = f"let {name} = {self.scalar(scope, element)}"
        self.bind(scope, bound, name, element)
        return text

    def inner_list(self, scope: Scope) -> tuple[Columns, str]:
        """A list computed for each row."""
        qualifiers, inner, _ = self.qualifiers(scope)
        columns: Columns = tuple(self.element() for _ in range(self.count(1, 2)))
        values = [self.scalar(inner, column, 1) for column in columns]
        return columns, f"[ {self.tuple_of(values)} | {', '.join(qualifiers)} ]"

    @staticmethod
    def tuple_of(parts: list[str]) -> str:
        """The parts as a tuple, if there are several."""
        return parts[0] if len(parts) == 1 else f"({','.join(parts)})"

    # ---- generators ------------------------------------------------------------------------

    def generator(self, scope: Scope, bound: Bound, *, joined: bool) -> list[str]:
        """A generator; if `joined`, perhaps with guards that tie it to what is bound already."""
        kind = self.count(1, 100)
        if scope.bags and self.chance(35):
            bag = self.pick(scope.bags)
            return self.rows_of(scope, bound, bag.text, bag.columns)
        if self.maps and self.chance(30):
            chosen = self.pick(self.maps)
            return self.map_generator(scope, bound, chosen.name, chosen.key, chosen.value)
        if self.list_arrays and self.chance(30):
            return self.list_array_generator(scope, bound, self.pick(self.list_arrays))
        if scope.values["String"] and self.uses("strings", 10):
            name = self.fresh("w")
            source = f'{self.pick(scope.values["String"])}.split(" ")'
            self.bind(scope, bound, name, "String")
            scope.from_list = True
            return [f"{name} <- {source}"]
        if self.uses("list literals", 12):
            literal = f"[{', '.join(self.leaf(scope, 'Int') for _ in range(self.count(1, 3)))}]"
            return self.rows_of(scope, bound, literal, ("Int",))
        if kind <= 65 and self.arrays:
            return self.array_generator(scope, bound, self.pick(self.arrays), joined=joined)
        if kind <= 80 and self.lists:
            return self.list_generator(scope, bound, self.pick(self.lists))
        name = self.fresh("i")
        source = f"{name} <- {self.bounds(scope, '..')}"
        scope.free.append(name)
        scope.indices.append(name)
        self.bind(scope, bound, name, "Int")
        return [source]

    def bounds(self, scope: Scope, between: str) -> str:
        """The first and the last index of a range."""
        upper = self.pick(("n-1", "n-1", "m-1", "n", "2"))
        lower = self.pick(("0", "0", "0", "1"))
        if scope.indices and self.chance(15):
            lower, upper = self.pick(
                ((lower, self.pick(scope.indices)), (self.pick(scope.indices), upper))
            )
        return f"{lower}{between}{upper}"

    def array_generator(
        self, scope: Scope, bound: Bound, array: ArrayVariable, *, joined: bool
    ) -> list[str]:
        """The entries of an array, stored or all."""
        indices = [self.fresh("i") for _ in array.dims]
        value = self.fresh("v")
        arrow = "<=" if self.chance(25) else "<-"
        result = [f"({self.tuple_of(indices)},{value}) {arrow} {array.name}"]
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
        if array.element == "Pair":
            scope.values["Double"].append(f"{value}._1")
            scope.values["Int"].append(f"{value}._2")
            bound.append((value, ("Double", "Int")))
        else:
            self.bind(scope, bound, value, array.element)
        return result

    def list_array_generator(self, scope: Scope, bound: Bound, array: ListArray) -> list[str]:
        """The entries of an array of lists, which may be gone through later."""
        indices, rows = [self.fresh("i") for _ in range(array.rank)], self.fresh("b")
        scope.free += indices
        scope.indices += indices
        for index in indices:
            self.bind(scope, bound, index, "Int")
        scope.bags.append(Bag(rows, array.columns))
        return [f"({self.tuple_of(indices)},{rows}) {self.pick(('<-', '<='))} {array.name}"]

    def list_generator(self, scope: Scope, bound: Bound, variable: ListVariable) -> list[str]:
        """The rows of a list; columns that are lists may be gone through later."""
        names = [self.fresh("x") for _ in variable.columns]
        result = [f"{self.tuple_of(names)} <- {variable.name}"]
        for name, column in zip(names, variable.columns, strict=True):
            if isinstance(column, tuple):
                scope.bags.append(Bag(name, column))
                scope.ties = True
            else:
                self.bind_column(scope, bound, result, name, column)
        scope.from_list = True
        return result

    def rows_of(self, scope: Scope, bound: Bound, source: str, columns: Columns) -> list[str]:
        """The rows of an expression that is a list."""
        names = [self.fresh("x") for _ in columns]
        result = [f"{self.tuple_of(names)} <- {source}"]
        for name, column in zip(names, columns, strict=True):
            self.bind_column(scope, bound, result, name, column)
        scope.from_list = True
        return result

    def bind_column(
        self, scope: Scope, bound: Bound, result: list[str], name: str, column: Element
    ) -> None:
        """Note a column of a list, perhaps with a guard that ties it to an index."""
        if column == "Int":
            if scope.indices and self.chance(50):
                result.append(f"{name} == {self.affine(Scope(indices=list(scope.indices)))}")
            scope.indices.append(name)
        elif column == "String" and scope.values["String"] and self.chance(40):
            result.append(f"{name} == {self.pick(scope.values['String'])}")
        self.bind(scope, bound, name, column)

    def map_generator(
        self, scope: Scope, bound: Bound, name: str, key: Element, value: Element
    ) -> list[str]:
        """The entries of a map."""
        names = self.fresh("k"), self.fresh("v")
        result = [f"({names[0]},{names[1]}) <- {name}"]
        self.bind_column(scope, bound, result, names[0], key)
        self.bind(scope, bound, names[1], value)
        scope.from_list = True
        return result
