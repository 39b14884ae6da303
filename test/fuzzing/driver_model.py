"""What a writer of driver loops knows: kinds of numbers, arrays, and how exact these are.

Sums are the same in any order as long as nothing is rounded, and then a product that BLAS makes
has the bits of one that is added up in turn. So each array has a bound, and so many bits behind
the point, and what would have more than its type holds is not written.

    Amount(1, 2)    ->   multiples of 1/4 up to 2
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from fuzzing.draft import Draft

_EXTENT = 7
"""How many bits the sums over a dimension add at most, the longer inputs of later calls too."""


@dataclass(frozen=True)
class Amount:
    """Multiples of 2**-low that are 2**high at most."""

    high: int = 0
    low: int = 0

    def __add__(self, other: Amount) -> Amount:
        return Amount(max(self.high, other.high) + 1, max(self.low, other.low))

    def __mul__(self, other: Amount) -> Amount:
        return Amount(self.high + other.high, self.low + other.low)

    def __or__(self, other: Amount) -> Amount:
        """One of the two."""
        return Amount(max(self.high, other.high), max(self.low, other.low))

    @property
    def summed(self) -> Amount:
        """A sum over a dimension."""
        return Amount(self.high + _EXTENT, self.low)

    def is_within(self, other: Amount) -> bool:
        """Whether all such numbers are of another amount, too."""
        return self.high <= other.high and self.low <= other.low

    @property
    def is_standard(self) -> bool:
        """Whether what a loop carries may be so."""
        return self.is_within(STANDARD)


STANDARD = Amount(1, 2)
"""What variables hold where a block begins and ends."""


@dataclass(frozen=True)
class Kind:
    """A type of elements; `real` is that of the parts of a complex one."""

    name: str
    domain: Literal["float", "complex", "integer", "boolean"]
    dtype: str
    bits: int = 0
    """How many of them a number has, less one that complex products may want."""
    suffix: str = ""
    """What is behind a literal."""
    real: str = ""

    def holds(self, amount: Amount) -> bool:
        """Whether nothing so large is rounded; integers wrap around instead."""
        return not self.bits or amount.high + amount.low <= self.bits

    @property
    def is_rounded(self) -> bool:
        """Whether sums of large numbers depend on their order."""
        return self.bits > 0


KINDS = {
    kind.name: kind
    for kind in (
        Kind("Double", "float", "float64", 51, "", "Double"),
        Kind("Float", "float", "float32", 22, "f", "Float"),
        Kind("Complex128", "complex", "complex128", 50, "", "Double"),
        Kind("Complex64", "complex", "complex64", 21, "f", "Float"),
        Kind("Int", "integer", "int64"),
        Kind("Int32", "integer", "int32"),
        Kind("Int8", "integer", "int8"),
        Kind("UInt8", "integer", "uint8"),
        Kind("Boolean", "boolean", "bool"),
    )
}


@dataclass(frozen=True)
class Term:
    """An expression, and how large and exact its values are."""

    text: str
    amount: Amount = STANDARD


@dataclass
class DriverArray:
    """A variable that holds an array; its amount is that of the place in the program."""

    name: str
    dims: tuple[str, ...]
    kind: Kind
    amount: Amount = STANDARD
    is_sparse: bool = False
    is_input: bool = False

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.dims)

    @property
    def term(self) -> Term:
        """The whole array."""
        return Term(self.name, self.amount)


@dataclass
class LoopScope:
    """What the statements of a loop may use."""

    draft: Draft
    kinds: list[Kind]
    """The kinds of numbers of the program; the first is what most of it is about."""
    is_loose: bool = False
    """Whether numbers are rounded: then none of them decides anything."""
    arrays: list[DriverArray] = field(default_factory=list[DriverArray])
    scalars: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """The variables of each kind, all of standard amount."""
    counters: list[str] = field(default_factory=list[str])
    divisor: str = ""
    """A variable that things are divided by, which may become zero."""
    depth: int = 0
    """How many blocks are around."""

    def block(self) -> LoopScope:
        """The scope of a block within, whose arrays are not seen outside."""
        return LoopScope(
            self.draft,
            self.kinds,
            self.is_loose,
            list(self.arrays),
            self.scalars,
            list(self.counters),
            self.divisor,
            self.depth + 1,
        )

    def some(self, kind: Kind, rank: int | None = None) -> list[DriverArray]:
        """The arrays of a kind."""
        return [a for a in self.arrays if a.kind == kind and rank in (None, a.rank)]

    def alike(self, dims: tuple[str, ...], kind: Kind) -> list[DriverArray]:
        """The dense arrays of a kind with these dimensions."""
        return [a for a in self.some(kind, len(dims)) if a.dims == dims and not a.is_sparse]

    def fits(self, kind: Kind, amount: Amount) -> bool:
        """Whether values of such an amount may be computed."""
        return self.is_loose or kind.holds(amount)


def random_elements(
    numbers: np.random.Generator, shape: tuple[int, ...], kind: Kind
) -> np.ndarray[tuple[int, ...], np.dtype[np.generic]]:
    """The elements of an array that the caller gives, of standard amount."""
    if kind.domain == "boolean":
        return numbers.random(shape) < 0.5
    if kind.domain == "integer":
        low = 0 if kind.dtype.startswith("u") else -4
        return numbers.integers(low, 5, shape).astype(kind.dtype)
    values = numbers.integers(-8, 9, shape) * 0.25
    if kind.domain == "complex":
        values = values + 0.25j * numbers.integers(-8, 9, shape)
    return values.astype(kind.dtype)
