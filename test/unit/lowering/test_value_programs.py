"""Emitted programs on strings, tuples, lists and maps, on both engines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from spark_programs import BLOCK_SIZES, compile_program
from value_array_programs import VALUE_ARRAY_CASES
from value_programs import VALUE_CASES

from diablo.runtime.engines.local import LocalContext

Case = Callable[[Callable[..., Any], Any, int | None], None]
CASES = [*VALUE_CASES, *VALUE_ARRAY_CASES]


@pytest.mark.sampled(8)
@pytest.mark.parametrize("block_size", BLOCK_SIZES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_on_the_local_engine(case: Case, block_size: int | None) -> None:
    with LocalContext(2) as context:
        case(compile_program, context, block_size)


@pytest.mark.sampled(4)
@pytest.mark.spark
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_on_spark(case: Case) -> None:
    from diablo.runtime.engines.spark import spark_context

    case(compile_program, spark_context("local[2]"), 3)
