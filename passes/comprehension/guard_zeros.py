"""Let products with the zeros of sparse arrays be zero where all indices are visited.

Works at the comprehension level.

```mlir
%s = …                                      // an element of a sparse array
%p = arith.mulf %s, %x : f64                %p = arith.mulf %s, %x : f64
%v = arith.addf %p, %one : f64      ==>     %z = arith.cmpf oeq, %s, %zero : f64
                                            %q = arith.select %z, %zero, %p : f64
                                            %v = arith.addf %q, %one : f64
```

The other factor may be infinite or NaN. Where only stored elements are visited, nothing is
multiplied with the zeros; so the language says that such products are zero (docs/language.md),
and what is computed at all indices has to be the same. Products with a finite constant stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import isfinite

from xdsl.context import Context
from xdsl.dialects import arith, complex, tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from diablo.dialects import comprehension
from diablo.dialects.encodings import is_sparse
from diablo.dialects.locations import located, remark
from diablo.dialects.monoids import zero_of
from diablo.dialects.number_constants import ComplexConstantOp, constant_op
from diablo.dialects.number_ops import equal
from diablo.dialects.scalar_types import is_inexact
from diablo.passes.analyses.sparsity.implicit_values import constants_outside
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.partial_evaluation import Known, evaluate_op, fact_of


@dataclass(frozen=True)
class _Guarding:
    """Guards the products that are zero where `element` is."""

    element: SSAValue

    def run(self, ops: Iterable[Operation], known: Known, always: Known) -> bool:
        """Guard those among `ops`; whether there is one.

        Of values it is `known` what they are where the element is zero, and what they `always` are.
        """
        found = False
        for op in list(ops):
            for region in op.regions:
                for block in region.blocks:
                    found |= self.run(block.ops, dict(known), dict(always))
            if not isinstance(op, comprehension.EachOp | comprehension.RangeOp):
                evaluate_op(op, known, {})
                evaluate_op(op, always, {})
            if isinstance(op, arith.MulfOp | complex.MulOp) and self._is_open(op, known, always):
                self._guard(op, known)
                found = True
        return found

    def _is_open(self, op: arith.MulfOp | complex.MulOp, known: Known, always: Known) -> bool:
        """Whether a product vanishes with the element, and may have a factor that is not finite."""
        if fact_of(op.result, known) != 0 or fact_of(op.result, always) == 0:
            return False
        vanishing = [fact_of(operand, known) == 0 for operand in op.operands]
        return not any(map(_is_finite, op.operands)) and not all(vanishing)

    def _guard(self, op: arith.MulfOp | complex.MulOp, known: Known) -> None:
        nothing = constant_op(zero_of(self.element.type))
        zero = constant_op(zero_of(op.result.type))
        test = equal(self.element, nothing.result)
        choice = arith.SelectOp(test.results[0], zero.result, op.result)
        block = op.parent
        assert block is not None
        block.insert_ops_after([located(new, op) for new in (nothing, zero, test, choice)], op)
        op.result.replace_uses_with_if(choice.result, lambda use: use.operation is not choice)
        choice.result.name_hint = op.result.name_hint
        known[choice.result] = 0


def _is_finite(value: SSAValue) -> bool:
    """Return whether a value is a constant, and finite."""
    if isinstance(value.owner, ComplexConstantOp):
        number = value.owner.number
        return isfinite(number.real) and isfinite(number.imag)
    number = constant_value(value)
    return number is not None and isfinite(number)


def _elements(ops: Iterable[Operation]) -> Sequence[tuple[Operation, SSAValue]]:
    """The inexact elements of sparse arrays that `ops` read, by generators at all indices."""
    found: list[tuple[Operation, SSAValue]] = []
    for op in ops:
        match op:
            case comprehension.EachOp() if op.full is not None and is_sparse(op.collection.type):
                found.append((op, op.elements[-1]))
            case comprehension.ProbeOp() if is_sparse(op.collection.type):
                found.append((op, op.values[0]))
            case tensor.ExtractOp() if is_sparse(op.tensor.type):
                found.append((op, op.result))
            case _:
                pass
    return [(op, value) for op, value in found if is_inexact(value.type)]


def _rows_of(ops: Iterable[Operation]) -> list[Operation]:
    """Return what follows a read before rows are grouped: a group has no single element."""
    return list(takewhile(lambda op: not isinstance(op, comprehension.GroupByOp), ops))


@dataclass(frozen=True)
class GuardZerosPass(ModulePass):
    """Let products with the zeros of sparse arrays be zero where all indices are visited."""

    name = "guard-zeros"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Guard the products in every block that reads elements of sparse arrays."""
        for read, element in _elements(op.walk()):
            block = read.parent
            assert block is not None
            always = constants_outside(block)
            known = {**always, element: 0}
            ops = list(block.ops)
            if _Guarding(element).run(_rows_of(ops[ops.index(read) + 1 :]), known, dict(always)):
                message = "products with its zeros are zero, also with infinity and NaN"
                remark(read, message)
