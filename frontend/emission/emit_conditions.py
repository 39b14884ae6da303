"""Imports what is evaluated only under a condition: `if` with a value, `&&`, `||`.

if (c) x / y else 0   ->   scf.if %c -> (i64) { yield %x / %y } else { yield 0 }
a && b                ->   arith.andi %a, %b, or an scf.if where evaluating b could fail
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, Block, Region, SSAValue

from diablo.dialects.encodings import as_array, dense_rank, is_tiled
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.constants import constant_of
from diablo.frontend.checking.types import BOOLEAN, INT, STRING
from diablo.frontend.emission.branches import is_total
from diablo.frontend.emission.emit_scalars import ScalarEmitter
from diablo.frontend.emission.ir_types import Value, flatten, unflatten
from diablo.frontend.parsing import syntax
from diablo.frontend.parsing.tree_walk import walk


class ConditionEmitter(ScalarEmitter, ABC):
    """The part of the importer that knows conditions."""

    def emit_logical(self, expr: syntax.Binary) -> SSAValue:
        """`a && b` or `a || b`: b is not evaluated where a decides, if it could fail there."""
        lhs = self.emit_as(expr.lhs, BOOLEAN)
        is_and = expr.op == "&&"
        undecided = Block()
        with self.branch(undecided, lhs, holds=is_and):
            rhs = self.emit_as(expr.rhs, BOOLEAN)
        with self.at(expr.span):
            if is_total(undecided):
                for op in list(undecided.ops):
                    op.detach()
                    self.block.add_op(op)
                return self.add((arith.AndIOp if is_and else arith.OrIOp)(lhs, rhs)).result
            decided = Block()
            with self.into(undecided):
                self.add(scf.YieldOp(rhs))
            with self.into(decided):
                self.add(scf.YieldOp(self.constant(not is_and, i1)))
            branches = (undecided, decided) if is_and else (decided, undecided)
            then, otherwise = map(Region, branches)
            return self.add(scf.IfOp(lhs, [i1], then, otherwise)).results[0]

    def emit_if(self, expr: syntax.IfExpr) -> Value:
        """An `if` with a value."""
        type = self.type_of(expr)
        condition = self.emit_as(expr.condition, BOOLEAN)
        blocks: list[Block] = []
        branches: list[list[SSAValue]] = []
        for branch, holds in ((expr.then, True), (expr.otherwise, False)):
            block = Block()
            with self.branch(block, condition, holds=holds):
                branches.append(flatten(self.emit_value(branch, type)))
            blocks.append(block)
        with self.at(expr.span):
            types = [_joined(a.type, b.type) for a, b in zip(*branches, strict=True)]
            for block, values, holds in zip(blocks, branches, (True, False), strict=True):
                with self.branch(block, condition, holds=holds):
                    stored = [self.conform(v, t) for v, t in zip(values, types, strict=True)]
                    self.add(scf.YieldOp(*stored))
            then, otherwise = map(Region, blocks)
            op = self.add(scf.IfOp(condition, types, then, otherwise))
        return unflatten(op.results, type)


def _joined(then: Attribute, otherwise: Attribute) -> Attribute:
    """How to store an array that is one of two: in tiles if one is, as densely as one is."""
    arrays = [array for array in map(as_array, (then, otherwise)) if array is not None]
    if len(arrays) < 2:
        return then
    return max(arrays, key=lambda array: (is_tiled(array), dense_rank(array)))


def is_partial(checked: Checked, expr: syntax.Expr) -> bool:
    """Whether evaluating `expr` may fail: it divides, reads an element or parses a string."""
    return any(_may_fail(checked, node) for node in _reached(checked, expr))


def _reached(checked: Checked, expr: object) -> Iterator[object]:
    """The nodes of an expression, of what it is short for and of the functions it calls."""
    for node in walk(expr):
        yield node
        if isinstance(node, syntax.Expr) and node in checked.desugared:
            yield from _reached(checked, checked.desugared[node])
        if isinstance(node, syntax.Call) and node in checked.functions:
            yield from _reached(checked, checked.functions[node].definition.body)
        if isinstance(node, syntax.Call) and node in checked.joins:
            yield from _reached(checked, checked.joins[node].body)


def _may_fail(checked: Checked, node: object) -> bool:
    match node:
        case syntax.Index():
            return True
        case syntax.Binary() if node.op in ("/", "%"):
            return checked.types.get(node) == INT and constant_of(node.rhs) is None
        case syntax.Call():
            if node in checked.applications:
                return True
            if node.function not in ("toInt", "toDouble", "charAt", "substring"):
                return False
            return checked.types.get(node.arguments[0]) == STRING
        case _:
            return False


def conjuncts(condition: syntax.Expr) -> list[syntax.Expr]:
    """`a && b && c` as its parts, each of which guards those after it."""
    if isinstance(condition, syntax.Binary) and condition.op == "&&":
        return [*conjuncts(condition.lhs), *conjuncts(condition.rhs)]
    return [condition]
