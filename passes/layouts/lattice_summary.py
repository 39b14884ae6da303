"""The summary of a region's lattice, as the compiler of A-ZPL prints it (its figure 7d).

region E: E, of rank 2
  asked for: iterated by columns
                          index  next  previous  id
  lattice nodes           0      -     -         by position
  dummies of dimension 0  1      0     -         -
  dummies, others         -      -     -         -
  dense directory         none
  corners                 first
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from diablo.dialects.sparse_storage.sparse_uses import UsesAttr
from diablo.passes.layouts.lattice_fields import LATTICE, Kind, lattice_fields
from diablo.passes.layouts.spelling import dimensions_in_words, listed, order_in_words


def lattice_summary(uses: UsesAttr, rank: int, arrays: Sequence[str]) -> str:
    """Return which fields the nodes of a region need, and which directories; a line each."""
    fields = lattice_fields(uses, rank)
    rows: list[Sequence[str]] = [("", "index", "next", "previous", "id")]
    for kind in sorted(fields.nodes, key=lambda kind: (len(kind), sorted(kind))):
        node = fields.nodes[kind]
        id = "by position" if kind == LATTICE and fields.id else "-"
        rows.append(
            (_kind(kind), _numbers(node.index), _numbers(node.next), _numbers(node.previous), id)
        )
    if len(fields.nodes) < 2**rank:
        everything = "lattice nodes and dummies" if not fields.nodes else "dummies, others"
        rows.append((everything, "-", "-", "-", "-"))
    lists = [
        f"lists of {dimensions_in_words(kind)}" for kind in sorted(fields.directory, key=sorted)
    ]
    rows.append(("dense directory", listed(lists) if lists else "none"))
    rows.append(("corners", "first" if fields.corners else "none"))
    head = f"region {uses.region.data}: {', '.join(arrays)}, of rank {rank}\n"
    return f"{head}  asked for: {uses_in_words(uses)}\n{_table(rows)}"


def uses_in_words(uses: UsesAttr) -> str:
    """Return what is asked of a region, in words."""
    said = [f"iterated {order_in_words(order)}" for order in uses.dimension_orders]
    said += ["iterated in any order"] if uses.says("any") else []
    for field, words in (("next", "next element"), ("previous", "previous element")):
        if dimensions := uses.dimensions(field):
            said.append(f"the {words} in {dimensions_in_words(dimensions)}")
    for field, words in (("slices", "slices"), ("single_slices", "a slice")):
        for fixed in uses.fixed_dimensions(field):
            said.append(f"{words} at an index of {dimensions_in_words(fixed)}")
    said += ["single elements"] if uses.says("random") else []
    for field in ("union", "intersect"):
        if names := uses.regions(field):
            word = "union" if field == "union" else "intersection"
            said.append(f"in {word} with {listed(names)}")
    if not said:
        return "nothing"
    said += ["built once and read once"] if uses.says("once") else []
    said += ["no values"] if uses.says("boolean") else []
    said += ["a band"] if uses.says("band") else []
    return "; ".join(said)


def _kind(kind: Kind) -> str:
    return "lattice nodes" if kind == LATTICE else f"dummies of {dimensions_in_words(kind)}"


def _numbers(dimensions: Iterable[int]) -> str:
    return ", ".join(str(d) for d in sorted(dimensions)) or "-"


def _table(rows: list[Sequence[str]]) -> str:
    """The rows in columns; the last cell of a row may be of any width."""
    widths = [max(len(row[column]) for row in rows if column < len(row) - 1) for column in range(4)]
    lines = [
        "  ".join([*(c.ljust(w) for c, w in zip(row[:-1], widths, strict=False)), row[-1]])
        for row in rows
    ]
    return "".join(f"  {line}\n" for line in lines)
