"""Our `canonicalize` and `cse` make of a module what xDSL's passes of these names make."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import random_modules
import random_multiloops
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.transforms.canonicalize import CanonicalizePass as XdslCanonicalizePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination

from diablo.passes.canonicalize import CanonicalizePass
from diablo.passes.comprehension.comprehension_normalize import ComprehensionNormalizePass
from diablo.passes.cse import CommonSubexpressionEliminationPass
from diablo.registry import available_passes, new_context

PAIRS: list[tuple[type[ModulePass], type[ModulePass]]] = [
    (XdslCanonicalizePass, CanonicalizePass),
    (CommonSubexpressionElimination, CommonSubexpressionEliminationPass),
]


def test_ours_are_the_ones_that_run() -> None:
    passes = available_passes()
    for _, ours in PAIRS:
        assert passes[ours.name]() is ours


@pytest.mark.parametrize("write", [random_modules.write_module, random_multiloops.write_module])
def test_random_modules_become_the_same(write: Callable[[int], str]) -> None:
    changed = {ours.name: 0 for _, ours in PAIRS}
    for seed in range(20):
        context = new_context()
        one, another = (Parser(context, write(seed)).parse_module() for _ in range(2))
        for module in (one, another):
            ComprehensionNormalizePass().apply(context, module)
        for xdsl, ours in (*PAIRS, *PAIRS):
            before = str(one)
            xdsl().apply(context, one)
            ours().apply(context, another)
            assert str(another) == str(one), f"module {seed}, {ours.name}"
            changed[ours.name] += str(one) != before
    assert all(changed.values())
