"""Write out loops of few iterations that step through an array of arrays.

```mlir
%k1, %R1 = scf.while (%k = %c2, %A = %R) {
  %more = arith.cmpi sgt, %k, %c0
  scf.condition(%more) %k, %A                   %0 = tensor.extract %R[%c2]
} do {                                          %1 = func.call @coarser(%n, %0)
^bb0(%k: index, %A: …):                         %R0 = tensor.insert %1 into %R[%c1]
  %next = arith.subi %k, %c1             ==>    %2 = tensor.extract %R0[%c1]
  %0 = tensor.extract %A[%k]                    %3 = func.call @coarser(%n, %2)
  %1 = func.call @coarser(%n, %0)               %R1 = tensor.insert %3 into %R0[%c0]
  %B = tensor.insert %1 into %A[%next]
  scf.yield %next, %B
}
```

What is read of such an array is another array in each iteration, of other extents: of the grids of
a multigrid method each has a place there. Written out, each is a value of its own, of which
`forward-elements` knows where it was made and how large it is. The kernels stay the same ones.

The integers that the loop carries have to be known in every iteration, and how often it runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func, scf, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects.encodings import holds_arrays
from diablo.dialects.locations import located, remark
from diablo.dialects.number_constants import constant_op
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.scalar_folding import fold
from diablo.passes.checkpoint_loops import CHECKPOINT
from diablo.passes.dead_ops import erase_dead

MOST_ITERATIONS = 16
"""How often a loop runs at most that is written out."""

Known = dict[SSAValue, int]
"""The integers that are known in one iteration."""


@dataclass(frozen=True)
class UnrollLoopsPass(ModulePass):
    """Write out loops of few iterations that step through an array of arrays."""

    name = "unroll-loops"
    most_ops: int = 2048
    """How many operations the loops of a function may become."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at the loops of every public function."""
        for function in [o for o in op.ops if isinstance(o, func.FuncOp)]:
            if function.sym_visibility is None and not function.is_declaration:
                unrolling = _Unrolling(self.most_ops)
                unrolling.look_into(function.body)
                if unrolling.room < self.most_ops:
                    erase_dead(function.body)


@dataclass
class _Unrolling:
    room: int
    """How many operations more there may be."""

    def look_into(self, region: Region) -> None:
        """Write out the loops of a region; the outer ones first, which say where inner ones end."""
        for op in [op for block in region.blocks for op in block.ops]:
            self._look_at(op)

    def _look_at(self, op: Operation) -> None:
        steps = _steps(op) if isinstance(op, scf.WhileOp) else None
        if isinstance(op, scf.WhileOp) and steps is not None:
            size = len(steps) * sum(1 for _ in op.walk())
            if size <= self.room:
                self.room -= size
                for made in list(_write_out(op, steps)):
                    self._look_at(made)
                return
            remark(op, f"the loop is not written out: it would be {size} operations")
        for region in op.regions:
            self.look_into(region)


def _steps(loop: scf.WhileOp) -> list[Known] | None:
    """What is known in each iteration, and at the test that ends the loop; None to leave it."""
    if CHECKPOINT in loop.attributes:
        return None
    before, after = loop.before_region.block, loop.after_region.block
    condition, end = before.last_op, after.last_op
    assert isinstance(condition, scf.ConditionOp)
    assert isinstance(end, scf.YieldOp)
    places = list(_places(loop))
    if not places:
        return None
    steps: list[Known] = []
    carried = [_integer(value) for value in loop.arguments]
    while len(steps) <= MOST_ITERATIONS:
        known = _known(zip(before.args, carried, strict=True))
        _evaluate(before, known)
        more = known.get(condition.condition)
        if more is None:
            return None
        steps.append(known)
        if not more:
            return steps
        passed = [known.get(value) for value in condition.args]
        known |= _known(zip(after.args, passed, strict=True))
        _evaluate(after, known)
        if not all(place in known for place in places):
            return None
        carried = [known[v] if v in known else _integer(v) for v in end.operands]
    return None


def _places(loop: scf.WhileOp) -> Iterator[SSAValue]:
    """The indices of arrays of arrays that the body computes, other ones in each iteration."""
    body = loop.after_region.block
    for op in body.ops:
        accesses = op.walk() if isinstance(op, scf.IfOp) else (op,)
        for access in accesses:
            match access:
                case tensor.ExtractOp() if holds_arrays(access.tensor.type):
                    indices = access.indices
                case tensor.InsertOp() if holds_arrays(access.dest.type):
                    indices = access.indices
                case _:
                    continue
            for index in indices:
                owner = index.owner
                if (owner if isinstance(owner, Block) else owner.parent) is body:
                    yield index


def _integer(value: SSAValue) -> int | None:
    number = constant_value(value)
    return number if isinstance(number, int) else None


def _known(values: Iterable[tuple[SSAValue, int | None]]) -> Known:
    return {value: number for value, number in values if number is not None}


def _evaluate(block: Block, known: Known) -> None:
    """Add the integers that the ops of a block make."""
    for op in block.ops:
        if len(op.results) != 1 or op.regions:
            continue
        if not isinstance(op.results[0].type, IntegerType | IndexType):
            continue
        operands = [known[v] if v in known else _integer(v) for v in op.operands]
        numbers = [number for number in operands if number is not None]
        if len(numbers) == len(operands):
            number = fold(op, numbers)
            if isinstance(number, int):
                known[op.results[0]] = number


def _write_out(loop: scf.WhileOp, steps: list[Known]) -> Iterator[Operation]:
    """Put what each iteration does before a loop, and erase that; yield what was put there."""
    before, after = loop.before_region.block, loop.after_region.block
    condition, end = before.last_op, after.last_op
    assert isinstance(condition, scf.ConditionOp)
    assert isinstance(end, scf.YieldOp)
    made: list[Operation] = []
    carried: list[SSAValue] = list(loop.arguments)
    passed: list[SSAValue] = []
    for number, known in enumerate(steps):
        values: dict[SSAValue, SSAValue] = dict(zip(before.args, carried, strict=True))
        made += _copied(before, values, known)
        passed = [values.get(value, value) for value in condition.args]
        if number < len(steps) - 1:
            values = dict(zip(after.args, passed, strict=True))
            made += _copied(after, values, known)
            carried = [values.get(value, value) for value in end.operands]
    Rewriter.insert_op(made, InsertPoint.before(loop))
    remark(loop, f"the loop is written out: its iterations are {len(steps) - 1}")
    for result, value in zip(loop.results, passed, strict=True):
        value.name_hint = value.name_hint or result.name_hint
        result.replace_all_uses_with(value)
    Rewriter.erase_op(loop)
    yield from made


def _copied(block: Block, values: dict[SSAValue, SSAValue], known: Known) -> Iterator[Operation]:
    """Yield copies of the ops of a block but the last; `values` gets what stands for what."""
    for op in list(block.ops)[:-1]:
        number = known.get(op.results[0]) if len(op.results) == 1 else None
        if number is None:
            copy = op.clone(values)
        else:
            copy = located(constant_op(IntegerAttr(number, op.results[0].type)), op)  # pyright: ignore
            copy.results[0].name_hint = op.results[0].name_hint
            values[op.results[0]] = copy.results[0]
        yield copy
