"""What the values of a kernel are: tensors, or scalars.

xDSL's `isa` checks type arguments by building constraints; kernels ask too often for that.
"""

from __future__ import annotations

from typing import TypeGuard

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute


def is_tensor(type: Attribute) -> TypeGuard[TensorType[Attribute]]:
    """Whether `type` is a tensor."""
    return isinstance(type, TensorType)


def element_type(type: Attribute) -> Attribute:
    """The scalar type of a tensor; a scalar type itself."""
    return type.get_element_type() if is_tensor(type) else type
