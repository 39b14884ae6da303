"""Random programs give on the local engine, at several block sizes, what the oracle gives."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from random_programs import RandomProgram, programs

import diablo
from diablo.diagnostics import CompileError, RunError
from diablo.frontend.importer import import_program
from diablo.lowering.pipelines import PIPELINES
from diablo.passes.interpreter.interpreter import interpret
from diablo.passes.interpreter.values import Array

# Loops that differ from sequential ones are meant here.
pytestmark = pytest.mark.filterwarnings("ignore::diablo.api.CompileWarning")

BLOCK_SIZES = (None, 1, 3)
OPTIONAL = (
    "fuse-elementwise",
    "prune-loops",
    "hoist-invariants",
    "resolve-dimensions",
    "infer-sparsity",
    "comprehension-normalize",
)
"""The passes that a pipeline may leave out."""


def check(random: RandomProgram, block_sizes: Sequence[int | None] = BLOCK_SIZES) -> str:
    """Compare a program with the oracle; how it went: `same`, `failed` (in both), `refused`."""
    program = diablo.compile(random.text)
    call = program.check(random.inputs)
    module = import_program(random.text, "random.diablo", call.bindings)
    try:
        expected: Any = interpret(module, {**random.inputs, "seed": 0})
    except RunError as error:
        expected = _kind(error)
    for block_size in block_sizes:
        program.block_size = block_size
        try:
            found: Any = program.run(call)
        except CompileError as error:
            diagnostic = error.diagnostics[0]
            if "not supported yet" in diagnostic.message and diagnostic.span is not None:
                return "refused"
            raise
        except RunError as error:
            found = _kind(error)
        label = f"block size {block_size}"
        if isinstance(expected, str) or isinstance(found, str):
            assert found == expected, f"{label}: {found} instead of {expected}"
            continue
        parts = found if isinstance(found, tuple) else (found,)
        for position, (part, wanted) in enumerate(zip(parts, expected, strict=True)):
            np.testing.assert_allclose(
                _plain(part),
                _plain(wanted),
                rtol=1e-9,
                atol=1e-12,
                err_msg=f"{label}, result {position}",
            )
    return "failed" if isinstance(expected, str) else "same"


def _kind(error: RunError) -> str:
    """What went wrong, without the place and the numbers."""
    return re.sub(r"^\S*:\d+:\d+: |[\d(),]+", "", str(error).splitlines()[0])


def _plain(value: Any) -> Any:
    """Numbers and arrays as they are; the rows of a list in order."""
    if isinstance(value, Array):
        return value.to_numpy()
    if isinstance(value, list):
        rows = sorted(tuple(map(float, row)) for row in value)
        return np.array(rows, dtype=float).reshape(len(rows), len(rows[0]) if rows else 0)
    if hasattr(value, "to_list"):
        rows = value.to_list()
        return _plain([row if isinstance(row, tuple) else (row,) for row in rows])
    return value.to_numpy() if hasattr(value, "to_numpy") else value


def run_random(examples: int, compare: Callable[[RandomProgram], str]) -> Counter[str]:
    """How it went with so many programs, the same ones each time."""
    outcomes: Counter[str] = Counter()

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],  # shrinking takes minutes; ask for it when there is a failure
        suppress_health_check=list(HealthCheck),
    )
    @given(programs())
    def run(program: RandomProgram) -> None:
        outcomes[compare(program)] += 1

    run()
    return outcomes


def test_random_programs_mean_the_same_on_the_local_engine() -> None:
    outcomes = run_random(40, check)
    assert outcomes["refused"] < outcomes["same"] / 2, outcomes


@pytest.mark.parametrize("left_out", OPTIONAL)
def test_a_pipeline_may_leave_out_a_pass(left_out: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "diablo-to-spark"
    passes = PIPELINES[name].split(",")
    monkeypatch.setitem(PIPELINES, name, ",".join(p for p in passes if p != left_out))
    outcomes = run_random(8, lambda program: check(program, [2]))
    # Without its normal form a comprehension may be refused, but not be wrong.
    assert outcomes["same"] > 0 or left_out == "comprehension-normalize", outcomes
