"""What a comprehension makes of its rows: an array, a bag, a map, a scalar.

Reads the `comprehension` level, writes the ops of the `tensor_block` level that end a query:
`from_bag`, `fold`, `update`, `to_map`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, SSAValue

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.comprehension import BagType
from diablo.dialects.encodings import as_array
from diablo.dialects.tensor_block_folds import ANY
from diablo.lowering.tensor_block.driver_values import driver_dimensions
from diablo.lowering.tensor_block.row_table import RowTable
from diablo.passes.analyses.speculation import Root


def head_of(root: Root) -> comprehension.YieldOp:
    """The row that a comprehension yields."""
    head = root.body.block.last_op
    assert isinstance(head, comprehension.YieldOp)
    return head


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
    """Whether the keys of the map are those of a group-by before nothing but lets."""
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
            return driver.insert(tensor_block.FromBagOp(table.rows, root.dims, root.result.type))
        case comprehension.MergeOp():
            monoid = root.monoid.data if root.monoid is not None else None
            if isinstance(root.dest.type, BagType):
                rows = table.rows
                return driver.insert(tensor_block.UpdateOp(root.dest, rows, monoid))
            return driver.insert(
                tensor_block.FromBagOp(
                    table.rows,
                    driver_dimensions(root.dest, driver),
                    root.result.type,
                    monoid=monoid,
                    dest=root.dest,
                )
            )
