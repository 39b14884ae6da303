"""Writes random loops and the assignments in them."""

from __future__ import annotations

from abc import ABC

from diablo.tools.fuzz_tool.model import Scope
from diablo.tools.fuzz_tool.updates import ACCUMULATIONS, UpdateWriter


class LoopWriter(UpdateWriter, ABC):
    """The part of the writer that knows loops."""

    def loop(self) -> str:
        """A nest of loops with one or two statements inside."""
        scope, heads = self.inner_scope(), list[str]()
        for _ in range(self.pick((1, 1, 2, 2, 3))):
            heads.append(self.head(scope, outermost=not heads))
        body = " ".join(self.loop_statement(scope) for _ in range(self.count(1, 2)))
        return f"{' '.join(heads)} {{ {body} }};"

    def head(self, scope: Scope, *, outermost: bool) -> str:
        """The head of one loop."""
        kind = self.count(1, 100)
        if kind <= 62 or not outermost:
            name = self.fresh("i")
            step = self.pick(("", "", "", "", "", ", 2"))
            if self.uses("computed steps", 40):
                step = self.pick((", n", ", m", ", m+1"))
            head = f"for {name} = {self.bounds(scope, ', ')}{step} do"
            scope.free.append(name)
            scope.indices.append(name)
            scope.values["Int"].append(name)
            return head
        if self.maps and kind <= 72:
            chosen = self.pick(self.maps)
            source = self.map_generator(scope, [], chosen.name, chosen.key, chosen.value)
        elif self.lists and kind <= 84:
            source = self.list_generator(scope, [], self.pick(self.lists))
        elif self.arrays:
            source = self.array_generator(scope, [], self.pick(self.arrays), joined=False)
        else:
            return self.head(scope, outermost=False)
        # The guards of a generator are for comprehensions.
        return f"for {source[0].replace('<-', 'in').replace('<=', 'in')} do"

    def loop_statement(self, scope: Scope) -> str:
        """A statement inside of loops."""
        kind = self.count(1, 100)
        if self.uses("private variables", 30):
            return self.private_variable(scope)
        if kind <= 20:
            return f"if ({self.condition(scope)}) {{ {self.write(scope)} }};"
        if kind <= 30:
            condition = self.condition(scope)
            return f"if ({condition}) {{ {self.write(scope)} }} else {{ {self.write(scope)} }};"
        if kind <= 36 and scope.values["Int"]:
            inner = scope.copy()
            guard = self.division(inner)
            write = self.write(inner)
            return f"if ({guard[0]}) {{ {write} }};" if guard else write
        return self.write(scope)

    def private_variable(self, scope: Scope) -> str:
        """A variable of each iteration, changed by a loop or an assignment, and used."""
        element, name = self.number(), self.fresh("t")
        result = [f"var {name} = {self.scalar(scope, element)};"]
        if self.chance(60):
            inner = scope.copy()
            head = self.head(inner, outermost=False)
            update = self.update(inner, name, element, self.scalar(inner, element))
            result.append(f"{head} {{ {update} }};")
        if self.chance(30):
            assignment = f"{name} = {self.scalar(scope, element)};"
            result.append(f"if ({self.condition(scope)}) {{ {assignment} }};")
        scope.values[element].append(name)
        result.append(self.write(scope))
        return " ".join(result)

    def write(self, scope: Scope) -> str:
        """An assignment, mostly one that sets each element once, or an accumulation."""
        if self.uses("ordered loops", 40) and (step := self.ordered_step(scope)) is not None:
            return step
        if self.maps and self.chance(35):
            return self.write_map(scope)
        if self.uses("updates", 12):
            return self.extremum(scope)
        owned = [a for a in self.arrays if a.name not in self.inputs and a.element != "String"]
        accumulated = [scalar for scalar in self.scalars if scalar[1] != "String"]
        if accumulated and (not owned or self.chance(12)):
            name, element = self.pick(accumulated)
            return self.update(scope, name, element, self.scalar(scope, element))
        if not owned:
            return self.accumulate_new(scope)
        array = self.pick(owned)
        if array.element in ("Int", "Double") and self.uses("updates", 15):
            return self.extreme_elements(scope, array)
        if array.element == "Pair" and self.uses("updates", 25):
            return self.extreme_pairs(scope, array)
        if array.element == "Pair":
            value = self.pair(self.scalar(scope, "Double"), self.scalar(scope, "Int"))
        else:
            value = self.scalar(scope, array.element)
        if not scope.ties and self.uses("repeated indices", 40):
            return f"{array.name}[{','.join(self.repeated(scope, array.rank))}] = {value};"
        if not scope.from_list and len(scope.free) <= array.rank and self.chance(55):
            rest = [self.affine(scope) for _ in range(array.rank - len(scope.free))]
            keys = [*(self.injective(i) for i in scope.free), *rest]
            if len(scope.free) == 1 and self.chance(15):
                keys = [scope.free[0]] * array.rank
            return f"{array.name}[{','.join(self.shuffled(keys))}] = {value};"
        place = f"{array.name}[{','.join(self.affine(scope) for _ in range(array.rank))}]"
        if array.element != "Pair":
            return self.update(scope, place, array.element, value)
        own = [m.name for m in self.monoids if m.type == "Pair"]
        if own:
            return self.joined_into(scope, place, self.pick(own), value)
        return self.accumulate_new(scope)

    def ordered_step(self, scope: Scope) -> str | None:
        """An assignment of a whole variable that may read it, for which the loops run in order."""
        if not self.scalars:
            return None
        name, element = self.pick(self.scalars)
        value = self.scalar(scope, element)
        if element == "Double" and self.chance(70):
            return f"{name} = 0.5*{name} - ({value});"
        if element == "Int" and self.chance(70):
            return f"{name} = {name}%1000 - 3*({value});"
        return f"{name} = {value};"

    def write_map(self, scope: Scope) -> str:
        """Write one value of a map, or combine it with what is there."""
        chosen = self.pick(self.maps)
        value = self.scalar(scope, chosen.value)
        unique = not scope.from_list and len(scope.free) == 1
        if not scope.ties and self.uses("repeated indices", 40):
            return f"{chosen.name}[{self.key(scope, chosen.key)}] = {value};"
        if chosen.key == "Int" and unique and self.chance(40):
            return f"{chosen.name}[{self.injective(scope.free[0])}] = {value};"
        if not ACCUMULATIONS[chosen.value]:
            return self.accumulate_new(scope)
        if chosen.value in ("Int", "Double") and self.uses("updates", 20):
            return self.extreme_values(scope, chosen)
        place = f"{chosen.name}[{self.key(scope, chosen.key)}]"
        return self.update(scope, place, chosen.value, value)

    def accumulate_new(self, scope: Scope) -> str:
        """A sum into a new variable of the program."""
        name = self.fresh("s")
        self.lines.append(f"var {name} = 0.0;")
        self.scalars.append((name, "Double"))
        return f"{name} += {self.scalar(scope, 'Double')};"
