"""The environment decides what runs as machine code, and on how many threads."""

import os
import subprocess
import sys
from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

import diablo
from diablo.diagnostics import InputError
from diablo.runtime.kernels import compiled
from diablo.runtime.native import thread_team, work_seen
from diablo.runtime.native.compile_mode import compile_mode, given_threads, held_environment
from diablo.runtime.native.machine_code import Entry

SUMS = """
input A: matrix[Double];
input n: Int;
input m: Int;
tensor*(n)[ (i,+/a) | ((i,j),a) <- A, group by i ];
"""
A = np.arange(35.0).reshape(7, 5)


class Calls:
    """The pieces in which machine code was called."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self.pieces: list[int] = []

        def noting(entry: Entry, calls: Any, points: int) -> None:
            self.pieces.append(len(calls))
            thread_team.share(entry, calls, points)

        for module in (compiled, sys.modules["diablo.runtime.kernels.direct_calls"]):
            monkeypatch.setattr(module, "share", noting)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_always_compiles_small_kernels_and_cuts_their_work(
    threads: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setenv("DIABLO_THREADS", str(threads))
    calls = Calls(monkeypatch)
    sums = diablo.compile(SUMS)(A=A, n=7, m=5)
    np.testing.assert_array_equal(sums, A.sum(1))
    assert calls.pieces == [threads]


@pytest.mark.parametrize("mode", ["auto", "never", ""])
def test_small_kernels_run_in_numpy(mode: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    calls = Calls(monkeypatch)
    np.testing.assert_array_equal(diablo.compile(SUMS)(A=A, n=7, m=5), A.sum(1))
    assert calls.pieces == []


def test_never_does_not_load_the_compiler():
    program = """
import sys
import numpy as np
import diablo
program = diablo.compile("input V: vector[Double]; (V @ V, V + 1.0);")
for _ in range(3):
    program(V=np.ones(3_000_000))
print("llvmlite" in sys.modules)
"""
    for mode, loaded in (("never", "False"), ("auto", "True")):
        result = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "DIABLO_COMPILE": mode},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert result.stdout.strip() == loaded, result.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [("DIABLO_COMPILE", "sometimes"), ("DIABLO_THREADS", "0"), ("DIABLO_THREADS", "two")],
)
def test_other_values_are_refused(name: str, value: str, monkeypatch: pytest.MonkeyPatch):
    program = diablo.compile("input n: Int; n + 1;")
    monkeypatch.setenv(name, value)
    with pytest.raises(InputError, match=f"{name} is '{value}', and must be"):
        program(n=1)


def test_a_run_looks_at_the_environment_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_THREADS", "2")
    first, second = held_environment(), held_environment()
    first.__enter__()
    monkeypatch.setenv("DIABLO_THREADS", "3")
    monkeypatch.setenv("DIABLO_COMPILE", "never")
    second.__enter__()
    assert (compile_mode(), given_threads()) == ("auto", 2)
    first.__exit__(None, None, None)
    assert (compile_mode(), given_threads()) == ("auto", 2)
    second.__exit__(None, None, None)
    assert (compile_mode(), given_threads()) == ("never", 3)


def test_a_run_refuses_an_environment_that_says_nothing(monkeypatch: pytest.MonkeyPatch):
    program = diablo.compile(SUMS)
    monkeypatch.setenv("DIABLO_THREADS", "many")
    with pytest.raises(InputError, match="DIABLO_THREADS is 'many'"):
        program(A=A, n=7, m=5)
    monkeypatch.setenv("DIABLO_THREADS", "1")
    np.testing.assert_array_equal(program(A=A, n=7, m=5), A.sum(1))


def test_small_kernels_are_compiled_once_they_were_called_often(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("DIABLO_COMPILE", raising=False)
    monkeypatch.setattr(work_seen, "_points_seen", OrderedDict[Any, int]())
    seen = [work_seen.worth_compiling("a kernel", 8) for _ in range(5000)]
    assert seen == [False] * 4095 + [True] * 905
    assert not work_seen.worth_compiling("another", work_seen.WORTH_COMPILING - 1)
    assert work_seen.worth_compiling("another", 1)
