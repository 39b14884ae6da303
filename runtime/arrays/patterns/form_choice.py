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
is taken, of equals the first of the table.

There is no threshold of density: a bit for each index and a rank for each word are 12 bytes for
64 indices, so for 32-bit indices and one order a bitmap wins from a density of about 0.1 on, and
far below if there are lookups. Compressed rows win over coordinates, which take less but cost
a division an entry, unless most rows are empty and the others nearly so.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from diablo.format_table import FORMATS, WORD, Format, class_at
from diablo.runtime.arrays.patterns.boxes import Array, index_type
from diablo.runtime.arrays.patterns.compressed_lists import Compressed, Hypersparse
from diablo.runtime.arrays.patterns.directories import cheaper_directory, directory_bytes
from diablo.runtime.arrays.patterns.form import Form
from diablo.runtime.arrays.patterns.layout import Directory, Layout
from diablo.runtime.arrays.patterns.statistics import Statistics, measure, measure_lists


def form_class(name: str) -> type[Form]:
    """The class that builds and searches patterns in a form, as the table of formats names it."""
    return class_at(FORMATS[name].runtime)


def bytes_of(statistics: Statistics, width: int = 0) -> dict[str, int]:
    """The bytes of each form that can hold a pattern."""
    return {
        name: _bytes(form, statistics, width)
        for name, form in FORMATS.items()
        if form.can_hold(statistics)
    }


def _bytes(form: Format, s: Statistics, width: int) -> int:
    largest = [vector.largest(s) for vector in form.vectors]
    if form.one_width:
        largest = [max(s.lists, s.length, s.count)] * len(largest)
    return sum(
        vector.elements(s) * (WORD if most is None else index_type(most, width).itemsize)
        for vector, most in zip(form.vectors, largest, strict=True)
    )


def costs(statistics: Statistics, layout: Layout) -> dict[str, float]:
    """The cost of each form that can hold a pattern, by the model above."""
    s = statistics
    orders = max(1, len(layout.orders))
    result: dict[str, float] = {}
    for name, size in bytes_of(s, layout.width).items():
        form = FORMATS[name]
        places, lookups = form.touches(s), 0
        cost = size + orders * (size + form.decoding(s))
        if layout.directory is not Directory.NONE:
            lookups = s.count
            if not form.random_access:
                directory = cheaper_directory(s)
                if directory is not Directory.ARRAY or not form.finds_lists:
                    cost += directory_bytes(s)[directory]
                # An array of the starts of all lists makes compressed lists of any form.
                hash = directory is Directory.HASH
                places = 2.0 if hash else FORMATS[Compressed.name].touches(s)
        result[name] = cost + lookups * places * WORD
    return result


def choose(statistics: Statistics, layout: Layout) -> str:
    """The form that the layout names if it can hold the pattern, else the cheapest."""
    if layout.form in bytes_of(statistics):
        return layout.form
    cost = costs(statistics, layout)
    return min(cost, key=lambda form: cost[form])


def build(
    flat: Callable[[], Array],
    shape: tuple[int, ...],
    list_rank: int,
    layout: Layout,
    lists: Form | None = None,
) -> Form:
    """The form for the ascending flat positions that `flat` gives, where they are needed.

    `lists` may be a form of them already.
    """

    rows = None if lists is None else lists.as_lists(list_rank)
    if layout.form in FORMATS and FORMATS[layout.form].holds_any:
        chosen, statistics = layout.form, Statistics(shape, list_rank, 0, 0, 0, None)
    else:
        if rows is not None:
            statistics = measure_lists(rows.starts, rows.indices, shape, list_rank)
        else:
            statistics = measure(flat(), shape, list_rank)
        chosen = choose(statistics, layout)
    if chosen == Compressed.name and rows is not None and not layout.width:
        return rows.in_one_type()
    return form_class(chosen).of_pattern(flat(), statistics, layout.width)


PLAIN = (Compressed.name, Hypersparse.name)
"""The forms of `plain`: of patterns that nothing is asked of yet, and of further orders."""


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
        if sizes[Hypersparse.name] < sizes[Compressed.name]:
            return Hypersparse.of_positions(flat, shape, list_rank)
    return Compressed.of_positions(flat, shape, list_rank)


def best_list_rank(shape: tuple[int, ...]) -> int:
    """Return how many leading dimensions number the lists, if nothing else says so: the fewest.

    Fewer lists take less, unless their places then need wider indices.
    """
    rank = len(shape)
    for list_rank in range(1, rank):
        if index_type(int(np.prod(shape[list_rank:], dtype=object))).itemsize == 4:
            return list_rank
    return rank - 1 if rank else 0
