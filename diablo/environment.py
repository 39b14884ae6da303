"""What the environment says to the compiler; to the runtime see `compile_mode.py`."""

from __future__ import annotations

import os

VERIFY_EACH = "DIABLO_VERIFY_EACH"
"""`1` in it has the IR of a program verified after each pass."""


def wants_verify_each() -> bool:
    """Return whether to verify after each pass of a program that is run."""
    return os.environ.get(VERIFY_EACH) == "1"
