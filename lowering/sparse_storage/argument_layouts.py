"""How the sparse arguments of a kernel are laid out, and which loops that wants.

    %A : … {sparse_storage.layout = #sparse_storage.layout<form = compressed, orders = [[1, 0]]>}

has a list for each column, so that the outermost loop runs over dimension 1.
"""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.ir import Attribute, BlockArgument

from diablo.dialects.encodings import dense_rank
from diablo.dialects.sparse_storage import LayoutAttr, RegionType, iteration_order
from diablo.format_table import AUTO, FORMATS
from diablo.lowering.kernel_types import is_tensor

LAYOUT = "sparse_storage.layout"
COMPRESSED = LayoutAttr("compressed", width=32)
"""How a tile is laid out of which nothing else is said."""


def argument_layout(argument: BlockArgument) -> LayoutAttr:
    """How an argument of a function is laid out."""
    function = argument.block.parent_op()
    assert isinstance(function, func.FuncOp)
    attributes: ArrayAttr[Attribute] | tuple[()] = function.arg_attrs or ()
    entry = list(attributes)[argument.index] if attributes else None
    if isinstance(entry, DictionaryAttr):
        layout = entry.data.get(LAYOUT)
        if isinstance(layout, LayoutAttr):
            return layout
    return COMPRESSED


def outer_dimension(argument: BlockArgument) -> int | None:
    """The dimension whose indices have lists of their own, None if there are no such lists."""
    assert is_tensor(argument.type)
    rank, layout = argument.type.get_num_dims(), argument_layout(argument)
    if rank < 2 or not dense_rank(argument.type) or is_without_lists(layout):
        return None
    return iteration_order(RegionType(rank, layout))[0]


def is_without_lists(layout: LayoutAttr) -> bool:
    """Whether a region is better gone through as a whole than list by list."""
    form = layout.form.data
    return form != AUTO and not FORMATS[form].goes_list_by_list
