"""The FileCheck programs of the conversion mean the same before and after it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Float64Type, IntegerType, ModuleOp, TensorType, TupleType
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser
from xdsl.universe import XDSL_UNIVERSE

from diablo.diagnostics import RunError
from diablo.dialects.comprehension import BagType, StringType
from diablo.dialects.tensor_block import is_sparse
from diablo.lowering.tensor_block.convert_comprehension_to_tensor_block import (
    ConvertComprehensionToTensorBlockPass,
)
from diablo.passes.comprehension.unnest_aggregates import UnnestAggregatesPass
from diablo.passes.interpreter.interpreted_values import Array
from diablo.passes.interpreter.interpreter import interpret
from diablo.universe import DIABLO_UNIVERSE

FOLDER = Path(__file__).parents[2] / "lowering" / "convert-comprehension-to-tensor-block"


def parse(text: str) -> tuple[Context, ModuleOp]:
    context = Context()
    for universe in (XDSL_UNIVERSE, DIABLO_UNIVERSE):
        for name, factory in universe.all_dialects.items():
            context.register_dialect(name, factory)
    return context, Parser(context, text).parse_module()


def functions(module: ModuleOp) -> list[FuncOp]:
    return [op for op in module.body.block.ops if isinstance(op, FuncOp)]


UNNESTED = Path(__file__).parents[2] / "passes" / "unnest-aggregates.mlir"

FUNCTION = re.compile(r"^ *func\.func (?:private )?@(\w+)", re.MULTILINE)

# To find the functions by their text takes a second less, which each worker would wait for.
CASES = [
    pytest.param(path, part, name, id=f"{path.stem}-{name}")
    for path in (*sorted(FOLDER.glob("*.mlir")), UNNESTED)
    if path.stem != "errors"
    for part in path.read_text().split("// -----\n")
    for name in FUNCTION.findall(part)
]


WORDS = ("", "a", "ab", "b", "a b", "b a a")


def scalar(type: Any, rng: np.random.Generator) -> Any:
    """A number that sums of products do not round, or a short string, or a short list."""
    match type:
        case BagType():
            return rows(type, int(rng.integers(0, 4)), rng)
        case TupleType():
            return tuple(scalar(part, rng) for part in type.types)
        case StringType():
            return WORDS[int(rng.integers(0, len(WORDS)))]
        case _:
            if str(type).startswith("f"):
                return float(rng.integers(0, 13)) / 4
            return bool(rng.integers(0, 2)) if str(type) == "i1" else int(rng.integers(0, 6))


def rows(type: BagType, count: int, rng: np.random.Generator) -> list[tuple[Any, ...]]:
    """Random rows; of a map, one for each key."""
    made = [tuple(scalar(column, rng) for column in type.columns) for _ in range(count)]
    if type.is_map:
        made = list({row[: type.keys.data]: row for row in made}.values())
    return made


def argument(value: Any, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    """Random data for a function argument, sparse if asked."""
    match value.type:
        case BagType():
            return rows(value.type, 12, rng)
        case TensorType():
            element = value.type.get_element_type()
            data = np.empty(shape, dtype=object)
            for index in np.ndindex(*shape):
                data[index] = scalar(element, rng)
            if isinstance(element, IntegerType):
                data = data + 1
            if isinstance(element, IntegerType | Float64Type):
                data = data.astype(np.int64 if isinstance(element, IntegerType) else np.float64)
                if is_sparse(value.type):
                    data = np.where(rng.random(shape) < 0.4, data, 0)
            return data
        case _:
            return 9 if str(value.type) == "index" else scalar(value.type, rng)


def plain(value: Any) -> Any:
    """A result in a form in which equal ones are equal: bags sorted, numbers rounded."""
    match value:
        case Array():
            return ("array", value.dims, [plain(value.at(index)) for index in value.indices()])
        case list():
            return sorted((plain(row) for row in value), key=repr)
        case tuple():
            return tuple(plain(part) for part in value)
        case float():
            return float(f"{value:.9g}") + 0.0
        case _:
            return value


@cache
def both_levels(path: Path, part: str) -> tuple[ModuleOp, ModuleOp]:
    """The module of a part of a file before and after the conversion, which no test changes."""
    _, before = parse(part)
    context, after = parse(part)
    if path is UNNESTED:
        UnnestAggregatesPass().apply(context, after)
        after.verify()
    ConvertComprehensionToTensorBlockPass().apply(context, after)
    after.verify()
    return before, after


@pytest.mark.sampled(160)
@pytest.mark.parametrize(("path", "part", "name"), CASES)
@pytest.mark.parametrize("seed", range(3))
def test_both_levels_agree(path: Path, part: str, name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    before, after = both_levels(path, part)
    (function,) = (f for f in functions(before) if f.sym_name.data == name)
    inputs: dict[str, Any] = {}
    for position, value in enumerate(function.body.block.args):
        attributes = function.arg_attrs.data[position].data if function.arg_attrs else {}
        known = attributes.get("diablo.shape")
        rank = value.type.get_num_dims() if isinstance(value.type, TensorType) else 0
        shape = known.get_values() if known is not None else (8, 6)[:rank]
        inputs[value.name_hint or ""] = argument(value, shape, rng)
    assert outcome(after, inputs, name) == outcome(before, inputs, name)


def outcome(module: ModuleOp, inputs: dict[str, Any], name: str) -> list[Any] | str:
    """Return what a function gives, or that it fails: an index may lie outside of an array."""
    try:
        return [plain(value) for value in interpret(module, inputs, name)]
    except RunError:
        return "a failure"
