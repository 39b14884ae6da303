"""The FileCheck programs of the conversion mean the same before and after it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser
from xdsl.universe import XDSL_UNIVERSE

from diablo.dialects.comprehension import BagType
from diablo.dialects.tensor_block import is_sparse
from diablo.lowering.tensor_block.convert_comprehension_to_tensor_block import (
    ConvertComprehensionToTensorBlockPass,
)
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


CASES = [
    pytest.param(path, function.sym_name.data, id=f"{path.stem}-{function.sym_name.data}")
    for path in sorted(FOLDER.glob("*.mlir"))
    if path.stem != "errors"
    for function in functions(parse(path.read_text())[1])
]


def argument(value: Any, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    """Random data for a function argument: small integers, numbers in [0, 3), sparse if asked."""
    if isinstance(value.type, BagType):
        return [
            tuple(
                int(rng.integers(0, 6)) if str(column) == "i64" else float(rng.random() * 3)
                for column in value.type.columns
            )
            for _ in range(12)
        ]
    if isinstance(value.type, TensorType):
        if str(value.type.get_element_type()) == "i64":
            return rng.integers(1, 5, shape)
        data = rng.random(shape)
        return np.where(rng.random(shape) < 0.4, data, 0.0) if is_sparse(value.type) else data
    return 9 if str(value.type) == "index" else float(rng.random())


@pytest.mark.parametrize(("path", "name"), CASES)
@pytest.mark.parametrize("seed", range(3))
def test_both_levels_agree(path: Path, name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    _, before = parse(path.read_text())
    context, after = parse(path.read_text())
    ConvertComprehensionToTensorBlockPass().apply(context, after)
    after.verify()
    (function,) = (f for f in functions(before) if f.sym_name.data == name)
    inputs: dict[str, Any] = {}
    for position, value in enumerate(function.body.block.args):
        attributes = function.arg_attrs.data[position].data if function.arg_attrs else {}
        known = attributes.get("diablo.shape")
        rank = value.type.get_num_dims() if isinstance(value.type, TensorType) else 0
        shape = known.get_values() if known is not None else (8, 6)[:rank]
        inputs[value.name_hint or ""] = argument(value, shape, rng)
    for wanted, got in zip(
        interpret(before, inputs, name), interpret(after, inputs, name), strict=True
    ):
        if isinstance(wanted, list):
            np.testing.assert_allclose(sorted(got), sorted(wanted), rtol=1e-12)
        elif hasattr(wanted, "to_numpy"):
            np.testing.assert_allclose(got.to_numpy(), wanted.to_numpy(), rtol=1e-12)
        else:
            assert got == pytest.approx(wanted, rel=1e-12)
