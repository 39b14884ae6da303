"""Arrays whose elements are arrays: one made of a single array, one whose element is replaced.

Reads the `comprehension` level, writes `tensor.splat` and `tensor.insert`, which the driver
executes on references: no element of an inner array is touched.

    build (%n) { %l = range %zero to %last;      ==>   tensor.splat %A[%n]
                 yield (%l) %A }
    merge %R { yield (%k) %A }                   ==>   scf.if %inside {
                                                         tensor.insert %A into %R[%k]
                                                       } else { %R }

As everywhere an index outside the dimensions writes nothing.
"""

from __future__ import annotations

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, Region, SSAValue

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.encodings import array_type, as_array
from diablo.dialects.locations import remark
from diablo.lowering.tensor_block.query.body_emitter import Driver
from diablo.lowering.tensor_block.query.plan_sizes import index_value
from diablo.lowering.tensor_block.query.query import Query, read_query
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.affine_values import known_index, underlying
from diablo.passes.analyses.values.comprehension_structure import Root
from diablo.passes.analyses.values.linear_forms import known_difference


def lower_whole_elements(root: Root, driver: Driver) -> SSAValue | None:
    """The value of `root`, if all it does with arrays is to make them elements."""
    if isinstance(root, comprehension.CollectOp | comprehension.AggregateOp):
        return None
    array = as_array(root.results[0].type)
    if array is None or tensor_block.is_tiled(array):
        return None
    if not isinstance(array.get_element_type(), TensorType):
        return None
    try:
        query = read_query(root)
    except Refused:
        return None
    element = query.head.values[0]
    if query.group is not None or query.guards or query.equalities or query.binds(element):
        return None
    if isinstance(root, comprehension.MergeOp):
        return _inserted(root, query, element, driver)
    return _splat(root, query, element, driver)


def _splat(
    root: comprehension.BuildOp, query: Query, element: SSAValue, driver: Driver
) -> SSAValue | None:
    """One array at every index: each key is the index of a range over the whole dimension."""
    ranges: dict[SSAValue, comprehension.RangeOp] = {
        g.index: g for g in query.generators if isinstance(g, comprehension.RangeOp)
    }
    keys = [underlying(key) for key in query.head.keys]
    if len(query.generators) != len(keys) or len(set(keys)) != len(keys):
        return None
    for key, size in zip(keys, root.dims, strict=True):
        generator = ranges.get(key)
        if generator is None or not _covers(generator, size):
            return None
    remark(root, "one array at every index: only references to it are made")
    return driver.insert(tensor.SplatOp(element, list(root.dims), array_type(root.results[0])))


def _covers(generator: comprehension.RangeOp, size: SSAValue) -> bool:
    """Return whether a range enumerates the indices of a dimension."""
    if generator.step is not None and generator.step.value.data != 1:
        return False
    return known_index(generator.lower) == 0 and known_difference(size, generator.upper) == 1


def _inserted(
    root: comprehension.MergeOp, query: Query, element: SSAValue, driver: Driver
) -> SSAValue | None:
    """One element replaced, if it is known before the comprehension which."""
    if query.generators or root.monoid is not None or any(map(query.binds, query.head.keys)):
        return None
    remark(root, "an element that is an array is replaced: only a reference to it is stored")
    keys = [index_value(driver, key) for key in query.head.keys]
    zero = driver.index(0)
    inside: SSAValue | None = None
    for axis, key in enumerate(keys):
        size = driver.insert(tensor.DimOp(root.dest, driver.index(axis)))
        for test in (arith.CmpiOp(key, zero, "sge"), arith.CmpiOp(key, size, "slt")):
            value = driver.insert(test)
            inside = value if inside is None else driver.insert(arith.AndIOp(inside, value))
    assert inside is not None
    insert = tensor.InsertOp(element, root.dest, keys)
    insert.location = root.location
    then, otherwise = Block([insert, scf.YieldOp(insert.result)]), Block([scf.YieldOp(root.dest)])
    return driver.insert(scf.IfOp(inside, [root.dest.type], Region(then), Region(otherwise)))
