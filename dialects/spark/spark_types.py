"""Types of the `spark` dialect (RDDs, groups of a cogroup, broadcast values) and their checks."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IndexType, TensorType
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.bags import BagType
from diablo.dialects.encodings import as_array, local_type


@irdl_attr_definition
class RDDType(ParametrizedAttribute, TypeAttribute):
    """An RDD (a distributed collection) of records (key, values).

    A tiled array is an RDD whose key has one coordinate per dimension and whose value is the
    tile. Rows are an RDD without a key; the value of a record is a bag, a batch of rows.

    ```mlir
    %matrix = "test.op"() : () -> !spark.rdd<[index, index], [tensor<?x?xf64>]>
    %rows = "test.op"() : () -> !spark.rdd<[], [!comprehension.bag<i64, f64>]>
    ```
    """

    name = "spark.rdd"
    keys: ArrayAttr[Attribute] = param_def()
    values: ArrayAttr[Attribute] = param_def()

    def __init__(
        self,
        keys: Sequence[Attribute] | ArrayAttr[Attribute],
        values: Sequence[Attribute] | ArrayAttr[Attribute],
    ):
        super().__init__(ArrayAttr(keys), ArrayAttr(values))

    def verify(self) -> None:
        """Check that keys are coordinates."""
        if any(not isinstance(key, IndexType) for key in self.keys):
            raise VerifyException("the key of an RDD is made of indices")


@irdl_attr_definition
class GroupType(ParametrizedAttribute, TypeAttribute):
    """What a key's records of one input become in a cogroup.

    ```mlir
    %pairs = "test.op"()
        : () -> !spark.rdd<[index], [!spark.group<tensor<?xf64>>, !spark.group<tensor<?xf64>>]>
    ```
    """

    name = "spark.group"
    element: Attribute = param_def()


@irdl_attr_definition
class BroadcastType(ParametrizedAttribute, TypeAttribute):
    """A value that every worker holds.

    ```mlir
    %v = "test.op"() : () -> !spark.broadcast<tensor<?xf64>>
    ```
    """

    name = "spark.broadcast"
    value: Attribute = param_def()


def plain_rows(type: BagType) -> BagType:
    """The rows of a bag, or of a map, which is distributed as the bag of its rows."""
    return BagType(type.columns) if type.is_map else type


def rdd_type(value: SSAValue) -> RDDType:
    """The type of a value that is an RDD."""
    assert isinstance(value.type, RDDType)
    return value.type


def verify_dims(dims: Sequence[SSAValue], count: int, of: str) -> None:
    """Raise a `VerifyException` unless there are `count` dimensions."""
    if len(dims) != count:
        raise VerifyException(f"expected one dimension for each of {count} {of}, got {len(dims)}")


def array_of(type: Attribute, of: str) -> TensorType[Attribute]:
    """Return the type of an array of the driver, or of the tiles of one.

    Raises a `VerifyException` that begins with `of` for all other types.
    """
    if not isinstance(type, RDDType):
        array = as_array(type)
    else:
        array = as_array(type.values.data[0]) if len(type.values) == 1 else None
        if array is not None and len(type.keys) != array.get_num_dims():
            array = None
    if array is None:
        raise VerifyException(f"{of} an array or its tiles, got {type}")
    return array


def verify_same(result: RDDType, keys: Sequence[Attribute], values: Sequence[Attribute]) -> None:
    """Raise a `VerifyException` unless `result` has these keys and values."""
    expected = RDDType(keys, values)
    if result != expected:
        raise VerifyException(f"the result must be {expected}, got {result}")


def row_columns(rdd: SSAValue) -> tuple[Attribute, ...]:
    """Return the columns of an RDD of rows; raises a `VerifyException` for other RDDs."""
    return columns_of_rows(rdd.type)


def columns_of_rows(type: Attribute) -> tuple[Attribute, ...]:
    """Return the columns of rows of a type; raises a `VerifyException` if it is no RDD of rows."""
    if isinstance(type, RDDType) and not type.keys.data and len(type.values) == 1:
        bag = type.values.data[0]
        if isinstance(bag, BagType):
            return tuple(bag.columns)
    raise VerifyException(f"expected an RDD of rows, got {type}")


def distributed_type(type: Attribute) -> RDDType | None:
    """The RDD that an array or a bag becomes; `None` for other types."""
    if isinstance(type, BagType):
        return RDDType([], [plain_rows(type)])
    array = as_array(type)
    if array is None:
        return None
    return RDDType([IndexType()] * array.get_num_dims(), [local_type(array)])


def verify_distributed(data: Attribute, rdd: RDDType) -> None:
    """Raise a `VerifyException` unless `rdd` stands for the array or bag `data`."""
    expected = distributed_type(data)
    if expected is None:
        raise VerifyException(f"expected an array or a bag, got {data}")
    if rdd != expected:
        raise VerifyException(f"{data} is distributed as {expected}, not as {rdd}")
