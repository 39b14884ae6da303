"""Write a loop that counts twice: without tests, for where a test before it finds all inside.

    %j = scf.while …                 %inside = … %i and %n - 1 are below the extent of %V
      tensor.extract %V[%j]    =>    scf.if %inside {
                                       scf.while … { ask; scf.while … { memref.load %V[%j] } }
                                     } else { scf.while … { ask; test %j; memref.load %V[%j] } }

What counts, and where the count says what is read, `loop_counts.py` finds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects import arith, scf, tensor
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from diablo.dialects.locations import located
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.native_loops.loop_counts import CountedLoop, PlaceTest, ends_of, numbers_among
from diablo.lowering.native_loops.native_loop_code import ITERATIONS, NativeCode
from diablo.lowering.native_loops.range_tests import write_range_test
from diablo.passes.analyses.values.affine_values import constant_value


@dataclass
class CountedLoops:
    """Writes loops that count; `write_block` writes the ops of a block but its last."""

    code: NativeCode
    write_block: Callable[[Block], None]
    counted: CountedLoop | None = None
    """The loop that is written, where a test before it has found that it stays inside arrays."""
    in_part: SSAValue | None = None
    """Whether the count is within the part of it that is written, instead of its own test."""

    def write(
        self, op: scf.WhileOp, counted: CountedLoop, write_tested: Callable[[scf.WhileOp], None]
    ) -> None:
        """Write a loop; `write_tested` writes it with all tests."""
        first = self.code.values[op.arguments[counted.number]]
        safe, last = write_range_test(
            counted, first, lambda v: self._outside(v, op), self._extent_of, self.code.add
        )
        results = [result for result in op.results if not is_tensor(result.type)]
        outer = self.code.into(Block())
        self.counted = counted
        self._in_parts(op, counted, last)
        self.counted = None
        self.code.block.add_op(scf.YieldOp(*[self.code.values[result] for result in results]))
        inside = self.code.into(Block())
        write_tested(op)
        self.code.block.add_op(scf.YieldOp(*[self.code.values[result] for result in results]))
        testing = self.code.into(outer)
        self.code.like = op
        types = [result.type for result in results]
        choice = scf.IfOp(safe, types, Region(inside), Region(testing))
        self.code.block.add_op(located(choice, op))
        for result, value in zip(results, choice.results, strict=True):
            value.name_hint = result.name_hint
            self.code.values[result] = value

    def _outside(self, value: SSAValue, loop: scf.WhileOp) -> SSAValue:
        """Return the value here of one from outside of a loop, or the extent of an array in it."""
        extent = value.owner
        if isinstance(extent, tensor.DimOp) and loop.is_ancestor(extent):
            axis = constant_value(extent.index)
            assert isinstance(axis, int)
            return self.code.extent(extent.source, axis)
        return self.code.values[value]

    def _extent_of(self, place: PlaceTest) -> SSAValue:
        access = place.access
        assert isinstance(access, tensor.ExtractOp | tensor.InsertOp)
        assert place.axis is not None
        array = access.tensor if isinstance(access, tensor.ExtractOp) else access.dest
        return self.code.extent(array, place.axis)

    def _in_parts(self, op: scf.WhileOp, counted: CountedLoop, last: SSAValue) -> None:
        """Write a loop that stays inside its arrays: a loop of parts, before each of which it asks.

        Within a part it tests neither indices nor whether it is to end.
        """
        before, after = op.before_region.block, op.after_region.block
        condition, end = ends_of(op)
        carried, passed = numbers_among(before.args), numbers_among(condition.args)
        count = len(passed) + carried.index(counted.number)
        step = counted.step
        outer = self.code.block

        def test(block: Block, stop: SSAValue | None) -> list[Attribute]:
            """Write the test of a loop, which hands on what the body is given and carries."""
            for k, argument in zip(carried, block.args, strict=True):
                argument.name_hint = before.args[k].name_hint
                self.code.values[before.args[k]] = argument
            self.code.into(block)
            if stop is not None:
                at = self.code.word(self.code.values[counted.counter])
                self.in_part = self.code.add(arith.CmpiOp(at, stop, "slt" if step > 0 else "sgt"))
            self.write_block(before)
            self.in_part = None
            self.code.like = op
            go_on = self.code.values[condition.condition]
            values = [*[self.code.narrow(condition.args[k]) for k in passed], *block.args]
            block.add_op(scf.ConditionOp(go_on, *values))
            return [value.type for value in values]

        given = [self.code.values[op.arguments[k]] for k in carried]
        whole_test = Block(arg_types=[value.type for value in given])
        types = test(whole_test, None)
        whole_body = Block(arg_types=types)
        self.code.into(whole_body)
        self.code.ask()
        begin = self.code.word(whole_body.args[count])
        behind = self.code.add(arith.AddiOp(last, self.code.integer(1 if step > 0 else -1)))
        far = self.code.add(
            arith.AddiOp(begin, self.code.integer(step * max(1, ITERATIONS // abs(step))))
        )
        stop = self.code.add((arith.MinSIOp if step > 0 else arith.MaxSIOp)(behind, far))
        part_test = Block(arg_types=types[len(passed) :])
        test(part_test, stop)
        part_body = Block(arg_types=types)
        self.code.into(part_body)
        for k, argument in zip(passed, part_body.args, strict=False):
            argument.name_hint = after.args[k].name_hint
            self.code.values[after.args[k]] = argument
        self.write_block(after)
        self.code.like = op
        part_body.add_op(scf.YieldOp(*[self.code.narrow(end.operands[k]) for k in carried]))
        self.code.into(whole_body)
        arguments = whole_body.args[len(passed) :]
        part = scf.WhileOp(arguments, types, Region(part_test), Region(part_body))
        whole_body.add_op(located(part, op))
        distance = self.code.add(arith.SubiOp(self.code.word(part.results[count]), begin))
        self.code.count_points(self.code.add(arith.DivSIOp(distance, self.code.integer(step))))
        whole_body.add_op(scf.YieldOp(*part.results[len(passed) :]))
        self.code.into(outer)
        new = scf.WhileOp(given, types, Region(whole_test), Region(whole_body))
        self.code.block.add_op(located(new, op))
        for k, result in zip(passed, new.results, strict=False):
            result.name_hint = op.results[k].name_hint
            self.code.values[op.results[k]] = result

    def is_test(self, op: Operation) -> bool:
        """Return whether an op is the test that ends the loop."""
        return self.counted is not None and op is self.counted.test

    def is_tested(self, op: Operation, axis: int | None) -> bool:
        """Return whether a test before the loop has found that an index is inside."""
        places = () if self.counted is None else self.counted.places
        return any(place.access is op and place.axis == axis for place in places)
