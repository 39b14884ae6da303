"""Let characters be integers of 32 bits, which processors have, in functions of loops.

    %a = arith.constant 97 : i24                     %a = arith.constant 97 : i32
    %is_a = arith.cmpi eq, %c, %a : i24        =>    %is_a = arith.cmpi eq, %c, %a : i32

So columns hold them. What is folded is left alone, as what it begins with may show, and so is what
makes characters of numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import ArrayAttr, FunctionType, IntegerAttr, i32
from xdsl.ir import Attribute, Operation, ParametrizedAttribute, SSAValue
from xdsl.rewriter import Rewriter

from diablo.dialects.bags import BagType
from diablo.dialects.comprehension import ElementOp, LengthOp, StringCallOp
from diablo.dialects.locations import located
from diablo.dialects.multiloop import (
    BucketCollectType,
    BucketReduceType,
    CollectType,
    EmitOp,
    LoopOp,
)
from diablo.dialects.number_constants import constant_op
from diablo.dialects.string_functions import character
from diablo.passes.analyses.refused import Refused

NUMBER = i32
"""What stands for a character."""
_KEEPING = (
    *(arith.ConstantOp, arith.CmpiOp, arith.SelectOp, arith.SIToFPOp, arith.UIToFPOp),
    *(arith.MinSIOp, arith.MaxSIOp, arith.MinUIOp, arith.MaxUIOp),
    *(scf.IfOp, scf.YieldOp, EmitOp, LoopOp, ElementOp, LengthOp, StringCallOp, func.ReturnOp),
)
"""The ops that mean the same with wider characters."""


def number_characters(function: func.FuncOp) -> None:
    """Rewrite a function in place.

    Raises
    ------
    Refused
        If it does something else with characters; it is as it was then.
    """
    values = [v for v in _values(function) if numbered(v.type) != v.type]
    if not values:
        return
    users = {use.operation: None for value in values for use in value.uses}
    for op in (*users, *[v.owner for v in values if isinstance(v.owner, Operation)]):
        if not _keeps_its_meaning(op):
            raise Refused(f"{op.name} has no wider characters")
    for value in values:
        constant = value.owner
        if isinstance(constant, arith.ConstantOp) and isinstance(constant.value, IntegerAttr):
            wide = constant_op(IntegerAttr(constant.value.value.data, NUMBER))
            Rewriter.replace_op(constant, located(wide, constant))
        else:
            Rewriter.replace_value_with_new_type(value, numbered(value.type))
    end = function.body.block.last_op
    assert end is not None
    function.function_type = FunctionType.from_lists(
        [argument.type for argument in function.args], [value.type for value in end.operands]
    )


def _keeps_its_meaning(op: Operation) -> bool:
    match op:
        case arith.TruncIOp():
            return op.result.type != character
        case arith.ExtUIOp() | arith.ExtSIOp():
            return op.result.type.width.data > NUMBER.width.data
        case _:
            return isinstance(op, _KEEPING)


def _values(function: func.FuncOp) -> Iterator[SSAValue]:
    """Yield the arguments of blocks and the results of ops in a function."""
    for op in function.walk():
        yield from op.results
        for region in op.regions:
            for block in region.blocks:
                yield from block.args


def numbered(type: Attribute) -> Attribute:
    """Return a type with integers in the place of characters.

    Raises
    ------
    Refused
        If characters are parts of something else than columns.
    """
    match type:
        case _ if type == character:
            return NUMBER
        case BagType():
            return BagType(list(map(numbered, type.columns)), type.keys)
        case CollectType():
            return CollectType(list(map(numbered, type.columns)))
        case BucketReduceType():
            monoids = [monoid.data for monoid in type.monoids]
            return BucketReduceType(
                list(map(numbered, type.key)), monoids, list(map(numbered, type.elements))
            )
        case BucketCollectType():
            lists = [list(map(numbered, rows.columns)) for rows in type.lists]
            return BucketCollectType(list(map(numbered, type.key)), lists)
        case _ if _has_characters(type):
            raise Refused(f"{type} has no wider characters")
        case _:
            return type


def _has_characters(type: Attribute) -> bool:
    if isinstance(type, ParametrizedAttribute):
        return type == character or any(map(_has_characters, type.parameters))
    return isinstance(type, ArrayAttr) and any(
        map(_has_characters, cast("ArrayAttr[Attribute]", type))
    )
