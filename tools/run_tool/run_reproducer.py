"""What `diablo-run` leaves behind when it fails by a mistake of its own, and running that again.

// env DIABLO_COMPILE=always diablo-run /tmp/diablo-x7.diablo --input A=a.npy
// made by: diablo-run program.diablo --input A=a.npy
// Traceback (most recent call last):
// …
input A: matrix[Double];
…
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from tempfile import NamedTemporaryFile

from diablo.diagnostics import InputError
from diablo.tools.opt_tool.reproduced_command import (
    ReproducerError,
    environment_words,
    one_line,
    read_command,
)
from diablo.tools.run_tool.run_arguments import RunArguments, parse_arguments


def report_internal_error(error: Exception, program: str, argv: Sequence[str]) -> str:
    """Write the program, the command and the traceback to a file; return one sentence."""
    text = "".join(traceback.format_exception(error))
    if os.environ.get("DIABLO_DEBUG") == "1":
        print(text, end="", file=sys.stderr)
    what = f"internal error: {type(error).__name__}: {error}"
    options = list(argv)
    if program in options:
        options.remove(program)
    try:
        with NamedTemporaryFile(
            "w", prefix="diablo-", suffix=".diablo", delete=False, encoding="utf-8"
        ) as file:
            again = [*environment_words(), "diablo-run", file.name, *options]
            file.write(f"// {one_line(again)}\n")
            file.write(f"// made by: {one_line(['diablo-run', *argv])}\n")
            file.writelines(f"// {line}\n" for line in text.splitlines())
            file.write(_source(program))
    except (OSError, UnicodeEncodeError):
        return what
    return f"{what} (to see it again: diablo-run --run-reproducer {file.name})"


def reproduced(arguments: RunArguments, argv: Sequence[str]) -> RunArguments:
    """The arguments of a reproducer's own command, and those of this command after them.

    Raises
    ------
    InputError
        If the file is no reproducer.
    """
    try:
        with open(arguments.program, encoding="utf-8", errors="replace") as file:
            command = read_command(file.read(), "diablo-run")
    except OSError as error:
        raise InputError(f"cannot read '{arguments.program}': {error.strerror}") from None
    except ReproducerError as error:
        raise InputError(f"'{arguments.program}' is no reproducer: {error}") from None
    os.environ.update(command.environment)
    options = [word for word in command.arguments if word != "--run-reproducer"]
    return parse_arguments([*options, *argv])


def _source(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
