"""Random nested comprehensions mean the same at the comprehension level, as row algebra, and run.

The oracle is the interpreter at the comprehension level.
"""

from __future__ import annotations

import types
from typing import Any

import numpy as np
import pytest
from random_comprehensions import random_program
from test_convert_comprehension_to_tensor_block import argument, functions, parse, plain

from diablo.lowering.pyspark.emit_pyspark import emit_pyspark
from diablo.lowering.spark.convert_tensor_block_to_spark import ConvertTensorBlockToSparkPass
from diablo.lowering.tensor_block.convert_comprehension_to_tensor_block import (
    ConvertComprehensionToTensorBlockPass,
)
from diablo.passes.interpreter.interpreter import interpret
from diablo.registry import available_passes
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.io.arguments import check_argument
from diablo.runtime.io.wanted import WantedArray, WantedMap, WantedRows

SIZES = (5, 4)
WANTED = (
    WantedRows(("i64", "f64")),
    WantedRows(("i64", "i64")),
    WantedRows(("string", "i64")),
    WantedMap(1, ("i64", "f64")),
    WantedArray(1, "f64"),
    WantedArray(2, "f64"),
)
"""What the arguments of `main` are."""


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


@pytest.mark.sampled(8)
@pytest.mark.parametrize("first", range(0, 100, 10))
def test_random_comprehensions(first: int) -> None:
    for seed in range(first, first + 10):
        text = random_program(seed)
        inputs = random_inputs(text, seed)
        _, before = parse(text)
        wanted = plain(interpret(before, inputs))
        context, after = parse(text)
        ConvertComprehensionToTensorBlockPass().apply(context, after)
        after.verify()
        assert plain(interpret(after, inputs)) == wanted, f"seed {seed}\n{text}"


def compiled(text: str) -> Any:
    """`main` of the emitted program."""
    context, module = parse(text)
    ConvertComprehensionToTensorBlockPass().apply(context, module)
    for name in ("canonicalize", "cse", "dce"):
        available_passes()[name]()().apply(context, module)
    ConvertTensorBlockToSparkPass().apply(context, module)
    module.verify()
    program = types.ModuleType("program")
    exec(compile(emit_pyspark(module, "program.mlir"), "program.py", "exec"), program.__dict__)
    return program.main


@pytest.mark.sampled(2)
@pytest.mark.parametrize("first", range(0, 20, 5))
def test_on_the_local_engine(first: int) -> None:
    with LocalContext(2) as context:
        for seed in range(first, first + 5):
            text = random_program(seed)
            inputs = random_inputs(text, seed)
            (wanted,) = [plain(value) for value in interpret(parse(text)[1], inputs)]
            main = compiled(text)
            arguments = [
                check_argument(dict(data) if isinstance(kind, WantedMap) else data, kind, name)
                for (name, data), kind in zip(inputs.items(), WANTED, strict=True)
            ]
            for block_size in (None, 2):
                rows = main(context, *arguments, block_size=block_size)
                assert plain(rows.to_list()) == wanted, f"seed {seed}\n{text}"
