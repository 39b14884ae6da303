"""What a writer of random programs knows: the program so far, its variables, what is in scope."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from diablo.scalar_table import SCALARS
from fuzzing.region_model import Member, Region

Element = Literal["Int", "Double", "Boolean", "String"]
"""The scalar types."""

INT: Element = "Int"
STRING: Element = "String"
BOOLEAN: Element = "Boolean"

Pair = Literal["Pair"]
"""The one type of tuples in arrays and monoids: `(Double,Int)`."""

Columns = tuple[Element, ...]
"""The parts of a list's rows."""

FEATURES = (
    "branch reads",
    "booleans",
    "strings",
    "tuples",
    "records",
    "maps",
    "monoids",
    "built-in reductions",
    "functions",
    "slices",
    "private variables",
    "updates",
    "nested totals",
    "running totals",
    "inner lists",
    "inner arrays",
    "list columns",
    "list literals",
    "pairs in arrays",
    "computed steps",
    "ordered loops",
    "arrays of arrays",
    "arrays of lists",
    "flood dimensions",
    "regions",
    "extreme integers",
    "narrow types",
    "complex numbers",
    "float keys",
    "repeated indices",
    "sequential loops",
    "computed places",
    "sorted rows",
)
"""The parts of the language that a program uses only if it is chosen for it."""


@dataclass
class RandomProgram:
    """The text of a program and a value for each of its inputs."""

    text: str
    inputs: dict[str, Any]
    features: tuple[str, ...] = ()


@dataclass(frozen=True)
class ArrayVariable:
    """A variable that holds an array."""

    name: str
    dims: tuple[str, ...]
    element: Element | Pair

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.dims)


@dataclass(frozen=True)
class NarrowArray:
    """A variable that holds an array of integers of some other type than `Int`."""

    name: str
    dims: tuple[str, ...]
    type: str


@dataclass(frozen=True)
class ComplexArray:
    """A variable that holds an array of complex numbers."""

    name: str
    dims: tuple[str, ...]
    type: str


@dataclass(frozen=True)
class RegionArray:
    """A variable that holds an array over a region."""

    name: str
    dims: tuple[str, ...]
    element: Element
    region: Region
    fill: str | None = None
    """Its fill value, if that is a constant."""

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return self.region.rank

    @property
    def plain(self) -> ArrayVariable:
        """The variable as one that holds an array."""
        return ArrayVariable(self.name, self.dims, self.element)


@dataclass(frozen=True)
class Bag:
    """An expression whose value is a list of rows of scalars."""

    text: str
    columns: Columns


@dataclass(frozen=True)
class ListVariable:
    """A variable that holds a list; a column may be a list itself."""

    name: str
    columns: tuple[Element | Columns, ...]


@dataclass(frozen=True)
class ListArray:
    """A variable that holds an array of lists."""

    name: str
    rank: int
    columns: Columns


@dataclass(frozen=True)
class MapVariable:
    """A variable that holds a map."""

    name: str
    key: Element
    value: Element


@dataclass(frozen=True)
class Function:
    """A function of the program."""

    name: str
    parameters: Columns
    result: Element


@dataclass(frozen=True)
class Monoid:
    """A monoid of the program's own; `bounded` if its identity is no infinity."""

    name: str
    type: Element | Pair
    definition: str
    bounded: bool = True


MONOIDS = (
    Monoid(
        "least",
        "Pair",
        "((inf,9223372036854775807), (x,y) => "
        "if (x._1 < y._1 || (x._1 == y._1 && x._2 <= y._2) "
        "|| (x._1 != x._1 && (y._1 == y._1 || x._2 <= y._2))) x else y)",
        bounded=False,
    ),
    Monoid("both", "Pair", "((0.0,0), (x,y) => (x._1+y._1, x._2+y._2))"),
    Monoid(
        "furthest",
        "Double",
        "(0.0, (x,y) => if (x != x || abs(x) > abs(y) || (abs(x) == abs(y) && x > y)) x else y)",
    ),
    Monoid("odd", "Boolean", "(false, (x,y) => x != y)"),
    Monoid("total", "Int", "(0, (x,y) => x + y)"),
    Monoid("last", "String", '("", (x,y) => if (x < y) y else x)'),
)
"""Monoids that a program may define; all are commutative and associative, of NaN too."""

COMPLEX = tuple(row for row in SCALARS if row.domain == "complex")
"""The types of complex numbers."""

NARROW = tuple(row for row in SCALARS if row.is_sized)
"""The types of integers beside `Int`."""

SOURCE_TYPES: dict[Element | Pair, str] = {
    "Int": "Int",
    "Double": "Double",
    "Boolean": "Boolean",
    "String": "String",
    "Pair": "(Double,Int)",
}
"""How each type is written."""


def _no_values() -> dict[Element, list[str]]:
    return {"Int": [], "Double": [], "Boolean": [], "String": []}


Bound = list[tuple[str, Columns]]
"""The variables of a comprehension, with the parts of their values."""


@dataclass
class Scope:
    """The expressions that may be used at a place."""

    values: dict[Element, list[str]] = field(default_factory=_no_values)
    indices: list[str] = field(default_factory=list[str])
    free: list[str] = field(default_factory=list[str])
    """The indices that together tell the iterations apart."""
    bags: list[Bag] = field(default_factory=list[Bag])
    arrays: list[ArrayVariable] = field(default_factory=list[ArrayVariable])
    """Arrays that exist only here."""
    from_list: bool = False
    """Whether equal iterations may occur."""
    ties: bool = False
    """Whether there may be rows that differ in lists alone, by which they have no order."""
    reads: bool = True
    """Whether elements of arrays may be read."""
    nesting: int = 0
    """How many comprehensions and loops are around."""
    members: list[Member] = field(default_factory=list[Member])
    """The indices of regions that loops go through."""

    def copy(self) -> Scope:
        """The same, to be extended."""
        return Scope(
            {element: list(texts) for element, texts in self.values.items()},
            list(self.indices),
            list(self.free),
            list(self.bags),
            list(self.arrays),
            self.from_list,
            self.ties,
            self.reads,
            self.nesting,
            list(self.members),
        )

    def silent(self) -> Scope:
        """The same without reads of elements."""
        scope = self.copy()
        for texts in scope.values.values():
            texts[:] = [text for text in texts if "[" not in text]
        scope.reads = False
        return scope
