"""The team of threads: each piece is done once, whoever calls, in children and at the end too."""

import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from diablo.runtime.native import team_code, thread_team
from diablo.runtime.native.machine_code import Entry, machine_code
from diablo.runtime.native.thread_team import WORTH_WAKING, Job, own_team, share, thread_count

# *counts[piece] += amount, by whoever does the piece.
COUNT = """
define void @count(ptr %counts, i64 %piece, i64 %amount) {
  %place = getelementptr i64, ptr %counts, i64 %piece
  %before = atomicrmw add ptr %place, i64 %amount monotonic
  ret void
}
"""
# output[piece] += input[piece]
ADD = """
define void @add(i64 %piece, ptr %input, ptr %output) {
  %from = getelementptr i64, ptr %input, i64 %piece
  %to = getelementptr i64, ptr %output, i64 %piece
  %a = load i64, ptr %from
  %b = load i64, ptr %to
  %c = add i64 %a, %b
  store i64 %c, ptr %to
  ret void
}
"""
# Does the job for three pairs of arrays.
AGAIN = """
declare void @diablo_share_again(i64, ptr, ptr)
define void @again(i64 %job, ptr %a, ptr %b, ptr %c) {
  call void @diablo_share_again(i64 %job, ptr %a, ptr %b)
  call void @diablo_share_again(i64 %job, ptr %b, ptr %c)
  call void @diablo_share_again(i64 %job, ptr %c, ptr %a)
  ret void
}
"""
# *total += 1, `times` times.
SLOW = """
define void @slow(ptr %total, i64 %times) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %before = atomicrmw add ptr %total, i64 1 monotonic
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %times
  br i1 %more, label %loop, label %done
done:
  ret void
}
"""


@pytest.fixture
def counting() -> Entry:
    entry = machine_code("count of pieces", COUNT)
    assert entry is not None
    return entry


def count(entry: Entry, pieces: int, jobs: int, points: int) -> np.ndarray:
    counts = np.zeros(pieces, np.int64)
    for job in range(jobs):
        share(entry, [(counts.ctypes.data, k, job + 1) for k in range(pieces)], points)
    return counts


@pytest.mark.parametrize("points", [1, WORTH_WAKING], ids=["small", "large"])
@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_every_piece_is_done_once(
    threads: int, points: int, counting: Entry, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OMP_NUM_THREADS", str(threads))
    assert thread_count() == threads
    for pieces in (0, 1, 2, 7, 33):
        np.testing.assert_array_equal(count(counting, pieces, 50, points), [1275] * pieces)


def test_jobs_of_more_pieces_than_fit(counting: Entry, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    monkeypatch.setattr(thread_team, "MOST_PIECES", 4)
    np.testing.assert_array_equal(count(counting, 11, 2, WORTH_WAKING), [3] * 11)


@pytest.mark.parametrize("pieces", [0, 1, 7])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_machine_code_does_a_job_again(
    threads: int, pieces: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_THREADS", str(threads))
    add, again = machine_code("addition", ADD), machine_code("additions", AGAIN)
    assert add is not None
    assert again is not None
    job = Job(add, [(k, 0, 0) for k in range(pieces)], [(1, 0), (2, 1)], 1)
    arrays = [np.full(8, number) for number in (1, 10, 100)]
    for _ in range(2):
        again(job.address, *(array.ctypes.data for array in arrays))
    for array, wanted in zip(arrays, (346, 123, 234), strict=True):
        assert set(array[:pieces]) <= {wanted}, array
        assert array[pieces:].max() in (1, 10, 100)


def test_many_callers(counting: Entry, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    with ThreadPoolExecutor(4) as pool:
        runs = [pool.submit(count, counting, 5, 100, WORTH_WAKING) for _ in range(20)]
        found = [run.result() for run in runs]
    np.testing.assert_array_equal(found, [[5050] * 5] * 20)


def test_the_caller_waits_for_pieces_of_others(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    entry = machine_code("slow pieces", SLOW)
    assert entry is not None
    total = np.zeros(1, np.int64)
    for _ in range(20):
        share(entry, [(total.ctypes.data, times) for times in (200_000, 1)], WORTH_WAKING)
    assert total[0] == 20 * 200_001


def test_threads_park(counting: Entry, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    count(counting, 2, 1, WORTH_WAKING)
    team = own_team(1)
    assert team is not None
    while team.parked < team.size:
        time.sleep(0.001)
    np.testing.assert_array_equal(count(counting, 2, 1, WORTH_WAKING), [1, 1])


def test_a_child_process_has_threads_of_its_own(counting: Entry, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    count(counting, 2, 10, WORTH_WAKING)
    child = os.fork()
    if child == 0:
        os._exit(0 if count(counting, 2, 10, WORTH_WAKING).tolist() == [55, 55] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    np.testing.assert_array_equal(count(counting, 2, 10, WORTH_WAKING), [55, 55])


@pytest.mark.sampled(8)
@pytest.mark.parametrize("end", ["", "raise SystemExit(3)", "1 / 0", "os._exit(4)"])
def test_programs_end(end: str):
    text = f"""
import os, numpy as np
from diablo.runtime.native.machine_code import machine_code
from diablo.runtime.native.thread_team import share
entry = machine_code("count", {COUNT!r})
counts = np.zeros(2, np.int64)
for _ in range(100):
    share(entry, [(counts.ctypes.data, k, 1) for k in range(2)], 1 << 20)
assert counts.tolist() == [100, 100]
{end}
"""
    environment = {**os.environ, "OMP_NUM_THREADS": "2"}
    done = subprocess.run([sys.executable, "-c", text], env=environment, capture_output=True)
    codes = {"": 0, "raise SystemExit(3)": 3, "1 / 0": 1, "os._exit(4)": 4}
    assert done.returncode == codes[end], done.stderr


def test_other_systems_do_the_pieces_themselves(counting: Entry, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    monkeypatch.setattr(thread_team, "_one", None)
    monkeypatch.setattr(os, "name", "nt")
    assert own_team(1) is None
    np.testing.assert_array_equal(count(counting, 3, 4, WORTH_WAKING), [10] * 3)


def test_every_place_of_a_team_is_named():
    assert not re.findall(r"i64 [A-Z]+", team_code.team_code())


def test_a_team_knows_how_long_a_look_for_work_takes():
    team = own_team(1)
    assert team is not None
    assert 100 < team.most_looks < thread_team.LOOKED_FOR


def test_work_is_cut_into_several_pieces_for_each_thread(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_THREADS", "2")
    monkeypatch.setenv("DIABLO_COMPILE", "auto")
    few = thread_team.WORTH_SHARING
    assert thread_team.cut_finely(1000, few - 1) == [(0, 1000)]
    assert thread_team.cut_finely(1000, few) == [(0, 500), (500, 1000)]
    assert len(thread_team.cut_finely(1000, 5 * few)) == 5
    assert len(thread_team.cut_finely(1000, 100 * few)) == 2 * thread_team.PIECES_EACH
    assert thread_team.cut_finely(3, 100 * few) == [(0, 1), (1, 2), (2, 3)]
    monkeypatch.setenv("DIABLO_THREADS", "1")
    assert thread_team.cut_finely(1000, 100 * few) == [(0, 1000)]
