"""Index patterns of rank 1 to 4 in every layout, against sets and dictionaries."""

from __future__ import annotations

import pickle
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pattern_models import (
    Index,
    in_order,
    index_sets,
    indices_of,
    layouts,
    orders,
    pattern_of,
    patterns,
)
from pattern_traversal import iterate, lists, step

from diablo.format_table import form_names
from diablo.runtime.arrays.patterns.layout import Directory, Layout, parse
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.patterns.pattern_slices import TURN, slice_at
from diablo.runtime.arrays.patterns.selection import (
    Selection,
    leading_part,
    restrict,
    translate,
    where,
)
from diablo.runtime.arrays.patterns.set_operations import difference, intersection, union
from diablo.runtime.arrays.patterns.variants import transposed

Stored = tuple[Pattern, set[Index]]


@given(patterns())
def test_entries_are_in_the_first_order(stored: Stored):
    pattern, indices = stored
    assert pattern.count == len(indices)
    assert indices_of(pattern) == in_order(indices, pattern.order)
    flat = sorted(int(np.ravel_multi_index(i, pattern.shape)) for i in indices)
    assert pattern.positions().tolist() == flat
    assert pattern.find_positions(np.array(flat, np.int64)).tolist() == [
        indices_of(pattern).index(index) for index in sorted(indices)
    ]


@given(patterns())
def test_one_index_is_found_as_all_are(stored: Stored):
    pattern, indices = stored
    entries = {index: entry for entry, index in enumerate(indices_of(pattern))}
    for index in np.ndindex(*pattern.shape):
        assert pattern.find_one(index) == entries.get(index, -1)
    assert len(entries) == len(indices)


@given(patterns(), st.data())
def test_iteration_in_any_order_both_ways(stored: Stored, data: st.DataObject):
    pattern, indices = stored
    order = data.draw(orders(pattern.ndim))
    backwards = data.draw(st.booleans())
    columns, entries = iterate(pattern, order, backwards=backwards)
    expected = in_order(indices, order)[:: -1 if backwards else 1]
    assert list(zip(*[c.tolist() for c in columns], strict=True)) == expected
    by_entry = indices_of(pattern)
    assert [by_entry[entry] for entry in entries] == expected


@given(patterns(), st.data())
def test_steps_and_lists_in_any_dimension(stored: Stored, data: st.DataObject):
    pattern, indices = stored
    dimension = data.draw(st.integers(0, pattern.ndim - 1))
    backwards = data.draw(st.booleans())
    by_entry = indices_of(pattern)
    found = step(pattern, np.arange(pattern.count), dimension, backwards=backwards)
    other = [d for d in range(pattern.ndim) if d != dimension]
    groups: dict[Index, list[Index]] = {}
    for index in in_order(indices, (*other, dimension)):
        groups.setdefault(tuple(index[d] for d in other), []).append(index)
    for entry, to in enumerate(found.tolist()):
        group = groups[tuple(by_entry[entry][d] for d in other)]
        place = group.index(by_entry[entry]) + (-1 if backwards else 1)
        expected = group[place] if 0 <= place < len(group) else None
        assert (by_entry[to] if to >= 0 else None) == expected
    found_lists = [[by_entry[e] for e in entries] for entries in lists(pattern, dimension)]
    assert sorted(found_lists) == sorted(groups.values())


@given(patterns())
def test_lookup_inside_and_outside_the_box(stored: Stored):
    pattern, indices = stored
    wanted = list(product(*[range(-1, extent + 2) for extent in pattern.shape]))
    found = pattern.lookup(list(np.array(wanted).T))
    numbers = {index: entry for entry, index in enumerate(indices_of(pattern))}
    assert set(numbers) == indices
    assert found.tolist() == [numbers.get(index, -1) for index in wanted]


@given(patterns(), st.data())
def test_a_form_finds_bounds_and_positions(stored: Stored, data: st.DataObject):
    form = stored[0].form
    flat = form.positions().tolist()
    wanted = np.arange(form.size + 1)
    assert form.lower_bound(wanted).tolist() == [sum(f < w for f in flat) for w in wanted]
    entries = data.draw(st.lists(st.sampled_from(range(len(flat))), max_size=5)) if flat else []
    assert form.positions_of(np.array(entries, np.int64)).tolist() == [flat[e] for e in entries]


@given(patterns(), st.data())
def test_other_layouts_store_the_same_set(stored: Stored, data: st.DataObject):
    pattern, indices = stored
    layout = data.draw(layouts(pattern.ndim))
    other = pattern.with_layout(layout)
    assert indices_of(other) == in_order(indices, other.order)
    assert other.orders == layout.orders_of(pattern.ndim)
    assert pattern.same_set(other)
    assert pattern.with_layout(layout) is other
    assert other.with_layout(layout) is other
    assert str(parse(str(layout))) == str(layout)


@given(patterns())
def test_a_pickle_has_the_form_alone(stored: Stored):
    pattern, indices = stored
    before = len(pickle.dumps(pattern, protocol=5))
    for order in pattern.orders:
        pattern.entries(order)
    step(pattern, np.arange(pattern.count), 0)
    pattern.lookup(pattern.coordinates())
    text = pickle.dumps(pattern, protocol=5)
    assert len(text) == before
    again = pickle.loads(text)
    assert indices_of(again) == indices_of(pattern) == in_order(indices, pattern.order)
    assert again.stored_layout() == pattern.stored_layout()
    pattern.forget()
    assert pattern.derived_nbytes == 0


def check_part(selection: Selection, expected: dict[Index, int]) -> None:
    """A selection has the indices expected, each with the number it had in the whole."""
    part, entries = selection
    if isinstance(entries, slice):
        entries = np.arange(entries.start, entries.stop)
    found = dict(zip(indices_of(part), entries.tolist(), strict=True))
    assert found == expected
    assert indices_of(part) == in_order(set(expected), part.order)


def numbered(pattern: Pattern) -> dict[Index, int]:
    return {index: entry for entry, index in enumerate(indices_of(pattern))}


@given(patterns(), st.data())
def test_slices(stored: Stored, data: st.DataObject):
    pattern, _ = stored
    dimensions = data.draw(st.sets(st.integers(0, pattern.ndim - 1), max_size=pattern.ndim))
    fixed = {d: data.draw(st.integers(-1, pattern.shape[d])) for d in dimensions}
    expected = {
        tuple(i for d, i in enumerate(index) if d not in fixed): entry
        for index, entry in numbered(pattern).items()
        if all(index[d] == i for d, i in fixed.items())
    }
    check_part(slice_at(pattern, fixed), expected)
    # Once it has been looked through often enough, there is an order for it.
    pattern.keep(("looked through", frozenset(fixed)), lambda: [0])[0] = TURN * pattern.count
    check_part(slice_at(pattern, fixed), expected)


@given(patterns(), st.data())
def test_translated_and_restricted(stored: Stored, data: st.DataObject):
    pattern, _ = stored
    offsets = [data.draw(st.integers(-4, 4)) for _ in pattern.shape]
    shape = tuple(data.draw(st.integers(0, 6)) for _ in pattern.shape)
    expected: dict[Index, int] = {}
    for index, entry in numbered(pattern).items():
        moved = tuple(i + o for i, o in zip(index, offsets, strict=True))
        if all(0 <= i < e for i, e in zip(moved, shape, strict=True)):
            expected[moved] = entry
    check_part(translate(pattern, offsets, shape), expected)
    check_part(restrict(pattern, [-o for o in offsets], shape), expected)


@given(patterns(), st.data())
def test_leading_parts(stored: Stored, data: st.DataObject):
    pattern, _ = stored
    begin = data.draw(st.integers(0, pattern.shape[0]))
    end = data.draw(st.integers(begin, pattern.shape[0]))
    expected = {
        (index[0] - begin, *index[1:]): entry
        for index, entry in numbered(pattern).items()
        if begin <= index[0] < end
    }
    selection = leading_part(pattern, begin, end)
    check_part(selection, expected)
    assert leading_part(pattern, begin, end).pattern is selection.pattern or begin == end


@given(patterns(), st.data())
def test_predicates_see_stored_indices_only(stored: Stored, data: st.DataObject):
    pattern, indices = stored
    wanted = data.draw(st.sets(st.sampled_from(sorted(indices)))) if indices else set()
    seen: list[Index] = []

    def predicate(*columns: np.ndarray) -> np.ndarray:
        rows = list(zip(*[c.tolist() for c in columns], strict=True))
        seen.extend(rows)
        return np.array([row in wanted for row in rows], np.bool_)

    selection = where(pattern, predicate)
    assert sorted(seen) == sorted(indices)
    expected = {index: e for index, e in numbered(pattern).items() if index in wanted}
    check_part(selection, expected)


@given(patterns(), st.data())
def test_set_operations(stored: Stored, data: st.DataObject):
    one, first = stored
    other, second = data.draw(patterns(one.shape))
    for function, expected in (
        (intersection, first & second),
        (union, first | second),
        (difference, first - second),
    ):
        joined = function(one, other)
        found = indices_of(joined.pattern)
        assert set(found) == expected
        assert found == in_order(expected, joined.pattern.order)
        for operand, entries in ((one, joined.left), (other, joined.right)):
            numbers = numbered(operand)
            entries = range(joined.pattern.count) if entries is None else entries.tolist()
            assert list(entries) == [numbers.get(index, -1) for index in found]


@given(patterns(), st.data())
def test_transposed(stored: Stored, data: st.DataObject):
    pattern, _ = stored
    axes = data.draw(orders(pattern.ndim))
    turned = transposed(pattern, axes)
    assert turned.shape == tuple(pattern.shape[a] for a in axes)
    assert numbered(turned) == {
        tuple(index[a] for a in axes): entry for index, entry in numbered(pattern).items()
    }


@given(index_sets((4, 5)), st.sampled_from(form_names()))
def test_a_form_that_cannot_hold_a_pattern_is_left(indices: set[Index], form: str):
    pattern = pattern_of(indices, (4, 5), Layout(form))
    if form == "full":
        assert (pattern.form.name == "full") == (len(indices) == 20)
    elif form not in ("auto", "band"):
        assert pattern.form.name == form


@pytest.mark.parametrize("form", form_names())
@pytest.mark.parametrize("directory", list(Directory))
def test_many_lookups_in_a_large_pattern(form: str, directory: Directory):
    rng = np.random.default_rng(7)
    flat = np.unique(rng.integers(0, 300 * 400, 5000))
    columns = np.divmod(flat, 400)
    layout = Layout(form, ((0, 1), (1, 0)), directory)
    pattern = pattern_of(set(zip(*[c.tolist() for c in columns], strict=True)), (300, 400), layout)
    wanted = rng.integers(0, 300 * 400, 3000)
    place = np.minimum(np.searchsorted(flat, wanted), len(flat) - 1)
    expected = np.where(flat[place] == wanted, place, -1)
    np.testing.assert_array_equal(pattern.lookup(np.divmod(wanted, 400)), expected)
    np.testing.assert_array_equal(
        pattern.lookup([c[:3] for c in np.divmod(wanted, 400)]), expected[:3]
    )
