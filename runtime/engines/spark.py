"""The Spark session that programs run in.

    sc = spark_context("local[2]")     # starts one, or returns the running one

One SparkContext serves a process. Its settings are made for blocks: records are few and
large, so that each is pickled by itself (PySpark's re-batching would cost more than the
work), and logs and web pages are off. What the user has set wins: in `PYSPARK_SUBMIT_ARGS`, or in
`spark-defaults.conf`.
"""

from __future__ import annotations

import logging
import os
import re
import shlex
import shutil
import site
import socket
import sys
import sysconfig
import warnings
from contextlib import nullcontext, suppress
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

import diablo
from diablo.diagnostics import InputError, RunError
from diablo.runtime.available_memory import machine_memory
from diablo.runtime.device.device import DEVICE
from diablo.runtime.disk_cache import FOLDER
from diablo.runtime.engines.block_store import BLOCKS
from diablo.runtime.engines.java import java_home, plain_java_home, temporary_files
from diablo.runtime.engines.spark_errors import (
    as_run_errors,
    is_of_lost_java,
    java_has_ended,
    summary,
)
from diablo.runtime.engines.spark_settings import given_settings
from diablo.runtime.memory_limit import TASKS_BESIDE
from diablo.runtime.native.compile_mode import COMPILE, THREADS
from diablo.runtime.termination import signals_waiting

__all__ = ["as_run_errors", "known_tasks", "spark_context", "stop_spark"]

_SUBMITTED = "PYSPARK_GATEWAY_PORT"
_LOCAL = re.compile(r"local(?:\[(\d+|\*)(?:,.*)?\])?|local-cluster\[(\d+),(\d+),.*\]")
_NUMBER = r"\s*0*[1-9]\d*\s*"
_RUNS_HERE = re.compile(
    rf"local(\[(?:{_NUMBER}|\*)(?:,{_NUMBER})?\])?|local-cluster\[{_NUMBER},{_NUMBER},{_NUMBER}\]"
)
"""The masters that Spark knows on this machine."""
_IN_THIS_JVM = re.compile(r"local(?:\[.*\])?")
_DAEMON = "diablo.runtime.engines.spark_daemon"
_QUIET_LOGGING = Path(__file__).with_name("log4j2.properties")


STARTS: list[float] = []
"""The seconds that each start of Spark by this process took."""


def spark_context(master: str | None = None, app_name: str = "diablo") -> Any:
    """The running SparkContext, or a new one on `master` (default: all local cores)."""
    if master is not None:
        _check_master(master)
    try:
        from pyspark import SparkConf, SparkContext
    except ImportError:
        raise RunError(
            "the Spark engine needs PySpark: `pip install 'diablo[spark]'`, or use the local engine"
        ) from None
    running: Any = SparkContext._active_spark_context  # pyright: ignore[reportPrivateUsage]
    if java_has_ended():
        _forget_java()
        running = None
    _keep_quiet_of_queries()
    if running is not None:
        if master is not None and running.master != master:
            raise InputError(
                f"Spark is running on {running.master} already: stop it to use {master}"
            )
        _set_up_workers(running.environment, running.master)
        return running
    is_submitted = _SUBMITTED in os.environ
    if is_submitted:  # The JVM is there, and has what was given to spark-submit.
        SparkContext._ensure_initialized()  # pyright: ignore[reportPrivateUsage]
    started = perf_counter()
    conf = SparkConf()
    given = {} if is_submitted else given_settings()
    if master is not None or (not is_submitted and "spark.master" not in given):
        conf.setMaster(master or "local[*]")
    on = conf.get("spark.master", given.get("spark.master", "local[*]")) or "local[*]"
    if not is_submitted:
        _check_master(on)
    if not is_submitted:  # spark-submit has settings of its own
        if SparkContext._gateway is None:  # pyright: ignore[reportPrivateUsage]
            os.environ["JAVA_HOME"] = plain_java_home(java_home())
        tasks = _tasks_on_a_machine(on) if _IN_THIS_JVM.fullmatch(on) else None
        for key, value in _settings(app_name, tasks).items():
            if key not in given:
                conf.set(key, value)
    # Workers must run this interpreter: its packages and its pickles.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    workers: dict[str, str] = {}
    _set_up_workers(workers, on)
    if "spark.python.daemon.module" not in given and _finds_our_daemon(on):
        conf.setIfMissing("spark.python.daemon.module", _DAEMON)
    _import_without_warnings()
    try:
        # Java that is left while it starts would never end.
        with signals_waiting():
            SparkContext._ensure_initialized(conf=conf)  # pyright: ignore[reportPrivateUsage]
        # On this machine the rest takes no longer, and Java would complain of an end in between.
        with signals_waiting() if _LOCAL.fullmatch(on) else nullcontext():
            context = SparkContext(
                conf=conf, batchSize=1, environment=workers, serializer=_serializer(on)
            )
    except Exception as error:
        has_ended = is_of_lost_java(error) or java_has_ended(patience=0.5)
        why = "its Java process has ended" if has_ended else summary(error)
        raise RunError(f"Spark does not start: {why}") from None
    _keep_quiet_of_its_end(context)
    STARTS.append(perf_counter() - started)
    return context


def _import_without_warnings() -> None:
    """Import what PySpark does at its first call of Java, and what warns then of a new pandas."""
    with warnings.catch_warnings(), suppress(ImportError):
        warnings.simplefilter("ignore", FutureWarning)
        import_module("pyspark.testing.utils")


def _keep_quiet_of_its_end(context: Any) -> None:
    """Let neither Py4J nor the server of counters write a traceback when Java has ended.

    Py4J tells the root logger of what it raises then too.
    """
    logging.getLogger().addFilter(_is_of_another)

    def say_nothing(*_request: Any) -> None:
        pass

    context._accumulatorServer.handle_error = say_nothing


def _keep_quiet_of_queries() -> None:
    """Let PySpark not log the Java trace of a query that fails here: the error has its line."""
    with suppress(ImportError):  # Whose class of loggers theirs have to be of.
        loggers = import_module("pyspark.logger").PySparkLogger
        for kind in ("SQL", "DataFrame"):
            loggers.getLogger(f"{kind}QueryContextLogger").addFilter(_is_not_from_here)


def _is_not_from_here(record: logging.LogRecord) -> bool:
    """Return whether no function of this package is among those that are logging."""
    frame = sys._getframe()  # pyright: ignore[reportPrivateUsage]
    names: list[str] = []
    while frame.f_back is not None:
        frame = frame.f_back
        names.append(frame.f_globals.get("__name__", ""))
    return not any(name.startswith("diablo.") for name in names)


def _is_of_another(record: logging.LogRecord) -> bool:
    """Return whether a record was logged by other modules than those of Py4J."""
    return Path(record.pathname).parent.name != "py4j"


def _forget_java() -> None:
    """Let the next SparkContext start Java anew, after it has ended by itself."""
    from pyspark import SparkContext

    running: Any = SparkContext._active_spark_context  # pyright: ignore[reportPrivateUsage]
    for _ in range(2):  # The first time it fails to reach Java, and knows of it then.
        if running is not None:
            with suppress(Exception):
                running.stop()
    for name in ("_active_spark_context", "_gateway", "_jvm"):
        setattr(SparkContext, name, None)


def _finds_our_daemon(master: str) -> bool:
    """Return whether what forks workers can be a module of this package, and should.

    It should where what workers write to their standard error is seen by who runs the program, and
    is not in the log of an executor. It can where they have the interpreter of this process: an
    executor elsewhere may have the package not before the files of the first task have come.
    """
    return bool(_IN_THIS_JVM.fullmatch(master)) and (
        shutil.which(os.environ["PYSPARK_PYTHON"]) == sys.executable
    )


def _check_master(master: object) -> None:
    """Refuse what spark-submit would refuse with a Java stack trace."""
    is_text = isinstance(master, str)
    if not is_text or (master != "yarn" and not master.startswith(("local", "spark://", "k8s://"))):
        raise InputError(
            f"{master!r} is not a Spark master: it is local[N], spark://…, k8s://… or yarn"
        )
    if master.startswith("local") and not _RUNS_HERE.fullmatch(master):
        raise InputError(
            f"{master!r} is not a Spark master: N of local[N] is how many tasks run at a time, "
            "1 or more, or * for all cores"
        )


def stop_spark() -> None:
    """Stops the running SparkContext, if there is one."""
    pyspark = sys.modules.get("pyspark")
    if pyspark is not None and pyspark.SparkContext._active_spark_context is not None:
        pyspark.SparkContext._active_spark_context.stop()


def known_tasks(master: str | None) -> int | None:
    """Return how many tasks run at a time on a master, if that is known before Spark has started.

    Without a master it is what Spark runs on, or would: all cores of this machine.

    >>> known_tasks("local[3]"), known_tasks("local-cluster[2,4,1024]"), known_tasks("yarn")
    (3, 8, None)
    """
    if master is not None:
        _check_master(master)
    pyspark = sys.modules.get("pyspark")
    running = None if pyspark is None else pyspark.SparkContext._active_spark_context
    if running is not None and master in (None, running.master):
        return int(running.defaultParallelism)
    if master is None and _SUBMITTED not in os.environ:
        master = given_settings().get("spark.master", "local[*]")
    return _tasks_on_a_machine(master or "")


def _tasks_on_a_machine(master: str) -> int | None:
    """Return how many tasks run at a time on a master that is this machine, else None."""
    match = _LOCAL.fullmatch(master)
    if not match:
        return None
    threads, workers, cores = match.groups()
    if workers is not None:
        return int(workers) * int(cores)
    return os.cpu_count() if threads == "*" else int(threads or 1)


def _settings(app_name: str, tasks: int | None) -> dict[str, str]:
    """What is set unless the user has; so many `tasks` run at a time beside this process."""
    # The blocks live in the Python workers at least as much as in the JVM.
    memory = max(1, min(16, machine_memory() // 4 // 2**30))
    # From 512 MB on, a few tiles, PySpark would write what a worker adds up to files each time.
    worker = 512 if tasks is None else max(512, machine_memory() // 4 // tasks // 2**20)
    options = [f"-Dlog4j2.configurationFile={_QUIET_LOGGING.as_uri()}"]
    if (files := temporary_files()) is not None:
        options.append(files)
    return {
        "spark.python.worker.memory": f"{worker}m",
        "spark.app.name": app_name,
        "spark.driver.memory": f"{memory}g",
        "spark.driver.maxResultSize": "0",
        # What is kept is looked at after each tile, not each sixteenth, for room on the heap.
        "spark.storage.unrollMemoryCheckPeriod": "1",
        # A tile goes to its task in one message, where it is in no file.
        "spark.rpc.message.maxSize": "256",
        # Those that the user gives, as `spark.driver.extraJavaOptions`, come behind.
        "spark.driver.defaultJavaOptions": shlex.join(options),
        # Through TCP each task of a worker waits for some 40 ms until it is sent its data.
        "spark.python.unix.domain.socket.enabled": str(hasattr(socket, "AF_UNIX")).lower(),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        # Blocks of numbers do not shrink enough to pay for compressing them.
        "spark.rdd.compress": "false",
        "spark.shuffle.compress": "false",
        "spark.shuffle.spill.compress": "false",
        "spark.broadcast.compress": "false",
    }


def _serializer(master: str) -> Any:
    """Return how records become bytes: by files where all workers see those of this process."""
    from diablo.runtime.engines.block_serializer import BlockSerializer

    named = os.environ.get(BLOCKS)
    return BlockSerializer(named != "off" and bool(named or master.startswith("local")))


def _set_up_workers(environment: dict[str, str], master: str) -> None:
    """Let workers find this package, and do with machine code and devices as this process does.

    They are told how many tasks share a machine, if that is known; else it has a core for each.
    """
    _let_workers_import(environment)
    tasks = _tasks_on_a_machine(master)
    environment[TASKS_BESIDE] = "cores" if tasks is None else str(tasks)
    for name in (COMPILE, THREADS, FOLDER, DEVICE):
        if name in os.environ:
            environment[name] = os.environ[name]
        else:
            environment.pop(name, None)


def _let_workers_import(environment: dict[str, str]) -> None:
    """Puts this package on the workers' path if it is not installed."""
    folder = str(Path(diablo.__file__).resolve().parent.parent)
    installed = {sysconfig.get_path("purelib"), *site.getsitepackages()}
    if folder in installed:
        return
    paths = [p for p in environment.get("PYTHONPATH", "").split(os.pathsep) if p]
    if folder not in paths:
        environment["PYTHONPATH"] = os.pathsep.join([folder, *paths])
