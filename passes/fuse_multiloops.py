"""Fuse loops with the loops that make their rows, and loops over one source.

Works on the `multiloop` dialect, in any block.

```mlir
%p = multiloop.loop rows(%x …) -> … {                 %s, %n = multiloop.loop rows(%x …) -> … {
^bb0(%a: f64, %all: !multiloop.collect<f64>):         ^bb0(%a: f64, %sum: …, %count: …):
  scf.if %positive {                                    scf.if %positive {
    multiloop.emit %all(%a : f64)                         %r = math.sqrt %a : f64
  }                                                       multiloop.emit %sum(%r : f64)
}                                                       }
%s = multiloop.loop rows(%p …) -> f64 {          ==>    multiloop.emit %count(%one : i64)
^bb0(%b: f64, %sum: !multiloop.reduce<add : f64>):    }
  %r = math.sqrt %b : f64
  multiloop.emit %sum(%r : f64)
}
%n = multiloop.loop rows(%x …) -> i64 {
^bb0(%a: f64, %count: !multiloop.reduce<add : i64>):
  multiloop.emit %count(%one : i64)
}
```

* Vertical: the body of a loop over collected rows takes the place of the emits that collect them,
  if nothing else reads these rows. It is under the guards of each emit, and runs once for it.
  It is written once for each emit; those after the first may cost 32 operations together.
* Horizontal: two loops over one bag, or from one number to another, become one with the
  generators of both, if neither needs a result of the other. A vector that one of them makes may be
  read by the other at its own index: it takes each element as it comes. So do two over the same
  points of dense arrays (merged_points.py), that read these and write there in the order of memory.
  A fold by a monoid of the program's own stays apart from arrays: alone it runs in lanes.
* Groups that an iteration has to itself, whose key is its index, are folds of the loop in it that
  emits their rows, and rows that are collected behind that.
* Generators whose results nothing uses go, and loops that then do nothing; those that are left
  come in the order in which a function returns their results.

A loop that several others read is fused with these once they are one; loops over the
same source otherwise wait until no loop can be fused with the one that makes its rows, since
that saves the rows. What a loop needs moves up with it. Effects, emits to a generator of a loop
around and what may fail keep their order (passes/analyses/plans/reordering.py), otherwise loops
stay apart. Rows stay in the order of the source: what is done for one is done before the next.

This is Delite's fusion of loops whose bodies emit, where what guards a value and what computes it
are one block.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from xdsl.context import Context
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, i1, i64
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint

from diablo.dialects.locations import located, named, remark
from diablo.dialects.monoids import ANY, PLACE
from diablo.dialects.multiloop import (
    BucketReduceType,
    CollectType,
    EmitOp,
    GeneratorType,
    LoopOp,
    PlaceType,
    ReduceType,
)
from diablo.dialects.number_constants import ConstantOps
from diablo.passes.analyses.plans.reordering import does_nothing_else, needed_before
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.affine_values import same_value
from diablo.passes.analyses.values.free_values import free_values
from diablo.passes.merged_points import check_mergeable, merge_points
from diablo.passes.pattern_set import PatternSet, rewrite

MOST_COPIED = 32
"""How many operations the copies of a body for the emits after the first may have together."""


@dataclass
class _Site:
    """Where the body of one loop comes to stand in that of another, and for which elements."""

    point: InsertPoint
    elements: Sequence[SSAValue]


def _maker(loop: LoopOp) -> LoopOp | None:
    """The loop that makes the rows which `loop` is over, if one does."""
    owner = loop.inputs[0].owner if loop.source.data == "rows" else None
    return owner if isinstance(owner, LoopOp) else None


def _check_rows(loop: LoopOp, maker: LoopOp) -> list[EmitOp]:
    """Find the emits of the rows that `loop` is over; `Refused` if it cannot take their place."""
    rows = loop.inputs[0]
    assert isinstance(rows, OpResult)
    generator = maker.generators[rows.index]
    if not isinstance(generator.type, CollectType):
        raise Refused("groups are complete only when that loop has ended")
    if loop.parent is not maker.parent:
        raise Refused("it is in a branch or in a loop, and the rows are made before")
    if not rows.has_one_use():
        raise Refused("something else reads its rows too")
    emits = [use.operation for use in generator.uses if isinstance(use.operation, EmitOp)]
    copied = (len(emits) - 1) * sum(1 for _ in loop.body.block.walk())
    if copied > MOST_COPIED:
        raise Refused(f"its body would be written {len(emits)} times, {copied} operations more")
    return emits


def _moved_with(loop: LoopOp, target: LoopOp, passing: Iterable[SSAValue] = ()) -> list[Operation]:
    """Find what must move before `target` for `loop` to be a part of it, or raise `Refused`.

    Elements of the vectors `passing` it takes as they come.
    """
    values = [value for value in free_values([loop.body]) if value not in passing]
    return needed_before(loop, values, target)


def _passing(loop: LoopOp, maker: LoopOp) -> dict[SSAValue, SSAValue]:
    """The vectors of which `loop` reads only the element that `maker` makes in the same iteration.

    Beside each is the value of that. Both loops are over one source.
    """
    found: dict[SSAValue, SSAValue] = {}
    for generator, vector in zip(maker.generators, maker.made, strict=True):
        emits = [use.operation for use in generator.uses]
        if not isinstance(generator.type, PlaceType) or len(emits) != 1:
            continue
        (emit,) = emits
        if not isinstance(emit, EmitOp) or emit.parent is not maker.body.block:
            continue
        reads = [use.operation for use in vector.uses if loop.is_ancestor(use.operation)]
        if list(emit.keys) == list(maker.elements) and all(
            isinstance(read, tensor.ExtractOp) and list(read.indices) == list(loop.elements)
            for read in reads
        ):
            found[vector] = emit.values[0]
    return found


def _joined(
    first: LoopOp,
    second: LoopOp,
    sites: Iterable[_Site],
    moved: Iterable[Operation],
    rewriter: PatternRewriter,
    passing: Mapping[SSAValue, SSAValue] = MappingProxyType({}),
) -> None:
    """Put the body of `second` into that of `first`, which gets its generators.

    What it reads of the vectors `passing` becomes the values beside them.
    """
    for op in moved:
        op.detach()
        rewriter.insert(op, InsertPoint.before(first))
    body = first.body.block
    generators: list[SSAValue] = []
    for generator in second.generators:
        new = body.insert_arg(generator.type, len(body.args), generator.location)
        generators.append(named(new, generator))
    for site in sites:
        values: dict[SSAValue, SSAValue] = dict(zip(second.elements, site.elements, strict=True))
        values |= zip(second.generators, generators, strict=True)
        copies = [op.clone(values) for op in second.body.block.ops]
        rewriter.insert(copies, site.point)
        for read in [inner for copy in copies for inner in copy.walk()]:
            if isinstance(read, tensor.ExtractOp) and read.tensor in passing:
                rewriter.replace(read, [], [passing[read.tensor]])
    made = [*first.made, *second.made]
    fused = _rebuilt(first, rewriter, [*first.into, *second.into])
    for old, new in zip(made, fused.made, strict=True):
        rewriter.replace_all_uses_with(old, named(new, old))
    rewriter.erase(second)
    rewriter.erase(first)


def _rebuilt(loop: LoopOp, rewriter: PatternRewriter, into: Sequence[SSAValue]) -> LoopOp:
    """Insert before `loop` a loop with its body, and a result for each generator of this.

    The tables among these have the extents `into`.
    """
    generators = [type for type in loop.body.block.arg_types if isinstance(type, GeneratorType)]
    new = LoopOp.build(
        operands=[loop.inputs, loop.extents, loop.offsets, loop.symbols, into],
        result_types=[[type.result for type in generators]],
        properties=loop.properties,
        attributes=loop.attributes,
        regions=[loop.detach_region(loop.body)],
    )
    rewriter.insert(located(new, like=loop), InsertPoint.before(loop))
    return new


class FuseIntoMaker(RewritePattern):
    """The body of a loop over collected rows takes the place of what emits them."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoopOp, rewriter: PatternRewriter) -> None:
        """Fuse a loop with the one that makes its rows."""
        maker = _maker(op)
        if maker is None:
            return
        try:
            emits = _check_rows(op, maker)
            moved = _moved_with(op, maker)
        except Refused:
            return
        remark(op, "a loop runs where the rows that it is over are emitted")
        sites = [_Site(InsertPoint.before(emit), emit.values) for emit in emits]
        _joined(maker, op, sites, moved, rewriter)
        for emit in emits:
            rewriter.erase(emit)


@dataclass
class MergeLoops(RewritePattern):
    """Two loops over one source become one with the generators of both."""

    made: bool
    """Whether only loops over rows that another loop makes are merged."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoopOp, rewriter: PatternRewriter) -> None:
        """Merge a loop into the first one before it that it can be merged with.

        Its results are there for more loops than if it were merged into a later one.
        """
        if self.made and _maker(op) is None:
            return
        for other in _over_same_source(op):
            passing = _passing(op, other)
            try:
                moved = _moved_with(op, other, passing)
            except Refused:
                continue
            remark(op, "a loop is merged with one before it over the same source")
            site = _Site(InsertPoint.at_end(other.body.block), other.elements)
            _joined(other, op, [site], moved, rewriter, passing)
            return


def _over_same_source(loop: LoopOp) -> list[LoopOp]:
    """The loops before `loop` in its block that run over the same, in their order."""
    found: list[LoopOp] = []
    before = loop.prev_op
    while before is not None:
        if isinstance(before, LoopOp) and _is_same_source(before, loop):
            found.append(before)
        before = before.prev_op
    return found[::-1]


def _is_same_source(one: LoopOp, other: LoopOp) -> bool:
    if one.is_over_points or one.properties != other.properties:
        return False
    if one.source.data == "range":
        return all(map(same_value, one.inputs, other.inputs))
    return list(one.inputs) == list(other.inputs)


@dataclass
class MergePoints(RewritePattern):
    """Two loops over the same points of dense arrays become one with the generators of both."""

    plain: bool
    """Whether loops have no lanes, nor vectors."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoopOp, rewriter: PatternRewriter) -> None:
        """Merge a loop into the nearest one before it that it can be merged with."""
        for other in _over_points_before(op):
            try:
                moved = check_mergeable(op, other, plain=self.plain)
            except Refused:
                continue
            remark(op, "a loop is merged with one before it over the same points")
            merge_points(op, other, moved, rewriter)
            return


def _over_points_before(loop: LoopOp) -> list[LoopOp]:
    """The loops over points before a loop over points in its block, the nearest first."""
    found: list[LoopOp] = []
    before = loop.prev_op if loop.is_over_points else None
    while before is not None:
        if isinstance(before, LoopOp) and before.is_over_points:
            found.append(before)
        before = before.prev_op
    return found


class FoldWithinIterations(RewritePattern):
    """Groups whose key is the index of a range are folds of what a loop in an iteration emits.

    No other iteration has a row of the group.

    ```mlir
    %groups = multiloop.loop range(%zero, %n …) -> !comprehension.bag<index, f64> {
    ^bb0(%i: index, %sums: !multiloop.bucket_reduce<[index], add : f64>):
      multiloop.loop range(%zero, %m …) { … multiloop.emit %sums[%i : index](%x : f64) }
    }
      ==>
    %groups = multiloop.loop range(%zero, %n …) -> !comprehension.bag<index, f64> {
    ^bb0(%i: index, %all: !multiloop.collect<index, f64>):
      %sum, %some = multiloop.loop range(%zero, %m …) -> f64, i1 {
      ^bb1(…, %own: !multiloop.reduce<add : f64>, %any: !multiloop.reduce<or : i1>):
        …
      }
      scf.if %some { multiloop.emit %all(%i, %sum : index, f64) }
    }
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoopOp, rewriter: PatternRewriter) -> None:
        """Fold what one generator gets within the iterations of a loop."""
        if op.source.data != "range":
            return
        for generator in op.generators:
            inner = _emitting_loop(op, generator)
            if inner is not None:
                remark(op, "groups of one iteration each are folded in it")
                self._fold(op, generator, inner, rewriter)
                return

    @staticmethod
    def _fold(
        op: LoopOp, generator: BlockArgument, inner: LoopOp, rewriter: PatternRewriter
    ) -> None:
        type = generator.type
        assert isinstance(type, BucketReduceType)
        emits = [use.operation for use in generator.uses]
        folds = [
            *[
                ReduceType(monoid.data, element)
                for monoid, element in zip(type.monoids, type.elements, strict=True)
            ],
            ReduceType("or", i1),
        ]
        block = inner.body.block
        own = [block.insert_arg(fold, len(block.args), generator.location) for fold in folds]
        first = emits[0]
        assert isinstance(first, EmitOp)
        # They depend on the index alone.
        keys = [_computed_anew(key, inner, rewriter) for key in first.keys]
        for emit in emits:
            assert isinstance(emit, EmitOp)
            true = arith.ConstantOp(IntegerAttr(1, i1))
            parts = zip(own, [*emit.values, true.result], strict=True)
            rewriter.replace(emit, [true, *[EmitOp(fold, [part]) for fold, part in parts]], [])
        folding = _rebuilt(inner, rewriter, inner.into)
        for old, new in zip(inner.made, folding.made, strict=False):
            rewriter.replace_all_uses_with(old, named(new, old))
        *values, some = folding.made[-len(own) :]
        collect = CollectType([*type.key, *type.elements])
        rows = op.body.block.insert_arg(collect, generator.index, generator.location)
        then = Block([EmitOp(named(rows, generator), [*keys, *values]), scf.YieldOp()])
        rewriter.insert(scf.IfOp(some, [], Region(then)), InsertPoint.after(folding))
        rewriter.erase(inner)
        op.body.block.erase_arg(generator)
        new = _rebuilt(op, rewriter, op.into)
        for old, result in zip(op.made, new.made, strict=True):
            rewriter.replace_all_uses_with(old, named(result, old))
        rewriter.erase(op)


def _emitting_loop(op: LoopOp, generator: BlockArgument) -> LoopOp | None:
    """The loop in an iteration from which alone a generator gets rows, of the iteration's group."""
    type = generator.type
    if not isinstance(type, BucketReduceType) or ANY in [m.data for m in type.monoids]:
        return None
    emits = [use.operation for use in generator.uses]
    inner: set[Operation | None] = {op.body.block.find_ancestor_op_in_block(e) for e in emits}
    loop = inner.pop() if len(inner) == 1 else None
    if not isinstance(loop, LoopOp) or PLACE in [m.data for m in type.monoids]:
        return None
    index = op.body.block.args[0]
    keys = [emit.keys for emit in emits if isinstance(emit, EmitOp)]
    is_own = all(any(_says_index(key, index, op) for key in own) for own in keys)
    of_index = all(_of_index(key, index, op) for own in keys for key in own)
    return loop if is_own and of_index else None


def _says_index(value: SSAValue, index: SSAValue, loop: LoopOp) -> bool:
    """Return whether two iterations never have the same value: an index, or that and a number."""
    match value.owner:
        case arith.IndexCastOp() as op if isinstance(op.result.type, IndexType) or (
            op.result.type == i64
        ):
            return _says_index(op.input, index, loop)
        case arith.AddiOp() as op:
            return any(
                _says_index(one, index, loop) and not loop.is_ancestor(other.owner)
                for one, other in ((op.lhs, op.rhs), (op.rhs, op.lhs))
            )
        case _:
            return value is index


def _of_index(value: SSAValue, index: SSAValue, loop: LoopOp) -> bool:
    """Return whether a value is computed of an index and of what is known before the loop."""
    op = value.owner
    if value is index or not loop.is_ancestor(op):
        return True
    if not isinstance(op, ConstantOps | arith.IndexCastOp | arith.AddiOp):
        return False
    return all(_of_index(operand, index, loop) for operand in op.operands)


def _computed_anew(value: SSAValue, before: LoopOp, rewriter: PatternRewriter) -> SSAValue:
    """Return a value that a loop computes, as it is computed before that."""
    op = value.owner
    if not isinstance(op, Operation) or not before.is_ancestor(op):
        return value
    operands = [_computed_anew(operand, before, rewriter) for operand in op.operands]
    copy = op.clone(dict(zip(op.operands, operands, strict=True)))
    rewriter.insert(copy, InsertPoint.before(before))
    return named(copy.results[0], value)


class DropUnusedGenerators(RewritePattern):
    """A generator whose result nothing uses goes, with what emits to it."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoopOp, rewriter: PatternRewriter) -> None:
        """Drop the generators of one loop that nothing needs."""
        made = [
            result
            for generator, result in zip(op.generators, op.made, strict=True)
            if result.uses or _gives_something(generator)
        ]
        if len(made) == len(op.made):
            return
        extents = zip(op.made, op.table_extents, strict=True)
        into = [size for result, sizes in extents if result in made for size in sizes]
        for generator, result in zip(op.generators, op.made, strict=True):
            if result not in made:
                for use in list(generator.uses):
                    rewriter.erase(use.operation)
                op.body.block.erase_arg(generator)
        new = _rebuilt(op, rewriter, into)
        for old, result in zip(made, new.made, strict=True):
            rewriter.replace_all_uses_with(old, named(result, old))
        rewriter.erase(op)


def _gives_something(generator: SSAValue) -> bool:
    """Return whether what a scan gives back is used."""
    return any(given.uses for use in generator.uses for given in use.operation.results)


class OrderGenerators(RewritePattern):
    """A loop whose results a function returns has its generators in the order of these.

    Those whose results nothing uses are behind them.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoopOp, rewriter: PatternRewriter) -> None:
        """Bring the generators of one loop into the order in which its results are returned."""
        around = op.parent_block()
        end = None if around is None else around.last_op
        unused = [result for result in op.made if not result.uses]
        if not isinstance(end, func.ReturnOp) or {*end.arguments, *unused} != set(op.made):
            return
        wanted = [*end.arguments, *unused]
        if len(wanted) != len(op.made) or wanted == list(op.made):
            return
        generator_of = dict[SSAValue, BlockArgument](zip(op.made, op.generators, strict=True))
        extents_of = dict[SSAValue, Sequence[SSAValue]](zip(op.made, op.table_extents, strict=True))
        into = [size for result in wanted for size in extents_of[result]]
        body = op.body.block
        for generator in [generator_of[result] for result in wanted]:
            moved = body.insert_arg(generator.type, len(body.args), generator.location)
            generator.replace_all_uses_with(named(moved, generator))
            body.erase_arg(generator)
        new = _rebuilt(op, rewriter, into)
        for old, result in zip(wanted, new.made, strict=True):
            rewriter.replace_all_uses_with(old, named(result, old))
        rewriter.erase(op)


class DropLoop(RewritePattern):
    """A loop that makes nothing, and does nothing else, goes."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoopOp, rewriter: PatternRewriter) -> None:
        """Drop one loop."""
        if not op.made and does_nothing_else(op):
            rewriter.erase(op)


def _remark_why_apart(loop: LoopOp, *, plain: bool) -> None:
    """Say why a loop is not fused with the one that makes its rows, or with one over the same."""
    maker = _maker(loop)
    if maker is not None:
        try:
            _check_rows(loop, maker)
            _moved_with(loop, maker)
        except Refused as why:
            remark(loop, f"a loop is not fused with the one that makes its rows: {why}")
    reasons: set[str] = set()
    for other in _over_same_source(loop):
        try:
            _moved_with(loop, other, _passing(loop, other))
        except Refused as why:
            reasons.add(str(why))
    for why in sorted(reasons):
        remark(loop, f"a loop is not merged with one before it over the same source: {why}")
    apart: set[str] = set()
    for other in _over_points_before(loop):
        try:
            check_mergeable(loop, other, plain=plain)
        except Refused as why:
            apart.add(str(why))
    for why in sorted(apart):
        remark(loop, f"a loop over points is not merged with one before it: {why}")


def fuse_points(module: ModuleOp, *, plain: bool) -> None:
    """Merge the loops of a module that take turns at the same points of dense arrays."""
    rewrite(module, PatternSet([DropUnusedGenerators(), MergePoints(plain)]))


@dataclass(frozen=True)
class FuseMultiloopsPass(ModulePass):
    """Fuse loops with the loops that make their rows, and loops over one source."""

    name = "fuse-multiloops"
    plain: bool = False
    """Merge loops over points also where one of them would have lanes alone, as for a GPU."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Fuse until nothing changes."""
        kinds: list[list[RewritePattern]] = [
            [DropUnusedGenerators(), DropLoop(), FuseIntoMaker(), FoldWithinIterations()],
            [MergeLoops(made=True)],
            [MergeLoops(made=False)],
            [MergePoints(self.plain)],
            [OrderGenerators()],
        ]
        sets = [PatternSet(patterns) for patterns in kinds]
        while any(rewrite(op, patterns) for patterns in sets):
            pass  # Each kind waits until those before it have nothing left to do.
        for loop in op.walk():
            if isinstance(loop, LoopOp):
                _remark_why_apart(loop, plain=self.plain)
