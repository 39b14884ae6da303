"""The passes and pipelines with their options, for `--help` and `--list-passes`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from inspect import getsource

from xdsl.passes import ModulePass, get_pass_option_infos
from xdsl.universe import XDSL_UNIVERSE

from diablo.lowering.pipelines import PIPELINES
from diablo.pass_options import PassOption, options_in, pass_options
from diablo.pass_pipeline import pipeline_options
from diablo.registry import available_passes
from diablo.universe import PASSES

_WIDTH = max(map(len, (*PASSES, *PIPELINES)))


def pass_help() -> str:
    """Return what `--help` says of passes; nothing is imported for it."""
    names = ", ".join(PIPELINES)
    return (
        f"{_our_passes()}\nnamed pipelines: {names}\n\n"
        "--list-passes shows the passes of xDSL as well, and what the pipelines stand for.\n"
    )


def pass_list() -> str:
    """Return a line for every pass, pipeline and option; the passes of xDSL are imported."""
    pipelines = "".join(
        _row(name, text) + _pipeline_options(text) for name, text in PIPELINES.items()
    )
    theirs = "".join(_their_pass(name) for name in sorted(XDSL_UNIVERSE.all_passes))
    return f"{_our_passes()}\nNamed pipelines:\n{pipelines}\nxDSL:\n{theirs}"


def _pipeline_options(text: str) -> str:
    options = ", ".join(pipeline_options(text, available_passes()))
    return _row("", f"options: {options}") if options else ""


def _our_passes() -> str:
    rows = [
        _row(name, entry.summary) + _option_rows(pass_options(entry))
        for name, entry in PASSES.items()
    ]
    return "Passes of diablo:\n" + "".join(rows)


def _their_pass(name: str) -> str:
    try:
        pass_class: type[ModulePass] = XDSL_UNIVERSE.all_passes[name]()
    except ImportError:
        return _row(name, "(not available: it needs a package that is not installed)")
    return _row(name, _summary(name, pass_class)) + _option_rows(_their_options(pass_class))


def _summary(name: str, pass_class: type[ModulePass]) -> str:
    """The first sentence of a pass's docstring; nothing where Python wrote that."""
    text = pass_class.__dict__.get("__doc__") or ""
    sentence = " ".join(text.split()).split(". ")[0].rstrip(".")
    generated = sentence.endswith(")") and sentence.replace(" ", "").startswith(name)
    return "" if generated or "(" in sentence.split(" ")[0] else sentence


def _their_options(pass_class: type[ModulePass]) -> list[PassOption]:
    if not fields(pass_class):
        return []
    written = {option.name: option for option in options_in(getsource(pass_class))}
    options: list[PassOption] = []
    for info in get_pass_option_infos(pass_class):
        option = written.get(info.name, PassOption(info.name, info.expected_type, None, ""))
        default = None if info.default_value == "none" else info.default_value
        options.append(replace(option, default=default))
    return options


def _option_rows(options: Sequence[PassOption]) -> str:
    rows = [(f"      {option}", option.meaning.split(". ")[0]) for option in options]
    return "".join(f"{left:<{_WIDTH + 2}}  {right}".rstrip() + "\n" for left, right in rows)


def _row(name: str, text: str) -> str:
    return f"  {name:<{_WIDTH}}  {text}".rstrip() + "\n"
