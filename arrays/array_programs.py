"""The programs that compute parts of graphs: one for each structure, compiled when that pays.

program = program_for(structure, distributed=False)
program.outputs(structure, "local")    ->    the values of the structure's outputs
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from diablo.array.expression_graph import CONSTANT, Node
from diablo.array.graph_structure import Structure
from diablo.array.structure_programs import ON_DEVICE, KeptPrograms, StructureProgram
from diablo.runtime.device.device_names import DeviceName
from diablo.runtime.program.run_main import Engine
from diablo.runtime.results.result_types import is_large_with_spark

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

FILE = "<array expression>"


class ArrayProgram(StructureProgram):
    """What computes the parts of graphs that have a structure.

    Parameters
    ----------
    structure : one of those, of which nothing is kept but what all have in common
    distributed : whether arrays are in tiles, and not with the driver
    on_device : whether a device may run the kernels
    """

    def __init__(self, structure: Structure, *, distributed: bool, on_device: bool = False):
        bare = _without_values(structure)
        super().__init__(
            FILE,
            ("array", structure.key),
            _pipeline(distributed=distributed, on_device=on_device),
            lambda: written(bare, distributed=distributed),
        )

    def outputs(
        self,
        structure: Structure,
        engine: Engine,
        master: str | None = None,
        block_size: int | None = None,
        memory: int | None = None,
        device: DeviceName = "cpu",
    ) -> list[Any]:
        """Return the values of the outputs of a part of a graph."""
        result: Any = self.run(structure.arguments(), engine, master, block_size, memory, device)
        several = isinstance(result, tuple)
        results = list(cast("tuple[Any, ...]", result)) if several else [result]
        return [_value(part, node) for part, node in zip(results, structure.outputs, strict=True)]


def _pipeline(*, distributed: bool, on_device: bool) -> str:
    if distributed:
        return "tensor-block-to-spark"
    return ON_DEVICE if on_device else "tensor-block-to-local"


def written(structure: Structure, *, distributed: bool) -> ModuleOp:
    """Return the module of a structure at the `tensor_block` level."""
    from diablo.array.graph_to_tensor_block import write_graph

    return write_graph(structure, distributed=distributed)


def _without_values(structure: Structure) -> Structure:
    """Return a structure whose inputs hold no arrays, for who keeps it."""
    bare: dict[Node, Node] = {}

    def of(node: Node) -> Node:
        return bare[node]

    for node in {*structure.same.values()}:
        if node.operation is CONSTANT:
            bare[node] = node
    for node in structure.inputs:
        bare[node] = Node(node.operation, (), None, node.shape, node.dtype)
    for node in structure.order:
        operands = tuple([of(structure.same[operand]) for operand in node.operands])
        bare[node] = Node(node.operation, operands, node.parameters, node.shape, node.dtype)
    return replace(
        structure,
        order=[of(n) for n in structure.order],
        inputs=[of(n) for n in structure.inputs],
        outputs=[of(n) for n in structure.outputs],
        same={node: node for node in bare.values()},
        places={of(n): places for n, places in structure.places.items() if n in bare},
        axes={of(n): axes for n, axes in structure.axes.items()},
    )


def _value(result: Any, node: Node) -> Any:
    """Return what a program gives for a node as NumPy's array of it; large ones stay with Spark."""
    if is_large_with_spark(result) and (result.shape, result.dtype) == (node.shape, node.dtype):
        return result.compute()
    if hasattr(result, "to_numpy"):
        result = result.to_numpy()
    value: Any = np.asarray(result)
    if value.dtype != node.dtype:
        value = value.astype(node.dtype)
    return value if value.shape == node.shape else value.reshape(node.shape)


_programs = KeptPrograms[ArrayProgram]()


def program_for(
    structure: Structure, *, distributed: bool, on_device: bool = False
) -> ArrayProgram:
    """Return the program of a structure, compiled if it was not."""
    key = (structure.key, distributed, on_device)
    return _programs.get(
        key, lambda: ArrayProgram(structure, distributed=distributed, on_device=on_device)
    )


def is_compiled(structure: Structure) -> bool:
    """Return whether there is a program of the local engine for a structure already."""
    return (structure.key, False, False) in _programs
