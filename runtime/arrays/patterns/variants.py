"""A pattern over vectors of its own, with other lists, or with its dimensions in another order.

transposed(pattern, (1, 0))     the transpose: the same entries, and the same vectors
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

import numpy as np

from diablo.runtime.arrays.patterns.boxes import row_major, turned
from diablo.runtime.arrays.patterns.form import Form
from diablo.runtime.arrays.patterns.form_choice import plain
from diablo.runtime.arrays.patterns.pattern import Pattern


def transposed(pattern: Pattern, axes: Sequence[int]) -> Pattern:
    """The pattern whose dimension k is dimension `axes[k]` of this one: the same entries."""
    if tuple(axes) == row_major(pattern.ndim):
        return pattern
    place = np.argsort(axes).tolist()
    order = tuple([place[d] for d in pattern.order])
    shape = turned(pattern.shape, axes)
    return pattern.keep(
        ("axes", *axes), lambda: Pattern(shape, pattern.form, pattern.list_rank, order)
    )


def with_list_rank(pattern: Pattern, list_rank: int) -> Pattern:
    """The same set with its lists, if it has any, of another number of dimensions."""
    if list_rank == pattern.list_rank or pattern.form.list_rank is None:
        return pattern

    def lists() -> Pattern:
        form = plain(pattern.form.positions(), pattern.form.shape, list_rank)
        return _over(pattern, form, list_rank)

    return pattern.lend(("lists", list_rank), lists)


def copied(pattern: Pattern) -> Pattern:
    """The same set over vectors that nothing else has."""
    return _over(pattern, deepcopy(pattern.form), pattern.list_rank)


def _over(pattern: Pattern, form: Form, list_rank: int) -> Pattern:
    """The same set in another form over the same box."""
    return Pattern(pattern.shape, form, list_rank, pattern.order, pattern.layout, pattern.identity)
