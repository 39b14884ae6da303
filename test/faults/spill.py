"""Run on executors that have a fraction of the memory that an array takes, and see that it ends.

    python test/faults/spill.py
    python test/faults/spill.py --size 16000 --memory 512

A matrix is read in each iteration of a loop, so Spark keeps it: what its executors have no memory
for goes to their disks. It is run on two of them, with so many MB each, and blocks are bytes there
(`DIABLO_BLOCKS=off`). Prints how large it is, what Spark's executors may hold in memory, what is on
their disks, and whether the result is that of this process. Exit code: 0 if it is.
"""

from __future__ import annotations

import argparse
import os

import numpy as np

PROGRAM = """
input n: Int;
var A = tensor*(n,n)[ ((i,j), random()) | i <- 0..n-1, j <- 0..n-1 ];
var x = tensor(n)[ (i, 1.0) | i <- 0..n-1 ];
var k = 0;
while (k < 3) { k += 1; x = (1.0/n)*(A @ x); };
x
"""


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--size", type=int, default=12_000, help="rows of the matrix")
    parser.add_argument("--memory", type=int, default=512, help="MB of an executor")
    options = parser.parse_args()
    os.environ["DIABLO_BLOCKS"] = "off"
    memory = f"--conf spark.executor.memory={options.memory}m"
    os.environ["PYSPARK_SUBMIT_ARGS"] = f"{memory} pyspark-shell"
    import diablo
    from diablo.runtime.engines.spark import spark_context, stop_spark

    master = f"local-cluster[2,1,{options.memory}]"
    found = np.asarray(
        diablo.compile(PROGRAM, engine="spark", master=master, block_size=1000)(n=options.size)
    )
    sc = spark_context()
    store = sc._jsc.sc().statusStore()
    executors = store.executorList(False)
    held = [executors.apply(k) for k in range(executors.size())]
    storage = sum(int(each.maxMemory()) for each in held if each.id() != "driver")
    size = 8 * options.size**2
    spilled = sum(int(each.totalInputBytes()) for each in held)
    stop_spark()
    expected = np.asarray(diablo.compile(PROGRAM)(n=options.size))
    is_right = bool(np.allclose(found, expected, rtol=1e-9))
    print(
        f"{size / 1e6:.0f} MB, {storage / 1e6:.0f} MB of executors for blocks "
        f"({size / storage:.1f} times), {spilled / 1e6:.0f} MB read again: "
        f"{'equal' if is_right else 'WRONG'}"
    )
    return 0 if is_right else 1


if __name__ == "__main__":
    raise SystemExit(main())
