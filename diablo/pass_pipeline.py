"""The text of a pass pipeline, in MLIR's spelling or as a plain list.

    builtin.module(canonicalize,func.func(cse),diablo-to-spark{x=1 y=2,3})
    canonicalize,cse

An anchor such as `func.func(…)` is accepted for the sake of texts written for MLIR; every
pass sees the whole module all the same. A named pipeline stands for its passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from difflib import get_close_matches

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError

PassFactory = Callable[[], type[ModulePass]]


class PipelineError(Exception):
    """The text of a pipeline is wrong."""


def parse_pass_pipeline(text: str, *, anchored: bool) -> list[str]:
    """Return the passes of a pipeline in order, each with its options as written.

    With `anchored`, the text must be `builtin.module(…)` as for `--pass-pipeline`.
    """
    text = text.strip()
    if anchored:
        anchor, inside = _anchor(text)
        if anchor != "builtin.module" or inside is None:
            raise PipelineError(f"expected 'builtin.module(...)', but the pipeline is '{text}'")
        text = inside
    return list(_elements(text))


def load_passes(
    elements: list[str], available: Mapping[str, PassFactory], pipelines: Mapping[str, str]
) -> list[ModulePass]:
    """Return the pass objects for the given elements, named pipelines expanded."""
    passes: list[ModulePass] = []
    for element in elements:
        if element in pipelines:
            passes += load_passes(list(_elements(pipelines[element])), available, pipelines)
        else:
            passes.append(_load_pass(element, available, pipelines))
    return passes


def check_pass_name(
    name: str, available: Mapping[str, PassFactory], pipelines: Mapping[str, str]
) -> None:
    """A `PipelineError` if there is no pass of this name."""
    if name not in available:
        close = get_close_matches(name, [*available, *pipelines], 1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        raise PipelineError(f"there is no pass named '{name}'{hint}")


def _load_pass(
    element: str, available: Mapping[str, PassFactory], pipelines: Mapping[str, str]
) -> ModulePass:
    try:
        (spec,) = parse_pipeline(element)
    except ArgSpecParseError as error:
        raise PipelineError(f"the options of '{element}' cannot be read: {error}") from None
    except ValueError:
        raise PipelineError(f"'{element}' is not one pass") from None
    name = spec.name
    if name in pipelines:
        raise PipelineError(f"the pipeline '{name}' takes no options")
    check_pass_name(name, available, pipelines)
    try:
        pass_class = available[name]()
    except (ImportError, AttributeError) as error:
        raise PipelineError(f"pass '{name}' cannot be loaded: {error}") from error
    flags = {f.name for f in fields(pass_class) if f.type in (bool, "bool")}
    for option, values in spec.parameters.items():
        if option in flags and not values:
            spec.parameters[option] = (True,)  # `{report}` is `{report=true}`.
    try:
        return pass_class.from_spec(spec)
    except ValueError as error:
        raise PipelineError(f"wrong options for pass '{name}': {error}") from None


def _elements(text: str) -> Iterator[str]:
    """The passes of a comma-separated list, anchors unwrapped."""
    if not text.strip():
        return
    for part in _split(text):
        if not part:
            raise PipelineError(f"a pass name is missing in '{text}'")
        _, inside = _anchor(part)
        if inside is None:
            yield part
        else:
            yield from _elements(inside)


def _anchor(text: str) -> tuple[str, str | None]:
    """Split `func.func(a,b)` to `func.func` and `a,b`; without parentheses there is no inside."""
    head, parenthesis, rest = text.partition("(")
    if not parenthesis or "{" in head:
        return text, None
    if not rest.endswith(")"):
        raise PipelineError(f"expected ')' at the end of '{text}'")
    return head.strip(), rest[:-1]


def _split(text: str) -> list[str]:
    """Split at the commas that are outside of any bracket and string."""
    parts: list[str] = []
    start = depth = 0
    quoted = False
    for position, character in enumerate(text):
        if character == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif character in "({[":
            depth += 1
        elif character in ")}]":
            depth -= 1
            if depth < 0:
                raise PipelineError(f"unmatched '{character}' in '{text}'")
        elif character == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    if depth or quoted:
        raise PipelineError(f"a bracket or string is not closed in '{text}'")
    return [*parts, text[start:].strip()]
