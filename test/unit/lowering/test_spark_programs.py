"""Emitted programs on the local engine, with blocks that do not divide, against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from spark_programs import (
    BLOCK_SIZES,
    compile_program,
    elementwise,
    everything_about_rows,
    growing_array,
    local_arrays,
    matrix_power,
    products,
    sparse_arrays,
)

from diablo.runtime.engines.local import LocalContext

Case = Callable[[Callable[..., Any], Any, int | None], None]

CASES: list[Case] = [
    elementwise,
    matrix_power,
    products,
    growing_array,
    local_arrays,
    sparse_arrays,
    everything_about_rows,
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("block_size", BLOCK_SIZES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_on_the_local_engine(case: Case, block_size: int | None) -> None:
    with LocalContext(2) as context:
        case(compile_program, context, block_size)


@pytest.mark.sampled(8)
@pytest.mark.spark
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_on_spark(case: Case) -> None:
    from diablo.runtime.engines.spark import spark_context

    case(compile_program, spark_context("local[2]"), 3)


def test_a_division_by_zero_is_an_error() -> None:
    from diablo.diagnostics import RunError

    main = compile_program(
        """
        func.func @main(%a: i64, %b: i64) -> i64 {
          %q = arith.divsi %a, %b : i64
          func.return %q : i64
        }
        """
    )
    assert main(LocalContext(1), -7, 2) == -3
    with pytest.raises(RunError, match="integer division by zero"):
        main(LocalContext(1), 1, 0)


def test_dividing_floats_by_zero_gives_infinity() -> None:
    main = compile_program(
        """
        func.func @main(%a: f64, %b: f64) -> f64 {
          %q = arith.divf %a, %b : f64
          func.return %q : f64
        }
        """
    )
    with np.errstate(all="ignore"):
        assert main(LocalContext(1), 1.0, 0.0) == np.inf
        assert np.isnan(main(LocalContext(1), 0.0, 0.0))


def test_an_array_without_elements() -> None:
    main = compile_program(
        """
        !matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
        !vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
        func.func @main(%A: !matrix) -> !vector {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %n = tensor.dim %A, %c0 : !matrix
          %m = tensor.dim %A, %c1 : !matrix
          %s = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
              ins(%A[d0, d1] : !matrix) -> !vector {
          ^bb0(%i: index, %j: index, %a: f64):
            tensor_block.yield %a : f64
          }
          func.return %s : !vector
        }
        """
    )
    for block_size in BLOCK_SIZES:
        sums = main(LocalContext(1), np.zeros((4, 0)), block_size=block_size)
        np.testing.assert_array_equal(sums.to_numpy(), np.zeros(4))
        none = main(LocalContext(1), np.zeros((0, 4)), block_size=block_size)
        assert none.to_numpy().shape == (0,)
