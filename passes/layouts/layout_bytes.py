"""What the fields of a layout take in memory, next to compressed rows and to the lattice.

The formulas for the lattice are those of A-ZPL (`lattice_fields`), with a dummy at each end of
every list and one implicit value for each array; those of CSR have one list for each row.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from diablo.dialects.sparse_storage_layout import LayoutAttr
from diablo.passes.layouts.amounts import (
    ENTRIES,
    Amount,
    Known,
    bits,
    box,
    extent,
    lists,
    number,
    symbols,
    total,
)
from diablo.passes.layouts.lattice_fields import LATTICE, LatticeFields
from diablo.passes.layouts.spelling import MATRIX, order_in_words

Fields = list[tuple[str, Amount]]
"""The vectors that are stored: what each holds, and its bytes."""

DIAGONALS = symbols("diagonals")


def index_bytes(layout: LayoutAttr, known: Known) -> int:
    """The bytes of an index or a position."""
    if layout.width.data:
        return layout.width.data // 8
    return 4 if all(size < 2**31 for name, size in known.items() if "/" not in name) else 8


def pattern_fields(layout: LayoutAttr, form: str, rank: int, width: int) -> Fields:
    """The vectors that hold the indices; `form` is that of the layout, or what `auto` takes."""
    first, *further = layout.dimension_orders or (tuple(range(rank)),)
    indices: Fields = [(f"index in dimension {d}", ENTRIES.times(width)) for d in first[1:]]
    outer = first[0]
    match form:
        case "compressed":
            starts = (extent(outer) + number(1)).times(width)
            fields: Fields = [(f"first entry of each {_list(outer, rank)}", starts), *indices]
        case "hypersparse":
            count = lists({outer})
            fields = [
                (f"index in dimension {outer} of each list", count.times(width)),
                ("first entry of each list", (count + number(1)).times(width)),
                *indices,
            ]
        case "coordinates":
            fields = [(f"index in dimension {d}", ENTRIES.times(width)) for d in first]
        case "band":
            fields = [("offset of each diagonal", DIAGONALS.times(width))]
        case "bitmap":
            fields = [("bit of each index", bits(rank))]
        case _:
            fields = []
    if form in ("compressed", "hypersparse", "coordinates"):
        for order in further:
            words = order_in_words(order)
            starts = (extent(order[0]) + number(1)).times(width)
            fields += [(f"first entry of each {_list(order[0], rank)}", starts)]
            fields += [(f"positions {words}", ENTRIES.times(width))]
    return fields + _directory(layout.directory.data, form, outer, width)


def _directory(kind: str, form: str, outer: int, width: int) -> Fields:
    """What random access goes through; compressed lists are found by their starts."""
    if form in ("band", "bitmap", "full") or (kind == "array" and form == "compressed"):
        return []
    match kind:
        case "array":
            return [(f"directory of dimension {outer}", extent(outer).times(width))]
        case "hash":
            return [("hash of the lists", lists({outer}).times(2 * width))]
        case _:
            return []


def _list(dimension: int, rank: int) -> str:
    if rank == MATRIX:
        return "row" if dimension == 0 else "column"
    return f"index of dimension {dimension}"


def value_slots(form: str, rank: int) -> Amount:
    """How many values an array has."""
    return box(range(rank)) if form == "full" else ENTRIES


def csr_index(rank: int, width: int) -> Amount:
    """The index of compressed rows, where all dimensions but the last make the rows."""
    rows = box(range(rank - 1)) if rank > 1 else number(1)
    return (rows + ENTRIES + number(1)).times(width)


def lattice_nodes(rank: int) -> Amount:
    """The nodes of the full lattice: entries, and dummies at both ends of all lists."""
    kinds = (d for count in range(1, rank + 1) for d in combinations(range(rank), count))
    return ENTRIES + total(lists(set(range(rank)) - set(d)).times(2 ** len(d)) for d in kinds)


def full_lattice(rank: int, width: int) -> Amount:
    """Index, next, previous and id in all nodes, the dense directory and the corners."""
    nodes = lattice_nodes(rank).times((3 * rank + 1) * width)
    directory = total(lists(set(range(rank)) - {d}) for d in range(rank)).times(2 * width)
    return nodes + directory + number(2**rank * width)


def needed_lattice(fields: LatticeFields, width: int) -> Amount:
    """The lattice with no more than the fields that are needed, one dummy for each list."""
    amounts: list[Amount] = []
    for kind, node in fields.nodes.items():
        count = len(node.index) + len(node.next) + len(node.previous)
        if kind == LATTICE:
            amounts.append(ENTRIES.times(count * width))
        else:
            # A link more ends the last list.
            heads = lists(set(range(fields.rank)) - kind)
            amounts.append((heads.times(count) + number(1)).times(width))
    amounts += [lists(set(range(fields.rank)) - kind).times(width) for kind in fields.directory]
    return total(amounts)


FORMS = ("compressed", "hypersparse", "bitmap", "full")


def cheapest_form(
    layout: LayoutAttr, rank: int, width: int, value_bytes: Sequence[int], known: Known
) -> str:
    """What `auto` comes to by the bytes alone: compressed rows if the numbers are not known."""
    best, least = "compressed" if rank <= MATRIX else "hypersparse", None
    for form in FORMS:
        fields = [amount for _, amount in pattern_fields(layout, form, rank, width)]
        values = [value_slots(form, rank).times(count) for count in value_bytes]
        size = total([*fields, *values]).value(known)
        if size is not None and (least is None or size < least):
            best, least = form, size
    return best
