"""Appends arithmetic on indices, loads, branches and loops to a block.

    total = e.loop(begin, end, [zero], lambda inner, i, carried: [inner.add(carried[0], i)])

writes an `scf.for` that carries one value and returns its results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from diablo.dialects.number_constants import constant_op, index_attribute

Values = Sequence[SSAValue]
LoopBody = Callable[["Emitter", SSAValue, Values], Values]


class Emitter:
    """Appends ops, located where `source` is, to `block`.

    Constants are made once; an inner emitter knows those of the blocks around it.
    """

    def __init__(self, block: Block, source: Operation, outer: Emitter | None = None):
        self.block = block
        self.source = source
        self._constants: dict[int, SSAValue] = {} if outer is None else dict(outer._constants)

    def put(self, op: Operation, hint: str | None = None) -> Operation:
        """Append an op."""
        op.location = self.source.location
        self.block.add_op(op)
        if hint is not None:
            for result in op.results:
                result.name_hint = hint
        return op

    def value(self, op: Operation, hint: str | None = None) -> SSAValue:
        """Append an op and return its result."""
        return self.put(op, hint).results[0]

    # Numbers

    def index(self, number: int) -> SSAValue:
        """The constant `number`."""
        if number not in self._constants:
            hint = {0: "zero", 1: "one"}.get(number)
            constant = constant_op(index_attribute(number))
            self._constants[number] = self.value(constant, hint)
        return self._constants[number]

    def boolean(self, value: bool) -> SSAValue:
        """A constant truth value."""
        return self.value(arith.ConstantOp(IntegerAttr.from_bool(value)))

    def as_index(self, value: SSAValue) -> SSAValue:
        """An integer that is an index, as an element may be."""
        if isinstance(value.type, IndexType):
            return value
        return self.value(arith.IndexCastOp(value, IndexType()), value.name_hint)

    def add(self, left: SSAValue, right: SSAValue, hint: str | None = None) -> SSAValue:
        """The sum of two indices."""
        return self.value(arith.AddiOp(left, right), hint)

    def subtract(self, left: SSAValue, right: SSAValue, hint: str | None = None) -> SSAValue:
        """The difference of two indices."""
        return self.value(arith.SubiOp(left, right), hint)

    def multiply(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """The product of two indices."""
        return self.value(arith.MuliOp(left, right))

    def minimum(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """The less of two indices."""
        return self.value(arith.MinSIOp(left, right))

    def maximum(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """The greater of two indices."""
        return self.value(arith.MaxSIOp(left, right))

    def compare(self, predicate: str, left: SSAValue, right: SSAValue) -> SSAValue:
        """Return whether two indices compare so (`slt`, `eq`, …)."""
        return self.value(arith.CmpiOp(left, right, predicate))

    def both(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """Return whether two conditions hold."""
        return self.value(arith.AndIOp(left, right))

    def either(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """Return whether one of two conditions holds."""
        return self.value(arith.OrIOp(left, right))

    def select(self, test: SSAValue, then: SSAValue, otherwise: SSAValue) -> SSAValue:
        """One of two values."""
        return self.value(arith.SelectOp(test, then, otherwise))

    def flatten(self, indices: Values, extents: Values) -> SSAValue:
        """The row-major position of an index in a box."""
        if not indices:
            return self.index(0)
        flat = indices[0]
        for index, extent in zip(indices[1:], extents[1:], strict=True):
            flat = self.add(self.multiply(flat, extent), index)
        return flat

    def span(self, prefix: Values, extents: Values) -> tuple[SSAValue, SSAValue]:
        """The positions in a box of the indices that begin with `prefix`, as a range."""
        first = self.flatten(prefix, extents[: len(prefix)])
        last = self.add(first, self.index(1))
        for extent in extents[len(prefix) :]:
            first, last = self.multiply(first, extent), self.multiply(last, extent)
        return first, last

    def unflatten(self, flat: SSAValue, extents: Values) -> list[SSAValue]:
        """The index at a row-major position in a box."""
        indices: list[SSAValue] = []
        for extent in reversed(extents[1:]):
            indices.append(self.value(arith.RemUIOp(flat, extent)))
            flat = self.value(arith.DivUIOp(flat, extent))
        return [flat, *reversed(indices)] if extents else []

    # Memory

    def load(self, buffer: SSAValue, place: SSAValue, hint: str | None = None) -> SSAValue:
        """An index that a vector holds, of any width and without a sign."""
        loaded = self.value(memref.LoadOp.get(buffer, [place]), hint)
        if not isinstance(loaded.type, IndexType):
            if loaded.type != i64:
                loaded = self.value(arith.ExtUIOp(loaded, i64))
            loaded = self.value(arith.IndexCastOp(loaded, IndexType()), hint)
        return loaded

    def store(self, value: SSAValue, buffer: SSAValue, place: SSAValue) -> None:
        """Write an index to a vector of any width."""
        assert isinstance(buffer.type, MemRefType)
        element: Attribute = buffer.type.get_element_type()  # pyright: ignore
        if isinstance(element, IntegerType):
            value = self.value(arith.IndexCastOp(value, i64))
            if element != i64:
                value = self.value(arith.TruncIOp(value, element))  # pyright: ignore
        self.put(memref.StoreOp.get(value, buffer, [place]))

    def length(self, buffer: SSAValue) -> SSAValue:
        """Return how long a vector is."""
        return self.value(memref.DimOp(buffer, self.index(0)))

    def allocate(self, element: Attribute, length: SSAValue, hint: str) -> SSAValue:
        """A new vector."""
        type = MemRefType(element, [DYNAMIC_INDEX])
        return self.value(memref.AllocOp([length], [], type), hint)

    # Control

    def loop(
        self,
        begin: SSAValue,
        end: SSAValue,
        carried: Values,
        body: LoopBody,
        *,
        backwards: bool = False,
        hint: str | None = None,
    ) -> list[SSAValue]:
        """Run `body` for each number from `begin` to `end`, exclusive, and carry values."""
        inner_block = Block(arg_types=[IndexType(), *(value.type for value in carried)])
        counter = inner_block.args[0]
        for argument, value in zip(inner_block.args[1:], carried, strict=True):
            argument.name_hint = value.name_hint
        one, zero = self.index(1), self.index(0)
        inner = Emitter(inner_block, self.source, self)
        if backwards:
            last = self.subtract(end, one)
            length = self.subtract(end, begin)
            begin, end, counter = zero, length, inner.subtract(last, counter)
        counter.name_hint = hint
        results = body(inner, counter, inner_block.args[1:])
        inner.put(scf.YieldOp(*results))
        loop = self.put(scf.ForOp(begin, end, one, carried, inner_block))
        for result, value in zip(loop.results, carried, strict=True):
            result.name_hint = value.name_hint
        return list(loop.results)

    def branch(
        self,
        test: SSAValue,
        then: Callable[[Emitter], Values],
        otherwise: Callable[[Emitter], Values] | None = None,
    ) -> list[SSAValue]:
        """Compute values in one of two ways; without `otherwise` there are none."""
        blocks: list[Block] = []
        types: list[Attribute] = []
        for compute in (then, otherwise):
            if compute is None:
                continue
            inner = Emitter(Block(), self.source, self)
            values = compute(inner)
            types = [value.type for value in values]
            inner.put(scf.YieldOp(*values))
            blocks.append(inner.block)
        then_region, *others = [Region(block) for block in blocks]
        else_region = others[0] if others else None
        return list(self.put(scf.IfOp(test, types, then_region, else_region)).results)

    def guarded(self, tests: Values, then: Callable[[Emitter], None]) -> None:
        """Do what `then` writes where all `tests` hold."""
        if not tests:
            then(self)
            return
        test = tests[0]
        for other in tests[1:]:
            test = self.both(test, other)

        def taken(e: Emitter) -> Values:
            then(e)
            return []

        self.branch(test, taken)

    def repeat(
        self,
        initial: Values,
        test: Callable[[Emitter, Values], SSAValue],
        body: Callable[[Emitter, Values], Values],
    ) -> list[SSAValue]:
        """Let `body` change values while `test` holds of them."""
        types = [value.type for value in initial]
        before, after = Block(arg_types=types), Block(arg_types=types)
        for block in (before, after):
            for argument, value in zip(block.args, initial, strict=True):
                argument.name_hint = value.name_hint
        inner = Emitter(before, self.source, self)
        inner.put(scf.ConditionOp(test(inner, before.args), *before.args))
        inner = Emitter(after, self.source, self)
        inner.put(scf.YieldOp(*body(inner, after.args)))
        loop = scf.WhileOp(initial, types, Region(before), Region(after))
        return list(self.put(loop).results)

    def lower_bound(
        self,
        begin: SSAValue,
        end: SSAValue,
        before: Callable[[Emitter, SSAValue], SSAValue],
    ) -> SSAValue:
        """The first number from `begin` to `end` for which `before` fails, by halving.

        It holds up to some number and fails from there on.
        """

        def test(e: Emitter, ends: Values) -> SSAValue:
            return e.compare("slt", ends[0], ends[1])

        def halve(e: Emitter, ends: Values) -> Values:
            low, high = ends
            middle = e.value(arith.ShRUIOp(e.add(low, high), e.index(1)), "middle")
            holds = before(e, middle)
            after = e.add(middle, e.index(1))
            return [e.select(holds, after, low), e.select(holds, high, middle)]

        return self.repeat([begin, end], test, halve)[0]

    def nest(
        self,
        extents: Values,
        carried: Values,
        body: Callable[[Emitter, list[SSAValue], Values], Values],
        *,
        backwards: bool = False,
    ) -> Values:
        """Loops over all indices of a box."""
        if not extents:
            return body(self, [], carried)

        def outer(e: Emitter, index: SSAValue, values: Values) -> Values:
            return e.nest(
                extents[1:],
                values,
                lambda e, rest, values: body(e, [index, *rest], values),
                backwards=backwards,
            )

        return self.loop(self.index(0), extents[0], carried, outer, backwards=backwards)
