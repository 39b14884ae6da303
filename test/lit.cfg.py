# lit's configuration: `lit test` from the root of the repository, or on any part of it.
import os
import shlex
import subprocess
import sys
import tempfile
import time
import zlib

import lit.formats
import lit.util

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

config.name = "diablo"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".diablo", ".test"]
config.excludes = ["unit", "Inputs", "programs"]
config.test_source_root = os.path.join(root, "test")
# Outputs of tests stay out of the source tree; two trees can be tested at the same time.
tree = zlib.crc32(root.encode())
config.test_exec_root = os.path.join(tempfile.gettempdir(), f"diablo-lit-{os.getuid()}-{tree:x}")

# Tests run the tree as it stands, not what may be installed.
config.environment["PYTHONPATH"] = root
config.environment["DIABLO_CACHE"] = "off"
config.environment["PYTHONDONTWRITEBYTECODE"] = os.environ.get("PYTHONDONTWRITEBYTECODE", "")
config.environment["PATH"] = os.pathsep.join(
    [os.path.dirname(sys.executable), config.environment["PATH"]]
)
for name in ("JAVA_HOME", "HOME", "DIABLO_DEBUG"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

python = shlex.quote(sys.executable)
config.substitutions += [
    ("%python", python),
    ("%root", root),
    # The commands as users start them. Elsewhere they are forks of a process that has imported
    # all, which is most of what a command does.
    ("%cold-opt", f"{python} -m diablo.tools.opt"),
    ("%cold-run", f"{python} -m diablo.tools.run"),
]


def warm_commands():
    """Start a server for commands and return what to write for each, or None without one."""
    if not hasattr(os, "fork") or sys.platform == "darwin":
        return None
    socket = os.path.join(tempfile.mkdtemp(prefix="diablo-lit-"), "commands")
    standard_input, _ = os.pipe()  # which ends with this process, and the server with it
    modules = (
        "diablo.tools.opt_tool.opt_driver",
        "diablo.tools.run_tool.run_driver",
        "filecheck.main",
    )
    server = subprocess.Popen(
        [sys.executable, os.path.join(root, "test", "warm_server.py"), socket, *modules],
        stdin=standard_input,
        env=dict(config.environment),
    )
    while not os.path.exists(f"{socket}.ready"):
        if server.poll() is not None:
            return None
        time.sleep(0.02)
    client = f"{python} -I -S {shlex.quote(os.path.join(root, 'test', 'warm_client.py'))} {socket}"
    return [
        ("diablo-opt", f"{client} diablo.tools.opt"),
        ("diablo-run", f"{client} diablo.tools.run"),
        (r"\bfilecheck\b", f"{client} filecheck"),
    ]


config.substitutions += warm_commands() or [
    ("diablo-opt", f"{python} -m diablo.tools.opt"),
    ("diablo-run", f"{python} -m diablo.tools.run"),
]
