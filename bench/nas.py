"""The NAS benchmarks CG and MG next to NumPy, SciPy and C, in one run.

    python bench/nas.py [--classes S,W,A] [--threads 2] [--repeats 5] [--json FILE] [CG] [MG]
    python bench/nas.py --engine spark [--classes S] [--repeats 1] [--json FILE] [CG] [MG]

For each class, the contenders take turns; of each the shortest run counts, by the clock and in
seconds of all processors together (which a busy machine disturbs less). The ratio is theirs to
ours: above 1 the program is faster. Every result is verified before it counts. The matrices
and charges are made before anything is timed. On Spark (local[2]) each class is run on one tile
and on several, next to CG written by hand in PySpark.
"""

from __future__ import annotations

import os

# NumPy's own threads would take the processors from the kernels' (and C's) while they wait.
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"

import argparse
import importlib
import json
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

NPB = {
    "CG": {"S": 0.015, "W": 0.074, "A": 0.28, "B": 17.3},
    "MG": {"S": 0.0010, "W": 0.033, "A": 0.34, "B": 1.57},
}
"""What NPB's own programs take with two threads, measured once on an idle machine of two cores
(AMD EPYC), built at -O3 -march=native."""

MOST_REPEATS = {"B": 2, "C": 1}
"""How often the classes that take long are run at most."""


def machine(threads: int) -> dict[str, Any]:
    """Return what the figures depend on."""
    import numpy
    import scipy

    model = platform.processor()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = names[0].partition(":")[2].strip() if names else model
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "threads": threads,
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
    }


def show(row: dict[str, Any]) -> str:
    """A line for each contender of one class, and one for the memory."""
    name, seconds, processors = row["benchmark"], row["seconds"], row.get("processor_seconds", {})
    ours = seconds["diablo"]
    lines = [f"{name} {row['class']}"]
    for contender, taken in seconds.items():
        line = f"  {contender:<22}{taken * 1e3:>12.2f} ms{taken / ours:>8.2f}"
        if contender in processors:
            spent = processors[contender]
            line += f"{spent * 1e3:>14.2f} ms{spent / processors['diablo']:>8.2f}"
        lines.append(line)
    reference = NPB[name].get(row["class"])
    if reference is not None:
        lines.append(
            f"  {'NPB, another time':<22}{reference * 1e3:>12.2f} ms{reference / ours:>8.2f}"
        )
    if "bytes" in row:
        shown = ", ".join(f"{what} {size:,}" for what, size in row["bytes"].items())
        lines.append(f"  bytes: {shown}")
    return "\n".join(lines)


def here(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Measure in this process, and print."""
    print(f"{'':<24}{'clock':>12}   {'ratio':>8}{'processors':>14}   {'ratio':>8}")
    for name in options.names or ["CG", "MG"]:
        measure = importlib.import_module(f"nas_{name.lower()}").measure
        for problem in (options.classes or "S,W,A").split(","):
            repeats = options.repeats or 5
            repeats = min(repeats, MOST_REPEATS.get(problem, repeats))
            for row in measure([problem], repeats=repeats):
                print(show(row), flush=True)
                yield row


def on_spark(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Measure on Spark, and print."""
    import nas_spark

    print(f"{'':<22}{'clock':>8}  {'ratio':>8}{'processors':>12}{'ratio':>8}")
    for name in options.names or ["CG", "MG"]:
        for problem in (options.classes or "S").split(","):
            for row in nas_spark.measure(name, problem, options.repeats or 1):
                print(nas_spark.show(row), flush=True)
                yield row


def main() -> None:
    """Measure, print, and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="CG, MG (default: both)")
    parser.add_argument("--engine", choices=("local", "spark"), default="local")
    parser.add_argument("--classes", help="default: S,W,A, or S on Spark; also B, C")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, help="5, or 1 on Spark; at most 2 for B, 1 for C")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = str(options.threads)
    found: dict[str, Any] = {"machine": machine(options.threads), "results": []}
    for row in on_spark(options) if options.engine == "spark" else here(options):
        found["results"].append(row)
        if options.json is not None:
            options.json.parent.mkdir(parents=True, exist_ok=True)
            options.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
