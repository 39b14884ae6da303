"""Every array is one tile, which stays with the driver: in one process, without a block size.

    %B = tensor_block.map … ins(%A[d0] : tensor<?xf64, #tiles>) -> tensor<?xf64, #tiles>
  ==>
    %B = tensor_block.map … ins(%A[d0] : tensor<?xf64>) -> tensor<?xf64>

As an array of the driver it is computed by the same kernel, called directly: an operation then
costs microseconds more than its kernel, and not tens of them. What the function returns is
distributed at its end, so that its callers see what they always see.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType
from xdsl.ir import Attribute
from xdsl.rewriter import Rewriter

from diablo.dialects.encodings import as_array, is_tiled, local_type


def keep_whole(function: func.FuncOp) -> Sequence[Attribute]:
    """Make all arrays of a function local ones; return the types of the results before."""
    results = function.function_type.outputs.data
    for op in function.walk():
        blocks = [block for region in op.regions for block in region.blocks]
        values = [*op.results, *(argument for block in blocks for argument in block.args)]
        for value in values:
            if is_tiled(value.type):
                Rewriter.replace_value_with_new_type(value, _whole(value.type))
    function.properties["function_type"] = FunctionType.from_lists(
        [argument.type for argument in function.body.block.args],
        [_whole(type) for type in results],
    )
    return results


def _whole(type: Attribute) -> Attribute:
    array = as_array(type)
    return local_type(array) if array is not None and is_tiled(array) else type
