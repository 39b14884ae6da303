"""What a comprehension makes of its rows: an array, a bag, a map, a scalar.

Reads the `comprehension` level, writes the ops of the `tensor_block` level that end a query:
`from_bag`, `fold`, `update`, `to_map`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Attribute, SSAValue

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.comprehension import BagType
from diablo.dialects.encodings import array_type, as_array
from diablo.dialects.locations import remark
from diablo.dialects.monoids import ANY
from diablo.lowering.tensor_block.query.plan_sizes import driver_dimensions
from diablo.lowering.tensor_block.rows.row_table import RowTable
from diablo.passes.analyses.sparsity.patterns import arrays_written_at
from diablo.passes.analyses.values.affine_values import same_value
from diablo.passes.analyses.values.comprehension_structure import Root, head_of
from diablo.passes.analyses.values.dimensions import dimensions


def row_types(root: Root) -> list[Attribute]:
    """The columns of the rows that `root` is made of."""
    type = root.result.type
    if isinstance(root, comprehension.AggregateOp):
        return [type]
    if isinstance(type, BagType):
        return list(type.columns)
    array = as_array(type)
    assert array is not None
    return [*[IndexType()] * array.get_num_dims(), array.get_element_type()]


def take_row(root: Root, table: RowTable) -> None:
    """Make the columns of the head the only ones."""
    head = head_of(root)
    table.take([*head.keys, *head.values], row_types(root))


def has_distinct_keys(root: comprehension.CollectOp) -> bool:
    """Return whether the keys of the map are those of a group-by before nothing but lets."""
    groups = [op for op in root.body.block.ops if isinstance(op, comprehension.GroupByOp)]
    if not groups:
        return False
    op = groups[-1].next_op
    while op is not None:
        if isinstance(op, comprehension.EachOp | comprehension.RangeOp):
            return False
        op = op.next_op
    head = head_of(root)
    type = root.result.type
    keys = [*head.keys, *head.values][: type.keys.data]
    return set(groups[-1].group_keys) <= set(keys)


def keep_one_of_equal_keys(
    root: comprehension.CollectOp, table: RowTable, context: int = 0
) -> None:
    """One row per key of the map that `root` collects, for each value of `context` columns."""
    if not has_distinct_keys(root):
        keys = context + root.result.type.keys.data
        others = [ANY] * (table.width() - keys)
        table.bag = table.driver.insert(tensor_block.GroupReduceOp(table.rows, keys, others))


def written_within(
    root: comprehension.BuildOp | comprehension.MergeOp, dims: Sequence[SSAValue]
) -> SSAValue | None:
    """An array of the dimensions `dims` whose indices the result of `root` may share.

    A Boolean one, a region of the source, rather than another.
    """
    if not tensor_block.is_sparse(root.results[0].type):
        return None
    found = [
        array
        for array in arrays_written_at(root)
        if tensor_block.is_sparse(array.type)
        and tensor_block.is_tiled(array.type) == tensor_block.is_tiled(root.results[0].type)
        and all(
            own is not None and same_value(own, dim)
            for own, dim in zip(dimensions(array), dims, strict=True)
        )
    ]
    found.sort(key=lambda array: array_type(array).get_element_type() != i1)
    if not found:
        return None
    remark(
        root, f"its rows lie within {found[0].name_hint or 'an array'}: it may share its indices"
    )
    return found[0]


def finish(root: Root, table: RowTable) -> SSAValue:
    """The value that the rows of `table` make; it replaces `root`."""
    driver = table.driver
    take_row(root, table)
    match root:
        case comprehension.AggregateOp():
            return driver.insert(tensor_block.FoldOp(root.monoid.data, table.rows))
        case comprehension.CollectOp():
            type = root.result.type
            if type.is_map:
                keep_one_of_equal_keys(root, table)
                return driver.insert(tensor_block.ToMapOp(table.rows, type.keys.data))
            if table.rows.type != type:  # the rows of a map
                columns = range(len(type.columns))
                return driver.insert(tensor_block.ProjectOp(table.rows, columns))
            return table.rows
        case comprehension.BuildOp():
            within = written_within(root, root.dims)
            return driver.insert(
                tensor_block.FromBagOp(table.rows, root.dims, root.result.type, within=within)
            )
        case comprehension.MergeOp():
            monoid = root.monoid.data if root.monoid is not None else None
            if isinstance(root.dest.type, BagType):
                rows = table.rows
                return driver.insert(tensor_block.UpdateOp(root.dest, rows, monoid))
            dims = driver_dimensions(root.dest, driver)
            return driver.insert(
                tensor_block.FromBagOp(
                    table.rows,
                    dims,
                    root.result.type,
                    monoid=monoid,
                    dest=root.dest,
                    within=written_within(root, dims),
                )
            )
