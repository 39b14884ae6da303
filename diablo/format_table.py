"""The table of sparse formats, which the compiler and running programs read.

A row says what a format stores of a set of indices, what that costs, and where the code is that
builds and searches it at run time, and that goes through it in kernels:

    "coordinates": the position of each entry in the box, one vector

Bytes are found from the vectors: by the compiler in symbols, by a running program in numbers.
Neither xDSL nor NumPy is needed here; the classes are named, and found by
`diablo.runtime.arrays.patterns.form_choice` and `diablo.lowering.sparse_storage.buffers`. A format
more is a row more and its two classes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from math import log2
from typing import Any, Literal, Protocol

WORD = 8
"""The bytes of a word of bits, and of the offset of a diagonal."""


class Measured(Protocol):
    """What is known of a set of indices in a box; its leading dimensions number its lists."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the box."""
        ...

    @property
    def list_rank(self) -> int:
        """How many dimensions number the lists."""
        ...

    @property
    def count(self) -> int:
        """How many indices are stored."""
        ...

    @property
    def filled(self) -> int:
        """How many lists have an entry."""
        ...

    @property
    def longest(self) -> int:
        """The length of the longest list."""
        ...

    @property
    def diagonals(self) -> tuple[int, ...] | None:
        """The offsets of the diagonals that it consists of, wholly; None if it does not."""
        ...

    @property
    def lists(self) -> int:
        """How many lists there are."""
        ...

    @property
    def length(self) -> int:
        """How many places a list has."""
        ...

    @property
    def size(self) -> int:
        """How many indices the box has."""
        ...


Each = Literal["list", "filled list", "entry", "word", "diagonal"]
"""What a vector has an element for: a list, one with entries, an entry, 64 indices, a diagonal."""

Holds = Literal["entry", "list", "place", "position", "word"]
"""What an element is, which decides its width: the number of an entry or list, a place in a list,
a position in the box, or 64 bits whatever the sizes are."""


@dataclass(frozen=True)
class Vector:
    """One of the vectors that hold the indices.

    Parameters
    ----------
    name : str
        What the vector is called.
    each : str
        What it has an element for.
    holds : str
        What an element is.
    what : str
        The same for a reader; `{list}`, `{outer}` and `{rest}` stand for a list, its dimension,
        and the dimensions of an index in it.
    more : int
        How many elements it has beside those.
    """

    name: str
    each: Each
    holds: Holds
    what: str
    more: int = 0

    def elements(self, s: Measured) -> int:
        """Return how many elements it has for a set of indices."""
        match self.each:
            case "list":
                return s.lists + self.more
            case "filled list":
                return s.filled + self.more
            case "entry":
                return s.count + self.more
            case "word":
                return -(-s.size // 64) + self.more
            case "diagonal":
                return len(s.diagonals or ()) + self.more

    def largest(self, s: Measured) -> int | None:
        """Return what its elements have to hold; None for 64 bits."""
        match self.holds:
            case "entry":
                return s.count
            case "list":
                return s.lists
            case "place":
                return s.length
            case "position":
                return s.size
            case "word":
                return None


Purpose = Literal["lists", "lists of many dimensions", "many dimensions", "one pass", "band", "box"]
"""What the compiler knows of a region where it chooses its format without costs: that lists of it
are gone through, or not, that it is built once and read once, that its indices lie in a band, that
it is all of its box."""


def _any(_: Measured) -> bool:
    return True


@dataclass(frozen=True)
class Format:
    """How the indices of a sparse array may be stored.

    Parameters
    ----------
    name : str
        The format's name in layouts.
    vectors : tuple of Vector
        What it stores.
    runtime, kernels : str
        The class of a running program, and that of the lowering of kernels, as `module:class`.
    touches : callable
        How many places in memory a lookup reads.
    decoding : callable
        What a traversal costs beside reading the vectors, in bytes that could be read meanwhile.
    can_hold : callable
        Whether it stores a set of indices at all. One that holds any is made of ascending
        positions, its box and how many dimensions number lists, of which nothing is measured.
    one_width : bool
        Whether its vectors share the width that holds any number of an entry, list or place.
    finds_lists : bool
        Whether the entries of a list are found without a search.
    random_access : bool
        Whether an index is found without one, so that no directory is kept.
    further_orders : bool
        Whether it is kept in further orders of the dimensions; the others find any index at once.
    goes_list_by_list : bool
        Whether kernels go through it list by list, and not better as a whole.
    made_in_kernels : bool
        Whether kernels make parts of regions in it (`lowering/sparse_storage/parts.py`).
    of_matrices : bool
        Whether it is one of matrices in row-major order alone.
    holds_box : bool
        Whether an array in it has a value for each index of the box.
    foreseen : bool
        Whether it is among those that a report takes an open choice to come to.
    chosen_for : frozenset of Purpose
        For what the compiler takes it without knowing sizes.
    known_as : tuple of str
        The field's name of a matrix in it, and that by columns if it is another.
    """

    name: str
    vectors: tuple[Vector, ...]
    runtime: str
    kernels: str
    touches: Callable[[Measured], float]
    decoding: Callable[[Measured], float] = lambda _: 0.0
    can_hold: Callable[[Measured], bool] = _any
    one_width: bool = False
    finds_lists: bool = False
    random_access: bool = False
    further_orders: bool = False
    goes_list_by_list: bool = True
    made_in_kernels: bool = False
    of_matrices: bool = False
    holds_box: bool = False
    foreseen: bool = False
    chosen_for: frozenset[Purpose] = frozenset()
    known_as: tuple[str, ...] = ()

    @property
    def holds_any(self) -> bool:
        """Whether it holds any set, and is made of one without more known of it than the box."""
        return self.can_hold is _any

    @property
    def wide_vectors(self) -> frozenset[str]:
        """The vectors that have 64 bits whatever the width of indices is."""
        return frozenset(vector.name for vector in self.vectors if vector.holds == "word")


_RUNTIME = "diablo.runtime.arrays.patterns"
_KERNELS = "diablo.lowering.sparse_storage"


def _in_list(s: Measured, lists: int) -> float:
    return 1 + log2(1 + s.count / max(1, lists))


def _places(s: Measured) -> float:
    """Return what it costs to take places in lists apart into indices."""
    return WORD * s.count * max(0, len(s.shape) - s.list_rank - 1)


def _lists(s: Measured, lists: int) -> float:
    return WORD * max(0, s.list_rank - 1) * lists


_ROWS = (
    Format(
        "compressed",
        (
            Vector("starts", "list", "entry", "first entry of each {list}", 1),
            Vector("indices", "entry", "place", "index in {rest}"),
        ),
        f"{_RUNTIME}.compressed_lists:Compressed",
        f"{_KERNELS}.list_forms:Compressed",
        touches=lambda s: _in_list(s, s.lists),
        decoding=lambda s: _lists(s, s.lists) + _places(s),
        one_width=True,
        finds_lists=True,
        further_orders=True,
        made_in_kernels=True,
        foreseen=True,
        chosen_for=frozenset(["lists"]),
        known_as=("CSR", "CSC"),
    ),
    Format(
        "hypersparse",
        (
            Vector("lists", "filled list", "list", "index in dimension {outer} of each list"),
            Vector("starts", "filled list", "entry", "first entry of each list", 1),
            Vector("indices", "entry", "place", "index in {rest}"),
        ),
        f"{_RUNTIME}.compressed_lists:Hypersparse",
        f"{_KERNELS}.list_forms:Hypersparse",
        touches=lambda s: _in_list(s, s.filled) + log2(1 + s.filled),
        decoding=lambda s: _lists(s, s.filled) + _places(s),
        further_orders=True,
        goes_list_by_list=False,
        foreseen=True,
        chosen_for=frozenset(["lists of many dimensions"]),
        known_as=("DCSR", "DCSC"),
    ),
    Format(
        "coordinates",
        (Vector("flat", "entry", "position", "position in the box"),),
        f"{_RUNTIME}.coordinates:Coordinates",
        f"{_KERNELS}.cell_forms:Coordinates",
        touches=lambda s: log2(s.count + 2),
        decoding=lambda s: WORD * s.count * max(0, len(s.shape) - 1),
        further_orders=True,
        goes_list_by_list=False,
        made_in_kernels=True,
        chosen_for=frozenset(["one pass", "many dimensions"]),
        known_as=("COO",),
    ),
    Format(
        "bitmap",
        (
            Vector("words", "word", "word", "bit of each index"),
            Vector("ranks", "word", "entry", "rank of words", 1),
        ),
        f"{_RUNTIME}.cells:Bitmap",
        f"{_KERNELS}.cell_forms:Bitmap",
        touches=lambda _: 2.0,
        decoding=lambda s: WORD / 2 * s.count,
        random_access=True,
        foreseen=True,
    ),
    Format(
        "band",
        (Vector("offsets", "diagonal", "word", "offset of each diagonal"),),
        f"{_RUNTIME}.band:Band",
        f"{_KERNELS}.band_form:Band",
        touches=lambda s: log2(len(s.diagonals or ()) + 2),
        can_hold=lambda s: s.diagonals is not None,
        random_access=True,
        of_matrices=True,
        chosen_for=frozenset(["band"]),
        known_as=("diagonal",),
    ),
    Format(
        "full",
        (),
        f"{_RUNTIME}.cells:Full",
        f"{_KERNELS}.cell_forms:Full",
        touches=lambda _: 0.0,
        can_hold=lambda s: s.count == s.size,
        random_access=True,
        holds_box=True,
        foreseen=True,
        chosen_for=frozenset(["box"]),
    ),
)

FORMATS = {row.name: row for row in _ROWS}
"""The formats. Of several that cost the same the first is taken."""

AUTO = "auto"
"""Stands for a format where the choice is left open."""


def format_for(purpose: Purpose) -> str:
    """Return the name of the format that is chosen for a purpose, the first of several.

    >>> format_for("one pass")
    'coordinates'
    """
    return next(name for name, row in FORMATS.items() if purpose in row.chosen_for)


_BY_COLUMNS = (1, 0)


def named(word: str) -> tuple[str, tuple[int, int] | None]:
    """The form that a word in any case stands for, and the order of the dimensions if it says one.

    >>> named("CSC")
    ('compressed', (1, 0))
    >>> named("Bitmap")
    ('bitmap', None)
    """
    lowered = word.lower()
    if lowered in form_names():
        return lowered, None
    for name, form in FORMATS.items():
        words = [known.lower() for known in form.known_as]
        if lowered in words:
            orders = ((0, 1), _BY_COLUMNS) if len(words) > 1 else (None,)
            return name, orders[words.index(lowered)]
    return word, None


def known_name(form: str, rank: int, order: Sequence[int]) -> str | None:
    """Return what the field calls an array that is stored so, if it has a name of its own."""
    known = FORMATS[form].known_as if form != AUTO and rank == len(_BY_COLUMNS) else ()
    return known[-1 if tuple(order) == _BY_COLUMNS else 0] if known else None


@cache
def class_at(place: str) -> Any:
    """The class that a row names as `module:class`; its module is loaded no sooner."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def form_names() -> tuple[str, ...]:
    """Return what a layout may say of its form."""
    return (AUTO, *FORMATS)


def spelled_forms() -> str:
    """The names of the forms, and those that arrays in them have elsewhere, for a message."""
    rows = [(name, ", ".join(row.known_as)) for name, row in FORMATS.items()]
    return ", ".join([AUTO, *(f"{name} ({known})" if known else name for name, known in rows)])
