"""Analysis: what tells a kernel from all others, in this process and in those to come.

    func.func private @kernel_0(%n, %x) {        func.func private @kernel_7(%m, %y) {
      … arith.mulf %e, %half …                     … arith.mulf %f, %c …

are one kernel if their ops, properties and types are equal, and each operand is the value with the
same number. Names of functions and values, locations and discardable attributes count for
nothing: no lowering reads them. What machine code is made of follows from the rest, and from the
monoids that the module defines and the functions that are called: of these not the name counts but
what they do.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

from xdsl.dialects import func, gpu
from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.traits import SymbolTable

from diablo.dialects.comprehension.comprehension_monoids import monoids_used

_MOST_TEXTS = 4096


def kernel_identity(kernel: func.FuncOp | gpu.FuncOp) -> str:
    """Return a hash that is that of those kernels alone which do the same in the same way."""
    properties = {name: value for name, value in kernel.properties.items() if name != "sym_name"}
    monoids = tuple(
        (_attributes(monoid.properties | {"sym_name": UnitAttr()}), _region(monoid.body, {}))
        for monoid in monoids_used(kernel)
    )
    structure = _attributes(properties), _region(kernel.body, {}), monoids
    return sha256(repr(structure).encode(errors="surrogatepass")).hexdigest()


Structure = tuple[object, ...]
"""Made of tuples, texts and numbers alone, so that its `repr` tells it from others."""


def _region(region: Region, numbers: dict[SSAValue, int]) -> Structure:
    return tuple(_block(block, numbers) for block in region.blocks)


def _block(block: Block, numbers: dict[SSAValue, int]) -> Structure:
    """The arguments' types and the ops; values are numbered where they are defined."""

    def define(value: SSAValue) -> str:
        numbers[value] = len(numbers)
        return _text(value.type)

    arguments = tuple(define(argument) for argument in block.args)
    ops: list[Structure] = []
    for op in block.ops:
        operands = tuple(numbers[operand] for operand in op.operands)
        properties = dict(op.properties)
        if isinstance(op, func.CallOp):
            callee = SymbolTable.lookup_symbol(op, op.callee)
            if isinstance(callee, func.FuncOp) and not callee.is_declaration:
                properties["callee"] = StringAttr(kernel_identity(callee))
        regions = tuple(_region(region, numbers) for region in op.regions)
        results = tuple(define(result) for result in op.results)
        ops.append((op.name, operands, _attributes(properties), regions, results))
    return arguments, tuple(ops)


def _attributes(properties: dict[str, Attribute]) -> Structure:
    return tuple((name, _text(properties[name])) for name in sorted(properties))


@lru_cache(_MOST_TEXTS)
def _text(attribute: Attribute) -> str:
    """The text of an attribute, which has all of it, of floats every bit."""
    return str(attribute)
