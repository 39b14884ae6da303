"""Choosing and running an engine."""

import numpy as np
import pytest

from diablo.api import Program
from diablo.diagnostics import Diagnostic, InputError, RunError
from diablo.runtime.arrays.tiles import SparseTile
from diablo.runtime.available_memory import machine_memory
from diablo.runtime.engines.data_sizes import data_size
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.program import run_main as running
from diablo.runtime.program.run_main import (
    choose_engine,
    engine_and_reason,
    engine_context,
    local_context,
    run_main,
    runs_on_spark,
)


def test_run_main_passes_inputs_and_block_size():
    def main(sc: LocalContext, n: int, *, block_size: int | None = None):
        return sc.parallelize(range(n)).count(), block_size

    assert run_main(main, {"n": 3}, "local") == (3, None)
    assert run_main(main, {"n": 3}, "auto", block_size=4) == (3, 4)


def test_wrong_options():
    with pytest.raises(InputError, match="no engine 'cloud': it is one of auto, local, spark"):
        engine_context("cloud", None, {})
    with pytest.raises(InputError, match="block size is 0"):
        run_main(lambda sc, block_size: None, {}, "local", block_size=0)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero"),
        (MemoryError(), "out of memory"),
        (RunError("A is singular"), "A is singular"),
    ],
)
def test_failures_of_the_data_are_run_errors(error: Exception, message: str):
    def main(sc: LocalContext, *, block_size: int | None = None):
        def fail(_: object) -> None:
            raise error

        return sc.parallelize([1]).map(fail)

    with pytest.raises(RunError, match=message):
        run_main(main, {}, "local")


def test_mistakes_in_diablo_keep_their_traceback():
    def main(sc: LocalContext, *, block_size: int | None = None):
        return sc.parallelize([1]).map(lambda x: x.missing)

    with pytest.raises(AttributeError):
        run_main(main, {}, "local")


def test_auto_is_local_while_the_data_fit(monkeypatch: pytest.MonkeyPatch):
    inputs = {"A": np.zeros(1000), "n": 5}
    assert choose_engine(inputs) == "local"
    assert choose_engine(inputs, "local[2]") == "spark"
    monkeypatch.setattr(running, "machine_memory", lambda: 10_000)
    assert choose_engine(inputs) == "spark"
    assert local_context() is local_context()


def test_auto_says_why(monkeypatch: pytest.MonkeyPatch):
    inputs = {"A": np.zeros(2**28, np.int8)}
    monkeypatch.setattr(running, "machine_memory", lambda: 2**32)
    assert engine_and_reason(inputs) == ("local", "the inputs take 256 MiB, and there are 4 GiB")
    assert engine_and_reason(inputs, "yarn") == ("spark", "a master is named, yarn")
    heard: list[Diagnostic] = []
    program = Program("input n: Int; n + 1", engine="auto", listener=heard.append)
    assert [program(n=k) for k in (1, 2)] == [2, 3]
    (said,) = [d.message for d in heard if "the program runs" in d.message]
    assert said.startswith("the program runs in this process: the inputs take 32 bytes, and")


def test_sizes():
    assert machine_memory() > 2**20
    assert data_size(np.zeros(10)) == 80
    assert data_size((np.zeros(10), np.zeros(10))) == 160
    assert data_size(SparseTile.empty((3, 3), 1, float)) == 4


@pytest.mark.parametrize(
    ("engine", "master", "expected"),
    [
        ("spark", None, True),
        ("auto", "local[2]", True),
        ("auto", None, False),
        ("local", "local[2]", False),
        ("local", None, False),
    ],
)
def test_where_all_calls_run_on_spark(engine: str, master: str | None, expected: bool):
    assert runs_on_spark(engine, master) is expected
