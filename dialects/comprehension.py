"""The `comprehension` dialect: monoid comprehensions as do-notation in one block.

An op that stands after a generator runs once per element; SSA dominance is scoping and a
`let` is an ordinary op.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    f64,
    i64,
)
from xdsl.ir import (
    Attribute,
    Dialect,
    ParametrizedAttribute,
    Region,
    SSAValue,
    TypeAttribute,
)
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    param_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsTerminator, NoTerminator, Pure


@irdl_attr_definition
class BagType(ParametrizedAttribute, TypeAttribute):
    """A bag (multiset) of rows, stored by columns: `!comprehension.bag<i64, f64>`."""

    name = "comprehension.bag"
    columns: ArrayAttr[Attribute] = param_def()

    def __init__(self, columns: Sequence[Attribute] | ArrayAttr[Attribute]):
        super().__init__(ArrayAttr(columns))


def element_types(collection: Attribute) -> tuple[Attribute, ...]:
    """The types that `each` binds: a bag's columns, or a tensor's indices and element."""
    if isinstance(collection, BagType):
        return tuple(collection.columns)
    assert isinstance(collection, TensorType)
    return (*[IndexType()] * collection.get_num_dims(), collection.get_element_type())


@irdl_op_definition
class EachOp(IRDLOperation):
    """Generator: once per row of a bag, or per stored entry (`full`: per index) of a tensor."""

    name = "comprehension.each"
    collection = operand_def()
    full = opt_prop_def(UnitAttr)
    elements = var_result_def()

    def __init__(self, collection: SSAValue, *, full: bool = False):
        super().__init__(
            operands=[collection],
            properties={"full": UnitAttr() if full else None},
            result_types=[element_types(collection.type)],
        )


@irdl_op_definition
class RangeOp(IRDLOperation):
    """Generator over the integers `lower`, `lower + step`, … up to and including `upper`."""

    name = "comprehension.range"
    lower = operand_def(IndexType)
    upper = operand_def(IndexType)
    step = opt_prop_def(IntegerAttr)
    index = result_def(IndexType)

    def __init__(self, lower: SSAValue, upper: SSAValue, step: int = 1):
        super().__init__(
            operands=[lower, upper],
            properties={"step": IntegerAttr(step, i64) if step != 1 else None},
            result_types=[IndexType()],
        )


@irdl_op_definition
class GuardOp(IRDLOperation):
    """What follows runs only where the condition (`i1`) holds."""

    name = "comprehension.guard"
    condition = operand_def()

    def __init__(self, condition: SSAValue):
        super().__init__(operands=[condition])


@irdl_op_definition
class GroupByOp(IRDLOperation):
    """Groups what came before by `keys`; each of `values` becomes the bag of its values."""

    name = "comprehension.group_by"
    keys = var_operand_def()
    values = var_operand_def()
    group_keys = var_result_def()
    bags = var_result_def()
    irdl_options = (
        AttrSizedOperandSegments(as_property=True),
        AttrSizedResultSegments(as_property=True),
    )

    def __init__(self, keys: Sequence[SSAValue], values: Sequence[SSAValue]):
        super().__init__(
            operands=[keys, values],
            result_types=[[k.type for k in keys], [BagType([v.type]) for v in values]],
        )


@irdl_op_definition
class ReduceOp(IRDLOperation):
    """Folds a one-column bag with a built-in monoid."""

    name = "comprehension.reduce"
    monoid = prop_def(StringAttr)
    bag = operand_def(BagType)
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, monoid: str, bag: SSAValue):
        assert isinstance(bag.type, BagType)
        super().__init__(
            operands=[bag],
            properties={"monoid": StringAttr(monoid)},
            result_types=[bag.type.columns.data[0]],
        )


@irdl_op_definition
class LengthOp(IRDLOperation):
    """The number of rows of a bag."""

    name = "comprehension.length"
    bag = operand_def(BagType)
    result = result_def(i64)
    traits = traits_def(Pure())

    def __init__(self, bag: SSAValue):
        super().__init__(operands=[bag], result_types=[i64])


@irdl_op_definition
class RandomOp(IRDLOperation):
    """A number in [0, 1) that depends only on the seed, the occurrence and the element's index."""

    name = "comprehension.random"
    occurrence = prop_def(IntegerAttr)
    seed = operand_def(i64)
    indices = var_operand_def(IndexType)
    result = result_def(f64)
    traits = traits_def(Pure())

    def __init__(self, occurrence: int, seed: SSAValue, indices: Sequence[SSAValue]):
        super().__init__(
            operands=[seed, indices],
            properties={"occurrence": IntegerAttr(occurrence, i64)},
            result_types=[f64],
        )


@irdl_op_definition
class YieldOp(IRDLOperation):
    """The head of a comprehension: a row of `keys` and `values`."""

    name = "comprehension.yield"
    keys = var_operand_def()
    values = var_operand_def()
    traits = traits_def(IsTerminator())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(self, keys: Sequence[SSAValue], values: Sequence[SSAValue]):
        super().__init__(operands=[keys, values])




@irdl_op_definition
class BuildOp(IRDLOperation):
    """An array of the given dimensions from the rows (index…, value) of its body.

    Rows outside the dimensions are dropped; of several rows with one index, one is kept;
    an index without a row has the implicit value, zero.
    """

    name = "comprehension.build"
    dims = var_operand_def(IndexType)
    body = region_def("single_block")
    result = result_def(TensorType)
    traits = traits_def(Pure())

    def __init__(self, dims: Sequence[SSAValue], body: Region, result_type: Attribute):
        super().__init__(operands=[dims], regions=[body], result_types=[result_type])


@irdl_op_definition
class MergeOp(IRDLOperation):
    """The array `dest` with the rows (index…, value) of the body written into it.

    Without a monoid a row replaces the element; with one, all rows of an index and the old
    element are combined. Rows outside the dimensions of `dest` are dropped.
    """

    name = "comprehension.merge"
    monoid = opt_prop_def(StringAttr)
    dest = operand_def(TensorType)
    body = region_def("single_block")
    result = result_def(TensorType)
    traits = traits_def(Pure())

    def __init__(self, dest: SSAValue, body: Region, monoid: str | None = None):
        super().__init__(
            operands=[dest],
            properties={"monoid": StringAttr(monoid) if monoid else None},
            regions=[body],
            result_types=[dest.type],
        )


@irdl_op_definition
class CollectOp(IRDLOperation):
    """The bag of the rows of its body (keys, then values, as columns)."""

    name = "comprehension.collect"
    body = region_def("single_block")
    result = result_def(BagType)
    traits = traits_def(Pure())

    def __init__(self, body: Region, result_type: BagType):
        super().__init__(regions=[body], result_types=[result_type])


@irdl_op_definition
class AggregateOp(IRDLOperation):
    """The fold of its body's one value with a built-in monoid."""

    name = "comprehension.aggregate"
    monoid = prop_def(StringAttr)
    body = region_def("single_block")
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, monoid: str, body: Region, result_type: Attribute):
        super().__init__(
            properties={"monoid": StringAttr(monoid)}, regions=[body], result_types=[result_type]
        )


Comprehension = Dialect(
    "comprehension",
    [
        EachOp,
        RangeOp,
        GuardOp,
        GroupByOp,
        ReduceOp,
        LengthOp,
        RandomOp,
        YieldOp,
        BuildOp,
        MergeOp,
        CollectOp,
        AggregateOp,
    ],
    [BagType],
)
