"""`scf.while` and `scf.if` of the driver as Python's statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from diablo.dialects import spark
from diablo.dialects.comprehension import TableType
from diablo.dialects.number_constants import ConstantOps
from diablo.lowering.numpy.numpy_scalars import Level
from diablo.lowering.pyspark.collecting import makes_rdds
from diablo.lowering.pyspark.pyspark_lines import Chain, Lines
from diablo.lowering.pyspark.pyspark_scalars import Scalar
from diablo.passes.checkpoint_loops import CHECKPOINT, CHECKPOINT_STEPS, STRIP_START

if TYPE_CHECKING:
    from diablo.lowering.pyspark.driver import Driver


def write_if(driver: Driver, op: scf.IfOp) -> None:
    """Each branch assigns the results' variables."""
    names = [driver.name(result, "chosen") for result in op.results]
    condition = driver.scalar(op.cond)
    variables = driver.variables

    def branch(block: Block) -> None:
        driver.release(driver.variables.live_at_start(block))
        end = block.last_op
        assert isinstance(end, scf.YieldOp)
        for name, value in zip(names, end.operands, strict=True):
            if value.has_one_use() and value.owner.parent is block:
                driver.planned[value] = name
        driver.write_block(block)
        for name, value, result in zip(names, end.operands, op.results, strict=True):
            if driver.text(value) != name:
                driver.lines.statement(f"{name} = ", driver.expression(value))
            driver.bind(result, name)
        driver.release(driver.variables.live_after(end))

    driver.lines.comment(op)
    before = set(variables.assigned)
    # Where one branch alone is written, nothing can be let go of where it is not taken.
    kept = () if op.false_region.blocks else before
    with driver.lines.indented(f"if {condition}:"), variables.keeping(kept):
        branch(op.true_region.block)
    left, variables.assigned = variables.assigned, before
    if op.false_region.blocks:
        with driver.lines.indented("else:"):
            branch(op.false_region.block)
    variables.assigned &= left


def write_while(driver: Driver, op: scf.WhileOp) -> None:
    """The loop's variables hold what it carries."""
    before, after = op.before_region.block, op.after_region.block
    condition, end = before.last_op, after.last_op
    assert isinstance(condition, scf.ConditionOp)
    assert isinstance(end, scf.YieldOp)
    driver.lines.comment(op)
    carried = [_variable(driver, op, k) for k in range(len(op.arguments))]
    for arg, name in zip(before.args, carried, strict=True):
        driver.bind(arg, name)
    driver.release(driver.variables.live_at_start(before))
    loop = _loop_name(driver, op)
    if loop is not None:
        driver.loops.append(loop)
    checkpoint = _write_checkpoint(driver, op, carried)
    lines, driver.lines = driver.lines, Lines(driver.lines.depth + 1)
    driver.write_block(before)
    collected, driver.lines = driver.lines.lines, lines
    passed = _passed_arguments(condition.args, before)
    go_on = driver.scalars[condition.condition]
    if passed is not None:
        names = [carried[k] for k in passed]
    else:
        names = [driver.names.unique(r.name_hint, "value") for r in op.results]
    simple = passed is not None and not collected
    with driver.lines.indented(f"while {go_on.text}:" if simple else "while True:"):
        if op is driver.counted:
            write_count(driver, carried)
        if not simple:
            driver.lines.lines += collected
            _assign(driver, names, [driver.text(value) for value in condition.args])
            with driver.lines.indented(f"if not {go_on.at(Level.NOT)}:"):
                driver.lines.add("break")
        for arg, name in zip(after.args, names, strict=True):
            driver.bind(arg, name)
        left = set(driver.variables.assigned)
        driver.release(driver.variables.live_at_start(after))
        driver.write_block(after)
        if loop is not None:
            driver.loops.pop()
        _next(driver, carried, end.operands, loop)
        if checkpoint is not None:
            driver.lines.add(f"{checkpoint.name}.save({', '.join(checkpoint.values)})")
        for arg, name in zip(before.args, carried, strict=True):
            driver.bind(arg, name)
        driver.release(driver.variables.live_after(end))
    driver.variables.assigned = left
    for result, name in zip(op.results, names, strict=True):
        driver.bind(result, name)


class _Checkpoint(NamedTuple):
    """The variable for a loop's checkpoint, and those that it saves."""

    name: str
    values: Sequence[str]


def _write_checkpoint(
    driver: Driver, op: scf.WhileOp, carried: Sequence[str]
) -> _Checkpoint | None:
    """Begin a loop whose state is saved where that was: what it carries, and what it writes to."""
    number = op.attributes.get(CHECKPOINT)
    if not isinstance(number, IntegerAttr):
        return None
    tables: dict[SSAValue, str] = {}
    for inner in op.walk():
        for value in inner.operands:
            if isinstance(value.type, TableType) and value in driver.scalars:
                tables[value] = driver.scalar(value)
    values = list(dict.fromkeys([*carried, *tables.values()]))
    if not values:
        return None
    name = driver.names.unique(None, "checkpoint")
    steps = op.attributes.get(CHECKPOINT_STEPS)
    more = f", steps={steps.value.data}" if isinstance(steps, IntegerAttr) else ""
    for inner in op.walk():
        for value in inner.operands:
            if isinstance(value.owner, ConstantOps) and STRIP_START in value.owner.attributes:
                driver.scalars[value] = Scalar(f"{name}.first")
    driver.lines.add(f"{name} = Checkpoint({number.value.data}{more})")
    driver.lines.add(f"{', '.join(values)} = {name}.restore({', '.join(values)})")
    return _Checkpoint(name, values)


def write_count(driver: Driver, carried: Sequence[str]) -> None:
    """Stop a loop after some steps, and return what it carries."""
    with driver.lines.indented(f"if not {driver.steps}:"):
        driver.lines.statement("return ", Chain(", ".join(["None", *carried])))
    driver.lines.add(f"{driver.steps} -= 1")


def _variable(driver: Driver, op: scf.WhileOp, k: int) -> str:
    """The variable of a carried value: the one that holds its first value, if it may."""
    init = op.arguments[k]
    text = driver.text(init)
    args = (op.after_region.block.args, op.before_region.block.args)
    hints = [init.name_hint, *[a[k].name_hint for a in args if k < len(a)]]
    if k < len(op.results):
        hints.append(op.results[k].name_hint)
    own = init in driver.function.args and driver.is_loop
    if text.isidentifier() and init.has_one_use() and (own or _owned(init, op)):
        return text
    name = driver.names.unique(next((h for h in reversed(hints) if h), None), "carried")
    driver.lines.statement(f"{name} = ", Chain(text))
    return name


def _owned(value: SSAValue, loop: scf.WhileOp) -> bool:
    """Whether a variable was made for `value` alone, and anew each time that `loop` is reached.

    Constants and casts have none; what an outer block computes is there for all iterations of a
    loop in between.
    """
    owner = value.owner
    return (
        isinstance(owner, Operation)
        and owner.parent is loop.parent
        and not isinstance(owner, ConstantOps | arith.IndexCastOp | arith.ExtSIOp)
    )


def _loop_name(driver: Driver, op: scf.WhileOp) -> str | None:
    """The `Iterations` of a loop that asks Spark: workers leave files, if nothing else."""
    if not any(_asks_spark(inner) for inner in op.walk()):
        return None
    outer = driver.loops[-1] if driver.loops else ""
    name = driver.names.unique(None, "inner_loop") if outer else "loop"
    driver.lines.add(f"{name} = Iterations({outer})")
    return name


def _asks_spark(op: Operation) -> bool:
    return op.name.startswith(f"{spark.Spark.name}.") or makes_rdds(op)


def _passed_arguments(passed: Sequence[SSAValue], before: Block) -> list[int] | None:
    """Return which argument each passed value is, if all are different arguments."""
    args = list(before.args)
    if not all(value in args for value in passed):
        return None
    positions = [args.index(value) for value in passed if isinstance(value, BlockArgument)]
    return positions if len(set(positions)) == len(positions) else None


def _assign(driver: Driver, names: Sequence[str], values: Sequence[str]) -> None:
    """Assign all values at once, except those that stay as they are."""
    pairs = [(n, v) for n, v in zip(names, values, strict=True) if n != v]
    if pairs:
        left, right = zip(*pairs, strict=True)
        driver.lines.statement(f"{', '.join(left)} = ", Chain(", ".join(right)))


def _next(
    driver: Driver, carried: Sequence[str], values: Sequence[SSAValue], loop: str | None
) -> None:
    """Hand the values to the next iteration."""
    rdds = [
        k
        for k, value in enumerate(values)
        if isinstance(value.type, spark.RDDType) and driver.text(value) != carried[k]
    ]
    scalars = [k for k in range(len(values)) if not isinstance(values[k].type, spark.RDDType)]
    left = [carried[k] for k in rdds]
    right: list[str] = []
    if rdds:
        right = [f"{loop}.carry({', '.join(driver.text(values[k]) for k in rdds)})"]
    if len(rdds) > 1:
        driver.lines.statement(f"{', '.join(left)} = ", Chain(right[0]))
        left, right = [], []
    _assign(
        driver,
        [*left, *[carried[k] for k in scalars]],
        [*right, *[driver.text(values[k]) for k in scalars]],
    )
    if loop is not None and not rdds:
        driver.lines.add(f"{loop}.carry()")
