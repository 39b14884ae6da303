"""What `diablo-run` leaves behind when it fails by a mistake of its own."""

from __future__ import annotations

import os
import shlex
import sys
import traceback
from collections.abc import Sequence
from tempfile import NamedTemporaryFile


def report_internal_error(error: Exception, program: str, argv: Sequence[str]) -> str:
    """Write the program, the command and the traceback to a file; return one sentence."""
    text = "".join(traceback.format_exception(error))
    if os.environ.get("DIABLO_DEBUG") == "1":
        print(text, end="", file=sys.stderr)
    what = f"internal error: {type(error).__name__}: {error}"
    try:
        with NamedTemporaryFile(
            "w", prefix="diablo-", suffix=".diablo", delete=False, encoding="utf-8"
        ) as file:
            file.write(f"// {shlex.join(['diablo-run', *argv])}\n")
            file.writelines(f"// {line}\n" for line in text.splitlines())
            file.write(_source(program))
    except OSError:
        return what
    return f"{what} (the program and the traceback are in {file.name})"


def _source(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
