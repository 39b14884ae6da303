"""Random index patterns in random layouts, beside plain Python sets and dictionaries."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
from hypothesis import strategies as st

from diablo.format_table import form_names
from diablo.runtime.arrays.patterns.layout import Directory, Layout
from diablo.runtime.arrays.patterns.making import of_coordinates
from diablo.runtime.arrays.patterns.pattern import Pattern

Index = tuple[int, ...]


def orders(rank: int) -> st.SearchStrategy[Index]:
    return st.sampled_from(list(permutations(range(rank))))


def layouts(rank: int) -> st.SearchStrategy[Layout]:
    return st.builds(
        Layout,
        st.sampled_from(form_names()),
        st.lists(orders(rank), max_size=3, unique=True).map(tuple),
        st.sampled_from(list(Directory)),
        st.sampled_from([0, 32, 64]),
    )


@st.composite
def shapes(draw: st.DrawFn) -> Index:
    return tuple(draw(st.lists(st.integers(0, 5), min_size=1, max_size=4)))


@st.composite
def index_sets(draw: st.DrawFn, shape: Index) -> set[Index]:
    """Nothing, few, many or all of a box, or whole diagonals."""
    box = list(product(*map(range, shape)))
    kind = draw(st.sampled_from(["few", "many", "all", "diagonals"]))
    if not box or kind == "all":
        return set(box)
    if kind == "diagonals":
        offsets = draw(st.sets(st.integers(-4, 4), max_size=3))
        return {index for index in box if index[-1] - index[0] in offsets}
    some = set(draw(st.lists(st.sampled_from(box), max_size=8)))
    return some if kind == "few" else set(box) - some


def pattern_of(indices: set[Index], shape: Index, layout: Layout | None) -> Pattern:
    columns = np.array(sorted(indices), np.int64).reshape(len(indices), len(shape)).T
    return of_coordinates(list(columns), shape, layout=layout)


@st.composite
def patterns(draw: st.DrawFn, shape: Index | None = None) -> tuple[Pattern, set[Index]]:
    """A pattern of rank 1 to 4 in any layout or none, and the set that it stores."""
    shape = draw(shapes()) if shape is None else shape
    indices = draw(index_sets(shape))
    layout = draw(st.none() | layouts(len(shape)))
    return pattern_of(indices, shape, layout), indices


def indices_of(pattern: Pattern) -> list[Index]:
    """The indices by entry."""
    if pattern.ndim == 0:
        return [()] * pattern.count
    return list(zip(*[c.tolist() for c in pattern.coordinates()], strict=True))


def in_order(indices: set[Index], order: Index) -> list[Index]:
    return sorted(indices, key=lambda index: [index[d] for d in order])
