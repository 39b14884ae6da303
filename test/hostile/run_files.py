"""Loads hostile files, each in a process of its own with a limit of memory, and reports.

    python test/hostile/run_files.py --count 2000 --seed 0

Each file is read as several types. Right are a value that programs can take and one sentence
(`InputError`); a signal, any other exception, more memory or more time is a fault, and the exit
code is 1 if there is one. The processes are forked from one that has imported everything.
"""

from __future__ import annotations

import argparse
import collections
import os
import resource
import shutil
import signal
import sys
import tempfile
import traceback
from pathlib import Path

from hostile_files import write

from diablo.diagnostics import InputError
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.io.inputs import load
from diablo.runtime.io.wanted import WantedArray, WantedMap, WantedRows

MEMORY = 2 * 2**30
SECONDS = 20
"""How long a process may compute."""
WANTED = [
    WantedArray(2, "f64"),
    WantedArray(1, "i64"),
    WantedRows(("i64", "f64")),
    WantedRows(("string",)),
    WantedRows(("string", "i64", "i1")),
    WantedArray(3, "i1"),
    WantedMap(1, ("i64", "f64")),
]


def _use(path: Path) -> tuple[int, int]:
    """Load a file as each type, and go through what comes out; how many values and refusals."""
    good = refused = 0
    for wanted in WANTED:
        try:
            value = load(path, wanted)
            if isinstance(value, SparseTile):
                value = (value.values, *value.coordinates())
            for part in value if isinstance(value, tuple) else (value,):
                part.copy()
            good += 1
        except InputError as error:
            refused += 1
            if "\n" in str(error):
                raise ValueError(f"a message of several lines: {error}") from None
    return good, refused


def _in_child(path: Path, report: int) -> None:
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    signal.alarm(30 * SECONDS)  # A busy machine is no fault of the file's.
    try:
        good, refused = _use(path)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        os.write(report, f"ok {good} {refused} {peak}".encode())
        code = 0
    except BaseException:
        os.write(report, traceback.format_exc()[-3000:].encode("utf-8", "backslashreplace"))
        code = 1
    os._exit(code)


def examine(path: Path) -> str | None:
    """Return what is wrong with how a file is read, or None."""
    read, report = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 2)
        _in_child(path, report)
    os.close(report)
    with os.fdopen(read, "rb") as file:
        said = file.read().decode("utf-8", "replace")
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return f"signal {signal.Signals(os.WTERMSIG(status)).name}"
    counts.update({"values": 0})
    if os.WEXITSTATUS(status) == 0:
        _, good, refused, peak = said.split()
        counts.update({"values": int(good), "refusals": int(refused)})
        counts["peak"] = max(counts["peak"], int(peak))
        return None
    return said


counts: collections.Counter[str] = collections.Counter()


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description="load hostile files")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", help="a folder for the files that are faults")
    arguments = parser.parse_args()
    try:
        import pyarrow.parquet  # noqa: F401  (once for all processes)
    except ImportError:
        print("pyarrow is missing: .parquet is refused", file=sys.stderr)
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.seed, arguments.seed + arguments.count):
            path = write(number, Path(folder))
            wrong = examine(path)
            if wrong is not None:
                faults += 1
                print(f"{path.name}: {wrong}", flush=True)
                if arguments.keep:
                    shutil.copy(path, arguments.keep)
            path.unlink()
    print(
        f"{arguments.count} files: {counts['values']} values, {counts['refusals']} refusals, "
        f"{faults} faults; the largest process had {counts['peak'] // 1024} MiB"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
