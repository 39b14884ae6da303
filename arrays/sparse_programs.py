"""Programs of the compiler for functions of the elements of several sparse arrays.

    a + 2 * b    where a has another pattern than b, as `tensor_block.map`:

    %c = tensor_block.map parallel(d0 < %n0, d1 < %n1) ins(%a[d0, d1] …, %b[d0, d1] …) -> !sparse {
    ^bb0(%i: index, %j: index, %x: i64, %y: i64):
      %there = x != 0 or y != 0
      %sum = bitcast(x) + 2 * bitcast(y)
      tensor_block.yield select(%there, bitcast(%sum), 0) }

What the words are that matrices have as elements, `sparse_structure.py` says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from diablo.array.evaluation import Options
from diablo.array.sparse_entries import Entries
from diablo.array.sparse_joints import Joint
from diablo.array.sparse_structure import Structure, called
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
    """Return the entries of a joint as a program computes them; None if none does, or none pays."""
    work = sum([len(o.pattern) for o in joint.places.values() if isinstance(o, Entries)])
    if work < _FEW and not options.wants_programs:
        return None
    call = called(joint)
    if call is None:
        return None
    structure = call.structure
    if not (options.wants_programs or pays_from(("sparse", structure), work, WORTH_A_PROGRAM)):
        return None
    program = _programs.get(structure, lambda: SparseProgram(structure))
    return call.entries(program.run(call.arguments))
