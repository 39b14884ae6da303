"""Programs of the compiler for functions of the elements of several sparse arrays, and their folds.

    a + 2 * b    where a has another pattern than b, as `tensor_block.map`:

    %c = tensor_block.map parallel(d0 < %n0, d1 < %n1) ins(%a[d0, d1] …, %b[d0, d1] …) -> !sparse {
    ^bb0(%i: index, %j: index, %x: i64, %y: i64):
      %there = x != 0 or y != 0
      %sum = bitcast(x) + 2 * bitcast(y)
      tensor_block.yield select(%there, bitcast(%sum), 0) }

    (a + 2 * b) @ v    as `tensor_block.reduce`, which makes no matrix:

    %y = tensor_block.reduce add parallel(d0 < %n0) reduced(d1 < %n1)
        ins(%a[d0, d1] …, %b[d0, d1] …, %v[d1] : tensor<?xf64>) -> tensor<?xf64> {
      …
      tensor_block.yield select(%there, %sum * %v, 0.0) }

What the words are that matrices have as elements, `sparse_structure.py` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from diablo.array.evaluation import Options
from diablo.array.fold_operations import monoid_for
from diablo.array.sparse_entries import Entries
from diablo.array.sparse_joints import Joint
from diablo.array.sparse_structure import COLUMN, Call, Structure, called
from diablo.array.structure_programs import KeptPrograms, StructureProgram
from diablo.runtime.native.work_seen import pays_from

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

WORTH_A_PROGRAM = 1 << 22
"""From how many entries on, over all computations, a program is compiled."""

_FEW = 1 << 15
"""Up to how many entries nobody asks whether there is a program."""

_FILE = "<sparse expression>"


class SparseProgram(StructureProgram):
    """What computes the joints that have a structure."""

    def __init__(self, structure: Structure):
        def written() -> ModuleOp:
            from diablo.array.sparse_to_tensor_block import write_sparse

            return write_sparse(structure)

        super().__init__(_FILE, ("sparse", structure), "tensor-block-to-local", written)


_programs = KeptPrograms[SparseProgram]()


def by_program(joint: Joint, options: Options) -> Entries | None:
    """Return the entries of a joint as a program computes them; None if none does, or none pays.

    Here as below all arrays of the joint are there.
    """
    work = _stored(joint)
    call = called(joint) if _may_pay(work, options) else None
    found = None if call is None else _run(call, work, options)
    return None if call is None or found is None else call.entries(found)


def fold_by_program(
    joint: Joint,
    monoid: str,
    dtype: Any,
    kept: Sequence[int],
    options: Options,
    *,
    is_counted: bool,
) -> tuple[Any, Any] | None:
    """Return the folds of what is stored along axes, and how many elements each is of.

    These are arrays over the axes that are kept, in their order, the second one of zeros unless it
    is counted. None if there is no program, or none pays.
    """
    work = _stored(joint)
    shape = [joint.shape[axis] for axis in kept]
    call = called(joint, kept) if _may_pay(work, options) and _is_full(shape, work) else None
    if call is None:
        return None
    own = [axis for axis in call.order if axis in kept]
    call.fold(monoid, dtype, [0] if own else [], is_counted=is_counted)
    found = _run(call, work, options)
    if found is None:
        return None
    box, axes = [joint.shape[axis] for axis in own], [own.index(axis) for axis in kept]
    folds, *counts = [
        np.asarray(array).reshape(box).transpose(axes)
        for array in (found if is_counted else (found,))
    ]
    return folds, counts[0] if counts else np.zeros(shape, np.int64)


def product_by_program(
    joint: Joint, kept: int, dense: Any, dtype: Any, options: Options
) -> Any | None:
    """Return the sums over an axis of a matrix of its elements times those of a dense array.

    The other axis is kept, and so is the second of the dense array if it has two. None if there is
    no program, or none pays.
    """
    work = _stored(joint)
    is_known = np.dtype(dtype).kind in "iuf" and _is_full([joint.shape[kept]], work)
    call = called(joint, [kept]) if is_known and _may_pay(work, options) else None
    if call is None or monoid_for("add", np.dtype(dtype)) is None:
        return None
    if dense.ndim == 2 and dense.flags.f_contiguous and not dense.flags.c_contiguous:
        call.multiply(dense.T, [COLUMN, 1], dtype)
    else:
        call.multiply(dense, [1, COLUMN][: dense.ndim], dtype)
    call.fold("add", dtype, [0, COLUMN][: dense.ndim], is_counted=False)
    return _run(call, work, options)


def _stored(joint: Joint) -> int:
    """Return how many elements the arrays of a joint have of their own."""
    return sum([len(o.pattern) for o in joint.places.values() if isinstance(o, Entries)])


def _may_pay(work: int, options: Options) -> bool:
    """Return whether it is worth asking for a program."""
    return work >= _FEW or options.wants_programs


def _is_full(shape: Sequence[int], work: int) -> bool:
    """Return whether an array of a shape takes no more than a few times what it is made of."""
    return prod(shape) <= _FEW + 8 * work


def _run(call: Call, work: int, options: Options) -> Any:
    """Return what the program for a structure gives; None if it does not pay yet."""
    structure = call.structure
    if not (options.wants_programs or pays_from(("sparse", structure), work, WORTH_A_PROGRAM)):
        return None
    program = _programs.get(structure, lambda: SparseProgram(structure))
    return program.run(call.arguments)
