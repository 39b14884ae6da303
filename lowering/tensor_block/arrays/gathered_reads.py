"""Dense arrays that are read at computed indices: the body of an op reads them itself.

Works on the `comprehension` level, on a copy of what is lowered:

    %i, %k = each %K                                  %i, %k = each %K
    %r, %j, %e = each %E full                         %j = range %zero to %last
    guard %r == %k                              ==>   %p = cmpi sge, %k, %zero    (and below %rows)
                                                      guard %p
                                                      %e = tensor.extract %E[%k, %j]

The rest is array algebra over the indices that are left, and %E is a value from outside of its
bodies, of which whoever computes them has the whole. A place that is computed may lie outside,
where the row is dropped: what is not known to be inside is tested.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, TensorType, i1
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.defining_blocks import is_made_in
from diablo.dialects.locations import located, named
from diablo.dialects.monoids import zero_of
from diablo.dialects.number_constants import constant_op
from diablo.linear_sums import LinearSum
from diablo.lowering.kernel_types import is_number
from diablo.lowering.tensor_block.query.body_emitter import Driver
from diablo.lowering.tensor_block.query.linear_equations import index_form
from diablo.lowering.tensor_block.query.plan_sizes import driver_dimensions
from diablo.lowering.tensor_block.query.query import (
    Generator,
    backward_slice,
    compared,
    index_variables,
    tensor_type,
)
from diablo.passes.analyses.values.comprehension_structure import Root
from diablo.passes.analyses.values.index_bounds import is_at_least
from diablo.passes.analyses.values.linear_forms import linear_form


@dataclass
class _Place:
    """The indices of a generator that are computed, from what, and the guards that say so."""

    computed: dict[SSAValue, SSAValue]
    guards: list[comprehension.GuardOp]


@dataclass
class GatheredReads:
    """Rewrites one comprehension, a copy of the one that is lowered."""

    root: Root
    driver: Driver

    def apply(self) -> bool:
        """Read what can be read in bodies; return whether there was anything."""
        ops = list(self.root.body.block.ops)
        if any(isinstance(op, comprehension.EachOp) and not _is_dense(op.collection) for op in ops):
            return False  # Rows are fewer than points.
        if any(map(self._is_uneven, ops)):
            return False
        found = False
        for op in ops:
            if isinstance(op, comprehension.GroupByOp):
                break
            if isinstance(op, comprehension.EachOp):
                found |= self._read_generator(op)
            elif isinstance(op, comprehension.ProbeOp):
                found |= self._read_probe(op)
        return found

    # ---- what is there -------------------------------------------------------------

    def _is_inside(self, value: SSAValue) -> bool:
        return is_made_in(value, self.root.body.block)

    def _is_readable(self, array: SSAValue) -> bool:
        """Return whether bodies may read a collection: a dense array of numbers from outside.

        On workers they have all of a vector, but of larger arrays the rows that they need.
        """
        if not _is_dense(array) or self._is_inside(array):
            return False
        type = tensor_type(array)
        whole = self.driver.whole or not tensor_block.is_tiled(type) or type.get_num_dims() == 1
        return whole and is_number(type.get_element_type())

    def _is_uneven(self, op: Operation) -> bool:
        """Whether elements say how far a range runs: its points are fewer than those of a box."""
        return isinstance(op, comprehension.RangeOp) and any(
            self._is_inside(end) and self._is_computed(end) for end in (op.lower, op.upper)
        )

    def _is_computed(self, value: SSAValue) -> bool:
        """Whether an index is no sum of the indices of generators and values from outside."""
        variables = {
            variable
            for op in self.root.body.block.ops
            if isinstance(op, Generator)
            for variable in index_variables(op)
        }
        return index_form(value, lambda v: v in variables, self._is_inside) is None

    def _place_of(self, generator: comprehension.EachOp) -> _Place | None:
        """Return which indices of a generator are computed, as guards say; None if none is."""
        known: dict[SSAValue, tuple[SSAValue, comprehension.GuardOp]] = {}
        own, indices = set[SSAValue](generator.elements), generator.elements[:-1]
        for op in self.root.body.block.ops:
            if isinstance(op, comprehension.GroupByOp):
                break
            sides = compared(op) if isinstance(op, comprehension.GuardOp) else None
            if sides is None:
                continue
            assert isinstance(op, comprehension.GuardOp)
            for index, other in (sides, sides[::-1]):
                if index not in indices or index in known or self._uses(other, own):
                    continue
                if self._is_computed(other):
                    known[index] = other, op
                    break
        if not known:
            return None
        return _Place(
            {index: value for index, (value, _) in known.items()},
            list(dict.fromkeys(guard for _, guard in known.values())),
        )

    def _uses(self, value: SSAValue, own: set[SSAValue]) -> bool:
        """Return whether a value is one of `own`, or computed from one."""
        if value in own:
            return True
        ops = backward_slice([value], self.root.body.block)
        return any(operand in own for op in ops for o in op.walk() for operand in o.operands)

    def _first_use(self, generator: comprehension.EachOp, guards: Sequence[Operation]) -> Operation:
        """The first op of the comprehension that needs a generator, but for some guards."""
        block = self.root.body.block
        tests = {guard.operands[0].owner for guard in guards}
        users: list[Operation] = []
        for value in generator.elements:
            for use in value.uses:
                op: Operation | None = use.operation
                while op is not None and op.parent is not block:
                    op = op.parent_op()
                if op is not None and (op not in tests or len(list(op.results[0].uses)) > 1):
                    users.append(op)
        users += guards
        return next(op for op in block.ops if op in users)

    def _is_known_at(self, value: SSAValue, op: Operation) -> bool:
        """Return whether a value is there before `op`, one of the comprehension's own ops."""
        owner = value.owner
        if isinstance(owner, Block) or owner.parent is not op.parent:
            return True
        return owner.is_before_in_block(op)

    # ---- what it becomes -----------------------------------------------------------

    def _read_generator(self, generator: comprehension.EachOp) -> bool:
        if not self._is_readable(generator.collection):
            return False
        place = self._place_of(generator)
        if place is None:
            return False
        first = self._first_use(generator, place.guards)
        if not all(self._is_known_at(value, first) for value in place.computed.values()):
            return False
        indices = [
            self._as_index(place.computed[variable], first)
            if variable in place.computed
            else self._range(generator, axis)
            for axis, variable in enumerate(generator.elements[:-1])
        ]
        inside = self._test(generator.collection, indices, first)
        if inside is not None:
            self._insert(comprehension.GuardOp(inside), first)
        *variables, element = generator.elements
        read = tensor.ExtractOp(generator.collection, indices, element.type)
        value = self._insert(read, first).results[0]
        element.replace_all_uses_with(named(value, element))
        for guard in place.guards:
            Rewriter.erase_op(guard)
        for variable, index in zip(variables, indices, strict=True):
            variable.replace_all_uses_with(index)
        Rewriter.erase_op(generator)
        return True

    def _range(self, generator: comprehension.EachOp, axis: int) -> SSAValue:
        """A range over the indices of an axis that are not computed."""
        extent = driver_dimensions(generator.collection, self.driver)[axis]
        last = self.driver.insert(arith.SubiOp(extent, self.driver.index(1)))
        range = comprehension.RangeOp(self.driver.index(0), last)
        return named(self._insert(range, generator).results[0], generator.elements[axis])

    def _read_probe(self, probe: comprehension.ProbeOp) -> bool:
        """A read on a condition: zero, and no element, where its place lies outside."""
        if not self._is_readable(probe.collection):
            return False
        if not any(map(self._is_computed, probe.keys)):
            return False
        (element,) = probe.values
        inside = self._test(probe.collection, probe.keys, probe)
        if inside is None:
            inside = self._insert(constant_op(IntegerAttr(1, i1)), probe).results[0]
        read = tensor.ExtractOp(probe.collection, probe.keys, element.type)
        zero = constant_op(zero_of(element.type))
        then, otherwise = Block([read]), Block([zero])
        then.add_op(scf.YieldOp(read.result))
        otherwise.add_op(scf.YieldOp(zero.results[0]))
        choice = scf.IfOp(inside, [element.type], Region(then), Region(otherwise))
        self._insert(choice, probe)
        for op in choice.walk():
            located(op, probe)
        element.replace_all_uses_with(named(choice.results[0], element))
        probe.found.replace_all_uses_with(inside)
        Rewriter.erase_op(probe)
        return True

    def _insert(self, op: Operation, before: Operation) -> Operation:
        Rewriter.insert_op(located(op, before), InsertPoint.before(before))
        return op

    def _as_index(self, value: SSAValue, before: Operation) -> SSAValue:
        if isinstance(value.type, IndexType):
            return value
        return self._insert(arith.IndexCastOp(value, IndexType()), before).results[0]

    def _test(
        self, array: SSAValue, indices: Sequence[SSAValue], before: Operation
    ) -> SSAValue | None:
        """Whether a place lies inside an array, as far as that is not known; None if it does."""
        tests: list[SSAValue] = []
        for index, extent in zip(indices, driver_dimensions(array, self.driver), strict=True):
            form = linear_form(index)
            if not is_at_least(form, LinearSum()):
                zero = self.driver.index(0)
                tests.append(self._insert(arith.CmpiOp(index, zero, "sge"), before).results[0])
            if not is_at_least(linear_form(extent), form + 1):
                tests.append(self._insert(arith.CmpiOp(index, extent, "slt"), before).results[0])
        if not tests:
            return None
        inside = tests[0]
        for test in tests[1:]:
            inside = self._insert(arith.AndIOp(inside, test), before).results[0]
        return inside


def _is_dense(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType) and not tensor_block.is_sparse(tensor_type(value))
