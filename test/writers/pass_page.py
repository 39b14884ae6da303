"""Writes `docs/passes.md` from the docstrings of the passes.

`python -m diablo.tools.pass_docs` writes the page; with `--check` it writes nothing, says
whether the page is out of date and then exits with 1. A pass has the docstring of its module,
before and after included, and its options.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from textwrap import fill

from diablo.lowering.pipelines import PIPELINES
from diablo.pass_options import pass_options
from diablo.pass_pipeline import pipeline_options
from diablo.registry import available_passes
from diablo.universe import PASSES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "passes.md"

_WIDTH = 100

_HEAD = """# The passes

<!-- Written by `python -m diablo.tools.pass_docs`: change the docstrings, not this page. -->

`diablo-opt --list-passes` has a line for each, and `diablo-opt FILE -p NAME` runs it. The
other passes of xDSL (`dce`, `licm`, …) can stand between them."""

_OPTIONS = """An option of a pipeline, as in `-p 'diablo-to-gpu{fast-atomics}'`, is given to those
of its passes that have it."""


def page() -> str:
    """The whole page."""
    parts = [_HEAD]
    for name in PASSES:
        parts += [f"## `{name}`", *_pass(name)]
    parts += ["## Named pipelines", _OPTIONS]
    before: tuple[str, list[str]] | None = None
    for name, text in PIPELINES.items():
        passes = text.split(",")
        shown = [f"`{part}`" for part in passes]
        if before is not None and passes[: len(before[1])] == before[1]:
            shown = [f"all of `{before[0]}`", *shown[len(before[1]) :]]
        options = [f"`{option}`" for option in pipeline_options(text, available_passes())]
        taken = f" Options: {', '.join(options)}." if options else ""
        parts.append(_filled(f"`{name}`: {', '.join(shown)}.{taken}"))
        before = name, passes
    return "\n\n".join(parts) + "\n"


def _pass(name: str) -> list[str]:
    entry = PASSES[name]
    parts = [cleandoc(import_module(entry.module).__doc__ or "")]
    options = [_filled(f"* `{option}`: {option.meaning}", "  ") for option in pass_options(entry)]
    if options:
        parts.append("Options:\n\n" + "\n".join(options))
    if entry.nested:
        parts.append("Runs on any op, as in `func.func(…)`.")
    return parts


def _filled(text: str, indent: str = "") -> str:
    """Return a paragraph, or an item of a list, in lines that keep to the width."""
    return fill(
        text, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or check it; the exit code."""
    parser = argparse.ArgumentParser(prog="pass_docs", description="Write docs/passes.md.")
    parser.add_argument("--check", action="store_true", help="only say whether the page is old")
    check: bool = parser.parse_args(arguments).check
    text = page()
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    if check:
        print("docs/passes.md is out of date", file=sys.stderr)
        print("run: python -m diablo.tools.pass_docs", file=sys.stderr)
        return 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
