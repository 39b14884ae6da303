"""Random programs give on the local engine, at several block sizes, what the oracle gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import pytest

from diablo.diagnostics import CompileError
from diablo.lowering.pipelines import PIPELINES
from diablo.pass_pipeline import load_passes
from diablo.registry import available_passes, new_context
from diablo.runtime.device.device import Launch
from diablo.runtime.device.device_code import DeviceCode
from diablo.runtime.device.stand_in import StandIn
from fuzzing.leaving_out import optional_passes
from fuzzing.trial import Trial, Way
from fuzzing.writer import write_program


def run_programs(seeds: Iterable[int], way: Way) -> Counter[str]:
    """Return how it went with the programs of these numbers."""
    outcomes: Counter[str] = Counter()
    for seed in seeds:
        program = write_program(seed)
        outcome = Trial(program.text, program.inputs).run([way])
        assert not outcome.is_failure, f"program {seed}: {outcome}\n{program.text}"
        outcomes[outcome.verdict] += 1
    return outcomes


BEGUN = StandIn.__init__
LOADED = StandIn.loaded


@pytest.mark.sampled(3)
@pytest.mark.parametrize("first", range(0, 24, 4))
def test_random_programs_mean_the_same_on_the_local_engine(first: int) -> None:
    outcomes = run_programs(range(first, first + 3), Way())
    assert outcomes["refused"] < outcomes["same"] / 2, outcomes


@pytest.mark.sampled(4)
@pytest.mark.parametrize("turn", range(3))
def test_random_programs_mean_the_same_as_machine_code(turn: int) -> None:
    blocks = Way(None, (None, 2, 3), compile="always")
    whole = Way(None, (None,), compile="always", whole=True)
    threads = ((1, 2, 3), (2, 3, 1), (3, 1, 2))[turn]
    seed = 200 + 4 * turn
    outcomes = run_programs([seed], replace(blocks, threads=threads))
    outcomes += run_programs([seed + 2], replace(whole, threads=threads))
    assert outcomes["same"] >= 1, outcomes


@cache
def passes_that_matter(seed: int) -> frozenset[str]:
    """The passes of the pipeline that change the program of a number, up to one that refuses it."""
    program = write_program(seed)
    module = Trial(program.text, program.inputs).variant().lower("diablo")
    context, found, before = new_context(), set[str](), module.clone()
    for module_pass in load_passes(["diablo-to-spark"], available_passes(), PIPELINES):
        try:
            module_pass.apply(context, module)
        except CompileError:
            break
        if not module.is_structurally_equivalent(before):
            found.add(module_pass.name)
            before = module.clone()
    return frozenset(found)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("left_out", optional_passes())
def test_a_pipeline_may_leave_out_a_pass(left_out: str) -> None:
    """Without a pass that changes nothing, the pipeline is the same, and need not be run."""
    for seed in (100, 101, 102, 103, 106):
        if left_out in passes_that_matter(seed):
            assert run_programs([seed], Way(left_out, (2,)))["same"] == 1
            break


def test_random_programs_mean_the_same_on_what_stands_in_for_a_gpu(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    launched: list[int] = []

    def loaded(device: StandIn, code: DeviceCode) -> Launch:
        launch = LOADED(device, code)
        launched.append(len(code.kernels))
        return launch

    monkeypatch.setattr(StandIn, "loaded", loaded)
    outcomes = run_programs(range(8018, 8020), Way(None, (None,), device="gpu"))
    assert outcomes["same"] == 2, outcomes
    assert sum(launched) > 2


@pytest.mark.parametrize(("name", "limit"), [("gpu", 400), ("gpu:0,1", 600)])
def test_on_devices_with_little_memory(
    name: str, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begin(device: StandIn, _: int | None = None) -> None:
        BEGUN(device, limit)

    monkeypatch.setattr(StandIn, "__init__", begin)
    outcomes = run_programs(range(8016, 8017), Way(None, (None,), device=name))
    assert outcomes["same"] == 1, outcomes


def test_on_two_devices() -> None:
    outcomes = run_programs(range(8020, 8021), Way(None, (None, 3), device="gpu:0,1"))
    assert outcomes["same"] == 1, outcomes
