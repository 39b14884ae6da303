"""`program.explain()`: what the compiler decided, the driver's steps, and the kernels."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.printer import Printer

from diablo.diagnostics import Diagnostic
from diablo.frontend.emission.bindings import (
    ArrayBinding,
    Binding,
    ColumnBinding,
    MapBinding,
    OpenBinding,
    RowsBinding,
    ScalarBinding,
)
from diablo.lowering.outlined_loops import loop_of
from diablo.variant import Variant


def explain(variant: Variant, deciding: Mapping[str, str]) -> str:
    """Return the plan of a program for the inputs that `variant` is compiled for.

    `deciding` says why each value of an input, or of its extents, is compiled for.
    """
    module = variant.spark_module
    parts = [f"Plan of {variant.file}", _inputs(variant, deciding), _decisions(variant.diagnostics)]
    parts += [_storage(variant), _driver(module), _kernels(module)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _inputs(variant: Variant, deciding: Mapping[str, str]) -> str:
    lines = [f"  {name}: {_known(binding)}" for name, binding in variant.bindings.items()]
    lines += [f"  Each value of {name} decides: {why}" for name, why in deciding.items()]
    head = "Known of the inputs, for which alone this is compiled; equal names are equal numbers:"
    if not any(_has_names(binding) for binding in variant.bindings.values()):
        head = "Known of the inputs, for which alone this is compiled:"
    return "\n".join([head, *lines]) if lines else ""


def _has_names(binding: Binding) -> bool:
    """Return whether it is known that an extent equals others that are not known either."""
    return isinstance(binding, ArrayBinding) and any(
        isinstance(extent, str) for extent in binding.shape or ()
    )


def _known(binding: Binding) -> str:
    """Return what the compiler knows of an input, in words."""
    match binding:
        case ScalarBinding():
            value = binding.value
            return repr(value) if isinstance(value, str) else str(value).lower()
        case OpenBinding():
            least = "any number" if binding.least is None else f"{binding.least} or more"
            return least if binding.size is None else binding.size
        case RowsBinding():
            return f"rows of {', '.join(map(_column, binding.columns))}"
        case MapBinding():
            values = ", ".join(map(_column, binding.values))
            return f"map from {', '.join(binding.keys)} to {values}"
        case ArrayBinding():
            sparse = binding.rank - binding.dense_rank
            dimensions = f"{binding.rank} dimension{'s' if binding.rank > 1 else ''}"
            extents = [extent or "any" for extent in binding.shape or ()]
            shape = " x ".join(map(str, extents)) if any(binding.shape or ()) else dimensions
            kind = f"the last {sparse} sparse" if sparse else "dense"
            return f"{shape} of {_column(binding.element)}, {kind}"


def _column(binding: ColumnBinding) -> str:
    return binding if isinstance(binding, str) else f"({_known(binding)})"


def _decisions(diagnostics: list[Diagnostic]) -> str:
    lines = [f"  {_place(d)}{d.severity}: {d.message}" for d in diagnostics if d.severity != "note"]
    return "\n".join(["Decisions:", *lines]) if lines else "Decisions: none to speak of."


def _place(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    return "" if span is None else f"{span.line}:{span.column}: "


def _storage(variant: Variant) -> str:
    """Return what is stored of the sparse arrays, with the bytes."""
    report = variant.storage()
    return "Storage of the sparse arrays:\n" + _indent(report) if report else ""


def _driver(module: ModuleOp) -> str:
    output = StringIO()
    for op in _functions(module):
        if not _is_kernel(op):
            Printer(stream=output).print_op(op)
    return "Steps of the driver:\n" + _indent(output.getvalue())


def _kernels(module: ModuleOp) -> str:
    lines: list[str] = []
    for op in _functions(module):
        if _is_kernel(op):
            inside = [o.name for o in op.body.walk() if o.parent_op() is op]
            lines.append(f"  {op.sym_name.data}: {', '.join(n for n in inside if _counts(n))}")
    return "\n".join(["Kernels:", *lines]) if lines else ""


def _functions(module: ModuleOp) -> list[FuncOp]:
    return [op for op in module.ops if isinstance(op, FuncOp)]


def _is_kernel(op: FuncOp) -> bool:
    private = op.sym_visibility is not None and op.sym_visibility.data == "private"
    return private and loop_of(op) is None  # A loop of the driver is a step of its own.


def _counts(name: str) -> bool:
    return name not in ("func.return", "arith.constant", "comprehension.unsigned")


def _indent(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
