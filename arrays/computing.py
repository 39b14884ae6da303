"""What computes several arrays at once, and what shows how they would be computed."""

from __future__ import annotations

from typing import Any

from diablo.array.evaluation import ProgramStep, steps_of
from diablo.array.evaluation import compute as _compute
from diablo.array.expression_graph import Node, pending
from diablo.array.graph_rewrites import rewritten
from diablo.array.graph_structure import structure_of
from diablo.array.lazy_array import Array, options
from diablo.array.sparse_array import SparseArray
from diablo.runtime.device.device_names import DeviceName
from diablo.runtime.program.run_main import Engine


def compute(
    *arrays: Array | SparseArray,
    engine: Engine | None = None,
    master: str | None = None,
    block_size: int | None = None,
    memory: str | int | None = None,
    device: DeviceName = "cpu",
) -> tuple[Array | SparseArray, ...]:
    """Compute arrays together: what several of them need is computed once.

    Of sparse arrays those whose positions differ are computed one after the other.

    Parameters
    ----------
    engine
        `"local"` computes in this process, `"spark"` on Spark, `"auto"` on Spark when `master` is
        given or the inputs do not fit in memory. Without it small arrays are computed by NumPy.
    master
        Spark's master, such as `"local[4]"`.
    block_size
        The edge of a block in every dimension on Spark.
    memory
        How much memory a program may take besides what this process has.
    device
        `"gpu"` computes what programs do on the GPU, `"auto"` where that is worth bringing the
        arrays there. What comes of it is brought back.

    Returns
    -------
    The arrays, whose elements are there then.

    Raises
    ------
    TypeError
        If one is no lazy array.
    """
    wanted = options(engine, master, block_size, memory, device)
    nodes: list[Node] = []
    for array in arrays:
        if isinstance(array, SparseArray):
            nodes.append(array.entries_with(wanted).values)
        elif hasattr(array, "node"):
            nodes.append(array.node)
        else:
            raise TypeError(f"{type(array).__name__} is no lazy array: `asarray` makes one")
    _compute(nodes, wanted)
    return arrays


def explain(*arrays: Array, level: str = "spark") -> str:
    """Return how arrays would be computed: the programs in the IR, and what NumPy does between.

    `level` is `"tensor_block"` or `"spark"`, where each function is a kernel.
    """
    from diablo.array.array_programs import program_for, written
    from diablo.compiler import module_text

    if level not in ("tensor_block", "spark"):
        raise ValueError(f"there is no level {level!r}: it is 'tensor_block' or 'spark'")
    for array in arrays:
        if not hasattr(array, "node"):
            name = type(array).__name__
            raise TypeError(f"lazy arrays are explained, and no {name}: `to_dense()` makes one")
    nodes = [array.node for array in arrays]
    texts: list[str] = []
    values: list[Any] = []
    for step in steps_of(rewritten(pending(nodes), nodes), nodes):
        if not isinstance(step, ProgramStep):
            name = step.parameters[0].__name__ if step.operation.name == "call" else step.operation
            texts.append(f"// {name} of NumPy's\n")
            continue
        for node in step.order:
            values += [n for n in node.operands if n.value is None and n not in step.order]
        if values:
            texts.append("// a program for what NumPy gives, known when that is there\n")
            continue
        structure = structure_of(step.order, step.outputs)
        if level == "spark":
            texts.append(module_text(program_for(structure, distributed=False).module))
        else:
            texts.append(module_text(written(structure, distributed=False)))
    return "\n".join(texts)
