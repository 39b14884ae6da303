# What the constructors of ops make is what their syntax makes.
from collections.abc import Sequence

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IndexType,
    IntAttr,
    ModuleOp,
    NoneAttr,
    TensorType,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from diablo.dialects import comprehension, diablo, monoids, spark, tensor_block
from diablo.dialects.comprehension import BagType
from diablo.dialects.tensor_block import StorageAttr, TilesAttr
from diablo.registry import new_context

INDEX = IndexType()
MATRIX = TensorType(f64, [DYNAMIC_INDEX, DYNAMIC_INDEX])
VECTOR = TensorType(f64, [DYNAMIC_INDEX])


def values(*types: Attribute) -> tuple[Operation, Sequence[SSAValue]]:
    op = test.TestOp(result_types=types)
    return op, op.results


def round_trip(*ops: Operation) -> None:
    module = ModuleOp(list(ops))
    module.verify()
    again = Parser(new_context(), str(module)).parse_module()
    again.verify()
    assert module.is_structurally_equivalent(again)


def test_reduce():
    source, (n, a, b) = values(INDEX, MATRIX, MATRIX)
    body = Block(arg_types=[INDEX, INDEX, INDEX, f64, f64])
    body.add_op(tensor_block.YieldOp(body.args[3]))
    maps = [
        AffineMap.from_callable(lambda i, j, k: (i, k)),
        AffineMap.from_callable(lambda i, j, k: (k, j)),
    ]
    op = tensor_block.ReduceOp("add", [a, b], [n, n, n], 2, maps, Region(body), MATRIX)
    round_trip(source, op)
    assert op.iterator_types == ("parallel", "parallel", "reduction")


@pytest.mark.parametrize("stored", [False, True])
def test_lookup(stored: bool):
    source, (rows, array, n) = values(BagType([i64, INDEX]), VECTOR, INDEX)
    op = tensor_block.LookupOp(rows, array, [1], stored=stored, offsets=[n])
    round_trip(source, op)
    assert (op.stored is not None) == stored
    assert op.result.type == BagType([i64, INDEX, f64])


@pytest.mark.parametrize("step", [1, 2, -1])
def test_ranges(step: int):
    source, (lower, upper) = values(INDEX, INDEX)
    body = Block(arg_types=[INDEX])
    loop = diablo.ForOp(lower, upper, body, step)
    rows = spark.RangeOp(lower, upper, step, spark.RDDType([], [BagType([INDEX])]))
    round_trip(source, loop, tensor_block.RangeOp(lower, upper, step), rows)


def test_group_by_makes_bags():
    source, (rows,) = values(BagType([i64, f64]))
    each = comprehension.EachOp(rows)
    group = comprehension.GroupByOp([each.elements[0]], [each.elements[1]])
    end = comprehension.YieldOp(group.group_keys, group.bags)
    body = Region(Block([each, group, end]))
    result = BagType([i64, BagType([f64])])
    round_trip(source, comprehension.CollectOp(body, result))


def test_shapes_are_free_in_kernels():
    # A kernel's types are those of a tile, whatever the shape and the encoding outside.
    kernel = "func.func private @k(index, index, tensor<?xf64>) -> tensor<?xf64>"
    op = "%w = spark.map @k(%v) dims(%n) : !t -> !t"
    for tile in ("tensor<8xf64>", "tensor<?xf64, #tensor_block.storage<dense = 1>>"):
        lines = [
            f"!t = !spark.rdd<[index], [{tile}]>",
            kernel,
            '%n, %v = "test.op"() : () -> (index, !t)',
            op,
        ]
        Parser(new_context(), "\n".join(lines)).parse_module().verify()


def test_encodings():
    assert TilesAttr(1) == TilesAttr(IntAttr(1), ArrayAttr([]))
    rows = TensorType(f64, [DYNAMIC_INDEX, DYNAMIC_INDEX], TilesAttr(1, [10, 20]))
    assert tensor_block.is_tiled(rows)
    assert tensor_block.is_sparse(rows)
    assert tensor_block.dense_rank(rows) == 1
    assert tensor_block.local_type(rows).encoding == StorageAttr(1)
    dense = TensorType(f64, [4, 5], TilesAttr(2))
    assert tensor_block.local_type(dense).encoding == NoneAttr()
    assert tensor_block.tiled_type(TensorType(f64, [4, 5])) == dense
    with pytest.raises(VerifyException, match="cannot be negative"):
        StorageAttr(-1)
    with pytest.raises(VerifyException, match="at least 1"):
        TilesAttr(1, [0])


@pytest.mark.parametrize("name", monoids.MONOIDS)
def test_monoids(name: str):
    boolean = not monoids.MONOIDS[name].on_numbers
    assert monoids.accepts(name, i1) == boolean
    assert monoids.accepts(name, f64) == monoids.accepts(name, INDEX) == (not boolean)
    assert not monoids.accepts(name, MATRIX)
    assert not monoids.accepts("sum", f64)
    type = i1 if boolean else i64
    source, (a, b) = values(type, type)
    round_trip(source, monoids.combine(name, a, b))
    assert monoids.identity(name, type).get_type() == type
