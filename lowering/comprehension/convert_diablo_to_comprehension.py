"""Convert `diablo` (mutable variables, bulk loops) to `comprehension` (values).

Reads `diablo`, `scf`, `arith`, `tensor` and comprehensions that load variables; writes
`comprehension`, `scf`, `arith` and `tensor`. Variables become SSA values, carried through
`scf.while` and `scf.if` where these write them. Each statement of a loop nest becomes one
bulk update over the whole iteration space:

```mlir
diablo.for %i = %zero to %last {
  %a = diablo.load %A[%i] : !diablo.ref<tensor<?xf64>>
  diablo.accumulate add %a, %P[%i] : !diablo.ref<tensor<?xf64>>
}
```

becomes, with `%A0` and `%P0` for what the variables held,

```mlir
%P1 = comprehension.merge add %P0 : tensor<?xf64> {
  %i = comprehension.range %zero to %last
  %a = tensor.extract %A0[%i] : tensor<?xf64>
  comprehension.yield (%i) %a
}
```

A read of an element inside a comprehension drops the iteration if the index is outside the
array; `comprehension-normalize` makes that a generator and guards.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import arith, cf, func, scf, tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from diablo.diagnostics import CompileError, Diagnostic
from diablo.dialects import comprehension, diablo
from diablo.dialects.encodings import as_array
from diablo.dialects.locations import located, span_of
from diablo.lowering.comprehension.bulk_loops import (
    BulkLoops,
    Scope,
    Write,
    variable_name,
    written_variables,
)
from diablo.lowering.comprehension.bulk_statements import Guard, Qualifier
from diablo.lowering.comprehension.monoid_values import Monoids, monoids_of
from diablo.lowering.comprehension.ordered_loops import ReadGuards, counted_while, is_ordered
from diablo.lowering.comprehension.ordered_rows import number_rows
from diablo.passes.analyses.values.comprehension_structure import Root

State = dict[SSAValue, SSAValue]
"""What each variable (a `diablo.var` reference) holds at one point of the program."""

_NO_KEY = "the map has no such key"
_NO_ELEMENT = "there is no such element"


def _uses_foreign_variable(op: Operation) -> bool:
    refs = [op.ref] if isinstance(op, diablo.LoadOp) else []
    if isinstance(op, Write):
        refs = written_variables(op)
    return any(not isinstance(ref.owner, diablo.VarOp) for ref in refs)


def hint(ref: SSAValue) -> str:
    """The variable's name as a name of values, in which not every character may stand."""
    name = re.sub(r"\W", "_", variable_name(ref), flags=re.ASCII)
    return name if name[:1].isalpha() else f"_{name}"


def _written(regions: Sequence[Region], state: State) -> list[SSAValue]:
    """The variables of `state` that ops in `regions` write, in order of the first write."""
    refs: dict[SSAValue, None] = {}
    for region in regions:
        for op in region.walk():
            if isinstance(op, Write):
                refs |= dict.fromkeys(ref for ref in written_variables(op) if ref in state)
    return list(refs)


@dataclass
class Conversion:
    """The translation of one function; `errors` holds what could not be translated."""

    monoids: Monoids = field(default_factory=dict[str, comprehension.MonoidOp])
    errors: list[Diagnostic] = field(default_factory=list[Diagnostic])
    variables: list[diablo.VarOp] = field(default_factory=list[diablo.VarOp])
    guards: ReadGuards = field(default_factory=ReadGuards)
    """What tests the reads of ordered loops."""

    def error(self, op: Operation, message: str, hint: str | None = None) -> None:
        """Note that `op` cannot be translated."""
        self.errors.append(Diagnostic("error", message, span_of(op), hint))

    # Straight-line code

    def block(self, block: Block, state: State) -> None:
        """Translate the ops of `block` in order, updating `state`."""
        for op in list(block.ops):
            match op:
                case diablo.VarOp():
                    state[op.ref] = op.init
                    if op.init.name_hint is None:
                        op.init.name_hint = hint(op.ref)
                    self.variables.append(op)
                case diablo.LoadOp():
                    for guard in self.load(op, state):
                        if isinstance(guard, Guard):
                            found = cf.AssertOp(guard.condition, _NO_KEY)
                            block.insert_op_after(located(found, guard.op), guard.op)
                case diablo.RequireOp():
                    found = cf.AssertOp(op.condition, _NO_ELEMENT)
                    block.insert_op_before(located(found, op), op)
                    op.result.replace_all_uses_with(op.value)
                    block.erase_op(op)
                case diablo.StoreOp() | diablo.AccumulateOp() | diablo.AccumulatePartsOp():
                    root = Scope(block)
                    BulkLoops(self, state, root).write(op, root)
                    block.erase_op(op)
                case diablo.ForOp() if is_ordered(op):
                    self.ordered_loop(op, state)
                case diablo.ForOp() | diablo.ForeachOp():
                    root = Scope(block)
                    BulkLoops(self, state, root).loop(op, root)
                    block.erase_op(op)
                case scf.WhileOp():
                    self.while_loop(op, state)
                case scf.IfOp() if _written(op.regions, state):
                    self.conditional(op, state)
                case scf.IfOp():
                    for branch in op.regions:
                        for branch_block in branch.blocks:
                            self.block(branch_block, dict(state))
                case _:
                    self.nested_loads(op, state)

    def load(self, op: diablo.LoadOp, state: State) -> list[Qualifier]:
        """Read a variable, whose value is known here, or an element of it.

        An element of an array is `tensor.extract`ed, that of a map looked for: the result are
        these ops, and the guard of what needs the map's element.
        """
        block = op.parent
        assert block is not None
        value = state[op.ref]
        read: list[Qualifier] = []
        if op.indices and as_array(value.type) is not None:
            extract = located(tensor.ExtractOp(value, op.indices, op.result.type), op)
            extract.result.name_hint = op.result.name_hint
            block.insert_op_before(extract, op)
            value = extract.result
            read.append(extract)
        elif op.indices:
            probe = located(comprehension.ProbeOp(value, op.indices), op)
            probe.values[0].name_hint = op.result.name_hint
            block.insert_op_before(probe, op)
            value = probe.values[0]
            read += [probe, Guard(probe.found, negated=False, op=probe, protects=value)]
        name = value.name_hint
        op.result.replace_all_uses_with(value)
        if name is not None:
            value.name_hint = name
        block.erase_op(op)
        return read

    def require(self, op: diablo.RequireOp) -> list[Qualifier]:
        """Use what is required behind a guard, which is the last of the result.

        Where its value has other uses as well, this one gets a name of its own.
        """
        value, block = op.value, op.parent
        assert block is not None
        read: list[Qualifier] = []
        owner = value.owner
        if isinstance(owner, Block) or owner.parent is not block or not value.has_one_use():
            same = located(arith.SelectOp(op.condition, value, value), op)
            block.insert_op_before(same, op)
            value = same.result
            read.append(same)
        read.append(Guard(op.condition, negated=False, op=op, protects=value))
        op.result.replace_all_uses_with(value)
        block.erase_op(op)
        return read

    def nested_loads(self, op: Operation, state: State) -> None:
        """Translate the reads inside an op that only reads (a comprehension, say)."""
        for inner in list(op.walk()):
            block = inner.parent
            read: list[Qualifier] = []
            if isinstance(inner, diablo.LoadOp):
                read = self.load(inner, state)
            elif isinstance(inner, diablo.RequireOp):
                read = self.require(inner)
            elif inner.dialect_name() == "diablo":
                self.error(inner, "an assignment inside an expression is not supported yet")
            for guard in read:
                if isinstance(guard, Guard) and block is not None:
                    self.guard_nested(guard, block)

    def guard_nested(self, guard: Guard, block: Block) -> None:
        """Let a comprehension go on only where a read of a map in it finds something."""
        if isinstance(block.parent_op(), Root):
            test = located(comprehension.GuardOp(guard.condition), guard.op)
            block.insert_op_after(test, guard.op)
        else:
            self.error(guard.op, "reading a map in a part of an expression is not supported yet")

    def assign(self, ref: SSAValue, value: SSAValue, state: State) -> None:
        """Let a variable hold a value."""
        state[ref] = value
        if value.name_hint is None:
            value.name_hint = hint(ref)

    def ordered_loop(self, op: diablo.ForOp, state: State) -> None:
        """Run a loop in order, as a `while` does."""
        self.guards.guard(op)
        self.while_loop(counted_while(op), state)

    def while_loop(self, op: scf.WhileOp, state: State) -> None:
        """Carry the variables that the loop writes: one more argument and result each."""
        refs = _written(op.regions, state)
        before, after = op.before_region.block, op.after_region.block
        results: list[list[SSAValue]] = []
        for block in (before, after):
            inner = dict(state)
            for ref in refs:
                arg = block.insert_arg(state[ref].type, len(block.args), op.location)
                arg.name_hint = hint(ref)
                inner[ref] = arg
            self.block(block, inner)
            results.append([inner[ref] for ref in refs])
        condition, end = before.last_op, after.last_op
        assert isinstance(condition, scf.ConditionOp)
        assert end is not None
        before.insert_op_before(
            located(scf.ConditionOp(condition.condition, *condition.args, *results[0]), condition),
            condition,
        )
        before.erase_op(condition)
        after.insert_op_before(located(scf.YieldOp(*end.operands, *results[1]), end), end)
        after.erase_op(end)
        loop = scf.WhileOp(
            [*op.arguments, *(state[ref] for ref in refs)],
            [*op.result_types, *(state[ref].type for ref in refs)],
            *[op.detach_region(region) for region in list(op.regions)],
        )
        self.replace(op, loop, refs, state)

    def conditional(self, op: scf.IfOp, state: State) -> None:
        """Let both branches yield the variables that one of them writes."""
        refs = _written(op.regions, state)
        branches: list[Region] = []
        for region in list(op.regions):
            op.detach_region(region)
            if not region.blocks:
                region.add_block(Block([located(scf.YieldOp(), op)]))
            block = region.block
            inner = dict(state)
            self.block(block, inner)
            end = block.last_op
            assert isinstance(end, scf.YieldOp)
            values = [inner[ref] for ref in refs]
            block.insert_op_before(located(scf.YieldOp(*end.operands, *values), end), end)
            block.erase_op(end)
            branches.append(region)
        types = [*op.result_types, *(state[ref].type for ref in refs)]
        new = scf.IfOp(op.cond, types, branches[0], branches[1])
        self.replace(op, new, refs, state)

    def replace(
        self,
        op: scf.WhileOp | scf.IfOp,
        new: scf.WhileOp | scf.IfOp,
        refs: Sequence[SSAValue],
        state: State,
    ) -> None:
        """Put `new` in the place of `op`; its last results are the variables' new values."""
        block = op.parent
        assert block is not None
        new.attributes |= op.attributes
        block.insert_op_before(located(new, op), op)
        for old_result, new_result in zip(op.results, new.results, strict=False):
            old_result.replace_all_uses_with(new_result)
        for ref, result in zip(refs, new.results[len(op.results) :], strict=True):
            result.name_hint = hint(ref)
            state[ref] = result
        block.erase_op(op)


@dataclass(frozen=True)
class ConvertDiabloToComprehensionPass(ModulePass):
    """Turn variables into SSA values and loop nests into bulk updates."""

    name = "convert-diablo-to-comprehension"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Convert every function; raise a `CompileError` with all that cannot be."""
        conversion = Conversion(monoids_of(op))
        for function in op.walk():
            if not isinstance(function, func.FuncOp) or not function.body.blocks:
                continue
            foreign = [op for op in function.walk() if _uses_foreign_variable(op)]
            for inner in foreign:
                conversion.error(inner, "only a variable of the function itself can be converted")
            if foreign:
                continue
            number_rows(function)
            if len(function.body.blocks) == 1:
                conversion.block(function.body.block, {})
            elif any(inner.dialect_name() == "diablo" for inner in function.walk()):
                conversion.error(function, "a function of several blocks cannot be converted")
        if conversion.errors:
            raise CompileError(conversion.errors)
        for variable in reversed(conversion.variables):
            variable.detach()
            variable.erase()
