"""The first line of a file that a failure leaves behind: the command that fails again.

    // env DIABLO_THREADS=1 diablo-run /tmp/again.diablo --input A=a.npy

It is for a shell, and for `--run-reproducer`, which reads it from the file.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diablo.runtime import disk_cache

_VARIABLE = re.compile(r"(DIABLO_\w+)=(.*)")


class ReproducerError(Exception):
    """A file that is no reproducer, or one with a command that is not run."""


@dataclass(frozen=True)
class Command:
    """The command line of a reproducer, without the name of the file."""

    arguments: Sequence[str]
    environment: Mapping[str, str]


def environment_words() -> list[str]:
    """Spell what the environment says to diablo, before a command.

    Not where compiled programs are kept: that changes no result, and is a folder of one machine.
    """
    known = sorted(os.environ.items())
    words = [
        f"{name}={value}"
        for name, value in known
        if name.startswith("DIABLO_") and name != disk_cache.FOLDER
    ]
    return ["env", *words] if words else []


def one_line(words: Sequence[str]) -> str:
    """Join words for a shell; line breaks would end the comment."""
    return " ".join(shlex.join(words).splitlines())


def read_command(text: str, tool: str) -> Command:
    """Return the command of a tool's reproducer; any other text raises `ReproducerError`."""
    line = text.partition("\n")[0]
    try:
        words = shlex.split(line.removeprefix("//")) if line.startswith("//") else []
    except ValueError as error:
        raise ReproducerError(f"its first line cannot be read: {error}") from None
    environment: dict[str, str] = {}
    if words and words[0] == "env":
        del words[0]
    while words and (variable := _VARIABLE.fullmatch(words[0])) is not None:
        environment[variable[1]] = variable[2]
        del words[0]
    if len(words) < 2 or words[0] != tool:
        raise ReproducerError(f"its first line is not '// {tool} FILE …'")
    return Command(words[2:], environment)
