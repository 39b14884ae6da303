"""A new type of numbers is one row of the table, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import diablo
from diablo.diagnostics import CompileError

HALF_FLOATS = Path(__file__).parent / "half_floats.py"


def test_with_its_row_it_is_a_type(tmp_path: Path) -> None:
    path = os.pathsep.join([str(HALF_FLOATS.parents[1]), os.environ["PYTHONPATH"]])
    command = [sys.executable, str(HALF_FLOATS), str(tmp_path)]
    run = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": path}
    )
    assert run.returncode == 0, run.stderr


def test_without_its_row_there_is_no_type() -> None:
    with pytest.raises(CompileError, match="there is no type `Half`"):
        diablo.compile("input h: Half; h")
