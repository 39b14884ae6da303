"""What the names of a program stand for while it is imported, and what is known of their values.

A call is inlined, so that what its arrays are stored as is known in it: a function has a version
per storage kind of the arrays that it is given. Calls with equal kinds come to the same code, of
which `share-kernels` keeps one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from xdsl.dialects.builtin import DictionaryAttr, IndexType
from xdsl.ir import SSAValue

from diablo.diagnostics import Diagnostic, report
from diablo.dialects.comprehension import MonoidOp
from diablo.dialects.encodings import as_array, dense_rank
from diablo.frontend.checking.index_sets import IndexSet
from diablo.frontend.checking.scope import Function, Symbol
from diablo.frontend.checking.types import INT
from diablo.frontend.emission.bindings import Binding
from diablo.frontend.emission.ir_types import Value, ir_type
from diablo.frontend.emission.region_values import Dimension, Over, RegionValue
from diablo.frontend.parsing import syntax


@dataclass(frozen=True)
class Closure:
    """A lambda, with the variables that it may use."""

    function: syntax.Lambda
    values: Mapping[Symbol, Value]
    closures: Mapping[Symbol, Closure]


@dataclass(frozen=True)
class Key:
    """What tells the rows of a comprehension apart: an index, or a value that is hashed.

    `step` has the sign of the step that an index goes by.
    """

    value: SSAValue
    hashed: bool = False
    step: int | SSAValue = 1


def row_keys(row: list[SSAValue]) -> list[Key]:
    """Return what tells the rows of a list apart: their values."""
    return [Key(value, hashed=True) for value in row]


def group_keys(keys: list[SSAValue]) -> list[Key]:
    """Return what tells groups apart: their keys, as indices if they are integers."""
    integers = (IndexType(), ir_type(INT))
    return [Key(key, hashed=key.type not in integers) for key in keys]


Kinds = tuple[tuple[str, str], ...]


@dataclass
class Versions:
    """How often each function is called with arrays of which storage."""

    calls: dict[Function, Counter[Kinds]] = field(default_factory=dict[Function, Counter[Kinds]])

    def add(self, function: Function, arrays: Mapping[str, SSAValue]) -> None:
        """Count a call with these values of the parameters that are arrays."""
        if arrays:
            kinds = tuple((name, storage_words(array)) for name, array in arrays.items())
            self.calls.setdefault(function, Counter())[kinds] += 1

    def report(self) -> None:
        """Say which versions there are of the functions that are called several times."""
        for function, calls in self.calls.items():
            if calls.total() == 1:
                continue
            count = "1 version" if len(calls) == 1 else f"{len(calls)} versions"
            name = function.definition.name
            kinds = "; ".join(f"{_words(kinds)} ({n})" for kinds, n in calls.items())
            message = f"{name.name} has {count} for {calls.total()} calls: {kinds}"
            report(Diagnostic("remark", message, name.span))


def storage_words(value: SSAValue) -> str:
    """Return how an array is stored, in words."""
    array = as_array(value.type)
    assert array is not None
    rank, dense = array.get_num_dims(), dense_rank(array)
    if dense == rank:
        return "dense"
    return "sparse" if dense == 0 else f"sparse in {rank - dense} of {rank} dimensions"


def _words(kinds: Kinds) -> str:
    return ", ".join(f"{name} {storage}" for name, storage in kinds)


@dataclass
class EmissionScope:
    """What the names of a program stand for, and what is known of their values."""

    bindings: Mapping[str, Binding]
    """The inputs of which the value or the kind is known."""
    values: dict[Symbol, Value] = field(default_factory=dict["Symbol", "Value"])
    closures: dict[Symbol, Closure] = field(default_factory=dict["Symbol", "Closure"])
    versions: Versions = field(default_factory=Versions)
    monoids: dict[object, MonoidOp] = field(default_factory=dict[object, "MonoidOp"])
    """By their definitions, or by what says as much of those that the importer makes."""
    arguments: list[DictionaryAttr] = field(default_factory=list["DictionaryAttr"])
    """The attributes of the function's arguments."""
    extents: dict[str, tuple[SSAValue, int]] = field(
        default_factory=dict[str, "tuple[SSAValue, int]"]
    )
    """The first array and dimension of each name that extents have."""
    sizes: list[tuple[Symbol, str]] = field(default_factory=list["tuple[Symbol, str]"])
    """The inputs that are extents of arrays, and the names of these."""
    files: dict[str, SSAValue] = field(default_factory=dict[str, "SSAValue"])
    """The arrays that `read` stands for."""
    errors: list[Diagnostic] = field(default_factory=list["Diagnostic"])

    # Random numbers.
    keys: list[Key] = field(default_factory=list["Key"])
    """What a random number depends on."""
    seed: SSAValue | None = None
    occurrences: int = 0

    # Regions.
    regions: dict[IndexSet, RegionValue] = field(default_factory=dict["IndexSet", "RegionValue"])
    """The regions that are declared."""
    over: dict[SSAValue, Over] = field(default_factory=dict["SSAValue", "Over"])
    """Arrays, and variables that hold one, which are over a region."""
    given_over: Mapping[Symbol, Over] = field(default_factory=dict["Symbol", "Over"])
    """What the arguments of the functions that are being inlined are over."""
    positions: dict[SSAValue, tuple[Dimension, SSAValue]] = field(
        default_factory=dict["SSAValue", "tuple[Dimension, SSAValue]"]
    )
    """The position of an index that a region's generator gave, and in which dimension."""
    inside: list[tuple[tuple[SSAValue, ...], IndexSet]] = field(
        default_factory=list["tuple[tuple[SSAValue, ...], IndexSet]"]
    )
    """Indices that are known to be in a region."""
