"""Kernels that a loop of the driver calls, and that are sums of products over windows.

    %y = func.call @convolution(%x, %w)         ("windows", "@0 @1", "2,8,=5,=5,3,=3,=3", 4,
                                                 ((((0, 1),), 0), …), (1, 4, 5, 6), (), "@2")

The words are those of `diablo.runtime.kernels.window_products`, which has BLAS compute them: a job
brings the data together, another one the weights, and a third multiplies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.ir import SSAValue

from diablo.dialects.tensor_block import ReduceOp
from diablo.kernel_signature import Dimension, dimensions_text
from diablo.lowering.llvm.kernel_loops import tensor_ops
from diablo.lowering.llvm.signature_parts import dimension_of
from diablo.passes.analyses.loops.windowed_products import WindowProduct, window_product
from diablo.passes.analyses.refused import Refused

AHEAD = (0, 1)
"""The numbers of the jobs ahead of that which multiplies."""


@dataclass(frozen=True)
class WindowStep:
    """A kernel that is a product of the arguments `data` and `weights`."""

    data: int
    weights: int
    extents: tuple[Dimension, ...]
    parallel: int
    product: WindowProduct
    ends: tuple[Dimension | None, ...]
    """Of each limit what its number is added to."""

    @property
    def has_limits(self) -> bool:
        """Whether some products are left out, which is seen if a weight is no finite number."""
        return bool(self.product.limits)

    def words(self, known: Callable[[Dimension], Dimension]) -> tuple[object, ...]:
        """The words between the arrays and what is made, with extents as a call has them."""
        axes = tuple(
            (tuple((d, axis.inside.factor(d)) for d in axis.dimensions), axis.outside.constant)
            for axis in self.product.axes
        )
        limits = tuple(
            (limit.axis, limit.lower, "" if end is None else str(known(end)), limit.shift)
            for limit, end in zip(self.product.limits, self.ends, strict=True)
        )
        extents = dimensions_text([known(extent) for extent in self.extents])
        return extents, self.parallel, axes, tuple(self.product.dimensions), limits


def window_step(kernel: func.FuncOp) -> WindowStep | None:
    """The product over windows that is all of a kernel, if it is one."""
    ops, end = tensor_ops(kernel), kernel.body.block.last_op
    if len(ops) != 1 or end is None or not isinstance(op := ops[0], ReduceOp):
        return None
    if list(end.operands) != [op.result] or (product := window_product(op)) is None:
        return None
    data, weights = op.inputs[product.data], op.inputs[product.weights]
    arguments = list[SSAValue](kernel.args)
    if data not in arguments or weights not in arguments:
        return None
    try:
        extents = tuple(dimension_of(extent) for extent in op.extents)
        ends = tuple(
            None if limit.value is None else dimension_of(limit.value) for limit in product.limits
        )
    except Refused:
        return None
    parallel = op.parallel.value.data
    numbers = arguments.index(data), arguments.index(weights)
    return WindowStep(*numbers, extents, parallel, product, ends)
