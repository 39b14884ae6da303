"""Writes random loops whose iterations follow one another, on numbers, elements and maps.

var k1 = 0;
while (k1 < 4) { k1 += 1; if (V2[k1] > a3) { V2[a3 % 5] = V2[k1 - 1] + 2; } else a3 = a3 / k1; };

Most indices lie inside, and most keys are there. Reads of others, and divisions by zero, fail alike
everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fuzzing.draft import Draft
from fuzzing.model import ArrayVariable, Element, MapVariable
from fuzzing.scalars import EXTREMES

_SIZE = 5


@dataclass
class _Sequence:
    """What the statements of a loop may use."""

    draft: Draft
    vectors: dict[str, Element] = field(default_factory=dict[str, Element])
    matrix: str = ""
    numbers: dict[Element, list[str]] = field(default_factory=dict[Element, list[str]])
    counters: list[str] = field(default_factory=list[str])
    maps: list[MapVariable] = field(default_factory=list[MapVariable])

    # ---- expressions -----------------------------------------------------------------------

    def integer(self, depth: int = 2) -> str:
        """An integer expression."""
        draft = self.draft
        if depth == 0 or draft.chance(35):
            leaves = [*self.numbers["Int"], *self.counters, "1", "2", "3", "n", "-1", "7"]
            if draft.uses("extreme integers", 20):
                return f"({draft.pick(EXTREMES)})"
            return self.element("Int") if draft.chance(30) else draft.pick(leaves)
        left, right = self.integer(depth - 1), self.integer(depth - 1)
        if draft.chance(25):
            operator = draft.pick(("/", "%"))
            divisor = right if draft.chance(12) else draft.pick(("2", "3", "-1", f"(1+{right}*2)"))
            return f"({left} {operator} {divisor})"
        if draft.chance(20):
            return f"{draft.pick(('min', 'max'))}({left}, {right})"
        return f"({left} {draft.pick(('+', '-', '*'))} {right})"

    def number(self, depth: int = 2) -> str:
        """A float expression that does not grow much."""
        draft = self.draft
        if depth == 0 or draft.chance(35):
            leaves = [*self.numbers["Double"], "0.5", "-0.25", "1.0"]
            if draft.chance(15):
                return f"toDouble({self.integer(1)} % 9)"
            return self.element("Double") if draft.chance(45) else draft.pick(leaves)
        left, right = self.number(depth - 1), self.number(depth - 1)
        if draft.chance(25):
            return f"{draft.pick(('min', 'max'))}({left}, {right})"
        if draft.chance(10):
            return f"({left} / {right})"
        return f"0.5*({left} {draft.pick(('+', '-'))} {right})"

    def element(self, type: Element) -> str:
        """An element that is read, of an array or a map."""
        maps = [chosen for chosen in self.maps if chosen.value == type]
        if maps and self.draft.chance(30):
            chosen = self.draft.pick(maps)
            return f"{chosen.name}[{self.key(chosen)}]"
        names = [name for name, element in self.vectors.items() if element == type]
        if type == "Double" and self.draft.chance(30):
            return f"{self.matrix}[{self.index()},{self.index()}]"
        return f"{self.draft.pick(names)}[{self.index()}]"

    def index(self) -> str:
        """An index, which mostly lies inside."""
        draft = self.draft
        if self.counters and draft.chance(50):
            counter = draft.pick(self.counters)
            return f"({draft.pick((counter, f'{counter}+1', f'2*{counter}'))})%{_SIZE}"
        value = draft.pick([*self.numbers["Int"], *self.counters, "2"])
        if draft.chance(6):
            return draft.pick((value, f"{value}-1", f"{value}*{value}"))
        return f"(({value})%{_SIZE}+{_SIZE})%{_SIZE}"

    def key(self, chosen: MapVariable) -> str:
        """A key of a map, which it mostly has: its first ones are those of `index`."""
        if chosen.key == "Int":
            return self.integer(1) if self.draft.chance(6) else self.index()
        if self.draft.chance(12):
            return self.draft.pick((self.number(1), "0.0/0.0", "-0.0", "inf"))
        return f"0.5*({self.index()})"

    def condition(self) -> str:
        """A test."""
        draft = self.draft
        order = draft.pick(("<", "<=", ">", "!=", "=="))
        if draft.chance(50):
            test = f"{self.integer(1)} {order} {self.integer(1)}"
        else:
            test = f"{self.number(1)} {order} {self.number(1)}"
        if draft.chance(20):
            return f"{test} {draft.pick(('&&', '||'))} {self.condition()}"
        return test

    # ---- statements ------------------------------------------------------------------------

    def block(self, depth: int, most: int = 3) -> str:
        """Some statements."""
        return " ".join(self.statement(depth) for _ in range(self.draft.count(1, most)))

    def statement(self, depth: int) -> str:
        """One statement."""
        draft = self.draft
        kind = draft.count(1, 100)
        if kind <= 35 or (depth == 0 and kind > 75):
            return self.write()
        if kind <= 55:
            type: Element = draft.pick(("Int", "Double"))
            name = draft.pick(self.numbers[type])
            return f"{name} = {self.value(type)};"
        if kind <= 60:
            return self.swap()
        if kind <= 66:
            return self.fold()
        if kind <= 75:
            otherwise = f" else {{ {self.block(0, 2)} }}" if draft.chance(50) else ""
            return f"if ({self.condition()}) {{ {self.block(max(0, depth - 1), 2)} }}{otherwise};"
        return self.loop(depth - 1)

    def value(self, type: Element) -> str:
        """An expression of a type."""
        return self.integer() if type == "Int" else self.number()

    def write(self) -> str:
        """An element that is written."""
        draft = self.draft
        operator = draft.pick(("=", "=", "+="))
        if self.maps and draft.chance(30):
            chosen = draft.pick(self.maps)
            place = f"{chosen.name}[{self.key(chosen)}]"
            return f"{place} {operator} {self.value(chosen.value)};"
        if draft.chance(25):
            return f"{self.matrix}[{self.index()},{self.index()}] {operator} {self.number()};"
        name = draft.pick(list(self.vectors))
        return f"{name}[{self.index()}] {operator} {self.value(self.vectors[name])};"

    def swap(self) -> str:
        """Two elements that change places."""
        name, other = self.draft.pick(list(self.vectors)), self.draft.fresh("t")
        first, second = self.index(), self.index()
        return (
            f"var {other} = {name}[{first}]; {name}[{first}] = {name}[{second}]; "
            f"{name}[{second}] = {other};"
        )

    def fold(self) -> str:
        """A statement over all elements of an array, or over some."""
        draft, q = self.draft, self.draft.fresh("q")
        vector = draft.pick([v for v, type in self.vectors.items() if type == "Double"])
        number = draft.pick(self.numbers["Double"])
        last = draft.pick([*self.counters, "n", "4"])
        monoid = draft.pick(("+", "max", "+"))
        if draft.chance(30):
            leaf = draft.pick((number, "0.5"))
            return f"for {q} = 0, {last} do {vector}[{q}] = 0.5*{vector}[{q}] - {leaf};"
        if draft.chance(50):
            return f"for {q} = 0, {last} do {number} += 0.25*{vector}[{q}]*{self.matrix}[{q},1];"
        return f"{number} = max(-9.0, {monoid}/[ 0.25*v | ({q},v) <- {vector}, {q} <= {last} ]);"

    def loop(self, depth: int) -> str:
        """A loop within a loop."""
        draft, counter = self.draft, self.draft.fresh("k")
        times = draft.pick(("2", "4", "n", "0"))
        self.counters.append(counter)
        kind = draft.count(1, 3)
        if kind == 1:
            body = self.block(depth)
            text = f"var {counter} = 0; while ({counter} < {times}) {{ {body} {counter} += 1; }};"
        elif kind == 2:
            test, body = self.condition(), self.block(depth)
            text = (
                f"var {counter} = 0; while ({counter} < {times} && ({test})) "
                f"{{ {counter} += 1; {body} }};"
            )
        else:
            steps = [f"0, n, {outer}" for outer in self.counters if outer != counter]
            bounds = draft.pick((f"0, {times}", f"{times}, 0, -1", "0, n, 2", *steps))
            text = f"for {counter} = {bounds} do {{ {self.block(depth)} }};"
        self.counters.remove(counter)
        return text


def sequence(draft: Draft) -> None:
    """Variables, and loops over them at the top of the program."""
    parts = _Sequence(draft)
    for type in ("Int", "Double"):
        element: Element = type
        names = [draft.fresh("a" if element == "Int" else "x") for _ in range(2)]
        for name in names:
            draft.declare(name, str(draft.count(0, 4)) + (".5" if element == "Double" else ""))
        for name in names:
            draft.scalars.append((name, element))
        parts.numbers[element] = names
        vector = draft.fresh("V")
        value = "3*i % 7" if element == "Int" else "0.25*i - 0.5"
        draft.declare(vector, f"tensor({_SIZE})[ (i, {value}) | i <- 0..{_SIZE - 1} ]")
        parts.vectors[vector] = element
        draft.arrays.append(ArrayVariable(vector, (str(_SIZE),), element))
    parts.matrix = draft.fresh("M")
    ranges = f"i <- 0..{_SIZE - 1}, j <- 0..{_SIZE - 1}"
    draft.declare(parts.matrix, f"tensor({_SIZE},{_SIZE})[ ((i,j), 0.5*i - 0.25*j) | {ranges} ]")
    draft.arrays.append(ArrayVariable(parts.matrix, (str(_SIZE), str(_SIZE)), "Double"))
    for _ in range(draft.count(0, 2)):
        key: Element = draft.pick(("Int", "Int", "Double"))
        chosen = MapVariable(draft.fresh("H"), key, draft.pick(("Int", "Double")))
        first = "i" if key == "Int" else "0.5*i"
        value = "3*i % 7" if chosen.value == "Int" else "0.25*i - 0.5"
        draft.declare(chosen.name, f"map[ ({first}, {value}) | i <- 0..{_SIZE - 1} ]")
        parts.maps.append(chosen)
    draft.maps += parts.maps
    for _ in range(draft.count(1, 2)):
        draft.lines.append(parts.loop(draft.count(1, 2)))
