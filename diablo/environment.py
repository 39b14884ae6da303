"""What the environment says to the compiler; to the runtime see `compile_mode.py`."""

from __future__ import annotations

import os


def wants_verify_each() -> bool:
    """Return whether to verify after each pass of a program that is run."""
    return os.environ.get("DIABLO_VERIFY_EACH") == "1"
