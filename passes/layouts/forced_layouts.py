"""Layouts that the user asks for: `--layout`, `layout=`, `choose-layouts{force=…}`.

The text is that of `#sparse_storage.layout`, for all regions or for a named one:

    form = compressed, orders = [[1, 0]]
    E: form = compressed, orders = [[1, 0]]; form = hypersparse

The form may stand alone, as what it is: `CSC`, `E: CSR, width = 64; COO`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from xdsl.context import Context
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from diablo.dialects.sparse_storage import LayoutAttr, SparseStorage

ForcedLayouts = Mapping[str | None, LayoutAttr]
"""The layout of each region that is named, and with `None` of all others."""

_NAMED = re.compile(r"\s*(?:(?P<name>[^\s:=]+)\s*:)?(?P<layout>.*)", re.DOTALL)

_FORM_ALONE = re.compile(r"\w+\s*(,|$)")
"""What begins with the name of a form, without `form =`."""


class LayoutTextError(ValueError):
    """The text of a layout is wrong."""


def parse_forced_layouts(text: str) -> ForcedLayouts:
    """Read the layouts; a `LayoutTextError` says what is wrong with the text."""
    found: dict[str | None, LayoutAttr] = {}
    for part in text.split(";"):
        match = _NAMED.fullmatch(part)
        assert match is not None
        name: str | None = match["name"]
        if name in found:
            whose = "all regions" if name is None else name
            raise LayoutTextError(f"the layout of {whose} is given twice")
        found[name] = _parse_layout(match["layout"].strip())
    return found


def _parse_layout(text: str) -> LayoutAttr:
    context = Context()
    context.load_dialect(SparseStorage)
    if "<" in text or ">" in text:
        raise LayoutTextError(f"'{text}' is no layout: brackets are not part of it")
    if _FORM_ALONE.match(text):
        text = f"form = {text}"
    try:
        layout = Parser(context, f"#sparse_storage.layout<{text}>").parse_attribute()
    except ParseError as error:
        raise LayoutTextError(f"'{text}' is no layout: {error.msg}") from None
    assert isinstance(layout, LayoutAttr)
    return layout


def forced_layout(forced: ForcedLayouts, region: str, rank: int) -> LayoutAttr | None:
    """The layout that a region is to have; orders of another rank than its own do not count."""
    layout = forced.get(region, forced.get(None))
    if layout is None or all(len(order) == rank for order in layout.dimension_orders):
        return layout
    return LayoutAttr(layout.form, (), layout.directory, layout.width)
