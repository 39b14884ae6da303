"""What a writer of random programs knows of its regions, so that it writes nothing outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Definition = Callable[[Sequence[str]], str]
"""A test whether an index is in a region that does not use the region, but what it is made of."""


@dataclass(frozen=True)
class Region:
    """A region: a declared one, or an expression that stands for one."""

    text: str
    rank: int
    sparse: bool
    within: frozenset[str]
    """The declared regions that are known to contain it, itself among them."""
    extents: tuple[str, ...] | None = None
    """The sizes of its box, if they can be written."""
    begins_at_zero: bool = False
    strided: bool = False
    """Whether a dense region has steps."""
    box: str | None = None
    """A dense region with the same box, if there is one."""
    moved: tuple[str, tuple[int, ...]] | None = None
    """The region that it is a translation of, and by how much."""
    moves: int = 0
    """How often what it is made of is moved."""
    definition: Definition | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Member:
    """Variables that together are an index of a region."""

    names: tuple[str, ...]
    region: Region

    def place_in(self, region: Region) -> tuple[str, ...] | None:
        """Index expressions that are known to be in `region` and differ for each member."""
        if region.text in self.region.within:
            return self.names
        if region.moved is not None and region.moved[0] in self.region.within:
            return _moved(self.names, region.moved[1], 1)
        own = self.region.moved
        if own is not None and own[0] == region.text:
            return _moved(self.names, own[1], -1)
        return None


def _moved(names: tuple[str, ...], amounts: tuple[int, ...], sign: int) -> tuple[str, ...]:
    return tuple(
        f"{name}{sign * amount:+}" if amount else name
        for name, amount in zip(names, amounts, strict=True)
    )


def indices_around(region: Region) -> str:
    """A range around all indices of a region in each dimension."""
    return f"{-2 - region.moves}..{6 + 2 * region.moves}"


RANGES = (
    ("0..n-1", "n"),
    ("0..n-1", "n"),
    ("0..n-1", "n"),
    ("0..m-1", "m"),
    ("0..3", "4"),
    ("0..n", "n+1"),
    ("1..n", "n"),
    ("1..n", "n"),
    ("1..m", "m"),
    ("1..n-1", "n-1"),
    ("2..n+1", "n"),
    ("-1..m-2", "m"),
    ("-2..2", "5"),
    ("2..n-1", None),
)
"""Ranges of indices and how many they have; of the last one the upper bound may be far below."""

ARRAY_TYPES = {1: "vector", 2: "matrix", 3: "array3"}
"""The types of arrays by their rank."""
