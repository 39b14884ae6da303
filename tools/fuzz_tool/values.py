"""Writes random values of whole variables: arrays, lists, maps, totals."""

from __future__ import annotations

from abc import ABC

from diablo.tools.fuzz_tool.groups import GroupWriter
from diablo.tools.fuzz_tool.model import (
    INT,
    SOURCE_TYPES,
    STRING,
    ArrayVariable,
    Columns,
    Element,
    ListArray,
    ListVariable,
    MapVariable,
    Pair,
    Scope,
)


class ValueWriter(GroupWriter, ABC):
    """The part of the writer that declares variables with a value."""

    def declare(self, name: str, value: str) -> None:
        """A variable of the program."""
        self.lines.append(f"var {name} = {value};")

    # ---- arrays ----------------------------------------------------------------------------

    def array_variable(self) -> None:
        """An array built by a comprehension."""
        rank = self.pick((1, 1, 2, 2, 2, 3))
        dims = tuple(self.pick(("n", "n", "m", "4")) for _ in range(rank))
        element = "Pair" if self.uses("pairs in arrays", 40) else self.element()
        array = ArrayVariable(self.fresh("A"), dims, element)
        self.declare(array.name, self.array_of(dims, element))
        self.arrays.append(array)

    def array_of(self, dims: tuple[str, ...], element: Element | Pair) -> str:
        """`tensor*(…) [ … ]` that sets each element once, or some of them again and again."""
        rank = len(dims)
        qualifiers, scope, bound = self.qualifiers()
        again = self.uses("repeated indices", 60)
        many = (scope.from_list or len(scope.free) > rank) and (scope.ties or not again)
        if many or self.chance(32):
            text, below = self.group_by(scope, bound, rank)
            qualifiers.append(text)
            if self.chance(20):
                test = self.number()
                limit = self.leaf(self.inner_scope(), test)
                qualifiers.append(f"{self.reduction(below, test)} > {limit}")
            keys = [self.injective(key) for key in self.shuffled(below.free)]
            if again:
                keys = self.repeated(below, rank)
            if element == "Pair":
                value = self.pair(self.reduction(below, "Double"), self.reduction(below, "Int"))
            else:
                value = self.reduction(below, element)
        else:
            rest = [i for i in scope.indices if i not in scope.free] + ["0", "1"]
            used = [*scope.free, *self.shuffled(rest)][:rank]
            keys = [self.injective(key) for key in self.shuffled(used)]
            if again and not scope.ties:
                keys = self.repeated(scope, rank)
            if element == "Pair":
                value = self.pair(self.scalar(scope, "Double"), self.scalar(scope, "Int"))
            else:
                value = self.scalar(scope, element)
        return f"{self.storage(dims)}[ ({self.tuple_of(keys)},{value}) | {', '.join(qualifiers)} ]"

    def repeated(self, scope: Scope, parts: int) -> list[str]:
        """Integers for an index or a key that may be the same in many rows."""
        return [f"{self.group_key(scope)}{self.pick(('', '', '%3'))}" for _ in range(parts)]

    @staticmethod
    def pair(first: str, second: str) -> str:
        """A tuple as an element."""
        return f"({first},{second})"

    def storage(self, dims: tuple[str, ...]) -> str:
        """The constructor of an array with these dimensions."""
        split = self.pick((len(dims), len(dims), *range(len(dims))))
        dense, rest = ",".join(dims[:split]), dims[split:]
        tail = f"({','.join(rest)})" if rest else ""
        return f"tensor{'' if self.chance(15) else '*'}({dense}){tail}"

    def simple_array(self) -> None:
        """An array with every element set, the start of most programs."""
        rank = self.pick((1, 2, 2))
        dims = tuple(self.pick(("n", "n", "m")) for _ in range(rank))
        element = self.number()
        name = self.fresh("A")
        indices = ["i", "j", "k"][:rank]
        sources = ", ".join(f"{i} <- 0..{d}-1" for i, d in zip(indices, dims, strict=True))
        if element == "Int":
            value = self.pick(("(i*7)%5-2", "i", "2*i+1", "(3*i+1)%4"))
        else:
            value = self.pick(("random()-0.5", "0.5*i-1.0", "((i*5)%7)*0.25", "1.5"))
        guard = self.pick(("", "", ", (i+1)%2 == 0", ", i != 1"))
        self.declare(
            name, f"{self.storage(dims)}[ ({self.tuple_of(indices)},{value}) | {sources}{guard} ]"
        )
        self.arrays.append(ArrayVariable(name, dims, element))

    def table(self) -> None:
        """A vector of vectors, one computed for each index."""
        name, (i, j) = self.fresh("T"), (self.fresh("i"), self.fresh("j"))
        scope = self.inner_scope()
        scope.nesting = 2
        scope.indices += [i, j]
        scope.values["Int"] += [i, j]
        star = self.pick(("", "*"))
        row = f"tensor(m)[ ({j},{self.scalar(scope, 'Double')}) | {j} <- 0..m-1 ]"
        self.declare(name, f"tensor{star}(n)[ ({i},{row}) | {i} <- 0..n-1 ]")
        self.tables.append(name)

    def list_array(self) -> None:
        """An array of lists: those of a group, or one computed for each index."""
        dims = tuple(self.pick(("n", "n", "m")) for _ in range(self.pick((1, 1, 2))))
        qualifiers, scope, bound = self.qualifiers()
        text, below = self.group_by(scope, bound, len(dims))
        qualifiers.append(text)
        keys = self.tuple_of([self.injective(key) for key in self.shuffled(below.free)])
        if below.bags and self.chance(60):
            bag = self.pick(below.bags)
            columns, value = bag.columns, bag.text
        else:
            columns, value = self.inner_list(below)
        name = self.fresh("S")
        self.declare(name, f"{self.storage(dims)}[ ({keys},{value}) | {', '.join(qualifiers)} ]")
        self.list_arrays.append(ListArray(name, len(dims), columns))

    def slice(self) -> None:
        """A part of an array."""
        array = self.pick(self.arrays)
        if array.element == "Pair":
            return
        name, parts, kept = self.fresh("A"), list[str](), 0
        for position in range(array.rank):
            last = position == array.rank - 1 and kept == 0
            if not last and array.dims[position] in ("n", "m", "4") and self.chance(25):
                parts.append("0")
                continue
            kept += 1
            lower, upper = self.pick(("", "0", "1", "m-1")), self.pick(("", "2", "n", "m", "9"))
            parts.append(f"{lower}:{upper}{self.pick(('', '', '', ':2', ':n'))}")
        if kept > 2:
            return
        self.declare(name, f"{array.name}[{', '.join(parts)}]")
        dims = (f"{name}.length",) if kept == 1 else (f"{name}.rows", f"{name}.cols")
        self.arrays.append(ArrayVariable(name, dims, array.element))

    def whole_arrays(self) -> None:
        """An operation on whole arrays."""
        arrays = [a for a in self.arrays if a.element in ("Int", "Double")]
        if not arrays:
            return
        array = self.pick(arrays)
        if self.uses("extreme integers"):
            arrays = [a for a in arrays if a.element == array.element]
        other = self.pick([a for a in arrays if a.dims == array.dims])
        a, b, name, dims = array.name, other.name, self.fresh("A"), array.dims
        element = "Double" if "Double" in (array.element, other.element) else "Int"
        kind = self.count(1, 100)
        if kind <= 25 and array.rank == 2:
            text, element, dims = f"{a}.t", array.element, dims[::-1]
        elif kind <= 50 and array.rank == 2:
            fitting = [c for c in arrays if c.rank in (1, 2) and c.dims[0] == array.dims[1]]
            if not fitting:
                return
            other = self.pick(fitting)
            element = "Double" if "Double" in (array.element, other.element) else "Int"
            text, dims = f"{a} @ {other.name}", (dims[0], *other.dims[1:])
        elif kind <= 60:
            text, element = f"abs({a}) * 2", array.element
        else:
            text = f"{a} {self.pick(('+', '-', '*'))} {b}"
            if self.chance(30) and not self.uses("extreme integers"):
                text, element = f"{text} * 0.5", "Double"
        self.declare(name, text)
        self.arrays.append(ArrayVariable(name, dims, element))

    # ---- collections -----------------------------------------------------------------------

    def list_variable(self) -> None:
        """A list built by a comprehension."""
        if self.uses("list literals", 30):
            rows = [
                f"({self.leaf(self.globals, 'Int')},{self.leaf(self.globals, 'Double')})"
                for _ in range(self.count(1, 4))
            ]
            name = self.fresh("L")
            self.declare(name, f"[{', '.join(rows)}]")
            self.lists.append(ListVariable(name, ("Int", "Double")))
            position = self.count(0, len(rows) - 1)
            self.globals.values["Int"].append(f"{name}[{position}]._1")
            self.globals.values["Double"].append(f"{name}[{position}]._2")
            return
        qualifiers, scope, bound = self.qualifiers()
        columns: list[Element | Columns] = [self.element() for _ in range(self.count(1, 2))]
        if self.chance(40):
            if self.uses("strings", 30):
                text, below, key = self.group_by_string(scope, bound)
                keys, kind = [key], STRING
            else:
                text, below = self.group_by(scope, bound, self.count(1, 2))
                keys, kind = below.free, INT
            qualifiers.append(text)
            if self.chance(25):
                qualifiers.append(f"{self.reduction(below, 'Int')} > 1")
            kept = self.list_columns(below)
            values = [*keys, *(bag for bag, _ in kept)]
            qualifiers += self.opened(below)
            values += [self.reduction(below, c) for c in columns if not isinstance(c, tuple)]
            columns = [*[kind for _ in keys], *(bag for _, bag in kept), *columns]
        else:
            values = [self.scalar(scope, c) for c in columns if not isinstance(c, tuple)]
        name = self.fresh("L")
        self.declare(name, f"[ {self.tuple_of(values)} | {', '.join(qualifiers)} ]")
        self.lists.append(ListVariable(name, tuple(columns)))

    def map_variable(self) -> None:
        """A map: empty, or built from a comprehension."""
        name, value = self.fresh("M"), self.element()
        if self.chance(35):
            key: Element = "String" if self.uses("strings", 40) else "Int"
            if self.uses("float keys", 60):
                key = "Double"
            self.lines.append(f"var {name}: map[{key},{SOURCE_TYPES[value]}] = map();")
        else:
            qualifiers, scope, bound = self.qualifiers()
            star = self.pick(("", "*"))
            if not scope.ties and self.uses("repeated indices", 60):
                key = self.pick(("Int", "String") if "strings" in self.features else ("Int",))
                (key_text,) = self.repeated(scope, 1)
                if key == "String":
                    key_text = self.scalar(scope, "String", 1)
                row = f"({key_text},{self.scalar(scope, value)})"
                self.declare(name, f"map{star}[ {row} | {', '.join(qualifiers)} ]")
                self.maps.append(MapVariable(name, key, value))
                return
            if self.uses("float keys", 60):
                text, below, key_text = self.group_by_float(scope, bound)
                key = "Double"
            elif self.uses("strings", 40):
                text, below, key_text = self.group_by_string(scope, bound)
                key = "String"
            else:
                text, below = self.group_by(scope, bound, 1)
                key, key_text = "Int", self.injective(below.free[0])
            row = f"({key_text},{self.reduction(below, value)})"
            self.declare(name, f"map{star}[ {row} | {', '.join([*qualifiers, text])} ]")
        self.maps.append(MapVariable(name, key, value))

    def total(self) -> None:
        """A scalar: a reduction of a comprehension."""
        qualifiers, scope, bound = self.qualifiers()
        name, source = self.fresh("s"), ", ".join(qualifiers)
        if self.monoids and self.chance(50):
            monoid = self.pick(self.monoids)
            self.declare(name, self.monoid_total(monoid, scope, source))
            if monoid.type == "Pair":
                self.pairs.append((name, monoid.bounded))
            else:
                self.scalars.append((name, monoid.type))
            if monoid.type == "Pair" and monoid.bounded:
                self.globals.values["Double"].append(f"{name}._1")
                self.globals.values["Int"].append(f"{name}._2")
            return
        element = "Boolean" if self.uses("booleans", 20) else self.number()
        value = self.scalar(scope, element)
        if self.chance(10):
            text, below = self.group_by(scope, bound, 1)
            source, value = f"{source}, {text}", self.reduction(below, element)
        if element == "Double" and self.uses("built-in reductions", 30):
            self.declare(name, f"mean/[ {value} | {source} ]")  # NaN, of no rows
            self.scalars.append((name, element))
            return
        monoids = ("||", "&&") if element == "Boolean" else ("+", "+", "+", "max", "min")
        monoid = self.pick(monoids)
        self.declare(name, f"{monoid}/[ {value} | {source} ]")
        self.scalars.append((name, element))
        if monoid not in ("max", "min"):  # these may be infinite
            self.globals.values[element].append(name)
