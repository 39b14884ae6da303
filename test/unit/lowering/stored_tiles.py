# Sparse tiles as the buffers of each layout, made the slow and obvious way.
from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

from xdsl.dialects.builtin import i1

from diablo.dialects.sparse_storage import LayoutAttr
from diablo.passes.interpreter.interpreted_values import Array
from diablo.passes.interpreter.regions import Buffer

LISTED = ("auto", "compressed", "hypersparse", "coordinates")


def vector(elements: Sequence[Any]) -> Buffer:
    return Buffer((len(elements),), list(elements))


def flat(index: Sequence[int], box: Sequence[int]) -> int:
    place = 0
    for i, extent in zip(index, box, strict=True):
        place = place * extent + i
    return place


def form_vectors(form: str, entries: list[Any], box: list[int], list_rank: int) -> list[Buffer]:
    """The vectors of ascending `entries` in a box."""
    places = [flat(index, box) for index in entries]
    if form == "full":
        assert len(entries) == prod(box)
        return []
    if form == "coordinates":
        return [vector(places)]
    if form == "bitmap":
        words = [0] * -(-prod(box) // 64)
        for place in places:
            words[place // 64] |= 1 << (place % 64)
        ranks = [0]
        for word in words:
            ranks.append(ranks[-1] + word.bit_count())
        signed = [word - (1 << 64) if word >> 63 else word for word in words]
        return [vector(signed), vector(ranks)]
    if form == "band":
        return [vector(sorted({j - i for i, j in entries}))]
    rows = [flat(index[:list_rank], box[:list_rank]) for index in entries]
    indices = [flat(index[list_rank:], box[list_rank:]) for index in entries]
    kept = list(range(prod(box[:list_rank])))
    if form == "hypersparse":
        kept = sorted(set(rows))
    starts = [sum(r < row for r in rows) for row in kept] + [len(rows)]
    if form == "hypersparse":
        return [vector(kept), vector(starts), vector(indices)]
    return [vector(starts), vector(indices)]


def buffers(array: Array, layout: LayoutAttr) -> list[Any]:
    """Return what stands for a sparse argument once loops run over buffers."""
    rank, form = len(array.dims), layout.form.data
    orders = list(layout.dimension_orders) or [tuple(range(rank))]
    if form not in LISTED:
        orders = orders[:1]
    stored = list(array.stored())

    def ordered(order: Sequence[int]) -> list[Any]:
        return sorted(stored, key=lambda index: [index[d] for d in order])

    first = ordered(orders[0])
    arguments: list[Any] = []
    for number, order in enumerate(orders):
        box = [array.dims[d] for d in order]
        entries = ordered(order)
        turned = [tuple(index[d] for d in order) for index in entries]
        arguments += form_vectors(form, turned, box, array.dense)
        if number:
            arguments.append(vector([first.index(index) for index in entries]))
    if array.element != i1:
        arguments.append(vector([array.at(index) for index in first]))
    return [*arguments, *array.dims]


def fits(form: str, array: Array) -> bool:
    """Whether a tile can be laid out so."""
    stored = set(array.stored())
    if form == "full":
        return len(stored) == prod(array.dims)
    if form == "band":
        if len(array.dims) != 2:
            return False
        offsets = {j - i for i, j in stored}
        box = product(*map(range, array.dims))
        return stored == {(i, j) for i, j in box if j - i in offsets}
    return True
