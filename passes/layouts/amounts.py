"""Bytes as formulas in the numbers of a region: entries, extents, lists.

    12·nnz + 4·n0 + 4

`nnz` is the number of entries, `n0` the extent of dimension 0, `min(nnz, n0)` a bound of the
number of rows with an entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import prod

Known = Mapping[str, int]
"""The numbers that symbols stand for."""


@dataclass(frozen=True)
class Amount:
    """A sum of products of symbols, each with a factor; the empty product is the constant."""

    terms: Mapping[tuple[str, ...], int] = field(default_factory=dict[tuple[str, ...], int])

    def __add__(self, other: Amount) -> Amount:
        terms = dict(self.terms)
        for product, factor in other.terms.items():
            terms[product] = terms.get(product, 0) + factor
        return Amount({product: factor for product, factor in terms.items() if factor})

    def times(self, factor: int) -> Amount:
        """`factor` times this."""
        return Amount({product: factor * old for product, old in self.terms.items() if factor})

    def __str__(self) -> str:
        terms = [
            "·".join([str(factor), *product] if factor != 1 or not product else product)
            for product, factor in self.terms.items()
            if product
        ]
        constant = self.terms.get((), 0)
        return " + ".join([*terms, str(constant)] if constant or not terms else terms)

    def value(self, known: Known) -> int | None:
        """The number, if all symbols are known."""
        if any(symbol not in known for product in self.terms for symbol in product):
            return None
        return sum(factor * prod(known[s] for s in p) for p, factor in self.terms.items())


def number(constant: int) -> Amount:
    """A constant."""
    return Amount({(): constant} if constant else {})


def symbols(*product: str) -> Amount:
    """A product of symbols."""
    return Amount({product: 1})


def total(amounts: Iterable[Amount]) -> Amount:
    """The sum."""
    result = Amount()
    for amount in amounts:
        result += amount
    return result


ENTRIES = symbols("nnz")


def extent(dimension: int) -> Amount:
    """The extent of a dimension."""
    return symbols(f"n{dimension}")


def box(dimensions: Iterable[int]) -> Amount:
    """The number of indices in the box of some dimensions."""
    return symbols(*(f"n{d}" for d in sorted(dimensions)))


def lists(dimensions: Iterable[int]) -> Amount:
    """At most how many indices of some dimensions have an entry; one if there are none."""
    name = _lists_name(dimensions)
    return symbols(name) if name else number(1)


def words(rank: int) -> Amount:
    """The words that have a bit for every index of the box."""
    return symbols(_words_name(rank))


def _lists_name(dimensions: Iterable[int]) -> str:
    product = "·".join(f"n{d}" for d in sorted(dimensions))
    return f"min(nnz, {product})" if product else ""


def _words_name(rank: int) -> str:
    return f"{'·'.join(f'n{d}' for d in range(rank))}/64"


def known_numbers(shape: Sequence[int | None], entries: int | None) -> dict[str, int]:
    """What the symbols of a region stand for, as far as its shape and entries are known."""
    rank = len(shape)
    known = {f"n{d}": n for d, n in enumerate(shape) if n is not None}
    if len(known) == rank:
        known[_words_name(rank)] = -(-prod(known.values()) // 64)
    if entries is not None:
        for count in range(1, rank + 1):
            for dimensions in combinations(range(rank), count):
                extents = [shape[d] for d in dimensions]
                if None not in extents:
                    size = prod(n for n in extents if n is not None)
                    known[_lists_name(dimensions)] = min(entries, size)
        known["nnz"] = entries
    return known
