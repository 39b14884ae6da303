"""Which form a pattern is stored in: a model of bytes and work, from its statistics.

For each form that can hold the pattern

    cost = bytes + orders x (bytes + decoding) + lookups x touches x WORD

`bytes` is what its vectors take, with the indices' width that the pattern needs. They are
counted once for lying in memory and once for each order in which the pattern is iterated,
as every traversal reads all of them. `decoding` is what else a traversal costs, in bytes that
could be read meanwhile: a WORD for each division that takes a number apart (of each entry into
its dimensions in flat positions, of lists and of places in them into theirs), half of one for
finding the next bit of a word. If the layout names a directory, the program looks up
indices: as many as there are entries is what is expected, each of which reads `touches` places
(logarithms of the lengths searched, 2 for a bit and its rank, none for a full box) of a WORD;
what finds no index in constant time then has the cheaper directory as well. The cheapest form
is taken, of equals the first in the order of `bytes_of`.

There is no threshold of density: a bit for each index and a rank for each word are 12 bytes for
64 indices, so for 32-bit indices and one order a bitmap wins from a density of about 0.1 on, and
far below if there are lookups. Compressed rows win over coordinates, which take less but cost
a division an entry, unless most rows are empty and the others nearly so.
"""

from __future__ import annotations

from math import log2

import numpy as np

from diablo.runtime.arrays.patterns.band import Band
from diablo.runtime.arrays.patterns.boxes import Array, index_type
from diablo.runtime.arrays.patterns.cells import Bitmap, Full
from diablo.runtime.arrays.patterns.coordinates import Coordinates
from diablo.runtime.arrays.patterns.directories import cheaper_directory, directory_bytes
from diablo.runtime.arrays.patterns.form import Form
from diablo.runtime.arrays.patterns.layout import Directory, FormName, Layout
from diablo.runtime.arrays.patterns.lists import Compressed, Hypersparse
from diablo.runtime.arrays.patterns.statistics import Statistics, measure

WORD = 8


_CONSTANT = (FormName.BAND, FormName.BITMAP, FormName.FULL)


def bytes_of(statistics: Statistics, width: int = 0) -> dict[FormName, int]:
    """The bytes of each form that can hold a pattern."""
    s = statistics
    common = index_type(max(s.lists, s.length, s.count), width).itemsize
    pointer = index_type(s.count, width).itemsize
    bits = -(-s.size // 64)
    sizes = {
        FormName.COMPRESSED: common * (s.lists + 1 + s.count),
        FormName.HYPERSPARSE: (
            index_type(s.lists, width).itemsize * s.filled
            + pointer * (s.filled + 1)
            + index_type(s.length, width).itemsize * s.count
        ),
        FormName.COORDINATES: index_type(s.size, width).itemsize * s.count,
        FormName.BITMAP: bits * WORD + pointer * (bits + 1),
    }
    if s.diagonals is not None:
        sizes[FormName.BAND] = WORD * len(s.diagonals)
    if s.count == s.size:
        sizes[FormName.FULL] = 0
    return sizes


def touches_of(statistics: Statistics) -> dict[FormName, float]:
    """How many places a lookup reads in each form."""
    s = statistics
    in_list = 1 + log2(1 + s.count / max(1, s.lists))
    return {
        FormName.COMPRESSED: in_list,
        FormName.HYPERSPARSE: 1 + log2(1 + s.count / max(1, s.filled)) + log2(1 + s.filled),
        FormName.COORDINATES: log2(s.count + 2),
        FormName.BITMAP: 2.0,
        FormName.BAND: log2(len(s.diagonals or ()) + 2),
        FormName.FULL: 0.0,
    }


def costs(statistics: Statistics, layout: Layout) -> dict[FormName, float]:
    """The cost of each form that can hold a pattern, by the model above."""
    s = statistics
    sizes, touches = bytes_of(s, layout.width), touches_of(s)
    decoding = _decoding(s)
    orders = max(1, len(layout.orders))
    result: dict[FormName, float] = {}
    for form, size in sizes.items():
        places, lookups = touches[form], 0
        cost = size + orders * (size + decoding.get(form, 0))
        if layout.directory is not Directory.NONE:
            lookups = s.count
            if form not in _CONSTANT:
                directory = cheaper_directory(s)
                if directory is not Directory.ARRAY or form is not FormName.COMPRESSED:
                    cost += directory_bytes(s)[directory]
                places = 2.0 if directory is Directory.HASH else touches[FormName.COMPRESSED]
        result[form] = cost + lookups * places * WORD
    return result


def _decoding(s: Statistics) -> dict[FormName, float]:
    """What a traversal of each form costs besides reading it."""
    rank = len(s.shape)
    in_lists = WORD * s.count * max(0, rank - s.list_rank - 1)
    of_list = WORD * max(0, s.list_rank - 1)
    return {
        FormName.COMPRESSED: of_list * s.lists + in_lists,
        FormName.HYPERSPARSE: of_list * s.filled + in_lists,
        FormName.COORDINATES: WORD * s.count * max(0, rank - 1),
        FormName.BITMAP: WORD / 2 * s.count,
    }


def choose(statistics: Statistics, layout: Layout) -> FormName:
    """The form that the layout names if it can hold the pattern, else the cheapest."""
    if layout.form in bytes_of(statistics):
        return layout.form
    cost = costs(statistics, layout)
    return min(cost, key=lambda form: cost[form])


def build(
    flat: Array,
    shape: tuple[int, ...],
    list_rank: int,
    layout: Layout,
    lists: Form | None = None,
) -> Form:
    """The form for ascending flat positions, of which `lists` may be a form already."""

    def compressed() -> Form:
        if isinstance(lists, Compressed) and lists.list_rank == list_rank and not layout.width:
            return lists.in_one_type()
        return Compressed.of_positions(flat, shape, list_rank, layout.width)

    if layout.form is FormName.COMPRESSED:
        return compressed()
    if layout.form is FormName.COORDINATES:
        return Coordinates.of_positions(flat, shape, layout.width)
    statistics = measure(flat, shape, list_rank)
    match choose(statistics, layout):
        case FormName.HYPERSPARSE:
            return Hypersparse.of_positions(flat, shape, list_rank, layout.width)
        case FormName.COORDINATES:
            return Coordinates.of_positions(flat, shape, layout.width)
        case FormName.BAND:
            return Band(shape, np.array(statistics.diagonals, np.int64))
        case FormName.BITMAP:
            return Bitmap.of_positions(flat, shape, layout.width)
        case FormName.FULL:
            return Full(shape)
        case _:
            return compressed()


def plain(flat: Array, shape: tuple[int, ...], list_rank: int) -> Form:
    """Lists for a pattern that nothing is asked of yet: hypersparse if that takes less.

    Only where there are more lists than entries are those with entries counted.
    """
    lists = int(np.prod(shape[:list_rank], dtype=object))
    if lists > len(flat) and lists > 1:
        length = max(1, int(np.prod(shape[list_rank:], dtype=object)))
        row = flat // length
        filled = int(np.count_nonzero(row[1:] != row[:-1])) + (len(flat) > 0)
        s = Statistics(shape, list_rank, len(flat), filled, 0, None)
        sizes = bytes_of(s)
        if sizes[FormName.HYPERSPARSE] < sizes[FormName.COMPRESSED]:
            return Hypersparse.of_positions(flat, shape, list_rank)
    return Compressed.of_positions(flat, shape, list_rank)


def best_list_rank(shape: tuple[int, ...]) -> int:
    """How many leading dimensions number the lists, if nothing else says so: the fewest.

    Fewer lists take less, unless their places then need wider indices.
    """
    rank = len(shape)
    for list_rank in range(1, rank):
        if index_type(int(np.prod(shape[list_rank:], dtype=object))).itemsize == 4:
            return list_rank
    return rank - 1 if rank else 0
