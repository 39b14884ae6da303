"""The `spark` ops that run a kernel: `map`, `map_groups` and `collect_groups`.

`diablo.dialects.spark` exports them. A kernel is a `func.func` over local tensors, bags and
scalars, named by symbol.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    StringAttr,
    SymbolRefAttr,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.traits import SymbolTable
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import Maps, MonoidBeforeSymbol
from diablo.dialects.bags import BagType
from diablo.dialects.encodings import as_array, local_type
from diablo.dialects.monoids import verify_monoid
from diablo.dialects.spark.spark_types import (
    BroadcastType,
    GroupType,
    RDDType,
    plain_rows,
    rdd_type,
    row_columns,
)
from diablo.dialects.verifier_checks import listed, verify_positions


def _verify_kernel(op: MapOp | MapGroupsOp) -> None:
    """Check that the kernel is a function that takes and gives what the op says."""
    given = [
        *[IndexType()] * (2 * len(op.dims)),
        *rdd_type(op.input).values,
        *op.captures.types,
    ]
    _verify_kernel_types(op, given, op.result.type.values.data)


def _verify_kernel_types(
    op: MapOp | MapGroupsOp | CollectGroupsOp,
    given_types: Sequence[Attribute],
    result_types: Sequence[Attribute],
) -> None:
    """Check that the kernel of an op takes and gives values of these types.

    Without a symbol table around the op there is nothing to look it up in.
    """
    table: Operation | None = op
    while table is not None and not table.has_trait(SymbolTable, value_if_unregistered=False):
        table = table.parent_op()
    if table is None:
        return
    kernel = SymbolTable.lookup_symbol(table, op.kernel)
    if not isinstance(kernel, FuncOp):
        raise VerifyException(f"there is no kernel {op.kernel}")
    given = [_in_kernel(type) for type in given_types]
    taken = [_in_kernel(type) for type in kernel.function_type.inputs]
    if taken != given:
        raise VerifyException(
            f"kernel {op.kernel} takes {listed(taken)}, but it is given {listed(given)}"
        )
    expected = [_in_kernel(value) for value in result_types]
    results = [_in_kernel(type) for type in kernel.function_type.outputs]
    if results != expected:
        raise VerifyException(
            f"kernel {op.kernel} gives {listed(results)}, but the result has {listed(expected)}"
        )


def _in_kernel(type: Attribute) -> Attribute:
    """The type that a kernel sees for a value of an RDD or a capture."""
    if isinstance(type, GroupType):
        type = type.element
    if isinstance(type, BroadcastType):
        type = type.value
    if isinstance(type, BagType):
        return plain_rows(type)
    array = as_array(type)
    return type if array is None else local_type(array)


def _to_keys(to_keys: Sequence[int] | None) -> DenseArrayBase | None:
    return None if to_keys is None else DenseArrayBase.from_list(i64, list(to_keys))


def _maps(maps: Sequence[AffineMap]) -> ArrayAttr[AffineMapAttr]:
    return ArrayAttr([AffineMapAttr(map) for map in maps])


def _verify_keys(op: MapOp | MapGroupsOp) -> None:
    """Check the dimensions, the result's key and the crops."""
    keys = len(rdd_type(op.input).keys)
    if len(op.dims) != 0 and len(op.dims) < keys:
        raise VerifyException(
            f"expected no dimensions or at least one for each of {keys} coordinates of the key, "
            f"got {len(op.dims)}"
        )
    key = keys
    if op.to_keys is not None:
        positions = op.to_keys.get_values()
        verify_positions(positions, keys, "key position")
        key = len(positions)
    if len(op.result.type.keys) != key:
        raise VerifyException(
            f"the key of the result has {len(op.result.type.keys)} coordinates, expected {key}"
        )
    crops = op.crops or ()
    if len(crops) > len(op.captures):
        raise VerifyException(f"{len(crops)} crops for {len(op.captures)} captures")
    for map, capture in zip(crops, op.captures, strict=False):
        array = as_array(capture.type.value) if isinstance(capture.type, BroadcastType) else None
        if array is None or len(map.data.results) != array.get_num_dims():
            raise VerifyException(
                f"a crop maps to the dimensions of a broadcast array, "
                f"but {map.data} is for {capture.type}"
            )


@irdl_op_definition
class MapOp(IRDLOperation):
    """Runs a kernel on every record; the key stays.

    The kernel is called with, for each key dimension, the tile's origin, then for each the
    tile's extent (both from `dims`), then the record's values, then the captures. Rows have
    no key, so their kernel gets the batch and the captures. With `to_keys`, the result's key
    is the given positions of the old one (a partial result on its way to `reduce_by_key`);
    if there are none, the result's records have no key.

    Captures may be broadcasts. The first of them are cut to the tile, as `crops` says for
    each: it maps the key dimensions to the dimensions of the broadcast array.

    ```mlir
    func.func private @scale(index, index, tensor<?xf64>, f64) -> tensor<?xf64>
    %n, %x = "test.op"() : () -> (index, f64)
    %v = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
    %w = spark.map @scale(%v) dims(%n) captures(%x : f64)
        : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>
    ```
    """

    name = "spark.map"
    kernel = prop_def(SymbolRefAttr)
    input = operand_def(RDDType)
    dims = var_operand_def(IndexType)
    captures = var_operand_def()
    to_keys = opt_prop_def(DenseArrayBase.constr(i64))
    crops = opt_prop_def(ArrayAttr[AffineMapAttr])
    result = result_def(RDDType)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (Maps,)
    assembly_format = (
        "$kernel `(` $input `)` (`dims` `(` $dims^ `)`)? "
        "(`captures` `(` $captures^ `:` type($captures) `)`)? custom<Maps>($crops) "
        "(`to_keys` $to_keys^)? attr-dict `:` type($input) `->` type($result)"
    )

    def __init__(
        self,
        kernel: str,
        input: SSAValue,
        dims: Sequence[SSAValue],
        captures: Sequence[SSAValue],
        result_type: RDDType,
        to_keys: Sequence[int] | None = None,
        crops: Sequence[AffineMap] = (),
    ):
        super().__init__(
            operands=[input, dims, captures],
            properties={
                "kernel": SymbolRefAttr(kernel),
                "to_keys": _to_keys(to_keys),
                "crops": _maps(crops) if crops else None,
            },
            result_types=[result_type],
        )

    def verify_(self) -> None:
        """Check the keys, the crops and the kernel."""
        _verify_keys(self)
        _verify_kernel(self)


@irdl_op_definition
class MapGroupsOp(IRDLOperation):
    """Runs a kernel on every key of a cogroup.

    A group of rows is concatenated to one bag. Groups of tiles are matched: the kernel runs
    on each choice of one tile per group whose coordinates agree under `indexing_maps` (iteration
    space to tile coordinates, the key being its leading dimensions), and the results of a key
    are combined with `monoid`. (An array has all its tiles, a sparse one too: empty tiles are
    small, and without them an elementwise op on a sparse array would need a shuffle.) The kernel
    is called with origins and extents of the iteration dimensions (from `dims`), then
    one value per group, then the captures. `to_keys` and `crops` are as in `spark.map`.

    ```mlir
    func.func private @product(index, index, index, index, index, index, tensor<?x?xf64>,
        tensor<?x?xf64>) -> tensor<?x?xf64>
    %n, %m, %l = "test.op"() : () -> (index, index, index)
    %tiles = "test.op"() : () -> !spark.rdd<[index, index],
        [!spark.group<tensor<?x?xf64>>, !spark.group<tensor<?x?xf64>>]>
    %C = spark.map_groups add @product(%tiles) dims(%n, %m, %l)
        indexing_maps[(d0, d1, d2) -> (d0, d2), (d0, d1, d2) -> (d2, d1)]
        : !spark.rdd<[index, index], [!spark.group<tensor<?x?xf64>>, !spark.group<tensor<?x?xf64>>]>
        -> !spark.rdd<[index, index], [tensor<?x?xf64>]>
    ```
    """

    name = "spark.map_groups"
    kernel = prop_def(SymbolRefAttr)
    input = operand_def(RDDType)
    dims = var_operand_def(IndexType)
    captures = var_operand_def()
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    monoid = opt_prop_def(StringAttr)
    to_keys = opt_prop_def(DenseArrayBase.constr(i64))
    crops = opt_prop_def(ArrayAttr[AffineMapAttr])
    result = result_def(RDDType)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (Maps, MonoidBeforeSymbol)
    assembly_format = (
        "custom<MonoidBeforeSymbol>($monoid) $kernel `(` $input `)` (`dims` `(` $dims^ `)`)? "
        "custom<Maps>($indexing_maps) (`captures` `(` $captures^ `:` type($captures) `)`)? "
        "custom<Maps>($crops) (`to_keys` $to_keys^)? attr-dict "
        "`:` type($input) `->` type($result)"
    )

    def __init__(
        self,
        kernel: str,
        input: SSAValue,
        dims: Sequence[SSAValue],
        captures: Sequence[SSAValue],
        indexing_maps: Sequence[AffineMap],
        result_type: RDDType,
        monoid: str | None = None,
        to_keys: Sequence[int] | None = None,
        crops: Sequence[AffineMap] = (),
    ):
        super().__init__(
            operands=[input, dims, captures],
            properties={
                "kernel": SymbolRefAttr(kernel),
                "indexing_maps": _maps(indexing_maps),
                "monoid": StringAttr(monoid) if monoid else None,
                "to_keys": _to_keys(to_keys),
                "crops": _maps(crops) if crops else None,
            },
            result_types=[result_type],
        )

    def verify_(self) -> None:
        """Check the groups, their maps, the keys, the monoid and the kernel."""
        type = rdd_type(self.input)
        if any(not isinstance(value, GroupType) for value in type.values):
            raise VerifyException(f"expected an RDD of groups, got {type}")
        if len(self.indexing_maps) != len(type.values):
            raise VerifyException(
                f"expected one map for each of {len(type.values)} groups, "
                f"got {len(self.indexing_maps)}"
            )
        rank = len(self.dims) or len(type.keys)
        for number, map in enumerate(self.indexing_maps):
            if map.data.num_dims != rank or not map.data.is_projected_permutation():
                raise VerifyException(
                    f"the map of group {number} must pick some of {rank} iteration dimensions, "
                    f"got {map.data}"
                )
        _verify_keys(self)
        if self.monoid is not None:
            for value in self.result.type.values:
                array = as_array(value)
                element = value if array is None else array.get_element_type()
                verify_monoid(self.monoid.data, element, self)
        _verify_kernel(self)


@irdl_op_definition
class CollectGroupsOp(IRDLOperation):
    """Brings to the driver what a kernel makes of rows that are together if their columns agree.

    The kernel is called with rows, all of some keys, and the captures. If they are few, the driver
    collects the rows and calls it once; else rows are sent to buckets, and their results collected.

    ```mlir
    func.func private @sums(!comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64>
    %rows = "test.op"() : () -> !spark.rdd<[], [!comprehension.bag<i64, f64>]>
    %found = spark.collect_groups @sums(%rows[0])
        : !spark.rdd<[], [!comprehension.bag<i64, f64>]> -> !comprehension.bag<i64, f64>
    ```
    """

    name = "spark.collect_groups"
    kernel = prop_def(SymbolRefAttr)
    input = operand_def(RDDType)
    columns = prop_def(DenseArrayBase.constr(i64))
    captures = var_operand_def()
    result = result_def(BagType)
    assembly_format = (
        "$kernel `(` $input `` $columns `)` (`captures` `(` $captures^ `:` type($captures) `)`)? "
        "attr-dict `:` type($input) `->` type($result)"
    )

    def __init__(
        self,
        kernel: str,
        input: SSAValue,
        columns: Sequence[int],
        captures: Sequence[SSAValue],
        result_type: BagType,
    ):
        super().__init__(
            operands=[input, captures],
            properties={
                "kernel": SymbolRefAttr(kernel),
                "columns": DenseArrayBase.from_list(i64, list(columns)),
            },
            result_types=[result_type],
        )

    def verify_(self) -> None:
        """Check the columns, and that the kernel takes the rows and gives the result."""
        rows = row_columns(self.input)
        verify_positions(self.columns.get_values(), len(rows), "column")
        _verify_kernel_types(self, [BagType(rows), *self.captures.types], [self.result.type])
