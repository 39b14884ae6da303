"""Analysis: does an array store elements only in a band about its diagonal?

That is so if what it is made under bounds the difference of its two indices by constants:

```mlir
%T = tensor_block.map parallel(d0 < %n, d1 < %n) -> !sparse {
^bb0(%i: index, %j: index):             // where |%i - %j| < 2
  …
  %t = arith.select %near, %one, %zero : f64
  tensor_block.yield %t : f64
}
%rows = tensor_block.expand %all {      // where %j runs from %i - 1 to %i + 1
^bb0(%i: index):
  …
  tensor_block.yield %below, %above : index, index
}
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, i64
from xdsl.ir import OpResult, SSAValue

from diablo.dialects import tensor_block
from diablo.dialects.encodings import array_type, is_sparse
from diablo.linear_sums import term
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.index_equalities import equated_integers
from diablo.passes.analyses.values.inequalities import inequalities, split
from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form


def is_band(array: SSAValue) -> bool:
    """Return whether all elements that a matrix stores are provably near its diagonal."""
    if not is_sparse(array.type) or array_type(array).get_num_dims() != 2:
        return False
    match array.owner:
        case tensor_block.MapOp() as op:
            end = op.body.block.last_op
            assert end is not None
            i, j = op.body.block.args[:2]
            return _is_near(_conditions(end.operands[0]), term(i), term(j))
        case tensor_block.FromBagOp() as op if not op.dest:
            rows = _Rows()
            rows.follow(op.bag)
            i, j = rows.column(0), rows.column(1)
            return i is not None and j is not None and _is_near(rows.facts, i, j)
        case _:
            return False


def _is_near(facts: Sequence[LinearForm], i: LinearForm, j: LinearForm) -> bool:
    """Return whether sums that are not negative bound `i - j` on both sides by constants."""
    bounded = {
        side for fact in facts for side in (1, -1) if (fact - (i - j) * side).number is not None
    }
    # An index that is the other one, shifted, is in one diagonal.
    return len(bounded) == 2 or (i - j).number is not None


def _conditions(value: SSAValue) -> list[LinearForm]:
    """The sums that are not negative wherever an element is stored."""
    op = value.owner if isinstance(value, OpResult) else None
    match op:
        case arith.SelectOp() if constant_value(op.rhs) == 0:
            return _facts(op.cond)
        case scf.IfOp() if len(op.false_region.blocks) == 1:
            end = op.false_region.block.last_op
            assert end is not None
            is_zero = constant_value(end.operands[cast(OpResult, value).index]) == 0
            return _facts(op.cond) if is_zero else []
        case _:
            return _facts(value) if value.type == IntegerType(1) else []


def _facts(condition: SSAValue) -> list[LinearForm]:
    """The sums that are not negative where `condition` holds."""
    test = condition.owner
    if isinstance(test, arith.AndIOp):
        return [*_facts(test.lhs), *_facts(test.rhs)]
    sides = equated_integers(condition)
    if sides is not None:
        if sides[0].type not in (IndexType(), i64):
            return []
        left, right = map(linear_form, sides)
        difference = left - right
        found = [difference, -difference]
    else:
        found = inequalities(condition)
    return [part for form in found for part in split(form, lambda _: True)]


@dataclass
class _Rows:
    """The columns of a bag as sums of indices, and what is known of these."""

    columns: dict[int, LinearForm] = field(default_factory=dict[int, LinearForm])
    facts: list[LinearForm] = field(default_factory=list[LinearForm])

    def column(self, position: int) -> LinearForm | None:
        """Return what a column is, if it is known."""
        return self.columns.get(position)

    def follow(self, bag: SSAValue) -> None:
        """Find what the rows of `bag` hold."""
        match bag.owner:
            case tensor_block.FilterOp() | tensor_block.ExtendOp() | tensor_block.ExpandOp() as op:
                self.follow(op.bag)
                self._body(op)
            case tensor_block.LookupOp() as op:
                self.follow(op.bag)
            case tensor_block.ProjectOp() as op:
                self.follow(op.bag)
                positions = op.columns.get_values()
                known = self.columns
                self.columns = {new: known[p] for new, p in enumerate(positions) if p in known}
            case _:
                pass

    def _body(
        self, op: tensor_block.FilterOp | tensor_block.ExtendOp | tensor_block.ExpandOp
    ) -> None:
        """Take in what the body of an op says of each row."""
        block = op.body.block
        end = block.last_op
        assert end is not None
        for argument in block.args:
            if argument.type in (IndexType(), i64):
                self.columns.setdefault(argument.index, term(argument))
        arguments: dict[SSAValue, LinearForm] = {
            a: self.columns[a.index] for a in block.args if a.index in self.columns
        }
        count = len(block.args)
        match op:
            case tensor_block.FilterOp():
                self.facts += [form.replaced(arguments) for form in _facts(end.operands[0])]
            case tensor_block.ExtendOp():
                for position, value in enumerate(end.operands, count):
                    if value.type in (IndexType(), i64):
                        self.columns[position] = linear_form(value).replaced(arguments)
            case tensor_block.ExpandOp():
                # Nothing else is known of the new index than where it lies, so that it stands
                # for itself; the ends of its range are the limits.
                index = LinearForm({op.result: 1})
                self.columns[count] = index
                low, high = (linear_form(value) for value in end.operands)
                if op.step is not None and op.step.value.data < 0:
                    low, high = high, low
                for limit in (index - low, high - index):
                    parts = split(limit, lambda value: value is not op.result)
                    self.facts += [part.replaced(arguments) for part in parts]
