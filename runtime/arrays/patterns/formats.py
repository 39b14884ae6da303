"""The class of each form that patterns are stored in, as the table of formats names it."""

from __future__ import annotations

from diablo.format_table import FORMATS, class_at
from diablo.runtime.arrays.patterns.form import Form


def form_class(name: str) -> type[Form]:
    """What builds and searches patterns in a form."""
    return class_at(FORMATS[name].runtime)
