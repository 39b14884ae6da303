"""The file that a failing pass leaves behind: its input and the command that fails again.

    // env DIABLO_DEBUG=1 diablo-opt /tmp/again.mlir '--pass-pipeline=builtin.module(cse)' --remarks
    // made by: diablo-opt program.mlir -p canonicalize,cse --remarks
    builtin.module { …

The first line is for a shell and for `--run-reproducer`, which reads it from the file.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import fields
from tempfile import NamedTemporaryFile
from typing import cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

from diablo.anchors import Step
from diablo.pass_manager import DEFAULT_REWRITE_LIMIT, PassManager
from diablo.pass_pipeline import pipeline_text
from diablo.registry import new_context
from diablo.tools.opt_tool.opt_arguments import OptArguments
from diablo.tools.opt_tool.opt_input import Source, language_of, parse_source
from diablo.tools.opt_tool.reproduced_command import ReproducerError, environment_words, one_line

_OF_THE_RUN = frozenset(
    [
        "input_file",
        "output_file",
        "frontend",
        "pass_pipeline",
        "passes",
        "list_passes",
        "split_input_file",
        "verify_diagnostics",
        "timing",
        "reproducer",
        "run_reproducer",
    ]
)
"""Options that say where things are, or that the file answers itself; it carries all others."""


def write_reproducer(
    arguments: OptArguments, argv: Sequence[str], source: Source, steps: Sequence[Step], index: int
) -> str:
    """Write the IR as it was before step `index`, and return the path of the file.

    The steps before it run once more, so that a run without failures pays nothing. Where that
    fails too, or gives IR that does not parse, the file has the input as it was given.
    """
    ctx = new_context(allow_unregistered=arguments.allow_unregistered_dialect)
    try:
        module = parse_source(source, ctx)
        manager = PassManager(steps[:index], verify=False, max_rewrites=arguments.max_rewrites)
        manager.run(ctx, module)
        before = Source("reproducer", _print(module), "mlir")
        parse_source(before, new_context(allow_unregistered=arguments.allow_unregistered_dialect))
        steps = steps[index:]
    except Exception:
        before = source
    path = _create(arguments.reproducer, f".{before.language}")
    again = [
        *environment_words(),
        "diablo-opt",
        path,
        f"--pass-pipeline={pipeline_text(steps)}",
        *_flags(arguments),
    ]
    if language_of(path) != before.language:
        again.append(f"--frontend={before.language}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"// {one_line(again)}\n")
        file.write(f"// made by: {one_line(['diablo-opt', *argv])}\n")
        file.write(before.text)
    return path


def check_command(arguments: OptArguments) -> None:
    """Raise `ReproducerError` if a command read from a file says more than how to fail again."""
    for name in ("input_file", "output_file", "reproducer", "run_reproducer", "list_passes"):
        if getattr(arguments, name) != getattr(OptArguments, name):
            raise ReproducerError(f"its command gives '{name}', which is for you to say")


def _flags(arguments: OptArguments) -> list[str]:
    """Spell the options that the file carries."""
    defaults = OptArguments(max_rewrites=DEFAULT_REWRITE_LIMIT)
    flags: list[str] = []
    for option in fields(OptArguments):
        value: object = getattr(arguments, option.name)
        if option.name in _OF_THE_RUN or value == getattr(defaults, option.name):
            continue
        flag = f"--{option.name.replace('_', '-')}"
        if isinstance(value, bool):
            flags.append(flag)
        elif isinstance(value, list):
            flags += [f"{flag}={one}" for one in cast(list[str], value)]
        else:
            flags.append(f"{flag}={value}")
    return flags


def _create(path: str | None, extension: str) -> str:
    if path is not None:
        return os.path.abspath(path)
    with NamedTemporaryFile(prefix="diablo-", suffix=extension, delete=False) as file:
        return file.name


def _print(module: ModuleOp) -> str:
    from io import StringIO

    output = StringIO()
    Printer(stream=output, print_debuginfo=True).print_op(module)
    return output.getvalue() + "\n"
