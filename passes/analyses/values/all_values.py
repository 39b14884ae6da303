"""The values of a piece of IR, and what the source calls them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import BlockArgument, Operation, SSAValue


def all_values(op: Operation) -> Iterator[SSAValue]:
    """Yield every result and block argument of an op and of those in it, in their order."""
    for inner in op.walk():
        yield from inner.results
        for region in inner.regions:
            for block in region.blocks:
                yield from block.args


def source_name(value: SSAValue) -> str | None:
    """Return the name that a value has in the source: that of an input, or its hint."""
    if isinstance(value, BlockArgument):
        function = value.block.parent_op()
        if isinstance(function, func.FuncOp) and function.arg_attrs is not None:
            name = function.arg_attrs.data[value.index].data.get("diablo.name")
            if isinstance(name, StringAttr):
                return name.data
    hint = value.name_hint
    return None if hint is None else re.sub(r"_\d+$", "", hint)
