"""Sums of indices, and comparisons of them, in the bodies of ops.

    d0 - 1 >= 0    =>    %c = arith.constant 1 : index
                         %t = arith.cmpi sge, %i, %c : index

Writes the bodies of the `tensor_block` level: what does not vary is computed by the driver, and
stands on the right of a comparison.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import SSAValue

from diablo.dialects.predicates import MIRRORED
from diablo.linear_sums import LinearSum, term
from diablo.lowering.tensor_block.body_emitter import BodyEmitter, Driver
from diablo.lowering.tensor_block.index_conditions import Condition
from diablo.lowering.tensor_block.linear_equations import VariableForm
from diablo.lowering.tensor_block.plan_sizes import driver_value, outside_form
from diablo.passes.analyses.linear_forms import LinearForm, write_linear_form


def sum_of_indices(
    emitter: BodyEmitter, driver: Driver, inside: LinearSum[int], outside: LinearForm
) -> SSAValue:
    """A sum of the indices that the body sees, and of a value from outside."""
    form = inside.renamed(emitter.indices.__getitem__)
    form += term(driver_value(driver, outside)) if outside.terms else outside.constant
    return write_linear_form(form, emitter.add)


def test_of_index(
    emitter: BodyEmitter, driver: Driver, condition: Condition, place: VariableForm
) -> SSAValue:
    """Compare an index with what does not vary; `place` is the index as the body sees it."""
    bound, predicate = condition.bound, condition.predicate
    inside, limit = place.inside, -place.outside
    if bound is not None:
        limit += outside_form(bound)
    if (-inside).alone is not None:
        inside, limit, predicate = -inside, -limit, MIRRORED[predicate]
    index = sum_of_indices(emitter, driver, inside, LinearForm())
    as_written = place == condition.index and place.alone is not None
    if as_written and bound is not None and isinstance(bound.type, IndexType):
        value = bound
    elif limit.terms:
        value = driver_value(driver, limit)
    else:
        value = emitter.constant(IntegerAttr(limit.constant, IndexType()))
    return emitter.add(arith.CmpiOp(index, value, predicate))
