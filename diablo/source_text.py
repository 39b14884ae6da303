"""The text of a program from its file."""

from __future__ import annotations

import sys
from codecs import BOM_UTF8

from diablo.diagnostics import CompileError, Diagnostic, Span


def read_source(path: str) -> tuple[str, str]:
    """The name and the text of a program in a file, or for `-` in the standard input.

    Raises `OSError` if it cannot be read, and `CompileError` if it is not UTF-8.
    """
    if path == "-":
        return "<stdin>", decode(sys.stdin.buffer.read(), "<stdin>")
    with open(path, "rb") as file:
        return path, decode(file.read(), path)


def decode(data: bytes, name: str) -> str:
    """Decode UTF-8, a byte order mark left out; a wrong byte raises a located `CompileError`."""
    data = data.removeprefix(BOM_UTF8)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        message = f"the input is not UTF-8: byte 0x{data[error.start]:02x}"
        span = Span(name, line, column, column + 1)
        text = data.decode("utf-8", "replace")
        raise CompileError([Diagnostic("error", message, span)], {name: text}) from None
