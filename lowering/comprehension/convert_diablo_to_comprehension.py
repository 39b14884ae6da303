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
from xdsl.dialects import func, scf, tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import IsTerminator

from diablo.diagnostics import CompileError, Diagnostic
from diablo.dialects import comprehension, diablo, monoids
from diablo.dialects.locations import located, span_of
from diablo.lowering.comprehension.bulk_statements import (
    Guard,
    Qualifier,
    comprehension_body,
)

State = dict[SSAValue, SSAValue]
"""What each variable (a `diablo.var` reference) holds at one point of the program."""

Write = diablo.StoreOp | diablo.AccumulateOp


def _variable_name(ref: SSAValue) -> str:
    owner = ref.owner
    return owner.sym_name.data if isinstance(owner, diablo.VarOp) else "a variable"


def _uses_foreign_variable(op: Operation) -> bool:
    return isinstance(op, diablo.LoadOp | Write) and not isinstance(op.ref.owner, diablo.VarOp)


def _hint(ref: SSAValue) -> str:
    """The variable's name as a name of values, in which not every character may stand."""
    name = re.sub(r"\W", "_", _variable_name(ref), flags=re.ASCII)
    return name if name[:1].isalpha() else f"_{name}"


def _written(regions: Sequence[Region], state: State) -> list[SSAValue]:
    """The variables of `state` that ops in `regions` write, in order of the first write."""
    refs: dict[SSAValue, None] = {}
    for region in regions:
        for op in region.walk():
            if isinstance(op, Write) and op.ref in state:
                refs[op.ref] = None
    return list(refs)


@dataclass
class Conversion:
    """The translation of one function; `errors` holds what could not be translated."""

    errors: list[Diagnostic] = field(default_factory=list[Diagnostic])
    variables: list[diablo.VarOp] = field(default_factory=list[diablo.VarOp])

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
                        op.init.name_hint = _hint(op.ref)
                    self.variables.append(op)
                case diablo.LoadOp():
                    self.load(op, state)
                case diablo.StoreOp() | diablo.AccumulateOp():
                    self.write(op, (), op, state)
                    block.erase_op(op)
                case diablo.ForOp() | diablo.ForeachOp():
                    self.bulk(op.body.block, [op], op, state, frozenset())
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

    def load(self, op: diablo.LoadOp, state: State) -> None:
        """A variable's value is known here; an element of it is `tensor.extract`ed."""
        block = op.parent
        assert block is not None
        value = state[op.ref]
        if op.indices:
            extract = located(tensor.ExtractOp(value, op.indices, op.result.type), op)
            extract.result.name_hint = op.result.name_hint
            block.insert_op_before(extract, op)
            value = extract.result
        hint = value.name_hint
        op.result.replace_all_uses_with(value)
        if hint is not None:
            value.name_hint = hint
        block.erase_op(op)

    def nested_loads(self, op: Operation, state: State) -> None:
        """Translate the reads inside an op that only reads (a comprehension, say)."""
        for inner in list(op.walk()):
            if isinstance(inner, diablo.LoadOp):
                self.load(inner, state)
            elif inner.dialect_name() == "diablo":
                self.error(inner, "an assignment inside an expression is not supported yet")

    def while_loop(self, op: scf.WhileOp, state: State) -> None:
        """Carry the variables that the loop writes: one more argument and result each."""
        refs = _written(op.regions, state)
        before, after = op.before_region.block, op.after_region.block
        results: list[list[SSAValue]] = []
        for block in (before, after):
            inner = dict(state)
            for ref in refs:
                arg = block.insert_arg(state[ref].type, len(block.args), op.location)
                arg.name_hint = _hint(ref)
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
            result.name_hint = _hint(ref)
            state[ref] = result
        block.erase_op(op)

    # Bulk loops

    def bulk(
        self,
        block: Block,
        qualifiers: Sequence[Qualifier],
        loop: Operation,
        state: State,
        local: frozenset[SSAValue],
    ) -> None:
        """Translate the statements of a loop body one after the other.

        `qualifiers` is what stands around the body, `loop` the outermost loop, before which
        the updates are inserted, and `local` the variables declared in the loop.
        """
        scope = list(qualifiers)
        for op in list(block.ops):
            match op:
                case diablo.VarOp():
                    state[op.ref] = op.init
                    local |= {op.ref}
                case diablo.LoadOp():
                    before = op.prev_op
                    indexed = bool(op.indices)
                    self.load(op, state)
                    read = block.first_op if before is None else before.next_op
                    if indexed and read is not None:
                        scope.append(read)
                case diablo.StoreOp() | diablo.AccumulateOp():
                    if op.ref in local:
                        self.error(
                            op,
                            f"assigning to {_variable_name(op.ref)}, which is declared inside"
                            " the loop, is not supported yet",
                            "declare an array outside the loop, with an element for each iteration",
                        )
                    else:
                        self.write(op, scope, loop, state)
                case diablo.ForOp() | diablo.ForeachOp():
                    self.bulk(op.body.block, [*scope, op], loop, state, local)
                case scf.IfOp() if any(isinstance(inner, Write) for inner in op.walk()):
                    for region, negated in ((op.true_region, False), (op.false_region, True)):
                        if region.blocks:
                            guard = Guard(op.cond, negated, op)
                            self.bulk(region.block, [*scope, guard], loop, state, local)
                case scf.WhileOp():
                    self.error(op, "a while loop inside a for loop is not supported yet")
                case _ if op.has_trait(IsTerminator):
                    pass
                case _:
                    self.nested_loads(op, state)
                    scope.append(op)

    def write(self, op: Write, scope: Sequence[Qualifier], anchor: Operation, state: State) -> None:
        """One statement over its whole iteration space, as an update before `anchor`."""
        old = state[op.ref]
        monoid = op.monoid.data if isinstance(op, diablo.AccumulateOp) else None
        new: list[Operation]
        if op.indices:
            body = comprehension_body(scope, op.indices, [op.value], op)
            new = [comprehension.MergeOp(old, body, monoid)]
        elif not scope:
            if monoid is None:
                state[op.ref] = op.value
                return
            new = [monoids.combine(monoid, old, op.value)]
        elif monoid is None:
            self.error(
                op,
                f"assigning to {_variable_name(op.ref)} in every iteration of a for loop is not"
                " supported yet",
                "the iterations of a for loop have no order; use a while loop, or accumulate"
                " with an operation such as +=",
            )
            return
        else:
            body = comprehension_body(scope, (), [op.value], op)
            fold = comprehension.AggregateOp(monoid, body, old.type)
            new = [fold, monoids.combine(monoid, old, fold.result)]
        block = anchor.parent
        assert block is not None
        for new_op in new:
            block.insert_op_before(located(new_op, op), anchor)
        state[op.ref] = new[-1].results[0]
        state[op.ref].name_hint = _hint(op.ref)


@dataclass(frozen=True)
class ConvertDiabloToComprehensionPass(ModulePass):
    """Turn variables into SSA values and loop nests into bulk updates."""

    name = "convert-diablo-to-comprehension"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Convert every function; raise a `CompileError` with all that cannot be."""
        conversion = Conversion()
        for function in op.walk():
            if not isinstance(function, func.FuncOp) or not function.body.blocks:
                continue
            foreign = [op for op in function.walk() if _uses_foreign_variable(op)]
            for inner in foreign:
                conversion.error(inner, "only a variable of the function itself can be converted")
            if foreign:
                continue
            if len(function.body.blocks) == 1:
                conversion.block(function.body.block, {})
            elif any(inner.dialect_name() == "diablo" for inner in function.walk()):
                conversion.error(function, "a function of several blocks cannot be converted")
        if conversion.errors:
            raise CompileError(conversion.errors)
        for variable in reversed(conversion.variables):
            variable.detach()
            variable.erase()
