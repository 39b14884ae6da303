"""Give printed programs to spark-submit and a standalone cluster, and see what comes of them.

    python test/faults/standalone.py

A master and two workers of one core are started on this machine. A program is printed by
`diablo-opt -t pyspark` and given to `spark-submit`: without `--output`, when it has to print the
whole result, with an output, with Parquet files that workers read and write, and as `diablo-run`
with blocks in files of a folder that all see (`DIABLO_BLOCKS`). Exit code: 0 if all results are
right.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from counts import COUNTS, note_counts
from standalone_cluster import spark_environment, spark_script, standalone_cluster

PROGRAM = """input A: matrix[Double]; input L: list[(Int,Double)];
var C = A @ A;
var M = map*[ (k, +/x) | (k,x) <- L, group by k ];
(C, M);
"""
SIZE = 600


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--record", action="store_true", help="write the counts into the table")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="submitted-") as name, standalone_cluster() as master:
        counts = run_cases(Path(name), master)
    if options.record:
        note_counts(COUNTS, "printed programs, standalone", counts)
    return 1 if counts["wrong"] else 0


def run_cases(folder: Path, master: str) -> dict[str, int]:
    """All cases; returns how many were right."""
    import pyarrow
    import pyarrow.parquet

    random = np.random.default_rng(0)
    matrix, keys, values = (
        random.random((SIZE, SIZE)),
        random.integers(0, 9, 5000),
        random.random(5000),
    )
    np.save(folder / "a.npy", matrix)
    table = pyarrow.table({"k": keys, "x": values})
    pyarrow.parquet.write_table(table, folder / "l.parquet")
    sums = {int(k): float(values[keys == k].sum()) for k in np.unique(keys)}
    (folder / "p.diablo").write_text(PROGRAM)
    (folder / "c.diablo").write_text("input A: matrix[Double];\nA @ A;\n")
    (folder / "blocks").mkdir()
    for stem in ("p", "c"):
        command = [sys.executable, "-m", "diablo.tools.opt", f"{folder / stem}.diablo"]
        _ran([*command, "-t", "pyspark", "-o", f"{folder / stem}.py"])
    submit = [spark_script("spark-submit"), "--master", master, "--conf", "spark.ui.enabled=false"]
    inputs = ["--input", f"A={folder / 'a.npy'}"]
    rows = ["--input", f"L={folder / 'l.parquet'}"]

    def printed() -> bool:
        text = _ran([*submit, str(folder / "c.py"), *inputs])
        expected = _numbers(str(matrix @ matrix))
        found = _numbers(text)
        return found.shape == expected.shape and np.allclose(found, expected)

    def written() -> bool:
        out = ["--output", f"C={folder / 'c.npy'}", "--output", f"M={folder / 'm.parquet'}"]
        _ran([*submit, str(folder / "p.py"), *inputs, *rows, *out])
        return _are_right(np.load(folder / "c.npy"), folder / "m.parquet")

    def in_files() -> bool:
        out = ["--output", f"C={folder / 'c2.npy'}", "--output", f"M={folder / 'm2.parquet'}"]
        command = [
            sys.executable,
            "-m",
            "diablo.tools.run",
            str(folder / "p.diablo"),
            *inputs,
            *rows,
        ]
        command += [*out, "--master", master, "--stats", "--conf", "spark.executor.memory=600m"]
        _ran(command, DIABLO_BLOCKS=str(folder / "blocks"))
        is_empty = not list((folder / "blocks").iterdir())
        return is_empty and _are_right(np.load(folder / "c2.npy"), folder / "m2.parquet")

    def _are_right(product: np.ndarray, place: Path) -> bool:
        found = pyarrow.parquet.read_table(place).to_pydict()
        pairs = dict(zip(found["key"], found["value"], strict=True))
        same = pairs.keys() == sums.keys() and all(np.isclose(pairs[k], sums[k]) for k in sums)
        return same and place.is_dir() and np.allclose(product, matrix @ matrix)

    cases: dict[str, Callable[[], bool]] = {
        "spark-submit prints": printed,
        "spark-submit writes": written,
        "diablo-run with blocks in files": in_files,
    }
    counts = {"right": 0, "wrong": 0}
    for what, case in cases.items():
        is_right = case()
        counts["right" if is_right else "wrong"] += 1
        print(f"{what}: {'right' if is_right else 'WRONG'}", flush=True)
    return counts


def _numbers(text: str) -> np.ndarray:
    """The numbers of an array that is printed; what Spark says on other lines is left out."""
    lines = [line for line in text.splitlines() if line.strip().startswith(("[", "..."))]
    words = " ".join(lines).replace("[", " ").replace("]", " ").replace("...", " ").split()
    return np.array([float(word) for word in words])


def _ran(command: list[str], **environment: str) -> str:
    """What a command prints; one that fails ends this one."""
    found = subprocess.run(
        command, env={**spark_environment(), **environment}, capture_output=True, text=True
    )
    if found.returncode:
        raise SystemExit(f"{' '.join(command)}: {found.returncode}\n{found.stderr[-3000:]}")
    return found.stdout


if __name__ == "__main__":
    raise SystemExit(main())
