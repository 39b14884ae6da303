"""The programs that compute parts of graphs: one for each structure, compiled when that pays.

    program = program_for(structure, engine="local")
    program.run(structure)    ->    the values of the structure's outputs

What was compiled for a structure is kept, in this process and on the disk, as that of programs in
the language is (`diablo/compilations.py`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from diablo.array.expression_graph import CONSTANT, Node
from diablo.array.graph_structure import Structure
from diablo.compilations import Compilation
from diablo.diagnostics import Diagnostic, listening
from diablo.environment import wants_verify_each
from diablo.lowering.pipelines import PIPELINES
from diablo.runtime.collection import without_collection
from diablo.runtime.forking import COMPILER
from diablo.runtime.program.run_main import Engine, run_main
from diablo.runtime.progress import doing
from diablo.stored_programs import StoredPlan, found

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

FILE = "<array expression>"

_MOST_PROGRAMS = 256


class ArrayProgram:
    """What computes the parts of graphs that have a structure.

    Parameters
    ----------
    structure : one of those, of which nothing is kept but what all have in common
    distributed : whether arrays are in tiles, and not with the driver
    """

    def __init__(self, structure: Structure, *, distributed: bool):
        self._distributed = distributed
        self.pipeline = "tensor-block-to-spark" if distributed else "tensor-block-to-local"
        key = ("array", structure.key, PIPELINES[self.pipeline], wants_verify_each())
        known = None if wants_verify_each() else found(key)
        if isinstance(known, StoredPlan):
            kept = _without_values(structure)
            self._compilation = Compilation(FILE, lambda: self._lowered(kept), known, key)
        else:
            self._compilation = self._compile(structure, key)
        _ = self.main

    def _compile(self, structure: Structure, key: Hashable) -> Compilation:
        diagnostics: list[Diagnostic] = []
        with listening(diagnostics.append):
            module = self._lowered(structure)
        kept = None if wants_verify_each() else key
        return Compilation(FILE, lambda: module, StoredPlan(diagnostics), kept)

    def _lowered(self, structure: Structure) -> ModuleOp:
        from diablo.compiler import lower

        module = written(structure, distributed=self._distributed)
        lower(module, self.pipeline, {})
        return module

    @property
    def module(self) -> ModuleOp:
        """The module at the spark level. Nobody may change it."""
        return self._compilation.module

    @cached_property
    def main(self) -> Callable[..., Any]:
        """The program's `main` function."""
        return _main_of(self._compilation)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        code = self.main.__code__
        return code.co_varnames[1 : code.co_argcount]

    def run(
        self,
        structure: Structure,
        engine: Engine,
        master: str | None = None,
        block_size: int | None = None,
        memory: int | None = None,
    ) -> list[Any]:
        """Return the values of the outputs of a part of a graph."""
        arguments = dict(zip(self._names, structure.arguments(), strict=True))
        result: Any = run_main(self.main, arguments, engine, master, block_size, memory)
        several = isinstance(result, tuple)
        results = list(cast("tuple[Any, ...]", result)) if several else [result]
        return [_value(part, node) for part, node in zip(results, structure.outputs, strict=True)]


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


def _main_of(compilation: Compilation) -> Callable[..., Any]:
    program = compilation.emitted
    # The module is not registered, so that its functions travel to workers by value.
    module = ModuleType("diablo_program")
    module.__dict__["LLVM"] = dict(program.kernels)
    exec(program.code, module.__dict__)
    return module.__dict__["main"]


def _value(result: Any, node: Node) -> Any:
    """Return what a program gives for a node as NumPy's array of it."""
    if hasattr(result, "to_numpy"):
        result = result.to_numpy()
    value: Any = np.asarray(result)
    if value.dtype != node.dtype:
        value = value.astype(node.dtype)
    return value if value.shape == node.shape else value.reshape(node.shape)


_programs: OrderedDict[Hashable, ArrayProgram] = OrderedDict()


def program_for(structure: Structure, *, distributed: bool) -> ArrayProgram:
    """Return the program of a structure, compiled if it was not."""
    key = (structure.key, distributed)
    program = _programs.get(key)
    if program is None:
        with doing("compiling"), COMPILER, without_collection():
            program = _programs.get(key) or ArrayProgram(structure, distributed=distributed)
        _programs[key] = program
        if len(_programs) > _MOST_PROGRAMS:
            _programs.popitem(last=False)
    return program


def is_compiled(structure: Structure) -> bool:
    """Whether there is a program of the local engine for a structure already."""
    return (structure.key, False) in _programs
