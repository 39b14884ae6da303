"""What forks Python workers of Spark, and what they write when Spark has ended."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

import pytest

from diablo.runtime.collection import SPARK_DAEMONS
from diablo.runtime.engines.spark import spark_context

pytestmark = pytest.mark.spark
THEIRS, OURS = SPARK_DAEMONS


def _text(stream: IO[bytes], length: int) -> str:
    return stream.read(length).decode()


@pytest.mark.parametrize("module", [THEIRS, OURS])
def test_a_worker_that_sees_its_socket_close_first(module: str):
    """Be the JVM that has a worker forked, and hangs up without a signal."""
    # The name of a socket has 107 bytes at most.
    with TemporaryDirectory(prefix="d", dir="/tmp") as folder:
        written = _written_to_nobody(module, folder)
    assert ("Traceback" in written) == (module == THEIRS)
    assert ("BrokenPipeError" in written) == (module == THEIRS)


def _written_to_nobody(module: str, folder: str) -> str:
    """What is written by a worker whose socket is closed, and by the daemon that forked it."""
    environment = {
        **os.environ,
        "PYTHON_UNIX_DOMAIN_ENABLED": "true",
        "PYTHON_WORKER_FACTORY_SOCK_DIR": folder,
        "PYTHON_DAEMON_KILL_WORKER_ON_FLUSH_FAILURE": "1",
        "SPARK_REUSE_WORKER": "1",
    }
    command = [sys.executable, "-m", module, "pyspark.worker"]
    daemon = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    assert daemon.stdin is not None
    assert daemon.stdout is not None
    assert daemon.stderr is not None
    with daemon, socket.socket(socket.AF_UNIX) as worker:
        length = int.from_bytes(daemon.stdout.read(4), "big")
        worker.connect(_text(daemon.stdout, length))
        process = int.from_bytes(worker.recv(4), "big")
        worker.close()
        # The daemon would end it before it has written anything.
        while Path(f"/proc/{process}").exists():
            time.sleep(0.01)
        daemon.stdin.close()
        return daemon.stderr.read().decode()


def test_the_workers_of_this_machine_have_ours():
    sc: Any = spark_context("local[2]")
    assert sc.getConf().get("spark.python.daemon.module") == OURS

    def daemon(_: int) -> str:
        import sys

        return sys.modules["__main__"].__spec__.name  # pyright: ignore

    assert set(sc.parallelize(range(4), 4).map(daemon).collect()) == {OURS}
