"""Have the state of the driver's loops saved as they run.

Works at the spark level, where kernels are called already.

    %P, %k = scf.while (…) … { … }     =>     %P, %k = scf.while (…) … { … } {checkpoint = 0 : i64}

The emitted program saves what such a loop carries, and the tables that it writes, between its
iterations; one that was killed is gone on with from there. These are the outermost loops, which
are numbered: what stands within an iteration is done again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from diablo.dialects.locations import remark

CHECKPOINT = "checkpoint"
"""The attribute of an `scf.while` whose state is saved, with its number."""
CHECKPOINT_STEPS = "checkpoint_steps"
"""How many iterations of the source one of such a loop is, where it was cut into strips."""
STRIP_START = "strip_start"
"""Where the steps of such an iteration are counted from: what runs the loop says from which."""


@dataclass(frozen=True)
class CheckpointLoopsPass(ModulePass):
    """Number the driver's outermost loops, whose state is saved as they run."""

    name = "checkpoint-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Number the loops of the public functions."""
        functions = [f for f in op.ops if isinstance(f, func.FuncOp) and f.sym_visibility is None]
        loops = [loop for function in functions for loop in _outermost_loops(function)]
        for number, loop in enumerate(loops):
            loop.attributes[CHECKPOINT] = IntegerAttr(number, i64)
            remark(loop, "the state of this loop is saved between its iterations")


def _outermost_loops(op: Operation) -> Iterator[scf.WhileOp]:
    """The loops within an op that stand in no other."""
    for inner in [inner for r in op.regions for block in r.blocks for inner in block.ops]:
        if isinstance(inner, scf.WhileOp):
            yield inner
        else:
            yield from _outermost_loops(inner)
