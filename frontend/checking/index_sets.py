"""What the checker knows of a region: its bounds, how it is made, what it is part of.

region Tri = R where (i,j) => abs(i-j) < 2   ->   IndexSet("Tri", bounds of R, Filtered(R, …))
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from diablo.diagnostics import Span
from diablo.frontend.parsing import syntax
from diablo.linear_sums import LinearSum, term

Linear = LinearSum[Hashable]
"""An integer that the checker can compare: a sum of what is unknown and a number, `n - 1`."""


def unknown(value: Hashable = None) -> Linear:
    """Something unknown: a variable, or with none a value that equals no other."""
    return term(object() if value is None else value)


_ONE = Linear(constant=1)


@dataclass(frozen=True)
class Bounds:
    """The indices `lower`, `lower + step`, … up to `upper` of one dimension."""

    lower: Linear
    upper: Linear
    step: Linear = _ONE

    @property
    def is_flat(self) -> bool:
        """Whether there is one index only, whatever the inputs are."""
        return self.lower == self.upper

    def shifted(self, offset: Linear) -> Bounds:
        """The same indices, moved by `offset`."""
        return Bounds(self.lower + offset, self.upper + offset, self.step)


FLOOD = None
"""Stands for the bounds of a flood dimension `*`, which has every index."""


# --- How a region is made ------------------------------------------------------------------


@dataclass(eq=False)
class Box:
    """`(a..b, *)`: the ranges of the dimensions; a flood dimension is `None`."""

    ranges: list[syntax.Range | None]


@dataclass(eq=False)
class Alias:
    """Another name for `base`."""

    base: IndexSet


@dataclass(eq=False)
class Strided:
    """`base by (s, t)`: every s-th index, counted from the first of the box."""

    base: IndexSet
    steps: list[syntax.Expr]
    amounts: list[Linear]


@dataclass(eq=False)
class Shifted:
    """`base at (d, e)`: the indices moved by d and e."""

    base: IndexSet
    offsets: list[syntax.Expr]
    amounts: list[Linear]


@dataclass(eq=False)
class Sliced:
    """`base[a:b, *]`, `base[i, *]`: what lies in a slice; an index drops its dimension."""

    base: IndexSet
    parts: list[syntax.Expr | syntax.Slice]

    @property
    def kept(self) -> list[int]:
        """The numbers of the dimensions that are left."""
        return [d for d, part in enumerate(self.parts) if is_slice(part)]


@dataclass(eq=False)
class Filtered:
    """`base where p => e`: the indices of `base` for which the predicate holds."""

    base: IndexSet
    predicate: syntax.Expr


@dataclass(eq=False)
class Patterned:
    """`base where P`: the indices of `base` where a Boolean array, or a file, is true.

    The array counts from the first index of the box, unless it is over a region itself.
    """

    base: IndexSet
    array: syntax.Expr


@dataclass(eq=False)
class Listed:
    """`base where L`: the indices of `base` that a list holds."""

    base: IndexSet
    rows: syntax.Expr


@dataclass(eq=False)
class Open:
    """`base where ?`: empty at first, filled while the program runs."""

    base: IndexSet


@dataclass(eq=False)
class Combined:
    """`lhs && rhs` (in both), `lhs || rhs` (in either), `lhs - rhs` (in the first alone)."""

    op: str
    lhs: IndexSet
    rhs: IndexSet


Making = Box | Alias | Strided | Shifted | Sliced | Filtered | Patterned | Listed | Open | Combined


@dataclass(eq=False)
class IndexSet:
    """A region: a set of indices of one rank, compared by identity.

    `bounds` are those of its box, with a flood dimension as `None`. A region that is not
    `sparse` has every index of the box (every `step`-th).
    """

    name: str
    span: Span
    bounds: tuple[Bounds | None, ...]
    made: Making
    sparse: bool
    fixed_by: tuple[str, Span] | None = None
    """The first declaration that depends on the indices: an open region is fixed from there."""

    named: bool = field(default=True)

    @property
    def rank(self) -> int:
        """The number of dimensions, with the flood dimensions."""
        return len(self.bounds)

    @property
    def has_flood(self) -> bool:
        """Whether some dimension is `*`."""
        return FLOOD in self.bounds

    @property
    def is_open(self) -> bool:
        """Whether the program fills the region while it runs."""
        return isinstance(self.made, Open)

    def __str__(self) -> str:
        return f"the {'sparse ' if self.sparse else 'dense '}region `{self.name}`"


def is_slice(part: syntax.Expr | syntax.Slice) -> bool:
    """Return whether a part of an index takes a range: `a:b` or `*`."""
    return isinstance(part, syntax.Slice | syntax.Wildcard)
