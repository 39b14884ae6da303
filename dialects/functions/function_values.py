"""The values of functions at single numbers, as the compiler folds them.

The reference interpreter has evaluations of its own, so that it finds a mistake in these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from xdsl.ir import Attribute

from diablo.dialects.functions.scalar_functions import FUNCTIONS, Overload

_PACKAGES = {"np": "numpy", "special": "scipy.special"}


@cache
def _computed_by(overload: Overload) -> Callable[..., Any]:
    """Return what computes a function on single numbers: NumPy's, SciPy's or Python's own."""
    if callable(overload.reference):
        return overload.reference
    package, name = (overload.reference or overload.numpy).split(".")
    return getattr(import_module(_PACKAGES.get(package, package)), name)


def value_at(overload: Overload, *numbers: complex) -> Any:
    """Return the value of a function on numbers, as IEEE arithmetic has it."""
    import numpy as np

    with np.errstate(all="ignore"):
        return _computed_by(overload)(*numbers)


def keeps_zero(function: str, type: Attribute, arguments: Sequence[float | None]) -> bool:
    """Return whether a function is zero for these arguments, unknown where they are None."""
    overload = FUNCTIONS[function].on(type)
    known = [number for number in arguments if number is not None]
    if overload is None or len(known) < len(arguments):
        return False
    try:
        return bool(value_at(overload, *known) == 0)
    except ValueError:  # NumPy has no powers of integers with negative exponents.
        return False
