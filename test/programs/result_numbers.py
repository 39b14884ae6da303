"""Results as plain values, to be compared with those of the interpreter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """A result as lists, tuples and numbers of Python; the rows of a bag in some order."""
    if hasattr(value, "to_list"):
        value = value.to_list()
    elif hasattr(value, "to_numpy"):
        return np.asarray(value.to_numpy()).tolist()
    if isinstance(value, list):
        return sorted((plain(row) for row in value), key=repr)
    if isinstance(value, tuple):
        return tuple(plain(part) for part in value)
    return value.item() if isinstance(value, np.generic) else value


def numbers(value: Any) -> Iterator[Any]:
    """The parts of lists and tuples, in order."""
    if isinstance(value, list | tuple):
        for part in value:
            yield from numbers(part)
    else:
        yield value
