"""Joins without keys behind which a test of strings stands: pairs of rows, some at a time.

    %b = tensor_block.join %W[], %P[]            found = rows.ChosenPairs(W, P)
    %c = tensor_block.filter %b {                for first, last, begin, end in rows.blocks(…):
    ^bb0(%w: string, %p: string):                    part, part_1 = w[first:last], p[begin:end]
      %t = string_call "lt" (%w, %p)     =>          live = rows.strings.of_all_pairs("lt", …)
      tensor_block.yield %t                          row, step = np.divmod(np.flatnonzero(live), …)
    }                                                found.add(first + row, begin + step)
                                                 batch = found.batch()

Without that, all pairs of strings would be written. What is left is in the order of the join.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import TupleType
from xdsl.ir import SSAValue

from diablo.dialects import multiloop, tensor_block
from diablo.dialects.comprehension import BagType, StringCallOp
from diablo.lowering.numpy.expressions import Expression, place_of
from diablo.lowering.numpy.numpy_pairs import PairLoop
from diablo.lowering.python_text import string_literal

if TYPE_CHECKING:
    from diablo.lowering.numpy.numpy_scope import Scope

_POINTS = frozenset([0])


def tested_by(join: tensor_block.JoinOp) -> tensor_block.FilterOp | None:
    """Return the filter that takes the place of a join, as it alone reads it, and tests strings."""
    if join.left_keys or join.outer is not None or not join.result.has_one_use():
        return None
    (use,) = join.result.uses
    test = use.operation
    if not isinstance(test, tensor_block.FilterOp) or test.parent is not join.parent:
        return None
    types = [side.type for side in (join.left, join.right)]
    if not all(isinstance(type, BagType) and type.columns for type in types):
        return None
    inner = list(test.body.walk())
    if any(isinstance(op, multiloop.LoopOp) for op in inner):
        return None
    if any(isinstance(a.type, BagType | TupleType) and a.uses for a in test.body.block.args):
        return None
    return test if any(isinstance(op, StringCallOp) for op in inner) else None


def emit_tested_join(scope: Scope, join: tensor_block.JoinOp, test: tensor_block.FilterOp) -> None:
    """Write both as a loop over blocks of pairs."""
    scope.comment_place(join)
    left, right = (
        scope.assign(scope.values[side], side.name_hint, "batch").text
        for side in (join.left, join.right)
    )
    names = [scope.name(None, name) for name in ("found", "first", "last", "begin", "end")]
    found, first, last, begin, end = names
    at = f", at={string_literal(place_of(join))}" if place_of(join) else ""
    scope.store([found], f"rows.ChosenPairs({left}, {right}{at})")
    count, steps = f"rows.length({left})", f"rows.length({right})"
    with scope.evaluated_at(1, count):
        pairs = PairLoop(scope, first, last, begin, end, count=steps)
        arguments = list(test.body.block.args)
        width = len(join.left.type.columns) if isinstance(join.left.type, BagType) else 0
        wholes: dict[SSAValue, str] = {}
        for number, argument in enumerate(arguments):
            if argument.uses:
                side, column = (left, number) if number < width else (right, number - width)
                text = pairs.column(argument.type, f"{side}[{column}]", argument.name_hint)
                wholes[argument] = text
        with scope.loop(pairs.header(steps)):
            of_rows = {
                argument: Expression(f"{whole}[{first}:{last}]", axes=_POINTS)
                for argument, whole in wholes.items()
                if argument in arguments[:width]
            }
            of_steps = {
                argument: Expression(f"{whole}[{begin}:{end}]", axes=_POINTS)
                for argument, whole in wholes.items()
                if argument not in of_rows
            }
            row, step = pairs.write_test(test.body.block, of_rows, of_steps)
            scope.line(f"{found}.add({first} + {row}, {begin} + {step})")
    scope.hold(test.result, Expression(f"{found}.batch()"), "batch")
