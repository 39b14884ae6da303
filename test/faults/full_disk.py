"""Run programs where a disk is full, and see that they end with a right result or a clear error.

    python test/faults/full_disk.py

The disk is a file system of a few MB in memory, which is mounted in a namespace of this process
alone (`unshare`), or by root. It is where Spark shuffles and keeps (`spark.local.dir`), where
blocks lie in files (`DIABLO_BLOCKS`), where an output is to be, and where a loop saves its state.
Exit code: 0 if each case ends as it has to, and nothing is left on the disk; 2 where nothing can be
mounted.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from counts import COUNTS, note_counts

PRODUCT = """input A: matrix[Double];
var C = A @ A;
var s = +/[ c | ((i,j),c) <- C ];
"""
LOOP = """input A: matrix[Double]; input steps: Int;
var C = A;
var k = 0;
while (k < steps) { k += 1; C = 0.5*C; };
"""
_MEGABYTES = 12


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--size", type=int, default=1500, help="rows of the matrix")
    parser.add_argument("--record", action="store_true", help="write the counts into the table")
    parser.add_argument("--on", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.on is not None:
        return run_cases(options)
    folder = Path(tempfile.mkdtemp(prefix="full-disk-"))
    mount = f"mount -t tmpfs -o size={_MEGABYTES}m none {folder}"
    again = [sys.executable, *sys.argv, "--on", str(folder)]
    try:
        for enter in (["unshare", "-rm"], ["unshare", "-m"]):
            probe = subprocess.run([*enter, "sh", "-c", mount], capture_output=True)
            if probe.returncode == 0:
                script = f'{mount} && exec "$@"'
                return subprocess.run([*enter, "sh", "-c", script, "sh", *again]).returncode
        print("no file system can be mounted here")
        return 2
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_cases(options: argparse.Namespace) -> int:
    """All cases, on the small disk that is mounted."""
    disk: Path = options.on
    with tempfile.TemporaryDirectory(prefix="full-disk-") as name:
        folder = Path(name)
        matrix = np.random.default_rng(0).random((options.size, options.size))
        np.save(folder / "a.npy", matrix)
        (folder / "product.diablo").write_text(PRODUCT)
        (folder / "loop.diablo").write_text(LOOP)
        old = disk / "c.npy"
        np.save(old, np.ones(3))
        cases: dict[str, Callable[[], str | None]] = {
            "spark.local.dir": lambda: _local_dir(folder, disk),
            "blocks in files": lambda: _blocks(folder, disk, matrix),
            "an output": lambda: _output(folder, old),
            "saved state": lambda: _state(folder, disk, matrix),
        }
        counts = {"cases": len(cases), "as they have to": 0, "wrong": 0}
        for what, case in cases.items():
            wrong = case() or _left(disk)
            counts["wrong" if wrong else "as they have to"] += 1
            print(f"{what}: {wrong or 'as it has to'}", flush=True)
    if options.record:
        note_counts(COUNTS, "full disk", counts)
    return 1 if counts["wrong"] else 0


def _run(program: Path, *arguments: str, **environment: str) -> tuple[int, str]:
    """Run a program; its exit code, and what it says on stderr."""
    command = [sys.executable, "-m", "diablo.tools.run", str(program), *arguments]
    given = [f"A={program.parent / 'a.npy'}"]
    found = subprocess.run(
        [*command, "--input", *given],
        env={**os.environ, **environment},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        timeout=600,
    )
    return found.returncode, found.stderr


ON_SPARK = ("--master", "local[2]", "--block-size", "500")


def _local_dir(folder: Path, disk: Path) -> str | None:
    """Spark has no room to shuffle: an error with the line and the folder."""
    code, said = _run(
        folder / "product.diablo",
        *ON_SPARK,
        "--output",
        f"s={folder / 's.json'}",
        DIABLO_BLOCKS="off",
        SPARK_LOCAL_DIRS=str(disk),
    )
    clear = "product.diablo:" in said and "spark.local.dir" in said and str(disk) in said
    if (folder / "s.json").exists():
        return "there is an output"
    return None if code == 1 and clear and "Traceback" not in said else f"{code}: {said}"


def _blocks(folder: Path, disk: Path, matrix: np.ndarray) -> str | None:
    """There is no room for files of blocks: they travel as bytes."""
    output = folder / "c.npy"
    code, said = _run(
        folder / "product.diablo", *ON_SPARK, "--output", f"C={output}", DIABLO_BLOCKS=str(disk)
    )
    if code or not np.allclose(np.load(output), matrix @ matrix):
        return f"{code}: {said}"
    return None


def _output(folder: Path, old: Path) -> str | None:
    """An output has no room: an error, and the file is what it was."""
    code, said = _run(folder / "product.diablo", "--output", f"C={old}")
    is_kept = np.load(old).tolist() == [1.0, 1.0, 1.0]
    clear = "cannot be written" in said and "Traceback" not in said
    return None if code == 1 and is_kept and clear else f"{code}: {said}"


def _state(folder: Path, disk: Path, matrix: np.ndarray) -> str | None:
    """State has no room: a warning, and the right result."""
    output = folder / "l.npy"
    arguments = ["--set", "steps=6", "--resume", str(disk / "state"), "--save-every", "2"]
    code, said = _run(folder / "loop.diablo", *arguments, "--output", f"C={output}")
    if code or not np.allclose(np.load(output), matrix / 64) or "warning" not in said:
        return f"{code}: {said}"
    return None


def _left(disk: Path) -> str | None:
    left = [path.name for path in disk.iterdir() if path.name != "c.npy"]
    return f"left behind: {', '.join(left)}" if left else None


if __name__ == "__main__":
    raise SystemExit(main())
