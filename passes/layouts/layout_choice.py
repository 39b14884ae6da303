"""From what is asked of a region to its layout: the rules of `choose-layouts`, one each.

A layout says what is stored besides the values: in which orders of its dimensions the region
can be iterated, what finds single indices, and how the indices are held. What the uses do not
decide stays `auto`: how full a region is shows when the program runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from diablo.dialects.sparse_storage.sparse_storage_layout import LayoutAttr
from diablo.dialects.sparse_storage.sparse_uses import UsesAttr
from diablo.format_table import AUTO, FORMATS, format_for
from diablo.passes.layouts.spelling import MATRIX, dimensions_in_words, listed, order_in_words

LARGEST_INT32 = 2**31 - 1

REPAYING_PRODUCTS = 150
"""How many products with a vector repay making an order: sorting an entry takes some 30 ns, and
adding it along a list that is stored, not across, saves 0.2 ns at most."""


@dataclass(frozen=True)
class Choice:
    """A layout and why it was chosen."""

    layout: LayoutAttr
    reasons: Sequence[str]


Origin = Literal["input", "rows", "computed"]
"""What a region comes from: an input, rows that are brought in order, or all of its box."""


def choose_layout(uses: UsesAttr, rank: int, shape: Sequence[int | None], origin: Origin) -> Choice:
    """The layout of a region of some rank; `shape` has the extents as far as they are known."""
    reasons: list[str] = []
    orders = _orders(uses, rank, reasons)
    form = _form(uses, rank, origin, reasons)
    if len(orders) > 1 and form != AUTO and not FORMATS[form].further_orders:
        reasons.append(f"a {form} can be gone through in every order")
        orders = []
    elif len(orders) > 1:
        reasons.append("the values are stored once, with further lists for each further order")
    directory = _directory(uses, rank, form, reasons)
    width = 64 if any(extent is not None and extent > LARGEST_INT32 for extent in shape) else 0
    if width:
        reasons.append("an extent does not fit in 32 bits")
    if uses.says("boolean"):
        reasons.append("it is Boolean and has no values")
    return Choice(LayoutAttr(form, orders, directory, width), reasons)


def _orders(uses: UsesAttr, rank: int, reasons: list[str]) -> list[tuple[int, ...]]:
    """The orders that are kept, that of the values first; none stands for row-major order.

    Row-major order comes first if it is asked for: what is built or read comes in it. A second
    order has lists of its own; the values are not stored twice.
    """
    natural = tuple(range(rank))
    asked: list[tuple[int, ...]] = []
    for order, times in uses.wished_times.items():
        if order == natural or times == 0 or times >= REPAYING_PRODUCTS:
            asked.append(order)
        else:
            reasons.append(
                f"{_products(times)} {order_in_words(order)}, which "
                f"{'adds' if times == 1 else 'add'} up as it is stored: making that order would "
                f"take as long as some {REPAYING_PRODUCTS} of them save"
            )
    asked.sort(key=lambda order: order != natural)
    said = [order_in_words(order) for order in asked]
    if asked:
        reasons.append(f"it is iterated {listed(said)}")
    elif uses.says("any"):
        reasons.append("it is iterated in any order")
    for fixed in uses.fixed_dimensions("slices"):
        if not any(set(order[: len(fixed)]) == set(fixed) for order in asked):
            asked.append((*fixed, *(d for d in natural if d not in fixed)))
        reasons.append(f"slices of {dimensions_in_words(fixed)} are read")
    for fixed in uses.fixed_dimensions("single_slices"):
        if set(fixed) != set(natural[: len(fixed)]):
            words = dimensions_in_words(fixed)
            reasons.append(f"a single slice of {words} is looked for among all entries")
    if len(asked) == 1 and asked[0] != natural and rank == MATRIX and said:
        times = uses.wished_times.get(asked[0], 0)
        reasons.append("so each sum over a column is made by one thread")
        if times:
            reasons.append(f"some {times} products repay making that order")
    return [] if asked == [natural] else asked


def _products(times: int) -> str:
    return "one product goes" if times == 1 else f"some {times} products go"


def _form(uses: UsesAttr, rank: int, origin: Origin, reasons: list[str]) -> str:
    """Return how the indices are held.

    What is computed for all of a box may be full, so that its form is left to run time.
    """
    in_lists = bool(uses.orders.data or uses.slices.data) or uses.says("random")
    in_lists |= bool(uses.single_slices.data)
    if uses.says("band"):
        reasons.append("its indices lie in a band about the diagonal")
        return format_for("band")
    if origin == "rows" and uses.says("once") and not in_lists:
        reasons.append("it is built once and read once")
        return format_for("one pass")
    if rank > MATRIX and origin != "computed":
        reasons.append(f"an array of {rank} dimensions has fewer entries than lists")
        return format_for("lists of many dimensions" if in_lists else "many dimensions")
    return AUTO


def _directory(uses: UsesAttr, rank: int, form: str, reasons: list[str]) -> str:
    """Return what finds the list of an index: an array if there are about as many lists as entries.

    In a band an index says which place of which diagonal it is.
    """
    random = uses.says("random")
    if random:
        reasons.append("single elements are looked up")
    if (form != AUTO and FORMATS[form].random_access) or not random:
        return "none"
    return "array" if rank <= MATRIX else "hash"
