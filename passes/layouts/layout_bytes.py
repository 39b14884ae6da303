"""What the fields of a layout take in memory, next to compressed rows and to the lattice.

The formulas for the lattice are those of A-ZPL (`lattice_fields`), with a dummy at each end of
every list and one implicit value for each array; those of CSR have one list for each row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from diablo.dialects.sparse_storage.sparse_storage_layout import AUTO, LayoutAttr
from diablo.format_table import FORMATS, WORD, Each, Format, Vector
from diablo.passes.layouts.amounts import (
    ENTRIES,
    Amount,
    Known,
    box,
    extent,
    lists,
    number,
    symbols,
    total,
    words,
)
from diablo.passes.layouts.lattice_fields import LATTICE, LatticeFields
from diablo.passes.layouts.spelling import MATRIX, dimensions_in_words, order_in_words

Fields = list[tuple[str, Amount]]
"""The vectors that are stored: what each holds, and its bytes."""

DIAGONALS = symbols("diagonals")
LIMIT = 2**31
"""From here on numbers do not fit in 32 bits."""


@dataclass(frozen=True)
class Widths:
    """The bytes of an index or the number of an entry, and of a position in the whole box.

    `narrow` has those of an index in each dimension in a second order of a matrix.
    """

    index: int = 4
    position: int = 4
    narrow: tuple[int, ...] = ()


def widths(layout: LayoutAttr, rank: int, known: Known) -> Widths:
    """The fewest bytes that do, as far as sizes are known, or more if the layout wants them."""
    least = layout.width.data // 8 or 4
    wide = any(known.get(symbol, 0) >= LIMIT for symbol in ("nnz", *(f"n{d}" for d in range(rank))))
    size = number(box(range(rank)), known) or 0
    index = 8 if wide else least
    extents = [known.get(f"n{d}") for d in range(rank)]
    narrow = [index if n is None else min(index, _unsigned(n)) for n in extents]
    return Widths(index, 8 if wide or size >= LIMIT else least, tuple(narrow))


def _unsigned(extent: int) -> int:
    """The bytes of the narrowest unsigned index in a dimension."""
    return next(count for count in (1, 2, 4, 8) if extent <= 2 ** (8 * count))


def pattern_fields(layout: LayoutAttr, form: str, rank: int, of: Widths) -> Fields:
    """The vectors that hold the indices; `form` is that of the layout, or what `auto` takes.

    Lists are those of the first dimension of the order; an index in a list is one number for
    all other dimensions.
    """
    first, *further = layout.dimension_orders or (tuple(range(rank)),)
    format, outer, entries = FORMATS.get(form), first[0], ENTRIES * of.index
    if format is None:
        return []
    words_of = {"list": _list(outer, rank), "outer": outer, "rest": _rest(first)}
    fields = [
        (vector.what.format(**words_of), _elements(vector, outer, rank) * _bytes(vector, of))
        for vector in format.vectors
    ]
    for order in further if format.further_orders else ():
        starts = (_lists_of(order[0], rank) + 1) * of.index
        said = order_in_words(order)
        # The entries of a matrix are searched for in the first order.
        sought = format.finds_lists and rank == MATRIX
        indices = ENTRIES * of.narrow[order[-1]] if sought else entries
        fields += [
            (f"first entry of each {_list(order[0], rank)}", starts),
            (f"index in {_rest(order)}, {said}", indices),
        ]
        fields += [] if sought else [(f"entries {said}", entries)]
    return fields + _directory(layout.directory.data, format, outer, rank, of.index)


def _elements(vector: Vector, outer: int, rank: int) -> Amount:
    """Return how many elements a vector has: of the lists with entries, at most."""
    counts: dict[Each, Amount] = {
        "list": _lists_of(outer, rank),
        "filled list": lists({outer}) if rank > 1 else symbols(),
        "entry": ENTRIES,
        "word": words(rank),
        "diagonal": DIAGONALS,
    }
    return counts[vector.each] + vector.more


def _bytes(vector: Vector, of: Widths) -> int:
    match vector.holds:
        case "position":
            return of.position
        case "word":
            return WORD
        case "entry" | "list" | "place":
            return of.index


def _directory(kind: str, format: Format, outer: int, rank: int, width: int) -> Fields:
    """Return what random access goes through; compressed lists are found by their starts."""
    if format.random_access or (kind == "array" and format.finds_lists):
        return []
    match kind:
        case "array":
            return [("directory of the lists", (_lists_of(outer, rank) + 1) * width)]
        case "hash":
            # The table is at most half full.
            return [("hash of the entries", ENTRIES * (2 * width))]
        case _:
            return []


def _lists_of(outer: int, rank: int) -> Amount:
    return extent(outer) if rank > 1 else symbols()


def _list(outer: int, rank: int) -> str:
    if rank == 1:
        return "list"
    if rank == MATRIX:
        return "row" if outer == 0 else "column"
    return f"index of dimension {outer}"


def _rest(order: Sequence[int]) -> str:
    return dimensions_in_words(order[1:] or order)


def value_slots(form: str, rank: int) -> Amount:
    """Return how many values an array has."""
    held = FORMATS.get(form)
    return box(range(rank)) if held is not None and held.holds_box else ENTRIES


def csr_index(rank: int, width: int) -> Amount:
    """The index of compressed rows, where all dimensions but the last make the rows."""
    rows = box(range(rank - 1)) if rank > 1 else symbols()
    return (rows + ENTRIES + 1) * width


def lattice_nodes(rank: int) -> Amount:
    """The nodes of the full lattice: entries, and dummies at both ends of all lists."""
    kinds = (d for count in range(1, rank + 1) for d in combinations(range(rank), count))
    return ENTRIES + total(lists(set(range(rank)) - set(d)) * 2 ** len(d) for d in kinds)


def full_lattice(rank: int, width: int) -> Amount:
    """Index, next, previous and id in all nodes, the dense directory and the corners."""
    nodes = lattice_nodes(rank) * ((3 * rank + 1) * width)
    directory = total(lists(set(range(rank)) - {d}) for d in range(rank)) * (2 * width)
    return nodes + directory + 2**rank * width


def needed_lattice(fields: LatticeFields, width: int) -> Amount:
    """The lattice with no more than the fields that are needed, one dummy for each list."""
    amounts: list[Amount] = []
    for kind, node in fields.nodes.items():
        count = len(node.index) + len(node.next) + len(node.previous)
        if kind == LATTICE:
            amounts.append(ENTRIES * (count * width))
        else:
            # A link more ends the last list.
            heads = lists(set(range(fields.rank)) - kind)
            amounts.append((heads * count + 1) * width)
    amounts += [lists(set(range(fields.rank)) - kind) * width for kind in fields.directory]
    return total(amounts)


def cheapest_form(
    layout: LayoutAttr, rank: int, of: Widths, value_bytes: Sequence[int], known: Known
) -> str | None:
    """Return what `auto` comes to by the bytes alone; None if the numbers are not known.

    Where nothing is asked for, the runtime keeps lists as they come, and counts no bits.
    """
    sizes: dict[str, int] = {}
    for form, format in FORMATS.items():
        if not format.foreseen or (layout == AUTO and format.random_access):
            continue
        fields = [amount for _, amount in pattern_fields(layout, form, rank, of)]
        values = [value_slots(form, rank) * count for count in value_bytes]
        size = number(total([*fields, *values]), known)
        if size is None:
            return None
        sizes[form] = size
    return min(sizes, key=lambda form: sizes[form])
