"""Kill Spark's workers and executors while programs run, and see that results stay right.

    python test/faults/kill.py --rounds 20
    python test/faults/kill.py --rounds 20 --master 'local-cluster[2,1,1024]' --kill executor
    python test/faults/kill.py --rounds 20 --master standalone --kill executor
    python test/faults/kill.py --rounds 20 --kill file

Every program is run undisturbed once, then in rounds in which one process is killed at a random
time of a phase: while it shuffles, when tasks of the stage that writes, or reads, what is shuffled
run; while blocks are written, when a worker has the file of one open. With `--kill file` it is
such a file that is removed, while a program runs or before its result is looked at, and no process.
A round is right if the result is the undisturbed one, or if the call ends in a clear error
of the program's (counted apart): no wrong result, no hang, no other exception. At the end no
process and no file may be left, in `/dev/shm` neither. `--record` writes the counts into the table
of the project, `counts.json`. Exit code: 0 if all rounds are right, else 1.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import numpy as np
from counts import COUNTS, note_counts

from diablo.runtime.collection import SPARK_DAEMONS

LIMIT = 900
"""Seconds after which a round hangs; a busy machine may take long to start an executor."""

MAP = """
input A: matrix[Double];
+/[ sqrt(abs(sin(a)*cos(a)+exp(-a*a))) | ((i,j),a) <- A ];
"""
SHUFFLE = """
input A: matrix[Double]; input L: list[(Int,Double)];
var n = A.rows;
var C = tensor*(n,n)[ ((i,j),+/c) | ((i,k),a) <- A, ((kk,j),b) <- A, kk == k, let c = a*b,
                                    group by (i,j) ];
(C, map*[ (r,+/v) | (k,v) <- L, group by r: k % 1000 ]);
"""
LOOP = """
input A: matrix[Double]; input steps: Int;
var n = A.rows;
var x = tensor*(n)[ (i,1.0/n) | i <- 0..n-1 ];
var i = 0;
while (i < steps) {
  i += 1;
  x = tensor*(n)[ (i,+/v) | ((i,j),a) <- A, (jj,b) <- x, jj == j, let v = a*b, group by i ];
};
x;
"""
BROADCAST = """
input A: matrix[Double]; input x: vector[Double]; input steps: Int;
var i = 0;
while (i < steps) { i += 1; x = 0.5*(A @ x) + x; };
x;
"""
CHECKPOINT = """
input A: matrix[Double]; input steps: Int;
var i = 0;
while (i < steps) {
  i += 1;
  A = tensor*(A.rows,A.cols)[ ((i,j),0.5*a+0.25*b) | ((i,j),a) <- A, ((jj,ii),b) <- A, ii == i,
                              jj == j ];
};
A;
"""
STRIPS = """
input A: matrix[Double]; input x: vector[Double]; input y: vector[Double]; input steps: Int;
var i = 0;
while (i < steps) { i += 1; x = x - 0.5/A.rows*(A.t @ (A @ x - y)); };
x;
"""
COLLECT = """
input A: matrix[Double];
var n = A.rows;
tensor*(n,n)[ ((i,j),2.0*a+1.0) | ((i,j),a) <- A ];
"""
BLOCKS = """
input A: matrix[Double]; input steps: Int;
var n = A.rows;
var i = 0;
while (i < steps) { i += 1; A = tensor*(n,n)[ ((i,j),0.5*a+1.0) | ((i,j),a) <- A ]; };
+/[ a | ((i,j),a) <- A ];
"""
BLOCK = 150
IN_FILES = ("block-store write",)
"""The phases whose blocks are in files on a cluster as well."""


def cases() -> dict[str, tuple[str, dict[str, Any]]]:
    """The program and the inputs for each phase of a job."""
    random = np.random.default_rng(0)
    matrix = random.random((1200, 1200))
    rows = random.integers(0, 10**6, 200_000), random.random(200_000)
    return {
        "map": (MAP, {"A": matrix}),
        "shuffle write": (SHUFFLE, {"A": matrix[:600, :600].copy(), "L": rows}),
        "shuffle read": (SHUFFLE, {"A": matrix[:600, :600].copy(), "L": rows}),
        "block-store write": (BLOCKS, {"A": matrix, "steps": 12}),
        "loop": (LOOP, {"A": matrix[:600, :600].copy() / 300, "steps": 23}),
        "broadcast": (BROADCAST, {"A": matrix / 600, "x": matrix[0].copy(), "steps": 5}),
        "strips": (STRIPS, {"A": matrix, "x": matrix[0].copy(), "y": rows[1][:1200], "steps": 9}),
        "checkpoint": (CHECKPOINT, {"A": matrix[:600, :600].copy(), "steps": 12}),
        "collect": (COLLECT, {"A": matrix}),
    }


def main() -> int:
    """Run the command; the rounds run in a process of their own, which is watched to its end."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=20, help="kills in each phase")
    parser.add_argument("--master", default="local[2,8]", help="where to run")
    parser.add_argument("--kill", choices=("worker", "executor", "file"), default="worker")
    parser.add_argument("--phase", action="append", choices=list(cases()), help="only this one")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--record", action="store_true", help="write the counts into the table")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        return run_rounds(options)
    folder = Path(tempfile.mkdtemp(prefix="faults-"))
    environment = {
        **os.environ,
        "TMPDIR": str(folder),
        "SPARK_LOCAL_DIRS": str(folder),
        "SPARK_WORKER_DIR": str(folder / "executors"),
        "SPARK_SUBMIT_OPTS": f"-Djava.io.tmpdir={folder}",
    }
    try:
        rounds = subprocess.Popen([sys.executable, *sys.argv, "--here"], env=environment)
        code = rounds.wait()
        running = still_running(folder)  # Spark's JVM removes files behind the end of the driver.
        left = [path for path in folder.rglob("*") if path.is_file()]
        left = [path for path in left if "executors" not in path.parts]  # Logs of the cluster.
        if "executor" in sys.argv:  # What Spark's executors hold is theirs, and they are killed.
            left = [path for path in left if not _is_of_an_executor(path)]
        left += Path("/dev/shm").glob(f"diablo-blocks-{rounds.pid}-*")
        for path in left[:10]:
            print(f"left behind: {path}")
        for process in running:
            print(f"still running: {process}")
        return 1 if code or left or running else 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _is_of_an_executor(path: Path) -> bool:
    """Whether a file is a block that an executor of the cluster stores."""
    return any(part.startswith("executor-") for part in path.parts)


def still_running(folder: Path) -> list[str]:
    """The processes that have the environment of the rounds, after a while to end in."""
    mark = f"TMPDIR={folder}".encode()
    found: list[str] = []
    for _ in range(60):
        found.clear()
        for entry in filter(str.isdecimal, os.listdir("/proc")):
            try:
                if mark in Path(f"/proc/{entry}/environ").read_bytes().split(b"\0"):
                    command = Path(f"/proc/{entry}/cmdline").read_bytes().replace(b"\0", b" ")
                    found.append(f"{entry} {command[:120].decode('utf-8', 'replace')}")
            except OSError:
                continue
        if not found:
            break
        time.sleep(1)
    return found


def run_rounds(options: argparse.Namespace) -> int:
    """All rounds of all phases; returns the exit code."""
    import diablo
    from diablo.runtime.engines.spark import stop_spark

    where = options.name = getattr(options, "name", options.master)
    if options.master == "standalone":
        from standalone_cluster import standalone_cluster

        from diablo.runtime.termination import ending_on_signals

        with ending_on_signals(), standalone_cluster() as options.master:
            return run_rounds(options)
    choose = random.Random(options.seed)
    wrong = 0
    for phase, (text, inputs) in cases().items():
        if options.phase and phase not in options.phase:
            continue
        if not options.master.startswith("local["):
            stop_spark()  # How blocks travel is decided where it starts.
            os.environ["DIABLO_BLOCKS"] = tempfile.gettempdir() if phase in IN_FILES else "off"
            if phase not in IN_FILES and options.kill == "file":
                continue
        saved = tempfile.mkdtemp(prefix="state-") if phase == "checkpoint" else None
        program = diablo.compile(
            text,
            engine="spark",
            master=options.master,
            block_size=BLOCK,
            resume=None if saved is None else Path(saved) / "state",
            save_every=None if saved is None else 3,
        )

        def start(program: Any = program, inputs: dict[str, Any] = inputs) -> Any:
            return program(**inputs)

        values(start())  # Spark starts, and kernels are compiled.
        begun = time.monotonic()
        expected = values(start())
        seconds = time.monotonic() - begun
        is_time = MOMENTS.get(phase) if options.kill != "file" else None
        counts = {"equal": 0, "error": 0, "wrong": 0, "hung": 0, "other": 0}
        killed = tries = 0
        while killed < options.rounds and tries < 4 * options.rounds:
            tries += 1
            begun = time.monotonic()
            done, outcome, note = one_round(start, expected, choose, seconds, options.kill, is_time)
            if not done and outcome in ("equal", "error"):
                # Nobody was there to be killed: it runs faster by now, or the machine is less busy.
                seconds = min(seconds, time.monotonic() - begun)
                continue
            killed += done
            counts[outcome] += 1
            if note:
                print(f"{phase}: {outcome}: {note}", flush=True)
        bad = counts["wrong"] + counts["hung"] + counts["other"]
        wrong += bad + (killed < options.rounds)
        shown = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
        verb = "removed" if options.kill == "file" else "killed"
        print(f"{phase}: {killed} {options.kill}s {verb}, {shown} ({seconds:.1f} s)", flush=True)
        if options.record:
            name = f"{phase}, {options.kill}s {verb}, {where}"
            note_counts(
                COUNTS, name, {verb: killed, **counts, "seconds of a run": round(seconds, 1)}
            )
    stop_spark()
    return 1 if wrong else 0


def values(result: Any) -> list[Any]:
    """Return what a result holds, as arrays; of a map the keys and the values."""
    arrays: list[Any] = []
    for part in cast("tuple[Any, ...]", result) if isinstance(result, tuple) else (result,):
        if hasattr(part, "to_dict"):
            pairs: dict[Any, Any] = part.to_dict()
            arrays += [np.array(list(pairs)), np.array(list(pairs.values()))]
        else:
            arrays.append(np.asarray(part))
    return arrays


def equal(left: Sequence[Any], right: Sequence[Any]) -> bool:
    """Whether results agree; partial sums may be added in another order."""
    return all(
        a.shape == b.shape and bool(np.allclose(a, b, rtol=1e-12, atol=0))
        for a, b in zip(left, right, strict=True)
    )


def one_round(
    start: Callable[[], Any],
    expected: list[Any],
    choose: random.Random,
    seconds: float,
    kind: str,
    is_time: Callable[[], list[int] | None] | None,
) -> tuple[bool, str, str]:
    """Run once and kill meanwhile: whether someone was killed, how it ended, and what it said."""
    from diablo.diagnostics import RunError

    ended = threading.Event()
    victims: list[int] = []

    def kill() -> None:
        time.sleep(choose.uniform(0.05, 0.9) * seconds * (1 if is_time is None else 0.7))
        while not ended.is_set() and not victims:
            if kind == "file":
                remove_file(choose, victims)
            elif is_time is None or (found := is_time()) is not None:
                found = processes(kind) if is_time is None or not found else found
                found = parents_of(found) if is_time is not None and kind == "executor" else found
                if found:
                    kill_if_there(choose.choice(found), victims)
            time.sleep(0.002)

    killer = threading.Thread(target=kill)
    is_later = kind == "file" and choose.random() < 0.5
    if not is_later:
        killer.start()
    try:
        with time_limit():
            result = start()
            if is_later:
                remove_file(choose, victims)
            found = values(result)
        outcome, note = ("equal", "") if equal(found, expected) else ("wrong", "another result")
    except Hung:
        outcome, note = "hung", f"no end after {LIMIT} s"
    except RunError as error:
        outcome, note = "error", str(error)
        if "Traceback" in note or "java." in note:
            outcome = "other"
    except Exception as error:
        outcome, note = "other", repr(error)
    finally:
        ended.set()
        if not is_later:
            killer.join()
    return bool(victims), outcome, " ".join(note.split())[:300]


def remove_file(choose: random.Random, victims: list[int]) -> None:
    """Remove the file of a block of this process, if there is one."""
    from diablo.runtime.engines import block_store

    files = [path for root in block_store._own_roots() for path in root.glob("*/*.block")]
    if files:
        try:
            choose.choice(files).unlink()
            victims.append(0)
        except FileNotFoundError:
            pass


def _stage_is_running(which: Callable[[int, list[int]], bool]) -> list[int] | None:
    """An empty list, if tasks of such a stage run: it is given, and all stages of its job."""
    from diablo.runtime.engines.spark import spark_context

    tracker = spark_context().statusTracker()
    active = set(tracker.getActiveStageIds())
    for job in tracker.getActiveJobsIds():
        info = tracker.getJobInfo(job)
        stages = sorted(info.stageIds) if info is not None else []
        for stage in stages:
            running = tracker.getStageInfo(stage) if stage in active else None
            if running is not None and running.numActiveTasks and which(stage, stages):
                return []
    return None


def _writes_what_is_shuffled() -> list[int] | None:
    return _stage_is_running(lambda stage, stages: stage != stages[-1])


def _reads_what_is_shuffled() -> list[int] | None:
    return _stage_is_running(lambda stage, stages: stage != stages[0])


def _writes_a_block() -> list[int] | None:
    """The workers that have the file of a block open to write it."""
    now = time.monotonic()
    if now > _workers[0] + 0.3:  # It takes longer to find them than to write a file.
        _workers[:] = now, processes("worker")
    return [process for process in _workers[1] if _has_open(process)] or None


_workers: list[Any] = [0.0, []]
"""When the workers were looked for, and which there were."""


def _has_open(process: int) -> bool:
    try:
        for entry in os.scandir(f"/proc/{process}/fd"):
            if os.readlink(entry.path).endswith(".block"):
                flags = Path(f"/proc/{process}/fdinfo/{entry.name}").read_text().split()[3]
                if int(flags, 8) & os.O_ACCMODE == os.O_WRONLY:
                    return True
    except OSError:
        pass
    return False


MOMENTS: dict[str, Callable[[], list[int] | None]] = {
    "shuffle write": _writes_what_is_shuffled,
    "shuffle read": _reads_what_is_shuffled,
    "block-store write": _writes_a_block,
}
"""When to kill in a phase, and whom if it matters: None while it is not that time."""


def parents_of(found: list[int]) -> list[int]:
    """The executors that workers belong to; any where there are no workers named."""
    executors = processes("executor")
    if not found:
        return executors
    owners: set[int] = set()
    for process in found:
        while process > 1 and process not in executors:
            try:
                stat = Path(f"/proc/{process}/stat").read_text()
            except OSError:
                break
            process = int(stat.rpartition(")")[2].split()[1])
        if process in executors:
            owners.add(process)
    return sorted(owners)


def kill_if_there(victim: int, victims: list[int]) -> None:
    """Kill a process, if it is still there."""
    try:
        os.kill(victim, signal.SIGKILL)
        victims.append(victim)
    except ProcessLookupError:
        pass


class Hung(BaseException):
    """A round has not ended. Nothing that handles errors stops it."""


@contextmanager
def time_limit() -> Generator[None]:
    """Raise `Hung` in the main thread after LIMIT seconds."""
    is_over = False

    def expire(*_: object) -> None:
        nonlocal is_over
        is_over = True
        raise Hung

    before = signal.signal(signal.SIGALRM, expire)
    signal.alarm(LIMIT)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        if is_over:  # What waits for Java makes another error of it.
            raise Hung


def processes(kind: str) -> list[int]:
    """The Python workers or the executors among the processes that come from this one."""
    parents: dict[int, int] = {}
    commands: dict[int, str] = {}
    for entry in os.listdir("/proc"):
        if entry.isdecimal():
            try:
                stat = Path(f"/proc/{entry}/stat").read_text()
                commands[int(entry)] = Path(f"/proc/{entry}/cmdline").read_text()
            except OSError:
                continue
            parents[int(entry)] = int(stat.rpartition(")")[2].split()[1])

    def ours(process: int) -> bool:
        while process > 1 and process != os.getpid():
            process = parents.get(process, 0)
        return process == os.getpid()

    def is_daemon(command: str) -> bool:
        return any(module in command for module in SPARK_DAEMONS)

    def wanted(process: int) -> bool:
        if kind == "executor":
            return "ExecutorBackend" in commands[process]
        # The daemon forks a worker for each task that runs at a time.
        parent = commands.get(parents[process], "")
        return is_daemon(commands[process]) and is_daemon(parent)

    return [process for process in parents if wanted(process) and ours(process)]


if __name__ == "__main__":
    raise SystemExit(main())
