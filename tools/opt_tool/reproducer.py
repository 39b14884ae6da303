"""The file that a failing pass leaves behind: its input and the command to run it again."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from tempfile import NamedTemporaryFile

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.printer import Printer

from diablo.pass_manager import PassManager
from diablo.tools.opt_tool.opt_arguments import OptArguments
from diablo.tools.opt_tool.opt_input import Source, parse_source
from diablo.tools.registry import new_context


def write_reproducer(
    arguments: OptArguments,
    argv: Sequence[str],
    source: Source,
    passes: Sequence[ModulePass],
    index: int,
) -> str:
    """Write the IR as it was before pass `index`, and return the path of the file.

    The passes before it run once more, so that a run without failures pays nothing. Where
    that fails too, the file has the input as it was given.
    """
    remaining = list(passes[index:])
    ctx = new_context(allow_unregistered=arguments.allow_unregistered_dialect)
    try:
        module = parse_source(source, ctx)
        PassManager(passes[:index], verify=False).run(ctx, module)
        text, extension = _print(module), ".mlir"
    except Exception:
        remaining = list(passes)
        text, extension = source.text, f".{source.language}"
    pipeline = f"builtin.module({','.join(str(p.spec()) for p in remaining)})"
    path = _create(arguments.reproducer, extension)
    again = ["diablo-opt", path, f"--pass-pipeline={pipeline}"]
    if arguments.target != "mlir":
        again.append(f"--target={arguments.target}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"// {shlex.join(again)}\n")
        file.write(f"// made by: {shlex.join(['diablo-opt', *argv])}\n")
        file.write(text)
    return path


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
