"""Finds the pass after which a program means something else."""

from __future__ import annotations

from contextlib import nullcontext

from diablo.diagnostics import RunError, listening
from diablo.frontend.checking.program_interface import SEED
from diablo.lowering.pipelines import PIPELINES
from diablo.pass_pipeline import load_passes
from diablo.passes.interpreter.interpreter import interpret
from diablo.registry import available_passes, new_context
from diablo.storage import with_layouts
from fuzzing.comparison import difference, plain
from fuzzing.leaving_out import pipelines_without
from fuzzing.trial import Trial, Way

_LAST = "convert-tensor-block-to-spark"


def first_wrong_pass(trial: Trial, way: Way) -> str:
    """Return where the interpreter first gives something else, in words."""
    with nullcontext() if way.without is None else pipelines_without(way.without):
        passes = load_passes(["diablo-to-spark"], available_passes(), PIPELINES)
    passes = with_layouts(passes, way.layout)
    expected = trial.expected()
    module, context = trial.variant().lower("diablo"), new_context()
    for position, module_pass in enumerate(passes):
        name = module_pass.name
        if name == _LAST:
            return "below the tensor_block level"
        try:
            with listening(lambda _: None):
                module_pass.apply(context, module)
            found = plain(tuple(interpret(module, {SEED: 0, **trial.inputs})))
        except RunError as error:
            found = error
        except Exception as error:
            return f"in pass {position}, {name}: {type(error).__name__}"
        if isinstance(found, RunError) or isinstance(expected, RunError):
            same = type(found) is type(expected)
        else:
            same = difference(found, expected) is None
        if not same:
            return f"in pass {position}, {name}"
    return "below the tensor_block level"
