"""Kill drivers in the middle of loops, start them again, and see that results are the same.

    python test/faults/resume.py --rounds 20
    python test/faults/resume.py --rounds 3 --master 'local[2]'

A program runs undisturbed once, with the same options. Then a process that runs it is killed, by
SIGKILL, SIGTERM or SIGINT, at random times and started again with the same command until it comes
to its end. A round is right if the output is the undisturbed one (bit by bit in one process; up to
the order of sums on Spark), if no output was there before that, and if nothing is left: no state,
no temporary file, no process. `--record` writes the counts into the table of the project,
`counts.json`. Exit code: 0 if all rounds are right, else 1.
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
import time
from pathlib import Path

import numpy as np
from counts import COUNTS, note_counts
from kill import still_running

PROGRAM = """
input A: matrix[Double];
input n: Int;
var x = tensor*(A.rows)[ (i, random()) | i <- 0..A.rows-1 ];
var seen: map[Int,Int] = map();
var k = 0;
while (k < n) {
  k += 1;
  seen[k % 5] += k;
  var y = A @ x;
  var s = sqrt(+/[ v*v | (i,v) <- y ]);
  for i = 0, A.rows-1 do x[i] = y[i]/s + 0.001*random();
};
(x, seen);
"""
_SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
_LIMIT = 900
"""Seconds after which a process hangs."""


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--master", help="where to run on Spark; by default in one process")
    parser.add_argument("--steps", type=int, default=40_000, help="iterations of the loop")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--record", action="store_true", help="write the counts into the table")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="resume-"))
    try:
        return rounds(folder, options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def rounds(folder: Path, options: argparse.Namespace) -> int:
    """All rounds; returns the exit code."""
    (folder / "program.diablo").write_text(PROGRAM)
    (folder / "tmp").mkdir()
    np.save(folder / "a.npy", np.random.default_rng(0).random((200, 200)))
    choose = random.Random(options.seed)
    assert run(folder, options, None)[0] == 0  # What is compiled is found again.
    start = time.monotonic()
    assert run(folder, options, None)[0] == 0
    seconds = time.monotonic() - start
    expected = np.load(folder / "x.npy")
    kills = wrong = 0
    for number in range(options.rounds):
        (folder / "x.npy").unlink()
        killed = 0
        while True:
            kill_after = choose.uniform(0.2, 1.0) * seconds if killed < 3 else None
            code, was_killed = run(folder, options, kill_after, choose.choice(_SIGNALS))
            killed += was_killed
            if not was_killed:
                break
            if (folder / "x.npy").exists():
                break  # The signal came when all was done.
        kills += killed
        found = np.load(folder / "x.npy") if (folder / "x.npy").exists() else None
        if found is None:
            is_right = False
        elif options.master is None:
            is_right = found.tobytes() == expected.tobytes()
        else:
            is_right = bool(np.allclose(found, expected, rtol=1e-9))
        left = [path.name for path in folder.iterdir()]
        left = sorted(set(left) - {"program.diablo", "a.npy", "x.npy", "tmp"})
        left += [path.name for path in (folder / "tmp").iterdir()]
        left += still_running(folder / "tmp")
        if not is_right or left:
            wrong += 1
            print(f"round {number}: exit code {code}, {is_right=}, {left=}", flush=True)
    print(
        f"{options.rounds} rounds, {kills} drivers killed, {wrong} rounds wrong ({seconds:.1f} s)"
    )
    if options.record:
        counts = {
            "rounds": options.rounds,
            "killed": kills,
            "equal": options.rounds - wrong,
            "wrong": wrong,
            "seconds of a run": round(seconds, 1),
        }
        where = options.master or "one process"
        note_counts(COUNTS, f"drivers killed and started again, {where}", counts)
    return 1 if wrong else 0


def run(
    folder: Path,
    options: argparse.Namespace,
    kill_after: float | None,
    number: signal.Signals = signal.SIGKILL,
) -> tuple[int, bool]:
    """Run the program once; its exit code, and whether it was killed."""
    command = [sys.executable, "-m", "diablo.tools.run", str(folder / "program.diablo")]
    command += ["--input", f"A={folder / 'a.npy'}", "--set", f"n={options.steps}", "--seed", "3"]
    command += ["--output", f"x={folder / 'x.npy'}", "--resume", str(folder / "state")]
    command += ["--save-every", str(max(1, options.steps // 20))]
    if options.master is not None:
        command += ["--master", options.master, "--block-size", "100"]
    environment = {
        **os.environ,
        "TMPDIR": str(folder / "tmp"),
        "SPARK_LOCAL_DIRS": str(folder / "tmp"),
        "SPARK_SUBMIT_OPTS": f"-Djava.io.tmpdir={folder / 'tmp'}",
    }
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        process.wait(_LIMIT if kill_after is None else kill_after)
        return process.returncode, False
    except subprocess.TimeoutExpired:
        process.send_signal(number if kill_after is not None else signal.SIGKILL)
        process.wait(_LIMIT)
        if number == signal.SIGKILL:  # What nothing can clean up; the next process does so.
            for path in (folder / "tmp").iterdir():
                shutil.rmtree(path, ignore_errors=True)
        return process.returncode, True


if __name__ == "__main__":
    raise SystemExit(main())
