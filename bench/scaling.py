"""A model of programs on 4 to 1,000 machines, with rates that are measured here.

    python bench/scaling.py                       # tables for docs/scaling.md
    python bench/scaling.py --check               # beside runs on one and two workers here

The check starts a standalone cluster of one, then of two workers with one core each
(`test/faults/standalone_cluster.py`), and compares the bytes of an iteration with what Spark has
counted, and its seconds with those that pass: the least of several, which says little of a machine
that others use as well. Sessions run for a while before, since a JVM compiles itself at first.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, fields, replace
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import scipy.sparse as sp

HERE = Path(__file__).parent
sys.path += [str(HERE), str(HERE.parent / "test"), str(HERE.parent / "test" / "faults")]

from scaling_model import PARTS, Cluster, Estimate, Rates, pagerank, product, regression  # noqa: E402
from standalone_cluster import standalone_cluster  # noqa: E402

import diablo  # noqa: E402
from diablo.runtime.engines.partitioning import partitioned  # noqa: E402
from diablo.runtime.engines.spark import spark_context, stop_spark  # noqa: E402
from diablo.runtime.termination import ending_on_signals  # noqa: E402
from fuzzing.leaving_out import join_forced  # noqa: E402

MACHINES = (4, 16, 64, 250, 1000)
CORES = 16
PRODUCT = "input A: matrix[Double]; input B: matrix[Double]; A @ B;"
PAGERANK = """
input G: list[(Int,Int)]; input n: Int; input steps: Int;
var E = tensor*(n)(n)[ ((i,j),1.0) | (i,j) <- G ];
var x = tensor*(n)[ (i,1.0/n) | i <- 0..n-1 ];
var k = 0;
while (k < steps) {
  k += 1;
  var y = E.t @ x;
  for i = 0, n-1 do x[i] = 0.15/n + 0.85*y[i];
};
x;
"""
REGRESSION = """
input X: matrix[Double]; input y: vector[Double]; input steps: Int;
var w = tensor(X.cols)[ (j,0.0) | j <- 0..X.cols-1 ];
var k = 0;
while (k < steps) {
  k += 1;
  w = w - (0.1/X.rows)*(X.t @ (X @ w - y));
};
w;
"""


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--check", action="store_true", help="compare with runs on this machine")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument(
        "--rate",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a rate that is not measured; with all of them, nothing is run",
    )
    options = parser.parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
    if options.check:
        for workers in (1, 2):
            check(workers, options.repeats)
        return 0
    given = {name: float(value) for name, _, value in (r.partition("=") for r in options.rate)}
    if given.keys() >= {f.name for f in fields(Rates)} - {"link"}:
        rates = Rates(**given)
    else:
        with standalone_cluster(1) as master:
            rates = replace(measured(spark_context(master), options.repeats), **given)
            stop_spark()
    show_rates(rates)
    for name, work in {
        "product, 100,000 x 100,000": lambda c: product(c, 100_000),
        "PageRank, 10^8 nodes, 10^9 edges": lambda c: pagerank(c, 10**8, 10**9),
        "regression, 10^8 rows, 100 columns": lambda c: regression(c, 10**8, 100),
    }.items():
        show(name, [work(Cluster(machines, CORES, rates)) for machines in MACHINES])
    return 0


# -- Rates --------------------------------------------------------------------------------


def shortest(
    call: Callable[[], Any], repeats: int, clock: Callable[[], float] = perf_counter
) -> float:
    """Seconds of a call by a clock, that of the wall by default: the least of several."""
    times: list[float] = []
    for _ in range(repeats):
        start = clock()
        call()
        times.append(clock() - start)
    return min(times)


def warm(call: Callable[[], Any], seconds: float = 10.0) -> None:
    """Let the JVM and the workers do something for a while, until they have compiled it."""
    end = perf_counter() + seconds
    while perf_counter() < end:
        call()


def measured(sc: Any, repeats: int) -> Rates:
    """Return what a core does, in a worker of Spark and on the way between it and the driver."""

    def in_worker(_: int) -> tuple[float, float, float]:
        a, x = np.random.default_rng(0).random((1000, 1000)), np.ones(1000)
        tall = np.random.default_rng(0).random((200_000, 100))
        entries = 10**6
        rows, columns = np.random.default_rng(0).integers(0, 10**5, (2, entries))
        sparse = sp.csr_array((np.ones(entries), (rows, columns)), (10**5, 10**5))
        y = np.ones(10**5)
        return (
            2e9 / shortest(lambda: a @ a, repeats, process_time),
            tall.nbytes / shortest(lambda: tall @ x[:100], repeats, process_time),
            sparse.nnz / shortest(lambda: sparse @ y, repeats, process_time),
        )

    flops, stream, entries = sc.parallelize([0], 1).map(in_worker).collect()[0]
    tile, tiles, many = 8 << 20, 16, 41
    size = tile * tiles
    one, several = sc.parallelize([0], 1), sc.parallelize(range(many), many)
    moved = one.flatMap(lambda _: (np.ones(tile // 8) for _ in range(tiles)))
    made = tiles * shortest(lambda: np.ones(tile // 8), repeats)
    warm(one.count)
    job = shortest(one.count, 10 * repeats)
    warm(several.count)
    task = (shortest(several.count, repeats) - job) / (many - 1)
    moved._jrdd.count()
    crossing = size / (shortest(lambda: moved._jrdd.count(), repeats) - job - made)
    kept = moved.persist()
    kept._jrdd.count()
    reading = size / (shortest(kept.map(len).count, repeats) - job)
    moved_on = shortest(lambda: shuffled_again(kept).count(), repeats)
    shuffling = size / (moved_on - job - task - size / reading)
    kept.unpersist()
    return Rates(flops, stream, entries, crossing, reading, shuffling, task, min(task, 1e-3), job)


def shuffled_again(tiles: Any) -> Any:
    """Return tiles behind a shuffle that is done anew, as a worker is given them."""
    return partitioned(tiles.map(_keyed), 1, _first).map(len)


def _keyed(tile: Any) -> tuple[int, Any]:
    return 0, tile


def _first(key: int) -> int:
    return key


def show_rates(rates: Rates) -> None:
    """Print the rates."""
    for name, value in asdict(rates).items():
        print(f"{name:<10}{value:12.3g}", flush=True)


def show(name: str, estimates: list[Estimate]) -> None:
    """Print a table: a line for each number of machines."""
    print(f"\n{name}\n")
    heads = ["machines", "seconds", "speed-up", "MB/link", "MB shuffled", *PARTS]
    print("| " + " | ".join(heads) + " |")
    print("|" + "---:|" * len(heads))
    first = estimates[0]
    for each in estimates:
        speed = first.seconds / each.seconds * first.cluster.machines
        shares = [f"{100 * each.parts[part] / each.seconds:.0f} %" for part in PARTS]
        cells = [
            f"{each.cluster.machines:,}",
            f"{each.seconds:.3g}",
            f"{speed:.0f}",
            f"{each.busiest / 1e6:,.0f}",
            f"{each.shuffled / 1e6:,.0f}",
            *shares,
        ]
        print("| " + " | ".join(cells) + " |")


# -- Runs ---------------------------------------------------------------------------------


def check(workers: int, repeats: int) -> None:
    """Print the model beside runs on so many workers with one core each."""
    random = np.random.default_rng(0)
    # Dense arrays of 2^20 elements are the driver's; a session has Spark keep larger ones.
    n, nodes, edges, rows, columns, steps = 1500, 100_000, 1_000_000, 100_000, 50, 5
    graph = random.integers(0, nodes, (2, edges))
    pairs = np.unique(graph, axis=1)
    a, x, y = random.random((n, n)), random.random((rows, columns)), random.random(rows)
    with standalone_cluster(workers) as master:
        rates = measured(spark_context(master), repeats)
        cluster = Cluster(workers, 1, rates)
        if workers == 1:
            show_rates(rates)
        for name, text, given, estimate in (
            ("product", PRODUCT, {"A": a, "B": a}, product(cluster, n)),
            (
                "PageRank",
                PAGERANK,
                {"G": (pairs[0], pairs[1]), "n": nodes},
                pagerank(cluster, nodes, pairs.shape[1]),
            ),
            ("regression", REGRESSION, {"X": x, "y": y}, regression(cluster, rows, columns)),
        ):
            program = diablo.compile(text, engine="spark", master=master)
            # The model is of tiles that are sent to where they are multiplied.
            with join_forced("replicate") if name == "product" else nullcontext():
                if "steps" in program.inputs:
                    found = difference(program, given, steps, repeats)
                else:
                    found = once(program, given, repeats)
            compare(f"{name}, {workers}", estimate, found)
        stop_spark()


Found = tuple[float, float, float]
"""Seconds, bytes shuffled and bytes collected."""


def once(program: Any, given: dict[str, Any], repeats: int) -> Found:
    """Return what a call takes whose inputs Spark has."""
    with program.session():

        def call() -> None:
            program(**given).compute().close()

        warm(call, 5.0)
        seconds = shortest(call, repeats)
        return seconds, program.stats.bytes_shuffled, program.stats.bytes_collected


def difference(program: Any, given: dict[str, Any], steps: int, repeats: int) -> Found:
    """The same of an iteration: what many take more than one, divided by how many more."""
    found: list[np.ndarray[Any, Any]] = []
    with program.session():
        for count in (1, 1 + steps):

            def call(count: int = count) -> None:
                program(**given, steps=count).to_numpy()

            warm(call, 3.0)
            seconds = shortest(call, repeats)
            stats = program.stats
            found.append(np.array([seconds, stats.bytes_shuffled, stats.bytes_collected]))
    seconds, shuffled, collected = (found[1] - found[0]) / steps
    return float(seconds), float(shuffled), float(collected)


def compare(name: str, model: Estimate, found: Found) -> None:
    """Print a line: the model's seconds and bytes, and those that were found."""
    seconds, shuffled, collected = found
    print(
        f"| {name} | {model.seconds:.3g} | {seconds:.3g} | "
        f"{model.shuffled / 1e6:.2f} | "
        f"{shuffled / 1e6:.2f} | {model.gathered / 1e6:.2f} | {collected / 1e6:.2f} |",
        flush=True,
    )


if __name__ == "__main__":
    with ending_on_signals():
        raise SystemExit(main())
