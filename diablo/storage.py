"""How the sparse arrays of a program are stored: what callers ask for, and what they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, SymbolRefAttr, i64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from diablo.diagnostics import InputError
from diablo.dialects.encodings import is_sparse
from diablo.dialects.spark.spark_types import RDDType
from diablo.passes.analyses.values.all_values import source_name
from diablo.passes.layouts.annotations import annotate, annotated
from diablo.passes.layouts.choose_layouts import ChooseLayoutsPass, chosen_layouts
from diablo.passes.layouts.forced_layouts import (
    ForcedLayouts,
    LayoutTextError,
    parse_forced_layouts,
)
from diablo.passes.layouts.layout_report import HeldArray, layout_report
from diablo.runtime.arrays.holdings import Holding


def check_layout(text: str) -> None:
    """Check the text of a layout that a caller gives; an `InputError` says what is wrong."""
    try:
        parse_forced_layouts(text)
    except LayoutTextError as error:
        raise InputError(f"layout: {error}") from None


def sparse_results(module: ModuleOp) -> dict[str, list[str | None]]:
    """The names of the sparse arrays that kernels make, None for what else they make."""
    names: dict[str, list[str | None]] = {}
    for op in module.walk():
        for kernel in _kernels_of(op):
            results = [source_name(r) if _is_sparse(r) else None for r in op.results]
            known = names.setdefault(kernel, results)
            # What several arrays are made by says nothing of one of them.
            same = len(known) == len(results)
            names[kernel] = [
                a if same and a == b else None for a, b in zip(known, results, strict=False)
            ]
    return {kernel: results for kernel, results in names.items() if any(results)}


def _kernels_of(op: Operation) -> list[str]:
    attributes = [*op.properties.values(), *op.attributes.values()]
    return [a.root_reference.data for a in attributes if isinstance(a, SymbolRefAttr)]


def _is_sparse(result: SSAValue) -> bool:
    type = result.type
    parts = type.values.data if isinstance(type, RDDType) else [type]
    return len(parts) == 1 and is_sparse(parts[0])


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


def storage_report(module: ModuleOp, layout: str | None, holdings: Mapping[str, Holding]) -> str:
    """The bytes of what is stored of each region of a module whose uses are inferred.

    `holdings` says of arrays, by their names, what they held in the latest run.
    """
    held = {
        name: HeldArray(h.shape, h.entries, h.form, h.order, h.nbytes, h.derived_nbytes)
        for name, h in holdings.items()
    }
    forced: ForcedLayouts = {} if layout is None else parse_forced_layouts(layout)
    return "".join(
        layout_report(region.stored(choice.layout, held))
        for region, choice in chosen_layouts(module, forced)
    )
