"""Comprehensions over arrays with aligned indices as `map`, `reduce` and `contract`.

Reads the `comprehension` level, writes the `tensor_block` level.

    build (%n, %m) {                                  tensor_block.contract add
      %i, %k, %a = each %A                              (%A[d0, d2], %B[d2, d1])
      %kk, %j, %b = each %B; guard %kk == %k    ==>     dims (%n, %m | %l)
      %v = mulf %a, %b                                  { yield %l * %r }
      group_by keys(%i, %j) values(%v); reduce add …

Every reduction becomes ops of its own (`Reduction`); one final `map` over the key dimensions
computes the head from their results, unless a reduction already is the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IndexType, TensorType, i1
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from diablo.dialects import comprehension, monoids, tensor_block
from diablo.lowering.body_emitter import BodyEmitter, Driver, scalar_body
from diablo.lowering.index_space import IndexSpace, access_map, constant_value
from diablo.lowering.query import Query, Unrecognised, backward_slice, may_trap, underlying
from diablo.lowering.sum_of_products import Term, sum_of_products

Compute = Callable[[BodyEmitter], SSAValue]
"""Emits a value into the body of the final map."""


@dataclass(frozen=True)
class Operand:
    """An array read at some dimensions: an input of an iteration op."""

    array: SSAValue
    access: tuple[int, ...]


class Inputs:
    """The inputs of the op that is being planned, without duplicates."""

    def __init__(self) -> None:
        self.operands: list[Operand] = []

    def slot(self, operand: Operand) -> int:
        """The number of `operand`, which is added if it is new."""
        if operand not in self.operands:
            self.operands.append(operand)
        return self.operands.index(operand)


class AlignedArrays:
    """Plans one query. `lower()` returns the value that replaces the root."""

    def __init__(self, query: Query, driver: Driver):
        self.query = query
        self.driver = driver
        self.root = query.root
        self.space = IndexSpace(query, driver)
        self.keys: tuple[int, ...] = ()
        self.reduced: tuple[int, ...] = ()
        self.inputs = Inputs()
        """The inputs of the final map."""

    # ---- what the query depends on -------------------------------------------------

    def _slice(self, values: Sequence[SSAValue]) -> list[Operation]:
        """The ops before the group-by that `values` need, in order."""
        needed = backward_slice(values, self.query.block)
        return [op for op in self.query.lets if op in needed]

    def _leaves(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """The generator variables that `values` are computed from, in order of binding."""
        used = set(values)
        for op in self._slice(values):
            for inner in op.walk():
                used.update(inner.operands)
        variables = [*self.space.position, *self.space.accesses]
        return [v for v in variables if v in used]

    def _dependences(self, values: Sequence[SSAValue]) -> frozenset[int]:
        """The dimensions that `values` vary with."""
        result: set[int] = set()
        for leaf in self._leaves(values):
            if leaf in self.space.position:
                result.add(self.space.position[leaf])
            else:
                result.update(self.space.accesses[leaf])
        return frozenset(result)

    # ---- bodies --------------------------------------------------------------------

    def _bind(
        self, emitter: BodyEmitter, iteration: tuple[int, ...], arguments: Sequence[SSAValue]
    ) -> None:
        """Give the index variables of `iteration` their body arguments."""
        for number, argument in zip(iteration, arguments, strict=False):
            dimension = self.space.dimensions[number]
            index = argument
            if dimension.shift is not None:
                index = emitter.add(arith.AddiOp(argument, dimension.shift))
            for variable in dimension.variables:
                emitter.environment[variable] = index

    def _operands_of(self, leaves: Sequence[SSAValue]) -> dict[SSAValue, Operand]:
        """The arrays behind the element variables among `leaves`."""
        return {
            leaf: Operand(self.space.generator_of[leaf].collection, self.space.accesses[leaf])
            for leaf in leaves
            if leaf in self.space.accesses
        }

    def _tiled(self) -> bool:
        arrays = [g.collection for g in self.space.generator_of.values()]
        return any(tensor_block.is_tiled(t.type) for t in (*self.root.results, *arrays))

    def _intermediate_type(self, element: Attribute, rank: int) -> Attribute:
        if rank == 0:
            return element
        local: TensorType[Attribute] = TensorType(element, [-1] * rank)
        return tensor_block.tiled_type(local) if self._tiled() else local

    def _reduce(
        self,
        monoid: str,
        operands: Sequence[Operand],
        parallel: tuple[int, ...],
        reduced: tuple[int, ...],
        element: Attribute,
        fill: Callable[[BodyEmitter, Sequence[SSAValue]], SSAValue],
    ) -> Operand:
        """A `contract` if there are two inputs that share every reduced dimension, or a `reduce`."""
        iteration = parallel + reduced
        if not operands:
            raise Unrecognised("a reduction runs over no array")
        joined = len(operands) == 2 and all(
            set(reduced) <= set(o.access) for o in operands
        )
        read = {d for o in operands for d in o.access}
        joined = joined and set(iteration) <= read
        kind = tensor_block.ContractOp if joined else tensor_block.ReduceOp
        arguments = [IndexType()] * len(iteration) + [_element(o.array) for o in operands]

        def body(emitter: BodyEmitter, args: Sequence[SSAValue]) -> Sequence[SSAValue]:
            self._bind(emitter, iteration, args)
            return [fill(emitter, args[len(iteration) :])]

        op = kind(
            monoid,
            [o.array for o in operands],
            self.space.sizes(iteration),
            len(parallel),
            [access_map(o.access, iteration) for o in operands],
            scalar_body(arguments, self.root.location, body),
            self._intermediate_type(element, len(parallel)),
        )
        return Operand(self.driver.insert(op), parallel)

    def _map(
        self,
        operands: Sequence[Operand],
        iteration: tuple[int, ...],
        result_type: Attribute,
        fill: Callable[[BodyEmitter, Sequence[SSAValue]], SSAValue],
    ) -> SSAValue:
        arguments = [IndexType()] * len(iteration) + [_element(o.array) for o in operands]

        def body(emitter: BodyEmitter, args: Sequence[SSAValue]) -> Sequence[SSAValue]:
            self._bind(emitter, iteration, args)
            return [fill(emitter, args[len(iteration) :])]

        region = scalar_body(arguments, self.root.location, body)
        extents = self.space.sizes(iteration)
        if not operands:
            return self.driver.insert(tensor_block.GenerateOp(extents, region, result_type))
        maps = [access_map(o.access, iteration) for o in operands]
        arrays = [o.array for o in operands]
        return self.driver.insert(
            tensor_block.MapOp(arrays, extents, maps, region, result_type)
        )

    # ---- reductions ----------------------------------------------------------------

    def _guards_inside(self, value: SSAValue) -> list[Operation]:
        """The guards that the reduction of `value` has to evaluate itself."""
        if any(may_trap(op) for op in self._slice([value])):
            return list(self.query.guards)
        varying = set(self.reduced)
        return [g for g in self.query.guards if self._dependences([g.condition]) & varying]

    def _reduced_conditions(self) -> bool:
        return any(self.space.dimensions[d].conditions for d in self.reduced)

    def plan_reduction(self, monoid: str, value: SSAValue) -> Compute:
        """Reduce `value` over the reduced dimensions; say how the final map reads the result."""
        guarded = bool(self._guards_inside(value)) or self._reduced_conditions()
        stored = {e for e in self.space.accesses if self.space.is_stored_only(e)}
        if monoid != "add" or guarded:
            if stored:
                raise Unrecognised("only the stored entries of a sparse array take part")
            return self._general_reduction(monoid, value)
        terms = sum_of_products(value, self.query.block)
        if any(not stored <= set(term.factors) for term in terms):
            raise Unrecognised("only the stored entries of a sparse array take part")
        computes = [self._plan_term(term, value.type) for term in terms]

        def compute(emitter: BodyEmitter) -> SSAValue:
            total = computes[0](emitter)
            if terms[0].sign < 0:
                total = emitter.add(_subtract(emitter.zero(value.type), total))
            for term, part in zip(terms[1:], computes[1:], strict=True):
                other = part(emitter)
                total = emitter.add(
                    monoids.combine("add", total, other)
                    if term.sign > 0
                    else _subtract(total, other)
                )
            return total

        return compute

    def _general_reduction(self, monoid: str, value: SSAValue) -> Compute:
        """One `reduce` whose body evaluates guards and value at every point."""
        inside = self._guards_inside(value)
        conditions = [g.condition for g in inside if isinstance(g, comprehension.GuardOp)]
        bounds = [b for d in self.reduced for _, b in self.space.dimensions[d].conditions]
        wanted = [value, *conditions, *bounds]
        leaves = self._leaves(wanted)
        operands = self._operands_of(leaves)
        dependences = self._dependences(wanted)
        parallel = tuple(d for d in self.keys if d in dependences)
        ops = self._ordered(wanted, inside)

        def fill(emitter: BodyEmitter, elements: Sequence[SSAValue]) -> SSAValue:
            emitter.environment.update(zip(operands, elements, strict=True))
            (result,) = self._conditional(
                emitter,
                self.reduced,
                lambda body: body.guarded(
                    ops,
                    lambda inner: [inner.lookup(value)],
                    lambda inner: [inner.identity(monoid, value.type)],
                    [value.type],
                ),
                lambda body: [body.identity(monoid, value.type)],
                [value.type],
            )
            return result

        result = self._reduce(
            monoid, list(operands.values()), parallel, self.reduced, value.type, fill
        )
        return self._read(result)

    def _ordered(
        self, wanted: Sequence[SSAValue], guards: Sequence[Operation]
    ) -> list[Operation]:
        needed = backward_slice(wanted, self.query.block)
        return [op for op in self.query.lets if op in needed or op in guards]

    def _conditional(
        self,
        emitter: BodyEmitter,
        numbers: Sequence[int],
        then: Callable[[BodyEmitter], Sequence[SSAValue]],
        otherwise: Callable[[BodyEmitter], Sequence[SSAValue]],
        types: Sequence[Attribute],
    ) -> Sequence[SSAValue]:
        """`then` where the indices lie in the ranges of the dimensions `numbers`."""
        condition: SSAValue | None = None
        for number in numbers:
            dimension = self.space.dimensions[number]
            for predicate, bound in dimension.conditions:
                emitter.clone(self._slice([bound]))
                index = emitter.lookup(dimension.variables[0])
                test = emitter.add(arith.CmpiOp(index, emitter.lookup(bound), predicate))
                condition = (
                    test if condition is None else emitter.add(arith.AndIOp(condition, test))
                )
        if condition is None:
            return then(emitter)
        return emitter.when(condition, then, otherwise, types)

    def _read(self, operand: Operand) -> Compute:
        """Read a reduction's result: an input of the final map, or a driver scalar."""
        if not operand.access:
            return lambda emitter: operand.array
        slot = self.inputs.slot(operand)
        return lambda emitter: emitter.lookup(self._slots[slot])

    def _plan_term(self, term: Term, type: Attribute) -> Compute:
        """Reduce one product: outer factors stay out of the sum, inner ones are contracted."""
        varying = set(self.reduced)
        inner = [f for f in term.factors if self._dependences([f]) & varying]
        outer = [f for f in term.factors if f not in inner]
        if any(f in self.space.accesses and self.space.is_stored_only(f) for f in outer):
            raise Unrecognised("a sparse array is read outside the reduced dimensions")
        for leaf, operand in self._operands_of(self._leaves(outer)).items():
            self._final_elements[leaf] = self.inputs.slot(operand)
        parts: list[Compute] = [lambda e, f=f: self._outer(e, f) for f in outer]
        touched = {d for f in inner for d in self._dependences([f])} & varying
        for number in self.reduced:
            if number not in touched:
                parts.append(self._count(number, type))
        if inner:
            reduced = tuple(d for d in self.reduced if d in touched)
            parts += [self._read(o) for o in self._contract(inner, reduced, type)]

        def compute(emitter: BodyEmitter) -> SSAValue:
            product = parts[0](emitter)
            for part in parts[1:]:
                product = emitter.add(monoids.combine("mul", product, part(emitter)))
            return product

        return compute

    def _outer(self, emitter: BodyEmitter, factor: SSAValue) -> SSAValue:
        emitter.clone(self._slice([factor]))
        return emitter.lookup(factor)

    def _count(self, number: int, type: Attribute) -> Compute:
        """The extent of a dimension over which a term is constant, as a number."""
        size = self.space.dimensions[number].size
        count = self.driver.insert(arith.IndexCastOp(size, _integer(type)))
        if isinstance(type, AnyFloat):
            count = self.driver.insert(arith.SIToFPOp(count, type))
        return lambda emitter: count

    def _contract(
        self, factors: Sequence[SSAValue], reduced: tuple[int, ...], type: Attribute
    ) -> list[Operand]:
        """The sum over `reduced` of the product of `factors`, as a product of operands."""
        groups = self._group_factors(factors)
        if len(groups) > 2:
            return [self._generic_product(factors, reduced, type)]
        operands = [self._operand(dims, members, type) for dims, members in groups]
        if len(operands) == 2:
            operands = [
                self._sum_out(operand, other, reduced, type)
                for operand, other in (operands, reversed(operands))
            ]
            if not set(reduced) & set(operands[0].access) & set(operands[1].access):
                return operands
        accessed = {d for o in operands for d in o.access}
        if len(operands) == 1 and tensor_block.is_sparse(operands[0].array.type):
            raise Unrecognised("a reduction of a sparse array alone runs over its rows")
        return [
            self._reduce(
                "add",
                operands,
                tuple(d for d in self.keys if d in accessed),
                tuple(d for d in reduced if d in accessed),
                type,
                _product,
            )
        ]

    def _group_factors(
        self, factors: Sequence[SSAValue]
    ) -> list[tuple[frozenset[int], list[SSAValue]]]:
        """Factors that vary with the same dimensions form one operand.

        While there are more than two, an operand that varies with a subset of another's
        dimensions joins it, unless one of them is a sparse array (which is kept whole).
        """
        groups: list[tuple[frozenset[int], list[SSAValue]]] = []
        for factor in factors:
            dims = self._dependences([factor])
            if not self._is_sparse(factor):
                same = next(
                    (g for g in groups if g[0] == dims and not self._is_sparse(g[1][0])), None
                )
                if same is not None:
                    same[1].append(factor)
                    continue
            groups.append((dims, [factor]))
        groups.sort(key=lambda g: len(g[0]))
        while len(groups) > 2:
            merged = False
            for small in groups:
                large = next(
                    (
                        g
                        for g in groups
                        if g is not small
                        and small[0] <= g[0]
                        and not any(map(self._is_sparse, (*g[1], *small[1])))
                    ),
                    None,
                )
                if large is not None:
                    large[1].extend(small[1])
                    groups.remove(small)
                    merged = True
                    break
            if not merged:
                break
        return groups

    def _is_sparse(self, factor: SSAValue) -> bool:
        generator = self.space.generator_of.get(factor)
        return generator is not None and tensor_block.is_sparse(generator.collection.type)

    def _operand(
        self, dims: frozenset[int], factors: Sequence[SSAValue], type: Attribute
    ) -> Operand:
        """The product of `factors` as an array: the array itself if it is one."""
        if len(factors) == 1 and factors[0] in self.space.accesses:
            generator = self.space.generator_of[factors[0]]
            return Operand(generator.collection, self.space.accesses[factors[0]])
        access = tuple(sorted(dims))
        operands = self._operands_of(self._leaves(factors))

        def fill(emitter: BodyEmitter, elements: Sequence[SSAValue]) -> SSAValue:
            emitter.environment.update(zip(operands, elements, strict=True))
            emitter.clone(self._slice(factors))
            return _product(emitter, [emitter.lookup(f) for f in factors])

        result_type = self._intermediate_type(type, len(access))
        return Operand(self._map(list(operands.values()), access, result_type, fill), access)

    def _sum_out(
        self, operand: Operand, other: Operand, reduced: tuple[int, ...], type: Attribute
    ) -> Operand:
        """Sum `operand` over the reduced dimensions that `other` does not vary with."""
        alone = tuple(d for d in reduced if d in operand.access and d not in other.access)
        if not alone:
            return operand
        if tensor_block.is_sparse(operand.array.type):
            raise Unrecognised("a sparse array is summed over a dimension of its own")
        kept = tuple(d for d in operand.access if d not in alone)
        return self._reduce(
            "add", [operand], kept, alone, type, lambda emitter, elements: elements[0]
        )

    def _generic_product(
        self, factors: Sequence[SSAValue], reduced: tuple[int, ...], type: Attribute
    ) -> Operand:
        """A product of more than two operands that differ in their dimensions."""
        if any(f in self.space.accesses and self.space.is_stored_only(f) for f in factors):
            raise Unrecognised("a sparse array is multiplied with more than one other array")
        operands = self._operands_of(self._leaves(factors))
        parallel = tuple(d for d in self.keys if d in self._dependences(factors))

        def fill(emitter: BodyEmitter, elements: Sequence[SSAValue]) -> SSAValue:
            emitter.environment.update(zip(operands, elements, strict=True))
            emitter.clone(self._slice(factors))
            return _product(emitter, [emitter.lookup(f) for f in factors])

        return self._reduce("add", list(operands.values()), parallel, reduced, type, fill)

    # ---- the final map -------------------------------------------------------------

    def lower(self) -> SSAValue:
        """Emit the ops that compute the root; return its value."""
        self._slots: list[SSAValue] = []
        self._final_elements: dict[SSAValue, int] = {}
        self._choose_keys()
        root = self.root
        if isinstance(root, comprehension.AggregateOp):
            compute = self.plan_reduction(root.monoid.data, self.query.head.values[0])
            return self._scalar(compute)
        if tensor_block.is_sparse(root.result.type) and (
            isinstance(root, comprehension.MergeOp) or self.query.guards
        ):
            raise Unrecognised("a sparse result has entries only where the guards hold")
        if isinstance(root, comprehension.MergeOp):
            return self._lower_merge(root)
        return self._lower_build()

    def _choose_keys(self) -> None:
        root, query = self.root, self.query
        if isinstance(root, comprehension.CollectOp):
            raise Unrecognised("the result is a list")
        keys = list(query.head.keys)
        if query.group is not None:
            if isinstance(root, comprehension.MergeOp | comprehension.AggregateOp):
                raise Unrecognised("grouped rows update an array")
            source = dict(zip(query.group.group_keys, query.group.keys, strict=True))
            if len(keys) != len(source) or any(underlying(k) not in source for k in keys):
                raise Unrecognised("the head's index is not the group's key")
            keys = [source[underlying(k)] for k in keys]
        numbers = tuple(self.space.key_dimension(k) for k in keys)
        if len(set(numbers)) < len(numbers):
            raise Unrecognised("an index is written twice in the key")
        self.keys = numbers
        self.reduced = tuple(
            d for d in range(len(self.space.dimensions)) if d not in numbers
        )
        for axis, number in enumerate(numbers):
            if isinstance(root, comprehension.BuildOp):
                extent = root.dims[axis]
            else:
                assert isinstance(root, comprehension.MergeOp)
                extent = self.space.array_extent(root.dest, axis)
            self.space.set_key_extent(number, extent)
        for number in self.reduced:
            self.space.set_reduced_extent(number)

    def _scalar(self, compute: Compute) -> SSAValue:
        """Evaluate `compute` on the driver, for a result without key dimensions."""
        block = self.root.parent
        assert block is not None
        region = scalar_body([], self.root.location, lambda e, _: [compute(e)])
        last = region.block.last_op
        assert isinstance(last, tensor_block.YieldOp)
        value = last.values[0]
        for op in list(region.block.ops):
            op.detach()
            if op is not last:
                self.driver.insert(op)
        last.erase()
        return value

    def _final_map(
        self, fill: Callable[[BodyEmitter], Sequence[SSAValue]], otherwise: Callable[[BodyEmitter], Sequence[SSAValue]]
    ) -> SSAValue:
        """One `map` over the key dimensions; `fill` sees slots and elements bound."""
        type = self.root.results[0].type
        assert isinstance(type, TensorType)
        element = type.get_element_type()

        def body(emitter: BodyEmitter, elements: Sequence[SSAValue]) -> SSAValue:
            self._slots = list(elements)
            for variable, slot in self._final_elements.items():
                emitter.environment[variable] = elements[slot]
            (value,) = self._conditional(emitter, self.keys, fill, otherwise, [element])
            return value

        return self._map(self.inputs.operands, self.keys, type, body)

    def _need(self, values: Sequence[SSAValue]) -> None:
        """Make the elements that `values` read inputs of the final map."""
        for leaf, operand in self._operands_of(self._leaves(values)).items():
            if self.space.is_stored_only(leaf):
                raise Unrecognised("only the stored entries of a sparse array take part")
            self._final_elements[leaf] = self.inputs.slot(operand)

    def _outer_guards(self) -> list[comprehension.GuardOp]:
        """The guards that the final map evaluates: those that vary with the keys alone."""
        varying = set(self.reduced)
        return [g for g in self.query.guards if not self._dependences([g.condition]) & varying]

    def _lower_merge(self, root: comprehension.MergeOp) -> SSAValue:
        value = self.query.head.values[0]
        old = Operand(root.dest, self.keys)
        monoid = root.monoid.data if root.monoid is not None else None
        if monoid is None and self.reduced:
            raise Unrecognised("an element is written more than once")
        guards = self._outer_guards()
        self._need([g.condition for g in guards])
        self._need_conditions()
        if self.reduced:
            assert monoid is not None
            update = self.plan_reduction(monoid, value)
            ops = self._ordered([g.condition for g in guards], guards)
        else:
            self._reject_unread()
            self._need([value])
            ops = self._ordered([value, *[g.condition for g in guards]], guards)
            update = lambda emitter: emitter.lookup(value)  # noqa: E731
        conditional = bool(guards) or any(
            self.space.dimensions[d].conditions for d in self.keys
        )
        slot = self.inputs.slot(old) if monoid is not None or conditional else None

        def keep(emitter: BodyEmitter) -> Sequence[SSAValue]:
            assert slot is not None
            return [self._slots[slot]]

        def write(emitter: BodyEmitter) -> Sequence[SSAValue]:
            new = update(emitter)
            if monoid is None:
                return [new]
            assert slot is not None
            return [emitter.add(monoids.combine(monoid, self._slots[slot], new))]

        return self._final_map(
            lambda emitter: emitter.guarded(ops, write, keep, [value.type]), keep
        )

    def _reject_unread(self) -> None:
        """Without a reduction, a sparse generator must be read in full."""
        for element in self.space.accesses:
            if self.space.is_stored_only(element):
                raise Unrecognised("only the stored entries of a sparse array take part")

    def _need_conditions(self) -> None:
        bounds = [b for d in self.keys for _, b in self.space.dimensions[d].conditions]
        if self._dependences(bounds) & set(self.reduced):
            raise Unrecognised("the range of a key depends on a reduced index")
        self._need(bounds)

    def _lower_build(self) -> SSAValue:
        query = self.query
        value = query.head.values[0]
        guards = self._outer_guards()
        self._need([g.condition for g in guards])
        self._need_conditions()
        if query.group is None:
            if self.reduced:
                raise Unrecognised("an element is written more than once")
            self._reject_unread()
            self._need([value])
            ops = self._ordered([value, *[g.condition for g in guards]], guards)
            return self._finish_build(ops, lambda emitter: [emitter.lookup(value)])
        return self._lower_group(query.group, guards, value)

    def _lower_group(
        self,
        group: comprehension.GroupByOp,
        guards: Sequence[comprehension.GuardOp],
        value: SSAValue,
    ) -> SSAValue:
        grouped = dict(zip(group.bags, group.values, strict=True))
        reductions: dict[SSAValue, Compute] = {}
        needs_presence = False
        for op in self.query.after:
            if not isinstance(op, comprehension.ReduceOp):
                if any(operand in grouped for operand in op.operands):
                    raise Unrecognised("a group is used other than by a reduction")
                continue
            inner = grouped[op.bag]
            reductions[op.result] = self.plan_reduction(op.monoid.data, inner)
            partial = bool(self._guards_inside(inner)) or self._reduced_conditions()
            plain = op.monoid.data == "add" and value is op.result
            needs_presence |= (partial or self._may_be_empty()) and not plain
        presence = self._plan_presence() if needs_presence else None
        ops = self._ordered([g.condition for g in guards], guards)
        keys = dict(zip(group.group_keys, group.keys, strict=True))

        def after(emitter: BodyEmitter) -> Sequence[SSAValue]:
            for result, key in keys.items():
                emitter.environment[result] = emitter.lookup(underlying(key))
                if result.type != emitter.environment[result].type:
                    emitter.environment[result] = emitter.add(
                        arith.IndexCastOp(emitter.environment[result], result.type)
                    )
            for result, compute in reductions.items():
                emitter.environment[result] = compute(emitter)
            rest = [op for op in self.query.after if not isinstance(op, comprehension.ReduceOp)]
            return emitter.guarded(
                rest, lambda e: [e.lookup(value)], self._implicit, [value.type]
            )

        def grouped_value(emitter: BodyEmitter) -> Sequence[SSAValue]:
            if presence is None:
                return after(emitter)
            return emitter.when(presence(emitter), after, self._implicit, [value.type])

        return self._finish_build(ops, grouped_value)

    def _implicit(self, emitter: BodyEmitter) -> Sequence[SSAValue]:
        type = self.root.results[0].type
        assert isinstance(type, TensorType)
        return [emitter.zero(type.get_element_type())]

    def _may_be_empty(self) -> bool:
        sizes = [constant_value(self.space.dimensions[d].size) for d in self.reduced]
        return any(size is None or size <= 0 for size in sizes)

    def _plan_presence(self) -> Compute:
        """Whether a key has any row: an absent group leaves the implicit value."""
        inside = any(self._guards_inside(v) for v in self._grouped_values())
        if inside or self._reduced_conditions():
            true = self.driver.insert(arith.ConstantOp.from_int_and_width(1, i1))
            return self._general_reduction("or", true)
        zero = self.driver.index(0)
        present: SSAValue | None = None
        for number in self.reduced:
            size = self.space.dimensions[number].size
            test = self.driver.insert(arith.CmpiOp(size, zero, "sgt"))
            present = (
                test
                if present is None
                else self.driver.insert(arith.AndIOp(present, test))
            )
        result = present
        if result is None:
            result = self.driver.insert(arith.ConstantOp.from_int_and_width(1, i1))
        return lambda emitter: result

    def _grouped_values(self) -> Sequence[SSAValue]:
        return tuple(self.query.group.values) if self.query.group is not None else ()

    def _finish_build(
        self,
        ops: Sequence[Operation],
        finish: Callable[[BodyEmitter], Sequence[SSAValue]],
    ) -> SSAValue:
        type = self.root.results[0].type
        assert isinstance(type, TensorType)
        result = self._final_map(
            lambda emitter: emitter.guarded(
                ops, finish, self._implicit, [type.get_element_type()]
            ),
            self._implicit,
        )
        return self._without_copy(result)

    def _without_copy(self, result: SSAValue) -> SSAValue:
        """A final map that only copies a reduction's result is that reduction."""
        op = result.owner
        if not isinstance(op, tensor_block.MapOp) or len(op.inputs) != 1:
            return result
        source, body = op.inputs[0], op.body.block
        first = body.first_op
        if not isinstance(first, tensor_block.YieldOp):
            return result
        value = first.values[0]
        rank = len(op.extents)
        if not (isinstance(value, BlockArgument) and value.index == rank):
            return result
        reducing = source.owner
        if not isinstance(reducing, tensor_block.ContractOp | tensor_block.ReduceOp):
            return result
        if op.maps.data[0].data != access_map(self.keys, self.keys):
            return result
        if tensor_block.is_sparse(result.type) and not all(
            tensor_block.is_sparse(i.type) for i in reducing.inputs
        ):
            return result
        new = reducing.clone()
        new.result._type = result.type  # pyright: ignore[reportPrivateUsage]
        replacement = self.driver.insert(new)
        op.detach()
        op.erase()
        if isinstance(source, OpResult) and not source.uses:
            reducing.detach()
            reducing.erase()
        return replacement


def _element(array: SSAValue) -> Attribute:
    assert isinstance(array.type, TensorType)
    return array.type.get_element_type()


def _integer(type: Attribute) -> Attribute:
    from xdsl.dialects.builtin import IntegerType, i64

    return type if isinstance(type, IntegerType) else i64


def _subtract(lhs: SSAValue, rhs: SSAValue) -> Operation:
    return arith.SubfOp(lhs, rhs) if isinstance(lhs.type, AnyFloat) else arith.SubiOp(lhs, rhs)


def _product(emitter: BodyEmitter, factors: Sequence[SSAValue]) -> SSAValue:
    product = factors[0]
    for factor in factors[1:]:
        product = emitter.add(monoids.combine("mul", product, factor))
    return product
