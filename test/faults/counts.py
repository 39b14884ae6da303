"""A table of what was tried and how it ended, which is kept with the project.

note_counts(COUNTS, "map, workers, local[2,8]", {"killed": 20, "equal": 20})

The table is JSON: from the name of a run to its counts, those of the latest run by that name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

COUNTS = Path(__file__).with_name("counts.json")
"""The table of the project."""


def note_counts(path: Path, name: str, counts: Mapping[str, Any]) -> None:
    """Write the counts of a run into a table, which is whole at any time."""
    table: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    table[name] = counts
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps(table, indent=2, ensure_ascii=False) + "\n")
    os.replace(beside, path)
