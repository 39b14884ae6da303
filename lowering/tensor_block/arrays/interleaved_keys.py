"""Keys that interleave two indices, `c * i + a` with a below c, as an array of more dimensions.

Works on the `comprehension` level. What is built at the keys (i, a), with a dimension for each,
has its elements in the same order in memory:

    build (2 * %n) {                              %B = build (%n, %two) { … yield (%i, %a) %v }
      %i = range; %a = range %zero to %one   ==>
      yield (2 * %i + %a) %v }                    tensor.collapse_shape %B [[0, 1]]

The pairs (i, a) and the keys are one to one, so no element is written twice for it: that is
array algebra where `2 * %i + %a` by itself would be a computed key. The size must be a multiple
of c.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntegerAttr,
    TensorType,
    i64,
)
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.defining_blocks import block_of
from diablo.dialects.locations import remark
from diablo.lowering.tensor_block.query.body_emitter import Driver
from diablo.lowering.tensor_block.query.linear_equations import index_form
from diablo.lowering.tensor_block.query.plan_sizes import driver_value
from diablo.lowering.tensor_block.query.query import Generator, index_variables, tensor_type
from diablo.passes.analyses.values.affine_values import known_index
from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form


@dataclass(frozen=True)
class _Pair:
    """A key `factor * outer + inner`, and the size divided by the factor."""

    outer: SSAValue
    inner: SSAValue
    factor: int
    size: LinearForm


class InterleavedKeys:
    """Rewrites one comprehension that builds a dense array."""

    def __init__(self, root: comprehension.BuildOp, driver: Driver):
        self.root = root
        self.driver = driver
        self.variables = {
            variable: op
            for op in root.body.block.ops
            if isinstance(op, Generator)
            for variable in index_variables(op)
        }

    def expanded(self) -> comprehension.BuildOp | None:
        """The comprehension with a key for each index, inserted before; or None."""
        head = self.root.body.block.last_op
        if not isinstance(head, comprehension.YieldOp) or self._is_grouped():
            return None
        if tensor_block.is_sparse(self.root.result.type):
            return None
        pairs = [self._pair(key, size) for key, size in zip(head.keys, self.root.dims, strict=True)]
        if not any(pairs):
            return None
        keys: list[SSAValue] = []
        dims: list[SSAValue] = []
        for key, size, pair in zip(head.keys, self.root.dims, pairs, strict=True):
            keys += [key] if pair is None else [pair.outer, pair.inner]
            if pair is None:
                dims.append(size)
            else:
                dims += [driver_value(self.driver, pair.size), self.driver.index(pair.factor)]
        self.groups = _groups(pairs)
        type = tensor_type(self.root.result)
        local = TensorType(type.get_element_type(), [DYNAMIC_INDEX] * len(dims))
        wide = tensor_block.tiled_type(local) if tensor_block.is_tiled(type) else local
        body = self.root.body.clone()
        mapping = dict(zip(_defined(self.root.body.block), _defined(body.block), strict=True))
        end = body.block.last_op
        assert isinstance(end, comprehension.YieldOp)
        new = comprehension.YieldOp([mapping.get(key, key) for key in keys], list(end.values))
        new.location = end.location
        Rewriter.replace_op(end, new)
        copy = comprehension.BuildOp(dims, body, wide)
        copy.location = self.root.location
        copy.result.name_hint = self.root.result.name_hint
        Rewriter.insert_op(copy, InsertPoint.before(self.root))
        remark(self.root, "keys interleave two indices: an array of more dimensions, seen as one")
        return copy

    def collapsed(self, value: SSAValue) -> SSAValue:
        """Return what `expanded` built, with the dimensions of the comprehension."""
        groups = ArrayAttr(
            ArrayAttr(IntegerAttr(axis, i64) for axis in group) for group in self.groups
        )
        result = tensor_type(self.root.result)
        collapse = tensor.CollapseShapeOp(
            operands=[value], properties={"reassociation": groups}, result_types=[result]
        )
        return self.driver.insert(collapse)

    def _is_grouped(self) -> bool:
        return any(isinstance(op, comprehension.GroupByOp) for op in self.root.body.block.ops)

    def _inside(self, value: SSAValue) -> bool:
        return block_of(value) is self.root.body.block

    def _pair(self, key: SSAValue, size: SSAValue) -> _Pair | None:
        form = index_form(key, self.variables.__contains__, self._inside)
        if form is None or len(form.dimensions) != 2 or form.outside.number != 0:
            return None
        inner, outer = sorted(form.dimensions, key=form.factor)
        one, factor = form.factor(inner), form.factor(outer)
        if one != 1 or factor < 2 or not self._is_below(inner, factor):
            return None
        divided = _divided(linear_form(size), factor)
        return None if divided is None else _Pair(outer, inner, factor, divided)

    def _is_below(self, variable: SSAValue, factor: int) -> bool:
        """Return whether a variable runs through numbers from 0 to before `factor`."""
        generator = self.variables[variable]
        if not isinstance(generator, comprehension.RangeOp):
            return False
        bounds = known_index(generator.lower), known_index(generator.upper)
        return all(bound is not None and 0 <= bound < factor for bound in bounds)


def _defined(block: Block) -> list[SSAValue]:
    """Return what the ops of a block define, in order."""
    return [result for op in block.ops for result in op.results]


def _divided(form: LinearForm, factor: int) -> LinearForm | None:
    """A size divided by `factor`, if it is a multiple whatever the values in it are."""
    divided = form.divided(factor)
    return divided if divided * factor == form else None


def _groups(pairs: list[_Pair | None]) -> list[list[int]]:
    """Return which dimensions of the larger array make each one of the result."""
    groups: list[list[int]] = []
    next = 0
    for pair in pairs:
        width = 1 if pair is None else 2
        groups.append(list(range(next, next + width)))
        next += width
    return groups
