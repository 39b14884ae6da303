"""Write a function of the elements of sparse matrices, or a fold of it, at `tensor_block`.

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
from diablo.array.sparse_structure import Folded, Step, Structure
from diablo.dialects import monoids, tensor_block
from diablo.dialects.access_maps import access_map
from diablo.dialects.encodings import StorageAttr
from diablo.dialects.index_forms import IndexForm
from diablo.dialects.number_constants import constant_op

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
    are not zero, and the extents; what it returns is a sparse matrix of words, or a fold, and how
    many elements each is of if these are counted.
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
    rank = structure.rank
    types += [i64] * rank
    block = Block(arg_types=types)
    code = Code(block)
    arrays = len(structure.tiles) + len(structure.dense)
    scalars = block.args[arrays : len(block.args) - rank]
    extents = [code.add(arith.IndexCastOp(v, IndexType())) for v in block.args[-rank:]]
    inputs = block.args[:arrays]
    if structure.fold is None:
        ops = [_map_op(structure, inputs, scalars, extents)]
    else:
        ops = _fold_ops(structure, structure.fold, inputs, scalars, extents)
    results = [op.results[0] for op in ops]
    block.add_ops([*ops, ReturnOp(*results)])
    names = [f"a{k}" for k in range(arrays)] + [f"x{k}" for k in range(len(scalars))]
    names += [f"n{k}" for k in range(rank)]
    function = FuncOp(
        "main",
        FunctionType.from_lists(types, [value.type for value in results]),
        Region(block),
        arg_attrs=ArrayAttr([DictionaryAttr({"diablo.name": StringAttr(n)}) for n in names]),
    )
    for name, argument in zip(names, block.args, strict=True):
        argument.name_hint = name
    return ModuleOp([function])


def _map_op(
    structure: Structure,
    inputs: Sequence[SSAValue],
    scalars: Sequence[SSAValue],
    extents: Sequence[SSAValue],
) -> tensor_block.MapOp:
    """Write the map that makes the sparse matrix of words."""
    body = _Body(structure, scalars)
    result = np.dtype(structure.steps[structure.result].dtype)
    word = _encoded(body.code, body.result(), result)
    if structure.has_fill:
        word = body.code.add(arith.XOrIOp(word, scalars[-1]))
    nothing = body.code.constant(0, _word(result))
    body.end(word, nothing)
    type = _matrix(element_type(_word(result)))
    return tensor_block.MapOp(inputs, extents, body.maps([0, 1]), Region(body.block), type)


def _fold_ops(
    structure: Structure,
    fold: Folded,
    inputs: Sequence[SSAValue],
    scalars: Sequence[SSAValue],
    extents: Sequence[SSAValue],
) -> list[tensor_block.ReduceOp]:
    """Write the fold of what is stored, and that which counts it."""
    order = [*fold.kept, *[d for d in range(structure.rank) if d not in fold.kept]]

    def op(body: _Body, monoid: str, value: SSAValue, dtype: np.dtype[Any]) -> Any:
        type = element_type(dtype)
        identity = monoids.identity(monoid, type)
        assert identity is not None
        body.end(value, body.code.add(constant_op(identity)))
        result = TensorType(type, [DYNAMIC_INDEX] * len(fold.kept)) if fold.kept else type
        sizes = [extents[d] for d in order]
        return tensor_block.ReduceOp(
            monoid, inputs, sizes, len(fold.kept), body.maps(order), Region(body.block), result
        )

    body, dtype = _Body(structure, scalars), np.dtype(fold.dtype)
    source = np.dtype(structure.steps[structure.result].dtype)
    ops = [op(body, fold.monoid, body.code.convert(body.result(), source, dtype), dtype)]
    if fold.is_counted:
        body, dtype = _Body(structure, scalars), np.dtype(np.int64)
        ops.append(op(body, "add", body.code.constant(1, dtype), dtype))
    return ops


class _Body:
    """The body of an op at a point of the matrices: what is there, and what is computed of it."""

    def __init__(self, structure: Structure, scalars: Sequence[SSAValue]):
        elements = [element_type(np.dtype(name)) for name in structure.tiles]
        elements += [element_type(np.dtype(name)) for name, _ in structure.dense]
        self.block = Block(arg_types=[*[IndexType()] * structure.rank, *elements])
        self.code = Code(self.block)
        self._structure, self._scalars = structure, scalars
        given = self.block.args[structure.rank :]
        self._words, self._dense = given[: len(structure.tiles)], given[len(structure.tiles) :]
        self._stored: list[SSAValue] = [
            self.code.compare(
                "not_equal", word, self.code.constant(0, np.dtype(name)), np.dtype(name)
            )
            for word, name in zip(self._words, structure.tiles, strict=True)
        ]

    def maps(self, order: Sequence[int]) -> list[Any]:
        """Return where inputs are read by a loop over dimensions in an order."""
        read = [(0, 1)] * len(self._structure.tiles) + [d for _, d in self._structure.dense]
        return [
            access_map([IndexForm[int, int].of(order.index(d)) for d in dims], len(order), 0)
            for dims in read
        ]

    def result(self) -> SSAValue:
        """Write all steps, and return the element that they make."""
        steps = self._structure.steps
        values: list[SSAValue] = []
        for step in steps:
            values.append(
                _value(
                    step,
                    self.code,
                    values,
                    steps,
                    self._words,
                    self._stored,
                    self._dense,
                    self._scalars,
                )
            )
        return values[self._structure.result]

    def end(self, value: SSAValue, nothing: SSAValue) -> None:
        """Yield a value where anything is stored, and elsewhere what counts as nothing."""
        anywhere = reduce(lambda a, b: self.code.add(arith.OrIOp(a, b)), self._stored)
        self.block.add_op(tensor_block.YieldOp(self.code.choose(anywhere, value, nothing)))


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
