"""Analysis: between which numbers do the arguments of kernels and bodies lie?

```mlir
%C = spark.map @kernel_0(%A) dims(%n) …
func.func private @kernel_0(%origin: index, %extent: index, %A: tensor<?xf64>) … {
  tensor_block.map parallel(d0 < %extent) offsets(%origin) … {
  ^bb0(%i: index, …):
```

A tile's `%origin` and `%extent` are not negative, and neither is an index `%i`. What callers pass
bounds an argument. A column of rows that holds the indices of an array is not negative either,
until a body computes it anew, also in a kernel that is given the rows that another one has made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from diablo.dialects import spark, tensor_block
from diablo.dialects.bags import bag_columns
from diablo.dialects.encodings import array_type
from diablo.dialects.functions.number_ranges import ANYTHING, Interval
from diablo.dialects.spark.spark_types import rdd_type
from diablo.dialects.tensor_block import IterationOps
from diablo.passes.analyses.values.intervals import SIZE, interval

_RowBody = tensor_block.FilterOp | tensor_block.ExtendOp | tensor_block.ExpandOp

_DEEPEST = 8
"""Through how many kernels rows are followed."""


def argument_bounds(module: ModuleOp) -> dict[SSAValue, Interval]:
    """Return the bounds of the arguments of private functions, and of bodies."""
    bounds: dict[SSAValue, Interval] = {}
    defined = [f for f in module.ops if isinstance(f, func.FuncOp) and not f.is_declaration]
    functions = {f.sym_name.data: f for f in defined}
    rows = _Rows(functions, _calls(module), bounds)
    for function in functions.values():
        private = function.sym_visibility is not None and function.sym_visibility.data == "private"
        if not private:
            _bound_bodies(function, rows)
    for name, callers in rows.calls.items():
        given = None if callers is None else _united(callers, bounds)
        if name in functions and given is not None:
            for argument, found in zip(functions[name].args, given, strict=True):
                bounds[argument] = found
    for function in functions.values():
        _bound_bodies(function, rows)
    return bounds


_Caller = spark.MapOp | spark.MapGroupsOp | func.CallOp
_Calls = Mapping[str, "list[_Caller] | None"]
"""All that run a function; `None` where others may as well."""


def _calls(module: ModuleOp) -> _Calls:
    found: dict[str, list[_Caller] | None] = {}
    for op in module.walk():
        match op:
            case spark.MapOp() | spark.MapGroupsOp():
                name = op.kernel.string_value()
            case func.CallOp():
                name = op.callee.string_value()
            case _:
                for attribute in op.properties.values():
                    if isinstance(attribute, SymbolRefAttr):
                        found[attribute.string_value()] = None
                continue
        callers = found.setdefault(name, [])
        if callers is not None:
            callers.append(op)
    return found


def _united(callers: Sequence[_Caller], bounds: dict[SSAValue, Interval]) -> list[Interval] | None:
    """Return the bounds of what a function is given by all that run it."""
    given: list[Interval] | None = None
    for op in callers:
        if isinstance(op, func.CallOp):
            passed = [interval(value, bounds) for value in op.operands]
        else:
            values = [ANYTHING] * len(rdd_type(op.input).values)
            passed = [SIZE] * (2 * len(op.dims)) + values
            passed += [interval(value, bounds) for value in op.captures]
        if given is None:
            given = passed
        elif len(given) != len(passed):
            return None
        else:
            given = [a | b for a, b in zip(given, passed, strict=True)]
    return given


def _bound_bodies(root: Operation, rows: _Rows) -> None:
    """Add the indices of points, and the columns of rows, that bodies are given."""
    bounds = rows.bounds
    for op in root.walk():
        if isinstance(op, IterationOps):
            for position, index in enumerate(op.body.block.args[: len(op.extents)]):
                bounds[index] = _index(op.offsets, position, bounds)
        elif isinstance(op, _RowBody):
            for position, column in enumerate(op.body.block.args):
                if column.uses and (found := rows.column(op.bag, position)) != ANYTHING:
                    bounds[column] = found


def _index(offsets: Sequence[SSAValue], axis: int, bounds: dict[SSAValue, Interval]) -> Interval:
    """Return the bounds of an index along an axis, to which an offset may be added."""
    return SIZE if not offsets or interval(offsets[axis], bounds).low >= 0 else ANYTHING


@dataclass(frozen=True)
class _Rows:
    """What is known of rows: of a kernel's own, and of those that it is given by others."""

    functions: Mapping[str, func.FuncOp]
    calls: _Calls
    bounds: dict[SSAValue, Interval]

    def column(self, rows: SSAValue, position: int, depth: int = 0) -> Interval:
        """Return the bounds of a column of a bag, or of the batches of an RDD."""
        while depth < _DEEPEST:
            op = rows.owner
            match op:
                case tensor_block.ToBagOp():
                    if position >= array_type(op.input).get_num_dims():
                        return ANYTHING
                    return _index(op.offsets, position, self.bounds)
                case tensor_block.FilterOp():
                    rows = op.bag
                case tensor_block.LookupOp() | tensor_block.NumberOp():
                    if position >= len(bag_columns(op.bag)):
                        return ANYTHING
                    rows = op.bag
                case tensor_block.ProjectOp():
                    position = int(op.columns.get_values()[position])
                    rows = op.bag
                case tensor_block.ExtendOp():
                    position = position if op.taken is None else op.taken[position]
                    if position >= len(bag_columns(op.bag)):
                        return ANYTHING
                    rows = op.bag
                case spark.ParallelizeOp():
                    rows = op.input
                case func.CallOp() | spark.MapOp() if op.results[0] is rows:
                    name = op.callee if isinstance(op, func.CallOp) else op.kernel
                    function = self.functions.get(name.string_value())
                    end = None if function is None else function.body.block.last_op
                    if not isinstance(end, func.ReturnOp):
                        return ANYTHING
                    rows, depth = end.operands[0], depth + 1
                case Block():
                    return self._given(rows, position, depth)
                case _:
                    return ANYTHING
        return ANYTHING

    def _given(self, rows: SSAValue, position: int, depth: int) -> Interval:
        """Return the bounds of a column of what all that run a kernel give it."""
        block = rows.owner
        function = block.parent_op() if isinstance(block, Block) else None
        if not isinstance(function, func.FuncOp) or not isinstance(rows, BlockArgument):
            return ANYTHING
        found: Interval | None = None
        for op in self.calls.get(function.sym_name.data) or ():
            if isinstance(op, func.CallOp):
                given = op.operands[rows.index]
            elif isinstance(op, spark.MapOp) and rows.index == 2 * len(op.dims):
                given = op.input
            else:
                return ANYTHING
            bounds = self.column(given, position, depth + 1)
            if bounds == ANYTHING:
                return ANYTHING
            found = bounds if found is None else found | bounds
        return ANYTHING if found is None else found
