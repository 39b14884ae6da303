# What kernels mean, in plain Python: each body is run once per point with scalars.
import itertools
import math
from typing import Any

import numpy as np
from scipy import special
from xdsl.context import Context
from xdsl.dialects import arith, builtin, complex, func, scf, tensor
from xdsl.dialects import math as math_dialect
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, TensorType, i1
from xdsl.parser import Parser

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.monoids import identity
from diablo.lowering.numpy.kernel_to_numpy import emit_numpy_kernel
from diablo.runtime import rows
from diablo.runtime.arrays.tiles import SparseTile
from diablo.runtime.kernels import (
    arithmetic,
    dot_products,
    matrix_products,
    scatter,
    sparse_points,
    sparse_products,
    windows,
)

NUMPY = {"f64": np.float64, "f32": np.float32, "i64": np.int64, "i1": np.bool_, "index": np.int64}


def parse_kernel(text: str) -> func.FuncOp:
    """The only function of a module in MLIR's syntax."""
    context = Context()
    for dialect in (
        builtin.Builtin,
        arith.Arith,
        complex.Complex,
        math_dialect.Math,
        scf.Scf,
        func.Func,
        tensor.Tensor,
        tensor_block.TensorBlock,
        comprehension.Comprehension,
    ):
        context.load_dialect(dialect)
    module = Parser(context, text, "kernel.mlir").parse_module()
    module.verify()
    function = module.body.block.first_op
    assert isinstance(function, func.FuncOp)
    return function


def load_numpy(function: func.FuncOp) -> Any:
    """The emitted NumPy function."""
    space: dict[str, Any] = {
        "np": np,
        "rows": rows,
        "SparseTile": SparseTile,
        "arithmetic": arithmetic,
        "special": special,
        "scatter": scatter,
        "sparse_points": sparse_points,
        "dot_products": dot_products,
        "matrix_products": matrix_products,
        "sparse_products": sparse_products,
        "windows": windows,
    }
    exec(emit_numpy_kernel(function), space)
    return space[function.sym_name.data]


def wrap(value: int) -> int:
    """A Python integer as 64 bits with a sign."""
    return (value + 2**63) % 2**64 - 2**63


def _quotient(a: int, b: int) -> int:
    return wrap(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1))


def _to_integer(a: float) -> int:
    if math.isnan(a):
        return 0
    return max(-(2**63), min(2**63 - 1, int(a))) if math.isfinite(a) else wrap(2**63 - (a > 0))


def _float(function: Any) -> Any:
    """A function of floats with IEEE's results where Python raises."""

    def call(*arguments: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*arguments)

    return call


SCALAR_OPS: dict[str, Any] = {
    "arith.addi": lambda a, b: wrap(a + b),
    "arith.subi": lambda a, b: wrap(a - b),
    "arith.muli": lambda a, b: wrap(a * b),
    "arith.divsi": _quotient,
    "arith.remsi": lambda a, b: a - b * _quotient(a, b),
    "arith.minsi": min,
    "arith.maxsi": max,
    "arith.andi": lambda a, b: a & b,
    "arith.ori": lambda a, b: a | b,
    "arith.xori": lambda a, b: a ^ b,
    "arith.shli": lambda a, b: wrap(a << b),
    "arith.shrsi": lambda a, b: a >> b,
    "arith.shrui": lambda a, b: wrap((a % 2**64) >> b),
    "arith.addf": _float(lambda a, b: a + b),
    "arith.subf": _float(lambda a, b: a - b),
    "arith.mulf": _float(lambda a, b: a * b),
    "arith.divf": _float(lambda a, b: np.divide(a, b)),
    "arith.negf": lambda a: -a,
    "arith.minimumf": lambda a, b: np.minimum(a, b),
    "arith.maximumf": lambda a, b: np.maximum(a, b),
    "arith.select": lambda c, a, b: a if c else b,
    "arith.index_cast": lambda a: a,
    "arith.sitofp": lambda a: a,
    "arith.uitofp": lambda a: a % 2**64,
    "arith.fptosi": _to_integer,
    "arith.extf": lambda a: a,
    "arith.truncf": _float(lambda a: a),
    "arith.extui": lambda a: int(a),
    "math.absf": abs,
    "math.sqrt": _float(np.sqrt),
    "math.exp": _float(np.exp),
    "math.floor": _float(np.floor),
}
COMPARISONS = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def _scalar(value: Any, type: Any) -> Any:
    """A value as its type holds it."""
    if isinstance(type, builtin.AnyFloat):
        return NUMPY[str(type)](value)
    return bool(value) if type == i1 else int(value)


def evaluate(block: Any, values: dict[Any, Any]) -> list[Any]:
    """Run scalar code; return what its terminator is given."""
    for op in block.ops:
        given = [values[operand] for operand in op.operands]
        if op is block.last_op:
            return given
        if isinstance(op, scf.IfOp):
            region = op.true_region if given[0] else op.false_region
            results = evaluate(region.block, dict(values))
        elif isinstance(op, arith.ConstantOp):
            assert isinstance(op.value, IntegerAttr | FloatAttr)
            results = [op.value.value.data]
        elif isinstance(op, arith.CmpiOp):
            name = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
            if name.startswith("u"):
                given = [x % 2**64 for x in given]
            results = [COMPARISONS[name[-2:]](*given)]
        elif isinstance(op, arith.CmpfOp):
            name = arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]
            unordered = bool(np.isnan(given[0]) or np.isnan(given[1]))
            constant = {"ord": not unordered, "uno": unordered, "true": True, "false": False}
            if name in constant:
                results = [constant[name]]
            else:
                results = [
                    name[0] == "u" if unordered else COMPARISONS[name[1:]](given[0], given[1])
                ]
        else:
            results = [SCALAR_OPS[op.name](*given)]
        for result, value in zip(op.results, results, strict=True):
            values[result] = _scalar(value, result.type)
    raise AssertionError("the block has no terminator")


def run_naively(function: func.FuncOp, arguments: list[Any]) -> Any:
    """Return what a kernel of map and reduce ops returns."""
    values: dict[Any, Any] = dict(zip(function.args, arguments, strict=True))
    for op in function.body.block.ops:
        if isinstance(op, func.ReturnOp):
            results = [values[v] for v in op.arguments]
            return results[0] if len(results) == 1 else tuple(results)
        if isinstance(op, arith.ConstantOp):
            assert isinstance(op.value, IntegerAttr | FloatAttr)
            values[op.result] = op.value.value.data
        elif isinstance(op, tensor.DimOp):
            values[op.result] = values[op.source].shape[values[op.index]]
        else:
            values[op.results[0]] = _iterate(op, values)
    raise AssertionError("the kernel does not return")


def _iterate(op: Any, values: dict[Any, Any]) -> Any:
    extents = [int(values[e]) for e in op.extents]
    offsets = [int(values[o]) for o in op.offsets] or [0] * len(extents)
    reducing = isinstance(op, tensor_block.ReduceOp)
    parallel = op.parallel.value.data if reducing else len(extents)
    type = op.result.type
    element = type.get_element_type() if isinstance(type, TensorType) else type
    dtype = NUMPY[str(element)]
    out = np.zeros(extents[:parallel], dtype)
    monoid = op.monoid.data if reducing else None
    if monoid is not None:
        neutral = identity(monoid, element)
        out[...] = neutral.value.data
    maps = [m.data for m in op.indexing_maps]
    symbols = [int(values[s]) for s in op.symbols]
    arrays = [np.asarray(values[x]) for x in op.inputs]
    for point in itertools.product(*map(range, extents)):
        block = op.body.block
        inner = dict(values)
        indices = [i + o for i, o in zip(point, offsets, strict=True)]
        elements = [
            _read(array, m.eval(list(point), symbols))
            for array, m in zip(arrays, maps, strict=True)
        ]
        for argument, value in zip(block.args, [*indices, *elements], strict=True):
            inner[argument] = _scalar(value, argument.type)
        (value,) = evaluate(block, inner)
        place = point[:parallel]
        if monoid is not None:
            joined = _join(monoid, element, _scalar(out[place], element), value)
            value = _scalar(joined, element)
        out[place] = value
    return out if isinstance(type, TensorType) else out[()]


def _read(array: Any, index: Any) -> Any:
    inside = all(0 <= i < n for i, n in zip(index, array.shape, strict=True))
    return array[tuple(index)] if inside else array.dtype.type(0)


def _join(monoid: str, element: Any, a: Any, b: Any) -> Any:
    floating = isinstance(element, builtin.AnyFloat)
    ops = {
        "add": "arith.addf" if floating else "arith.addi",
        "mul": "arith.mulf" if floating else "arith.muli",
        "min": "arith.minimumf" if floating else "arith.minsi",
        "max": "arith.maximumf" if floating else "arith.maxsi",
        "and": "arith.andi",
        "or": "arith.ori",
    }
    return SCALAR_OPS[ops[monoid]](a, b)
