"""What a compiled kernel over rows takes and gives, and its text in a printed program.

    (i64,f64) f64[?] i64 -> f64(add) groups(i64;f64:add,i64:add) rows(f64) over 0 weight 1

Arguments come first: `(i64,-)` is a bag with the types of its columns, of which those with `-` are
not read; arrays and scalars are spelled as in `kernel_signature`. It is passed as how many rows it
has, and of each column that is read where it is and how long. `[f64;-]` is a column of lists of two
columns: it is passed as where each list begins, how long each is, and the columns of all lists.

`text` is a column of strings whose characters are read: where each begins, how many characters it
has, and the bytes of all, if these are ASCII. Behind the columns of the bag come the code points,
which are to be read instead if a call says so behind all arguments.

Then come the outputs:

* `f64(add)`: what is reduced, with the monoid that combines parts. A tuple has a type for each of
  its parts, `f64,i64()`, and no monoid: such a kernel is one piece.
* `scan(f64;add)`: what is scanned, with the monoid that combines parts. `~scan(f64;add)`: the same,
  but what it comes to is not returned. A call says whether it is to do nothing but fold its rows
  for scans, and whether these go on from what their outputs hold.
* `vector(f64)`: an element for each row of the source.
* `placed(i64,f64)`: a row for each row of the source. `some(i64,f64)`: for some of them.
  `rows(i64,f64)`: as many as come of them.
  A column that is made may have lists, `[f64;i64]`: where each begins, how long each is, and behind
  all columns how many items the lists have, and the columns of these.
* `groups(i64;f64:add,i64:any)`: a row for each key, with the monoids of its values. Where a kernel
  makes nothing else, a call says which part of the keys it is to make, of how many.
  `keyed(i64;f64:add)`: the same with a table besides, for the keys of a range.
  `groups(i64;f64&i64:own)`: a monoid of the program's own, of tuples of two parts; rows are not
  shared then.
* `lists(i64;f64,i64&i1)`: a row for each key, with lists of its values, of which the second one has
  two columns. `keyed_lists(i64;f64)`: the same with a table besides. What is passed are the values
  as they come, and the numbers of their keys: those of the table first.

`matches 1`: rows of argument 1 are found by a key. Behind the arguments come the heads of chains of
its rows and which row is next in them, and at the end whether a call is to make these. `matches
1.0`: the key is an integer, column 0. Behind the chains come three numbers then, which say where
the chain of a key begins: a base that is taken off it, a factor, and a shift to the right.

Some columns are numbers that stand for what machine code has no values of. `code0` is one for each
string of dictionary 0, the same for equal strings of all columns that have it. `row`, behind the
columns of a bag, is the number of each row, and a column `row0.2` that is made has such numbers
instead of what argument 0 has there in its column 2, `row0.2+3` instead of two columns. `length` is
how many characters a string has.

`over 0`: the source is argument 0, the rows of a bag or the end of a range from 0 on, and may be
cut. `over 1.0`: dimension 0 of argument 1. `weight 3`: a row is worth three simple points;
`weight 3*1`: and that for each row of argument 1, which it goes through.

`of 0,2`: the only output has these columns of the source as they are, a row for each row.

Neither xDSL nor NumPy is needed here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Literal

from diablo.kernel_signature import Dimension, Slot

SPARE_PART = 8
"""A call goes on while there is room for this part of what buffers hold, or for all rows left."""

Kind = Literal["reduce", "scan", "vector", "placed", "some", "rows", "groups", "lists"]
KEYED = ("groups", "lists")
"""The kinds of outputs that have a row for each key."""
OWN = "own"
"""The monoid of a value of a group if it is the program's own, which only machine code knows."""


ROW = "row"
"""The element of a column that numbers the rows of a bag."""
TEXT = "text"
"""The element of a column of strings whose characters are read."""
LENGTH = "length"
"""The element of a column of strings whose lengths are read."""
_CODE = re.compile(r"code(\d+)")
_PLACE = re.compile(r"row(\d+)\.(\d+(?:\+\d+)*)")


def code_element(dictionary: int) -> str:
    """The element of a column of strings that have numbers."""
    return f"code{dictionary}"


def place_element(argument: int, columns: Sequence[int]) -> str:
    """The element of a column that is made of the numbers of rows, which have these columns."""
    return f"row{argument}.{'+'.join(map(str, columns))}"


def list_element(columns: Sequence[str]) -> str:
    """The element of a column of lists whose columns have these; empty for those not read."""
    return f"[{';'.join(column or '-' for column in columns)}]"


def widths_of(values: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """How many parts each value of a group has; nothing where each has one."""
    widths = tuple(map(len, values))
    return () if set(widths) <= {1} else widths


def items_of(element: str) -> list[str] | None:
    """The elements of the columns of lists, empty for those not read; None of any other column."""
    if not element.startswith("["):
        return None
    return ["" if column == "-" else column for column in element[1:-1].split(";")]


def dictionary_of(element: str) -> int | None:
    """Return which dictionary the strings of a column are numbered by; None of any other column."""
    match = _CODE.fullmatch(element)
    return int(match[1]) if match else None


def place_of(element: str) -> tuple[int, list[int]] | None:
    """The argument and its columns that have the values of the rows; None of any other column."""
    match = _PLACE.fullmatch(element)
    return (int(match[1]), list(map(int, match[2].split("+")))) if match else None


@dataclass(frozen=True)
class BagSlot:
    """An argument that is a bag: the elements of its columns, empty for those that are not read."""

    columns: tuple[str, ...]

    @property
    def given(self) -> tuple[str, ...]:
        """The elements of the columns that the bag itself has."""
        return self.columns[:-1] if self.columns[-1:] == (ROW,) else self.columns

    def __str__(self) -> str:
        return f"({','.join(column or '-' for column in self.columns)})"


@dataclass(frozen=True)
class Output:
    """What a generator makes.

    `keys` and `values` are elements; `monoids` has one for each value of a group, and one for
    what is reduced or scanned if parts of it can be combined.
    """

    kind: Kind
    values: tuple[str, ...]
    keys: tuple[str, ...] = ()
    monoids: tuple[str, ...] = ()
    has_table: bool = False
    """Whether it is given a table with a place for each key of a range, besides."""
    unused: bool = False
    """Whether it is not returned."""
    widths: tuple[int, ...] = ()
    """How many of the values each list has; each value of a group, where some are tuples."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The elements of all columns."""
        return self.keys + self.values

    def __str__(self) -> str:
        if self.kind == "reduce":
            return f"{','.join(self.values)}({''.join(self.monoids)})"
        if self.kind == "scan":
            mark = "~" * self.unused
            return f"{mark}scan({','.join(self.values)};{''.join(self.monoids)})"
        if self.kind == "groups":
            widths = self.widths or (1,) * len(self.values)
            ends = accumulate(widths)
            values = ",".join(
                f"{'&'.join(self.values[end - width : end])}:{self.monoids[end - 1]}"
                for width, end in zip(widths, ends, strict=True)
            )
            name = "keyed" if self.has_table else "groups"
            return f"{name}({','.join(self.keys)};{values})"
        if self.kind == "lists":
            ends = accumulate(self.widths)
            pairs = zip(self.widths, ends, strict=True)
            lists = ["&".join(self.values[end - width : end]) for width, end in pairs]
            name = "keyed_lists" if self.has_table else "lists"
            return f"{name}({','.join(self.keys)};{','.join(lists)})"
        return f"{self.kind}({','.join(self.values)})"

    @staticmethod
    def parse(text: str) -> Output:
        """Read the text form."""
        match = re.fullmatch(r"([^()]+)\((.*)\)", text)
        if match is None:
            raise ValueError(f"'{text}' is no output of a kernel over rows")
        name, inside = match[1], match[2]
        if name in ("groups", "keyed"):
            keys, _, values = inside.partition(";")
            folds = [word.split(":") for word in values.split(",") if word]
            parts = [(value.split("&"), monoid) for value, monoid in folds]
            return Output(
                "groups",
                tuple(part for own, _ in parts for part in own),
                tuple(keys.split(",")),
                tuple(monoid for own, monoid in parts for _ in own),
                name == "keyed",
                widths=widths_of([own for own, _ in parts]),
            )
        if name in ("lists", "keyed_lists"):
            keys, _, values = inside.partition(";")
            lists = [word.split("&") for word in values.split(",") if word]
            return Output(
                "lists",
                tuple(value for columns in lists for value in columns),
                tuple(keys.split(",")),
                (),
                name == "keyed_lists",
                widths=tuple(map(len, lists)),
            )
        if name in ("scan", "~scan"):
            values, _, monoid = inside.partition(";")
            monoids = (monoid,) if monoid else ()
            return Output("scan", tuple(values.split(",")), (), monoids, unused=name[0] == "~")
        if name == "vector" or name == "placed" or name == "some" or name == "rows":
            return Output(name, tuple(inside.split(",")))
        return Output("reduce", tuple(name.split(",")), (), (inside,) if inside else ())


@dataclass(frozen=True)
class Match:
    """The bag that an argument is, in which rows are found by a key."""

    argument: int
    column: int | None = None
    """The column that is the key, if it is an integer."""

    def __str__(self) -> str:
        return str(self.argument) if self.column is None else f"{self.argument}.{self.column}"

    @staticmethod
    def parse(text: str) -> Match:
        """Read the text form."""
        argument, _, column = text.partition(".")
        return Match(int(argument), int(column) if column else None)


@dataclass(frozen=True)
class RowSignature:
    """What a compiled kernel over rows takes and gives.

    `source` says how many rows it goes through: the length of a bag, or an extent.
    """

    arguments: tuple[BagSlot | Slot, ...]
    outputs: tuple[Output, ...]
    source: Dimension
    weight: int = 1
    matched: tuple[Match, ...] = ()
    """The bags in which rows are found by a key: one for each way to find them."""
    inner: tuple[Dimension, ...] = ()
    """How often a row goes through the loops in it: the rows of bags, or ends of ranges."""
    given: tuple[int, ...] = ()
    """The columns of the source that those of the only output are of, if these are as they were."""

    @property
    def shared(self) -> bool:
        """Whether threads may share the rows: what they make can be put together."""
        return all(
            OWN not in output.monoids
            if output.kind == "groups"
            else output.kind not in ("reduce", "scan") or output.monoids
            for output in self.outputs
        )

    @property
    def has_scans(self) -> bool:
        """Whether a call is told what it is to do with scans."""
        return any(output.kind == "scan" for output in self.outputs)

    @property
    def by_keys(self) -> bool:
        """Whether a call may be told which part of the keys to make, as it makes nothing else."""
        return all(output.kind in KEYED for output in self.outputs)

    @cached_property
    def reads_text(self) -> bool:
        """Whether the characters of strings are read."""
        return any(isinstance(bag, BagSlot) and TEXT in bag.columns for bag in self.arguments)

    @cached_property
    def encodes(self) -> bool:
        """Whether numbers stand for the values of some columns."""
        bags = [slot for slot in self.arguments if isinstance(slot, BagSlot)]
        elements = {element for bag in bags for element in bag.columns}
        return any(e in (ROW, LENGTH) or dictionary_of(e) is not None for e in elements)

    def __str__(self) -> str:
        words = [*map(str, self.arguments), "->", *map(str, self.outputs)]
        words += ["over", str(self.source), "weight", product_text_of(self.weight, self.inner)]
        if self.matched:
            words += ["matches", ",".join(map(str, self.matched))]
        if self.given:
            words += ["of", ",".join(map(str, self.given))]
        return " ".join(words)

    @staticmethod
    def is_text(text: str) -> bool:
        """Return whether a text is that of such a signature."""
        return " over " in text

    @staticmethod
    def parse(text: str) -> RowSignature:
        """Read the text form."""
        left, _, right = text.partition("->")
        clause = re.search(
            r"\sover (\S+) weight (\d+)(\S*)(?: matches (\S+))?(?: of (\S+))?$", right
        )
        source = None if clause is None else Dimension.parse(clause[1])
        if clause is None or source is None:
            raise ValueError(f"'{text}' does not say what a kernel over rows goes through")
        return RowSignature(
            tuple(map(_argument, left.split())),
            tuple(map(Output.parse, right[: clause.start()].split())),
            source,
            int(clause[2]),
            tuple(Match.parse(word) for word in (clause[4] or "").split(",") if word),
            tuple(d for word in clause[3].split("*") if word and (d := Dimension.parse(word))),
            tuple(int(word) for word in (clause[5] or "").split(",") if word),
        )


def product_text_of(weight: int, inner: Sequence[Dimension]) -> str:
    """The points that a row is worth: `3*1`, three for each row of argument 1."""
    return "*".join([str(weight), *map(str, inner)])


def _argument(text: str) -> BagSlot | Slot:
    if not text.startswith("("):
        return Slot.parse(text)
    columns = text[1:-1].split(",")
    return BagSlot(tuple("" if column == "-" else column for column in columns))
