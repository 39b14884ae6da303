"""The structure of a part of a graph: all that decides what is compiled for it.

Two parts with equal structures are computed by one program. Types, operations and which operand is
which are in it; of extents and places in arrays only which of them are equal, unless they are
small: the program takes them as arguments, and single numbers as well.

    a[1:-1] + 2 * b    of 1,000 elements    =    the same of 2,000, and of another number than 2
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from diablo.array.expression_graph import CONSTANT, Node, Values, here, stays_with_spark
from diablo.array.generated_operations import Generated
from diablo.array.view_operations import Place, View, Window

_SMALL = 8
"""Up to which number extents and places are written into the program."""


@dataclass
class Structure:
    """What `structure_of` finds.

    Parameters
    ----------
    key : equal for parts of graphs that one program computes
    order : the operations, equal ones once, each behind its operands
    inputs : what they read, in the order of the program's parameters
    outputs : what is wanted of them, in the order of the program's results
    same : for each node that stands for
    symbols : the numbers that the program is given, with their positions
    places : for each view, window, and what is made of places, where it reads, as numbers or
        positions of symbols
    """

    key: Hashable
    order: list[Node]
    inputs: list[Node]
    outputs: list[Node]
    same: dict[Node, Node]
    symbols: dict[int, int]
    places: dict[Node, list[Place]] = field(default_factory=dict[Node, "list[Place]"])
    axes: dict[Node, tuple[int, ...]] = field(default_factory=dict[Node, "tuple[int, ...]"])
    """For each input the order of its axes in which it lies in memory."""

    needs_zero: bool = False
    """Whether the program is also given a 0, which nobody knows to be one."""

    def arguments(self) -> list[Any]:
        """Return what the program is given: inputs, then numbers."""
        values = [argument(node.value, self.axes[node]) for node in self.inputs]
        return [*values, *self.symbols, *([0] if self.needs_zero else [])]


def structure_of(order: Sequence[Node], outputs: Sequence[Node]) -> Structure:
    """Return the structure of nodes that are in order; the others that they read are inputs."""
    numbers: dict[Node, int] = {}
    known: dict[Hashable, Node] = {}
    same: dict[Node, Node] = {}
    symbols: dict[int, int] = {}
    places: dict[Node, list[Place]] = {}
    axes: dict[Node, tuple[int, ...]] = {}
    entries: list[Hashable] = []
    kept: list[Node] = []
    inputs: list[Node] = []
    values: dict[int, Node] = {}

    def number(value: int) -> Hashable:
        if -_SMALL <= value <= _SMALL:
            return value
        return ("n", symbols.setdefault(value, len(symbols)))

    def read(node: Node) -> int:
        found = numbers.get(node)
        if found is not None:
            return found
        if node.operation is CONSTANT:
            entry = ("constant", node.value.item(), node.dtype.name)
            same[node] = known.setdefault(entry, node)
            if same[node] is node:
                entries.append(entry)
                numbers[node] = len(numbers)
            numbers[node] = numbers[same[node]]
            return numbers[node]
        equal = values.setdefault(id(node.value), node)
        same[node] = equal
        if equal is node:
            axes[node] = memory_order(node.value)
            inputs.append(node)
            extents = tuple([number(extent) for extent in node.shape])
            entries.append(("input", node.dtype.name, extents, axes[node]))
            numbers[node] = len(numbers)
        else:
            numbers[node] = numbers[equal]
        return numbers[node]

    within = set(order)
    for node in order:
        operands = tuple([numbers[n] if n in within else read(n) for n in node.operands])
        operation = node.operation
        parameters: Hashable = node.parameters
        if isinstance(operation, View | Window | Generated):
            places[node] = operation.places(node)
            parameters = tuple([(number(start), terms) for start, terms in places[node]])
        extents = tuple([number(extent) for extent in node.shape])
        entry = (operation.name, operands, parameters, extents, node.dtype.name)
        equal = known.setdefault(entry, node)
        same[node] = equal
        if equal is node:
            numbers[node] = len(numbers)
            entries.append(entry)
            kept.append(node)
        else:
            numbers[node] = numbers[equal]
    wanted = list(dict.fromkeys([same[node] for node in outputs]))
    key = (tuple(entries), tuple([numbers[node] for node in wanted]))
    needs_zero = any(isinstance(node.operation, Window) for node in kept)
    return Structure(key, kept, inputs, wanted, same, symbols, places, axes, needs_zero)


def memory_order(value: Values) -> tuple[int, ...]:
    """Return the order of the axes in which an array lies in memory without gaps, else its own."""
    natural = tuple(range(value.ndim))
    if value.ndim < 2 or stays_with_spark(value) or value.flags.c_contiguous:
        return natural
    order = tuple(sorted(natural, key=lambda axis: (-abs(value.strides[axis]), axis)))
    return order if value.transpose(order).flags.c_contiguous else natural


def argument(value: Values, order: tuple[int, ...]) -> Any:
    """Return an input as its program takes it: in C order, without axes of extent 1."""
    if stays_with_spark(value):
        if 1 not in value.shape:
            return value
        value = here(value)
    if value.size == 1:
        number = value.reshape(())[()]
        return number if value.dtype.kind == "c" else number.item() if _is_python(value) else number
    if order != tuple(range(value.ndim)):
        value = value.transpose(order)
    if not value.flags.c_contiguous:
        value = np.ascontiguousarray(value)
    if 1 in value.shape:
        value = value.reshape([extent for extent in value.shape if extent != 1])
    return value


def _is_python(value: Values) -> bool:
    """Return whether programs take a single number of the type as one of Python's."""
    return value.dtype.name in ("bool", "int64", "float64")
