"""Runs that end in the middle of a loop, and those that go on from what they have saved."""

from __future__ import annotations

import json
import os
import pickle
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import diablo
from diablo.diagnostics import InputError
from diablo.runtime.kernels import compiled
from diablo.runtime.native.machine_code import machine_code
from diablo.runtime.program import run_identity, saved_state
from diablo.runtime.program.saved_state import SavedState

TABLE = """
input n: Int;
var words: map[Int,Int] = map();
var i = 0;
var x = tensor(10)[ (j, random()) | j <- 0..9 ];
while (i < n) {
  words[(i*i) % 17] += i;
  x[i % 10] = x[(i+3) % 10] + random();
  i += 1;
};
(words, x)
"""
"""A hash table, which the loop writes to, and random numbers."""

ARRAYS = """
input A: matrix[Double];
input n: Int;
var x = tensor*(A.rows)[ (i, 1.0) | i <- 0..A.rows-1 ];
var k = 0;
while (k < n) {
  k += 1;
  var y = A @ x;
  var s = sqrt(+/[ v*v | (i,v) <- y ]);
  for i = 0, A.rows-1 do x[i] = y[i]/s;
};
x
"""
"""Arrays, which are distributed with blocks."""

NUMBERS = """
input V: vector[Double];
input n: Int;
var s = 0.0;
var i = 0;
while (i < n) {
  s = 0.999*s + V[i % 100];
  i += 1;
};
var t = 0.0;
while (t*t < s) t += 0.5;
(s, t)
"""
"""Machine code, in strips; and a second loop."""


class _Killed(BaseException):
    pass


def _written(descriptor: int) -> None:
    pass


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing wait for the disk."""
    monkeypatch.setattr(os, "fsync", _written)


def plain(result: Any) -> Any:
    """A result as bytes and numbers, which differ if a bit does."""
    if isinstance(result, tuple):
        return [plain(part) for part in cast("tuple[Any, ...]", result)]
    if hasattr(result, "to_dict"):
        return result.to_dict()
    return result.to_numpy().tobytes() if hasattr(result, "to_numpy") else result


def killed_and_resumed(
    monkeypatch: pytest.MonkeyPatch, folder: Path, text: str, inputs: dict[str, Any], **options: Any
) -> tuple[Any, int]:
    """Run a program that is killed when it has saved twice, and again; how often that saves."""
    count, limit = 0, 2
    store = SavedState.store

    def counted(self: SavedState, *arguments: Any) -> None:
        nonlocal count
        store(self, *arguments)
        count += 1
        if count == limit:
            raise _Killed

    monkeypatch.setattr(SavedState, "store", counted)
    with pytest.raises(_Killed):
        diablo.compile(text, resume=folder, **options)(**inputs)
    assert (folder / "run.json").exists()
    count, limit = 0, -1
    result = diablo.compile(text, resume=folder, **options)(**inputs)
    assert not (folder / "run.json").exists()
    # What RDDs are read from stays until the process ends.
    assert not folder.exists() or options.get("engine") == "spark"
    return result, count


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("text", "inputs", "every", "saves"),
    [
        (TABLE, {"n": 1050}, 100, 9),  # In strips of 100 iterations, of which the last is shorter.
        (ARRAYS, {"A": np.random.default_rng(0).random((30, 30)), "n": 23}, 5, 2),
        (NUMBERS, {"V": np.arange(100.0), "n": 400_000}, 70_000, 4),
    ],
)
@pytest.mark.parametrize("mode", ["always", "never"])
def test_the_result_is_identical(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    text: str,
    inputs: dict[str, Any],
    every: int,
    saves: int,
    mode: str,
):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    options: dict[str, Any] = {"save_every": every, "seed": 7}
    whole = diablo.compile(text, resume=tmp_path / "whole", **options)(**inputs)
    result, count = killed_and_resumed(monkeypatch, tmp_path / "state", text, inputs, **options)
    assert plain(result) == plain(whole)
    assert count == saves  # Those after the second one.


def test_kernels_of_a_run_that_saves_are_compiled_before_they_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    # Machine code adds up in another order than NumPy: a run that goes on has it from the first
    # iteration on, when the one before would have gone over to it in the middle.
    monkeypatch.delenv("DIABLO_COMPILE", raising=False)
    loaded: list[str] = []

    def load(identity: str, text: Any) -> Any:
        loaded.append(identity)
        return machine_code(identity, text)

    monkeypatch.setattr(compiled, "machine_code", load)
    inputs = {"A": np.random.default_rng(3).random((9, 9)), "n": 1}
    diablo.compile(ARRAYS)(**inputs)
    assert not loaded
    diablo.compile(ARRAYS, resume=tmp_path / "state")(**inputs)
    assert loaded
    loaded.clear()
    monkeypatch.setenv("DIABLO_COMPILE", "never")
    diablo.compile(ARRAYS, resume=tmp_path / "other")(**inputs)
    assert not loaded


def test_tiles_in_partitions_come_back_where_they_were(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("DIABLO_TILES", "apart")
    inputs = {"A": np.random.default_rng(1).random((30, 30)), "n": 12}
    options: dict[str, Any] = {"save_every": 2, "block_size": 7}
    whole = diablo.compile(ARRAYS, resume=tmp_path / "whole", **options)(**inputs)
    result, count = killed_and_resumed(monkeypatch, tmp_path / "s", ARRAYS, inputs, **options)
    assert plain(result) == plain(whole)
    assert count == 4


@pytest.mark.spark
def test_tiles_that_come_back_meet_others_on_spark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    # What comes back lies in other partitions than what is distributed: it has to be shuffled.
    inputs = {"A": np.random.default_rng(1).random((30, 30)), "n": 4}
    options: dict[str, Any] = {"engine": "spark", "master": "local[2]", "block_size": 12}
    text = """
input A: matrix[Double];
input n: Int;
var B = A;
var k = 0;
while (k < n) {
  k += 1;
  B = tensor*(A.rows,A.cols)[ ((i,j),0.5*a + 0.25*b)
                              | ((i,j),a) <- A, ((jj,ii),b) <- B, ii == i, jj == j ];
};
B
"""
    whole = plain(diablo.compile(text, block_size=12)(**inputs))
    options["save_every"] = 1
    result, count = killed_and_resumed(monkeypatch, tmp_path / "state", text, inputs, **options)
    assert plain(result) == whole
    assert count == 2
    # The same folder serves runs to come, which leave alone what that result reads.
    again = diablo.compile(text, resume=tmp_path / "state", **options)(**inputs)
    resumed, _ = killed_and_resumed(monkeypatch, tmp_path / "state", text, inputs, **options)
    assert plain(again) == plain(resumed) == plain(result) == whole


def test_the_state_of_another_run_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    folder = tmp_path / "state"
    options: dict[str, Any] = {"resume": folder, "save_every": 10}

    def killed(self: SavedState, *arguments: Any) -> None:
        raise _Killed

    monkeypatch.setattr(SavedState, "store", killed)
    with pytest.raises(_Killed):
        diablo.compile(TABLE, **options)(n=100)
    cases: list[tuple[str, int, dict[str, Any], str]] = [
        (TABLE, 101, {}, "the input n is another one"),
        (TABLE, 100, {"seed": 1}, "the input seed is another one"),
        (TABLE + "\n", 100, {}, "the text of the program is another one"),
        (TABLE, 100, {"fast_math": True}, "the option fast-math was False, and is True"),
    ]
    for text, n, more, why in cases:
        with pytest.raises(InputError, match=why):
            diablo.compile(text, **options, **more)(n=n)


@pytest.mark.parametrize("change", ["other sources", "another format", "another plan"])
def test_the_state_of_another_version_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, change: str
):
    folder = tmp_path / "state"
    options: dict[str, Any] = {"resume": folder, "save_every": 10}

    def killed(self: SavedState, *arguments: Any) -> None:
        raise _Killed

    monkeypatch.setattr(SavedState, "store", killed)
    with pytest.raises(_Killed):
        diablo.compile(TABLE, **options)(n=100)
    path = folder / "run.json"
    known: dict[str, Any] = json.loads(path.read_text())
    match change:
        case "other sources":
            known["version"] = known["version"][::-1]
        case "another format":
            del known["version"]
        case _:
            known["plan"] = known["plan"][::-1]
    path.write_text(json.dumps(known))
    why = "compiled to another plan" if change == "another plan" else "another version of diablo"
    with pytest.raises(InputError, match=f"has the state of another run: .*{why}"):
        diablo.compile(TABLE, **options)(n=100)


def test_a_version_is_told_by_its_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    package = tmp_path / "diablo" / "runtime" / "program"
    package.mkdir(parents=True)
    monkeypatch.setattr(run_identity, "__file__", str(package / "run_identity.py"))
    digests: list[str] = []
    for text in ("a = 1", "a = 2", "a = 1"):
        (package / "a.py").write_text(text)
        digests.append(run_identity.version_digest.__wrapped__())
    assert digests[0] == digests[2] != digests[1]


@pytest.mark.parametrize("name", ["thesis.tex", "thesis.tex/state"])
def test_a_file_is_no_folder(tmp_path: Path, name: str):
    (tmp_path / "thesis.tex").write_text("all of it")
    with pytest.raises(InputError, match=f"{name}: is no folder"):
        diablo.compile(TABLE, resume=tmp_path / name)(n=5)
    assert (tmp_path / "thesis.tex").read_text() == "all of it"


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path):
    (tmp_path / "thesis.tex").write_text("all of it")
    with pytest.raises(InputError, match="has other files than the state of a run"):
        diablo.compile(TABLE, resume=tmp_path)(n=3)
    assert (tmp_path / "thesis.tex").read_text() == "all of it"


def test_one_run_at_a_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    options: dict[str, Any] = {"resume": tmp_path / "state", "save_every": 10}

    def second(self: SavedState, *arguments: Any) -> None:
        with pytest.raises(InputError, match="another run has its state there"):
            diablo.compile(TABLE, **options)(n=100)

    monkeypatch.setattr(SavedState, "store", second)
    diablo.compile(TABLE, **options)(n=100)


def test_a_damaged_state_is_said_to_be(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    folder = tmp_path / "state"
    options: dict[str, Any] = {"resume": folder, "save_every": 10}
    store = SavedState.store

    def killed(self: SavedState, *arguments: Any) -> None:
        store(self, *arguments)
        raise _Killed

    monkeypatch.setattr(SavedState, "store", killed)
    with pytest.raises(_Killed):
        diablo.compile(TABLE, **options)(n=100)
    path = folder / "loop-0.state"
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(InputError, match="is damaged; remove the folder to begin anew"):
        diablo.compile(TABLE, **options)(n=100)


def test_a_full_disk_does_not_end_the_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    program = diablo.compile(TABLE, resume=tmp_path / "state", save_every=10)
    write = saved_state._write_state  # pyright: ignore[reportPrivateUsage]

    def write_state(path: Path, state: dict[str, Any]) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            write(path, state)

    monkeypatch.setattr(saved_state, "_write_state", write_state)
    with pytest.warns(diablo.CompileWarning, match="No space left on device") as said:
        result = program(n=100)
    assert len(said) == 1
    assert plain(result) == plain(diablo.compile(TABLE)(n=100))
    assert not (tmp_path / "state").exists()


def test_tables_are_pickled_with_their_types():
    from diablo.runtime.program import table

    words = table((np.array([3, 1]), np.array([0.5, 2.5])), ("i8",), ("f8",))
    again = pickle.loads(pickle.dumps(words))
    assert again.find(1) == (2.5, True)
    assert again.find(2) == (0.0, False)
    assert again.entries()[0].tolist() == [3, 1]
