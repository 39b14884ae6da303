"""The folders of the package's sources, and what each is called in it."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = (
    "arrays",
    "blocks",
    "dialects",
    "passes",
    "lowering",
    "frontend",
    "runtime",
    "tables",
    "tools",
)
# A folder `array` would hide the module of Python's library.
PACKAGES = {"arrays": "array", "tables": "table"}
