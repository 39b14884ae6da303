"""The `spark` ops of strips: of an array all that lies along one axis, cut into parts.

`diablo.dialects.spark` exports them.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import Monoids
from diablo.dialects.encodings import as_array, element_type, local_type
from diablo.dialects.monoids import verify_monoid
from diablo.dialects.spark.spark_types import (
    RDDType,
    array_of,
    rdd_type,
    verify_dims,
    verify_same,
)


@irdl_op_definition
class StripsOp(IRDLOperation):
    """Cuts an array along one axis: strip k has its indices from k times the block size on.

    Of the other axes a strip has the whole. The array is the driver's, or lies in tiles, of which
    those of a strip are brought together. The key of a strip is its number.

    ```mlir
    %n, %m = "test.op"() : () -> (index, index)
    %A = "test.op"() : () -> !spark.rdd<[index, index], [tensor<?x?xf64>]>
    %rows = spark.strips %A along 0 dims(%n, %m)
        : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index], [tensor<?x?xf64>]>
    ```
    """

    name = "spark.strips"
    input = operand_def()
    dims = var_operand_def(IndexType)
    axis = prop_def(IntegerAttr.constr(i64))
    result = result_def(RDDType)
    traits = traits_def(Pure())
    assembly_format = (
        "$input `along` $axis `dims` `(` $dims `)` attr-dict `:` type($input) `->` type($result)"
    )

    def __init__(self, input: SSAValue, axis: int, dims: Sequence[SSAValue]):
        array = array_of(input.type, "what is cut is")
        super().__init__(
            operands=[input, dims],
            properties={"axis": IntegerAttr(axis, i64)},
            result_types=[RDDType([IndexType()], [local_type(array)])],
        )

    def verify_(self) -> None:
        """Check the axis, the dimensions and the result."""
        array = array_of(self.input.type, "what is cut is")
        rank, axis = array.get_num_dims(), self.axis.value.data
        if not 0 <= axis < rank:
            raise VerifyException(f"there is no axis {axis} of an array of rank {rank}")
        verify_dims(self.dims, rank, "dimensions of the array")
        verify_same(self.result.type, [IndexType()], [local_type(array)])


@irdl_op_definition
class CollectStripsOp(IRDLOperation):
    """Brings what was made of strips to the driver, in one job.

    Each value of the records is a part of an array, and stands beside those of other strips along
    an axis; where that is -1, the values of all strips are combined, by the next of the monoids, to
    a result with the next of the dimensions.

    ```mlir
    %parts = "test.op"() : () -> !spark.rdd<[index], [tensor<?x?xf64>, tensor<?xf64>]>
    %m = "test.op"() : () -> index
    %P, %sums = spark.collect_strips %parts along [0, -1] folded [add] dims(%m)
        : !spark.rdd<[index], [tensor<?x?xf64>, tensor<?xf64>]> -> tensor<?x?xf64>, tensor<?xf64>
    ```
    """

    name = "spark.collect_strips"
    input = operand_def(RDDType)
    axes = prop_def(DenseArrayBase.constr(i64))
    monoids = prop_def(ArrayAttr[StringAttr])
    dims = var_operand_def(IndexType)
    wholes = var_result_def()
    custom_directives = (Monoids,)
    assembly_format = (
        "$input `along` $axes `folded` custom<Monoids>($monoids) (`dims` `(` $dims^ `)`)? "
        "attr-dict `:` type($input) `->` type($wholes)"
    )

    def __init__(self, input: SSAValue, ways: Sequence[int | str], dims: Sequence[SSAValue] = ()):
        axes = [way if isinstance(way, int) else -1 for way in ways]
        super().__init__(
            operands=[input, dims],
            properties={
                "axes": DenseArrayBase.from_list(i64, axes),
                "monoids": ArrayAttr([StringAttr(w) for w in ways if isinstance(w, str)]),
            },
            result_types=[rdd_type(input).values.data],
        )

    @property
    def ways(self) -> list[int | str]:
        """How the parts of each result become one: the axis along which, or the monoid."""
        monoids = iter(self.monoids)
        axes = [int(axis) for axis in self.axes.get_values()]
        return [next(monoids).data if axis < 0 else axis for axis in axes]

    def verify_(self) -> None:
        """Check the axes, the monoids and the results."""
        values: tuple[Attribute, ...] = rdd_type(self.input).values.data
        if len(rdd_type(self.input).keys) != 1:
            raise VerifyException(f"expected an RDD of strips, got {self.input.type}")
        if values != tuple(self.wholes.types):
            given = ", ".join(map(str, self.wholes.types))
            raise VerifyException(f"expected an RDD of {given}, got {self.input.type}")
        axes = [int(axis) for axis in self.axes.get_values()]
        if len(axes) != len(values):
            raise VerifyException(f"there are {len(values)} values, and {len(axes)} axes")
        if len(self.monoids) != sum(axis < 0 for axis in axes):
            raise VerifyException("expected one monoid for each axis that is -1")
        folded = 0
        for way, value in zip(self.ways, values, strict=True):
            array = as_array(value)
            rank = 0 if array is None else array.get_num_dims()
            if isinstance(way, str):
                verify_monoid(way, element_type(value), self)
                folded += rank
            elif way >= rank:
                raise VerifyException(f"there is no axis {way} of {value}")
        verify_dims(self.dims, folded, "dimensions of what is folded")

    def parts_folded(self) -> list[tuple[int | str, Sequence[SSAValue]]]:
        """Return how the parts of each result become one, and the extents of what is folded."""
        found: list[tuple[int | str, Sequence[SSAValue]]] = []
        dims = list(self.dims)
        for way, value in zip(self.ways, self.wholes, strict=True):
            array = as_array(value.type)
            rank = array.get_num_dims() if isinstance(way, str) and array is not None else 0
            found.append((way, dims[:rank]))
            dims = dims[rank:]
        return found
