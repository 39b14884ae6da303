"""The ops between arrays and bags of rows: `to_bag`, `range`, `from_bag`.

`diablo.dialects.tensor_block` exports them.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    I64,
    IndexType,
    IntegerAttr,
    StringAttr,
    i64,
)
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import Monoid
from diablo.dialects.bags import (
    BagType,
    bag_columns,
    element_types,
    verify_columns,
    verify_index_columns,
    verify_offsets,
    verify_places,
)
from diablo.dialects.encodings import ARRAY, array_type, is_sparse
from diablo.dialects.monoids import verify_monoid
from diablo.dialects.verifier_checks import verify_step


@irdl_op_definition
class ToBagOp(IRDLOperation):
    """The stored entries of an array as rows (index…, element); all of them if it is dense.

    `offsets`, if any, are added to the indices (a tile's origin).

    ```mlir
    %x, %y = "test.op"() : () -> (index, index)
    %A = "test.op"() : () -> tensor<?x?xf64, #tensor_block.storage<dense = 1>>
    %rows = tensor_block.to_bag %A offsets(%x, %y)
        : tensor<?x?xf64, #tensor_block.storage<dense = 1>> -> !comprehension.bag<index, index, f64>
    ```
    """

    name = "tensor_block.to_bag"
    input = operand_def(ARRAY)
    offsets = var_operand_def(IndexType)
    result = result_def(BagType)
    traits = traits_def(Pure())
    assembly_format = (
        "$input (`offsets` `(` $offsets^ `)`)? attr-dict `:` type($input) `->` type($result)"
    )

    def __init__(self, input: SSAValue, offsets: Sequence[SSAValue] = ()):
        super().__init__(
            operands=[input, offsets], result_types=[BagType(element_types(input.type))]
        )

    def verify_(self) -> None:
        """Check the offsets and the columns."""
        type = array_type(self.input)
        verify_offsets(self.offsets, type.get_num_dims())
        verify_columns(self.result, element_types(type))


@irdl_op_definition
class RangeOp(IRDLOperation):
    """The one-column bag `lower`, `lower + step`, … up to and including `upper`.

    The step is 1 unless it is given; it may be negative, and then the integers go down.

    ```mlir
    %lo, %hi = "test.op"() : () -> (index, index)
    %all = tensor_block.range %lo to %hi : !comprehension.bag<index>
    %even = tensor_block.range %lo to %hi step 2 : !comprehension.bag<index>
    ```
    """

    name = "tensor_block.range"
    lower = operand_def(IndexType)
    upper = operand_def(IndexType)
    step = opt_prop_def(IntegerAttr[I64])
    result = result_def(BagType)
    traits = traits_def(Pure())
    assembly_format = "$lower `to` $upper (`step` $step^)? attr-dict `:` type($result)"

    def __init__(self, lower: SSAValue, upper: SSAValue, step: int = 1):
        super().__init__(
            operands=[lower, upper],
            properties={"step": IntegerAttr(step, i64) if step != 1 else None},
            result_types=[BagType([IndexType()])],
        )

    def verify_(self) -> None:
        """Check that the range ends, and the column."""
        verify_step(self.step)
        verify_columns(self.result, [IndexType()])


@irdl_op_definition
class FromBagOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """An array from rows (index…, element): the bag's first rank columns are the index.

    These hold indices, or integers of 64 bits.

    Rows outside the dimensions are dropped. Rows with equal indices are combined with
    `monoid`, or one of them is kept if there is none. `dest`, if any, is the array that is
    updated; otherwise an index without a row has the implicit value (with a monoid and a
    dense result as well). `offsets`, if any, are subtracted from the indices (a tile's
    origin).

    Between the index and the element there may be as many columns as `places` says, instead of a
    monoid: of the rows with one index the one is kept that is greatest in these columns, which are
    compared one after the other.

    `within`, if any, is a sparse array of the same dimensions outside of whose stored elements
    there are no rows: a sparse result that stores elements at all of its indices shares them.

    ```mlir
    %n, %m = "test.op"() : () -> (index, index)
    %rows = "test.op"() : () -> !comprehension.bag<index, index, f64>
    %R = "test.op"() : () -> tensor<?x?xi1, #tensor_block.storage<dense = 1>>
    %D = "test.op"() : () -> tensor<?x?xf64>
    %A = tensor_block.from_bag %rows extents(%n, %m)
        : !comprehension.bag<index, index, f64> -> tensor<?x?xf64, #tensor_block.storage<dense = 1>>
    %B = tensor_block.from_bag add %rows extents(%n, %m) dest(%D : tensor<?x?xf64>)
        : !comprehension.bag<index, index, f64> -> tensor<?x?xf64>
    %numbered = "test.op"() : () -> !comprehension.bag<index, index, i64, f64>
    %L = tensor_block.from_bag %numbered places 1 extents(%n, %m)
        : !comprehension.bag<index, index, i64, f64> -> tensor<?x?xf64>
    %C = tensor_block.from_bag %rows extents(%n, %m)
        within(%R : tensor<?x?xi1, #tensor_block.storage<dense = 1>>)
        : !comprehension.bag<index, index, f64> -> tensor<?x?xf64, #tensor_block.storage<dense = 1>>
    ```
    """

    name = "tensor_block.from_bag"
    bag = operand_def(BagType)
    extents = var_operand_def(IndexType)
    offsets = var_operand_def(IndexType)
    dest = var_operand_def(ARRAY)
    within = var_operand_def(ARRAY)
    monoid = opt_prop_def(StringAttr)
    places = opt_prop_def(IntegerAttr[I64])
    result = result_def(ARRAY)
    traits = traits_def(Pure())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (Monoid,)
    assembly_format = (
        "custom<Monoid>($monoid) $bag (`places` $places^)? `extents` `(` $extents `)` "
        "(`offsets` `(` $offsets^ `)`)? (`dest` `(` $dest^ `:` type($dest) `)`)? "
        "(`within` `(` $within^ `:` type($within) `)`)? attr-dict `:` type($bag) `->` type($result)"
    )

    def __init__(
        self,
        bag: SSAValue,
        extents: Sequence[SSAValue],
        result_type: Attribute,
        monoid: str | None = None,
        dest: SSAValue | None = None,
        offsets: Sequence[SSAValue] = (),
        within: SSAValue | None = None,
        places: int = 0,
    ):
        optional = [[] if array is None else [array] for array in (dest, within)]
        super().__init__(
            operands=[bag, extents, offsets, *optional],
            properties={
                "monoid": StringAttr(monoid) if monoid else None,
                "places": IntegerAttr(places, i64) if places else None,
            },
            result_types=[result_type],
        )

    @property
    def place_columns(self) -> int:
        """How many columns between the index and the element say which row is kept."""
        return 0 if self.places is None else self.places.value.data

    def verify_(self) -> None:
        """Check the columns, the extents, the other arrays and the monoid."""
        type = self.result.type
        rank = type.get_num_dims()
        if len(self.extents) != rank:
            raise VerifyException(
                f"expected one extent for each of {rank} dimensions, got {len(self.extents)}"
            )
        verify_offsets(self.offsets, rank)
        columns = bag_columns(self.bag)
        width = rank + self.place_columns + 1
        if len(columns) != width:
            between = ", the places" if self.places is not None else ""
            raise VerifyException(
                f"a bag for {type} has {width} columns, the index{between} and the element, "
                f"got {len(columns)}"
            )
        verify_index_columns(columns[:rank])
        verify_places(columns[rank:-1])
        if columns[-1] != type.get_element_type():
            raise VerifyException(
                f"the last column is {columns[-1]}, but the element type is "
                f"{type.get_element_type()}"
            )
        if len(self.dest) > 1:
            raise VerifyException(f"at most one array is updated, got {len(self.dest)}")
        for dest in self.dest:
            if dest.type != type:
                raise VerifyException(f"the result must have the type of dest, {dest.type}")
        self._verify_within()
        if self.monoid is not None:
            if self.places is not None:
                raise VerifyException("rows are combined by a monoid or kept by their places")
            verify_monoid(self.monoid.data, type.get_element_type(), self)

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """Columns that are others as indices are left to others."""
        from diablo.dialects.tensor_block.tensor_block_canonicalization import BuildOfGivenColumns

        return (BuildOfGivenColumns(),)

    def _verify_within(self) -> None:
        """Check that the indices that may be shared are those of one sparse array like this."""
        if len(self.within) > 1:
            raise VerifyException(f"the rows lie within at most one array, got {len(self.within)}")
        for array in self.within:
            if not (is_sparse(array.type) and is_sparse(self.result.type)):
                raise VerifyException("only sparse arrays share indices")
            rank, own = array_type(array).get_num_dims(), self.result.type.get_num_dims()
            if rank != own:
                raise VerifyException(
                    f"the array that the rows lie within has {rank} dimensions, the result {own}"
                )
