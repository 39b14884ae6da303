"""A standalone cluster of Spark on this machine, for as long as it is looked at.

    with standalone_cluster(workers=2, cores=1, memory="1g") as master:
        diablo.compile(text, engine="spark", master=master)

Master and workers are started by the scripts of the package pyspark, listen to the loopback device
alone, and are children of this process. At the end they are stopped, and their folder is removed.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from diablo.runtime.engines.java import java_home, plain_java_home

_HOST = "127.0.0.1"
_SECONDS = 120
"""How long a process may take to start."""


@contextmanager
def standalone_cluster(workers: int = 2, cores: int = 1, memory: str = "1g") -> Generator[str]:
    """Run a master and so many workers; give the URL of the master.

    Raises
    ------
    RuntimeError
        If they do not start.
    """
    folder = Path(tempfile.mkdtemp(prefix="standalone-"))
    processes: list[subprocess.Popen[bytes]] = []
    try:
        log = folder / "master.log"
        arguments = ["--host", _HOST, "--port", "0", "--webui-port", "0"]
        processes.append(_started("master.Master", arguments, folder, log))
        master = _said(log, r"Starting Spark master at (spark://\S+)", processes[0])
        for number in range(workers):
            log = folder / f"worker-{number}.log"
            work = folder / f"work-{number}"
            arguments = ["--host", _HOST, "--webui-port", "0", "--cores", str(cores)]
            arguments += ["--memory", memory, "--work-dir", str(work), master]
            processes.append(_started("worker.Worker", arguments, folder, log))
            _said(log, r"(Successfully registered) with master", processes[-1])
        yield master
    finally:
        for process in reversed(processes):
            process.send_signal(signal.SIGTERM)
        for process in reversed(processes):
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def spark_script(name: str) -> str:
    """Return the path of a script of the package pyspark."""
    found = find_spec("pyspark")
    assert found is not None
    assert found.origin is not None
    return str(Path(found.origin).parent / "bin" / name)


def spark_environment() -> dict[str, str]:
    """Return the environment for these scripts: Java, and addresses that nobody else reaches."""
    return {
        **os.environ,
        "JAVA_HOME": plain_java_home(java_home()),
        "SPARK_LOCAL_IP": _HOST,
        "SPARK_NO_DAEMONIZE": "1",
    }


def _started(name: str, arguments: list[str], folder: Path, log: Path) -> subprocess.Popen[bytes]:
    command = [spark_script("spark-class"), f"org.apache.spark.deploy.{name}", *arguments]
    environment = {**spark_environment(), "SPARK_LOG_DIR": str(folder)}
    with log.open("wb") as file:
        return subprocess.Popen(command, env=environment, stdout=file, stderr=subprocess.STDOUT)


def _said(log: Path, pattern: str, process: subprocess.Popen[bytes]) -> str:
    """Return what a process says when it has started."""
    for _ in range(10 * _SECONDS):
        found = re.search(pattern, log.read_text(errors="replace"))
        if found is not None:
            return found[1]
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError(f"a process of Spark does not start:\n{log.read_text(errors='replace')}")
