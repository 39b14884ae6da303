"""A call like the one before: that it is taken for one, and when it must not be."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import diablo
from diablo import repeated_calls
from diablo.diagnostics import InputError, RunError
from diablo.repeated_calls import RepeatedCall
from diablo.runtime.memory_limit import result_limit
from diablo.runtime.program import run_main

SCALED = (
    "input a: vector[Double]; input k: Int; input s: Double; tensor*(k)[ (i,s*a[i]) | i <- 0..k-1 ]"
)


Repeated = Callable[[Callable[[], Any]], bool]


@pytest.fixture
def repeated(monkeypatch: pytest.MonkeyPatch) -> Repeated:
    """Return whether a call was taken for one like that before."""
    runs: list[int] = []
    run = RepeatedCall.run

    def counted(self: RepeatedCall, *arguments: Any) -> Any:
        runs.append(1)
        return run(self, *arguments)

    monkeypatch.setattr(RepeatedCall, "run", counted)

    def is_repeated(call: Callable[[], Any]) -> bool:
        runs.clear()
        call()
        return bool(runs)

    return is_repeated


def test_calls_with_other_elements_and_numbers_that_tell_nothing_are_repeated(
    repeated: Repeated,
):
    program = diablo.compile(SCALED)
    a = np.arange(4.0)
    assert not repeated(lambda: program(a=a, k=4, s=2.0))
    for s in (3.0, -0.0, 0.0, float("inf")):
        assert repeated(lambda s=s: program(k=4, s=s, a=a + 1))
        np.testing.assert_array_equal(program(k=4, s=s, a=a + 1), s * (a + 1))
    assert program.stats is None


def test_calls_with_other_inputs_are_not_repeated(
    repeated: Repeated, monkeypatch: pytest.MonkeyPatch
):
    program = diablo.compile(SCALED)
    a = np.arange(4.0)

    def calls(**inputs: Any) -> bool:
        program(a=a, k=4, s=2.0)
        assert repeated(lambda: program(a=a, k=4, s=2.0))
        return repeated(lambda: program(**{"a": a, "k": 4, "s": 2.0, **inputs}))

    assert not calls(a=np.arange(5.0))
    assert not calls(a=np.arange(8.0)[::2])
    assert not calls(a=[1.0, 2.0, 3.0, 4.0])
    assert not calls(a=a.astype(np.float32))
    assert not calls(k=3)
    assert not calls(k=np.int64(4))
    assert not calls(s=2)
    with pytest.raises(InputError, match="no such input"):
        program(a=a, k=4, s=2.0, t=1)
    with pytest.raises(InputError, match="missing"):
        program(a=a, k=4)
    with pytest.raises(InputError, match="True"):
        calls(k=True)
    program(a=a, k=4, s=2.0)
    for name in ("DIABLO_TILES", "DIABLO_COMPILE", "DIABLO_THREADS"):
        with monkeypatch.context() as patch:
            patch.setenv(name, "some")
            with pytest.raises(InputError, match=name):
                program(a=a, k=4, s=2.0)


def test_programs_that_are_asked_for_more_than_the_value_are_not_repeated(
    repeated: Repeated, tmp_path: Any
):
    a = np.arange(4.0)
    every: tuple[dict[str, Any], ...] = (
        {"block_size": 2},
        {"resume": tmp_path / "state"},
        {"progress": True},
    )
    for options in every:
        program = diablo.compile(SCALED, **options)
        program(a=a, k=4, s=2.0)
        assert not repeated(lambda p=program: p(a=a, k=4, s=2.0))
    rows = diablo.compile("input E: list[(Int,Int)]; +/[ a*b | (a,b) <- E ]")
    rows(E=np.ones((3, 2), int))
    assert not repeated(lambda: rows(E=np.ones((3, 2), int)))
    product = diablo.compile("input A: matrix[Double]; input x: vector[Double]; A @ x")
    matrix = sparse.eye_array(4, format="csr")
    product(A=matrix, x=a)
    assert not repeated(lambda: product(A=matrix, x=a))
    random = diablo.compile("input k: Int; [ random() | i <- 1..k ]", seed=3)
    first = random(k=3).to_list()
    assert not repeated(lambda: random(k=3))
    assert random(k=3).to_list() == first


def test_what_was_asked_for_between_calls_is_seen(
    repeated: Repeated,
):
    program = diablo.compile("input a: vector[Double]; var b = a + 1.0; var c = b * 2.0; c")
    a = np.arange(3.0)
    program(a=a)
    (b,) = program.run(program.check({"a": a}), ["b"])
    np.testing.assert_array_equal(b, a + 1)
    assert not repeated(lambda: program(a=a))
    assert repeated(lambda: program(a=a))
    other = pickle.loads(pickle.dumps(program))
    assert not repeated(lambda: other(a=a))
    np.testing.assert_array_equal(other(a=a).to_numpy(), (a + 1) * 2)


def test_a_repeated_call_gives_no_memory_of_the_callers():
    program = diablo.compile("input a: vector[Double]; a")
    pair = diablo.compile("input a: vector[Double]; (a, +/[ x | (i,x) <- a ])")
    a = np.arange(5.0)
    for _ in range(3):
        assert not np.may_share_memory(program(a=a).to_numpy(), a)
        same, total = pair(a=a)
        assert not np.may_share_memory(same.to_numpy(), a)
        assert total == 10.0


def test_a_repeated_call_fails_and_warns_as_the_first_one_does():
    division = diablo.compile("input a: vector[Int]; input k: Int;\na[0] / k")
    messages: list[str] = []
    for k in (2, 2, 0, 0):
        a = np.array([4, 2])
        if k:
            assert division(a=a, k=k) == 2
            continue
        with pytest.raises(RunError) as caught:
            division(a=a, k=k)
        messages.append(str(caught.value))
    lists = diablo.compile("input V: vector[Int]; input i: Int;\nV[i]")
    for _ in range(3):
        with pytest.raises(RunError) as caught:
            lists(V=np.arange(3), i=3)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    assert len(set(messages[2:])) == 1
    assert "<program>:2" in messages[2]


def test_a_repeated_call_keeps_to_the_memory_it_is_given():
    source = "input m: vector[Int]; var n = m[0]; tensor*(n)[ (i,1.0*i) | i <- 0..n-1 ]"
    program = diablo.compile(source, memory="1m")
    assert program(m=np.array([1000])).size == 1000
    for _ in range(2):
        with pytest.raises(RunError, match="1 MiB"):
            program(m=np.array([10_000_000]))


def test_options_that_are_set_between_calls_are_seen(repeated: Repeated):
    source = "input m: vector[Int]; var n = m[0]; tensor*(n)[ (i,1.0*i) | i <- 0..n-1 ]"
    program = diablo.compile(source)
    m = np.array([10_000_000])
    program(m=m)
    assert repeated(lambda: program(m=m))
    program.memory = 1 << 20
    with pytest.raises(RunError, match="1 MiB"):
        program(m=m)
    program.memory = None
    assert program(m=m).size == 10_000_000
    assert repeated(lambda: program(m=m))
    program.block_size = 1_000_000
    assert not repeated(lambda: program(m=m))


def test_lazy_results_of_a_repeated_call_keep_to_the_memory_as_well(
    monkeypatch: pytest.MonkeyPatch,
):
    limits: list[int | None] = []
    shape = repeated_calls.shaped_results

    def noted(*given: Any) -> Any:
        limits.append(result_limit())
        return shape(*given)

    monkeypatch.setattr(repeated_calls, "shaped_results", noted)
    program = diablo.compile(SCALED, memory="64m")
    for _ in range(2):
        program(a=np.arange(4.0), k=4, s=2.0)
    assert limits == [64 << 20]
    assert result_limit() is None


def test_what_others_have_set_up_is_there_again_after_a_repeated_call():
    program = diablo.compile(SCALED)
    a = np.arange(4.0)
    with np.errstate(all="raise"), warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(3):
            program(a=a, k=4, s=float("nan"))
        assert set(np.geterr().values()) == {"raise"}
    assert run_main.local_context().tile_edge(None) is None
