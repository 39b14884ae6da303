"""Random loops over points mean the same when they are merged, and as machine code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from random_points import RandomPoints, arguments
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

from diablo.dialects.multiloop import LoopOp
from diablo.lowering.llvm.kernel_to_llvm import compile_dense_kernel
from diablo.passes.analyses.refused import Refused
from diablo.passes.fuse_multiloops import FuseMultiloopsPass
from diablo.passes.interpreter.interpreted_values import Array, to_value
from diablo.passes.interpreter.interpreter import Interpreter
from diablo.registry import new_context
from diablo.runtime.kernels.compiled import CompiledKernel, compiled
from diablo.verification import verify_module


@pytest.fixture(autouse=True)
def compile_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")


def interpreted(module: ModuleOp, given: list[Any]) -> list[Any]:
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    values = [to_value(v, a.type) for v, a in zip(given, function.args, strict=True)]
    results = Interpreter(module).call(function, values)
    return [r.to_numpy() if isinstance(r, Array) else r for r in results]


def loops(module: ModuleOp) -> int:
    return sum(isinstance(op, LoopOp) for op in module.walk())


@pytest.mark.sampled(4)
@pytest.mark.parametrize("first", range(0, 160, 20))
def test_random_loops_over_points_mean_the_same_when_they_are_merged(first: int) -> None:
    context = new_context()
    written = left = compiled_kernels = 0
    for seed in range(first, first + 20):
        module = Parser(context, RandomPoints(seed, 2 + seed % 4).text()).parse_module()
        wrong = verify_module(module)
        assert wrong is None, f"{seed}: {wrong}\n{module}"
        given = arguments(seed)
        expected = interpreted(module, given)
        fused = module.clone()
        FuseMultiloopsPass().apply(context, fused)
        wrong = verify_module(fused)
        assert wrong is None, f"{seed}: {wrong}\n{module}\n{fused}"
        trail = f"{seed}\n{module}\n{fused}"
        same(interpreted(fused, given), expected, trail)
        written += loops(module)
        left += loops(fused)
        try:
            native = compile_dense_kernel(context, module)
        except Refused:
            continue
        run = compiled(_must_not_run, native.llvm_ir, str(native.signature))
        assert isinstance(run, CompiledKernel)
        results = run(*given)
        same(list(results) if isinstance(results, tuple) else [results], expected, trail)
        compiled_kernels += 1
    assert left < written * 0.8
    assert compiled_kernels > 4


def same(found: list[Any], expected: list[Any], trail: str) -> None:
    assert len(found) == len(expected), trail
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other), err_msg=trail)


def _must_not_run(*_: Any) -> Any:
    raise AssertionError("fell back to NumPy")
