"""Nested comprehensions as joins: each row gets what the comprehension is for it.

Reads the `comprehension` level, writes row ops of the `tensor_block` level. The inner rows
are made of the numbered outer ones, folded for each number, and joined back:

    collect {                              %r1 = tensor_block.number %r0
      %k = each %A                         %r2 = tensor_block.join %r1, %B …
      %s = aggregate add {                 %r3 = tensor_block.group_reduce … keys 1 monoids(add)
        %j, %b = each %B              ==>  %r4 = tensor_block.join %r1[1], %r3[0] outer [0, 0.0]
        guard %j < %k
        yield %b }
      yield %k, %s }

An aggregate whose rows are those of lists, ranges and arrays at hand is a loop in the body that
computes the row instead, and so is a list of what the row's own list has (row_loops.py).

Where nothing but equalities tie the inner rows to the outer ones (`guard %j == %k`), the inner
rows are folded by their side of the equality, once for all outer rows, and then joined; unless
there are no fewer keys than outer rows, and a loop does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from xdsl.dialects import tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, UnitAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue

from diablo.dialects import comprehension, monoids, tensor_block
from diablo.dialects.bags import bag_columns
from diablo.dialects.comprehension import BagType
from diablo.dialects.comprehension.comprehension_monoids import find_monoid
from diablo.dialects.encodings import array_type
from diablo.dialects.locations import remark
from diablo.lowering.tensor_block.query.body_emitter import BodyEmitter
from diablo.lowering.tensor_block.rows.correlation import Correlation, correlation_of
from diablo.lowering.tensor_block.rows.row_loop_plan import Looped
from diablo.lowering.tensor_block.rows.row_loops import RowLoops
from diablo.lowering.tensor_block.rows.row_results import keep_one_of_equal_keys, row_types
from diablo.lowering.tensor_block.rows.row_table import RowTable, row_token
from diablo.lowering.tensor_block.rows.row_values import numbered_list, operands_of
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.comprehension_structure import Root, head_of
from diablo.passes.analyses.values.speculation import can_trap

Path = Sequence[tuple[SSAValue, bool]]
Planner = Callable[[Root, RowTable, Sequence[SSAValue], Collection[Operation]], None]


class Unnesting:
    """Gives the rows of `table` the value of the nested comprehension `root` as a column.

    `path` are the conditions of the branches in which it stands; `planner` plans its body.
    """

    def __init__(self, root: Root, table: RowTable, path: Path, planner: Planner):
        self.root = root
        self.table = table
        self.path = path
        self.planner = planner

    def generate(self, variables: Sequence[SSAValue]) -> None:
        """Run over the rows of the list that `root` collects: a join, and no list is made."""
        inner, keys, outer_keys = self._inner_rows(self._correlation(), None)
        inner_keys = range(len(keys))
        columns = [*[row_token(key.type) for key in keys], *variables]
        self.table.join(inner.rows, outer_keys, inner_keys, columns)

    def lower(self) -> None:
        """Add the column."""
        correlation, why_no_loop = self._correlation(), None
        if self._is_given():
            return
        in_loops = correlation is None or correlation.tells_rows_apart(self.table.root)
        is_list = (
            isinstance(self.root, comprehension.CollectOp) and not self.root.result.type.is_map
        )
        if in_loops and (is_list or isinstance(self.root, comprehension.AggregateOp)):
            assert isinstance(self.root, Looped)
            try:
                RowLoops(self.root, self.table, self.path).lower()
            except Refused as why:
                why_no_loop = str(why)
            else:
                remark(self.root, "nested: computed in loops for each row, without pairs of rows")
                return
        inner, keys, outer_keys = self._inner_rows(correlation, why_no_loop)
        self._join_back(inner, keys, outer_keys)

    def _is_given(self) -> bool:
        """Take a list that the rows have already, if the comprehension has all of its rows."""
        root = self.root
        each, *others = root.body.block.ops
        if not isinstance(root, comprehension.CollectOp) or len(others) != 1:
            return False
        if not isinstance(each, comprehension.EachOp) or each.sorted is not None:
            return False
        head, list = head_of(root), each.collection
        if (*head.keys, *head.values) != tuple(each.elements) or list.type != root.result.type:
            return False
        if list not in self.table.columns:
            return False
        self.table.columns[root.result] = self.table.columns[list]
        return True

    def _correlation(self) -> Correlation | None:
        """The equalities by which the inner rows may be computed for all keys at once."""
        correlation = correlation_of(self.root, self.table)
        if correlation is not None and self.path and self._can_trap(correlation.outer):
            return None
        return correlation

    def _inner_rows(
        self, correlation: Correlation | None, why_no_loop: str | None
    ) -> tuple[RowTable, Sequence[SSAValue], Sequence[SSAValue]]:
        """The rows of the nested comprehension, behind the keys that tie them to the outer ones."""
        if correlation is not None:
            message = "nested: evaluated for all keys at once, then joined with the outer rows"
            remark(self.root, message)
            inner = RowTable(self.table.root, self.table.driver)
            keys, outer, ignored = correlation.inner, correlation.outer, correlation.guards
        else:
            message = "nested: unnested, starting from the outer rows"
            remark(self.root, message if why_no_loop is None else f"{message}: {why_no_loop}")
            key, inner = self._start()
            keys, outer, ignored = [key], [key], ()
        self.planner(self.root, inner, keys, ignored)
        head = head_of(self.root)
        values, types = [*head.keys, *head.values], row_types(self.root)
        inner.take([*keys, *values], [*[key.type for key in keys], *types])
        return inner, keys, outer

    def _can_trap(self, values: Sequence[SSAValue]) -> bool:
        """Return whether computing `values` may fail where the branches are not taken."""
        return any(map(can_trap, self.table.slice(values).ops))

    def _start(self) -> tuple[SSAValue, RowTable]:
        """A column that identifies the outer rows, and what the inner plan starts from."""
        used = [v for v in operands_of(self.root) if self.table.varies(v)]
        key = self.table.numbered() if used else self.table.constant(IntegerAttr(0, i64))
        inner = self.table.fork()
        for condition, holds in self.path:
            inner.filter(condition, holds=holds)
        # The rows of lists are numbered when they are gone through, those of all lists at once.
        inner.keep([key, *[numbered_list(value) or value for value in used]])
        if not used:  # evaluated once, if there is any row at all
            inner.bag = inner.driver.insert(tensor_block.GroupReduceOp(inner.rows, 1, []))
            inner.number = None
        return key, inner

    def _join_back(
        self,
        inner: RowTable,
        keys: Sequence[SSAValue],
        outer_keys: Sequence[SSAValue],
    ) -> None:
        """Make one value for each of `keys` of the inner rows, and join it to the outer rows."""
        root, table, types = self.root, self.table, row_types(self.root)
        count = len(keys)
        default: Attribute = UnitAttr()
        made: SSAValue = root.result
        if isinstance(root, comprehension.AggregateOp):
            default = self._identity(root)
            name = root.monoid.data
            groups = inner.driver.insert(tensor_block.GroupReduceOp(inner.rows, count, [name]))
        else:
            if isinstance(root, comprehension.CollectOp) and root.result.type.is_map:
                keep_one_of_equal_keys(root, inner, count)
            if isinstance(root, comprehension.MergeOp) and isinstance(root.dest.type, BagType):
                self._update(root, inner, keys[0])
            groups = inner.driver.insert(
                tensor_block.GroupOp(inner.rows, count, [inner.width() - count])
            )
            if made.type != BagType(types):
                made = row_token(BagType(types))
        columns = [*[row_token(key.type) for key in keys], made]
        defaults = [*[UnitAttr() for _ in keys], default]
        table.join_outer(groups, outer_keys, range(count), columns, defaults)
        if made is not root.result:
            self._make(made)

    @staticmethod
    def _identity(root: comprehension.AggregateOp) -> Attribute:
        name = root.monoid.data
        monoid = find_monoid(name, root)
        return monoid.identity if monoid is not None else monoids.identity(name, root.result.type)

    def _update(self, root: comprehension.MergeOp, inner: RowTable, key: SSAValue) -> None:
        """Write the inner rows into the map of their outer row: maps with one more key."""
        type = root.dest.type
        assert isinstance(type, BagType)
        dest = self.table.fork()
        dest.keep([key, root.dest])
        columns = [row_token(column) for column in type.columns]
        dest.unnest(root.dest, columns)
        dest.keep([key, *columns])
        driver = inner.driver
        map = driver.insert(tensor_block.ToMapOp(dest.rows, 1 + type.keys.data))
        monoid = root.monoid.data if root.monoid is not None else None
        inner.bag = driver.insert(tensor_block.UpdateOp(map, inner.rows, monoid))

    def _make(self, rows: SSAValue) -> None:
        """Compute the array or the map that the list `rows` holds."""
        root = self.root
        if isinstance(root, comprehension.BuildOp):
            extents = self._extents(root)

            def build(emitter: BodyEmitter) -> Sequence[SSAValue]:
                dims = [emitter.lookup(dim) for dim in extents]
                bag = emitter.lookup(rows)
                return [emitter.add(tensor_block.FromBagOp(bag, dims, root.result.type))]

            self.table.extend([rows, *extents], [root.result], build)
        elif isinstance(root.result.type, BagType):
            keys = root.result.type.keys.data
            self.table.extend(
                [rows],
                [root.result],
                lambda e: [e.add(tensor_block.ToMapOp(e.lookup(rows), keys))],
            )
        else:
            assert isinstance(root, comprehension.MergeOp)
            self._merge(root, rows)

    def _merge(self, root: comprehension.MergeOp, rows: SSAValue) -> None:
        dest = root.dest

        def merge(emitter: BodyEmitter) -> Sequence[SSAValue]:
            array = emitter.lookup(dest)
            dims: list[SSAValue] = []
            for axis in range(array_type(dest).get_num_dims()):
                number = emitter.constant(IntegerAttr(axis, IndexType()))
                dims.append(emitter.add(tensor.DimOp(array, number)))
            monoid = root.monoid.data if root.monoid is not None else None
            bag = emitter.lookup(rows)
            op = tensor_block.FromBagOp(bag, dims, root.result.type, monoid, array)
            return [emitter.add(op)]

        self.table.extend([rows, dest], [root.result], merge)

    def _extents(self, root: comprehension.BuildOp) -> Sequence[SSAValue]:
        """The dimensions, computed only where the branches are taken if that can trap."""
        table = self.table
        if not self.path or not self._can_trap(root.dims):
            return list(root.dims)
        key = table.numbered()
        some = table.fork()
        for condition, holds in self.path:
            some.filter(condition, holds=holds)
        some.take([key, *root.dims], [key.type, *[dim.type for dim in root.dims]])
        extents = [row_token(dim.type) for dim in root.dims]
        defaults = [UnitAttr() for _ in bag_columns(some.rows)]
        table.join_outer(some.rows, [key], [0], [row_token(key.type), *extents], defaults)
        return extents
