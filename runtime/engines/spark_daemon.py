"""The process that forks Python workers of Spark, which end quietly where Spark has ended first.

    spark.python.daemon.module    diablo.runtime.engines.spark_daemon

It is PySpark's own, `pyspark.daemon`, but that a worker writes no traceback when nobody reads what
it answers. A worker that waits for a task is told that Spark ends twice, at the same time: by a
signal, which ends it, and by its socket, which is closed. Where it sees the socket first, it takes
that for a task which failed, and fails to say so.
"""

from __future__ import annotations

import socket

from pyspark import daemon

from diablo.runtime.collection import freeze_survivors


def main() -> None:
    """Fork a worker whenever Spark asks for one, until Spark ends."""
    # Python has run the `__init__` of this package before it knew that this is such a process.
    freeze_survivors()
    run_tasks = daemon.worker

    def worker(sock: socket.socket, authenticated: bool) -> int:
        try:
            return run_tasks(sock, authenticated)
        except (BrokenPipeError, ConnectionResetError):  # What a task raises itself is not seen.
            return 1

    daemon.worker = worker
    daemon.manager()


if __name__ == "__main__":
    main()
