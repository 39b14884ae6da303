"""Guesses which types the names of a program have that it does not declare, by their uses.

for i = 0, n-1 do s += B[i,j]       ->   {"n": "Int", "B": "matrix[Double]", "j": "Int"}
for p in L do s += toInt(p.age)     ->   {"p.age": "Double", "L": "list[<age: Double>]"}

A field of a name is a name as well, and the rows of a collection are what the names are that stand
for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from diablo.frontend.checking.builtin_functions import STRING_FUNCTIONS
from diablo.frontend.parsing import statements, syntax, type_syntax
from diablo.frontend.parsing.tree_walk import walk
from diablo.scalar_table import BY_NAME

_ARRAYS = {1: "vector", 2: "matrix"}
_OF_ANY = ("length", "rows", "cols", "t")
"""What follows a dot, and is no field of a record."""


@dataclass
class _Found:
    """What is known so far: of `numbers` and `perhaps` only what `types` says nothing of."""

    types: dict[str, str] = field(default_factory=dict[str, str])
    numbers: dict[str, str] = field(default_factory=dict[str, str])
    perhaps: dict[str, str] = field(default_factory=dict[str, str])

    def element(self, pattern: syntax.Pattern) -> str:
        """The type of the values that a pattern matches."""
        if isinstance(pattern, syntax.TuplePattern):
            return f"({', '.join(map(self.element, pattern.items))})"
        return self._value(pattern.name)

    def _value(self, name: str) -> str:
        known = self.all()
        paths = [key.removeprefix(f"{name}.") for key in known if key.startswith(f"{name}.")]
        fields = list(dict.fromkeys(path.partition(".")[0] for path in paths))
        if not fields or self.types.get(name):
            type = known.get(name, "Double")
            return type if type in BY_NAME else "Double"
        of = {field: self._value(f"{name}.{field}") for field in fields}
        positions = [int(field[1:]) for field in fields if re.fullmatch("_[1-9]", field)]
        if len(positions) == len(fields):
            parts = [of.get(f"_{n}", "Double") for n in range(1, max([2, *positions]) + 1)]
            return f"({', '.join(parts)})"
        return f"<{', '.join(f'{field}: {type}' for field, type in of.items())}>"

    def all(self) -> dict[str, str]:
        """Return what is known of all names."""
        return self.perhaps | self.numbers | self.types

    def rows(self, pattern: syntax.Pattern) -> str:
        """A collection whose rows a pattern matches."""
        match pattern:
            case syntax.TuplePattern(
                items=[syntax.TuplePattern(items=indices), syntax.NamePattern() as value]
            ):
                return _array(len(indices), self.element(value))
            case syntax.TuplePattern(
                items=[syntax.NamePattern(name=name), syntax.NamePattern() as value]
            ) if self.all().get(name, "Int") in ("Int", "Double"):
                return _array(1, self.element(value))
            case _:
                return f"list[{self.element(pattern)}]"


def suggested_types(program: statements.Program) -> dict[str, str]:
    """Return the types of names, as written, that their first telling use suggests."""
    found = _Found()
    variables: dict[str, str] = {}
    maps: dict[str, str] = {}
    declared: set[str] = set()
    counted: set[object] = set()
    for node in walk(program):
        if isinstance(node, statements.Input | statements.Var):
            declared.add(node.name.name)
        if isinstance(node, statements.Var) and isinstance(node.init, syntax.Literal):
            variables[node.name.name] = node.init.kind
        if isinstance(node, statements.Input | statements.Var):
            match node.type:
                case type_syntax.NamedType(
                    name="map", arguments=[type_syntax.NamedType(name=key), _]
                ):
                    maps[node.name.name] = key
                case _:
                    pass
    rows: dict[str, str] = {}
    generators: list[tuple[str, syntax.Pattern]] = []
    for node in walk(program):
        match node:
            case syntax.Index(base=syntax.Name(name=name), indices=[key]) if name in maps:
                # The key of a map is no number of an element.
                found.types |= dict.fromkeys(_names(key), maps[name])
                continue
            case (
                syntax.Generator(source=syntax.Name(name=name), pattern=pattern)
                | statements.ForIn(source=syntax.Name(name=name), pattern=pattern)
            ):
                generators.append((name, pattern))
            case statements.Assign():
                target = node.target
                if isinstance(target, syntax.Name) and target.name in variables:
                    kind = variables[target.name]
                    found.numbers |= dict.fromkeys(_names(node.value), kind)
                match target:
                    case syntax.Index(base=syntax.Name(name=name), indices=[syntax.Name() as key]):
                        if node.monoid is not None and name not in declared:
                            counted.add(target)
                            found.perhaps[key.name] = "String"
                    case _:
                        pass
            case syntax.Binary(op="+" | "-" | "*" | "/"):
                found.numbers |= dict.fromkeys(_names(node.lhs, node.rhs), "Double")
            case syntax.Call(function=function) if function in STRING_FUNCTIONS:
                wanted = STRING_FUNCTIONS[function].parameters
                for argument, type in zip(node.arguments, wanted, strict=False):
                    found.types |= dict.fromkeys(_names(argument), type.name)
            case syntax.Field(base=syntax.Name(name=name), name="length"):
                found.perhaps[name] = "String"
            case syntax.Field():
                for name in _names(node):
                    found.perhaps.setdefault(name, "Double")
            case _:
                pass
        uses = () if node in counted else _uses(node)
        for name, type in uses:
            found.types.setdefault(name, type)
    for name, pattern in generators:
        rows.setdefault(name, found.rows(pattern))
    return found.numbers | found.types | rows


def _array(rank: int, element: str) -> str:
    return f"{_ARRAYS.get(rank, f'array{rank}')}[{element}]"


def _uses(node: object) -> Iterator[tuple[str, str]]:
    """Return what one node of the syntax tree says of the names right below it."""
    match node:
        case syntax.Index(base=syntax.Name(name=name)):
            yield name, _array(len(node.indices), "Double")
            for index in node.indices:
                yield from _all(index, "Int")
        case statements.For():
            yield from _all((node.lower, node.upper, node.step), "Int")
        case syntax.Range():
            yield from _all((node.lower, node.upper), "Int")
        case syntax.Constructor():
            yield from _all((node.dense, node.sparse), "Int")
        case syntax.Reduction(operand=syntax.Name(name=name)):
            yield name, "list[Double]"
        case syntax.Binary(op="@"):
            yield from ((n, "matrix[Double]") for n in _names(node.lhs, node.rhs))
        case syntax.Binary(op="&&" | "||") | syntax.Unary(op="!"):
            sides = (node.lhs, node.rhs) if isinstance(node, syntax.Binary) else (node.operand,)
            yield from ((n, "Boolean") for n in _names(*sides))
        case syntax.Binary():
            for side, other in ((node.lhs, node.rhs), (node.rhs, node.lhs)):
                match side, other:
                    case syntax.Index(base=syntax.Name(name=name)), syntax.Literal(kind="Char"):
                        yield name, "String"
                    case _, syntax.Literal(kind=kind):
                        yield from ((n, kind) for n in _names(side))
                    case _:
                        pass
        case _:
            pass


def _all(node: object, type: str) -> Iterator[tuple[str, str]]:
    """The names in sums and products, which have the type of these."""
    match node:
        case syntax.Name():
            yield node.name, type
        case syntax.Binary():
            yield from _all((node.lhs, node.rhs), type)
        case list() | tuple():
            for item in node:  # pyright: ignore[reportUnknownVariableType]
                yield from _all(item, type)  # pyright: ignore[reportUnknownArgumentType]
        case _:
            pass


def _names(*exprs: syntax.Expr | syntax.Slice) -> list[str]:
    """The expressions that are names, or fields of such: `p.age`."""
    found: list[str] = []
    for expr in exprs:
        path, base = "", expr
        while isinstance(base, syntax.Field) and base.name not in _OF_ANY:
            path, base = f".{base.name}{path}", base.base
        if isinstance(base, syntax.Name):
            found.append(base.name + path)
    return found
