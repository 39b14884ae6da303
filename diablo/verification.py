"""Verify a module: every op's own verifier, then SSA dominance, with the place of the error.

What the verifiers of xDSL's own ops leave out, and lowerings rely on, is checked here too: that
`scf` ops are given what their results are, and that a constant axis is one of the array's.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from diablo.diagnostics import Diagnostic
from diablo.dialects.locations import span_of
from diablo.dominance import find_dominance_error

_CHECKED_HERE = frozenset(["scf.if", "scf.while", "tensor.dim", "memref.dim"])


def verify_module(module: ModuleOp) -> Diagnostic | None:
    """Return what is wrong with the module, or None."""
    for op in module.walk(region_first=True):
        try:
            for region in op.regions:
                for block in region.blocks:
                    if block.first_op is None:
                        block.verify()
            op.verify(verify_nested_ops=False)
        except Exception as error:  # xDSL's verifiers raise several kinds, `Exception` itself too
            return _error_at(op, str(error))
        if op.name in _CHECKED_HERE:
            # Imported late: it loads the dialects of these ops.
            from diablo.upstream_checks import left_out

            if (message := left_out(op)) is not None:
                return _error_at(op, message)
    if (wrong := find_dominance_error(module)) is not None:
        owner = wrong.op.operands[wrong.operand_index].owner
        defined = span_of(owner) if isinstance(owner, Operation) else None
        notes = () if defined is None else (Diagnostic("note", "operand defined here", defined),)
        return _error_at(wrong.op, wrong.message, notes)
    return None


def _error_at(op: Operation, message: str, notes: tuple[Diagnostic, ...] = ()) -> Diagnostic:
    return Diagnostic("error", f"'{op.name}' op {message}", span_of(op), notes=notes)
