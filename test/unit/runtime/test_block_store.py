"""Blocks in files: what is written, read, named again and removed; with two processes."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import diablo
from diablo.diagnostics import InputError, RunError
from diablo.runtime.arrays.scipy_sparse import tile_of_scipy
from diablo.runtime.engines import block_store
from diablo.runtime.engines.block_store import Folder, InFile, dumps, loads, new_folder, remove
from diablo.runtime.engines.keeping import Kept, belonging_to, current_folder
from diablo.runtime.program import Iterations, loop

LONG = np.arange(20_000.0).reshape(100, 200)


@pytest.fixture
def folder() -> Generator[Folder]:
    made = new_folder()
    yield made
    remove(made)


def files(folder: Folder) -> list[Path]:
    return [file for place in folder for file in Path(place).glob("*")]


@pytest.mark.parametrize(
    "value",
    [
        LONG,
        LONG.T,
        LONG[:, ::2],  # Neither in one order nor the other: it is copied into the pickle.
        ((0, 1), LONG, LONG[3:]),
        (np.arange(3), "text", [LONG]),
        np.arange(5.0),
        np.zeros((0, 4)),
        np.array(["a", None] * 20_000, object),
        7,
    ],
)
def test_what_is_read_is_what_was_written(value: Any, folder: Folder):
    for data in (
        dumps(value, folder),
        pickle.dumps(InFile(dumps(value, folder))),
        dumps(value, None),
    ):
        np.testing.assert_equal(loads(data), value)


def test_arrays_are_in_one_file_and_short_ones_in_none(folder: Folder):
    assert len(dumps([LONG, LONG[1:], 3], folder)) < 1000
    assert len(files(folder)) == 1
    dumps(np.arange(100), folder)
    dumps(LONG, None)
    assert len(files(folder)) == 1


def test_sparse_tiles(folder: Folder):
    matrix = sparse.random_array((300, 400), density=0.3, rng=np.random.default_rng(0)).tocsr()
    found = loads(dumps(tile_of_scipy(matrix), folder))
    np.testing.assert_array_equal(found.toarray(), matrix.toarray())
    assert files(folder)


def test_the_process_of_the_caller_may_write_into_what_it_reads(folder: Folder):
    data = dumps(LONG, folder)
    found = loads(data)
    found[0, 0] = -1.0
    assert loads(data)[0, 0] == 0.0
    # What it has written into is no longer what is in the file.
    assert loads(dumps(found, folder))[0, 0] == -1.0


def test_what_is_mapped_stays_when_the_files_go(folder: Folder):
    data = dumps(LONG, folder)
    found = loads(data)
    remove(folder)
    np.testing.assert_array_equal(found, LONG)
    with pytest.raises(RunError, match="was let go already"):
        loads(data)


def test_without_room_bytes_travel(folder: Folder, monkeypatch: pytest.MonkeyPatch):
    def no_room(place: str, size: int) -> bool:
        return False

    monkeypatch.setattr(block_store, "_has_room", no_room)
    data = dumps(LONG, folder)
    assert len(data) > LONG.nbytes
    assert not files(folder)
    np.testing.assert_array_equal(loads(data), LONG)


def test_a_folder_that_is_gone_takes_no_files(folder: Folder):
    remove(folder)
    np.testing.assert_array_equal(loads(dumps(LONG, folder)), LONG)


def test_more_files_than_a_process_may_open(folder: Folder, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(block_store, "_MOST_MAPPED", 2)
    found = [loads(dumps(LONG + k, folder)) for k in range(4)]
    found[3][0, 0] = 9.0
    assert [one[0, 1] for one in found] == [1.0, 2.0, 3.0, 4.0]


WORKER = """
import os, sys
import numpy as np
from diablo.runtime.engines.block_store import dumps, loads
first, second = eval(sys.argv[1])
with open(sys.argv[2], "rb") as file:
    data = file.read()
value = loads(data)
assert not value.flags.writeable
for folder, part in ((first, value), (second, value[10:90]), (second, value.T)):
    again = dumps((part, 1), folder)
    assert len(again) < 1000
    np.testing.assert_array_equal(loads(again)[0], part)
new = dumps(value + 1.0, second)
del value
print(new.hex())
"""


def test_a_worker_hands_on_what_it_has_read_by_another_name(folder: Folder, tmp_path: Path):
    other = new_folder()
    record = tmp_path / "record"
    record.write_bytes(dumps(LONG, folder))
    place = Path(diablo.__file__).resolve().parent.parent
    done = subprocess.run(
        [sys.executable, "-c", WORKER, repr((folder, other)), str(record)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(place)},
    )
    assert len(files(folder)) == 1
    linked, written = sorted(files(other), key=lambda file: -file.stat().st_nlink)
    assert (linked.stat().st_nlink, written.stat().st_nlink) == (2, 1)
    assert linked.samefile(files(folder)[0])
    remove(folder)
    np.testing.assert_array_equal(loads(bytes.fromhex(done.stdout)), LONG + 1.0)
    remove(other)


def test_a_folder_of_hadoops_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(block_store.BLOCKS, "hdfs://host/blocks")
    monkeypatch.setattr(block_store, "_made_by", 0)
    monkeypatch.setattr(block_store, "_roots", [])
    for _ in range(2):
        with pytest.raises(InputError, match=r"DIABLO_BLOCKS is 'hdfs://host/blocks'"):
            new_folder()


def test_what_killed_processes_have_left_is_removed(tmp_path: Path):
    for name in ("diablo-blocks-999999999-x", f"diablo-blocks-{os.getpid()}-x", "diablo-blocks-y-"):
        (tmp_path / name).mkdir()
    block_store.remove_abandoned(tmp_path, "diablo-blocks-")
    left = sorted(path.name for path in tmp_path.glob("*"))
    assert left == [f"diablo-blocks-{os.getpid()}-x", "diablo-blocks-y-"]


class FakeRDD:
    """One that a function of Python makes, unless it is moved by the JVM."""

    is_cached = False

    def __init__(self, moved: bool = False):
        if not moved:
            self.func = None

    def persist(self) -> FakeRDD:
        kept = _kept
        assert kept is not None
        kept.add_rdd(self)
        self.is_cached = True
        return self

    def unpersist(self) -> None: ...

    def localCheckpoint(self) -> None: ...


_kept: Kept | None = None


def there(folder: Folder) -> bool:
    return any(Path(place).exists() for place in folder)


@pytest.fixture
def call() -> Generator[Kept]:
    """A call whose workers read and write files."""
    global _kept
    _kept = Kept()
    _kept.in_files = True
    with belonging_to(_kept):
        yield _kept
    _kept.release()


def test_files_are_gone_with_their_call(call: Kept):
    folder = current_folder()
    assert folder is not None
    assert there(folder)
    assert current_folder() is folder
    call.release()
    assert not there(folder)
    with belonging_to(None):
        assert current_folder() is None


def test_a_call_without_files_has_no_folder():
    with belonging_to(Kept()):
        assert current_folder() is None


@pytest.mark.parametrize(("size", "cuts"), [(1, [1, 11]), (100, [1, 6, 11, 16]), (999, range(20))])
def test_a_loop_cuts_sooner_what_takes_more_room(
    size: int, cuts: Sequence[int], call: Kept, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(loop, "MOST_UNCUT_BYTES", 500)
    iterations, cut = Iterations(), list[int]()
    for step in range(20):
        value, folder = FakeRDD(False), current_folder()
        assert folder is not None
        (Path(folder[0]) / f"{step}").write_bytes(bytes(size))
        iterations.carry(value)
        if folder != current_folder():
            cut.append(step)
    assert cut == list(cuts)


@pytest.mark.parametrize("moved", [False, True])
def test_a_loop_lets_go_of_files_when_it_cuts(moved: bool, call: Kept):
    root = current_folder()
    loop = Iterations()
    first = current_folder()
    loop.carry()
    second = current_folder()
    assert root is not None
    assert first is not None
    assert second is not None
    assert [there(f) for f in (root, first, second)] == [True, False, True]
    inner = Iterations(loop)
    third = current_folder()
    value = FakeRDD(moved)
    for _ in range(10):
        inner.carry(value)
    # What the JVM has moved may be in files that are older.
    assert third is not None
    assert there(third)
    assert there(second)
    for _ in range(10):
        loop.carry(value)
    assert there(third)
    assert there(second) == moved
    loop.carry()
    assert not there(third)
    assert there(root)
