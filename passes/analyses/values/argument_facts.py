"""Analysis: what is known of a function's arguments, which whoever compiles it wrote there.

    func.func @main(%A: tensor<?x?xf64> {diablo.shape = array<i64: 100, -1>,
                                         diablo.sizes = ["", "size0"]},
                    %B: tensor<?xf64> {diablo.sizes = ["size0"]},
                    %k: i64 {diablo.least = 1 : i64})

`%A` has 100 rows, and as many columns as `%B` has elements, which are 1 or more; so is `%k`.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, StringAttr
from xdsl.ir import Attribute, BlockArgument, SSAValue


def _attribute(value: SSAValue, name: str) -> Attribute | None:
    """An attribute of a function's argument."""
    function = value.block.parent_op() if isinstance(value, BlockArgument) else None
    if not isinstance(function, func.FuncOp) or function.arg_attrs is None:
        return None
    assert isinstance(value, BlockArgument)
    return function.arg_attrs.data[value.index].data.get(name)


def known_extent(value: SSAValue, axis: int) -> int | None:
    """The extent of an argument along an axis, if it is known."""
    shape = _attribute(value, "diablo.shape")
    if not isinstance(shape, DenseArrayBase):
        return None
    extents = shape.get_values()
    return extents[axis] if 0 <= axis < len(extents) and extents[axis] >= 0 else None


def known_entries(value: SSAValue) -> int | None:
    """Return how many entries a sparse argument stores, if that is known."""
    entries = _attribute(value, "diablo.nnz")
    return entries.value.data if isinstance(entries, IntegerAttr) else None


def size_name(value: SSAValue, axis: int) -> str | None:
    """The name of an argument's extent, if it has one.

    Those of one name are equal, and are not 0.
    """
    sizes = _attribute(value, "diablo.sizes")
    names = cast("ArrayAttr[Attribute]", sizes).data if isinstance(sizes, ArrayAttr) else ()
    name = names[axis] if 0 <= axis < len(names) else None
    return name.data or None if isinstance(name, StringAttr) else None


def known_least(value: SSAValue) -> int | None:
    """Return what an argument is never less than."""
    least = _attribute(value, "diablo.least")
    return least.value.data if isinstance(least, IntegerAttr) else None
