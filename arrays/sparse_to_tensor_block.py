"""Write a function of the elements of sparse matrices as a module of the `tensor_block` level.

`sparse_structure.py` says what the words are that these matrices have as elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    ModuleOp,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region, SSAValue

from diablo.array.elementwise_operations import CONVERT, ELEMENTWISE
from diablo.array.scalar_code import Code, element_type
from diablo.array.sparse_structure import Step, Structure
from diablo.dialects import tensor_block
from diablo.dialects.access_maps import access_map
from diablo.dialects.encodings import StorageAttr
from diablo.dialects.index_forms import IndexForm

_RANK = 2
_BOOLEAN = np.dtype(np.bool_)


def _word(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the type of the words that stand for numbers of a type."""
    return np.dtype(f"i{dtype.itemsize}")


def _matrix(element: Attribute) -> TensorType[Any]:
    return TensorType(element, [DYNAMIC_INDEX] * _RANK, StorageAttr(1))


def write_sparse(structure: Structure) -> ModuleOp:
    """Return a module whose `main` computes a structure.

    It takes the sparse matrices, the dense arrays, the numbers, the bits of the fill value if these
    are not zero, and the two extents; what it returns is a sparse matrix of words.
    """
    result = np.dtype(structure.steps[structure.result].dtype)
    types: list[Attribute] = [_matrix(element_type(np.dtype(t))) for t in structure.tiles]
    for name, dims in structure.dense:
        types.append(TensorType(element_type(np.dtype(name)), [DYNAMIC_INDEX] * len(dims)))
    numbers = sorted(
        {step.operands[0]: step.dtype for step in structure.steps if step.name == "number"}.items()
    )
    types += [element_type(np.dtype(name)) for _, name in numbers]
    if structure.has_fill:
        types.append(element_type(_word(result)))
    types += [i64] * _RANK
    block = Block(arg_types=types)
    code = Code(block)
    arrays = len(structure.tiles) + len(structure.dense)
    scalars = block.args[arrays : len(block.args) - _RANK]
    extents = [code.add(arith.IndexCastOp(v, IndexType())) for v in block.args[-_RANK:]]
    elements = [element_type(np.dtype(name)) for name in structure.tiles]
    elements += [element_type(np.dtype(name)) for name, _ in structure.dense]
    body = Block(arg_types=[IndexType()] * _RANK + elements)
    _write_body(structure, body, scalars)
    maps = [_map((0, 1))] * len(structure.tiles) + [_map(dims) for _, dims in structure.dense]
    op = tensor_block.MapOp(
        list(block.args[:arrays]),
        extents,
        maps,
        Region(body),
        _matrix(element_type(_word(result))),
    )
    block.add_ops([op, ReturnOp(op.result)])
    names = [f"a{k}" for k in range(arrays)] + [f"x{k}" for k in range(len(scalars))] + ["n0", "n1"]
    function = FuncOp(
        "main",
        FunctionType.from_lists(types, [op.result.type]),
        Region(block),
        arg_attrs=ArrayAttr([DictionaryAttr({"diablo.name": StringAttr(n)}) for n in names]),
    )
    for name, argument in zip(names, block.args, strict=True):
        argument.name_hint = name
    return ModuleOp([function])


def _map(dims: Sequence[int]) -> Any:
    return access_map([IndexForm[int, int].of(d) for d in dims], _RANK, 0)


def _write_body(structure: Structure, body: Block, scalars: Sequence[SSAValue]) -> None:
    code = Code(body)
    elements = body.args[_RANK:]
    words, dense = elements[: len(structure.tiles)], elements[len(structure.tiles) :]
    stored = [
        code.compare("not_equal", word, code.constant(0, np.dtype(name)), np.dtype(name))
        for word, name in zip(words, structure.tiles, strict=True)
    ]
    values: list[SSAValue] = []
    for step in structure.steps:
        values.append(_value(step, code, values, structure.steps, words, stored, dense, scalars))
    result = np.dtype(structure.steps[structure.result].dtype)
    word = _encoded(code, values[structure.result], result)
    if structure.has_fill:
        word = code.add(arith.XOrIOp(word, scalars[-1]))
    anywhere = reduce(lambda a, b: code.add(arith.OrIOp(a, b)), stored)
    nothing = code.constant(0, _word(result))
    body.add_op(tensor_block.YieldOp(code.choose(anywhere, word, nothing)))


def _value(
    step: Step,
    code: Code,
    values: Sequence[SSAValue],
    steps: Sequence[Step],
    words: Sequence[SSAValue],
    stored: Sequence[SSAValue],
    dense: Sequence[SSAValue],
    scalars: Sequence[SSAValue],
) -> SSAValue:
    """Write what a step makes of those before it."""
    dtype = np.dtype(step.dtype)
    first, *rest = step.operands
    match step.name:
        case "stored":
            return _decoded(code, words[first], dtype)
        case "decoded":
            return _decoded(code, code.add(arith.XOrIOp(words[first], values[rest[0]])), dtype)
        case "dense":
            return dense[first]
        case "number":
            return scalars[first]
        case "choose":
            return code.choose(stored[first], values[rest[0]], values[rest[1]])
        case CONVERT.name:
            return code.convert(values[first], np.dtype(steps[first].dtype), dtype)
        case _:
            given = [np.dtype(steps[k].dtype) for k in step.operands]
            loop = ELEMENTWISE[step.name].loop(*given)
            assert loop.code is not None
            converted = [
                code.convert(values[k], source, wanted)
                for k, source, wanted in zip(step.operands, given, loop.inputs, strict=True)
            ]
            return loop.code(code, converted, loop.inputs[0])


def _decoded(code: Code, word: SSAValue, dtype: np.dtype[Any]) -> SSAValue:
    """Write the number that a word is."""
    if dtype == _BOOLEAN:
        return code.compare("not_equal", word, code.constant(0, _word(dtype)), _word(dtype))
    if dtype == _word(dtype):
        return word
    return code.add(arith.BitcastOp(word, element_type(dtype)))


def _encoded(code: Code, value: SSAValue, dtype: np.dtype[Any]) -> SSAValue:
    """Write the word that a number is."""
    if dtype == _BOOLEAN:
        return code.convert(value, dtype, _word(dtype))
    if dtype == _word(dtype):
        return value
    return code.add(arith.BitcastOp(value, element_type(_word(dtype))))
