"""A comprehension over aligned arrays: what its values depend on, and ops over its index space.

Reads the `comprehension` level, writes single ops of the `tensor_block` level. For the query

    %i, %k, %a = each %A; %kk, %j, %b = each %B; guard %kk == %k; %v = mulf %a, %b

`dependences([%v])` is {0, 1, 2}, and `reduce("add", …)` over dimension 1 inserts

    tensor_block.reduce add (%A[d0, d2], %B[d2, d1]) …
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, TensorType
from xdsl.ir import Attribute, Operation, Region, SSAValue

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.predicates import MIRRORED
from diablo.linear_sums import LinearSum, term
from diablo.lowering.tensor_block.arrays.array_operands import (
    Operand,
    element_type,
    operand_maps,
    picked,
)
from diablo.lowering.tensor_block.query.body_emitter import BodyEmitter, Driver, Finish, scalar_body
from diablo.lowering.tensor_block.query.index_conditions import Condition, tightest
from diablo.lowering.tensor_block.query.index_space import IndexSpace
from diablo.lowering.tensor_block.query.linear_equations import VariableForm
from diablo.lowering.tensor_block.query.plan_sizes import driver_value, outside_form
from diablo.lowering.tensor_block.query.query import Query, backward_slice
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.linear_forms import LinearForm, write_linear_form
from diablo.passes.analyses.values.speculation import can_trap, is_pure


def sum_of_indices(
    emitter: BodyEmitter, driver: Driver, inside: LinearSum[int], outside: LinearForm
) -> SSAValue:
    """A sum of the indices that the body sees, and of a value from outside."""
    form = inside.renamed(emitter.indices.__getitem__)
    form += term(driver_value(driver, outside)) if outside.terms else outside.constant
    return write_linear_form(form, emitter.add)


def test_of_index(
    emitter: BodyEmitter, driver: Driver, condition: Condition, place: VariableForm
) -> SSAValue:
    """Compare an index with what does not vary; `place` is the index as the body sees it."""
    bound, predicate = condition.bound, condition.predicate
    inside, limit = place.inside, -place.outside
    if bound is not None:
        limit += outside_form(bound)
    if (-inside).alone is not None:
        inside, limit, predicate = -inside, -limit, MIRRORED[predicate]
    index = sum_of_indices(emitter, driver, inside, LinearForm())
    as_written = place == condition.index and place.alone is not None
    if as_written and bound is not None and isinstance(bound.type, IndexType):
        value = bound
    elif limit.terms:
        value = driver_value(driver, limit)
    else:
        value = emitter.constant(IntegerAttr(limit.constant, IndexType()))
    return emitter.add(arith.CmpiOp(index, value, predicate))


Fill = Callable[[BodyEmitter, Sequence[SSAValue]], SSAValue]
"""Computes a body's value from its elements (the indices are bound already)."""


class ArrayQuery:
    """A query with its index space. `keys` and `reduced` number its dimensions."""

    def __init__(self, query: Query, driver: Driver, keys: Sequence[SSAValue]):
        self.query = query
        self.driver = driver
        self.root = query.root
        self.space = IndexSpace(query, driver, keys)
        self.keys = self.space.key_dimensions
        self.reduced = tuple(d for d in range(len(self.space.dimensions)) if d not in self.keys)

    # ---- what the query depends on -------------------------------------------------

    def slice(self, values: Sequence[SSAValue]) -> list[Operation]:
        """The ops before the group-by that `values` need, in order."""
        needed = backward_slice(values, self.query.block)
        return [op for op in self.query.lets if op in needed]

    def leaves(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """The generator variables that `values` are computed from, in order of binding."""
        used = set(values)
        for op in self.slice(values):
            for inner in op.walk():
                used.update(inner.operands)
        variables = [*self.space.position, *self.space.sums, *self.space.accesses]
        return [v for v in variables if v in used]

    def dependences(self, values: Sequence[SSAValue]) -> frozenset[int]:
        """The dimensions that `values` vary with."""
        result: set[int] = set()
        for leaf in self.leaves(values):
            places = self.space.accesses.get(leaf) or (self.space.place(leaf),)
            result.update(d for place in places for d in place.dimensions)
        return frozenset(result)

    def dimensions_of(self, condition: Condition) -> frozenset[int]:
        """The dimensions that a condition varies with."""
        bound = [] if condition.bound is None else [condition.bound]
        return self.dependences(bound) | condition.dimensions

    # ---- bodies --------------------------------------------------------------------

    def bind(
        self, emitter: BodyEmitter, iteration: tuple[int, ...], arguments: Sequence[SSAValue]
    ) -> None:
        """Give the index variables of `iteration` their body arguments."""
        for number, argument in zip(iteration, arguments, strict=False):
            dimension = self.space.dimensions[number]
            index = argument
            if dimension.shift is not None:
                index = emitter.add(arith.AddiOp(argument, dimension.shift))
            emitter.indices[number] = argument
            argument.name_hint = dimension.name
            for variable in dimension.variables:
                emitter.environment[variable] = index
        for variable, place in self.space.sums.items():
            if set(place.dimensions) <= set(iteration):
                index = emitter.environment[variable] = self.computed(emitter, place)
                if index.owner is emitter.block.last_op:
                    index.name_hint = variable.name_hint

    def computed(self, emitter: BodyEmitter, place: VariableForm) -> SSAValue:
        """A sum of dimensions, computed in a body."""
        (place,) = self.space.absolute((place,))
        return sum_of_indices(emitter, self.driver, place.inside, place.outside)

    def _name_of(self, operand: Operand) -> str | None:
        """Return what the comprehension calls the elements of `operand`."""
        for element, access in self.space.accesses.items():
            same_array = self.space.array_of[element] is operand.array
            if same_array and self.space.absolute(access) == operand.access:
                return element.name_hint
        return None

    def operand_of(self, element: SSAValue) -> Operand:
        """The array that an element variable is read from.

        Where it is read at the indices of the point themselves, it has to have all of these.
        """
        access = self.space.absolute(self.space.accesses[element])
        picked = {where.alone for where in access} - {None}
        uncertain = any(c.source is element and c.predicate == "slt" for c in self.space.conditions)
        if uncertain and len(picked) == len(access):
            raise Refused("an array may be smaller than what is read of it")
        return Operand(self.space.array_of[element], access)

    def operands_of(self, leaves: Sequence[SSAValue]) -> dict[SSAValue, Operand]:
        """The arrays behind the element variables among `leaves`."""
        return {leaf: self.operand_of(leaf) for leaf in leaves if leaf in self.space.accesses}

    def tiled(self) -> bool:
        """Return whether the query's arrays are distributed."""
        arrays = list(self.space.array_of.values())
        return any(tensor_block.is_tiled(t.type) for t in (*self.root.results, *arrays))

    def intermediate_type(self, element: Attribute, rank: int) -> Attribute:
        """The type of a dense array of the query's kind, or the scalar type for rank 0."""
        if rank == 0:
            return element
        local: TensorType[Attribute] = TensorType(element, [DYNAMIC_INDEX] * rank)
        return tensor_block.tiled_type(local) if self.tiled() else local

    def _value_body(
        self, operands: Sequence[Operand], iteration: tuple[int, ...], fill: Fill
    ) -> Region:
        return self.body(operands, iteration, lambda emitter, args: [fill(emitter, args)])

    def body(
        self,
        operands: Sequence[Operand],
        iteration: tuple[int, ...],
        fill: Callable[[BodyEmitter, Sequence[SSAValue]], Sequence[SSAValue]],
    ) -> Region:
        """The body of an op over `iteration`, with the indices bound and the elements named."""
        arguments = [IndexType()] * len(iteration) + [element_type(o.array) for o in operands]

        def body(emitter: BodyEmitter, args: Sequence[SSAValue]) -> Sequence[SSAValue]:
            self.bind(emitter, iteration, args)
            elements = args[len(iteration) :]
            for element, operand in zip(elements, operands, strict=True):
                element.name_hint = self._name_of(operand)
            return fill(emitter, elements)

        region = scalar_body(arguments, self.root.location, body)
        for op in reversed(list(region.block.ops)):
            if op.results and is_pure(op) and not any(result.uses for result in op.results):
                op.detach()
                op.erase()
        return region

    def reduce(
        self,
        monoid: str,
        operands: Sequence[Operand],
        parallel: tuple[int, ...],
        reduced: tuple[int, ...],
        element: Attribute,
        fill: Fill,
    ) -> Operand:
        """A `reduce` of what `fill` computes, over the dimensions `reduced`."""
        iteration = parallel + reduced
        if not iteration:
            raise Refused("a reduction runs over no array")
        maps, symbols = operand_maps(operands, iteration, self.driver)
        op = tensor_block.ReduceOp(
            monoid,
            [o.array for o in operands],
            self.space.sizes(iteration),
            len(parallel),
            maps,
            self._value_body(operands, iteration, fill),
            self.intermediate_type(element, len(parallel)),
            symbols=symbols,
        )
        return Operand(self.driver.insert(op), picked(parallel))

    def map(
        self,
        operands: Sequence[Operand],
        iteration: tuple[int, ...],
        result_type: Attribute,
        fill: Fill,
    ) -> SSAValue:
        """A `map` over the dimensions `iteration`."""
        region = self._value_body(operands, iteration, fill)
        extents = self.space.sizes(iteration)
        maps, symbols = operand_maps(operands, iteration, self.driver)
        arrays = [o.array for o in operands]
        return self.driver.insert(
            tensor_block.MapOp(arrays, extents, maps, region, result_type, symbols=symbols)
        )

    def guards_inside(self, value: SSAValue) -> list[comprehension.GuardOp]:
        """The guards that the reduction of `value` has to evaluate itself."""
        if self._can_fail_inside(value):
            return list(self.query.guards)
        return self._inner_guards()

    def conditions_inside(self, value: SSAValue) -> list[Condition]:
        """The conditions that the reduction of `value` has to test: all where it may fail."""
        if self._can_fail_inside(value):
            return list(self.space.conditions)
        return self.reduced_conditions()

    def _can_fail_inside(self, value: SSAValue) -> bool:
        conditions = [guard.condition for guard in self._inner_guards()]
        return any(map(can_trap, self.slice([value, *conditions])))

    def _inner_guards(self) -> list[comprehension.GuardOp]:
        return [g for g in self.query.guards if not self.is_outer(g)]

    def is_outer(self, guard: comprehension.GuardOp) -> bool:
        """Return whether a guard may be tested once for all that is reduced together.

        One that can trap may not: it counts only where an iteration reaches it. Nor may one
        that reads an element if the result is a single value: nothing reads elements around it.
        """
        if not self.reduced:
            return True
        single = isinstance(self.root, comprehension.AggregateOp)
        if single and self.operands_of(self.leaves([guard.condition])):
            return False
        if any(map(can_trap, self.slice([guard.condition]))):
            return False
        return not self.dependences([guard.condition]) & set(self.reduced)

    def reduced_conditions(self) -> list[Condition]:
        """The conditions that the reductions have to test."""
        varying = set(self.reduced)
        return [c for c in self.space.conditions if self.dimensions_of(c) & varying]

    def key_conditions(self) -> list[Condition]:
        """The conditions that vary with the keys alone."""
        varying = set(self.reduced)
        return [c for c in self.space.conditions if not self.dimensions_of(c) & varying]

    def ordered(self, wanted: Sequence[SSAValue], guards: Sequence[Operation]) -> list[Operation]:
        """Return what `wanted` needs and the `guards`, in program order."""
        needed = backward_slice(wanted, self.query.block)
        return [op for op in self.query.lets if op in needed or op in guards]

    def conditional(
        self,
        emitter: BodyEmitter,
        conditions: Sequence[Condition],
        then: Finish,
        otherwise: Finish,
        types: Sequence[Attribute],
    ) -> Sequence[SSAValue]:
        """`then` where all `conditions` hold.

        Those that are the same for all points are tested within the others, which say what part
        of the points is to be gone through.
        """
        left = tightest(conditions)
        for some in ([c for c in left if not c.dimensions], [c for c in left if c.dimensions]):
            if some:
                then = self._where(some, then, otherwise, types)
        return then(emitter)

    def _where(
        self,
        conditions: Sequence[Condition],
        then: Finish,
        otherwise: Finish,
        types: Sequence[Attribute],
    ) -> Finish:
        """Return the function that emits `then` where all `conditions` hold."""

        def tested(emitter: BodyEmitter) -> Sequence[SSAValue]:
            tests = [self._test(emitter, condition) for condition in conditions]
            total = tests[0]
            for test in tests[1:]:
                total = emitter.add(arith.AndIOp(total, test))
            return emitter.when(total, then, otherwise, types)

        return tested

    def _test(self, emitter: BodyEmitter, condition: Condition) -> SSAValue:
        """Compare an index with its bound, which may be an element."""
        bound = condition.bound
        if bound is not None and self.query.binds(bound):
            emitter.clone(self.slice([bound]))
            index = self.computed(emitter, condition.index)
            return emitter.add(arith.CmpiOp(index, emitter.lookup(bound), condition.predicate))
        (place,) = self.space.absolute((condition.index,))
        return test_of_index(emitter, self.driver, condition, place)
