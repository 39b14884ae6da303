"""How the sparse arrays of a program are stored: what callers ask for, and what they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.passes import ModulePass

from diablo.diagnostics import InputError
from diablo.passes.layouts.annotations import annotate, annotated
from diablo.passes.layouts.choose_layouts import ChooseLayoutsPass, chosen_layouts
from diablo.passes.layouts.forced_layouts import (
    ForcedLayouts,
    LayoutTextError,
    parse_forced_layouts,
)
from diablo.passes.layouts.layout_report import layout_report
from diablo.runtime.arrays.sparse_tile import SparseTile


def check_layout(text: str) -> None:
    """Check the text of a layout that a caller gives; an `InputError` says what is wrong."""
    try:
        parse_forced_layouts(text)
    except LayoutTextError as error:
        raise InputError(f"layout: {error}") from None


def stored_entries(values: Mapping[str, Any]) -> dict[str, int]:
    """The number of entries of each input that is a sparse array."""
    return {name: value.nnz for name, value in values.items() if isinstance(value, SparseTile)}


def note_entries(module: ModuleOp, entries: Mapping[str, int]) -> None:
    """Attach `diablo.nnz`, the number of entries, to the inputs of which it is known."""
    for argument, name in list(annotated(module, "diablo.name")):
        if isinstance(name, StringAttr) and name.data in entries:
            annotate(argument, "diablo.nnz", IntegerAttr(entries[name.data], i64))


def with_layouts(passes: Sequence[ModulePass], layout: str | None) -> list[ModulePass]:
    """The passes of a pipeline that gives sparse arrays `layout`, if it is not `None`."""
    return [
        replace(each, force=layout) if isinstance(each, ChooseLayoutsPass) else each
        for each in passes
    ]


def until_layouts(passes: Sequence[ModulePass]) -> list[ModulePass]:
    """The passes before layouts are chosen."""
    return [each for each in passes if not isinstance(each, ChooseLayoutsPass)]


def storage_report(module: ModuleOp, layout: str | None) -> str:
    """The bytes of what is stored of each region of a module whose uses are inferred."""
    forced: ForcedLayouts = {} if layout is None else parse_forced_layouts(layout)
    return "".join(
        layout_report(region.stored(choice.layout))
        for region, choice in chosen_layouts(module, forced)
    )
