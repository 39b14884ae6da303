"""Fill the heap of Spark's JVM, and run again with the block size that the error advises.

    python test/faults/heap.py
    python test/faults/heap.py --case product --memory 512

Programs are run on two executors whose heap is small, with tiles that are too large for it, and
blocks as bytes (`DIABLO_BLOCKS=off`). Each run has to end in an error that names the line and a
block size, and a run with that size in the right result; where that size is still too large, the
error is to name a smaller one. Prints for each case the sizes that were tried. Exit code: 0 if the
first size that was advised fits in each case.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
from counts import COUNTS, note_counts

MADE = """input n: Int;
var A = tensor*(n,n)[ ((i,j),0.001*i+0.5*j) | i <- 0..n-1, j <- 0..n-1 ];
"""
"""Tiles of the workers' own, which Spark's JVM first sees when they are shuffled or kept."""
CASES = {
    "transposed": f"""{MADE}
var B = tensor*(n,n)[ ((i,j),a+2.0*b) | ((i,j),a) <- A, ((jj,ii),b) <- A, ii == i, jj == j ];
+/[ b | ((i,j),b) <- B ];
""",
    "product": f"""{MADE}
var B = tensor*(n,n)[ ((i,j),+/c) | ((i,k),a) <- A, ((kk,j),b) <- A, kk == k, let c = a*b,
                                    group by (i,j) ];
+/[ b | ((i,j),b) <- B ];
""",
}
_ADVICE = re.compile(r"<program>:(\d+):\d+: error: out of memory: .*a block size of (\d+) needs")


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--size", type=int, default=6000, help="rows of the matrix")
    parser.add_argument("--block", type=int, default=6000, help="the block size to begin with")
    parser.add_argument("--memory", type=int, default=512, help="MB of an executor's JVM")
    parser.add_argument("--case", action="append", choices=list(CASES), help="only this one")
    parser.add_argument("--record", action="store_true", help="write the counts into the table")
    parser.add_argument("--run", type=int, metavar="BLOCK", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        return run(options)
    ends = {name: tried(name, options) for name in options.case or CASES}
    counts = {
        "cases": len(ends),
        "fits at once": sum(end == "fits at once" for end in ends.values()),
        "fits in the end": sum(end == "fits" for end in ends.values()),
        "other": sum("fits" not in end for end in ends.values()),
    }
    if options.record:
        note_counts(COUNTS, "full heap, local-cluster of 2", counts)
    return 0 if counts["fits at once"] == counts["cases"] else 1


def tried(name: str, options: argparse.Namespace) -> str:
    """Run a case with tiles that are too large, and then with what is advised; how that ended."""
    size, before = options.block, 0
    tries: list[str] = []
    while True:
        command = [sys.executable, __file__, "--case", name, "--run", str(size)]
        command += ["--size", str(options.size), "--memory", str(options.memory)]
        ended = subprocess.run(command, capture_output=True, text=True)
        said = ended.stdout.strip().splitlines()[-1:] or ended.stderr.strip().splitlines()[-1:]
        found = _ADVICE.search(ended.stdout)
        tries.append(f"{size} {'is full' if found else ' '.join(said)[:300]}")
        if found is None:
            end = "other" if ended.returncode or not before else "fits"
            end = "fits at once" if end == "fits" and len(tries) == 2 else end
            print(f"{name}: {'; '.join(tries)}: {end}", flush=True)
            return end
        before, size = size, int(found[2])


def run(options: argparse.Namespace) -> int:
    """Run a case with a block size in this process."""
    os.environ["DIABLO_BLOCKS"] = "off"
    memory = f"--conf spark.executor.memory={options.memory}m --conf spark.task.maxFailures=1"
    os.environ["PYSPARK_SUBMIT_ARGS"] = f"{memory} pyspark-shell"
    sys.path.append(str(Path(__file__).parents[2]))
    import diablo
    from diablo.diagnostics import RunError
    from diablo.runtime.engines.spark import stop_spark

    text = CASES[options.case[0]]
    master = f"local-cluster[2,1,{options.memory}]"
    program = diablo.compile(text, engine="spark", master=master, block_size=options.run)
    try:
        found = float(program(n=options.size))
    except RunError as error:
        print(" ".join(str(error).split()))
        return 1
    finally:
        stop_spark()
    is_right = bool(np.isclose(found, float(diablo.compile(text)(n=options.size)), rtol=1e-9))
    print("equal" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    raise SystemExit(main())
