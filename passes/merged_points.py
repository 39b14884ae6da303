"""Two loops over the same points of dense arrays as one, with the generators of both.

    %z = multiloop.loop points(d0 < %n)                %z, %t = multiloop.loop points(d0 < %n)
        ins(%x[d0] : …) {                                  ins(%x[d0] : …, %y[d0] : …) {
      … emit %all[%i](%a)                                … emit %all[%i](%a)
    }                                            ==>     %b = arith.mulf %a, %e
    %t = multiloop.loop points(d0 < %n)                  … emit %sum(%b)
        ins(%z[d0] : …, %y[d0] : …) {                  }
      %b = arith.mulf %z_i, %e
      … emit %sum(%b)
    }

What the first makes at a point, the second takes there as it comes, so that an array which nothing
else reads is never in memory. Loops that scatter what they compute at the same points are one too.
"""

from __future__ import annotations

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import InsertPoint

from diablo.dialects.locations import located, named
from diablo.dialects.monoids import is_user_defined
from diablo.dialects.multiloop import EmitOp, LoopOp
from diablo.passes.analyses.loops.iterations import iterations_of
from diablo.passes.analyses.loops.one_loop import run_in_one_loop, scatter_together
from diablo.passes.analyses.plans.reordering import needed_before
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.free_values import free_values


def check_mergeable(loop: LoopOp, other: LoopOp, *, plain: bool) -> list[Operation]:
    """Find what must move before `other`, a loop above `loop`, for both to be one.

    Unless loops are `plain`, a fold by a monoid of the program's own is not in one with arrays:
    alone it runs in lanes, and the arrays are computed in vectors.

    Raises
    ------
    Refused
        If they do not take turns at the same points, or something must stay between them.
    """
    ops = [*iterations_of(other), *iterations_of(loop)]
    if not run_in_one_loop(ops) and not scatter_together(ops):
        raise Refused("they do not take turns at the same points")
    own = any(is_user_defined(op.monoid) for op in ops)
    if own and not plain and any(op.kind == "map" for op in ops):
        raise Refused("one folds by a monoid of its own, in lanes, and one makes an array")
    if loop.symbols or other.symbols:
        raise Refused("one reads elsewhere than at its points")
    inputs = [value for value in loop.inputs if value not in other.made]
    return needed_before(loop, [*inputs, *loop.into, *free_values([loop.body])], other)


def merge_points(
    loop: LoopOp, other: LoopOp, moved: list[Operation], rewriter: PatternRewriter
) -> None:
    """Put the body of `loop` behind that of `other`, which it may be merged with."""
    for op in moved:
        op.detach()
        rewriter.insert(op, InsertPoint.before(other))
    assert loop.indexing_maps is not None
    assert other.indexing_maps is not None
    rank = len(other.extents)
    body = other.body.block
    inputs, maps = list(other.inputs), list(other.indexing_maps.data)
    values = dict[SSAValue, SSAValue](zip(loop.elements[:rank], other.elements, strict=False))
    for value, map, element in zip(
        loop.inputs, loop.indexing_maps.data, loop.elements[rank:], strict=True
    ):
        values[element] = _element(other, value, map, element, inputs, maps)
    for generator in loop.generators:
        new = body.insert_arg(generator.type, len(body.args), generator.location)
        values[generator] = named(new, generator)
    rewriter.insert([op.clone(values) for op in loop.body.block.ops], InsertPoint.at_end(body))
    made = [*other.made, *loop.made]
    merged = LoopOp.build(
        operands=[inputs, other.extents, other.offsets, [], [*other.into, *loop.into]],
        result_types=[[value.type for value in made]],
        properties={**other.properties, "indexing_maps": ArrayAttr(maps)},
        attributes=other.attributes,
        regions=[other.detach_region(other.body)],
    )
    rewriter.insert(located(merged, like=other), InsertPoint.before(other))
    for old, new in zip(made, merged.made, strict=True):
        rewriter.replace_all_uses_with(old, named(new, old))
    rewriter.erase(loop)
    rewriter.erase(other)


def _element(
    other: LoopOp,
    value: SSAValue,
    map: AffineMapAttr,
    like: BlockArgument,
    inputs: list[SSAValue],
    maps: list[AffineMapAttr],
) -> SSAValue:
    """Return what `other` has of an array at its points: as it makes it, or as it reads it.

    What it has not yet is read as a further one of its `inputs`.
    """
    if value in other.made:
        (use,) = other.generators[other.made.index(value)].uses
        emit = use.operation
        assert isinstance(emit, EmitOp)
        return emit.values[0]
    body, rank = other.body.block, len(other.extents)
    for number, (one, at) in enumerate(zip(inputs, maps, strict=True)):
        if one is value and at == map:
            return body.args[rank + number]
    inputs.append(value)
    maps.append(map)
    return named(body.insert_arg(like.type, rank + len(inputs) - 1, like.location), like)
