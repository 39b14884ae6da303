"""Runs a command that stands with the tests, in `test/`, and so in a clone of the repository only.

What only those need who change the compiler is no part of an installation: the fuzzer, the
checks, and what writes pages and loops of the sources. Of these `tools/` has the names.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "test"


def run_in_clone(module: str, function: str = "main") -> None:
    """Call a function of a module in `test/`, and exit with the code that it returns."""
    if not TESTS.joinpath(*module.split(".")).with_suffix(".py").is_file():
        sys.exit("this command is not installed; run it in a clone of the repository")
    sys.path.insert(0, str(TESTS))
    sys.exit(getattr(import_module(module), function)())
