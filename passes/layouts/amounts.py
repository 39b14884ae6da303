"""Bytes as formulas in the numbers of a region: entries, extents, lists.

    12·nnz + 4·n0 + 4

`nnz` is the number of entries, `n0` the extent of dimension 0, `min(nnz, n0)` a bound of the
number of rows with an entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import prod

from diablo.linear_sums import LinearSum, term

Known = Mapping[str, int]
"""The numbers that symbols stand for."""


Amount = LinearSum[tuple[str, ...]]
"""A sum of products of symbols, none of them empty."""


def formula(amount: Amount) -> str:
    """Return how an amount is written."""
    terms = [
        "·".join([str(factor), *product] if factor != 1 else product)
        for product, factor in amount.terms.items()
    ]
    return " + ".join([*terms, str(amount.constant)] if amount.constant or not terms else terms)


def number(amount: Amount, known: Known) -> int | None:
    """Return what an amount is, if all of its symbols are known."""
    if any(symbol not in known for product in amount.terms for symbol in product):
        return None
    products = (factor * prod(known[s] for s in p) for p, factor in amount.terms.items())
    return amount.constant + sum(products)


def symbols(*product: str) -> Amount:
    """A product of symbols; one if there are none."""
    return term(product) if product else Amount(constant=1)


def total(amounts: Iterable[Amount]) -> Amount:
    """The sum."""
    return sum(amounts, Amount())


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
    return symbols(name) if name else symbols()


def words(rank: int) -> Amount:
    """The words that have a bit for every index of the box."""
    return symbols(_words_name(rank))


def _lists_name(dimensions: Iterable[int]) -> str:
    product = "·".join(f"n{d}" for d in sorted(dimensions))
    return f"min(nnz, {product})" if product else ""


def _words_name(rank: int) -> str:
    return f"{'·'.join(f'n{d}' for d in range(rank))}/64"


def known_numbers(shape: Sequence[int | None], entries: int | None) -> dict[str, int]:
    """Return what the symbols of a region stand for, as far as its shape and entries are known."""
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
