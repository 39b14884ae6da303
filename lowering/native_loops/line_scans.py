"""Kernels that a loop of the driver calls, and that scan the lines of an array.

    %S = func.call @sums(%n, %m, %A)        ("scan", "@0", "add", 1, False, "3,4", "@2")

Loops of the runtime scan them, whole lines on each thread (`diablo.runtime.kernels.scans`). Vectors
are scanned by machine code of their own (`lowering/multiloop/vector_scans.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import f64, i64
from xdsl.ir import Attribute, BlockArgument

from diablo.dialects.monoids import is_user_defined
from diablo.dialects.number_constants import ConstantOps
from diablo.dialects.tensor_block import ScanOp
from diablo.kernel_signature import Dimension, dimensions_text
from diablo.lowering.kernel_types import element_type
from diablo.lowering.llvm.signature_parts import dimension_of
from diablo.passes.analyses.loops.one_loop import is_scanned_along
from diablo.passes.analyses.refused import Refused

_MONOIDS = ("add", "min", "max")
_ELEMENTS: tuple[Attribute, ...] = (f64, i64)
"""What the loops of the runtime scan (`runtime/native/loops/scans.mlir`)."""


@dataclass(frozen=True)
class LineScan:
    """A kernel that scans its argument `array` along `axis`."""

    array: int
    monoid: str
    axis: int
    is_reverse: bool
    extents: tuple[Dimension, ...]

    def words(self, known: Callable[[Dimension], Dimension]) -> tuple[object, ...]:
        """The words between the array and what is made, with extents as a call has them."""
        extents = dimensions_text([known(extent) for extent in self.extents])
        return self.monoid, self.axis, self.is_reverse, extents


def line_scan(kernel: func.FuncOp) -> LineScan | None:
    """The scan of lines that is all of a kernel, if it is one.

    Raises
    ------
    Refused
        If the runtime has no loop for it.
    """
    *constants, op, end = kernel.body.block.ops
    if not isinstance(op, ScanOp) or is_scanned_along(op) or list(end.operands) != [op.result]:
        return None
    array = op.array
    if not isinstance(array, BlockArgument) or array.block is not kernel.body.block:
        return None
    if not all(isinstance(constant, ConstantOps) for constant in constants):
        return None
    if is_user_defined(op.monoid.data):
        raise Refused("lines of an array are scanned by a monoid of the program's own")
    element = element_type(array.type)
    if op.monoid.data not in _MONOIDS or element not in _ELEMENTS:
        raise Refused(f"lines of {element} are scanned by {op.monoid.data}")
    return LineScan(
        array.index,
        op.monoid.data,
        op.dimension.value.data,
        op.reverse is not None,
        tuple(dimension_of(extent) for extent in op.extents),
    )
