"""Programs on Spark against the same by hand in PySpark and NumPy, with their inputs cached.

    python bench/spark.py [--only NAME …] [--scale 0.1] [--repeats 3] [--master local[2]]
                          [--json FILE]
    python bench/spark.py --memory [--only NAME …] …

The contenders take turns in one session, MLlib among them where it has the case
(`bench/spark_mllib.py`). An array that is a result stays with Spark, in its memory, on either side;
what is small comes to the driver. All results are compared with NumPy's once. For each: the first
call, the shortest of later ones, the seconds of all processors (of this process, the JVM and the
workers) in these, jobs and stages. Behind them, how often that of the way by hand.

With `--memory` each of those that have their inputs with Spark has a session of its own, and a line
says how much all processes had in memory at most, from the caching of inputs to the last call,
beyond what a session has that has run one job.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import exp, log
from pathlib import Path
from time import perf_counter
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
# The functions that are written by hand are those of a module, which workers import.
os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE), *filter(None, [os.getenv("PYTHONPATH")])])

import numpy as np  # noqa: E402
from answers import Table, difference  # noqa: E402
from case_table import Call, Work, all_cases  # noqa: E402
from history import circumstances  # noqa: E402
from scipy import sparse  # noqa: E402
from spark_by_hand import by_hand  # noqa: E402
from spark_counts import (  # noqa: E402
    jobs_since,
    memory_bytes,
    most_memory,
    next_job,
    processor_seconds,
)
from spark_mllib import Fit, by_mllib  # noqa: E402

import diablo  # noqa: E402
from diablo.runtime.engines.spark import spark_context, stop_spark  # noqa: E402
from diablo.runtime.results.result_types import DistributedArray  # noqa: E402

DIABLO, HELD, BY_HAND = "diablo", "diablo, arrays held", "PySpark by hand"
MLLIB = "MLlib"
SCALES = {
    "matrix product": (8.0, 64.0),
    "PageRank, matrix": (1.0, 10.0),
    "PageRank, edges": (1.0, 10.0),
    "conjugate gradients": (3.75,),
}
"""Of cases that are too small for Spark otherwise, or are measured at several sizes."""
_SETTINGS = ("scale", "repeats", "master")
"""Of the command, what figures depend on."""
_SMALL = 1 << 18
"""Arrays of so many elements come to the driver."""


@dataclass
class Figures:
    """What one contender took."""

    first: float = float("inf")
    later: float = float("inf")
    processors: float = float("inf")
    jobs: int = 0
    stages: int = 0
    wrong: str | None = None


@dataclass
class Contender:
    """One way to compute a case."""

    call: Call
    figures: Figures = field(default_factory=Figures)


def finished(result: Any) -> None:
    """Compute all of a result: large arrays stay with Spark, what is small is brought here."""
    if isinstance(result, tuple):
        for part in result:
            finished(part)
    elif isinstance(result, DistributedArray) and result.size > _SMALL:
        result.compute()
    elif isinstance(result, DistributedArray):
        result.collect()
    elif hasattr(result, "to_numpy"):
        len(result)
    elif isinstance(result, Fit):
        result.compute()
    elif hasattr(result, "mapPartitions"):
        _kept(result)


def _kept(rdd: Any) -> None:
    rdd.persist().count()
    rdd.unpersist()


def whole(result: Any) -> Any:
    """A result with all of its blocks on the driver, to be compared."""
    if isinstance(result, tuple):
        return tuple([whole(part) for part in result])
    if hasattr(result, "mapPartitions"):
        return joined(result.collect())
    return result


def joined(blocks: list[Any]) -> Any:
    """The blocks of an array, or of the columns of a table, as one."""
    if isinstance(blocks[0], tuple):
        return Table([np.concatenate(parts) for parts in zip(*blocks, strict=True)])
    return sparse.vstack(blocks) if sparse.issparse(blocks[0]) else np.concatenate(blocks)


def program_call(work: Work, master: str, held: bool = False) -> Call:
    """A call of the program, with its inputs on the driver, or with large arrays held by Spark."""
    program = diablo.compile(work.source, engine="spark", master=master)
    inputs = dict(work.inputs)
    if held:
        large = [
            k for k, v in inputs.items() if getattr(v, "ndim", 0) and program.inputs[k][0] != "l"
        ]
        for name in large:
            inputs[name] = diablo.distribute(inputs[name], master)
    return lambda: program(**inputs)


def measure(name: str, scale: float, repeats: int, master: str) -> dict[str, Figures]:
    """The figures of a case for each contender."""
    work = all_cases()[name].make(scale)
    sc = spark_context(master)
    expected = next(iter(work.ways.values()))()()
    calls: dict[str, Callable[[], Call]] = {
        DIABLO: lambda: program_call(work, master),
        HELD: lambda: program_call(work, master, held=True),
        BY_HAND: lambda: by_hand[name](sc, work.inputs),
    }
    if name in by_mllib:
        calls[MLLIB] = lambda: by_mllib[name](sc, work.inputs)
    contenders: dict[str, Contender] = {}
    for who, prepare in calls.items():
        contender = contenders[who] = Contender(prepare())
        started = perf_counter()
        result = contender.call()
        finished(result)
        contender.figures.first = perf_counter() - started
        read = work.read if who in (DIABLO, HELD) and work.read is not None else lambda r: r
        if not isinstance(result, Fit):
            contender.figures.wrong = difference(expected, read(whole(result)))
        del result
    for _ in range(repeats):
        for contender in contenders.values():
            _later_call(sc, contender)
    for kept in sc._jsc.getPersistentRDDs().values():
        kept.unpersist()
    return {who: contender.figures for who, contender in contenders.items()}


def _later_call(sc: Any, contender: Contender) -> None:
    figures = contender.figures
    if figures.wrong is not None:
        return
    job, processors, started = next_job(sc), processor_seconds(), perf_counter()
    finished(contender.call())
    figures.later = min(figures.later, perf_counter() - started)
    figures.processors = min(figures.processors, processor_seconds() - processors)
    figures.jobs, figures.stages = jobs_since(sc, job)


def most_beyond_session(name: str, scale: float, repeats: int, master: str, who: str) -> int:
    """Return how many bytes a contender takes in this process, with its inputs."""
    work = all_cases()[name].make(scale)
    sc = spark_context(master)
    sc.parallelize(range(sc.defaultParallelism), sc.defaultParallelism).map(np.sqrt).count()
    before = memory_bytes()
    with most_memory() as most:
        held = who == HELD
        call = program_call(work, master, held) if held else by_hand[name](sc, work.inputs)
        for _ in range(1 + repeats):
            finished(call())
    return most[0] - before


def memory_line(name: str, shown: str, scale: float, options: argparse.Namespace) -> str:
    """Return a line with the memory that a case takes, in processes of its own."""
    found: list[float] = []
    for who in (HELD, BY_HAND):
        command = [sys.executable, __file__, "--alone", who, "--only", name, "--scale", str(scale)]
        command += ["--repeats", str(options.repeats), "--master", options.master]
        ended = subprocess.run(command, capture_output=True, text=True, check=True)
        found.append(float(ended.stdout.split()[-1]) / 1e6)
    ours, theirs = found
    return f"{shown:<26}{ours:>10,.0f} MB{theirs:>10,.0f} MB by hand{ours / theirs:>7.2f}"


def lines(name: str, found: dict[str, Figures]) -> list[str]:
    """A line for each contender of a case."""
    other = found[BY_HAND]
    written: list[str] = []
    for who, one in found.items():
        start = f"{name if who == DIABLO else '':<26}{who:<20}"
        if one.wrong is not None:
            written.append(f"{start}{one.wrong}")
            continue
        written.append(
            f"{start}{one.first:>8.2f} s{one.later:>8.3f} s{one.later / other.later:>7.2f}"
            f"{one.processors:>8.2f} s{one.processors / max(other.processors, 0.01):>7.2f}"
            f"{one.jobs:>6} jobs{one.stages:>5} stages"
        )
    return written


def summary(results: Mapping[str, Mapping[str, Figures]]) -> list[str]:
    """Return a line for each of our ways: how its times compare with those by hand."""
    written: list[str] = []
    for who in (DIABLO, HELD):
        times = [
            found[who].later / found[BY_HAND].later
            for found in results.values()
            if found[who].wrong is None
        ]
        if times:
            mean = exp(sum(map(log, times)) / len(times))
            slower, half = sum(one > 1 for one in times), sum(one <= 0.5 for one in times)
            written.append(
                f"{who}: {mean:.2f} times by hand (geometric mean of {len(times)}), "
                f"slower {slower}, twice as fast {half}"
            )
    return written


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the cases that the command names, or all."""
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    options.add_argument("--only", nargs="+", default=[], metavar="NAME", help="parts of names")
    options.add_argument("--scale", type=float, default=1.0, help="the size of inputs (default: 1)")
    options.add_argument("--repeats", type=int, default=3, help="later calls (default: 3)")
    options.add_argument("--master", default="local[2]", help="default: %(default)s")
    options.add_argument("--memory", action="store_true", help="memory instead of times")
    options.add_argument("--json", type=Path, metavar="FILE", help="where figures are kept")
    options.add_argument("--alone", choices=(HELD, BY_HAND), help=argparse.SUPPRESS)
    chosen = options.parse_args(arguments)
    if chosen.alone:
        (name,) = chosen.only
        print(most_beyond_session(name, chosen.scale, chosen.repeats, chosen.master, chosen.alone))
        stop_spark()
        return 0
    results: dict[str, dict[str, Figures]] = {}
    load = [os.getloadavg()[0]]
    if not chosen.memory:
        print(f"{'':<46}{'first':>10}{'later':>10}{'times':>7}{'processors':>10}{'times':>7}")
    for name in by_hand:
        if chosen.only and not any(part.lower() in name.lower() for part in chosen.only):
            continue
        for scale in SCALES.get(name, (1.0,)):
            shown = name if scale in (1.0, SCALES.get(name, (1.0,))[0]) else f"{name} x {scale:g}"
            if chosen.memory:
                print(memory_line(name, shown, scale * chosen.scale, chosen), flush=True)
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", diablo.CompileWarning)
                found = measure(name, scale * chosen.scale, chosen.repeats, chosen.master)
            results[shown] = found
            print("\n".join(lines(shown, found)), flush=True)
    stop_spark()
    print("\n".join(summary(results)))
    if chosen.json is not None:
        record = {
            **circumstances([*load, os.getloadavg()[0]]),
            "settings": {k: v for k, v in vars(chosen).items() if k in _SETTINGS},
            "cases": {
                name: {who: asdict(one) for who, one in found.items()}
                for name, found in results.items()
            },
        }
        chosen.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return int(any(one.wrong is not None for found in results.values() for one in found.values()))


if __name__ == "__main__":
    sys.exit(main())
