"""What a compiled kernel over sparse tiles takes and gives, and its text in a printed program.

    f64{1}[1,2] i64 i64 f64[2] -> f64[1] rows @0 of 1*2

It is that of `kernel_signature`, and besides:

* `f64{1}[1,2]`: a sparse tile of one dense dimension whose extents are just the index arguments
  1 and 2. It is passed as the starts of its rows, the indices and the values (none for `i1`),
  and its extents. `f64{1;bitmap;1.0;64}[1,2]`: one in another layout, here a bitmap in the order
  [1, 0] with counts of 64 bits, which is passed as its vectors
  (`diablo.runtime.arrays.tile_buffers`).
* `f64{1}[1,2]~@0`: a sparse tile that shares the pattern of argument 0.
* `f64[1,2]=@3`: a dense result that begins as a copy of argument 3, `=0` as zeros.
* `f64{1}@0`: a sparse result, the values over the pattern of argument 0.
* `f64{1}|@0|@1`: a sparse result with a pattern of its own in compressed rows, of the indices of
  arguments 0 and 1 at most; `&@0&@1`: of those that both have. The ends of its rows, the indices
  and the values are passed, and behind the range of rows where the first entry goes.
* `rows @0*3`: the call may be cut along the rows of argument 0, in parts of equally many
  entries; the work is the number of these times 3. `whole @0`: it may not.
* `of 1*2`: the NumPy function computes at every point of a space of these extents.

Neither xDSL nor NumPy is needed here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from diablo.format_table import form_names
from diablo.kernel_signature import Dimension, Signature, Slot, dimensions_text, product_text


@dataclass(frozen=True)
class StoredLayout:
    """The vectors that a tile is passed as: its form, the first order, the bits of an index."""

    form: str
    order: tuple[int, ...] = ()
    width: int = 0

    def __str__(self) -> str:
        return f"{self.form};{'.'.join(map(str, self.order))};{self.width}"


@dataclass(frozen=True)
class SparseSlot:
    """A sparse argument, or a sparse result over the pattern of argument `over`."""

    element: str
    dense_rank: int
    dimensions: tuple[Dimension | None, ...] = ()
    over: int | None = None
    like: int | None = None
    """The argument whose pattern it shares."""
    layout: StoredLayout | None = None
    """How tiles are passed, if not compressed by rows."""
    merges: tuple[int, ...] = ()
    """The arguments whose rows are merged into a result with a pattern of its own."""
    all: bool = True
    """Whether it may have the indices of any of them; else only those of each."""

    def __str__(self) -> str:
        stored = "" if self.layout is None else f";{self.layout}"
        whole = f"{self.element}{{{self.dense_rank}{stored}}}"
        if self.over is not None:
            return f"{whole}@{self.over}"
        if self.merges:
            return whole + "".join(f"{'|' if self.all else '&'}@{number}" for number in self.merges)
        like = "" if self.like is None else f"~@{self.like}"
        return f"{whole}[{dimensions_text(self.dimensions)}]{like}"

    @property
    def as_output(self) -> str:
        """The text of an output."""
        return str(self)

    @staticmethod
    def parse(text: str) -> SparseSlot | None:
        """Read the text form; None if it is not that of a sparse tile."""
        match = _SLOT.fullmatch(text)
        if match is None:
            return None
        element, dense = match["element"], int(match["dense"])
        if match["over"] is not None:
            return SparseSlot(element, dense, over=int(match["over"]))
        if match["merges"]:
            numbers = tuple(int(number) for number in re.findall(r"\d+", match["merges"]))
            return SparseSlot(element, dense, merges=numbers, all=match["merges"][0] == "|")
        dimensions = tuple(Dimension.parse(word) for word in match["dimensions"].split(","))
        layout = None
        if match["form"]:
            order = tuple(int(d) for d in match["order"].split(".") if d)
            if match["form"] not in form_names():
                raise ValueError(f"'{text}' names no form")
            layout = StoredLayout(match["form"], order, int(match["width"]))
        like = None if match["like"] is None else int(match["like"])
        return SparseSlot(element, dense, dimensions, like=like, layout=layout)


_SLOT = re.compile(
    r"(?P<element>\w+)\{(?P<dense>\d+)(;(?P<form>\w+);(?P<order>[\d.]*);(?P<width>\d+))?\}"
    r"(\[(?P<dimensions>.*)\](~@(?P<like>\d+))?|@(?P<over>\d+)"
    r"|(?P<merges>([|&]@\d+)+))"
)


@dataclass(frozen=True)
class SparseSignature:
    """What such a kernel takes and gives.

    The work is the entries of argument `source`, times the `factors`; that of the NumPy function
    is the product of `space`, if there is one.
    """

    arguments: tuple[Slot | SparseSlot, ...]
    outputs: tuple[Slot | SparseSlot, ...]
    beginnings: tuple[str, ...]
    """What each output begins as: `@k`, `0`, or nothing in particular."""
    source: int
    factors: tuple[Dimension, ...]
    space: tuple[Dimension, ...]
    shared: bool

    def __str__(self) -> str:
        outputs = [
            f"{slot.as_output}={beginning}" if beginning else slot.as_output
            for slot, beginning in zip(self.outputs, self.beginnings, strict=True)
        ]
        work = f"{'rows' if self.shared else 'whole'} @{self.source}"
        work += "".join(f"*{factor}" for factor in self.factors)
        space = [f"of {product_text(self.space)}"] if self.space else []
        return " ".join([*map(str, self.arguments), "->", *outputs, work, *space])

    @staticmethod
    def parse(text: str) -> SparseSignature:
        """Read the text form."""
        left, _, right = text.partition("->")
        clause = re.search(r"\s(rows|whole) @(\d+)(\S*)(?: of (\S+))?$", right)
        if clause is None:
            raise ValueError(f"'{text}' does not say how much work a kernel has")
        # Constant extents are spelled with the same sign: f64[=3]=@0.
        outputs = [re.split(r"(?<=\])=", word) for word in right[: clause.start()].split()]
        return SparseSignature(
            tuple(SparseSlot.parse(word) or Slot.parse(word) for word in left.split()),
            tuple(SparseSlot.parse(word) or Slot.parse(word) for word, *_ in outputs),
            tuple("".join(beginning) for _, *beginning in outputs),
            int(clause[2]),
            _product(clause[3]),
            _product(clause[4] or ""),
            clause[1] == "rows",
        )

    @cached_property
    def at_points(self) -> bool:
        """Whether all it does is to compute values at the entries of one argument.

        Of which extent a tile is that is read beside them is left open.
        """
        sparse = [slot for slot in self.arguments if isinstance(slot, SparseSlot)]
        return all(isinstance(slot, SparseSlot) for slot in self.outputs) and not any(
            slot.like is not None or None in slot.dimensions for slot in sparse
        )

    @cached_property
    def dense_arguments(self) -> Signature:
        """The arguments that are not sparse, to be accepted as any kernel's."""
        slots = tuple(
            Slot(slot.element, None if slot.dimensions is None else (None,) * len(slot.dimensions))
            for slot in self.arguments
            if isinstance(slot, Slot)
        )
        return Signature(slots, (), ())


def _product(text: str) -> tuple[Dimension, ...]:
    return tuple(d for word in text.split("*") if word and (d := Dimension.parse(word)))
