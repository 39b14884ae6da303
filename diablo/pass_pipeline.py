"""The text of a pass pipeline, in MLIR's spelling or as a plain list.

    builtin.module(canonicalize,func.func(cse),diablo-to-spark{x=1 y=2,3})
    canonicalize,func.func(cse)

A plain list is what stands within `builtin.module(…)`. A named pipeline stands for its passes, and
gives its options to those that have them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from difflib import get_close_matches

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType, ParameterType, parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError

from diablo.anchors import (
    MODULE,
    AnchoredPass,
    AnchorError,
    Step,
    check_anchor,
    check_nesting,
)

PassFactory = Callable[[], type[ModulePass]]


class PipelineError(Exception):
    """The text of a pipeline is wrong."""


def parse_pass_pipeline(text: str, *, anchored: bool) -> list[str]:
    """Return the elements of a pipeline in order, as written: passes, and anchors with theirs.

    With `anchored`, the text must be `builtin.module(…)`, as for `--pass-pipeline`; otherwise it
    may be.
    """
    text = text.strip()
    parts = list(_elements(text)) if not anchored else [text]
    if len(parts) == 1:
        anchor, inside = _anchor(parts[0])
        if inside is not None and anchor == MODULE:
            return list(_elements(inside))
    if anchored:
        raise PipelineError(f"expected 'builtin.module(...)', but the pipeline is '{text}'")
    return parts


def load_passes(
    elements: Iterable[str], available: Mapping[str, PassFactory], pipelines: Mapping[str, str]
) -> list[ModulePass]:
    """Return the pass objects for elements without anchors, named pipelines expanded."""
    passes: list[ModulePass] = []
    for step in load_steps(elements, available, pipelines):
        assert isinstance(step, ModulePass)
        passes.append(step)
    return passes


def load_steps(
    elements: Iterable[str],
    available: Mapping[str, PassFactory],
    pipelines: Mapping[str, str],
    anchors: tuple[str, ...] = (),
) -> list[Step]:
    """Return what runs for the given elements within the given anchors."""
    steps: list[Step] = []
    for element in elements:
        anchor, inside = _anchor(element)
        try:
            if inside is not None:
                from diablo.registry import new_context

                check_anchor(anchor, new_context())
                steps += load_steps(_elements(inside), available, pipelines, (*anchors, anchor))
            elif element.partition("{")[0] in pipelines:
                within = _passes_of_pipeline(element, available, pipelines)
                steps += load_steps(within, available, pipelines, anchors)
            else:
                module_pass = _load_pass(element, available, pipelines)
                check_nesting(module_pass.name, anchors[-1] if anchors else MODULE)
                steps.append(AnchoredPass(anchors, module_pass) if anchors else module_pass)
        except AnchorError as error:
            raise PipelineError(str(error)) from None
    return steps


def _passes_of_pipeline(
    element: str, available: Mapping[str, PassFactory], pipelines: Mapping[str, str]
) -> list[str]:
    """Return the passes of a named pipeline, those that have options of it with these."""
    spec = _spec(element)
    passes = list(_elements(pipelines[spec.name]))
    if not spec.parameters:
        return passes
    specs = [_spec(each) for each in passes]
    takers = _takers(specs, available)
    for written, values in spec.parameters.items():
        option = written.replace("_", "-")
        if option not in takers:
            known = f"it has {', '.join(takers)}" if takers else "it takes none"
            message = f"the pipeline '{spec.name}' has no option '{option}'; {known}"
            raise PipelineError(message)
        for taker in takers[option]:
            taker.parameters[option] = values
    return [_spec_text(each) for each in specs]


def pipeline_options(text: str, available: Mapping[str, PassFactory]) -> list[str]:
    """Return the options that a pipeline takes."""
    return list(_takers(map(_spec, _elements(text)), available))


def _takers(
    specs: Iterable[ArgSpec], available: Mapping[str, PassFactory]
) -> dict[str, list[ArgSpec]]:
    """Return the options that a pipeline takes, and which of its passes have each."""
    from diablo.lowering.pipelines import PIPELINE_OPTIONS

    takers: dict[str, list[ArgSpec]] = {}
    for spec in specs:
        names = {f.name.replace("_", "-") for f in fields(available[spec.name]())}
        for option in PIPELINE_OPTIONS:
            if option in names and option not in spec.parameters:
                takers.setdefault(option, []).append(spec)
    return {option: takers[option] for option in PIPELINE_OPTIONS if option in takers}


def pipeline_text(steps: Sequence[Step]) -> str:
    """Spell steps as a pipeline that `parse_pass_pipeline` reads."""
    return f"{MODULE}({','.join(map(_step_text, steps))})"


def _step_text(step: Step) -> str:
    if isinstance(step, AnchoredPass):
        opened = "".join(f"{anchor}(" for anchor in step.anchors)
        return f"{opened}{_step_text(step.inner)}{')' * len(step.anchors)}"
    return _spec_text(step.spec())


def _spec_text(spec: ArgSpec) -> str:
    options = " ".join(_option_text(name, values) for name, values in spec.parameters.items())
    return f"{spec.name}{{{options}}}" if options else spec.name


def _option_text(name: str, values: ParameterListType) -> str:
    return f"{name}={','.join(map(_value_text, values))}" if values else name


def _value_text(value: ParameterType) -> str:
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        escaped = escaped.replace("\n", "\\n").replace("\t", "\\t")
        return f'"{escaped}"'
    return str(value).lower() if isinstance(value, bool) else str(value)


def with_fast_math(passes: Sequence[ModulePass]) -> list[ModulePass]:
    """The passes, those with an option `fast-math` with this option."""
    return [
        replace(each, fast_math=True) if any(f.name == "fast_math" for f in fields(each)) else each
        for each in passes
    ]


def with_tasks(passes: Sequence[ModulePass], tasks: int) -> list[ModulePass]:
    """The passes, those with an option `tasks` told how many tasks of Spark run at a time."""
    return [
        replace(each, tasks=tasks) if any(f.name == "tasks" for f in fields(each)) else each
        for each in passes
    ]


def with_checkpoints(passes: Sequence[ModulePass]) -> list[ModulePass]:
    """The passes, with `checkpoint-loops` where the driver is written and not yet machine code."""
    from diablo.passes.checkpoint_loops import CheckpointLoopsPass

    names = [each.name for each in passes]
    place = names.index("outline-native-loops") if "outline-native-loops" in names else len(names)
    return [*passes[:place], CheckpointLoopsPass(), *passes[place:]]


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
    spec = _spec(element)
    name = spec.name
    check_pass_name(name, available, pipelines)
    try:
        pass_class = available[name]()
    except (ImportError, AttributeError) as error:
        raise PipelineError(f"pass '{name}' cannot be loaded: {error}") from error
    flags = {f.name for f in fields(pass_class) if f.type in (bool, "bool")}
    for option, values in spec.parameters.items():
        if option.replace("-", "_") in flags and not values:
            spec.parameters[option] = (True,)  # `{report}` is `{report=true}`.
    try:
        return pass_class.from_spec(spec)
    except ValueError as error:
        raise PipelineError(f"wrong options for pass '{name}': {error}") from None


def _spec(element: str) -> ArgSpec:
    """Return what an element names, and its options."""
    try:
        (spec,) = parse_pipeline(element)
    except ArgSpecParseError as error:
        raise PipelineError(f"the options of '{element}' cannot be read: {error}") from None
    except ValueError:
        raise PipelineError(f"'{element}' is not one pass") from None
    return spec


def _elements(text: str) -> Iterator[str]:
    """The elements of a comma-separated list."""
    if not text.strip():
        return
    for part in _split(text):
        if not part:
            raise PipelineError(f"a pass name is missing in '{text}'")
        yield part


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
    quoted = escaped = False
    for position, character in enumerate(text):
        if quoted:
            quoted = escaped or character != '"'
            escaped = character == "\\" and not escaped
        elif character == '"':
            quoted = True
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
