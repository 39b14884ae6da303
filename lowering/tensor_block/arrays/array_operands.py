"""The inputs of ops over an iteration space: arrays, and where they are read.

    Operand(%A, (i, k + s0))  over (i, j, k)    =>    %A[d0, d2 + s0]

Writes the `tensor_block` level: indexing maps, and the values of the driver in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineMap

from diablo.dialects.access_maps import access_map
from diablo.lowering.tensor_block.query.body_emitter import Driver
from diablo.lowering.tensor_block.query.index_space import Access
from diablo.lowering.tensor_block.query.linear_equations import VariableForm
from diablo.lowering.tensor_block.query.plan_sizes import index_value
from diablo.lowering.tensor_block.query.query import tensor_type


@dataclass(frozen=True)
class Operand:
    """An array and where it is read: an input of an iteration op."""

    array: SSAValue
    access: Access

    @property
    def dimensions(self) -> tuple[int, ...]:
        """The dimensions that it is read at, in order."""
        return tuple(dict.fromkeys(d for where in self.access for d in where.dimensions))


def picked(dimensions: Sequence[int]) -> Access:
    """The place at these dimensions themselves."""
    return tuple(VariableForm.of(d) for d in dimensions)


def element_type(array: SSAValue) -> Attribute:
    """The element type of an array value."""
    return tensor_type(array).get_element_type()


def operand_maps(
    operands: Sequence[Operand], iteration: tuple[int, ...], driver: Driver
) -> tuple[list[AffineMap], list[SSAValue]]:
    """The indexing maps of `operands` over `iteration`, and the symbols in them."""
    symbols: list[SSAValue] = []
    for operand in operands:
        for where in operand.access:
            symbols += [s for s in where.outside.variables if s not in symbols]
            if where.period is not None:
                symbols += [s for s in where.period.variables if s not in symbols]

    maps = [
        access_map(
            [where.renamed(iteration.index, symbols.index) for where in operand.access],
            len(iteration),
            len(symbols),
        )
        for operand in operands
    ]
    return maps, [index_value(driver, symbol) for symbol in symbols]
