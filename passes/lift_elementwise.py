"""Fission of contractions: what one computes of one operand alone is computed before it.

Works at the tensor_block level, behind `fuse-elementwise`.

```mlir
%p = tensor_block.reduce add                     %e = tensor_block.map … ins(%a[d0, d1]) { exp }
    parallel(d0, d1) reduced(d2)                 %p = tensor_block.reduce add
    ins(%a[d0, d2], %b[d2, d1])             ==>      parallel(d0, d1) reduced(d2)
  { yield exp(a) * b }                               ins(%e[d0, d2], %b[d2, d1])
                                                   { yield e * b }
```

This is the rule contract∘map of Hail's linear algebra plan from right to left. A contraction reads
each element of an operand for all points of a dimension that the operand has not, and computes it
as often there. So what takes long (a function, a division) becomes an array, and all that is of one
operand does where the rest is a product that BLAS computes. What is cheap stays in any other
contraction, as does what is computed of an operand that is read at all dimensions (a matrix by
which a vector is multiplied) or is sparse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, complex, math
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, ModuleOp, TensorType
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.traits import is_side_effect_free

from diablo.dialects import tensor_block
from diablo.dialects.access_maps import picked_dimensions, picks_dimensions
from diablo.dialects.encodings import is_sparse
from diablo.dialects.locations import located, remark
from diablo.dialects.number_ops import Product
from diablo.dialects.scalar_types import is_inexact, scalar_of
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.loops.products import is_blas_product, is_contraction
from diablo.passes.analyses.refused import Refused
from diablo.passes.pattern_set import PatternSet, rewrite

_CHEAP = (
    arith.ConstantOp,
    arith.AddfOp,
    arith.SubfOp,
    arith.MulfOp,
    arith.NegfOp,
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
    arith.AndIOp,
    arith.OrIOp,
    arith.XOrIOp,
    arith.CmpfOp,
    arith.CmpiOp,
    arith.SelectOp,
    arith.ExtFOp,
    arith.TruncFOp,
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.TruncIOp,
    arith.SIToFPOp,
    arith.UIToFPOp,
    arith.IndexCastOp,
    complex.AddOp,
    complex.SubOp,
    complex.MulOp,
    math.AbsFOp,
)
"""What takes about as long as to read its result would: it stays where it is."""


@dataclass(frozen=True)
class _Origin:
    """What a value of a body is computed of: inputs, and dimensions of the point."""

    inputs: frozenset[int]
    dimensions: frozenset[int]

    def __or__(self, other: _Origin) -> _Origin:
        return _Origin(self.inputs | other.inputs, self.dimensions | other.dimensions)


_NOTHING = _Origin(frozenset(), frozenset())


class _Body:
    """The body of a contraction: which of its values are computed of one operand."""

    def __init__(self, op: tensor_block.ReduceOp):
        self.op = op
        self.block = op.body.block
        self.rank = len(op.extents)
        self.places = [picked_dimensions(map.data) or [] for map in op.indexing_maps]
        self._origins: dict[SSAValue, _Origin] = {}
        everything = _Origin(frozenset(range(len(op.inputs))), frozenset(range(self.rank)))
        for number, argument in enumerate(self.block.args):
            is_index = number < self.rank
            own = frozenset([number if is_index else number - self.rank])
            self._origins[argument] = (
                _Origin(frozenset(), own) if is_index else _Origin(own, frozenset())
            )
        for inner in self.block.ops:
            origin = _NOTHING
            for operand in inner.operands:
                origin |= self._origins.get(operand, _NOTHING)
            if inner.regions or not is_side_effect_free(inner):
                origin = everything
            for result in inner.results:
                self._origins[result] = origin

    def side(self, value: SSAValue) -> int | None:
        """Return the one input that a value is computed of, at the place where it is read."""
        origin = self._origins.get(value, _NOTHING)
        if len(origin.inputs) != 1:
            return None
        (number,) = origin.inputs
        return number if origin.dimensions <= {*self.places[number]} else None

    def element(self, number: int) -> SSAValue:
        """Return the argument that an input's element is."""
        return self.block.args[self.rank + number]

    def tops(self) -> list[OpResult]:
        """Return what is computed of one operand and used with something else."""
        found: list[OpResult] = []
        for inner in self.block.ops:
            for result in inner.results:
                side = self.side(result)
                if side is not None and any(
                    not user.results or self.side(user.results[0]) != side
                    for user in self._users(result)
                ):
                    found.append(result)
        return found

    def _users(self, value: SSAValue) -> list[Operation]:
        """Return the ops of the body that use a value, if only in a branch of theirs."""
        found = [self.block.find_ancestor_op_in_block(use.operation) for use in value.uses]
        return [user for user in found if user is not None]

    def ops_of(self, value: SSAValue) -> list[Operation]:
        """Return the ops of the body that compute a value, in order."""
        needed: set[SSAValue] = {value}
        found: list[Operation] = []
        for inner in reversed(list(self.block.ops)):
            if any(result in needed for result in inner.results):
                found.append(inner)
                needed.update(inner.operands)
        return found[::-1]

    def becomes_product(self) -> bool:
        """Whether BLAS multiplies what is computed of the one operand by what is of the other."""
        op = self.op
        if len(op.inputs) != 2 or not monoid_named(op.monoid.data).is_sum:
            return False
        end = self.block.last_op
        assert isinstance(end, tensor_block.YieldOp)
        product = end.values[0].owner
        if not isinstance(product, Product) or not is_inexact(end.values[0].type):
            return False
        if {self.side(operand) for operand in product.operands} != {0, 1}:
            return False
        left, right = ({*place} for place in self.places)
        return not left & right & {*range(op.parallel.value.data)}

    def check(self, number: int) -> None:
        """Raise `Refused` if an array of what is computed of an operand would not help."""
        value = self.op.inputs[number]
        if is_sparse(value.type):
            raise Refused("a sparse operand is looked at where it stores elements")
        if not picks_dimensions(self.op.indexing_maps.data[number].data):
            raise Refused("its operand is read beside the point")
        if len(self.places[number]) == self.rank:
            raise Refused("each element of its operand is read once")


def _lifted(body: _Body) -> list[tuple[OpResult, int]]:
    """Return the values of the body that become arrays, with the input that each is computed of."""
    found: list[tuple[OpResult, int]] = []
    is_product = body.becomes_product()
    for top in body.tops():
        number = body.side(top)
        takes_long = any(not isinstance(inner, _CHEAP) for inner in body.ops_of(top))
        if number is None or scalar_of(top.type) is None or not (takes_long or is_product):
            continue
        try:
            body.check(number)
        except Refused as why:
            remark(body.op, f"a function of one operand of a contraction stays in it: {why}")
            continue
        found.append((top, number))
    return found


def _array(body: _Body, value: OpResult, number: int) -> tensor_block.MapOp:
    """Return the map that makes an array of a value of the body."""
    op, place = body.op, body.places[number]
    source = op.inputs[number]
    element = body.element(number)
    block = Block(arg_types=[*[IndexType()] * len(place), element.type])
    mapping: dict[SSAValue, SSAValue] = {element: block.args[-1]}
    for axis, dimension in enumerate(place):
        mapping[body.block.args[dimension]] = block.args[axis]
    for inner in body.ops_of(value):
        block.add_op(inner.clone(mapping))
    block.add_op(tensor_block.YieldOp(mapping[value]))
    type = source.type
    assert isinstance(type, TensorType)
    made = TensorType(value.type, [DYNAMIC_INDEX] * len(place), type.encoding)
    extents = [op.extents[dimension] for dimension in place]
    identity = [AffineMap.identity(len(place))]
    return located(tensor_block.MapOp([source], extents, identity, Region(block), made), op)


def _without(
    body: _Body, values: Sequence[tuple[OpResult, int]], arrays: Sequence[tensor_block.MapOp]
) -> tensor_block.ReduceOp:
    """Return the contraction that reads arrays instead of computing values."""
    op, rank, old = body.op, body.rank, body.block
    replaced = {value for value, _ in values}
    kept: list[Operation] = []
    needed: set[SSAValue] = set()
    for inner in reversed(list(old.ops)):
        computes = any(result in needed and result not in replaced for result in inner.results)
        if computes or isinstance(inner, tensor_block.YieldOp):
            kept.append(inner)
            needed.update(inner.operands)
    # What is read instead of an input stands where that stood.
    inputs: list[tuple[SSAValue, AffineMap, SSAValue]] = []
    for number, (value, map) in enumerate(zip(op.inputs, op.indexing_maps.data, strict=True)):
        if _reads(kept, body.element(number)):
            inputs.append((value, map.data, body.element(number)))
        for (computed, side), array in zip(values, arrays, strict=True):
            if side == number:
                inputs.append((array.result, map.data, computed))
    types: list[Attribute] = [element.type for _, _, element in inputs]
    block = Block(arg_types=[*[IndexType()] * rank, *types])
    mapping: dict[SSAValue, SSAValue] = dict(zip(old.args[:rank], block.args[:rank], strict=True))
    for (_, _, element), argument in zip(inputs, block.args[rank:], strict=True):
        mapping[element] = argument
    for inner in reversed(kept):
        block.add_op(inner.clone(mapping))
    contraction = tensor_block.ReduceOp(
        op.monoid.data,
        [value for value, _, _ in inputs],
        op.extents,
        op.parallel.value.data,
        [map for _, map, _ in inputs],
        Region(block),
        op.result.type,
        symbols=op.symbols,
    )
    return located(contraction, op)


def _reads(ops: Sequence[Operation], value: SSAValue) -> bool:
    return any(operand is value for op in ops for operand in op.operands)


class LiftOutOfContraction(RewritePattern):
    """contract∘map, from right to left: `contract u v (f(l) * r)` → `contract (map u f) v (l * r)`.

    ```
    reduce add … ins(%a[d0, d2], %b[d2, d1]) { exp(a) * b }
    // becomes
    %e = map ins(%a[d0, d1]) { exp(a) }
    reduce add … ins(%e[d0, d2], %b[d2, d1]) { e * b }
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor_block.ReduceOp, rewriter: PatternRewriter) -> None:
        """Make arrays of what is computed of one operand, if that is less work."""
        if op.offsets or not is_contraction(op) or is_blas_product(op):
            return
        body = _Body(op)
        values = _lifted(body)
        if not values:
            return
        arrays = [_array(body, value, number) for value, number in values]
        contraction = _without(body, values, arrays)
        rest = "BLAS computes the rest" if is_blas_product(contraction) else "once for each element"
        for array in arrays:
            message = "a function of one operand of a contraction is computed before it"
            remark(array, f"{message}: {rest}")
        rewriter.replace(op, [*arrays, contraction], contraction.results)


@dataclass(frozen=True)
class LiftElementwisePass(ModulePass):
    """Compute what a contraction computes of one operand before it."""

    name = "lift-elementwise"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite until nothing changes."""
        rewrite(op, PatternSet([LiftOutOfContraction()]))
