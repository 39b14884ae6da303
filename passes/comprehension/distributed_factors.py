"""Take factors out of a sum of integers that are the same in all of its terms.

```mlir
%s = comprehension.aggregate add : i64 {         %a, %inside = comprehension.probe %X[%i]
  %j = comprehension.range %zero to %i           %t = comprehension.aggregate add : i64 {
  %k, %a = comprehension.each %X full              %j = comprehension.range %zero to %i
  %p = arith.cmpi eq, %k, %i : index      ==>      …
  comprehension.guard %p                           comprehension.yield %b }
  …                                              %s = arith.muli %t, %a : i64
  %c = arith.muli %a, %b : i64
  comprehension.yield %c }
```

That is exact, as integers wrap around; an element that is not there is zero, and so is a sum
without terms. Floats stay: their sums would be rounded otherwise, and zero times infinity is no
number.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import comprehension
from diablo.dialects.defining_blocks import is_made_inside
from diablo.dialects.encodings import as_array
from diablo.dialects.locations import located, remark
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.values.index_equalities import equated_integers
from diablo.passes.analyses.values.speculation import can_trap, is_pure


@dataclass
class _Product:
    """The term of a sum as a product."""

    block: Block
    multiplications: list[Operation] = field(default_factory=list[Operation])
    factors: list[SSAValue] = field(default_factory=list[SSAValue])

    def add(self, value: SSAValue) -> None:
        """Take apart a value that is a product which nothing else uses."""
        owner = value.owner
        if isinstance(owner, arith.MuliOp) and owner.parent is self.block and value.has_one_use():
            self.multiplications.append(owner)
            self.add(owner.lhs)
            self.add(owner.rhs)
        else:
            self.factors.append(value)


@dataclass(frozen=True)
class _Read:
    """A generator over an array that finds one element, the same for all terms, or none."""

    each: comprehension.EachOp
    indices: list[SSAValue]
    tests: list[Operation]
    """What says so: comparisons, and the guards on these."""


def take_out_factors(nested: comprehension.AggregateOp) -> bool:
    """Multiply a sum by what each of its terms is multiplied by; whether there is such a factor."""
    type, end = nested.result.type, nested.body.block.last_op
    is_sum = monoid_named(nested.monoid.data).is_sum
    if not is_sum or not isinstance(type, IntegerType) or type.bitwidth == 1:
        return False
    assert isinstance(end, comprehension.YieldOp)
    if any(isinstance(op, comprehension.GroupByOp) for op in nested.body.block.ops):
        return False
    product = _Product(nested.body.block)
    product.add(end.values[0])
    reads: dict[SSAValue, _Read | None] = {}
    outside: list[SSAValue] = []
    inside: list[SSAValue] = []
    for factor in product.factors:
        if _is_the_same(factor, nested):
            outside.append(factor)
            continue
        reads[factor] = _read_of(factor, product)
        (inside if reads[factor] is None else outside).append(factor)
    if not outside or not inside:
        return False
    _multiply(nested, end, product, inside, [(value, reads.get(value)) for value in outside])
    remark(nested, "a factor of all terms is taken out of this sum")
    return True


def _is_the_same(value: SSAValue, nested: Operation) -> bool:
    """Return whether a value is one and the same in all terms, and may be computed before."""
    if not is_made_inside(value, nested):
        return True
    owner = value.owner
    if isinstance(owner, Block) or owner.regions or not is_pure(owner) or can_trap(owner):
        return False
    return all(_is_the_same(operand, nested) for operand in owner.operands)


def _compute_before(value: SSAValue, nested: Operation) -> None:
    """Move the ops that compute a value, which is the same in all terms, before the sum."""
    owner = value.owner
    if isinstance(owner, Block) or not is_made_inside(value, nested):
        return
    for operand in owner.operands:
        _compute_before(operand, nested)
    owner.detach()
    Rewriter.insert_op(owner, InsertPoint.before(nested))


def _read_of(factor: SSAValue, product: _Product) -> _Read | None:
    """The generator that gives a factor, if it gives the same in all terms."""
    each = factor.owner
    if not isinstance(each, comprehension.EachOp) or each.parent is not product.block:
        return None
    if as_array(each.collection.type) is None or factor is not each.elements[-1]:
        return None
    if not all(use.operation in product.multiplications for use in factor.uses):
        return None
    nested = product.block.parent_op()
    assert nested is not None
    indices: list[SSAValue] = []
    tests: list[Operation] = []
    for index in each.elements[:-1]:
        test = next((use.operation for use in index.uses), None)
        if test is None or not index.has_one_use() or len(test.results) != 1:
            return None
        sides = equated_integers(test.results[0])
        guard = next((use.operation for use in test.results[0].uses), None)
        if sides is None or index not in sides or not test.results[0].has_one_use():
            return None
        other = sides[1] if sides[0] is index else sides[0]
        if other.type != index.type or not _is_the_same(other, nested):
            return None
        if not isinstance(guard, comprehension.GuardOp):
            return None
        indices.append(other)
        tests += [guard, test]
    return _Read(each, indices, tests) if indices else None


def _multiply(
    nested: comprehension.AggregateOp,
    end: comprehension.YieldOp,
    product: _Product,
    inside: list[SSAValue],
    outside: list[tuple[SSAValue, _Read | None]],
) -> None:
    """Let the terms be the product of what differs, and multiply their sum by the rest."""
    for factor, read in outside:
        for value in [factor] if read is None else read.indices:
            _compute_before(value, nested)
    term, *more = inside
    for factor in more:
        made = located(arith.MuliOp(term, factor), nested)
        Rewriter.insert_op(made, InsertPoint.before(end))
        term = made.result
    Rewriter.replace_op(end, located(comprehension.YieldOp(end.keys, [term]), end), [])
    for multiplication in product.multiplications:
        Rewriter.erase_op(multiplication)
    after = InsertPoint.after(nested)
    total: SSAValue = nested.result
    ops: list[Operation] = []
    probes: dict[Operation, SSAValue] = {}
    for factor, read in outside:
        value = factor
        if read is not None and read.each in probes:
            value = probes[read.each]
        elif read is not None:
            for test in read.tests:
                Rewriter.erase_op(test)
            probe = located(comprehension.ProbeOp(read.each.collection, read.indices), nested)
            ops.append(probe)
            value = probes[read.each] = probe.values[0]
        ops.append(located(arith.MuliOp(total, value), nested))
        total = ops[-1].results[0]
    for each in probes:
        Rewriter.erase_op(each)
    nested.result.replace_all_uses_with(total)
    Rewriter.insert_op(ops, after)
    first = next(op for op in ops if isinstance(op, arith.MuliOp))
    first.operands[0] = nested.result
