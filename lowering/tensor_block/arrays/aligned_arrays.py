"""Comprehensions over arrays with aligned indices as `map` and `reduce`.

Reads the `comprehension` level, writes the `tensor_block` level.

    build (%n, %m) {                                  tensor_block.reduce add
      %i, %k, %a = each %A                              (%A[d0, d2], %B[d2, d1])
      %kk, %j, %b = each %B; guard %kk == %k    ==>     dims (%n, %m, %l)
      %v = mulf %a, %b                                  { yield %l * %r }
      group_by keys(%i, %j) values(%v); reduce add …

Every reduction becomes ops of its own (array_reductions.py); one final `map` over the key
dimensions computes the head from their results, unless a reduction already is the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from diablo.dialects import comprehension, tensor_block
from diablo.lowering.tensor_block.arrays.array_copies import without_copy
from diablo.lowering.tensor_block.arrays.array_operands import Operand, picked
from diablo.lowering.tensor_block.arrays.array_query import ArrayQuery
from diablo.lowering.tensor_block.arrays.array_reductions import (
    Compute,
    FinalInputs,
    Reductions,
    counts_rows,
)
from diablo.lowering.tensor_block.arrays.group_presence import GroupPresence
from diablo.lowering.tensor_block.arrays.sparse_results import (
    check_dense_result,
    check_sparse_result,
)
from diablo.lowering.tensor_block.arrays.stored_tests import StoredTests
from diablo.lowering.tensor_block.query.body_emitter import BodyEmitter, Driver, Finish, scalar_body
from diablo.lowering.tensor_block.query.linear_equations import VariableForm
from diablo.lowering.tensor_block.query.query import STORED_ONLY, Query, tensor_type
from diablo.lowering.tensor_block.query.query_results import result_keys
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.affine_values import known_index, underlying
from diablo.passes.analyses.values.monoid_identities import is_identity


class AlignedArrays:
    """Plans one query. `lower()` returns the value that replaces the root.

    With `fast_math`, sums are split where their terms may cancel.
    """

    def __init__(self, query: Query, driver: Driver, fast_math: bool):
        self.array = ArrayQuery(query, driver, result_keys(query))
        self.final = FinalInputs()
        self._stored = StoredTests(self.array)
        """The sparse elements that the final map tests to be stored."""
        self.reductions = Reductions(self.array, self.final, fast_math)

    def lower(self) -> SSAValue:
        """Emit the ops that compute the root; return its value."""
        self._choose_extents()
        root = self.array.root
        if isinstance(root, comprehension.AggregateOp):
            return self._lower_aggregate(root)
        if isinstance(root, comprehension.MergeOp):
            return self._lower_merge(root)
        return self._lower_build()

    def _choose_extents(self) -> None:
        root = self.array.root
        for axis, number in enumerate(self.array.keys):
            if isinstance(root, comprehension.BuildOp):
                extent = root.dims[axis]
            else:
                assert isinstance(root, comprehension.MergeOp)
                extent = self.array.space.array_extent(root.dest, axis)
            self.array.space.set_key_extent(number, extent)
        for number in self.array.reduced:
            self.array.space.set_reduced_extent(number)
        self.array.space.complete_conditions()

    def _lower_aggregate(self, root: comprehension.AggregateOp) -> SSAValue:
        monoid, value = root.monoid.data, self.array.query.head.values[0]
        compute = self.reductions.plan(monoid, value)
        guards = self._outer_guards()
        self._need([g.condition for g in guards])
        if self.final.operands:
            raise Refused("an element is read at one place only")
        ops = self.array.ordered([g.condition for g in guards], guards)
        conditions = self.array.key_conditions()
        if any(c.bound is not None and self.array.query.binds(c.bound) for c in conditions):
            raise Refused("a place is compared with an element")

        def nothing(emitter: BodyEmitter) -> Sequence[SSAValue]:
            return [emitter.identity(monoid, value.type, root)]

        def guarded(emitter: BodyEmitter) -> Sequence[SSAValue]:
            return emitter.guarded(ops, lambda e: [compute(e)], nothing, [value.type])

        def inside(emitter: BodyEmitter) -> SSAValue:
            (result,) = self.array.conditional(emitter, conditions, guarded, nothing, [value.type])
            return result

        return self._scalar(inside)

    def _scalar(self, compute: Compute) -> SSAValue:
        """Evaluate `compute` on the driver, for a result without key dimensions."""
        block = self.array.root.parent
        assert block is not None

        def body(emitter: BodyEmitter, _: Sequence[SSAValue]) -> Sequence[SSAValue]:
            self.array.bind(emitter, (), ())  # indices at one place
            return [compute(emitter)]

        region = scalar_body([], self.array.root.location, body)
        last = region.block.last_op
        assert isinstance(last, tensor_block.YieldOp)
        value = last.values[0]
        for op in list(region.block.ops):
            op.detach()
            if op is not last:
                self.array.driver.insert(op)
        last.erase()
        return value

    def _final_map(
        self,
        fill: Callable[[BodyEmitter], Sequence[SSAValue]],
        otherwise: Callable[[BodyEmitter], Sequence[SSAValue]],
    ) -> SSAValue:
        """One `map` over the key dimensions; `fill` sees slots and elements bound."""
        type = tensor_type(self.array.root.results[0])
        element = type.get_element_type()

        def stored(emitter: BodyEmitter) -> Sequence[SSAValue]:
            return self._stored.inside(emitter, fill, otherwise)

        def conditional(emitter: BodyEmitter) -> Sequence[SSAValue]:
            conditions = self.array.key_conditions()
            return self.array.conditional(emitter, conditions, stored, otherwise, [element])

        def body(emitter: BodyEmitter, elements: Sequence[SSAValue]) -> SSAValue:
            self.final.enter(emitter, elements)
            (value,) = self._stored.outside(emitter, conditional)
            return value

        result = self.array.map(self.final.operands, self.array.keys, type, body)
        check_sparse_result(result, self.array, tested=bool(self._stored.elements))
        if self._stored.elements and not tensor_block.is_sparse(type):
            check_dense_result(result, self.array)
        return result

    def _need(self, values: Sequence[SSAValue]) -> None:
        """Make the elements that `values` read inputs of the final map."""
        for leaf, operand in self.array.operands_of(self.array.leaves(values)).items():
            if not self._stored.elements and self.array.space.is_stored_only(leaf):
                raise Refused(STORED_ONLY)
            self.final.bind(leaf, operand)

    def _need_stored(self) -> None:
        """The elements that have to be stored where a value is computed are inputs as well."""
        elements = self.reductions.stored.elements
        self._stored = StoredTests(self.array, elements)
        for element, operand in self.array.operands_of(elements).items():
            self.final.bind(element, operand)

    def _outer_guards(self) -> list[comprehension.GuardOp]:
        """The guards that the final map evaluates: those that vary with the keys alone."""
        return [g for g in self.array.query.guards if self.array.is_outer(g)]

    def _lower_merge(self, root: comprehension.MergeOp) -> SSAValue:
        value = self.array.query.head.values[0]
        old = Operand(root.dest, picked(self.array.keys))
        monoid = root.monoid.data if root.monoid is not None else None
        if monoid is None and self.array.reduced:
            raise Refused("an element is written more than once")
        guards = self._outer_guards()
        if not self.array.reduced:
            self._need_stored()
        self._need([g.condition for g in guards])
        self._need_conditions()
        if self.array.reduced:
            assert monoid is not None
            update: Compute = self.reductions.plan(monoid, value)
            ops = self.array.ordered([g.condition for g in guards], guards)
        else:
            self._need([value])
            ops = self.array.ordered([value, *[g.condition for g in guards]], guards)
            update = _Lookup(value)
        conditional = bool(guards) or bool(self.array.key_conditions() or self._stored.inner)
        alone = monoid is None or (bool(self.array.reduced) and _is_of_identities(root))
        slot = self.final.slot(old) if conditional or not alone else None

        def keep(emitter: BodyEmitter) -> Sequence[SSAValue]:
            assert slot is not None
            return [self.final.value(slot)]

        def write(emitter: BodyEmitter) -> Sequence[SSAValue]:
            new = update(emitter)
            if alone:
                return [new]
            assert monoid is not None
            assert slot is not None
            return [emitter.combine(monoid, self.final.value(slot), new, root)]

        result = self._final_map(
            lambda emitter: emitter.guarded(ops, write, keep, [value.type]), keep
        )
        return without_copy(result, self.array.driver) if alone else result

    def _need_conditions(self) -> None:
        self._need([c.bound for c in self.array.key_conditions() if c.bound is not None])

    def _lower_build(self) -> SSAValue:
        query = self.array.query
        value = query.head.values[0]
        guards = self._outer_guards()
        if query.group is None and not self.array.reduced:
            self._need_stored()
        self._need([g.condition for g in guards])
        self._need_conditions()
        if query.group is None:
            if self.array.reduced:
                raise Refused("an element is written more than once")
            self._need([value])
            ops = self.array.ordered([value, *[g.condition for g in guards]], guards)
            return self._finish_build(ops, lambda emitter: [emitter.lookup(value)])
        return self._lower_group(query.group, guards, value)

    def _lower_group(
        self,
        group: comprehension.GroupByOp,
        guards: Sequence[comprehension.GuardOp],
        value: SSAValue,
    ) -> SSAValue:
        grouped: dict[SSAValue, SSAValue] = dict(zip(group.bags, group.values, strict=True))
        reductions: dict[SSAValue, Compute] = {}
        needs_presence = False
        count: Compute | None = None
        for op in self.array.query.after:
            if not isinstance(op, comprehension.ReduceOp):
                if any(operand in grouped for operand in op.operands):
                    raise Refused("a group is used other than by a reduction")
                continue
            inner = grouped[op.bag]
            reductions[op.result] = self.reductions.plan(op.monoid.data, inner)
            if counts_rows(op, inner):
                count = reductions[op.result]
            guarded = bool(self.array.guards_inside(inner))
            tested = bool(self.array.reduced_conditions())
            partial = guarded or tested or bool(self.reductions.stored)
            plain = monoid_named(op.monoid.data).neutral_zero and value is op.result
            needs_presence |= (partial or self._may_be_empty()) and not plain
        presence: Compute | None = None
        if needs_presence:
            presence = GroupPresence(self.array, self.reductions).plan(group, count)
        ops = self.array.ordered([g.condition for g in guards], guards)
        source: dict[SSAValue, SSAValue] = dict(zip(group.group_keys, group.keys, strict=True))
        results = [underlying(key) for key in self.array.query.head.keys]

        def after(emitter: BodyEmitter) -> Sequence[SSAValue]:
            for result, number in zip(results, self.array.keys, strict=True):
                # What a key is computed from may be reduced; the key itself is the point's index.
                key = emitter.environment.get(underlying(source[result]))
                if key is None:
                    key = self.array.computed(emitter, VariableForm.of(number))
                if result.type != key.type:
                    key = emitter.add(arith.IndexCastOp(key, result.type))
                emitter.environment[result] = key
            for result, compute in reductions.items():
                emitter.environment[result] = compute(emitter)
            rest = [
                op for op in self.array.query.after if not isinstance(op, comprehension.ReduceOp)
            ]
            return emitter.guarded(rest, lambda e: [e.lookup(value)], self._implicit, [value.type])

        def grouped_value(emitter: BodyEmitter) -> Sequence[SSAValue]:
            if presence is None:
                return after(emitter)
            return emitter.when(presence(emitter), after, self._implicit, [value.type])

        return self._finish_build(ops, grouped_value)

    def _implicit(self, emitter: BodyEmitter) -> Sequence[SSAValue]:
        type = tensor_type(self.array.root.results[0])
        return [emitter.zero(type.get_element_type())]

    def _may_be_empty(self) -> bool:
        sizes = [known_index(self.array.space.dimensions[d].size) for d in self.array.reduced]
        return any(size is None or size <= 0 for size in sizes)

    def _finish_build(
        self,
        ops: Sequence[Operation],
        finish: Finish,
    ) -> SSAValue:
        type = tensor_type(self.array.root.results[0])
        result = self._final_map(
            lambda emitter: emitter.guarded(ops, finish, self._implicit, [type.get_element_type()]),
            self._implicit,
        )
        return without_copy(result, self.array.driver)


def _is_of_identities(root: comprehension.MergeOp) -> bool:
    """Return whether each element that is updated is the identity of the monoid."""
    made = root.dest.owner
    if root.monoid is None or not isinstance(made, tensor_block.MapOp):
        return False
    end = made.body.block.last_op
    assert isinstance(end, tensor_block.YieldOp)
    return len(end.values) == 1 and is_identity(end.values[0], root.monoid.data, root)


@dataclass(frozen=True)
class _Lookup:
    """Computes a value that the body has already."""

    value: SSAValue

    def __call__(self, emitter: BodyEmitter) -> SSAValue:
        return emitter.lookup(self.value)
