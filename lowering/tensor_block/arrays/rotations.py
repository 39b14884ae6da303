"""Keys that wrap around: `((i+1) % n, a)` writes a rotated array.

Works on the `comprehension` level, and writes `map` ops of the `tensor_block` level before it.

    %i, %a = each %A; yield ((%i + %c) rem %n) %a
  ==>
    %B = tensor_block.map ins(%A[(d0 - s0) mod s1]) …       // B[i] = A[(i - c) mod n]
    %i, %a = each %B; yield (%i) %a

That is right if the index stays below %n, the array has %n elements there, and %c is not
negative: what of this is not known becomes an assumption. Keys of a group by without %c are left
alone unless all of it is known: `group by i % n` is about arrays with more elements than n.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, TensorType
from xdsl.ir import OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.access_maps import LinearIndex, access_map
from diablo.dialects.defining_blocks import block_of
from diablo.linear_sums import term
from diablo.lowering.tensor_block.query.body_emitter import BodyEmitter, Driver, scalar_body
from diablo.lowering.tensor_block.query.linear_equations import index_form
from diablo.lowering.tensor_block.query.plan_sizes import driver_dimensions, driver_value
from diablo.lowering.tensor_block.query.query import (
    Generator,
    index_variables,
    tensor_type,
)
from diablo.passes.analyses.values.affine_values import known_index, underlying
from diablo.passes.analyses.values.comprehension_structure import Root
from diablo.passes.analyses.values.linear_forms import LinearForm, known_difference

Assumption = tuple[SSAValue, SSAValue]


@dataclass
class Wrap:
    """`(variable + shift) rem size`, as it stands in a comprehension."""

    value: SSAValue
    variable: SSAValue
    shift: LinearForm
    size: SSAValue


@dataclass
class Rotations:
    """Rewrites one comprehension, a copy of the one that is lowered."""

    root: Root
    driver: Driver
    assumptions: list[Assumption] = field(default_factory=list[Assumption])
    found: bool = False

    def apply(self) -> None:
        """Rotate what can be; leave the rest."""
        for op in list(self.root.body.block.ops):
            if isinstance(op, comprehension.GroupByOp):
                self._rotate_keys(op, len(op.keys))
                return
        head = self.root.body.block.last_op
        if isinstance(head, comprehension.YieldOp) and not isinstance(
            self.root, comprehension.CollectOp
        ):
            self._rotate_keys(head, len(head.keys))

    # ---- what is there -------------------------------------------------------------

    def _generators(self) -> dict[SSAValue, Generator]:
        """The generators by the index variables that they bind."""
        return {
            variable: op
            for op in self.root.body.block.ops
            if isinstance(op, Generator)
            for variable in index_variables(op)
        }

    def _inside(self, value: SSAValue) -> bool:
        return block_of(value) is self.root.body.block

    def wrap(self, value: SSAValue) -> Wrap | None:
        """`value` as a wrapped index."""
        value = underlying(value)
        if not (isinstance(value, OpResult) and isinstance(value.op, arith.RemSIOp)):
            return None
        variables = self._generators()
        if self._inside(value.op.rhs) and known_index(value.op.rhs) is None:
            return None
        form = index_form(value.op.lhs, lambda v: v in variables, self._inside)
        variable = None if form is None else form.inside.alone
        if form is None or variable is None:
            return None
        return Wrap(value, variable, form.outside, value.op.rhs)

    # ---- reads and keys ------------------------------------------------------------

    def _rotate_keys(self, op: comprehension.GroupByOp | comprehension.YieldOp, count: int) -> None:
        for number in range(count):
            wrap = self.wrap(op.operands[number])
            if wrap is None:
                continue
            generator = self._generators().get(wrap.variable)
            if not isinstance(generator, comprehension.EachOp):
                continue
            if not self._leads_only_to(wrap.variable, wrap.value):
                continue
            axis = list[SSAValue](generator.elements).index(wrap.variable)
            extent = driver_dimensions(generator.collection, self.driver)[axis]
            if isinstance(op, comprehension.GroupByOp) and wrap.shift == LinearForm():
                assumed = len(self.assumptions)
                covers = self._assume(self._size(wrap), extent)
                if not covers or len(self.assumptions) > assumed:
                    del self.assumptions[assumed:]
                    continue
            if not self._assume(self._size(wrap), extent):
                continue
            if self._replace(generator, wrap.variable, wrap):
                self._use_instead(wrap)
                key: SSAValue = wrap.variable
                if op.operands[number].type != key.type:
                    cast = arith.IndexCastOp(key, op.operands[number].type)
                    Rewriter.insert_op(cast, InsertPoint.before(op))
                    key = cast.result
                op.operands[number] = key

    def _leads_only_to(self, variable: SSAValue, value: SSAValue) -> bool:
        """Return whether a variable is only used to compute `value`."""
        for use in variable.uses:
            op = use.operation
            if value in op.results:
                continue
            arithmetic = isinstance(op, arith.AddiOp | arith.SubiOp | arith.IndexCastOp)
            if not arithmetic or not self._leads_only_to(op.results[0], value):
                return False
        return bool(variable.uses)

    def _use_instead(self, wrap: Wrap) -> None:
        """Let everything that uses the wrapped index use the variable, which is equal to it now."""
        assert isinstance(wrap.value, OpResult)
        equal: SSAValue = wrap.variable
        if wrap.value.type != equal.type:
            cast = arith.IndexCastOp(equal, wrap.value.type)
            Rewriter.insert_op(cast, InsertPoint.after(wrap.value.op))
            equal = cast.result
        wrap.value.replace_all_uses_with(equal)

    # ---- assumptions ---------------------------------------------------------------

    def _size(self, wrap: Wrap) -> SSAValue:
        size = known_index(wrap.size)
        if size is not None:
            return self.driver.index(size)
        if isinstance(wrap.size.type, IndexType):
            return wrap.size
        return self.driver.insert(arith.IndexCastOp(wrap.size, IndexType()))

    def _assume(self, greater: SSAValue, less: SSAValue) -> bool:
        """Take for granted that `greater >= less`; false if it is not so."""
        difference = known_difference(greater, less)
        if difference is not None:
            return difference >= 0
        self.assumptions.append((greater, less))
        return True

    # ---- the copy ------------------------------------------------------------------

    def _replace(self, generator: comprehension.EachOp, variable: SSAValue, wrap: Wrap) -> bool:
        """Let `generator` run over a copy of its array, rotated by the wrap's shift."""
        array = generator.collection
        if tensor_block.is_sparse(array.type) and generator.full is None:
            return False
        if not isinstance(array.type, TensorType) or self._inside(array):
            return False
        axis = list[SSAValue](generator.elements).index(variable)
        dims = driver_dimensions(array, self.driver)
        size, by = self._size(wrap), driver_value(self.driver, wrap.shift)
        if not (
            self._assume(dims[axis], size)
            and self._assume(size, self.driver.index(1))
            and self._assume(by, self.driver.index(0))
        ):
            return False
        generator.operands[0] = self._copy(array, axis, dims, size, by)
        self.found = True
        return True

    def _copy(
        self,
        array: SSAValue,
        axis: int,
        dims: Sequence[SSAValue],
        size: SSAValue,
        by: SSAValue,
    ) -> SSAValue:
        """The array whose element k comes from k - `by`, which wraps around at `size`."""
        type = tensor_type(array)
        rank, element = len(dims), type.get_element_type()
        local = TensorType(element, [DYNAMIC_INDEX] * rank)
        result = tensor_block.tiled_type(local) if tensor_block.is_tiled(type) else local

        def body(emitter: BodyEmitter, args: Sequence[SSAValue]) -> Sequence[SSAValue]:
            return [args[rank]]

        region = scalar_body([*[IndexType()] * rank, element], self.root.location, body)
        place = [LinearIndex.of(d) for d in range(rank)]
        place[axis] = LinearIndex(term(axis), term(0, -1), period=term(1))
        extents = [*dims[:axis], size, *dims[axis + 1 :]]
        maps = [access_map(place, rank, 2)]
        op = tensor_block.MapOp([array], extents, maps, region, result, symbols=[by, size])
        return self.driver.insert(op)


def has_wrapped_keys(root: Root) -> bool:
    """Return whether some index of a result may wrap around."""
    keys = [
        key
        for op in root.body.block.ops
        if isinstance(op, comprehension.GroupByOp | comprehension.YieldOp)
        for key in op.operands
    ]
    return any(isinstance(underlying(key).owner, arith.RemSIOp) for key in keys)
