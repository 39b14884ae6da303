"""Values of the driver that a plan needs: sizes of arrays, and sums of outer indices.

    the form 2 * %n + 1
  =>
    %two = arith.constant 2 : index
    %0 = arith.muli %n, %two : index
    %1 = arith.addi %0, %one : index

Nothing here varies in the comprehension.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType
from xdsl.ir import OpResult, SSAValue

from diablo.lowering.tensor_block.query.body_emitter import Driver
from diablo.passes.analyses.values.affine_values import known_index
from diablo.passes.analyses.values.dimensions import dimensions
from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form, write_linear_form


def driver_dimensions(array: SSAValue, driver: Driver) -> Sequence[SSAValue]:
    """The extents of `array` as driver values; `tensor.dim` where nothing better is known."""
    if array not in driver.extents:
        driver.extents[array] = _dimensions(array, driver)
    return driver.extents[array]


def _dimensions(array: SSAValue, driver: Driver) -> list[SSAValue]:
    if isinstance(array, OpResult) and isinstance(array.op, tensor.CollapseShapeOp):
        extents = driver_dimensions(array.op.src, driver)
        return [
            _product([extents[axis.value.data] for axis in group], driver)
            for group in array.op.reassociation
        ]
    return [
        known if known is not None else driver.insert(tensor.DimOp(array, driver.index(axis)))
        for axis, known in enumerate(dimensions(array))
    ]


def _product(factors: Sequence[SSAValue], driver: Driver) -> SSAValue:
    if len(factors) == 1:
        return factors[0]
    known = [known_index(factor) for factor in factors]
    product: SSAValue | None = None
    for factor, number in zip(factors, known, strict=True):
        if number is None:
            both = None if product is None else arith.MuliOp(product, factor)
            product = factor if both is None else driver.insert(both)
    number = prod(number for number in known if number is not None)
    if product is None:
        return driver.index(number)
    return product if number == 1 else driver.insert(arith.MuliOp(product, driver.index(number)))


def driver_value(driver: Driver, form: LinearForm) -> SSAValue:
    """A sum of values from outside, computed on the driver."""
    return write_linear_form(form, driver.insert)


def outside_form(value: SSAValue) -> LinearForm:
    """A value that does not vary, as a sum of what is not taken apart."""
    return linear_form(value, is_whole=lambda _: True)


def index_value(driver: Driver, value: SSAValue) -> SSAValue:
    """A value from outside as an index."""
    if isinstance(value.type, IndexType):
        return value
    return driver.insert(arith.IndexCastOp(value, IndexType()))
