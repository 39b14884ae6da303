"""The types of tuples, which values of several parts have on every level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, TupleType
from xdsl.ir import Attribute, TypeAttribute


def tuple_type(parts: Sequence[Attribute]) -> TupleType:
    """The type of a tuple with parts of these types."""
    return TupleType(ArrayAttr(cast("Sequence[TypeAttribute]", parts)))
