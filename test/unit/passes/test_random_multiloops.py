"""Random loops mean the same when they are fused, and so do those that other passes clean up."""

from __future__ import annotations

from typing import Any

import pytest
from known_results import KnownResults
from random_multiloops import INPUTS, write_module
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from diablo.dialects.multiloop import LoopOp
from diablo.passes.interpreter.interpreter import interpret
from diablo.registry import available_passes, new_context
from diablo.verification import verify_module

PIPELINES = (
    ("fuse-multiloops",),
    ("canonicalize", "cse", "dce"),
    ("cse", "fuse-multiloops", "canonicalize", "cse", "fuse-multiloops", "dce"),
)


def results(module: ModuleOp) -> list[list[Any]]:
    return [interpret(module, inputs) for inputs in INPUTS]


def transformed(context: Context, module: ModuleOp, *names: str) -> ModuleOp:
    """A module after passes, each of which must leave it valid."""
    module = module.clone()
    for name in names:
        available_passes()[name]()().apply(context, module)
        wrong = verify_module(module)
        assert wrong is None, f"after {name} of {','.join(names)}: {wrong}\n{module}"
    return module


def loops(module: ModuleOp) -> int:
    return sum(isinstance(op, LoopOp) for op in module.walk())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("first", range(0, 16, 4))
def test_random_loops_mean_the_same_after_passes(first: int) -> None:
    context = new_context()
    written = left = 0
    for seed in range(first, first + 4):
        module = Parser(context, write_module(seed)).parse_module()
        known = KnownResults(results)
        expected = known(module)
        for names in PIPELINES:
            found = transformed(context, module, *names)
            trail = f"module {seed} after {','.join(names)}"
            assert known(found) == expected, f"{trail}\n{module}\n{found}"
        fused = transformed(context, module, "fuse-multiloops")
        again = transformed(context, fused, "fuse-multiloops")
        assert str(again) == str(fused), f"module {seed} is fused in two steps"
        written += loops(module)
        left += loops(fused)
    assert left < written * 0.8
