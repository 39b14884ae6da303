"""Cut a loop of the driver into strips of its iterations, between which something else is done.

    while i < n:                  while i < n:
        s += V[i]                     step = 0
        i += 1            =>          while i < n and step < 65536:
                                          s += V[i]
                                          i += 1
                                          step += 1

So a loop whose state is saved as it runs (`checkpoint-loops`) is machine code from one look at the
clock to the next. Where it is to be saved more often, the count begins later (`strip_start`).
"""

from __future__ import annotations

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import UnitAttr, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects.locations import located
from diablo.passes.checkpoint_loops import STRIP_START


def passes_all_on(loop: scf.WhileOp) -> bool:
    """Return whether the test of a loop passes on what it carries, as it is."""
    condition = loop.before_region.block.last_op
    assert isinstance(condition, scf.ConditionOp)
    return list(condition.args) == list(loop.before_region.block.args)


def cut_into_strips(loop: scf.WhileOp, steps: int) -> tuple[scf.WhileOp, scf.WhileOp]:
    """Replace a loop by one whose iterations are strips of its own; return that and a strip.

    Its test has to pass on what it carries (`passes_all_on`). A strip begins with the same test,
    and carries the number of its steps besides.
    """
    before, after = loop.before_region.block, loop.after_region.block
    types = [argument.type for argument in loop.arguments]
    zero, limit, one = [arith.ConstantOp.from_int_and_width(n, i64) for n in (0, steps, 1)]
    zero.attributes[STRIP_START] = UnitAttr()

    strip_test = Block([], arg_types=[*types, i64])
    test, values = _copied(before, strip_test)
    assert isinstance(test, scf.ConditionOp)
    is_within = arith.CmpiOp(strip_test.args[-1], limit, "slt")
    both = arith.AndIOp(values.get(test.condition, test.condition), is_within)
    strip_test.add_ops([is_within, both, scf.ConditionOp(both.result, *strip_test.args)])
    strip_body = Block([], arg_types=[*types, i64])
    end, values = _copied(after, strip_body)
    step = arith.AddiOp(strip_body.args[-1], one)
    carried = [values.get(value, value) for value in end.operands]
    strip_body.add_ops([step, scf.YieldOp(*carried, step.result)])
    strip_test.args[-1].name_hint = strip_body.args[-1].name_hint = "step"

    whole_test = Block([], arg_types=types)
    _, values = _copied(before, whole_test)
    whole_test.add_op(scf.ConditionOp(values.get(test.condition, test.condition), *whole_test.args))
    whole_body = Block([], arg_types=types)
    for new, old in zip(whole_body.args, after.args, strict=True):
        new.name_hint = old.name_hint
    begin = [*whole_body.args, zero.result]
    strip = scf.WhileOp(begin, [*types, i64], Region(strip_test), Region(strip_body))
    whole_body.add_ops([located(strip, loop), scf.YieldOp(*strip.results[:-1])])
    whole = scf.WhileOp(loop.arguments, types, Region(whole_test), Region(whole_body))

    Rewriter.insert_op([zero, limit, one, located(whole, loop)], InsertPoint.before(loop))
    for old, made, inner in zip(loop.results, whole.results, strip.results, strict=False):
        inner.name_hint = made.name_hint = old.name_hint
        old.replace_all_uses_with(made)
    Rewriter.erase_op(loop)
    return whole, strip


def _copied(source: Block, target: Block) -> tuple[Operation, dict[SSAValue, SSAValue]]:
    """Copy the ops of a block but the last; return that, and what became of values."""
    values: dict[SSAValue, SSAValue] = {}
    for old, new in zip(source.args, target.args, strict=False):
        values[old] = new
        new.name_hint = old.name_hint
    end = source.last_op
    assert end is not None
    for op in source.ops:
        if op is not end:
            target.add_op(op.clone(values))
    return end, values
