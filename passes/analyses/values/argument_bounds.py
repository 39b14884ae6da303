"""Analysis: between which numbers do the arguments of kernels and bodies lie?

```mlir
%C = spark.map @kernel_0(%A) dims(%n) …
func.func private @kernel_0(%origin: index, %extent: index, %A: tensor<?xf64>) … {
  tensor_block.map parallel(d0 < %extent) offsets(%origin) … {
  ^bb0(%i: index, …):
```

A tile's `%origin` and `%extent` are not negative, and neither is an index `%i`. What callers pass
bounds an argument. A column of rows that holds the indices of an array is not negative either,
until a body computes it anew.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.ir import Operation, SSAValue

from diablo.dialects import spark, tensor_block
from diablo.dialects.bags import bag_columns
from diablo.dialects.encodings import array_type
from diablo.dialects.functions.number_ranges import ANYTHING, Interval
from diablo.dialects.spark.spark_types import rdd_type
from diablo.dialects.tensor_block import IterationOps
from diablo.passes.analyses.values.intervals import SIZE, interval

_RowBody = tensor_block.FilterOp | tensor_block.ExtendOp | tensor_block.ExpandOp


def argument_bounds(module: ModuleOp) -> dict[SSAValue, Interval]:
    """Return the bounds of the arguments of private functions, and of bodies."""
    bounds: dict[SSAValue, Interval] = {}
    functions = {f.sym_name.data: f for f in module.ops if isinstance(f, func.FuncOp)}
    for function in functions.values():
        private = function.sym_visibility is not None and function.sym_visibility.data == "private"
        if not private:
            _bound_bodies(function, bounds)
    for name, given in _given(module, bounds).items():
        if name in functions and given is not None:
            for argument, found in zip(functions[name].args, given, strict=True):
                bounds[argument] = found
    for function in functions.values():
        _bound_bodies(function, bounds)
    return bounds


def _given(module: ModuleOp, bounds: dict[SSAValue, Interval]) -> dict[str, list[Interval] | None]:
    """Return what all that run a function give it; `None` where that is not seen."""
    given: dict[str, list[Interval] | None] = {}
    for op in module.walk():
        match op:
            case spark.MapOp() | spark.MapGroupsOp():
                name = op.kernel.string_value()
                values = [ANYTHING] * len(rdd_type(op.input).values)
                passed = [SIZE] * (2 * len(op.dims)) + values
                passed += [interval(value, bounds) for value in op.captures]
            case func.CallOp():
                name = op.callee.string_value()
                passed = [interval(value, bounds) for value in op.operands]
            case _:
                for attribute in op.properties.values():
                    if isinstance(attribute, SymbolRefAttr):
                        given[attribute.string_value()] = None
                continue
        before = given.get(name, passed)
        given[name] = (
            None
            if before is None or len(before) != len(passed)
            else [a | b for a, b in zip(before, passed, strict=True)]
        )
    return given


def _bound_bodies(root: Operation, bounds: dict[SSAValue, Interval]) -> None:
    """Add the indices of points, and the columns of rows, that bodies are given."""
    for op in root.walk():
        if isinstance(op, IterationOps):
            for position, index in enumerate(op.body.block.args[: len(op.extents)]):
                bounds[index] = _index(op.offsets, position, bounds)
        elif isinstance(op, _RowBody):
            for position, column in enumerate(op.body.block.args):
                found = _column(op.bag, position, bounds)
                if found != ANYTHING:
                    bounds[column] = found


def _index(offsets: Sequence[SSAValue], axis: int, bounds: dict[SSAValue, Interval]) -> Interval:
    """Return the bounds of an index along an axis, to which an offset may be added."""
    return SIZE if not offsets or interval(offsets[axis], bounds).low >= 0 else ANYTHING


def _column(bag: SSAValue, position: int, bounds: dict[SSAValue, Interval]) -> Interval:
    """Return the bounds of a column of rows."""
    while True:
        op = bag.owner
        match op:
            case tensor_block.ToBagOp():
                if position >= array_type(op.input).get_num_dims():
                    return ANYTHING
                return _index(op.offsets, position, bounds)
            case tensor_block.FilterOp():
                pass
            case tensor_block.LookupOp() | tensor_block.NumberOp():
                if position >= len(bag_columns(op.bag)):
                    return ANYTHING
            case tensor_block.ProjectOp():
                position = int(op.columns.get_values()[position])
            case tensor_block.ExtendOp():
                position = position if op.taken is None else op.taken[position]
                if position >= len(bag_columns(op.bag)):
                    return ANYTHING
            case _:
                return ANYTHING
        bag = op.bag
