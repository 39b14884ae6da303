"""Computing what a graph stands for: by programs, and by NumPy where these are no better.

    compute([node, other])    ->    both have values

Nodes are computed level by level: what programs compute and needs nothing that the driver computes
behind them is one program, and so on. A program is worth it where much is computed, as a compiled
kernel is; the rest is a call of NumPy for each operation, which gives the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

import numpy as np

from diablo.array.assigned_arrays import Assignments
from diablo.array.driver_operations import ASSIGNED
from diablo.array.expression_graph import Node, here, pending, stays_with_spark
from diablo.array.fold_operations import CONTRACTION
from diablo.array.graph_rewrites import rewritten
from diablo.array.graph_structure import Structure, structure_of
from diablo.array.stored_arrays import Ranges
from diablo.array.tiled_evaluation import compute_by_tiles, tiles_of, wants_tiles
from diablo.diagnostics import CompileError, Diagnostic, report
from diablo.runtime.arrays import memory
from diablo.runtime.device.device_names import DeviceName
from diablo.runtime.forking import fork_safe_lock
from diablo.runtime.native.compile_mode import compile_mode
from diablo.runtime.native.work_seen import pays_from
from diablo.runtime.program.run_main import Engine

WORTH_A_PROGRAM = 1 << 24
"""From how many elements on, over all operations and computations, a program is compiled."""
_OPERATIONS = 16
"""So many operations are compiled in the time that NumPy takes for so many elements."""

_FEW = 1 << 15
"""Up to how many elements nobody asks whether there is a program."""

_MOST_IN_PROGRAM = 512
"""How many operations a program may have."""


@dataclass(frozen=True)
class Options:
    """How to compute: with an engine, programs do all that they can."""

    engine: Engine | None = None
    master: str | None = None
    block_size: int | None = None
    memory: int | None = None
    device: DeviceName = "cpu"

    @property
    def wants_programs(self) -> bool:
        """Whether programs compute small arrays too."""
        given = self.engine is not None or self.block_size is not None or self.device != "cpu"
        return given or compile_mode() == "always"


DEFAULT = Options()

_COMPUTING = fork_safe_lock()
"""Nodes that several threads hold are computed by one of them. The compiler's lock is taken within,
and a fork takes this one first."""


@dataclass(frozen=True)
class ProgramStep:
    """Nodes that one program computes, and those of which the value is wanted behind it."""

    order: list[Node]
    outputs: list[Node]


Step = ProgramStep | Node
"""A program, or a node that NumPy computes."""


def compute(roots: Sequence[Node], options: Options = DEFAULT) -> None:
    """Let all nodes have values."""
    with _COMPUTING, np.errstate(all="ignore"):
        order = rewritten(pending(roots), roots)
        if not order:
            return
        if options.engine is None and options.block_size is None and _reads_from_spark(order):
            options = replace(options, engine="spark")
        if options.memory is None and not options.wants_programs and _is_small(order):
            _compute_each(order, roots)
        elif wants_tiles(order, options.memory):
            inner = replace(options, memory=None)
            compute_by_tiles(order, roots, options.memory, partial(_compute_here, inner))
        else:
            _compute_steps(order, roots, options)


def _compute_here(options: Options, roots: Sequence[Node]) -> None:
    """Let all nodes have values, whatever they read."""
    order = pending(roots)
    if order:
        _compute_steps(order, roots, options)


def tiles(node: Node, options: Options = DEFAULT) -> Iterator[tuple[Ranges, Any]]:
    """Generate the values of tiles that make up a node, with their ranges along each axis."""
    inner = replace(options, memory=None)
    with _COMPUTING, np.errstate(all="ignore"):
        yield from tiles_of(node, options.memory, partial(_compute_here, inner))


def persist(node: Node, options: Options = DEFAULT) -> None:
    """Let a node have its value until `release` is called; several may persist one."""
    with _COMPUTING:
        node.persisted()
        try:
            compute([node], options)
        except BaseException:
            node.released()
            raise
        node.hold()


def release(node: Node) -> None:
    """Let go of the value of a persisted node, which is computed again when it is wanted."""
    with _COMPUTING:
        value = node.value
        if not node.released() or value is None:
            return
        if not stays_with_spark(value):
            forget_memory(value.nbytes)
        elif node.value is None:  # It was computed for this, and no caller has it.
            value.close()


def forget_memory(nbytes: int) -> None:
    """Let no memory wait to be used again, once so many bytes have been let go."""
    if nbytes >= memory.SMALLEST:
        memory.clear()


def _reads_from_spark(order: Sequence[Node]) -> bool:
    """Return whether Spark has an operand already: the rest is computed there then."""
    return any(
        node.operation.is_with_spark(node)
        or any(stays_with_spark(operand.value) for operand in node.operands)
        for node in order
    )


def _is_small(order: Sequence[Node]) -> bool:
    """Return whether NumPy computes the nodes before one has looked whether there is a program.

    That is so of few elements, and of so few in each node that no program of them has more.
    """
    total = largest = 0
    for node in order:
        if node.shape is None:
            continue
        size = max(node.size, *[o.size for o in node.operands if o.shape is not None], 0)
        total += size
        largest = max(largest, size)
        if total > _FEW and largest * _MOST_IN_PROGRAM > _FEW:
            return False
    return True


def _compute_each(order: list[Node], roots: Sequence[Node]) -> None:
    """Compute each node with NumPy, letting go of what nobody needs any more."""
    assignments = Assignments(order, roots)
    roots = [*roots, *assignments.kept]
    uses: dict[Node, int] = {}
    for node in order:
        for operand in node.operands:
            uses[operand] = uses.get(operand, 0) + 1
    for node in roots:
        uses[node] = uses.get(node, 0) + 1
    values: dict[Node, Any] = {}
    try:
        for node in order:
            if node.operation is ASSIGNED and uses[node.operands[0]] == 1:
                values[node] = assignments.value(node, values)
            else:
                given = [
                    values[operand] if operand.value is None else here(operand.value)
                    for operand in node.operands
                ]
                values[node] = node.operation.evaluate(node, given)
                del given
            for operand in node.operands:
                uses[operand] -= 1
                if not uses[operand]:
                    values.pop(operand, None)
    except BaseException:
        assignments.failed()
        raise
    for node in roots:
        if node.value is None:
            node.computed(values[node])


# ---- programs ----------------------------------------------------------------------


def steps_of(order: Sequence[Node], roots: Sequence[Node]) -> list[Step]:
    """Return how nodes are computed: programs, and what NumPy computes between them."""
    levels: dict[Node, int] = {}
    programs: dict[int, list[Node]] = {}
    calls: dict[int, list[Node]] = {}
    for node in order:
        level = max([levels.get(operand, 0) for operand in node.operands], default=0)
        if _is_for_programs(node):
            while len(programs.get(level, ())) >= _MOST_IN_PROGRAM:
                level += 1
            programs.setdefault(level, []).append(node)
        else:
            level += 1
            calls.setdefault(level, []).append(node)
        levels[node] = level
    wanted = _wanted(order, roots, levels)
    steps: list[Step] = []
    for level in sorted({*programs, *calls}):
        steps += calls.get(level, ())
        nodes = programs.get(level)
        if nodes is not None:
            steps += _program_steps(nodes, wanted)
    return steps


def _is_for_programs(node: Node) -> bool:
    """Whether a program computes a node: one with elements, which exist without being computed."""
    if node.shape is None or 0 in node.shape:
        return False
    if any(operand.shape is None or 0 in operand.shape for operand in node.operands):
        return False
    return node.operation.in_programs(node)


def _wanted(
    order: Sequence[Node], roots: Sequence[Node], levels: dict[Node, int]
) -> dict[Node, None]:
    """Return the nodes whose values are needed outside of the program that computes them."""
    wanted = dict.fromkeys(node for node in roots if node.value is None)
    for node in order:
        in_program = _is_for_programs(node)
        for operand in node.operands:
            if operand.value is None and not (in_program and levels[operand] == levels[node]):
                wanted[operand] = None
    return wanted


def _program_steps(nodes: list[Node], wanted: dict[Node, None]) -> list[Step]:
    """Return the program for the nodes of a level, and the views that NumPy makes behind it.

    A view that is wanted as a whole is one of NumPy's, of an array that is there or that the
    program computes, unless it is the smaller one.
    """
    behind: dict[Node, None] = {}
    outputs: dict[Node, None] = {}
    own = set(nodes)
    for node in nodes:
        if node not in wanted:
            continue
        base = node
        views: list[Node] = []
        while base in own and base.operation.is_view:
            views.append(base)
            (base,) = base.operands
        if not views:
            outputs[node] = None
        elif base not in own or node.size >= base.size:
            behind.update(dict.fromkeys(reversed(views)))
            if base in own:
                outputs[base] = None
        else:
            outputs[node] = None
    steps: list[Step] = []
    if outputs:
        needed = _needed(nodes, outputs)
        steps.append(ProgramStep(needed, list(outputs)))
    steps += [node for node in behind if node not in outputs]
    return steps


def _needed(nodes: Sequence[Node], outputs: dict[Node, None]) -> list[Node]:
    """Return the nodes that the outputs are computed of."""
    needed = set(outputs)
    for node in reversed(nodes):
        if node in needed:
            needed.update(node.operands)
    return [node for node in nodes if node in needed]


def _compute_steps(order: list[Node], roots: Sequence[Node], options: Options) -> None:
    """Compute by programs what they pay for."""
    assignments = Assignments(order, roots)
    roots = [*roots, *assignments.kept]
    steps = steps_of(order, roots)
    held = set(roots)
    uses: dict[Node, int] = {}
    for step in steps:
        for operand in _read(step):
            uses[operand] = uses.get(operand, 0) + 1
    values: dict[Node, Any] = {}

    def assigned(node: Node) -> Any:
        if uses[node.operands[0]] == 1:
            return assignments.value(node, values)
        return ASSIGNED.evaluate(node, [here(operand.value) for operand in node.operands])

    def let_go(step: Step) -> None:
        for operand in _read(step):
            uses[operand] -= 1
            if not uses[operand] and operand in values and operand not in held:
                del values[operand]
                operand.value = None

    try:
        _run_steps(steps, values, options, assigned, let_go)
    except BaseException:
        for node in values:
            node.value = None
        assignments.failed()
        raise
    for node in values:
        value = node.value
        node.value = None
        if node in held:
            node.computed(value)


def _run_steps(
    steps: Sequence[Step],
    values: dict[Node, Any],
    options: Options,
    assigned: Callable[[Node], Any],
    let_go: Callable[[Step], None],
) -> None:
    """Run one step after the other, each of which sets the values of nodes."""
    for step in steps:
        if isinstance(step, Node):
            if options.engine == "spark" and step.operation.is_with_spark(step):
                step.value = values[step] = step.operation.value_with_spark(step)
            elif step.operation is ASSIGNED:
                step.value = values[step] = _boxed(assigned(step))
            else:
                given = [here(operand.value) for operand in step.operands]
                step.value = values[step] = _boxed(step.operation.evaluate(step, given))
                del given
        else:
            _run_program(step, values, options)
        let_go(step)


def _run_program(step: ProgramStep, values: dict[Node, Any], options: Options) -> None:
    """Compute the nodes of a step by a program, if one pays for them."""
    structure = structure_of(step.order, step.outputs)
    if _pays(structure, options) and (made := _run(structure, options)) is not None:
        found = dict(zip(structure.outputs, made, strict=True))
        for node in step.outputs:
            node.value = values[node] = found[structure.same[node]]
    else:
        _compute_part(step, values)


def _boxed(value: Any) -> Any:
    return cast("Any", value) if isinstance(value, tuple) else np.asarray(value)


def _read(step: Step) -> list[Node]:
    """Return the nodes of other steps that a step reads."""
    if isinstance(step, Node):
        return list(step.operands)
    own = set(step.order)
    return [operand for node in step.order for operand in node.operands if operand not in own]


def _compute_part(step: ProgramStep, values: dict[Node, Any]) -> None:
    """Compute the nodes of a step with NumPy."""
    uses: dict[Node, int] = dict.fromkeys(step.outputs, 1)
    for node in step.order:
        for operand in node.operands:
            uses[operand] = uses.get(operand, 0) + 1
    own: dict[Node, Any] = {}
    for node in step.order:
        given = [
            own[operand] if operand in own else here(operand.value) for operand in node.operands
        ]
        own[node] = node.operation.evaluate(node, given)
        for operand in node.operands:
            uses[operand] -= 1
            if not uses[operand]:
                own.pop(operand, None)
    for node in step.outputs:
        node.value = values[node] = _boxed(own[node])


def _pays(structure: Structure, options: Options) -> bool:
    """Return whether a program computes the part of a graph."""
    if options.wants_programs:
        return True
    work = sum(map(_points, structure.order))
    enough = WORTH_A_PROGRAM * max(1, len(structure.order) // _OPERATIONS)
    return work > _FEW and pays_from(("array", structure.key), work, enough)


def _points(node: Node) -> int:
    """Return how many elements NumPy would go through where a program does better."""
    if node.operation is CONTRACTION and node.dtype.kind in "fc":
        return node.size  # The product is BLAS's, whoever calls it.
    return max(node.size, *[operand.size for operand in node.operands], 0)


_refused: set[Any] = set()


def _run(structure: Structure, options: Options) -> list[Any] | None:
    """Return what a program gives, None if there can be none where NumPy would do."""
    from diablo.array.array_programs import program_for
    from diablo.runtime.program.run_main import choose_engine

    if structure.key in _refused:
        return None
    engine = options.engine or "local"
    if engine == "auto":
        inputs = {str(k): node.value for k, node in enumerate(structure.inputs)}
        engine = choose_engine(inputs, options.master)
    try:
        distributed = engine == "spark"
        on_device = options.device != "cpu" and not distributed
        program = program_for(structure, distributed=distributed, on_device=on_device)
    except CompileError as error:
        if options.wants_programs:
            raise
        _refused.add(structure.key)
        why = error.diagnostics[0].message
        report(Diagnostic("remark", f"NumPy computes an expression of arrays: {why}"))
        return None
    return program.outputs(
        structure, engine, options.master, options.block_size, options.memory, options.device
    )
