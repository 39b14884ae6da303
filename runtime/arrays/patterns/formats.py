"""The class of each form that patterns are stored in, as the table of formats names it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import cast

from diablo.format_table import FORMATS
from diablo.runtime.arrays.patterns.form import Form


@cache
def form_class(name: str) -> type[Form]:
    """What builds and searches patterns in a form."""
    module, _, found = FORMATS[name].runtime.partition(":")
    return cast("type[Form]", getattr(import_module(module), found))
