"""Random programs give on the local engine, at several block sizes, what the oracle gives."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from diablo.tools.fuzz_tool.leaving_out import optional_passes
from diablo.tools.fuzz_tool.trial import Trial, Way
from diablo.tools.fuzz_tool.writer import write_program


def run_programs(seeds: range, way: Way) -> Counter[str]:
    """How it went with the programs of these numbers."""
    outcomes: Counter[str] = Counter()
    for seed in seeds:
        program = write_program(seed)
        outcome = Trial(program.text, program.inputs).run([way])
        assert not outcome.is_failure, f"program {seed}: {outcome}\n{program.text}"
        outcomes[outcome.verdict] += 1
    return outcomes


def test_random_programs_mean_the_same_on_the_local_engine() -> None:
    outcomes = run_programs(range(60), Way())
    assert outcomes["refused"] < outcomes["same"] / 2, outcomes


def test_random_programs_mean_the_same_as_machine_code() -> None:
    way = Way(None, (None, 2), compile="always", threads=(1, 2, 3))
    outcomes = run_programs(range(200, 206), way)
    outcomes += run_programs(range(206, 212), replace(way, block_sizes=(None,), whole=True))
    assert outcomes["same"] > 6, outcomes


@pytest.mark.parametrize("left_out", optional_passes())
def test_a_pipeline_may_leave_out_a_pass(left_out: str) -> None:
    outcomes = run_programs(range(100, 108), Way(left_out, (2,)))
    assert outcomes["same"] > 0, outcomes
