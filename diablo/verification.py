"""Verify a module: every op's own verifier, then SSA dominance, with the place of the error.

What the verifiers of xDSL's own ops leave out, and lowerings rely on, is checked here too: that
`scf` ops are given what their results are, and that a constant axis is one of the array's.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import SymbolOpInterface, SymbolTable

from diablo.diagnostics import Diagnostic
from diablo.dialects.locations import span_of
from diablo.dominance import find_dominance_error

_CHECKED_HERE = frozenset(["scf.if", "scf.while", "tensor.dim", "memref.dim"])


def verify_module(module: ModuleOp, among: Container[Operation] | None = None) -> Diagnostic | None:
    """Return what is wrong with the module, or None; of its ops only `among` are looked at."""
    for op in module.walk(region_first=True):
        if among is not None and op not in among:
            continue
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


_Part = SSAValue | Attribute | Block | Operation | tuple[str, Attribute] | None


class _Note(NamedTuple):
    """What an op was when it was last looked at."""

    head: Sequence[_Part]
    """Its operands, types, attributes and successors."""
    body: Sequence[_Part]
    """The blocks of its regions, with the types of their arguments and their ops."""


class IncrementalVerifier:
    """Verify a module after each of several passes, of which most change little or nothing.

    After the first time, an op is looked at if it has changed, if it is around or within one that
    has, if it uses one that has, or if it ends a block that has. All are once a symbol changes.
    What an op's verifier reads from further away is verified by `verify_module` at the end.
    """

    def __init__(self) -> None:
        self._notes: dict[Operation, _Note] = {}

    def verify(self, module: ModuleOp) -> Diagnostic | None:
        """Return what is wrong with the module, or None."""
        known, self._notes = self._notes, {op: _note(op) for op in module.walk()}
        if not known:
            return verify_module(module)
        concerned = _concerned(module, known, self._notes)
        return verify_module(module, concerned) if concerned else None


def _note(op: Operation) -> _Note:
    head = (
        *op.operands,
        None,
        *[result.type for result in op.results],
        *op.properties.items(),
        None,
        *op.attributes.items(),
        *op.successors,
    )
    if not op.regions:
        return _Note(head, ())
    body: list[_Part] = []
    for region in op.regions:
        body.append(None)
        for block in region.blocks:
            body += [block, *block.arg_types, *block.ops]
    return _Note(head, body)


def _concerned(
    module: ModuleOp, known: dict[Operation, _Note], notes: dict[Operation, _Note]
) -> set[Operation]:
    """The ops that may have become wrong between two times."""
    found: set[Operation] = set()
    for op, note in notes.items():
        before = known.get(op)
        if before == note:
            continue
        found.add(op)
        if before is None or before.head != note.head:
            if op.has_trait(SymbolOpInterface):
                return set(notes)
            found.update(op.walk())
            found.update(use.operation for result in op.results for use in result.uses)
        elif op.has_trait(SymbolTable):
            return set(notes)
        else:
            found.update(_concerned_inside(op, before, note))
    for op in list(found):
        while (op := op.parent_op()) is not None and op not in found:
            found.add(op)
    return found


def _concerned_inside(op: Operation, before: _Note, note: _Note) -> set[Operation]:
    """The ops in the regions of an op that are new there, or to which its blocks matter."""
    kept = {part for part in before.body if isinstance(part, Operation)}
    ops = [part for part in note.body if isinstance(part, Operation)]
    found: set[Operation] = set()
    if [p for p in before.body if p not in kept] != [p for p in note.body if p not in set(ops)]:
        found.update(op.walk())
        return found
    for inner in ops:
        if inner not in kept:
            found.update(inner.walk())
        elif inner.next_op is None:
            found.add(inner)
    return found
