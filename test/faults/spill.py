"""Run on executors that have a fraction of the memory that an array takes, and see that it ends.

    python test/faults/spill.py
    python test/faults/spill.py --size 8000 --memory 512 --python 512

A matrix is read from a file and given to a program, which reads it in each iteration of a loop, so
Spark keeps it: what its executors have no memory for goes to their disks. It is run on two of them,
with so many MB each of the JVM and of Python (`spark.executor.pyspark.memory`, which bounds what a
worker takes), and blocks are bytes there (`DIABLO_BLOCKS=off`). Prints how large it is, what the
executors have, what they have on their disks in the end of the loop, and whether the result is that
of this process. Exit code: 0 if it is, and something was on the disks.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
from typing import Any

import numpy as np
from counts import COUNTS, note_counts

PROGRAM = """
input A: matrix[Double];
var n = A.rows;
var x = tensor(n)[ (i, 1.0) | i <- 0..n-1 ];
var k = 0;
while (k < 3) { k += 1; x = (1.0/n)*(A @ x); };
x
"""


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--size", type=int, default=23_300, help="rows of the matrix")
    parser.add_argument("--memory", type=int, default=512, help="MB of an executor's JVM")
    parser.add_argument("--python", type=int, default=512, help="MB of an executor's worker")
    parser.add_argument("--record", action="store_true", help="write the counts into the table")
    options = parser.parse_args()
    os.environ["DIABLO_BLOCKS"] = "off"
    memory = f"--conf spark.executor.memory={options.memory}m"
    memory += f" --conf spark.executor.pyspark.memory={options.python}m"
    os.environ["PYSPARK_SUBMIT_ARGS"] = f"{memory} pyspark-shell"
    import diablo
    from diablo.runtime.engines.spark import spark_context, stop_spark

    with tempfile.TemporaryDirectory(prefix="spill-") as folder:
        path = os.path.join(folder, "a.npy")
        np.save(path, np.random.default_rng(0).random((options.size, options.size)))
        matrix = np.load(path)
    size = matrix.nbytes
    master = f"local-cluster[2,1,{options.memory + options.python}]"
    sc = spark_context(master)
    watch = _Disks(sc)
    try:
        found = np.asarray(diablo.compile(PROGRAM, engine="spark", block_size=1000)(A=matrix))
    finally:
        on_disks = watch.most()
        stop_spark()
    is_right = bool(np.allclose(found, np.asarray(diablo.compile(PROGRAM)(A=matrix)), rtol=1e-9))
    worker = (options.memory + options.python) * 2**20
    print(
        f"{size / 1e6:.0f} MB; an executor has {worker / 1e6:.0f} MB, {options.python} of Python "
        f"({size / worker:.1f} times, {size / (options.python * 2**20):.1f} of Python's), "
        f"{on_disks / 1e6:.0f} MB on disks: {'equal' if is_right else 'WRONG'}"
    )
    if options.record:
        counts = {
            "MB of the input": round(size / 1e6),
            "MB of an executor": round(worker / 1e6),
            "MB on disks": round(on_disks / 1e6),
            "equal": int(is_right),
        }
        note_counts(COUNTS, "spilling, local-cluster of 2", counts)
    return 0 if is_right and on_disks else 1


class _Disks:
    """How many bytes executors have on their disks, looked at while a program runs."""

    def __init__(self, sc: Any):
        self._store = sc._jsc.sc().statusStore()
        self._most = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def _watch(self) -> None:
        while not self._ended.wait(0.5):
            executors = self._store.executorList(True)
            held = [executors.apply(k) for k in range(executors.size())]
            self._most = max(self._most, sum(int(each.diskUsed()) for each in held))

    def most(self) -> int:
        """Stop looking; the most that there was."""
        self._ended.set()
        self._thread.join()
        return self._most


if __name__ == "__main__":
    raise SystemExit(main())
