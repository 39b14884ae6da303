"""A comprehension over aligned arrays: what its values depend on, and ops over its index space.

Reads the `comprehension` level, writes single ops of the `tensor_block` level. For the query

    %i, %k, %a = each %A; %kk, %j, %b = each %B; guard %kk == %k; %v = mulf %a, %b

`dependences([%v])` is {0, 1, 2}, and `reduce("add", …)` over dimension 1 inserts

    tensor_block.contract add (%A[d0, d2], %B[d2, d1]) …
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, TensorType
from xdsl.ir import Attribute, Operation, Region, SSAValue

from diablo.dialects import comprehension, tensor_block
from diablo.lowering.tensor_block.body_emitter import BodyEmitter, Driver, Finish, scalar_body
from diablo.lowering.tensor_block.index_space import IndexSpace, access_map
from diablo.lowering.tensor_block.query import Query, Unrecognised, backward_slice, tensor_type
from diablo.passes.analyses.speculation import can_trap

Fill = Callable[[BodyEmitter, Sequence[SSAValue]], SSAValue]
"""Computes a body's value from its elements (the indices are bound already)."""


@dataclass(frozen=True)
class Operand:
    """An array read at some dimensions: an input of an iteration op."""

    array: SSAValue
    access: tuple[int, ...]


def element_type(array: SSAValue) -> Attribute:
    """The element type of an array value."""
    return tensor_type(array).get_element_type()


class ArrayQuery:
    """A query with its index space. `keys` and `reduced` number its dimensions."""

    def __init__(self, query: Query, driver: Driver):
        self.query = query
        self.driver = driver
        self.root = query.root
        self.space = IndexSpace(query, driver)
        self.keys: tuple[int, ...] = ()
        self.reduced: tuple[int, ...] = ()

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
        variables = [*self.space.position, *self.space.accesses]
        return [v for v in variables if v in used]

    def dependences(self, values: Sequence[SSAValue]) -> frozenset[int]:
        """The dimensions that `values` vary with."""
        result: set[int] = set()
        for leaf in self.leaves(values):
            if leaf in self.space.position:
                result.add(self.space.position[leaf])
            else:
                result.update(self.space.accesses[leaf])
        return frozenset(result)

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
            argument.name_hint = dimension.variables[0].name_hint
            for variable in dimension.variables:
                emitter.environment[variable] = index

    def _name_of(self, operand: Operand) -> str | None:
        """What the comprehension calls the elements of `operand`."""
        for element, access in self.space.accesses.items():
            same_array = self.space.generator_of[element].collection is operand.array
            if same_array and access == operand.access:
                return element.name_hint
        return None

    def operands_of(self, leaves: Sequence[SSAValue]) -> dict[SSAValue, Operand]:
        """The arrays behind the element variables among `leaves`."""
        return {
            leaf: Operand(self.space.generator_of[leaf].collection, self.space.accesses[leaf])
            for leaf in leaves
            if leaf in self.space.accesses
        }

    def tiled(self) -> bool:
        """Whether the query's arrays are distributed."""
        arrays = [g.collection for g in self.space.generator_of.values()]
        return any(tensor_block.is_tiled(t.type) for t in (*self.root.results, *arrays))

    def intermediate_type(self, element: Attribute, rank: int) -> Attribute:
        """The type of a dense array of the query's kind, or the scalar type for rank 0."""
        if rank == 0:
            return element
        local: TensorType[Attribute] = TensorType(element, [DYNAMIC_INDEX] * rank)
        return tensor_block.tiled_type(local) if self.tiled() else local

    def _body(self, operands: Sequence[Operand], iteration: tuple[int, ...], fill: Fill) -> Region:
        """The body of an op over `iteration`, with the indices bound and the elements named."""
        arguments = [IndexType()] * len(iteration) + [element_type(o.array) for o in operands]

        def body(emitter: BodyEmitter, args: Sequence[SSAValue]) -> Sequence[SSAValue]:
            self.bind(emitter, iteration, args)
            elements = args[len(iteration) :]
            for element, operand in zip(elements, operands, strict=True):
                element.name_hint = self._name_of(operand)
            return [fill(emitter, elements)]

        return scalar_body(arguments, self.root.location, body)

    def reduce(
        self,
        monoid: str,
        operands: Sequence[Operand],
        parallel: tuple[int, ...],
        reduced: tuple[int, ...],
        element: Attribute,
        fill: Fill,
    ) -> Operand:
        """A `contract` if two inputs share every reduced dimension, else a `reduce`."""
        iteration = parallel + reduced
        if not operands:
            raise Unrecognised("a reduction runs over no array")
        joined = len(operands) == 2 and all(set(reduced) <= set(o.access) for o in operands)
        read = {d for o in operands for d in o.access}
        joined = joined and set(iteration) <= read
        kind = tensor_block.ContractOp if joined else tensor_block.ReduceOp
        op = kind(
            monoid,
            [o.array for o in operands],
            self.space.sizes(iteration),
            len(parallel),
            [access_map(o.access, iteration) for o in operands],
            self._body(operands, iteration, fill),
            self.intermediate_type(element, len(parallel)),
        )
        return Operand(self.driver.insert(op), parallel)

    def map(
        self,
        operands: Sequence[Operand],
        iteration: tuple[int, ...],
        result_type: Attribute,
        fill: Fill,
    ) -> SSAValue:
        """A `map` over the dimensions `iteration`, or a `generate` if it has no operands."""
        region = self._body(operands, iteration, fill)
        extents = self.space.sizes(iteration)
        if not operands:
            return self.driver.insert(tensor_block.GenerateOp(extents, region, result_type))
        maps = [access_map(o.access, iteration) for o in operands]
        arrays = [o.array for o in operands]
        return self.driver.insert(tensor_block.MapOp(arrays, extents, maps, region, result_type))

    def guards_inside(self, value: SSAValue) -> list[comprehension.GuardOp]:
        """The guards that the reduction of `value` has to evaluate itself."""
        inside = [g for g in self.query.guards if not self.is_outer(g)]
        if any(map(can_trap, self.slice([value, *[g.condition for g in inside]]))):
            return list(self.query.guards)
        return inside

    def is_outer(self, guard: comprehension.GuardOp) -> bool:
        """Whether a guard may be tested once for all that is reduced together.

        One that can trap may not: it counts only where an iteration reaches it.
        """
        if not self.reduced:
            return True
        if any(map(can_trap, self.slice([guard.condition]))):
            return False
        return not self.dependences([guard.condition]) & set(self.reduced)

    def reduced_conditions(self) -> bool:
        """Whether some range does not cover the reduced dimension it runs over."""
        return any(self.space.dimensions[d].conditions for d in self.reduced)

    def ordered(self, wanted: Sequence[SSAValue], guards: Sequence[Operation]) -> list[Operation]:
        """What `wanted` needs and the `guards`, in program order."""
        needed = backward_slice(wanted, self.query.block)
        return [op for op in self.query.lets if op in needed or op in guards]

    def conditional(
        self,
        emitter: BodyEmitter,
        numbers: Sequence[int],
        then: Finish,
        otherwise: Finish,
        types: Sequence[Attribute],
    ) -> Sequence[SSAValue]:
        """`then` where the indices lie in the ranges of the dimensions `numbers`."""
        condition: SSAValue | None = None
        for number in numbers:
            dimension = self.space.dimensions[number]
            for predicate, bound in dimension.conditions:
                emitter.clone(self.slice([bound]))
                index = emitter.lookup(dimension.variables[0])
                test = emitter.add(arith.CmpiOp(index, emitter.lookup(bound), predicate))
                condition = (
                    test if condition is None else emitter.add(arith.AndIOp(condition, test))
                )
        if condition is None:
            return then(emitter)
        return emitter.when(condition, then, otherwise, types)
