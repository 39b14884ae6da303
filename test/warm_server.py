"""Run the commands of lit tests in forks of one process that has imported them already.

    python warm_server.py SOCKET MODULE…      # runs until its standard input ends
    python -I -S warm_client.py SOCKET diablo.tools.opt FILE -p cse

A test starts the client, which hands over its arguments, folder, environment and files and ends as
the command does. Each command has a process of its own, as if it were started by `python -m`, but
for the quarter of a second that Python and the imports take.
"""

from __future__ import annotations

import ast
import gc
import importlib
import os
import runpy
import shutil
import signal
import socket
import sys
import threading
import traceback

LONGEST = 1 << 20


def main() -> None:
    path, *names = sys.argv[1:]
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(64)
    for name in names:
        importlib.import_module(name)
    import_all()
    run_once()
    gc.collect()
    gc.freeze()
    threading.Thread(target=end_with_input, args=[path], daemon=True).start()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # so that nobody waits for the children
    os.close(os.open(f"{path}.ready", os.O_CREAT))
    while True:
        client, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            serve(client)
        client.close()


def import_all() -> None:
    """Import the dialects, passes and targets, which commands import as they meet them."""
    from diablo.universe import DIABLO_UNIVERSE

    for factories in (
        DIABLO_UNIVERSE.all_dialects,
        DIABLO_UNIVERSE.all_passes,
        DIABLO_UNIVERSE.all_targets,
    ):
        for factory in factories.values():
            factory()


def run_once() -> None:
    """Run a command on an empty module, for what the first one imports, compiles and caches."""
    from diablo.tools.opt_tool.opt_driver import run

    run([os.devnull, "-f", "mlir", "-p", "canonicalize,cse,dce", "-o", os.devnull])


def end_with_input(path: str) -> None:
    while os.read(0, 1):  # not by `sys.stdin`, whose lock a fork would find taken
        pass
    shutil.rmtree(os.path.dirname(path), ignore_errors=True)
    os._exit(0)


def serve(client: socket.socket) -> None:
    """Run the command of a client in this process and tell it the exit code."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    text, files, _, _ = socket.recv_fds(client, LONGEST, 3)
    while not text.endswith(b"\n"):
        text += client.recv(LONGEST)
    request = ast.literal_eval(text.decode())
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    # The streams of the server know what its own files could do, such as being sought in.
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", errors="backslashreplace", buffering=1, closefd=False)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    code = 1
    try:
        name, *arguments = request["command"]
        sys.argv = [name, *arguments]
        code = run(name)
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        client.send(bytes([code & 255]))
        os._exit(code)


def run(module: str) -> int:
    """Run a module as `python -m` does, and return the exit code."""
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if isinstance(end.code, int) or end.code is None:
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    main()
