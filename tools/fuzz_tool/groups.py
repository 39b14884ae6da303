"""Writes random group-bys, and what is computed from the bags of a group."""

from __future__ import annotations

from abc import ABC

from diablo.tools.fuzz_tool.model import Bag, Columns, Element, Monoid, Scope
from diablo.tools.fuzz_tool.qualifiers import Bound, QualifierWriter
from diablo.tools.fuzz_tool.scalars import OPERATORS


class GroupWriter(QualifierWriter, ABC):
    """The part of the writer that knows groups and reductions."""

    def group_by(self, scope: Scope, bound: Bound, parts: int) -> tuple[str, Scope]:
        """A group-by of so many integer keys; what is in scope below it."""
        ints = [name for name, columns in bound if columns == ("Int",)]
        below = self.inner_scope()
        if len(set(ints)) >= parts and self.chance(65):
            keys = self.shuffled(ints)[:parts]
            text = f"group by {self.tuple_of(keys)}"
        else:
            keys = [self.fresh("g") for _ in range(parts)]
            values = [self.group_key(scope) for _ in keys]
            text = f"group by {self.tuple_of(keys)}: {self.tuple_of(values)}"
        below.values["Int"] += keys
        below.indices += keys
        below.free = list(keys)
        below.reads = self.chance(30)
        below.bags = [Bag(name, columns) for name, columns in bound if name not in keys]
        return text, below

    def group_by_string(self, scope: Scope, bound: Bound) -> tuple[str, Scope, str]:
        """A group-by of one string, for maps and lists; its key is the last result."""
        key = self.fresh("g")
        below = self.inner_scope()
        below.values["String"].append(key)
        below.bags = [Bag(name, columns) for name, columns in bound]
        return f"group by {key}: {self.scalar(scope, 'String', 1)}", below, key

    def group_by_float(self, scope: Scope, bound: Bound) -> tuple[str, Scope, str]:
        """A group-by of one float, for maps; its key is the last result."""
        key = self.fresh("g")
        below = self.inner_scope()
        below.values["Double"].append(key)
        below.bags = [Bag(name, columns) for name, columns in bound]
        return f"group by {key}: {self.float_key(scope)}", below, key

    def group_key(self, scope: Scope) -> str:
        """An integer to group by."""
        if self.chance(30) and scope.values["Int"]:
            return self.scalar(scope, "Int", 1)
        return f"{self.affine(scope)}{self.pick(('', '', '%2'))}"

    def reduction(self, scope: Scope, element: Element) -> str:
        """An expression of a type over the bags of a group."""
        if not scope.bags:
            return self.scalar(scope, element, 1)
        if element == "Boolean":
            bag = self.pick(scope.bags)
            return f"({bag.text}.length > {self.count(1, 3)})"
        if element == "String":
            return self.string_reduction(scope)
        return self.number_reduction(scope, element)

    def string_reduction(self, scope: Scope) -> str:
        """A string that says something about the bags of a group."""
        strings = [b for b in scope.bags if b.columns == ("String",)]
        last = next((m for m in self.monoids if m.name == "last"), None)
        if strings and last is not None:
            return f"last/{self.pick(strings).text}"
        return f"({self.pick(scope.bags).text}.length + {self.leaf(scope, 'String')})"

    def number_reduction(self, scope: Scope, element: Element) -> str:
        """A number computed from the bags of a group."""
        chosen = [bag for bag in scope.bags if bag.columns == (element,)]
        if element == "Int" and (not chosen or self.chance(20)):
            return f"{self.pick(scope.bags).text}.length"
        if self.chance(15) and (text := self.reduced_rows(scope, element)):
            return text
        if not chosen:
            return f"({self.pick(scope.bags).text}.length + 0.5)"
        bag = self.pick(chosen).text
        kind = self.count(1, 100)
        if kind <= 60:
            own = [m.name for m in self.monoids if m.type == element]
            return f"{self.pick(('+', '+', 'max', 'min', *own))}/{bag}"
        if kind <= 68:
            return f"+/[ x*x | x <- {bag}, x > {'0' if element == 'Int' else '0.25'} ]"
        if kind <= 73:
            one, two = ("1", "2") if element == "Int" else ("0.5", "2.0")
            return f"(if (&&/[ x > 0 | x <- {bag} ]) {one} else {two})"
        if kind <= 76 and element == "Double":
            return f"(+/{bag} / {bag}.length)"
        other = self.number_reduction(scope, element)
        last = self.scalar(scope, element, 1) if self.chance(30) else other
        return f"(+/{bag} {self.pick(OPERATORS)} {last})"

    def reduced_rows(self, scope: Scope, element: Element) -> str | None:
        """A sum over the rows of one bag, whose parts it multiplies."""
        wide = [bag for bag in scope.bags if len(bag.columns) > 1 and element in bag.columns]
        if not wide:
            return None
        bag = self.pick(wide)
        inner = scope.silent()
        inner.nesting += 2
        source = self.rows_of(inner, [], bag.text, bag.columns)
        return f"+/[ {self.scalar(inner, element, 1)} | {', '.join(source)} ]"

    def opened(self, scope: Scope) -> list[str]:
        """Go through the rows of some bag below a group-by, now and then."""
        if not scope.bags or not self.uses("list columns", 30):
            return []
        bag = self.pick(scope.bags)
        return self.rows_of(scope, [], bag.text, bag.columns)

    # ---- totals ----------------------------------------------------------------------------

    def nested_total(self, scope: Scope, element: Element) -> str:
        """A reduction of a comprehension that may use what is in scope; it is finite."""
        qualifiers, inner, _ = self.qualifiers(scope)
        inner.nesting = max(inner.nesting, 3)  # no deeper
        source = ", ".join(qualifiers)
        if element == "Boolean":
            monoid = self.pick(("||", "&&", "any", "all"))
            return f"({monoid}/[ {self.condition(inner, 1)} | {source} ])"
        if element == "String":
            return f"toString(+/[ {self.scalar(inner, 'Int', 1)} | {source} ])"
        value = self.scalar(inner, element, 1)
        if element == "Int" and self.uses("built-in reductions", 40):
            # Of floats that differ by how they are rounded it would be one or the other.
            name = self.pick(("argmin", "argmax", "count", "sum"))
            pair = f"({self.scalar(inner, 'Int', 1)}, {value})"
            return f"{name}/[ {pair if name.startswith('arg') else value} | {source} ]"
        if self.chance(70):
            return f"(+/[ {value} | {source} ])"
        # Of no rows the largest is an infinity, or the least integer.
        monoid, bound = self.pick((("max", "0"), ("min", "3")))
        limit = bound if element == "Int" else f"{bound}.0"
        return f"{monoid}({limit}, {monoid}/[ {value} | {source} ])"

    def monoid_total(self, monoid: Monoid, scope: Scope, source: str) -> str:
        """`op/[ … ]` with a monoid of the program's own."""
        if monoid.type == "Pair":
            value = f"({self.scalar(scope, 'Double', 1)}, {self.scalar(scope, 'Int', 1)})"
        else:
            value = self.scalar(scope, monoid.type, 1)
        return f"{monoid.name}/[ {value} | {source} ]"

    def list_columns(self, scope: Scope) -> list[tuple[str, Columns]]:
        """Bags of a group to be kept as they are."""
        if not scope.bags or not self.uses("list columns", 50):
            return []
        return [(bag.text, bag.columns) for bag in self.shuffled(scope.bags)[:1]]
