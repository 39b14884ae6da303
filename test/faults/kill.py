"""Kill Spark's workers and executors while programs run, and see that results stay right.

    python test/faults/kill.py --rounds 20
    python test/faults/kill.py --rounds 20 --master 'local-cluster[2,1,1024]' --kill executor
    python test/faults/kill.py --rounds 20 --master standalone --kill executor

Every program is run undisturbed once, then in rounds in which one process is killed at a random
time. A round is right if the result is the undisturbed one, or if the call ends in a clear error
of the program's (counted apart): no wrong result, no hang, no other exception. At the end no
process and no file may be left. Exit code: 0 if all rounds are right, else 1.
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
BLOCK = 150


def cases() -> dict[str, tuple[str, dict[str, Any]]]:
    """The program and the inputs for each phase of a job."""
    random = np.random.default_rng(0)
    matrix = random.random((1200, 1200))
    rows = random.integers(0, 10**6, 200_000), random.random(200_000)
    return {
        "map": (MAP, {"A": matrix}),
        "shuffle": (SHUFFLE, {"A": matrix[:600, :600].copy(), "L": rows}),
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
    parser.add_argument("--kill", choices=("worker", "executor"), default="worker")
    parser.add_argument("--phase", action="append", choices=list(cases()), help="only this one")
    parser.add_argument("--seed", type=int, default=0)
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
        code = subprocess.run([sys.executable, *sys.argv, "--here"], env=environment).returncode
        left = [path for path in folder.rglob("*") if path.is_file()]
        left = [path for path in left if "executors" not in path.parts]  # Logs of the cluster.
        if "executor" in sys.argv:  # What Spark's executors hold is theirs, and they are killed.
            left = [path for path in left if not _is_of_an_executor(path)]
        for path in left[:10]:
            print(f"left behind: {path}")
        running = still_running(folder)
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
        saved = tempfile.mkdtemp(prefix="state-") if phase == "checkpoint" else None
        program = diablo.compile(
            text,
            engine="spark",
            master=options.master,
            block_size=BLOCK,
            resume=None if saved is None else Path(saved) / "state",
            save_every=None if saved is None else 3,
        )

        def call(program: Any = program, inputs: dict[str, Any] = inputs) -> list[Any]:
            return values(program(**inputs))

        call()  # Spark starts, and kernels are compiled.
        start = time.monotonic()
        expected = call()
        seconds = time.monotonic() - start
        counts = {"equal": 0, "error": 0, "wrong": 0, "hung": 0, "other": 0}
        killed = tries = 0
        while killed < options.rounds and tries < 4 * options.rounds:
            tries += 1
            done, outcome, note = one_round(call, expected, choose, seconds, options.kill)
            if not done and outcome in ("equal", "error"):
                continue  # Nobody was there to be killed.
            killed += done
            counts[outcome] += 1
            if note:
                print(f"{phase}: {outcome}: {note}", flush=True)
        bad = counts["wrong"] + counts["hung"] + counts["other"]
        wrong += bad + (killed < options.rounds)
        shown = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
        print(f"{phase}: {killed} {options.kill}s killed, {shown} ({seconds:.1f} s)", flush=True)
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
    call: Callable[[], list[Any]],
    expected: list[Any],
    choose: random.Random,
    seconds: float,
    kind: str,
) -> tuple[bool, str, str]:
    """Run once and kill meanwhile: whether someone was killed, how it ended, and what it said."""
    from diablo.diagnostics import RunError

    ended = threading.Event()
    victims: list[int] = []

    def kill() -> None:
        time.sleep(choose.uniform(0.05, 0.9) * seconds)
        while not ended.is_set() and not victims:
            found = processes(kind)
            if found:
                victim = choose.choice(found)
                kill_if_there(victim, victims)
            time.sleep(0.002)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        with time_limit():
            result = call()
        outcome, note = ("equal", "") if equal(result, expected) else ("wrong", "another result")
    except Hung:
        outcome, note = "hung", f"no end after {LIMIT} s"
    except RunError as error:
        outcome, note = "error", str(error)
        if "Traceback" in note or "\n" in note:
            outcome = "other"
    except Exception as error:
        outcome, note = "other", repr(error)
    finally:
        ended.set()
        killer.join()
    return bool(victims), outcome, note[:300]


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

    def wanted(process: int) -> bool:
        if kind == "executor":
            return "ExecutorBackend" in commands[process]
        # The daemon forks a worker for each task that runs at a time.
        parent = commands.get(parents[process], "")
        return "pyspark.daemon" in commands[process] and "pyspark.daemon" in parent

    return [process for process in parents if wanted(process) and ours(process)]


if __name__ == "__main__":
    raise SystemExit(main())
