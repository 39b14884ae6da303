"""Tensor encodings of the `tensor_block` dialect: how an array is stored, and where.

Arrays are builtin tensors. Without an encoding an array is local and dense;
`tensor<?x?xf64, #tensor_block.storage<dense = 1>>` is local with sparse columns, and
`tensor<?x?xf64, #tensor_block.tiles<dense = 1>>` is the same distributed in tiles. An element
may be a tuple, of which parts are bags; a bag alone is the one part of a tuple. Every
dialect uses these types, so they stand apart from the ops.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from typing_extensions import TypeVar
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IntAttr, NoneAttr, TensorType
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue
from xdsl.irdl import (
    AttrConstraint,
    IntConstraint,
    VerificationContext,
    irdl_attr_definition,
    param_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa


def _parse_dense(parser: AttrParser) -> IntAttr:
    parser.parse_keyword("dense")
    parser.parse_punctuation("=")
    position = parser.pos
    dense = parser.parse_integer()
    if dense < 0:
        parser.raise_error("the number of dense dimensions cannot be negative", position)
    return IntAttr(dense)


def _verify_dense(dense: IntAttr) -> None:
    if dense.data < 0:
        raise VerifyException("the number of dense dimensions cannot be negative")


@irdl_attr_definition
class TilesAttr(ParametrizedAttribute):
    """Encoding of an array that is distributed in tiles (blocks of equal shape).

    The leading `dense` dimensions are stored densely and the others sparsely: within a tile,
    each index of the dense dimensions has the sorted list of its stored entries. An entry
    that is not stored has the implicit value, zero. `block` is the tile's extent in each
    dimension; without it the extents are chosen when the program is run.

    ```mlir
    %dense = "test.op"() : () -> tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
    %rows = "test.op"() : () -> tensor<?x?xf64, #tensor_block.tiles<dense = 1, block = [500, 500]>>
    ```
    """

    name = "tensor_block.tiles"
    dense: IntAttr = param_def()
    block: ArrayAttr[IntAttr] = param_def()

    def __init__(self, dense: int | IntAttr, block: Sequence[int] | ArrayAttr[IntAttr] = ()):
        super().__init__(
            IntAttr(dense) if isinstance(dense, int) else dense,
            block
            if isinstance(block, ArrayAttr)
            else ArrayAttr([IntAttr(extent) for extent in block]),
        )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<dense = 1, block = [1000, 1000]>`."""

        def parse_extent() -> IntAttr:
            position = parser.pos
            extent = parser.parse_integer()
            if extent < 1:
                parser.raise_error("a block extent must be at least 1", position)
            return IntAttr(extent)

        with parser.in_angle_brackets():
            dense = _parse_dense(parser)
            block: list[IntAttr] = []
            if parser.parse_optional_punctuation(","):
                parser.parse_keyword("block")
                parser.parse_punctuation("=")
                block = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_extent)
        return (dense, ArrayAttr(block))

    def print_parameters(self, printer: Printer) -> None:
        """Print `<dense = 1, block = [1000, 1000]>`."""
        with printer.in_angle_brackets():
            printer.print_string(f"dense = {self.dense.data}")
            if self.block.data:
                printer.print_string(", block = ")
                with printer.in_square_brackets():
                    printer.print_list(self.block, lambda extent: printer.print_int(extent.data))

    def verify(self) -> None:
        """Check what does not depend on the tensor: signs."""
        _verify_dense(self.dense)
        if any(extent.data < 1 for extent in self.block):
            raise VerifyException("a block extent must be at least 1")


@irdl_attr_definition
class StorageAttr(ParametrizedAttribute):
    """Encoding of a local sparse array: an array of the driver, or one tile of a bigger one.

    The leading `dense` dimensions are stored densely and the others sparsely, as in
    `#tensor_block.tiles`. With as many dense dimensions as the tensor has, it says no more
    than the tensor without an encoding.

    ```mlir
    %tile = "test.op"() : () -> tensor<?x?xf64, #tensor_block.storage<dense = 1>>
    ```
    """

    name = "tensor_block.storage"
    dense: IntAttr = param_def()

    def __init__(self, dense: int | IntAttr):
        super().__init__(IntAttr(dense) if isinstance(dense, int) else dense)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<dense = 1>`."""
        with parser.in_angle_brackets():
            return (_parse_dense(parser),)

    def print_parameters(self, printer: Printer) -> None:
        """Print `<dense = 1>`."""
        with printer.in_angle_brackets():
            printer.print_string(f"dense = {self.dense.data}")

    def verify(self) -> None:
        """Check what does not depend on the tensor: the sign."""
        _verify_dense(self.dense)


@dataclass(frozen=True)
class ArrayConstraint(AttrConstraint[TensorType[Attribute]]):
    """A ranked tensor whose encoding, if it is one of ours, fits its rank."""

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        """Raise a `VerifyException` unless `attr` is such a tensor."""
        if not isinstance(attr, TensorType):
            raise VerifyException(f"expected a ranked tensor, got {attr}")
        element = cast(TensorType[Attribute], attr).get_element_type()
        if element.name == "comprehension.bag":
            raise VerifyException(f"an array holds bags in tuples, not {element}")
        rank = attr.get_num_dims()
        encoding = attr.encoding
        if isinstance(encoding, TilesAttr | StorageAttr) and encoding.dense.data > rank:
            raise VerifyException(
                f"{encoding} has {encoding.dense.data} dense dimensions on a tensor of rank {rank}"
            )
        if isinstance(encoding, TilesAttr) and len(encoding.block) not in (0, rank):
            raise VerifyException(
                f"{encoding} has {len(encoding.block)} block extents on a tensor of rank {rank}"
            )

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> ArrayConstraint:
        """Return the constraint itself: it has no type variables."""
        return self


ARRAY = ArrayConstraint()
"""The constraint of every array operand and result."""


def as_array(type: Attribute) -> TensorType[Attribute] | None:
    """`type` if it is an array's, else `None`."""
    return cast(TensorType[Attribute], type) if isinstance(type, TensorType) else None


def array_type(value: SSAValue) -> TensorType[Attribute]:
    """The type of a value that is an array."""
    type = as_array(value.type)
    assert type is not None
    return type


def is_tiled(type: Attribute) -> bool:
    """Return whether `type` is a tensor distributed in tiles."""
    return isinstance(type, TensorType) and isinstance(type.encoding, TilesAttr)


def dense_rank(type: TensorType[Attribute]) -> int:
    """Return how many leading dimensions are stored densely."""
    encoding = type.encoding
    if isinstance(encoding, TilesAttr | StorageAttr):
        return encoding.dense.data
    return type.get_num_dims()


def holds_arrays(type: Attribute) -> bool:
    """Return whether a type is that of an array of the driver whose elements are arrays."""
    if not isa(type, TensorType[Attribute]) or not isinstance(type.encoding, NoneAttr):
        return False
    return isinstance(type.element_type, TensorType)


def is_sparse(type: Attribute) -> bool:
    """Return whether `type` is a tensor with at least one sparse dimension."""
    array = as_array(type)
    return array is not None and dense_rank(array) < array.get_num_dims()


def local_type(type: TensorType[Attribute]) -> TensorType[Attribute]:
    """The type of one tile of `type`: shape unknown, storage kept."""
    rank = type.get_num_dims()
    dense = dense_rank(type)
    storage = StorageAttr(dense) if dense < rank else NoneAttr()
    return TensorType(type.get_element_type(), [DYNAMIC_INDEX] * rank, storage)


def tiled_type(type: TensorType[Attribute]) -> TensorType[Attribute]:
    """The distributed tensor type with the shape and storage of `type`."""
    return TensorType(type.get_element_type(), type.get_shape(), TilesAttr(dense_rank(type)))


def sliced_type(type: TensorType[Attribute], fixed: Collection[int]) -> TensorType[Attribute]:
    """The type of a slice of an array of `type`: stored where it is, sparsely if it is sparse."""
    rank, dense = type.get_num_dims(), dense_rank(type)
    kept = [d for d in range(rank) if d not in fixed]
    left = sum(d < dense for d in kept)
    if dense < rank:
        left = min(left, max(0, len(kept) - 1))
    encoding = type.encoding
    if isinstance(encoding, TilesAttr):
        block = encoding.block.data
        encoding = TilesAttr(left, [block[d].data for d in kept] if block else ())
    elif isinstance(encoding, StorageAttr):
        encoding = StorageAttr(left)
    shape = type.get_shape()
    return TensorType(type.get_element_type(), [shape[d] for d in kept], encoding)


def element_type(value: Attribute) -> Attribute:
    """The type of an array's elements, or of a scalar itself."""
    array = as_array(value)
    return value if array is None else array.get_element_type()
