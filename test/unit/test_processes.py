"""Programs and their results in other processes and threads, and processes that end or fork."""

import multiprocessing
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import diablo
from diablo.diagnostics import CompileError, Error, InputError, RunError

SQUARES = "input n: Int; var A = tensor*(n)[ (i,i*i) | i <- 0..n-1 ]; +/[ a | (i,a) <- A ];"
NUMBERS = list(range(1, 7))
EXPECTED = [sum(i * i for i in range(n)) for n in NUMBERS]


@pytest.fixture(scope="module", params=[None, 2], ids=["whole", "blocks"])
def squares(request: pytest.FixtureRequest) -> Any:
    program = diablo.compile(SQUARES, block_size=request.param)
    assert program(n=3) == 5
    return program


def test_a_program_is_pickled_after_a_call(squares: Any):
    other = pickle.loads(pickle.dumps(squares))
    assert other(n=4) == 14
    assert (other.block_size, other.inputs) == (squares.block_size, squares.inputs)
    assert "main" in other.ir("pyspark")
    # A worker that gets it once more does not compile it again.
    again = pickle.loads(pickle.dumps(other))
    call = again.check({"n": 4})
    assert again.variant(call) is other.variant(call)
    assert again.variant(call) is not squares.variant(call)


def test_what_is_pickled_keeps_its_options():
    program = diablo.compile(SQUARES, seed=3, layout="form = band", strict=True)
    other = pickle.loads(pickle.dumps(program))
    assert (other.seed, other.layout, other.strict) == (3, "form = band", True)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_pools_of_processes(method: str, squares: Any):
    with multiprocessing.get_context(method).Pool(2) as pool:
        calls = [pool.apply_async(squares, (), {"n": n}) for n in NUMBERS]
        assert [call.get(timeout=120) for call in calls] == EXPECTED


def test_joblib(squares: Any):
    joblib = pytest.importorskip("joblib")
    calls = [joblib.delayed(squares)(n=n) for n in NUMBERS]
    assert joblib.Parallel(n_jobs=2)(calls) == EXPECTED


@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_dask(scheduler: str, squares: Any):
    dask = pytest.importorskip("dask")
    calls = [dask.delayed(squares)(n=n) for n in NUMBERS]
    assert list(dask.compute(*calls, scheduler=scheduler, num_workers=2)) == EXPECTED


@pytest.mark.sampled(2)
@pytest.mark.spark
def test_workers_of_spark(squares: Any):
    from diablo.runtime.engines.spark import spark_context

    numbers = spark_context("local[2]").parallelize(NUMBERS, 2)
    assert numbers.map(lambda n: squares(n=n)).collect() == EXPECTED


def test_threads_share_a_program(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setenv("DIABLO_THREADS", "2")
    for block_size in (None, 3):
        program = diablo.compile(SQUARES, block_size=block_size)
        with ThreadPoolExecutor(4) as pool:
            calls = [pool.submit(program, n=n) for n in NUMBERS * 4]
            assert [call.result() for call in calls] == EXPECTED * 4


@pytest.mark.parametrize("block_size", [None, 2])
def test_results_are_pickled(block_size: int | None):
    program = diablo.compile(
        """input n: Int;
        var A = tensor*(n,n)[ ((i,j),i+0.5*j) | i <- 0..n-1, j <- 0..n-1 ];
        var S = tensor*(n)(n)[ ((i,i),i) | i <- 1..n-1 ];
        var L = [ <at = i, word = "w"+i> | i <- 0..n-1 ];
        var M = map*[ ("k"+i,(i,1.0)) | i <- 0..n-1 ];
        (A, S, L, M, <x = n, y = 1.5>);""",
        block_size=block_size,
    )
    results = program(n=5)
    again = pickle.loads(pickle.dumps(results))
    for one, other in zip(results, again, strict=True):
        assert type(other) is type(one)
    for k in (0, 1):
        np.testing.assert_array_equal(again[k], results[k])
    assert again[1].to_scipy().nnz == 4
    assert again[2][1].word == "w1"
    assert again[2] == results[2]
    assert again[3] == results[3]
    assert again[4] == (5, 1.5)
    assert again[4].y == 1.5
    assert pickle.loads(pickle.dumps(results)) is not None  # They were looked at meanwhile.


def error_of(text: str, **inputs: Any) -> Error:
    with pytest.raises(Error) as caught:
        diablo.compile(text)(**inputs)
    return caught.value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (CompileError, "input n: Int; m;"),
        (InputError, "input n: String; n;"),
        (RunError, "input n: Int;\nvar M: map[Int,Int] = map();\nM[n];"),
    ],
)
def test_errors_are_pickled(kind: type[Error], text: str):
    error = error_of(text, n=1)
    other = pickle.loads(pickle.dumps(error))
    assert isinstance(other, kind)
    assert str(other) == str(error)


def run_script(text: str, timeout: float = 120.0) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "DIABLO_THREADS": "2", "DIABLO_COMPILE": "always"}
    return subprocess.run(
        [sys.executable, "-c", text],
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


PREAMBLE = f"""
import os, signal, sys, threading, time
import numpy as np
import diablo
text = {SQUARES!r}
whole, blocks = diablo.compile(text), diablo.compile(text, block_size=2)
assert whole(n=6) == blocks(n=6) == 55
"""


def test_a_process_ends_while_large_results_live():
    done = run_script(
        PREAMBLE
        + """
large = diablo.compile("input n: Int; tensor(n)[ (i,1.0*i) | i <- 0..n-1 ];")(n=5_000_000)
blocks = diablo.compile("input n: Int; tensor*(n)[ (i,1.0*i) | i <- 0..n-1 ];", block_size=50000)
parts = blocks(n=500_000)
print(large[-1], parts[-1])
"""
    )
    assert (done.returncode, done.stdout) == (0, "4999999.0 499999.0\n"), done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_child_runs_programs():
    done = run_script(
        PREAMBLE
        + """
stop = False
def busy():
    k = 0
    while not stop:
        k += 1
        assert diablo.compile(text.replace("i*i", f"i*i*{k}"), block_size=2)(n=3) == 5*k
thread = threading.Thread(target=busy)
thread.start()
codes = []
for delay in (0.0, 0.05, 0.1, 0.03):
    time.sleep(delay)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        new = diablo.compile(text.replace("i*i", "2*i"))
        right = (whole(n=5), blocks(n=5), new(n=5)) == (30, 30, 20)
        sys.stdout.flush()
        os._exit(0 if right else 1)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
stop = True
thread.join()
print(codes)
"""
    )
    assert (done.returncode, done.stdout) == (0, "[0, 0, 0, 0]\n"), done.stderr


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("end", "code"), [("sys.exit(5)", 5), ("1 / 0", 1)])
def test_a_process_ends_after_calls_in_threads(end: str, code: int):
    done = run_script(
        PREAMBLE
        + f"""
def busy():
    while True:
        whole(n=6), blocks(n=6)
threading.Thread(target=busy, daemon=True).start()
time.sleep(0.2)
{end}
"""
    )
    assert done.returncode == code, done.stderr


def test_an_interrupt_leaves_programs_usable():
    done = run_script(
        PREAMBLE
        + """
program = diablo.compile("input n: Int; var k = 0; while (k < n) { k += 1; var A = tensor(1000)"
    "[ (i,1.0*i) | i <- 0..999 ]; k += (A[0]).toInt; }; k;".replace("(A[0]).toInt", "0"))
assert program(n=10) == 10
for _ in range(5):
    threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        program(n=1_000_000_000)
    except KeyboardInterrupt:
        pass
assert whole(n=6) == blocks(n=6) == 55 and program(n=3) == 3
print("usable")
"""
    )
    assert (done.returncode, done.stdout) == (0, "usable\n"), done.stderr
