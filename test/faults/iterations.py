"""Run a loop on Spark for long, and see that no iteration costs more than those before it.

    python test/faults/iterations.py
    python test/faults/iterations.py --steps 200 --size 60      # tiles that are too short for files

A loop carries two arrays that are distributed, one of which is made by a shuffle, and reads a third
one and the whole of a vector. After every tenth of the iterations a line has the seconds that all
processes took for these, and what is there: the megabytes of this process and of the JVM's heap,
those of Spark's workers (PSS: what several share is counted once), RDDs that Spark keeps, names of
broadcasts, files of blocks, and how many RDDs those are made of that the loop carries, which is the
lineage. `--record` writes what there is after half of them and at the end into the table of the
project, `counts.json`.

Exit code: 0 if the result is that of this process, and the last tenth does not take half as much
again as the fifth one, or has more of anything: code is compiled in the tenths before.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).parents[2] / "bench"))

from counts import COUNTS, note_counts
from kill import processes
from spark_counts import processor_seconds

import diablo
from diablo.runtime.engines import block_store
from diablo.runtime.engines.keeping import lineage
from diablo.runtime.engines.spark import spark_context, stop_spark
from diablo.runtime.program.loop import Iterations

PROGRAM = """
input A: matrix[Double]; input v: vector[Double]; input steps: Int;
var n = A.rows;
var X = A;
var Y = A;
var w = v;
var k = 0;
while (k < steps) {
  k += 1;
  X = tensor*(n,n)[ ((i,j),0.5*+/c) | ((i,l),a) <- A, ((ll,j),x) <- X, ll == l, let c = a*x,
                                      group by (i,j) ];
  Y = tensor*(n,n)[ ((i,j),0.5*y+x*w[j]) | ((i,j),y) <- Y, ((ii,jj),x) <- X, ii == i, jj == j ];
  w = 0.5*(A @ w) + v;
};
(X, Y, w);
"""


@dataclass
class Sample:
    """What some iterations took, and what is there behind them."""

    seconds: float
    megabytes: float
    workers: float
    rdds: int
    broadcasts: int
    files: int
    lineage: int


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--steps", type=int, default=1000, help="iterations")
    parser.add_argument("--size", type=int, default=300, help="rows of the matrices, in 9 tiles")
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--record", action="store_true", help="write the counts into the table")
    options = parser.parse_args()
    matrix = np.random.default_rng(0).random((options.size, options.size))
    inputs = {"A": matrix / matrix.sum(1).max(), "v": matrix[0], "steps": options.steps}
    sc = spark_context(options.master)
    samples = _watched(sc, options.steps // 10)
    program = diablo.compile(PROGRAM, engine="spark", block_size=-(-options.size // 3))
    found = [np.asarray(part) for part in program(**inputs)]
    stop_spark()
    expected = diablo.compile(PROGRAM)(**inputs)
    is_right = all(
        np.allclose(one, np.asarray(other), rtol=1e-9)
        for one, other in zip(found, expected, strict=True)
    )
    print("the result is", "equal" if is_right else "WRONG")
    grown = _grown(samples)
    print("; ".join(grown) or "nothing grows")
    if options.record:
        counts = {
            "iterations": options.steps,
            "equal": int(is_right),
            "grown": grown,
            **{
                f"{field.name}, after half and all of them": [
                    round(getattr(sample, field.name), 1) for sample in _middle_and_last(samples)
                ]
                for field in fields(Sample)
            },
        }
        note_counts(COUNTS, f"iterations of a loop, {options.master}", counts)
    return 0 if is_right and not grown else 1


def _watched(sc: Any, each: int) -> list[Sample]:
    """Return where samples will be, after `each` iterations one."""
    samples: list[Sample] = []
    done, last = 0, processor_seconds()
    carry = Iterations.carry
    print("   ".join(f"{field.name:>10}" for field in fields(Sample)))

    def watching(self: Iterations, *values: Any) -> Any:
        nonlocal done, last
        carried = carry(self, *values)
        done += bool(values)
        if values and done % each == 0:
            sc._jvm.System.gc()
            now = processor_seconds()
            held = _held(sc, self)
            samples.append(Sample(now - last, *held, _lineage(carried)))
            print("   ".join(f"{value:>10,.5g}" for value in astuple(samples[-1])), flush=True)
            last = processor_seconds()
        return carried

    Iterations.carry = watching  # pyright: ignore[reportAttributeAccessIssue]
    return samples


def _lineage(carried: Any) -> int:
    """Return how many RDDs those are made of that are carried."""
    values: tuple[Any, ...] = carried if isinstance(carried, tuple) else (carried,)
    return len(lineage([value for value in values if hasattr(value, "_jrdd")]))


def _pss(process: int) -> float:
    """The megabytes of a process; of what it shares with others its part."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:  # It has ended.
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1e3


def _held(sc: Any, loop: Iterations) -> tuple[float, float, int, int, int]:
    """Return the megabytes of the driver, of workers, and numbers of what is kept."""
    heap = sc._jvm.java.lang.Runtime.getRuntime()
    used = int(heap.totalMemory()) - int(heap.freeMemory())
    own = Path("/proc/self/statm").read_text().split()
    python = int(own[1]) * 4096
    broadcasts = len(loop._broadcasts) + sum(len(read) for _, read in loop._read)
    files = sum(1 for root in block_store._own_roots() for _ in root.glob("*/*"))
    workers = sum(map(_pss, processes("worker")))
    return (used + python) / 1e6, workers, len(sc._jsc.getPersistentRDDs()), broadcasts, files


_MARGINS = {"seconds": 1.5, "megabytes": 1.2, "workers": 1.2, "lineage": 1.5}
"""How many times as much there may be: the lineage is cut after some iterations."""


def _middle_and_last(samples: list[Sample]) -> tuple[Sample, Sample]:
    return samples[len(samples) // 2 - 1], samples[-1]


def _grown(samples: list[Sample]) -> list[str]:
    """What is more at the end than after half of the iterations, beyond its margin.

    Until then workers have loaded what compiles kernels: they do once that repays, and not before.
    """
    middle, last = _middle_and_last(samples)
    grown: list[str] = []
    for field in fields(Sample):
        before, after = getattr(middle, field.name), getattr(last, field.name)
        if after > before * _MARGINS.get(field.name, 1.0):
            grown.append(f"{field.name} grow from {before:,.5g} to {after:,.5g}")
    return grown


if __name__ == "__main__":
    raise SystemExit(main())
