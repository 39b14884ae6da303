"""What a compiled kernel takes and gives: built by the compiler, read by running programs.

Where the two are one process it is handed over as it is. In a program that is printed it is a
line of text:

    f64[1,2] i64 i64 -> f64[1,2] rows 1*2

Arguments come first, then `->` and the outputs, then the work and how threads may share it.

* `f64`, `i64`, `f32`, `i1`: a scalar. `i64>0`: one that is above zero, as something is divided by
  it; a call with any other is NumPy's. `f64[1,2]`: a tensor of rank 2 of which as much is read
  as the index arguments 1 and 2 say. A dimension is the number of an index argument, `0.1`
  (dimension 1 of argument 0), `=5` (the constant) or `?` (not read).
* `complex128`: a complex number, which goes to machine code as two floats; `complex128[1]` is a
  tensor of such, in whose memory they stand side by side.
* `(f64,i64)[1]`: a tensor of tuples, which goes to machine code as a tensor for each part.
* Outputs are spelled alike; `f64()` is a scalar result, `f64(add)` one whose parts are added
  where the work is cut, `(f64,i64)(@least)` one that a monoid of the program's own combines in
  the order of the pieces, `~f64[1]` a temporary. `f64[1](add)` is a tensor of which each piece of
  the work has its own, `~f64[=512]()` a temporary of that kind.
* `~f64(add)`: what pieces of the work come to where they are scanned. Such a call is made twice
  where there are several: all but the last fold their part of the work and leave that there, then
  each goes through its part and begins with what those before it come to. Behind all else it is
  told how many pieces are before it, and whether it is just to fold.
* `rows 1*2`: the call may be cut along dimension 1, the work is 1 times 2 points.
  `whole 1*2`: it may not.
* `reads 27`, if it is there, says that a point costs NumPy as much as 27 simple ones.

Neither xDSL nor NumPy is needed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from diablo.scalar_table import BY_ELEMENT


class Dimension(NamedTuple):
    """An extent: a constant, an index argument, or a dimension of a tensor argument."""

    constant: int | None = None
    argument: int = 0
    axis: int | None = None

    def of(self, values: Sequence[Any]) -> int:
        """Return its value in a call."""
        if self.constant is not None:
            return self.constant
        value = values[self.argument]
        return value if self.axis is None else value.shape[self.axis]

    def __str__(self) -> str:
        if self.constant is not None:
            return f"={self.constant}"
        return f"{self.argument}" if self.axis is None else f"{self.argument}.{self.axis}"

    @staticmethod
    def parse(text: str) -> Dimension | None:
        """Read the text form; None for a dimension that is not read."""
        if text == "?":
            return None
        if text.startswith("="):
            return Dimension(int(text[1:]))
        argument, _, axis = text.partition(".")
        return Dimension(None, int(argument), int(axis) if axis else None)


def dimensions_text(dimensions: Iterable[Dimension | None]) -> str:
    """Return how far each dimension of a tensor is read."""
    return ",".join("?" if dimension is None else str(dimension) for dimension in dimensions)


def product_text(factors: Iterable[Dimension]) -> str:
    """Return how many points there are."""
    return "*".join(map(str, factors))


PIECE_LINE = 8
"""How many elements apart what pieces of a scan come to stands, at least: a cache line of words."""


@dataclass(frozen=True)
class Slot:
    """One argument or output: its element type, and its dimensions if it is a tensor.

    `monoid` combines what the pieces of the work give for a scalar output, or for a tensor of
    which each has its `own`; of a scalar that is `temporary` those that come before a piece. A
    number that is `positive` divides others.
    """

    element: str
    dimensions: tuple[Dimension | None, ...] | None = None
    temporary: bool = False
    monoid: str = ""
    positive: bool = False
    own: bool = False

    @cached_property
    def elements(self) -> tuple[str, ...]:
        """The element types of the parts of a tuple; of anything else its own."""
        return tuple(self.element.strip("()").split(","))

    @cached_property
    def is_complex(self) -> bool:
        """Whether it is a complex number, or a tensor of such: a number is passed as two floats."""
        return not self.is_tuple and BY_ELEMENT[self.element].domain == "complex"

    @property
    def is_scanned(self) -> bool:
        """Whether it is what pieces of the work come to, for those behind them to begin with."""
        return self.temporary and self.dimensions is None

    @property
    def is_tuple(self) -> bool:
        """Whether it is a tuple, or a tensor of tuples."""
        return self.element.startswith("(")

    def __str__(self) -> str:
        mark = "~" if self.temporary else ""
        if self.dimensions is None:
            return f"{mark}{self.element}{'>0' * self.positive}"
        return f"{mark}{self.element}[{dimensions_text(self.dimensions)}]"

    @property
    def as_output(self) -> str:
        """The text of an output: a scalar has brackets."""
        if self.dimensions is None:
            return f"{'~' * self.temporary}{self.element}({self.monoid})"
        return f"{self}({self.monoid})" if self.own else str(self)

    @staticmethod
    def parse(text: str) -> Slot:
        """Read the text form."""
        pattern = r"(~?)(\w+|\(\w+(?:,\w+)*\))(?:\[(.*)\])?(?:\((@?[^()]*)\)|(>0))?"
        match = re.fullmatch(pattern, text)
        named = match[2].strip("()").split(",") if match is not None else []
        known = [BY_ELEMENT.get(name) for name in named]
        if match is None or not all(row is not None and row.in_machine_code for row in known):
            raise ValueError(f"'{text}' is no argument of a compiled kernel")
        dimensions = None
        if match[3] is not None:
            words = match[3].split(",") if match[3] else []
            dimensions = tuple(Dimension.parse(word) for word in words)
        own = dimensions is not None and match[4] is not None
        return Slot(match[2], dimensions, bool(match[1]), match[4] or "", bool(match[5]), own)


@dataclass(frozen=True)
class Cut:
    """How a kernel is called for a part of its rows."""

    extent: int
    """Which argument says how many rows there are."""
    arguments: tuple[int, ...]
    """Those arguments of which it is given the same rows."""
    origin: int | None = None
    """Which argument is the number of the first row, if any is."""
    monoids: tuple[str, ...] = ("",)
    """Of each result what combines those of parts; nothing if they are rows of one array."""


@dataclass(frozen=True)
class Signature:
    """What a compiled kernel over dense tiles takes and gives.

    `work` multiplies to the points of a call; if `shared`, threads may cut its first factor.
    `reads` is what a point costs NumPy.
    """

    arguments: tuple[Slot, ...]
    outputs: tuple[Slot, ...]
    work: tuple[Dimension, ...]
    shared: bool = False
    reads: int = 1

    def __str__(self) -> str:
        outputs = [slot.as_output for slot in self.outputs]
        work = f"{'rows' if self.shared else 'whole'} {product_text(self.work)}"
        reads = [f"reads {self.reads}"] if self.reads > 1 else []
        return " ".join([*map(str, self.arguments), "->", *outputs, work, *reads])

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
        """The cost of a point in machine code, in simple ones: what is read twice is at hand."""
        return 1 + self.reads // 8

    @property
    def own_monoids(self) -> set[str]:
        """The names of the program's own monoids that combine outputs."""
        return {slot.monoid[1:] for slot in self.outputs if slot.monoid.startswith("@")}

    @cached_property
    def tables(self) -> tuple[tuple[Dimension | None, ...], ...]:
        """The dimensions of what each piece of the work has of its own, and is combined then."""
        return tuple(s.dimensions or () for s in self.outputs if s.own and not s.temporary)

    @cached_property
    def makes_parts(self) -> bool:
        """Whether each piece of the work makes something of its own, however small the piece is.

        Strips of a fixed length are none of this.
        """
        return self.has_scans or any(
            slot.own
            and (not slot.temporary or any(d and d.constant is None for d in slot.dimensions or ()))
            for slot in self.outputs
        )

    @cached_property
    def has_scans(self) -> bool:
        """Whether pieces of the work are folded before they are done."""
        return any(slot.is_scanned for slot in self.outputs)

    @cached_property
    def extents_read(self) -> list[tuple[int, int, Dimension]]:
        """Which dimensions of which arguments are read how far."""
        return [
            (position, axis, dimension)
            for position, slot in enumerate(self.arguments)
            for axis, dimension in enumerate(slot.dimensions or ())
            if dimension is not None
        ]
