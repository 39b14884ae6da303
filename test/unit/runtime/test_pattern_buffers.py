"""The buffers of tiles for kernels, in every form and order, against what they stand for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pattern_models import Index, in_order, layouts, patterns

from diablo.format_table import FORMATS
from diablo.runtime.arrays.patterns.boxes import Array
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.patterns.layout import Layout, parse
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.arrays.tile_buffers import buffers


def flat(indices: list[Index], shape: Index) -> list[int]:
    return [int(np.ravel_multi_index(i, shape)) if i else 0 for i in indices]


def form_vectors(form: str, indices: list[Index], shape: Index, list_rank: int) -> list[list[int]]:
    """The vectors of a form, made the slow way; none for a form that has no list here."""
    if form == "coordinates":
        return [flat(indices, shape)]
    rows = flat([i[:list_rank] for i in indices], shape[:list_rank])
    places = flat([i[list_rank:] for i in indices], shape[list_rank:])
    kept = list(range(int(np.prod(shape[:list_rank]))))
    if form == "hypersparse":
        kept = sorted(set(rows))
    starts = [sum(r < row for r in rows) for row in kept] + [len(rows)]
    return [kept, starts, places] if form == "hypersparse" else [starts, places]


@given(patterns(), st.data())
def test_buffers_of_any_layout(stored: tuple[Pattern, set[Index]], data: st.DataObject):
    pattern, indices = stored
    layout = data.draw(layouts(pattern.ndim))
    elements = np.arange(1.0, pattern.count + 1)
    tile = SparseTile(pattern.shape, data.draw(st.integers(0, pattern.ndim)), pattern, elements)
    result = buffers(tile, layout)
    form = "compressed" if layout.form == "auto" else layout.form
    if result is None:
        assert form in ("band", "full")
        return
    orders = layout.orders_of(pattern.ndim)
    first = in_order(indices, orders[0])
    left = list(result)
    width = np.int32 if layout.width == 32 else np.int64
    if FORMATS[form].further_orders:
        for number, order in enumerate(orders):
            shape = tuple(pattern.shape[d] for d in order)
            entries = in_order(indices, order)
            turned = [tuple(i[d] for d in order) for i in entries]
            for expected in form_vectors(form, turned, shape, tile.dense_rank):
                assert left[0].dtype == width
                assert left.pop(0).tolist() == expected
            if number:
                assert left[0].dtype == width
                assert left.pop(0).tolist() == [first.index(i) for i in entries]
    else:
        left = left[-1:]
    values = dict(
        zip(
            zip(*[c.tolist() for c in pattern.coordinates()], strict=True),
            elements.tolist(),
            strict=True,
        )
    )
    assert left.pop().tolist() == [values[i] for i in first]
    assert not left


def test_buffers_are_those_of_the_tile_where_it_is_stored_so():
    tile = SparseTile.from_dense(np.eye(4), 1)
    narrow = parse("form = auto, width = 32")
    found = buffers(tile, narrow)
    assert found is not None
    assert found[0] is tile.indptr
    assert found[1] is tile.indices
    assert found[2] is tile.elements
    wide, again = buffers(tile, Layout()), buffers(tile, Layout())
    assert wide is not None
    assert again is not None
    assert all(one is other for one, other in zip(wide, again, strict=True))
    flags = buffers(tile.with_elements(tile.elements > 0), narrow)
    assert flags is not None
    assert len(flags) == 2


def test_indices_that_do_not_fit_are_for_another_kernel():
    far = SparseTile.from_coordinates([np.array([2**40])], np.ones(1), (2**41,), 0)
    assert buffers(far, parse("form = coordinates, width = 32")) is None
    near = SparseTile.from_coordinates([np.array([5])], np.ones(1), (2**41,), 0)
    found = buffers(near, parse("form = coordinates, width = 32"))
    assert found is not None
    assert found[0].dtype == np.int32


def test_vectors_at_hand_are_looked_for_once(monkeypatch: pytest.MonkeyPatch):
    tile = SparseTile.from_dense(np.eye(4), 1)
    looks: list[Compressed] = []
    find = Compressed.vectors

    def counted(form: Compressed) -> dict[str, Array]:
        looks.append(form)
        return find(form)

    monkeypatch.setattr(Compressed, "vectors", counted)
    rows = parse("form = compressed, width = 32")
    doubled = SparseTile.on_pattern(tile.pattern, 2 * tile.elements, 1)
    first, second = buffers(tile, rows), buffers(doubled, rows)
    assert len(looks) == 1
    assert first is not None
    assert second is not None
    assert all(a is b for a, b in zip(first[:-1], second[:-1], strict=True))
    assert first[-1].tolist() == [1.0] * 4
    assert second[-1].tolist() == [2.0] * 4
    # Another order is made for whoever asks, and may be let go in between.
    columns = parse("form = compressed, orders = [[1, 0]], width = 32")
    buffers(tile, columns)
    buffers(tile, columns)
    assert len(looks) == 3
