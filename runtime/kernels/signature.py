"""What a compiled kernel takes and gives, as a line of text that travels with it.

    f64[1,2] i64 i64 -> f64[1,2] rows 1*2

Arguments come first, then `->` and the outputs, then the work and how threads may share it.

* `f64`, `i64`, `f32`, `i1`: a scalar. `f64[1,2]`: a tensor of rank 2 of which as much is read
  as the index arguments 1 and 2 say. A dimension is the number of an index argument, `0.1`
  (dimension 1 of argument 0), `=5` (the constant) or `?` (not read).
* Outputs are spelled alike; `f64()` is a scalar result, `f64(add)` one whose parts are added
  where the work is cut, `~f64[1]` a temporary.
* `rows 1*2`: the call may be cut along dimension 1, the work is 1 times 2 points.
  `whole 1*2`: it may not.
* `reads 27`, if it is there, says that a point costs NumPy as much as 27 simple ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np

from diablo.scalar_table import SCALARS

Array = np.ndarray[Any, Any]


class Element(NamedTuple):
    """An element type: in NumPy, and how a scalar of it is read from any number."""

    dtype: np.dtype[Any]
    scalar: Callable[[Any], Any]


ELEMENTS = {
    scalar.element: Element(np.dtype(scalar.code), scalar.python)
    for scalar in SCALARS
    if scalar.in_machine_code
}


class Dimension(NamedTuple):
    """An extent: a constant, an index argument, or a dimension of a tensor argument."""

    constant: int | None = None
    argument: int = 0
    axis: int | None = None

    def of(self, values: Sequence[Any]) -> int:
        """Its value in a call."""
        if self.constant is not None:
            return self.constant
        value = values[self.argument]
        return value if self.axis is None else value.shape[self.axis]

    @staticmethod
    def parse(text: str) -> Dimension | None:
        """Read the text form; None for a dimension that is not read."""
        if text == "?":
            return None
        if text.startswith("="):
            return Dimension(int(text[1:]))
        argument, _, axis = text.partition(".")
        return Dimension(None, int(argument), int(axis) if axis else None)


@dataclass(frozen=True)
class Slot:
    """One argument or output: its element type, and its dimensions if it is a tensor.

    `monoid` combines the parts of a scalar output.
    """

    element: str
    dimensions: tuple[Dimension | None, ...] | None = None
    temporary: bool = False
    monoid: str = ""

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy element type."""
        return ELEMENTS[self.element].dtype

    @staticmethod
    def parse(text: str) -> Slot:
        """Read the text form."""
        match = re.fullmatch(r"(~?)(\w+)(\[(.*)\]|\((\w*)\))?", text)
        if match is None or match[2] not in ELEMENTS:
            raise ValueError(f"'{text}' is no argument of a compiled kernel")
        dimensions = None
        if match[4] is not None:
            words = match[4].split(",") if match[4] else []
            dimensions = tuple(Dimension.parse(word) for word in words)
        return Slot(match[2], dimensions, bool(match[1]), match[5] or "")


@dataclass(frozen=True)
class Signature:
    """What a compiled kernel takes and gives; the text form is in the module's docstring.

    `work` multiplies to the points of a call; if `shared`, threads may cut its first factor.
    `reads` is what a point costs NumPy.
    """

    arguments: tuple[Slot, ...]
    outputs: tuple[Slot, ...]
    work: tuple[Dimension, ...]
    shared: bool = False
    reads: int = 1

    @staticmethod
    def parse(text: str) -> Signature:
        """Read the text form."""
        left, _, right = text.partition("->")
        clause = re.search(r"\s(rows|whole) (\S+)(?: reads (\d+))?$", right)
        if clause is None:
            raise ValueError(f"'{text}' does not say how much work a kernel has")
        work = tuple(d for word in clause[2].split("*") if (d := Dimension.parse(word)))
        return Signature(
            tuple(Slot.parse(word) for word in left.split()),
            tuple(Slot.parse(word) for word in right[: clause.start()].split()),
            work,
            clause[1] != "whole",
            int(clause[3] or 1),
        )

    @property
    def weight(self) -> int:
        """What a point costs machine code, in simple ones: what is read twice is at hand."""
        return 1 + self.reads // 8

    @cached_property
    def _read(self) -> list[tuple[int, int, Dimension]]:
        """Which dimensions of which arguments are read how far."""
        return [
            (position, axis, dimension)
            for position, slot in enumerate(self.arguments)
            for axis, dimension in enumerate(slot.dimensions or ())
            if dimension is not None
        ]

    def accept(self, arguments: Sequence[Any]) -> list[Any] | None:
        """The arguments as machine code takes them, or None if it does not."""
        if len(arguments) != len(self.arguments):
            return None
        values: list[Any] = []
        for slot, value in zip(self.arguments, arguments, strict=True):
            if slot.dimensions is None:
                try:
                    values.append(ELEMENTS[slot.element].scalar(value))
                except (TypeError, ValueError, OverflowError):
                    return None
                continue
            if not isinstance(value, np.ndarray):
                return None
            array = cast("Array", value)
            if array.ndim != len(slot.dimensions) or array.dtype != slot.dtype:
                return None
            values.append(array if array.flags.carray else _reachable(array))
        for position, axis, dimension in self._read:
            if values[position].shape[axis] < dimension.of(values):
                return None  # NumPy says what is wrong with the shapes.
        return values


def _reachable(array: Array) -> Array:
    """An array whose rows may lie anywhere, but whose elements are side by side."""
    item = array.itemsize
    scattered = array.ndim > 0 and array.shape[-1] > 1 and array.strides[-1] != item
    if scattered or any(stride % item for stride in array.strides) or not array.flags.aligned:
        return np.ascontiguousarray(array)
    return array
