"""The report of `choose-layouts`: the bytes of every field, next to CSR and to the lattice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from diablo.dialects.sparse_storage.sparse_storage_layout import LayoutAttr
from diablo.dialects.sparse_storage.sparse_uses import UsesAttr
from diablo.format_table import format_for, known_name
from diablo.passes.layouts.amounts import ENTRIES, Amount, formula, known_numbers, number, total
from diablo.passes.layouts.lattice_fields import lattice_fields
from diablo.passes.layouts.layout_bytes import (
    Fields,
    cheapest_form,
    csr_index,
    full_lattice,
    needed_lattice,
    pattern_fields,
    value_slots,
    widths,
)
from diablo.passes.layouts.spelling import MATRIX


@dataclass(frozen=True)
class StoredArray:
    """An array of a region: its name, and the bytes of a value (0 if there are no values)."""

    name: str
    value_bytes: int


@dataclass(frozen=True)
class HeldArray:
    """What an array held when the program had run."""

    shape: Sequence[int]
    entries: int
    form: str
    order: Sequence[int]
    nbytes: int
    derived_nbytes: int
    """Bytes of what was made besides its form, and kept."""


@dataclass(frozen=True)
class StoredRegion:
    """A region with its layout, its arrays, and what is known of its size."""

    uses: UsesAttr
    layout: LayoutAttr
    arrays: Sequence[StoredArray]
    shape: Sequence[int | None]
    entries: int | None
    held: Mapping[str, HeldArray] = field(default_factory=dict[str, HeldArray])
    """By their names the arrays of which it is known what they held."""


def layout_report(region: StoredRegion) -> str:
    """The table of one region: numbers where its size is known, formulas where it is not."""
    region = _as_held(region)
    rank = len(region.shape)
    known = known_numbers(region.shape, region.entries)
    of = widths(region.layout, rank, known)
    width = of.index
    sizes = [array.value_bytes for array in region.arrays]
    form = region.layout.form.data
    first = next(iter(region.layout.dimension_orders), range(rank))
    also = known_name(form, rank, first)
    taken = f" ({also})" if also else ""
    if form == "auto":
        held = sorted({array.form for array in region.held.values()})
        cheapest = held[0] if held else cheapest_form(region.layout, rank, of, sizes, known)
        also = known_name(cheapest, rank, first) if cheapest else None
        also = f", {also}" if also else ""
        taken = f" (here: {cheapest}{also})" if cheapest else " (the form is decided at run time)"
        if len(held) > 1:
            taken = f" (in this run: {' and '.join(held)})"
        # The formulas are then those of lists, which other forms replace where they take less.
        form = cheapest or format_for("lists" if rank <= MATRIX else "lists of many dimensions")
    fields = pattern_fields(region.layout, form, rank, of)
    slots = value_slots(form, rank)
    fields += [(f"values of {a.name}", slots * a.value_bytes) for a in region.arrays]
    chosen = total(amount for _, amount in fields)
    values = ENTRIES * sum(sizes)
    with_implicit = (ENTRIES + 1) * sum(sizes)
    csr = csr_index(rank, width) + values
    needed = needed_lattice(lattice_fields(region.uses, rank), width) + with_implicit
    totals: Fields = [
        ("together", chosen),
        ("compressed rows (CSR)", csr),
        ("lattice, fields needed", needed),
        ("lattice, all fields", full_lattice(rank, width) + with_implicit),
    ]
    return _head(region, taken) + _table(fields, totals, csr, known) + _held(region)


def _as_held(region: StoredRegion) -> StoredRegion:
    """A region with what is known of its size when the program has run."""
    if not region.held:
        return region
    first, *_ = region.arrays
    array = region.held.get(first.name) or next(iter(region.held.values()))
    # What is noted of an input may be of an earlier run, for which this was compiled.
    entries = array.entries if first.name in region.held else region.entries
    shape = [n if n is not None else m for n, m in zip(region.shape, array.shape, strict=True)]
    return replace(region, shape=shape, entries=array.entries if entries is None else entries)


def _held(region: StoredRegion) -> str:
    """Return what the arrays held when the program had run, a line for each."""
    lines: list[str] = []
    for name, array in region.held.items():
        order = "" if list(array.order) == sorted(array.order) else f" by {list(array.order)}"
        known = known_name(array.form, len(array.shape), array.order)
        order += f" ({known})" if known else ""
        more = f", and {array.derived_nbytes:,} made from it" if array.derived_nbytes else ""
        lines.append(
            f"  {name} held {array.nbytes:,} bytes: {array.entries:,} entries, "
            f"{array.form}{order}{more}\n"
        )
    return "".join(lines)


def _head(region: StoredRegion, taken: str) -> str:
    names = ", ".join(array.name for array in region.arrays)
    shape = " x ".join("?" if n is None else str(n) for n in region.shape)
    entries = "" if region.entries is None else f", {region.entries} entries"
    return (
        f"region {region.uses.region.data}: {names}, {shape}{entries}\n"
        f"  layout: {region.layout.text}{taken}\n"
    )


def _table(fields: Fields, totals: Fields, csr: Amount, known: dict[str, int]) -> str:
    rows = [*fields, *totals]
    values = [number(amount, known) for _, amount in rows]
    names = max(len(name) for name, _ in rows)
    if None in values:
        return "".join(f"  {name:{names}}  {formula(amount)}\n" for name, amount in rows)
    whole = number(csr, known) or 1
    ratios = [f"{(value or 0) / whole:.2f} of CSR" for value in values[len(fields) :]]
    ratios = [" " * len(ratios[0])] * len(fields) + ratios
    numbers = [f"{value:,}" for value in values]
    width = max(map(len, numbers))
    return "".join(
        f"  {name:{names}}  {text:>{width}}  {ratio}  {formula(amount)}\n"
        for (name, amount), text, ratio in zip(rows, numbers, ratios, strict=True)
    )
