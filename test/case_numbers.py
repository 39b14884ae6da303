"""How many cases a test makes itself: few, or all with `--all-cases`."""

from __future__ import annotations

import os

ALL_CASES = "DIABLO_TEST_ALL_CASES"
"""What conftest.py sets in the environment with `--all-cases`."""


def number(few: int, every: int) -> int:
    """Return `every` with `--all-cases`, and `few` without."""
    return every if os.environ.get(ALL_CASES) else few
