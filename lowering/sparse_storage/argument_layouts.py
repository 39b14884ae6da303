"""How the sparse arguments of a kernel are laid out, and which loops that wants.

    %A : … {sparse_storage.layout = #sparse_storage.layout<form = compressed, orders = [[1, 0]]>}

has a list for each column, so that the outermost loop runs over dimension 1. The arguments that
say which part of the iteration a call computes, and where a result of its own begins, are marked:

    %begin: index {sparse_storage.split}, %end: index {sparse_storage.split}
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, UnitAttr
from xdsl.ir import Attribute, BlockArgument

from diablo.dialects.encodings import dense_rank
from diablo.dialects.sparse_storage import LayoutAttr, RegionType, iteration_order
from diablo.format_table import AUTO, FORMATS, format_for
from diablo.lowering.kernel_types import is_tensor

LAYOUT = "sparse_storage.layout"
SPLIT = "sparse_storage.split"
"""Marks an argument that says where the part that a call computes begins, or ends."""

COMPRESSED = LayoutAttr(format_for("lists"), width=32)
"""How a tile is laid out of which nothing else is said."""


def argument_layout(argument: BlockArgument) -> LayoutAttr:
    """Return how an argument of a function is laid out."""
    layout = _attributes(argument).get(LAYOUT)
    return layout if isinstance(layout, LayoutAttr) else COMPRESSED


def is_split(argument: BlockArgument) -> bool:
    """Return whether an argument says which part of the iteration a call computes."""
    return isinstance(_attributes(argument).get(SPLIT), UnitAttr)


def split_attributes(function: func.FuncOp, count: int) -> ArrayAttr[DictionaryAttr]:
    """The attributes of a function's arguments, and of `count` more that say what it computes."""
    own = function.arg_attrs
    given = [DictionaryAttr({})] * len(function.function_type.inputs) if own is None else own.data
    return ArrayAttr([*given, *[DictionaryAttr({SPLIT: UnitAttr()})] * count])


def _attributes(argument: BlockArgument) -> Mapping[str, Attribute]:
    function = argument.block.parent_op()
    assert isinstance(function, func.FuncOp)
    attributes: ArrayAttr[Attribute] | tuple[()] = function.arg_attrs or ()
    entry = list(attributes)[argument.index] if attributes else None
    return entry.data if isinstance(entry, DictionaryAttr) else {}


def outer_dimension(argument: BlockArgument) -> int | None:
    """The dimension whose indices have lists of their own, None if there are no such lists."""
    assert is_tensor(argument.type)
    rank, layout = argument.type.get_num_dims(), argument_layout(argument)
    if rank < 2 or not dense_rank(argument.type) or is_without_lists(layout):
        return None
    return iteration_order(RegionType(rank, layout))[0]


def is_without_lists(layout: LayoutAttr) -> bool:
    """Return whether a region is better gone through as a whole than list by list."""
    form = layout.form.data
    return form != AUTO and not FORMATS[form].goes_list_by_list
