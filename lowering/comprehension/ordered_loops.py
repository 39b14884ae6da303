"""Write ordered loops as `scf.while`, on the diablo level.

```mlir
diablo.for ordered %k = %lo to %hi {
  %v = diablo.load %V[%k] : !diablo.ref<tensor<?xf64>>
  diablo.store %v, %x : !diablo.ref<f64>
}
```

becomes, where `%inside` says whether `%k` is an index of V,

```mlir
%end = scf.while (%k = %lo) : (index) -> index {
  %more = arith.cmpi sle, %k, %hi : index
  scf.condition(%more) %k : index
} do {
^bb0(%k: index):
  scf.if %inside {
    %v = diablo.load %V[%k] : !diablo.ref<tensor<?xf64>>
    diablo.store %v, %x : !diablo.ref<f64>
  }
  %next = arith.addi %k, %one : index
  scf.yield %next : index
}
```

A statement that reads outside of an array is left out, as in a bulk loop. A variable of the
iteration whose value would be such a read gets a Boolean variable beside it, which says whether
it has a value: so is left out who reads it, be it in a branch that is not taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xdsl.dialects import arith, cf, scf, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, TensorType, i1
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.traits import IsTerminator

from diablo.diagnostics import CompileError, Diagnostic
from diablo.dialects import comprehension, diablo
from diablo.dialects.defining_blocks import block_of
from diablo.dialects.effects import has_no_effect
from diablo.dialects.encodings import as_array
from diablo.dialects.locations import located, span_of
from diablo.lowering.comprehension.bulk_loops import Write
from diablo.lowering.comprehension.bulk_statements import reads
from diablo.lowering.comprehension.private_values import implicit_value
from diablo.passes.analyses.values.comprehension_structure import Root
from diablo.passes.analyses.values.speculation import can_trap

_Loop = diablo.ForOp | diablo.ForeachOp
LeftOut = Callable[[], list[Operation]]
_Mapped = dict[SSAValue, SSAValue]


def is_ordered(op: Operation) -> bool:
    """Return whether `op` is an ordered loop."""
    return isinstance(op, _Loop) and op.ordered is not None


def counted_while(op: diablo.ForOp) -> scf.WhileOp:
    """Put an `scf.while` in the place of an ordered loop, whose body it takes."""
    block = op.parent
    assert block is not None
    ops: list[Operation] = []

    def add(new: Operation) -> SSAValue:
        ops.append(located(new, op))
        return new.results[0]

    if op.by is None:
        step = add(arith.ConstantOp(IntegerAttr(op.step.value.data if op.step else 1, IndexType())))
    else:
        step = op.by
    before = Block(arg_types=[IndexType()])
    outside, ops = ops, []
    (index,) = before.args
    if op.by is None:
        rises = op.step is None or op.step.value.data > 0
        more = add(arith.CmpiOp(index, op.upper, "sle" if rises else "sge"))
    else:
        zero = add(arith.ConstantOp(IntegerAttr(0, IndexType())))
        rising = add(arith.CmpiOp(op.by, zero, "sgt"))
        below = add(arith.CmpiOp(index, op.upper, "sle"))
        above = add(arith.CmpiOp(index, op.upper, "sge"))
        more = add(arith.SelectOp(rising, below, above))
    before.add_ops([*ops, located(scf.ConditionOp(more, index), op)])
    body = op.detach_region(op.body)
    after = body.block
    following = located(arith.AddiOp(after.args[0], step), op)
    after.add_ops([following, located(scf.YieldOp(following.result), op)])
    for name in (index, following.result):
        name.name_hint = after.args[0].name_hint
    loop = located(scf.WhileOp([op.lower], [IndexType()], Region(before), body), op)
    block.insert_ops_before([*outside, loop], op)
    block.erase_op(op)
    return loop


class ReadGuards:
    """Puts tests around the statements of an ordered loop that read what may not be there."""

    def __init__(self) -> None:
        self.present: dict[SSAValue, SSAValue] = {}
        """The Boolean variables that say whether others have a value."""
        self.guarded: set[Operation] = set()
        """The ordered loops whose statements have their tests."""

    def guard(self, loop: _Loop) -> None:
        """Guard the statements in the body of an ordered loop, unless they have their tests.

        Those of the loops within it get theirs as well, unless a `while` is between: what stands
        in that may fail.
        """
        if loop not in self.guarded:
            self.present = {}
            self._loop(loop, in_bulk=False)

    # --- Statements --------------------------------------------------------------------------

    def _loop(self, loop: _Loop, *, in_bulk: bool) -> None:
        if is_ordered(loop):
            self.guarded.add(loop)
        self._block(loop.body.block, in_bulk=in_bulk or not is_ordered(loop))

    def _block(self, block: Block, *, in_bulk: bool) -> None:
        if not in_bulk:
            for op in list(block.ops):
                if isinstance(op, diablo.VarOp) and self._may_lose_its_value(op, block):
                    self._declare(op, located(_true(), op))
        for op in list(block.ops):
            match op:
                case _ if op.has_trait(IsTerminator):
                    continue
                case diablo.ForOp() | diablo.ForeachOp():
                    self._loop(op, in_bulk=in_bulk)
                case scf.IfOp() if _writes(op):
                    for region in op.regions:
                        for inner in region.blocks:
                            self._block(inner, in_bulk=in_bulk)
                case diablo.VarOp():
                    if not in_bulk:
                        self._variable(op)
                    continue
                case scf.WhileOp() | cf.AssertOp():
                    pass
                case _ if isinstance(op, Write):
                    pass
                case _:
                    continue
            self._statement(op, in_bulk=in_bulk)
        if not in_bulk:
            self._drop_unused(block)

    def _statement(self, op: Operation, *, in_bulk: bool) -> None:
        """Let a statement run only where all is there that it reads."""
        private = self._private(op)
        block = op.parent
        assert block is not None
        at_home = [ref for ref in private if block_of(ref) is block]
        if isinstance(op, diablo.StoreOp) and at_home:
            true = located(_true(), op)
            block.insert_ops_after(
                [true, located(diablo.StoreOp(true.result, self.present[at_home[0]]), op)], op
            )
        chain = self._chain(op)
        if any(self._may_miss(let, in_bulk=in_bulk) for let in chain):
            chain = self._tests_first(chain, in_bulk=in_bulk)
            self._move(op, chain, private, at_home, in_bulk=in_bulk)
        _let_go(chain)

    def _move(
        self,
        op: Operation,
        chain: Sequence[Operation],
        private: Sequence[SSAValue],
        at_home: Sequence[SSAValue],
        *,
        in_bulk: bool,
    ) -> None:
        """Put a statement behind tests of all that `chain` reads."""

        def left_out() -> list[Operation]:
            ops: list[Operation] = []
            for ref in private:
                false = located(_false(), op)
                ops += [false, located(diablo.StoreOp(false.result, self.present[ref]), op)]
            return ops

        target, mapped = self._enter(op, chain, left_out, in_bulk=in_bulk)
        following = op.next_op
        op.detach()
        target.insert_op_before(op, _end(target))
        _replace(op, mapped)
        if isinstance(op, diablo.StoreOp) and at_home and following is not None:
            store = following.next_op
            for moved in (following, store):
                assert moved is not None
                moved.detach()
                target.insert_op_before(moved, _end(target))

    def _enter(
        self,
        op: Operation,
        chain: Sequence[Operation],
        left_out: LeftOut,
        *,
        in_bulk: bool,
    ) -> tuple[Block, _Mapped]:
        """Open tests before `op` for all of `chain`; the innermost block, and its values."""
        target, anchor = op.parent, op
        assert target is not None
        mapped: _Mapped = {}
        for let in chain:
            read_before = _is_variable(let, op.parent)
            if self._may_miss(let, in_bulk=in_bulk):
                if read_before:
                    test = self._is_present(let)
                else:
                    test = self._test(let, _Cursor(target, anchor), mapped)
                then = Block([located(scf.YieldOp(), op)])
                otherwise = Region()
                if ops := left_out():
                    otherwise = Region(Block([*ops, located(scf.YieldOp(), op)]))
                branch = located(scf.IfOp(test, [], Region(then), otherwise), op)
                target.insert_op_before(branch, anchor)
                target, anchor = then, _end(then)
                if read_before:
                    continue
            elif mapped.keys().isdisjoint(reads(let)) and not (
                target is not op.parent and can_trap(let)
            ):
                continue
            _insert_clone(let, _Cursor(target, anchor), mapped, is_tested=not in_bulk)
        return target, mapped

    # --- Variables of the iteration ----------------------------------------------------------

    def _may_lose_its_value(self, op: diablo.VarOp, block: Block) -> bool:
        """Return whether a variable is assigned where something may be missing."""
        owner = block.parent_op()
        if owner is None or not any(self._may_miss(o, in_bulk=False) for o in owner.walk()):
            return False
        return any(
            isinstance(use.operation, diablo.StoreOp) and not use.operation.indices
            for use in op.ref.uses
        )

    def _declare(self, op: diablo.VarOp, present: Operation) -> None:
        block = op.parent
        assert block is not None
        name = f"{op.sym_name.data} is there"
        variable = located(diablo.VarOp(name, present.results[0]), op)
        block.insert_op_after(variable, op)
        if present.parent is None:
            block.insert_op_before(present, variable)
        self.present[op.ref] = variable.ref

    def _variable(self, op: diablo.VarOp) -> None:
        """A variable whose first value may be missing: it is implicit then."""
        chain = self._chain(op)
        if any(self._may_miss(let, in_bulk=False) for let in chain):
            self._value_or_nothing(op, chain)
        _let_go(chain)

    def _value_or_nothing(self, op: diablo.VarOp, chain: Sequence[Operation]) -> None:
        if isinstance(op.init.type, TensorType):
            raise CompileError(
                [
                    Diagnostic(
                        "error",
                        "an array of one iteration that is made of an element is not supported yet",
                        span_of(op),
                        "declare the variable before the loop, and assign it in the loop",
                    )
                ]
            )
        value, there = self._value(op, chain, op.init)
        op.operands[0] = value
        block = op.parent
        assert block is not None
        if op.ref in self.present:
            store = located(diablo.StoreOp(there, self.present[op.ref]), op)
            declared = self.present[op.ref].owner
            assert isinstance(declared, Operation)
            block.insert_op_after(store, declared)
        else:
            variable = located(diablo.VarOp(f"{op.sym_name.data} is there", there), op)
            block.insert_op_after(variable, op)
            self.present[op.ref] = variable.ref

    def _value(
        self, op: Operation, chain: Sequence[Operation], value: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        """`value` and true where all of `chain` is there, else an implicit value and false."""
        block = op.parent
        assert block is not None
        cursor = _Cursor(block, op)
        chain = self._tests_first(chain, in_bulk=False)
        return self._rest(chain, value, cursor, {}, op, tested=False)

    def _rest(
        self,
        chain: list[Operation],
        value: SSAValue,
        cursor: _Cursor,
        mapped: _Mapped,
        like: Operation,
        *,
        tested: bool,
    ) -> tuple[SSAValue, SSAValue]:
        for number, let in enumerate(chain):
            if not self._may_miss(let, in_bulk=False):
                if not mapped.keys().isdisjoint(reads(let)) or (tested and can_trap(let)):
                    _insert_clone(let, cursor, mapped)
                continue
            read_before = _is_variable(let, like.parent)
            test = self._is_present(let) if read_before else self._test(let, cursor, mapped)
            then, otherwise = Block(), Block()
            inner = dict(mapped)
            inside = _Cursor(then, None)
            if not read_before:
                _insert_clone(let, inside, inner)
            found = self._rest(chain[number + 1 :], value, inside, inner, like, tested=True)
            inside.add(located(scf.YieldOp(*found), like))
            ops: list[Operation] = []
            implicit = implicit_value(value.type, ops)
            false = _false()
            otherwise.add_ops([located(o, like) for o in [*ops, false]])
            otherwise.add_op(located(scf.YieldOp(implicit, false.result), like))
            branch = scf.IfOp(test, [value.type, i1], Region(then), Region(otherwise))
            cursor.add(located(branch, like))
            return branch.results[0], branch.results[1]
        true = cursor.add(located(_true(), like))
        return mapped.get(value, value), true.results[0]

    # --- Tests -------------------------------------------------------------------------------

    def _is_present(self, load: Operation) -> SSAValue:
        """Whether a variable has a value where it is read: a later statement may write it."""
        assert isinstance(load, diablo.LoadOp)
        assert load.parent is not None
        present = located(diablo.LoadOp(self.present[load.ref]), load)
        load.parent.insert_op_after(present, load)
        return present.result

    def _tests_first(self, chain: Sequence[Operation], *, in_bulk: bool) -> list[Operation]:
        """Return what is tested and what that needs, then the rest, which may fail if it runs."""
        needed: set[SSAValue] = set()
        tested: list[Operation] = []
        rest: list[Operation] = []
        for let in reversed(chain):
            if self._may_miss(let, in_bulk=in_bulk) or not needed.isdisjoint(let.results):
                needed.update(reads(let))
                tested.append(let)
            else:
                rest.append(let)
        return [*reversed(tested), *reversed(rest)]

    def _may_miss(self, op: Operation, *, in_bulk: bool) -> bool:
        """Return whether what `op` reads may not be there."""
        match op:
            case diablo.LoadOp():
                return op.ref in self.present or bool(op.indices and not in_bulk)
            case tensor.ExtractOp() | diablo.RequireOp():
                return not in_bulk
            case scf.IfOp() if not _writes(op):
                return any(self._may_miss_within(inner, in_bulk=in_bulk) for inner in _nested(op))
            case _:
                return False

    def _may_miss_within(self, op: Operation, *, in_bulk: bool) -> bool:
        """The same of what stands in a choice: the variables in it are tested before it."""
        is_variable = isinstance(op, diablo.LoadOp) and not op.indices
        return not is_variable and self._may_miss(op, in_bulk=in_bulk)

    def _test(self, op: Operation, cursor: _Cursor, mapped: _Mapped) -> SSAValue:
        """Return whether what `op` reads is there."""
        match op:
            case diablo.LoadOp() if not op.indices:
                return cursor.add(located(diablo.LoadOp(self.present[op.ref]), op)).results[0]
            case diablo.LoadOp():
                whole = cursor.add(located(diablo.LoadOp(op.ref), op)).results[0]
                indices = [mapped.get(index, index) for index in op.indices]
                test = _contains(whole, indices, cursor, op)
                if op.ref in self.present:
                    there = cursor.add(located(diablo.LoadOp(self.present[op.ref]), op))
                    test = cursor.add(located(arith.AndIOp(there.results[0], test), op)).results[0]
                return test
            case tensor.ExtractOp():
                indices = [mapped.get(index, index) for index in op.indices]
                return _contains(mapped.get(op.tensor, op.tensor), indices, cursor, op)
            case diablo.RequireOp():
                return mapped.get(op.condition, op.condition)
            case _:
                assert isinstance(op, scf.IfOp)
                branches: list[Region] = []
                for region in op.regions:
                    block = Block()
                    inner = _Cursor(block, None)
                    ops = [o for o in region.block.ops if not o.has_trait(IsTerminator)]
                    result = self._all_there(ops, inner, dict(mapped), op)
                    inner.add(located(scf.YieldOp(result), op))
                    branches.append(Region(block))
                condition = mapped.get(op.cond, op.cond)
                branch = scf.IfOp(condition, [i1], branches[0], branches[1])
                return cursor.add(located(branch, op)).results[0]

    def _all_there(
        self, ops: list[Operation], cursor: _Cursor, mapped: _Mapped, like: Operation
    ) -> SSAValue:
        """Return whether all that `ops` read is there."""
        for number, op in enumerate(ops):
            if self._may_miss_within(op, in_bulk=False):
                test = self._test(op, cursor, mapped)
                then = Block()
                inside = _Cursor(then, None)
                _insert_clone(op, inside, mapped)
                rest = self._all_there(ops[number + 1 :], inside, mapped, like)
                inside.add(located(scf.YieldOp(rest), like))
                false = located(_false(), like)
                otherwise = Block([false, located(scf.YieldOp(false.result), like)])
                branch = scf.IfOp(test, [i1], Region(then), Region(otherwise))
                return cursor.add(located(branch, like)).results[0]
            _insert_clone(op, cursor, mapped)
        return cursor.add(located(_true(), like)).results[0]

    # --- What a statement depends on ---------------------------------------------------------

    def _chain(self, op: Operation) -> list[Operation]:
        """The ops before `op` in its block that it needs, and reads in it that may be missing."""
        block = op.parent
        found: set[Operation] = set()
        waiting = [op]
        while waiting:
            for value in reads(waiting.pop()):
                owner = value.owner
                if isinstance(owner, Block | diablo.VarOp) or owner.parent is not block:
                    continue
                if owner not in found:
                    found.add(owner)
                    waiting.append(owner)
        assert block is not None
        chain = [let for let in block.ops if let in found]
        # A variable without a value leaves out whoever names it, in whichever branch that is.
        choices = [let for let in chain if isinstance(let, scf.IfOp)]
        chain = [*self._variables_in(choices, chain), *chain]
        if isinstance(op, scf.WhileOp):
            chain += self._variables_in([op], chain)
        return chain

    def _variables_in(
        self, around: Sequence[Operation], chain: Sequence[Operation]
    ) -> list[Operation]:
        """Reads of the variables named in some ops that may have no value, but those of `chain`.

        They are made to be copied.
        """
        known = {let.ref for let in chain if isinstance(let, diablo.LoadOp)}
        named = {
            inner.ref: inner
            for op in around
            for inner in op.walk()
            if isinstance(inner, diablo.LoadOp) and not inner.indices and inner.ref in self.present
        }
        return [located(diablo.LoadOp(r), like) for r, like in named.items() if r not in known]

    def _private(self, op: Operation) -> list[SSAValue]:
        """The variables with a test that have no value if `op` is left out: an update adds none."""
        if isinstance(op, diablo.StoreOp) and not op.indices:
            return [op.ref] if op.ref in self.present else []
        if not isinstance(op, scf.IfOp):
            return []
        inside = list(op.walk())
        refs = [w.ref for w in inside if isinstance(w, diablo.StoreOp) and not w.indices]
        # One that is declared inside goes with it.
        return [r for r in dict.fromkeys(refs) if r in self.present and r.owner not in inside]

    def _drop_unused(self, block: Block) -> None:
        """Erase the reads whose statements have taken a copy with them, and what uses these."""
        for op in reversed(list(block.ops)):
            if op.results and all(r.first_use is None for r in op.results) and _only_reads(op):
                block.erase_op(op)


def _let_go(chain: Sequence[Operation]) -> None:
    """Forget those of the ops that were made to be copied."""
    for let in chain:
        if let.parent is None:
            let.drop_all_references()


class _Cursor:
    """Where ops are inserted: before an op, or at the end of a block."""

    def __init__(self, block: Block, before: Operation | None):
        self.block = block
        self.before = before

    def add(self, op: Operation) -> Operation:
        if self.before is None:
            self.block.add_op(op)
        else:
            self.block.insert_op_before(op, self.before)
        return op


def _contains(
    collection: SSAValue, indices: Sequence[SSAValue], cursor: _Cursor, like: Operation
) -> SSAValue:
    """Return whether an array has an element at some indices, or a map a key."""
    if as_array(collection.type) is None:
        return cursor.add(located(comprehension.ProbeOp(collection, indices), like)).results[-1]
    result: SSAValue | None = None
    for d, index in enumerate(indices):
        number = cursor.add(located(arith.ConstantOp(IntegerAttr(d, IndexType())), like))
        extent = cursor.add(located(tensor.DimOp(collection, number.results[0]), like))
        test = cursor.add(located(arith.CmpiOp(index, extent.results[0], "ult"), like)).results[0]
        if result is not None:
            test = cursor.add(located(arith.AndIOp(result, test), like)).results[0]
        result = test
    assert result is not None
    return result


def _writes(op: Operation) -> bool:
    return any(isinstance(inner, Write | cf.AssertOp) for inner in op.walk())


def _nested(op: Operation) -> Iterator[Operation]:
    """The ops inside `op`, without those of comprehensions, which drop rows of their own."""
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                yield inner
                if not isinstance(inner, Root):
                    yield from _nested(inner)


def _is_variable(let: Operation, block: Block | None) -> bool:
    """Return whether `let` reads a variable as a whole, in the block of the statement itself."""
    return isinstance(let, diablo.LoadOp) and not let.indices and let.parent is block


def _end(block: Block) -> Operation:
    end = block.last_op
    assert end is not None
    return end


def _insert_clone(
    op: Operation, cursor: _Cursor, mapped: _Mapped, *, is_tested: bool = True
) -> None:
    """Insert a copy of `op`, or use what it requires if that `is_tested`."""
    if is_tested and isinstance(op, diablo.RequireOp):
        mapped[op.result] = mapped.get(op.value, op.value)
        return
    clone = op.clone(mapped)
    cursor.add(clone)
    mapped |= dict(zip(op.results, clone.results, strict=True))
    for inner in list(clone.walk()) if is_tested else []:
        if isinstance(inner, diablo.RequireOp):
            inner.result.replace_all_uses_with(inner.value)
            Rewriter.erase_op(inner)


def _replace(op: Operation, mapped: _Mapped) -> None:
    for inner in op.walk():
        for number, operand in enumerate(inner.operands):
            if operand in mapped:
                inner.operands[number] = mapped[operand]


def _only_reads(op: Operation) -> bool:
    """Return whether `op`, with what is in it, does nothing but read and compute."""
    if isinstance(op, diablo.LoadOp | diablo.RequireOp | tensor.ExtractOp) or has_no_effect(op):
        return True
    return isinstance(op, scf.IfOp) and all(
        _only_reads(inner) or inner.has_trait(IsTerminator)
        for region in op.regions
        for block in region.blocks
        for inner in block.ops
    )


def _true() -> arith.ConstantOp:
    return arith.ConstantOp(IntegerAttr(1, i1))


def _false() -> arith.ConstantOp:
    return arith.ConstantOp(IntegerAttr(0, i1))
