# Kernels that read beside the point: NumPy and machine code against one point at a time.
import warnings
from typing import Any

import numpy as np
import pytest
from kernel_oracle import load_numpy, parse_kernel, run_naively
from random_windows import random_window_kernel
from test_kernel_random import same

from diablo.lowering.multiloop.compile_kernel import compile_kernel
from diablo.passes.analyses.refused import Refused
from diablo.runtime.kernels.compiled import compiled
from diablo.runtime.native import work_seen


@pytest.fixture(autouse=True)
def compile_at_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(work_seen, "WORTH_COMPILING", 0)


def _must_not_run(*_: Any) -> Any:
    raise AssertionError("fell back to NumPy")


def test_reads_beside_the_point_count():
    """They are what a point costs NumPy, and so when it pays to compile."""
    text = """func.func private @k(%a: tensor<?xf64>, %n: index) -> tensor<?xf64> {
      %r = tensor_block.map parallel(d0 < %n) ins(PLACES) -> tensor<?xf64> {
      ^bb0(%i: index, %x: f64, %y: f64):
        %s = arith.addf %x, %y : f64
        tensor_block.yield %s : f64
      }
      func.return %r : tensor<?xf64>
    }"""
    for shift, ending in (("", " rows 1"), (" + 1", " rows 1 reads 2")):
        places = f"%a[d0] : tensor<?xf64>, %a[d0{shift}] : tensor<?xf64>"
        native = compile_kernel(parse_kernel(text.replace("PLACES", places)))
        assert str(native.signature).endswith(ending)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("block", range(12))
def test_random_kernels_that_read_beside_the_point(block: int):
    machine = 0
    for seed in range(block * 4, block * 4 + 4):
        kernel = random_window_kernel(seed)
        function = parse_kernel(kernel.text)
        with np.errstate(all="ignore"):
            expected = run_naively(function, kernel.arguments)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            same(load_numpy(function)(*kernel.arguments), expected)
        try:
            native = compile_kernel(function)
        except Refused:
            continue
        machine += 1
        run = compiled(_must_not_run, native.llvm_ir, str(native.signature))
        same(run(*kernel.arguments), expected)
    assert machine >= 1


@pytest.mark.sampled(6)
@pytest.mark.parametrize("points", [1, 2, 3, 5])
@pytest.mark.parametrize("length", [1, 2, 7, 20])
def test_few_points_inside_the_loop_that_is_cut(points: int, length: int):
    """They are written out, each with its own places, whether these wrap around or not."""
    wide = points * length
    native = parse_kernel(f"""func.func private @k(%a: tensor<?xf64>, %n: index, %m: index)
        -> tensor<?x?xf64> {{
      %few = arith.constant {points} : index
      %r = tensor_block.map parallel(d0 < %n, d1 < %few) symbols(%m)
          ins(%a[{points} * d0 + d1] : tensor<?xf64>, %a[{points} * d0 + d1 - 1] : tensor<?xf64>,
              %a[({points} * d0 + d1 + 2) mod s0] : tensor<?xf64>,
              %a[(d0 - 1) mod s0] : tensor<?xf64>) -> tensor<?x?xf64> {{
      ^bb0(%i: index, %j: index, %x: f64, %y: f64, %z: f64, %w: f64):
        %c = arith.constant 1 : index
        %last = arith.cmpi eq, %j, %c : index
        %s = arith.select %last, %x, %w : f64
        %t = arith.mulf %y, %z : f64
        %u = arith.addf %s, %t : f64
        tensor_block.yield %u : f64
      }}
      func.return %r : tensor<?x?xf64>
    }}""")
    arguments = (np.random.default_rng(points).random(wide), length, wide)
    expected = run_naively(native, arguments)
    compiled_kernel = compile_kernel(native)
    assert not isinstance(compiled_kernel, str), compiled_kernel
    run = compiled(_must_not_run, compiled_kernel.llvm_ir, str(compiled_kernel.signature))
    same(run(*arguments), expected)
