"""The parts of a compiled kernel's signature: element types, extents, and what is read of arrays.

i64 f64[0,?] -> f64[0] rows 0        argument 0 says how far argument 1 is read
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IntegerAttr, TupleType
from xdsl.ir import Attribute, BlockArgument, SSAValue

from diablo.dialects.access_maps import LinearIndex
from diablo.dialects.scalar_types import is_complex, scalar_of
from diablo.kernel_signature import Dimension
from diablo.lowering.kernel_types import element_type, is_tensor
from diablo.passes.analyses.refused import Refused

Read = tuple[SSAValue, Sequence[LinearIndex], Sequence[SSAValue]]
"""An array, the indices at which an op reads it, and the extents of the op's dimensions."""


def element_name(type: Attribute) -> str:
    """A scalar's type, or that of the elements of an array, as the signature has it.

    Raises
    ------
    Refused
        If machine code has no such values.
    """
    scalar = scalar_of(element_type(type))
    if scalar is None or not scalar.in_register:
        raise Refused(f"{type} has no machine code")
    return scalar.element


def number_name(type: Attribute) -> str:
    """Return as `element_name`, of complex numbers as well.

    Raises
    ------
    Refused
        If machine code has no such values.
    """
    element = element_type(type)
    if is_complex(element) and (scalar := scalar_of(element)) is not None:
        return scalar.element
    return element_name(element)


def element_text(type: Attribute) -> str:
    """Return as `number_name`; of a tuple the names of its parts in brackets.

    Raises
    ------
    Refused
        If machine code has no such values, or a part is a tuple itself, or complex.
    """
    element = element_type(type)
    if not isinstance(element, TupleType):
        return number_name(element)
    return f"({','.join(map(element_name, element.types))})"


def read_extents(reads: Iterable[Read]) -> dict[tuple[SSAValue, int], Dimension]:
    """Return how much of each dimension of each array is read.

    Raises
    ------
    Refused
        If one is read to different extents, or to one that is computed in the kernel.
    """
    found: dict[tuple[SSAValue, int], Dimension] = {}
    for value, axes, extents in reads:
        picked = [axis.alone for axis in axes]
        if None in picked or len(set(picked)) < len(picked):
            continue  # It may be read outside of itself.
        for axis, d in enumerate(picked):
            dimension = dimension_of(extents[d or 0])
            if found.setdefault((value, axis), dimension) != dimension:
                raise Refused("an input is read to different extents")
    return found


def dimensions_read(
    argument: BlockArgument, read: dict[tuple[SSAValue, int], Dimension]
) -> tuple[Dimension | None, ...]:
    """Return how much of each dimension of a tensor argument is read, None if nothing says so."""
    assert is_tensor(argument.type)
    return tuple(read.get((argument, axis)) for axis in range(argument.type.get_num_dims()))


def dimension_of(extent: SSAValue) -> Dimension:
    """An extent as the signature has it.

    Raises
    ------
    Refused
        If the kernel computes it.
    """
    if isinstance(extent, BlockArgument):
        return Dimension(argument=extent.index)
    owner = extent.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return Dimension(owner.value.value.data)
    if (
        isinstance(owner, tensor.DimOp)
        and isinstance(owner.source, BlockArgument)
        and isinstance(axis := owner.index.owner, arith.ConstantOp)
        and isinstance(axis.value, IntegerAttr)
    ):
        return Dimension(None, owner.source.index, axis.value.value.data)
    raise Refused("an extent is computed in the kernel")
