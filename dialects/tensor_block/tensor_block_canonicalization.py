"""Canonicalisation of the `tensor_block` dialect."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.arith import ConstantOp, IndexCastOp
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i64
from xdsl.ir import BlockArgument, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from diablo.dialects.comprehension import has_no_rows
from diablo.dialects.locations import located
from diablo.dialects.tensor_block import (
    ExtendOp,
    FilterOp,
    FromBagOp,
    GroupReduceOp,
    LookupOp,
    ProjectOp,
    ToMapOp,
    UpdateOp,
    YieldOp,
)


class DropIdentityProject(RewritePattern):
    """A projection on all columns in their order changes nothing.

    ```
    %b = tensor_block.project %a[0, 1] : bag<i64, f64> -> bag<i64, f64>   // %b becomes %a
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ProjectOp, rewriter: PatternRewriter) -> None:
        """Use the bag itself."""
        if op.bag.type != op.result.type:
            return
        if op.columns.get_values() == tuple(range(len(op.result.type.columns))):
            rewriter.replace(op, (), (op.bag,))


class MergeProjects(RewritePattern):
    """A projection of a projection is one projection.

    ```
    %b = tensor_block.project %a[2, 0] : …
    %c = tensor_block.project %b[1] : …      // becomes project %a[0]
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ProjectOp, rewriter: PatternRewriter) -> None:
        """Take the columns from the first bag."""
        inner = op.bag.owner
        if not isinstance(inner, ProjectOp):
            return
        columns = inner.columns.get_values()
        merged = ProjectOp(inner.bag, [columns[column] for column in op.columns.get_values()])
        rewriter.replace(op, located(merged, op))


class DropEmptyExtend(RewritePattern):
    """To append no column changes nothing.

    ```
    %b = tensor_block.extend %a : bag<i64> -> bag<i64> {   // %b becomes %a
    ^bb0(%k: i64):
      tensor_block.yield
    }
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ExtendOp, rewriter: PatternRewriter) -> None:
        """Use the bag itself."""
        if op.taken is None and op.bag.type == op.result.type:
            rewriter.replace(op, (), (op.bag,))


class DropTrueFilter(RewritePattern):
    """A filter that keeps every row changes nothing.

    ```
    %b = tensor_block.filter %a : bag<i64> {   // %b becomes %a
    ^bb0(%k: i64):
      %true = arith.constant true
      tensor_block.yield %true : i1
    }
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: FilterOp, rewriter: PatternRewriter) -> None:
        """Use the bag itself."""
        end = op.body.block.last_op
        if not isinstance(end, YieldOp) or op.bag.type != op.result.type:
            return
        constant = end.values[0].owner
        if not isinstance(constant, ConstantOp) or not isinstance(constant.value, IntegerAttr):
            return
        if constant.value.value.data:
            rewriter.replace(op, (), (op.bag,))


class LookUpGivenColumn(RewritePattern):
    """An element is looked up by the column itself of which another one is the index.

    ```
    %b = tensor_block.extend %a : bag<i64> -> bag<i64, index> {
    ^bb0(%k: i64):
      %i = arith.index_cast %k : i64 to index
      tensor_block.yield %i : index
    }
    %c = tensor_block.lookup %b[1] in %v : …                      // becomes %b[0]
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LookupOp, rewriter: PatternRewriter) -> None:
        """Name other columns."""
        columns = op.columns.get_values()
        given = _given(op.bag, columns)
        if given == list(columns):
            return
        op.properties["columns"] = DenseArrayBase.from_list(i64, given)
        rewriter.notify_op_modified(op)


class BuildOfGivenColumns(RewritePattern):
    """An array is built by the columns themselves of which others are the indices.

    ```
    %b = tensor_block.extend %a : bag<i64, f64> -> bag<i64, f64, index> { … index_cast … }
    %c = tensor_block.project %b[2, 1] : …
    %A = tensor_block.from_bag %c extents(%n) : …                  // of project %b[0, 1]
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: FromBagOp, rewriter: PatternRewriter) -> None:
        """Take other columns."""
        rows = op.bag.owner
        if not isinstance(rows, ProjectOp) or not op.bag.has_one_use():
            return
        columns, rank = rows.columns.get_values(), len(op.extents)
        given = [*_given(rows.bag, columns[:rank]), *columns[rank:]]
        if given == list(columns):
            return
        new = located(ProjectOp(rows.bag, given), rows)
        new.result.name_hint = op.bag.name_hint
        rewriter.insert(new)
        op.operands[0] = new.result
        rewriter.notify_op_modified(op)
        rewriter.erase(rows)


def _given(bag: SSAValue, columns: Sequence[int]) -> list[int]:
    """Return the columns of which those of a bag are the indices, where they are of others."""
    while isinstance(rows := bag.owner, LookupOp | FilterOp):
        bag = rows.bag
    if not isinstance(rows, ExtendOp) or rows.taken is not None:
        return list(columns)
    end = rows.body.block.last_op
    assert isinstance(end, YieldOp)
    found: dict[int, int] = {}
    for column, value in enumerate(end.values, len(rows.body.block.args)):
        if isinstance(cast := value.owner, IndexCastOp) and cast.input.type == i64:
            argument = cast.input
            if isinstance(argument, BlockArgument) and argument.block is rows.body.block:
                found[column] = argument.index
    return [found.get(column, column) for column in columns]


class DropEmptyGroups(RewritePattern):
    """Where there is no row, there is no group.

    ```
    %a = comprehension.list : bag<i64, f64>
    %b = tensor_block.group_reduce %a keys 1 monoids(add) : bag<i64, f64>   // %b becomes %a
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: GroupReduceOp, rewriter: PatternRewriter) -> None:
        """Use the bag itself."""
        if has_no_rows(op.bag) and op.bag.type == op.result.type:
            rewriter.replace(op, (), (op.bag,))


class UpdateNewMap(RewritePattern):
    """A map that nothing was written to holds the groups of the rows that are.

    ```
    %a = comprehension.list : bag<i64, f64>
    %m = tensor_block.to_map %a : bag<i64, f64> -> map<i64, f64>
    %n = tensor_block.update add %m with %rows : map<i64, f64>, bag<i64, f64>
    // becomes
    %groups = tensor_block.group_reduce %rows keys 1 monoids(add) : bag<i64, f64>
    %n = tensor_block.to_map %groups : bag<i64, f64> -> map<i64, f64>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: UpdateOp, rewriter: PatternRewriter) -> None:
        """Group the rows."""
        made = op.dest.owner
        if not isinstance(made, ToMapOp) or not has_no_rows(made.bag):
            return
        type = made.result.type
        keys = type.keys.data
        monoid = "any" if op.monoid is None else op.monoid.data
        groups = located(GroupReduceOp(op.rows, keys, [monoid] * (len(type.columns) - keys)), op)
        groups.result.name_hint = op.result.name_hint
        rewriter.replace(op, [groups, located(ToMapOp(groups.result, keys), op)])
