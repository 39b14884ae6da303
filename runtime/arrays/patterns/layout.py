"""`Layout`: what a program asks of the storage of an index pattern, and its text.

    parse("form = compressed, orders = [[0, 1], [1, 0]], directory = hash, width = 32")

| field | says |
|---|---|
| `form` | one of `diablo.format_table`; `auto`: what `form_choice` finds cheapest for the pattern |
| `orders` | the dimension orders in which it is iterated; the first is the order of the entries |
| `directory` | what random access goes through besides the form: nothing, an array, a hash table |
| `width` | bits of an index; 0, or too few for the pattern: the fewest that do |

A layout is a wish: a pattern that a form cannot hold (a band that is none) is stored as `auto`
would, and whatever is missing is derived when it is asked for. No result depends on it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from diablo.format_table import AUTO, form_names

Order = tuple[int, ...]


class Directory(Enum):
    """What finds the entry of an index."""

    NONE = "none"
    ARRAY = "array"
    HASH = "hash"


@dataclass(frozen=True)
class Layout:
    """The fields of the text; no orders mean row-major alone."""

    form: str = AUTO
    orders: tuple[Order, ...] = ()
    directory: Directory = Directory.NONE
    width: int = 0

    def __str__(self) -> str:
        orders = ", ".join(f"[{', '.join(map(str, order))}]" for order in self.orders)
        parts = [f"form = {self.form}"]
        if orders:
            parts.append(f"orders = [{orders}]")
        if self.directory is not Directory.NONE:
            parts.append(f"directory = {self.directory.value}")
        if self.width:
            parts.append(f"width = {self.width}")
        return ", ".join(parts)

    def orders_of(self, rank: int) -> tuple[Order, ...]:
        """The orders for a pattern of `rank` dimensions, each once, at least one.

        Raises
        ------
        ValueError
            If one of them is not an order of that many dimensions.
        """
        for order in self.orders:
            if sorted(order) != list(range(rank)):
                raise ValueError(f"{list(order)} is not an order of {rank} dimensions")
        return tuple(dict.fromkeys(self.orders)) or (tuple(range(rank)),)


_FIELDS = re.compile(
    r"form\s*=\s*(?P<form>\w+)"
    r"(\s*,\s*orders\s*=\s*\[(?P<orders>[\s\d,\[\]]*)\])?"
    r"(\s*,\s*directory\s*=\s*(?P<directory>\w+))?"
    r"(\s*,\s*width\s*=\s*(?P<width>\d+))?"
)
_ORDERS = re.compile(r"\s*(\[\s*\d+(\s*,\s*\d+)*\s*\](\s*,\s*\[\s*\d+(\s*,\s*\d+)*\s*\])*)?\s*")


@lru_cache(maxsize=1024)
def parse(text: str) -> Layout:
    """The layout that `text` says, with or without `#sparse_storage.layout<…>` around it.

    Raises
    ------
    ValueError
        If it says none.
    """
    inner = re.fullmatch(r"\s*(?:#sparse_storage\.layout<)?(.*?)>?\s*", text, re.DOTALL)
    match = _FIELDS.fullmatch(inner[1]) if inner else None
    width = int(match["width"] or 0) if match else 0
    if not match or width not in (0, 32, 64) or not _ORDERS.fullmatch(match["orders"] or ""):
        raise ValueError(f"{text!r} is not a layout")
    orders = [
        tuple(int(d) for d in group.split(","))
        for group in re.findall(r"\[([^\[\]]*)\]", match["orders"] or "")
    ]
    if match["form"] not in form_names():
        raise ValueError(f"{text!r} is not a layout: there is no form {match['form']!r}")
    try:
        directory = Directory(match["directory"] or "none")
    except ValueError as error:
        raise ValueError(f"{text!r} is not a layout: {error}") from None
    return Layout(match["form"], tuple(orders), directory, width)
