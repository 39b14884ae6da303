"""Arrays of tuples of numbers that are equally wide, as arrays of the words that they lie in.

    %x = tensor.extract %V[%k]                  %w0 = tensor.extract %V[%k, 0]
           : tensor<?xtuple<i64, f64>>    =>    %w1 = tensor.extract %V[%k, 1] : tensor<?x2xi64>
                                                %d = arith.bitcast %w1 : i64 to f64
                                                %x = comprehension.pack %w0, %d

NumPy holds such an array as one of records, the parts of which lie one behind the other: in the
same memory there is an array of words with one dimension more. Loops of the driver read and write
it where it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
    TupleType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects.comprehension import PackOp, UnpackOp
from diablo.dialects.locations import located
from diablo.dialects.number_constants import constant_op
from diablo.dialects.scalar_types import is_unsigned
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.llvm.tuple_parts import part_types
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.all_values import all_values

_WIDTHS = (32, 64)
"""The bits of the words that there are."""


def holds_tuples(type: Attribute) -> bool:
    """Return whether values of a type are arrays of tuples."""
    return is_tensor(type) and isinstance(type.get_element_type(), TupleType)


def words_of(type: Attribute) -> TensorType[Attribute]:
    """The type of the array of words that an array of tuples is.

    Raises
    ------
    Refused
        If the parts of a tuple are not equally wide, or no words at all.
    """
    array = cast("TensorType[Attribute]", type)
    parts = part_types(array.get_element_type())
    widths = {_width(part) for part in parts}
    width = widths.pop() if len(widths) == 1 else None
    if width not in _WIDTHS:
        raise Refused("the parts of an array's tuples are not equally wide numbers")
    return TensorType(IntegerType(width), [*array.get_shape(), len(parts)], array.encoding)


def _width(type: Attribute) -> int | None:
    """The bits of a number that a word may be; None of any other."""
    if isinstance(type, Float32Type | Float64Type):
        return type.bitwidth
    if is_unsigned(type) or not isinstance(type, IntegerType):
        return None
    return cast("IntegerType", type).width.data


def read_as_words(function: func.FuncOp) -> None:
    """Let the arrays of tuples in a function be arrays of words, in place."""
    for value in list(all_values(function)):
        if holds_tuples(value.type):
            Rewriter.replace_value_with_new_type(value, words_of(value.type))
    for op in list(function.walk()):
        match op:
            case tensor.ExtractOp() if isinstance(op.result.type, TupleType):
                _extract(op)
            case tensor.InsertOp() if isinstance(op.scalar.type, TupleType):
                _insert(op)
            case _:
                pass
    end = function.body.block.last_op
    assert isinstance(end, func.ReturnOp)
    types = [a.type for a in function.args], [v.type for v in end.arguments]
    function.function_type = FunctionType.from_lists(*types)


def _extract(op: tensor.ExtractOp) -> None:
    """Read the words of a tuple, and pack the numbers that they are."""
    made: list[Operation] = []
    words: list[SSAValue] = []
    array = cast("TensorType[Attribute]", op.tensor.type)
    for number, type in enumerate(part_types(op.result.type)):
        place = constant_op(IntegerAttr(number, IndexType()))
        read = tensor.ExtractOp(op.tensor, [*op.indices, place.result], array.get_element_type())
        made += [place, read]
        words.append(read.result)
        if type != read.result.type:
            made.append(arith.BitcastOp(read.result, type))
            words[-1] = made[-1].results[0]
    packed = _packed(op.result.type, iter(words), made)
    packed.name_hint = op.result.name_hint
    Rewriter.insert_op([located(each, op) for each in made], InsertPoint.before(op))
    op.result.replace_all_uses_with(packed)
    Rewriter.erase_op(op)


def _packed(type: Attribute, words: Iterator[SSAValue], made: list[Operation]) -> SSAValue:
    """A value of a type, of the numbers that come next; what packs them is put to `made`."""
    if not isinstance(type, TupleType):
        return next(words)
    pack = PackOp([_packed(part, words, made) for part in type.types])
    made.append(pack)
    return pack.result


def _insert(op: tensor.InsertOp) -> None:
    """Write the words of a tuple where the array is."""
    made: list[Operation] = []
    array, type = op.dest, cast("TensorType[Attribute]", op.dest.type).get_element_type()
    for number, part in enumerate(_unpacked(op.scalar, made)):
        word = part
        if part.type != type:
            made.append(arith.BitcastOp(part, type))
            word = made[-1].results[0]
        place = constant_op(IntegerAttr(number, IndexType()))
        write = tensor.InsertOp(word, array, [*op.indices, place.result])
        write.attributes |= op.attributes
        made += [place, write]
        array = write.result
    array.name_hint = op.result.name_hint
    Rewriter.insert_op([located(each, op) for each in made], InsertPoint.before(op))
    op.result.replace_all_uses_with(array)
    Rewriter.erase_op(op)


def _unpacked(value: SSAValue, made: list[Operation]) -> list[SSAValue]:
    """The numbers that a tuple is made of; what takes it apart is put to `made`."""
    if not isinstance(value.type, TupleType):
        return [value]
    unpack = UnpackOp(value)
    made.append(unpack)
    return [number for part in unpack.parts for number in _unpacked(part, made)]
