"""Results as HTML tables, the first and the last rows and columns of large ones.

html_table("2 x 2 array of float64", None, [[1.0, 2.0], [3.0, 4.0]])
    ->  <div><div>2 x 2 array of float64</div><table>…
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

EDGE = 5
"""How many rows, and columns, of each end are shown."""
_GAP = "…"


def shown(count: int) -> list[int | None]:
    """The positions that are shown of so many, `None` for those left out."""
    if count <= 2 * EDGE:
        return list(range(count))
    return [*range(EDGE), None, *range(count - EDGE, count)]


def html_table(
    title: str, header: Sequence[Any] | None, rows: Sequence[Sequence[Any] | None]
) -> str:
    """A table below a title; `None` stands for rows that are left out."""
    lines: list[str] = []
    if header is not None:
        lines.append(_row("th", header))
    width = max((len(row) for row in rows if row is not None), default=0)
    lines += [_row("td", [_GAP] * width if row is None else row) for row in rows]
    body = f"<table>{''.join(lines)}</table>" if lines else ""
    return f"<div><div>{escape(title)}</div>{body}</div>"


def array_table(title: str, shape: Sequence[int], element: Callable[[tuple[int, ...]], Any]) -> str:
    """The table of an array of one or two dimensions; of others the title alone."""
    if len(shape) == 1:
        return html_table(title, None, [_picked(shown(shape[0]), lambda j: element((j,)))])
    if len(shape) == 2:
        columns = shown(shape[1])
        return html_table(
            title,
            None,
            [
                None if i is None else _picked(columns, lambda j, i=i: element((i, j)))
                for i in shown(shape[0])
            ],
        )
    return html_table(title, None, [])


def _picked(places: Sequence[int | None], value: Callable[[int], Any]) -> list[Any]:
    return [_GAP if place is None else value(place) for place in places]


def _row(tag: str, cells: Sequence[Any]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(str(cell))}</{tag}>' for cell in cells)}</tr>"
