# Java that is interrupted while it starts, or has ended by itself, in processes of their own.
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

INTERRUPTED = """
import os, signal, sys, time
from pathlib import Path
from types import SimpleNamespace
from pyspark import java_gateway
from diablo.runtime.engines.spark import spark_context

signal.signal(signal.SIGINT, signal.default_int_handler)  # Which a job in the background ignores.
start, processes = java_gateway.Popen, []

def started(*command, **options):
    processes.append(start(*command, **options))
    print(processes[-1].pid, flush=True)
    return processes[-1]

def sleep(seconds):
    time.sleep(seconds)  # A script finds Java, and becomes it; then it has all of its threads.
    folder = Path(f"/proc/{processes[-1].pid}")
    is_java = b"SparkSubmit" in (folder / "cmdline").read_bytes()
    if is_java and len(os.listdir(folder / "task")) > 15 and len(processes) == 1:
        processes.append(processes[-1])
        signal.raise_signal(signal.SIGINT)

java_gateway.Popen = started
java_gateway.time = SimpleNamespace(sleep=sleep)
try:
    spark_context("local[1]")
except KeyboardInterrupt:
    sys.exit(130)
"""

KILLED = """
import numpy as np
from pyspark import SparkContext
import diablo

text = "input A: matrix[Double]; tensor(3,3)[ ((i,j), a+1.0) | ((i,j),a) <- A ];"
program = diablo.compile(text, engine="spark", master="local[1]")
A = np.ones((3, 3))
collected = program(A=A)
collected.to_numpy()
held = diablo.distribute(A, "local[1]")
java = SparkContext._gateway.proc
java.kill()
java.wait()

def told(call):
    try:
        return call().to_numpy()[0, 0]
    except diablo.RunError as error:
        return str(error).splitlines()[0]

for call in (
    lambda: program(A=held),
    lambda: program(A=A),
    lambda: program(A=held),
    lambda: program(A=collected),
):
    print(told(call))
"""


def _environment() -> dict[str, str]:
    found = {**os.environ, "PYTHONWARNINGS": "ignore"}
    found.pop("SPARK_SUBMIT_OPTS", None)  # With these Java has fewer threads.
    return found


def _is_running(process: int) -> bool:
    status = Path(f"/proc/{process}/stat")
    return status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] != "Z"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked at there")
def test_java_ends_where_it_was_interrupted_while_it_started():
    command = [sys.executable, "-c", INTERRUPTED]
    done = subprocess.run(
        command, capture_output=True, text=True, env=_environment(), check=False, timeout=120
    )
    assert done.returncode == 130
    assert "Exception" not in done.stderr
    java = int(done.stdout)
    for _ in range(200):
        if not _is_running(java):
            return
        time.sleep(0.1)
    os.kill(java, 9)
    pytest.fail("Java was left behind")


def test_java_that_was_killed_is_started_anew():
    command = [sys.executable, "-c", KILLED]
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # The names of sockets are short.
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            env=_environment() | {"TMPDIR": folder, "DIABLO_BLOCKS": "off"},
            check=False,
            timeout=120,
        )
        left = os.listdir(folder)
    gone = "this was with Spark, which has ended, and its elements are gone"
    assert done.stdout.splitlines() == [f"A: {gone}", "2.0", f"A: {gone}", "3.0"]
    assert "Traceback" not in done.stderr
    assert done.returncode == 0
    assert left == []


GONE_AT_ONCE = """
import threading, time
from pyspark import SparkContext, java_gateway
import diablo
from diablo.runtime.engines.spark import spark_context

def kill():
    while not started:
        time.sleep(0.05)
    time.sleep(1)
    started[0].kill()

start, started = java_gateway.Popen, []
java_gateway.Popen = lambda *command, **options: (
    started.append(start(*command, **options)) or started[-1]
)
threading.Thread(target=kill).start()
try:
    spark_context("local[1]")
except diablo.RunError as error:
    print(error)
print(spark_context("local[1]").parallelize([1, 2]).sum())
"""


def test_java_that_was_killed_as_it_started_is_said_to_be():
    command = [sys.executable, "-c", GONE_AT_ONCE]
    done = subprocess.run(
        command, capture_output=True, text=True, env=_environment(), check=False, timeout=120
    )
    assert done.stdout.splitlines() == [
        "Spark does not start: its Java process has ended",
        "3",
    ]


STOPPED = """
import numpy as np
from pyspark.sql import SparkSession
import diablo
from diablo.runtime.engines.spark import spark_context

sc = spark_context("local[1]")
frame = SparkSession(sc).range(3).selectExpr("id k", "1.0D v")
blocks = sc.parallelize([((0, 0), np.ones((3, 3)))])
sc.stop()
rows = "input L: list[(Int,Double)]; +/[ v | (k,v) <- L ]"
pairs = "input L: map[Int,Double]; +/[ v | (k,v) <- L ]"
array = "input L: matrix[Double]; +/[ a | ((i,j),a) <- L ]"
for text, given in ((rows, frame), (pairs, frame), (array, blocks), (array, np.ones((2, 2)))):
    try:
        print(diablo.compile(text, engine="spark", master="local[1]")(L=given))
    except diablo.InputError as error:
        print(error)
"""


def test_inputs_of_a_spark_that_was_stopped():
    command = [sys.executable, "-c", STOPPED]
    done = subprocess.run(
        command, capture_output=True, text=True, env=_environment(), check=False, timeout=120
    )
    stopped = "L: the Spark of this data frame was stopped"
    assert done.stdout.splitlines() == [
        stopped,
        stopped,
        "L: the Spark of this RDD was stopped",
        "4.0",
    ]
    assert "Traceback" not in done.stderr
