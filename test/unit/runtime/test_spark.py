"""The Spark session, and that local RDDs mean what PySpark's mean."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyspark import RDD
from pyspark.sql import SparkSession

import diablo
import diablo.array as da
from diablo.api import Program
from diablo.diagnostics import InputError, RunError
from diablo.runtime.arrays.tiles import SparseTile, split
from diablo.runtime.engines import block_store, keeping, shared_values, spark
from diablo.runtime.engines.keeping import release_dead
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.engines.spark import known_tasks, spark_context
from diablo.runtime.engines.spark_settings import given_settings
from diablo.runtime.engines.spark_statistics import begin_watching, watching
from diablo.runtime.program import data, distribute_rows, loop, shuffle, tile_placement
from diablo.runtime.program.loop import Iterations
from diablo.runtime.program.run_main import run_main
from diablo.runtime.program.tile_functions import rekey
from diablo.runtime.program.tile_placement import InSlices, grid_of, in_slices, placement
from diablo.runtime.results import DistributedArray, Rows

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def sc() -> Any:
    return spark_context("local[2]")


@pytest.fixture
def soon_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut the lineage after every third iteration: few of them do what many do otherwise."""
    monkeypatch.setattr(loop, "CHECKPOINT_INTERVAL", 3)
    monkeypatch.setattr(loop, "FIRST_INTERVAL", 3)


def test_one_context(sc: Any):
    assert spark_context() is sc
    assert spark_context("local[2]") is sc
    with pytest.raises(InputError, match=r"Spark is running on local\[2\] already"):
        spark_context("local[1]")


def test_what_is_kept_is_looked_at_after_each_tile(sc: Any):
    """Spark would look for room after 16 of them, and have none on a small heap by then."""
    assert sc.getConf().get("spark.storage.unrollMemoryCheckPeriod") == "1"


def test_small_tasks_cost_little(sc: Any):
    """Workers and the JVM exchange bytes without TCP, and modules are not looked at after each."""
    assert sc.getConf().get("spark.python.unix.domain.socket.enabled") == "true"

    def frozen(_: int) -> int:
        import gc

        import diablo.runtime  # noqa: F401  (as all tasks of ours do)

        return gc.get_freeze_count()

    tasks = sc.parallelize(range(8), 8).map(frozen)
    tasks.collect()
    assert max(tasks.collect()) > 5000


@pytest.mark.parametrize("dense_rank", [0, 1, 2])
def test_arrays(sc: Any, dense_rank: int):
    array = np.arange(20.0).reshape(4, 5) % 3
    value = array if dense_rank == 2 else SparseTile.from_dense(array, dense_rank)
    result = DistributedArray(
        sc.parallelize(split(value, 3)), array.shape, dense_rank, array.dtype, 3
    )
    np.testing.assert_array_equal(result.to_numpy(), array)


def test_rows(sc: Any):
    batches = [(np.array([1, 2]),), (np.array([3]),)]
    assert list(Rows(sc.parallelize(batches), [np.int64])) == [1, 2, 3]


def test_a_failing_task_is_one_line(sc: Any):
    def main(sc: Any, *, block_size: int | None = None) -> Any:
        return sc.parallelize([1, 0]).map(lambda x: 1 // x).collect()

    with pytest.raises(RunError) as error:
        run_main(main, {}, "spark")
    assert str(error.value) == "ZeroDivisionError: integer division or modulo by zero"


def test_an_error_of_ours_keeps_its_text(sc: Any):
    def fail(_: int) -> None:
        raise RunError("line 3: division by zero")

    rdd = sc.parallelize([1]).map(fail)
    with pytest.raises(RunError) as error:
        DistributedArray(rdd, (1,), 1, float).to_numpy()
    assert str(error.value) == "line 3: division by zero"


POWERS = """
input A: matrix[Double]; input steps: Int; input k: Int = 1;
var n = A.rows;
var x = tensor*(n)[ (i,1.0/n) | i <- 0..n-1 ];
var i = 0;
while (i < steps) {
  i += 1;
  x = tensor*(n)[ (i,+/v) | ((i,j),a) <- A, (jj,b) <- x, jj == j, let v = a*b, group by i ];
};
(x, 1/k);
"""


def kept_by_spark(sc: Any) -> set[int]:
    return set(dict(sc._jsc.getPersistentRDDs()))


@pytest.mark.sampled(2)
@pytest.mark.usefixtures("soon_cut")
@pytest.mark.parametrize("steps", [2, 4])
def test_a_call_keeps_only_what_its_lazy_results_need(sc: Any, steps: int):
    program = diablo.compile(POWERS, engine="spark")
    A = np.eye(4) * 2
    before = kept_by_spark(sc)
    x, _ = program(A=A, steps=steps)
    # What others have kept may go at any time.
    assert kept_by_spark(sc) - before
    np.testing.assert_array_equal(x, np.full(4, 2.0**steps / 4))
    assert kept_by_spark(sc) <= before
    np.testing.assert_array_equal(x.to_rdd().collect()[0][1][:2], x[:2])
    with pytest.raises(RunError):
        program(A=A, steps=steps, k=0)
    assert kept_by_spark(sc) <= before


@pytest.mark.sampled(2)
@pytest.mark.usefixtures("soon_cut")
@pytest.mark.parametrize("steps", [2, 3, 7])
def test_what_a_loop_leaves_outlives_its_broadcasts(sc: Any, steps: int):
    """Where the lineage is cut, the broadcasts that made what is carried hold nothing any more."""
    text = """
        input A: matrix[Double]; input x: vector[Double]; input steps: Int;
        var k = 0; while (k < steps) { k += 1; x = A @ x; }; x
    """
    program = diablo.compile(text, engine="spark", block_size=3)
    inputs = {"A": np.diag([1.0, 2, 1, 1]), "x": np.ones(4), "steps": steps}
    expected = [1, 2.0**steps, 1, 1]
    np.testing.assert_array_equal(program(**inputs), expected)
    computed = program(**inputs).compute()
    release_dead()
    np.testing.assert_array_equal(computed, expected)


IN_ORDER = """input P0: vector[Double]; input R: vector[Double]; input I: vector[Int];
var P = P0; var t = 0;
while (t < R.length) {
  P[I[t]] += R[t] - 0.5*P[I[t]];
  t += 1;
};
"""


def test_the_driver_runs_a_loop_in_order(sc: Any):
    """No step of it is a job; what is read of it by workers is distributed again."""
    rng = np.random.default_rng(3)
    given = {"P0": rng.random(10), "R": rng.random(200), "I": rng.integers(0, 10, 200)}
    expected = given["P0"].copy()
    for value, place in zip(given["R"], given["I"], strict=True):
        expected[place] += value - 0.5 * expected[place]
    for text, most in (
        (f"{IN_ORDER} P", 0),
        (f"{IN_ORDER} (P, +/[ a*b | (i,a) <- P, (j,b) <- P0, i == j ])", 3),
    ):
        program = diablo.compile(text, engine="spark", block_size=3)
        found = program(**given)
        array, *sums = found if isinstance(found, tuple) else (found,)
        np.testing.assert_allclose(np.asarray(array), expected)
        np.testing.assert_allclose(sums, [given["P0"] @ expected] * len(sums))
        assert program.stats is not None
        assert program.stats.jobs <= most


def test_workers_run_a_loop_whose_steps_are_whole_arrays(sc: Any):
    text = """input A: matrix[Double]; input x: vector[Double]; var k = 0;
    while (k < 3) { x = A @ x; k += 1; }; x"""
    program = diablo.compile(text, engine="spark", block_size=3)
    np.testing.assert_allclose(program(A=2 * np.eye(8), x=np.ones(8)), np.full(8, 8.0))
    assert program.stats is not None
    assert program.stats.jobs >= 3


ONE_JOB = {
    "PageRank": """input A: matrix[Double]; input b: vector[Double]; input steps: Int;
var n = b.length;
var x = tensor*(n)[ (i,1.0/n) | i <- 0..n-1 ];
var k = 0;
while (k < steps) {
  k += 1;
  var y = x;
  for i = 0, n-1 do x[i] = 0.15/n;
  for i = 0, n-1 do for j = 0, n-1 do x[i] += 0.85*A[j,i]*y[j];
};
x""",
    "CG": """input A: matrix[Double]; input b: vector[Double]; input steps: Int;
var n = b.length;
var x = tensor(n)[ (i,0.0) | i <- 0..n-1 ];
var r = b; var p = r;
var rho = +/[ e*e | (_,e) <- r ];
var k = 0;
while (k < steps) {
  k += 1;
  var q = A @ p;
  var alpha = rho / +/[ a*c | (i,a) <- p, (j,c) <- q, i == j ];
  x = x + alpha*p;
  r = r - alpha*q;
  var next = +/[ e*e | (_,e) <- r ];
  p = r + (next/rho)*p;
  rho = next;
};
x""",
    "regression": """input A: matrix[Double]; input b: vector[Double]; input steps: Int;
var x = tensor(A.cols)[ (j,0.0) | j <- 0..A.cols-1 ];
var k = 0;
while (k < steps) { k += 1; x = x - 0.1/A.rows*(A.t @ (A @ x - b)); };
x""",
}


@pytest.mark.parametrize("name", ONE_JOB)
def test_an_iteration_is_one_job(sc: Any, name: str):
    n = 240  # The matrix is with the workers, and the vectors are with the driver.
    A = np.random.default_rng(0).random((n, n))
    A = (A + A.T) / (2 * n) + np.eye(n)
    program = diablo.compile(ONE_JOB[name], engine="spark", block_size=80)
    here = diablo.compile(ONE_JOB[name])
    jobs: list[int] = []
    for steps in (2, 7):
        given = {"A": A, "b": np.ones(n), "steps": steps}
        np.testing.assert_allclose(np.asarray(program(**given)), np.asarray(here(**given)))
        assert program.stats is not None
        jobs.append(program.stats.jobs)
    assert jobs[1] - jobs[0] == 5
    assert jobs[0] <= 3


def test_a_kernel_is_compiled_once_by_a_worker(sc: Any, monkeypatch: pytest.MonkeyPatch):
    """However many tasks and calls it runs in, and however often its text is sent."""
    monkeypatch.setenv("DIABLO_CACHE", "off")
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    assert spark_context() is sc, "Other variables are for other workers."

    def counting(_: int) -> int:
        import time

        import llvmlite.binding as llvm

        parse = llvm.parse_assembly
        if not hasattr(llvm, "texts"):
            llvm.texts = []

            def counted(text: str, *arguments: Any) -> Any:
                llvm.texts.append(text)
                return parse(text, *arguments)

            llvm.parse_assembly = counted
        time.sleep(0.3)  # So that no worker has both tasks.
        return os.getpid()

    def texts(_: int) -> tuple[int, list[str]]:
        import time

        import llvmlite.binding as llvm

        time.sleep(0.3)
        return os.getpid(), list(getattr(llvm, "texts", []))

    sc.parallelize(range(2), 2).map(counting).collect()
    text = """input A: matrix[Double];
+/[ sqrt(abs(sin(a)*cos(a)+exp(-a*a)))+0.125 | ((i,j),a) <- A ]"""
    A = np.random.default_rng(0).random((60, 60))
    for _ in range(3):  # Each has its own text of the emitted program.
        program = diablo.compile(text, engine="spark", block_size=20)
        for _ in range(3):
            program(A=A)
    workers = dict(sc.parallelize(range(2), 2).map(texts).collect())
    compiled = [text for texts in workers.values() for text in texts]
    assert compiled, "Kernels are compiled by workers."
    for parsed in workers.values():
        assert len(parsed) == len(set(parsed))


def test_jobs_are_described_by_their_lines(sc: Any):
    text = """input A: matrix[Double]; input x: vector[Double];
var s = +/[ a | (i,a) <- x ];
var y = A @ x;
(s, y);"""
    program = diablo.compile(text, engine="spark", block_size=3)
    assert program.stats is None
    program.times_kernels = True
    sum_, y = program(A=np.eye(4), x=np.ones(4))
    assert sum_ == 4
    before = program.stats
    assert before is not None
    np.testing.assert_array_equal(y, np.ones(4))
    after = program.stats
    assert after is not None
    assert 0 < before.jobs < after.jobs
    assert after.tasks >= after.stages >= after.jobs
    assert after.bytes_broadcast == 32
    assert after.seconds_in_tasks > 0
    assert after.seconds_in_jobs > 0
    assert after.seconds_beside_jobs == before.seconds_beside_jobs > 0
    assert after.seconds_compiling > 0
    assert after.seconds_in_kernels is not None
    assert after.seconds_in_kernels > 0
    assert after.seconds_of_rest is not None
    assert f"jobs{after.jobs:>38,}\n" in after.table()
    store = sc._jsc.sc().statusStore()
    last = sc._jsc.sc().dagScheduler().numTotalJobs()
    jobs = [store.job(number) for number in range(last - after.jobs, last)]
    described = [job.description().get() for job in jobs]
    assert described[0].startswith("<program>:2")
    assert described[-1] == "<program>:3"
    stages = sc.statusTracker().getJobInfo(last - 1).stageIds
    assert {sc.statusTracker().getStageInfo(stage).name for stage in stages} == {"<program>:3"}
    assert sc.getLocalProperty("spark.job.description") is None


def test_jobs_of_a_file_are_described_by_its_name(sc: Any):
    text = "input A: matrix[Double];\nvar s = +/[ a | ((i,j),a) <- A ];\ns*A"
    program = Program(text, "/some/where/scaled.diablo", "spark", block_size=2)
    np.testing.assert_array_equal(program(A=np.eye(4)), 4 * np.eye(4))
    assert program.stats is not None
    store = sc._jsc.sc().statusStore()
    last = sc._jsc.sc().dagScheduler().numTotalJobs()
    jobs = [store.job(number) for number in range(last - program.stats.jobs, last)]
    described = [job.description().get() for job in jobs]
    assert described[0].startswith("scaled.diablo:2")
    assert described[-1] == "scaled.diablo:3"


def test_jobs_that_are_of_no_program_are_described_by_the_line_of_the_caller(sc: Any):
    store, scheduler = sc._jsc.sc().statusStore(), sc._jsc.sc().dagScheduler()

    def names_of(call: Callable[[], Any]) -> set[str]:
        first = scheduler.numTotalJobs()
        call()
        found: set[str] = set()
        for number in range(first, scheduler.numTotalJobs()):
            found.add(store.job(number).description().get())
            stages = sc.statusTracker().getJobInfo(number).stageIds
            found |= {sc.statusTracker().getStageInfo(stage).name for stage in stages}
        return found

    A = np.ones((1100, 1000))  # More than stays with the driver.
    columns = (np.arange(9) % 3, np.arange(9) % 4, np.ones(9))
    blocks = sc.parallelize([((k, 0), A) for k in range(2)], 2)
    held = diablo.distribute(A, block_size=600)
    summed = "input M: map[Int,Double]; +/[ v | (k,v) <- M ]"
    frame = SparkSession(sc).range(3).selectExpr("id k", "1.0D v")
    for call in (
        lambda: diablo.distribute(columns, shape=(3, 4)),
        lambda: diablo.distribute(blocks),
        lambda: held.to_numpy(),
        lambda: float((da.asarray(held).T @ da.asarray(held)).sum()),
        lambda: diablo.compile(summed, engine="auto")(M=frame),
    ):
        names = names_of(call)
        assert names, call
        assert all(name.startswith("test_spark.py:") for name in names), names


def test_blocks_in_files_count_as_shuffled_and_stored(
    sc: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    text = """input A: matrix[Double]; var B = A @ A; var C = B @ A; +/[ c | ((i,j),c) <- C ];"""
    A = np.eye(400)
    found: list[Any] = []
    for closely in (False, True):
        program = diablo.compile(text, engine="spark", block_size=200)
        program.times_kernels = closely
        assert program(A=A) == 400
        found.append(program.stats)
    by_spark, all_of_it = found
    # Both arrays of each of two products go to two places each.
    assert by_spark.bytes_shuffled < 100_000
    assert all_of_it.bytes_shuffled > 4 * A.nbytes
    assert all_of_it.bytes_stored >= A.nbytes


@pytest.mark.parametrize("in_files", [False, True])
def test_the_time_in_which_records_cross(sc: Any, in_files: bool, monkeypatch: pytest.MonkeyPatch):
    """Workers read what is given and write what is collected, which the driver writes and reads."""
    monkeypatch.setattr(sc._unbatched_serializer, "in_files", in_files)
    text = "input A: matrix[Double]; tensor*(A.rows,A.cols)[ ((i,j),a+1.0) | ((i,j),a) <- A ]"
    program = diablo.compile(text, engine="spark", block_size=400)
    A = np.eye(800)
    np.testing.assert_array_equal(program(A=A), A + 1)
    assert program.stats is not None
    assert program.stats.seconds_crossing is program.stats.seconds_crossing_here is None
    assert "crossing" not in program.stats.table()
    program.times_kernels = True
    result = program(A=A)
    before = program.stats
    np.testing.assert_array_equal(result, A + 1)
    after = program.stats
    assert after.seconds_crossing is not None
    assert after.seconds_crossing_here is not None
    assert after.seconds_crossing > 0
    assert after.seconds_crossing < after.seconds_in_tasks
    assert before.seconds_crossing_here is not None
    assert 0 < before.seconds_crossing_here < after.seconds_crossing_here
    assert f"seconds crossing{after.seconds_crossing:>26,.3f}\n" in after.table()


def test_what_is_needed_no_more_is_let_go_within_a_call(sc: Any, monkeypatch: pytest.MonkeyPatch):
    steps = "".join(
        f"var B{k} = B{k - 1} @ A; var s{k} = +/[ b | ((i,j),b) <- B{k} ];" for k in range(1, 6)
    )
    text = f"input A: matrix[Double]; var B0 = A @ A; {steps} (s1, s2, s3, s4, s5);"
    A = np.eye(400)
    lives: list[tuple[int, int]] = []
    fold = RDD.fold

    def watched(self: Any, *arguments: Any) -> Any:
        result = fold(self, *arguments)
        kept = keeping.current()
        assert kept is not None
        lives.append((sc._jsc.getPersistentRDDs().size(), kept.bytes_since(0)))
        return result

    monkeypatch.setattr(RDD, "fold", watched)
    before = sc._jsc.getPersistentRDDs().size()
    program = diablo.compile(text, engine="spark", block_size=200)
    assert program(A=A) == (400,) * 5
    rdds, sizes = zip(*lives, strict=True)
    assert len(lives) == 5
    assert max(rdds) - before <= 2, "What one product is made of, and the product itself."
    assert sizes[-1] <= sizes[1] + 3 * (sizes[1] - sizes[0])
    assert sc._jsc.getPersistentRDDs().size() <= before


def test_files_of_an_iteration_go_with_it(sc: Any, monkeypatch: pytest.MonkeyPatch):
    """Also where it leaves nothing with the workers, and sends them nothing but scalars."""
    text = """input A: matrix[Double]; input steps: Int;
var k = 0; var s = 1.0;
while (k < steps) {
  k += 1;
  var C = A @ (s*A);
  s = 1.0/(1.0 + +/[ c*c | ((i,j),c) <- C ]);
};
s"""
    sizes: list[int] = []
    fold = RDD.fold

    def watched(self: Any, *arguments: Any) -> Any:
        result = fold(self, *arguments)
        kept = keeping.current()
        assert kept is not None
        sizes.append(kept.bytes_since(0))
        return result

    monkeypatch.setattr(RDD, "fold", watched)
    program = diablo.compile(text, engine="spark", block_size=200)
    program(A=np.eye(400), steps=6)
    assert len(sizes) == 6
    assert 0 < sizes[-1] <= sizes[0]


def test_broadcasts_of_an_iteration_are_destroyed_in_it(sc: Any, monkeypatch: pytest.MonkeyPatch):
    """What made the array that the loop carries stays until its lineage is cut."""
    text = """input A: matrix[Double]; input v: vector[Double];
var k = 0; var s = 0.0;
while (k < 6) {
  k += 1;
  var x = A @ (k*v);
  s += +/[ e*e | (_,e) <- x ];
  A = tensor*(A.rows,A.cols)[ ((i,j),a+v[j]) | ((i,j),a) <- A ];
};
(s, A)"""
    live: list[int] = []
    shared, destroy = set[int](), shared_values.SharedValue.destroy
    share, fold = shared_values.share, RDD.fold

    def sent(*arguments: Any) -> Any:
        made = share(*arguments)
        shared.add(id(made))
        return made

    def destroyed(self: Any, *arguments: Any) -> None:
        shared.discard(id(self))
        destroy(self, *arguments)

    def folded(self: Any, *arguments: Any) -> Any:
        live.append(len(shared))
        return fold(self, *arguments)

    monkeypatch.setattr(RDD, "fold", folded)
    monkeypatch.setattr(loop, "share", sent)
    monkeypatch.setattr(shared_values.SharedValue, "destroy", destroyed)
    program = diablo.compile(text, engine="spark", block_size=4)
    A, v = np.eye(8), np.arange(8.0)
    here = diablo.compile(text)(A=A, v=v)
    found = program(A=A, v=v)
    assert found[0] == pytest.approx(here[0])
    np.testing.assert_allclose(np.asarray(found[1]), np.asarray(here[1]))
    assert len(live) == 6
    assert set(live) == {2}, "That of `v`, and that of this iteration."


def test_broadcasts_are_destroyed_behind_their_last_job(sc: Any, monkeypatch: pytest.MonkeyPatch):
    text = """input A: matrix[Double]; input v: vector[Double]; input w: vector[Double];
var x = A @ v;
var s = +/[ e*e | (_,e) <- x ];
var z = A @ (w / s);
var t = +/[ e | (_,e) <- z ];
(s, t, +/[ a | ((i,j),a) <- A ]);"""
    done: list[str] = []
    fold, destroy = RDD.fold, shared_values.SharedValue.destroy

    def folded(self: Any, *arguments: Any) -> Any:
        done.append("job")
        return fold(self, *arguments)

    def destroyed(self: Any, *arguments: Any) -> None:
        done.append("destroyed")
        destroy(self, *arguments)

    monkeypatch.setattr(RDD, "fold", folded)
    monkeypatch.setattr(shared_values.SharedValue, "destroy", destroyed)
    program = diablo.compile(text, engine="spark", block_size=4)
    A, v, w = np.eye(8), np.arange(8.0), np.ones(8)
    assert program(A=A, v=v, w=w) == (v @ v, pytest.approx(8 / (v @ v)), 8.0)
    assert done == ["job", "destroyed", "job", "destroyed", "job"]


def test_stages_are_named_after_their_lines(sc: Any):
    text = """input A: matrix[Double];
var B = A @ A.t;
var C = B @ A;
+/[ c | ((i,j),c) <- C ];"""
    program = diablo.compile(text, engine="spark", block_size=2)
    assert program(A=np.eye(4)) == 4
    assert program.stats is not None
    store = sc._jsc.sc().statusStore()
    last = sc._jsc.sc().dagScheduler().numTotalJobs()
    ids = store.job(last - 1).stageIds()
    stages = [store.lastStageAttempt(ids.apply(number)).name() for number in range(ids.size())]
    assert {stage.partition(": ")[0] for stage in stages} == {f"<program>:{n}" for n in (2, 3, 4)}
    assert sc.parallelize([1]).map(str).collect() == ["1"]
    mine = store.job(last).name()
    assert mine.startswith("collect at"), "What is not of a program has its own names."


def test_workers_add_up_a_part_of_the_memory_before_they_write_files(
    sc: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(spark, "machine_memory", lambda: 64 * 2**30)
    name = "spark.python.worker.memory"
    assert spark._settings("a", 4)[name] == "4096m"
    assert spark._settings("a", 1000)[name] == "512m"
    assert spark._settings("a", None)[name] == "512m"  # PySpark's own, where others decide.
    assert int(sc.getConf().get(name).removesuffix("m")) >= 512


def test_what_the_user_sets_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "spark-defaults.conf").write_text("# mine\nspark.ui.enabled true\nspark.a=b\n")
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    monkeypatch.setenv(
        "PYSPARK_SUBMIT_ARGS", "--conf spark.a=c --driver-memory 3g --name=mine pyspark-shell"
    )
    assert given_settings() == {
        "spark.ui.enabled": "true",
        "spark.a": "c",
        "spark.driver.memory": "3g",
        "spark.app.name": "mine",
    }
    monkeypatch.delenv("PYSPARK_SUBMIT_ARGS")
    monkeypatch.delenv("SPARK_CONF_DIR")
    assert "spark.ui.enabled" not in given_settings()


@pytest.mark.parametrize(
    ("master", "tasks"),
    [
        ("local", 1),
        ("local[3]", 3),
        ("local[4,2]", 4),
        ("local-cluster[2,4,1024]", 8),
        ("yarn", None),
    ],
)
def test_how_many_tasks_run_at_a_time_is_known(master: str, tasks: int | None):
    assert known_tasks(master) == tasks


@pytest.mark.parametrize("master", ["local[0]", "local[x]", "local[1", "local-cluster[2,1]"])
def test_masters_that_spark_does_not_know_are_refused(master: str):
    with pytest.raises(InputError, match=r"N of local\[N\] is how many tasks run at a time"):
        diablo.compile("1", engine="spark", master=master)


ALIKE = """
    input A: matrix[Double]; input B: matrix[Double]; input n: Int;
    var C = A + B;
    (C, C*C - A, tensor*(n,n)[ ((i,j),a + B[i,j]) | ((i,j),a) <- A, i < n, j < n ])
"""


def test_arrays_of_one_grid_are_zipped(sc: Any):
    program = diablo.compile(ALIKE, engine="spark", block_size=2)
    A, B = np.arange(36.0).reshape(6, 6), np.ones((6, 6))
    for n, stages in ((6, 1), (3, 3)):  # Tiles that are cut away lie alike no more.
        C, D, part = program(A=A, B=B, n=n)
        np.testing.assert_array_equal(C, A + B)
        np.testing.assert_array_equal(D, (A + B) ** 2 - A)
        before = program.stats
        np.testing.assert_array_equal(part, (A + B)[:n, :n])
        after = program.stats
        assert before is not None
        assert after is not None
        assert after.stages - before.stages == stages
        assert bool(after.bytes_shuffled) == (stages > 1)


JOIN = """
    input L: list[(Int,Int)]; input M: list[(Int,Int)];
    [ (k,x,y) | (k,x) <- L, (j,y) <- M, j == k ]
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "text", [JOIN, JOIN.replace("k,x) <- L, (j,y) <- M", "k,x) <- M, (j,y) <- L")]
)
def test_the_short_side_of_a_join_is_sent(sc: Any, text: str, monkeypatch: pytest.MonkeyPatch):
    program = diablo.compile(text, engine="spark", block_size=2)
    long, short = [(k % 7, k) for k in range(60)], [(3, 1), (3, 2), (9, 0)]
    for most, shuffles in ((10_000, False), (0, True)):
        monkeypatch.setattr(shuffle, "MOST_SENT_BYTES", most)
        found = sorted(program(L=long, M=short).to_list())
        L, M = (long, short) if "<- L, (j" in text else (short, long)
        assert found == sorted((k, x, y) for k, x in L for j, y in M if j == k)
        assert program.stats is not None
        assert bool(program.stats.bytes_shuffled) == shuffles


OPERATIONS = {
    "map": lambda a, b: a.map(lambda r: (r[0], r[1] + 1)),
    "mapValues": lambda a, b: a.mapValues(lambda v: -v),
    "flatMap": lambda a, b: a.flatMap(lambda r: [r, r]),
    "mapPartitions": lambda a, b: a.mapPartitions(lambda part: part),
    "filter": lambda a, b: a.filter(lambda r: r[1] > 1),
    "reduceByKey": lambda a, b: a.reduceByKey(lambda x, y: x + y),
    "join": lambda a, b: a.join(b),
    "union": lambda a, b: a.union(b).coalesce(1),
    "cogroup": lambda a, b: a.cogroup(b).mapValues(lambda g: [sorted(part) for part in g]),
    "groupWith": lambda a, b: a.groupWith(b, a).mapValues(lambda g: [sorted(p) for p in g]),
    "groupByKey": lambda a, b: a.groupByKey().mapValues(sorted),
    "keyBy": lambda a, b: a.keyBy(lambda r: r[1]),
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_local_rdds_agree_with_pyspark(sc: Any, operation: str):
    def result(context: Any) -> list[Any]:
        left = context.parallelize([((0,), 1), ((1,), 2), ((0,), 3)])
        right = context.parallelize([((2,), 7), ((0,), 8)])
        return sorted(OPERATIONS[operation](left, right).collect())

    assert result(LocalContext(2)) == result(sc)


def test_a_tile_crosses_once_to_each_partition(sc: Any):
    """In a product of 8 x 8 tiles each goes to 8 keys, and to one partition of two or to both."""
    tile = np.arange(2304.0).reshape(48, 48)
    dims, counts = (384, 384), (8, 8)
    place = placement(counts, 2)

    def columns(group: Any) -> list[int]:
        return [int(tile[0, 0]) for _, tile in sorted(group, key=lambda record: record[0])]

    tiles = in_slices(sc, [(key, tile + key[1]) for key in np.ndindex(*counts)], counts, 2)
    left, right = (tiles.flatMap(rekey(p, dims, 48)) for p in ((0, -1), (-1, 1)))
    with watching() as watch:
        begin_watching(sc)
        groups = (
            shuffle.cogroup(place, left, right)
            .mapValues(lambda found: tuple(map(columns, found)))
            .collect()
        )
    statistics = watch.statistics()
    assert statistics is not None
    # Rows of tiles lie in one partition; each of the other factor's goes to both.
    crossed = (64 + 2 * 64) * tile.nbytes
    assert crossed < statistics.bytes_shuffled < 1.05 * crossed
    assert sorted(groups) == [((i, j), ([*range(8)], [j] * 8)) for i, j in np.ndindex(*counts)]


@pytest.mark.parametrize("batches", [0, 1])
def test_tiles_lie_as_their_grid_says(sc: Any, batches: int, monkeypatch: pytest.MonkeyPatch):
    """Also with a context that somebody else has made, which deals out batches of records."""
    monkeypatch.setattr(sc, "_batchSize", batches)
    counts = (5, 3)
    rdd = in_slices(sc, [(key, None) for key in np.ndindex(*counts)], counts, 4)
    found = rdd.mapPartitionsWithIndex(lambda k, part: [(k, [key for key, _ in part])]).collect()
    grid = placement(counts, 4)[1]
    assert grid_of(rdd) is grid
    assert sum(len(keys) for _, keys in found) == 15
    assert all(grid(key) == number for number, keys in found for key in keys)


@pytest.mark.parametrize(("in_files", "most"), [(False, 4000), (False, 40_000), (True, 4000)])
def test_no_task_is_sent_more_of_an_array_than_fits_a_message(
    sc: Any, in_files: bool, most: int, monkeypatch: pytest.MonkeyPatch
):
    """What is more goes with several, and is shuffled; what is less, or in files, does not."""
    monkeypatch.setattr(tile_placement, "MOST_IN_TASK", most)
    monkeypatch.setattr(sc._unbatched_serializer, "in_files", in_files)
    counts = (4, 3)
    place = placement(counts, 2)
    tiles = [(key, np.full(150, key[1], float)) for key in np.ndindex(*counts)]  # 14 KB of them
    rdd = in_slices(sc, tiles, counts, 2)
    found = rdd.mapPartitionsWithIndex(lambda k, part: [(k, [*part])]).collect()
    assert grid_of(rdd) is place[1]
    assert rdd.getNumPartitions() == 2
    assert all(place[1](key) == number for number, part in found for key, _ in part)
    assert [
        (key, tile.tolist())
        for key, tile in sorted(
            (record for _, part in found for record in part), key=lambda record: record[0]
        )
    ] == [(key, tile.tolist()) for key, tile in tiles]
    assert isinstance(rdd.partitioner, InSlices) == (in_files or most > 14_000)


def test_a_task_that_only_shuffles_is_sent_less(sc: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tile_placement, "MOST_IN_TASK", 4000)
    monkeypatch.setattr(tile_placement, "MOST_TO_SHUFFLE", 3000)
    monkeypatch.setattr(sc._unbatched_serializer, "in_files", False)
    sent: list[int] = []
    parallelize = sc.parallelize

    def counted(pieces: Any, count: int) -> Any:
        sent.extend(len(piece) for piece in pieces)
        return parallelize(pieces, count)

    monkeypatch.setattr(sc, "parallelize", counted)
    tiles = [(key, np.full(150, key[1], float)) for key in np.ndindex(4, 3)]
    assert in_slices(sc, tiles, (4, 3), 2).count() == 12
    assert sent == [2] * 6


@pytest.mark.parametrize("batches", [0, 1])
def test_what_is_kept_of_an_input_is_sent_once(
    sc: Any, batches: int, monkeypatch: pytest.MonkeyPatch
):
    """Tasks of later jobs are sent no tiles, and none has left its partition."""
    monkeypatch.setattr(sc._unbatched_serializer, "in_files", False)
    monkeypatch.setattr(sc, "_batchSize", batches)
    counts = (5, 1)
    tiles = [(key, np.full(1 << 17, key[0], float)) for key in np.ndindex(*counts)]
    grid = placement(counts, 2)[1]
    rdd = in_slices(sc, tiles, counts, 2)
    kept = keeping.persist_to_end(rdd)
    assert grid_of(kept) is grid
    assert _given_parts(rdd)
    for _ in range(2):
        found = kept.mapPartitionsWithIndex(lambda k, part: [(k, [*part])]).collect()
        assert [[key for key, _ in part] for _, part in found] == [
            [key for key, _ in tiles if grid(key) == k] for k in range(2)
        ]
        assert all((tile == key[0]).all() for _, part in found for key, tile in part)
    assert not _given_parts(kept)
    kept.unpersist()
    small = in_slices(sc, [(key, 0.0) for key in np.ndindex(*counts)], counts, 2)
    assert keeping.persist_to_end(small) is small
    small.unpersist()


def test_what_is_kept_of_rows_is_sent_once(sc: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sc._unbatched_serializer, "in_files", False)
    rows = (np.arange(1 << 18), np.ones(1 << 18))
    kept = keeping.persist_to_end(distribute_rows(sc, rows, 7))
    assert not _given_parts(kept)
    assert np.concatenate([keys for keys, _ in kept.collect()]).tolist() == [*range(1 << 18)]
    kept.unpersist()


def _given_parts(rdd: Any) -> bool:
    """Return whether tasks of an RDD are sent what the driver has given to Spark."""
    waiting = [rdd._jrdd.rdd()]
    while waiting:
        found = waiting.pop()
        if "ParallelCollection" in found.getClass().getName():
            return True
        parents = found.dependencies()
        for k in range(parents.size()):
            if "Shuffle" not in parents.apply(k).getClass().getName():
                waiting.append(parents.apply(k).rdd())
    return False


def test_no_task_is_sent_more_rows_than_fit_a_message(sc: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(data, "MOST_IN_TASK", 4000)
    rows = (np.arange(2000), np.ones(2000))
    assert distribute_rows(sc, rows, 7).getNumPartitions() == 2
    monkeypatch.setattr(sc._unbatched_serializer, "in_files", False)
    cut = distribute_rows(sc, rows, 7)
    assert cut.getNumPartitions() == 8
    assert np.concatenate([keys for keys, _ in cut.collect()]).tolist() == [*range(2000)]
    assert distribute_rows(sc, rows, None).getNumPartitions() == 1


def test_workers_find_an_uninstalled_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(spark.site, "getsitepackages", list)
    environment = {"PYTHONPATH": "/elsewhere"}
    spark._let_workers_import(environment)
    folder, other = environment["PYTHONPATH"].split(os.pathsep)
    assert (Path(folder) / "diablo" / "runtime").is_dir()
    assert other == "/elsewhere"
    spark._let_workers_import(environment)
    assert environment["PYTHONPATH"].count(folder) == 1


def test_pyspark_is_missing():
    code = (
        "import sys; sys.modules['pyspark'] = None\n"
        "from diablo.runtime.engines.spark import known_tasks, spark_context\n"
        "from diablo.runtime.engines.spark_settings import given_settings\n"
        "try:\n    spark_context()\n"
        "except Exception as error:\n    print(type(error).__name__, error)\n"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert output.startswith(
        "RunError the Spark engine needs PySpark: `pip install 'diablo[spark]'`"
    )


LOOPS = """
input A: matrix[Double]; input B: matrix[Double]; input v: vector[Double];
input n: Int; input steps: Int;
var C = A @ B; var w = v; var k = 0;
while (k < steps) {
  k += 1;
  var D = C.t + A;
  for i = 1, n-2 do for j = 0, n-1 do C[i,j] = 0.5*(D[i-1,j] + B[i+1,j]);
  w = 0.01*(A @ w) + v;
  if (k % 4 == 0) w = 2.0*w;
};
(C, w, +/[ c | ((i,j),c) <- C, c < 100.0 ])
"""


@pytest.mark.usefixtures("soon_cut")
def test_blocks_that_are_in_files(sc: Any):
    """What workers read, keep, shuffle and carry through loops; nothing of it is left."""
    n, steps = 240, 7
    generator = np.random.default_rng(0)
    a, b, v = generator.random((n, n)), generator.random((n, n)), generator.random(n)
    given = {"A": a, "B": b, "v": v, "n": n, "steps": steps}
    here = diablo.compile(LOOPS)(**given)
    there = diablo.compile(LOOPS, engine="spark", master="local[2]", block_size=120)(**given)
    assert _files()  # Of what is computed when someone looks at it.
    for expected, found in zip(here, there, strict=True):
        np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=1e-9)
    there[0][0, 0] = 5.0  # A result is the caller's.
    del found, there
    release_dead()
    assert not _files()


def test_a_lost_block_is_computed_again(sc: Any, monkeypatch: pytest.MonkeyPatch):
    """Where the file of a block is gone, the call is done anew, and its bytes are sent."""
    text = """
        input A: matrix[Double]; input x: vector[Double];
        var k = 0; while (k < 3) { k += 1; A = 0.5*A; }; (A, +/[ a | ((i,j),a) <- A ])
    """
    a = np.random.default_rng(2).random((240, 240))
    removed: list[Path] = []
    carry = Iterations.carry

    def losing(self: Iterations, *values: Any) -> Any:
        if not removed:
            removed.extend(_files())
            for path in removed:
                path.unlink()
        return carry(self, *values)

    monkeypatch.setattr(Iterations, "carry", losing)
    found, total = diablo.compile(text, engine="spark", block_size=120)(A=a, x=a[0])
    assert removed
    np.testing.assert_array_equal(found, a / 8)
    np.testing.assert_allclose(total, (a / 8).sum())


def _lose_files() -> None:
    files = _files()
    assert files
    for path in files:
        path.unlink()


HALVES = """input A: matrix[Double]; input n: Int;
var B = tensor*(n,n)[ ((i,j),0.5*a) | ((i,j),a) <- A ];
(B, tensor*(n,n)[ ((i,j),+/c) | ((i,k),a) <- A, ((kk,j),b) <- B, kk == k, let c = a*b,
                                group by (i,j) ]);
"""


def test_lazy_results_whose_files_are_lost(sc: Any):
    """The call is done once more where its inputs are what they were; else the line is shown."""
    a = np.random.default_rng(3).random((240, 240))
    program = diablo.compile(HALVES, engine="spark", block_size=120)
    halves, product = program.run(program.check({"A": a, "n": 240}))
    _lose_files()
    np.testing.assert_allclose(product.to_numpy(), a @ (a / 2), rtol=1e-12)
    np.testing.assert_array_equal(halves.compute().to_numpy(), a / 2)
    lost = program(A=a, n=240)  # Whose caller may have written into the array meanwhile.
    _lose_files()
    with pytest.raises(RunError, match=r"(?s)<program>:\d+:\d+.*whose file was removed"):
        lost[1].to_numpy()
    with pytest.raises(RunError, match=r"(?s)<program>:\d+:\d+.*whose file was removed"):
        lost[0].to_numpy()
    del halves, product, lost
    release_dead()


def test_held_inputs_whose_files_are_lost(sc: Any):
    a = np.random.default_rng(3).random((1100, 1000))
    program = diablo.compile("input A: matrix[Double];\n\n+/[ a | ((i,j),a) <- A ]", engine="spark")
    with diablo.distribute(a) as held:
        assert program(A=held) == pytest.approx(a.sum())
        _lose_files()
        with pytest.raises(RunError, match=r"(?s)<program>:3:1.*whose file was removed"):
            program(A=held)


def _files() -> list[Path]:
    return [file for root in block_store._own_roots() for file in root.glob("*/*")]
