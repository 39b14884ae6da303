"""Random modules of the comprehension level mean the same after every pass, in any order."""

from __future__ import annotations

from collections.abc import Sequence
from math import isclose
from random import Random
from typing import Any, cast

import numpy as np
import pytest
from known_results import KnownResults
from random_modules import INPUTS, NOTHING, write_module
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from diablo.passes.interpreter.interpreted_values import Array
from diablo.passes.interpreter.interpreter import interpret
from diablo.registry import available_passes, new_context

PASSES = (
    "keep-last",
    "comprehension-normalize",
    "move-guards",
    "unroll-windows",
    "narrow-ranges",
    "eliminate-ranges",
    "merge-generators",
    "unique-keys",
    "fuse-producers",
    "share-comprehensions",
    "fuse-comprehensions",
    "prune-columns",
    "infer-sparsity",
    "prune-regions",
    "split-sparse-terms",
    "hoist-invariants",
    "slice-generators",
    "drop-copies",
    "canonicalize",
    "cse",
    "dce",
)


def parse(context: Context, seed: int) -> ModuleOp:
    return Parser(context, write_module(seed)).parse_module()


def comparable(value: Any) -> Any:
    """A result, with the rows of lists in an order of their own."""
    if isinstance(value, Array):
        return value.to_numpy()
    if isinstance(value, list):
        rows = cast("list[tuple[float, ...]]", value)
        return sorted(rows, key=lambda row: [round(x, 6) for x in row])
    return value


def same(found: Any, expected: Any) -> bool:
    if isinstance(expected, np.ndarray):
        return np.allclose(found, cast("np.ndarray[Any, Any]", expected))
    if isinstance(expected, float):
        return isclose(found, expected, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(expected, list | tuple):
        wanted = cast("Sequence[Any]", expected)
        return len(found) == len(wanted) and all(map(same, found, wanted))
    return found == expected


def results(module: ModuleOp) -> list[Any]:
    given = (INPUTS, NOTHING)
    return [comparable(value) for inputs in given for value in interpret(module, inputs)]


def check(
    context: Context, seed: int, module: ModuleOp, names: Sequence[str], known: KnownResults
) -> None:
    """Run passes over a copy of the module of a number and compare after each."""
    expected, module = known(module), module.clone()
    passes = available_passes()
    for position, name in enumerate(names):
        passes[name]()().apply(context, module)
        trail = f"module {seed} after {','.join(names[: position + 1])}"
        for found, wanted in zip(known(module, trail), expected, strict=True):
            assert same(found, wanted), f"{trail}: {found} instead of {wanted}\n{module}"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(9))
def test_random_modules_mean_the_same_after_every_pass(seed: int) -> None:
    context = new_context()
    module, known = parse(context, seed), KnownResults(results)
    for name in PASSES:
        check(context, seed, module, [name], known)
    shuffled = [*PASSES]
    Random(seed).shuffle(shuffled)
    check(context, seed, module, shuffled, known)
