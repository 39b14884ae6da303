# Random kernels, three ways: emitted NumPy, machine code, and one point at a time.
import warnings
from typing import Any

import numpy as np
import pytest
from kernel_oracle import load_numpy, parse_kernel, run_naively
from random_kernels import random_kernel
from xdsl.dialects.builtin import ModuleOp

from diablo.lowering.loops_over_points import put_loops_over_points
from diablo.lowering.multiloop.compile_kernel import compile_kernel
from diablo.passes.analyses.refused import Refused
from diablo.passes.interpreter.interpreted_values import Array, to_value
from diablo.passes.interpreter.interpreter import Interpreter
from diablo.runtime.kernels.compiled import CompiledKernel, compiled
from diablo.runtime.native import work_seen


@pytest.fixture(autouse=True)
def compile_at_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(work_seen, "WORTH_COMPILING", 0)


def same(got: Any, expected: Any) -> None:
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    if got.dtype.kind == "f":
        tolerance = 1e-12 if got.dtype == np.float64 else 1e-5
        np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)
    else:
        np.testing.assert_array_equal(got, expected)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("block", range(12))
def test_random_kernels_agree_with_one_point_at_a_time(block: int):
    machine = 0
    for seed in range(block * 12, block * 12 + 12):
        kernel = random_kernel(seed)
        function = parse_kernel(kernel.text)
        with np.errstate(all="ignore"):
            expected = run_naively(function, kernel.arguments)
        numpy_function = load_numpy(function)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            same(numpy_function(*kernel.arguments), expected)
        try:
            native = compile_kernel(function)
        except Refused:
            continue
        machine += 1
        run = compiled(_must_not_run, native.llvm_ir, str(native.signature))
        assert isinstance(run, CompiledKernel)
        same(run(*kernel.arguments), expected)
    assert machine >= 4


@pytest.mark.sampled(4)
@pytest.mark.parametrize("block", range(8))
def test_random_loops_over_points_agree_with_one_point_at_a_time(block: int):
    for seed in range(block * 12, block * 12 + 12):
        kernel = random_kernel(seed)
        function = parse_kernel(kernel.text)
        with np.errstate(all="ignore"):
            expected = run_naively(function, kernel.arguments)
        put_loops_over_points(function)
        module = function.parent_op()
        assert isinstance(module, ModuleOp)
        module.verify()
        assert not any(op.name.startswith("tensor_block.") for op in module.walk())
        values = [
            to_value(value, argument.type)
            for value, argument in zip(kernel.arguments, function.args, strict=True)
        ]
        (got,) = Interpreter(module).call(function, values)
        got = got.to_numpy() if isinstance(got, Array) else got
        same(np.asarray(got).astype(np.asarray(expected).dtype), expected)


def _must_not_run(*_: Any) -> Any:
    raise AssertionError("fell back to NumPy")
