"""Run once over what several comprehensions run over.

Works at the comprehension level. Two comprehensions with the same generators, guards and
groups, in any order, become one `collect` with a column for each result.

```mlir
%s = comprehension.build (%n) : !vector {      %rows = comprehension.collect : !bag {
  %k, %x = comprehension.each %rows              %k, %x = comprehension.each %rows
  %g, %xs = comprehension.group_by …             %g, %xs = comprehension.group_by …
  %v = comprehension.reduce add %xs              %v = comprehension.reduce add %xs
  comprehension.yield (%g) %v             ==>    %w = comprehension.reduce max %xs
}                                                comprehension.yield (%g) %v, %w
%t = comprehension.build (%n) : !vector {      }
  …                                            %s = comprehension.build (%n) : !vector {
  %w = comprehension.reduce max %xs              %g, %v, %w = comprehension.each %rows
  comprehension.yield (%g) %w                    comprehension.yield (%g) %v
}                                              …
```

It pays where rows are grouped or joined that no array algebra computes: where a generator
runs over a list or a map, and there is a `group_by` or another generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from diablo.dialects import comprehension
from diablo.dialects.comprehension import BagType
from diablo.dialects.defining_blocks import is_before, is_made_in
from diablo.dialects.locations import located, remark
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.comprehension_structure import Generator, Root
from diablo.passes.analyses.values.free_values import used_values
from diablo.passes.analyses.values.speculation import can_trap
from diablo.passes.analyses.values.structural_keys import StructuralKeys
from diablo.passes.comprehension.normalize_groups import regroup

Fusible = comprehension.BuildOp | comprehension.AggregateOp | comprehension.CollectOp


def _head(block: Block) -> comprehension.YieldOp:
    end = block.last_op
    assert isinstance(end, comprehension.YieldOp)
    return end


def _check(first: Root, second: Root) -> None:
    """Raise `Refused` if two comprehensions with the same qualifiers are not run as one."""
    generators = [op for op in first.body.block.ops if isinstance(op, Generator)]
    grouped = [op for op in first.body.block.ops if isinstance(op, comprehension.GroupByOp)]
    rows = any(
        isinstance(op, comprehension.EachOp) and isinstance(op.collection.type, BagType)
        for op in generators
    )
    if not rows:
        raise Refused("over arrays, each is array algebra of its own")
    if len(generators) < 2 and not grouped:
        raise Refused("to read a list twice costs less than to write another")
    if len(grouped) > 1:
        raise Refused("rows are grouped more than once")
    if can_trap(second):
        raise Refused("the second can fail")
    needed = [operand for op in second.body.walk() for operand in op.operands]
    if any(
        not is_made_in(value, second.body.block) and not is_before(value, first) for value in needed
    ):
        raise Refused("the second needs what is computed after the first")


class _Fusion:
    """Lets the body of `first` compute what `second` yields too."""

    def __init__(self, first: Root, second: Root):
        self.keys = StructuralKeys()
        self.block, self.other = first.body.block, second.body.block
        self.keys.body(self.other)
        self._refresh()

    def _refresh(self) -> None:
        """Find the values of the first body by their keys anew."""
        self.keys.body(self.block)
        self.values: dict[int, SSAValue] = {}
        for op in self.block.ops:
            for result in op.results:
                self.values.setdefault(self.keys.value(result), result)

    @property
    def group(self) -> comprehension.GroupByOp | None:
        """The group_by of the first body."""
        return next((o for o in self.block.ops if isinstance(o, comprehension.GroupByOp)), None)

    def translate(self, value: SSAValue, place: Operation) -> SSAValue:
        """The value of the first body that equals one of the second; in front of `place`."""
        if not is_made_in(value, self.other):
            return value
        found = self.values.get(self.keys.value(value))
        if found is not None:
            return found
        op = value.owner
        assert isinstance(op, Operation)
        mapping = {used: self.translate(used, place) for used in used_values(op)}
        copy = op.clone(mapping)
        copy.location = op.location
        self.block.insert_op_before(copy, place)
        for old, new in zip(op.results, copy.results, strict=True):
            new.name_hint = old.name_hint
            self.keys.of[new] = self.keys.value(old)
            self.values[self.keys.value(old)] = new
        return self.values[self.keys.value(value)]

    def add_bags(self) -> None:
        """Let the group_by collect what that of the second body collects."""
        group = self.group
        theirs = next((o for o in self.other.ops if isinstance(o, comprehension.GroupByOp)), None)
        if group is None or theirs is None:
            return
        bags = list(group.bag_values)
        for row, bag in zip(theirs.bag_values, theirs.bags, strict=True):
            if self.keys.value(bag) not in self.values:
                bags.append(tuple(self.translate(value, group) for value in row))
        if len(bags) > len(group.bags):
            regroup(group, bags)
            self._refresh()


def _columns(values: Sequence[SSAValue], columns: list[SSAValue]) -> list[int]:
    """The positions of `values` among the columns, which take in those that are new."""
    for value in values:
        if value not in columns:
            columns.append(value)
    return [columns.index(value) for value in values]


def _read(root: Root, rows: SSAValue, positions: Sequence[int]) -> None:
    """Let `root` run over the fused rows; its head is in the columns at `positions`."""
    end = _head(root.body.block)
    each = located(comprehension.EachOp(rows), root)
    row = [each.elements[position] for position in positions]
    for element, value in zip(row, end.operands, strict=True):
        element.name_hint = value.name_hint
    head = comprehension.YieldOp(row[: len(end.keys)], row[len(end.keys) :])
    root.detach_region(root.body)
    root.add_region(Region(Block([each, located(head, end)])))


def fuse(first: Fusible, second: Fusible) -> None:
    """Make the `collect` in front of `first`, and let both read it."""
    fusion = _Fusion(first, second)
    fusion.add_bags()
    end = _head(fusion.block)
    columns: list[SSAValue] = []
    ours = _columns(end.operands, columns)
    theirs = _columns(
        [fusion.translate(value, end) for value in _head(fusion.other).operands], columns
    )
    fused = Block()
    for op in list(fusion.block.ops):
        if op is not end:
            op.detach()
            fused.add_op(op)
    fused.add_op(located(comprehension.YieldOp((), columns), end))
    type = BagType([column.type for column in columns])
    collect = located(comprehension.CollectOp(Region(fused), type), first)
    assert first.parent is not None
    first.parent.insert_op_before(collect, first)
    _read(first, collect.result, ours)
    _read(second, collect.result, theirs)


def _fuse_in(block: Block, told: set[Operation]) -> bool:
    """Fuse two comprehensions of a block; `told` are those of which has been said why not."""
    keys = StructuralKeys()
    seen: dict[int, Fusible] = {}
    for op in block.ops:
        if not isinstance(op, Fusible) or _only_reads(op):
            continue
        first = seen.setdefault(keys.body(op.body.block).qualifiers, op)
        if first is op:
            continue
        try:
            _check(first, op)
        except Refused as why:
            if op not in told:
                told.add(op)
                message = "this runs over the same rows as another comprehension, but apart"
                remark(op, f"{message}: {why}")
            continue
        remark(op, "this is computed together with another comprehension over the same rows")
        fuse(first, op)
        return True
    return False


def _only_reads(root: Root) -> bool:
    """Return whether a comprehension does nothing but read a list, or has one row."""
    ops = list(root.body.block.ops)
    return len(ops) == 2 or not any(isinstance(op, Generator) for op in ops)


@dataclass(frozen=True)
class FuseComprehensionsPass(ModulePass):
    """Run once over what several comprehensions run over."""

    name = "fuse-comprehensions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Fuse comprehensions in every block."""
        for inner in list(op.walk()):
            for region in inner.regions:
                for block in region.blocks:
                    told = set[Operation]()
                    while _fuse_in(block, told):
                        pass
