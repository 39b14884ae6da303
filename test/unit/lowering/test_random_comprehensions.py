"""Random nested comprehensions mean the same at the comprehension level and as row algebra."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from random_comprehensions import random_program
from test_convert_comprehension_to_tensor_block import argument, functions, parse, plain

from diablo.lowering.tensor_block.convert_comprehension_to_tensor_block import (
    ConvertComprehensionToTensorBlockPass,
)
from diablo.passes.interpreter.interpreter import interpret

SIZES = (5, 4)


def random_inputs(text: str, seed: int) -> dict[str, Any]:
    """Small data for the arguments of `main`."""
    rng = np.random.default_rng(seed)
    inputs: dict[str, Any] = {}
    (function,) = functions(parse(text)[1])
    for value in function.body.block.args:
        rank = str(value.type).count("?")
        data = argument(value, SIZES[:rank], rng)
        inputs[value.name_hint or ""] = data[:6] if isinstance(data, list) else data
    return inputs


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_random_comprehensions(first: int) -> None:
    for seed in range(first, first + 20):
        text = random_program(seed)
        inputs = random_inputs(text, seed)
        _, before = parse(text)
        wanted = plain(interpret(before, inputs))
        context, after = parse(text)
        ConvertComprehensionToTensorBlockPass().apply(context, after)
        after.verify()
        assert plain(interpret(after, inputs)) == wanted, f"seed {seed}\n{text}"
