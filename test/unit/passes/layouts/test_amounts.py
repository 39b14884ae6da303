"""Formulas of bytes against the numbers of the paper's benchmarks, and against NumPy's vectors."""

from __future__ import annotations

import pytest

from diablo.dialects.sparse_storage import LayoutAttr, UsesAttr
from diablo.passes.layouts.amounts import (
    ENTRIES,
    Amount,
    extent,
    formula,
    known_numbers,
    number,
    symbols,
)
from diablo.passes.layouts.lattice_fields import LATTICE, lattice_fields
from diablo.passes.layouts.layout_bytes import (
    cheapest_form,
    csr_index,
    full_lattice,
    lattice_nodes,
    needed_lattice,
    pattern_fields,
    value_slots,
    widths,
)

CG = [
    # n, entries, CSR, full lattice and values, row-major only and values
    (14_000, 1_853_104, 22_293_252, 68_503_880, 22_349_260),
    (75_000, 13_708_072, 164_796_868, 503_090_728, 165_096_876),
    (150_000, 36_121_058, 434_052_700, 1_319_558_224, 434_652_708),
]
BY_ROWS = UsesAttr("A", [[0, 1]])


@pytest.mark.parametrize(("n", "entries", "csr", "full", "rows"), CG)
def test_bytes_of_cg(n: int, entries: int, csr: int, full: int, rows: int):
    known = known_numbers([n, n], entries)
    values = (ENTRIES + 1) * 8
    assert number(csr_index(2, 4) + 8 * ENTRIES, known) == csr
    assert number(full_lattice(2, 4) + values, known) == full
    assert number(needed_lattice(lattice_fields(BY_ROWS, 2), 4) + values, known) == rows


def test_the_dummies_of_the_paper_s_array():
    # 6 x 6 with 7 entries, of which 4 rows and 5 columns have some: 22 dummies.
    known = {"nnz": 7, "min(nnz, n0)": 4, "min(nnz, n1)": 5}
    assert number(lattice_nodes(2), known) == 7 + 22


def test_twenty_points_in_a_cube():
    known = known_numbers([512] * 3, 20)
    layout = LayoutAttr("coordinates")
    fields = pattern_fields(layout, "coordinates", 3, widths(layout, 3, known))
    assert sum(number(amount, known) or 0 for _, amount in fields) == 80
    assert (number(csr_index(3, 4), known) or 0) > 1_000_000


@pytest.mark.parametrize(
    ("shape", "entries", "index", "position"),
    [
        ([2**31 - 1, 1], 5, 4, 4),
        ([2**31, 1], 5, 8, 8),
        ([2**16, 2**15], 5, 4, 8),
        ([2**16, 2**16], 2**31 - 1, 4, 8),
        ([2**16, 2**16], 2**31, 8, 8),
    ],
)
def test_widths_at_the_limit(shape: list[int], entries: int, index: int, position: int):
    found = widths(LayoutAttr("auto"), len(shape), known_numbers(shape, entries))
    assert (found.index, found.position) == (index, position)


def test_a_layout_may_want_wider_indices():
    assert widths(LayoutAttr("auto", width=64), 2, {}).index == 8


def test_forms_by_density():
    layout = LayoutAttr("auto", [[1, 0]])

    def form(entries: int) -> str:
        known = known_numbers([100, 100], entries)
        return cheapest_form(layout, 2, widths(layout, 2, known), [8], known)

    assert [form(n) for n in (3, 300, 5_000, 10_000)] == [
        "hypersparse",
        "compressed",
        "bitmap",
        "full",
    ]


def test_unknown_sizes_stay_formulas():
    assert number(4 * ENTRIES, known_numbers([3, None], None)) is None
    assert formula(12 * ENTRIES + 4 * extent(0) + 4) == "12·nnz + 4·n0 + 4"
    assert formula(Amount()) == "0"
    assert formula(symbols("n0", "n1")) == "n0·n1"
    assert formula(value_slots("full", 3)) == "n0·n1·n2"


def test_a_column_slice_turns_on_what_it_needs():
    rows = lattice_fields(BY_ROWS, 2)
    both = lattice_fields(UsesAttr("A", [[0, 1]], slices=[[1]]), 2)
    assert rows.nodes.keys() == {LATTICE, frozenset({1})}
    assert not rows.directory
    assert both.nodes[frozenset({1})] == rows.nodes[frozenset({1})]
    assert both.directory == {frozenset({0})}
    assert both.of(LATTICE).index == {0, 1}
    assert both.of(LATTICE).next == {0}
    assert not any(node.previous for node in both.nodes.values())
